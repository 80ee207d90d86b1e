"""Lines to learn by heart: a fence or a quote under `口诀` or `cheat sheet`, whole or line by line."""

from __future__ import annotations

import re

from deckgen.extract import wording
from deckgen.extract.notes.answer import LABELLED, first_line
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import plain, title, width, without_emoji
from deckgen.model.document import Code, Heading, Prose, Quote
from deckgen.model.note import Basic, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_PAIR = pattern(r"^\W*(?P<left>[^→:：=]*[^\s→:：=])\s*(?:→|->|=>|：|:\s)\s*(?P<right>\S.*)$")
_SHELL = ("bash", "sh", "shell", "console")
_LONGEST_NAME = 48
_LONGEST_LEFT = 24
_LONGEST_LINE = 80


def mnemonics(page: Page) -> Finds:
    """A note a line where all lines read `what → which`, else one note for all of it."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        name = (
            _name(page, index)
            if isinstance(block, Code | Quote) and page.free(index) and index not in page.code
            else ""
        )
        if not name or not isinstance(block, Code | Quote) or (isinstance(block, Code) and block.language in _SHELL):
            continue
        used.add(index)
        lines = block.lines if isinstance(block, Code) and block.lines else range(block.span.start, block.span.stop)
        texts = [(number, line) for number, line in zip(lines, block.text.split("\n"), strict=False) if line.strip()]
        pairs = [
            (number, match)
            for number, line in texts
            if (match := _PAIR.match(without_emoji(line))) and _is_short(match)
        ]
        if len(texts) > 1 and len(pairs) == len(texts):
            path = page.path(index)
            headings = path if path and name in title(path[-1]) else (*path, name)
            for number, match in pairs:
                body = Basic(prompt=f"{match['left'].strip()} → ?", answer=match["right"].strip())
                notes.append(page.note(body, line_span(number), index, match["left"].strip(), headings=headings))
        else:
            bare = not page.context(index) and len(texts) > 1
            prompt = f"{name} — {texts[0][1].strip()} …" if bare else name
            body = Basic(prompt=prompt, answer=block.text.strip("\n"))
            notes.append(page.note(body, page.blocks[index - 1].span | block.span, index, name))
    return Finds(tuple(notes), (), frozenset(used))


def _name(page: Page, index: int) -> str:
    """What the lines are called: by the short line or the heading right above them."""
    above = page.blocks[index - 1] if index else None
    if (
        not isinstance(above, Prose | Heading)
        or width(above.text) > _LONGEST_NAME
        or not wording.RHYME.search(plain(above.text))
    ):
        return ""
    asks = wording.QUESTION.search(plain(above.text)) or LABELLED.match(
        first_line(getattr(page.blocks[index], "text", ""))
    )
    return "" if asks else title(above.text)


def _is_short(match: re.Match[str]) -> bool:
    return width(match["left"]) <= _LONGEST_LEFT and width(match[0]) <= _LONGEST_LINE
