"""Sentences that define a term: `` `X` computes Y. `` under a heading that does not name X hides X."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract import talk, wording
from deckgen.extract.defined.holes import MOST, cannot_be_told, highlights, hole_in
from deckgen.extract.defined.terms import definition
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_word, plain, title, width
from deckgen.model.document import Prose, Quote
from deckgen.model.note import Basic, Cloze, Hole, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_KINDS = (Prose, Quote)
"""Blocks of sentences."""
_TERM = r"(?P<term>`[^`]+`|\*\*[^*]{2,40}\*\*|==[^=]{2,40}==|(?:(?<=a )|(?<=an ))\*[^*\s][^*]{1,38}\*)"
"""In italics only behind an article: `A *view* is ...`."""
_DEFINES = pattern(
    rf"^(?:(?:An?|The)\s+|所谓(?:的)?)?{_TERM}\s*(?:[（(][^（()）]*[）)])?\s*(?:函数|方法|类|模块|参数)?\s*"
    r"(?:of (?:an? |the )?\w+(?: \w+)? )?(?:(?:always|never|also|only) |总是|始终|只)?"
    r"(?:是(?!否)|就是|使用的是|用于|用来|表示|指的?是|会|将|可以|返回|计算|负责|定义|决定|"
    r"(?:is|are|means|computes?|returns?|gives?|creates?|adds?|removes?|moves?|makes?|turns?|"
    r"converts?|keeps?|stores?|wraps?|"
    r"controls?|tells?|sets?|disables?|enables?|applies|lets?|allows?|works?|does|refers? to|stands for)\b"
    r"|(?<=\)`)\s*[a-z]+s\b)"  # a call may do anything
    r"(?P<rest>.{8,})$",
    re.IGNORECASE,
)
_STRESSED = pattern(r"\*\*[^*]+\*\*|`[^`]+`|==[^=]+==")
_STOP = pattern(r"(?<=[。！!])|(?<=[.;；])\s+(?=\S)")
_LONGEST = 160
_CONTEXT = 10
"""Columns that must be left to tell what is hidden."""


def sentences(page: Page) -> Finds:
    """A cloze of the first sentence of each paragraph that begins by defining a term in code or bold."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, _KINDS) or not page.free(index):
            continue
        made = list(_highlighted(page, index))
        if not made and isinstance(block, Prose):
            note = _note(page, index, block)
            made = [note] if note else list(_defined(page, index))
        notes += made
        used.update([index] if made else [])
    return Finds(tuple(notes), (), frozenset(used))


def _note(page: Page, index: int, block: Prose) -> Note | None:
    first = _STOP.split(block.text.strip().split("\n")[0], maxsplit=1)[0].strip()
    match = _DEFINES.match(first)
    if not match or width(first) > _LONGEST or first.endswith((":", "：", "?", "？")):
        return None
    if talk.CHATTER.search(plain(first)) and page.chat:
        return None
    term = match["term"]
    shown = _given_away(page, index, plain(term))
    if shown and "(" not in term:
        return None
    if shown or cannot_be_told(first, match.start("term"), match.end("term")):
        place = hole_in(first, " ".join(page.path(index)), whole=False)
        if place is None or place[0] == match.start("term"):
            return None
        hole = Hole(1, *place)
    else:
        hole = Hole(1, match.start("term"), match.end("term"))
    span = line_span(block.span.start)
    rests_on = page.apis_on(span) if code_spans(term) else ()
    return page.note(Cloze(text=first, holes=(hole,)), span, index, first, rests_on=rests_on)


def _highlighted(page: Page, index: int) -> Iterator[Note]:
    """Lines in which the author marked what is to be learnt."""
    for line in page.lines(index):
        marked = highlights(line.text)[:MOST] if "==" in line.text else []
        if not marked or width(line.text) > _LONGEST:
            continue
        if width(plain(line.text)) - sum(width(plain(line.text[a:b])) for a, b in marked) < _CONTEXT:
            continue
        text = line.text.strip()
        shift = len(line.text) - len(line.text.lstrip())
        holes = tuple(Hole(at, a - shift, b - shift) for at, (a, b) in enumerate(marked, 1))
        yield page.note(Cloze(text=text, holes=holes), line_span(line.number), index, text)


def _defined(page: Page, index: int) -> Iterator[Note]:
    """Lines that read `**term**: text`."""
    for line in page.lines(index):
        found = definition(line.text)
        if found is None or not _STRESSED.fullmatch(found.term) or not _says(page, found.term, line.text):
            continue
        span = line_span(line.number)
        body = Basic(prompt=found.term, answer=found.text, reverse=True)
        yield page.note(body, span, index, found.term, rests_on=page.apis_on(span))


def _says(page: Page, term: str, line: str) -> bool:
    """A term, and no label such as `Answer:` or `Note:`."""
    words = plain(term)
    label = wording.NOTE_WORD.match(words) or wording.ANSWER_KEY.match(words) or wording.EXPLANATION.match(words)
    return (
        not label and not (page.chat and talk.CHATTER.search(plain(line))) and not line.rstrip().endswith((":", "："))
    )


def _given_away(page: Page, index: int, term: str) -> bool:
    name = term.partition("(")[0].rsplit(".", 1)[-1]
    shown = " ".join(plain(title(heading)) for heading in page.path(index))
    return has_word(shown, name)
