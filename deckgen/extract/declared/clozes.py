"""Notes of the author's clozes, one for a paragraph, an entry, a row of a table or a fence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deckgen.extract.declared import entries
from deckgen.extract.declared.marks import Gapped
from deckgen.extract.declared.tags import deck_at, id_of, tags_beside
from deckgen.extract.key import code_anchor, code_key, key
from deckgen.extract.page import Finds, Page
from deckgen.model.document import Block, Code, Heading, Item, Items, Refused, Row, Table
from deckgen.model.note import Cloze, Note, Skipped
from deckgen.model.source import Span
from deckgen.text.syntax import parsed

IN_HEADING = "a gap in a heading: write it in the text below"


def clozes(page: Page) -> Finds:
    """A cloze of every text with gaps of its author's; a refusal with a reason for each that is wrong."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    left: dict[int, Block] = {}
    by_block: dict[int, dict[int, Gapped]] = {}
    for (index, part), found in page.gaps.texts.items():
        by_block.setdefault(index, {})[part] = found
    for index, parts in by_block.items():
        block = page.blocks[index]
        made, rest = _of_block(page, index, block, parts)
        notes += (one for one in made if isinstance(one, Note))
        skipped += (one for one in made if isinstance(one, Skipped))
        if rest:
            left[index] = rest
        elif not isinstance(block, Heading):
            used.add(index)
        if isinstance(block, Code) and page.line_above(index):
            used.add(index - 1)
    return Finds(tuple(notes), tuple(skipped), frozenset(used), left, cards=frozenset(used))


def _of_block(
    page: Page, index: int, block: Block, parts: Mapping[int, Gapped]
) -> tuple[Sequence[Note | Skipped], Block | None]:
    """What is made of a block, and what is left of it."""
    match block:
        case Items():
            return [_of_entry(page, index, block.items, at, parts) for at in sorted(parts)], entries.rest(block, parts)
        case Table():
            rows = tuple(row for at, row in enumerate(block.rows) if at not in parts)
            made = [_of_row(page, index, block.rows[at], found) for at, found in sorted(parts.items())]
            return made, replace(block, rows=rows) if rows else None
        case Heading():
            return [Skipped(block.span, parts[0].problem or IN_HEADING)], None
        case Code():
            return [_of_code(page, index, block, parts[0])], None
        case Refused():
            return [Skipped(block.span, parts[0].problem)], None
        case _:
            return [_of_text(page, index, block.span, parts[0])], None


def _of_text(page: Page, index: int, span: Span, found: Gapped, explanation: str = "") -> Note | Skipped:
    if found.problem:
        return Skipped(span, found.problem)
    body = Cloze(text=found.text, holes=found.holes, explanation=explanation, as_given=True)
    note = page.note(body, span, index, found.text, rests_on=page.apis_on(span))
    if index not in page.gaps.tagged:
        return note
    raw = "\n".join(page.document.source.lines[span.start : span.stop])
    tags = (*note.tags, *tags_beside(raw))
    return replace(note, tags=tags, deck=deck_at(page.document, page.gaps.decks, span), explicit_id=id_of(raw))


def _of_row(page: Page, index: int, row: Row, found: Gapped) -> Note | Skipped:
    made = _of_text(page, index, row.span, found)
    return replace(made, key=key(page.path(index), " | ".join(row.cells))) if isinstance(made, Note) else made


def _of_code(page: Page, index: int, block: Code, found: Gapped) -> Note:
    code = found.text
    language = block.language or ("python" if parsed(code) else "text")
    body = Cloze(text=code, holes=found.holes, language=language, prompt=page.line_above(index), as_given=True)
    return page.note(body, block.span, index, code_key(page.path(index), code_anchor(code)))


def _of_entry(page: Page, index: int, items: Sequence[Item], at: int, parts: Mapping[int, Gapped]) -> Note | Skipped:
    """A note of an entry: those above it are its context, and what stands below it is told on the back."""
    which = list(entries.below(items, at, parts))
    span = items[at].span | items[which[-1]].span if which else items[at].span
    made = _of_text(page, index, span, parts[at], entries.bullets(items, at, which))
    labels = entries.labels(items, at)
    if isinstance(made, Skipped) or not labels:
        return made
    anchor = key((*page.path(index), *labels), parts[at].text)
    return replace(made, key=anchor, headings=(*page.context(index), *labels))
