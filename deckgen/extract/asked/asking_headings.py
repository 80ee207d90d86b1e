"""Headings that ask and are answered below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from deckgen.extract import talk, wording
from deckgen.extract.asked.answering import answer_of, answering, labelled, with_figure
from deckgen.extract.asked.asking import LABELLED, Made, unrated
from deckgen.extract.blocks import is_rule, spanning
from deckgen.extract.page import Page
from deckgen.extract.prompts import prompt
from deckgen.extract.text import is_chinese, plain, title, width
from deckgen.model.document import Code, Heading, Items, Prose, Quote
from deckgen.model.note import Basic

LONGEST = 40
"""Lines of an answer: what is longer is a chapter."""
_HANDY = 12
"""Lines of a sensible answer."""
_SHORTEST = 8
"""Columns of a question."""
_REMARK = 24
"""Columns of what is less than a sentence: a name, a few labels."""


def asked_by_heading(page: Page, index: int, block: Heading, used: set[int]) -> Made:
    """The note of a heading that asks, from the blocks below it that are not used yet."""
    asked = _asked_by(page, index, block)
    if not asked:
        return
    names = _names_below(page, index, block) if wording.WHICH.search(asked) else []
    by_names = 2 <= len(names) <= _HANDY
    for blocks in _answers(page, index, asked, alone=by_names):
        free = [i for i in answering(page, blocks) if i not in used]
        if not free:
            continue
        asked, told = with_figure(page, asked, free)
        answer = answer_of(page, told)
        length = len(answer.split("\n"))
        if answer and length <= LONGEST and not (_better_as_list(page, block, free, length) or _asks_on(page, free)):
            span = spanning([block, page.blocks[free[0]]])
            rests_on = tuple(name for i in free for name in page.apis_on(page.blocks[i].span))
            note = page.note(Basic(prompt=asked, answer=answer), span, index, block.text, rests_on=rests_on)
            yield note, [index, *free]
        return
    if by_names:
        listed = "\n".join(f"- {name}" for name in names)
        yield page.note(Basic(prompt=asked, answer=listed), block.span, index, block.text), [index]


def _asks_on(page: Page, blocks: Sequence[int]) -> bool:
    """Below the question it is put once more, and nothing is said: it is answered further down by somebody else."""
    texts = [plain(block.text).strip() for at in blocks if isinstance(block := page.blocks[at], Prose)]
    asking = [text for text in texts if text.endswith(("?", "？"))]
    return bool(asking) and len(texts) == len(blocks) and all(text in asking or width(text) < _REMARK for text in texts)


def _answers(page: Page, index: int, asked: str, *, alone: bool) -> Iterator[range]:
    """Where a heading may be answered: right below it; and, unless that `alone` counts, further down."""
    yield page.body(index)
    if not alone:
        yield from _further_answers(page, index, asked)


def _further_answers(page: Page, index: int, asked: str) -> list[range]:
    """Where else a heading may be answered: in its summary, or in its one subsection."""
    section = page.section(index)
    heads = [at for at in section if isinstance(page.blocks[at], Heading)]
    summaries = [at for at in heads if wording.SUMMARY.search(title(page.blocks[at].text))]  # type: ignore[union-attr]
    if summaries:
        return [page.body(summaries[-1])]
    return [section] if len(heads) <= 1 and wording.QUESTION.search(asked) else []


def _asked_by(page: Page, index: int, block: Heading) -> str:
    """The question that a heading asks; empty if it asks none."""
    words = plain(title(block.text))
    asked = _asking(page, index, block, words)
    if asked and (_is_quiz_heading(words) or wording.EXAMPLE.search(words) or wording.ROADMAP.search(words)):
        return ""
    return asked


def _asking(page: Page, index: int, block: Heading, words: str) -> str:
    """What a heading asks, whatever it stands over."""
    if wording.QUESTION.search(words) or (is_chinese(words) and wording.INTERROGATIVE.search(words)):
        return _without_card_label(_text(block))
    if wording.ASKED_ALOUD.search(words):
        return _text(block)
    if aspect_of(words):
        return _with_subject(page, index, _text(block))
    labelled_ = not page.chat and LABELLED.match(plain(block.text))
    if width(words) >= _SHORTEST and (labelled_ or _is_labelled_answer(page, index + 1)):
        return _text(block)
    if wording.ADVICE.search(words) and _states(page, index, words):
        return f"{_text(block)} — {prompt(page.document.language, 'why')}"
    return ""


def _text(block: Heading) -> str:
    return unrated(title(block.text))


def _is_labelled_answer(page: Page, index: int) -> bool:
    """True for a paragraph that begins with `**答**：` or `Answer:`."""
    block = page.blocks[index] if index < len(page.blocks) and page.free(index) else None
    return isinstance(block, Prose | Quote) and labelled(block.text) is not None


def _names_below(page: Page, index: int, block: Heading) -> list[str]:
    """The headings right below one that asks `which ones?` and only announces them."""
    below = [page.blocks[at] for at in page.section(index)]
    levels = [head.level for head in below if isinstance(head, Heading)]
    nearest = min(levels, default=block.level)
    return [title(head.text) for head in below if isinstance(head, Heading) and head.level == nearest]


def _is_quiz_heading(words: str) -> bool:
    return bool(wording.QUIZ.search(words)) or bool(talk.MENU.search(words))


def _states(page: Page, index: int, words: str) -> bool:
    """Advice has something below it that is more than the next heading."""
    return len(words) >= 6 and any(isinstance(page.blocks[i], Prose | Items | Code) for i in page.body(index))


def _without_card_label(text: str) -> str:
    """`知识闪卡：什么是 X？` asks `什么是 X？`."""
    head, mark, tail = text.partition("：" if "：" in text else ": ")
    labelled = (
        mark
        and (wording.RHYME.search(head) or re.search(r"知识|卡片|图解|\bQ\d*$", head))
        and wording.QUESTION.search(tail)
    )
    return tail.strip() if labelled else re.sub(r"^(?:Q|问)\s*\d*\s*[:：.]\s*", "", text)


_LONGEST_ASPECT = 40


@lru_cache(maxsize=1024)
def aspect_of(words: str) -> bool:
    """True if a heading names an aspect of something: `X 的特点`, `Advantages of X`."""
    if len(words) > _LONGEST_ASPECT:
        return False
    found = wording.ASPECT.fullmatch(words) if is_chinese(words) else wording.ASPECT_EN.fullmatch(words)
    return found is not None


def _with_subject(page: Page, index: int, text: str) -> str:
    """`特点` asks nothing alone: the heading above it is its subject."""
    path = page.path(index)
    bare = wording.ASPECT.fullmatch(plain(text)) or wording.ASPECT_EN.fullmatch(plain(text))
    groups = bare.groupdict() if bare else {}
    alone = not (groups.get("subject") or groups.get("subject2"))
    mark = "？" if page.chinese else "?"
    subject = f"{title(path[-1])} - " if alone and path else ""
    return f"{subject}{text}{mark}"


def _better_as_list(page: Page, block: Heading, blocks: Sequence[int], length: int) -> bool:
    """An aspect over a long list: one card a line says more than one card with all of them."""
    only = [page.blocks[i] for i in blocks if not is_rule(page.blocks[i])]
    words = plain(title(block.text))
    if len(only) != 1 or not isinstance(only[0], Items) or wording.QUESTION.search(words):
        return False
    bare = words.lower() in wording.BARE_ASPECT and len(only[0].items) > 5
    return bare or (length > _HANDY and aspect_of(words))
