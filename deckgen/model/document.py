"""A document: the flat list of blocks that a reader makes of a source.

Flat on purpose: a quiz in a chat runs over three turns (question, the pupil's letter, the answer),
which is lookahead in a stream and surgery in a tree. Inline markup stays Markdown until rendering.

Extraction: everything that was found in one document, before anything is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from deckgen.model.claim import Claim, Exists, Snippet
from deckgen.model.notation import Notation
from deckgen.model.note import Note, Place, Skipped
from deckgen.model.source import Source, Span
from deckgen.text.pattern import pattern

Speaker = Literal["pupil", "tutor", "system"]
_BRACES = pattern(r"\{([^}]*)\}|\{[^}]*\Z")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `text` is its inline Markdown without `#` marks or tags."""

    span: Span
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, or any text that no reader knows better; Markdown as in the source."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where included code really stands."""

    path: str
    """As the fence names it, with forward slashes."""
    lines: tuple[int, ...]
    """0-based line in that file of each line of the code."""


@dataclass(frozen=True, slots=True)
class Code:
    """Code as the source shows it (a fence, an indented block, a notebook cell, a scraped run).

    `text` may still hold a pasted output after a marker: the claim forms cut it.
    """

    span: Span
    """The whole block, fences included."""
    text: str
    language: str
    """First word of the info string in lower case, as written; `""` if there is none. It may lie."""
    lines: tuple[int, ...]
    """0-based source line of each line of `text`."""
    info: str = ""
    """The whole info string: `{.python .input}`, `python {no-run}`."""
    sure: bool = True
    """False where indentation was restored and more than one reading is left (`read/reindent`)."""
    candidates: tuple[str, ...] = ()
    """All credible readings of unsure code, the likeliest (= `text`) first; empty when sure."""
    complete: bool = True
    """False if the list of candidates was cut short."""
    cell: bool = False
    """A notebook cell: the value of its last expression is part of its output."""
    origin: Origin | None = None
    """Set if the text was included from a file; `lines` then all point at the fence."""

    @property
    def attributes(self) -> str:
        """What stands in braces in the info string: `no-run seed=0`."""
        return " ".join(_BRACES.findall(self.info)) if "{" in self.info else ""


@dataclass(frozen=True, slots=True)
class Output:
    """Text that the source itself marks as output of the code before it (a notebook's stored output)."""

    span: Span
    text: str
    stream: Literal["stdout", "stderr", "result", "error", "any"] = "any"
    lines: tuple[int, ...] = ()
    """0-based source line of each line of `text`; empty means `span` counted from its start."""


@dataclass(frozen=True, slots=True)
class Row:
    """One body row of a table; cells are inline Markdown, stripped, as many as the header has."""

    span: Span
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    span: Span
    header: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One bullet or numbered item with its own text only (children are items of their own)."""

    span: Span
    """The lines of its own text, without children."""
    depth: int
    """0 for the outermost list."""
    text: str
    number: str = ""
    """`"3"` for an ordered item, `""` for a bullet."""

    @property
    def ordinal(self) -> int | None:
        """The number of an ordered item."""
        return int(self.number) if self.number else None


@dataclass(frozen=True, slots=True)
class Items:
    """A list, flattened in document order; an item's ancestors are the nearest shallower ones before it."""

    span: Span
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote; `text` is its Markdown without the `>` marks."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The start of a speaker's turn in a chat."""

    span: Span
    speaker: Speaker


@dataclass(frozen=True, slots=True)
class Details:
    """`<details>`: a question and its hidden answer; both Markdown."""

    span: Span
    summary: str
    text: str
    blocks: tuple[Block, ...] = ()
    """What is hidden, as blocks: the code inside is here, not among the document's own blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flashcard:
    """A card as its author wrote it, as data or in the format of another tool; its texts are Markdown, without the marks of that tool."""

    span: Span
    front: str
    """The question with its code; where it has gaps, `{{c1::text}}`, the card is a cloze."""
    back: str = ""
    """The answer; of a cloze what is told behind it; empty of a choice."""
    blocks: tuple[Block, ...] = ()
    """All its texts, as blocks in their places: the code on the card is here."""
    options: tuple[str, ...] = ()
    """Of a choice."""
    right: tuple[int, ...] = ()
    """Of the options, from 0."""
    explanation: str = ""
    has_gaps: bool = False
    """True where the front has to have gaps."""
    both: bool = False
    """True if each side is asked."""
    id: str = ""
    """What its author or the tool calls it; empty if it has no name."""
    tags: tuple[str, ...] = ()
    deck: str = ""
    """The deck that it goes to, with `::`; one that begins with `::` lies below that of its file."""

    @property
    def text(self) -> str:
        """All that it asks and answers."""
        return "\n".join(filter(None, self.sides))

    @property
    def sides(self) -> tuple[str, str, str]:
        """Front, back and explanation."""
        return self.front, self.back, self.explanation

    def with_sides(self, change: Callable[[str], str], blocks: tuple[Block, ...]) -> Flashcard:
        """The card with each of its sides changed, and with these blocks."""
        front, back, explanation = map(change, self.sides)
        return replace(self, front=front, back=back, explanation=explanation, blocks=blocks)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture standing alone: `target` is a path as written, or a media name for `data`."""

    span: Span
    alt: str
    target: str
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Directive:
    """`<!-- deckgen: skip -->`, `<!-- deckgen: id=... tags=... -->`: applies to the next block."""

    span: Span
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Text that cannot be read for a reason worth telling (a snippet whose line ends are gone)."""

    span: Span
    text: str
    reason: str
    is_error: bool = False
    """True if its author meant it to be there, and the document is not whole without it."""
    id: str = ""
    """Of a card that is none: the one that its author gave."""


Block = (
    Heading | Prose | Code | Output | Table | Items | Quote | Turn | Details | Flashcard | Image | Directive | Refused
)


@dataclass(frozen=True, slots=True)
class Document:
    """A source as its reader understood it. Blocks are in order and their spans do not overlap."""

    source: Source
    reader: str
    """The reader's name, for people: `markdown`, `plain`, `chat`, `conversation`, `notebook`, `notebook_text`, `script`, `webpage`,
    `json`, `csv`, `anki`, `package`, `flashcards`."""
    blocks: tuple[Block, ...]
    title: str = ""
    """From front matter, else the first level-one heading, else empty."""
    tags: tuple[str, ...] = ()
    language: Literal["zh", "en"] = "en"
    """Language of the prose, for the prompts that deckgen adds."""
    continuous: bool = False
    """True if all code is one session by nature (notebooks, `>>>` transcripts)."""
    chat: bool = False
    """True if it has the turns of a conversation."""
    notation: Notation = field(default_factory=Notation)
    """As its deck says."""
    places: tuple[int, ...] = ()
    """0-based line of the source of each line that the blocks' spans count, where those are others: texts that
    share a line of the source (JSON or HTML on one line) are told apart by lines of their own. Empty = the same."""
    apart: bool = False
    """True for a file of cards, whose blocks are `Flashcard`s: what one says is nothing to another, and no name goes from one's code to another's."""
    card_text: str = ""
    """Of one card out of such a file, which is a document by itself: all that this card says."""
    is_foreign: bool = False
    """True for a package of Anki's: who checks it knows its cards by Anki's numbers, and can change nothing in it."""

    @property
    def text(self) -> str:
        """What it says."""
        return self.card_text or self.source.text

    def place(self, span: Span) -> Span:
        """Where in the source a span of the blocks stands."""
        if not self.places:
            return span
        start, last = (
            self.places[min(line, len(self.places) - 1)] for line in (span.start, max(span.start, span.stop - 1))
        )
        return Span(start, max(start, last) + (span.stop > span.start))

    def opened(self) -> Document:
        """The same document with the blocks that `<details>` and flashcards hold in place of each of them."""
        if {Details, Flashcard}.isdisjoint(map(type, self.blocks)):
            return self
        return replace(self, blocks=tuple(inner for block in self.blocks for inner in _opened(block)))


def _opened(block: Block) -> Iterator[Block]:
    if isinstance(block, Details | Flashcard) and block.blocks:
        for hidden in block.blocks:
            yield from _opened(hidden)
    else:
        yield block


@dataclass(frozen=True, slots=True)
class Remark:
    """What an author should know of a line."""

    span: Span
    text: str
    rule: str = ""
    """What found it."""
    is_minor: bool = False
    """True if only `inspect` tells it: nothing is wrong there."""
    is_error: bool = False
    """True if the document could not be read whole."""
    card: str | None = None
    """Of an error that is a card which cannot be read: the id that its author gave, or nothing."""


Find = TypeVar("Find", Place, Snippet, Claim, Exists, Skipped, Remark)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The finds of one document, each in document order."""

    document: Document
    notes: tuple[Note, ...]
    snippets: tuple[Snippet, ...]
    apis: tuple[Exists, ...]
    skipped: tuple[Skipped, ...]
    remarks: tuple[Remark, ...] = ()
    rivals: tuple[Note, ...] = ()
    """Cards left out since one above asks the same and answers differently, which torch may deny."""

    @property
    def is_whole(self) -> bool:
        """False if something that belongs to the document could not be read."""
        return not any(remark.is_error for remark in self.remarks)

    def in_source(self) -> Extraction:
        """The same finds at their lines of the source, where the document counts others (JSON or HTML on one line).

        Ids stay as they are, which tell apart what shares a line.
        """
        place, places = self.document.place, self.document.places

        def moved(finds: tuple[Find, ...]) -> tuple[Find, ...]:
            return tuple(replace(one, span=place(one.span)) for one in finds)

        def at_home(note: Note) -> Note:
            return replace(note, places=moved(note.places))

        snippets = (
            replace(one, lines=tuple(places[line] for line in one.lines), claims=moved(one.claims))
            for one in moved(self.snippets)
        )
        return Extraction(
            document=self.document,
            notes=tuple(map(at_home, self.notes)),
            snippets=tuple(snippets),
            apis=moved(self.apis),
            skipped=tuple(replace(one, note=one.note and at_home(one.note)) for one in moved(self.skipped)),
            remarks=moved(self.remarks),
            rivals=tuple(map(at_home, self.rivals)),
        )
