"""What became of each line of a document: the note, the suggestion, the code or the refusal that it belongs to, or its part in the layout.

A line belongs to a note that says it, not to one that merely reaches over it: what a rule took with its block and left out of its
card has no home here, and is told with a reason (`report.left_over`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import NamedTuple

from deckgen.extract.blocks import is_beside, markdown_of, says
from deckgen.extract.declared.tags import without_tools_marks
from deckgen.extract.labels import Kind, labels
from deckgen.model.claim import Snippet
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Directive,
    Extraction,
    Flashcard,
    Heading,
    Image,
    Items,
    Output,
    Prose,
    Table,
    Turn,
)
from deckgen.model.note import Choice, Note, Skipped, Standing, back, front
from deckgen.model.note import Output as OutputBody
from deckgen.model.source import Span
from deckgen.text.pattern import pattern


class Home(StrEnum):
    """What a line belongs to."""

    NOTE = "note"
    SUGGESTION = "suggestion"
    REFUSAL = "refusal"
    SNIPPET = "snippet"
    HEADING = "heading"
    """Or the label of a turn."""
    LAYOUT = "layout"
    """A label over hidden text; rules, marks of fences and headers of tables are no parts of a block at all."""
    DIRECTIVE = "directive"
    """Or front matter."""


class Part(NamedTuple):
    """A line of a block that says something, without its marks."""

    span: Span
    """Of the line alone."""
    text: str
    anchor: int
    """The line of its block that is told for it: outputs may be stored above their code, and are told at its end."""
    entry: int
    """Number of the entry of a list or of the row of a table that it stands in."""
    number: int
    """Among the lines of its block."""


def parts(block: Block) -> list[Part]:
    """The lines of a block that say something; marks of fences, headers of tables and tags of HTML are none."""
    held = _range(block.span)
    said = ((line, text, entry) for line, text, entry in _lines(block) if says(text))
    return [
        Part(Span(line, line + 1), text, line if line in held else block.span.start, entry, number)
        for number, (line, text, entry) in enumerate(said)
    ]


def _lines(block: Block) -> Iterator[tuple[int, str, int]]:
    """(line of the source, text, number of its entry)."""
    match block:
        case Items():
            for entry, item in enumerate(block.items):
                yield from ((line, text, entry) for line, text in _numbered(item.text, item.span))
        case Table():
            yield from ((row.span.start, " ".join(row.cells), entry) for entry, row in enumerate(block.rows))
        case Code() | Output() if block.lines:
            yield from ((line, text, 0) for line, text in zip(block.lines, block.text.split("\n"), strict=False))
        case Details() if block.blocks:
            yield block.span.start, block.summary, 0
            for inner in block.blocks:
                yield from ((line, text, 0) for line, text, _ in _lines(inner))
        case Flashcard():
            for inner in block.blocks:
                yield from ((line, text, 0) for line, text, _ in _lines(inner))
        case Details():
            yield from ((line, text, 0) for line, text in _numbered(f"{block.summary}\n{block.text}", block.span))
        case Image():
            yield block.span.start, block.alt or block.target, 0
        case Turn() | Directive():
            return
        case _:
            yield from ((line, text, 0) for line, text in _numbered(block.text, block.span))


def _numbered(text: str, span: Span) -> Iterator[tuple[int, str]]:
    yield from ((span.line(at), line) for at, line in enumerate(text.split("\n")))


class Coverage:
    """What each line of a document belongs to."""

    def __init__(self, notes: Sequence[Note], skipped: Sequence[Skipped], snippets: Iterable[Snippet]) -> None:
        by_place: dict[frozenset[Span], list[_Said]] = {}  # a thousand outputs of one cell stand on the same lines
        self._notes: dict[int, list[list[_Said]]] = {}
        self._quoted: dict[str, Note] = {}
        for note in notes:
            said = _Said(note)
            self._quoted.update((_bare(line), note) for line in said.text.split("\n"))
            by_place.setdefault(frozenset(one for place in note.places for one in _ends(note, place.span)), []).append(
                said
            )
        for spans, told in by_place.items():
            for line in _lines_of(spans):
                self._notes.setdefault(line, []).append(told)
        self._begun = {one.span.start: False for one in skipped if one.note or one.unanswered}  # others ask nothing
        self._begun.update((place.span.start, True) for note in notes for place in note.places)
        self._outputs = _lines_of(
            place.span for note in notes if isinstance(note.body, OutputBody) for place in note.places
        )
        self._refused = _lines_of(one.span for one in skipped)
        self._run = _lines_of(span for one in snippets for span in (one.span, *(claim.span for claim in one.claims)))

    def homeless(self, block: Block) -> list[Part]:
        """The lines of a block that say something and belong to nothing."""
        return [part for part in parts(block) if self.home(block, part) is None]

    def begins_note(self, line: int) -> bool:
        """True if a note begins on this line."""
        return self._begun.get(line, False)

    def above(self, line: int) -> tuple[int, bool] | None:
        """Where the nearest note or refusal begins, on this line or above it; True for a note."""
        at = bisect_right(self._in_order, (line, True))
        return self._in_order[at - 1] if at else None

    @cached_property
    def _in_order(self) -> list[tuple[int, bool]]:
        return sorted(self._begun.items())

    def is_noted(self, block: Block) -> bool:
        """True if a note or a refusal stands on lines of the block."""
        known = (self._notes, self._refused, self._outputs)
        return any(line in lines for line in _range(block.span) for lines in known)

    def home(self, block: Block, part: Part) -> Home | None:
        """What a line of a block belongs to; None if nobody has said what became of it."""
        if isinstance(block, Heading | Turn):
            return Home.HEADING
        if isinstance(block, Directive):
            return Home.DIRECTIVE
        lines = {part.span.start, part.anchor}
        note = self._note_that_says(lines, part.text)
        if note is None and isinstance(block, Image) and is_beside(block):
            note = self._quoted.get(markdown_of(block))
        if note is None and (label := labels(part.text).found(Kind.ANSWER_LABEL)):
            note = self._answered(part.span.start, part.text[label.end() :])
        if note is not None:
            return Home.SUGGESTION if note.standing is Standing.SUGGESTED else Home.NOTE
        if lines & self._outputs and isinstance(block, Prose) and len(_words(part.text)) <= _LABEL:
            return Home.NOTE  # `Output:` between code and what it prints
        if lines & self._run and isinstance(block, Code | Output):
            return Home.SNIPPET
        if lines & self._refused:
            return Home.REFUSAL
        if isinstance(block, Prose) and not says(without_tools_marks(part.text)):
            return Home.LAYOUT  # the tag of a tool for flashcards
        is_label = isinstance(block, Details) and len(_words(part.text)) <= _LABEL
        return Home.LAYOUT if is_label else None

    def _answered(self, line: int, answer: str) -> Note | None:
        """The note whose answer stands on a line below it: `Answer: B`."""
        above = self.above(line)
        asked = self._notes.get(above[0], ()) if above and above[1] else ()
        return next((one.note for group in asked for one in group if one.answers(answer)), None)

    def _note_that_says(self, lines: Iterable[int], text: str) -> Note | None:
        of_these_lines = (
            one.note for line in lines for group in self._notes.get(line, ()) for one in group if one.says(text)
        )
        return next(of_these_lines, None) or self._quoted.get(_bare(text) or text)


def unaccounted(found: Extraction) -> list[tuple[Block, Part]]:
    """The lines of a document of which nothing was told, each with its block: there are none once all is extracted."""
    coverage = Coverage(found.notes, found.skipped, found.snippets)
    place = found.document.place
    return [
        (block, part)
        for block in found.document.blocks
        for part in parts(block)
        if coverage.home(
            block, part._replace(span=place(part.span), anchor=place(Span(part.anchor, part.anchor + 1)).start)
        )
        is None
    ]


def _range(span: Span) -> range:
    return range(span.start, max(span.stop, span.start + 1))


def _ends(note: Note, span: Span) -> tuple[Span, ...]:
    """Where a note is looked for: all its lines; of one about code, whose lines are a snippet, the first and the last."""
    if not isinstance(note.body, OutputBody):
        return (span,)
    return Span(span.start, span.start + 1), Span(max(span.stop - 1, span.start), max(span.stop, span.start + 1))


def _lines_of(spans: Iterable[Span]) -> frozenset[int]:
    return frozenset().union(*map(_range, {*spans}))


_WORDS = pattern(r"[a-z0-9_]+|[^\W\da-z_]")
_MARKS = pattern(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?")
_ENOUGH = 0.5
"""Share of the words of a line that a note of these lines has to say: it is repaired, and written out."""
_LABEL = 3
"""Words of a line that may only label what the note says: `Answer:`, `**Why?**`."""


class _Said:
    """A note, and what it says."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.text = f"{front(note)}\n{back(note)}"
        self._is_of_one_line = note.span.stop - note.span.start <= 1

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_words(self.text))

    def says(self, line: str) -> bool:
        """True if the note, whose lines hold this one, says what stands there."""
        return self._is_of_one_line or len(_words(line)) <= _LABEL or self.has(line)

    def answers(self, text: str) -> bool:
        """True if a text below the note is its answer; a letter or two are that of a choice alone."""
        words = _words(text)
        if len(words) > _LABEL:
            return self.has(text)
        body = self.note.body
        return words == _words(" ".join(body.right)) if isinstance(body, Choice) else text.strip() in back(self.note)

    def has(self, text: str) -> bool:
        """True if the note says a text, wherever it stands."""
        words = _words(text)
        return text.strip() in self.text or sum(map(self._words.__contains__, words)) >= _ENOUGH * len(words) > 0


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(text.lower()))


def _bare(line: str) -> str:
    """A line without marks of lists and quotes."""
    marks = _MARKS.match(line)
    return line[marks.end() if marks else 0 :].rstrip()
