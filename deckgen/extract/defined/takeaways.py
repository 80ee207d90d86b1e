"""Quotes that say one thing to remember: `X 的本质是：**Y**`, `想要 X，就用 `Y``."""

from __future__ import annotations

import re

from deckgen.extract import wording
from deckgen.extract.defined.holes import MOST, highlights, hole_in
from deckgen.extract.key import key
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import plain, title, width
from deckgen.model.document import Quote
from deckgen.model.note import Cloze, Hole, Note
from deckgen.text.pattern import pattern

_LONGEST = 240
_CALLOUT = pattern(r"^\[!\w+\][+-]?(?P<title>.*)")
"""`[!NOTE]`: the first line of a callout."""
_LABEL = pattern(
    r"^\W*(?:小结|总结|要点|重点|记住|口诀|注意|提示|结论|一句话(?:总结)?|take-?away|remember|mnemonic|note|tip|hint|key (?:point|idea)|"
    r"important|warning|in short|rule of thumb|tl;?dr)(?:\s*\*\*\s*[:：]?|\s*[:：]\s*(?:\*\*)?)\s*",
    re.IGNORECASE,
)
"""What a remark calls itself, with a colon or in bold."""
_IS = pattern(
    r"(?:本质|核心|目的|思想|哲学|作用|关键)?(?:是|在于|即)\s*[:：]?\s*(?P<hole>\*\*[^*]+\*\*)|\b(?:is|"
    r"means)\s*:?\s*(?P<hole2>\*\*[^*]+\*\*)",
    re.IGNORECASE,
)
_USE = pattern(
    r"(?:如果|想要?|需要|要)[^。！!]{4,80}?(?:就|应该|应|可以|请)?用\s*(?P<hole>`[^`]+`)|"
    r"\bif\b[^.!]{4,80}?\buse\s+(?P<hole2>`[^`]+`)"
    r"|\buse\s+(?P<hole3>`[^`]+`)\s+(?:to|when|if|for)\b",
    re.IGNORECASE,
)


def takeaways(page: Page) -> Finds:
    """A cloze of each quote that defines something, or says what to use for what."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Quote) or not page.free(index) or _in_outline(page, index):
            continue
        name, text = _told(block.text)
        holes = _marked(text) if name is not None else ()
        hole = None if holes else _hole(text) or (_stressed(page, index, text) if name is not None else None)
        holes = (hole,) if hole else holes
        if holes:
            first = text.split("\n")[0]
            headings = (*page.context(index), *([name] if name else []))
            anchor = key(page.path(index), first)
            notes.append(page.note(Cloze(text=text, holes=holes), block.span, index, anchor, headings=headings))
            used.add(index)
    return Finds(tuple(notes), (), frozenset(used))


def _told(quote: str) -> tuple[str | None, str]:
    """(its title, what it says) of a callout or a remark that says it is one (`小结：`, `**Note**`); None if it does not."""
    lines = [line.rstrip() for line in quote.strip("\n").split("\n")]
    callout = _CALLOUT.match(lines[0])
    if callout and len(lines) > 1:
        return callout["title"].strip(), "\n".join(lines[1:])
    text = "\n".join(lines)
    label = _LABEL.match(text)
    return ("", text[label.end() :]) if label else (None, text)


def _in_outline(page: Page, index: int) -> bool:
    return any(wording.ROADMAP.search(plain(title(heading))) for heading in page.path(index))


def _stressed(page: Page, index: int, text: str) -> Hole | None:
    """A callout of one sentence is worth a card whatever it says."""
    if width(text) > _LONGEST or wording.QUESTION.search(text.strip()):
        return None
    place = hole_in(text, " ".join(page.path(index)), whole=False)
    return Hole(1, *place) if place and "\n" not in text else None


def _marked(text: str) -> tuple[Hole, ...]:
    """What the author marked in a callout."""
    return tuple(Hole(at, *place) for at, place in enumerate(highlights(text)[:MOST], 1)) if "==" in text else ()


def _hole(text: str) -> Hole | None:
    if width(text) > _LONGEST or wording.QUESTION.search(text.strip()):
        return None
    match = _IS.search(text) or _USE.search(text)
    if not match:
        return None
    name = next(name for name in ("hole", "hole2", "hole3") if match.groupdict().get(name))
    return Hole(1, match.start(name), match.end(name))
