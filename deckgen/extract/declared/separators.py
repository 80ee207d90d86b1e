"""Notes of cards as tools for flashcards write them, under their tag or where the deck says so: two sides and a sign between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from deckgen.extract.blocks import is_rule, markdown_of, says
from deckgen.extract.declared import entries
from deckgen.extract.declared.incomplete import NO_SIDE
from deckgen.extract.declared.tags import deck_at, id_of, is_tagged, tags_beside, without_tools_marks
from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Finds, Page
from deckgen.model.document import Block, Code, Details, Image, Item, Items, Output, Prose, Quote, Table
from deckgen.model.note import Basic, Note, Skipped
from deckgen.model.source import Span, line_span
from deckgen.text.sides import Sides, cards_in, cut, has_sides, is_double, mark_at
from deckgen.text.wiki import NOT_HERE, shows_elsewhere, without_wiki_marks

BOTH_WAYS = "ask::reverse"
"""The tag by which a note gets the card that shows its answer first."""
_SIDE = Prose | Items | Code | Quote | Table | Image | Output | Details


@dataclass(slots=True)
class _Found:
    """What was found on a page so far."""

    page: Page
    notes: list[Note] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    left: dict[int, Block] = field(default_factory=dict)

    def add(self, index: int, sides: Sides, span: Span, labels: Sequence[str] = ()) -> None:
        """A note of two sides; a refusal where one of them says nothing."""
        page = self.page
        asked, back = (without_tools_marks(one).strip("\n").rstrip() for one in (sides.front, sides.back))
        elsewhere = shows_elsewhere(asked) or shows_elsewhere(back)
        front, back = without_wiki_marks(asked).rstrip(), without_wiki_marks(back).rstrip()
        if elsewhere or not says(front) or not back.strip():
            self.skipped.append(Skipped(span, NOT_HERE if elsewhere else NO_SIDE))
            return
        anchor = key((*page.path(index), *labels), asked)  # by which decks know it that were built before
        shown = (*page.context(index), *labels)
        body = Basic(prompt=front, answer=back, reverse=sides.both)
        note = page.note(body, span, index, anchor, headings=shown, rests_on=page.apis_on(span))
        raw = "\n".join(page.document.source.lines[span.start : span.stop])
        note = replace(
            note,
            tags=(*note.tags, *tags_beside(raw), *([BOTH_WAYS] if sides.both else [])),
            deck=deck_at(page.document, page.gaps.decks, span),
            explicit_id=id_of(raw),
        )
        self.notes.append(note)


def separators(page: Page) -> Finds:
    """Basic notes of `term :: text`, `term ::: text`, and of a `?` or `??` between two sides."""
    found = _Found(page)
    if not page.gaps.tagged and not page.document.notation.separators and not _any_tagged(page):
        return Finds()
    for index, block in enumerate(page.blocks):
        if index in found.used or not page.free(index):
            continue
        tool = index in page.gaps.tagged
        if isinstance(block, Prose | Quote) and (tool or page.document.notation.separators):
            _in_paragraph(found, index, block, tight=tool)
        elif isinstance(block, Items) and (tool or page.document.notation.separators):
            _in_list(found, index, block, tight=tool)
    used = frozenset(found.used)
    return Finds(tuple(found.notes), tuple(found.skipped), used, found.left, cards=used)


def _any_tagged(page: Page) -> bool:
    return any(isinstance(block, Prose) and is_tagged(block.text) for block in page.blocks)


# paragraphs


def _in_paragraph(found: _Found, index: int, block: Prose | Quote, *, tight: bool) -> None:
    text = without_tools_marks(block.text)
    if not text.strip():
        found.used.add(index)  # tags alone
        return
    lines = text.split("\n")
    if any(labels(line).found(Kind.DECLARED_ANSWER) for line in lines[1:]):
        return  # `Q: ...` and `A: front :: back`
    at = mark_at(lines)
    if at >= 0:
        begin = 0
        for line, said in enumerate(lines[: at - 1]) if tight else ():
            if sides := cut(said, tight=True):  # a card of one line ends what stands above it
                found.add(index, sides, line_span(block.span.line(line)))
                begin = line + 1
        below = replace(block, span=Span(block.span.line(begin), block.span.stop))
        _around(found, index, below, lines[begin:], at - begin)
        return
    cards = list(cards_in(text, tight=tight))
    for start, stop, sides in cards:
        found.add(index, sides, Span(block.span.line(start), block.span.line(stop - 1) + 1))
    if not cards:
        return
    first = cards[0][0]
    if any(line.strip() for line in lines[:first]):
        head = Span(block.span.start, block.span.line(first - 1) + 1)
        found.left[index] = replace(block, text="\n".join(lines[:first]), span=head)
    else:
        found.used.add(index)


def _around(found: _Found, index: int, block: Prose | Quote, lines: Sequence[str], at: int) -> None:
    """A card whose sides stand above and below a line `?`: lines, and the blocks that touch them, or the next block on that side."""
    page = found.page
    above = _touching(page, index, -1) if any(lines[:at]) else _touching(page, index, -1) or _next(page, index, -1)
    below = _touching(page, index, 1)
    if not below and not any(lines[at + 1 :]):
        below = [one for one in _next(page, index, 1) if not _has_own_sides(page.blocks[one])]
    above = [one for one in above if one not in found.used]
    front = [*(markdown_of(page.blocks[one]) for one in above), "\n".join(lines[:at])]
    back = ["\n".join(lines[at + 1 :]), *(markdown_of(page.blocks[one]) for one in below)]
    sides = Sides("\n\n".join(filter(str.strip, front)), "\n\n".join(filter(str.strip, back)), is_double(lines[at]))
    _add_with(found, index, block.span, (*above, *below), sides)


def _add_with(found: _Found, index: int, span: Span, beside: Sequence[int], sides: Sides) -> None:
    """A note of a block and of those beside it, which are used up with it."""
    for one in beside:
        span |= found.page.blocks[one].span
    found.used.update((index, *beside))
    found.add(index, sides, span)


def _touching(page: Page, index: int, step: int) -> list[int]:
    """The blocks without an empty line between them and a block, on one side of it."""
    found: list[int] = []
    at = index + step
    while 0 <= at < len(page.blocks) and _may_be_side(page, at):
        upper, lower = sorted((at, at - step))
        if page.blocks[upper].span.stop < page.blocks[lower].span.start:
            break
        found.append(at)
        at += step
    return sorted(found)


def _next(page: Page, index: int, step: int) -> list[int]:
    at = index + step
    return [at] if 0 <= at < len(page.blocks) and _may_be_side(page, at) else []


def _has_own_sides(block: Block) -> bool:
    return isinstance(block, Prose) and has_sides(block.text, tight=True)


def _stands_outside(page: Page, item: Item, mark: int) -> bool:
    """True for a `?` at the margin below an entry: the list is a part of the question."""
    line = page.document.source.lines[item.span.line(mark)]
    return not page.document.places and line[:1] in ("?", "？") and item.span.line(mark) > item.span.start


def _below_list(found: _Found, index: int, block: Items, at: int, lines: Sequence[str], mark: int) -> None:
    """A card of which the list up to an entry, and what touches it above, is the question."""
    page = found.page
    entry = replace(block.items[at], text="\n".join(lines[:mark]))
    asked = replace(block, items=(*block.items[:at], entry))
    more = replace(block, items=block.items[at + 1 :])
    above = [one for one in _touching(page, index, -1) if one not in found.used]
    below = _touching(page, index, 1)
    front = [*(markdown_of(page.blocks[one]) for one in above), markdown_of(asked)]
    back = ["\n".join(lines[mark + 1 :]), *([markdown_of(more)] if more.items else [])]
    back += (markdown_of(page.blocks[one]) for one in below)
    sides = Sides("\n".join(filter(str.strip, front)), "\n".join(filter(str.strip, back)), is_double(lines[mark]))
    _add_with(found, index, block.span, (*above, *below), sides)


def _may_be_side(page: Page, at: int) -> bool:
    block = page.blocks[at]
    return isinstance(block, _SIDE) and page.free(at) and not is_rule(block)


# lists


def _in_list(found: _Found, index: int, block: Items, *, tight: bool) -> None:
    cards: dict[int, list[tuple[int, int, Sides]]] = {}
    for at, item in enumerate(block.items):
        text = without_tools_marks(entries.without_box(item.text))
        lines = text.split("\n")
        mark = mark_at(lines)
        if mark > 0 and tight and _stands_outside(found.page, item, mark):
            _below_list(found, index, block, at, lines, mark)
            return
        if mark > 0:
            sides = Sides("\n".join(lines[:mark]), "\n".join(lines[mark + 1 :]), is_double(lines[mark]))
            cards[at] = [(0, len(lines), sides)]
        elif made := list(cards_in(text, tight=tight or is_tagged(item.text))):
            cards[at] = made
    for at, made in cards.items():
        item = block.items[at]
        which = list(entries.below(block.items, at, cards))
        labels = entries.labels(block.items, at)
        for start, stop, sides in made:
            span = Span(item.span.line(start), item.span.line(stop - 1) + 1)
            more = entries.bullets(block.items, at, which) if stop == made[-1][1] else ""
            back = "\n".join(filter(None, (sides.back, more)))
            span = span | block.items[which[-1]].span if more else span
            found.add(index, sides._replace(back=back), span, labels)
    if not cards:
        return
    if rest := entries.rest(block, cards):
        found.left[index] = rest
    else:
        found.used.add(index)
