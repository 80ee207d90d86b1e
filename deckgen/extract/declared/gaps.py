"""The author's clozes: taken out of a document before any rule reads it, and made notes of, in a paragraph, an entry, a row or a fence.

Code is run, and names are looked up, without the marks; a gap changes nothing of what a note is known by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deckgen.extract.blocks import with_label
from deckgen.extract.declared.entries import without_box
from deckgen.extract.declared.marks import Gapped, gapped, has_gaps, talks_of_clozes
from deckgen.extract.declared.tags import Decks, decks_of, is_tagged, tagged_blocks, without_tools_marks
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Document,
    Flashcard,
    Heading,
    Item,
    Items,
    Prose,
    Quote,
    Refused,
    Row,
    Table,
)
from deckgen.model.note import Hole
from deckgen.model.source import Span
from deckgen.text.sides import has_sides
from deckgen.text.wiki import without_wiki_marks

_QUOTING = frozenset("markdown md html xml latex tex anki csv tsv".split())
"""Languages of fences that show how notes are written."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """What an author marked in a document."""

    texts: Mapping[tuple[int, int], Gapped] = field(default_factory=dict)
    """Texts with gaps by the index of their block and the number of the entry or row in it."""
    tagged: frozenset[int] = frozenset()
    """Indices of the blocks under the tag of a tool for flashcards."""
    decks: Decks = ()
    """The decks that such tags name."""


def without_gaps(document: Document) -> tuple[Document, Gaps]:
    """The document without marks of gaps, and where they were. A text whose gaps are wrong stays as it is; code is refused."""
    tagged = tagged_blocks(document)
    if not tagged and not document.notation.highlight and not any(map(_may_have, document.blocks)):
        return document, Gaps()
    if any(isinstance(block, Details) and _may_have(block) for block in document.blocks):
        document = replace(document, blocks=tuple(one for block in document.blocks for one in _unfolded(block)))
        tagged = tagged_blocks(document)
    decks = decks_of(document) if tagged else ()
    texts: dict[tuple[int, int], Gapped] = {}
    blocks: list[Block] = []
    for index, block in enumerate(document.blocks):
        above = document.blocks[index - 1] if index else None
        marks = _Marks(index, document.notation.highlight or index in tagged, texts)
        blocks.append(marks.taken_out(block, isinstance(above, Prose) and talks_of_clozes(above.text)))
    return replace(document, blocks=tuple(blocks)), Gaps(texts, tagged, decks)


def _may_have(block: Block) -> bool:
    match block:
        case Prose() | Quote() | Heading() | Code() | Details():
            return _signs(block.text) or (isinstance(block, Details) and _signs(block.summary))
        case Items():
            return any(_signs(item.text) for item in block.items)
        case Flashcard():
            return any(map(_may_have, block.blocks))
        case Table():
            return any(_signs(cell) for row in block.rows for cell in row.cells)
        case _:
            return False


def _signs(text: str) -> bool:
    return has_gaps(text) or "==c" in text


def _unfolded(block: Block) -> Iterator[Block]:
    """What is hidden in `<details>` with a gap, in its place: a card hides it better."""
    if not isinstance(block, Details) or not _may_have(block):
        yield block
        return
    first = block.blocks[0].span.start if block.blocks else block.span.stop
    yield Prose(Span(block.span.start, max(first, block.span.start + 1)), block.summary)
    yield from block.blocks or [Prose(block.span, block.text)]


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of one block."""

    index: int
    highlight: bool
    texts: dict[tuple[int, int], Gapped]

    def taken_out(self, block: Block, shows_how: bool) -> Block:
        """The block without its marks; `shows_how` = what stands above it speaks of clozes, and a fence is an example of one."""
        match block:
            case Heading():
                return replace(block, text=without_tools_marks(self._text(block.text, self.highlight) or block.text))
            case Prose():
                text = self._text(block.text, self.highlight)
                return replace(block, text=text) if text else block
            case Quote():
                text = self._text(with_label(block.text), self.highlight)
                return replace(block, text=text) if text else block
            case Items():
                return replace(block, items=tuple(map(self._entry, range(len(block.items)), block.items)))
            case Table():
                return replace(block, rows=tuple(self._row(at, row, block.header) for at, row in enumerate(block.rows)))
            case Flashcard():  # its own gaps are taken out where a note is made of it
                inner = _Marks(self.index, highlight=False, texts={})
                return replace(block, blocks=tuple(inner.taken_out(one, shows_how=False) for one in block.blocks))
            case Code() if block.language not in _QUOTING and not shows_how:
                return self._code(block)
            case _:
                return block

    def _text(self, text: str, highlight: bool, part: int = 0) -> str:
        """The text without marks, which are entered; empty if it has none that count."""
        tagged = highlight or is_tagged(text)
        said = without_tools_marks(text)
        found = gapped(
            without_wiki_marks(said) if tagged else said, highlight=tagged and not has_sides(text, tight=True)
        )
        if found is None:
            return ""
        self.texts[self.index, part] = found
        return found.text

    def _entry(self, at: int, item: Item) -> Item:
        text = self._text(without_box(item.text), self.highlight, at)
        return replace(item, text=text) if text else item

    def _row(self, at: int, row: Row, header: Sequence[str]) -> Row:
        cells = [gapped(cell, highlight=self.highlight) for cell in row.cells]
        if not any(cells):
            return row
        shown = [found or Gapped(cell) for found, cell in zip(cells, row.cells, strict=True)]
        self.texts[self.index, at] = _joined(header, shown)
        return replace(row, cells=tuple(one.text for one in shown))

    def _code(self, block: Code) -> Block:
        found = gapped(block.text, code=True) if has_gaps(block.text) else None
        if found is None:
            return block
        self.texts[self.index, 0] = found
        if found.problem:
            return Refused(block.span, block.text, found.problem)
        readings = tuple(one.text for one in map(_of_code, block.candidates) if one and not one.problem)
        return replace(block, text=found.text, candidates=readings)


def _of_code(text: str) -> Gapped | None:
    return gapped(text, code=True)


def _joined(header: Sequence[str], cells: Sequence[Gapped]) -> Gapped:
    """A row as lines, each with the name of its column."""
    text = ""
    holes: list[Hole] = []
    for name, cell in zip(header, cells, strict=False):
        if not cell.text.strip():
            continue
        text += "  \n" * bool(text) + (f"**{name.strip('* ')}:** " if name.strip() else "")
        holes += (replace(one, start=one.start + len(text), stop=one.stop + len(text)) for one in cell.holes)
        text += cell.text
    return Gapped(text, tuple(holes), next((cell.problem for cell in cells if cell.problem), ""))
