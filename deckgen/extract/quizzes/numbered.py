"""Multiple choice whose options are numbered: `1) ... 2) ...` and `Answer: 2`, or a pupil who says `2`.

A numbered list is a quiz only if its answer is given by number, so what is read here is a small page in
which numbers are letters; the letters stand on the card as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.extract import wording
from deckgen.extract.page import Finds, Page
from deckgen.extract.quizzes.choices import choices_in
from deckgen.extract.quizzes.exam_parts import is_put_to_judge
from deckgen.extract.quizzes.inline_options import LETTERS
from deckgen.extract.quizzes.option_dress import is_option
from deckgen.extract.quizzes.told import TRIES
from deckgen.extract.text import plain, squeezed, width
from deckgen.model.document import Block, Details, Heading, Item, Items, Prose, Quote, Turn
from deckgen.model.note import Note
from deckgen.text.pattern import pattern

_LONGEST = 120
"""Columns of an option."""
_ABOVE = 4
"""Blocks above the options that may hold their stem."""
_BELOW = 60
"""Blocks below the options in which their answer is looked for."""
_TOLD = pattern(
    rf"(?P<before>(?:\b(?:options?|choices?|answers?|number|no\.)|选项?|第|(?:{wording.ANSWER_LABEL})\**\s*(?:是|为|is|are|:|：))"
    r"\s*[:：]?\s*[*`（(]*)(?P<digits>[1-8](?:\s*(?:,|，|、|和|与|&|and|\s)\s*(?:and\s+)?[1-8])*)(?![\w.]\d|\w)",
    re.IGNORECASE,
)
_JUDGED = pattern(
    r"(?<![\w.])(?P<digits>[1-8](?:\s*(?:,|，|、|和|与|&|and)\s*(?:and\s+)?[1-8])*)(?=\s*(?:is|are|都)?\s*(?:all |both )?"
    r"(?:correct|right|wrong|正确|对|错)|\s*[!！—✅]|\s*[.。)]\s*(?:✅|$))",
    re.IGNORECASE,
)
_BLANK = pattern(r"(?<![A-Za-z0-9_])_{2,}(?![A-Za-z0-9_])")
"""Of something to fill in; `__init__` is a name."""
_ALONE = pattern(r"(?<![\w.])[1-8](?![\w.])")


_BEGINS = pattern(r"^[1-8](?=\s*(?:[,，.。:：)）;；—–-]|$))(?!\.\d)")
"""The number that a hidden answer begins with."""


def numbered(page: Page) -> Finds:
    """A note of every numbered list below a question whose answer is one of its numbers."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        options = _options(page, index, block) if isinstance(block, Items) and page.free(index) else None
        if not isinstance(block, Items) or options is None:
            continue
        small, origin = _lettered(page, index, block, options)
        finds = choices_in(small, (origin.index(index),))
        last = block.items[options.stop - 1].span
        made = [note for note in finds.notes if last.start < note.span.stop <= last.stop]
        notes += made
        shared = {index} if any(is_option(item.text) for item in block.items[: options.start]) else set()
        used.update({origin[at] for at in finds.used if made} - shared)
    return Finds(tuple(notes), (), frozenset(used))


def _options(page: Page, index: int, block: Items) -> range | None:
    """The items that may be options: the whole list below a line that asks, or the last item's children if it asks."""
    items = block.items
    depth = items[-1].depth
    start = len(items)
    while start and items[start - 1].depth == depth:
        start -= 1
    found = range(start, len(items))
    if not _are_options(items[start:]):
        return None
    if depth == 0:
        above = page.blocks[index - 1] if index else None
        asking = above.text if isinstance(above, Prose | Heading | Quote) and start == 0 else ""
    else:
        asking = items[start - 1].text if start and items[start - 1].depth < depth else ""
    judged = depth == 0 and is_put_to_judge(page, index)
    return found if wording.ASKS.search(asking) and not judged else None


def _are_options(items: Sequence[Item]) -> bool:
    """One short line each, numbered from 1 on; a question among them makes it a list of those."""
    numbers = [item.number for item in items]
    if not 2 <= len(numbers) <= len(LETTERS) or numbers != [str(n + 1) for n in range(len(numbers))]:
        return False
    return not any("\n\n" in item.text or width(item.text) > _LONGEST or _asks(item.text) for item in items)


def _asks(text: str) -> bool:
    """A question on one of its lines, a blank, or options of its own."""
    lines = text.strip().split("\n")
    return any(map(wording.QUESTION.search, lines)) or any(map(is_option, lines[1:])) or bool(_BLANK.search(text))


def _lettered(page: Page, index: int, block: Items, chosen: range) -> tuple[Page, list[int]]:
    """A page of the blocks around the options, with letters for their numbers; and the index of each of its blocks."""
    start = max(page.turns[index] + 1, index - _ABOVE, 0)
    stop = index
    for _ in range(2 * TRIES + 1):
        stop = page.turn_after(stop)
    stop = min(stop, index + _BELOW, len(page.blocks))
    stop = stop if page.chat else next((at for at in range(index + 1, stop) if _is_another(page.blocks[at])), stop)
    origin = [*_headings_above(page, start), *range(start, stop)]
    options = block.items[chosen.start : chosen.stop]
    lettered = tuple(replace(item, number="", text=_lettered_option(item, options)) for item in options)
    written = replace(block, items=(*block.items[: chosen.start], *lettered))
    blocks = tuple(written if at == index else _rewritten(page, at, index, options) for at in origin)
    free = frozenset(at for at, old in enumerate(origin) if not page.free(old))
    return Page(replace(page.document, blocks=blocks), page.snippets, page.apis, free), origin


def _lettered_option(item: Item, options: Sequence[Item]) -> str:
    """The option with a letter; below the last one on the same item may stand the answer."""
    first, line_end, below = item.text.partition("\n")
    return f"{_letter(item.number)}. {first}{line_end}{_letters(below, options, alone=False)}"


def _is_another(block: Block) -> bool:
    """A heading over something else than answers."""
    return isinstance(block, Heading) and not wording.ANSWER_KEY.match(plain(block.text))


def _headings_above(page: Page, index: int) -> Iterator[int]:
    above: list[int] = []
    at = page.heading_above(index)
    while at is not None:
        above.insert(0, at)
        at = page.heading_above(at)
    yield from above


def _rewritten(page: Page, at: int, index: int, options: Sequence[Item]) -> Block:
    block = page.blocks[at]
    if at < index:
        return block
    by_pupil = page.chat and isinstance(turn := page.blocks[page.turns[at]], Turn) and turn.speaker == "pupil"
    if isinstance(block, Prose | Quote):
        return replace(block, text=_letters(block.text, options, alone=by_pupil))
    if isinstance(block, Details):
        told = _BEGINS.sub(lambda match: _letter(match[0]), block.text.strip())
        return replace(block, text=_letters(told, options, alone=len(plain(told)) <= 3))
    if isinstance(block, Items) and by_pupil and len(block.items) == 1 and block.items[0].number:
        # `2.` or `2) because` of a pupil is read as the first item of a list
        item = block.items[0]
        return Prose(block.span, f"{_letter(item.number)}) {item.text}")
    return block


def _letters(text: str, options: Sequence[Item], *, alone: bool) -> str:
    for item in options:
        words = re.escape(item.text.strip().rstrip("。."))
        if squeezed(item.text):
            text = re.sub(rf"(?<![\w.]){item.number}\s*[.)、:：]\s*(?={words})", f"{_letter(item.number)}. ", text)
    text = _TOLD.sub(lambda match: match["before"] + _digits(match["digits"]), text)
    text = _JUDGED.sub(lambda match: _digits(match["digits"]), text)
    return _ALONE.sub(lambda match: _letter(match[0]), text) if alone else text


def _digits(text: str) -> str:
    return _ALONE.sub(lambda match: _letter(match[0]), text)


def _letter(number: str) -> str:
    return LETTERS[int(number) - 1]
