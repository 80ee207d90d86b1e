"""What is said in an interview besides its questions: how it began, what the candidate asked, small talk."""

from __future__ import annotations

from deckgen.extract.asked.asking import LABELLED
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import plain, title
from deckgen.model.document import Heading, Prose
from deckgen.model.note import Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import any_of

_ASIDE = any_of(
    r"^(?:我的?)?(?:反问|自我介绍)(?:环节|阶段|部分|问题)?\W*(?:略)?\W*$|^向面试官提问|^(?:我的?)?(?:提问|反问)(?:面试官)?环节$",
    r"^(?:my )?(?:small talk|self[- ]introduction|(?:my )?questions (?:i (?:asked|had)|for (?:them|the (?:interviewers?|team|company)))|"
    r"reverse (?:q ?& ?a|questions?|interview))\W*$",
)
"""A heading over what is no question of the interview."""
_OUTCOME = any_of(
    r"^(?:复盘|面试(?:复盘|结果|后续)|开场|寒暄)\W*$|^非技术",
    r"^(?:interview (?:results?|logistics)|logistics|behaviou?ral(?: questions?)?|introductions?|(?:interview )?outcomes?|retro(?:spective)?|aftermath|how it went)\W*$",
)
"""The same, where a heading above says that it is about an interview."""
_INTERVIEW = any_of(r"面试|面经|[一二三终]面", r"\binterviews?\b")
_SMALL_TALK = any_of(
    r"自我介绍|听得[到清见]|休息(?:一下|几)|(?:你|您)?还有(?:什么|其他)?(?:问题|想问|要问)|^(?:你|您)好\W*$",
    r"\b(?:hear me|take a (?:[\w-]+ )?break|how are you|nice to meet|(?:tell me|talk) (?:a (?:bit|little) )?about yourself|"
    r"introduce yourself|(?:any|have) (?:other |more |\w+ )?questions (?:for|about) (?:me|us)|shall we)\b",
)
ASIDE = "said besides the questions of an interview"


def asides(page: Page) -> Finds:
    """No note, and all below such headings used up."""
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if isinstance(block, Prose) and _is_small_talk(block.text):
            used.add(index)
            skipped.append(Skipped(block.span, ASIDE))
        if isinstance(block, Heading) and index not in used and _is_aside(page, index, plain(title(block.text))):
            below = page.section(index)
            used.update((index, *below))
            last = page.blocks[below[-1]].span.stop if below else block.span.stop
            skipped.append(Skipped(Span(block.span.start, last), ASIDE))
    return Finds((), tuple(skipped), frozenset(used))


def _is_aside(page: Page, index: int, words: str) -> bool:
    if _OUTCOME.search(words):
        return any(_INTERVIEW.search(heading) for heading in (page.document.title, *page.path(index)))
    return _ASIDE.search(words) is not None


def _is_small_talk(text: str) -> bool:
    """A paragraph in which an interviewer asks about the talk or the candidate, and nothing else: `Can you hear me?`"""
    if ":" not in text[:_LABEL] and "：" not in text[:_LABEL]:
        return False
    first, _, below = text.partition("\n")
    asked = LABELLED.match(first)
    if asked is None or not _SMALL_TALK.search(asked["text"]):
        return False
    return not any(map(LABELLED.match, below.split("\n")))


_LABEL = 40
"""Characters of a label in bold."""
