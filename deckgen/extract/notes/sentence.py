"""Sentences to keep: those that define a term, `**term**: text` in running text, and remarks to remember in quotes."""

from __future__ import annotations

from collections import Counter

from deckgen.extract import wording
from deckgen.extract.blocks import CALLOUT
from deckgen.extract.key import key
from deckgen.extract.notes.hole import hole_in, is_vague
from deckgen.extract.notes.term import definition
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_word, plain, title, width
from deckgen.model.document import Prose, Quote
from deckgen.model.note import Basic, Cloze, Hole, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_DEFINES = pattern(
    r"^(?:(?:An?|The)\s+)?(?P<term>`[^`]+`|\*\*[^*]{2,40}\*\*)\s*(?:[（(][^（()）]*[）)])?\s*"
    r"(?:(?:class|function|method|函数|方法|类|模块)\s*)?«definition.adverb»?\s*(?:«definition.defines»|(?<=\)` )[a-z]+s\b).{8,}$"
)
"""`` `nn.Flatten()` compresses the dimensions of a tensor ``: a term with marks, then what it is or does."""
_STRESSED = pattern(r"\*\*[^*]+\*\*|`[^`]+`")
_FIRST = pattern(r"(?<=[。！!])|(?<=[.;；])\s+(?=\S)")
_LONGEST = 160
_LONGEST_REMARK = 240
_REMARK = pattern(r"^\W*«definition.remark»(?:\s*\*\*\s*[:：]?|\s*[:：]\s*(?:\*\*)?)\s*")
"""What a remark calls itself, with a colon or in bold."""
_SAYS = pattern(
    r"«definition.comes_to»\s*[:：]?\s*(?P<is>\*\*[^*]+\*\*)"
    r"|«definition.in_case»[^。.！!]{4,80}?«definition.take»\s*(?P<use>`[^`]+`)"
    r"|«definition.take»\s+(?P<take>`[^`]+`)\s+«definition.for»"
)
"""`X 的本质是：**Y**`, `if you need X, use `Y` `: what is worth to be remembered in a quote."""


def sentences(page: Page) -> Finds:
    """A cloze of each paragraph that begins by defining a term, a Basic of each line `**term**: text`."""
    labels = Counter(
        found.term for block in page.blocks if isinstance(block, Prose) and (found := definition(block.text))
    )
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Prose) or not page.free(index) or page.chat:
            continue
        note = _defining(page, index, block)
        made = (
            [note]
            if note
            else [one for line in page.lines(index) for one in _term(page, index, line.text, line.number, labels)]
        )
        notes += made
        used.update([index] if made else [])
    return Finds(tuple(notes), (), frozenset(used))


def _defining(page: Page, index: int, block: Prose) -> Note | None:
    first = _FIRST.split(block.text.strip().split("\n")[0], maxsplit=1)[0].strip()
    match = _DEFINES.match(first)
    if not match or width(first) > _LONGEST or first.endswith((":", "：", "?", "？")) or "](" in first:
        return None
    term, place = match["term"], match.span("term")
    name = plain(term).partition("(")[0].rsplit(".", 1)[-1]
    shown = has_word(" ".join(plain(title(heading)) for heading in page.path(index)), name)
    if shown or is_vague(first, *place):
        found = hole_in(first, " ".join(page.path(index)), whole=False)
        if found is None or found[0] == place[0] or (shown and "(" not in term):
            return None
        place = found
    span = line_span(block.span.start)
    rests_on = page.apis_on(span) if code_spans(term) else ()
    return page.note(Cloze(text=first, holes=(Hole(1, *place),)), span, index, first, rests_on=rests_on)


def _term(page: Page, index: int, text: str, number: int, labels: Counter[str]) -> list[Note]:
    """The note of a line `**term**: text`; a term that begins more than one paragraph is a label, or somebody who speaks."""
    found = definition(text)
    if (
        found is None
        or not _STRESSED.fullmatch(found.term)
        or labels[found.term] > 1
        or text.rstrip().endswith((":", "：", "?", "？"))
    ):
        return []
    words = plain(found.term)
    if any(one.match(words) for one in (wording.NOTE_WORD, wording.ANSWER_KEY, wording.EXPLANATION)):
        return []
    span = line_span(number)
    body = Basic(prompt=found.term, answer=found.text, reverse=True)
    return [page.note(body, span, index, found.term, rests_on=page.apis_on(span))]


def takeaways(page: Page) -> Finds:
    """A cloze of each quote that says what something comes to, or what to use for what."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Quote) or not page.free(index):
            continue
        name, text = _remark(block.text)
        found = _SAYS.search(text) or (_DEFINES.match(text) if text != block.text else None)
        outline = any(wording.ROADMAP.search(plain(title(heading))) for heading in page.path(index))
        if found and not outline and width(text) <= _LONGEST_REMARK and not wording.QUESTION.search(text.strip()):
            place = found.span(str(found.lastgroup))
            headings = (*page.context(index), *([name] if name else []))
            anchor = key(page.path(index), text.split("\n")[0])
            notes.append(
                page.note(Cloze(text=text, holes=(Hole(1, *place),)), block.span, index, anchor, headings=headings)
            )
            used.add(index)
    return Finds(tuple(notes), (), frozenset(used))


def _remark(quote: str) -> tuple[str, str]:
    """(title, text) of a callout, or of a quote without what it calls itself: `小结：`, `**Note**`."""
    text = "\n".join(line.rstrip() for line in quote.strip("\n").split("\n"))
    callout = CALLOUT.match(text)
    if callout and text[callout.end() :].strip():
        return callout["title"].strip(), text[callout.end() :].lstrip("\n")
    label = _REMARK.match(text)
    return "", text[label.end() :] if label else text
