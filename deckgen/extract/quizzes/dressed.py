"""Multiple choice whose options are ① ② ③ or (i) (ii) (iii).

As with numbered options, what is read here is a page in which these are letters; the letters stand on the card as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from deckgen.extract import wording
from deckgen.extract.page import Finds, Page
from deckgen.extract.quizzes.choices import choices_in
from deckgen.extract.quizzes.inline_options import LETTERS
from deckgen.extract.quizzes.option_dress import is_option
from deckgen.model.document import Block, Details, Heading, Item, Items, Prose, Quote, Row, Table
from deckgen.text.pattern import pattern

_KINDS = (Prose, Items)
"""Blocks that may hold options."""
_CIRCLED = "①②③④⑤⑥⑦⑧"
_CIRCLED_OPTION = pattern(rf"(?:^|(?<=\s))[（(]?([{_CIRCLED}])[）)]?[.、:：]?\s*(?=\S)", re.MULTILINE)
_CIRCLE = pattern(f"[{_CIRCLED}]")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
_ROMAN_OPTION = pattern(r"^[^\S\n]*\(?(i{1,3}|iv|vi{0,3})[).]\s+(?=\S)", re.MULTILINE)
_ROMAN_ANSWER = pattern(
    rf"(?P<before>\(|(?:{wording.ANSWER_LABEL})\W{{0,4}}(?:is\s+)?\(?|^\W*\d{{1,2}}\s*[.):]\s*\(?|^\W*)"
    r"(?P<roman>i{1,3}|iv|vi{0,3})(?P<after>\)|(?=\s*(?:[.,;:—–]|$)))",
    re.IGNORECASE | re.MULTILINE,
)


def dressed(page: Page) -> Finds:
    """A note of every question with circled or Roman options whose answer is told in such numbers, or in letters."""
    owners = {index: option for index, block in enumerate(page.blocks) if (option := _options_in(page, index, block))}
    if not owners:
        return Finds()
    circled = _CIRCLED_OPTION in owners.values()
    roman = _ROMAN_OPTION in owners.values()

    def rewritten(index: int, block: Block) -> Block:
        option = owners.get(index)
        if option:
            return _changed(block, lambda text: option.sub(lambda match: f" {_letter(match[1])}. ", text))
        return _changed(block, lambda text: _in_answers(text, circled=circled, roman=roman))

    blocks = tuple(rewritten(index, block) for index, block in enumerate(page.blocks))
    finds = choices_in(Page(replace(page.document, blocks=blocks), page.snippets, page.apis, page.ledger.taken), owners)
    return Finds(finds.notes, (), finds.used - finds.left.keys() if finds.notes else frozenset())


def _options_in(page: Page, index: int, block: Block) -> re.Pattern[str] | None:
    """How the options in a block are numbered, if it holds some: from the first on, and no lettered ones beside them."""
    if not isinstance(block, _KINDS) or not page.free(index):
        return None
    for option, first, names in ((_CIRCLED_OPTION, "②", _CIRCLED), (_ROMAN_OPTION, "ii", _ROMAN)):
        texts = [item.text for item in block.items] if isinstance(block, Items) else [block.text]
        if any(first in text and _counts(option, names, text) for text in texts) and not _letters_below(page, index):
            return option
    return None


def _counts(option: re.Pattern[str], names: Sequence[str], text: str) -> bool:
    """The options count from the first on, or begin anew; what has letters as well lists what these choose from."""
    found = list(option.finditer(text))
    at = [names.index(match[1]) for match in found]
    counts = len(at) >= 2 and at[0] == 0 and all(now in (0, before + 1) for before, now in pairwise(at))
    if len(found) > 2 and sum(_VERDICT.match(text, match.end()) is not None for match in found) > 1:
        return False  # what is said of each of several answers
    asked = counts and text[: found[0].start()].rstrip(" \t")[-1:] in ("", "\n", "?", "？", ":", "：", ")", "）", "。")
    return asked and not any(map(is_option, text.split("\n")))


_VERDICT = pattern(r"\s*(?:不?对|错|正确|错误|[✅✔❌✗✘√×]|(?:in)?correct\b|right\b|wrong\b)", re.IGNORECASE)


def _letters_below(page: Page, index: int) -> bool:
    below = page.lines(index + 1)[:1] if index + 1 < len(page.blocks) else ()
    return any(is_option(line.text) for line in below)


def _letter(number: str) -> str:
    return LETTERS[_CIRCLED.index(number) if number in _CIRCLED else _ROMAN.index(number.lower())]


def _in_answers(text: str, *, circled: bool, roman: bool) -> str:
    if circled and _CIRCLE.search(text):
        text = _CIRCLE.sub(lambda match: _letter(match[0]), text)
    if roman:
        text = _ROMAN_ANSWER.sub(lambda match: f"{match['before']}{_letter(match['roman'])}{match['after']}", text)
    return text


def _changed(block: Block, change: Callable[[str], str]) -> Block:
    """A block of text with its text changed; places stay."""
    match block:
        case Prose() | Quote() | Heading() | Details():
            return replace(block, text=change(block.text))
        case Items():
            return replace(block, items=tuple(_changed_item(item, change) for item in block.items))
        case Table():
            rows = tuple(Row(row.span, tuple(change(cell) for cell in row.cells)) for row in block.rows)
            return replace(block, rows=rows)
        case _:
            return block


def _changed_item(item: Item, change: Callable[[str], str]) -> Item:
    return replace(item, text=change(item.text))
