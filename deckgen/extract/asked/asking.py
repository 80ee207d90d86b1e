"""How lines ask: labels before questions, questions in bold, questions with their answer behind an arrow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.extract import wording
from deckgen.extract.key import key
from deckgen.extract.page import Page
from deckgen.model.document import Items, Prose, Quote
from deckgen.model.note import Basic, Note
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

Made = Iterator[tuple[Note, Sequence[int]]]
"""Notes, each with the indices of the blocks that it was made of."""

LABELLED = pattern(
    r"^\W*(?:\*\*)?(?:(?:Q|问题?|题目|提问|思考题|面试题|正面|Question|Front|追问|面试官(?:追问)?|考官|Follow[- ]?up(?: question)?|Interviewer(?: \(follow[- ]?up\))?)\s*\d*\s*"
    r"(?:\*\*)?\s*(?:::|[:：.、】])|Q\s*\d+\s*(?:\*\*)?\s*(?:[-–—]\s|[)）]))(?:\*\*)?\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
"""`Q3: ...`, `**问题：** ...`, `面试官：...`, `【问】...`"""
FOLLOWS_UP = pattern(
    r"^\W*(?:(?:面试官)?追问|(?:interviewer \()?follow[- ]?up)|^[^:：]{0,12}[:：]\s*(?:那么?(?![个些种])|and\b|but\b|so\b)",
    re.IGNORECASE,
)
"""A question that goes on from the one before."""
TOGGLE = pattern(r"^\s*[▶▸►▼▾❓🤔]\ufe0f?\s*(?P<text>\S.*[?？])\s*$")
"""A question with a triangle before it, whose answer folds out below, or with a pictograph that asks."""
BOLD = pattern(r"^\W*\*\*(?P<text>[^*]+?[?？][^*\w]*)\*\*\s*[:：]?\s*(?P<rest>.*)$")
AT_ONCE = pattern(
    r"^\s*(?P<text>\S.{4,160}?[?？])[\s*]*(?:→|⇒|->|=>|——|[—–]|\s-\s|(?:答案?|Answer|A)\s*[:：])[\s*]*(?P<rest>\S.*)$",
    re.DOTALL,
)
"""`What is a leaf? → a tensor that ...`: the answer on the same line."""


TOGETHER = pattern(r"^(?P<text>[^?？\n]{4,120}[?？])\s+(?P<rest>[^?？\n]{1,160})$")
"""A line of a list in which every line asks and answers: `Default lr of SGD? 1e-3`."""


_RATED = pattern(
    r"\s*(?:[（(【\[][^（）()\[\]【】]{0,8}?(?:高频|频率|重点|必考|必会|常考|难度|[★⭐☆]|easy|medium|hard\b|frequent)[^（）()\[\]【】]*[)）】\]]|[★⭐☆\ufe0f]+)\s*$",
    re.IGNORECASE,
)
"""How often a question is asked, or how hard it is."""


def unrated(text: str) -> str:
    """A question without how hard it is or how often it is asked: `... (hard)`, `...（高频⭐⭐）`."""
    return _RATED.sub("", text)


def asked_note(page: Page, at: int, asked: str, answer: str, span: Span, *, anchor: str = "") -> Note:
    """A question and its answer, resting on the APIs that both name."""
    answer = answer.removesuffix("**") if answer.count("**") % 2 else answer  # `**答：warmup**` without its label
    anchored = key(page.path(at), anchor or asked)
    shown = context_of(page, at, page.document.source.lines[span.start] if not page.document.places else "")
    return page.note(
        Basic(prompt=asked, answer=answer), span, at, anchored, headings=shown, rests_on=page.apis_on(span)
    )


def context_of(page: Page, at: int, line: str) -> tuple[str, ...]:
    """The headings above a question on a line: those of a labelled one are not the labelled questions before it."""
    shown = page.context(at)
    alone = LABELLED.match(line) and not FOLLOWS_UP.match(line)
    return tuple(one for one in shown if not LABELLED.match(one)) if alone else shown


def asked_text(text: str) -> str:
    """A question without its label and marks."""
    match = LABELLED.match(text)
    return unrated((match["text"] if match else text).strip(" *"))


def begins_question(text: str) -> bool:
    """True for a line that is labelled as a question, asks in bold, or asks and answers."""
    return bool(LABELLED.match(text) or BOLD.match(text) or AT_ONCE.match(text) or TOGGLE.match(text))


def asks_more(block: object) -> bool:
    """True for a paragraph, a quote or a list that begins with a question of its own and is no answer."""
    if isinstance(block, Items):
        tops = [first_line(item.text) for item in block.items if not item.depth]
        return bool(tops) and all(begins_question(line) or wording.QUESTION.search(line) for line in tops)
    return isinstance(block, Prose | Quote) and begins_question(first_line(block.text))


def first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
