"""Lines to learn by heart: a fence or quote under `口诀` or `cheat sheet`, whole or line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract import wording
from deckgen.extract.asked.asking import LABELLED, first_line
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import has_words, plain, title, width, without_emoji
from deckgen.model.document import Code, Heading, Prose, Quote
from deckgen.model.note import Basic, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_KINDS = (Code, Quote)
"""Blocks that keep their lines apart."""
_PAIR = pattern(r"^\W*(?P<left>[^→:：=]*[^\s→:：=])\s*(?:→|->|=>|：|:\s)\s*(?P<right>\S.*)$")
_LONGEST_LINE = 80


def rhymes(page: Page) -> Finds:
    """A note a line where lines read `what → which`, else one note for all of it."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, _KINDS) or not page.free(index):
            continue
        name = _name(page, index)
        if name and not _is_drawing(block.text) and not (isinstance(block, Code) and _is_code(block)):
            notes += list(_lines(page, index, block, name))
            used.add(index)
    return Finds(tuple(notes), (), frozenset(used))


def _name(page: Page, index: int) -> str:
    """What the lines are called: by the line or the heading right above them."""
    above = page.blocks[index - 1] if index else None
    if not isinstance(above, Prose | Heading) or not wording.RHYME.search(plain(above.text)):
        return ""
    asks = wording.QUESTION.search(plain(above.text)) or LABELLED.match(first_line(page.blocks[index].text))  # type: ignore[union-attr] # code or a quote
    return "" if asks else title(above.text)


def _is_code(block: Code) -> bool:
    text = block.text
    return bool(re.search(r"^\s*(?:import|from|def|class|for|with|"
        r"print)\b", text, re.MULTILINE)) or block.language in {
        "bash", "sh", "shell", "console",
    }  # fmt: skip


def _is_drawing(text: str) -> bool:
    return bool(re.search(r"[│├└┌┐┘┬┴▼▲─]|\||-->|==+>", text))


def _lines(page: Page, index: int, block: Code | Quote, name: str) -> Iterator[Note]:
    texts = [line for line in block.text.split("\n") if line.strip()]
    pairs = [_PAIR.match(without_emoji(line)) for line in texts]
    if len(texts) > 1 and all(pairs) and all(width(line) <= _LONGEST_LINE for line in texts) and _short_left(pairs):
        numbers = block.lines if isinstance(block, Code) else range(block.span.start, block.span.stop)
        for number, line in zip(numbers, block.text.split("\n"), strict=False):
            match = _PAIR.match(without_emoji(line))
            if match and has_words(line):
                yield _pair(page, index, match, name, number)
        return
    bare = not page.context(index) and len(texts) > 1
    whole = Basic(prompt=f"{name} — {texts[0].strip()} …" if bare else name, answer=block.text.strip("\n"))
    yield page.note(whole, page.blocks[index - 1].span | block.span, index, name)


def _short_left(pairs: list[re.Match[str] | None]) -> bool:
    return all(match and width(match["left"]) <= 24 for match in pairs)


def _pair(page: Page, index: int, match: re.Match[str], name: str, number: int) -> Note:
    left, right = match["left"].strip(), match["right"].strip()
    headings = (
        page.path(index) if page.path(index)[-1:] and name in title(page.path(index)[-1]) else (*page.path(index), name)
    )
    return page.note(Basic(prompt=f"{left} → ?", answer=right), line_span(number), index, left, headings=headings)
