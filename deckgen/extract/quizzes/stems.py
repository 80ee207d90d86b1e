"""The stem of a multiple-choice question: the lines above its options that ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import Line, is_rule, text_of
from deckgen.extract.page import Page
from deckgen.extract.parts import number_of
from deckgen.extract.quizzes.letters import letters_after_label
from deckgen.extract.quizzes.options import LINE_END, Run
from deckgen.extract.quizzes.question_numbers import counted, number_borne
from deckgen.extract.text import plain, without_emoji, without_number
from deckgen.model.document import Block, Code, Details, Directive, Heading, Items, Output, Prose, Quote, Turn
from deckgen.text.pattern import pattern

_FAR = 5
"""How many blocks above the options their stem may begin."""
_LABEL = pattern(
    r"^(?:【[^】]{1,8}】\s*|[（(](?:单选|多选|可多选|不定项)题?[）)]\s*[:：]?\s*|(?:q|question|quiz|puzzle|poll|(?:problem|exercise)\s*(?=\d)|问题|题目?|选择题|判断题|测试题?|小?测验题?|小测试?题?|热身题?|抢答题?|必答题?|练习题?|(?:复习|回顾|巩固)题?(?=\s*\d)|单选题?|多选题?|第\s*\w+\s*题|"
    r"思考题?)\s*\d*\s*(?:(?:of|/)\s*\d+\s*)?(?:[（(](?:单选|多选|可多选|不定项)题?[）)]\s*)?[：:.)）、]\s*)+",
    re.IGNORECASE,
)
_COUNTED = pattern(
    r"(?:q|question|quiz|problem|exercise|问题|题目?|选择题|单选题?|多选题?|第)\s*[\d一二三四五六七八九十]{1,3}\s*题?\s*(?:\*\*|[.、:：)）])",
    re.IGNORECASE,
)
"""`Q1)`, `**第 3 题**`: a label with a number before a question."""
_NUMBER_IN_BOLD = pattern(
    r"^\*\*\s*((?:【[^】]{1,8}】\s*)?(?:[A-Za-z]+\s*|问题\s*|题目?\s*|第\s*)?\d+(?:\.\d+)?(?:\s*(?:of|/)\s*\d+)?\s*题?\s*[.)、:：]?|第\s*[一二三四五六七八九十]{1,3}\s*题\s*[.)、:：]?|[A-Za-z]+\s*\d*\s*[.:：])\s*\*\*\s*"
)
_IN_BRACKETS = pattern(
    r"^(?:\*\*)?\s*[（(\[【]\s*\d{1,2}[-–]\d{1,2}\s*[）)\]】]\s*(?:\*\*)?\s*(?=\S)|^\*\*\s*\d{1,2}\.\d{1,2}\s*[.)、:：]?\s*\*\*\s*(?=\S)"
)
"""`**【2-1】**`"""
_ONLY_NUMBER = pattern(
    r"^\W*(?:(?:q|question|quiz|puzzle|problem|exercise|问题|题目?)\s*\d{1,3}(?:\s*(?:of|/)\s*\d{1,3})?|第\s*\w{1,3}\s*[题关问])\s*"
    r"(?:[｜|/·—–-]\s*[^\n?？]{1,16}|[（(][^\n（()）?？]{1,16}[)）])*\s*[.:：、]?\s*(?:\*\*)?\s*\n+(?=.*\S)",
    re.IGNORECASE,
)
"""A first line that only counts: `第二题｜多选（20分）`, `**Question 2**`."""
_LEADS_IN = pattern(
    r"^(?:轮到.{1,3}了?[。！!，,]\s*)?(?:(?:好[的啦嘞]?|那么?|再?来看?|接下来|下面|下一题|最后|ok(?:ay)?|next|now|let's|here(?:'s| is)|last)"
    r"[^。！!.?？\n:：`]{0,24}?(?:题|关|one|question|quiz|round|up|next)[^。！!.?？\n:：`]{0,4}[。！!.:：]\s*)*(?=\S)",
    re.IGNORECASE,
)
"""`来看一道选择题。`, `Next question:`"""


_CALLOUT = pattern(r"^\[!\w+\][+-]?[ \t]*")


_WILLING = pattern(
    r"^(?:(?:好[的啦嘞呀吧]?|没问题|当然(?:可以)?|可以|行|来吧?|ok(?:ay)?|sure(?: thing)?|great|of course|al(?:l )?right|certainly|absolutely|no problem|yes)"
    r"\s*[!！.。,，~～]+\s*)+(?=\S)",
    re.IGNORECASE,
)
"""`好的！`, `Sure!`"""


class Stem(NamedTuple):
    """What is asked, and where."""

    text: str
    blocks: range
    first_line: int


def stem_of(page: Page, run: Run, previous: Run | None) -> Stem:
    """What is asked: the lines above the options in their block, or else the blocks above it."""
    own = _own_lines(page, run, previous)
    if own:
        return Stem(cleaned([line.text for line in own]), range(run.blocks.start, run.blocks.start + 1), own[0].number)
    blocks = _blocks_above(page, run.blocks.start, _below(page, previous) if previous else 0)
    if not blocks:
        return Stem("", range(0), run.lines[0].number)
    text = cleaned([_text_of(page.blocks[index]) for index in blocks])
    first = page.blocks[blocks[0]]
    line = first.items[-1].span.start if isinstance(first, Items) else first.span.start
    return Stem(text, range(blocks[0], run.blocks.start), line)


def _below(page: Page, run: Run) -> int:
    """The first block that is not that of a run, or the same list if it goes on with another item."""
    block = page.blocks[run.blocks.stop - 1]
    goes_on = isinstance(block, Items) and block.items[-1].span.start > run.lines[-1].number
    return run.blocks.stop - goes_on


def _text_of(block: Block) -> str:
    """The text of a block without the answer before; of a list the last item, right below which the options stand."""
    if isinstance(block, Items):
        return block.items[-1].text
    text = text_of(block)
    if not isinstance(block, Prose | Quote) or not letters_after_label(text.partition("\n")[0]):
        return text
    lines = [Line(block.span.start, line, 0) for line in text.split("\n")]
    return "\n".join(line.text for line in _after_answer(lines)) or text


def _own_lines(page: Page, run: Run, previous: Run | None) -> list[Line]:
    first = run.lines[0]
    block = page.blocks[first.block]
    floor = previous.lines[-1].place if previous else (-1, -1)
    above = list(page.lines(first.block)[floor[1] + 1 if floor[0] == first.block else 0 : first.at])
    if isinstance(block, Items):
        above = _question_item(page, block, first, above)
    elif any(wording.QUESTION.search(line.text.strip()) for line in above):
        above = _last_question(above)
    above = _after_answer(above)
    if run.before:
        above.append(first._replace(text=run.before))
    return [line for line in above if line.text.strip()]


def _after_answer(above: Sequence[Line]) -> list[Line]:
    """Without the answer to the question before, if that stands in the same block."""
    stated = [at for at, line in enumerate(above) if letters_after_label(line.text)]
    rest = above[stated[-1] + 1 :] if stated else above
    told = [at for at, line in enumerate(rest) if stated and wording.EXPLANATION.match(plain(line.text))]
    return list(rest[told[-1] + 1 :] if told else rest)


def _question_item(page: Page, block: Items, first: Line, above: Sequence[Line]) -> list[Line]:
    """The lines of the item that the options are children or further lines of, or that asks right before them."""
    begin, heads = page.item_starts(first.block), page.part_starts(first.block)
    at = number_of(begin, first.at)
    if first.at > begin[at]:
        return [line for line in above if line.at >= begin[at]]
    if begin[at] == heads[number_of(heads, first.at)]:
        asks = at > 0 and wording.QUESTION.search(block.items[at - 1].text.strip())
        return [line for line in above if line.at >= begin[at - 1]] if asks else []
    parent = next((n for n in range(at - 1, -1, -1) if block.items[n].depth < block.items[at].depth), None)
    if parent is None:  # what it stood under was told already and has left the list
        return []
    return [line for line in above if begin[parent] <= line.at < begin[parent + 1]]


def _last_question(above: Sequence[Line]) -> list[Line]:
    """From the last line that begins a question on; sub-questions are numbered and stay with their stem."""
    asking = [at for at, line in enumerate(above) if wording.QUESTION.search(line.text.strip())]
    starts = [at for at in asking if without_number(above[at].text.strip()) == above[at].text.strip()]
    return list(above[starts[-1] if starts else 0 :])


def _blocks_above(page: Page, stop: int, floor: int) -> list[int]:
    """Indices of the blocks that ask, in order."""
    gathered: list[int] = []
    for index in range(stop - 1, max(stop - _FAR, floor, 0) - 1, -1):
        block = page.blocks[index]
        if isinstance(block, Turn | Output | Directive | Details) or is_rule(block):
            break
        if _answers(block):
            gathered = _from_question(page, gathered)
            break
        gathered.insert(0, index)
        if isinstance(block, Heading):
            break
        if isinstance(block, Prose | Quote) and _begins(block.text):
            gathered = [*(_begun_above(page, index, floor) or _code_asked_about(page, index, block.text)), *gathered]
            break
    return _without_preamble(page, gathered)


def _begins(text: str) -> bool:
    """A paragraph that asks, or whose label says that it is a question; sub-questions have their stem above them."""
    return (_asks(text) and not _is_numbered(text)) or bool(_COUNTED.match(text.lstrip("*_ ")))


def _answers(block: Block) -> bool:
    """True for a paragraph that gives or explains the answer of the question before."""
    if not isinstance(block, Prose | Quote):
        return False
    lines = block.text.strip().split("\n")
    if _asks(lines[-1]):
        return False
    return bool(_EXPLAINS.match(plain(lines[0]))) or any(letters_after_label(line) for line in lines)


_EXPLAINS = pattern(rf"(?:{wording.EXPLANATION.pattern})[^\n:：]{{0,12}}[:：】\]]|because\b|因为", re.IGNORECASE)


def _from_question(page: Page, gathered: list[int]) -> list[int]:
    """Without what goes on explaining above the question: from the first block that asks, or a list, on."""
    for at, index in enumerate(gathered):
        block = page.blocks[index]
        if isinstance(block, Items) or _asks(text_of(block)):
            return [*_code_asked_about(page, index, text_of(block)), *gathered[at:]]
    return gathered


def _begun_above(page: Page, index: int, floor: int) -> list[int]:
    """The code above a question, and the paragraph above that, which begins it: `3. After`, code, `what happens?`"""
    begin, code = (page.blocks[at] if at >= floor else None for at in (index - 2, index - 1))
    if not isinstance(code, Code) or not isinstance(begin, Prose) or _asks(begin.text) or _answers(begin):
        return []
    goes_on = plain(text_of(page.blocks[index]))[:1].islower()
    return [index - 2, index - 1] if goes_on or number_borne(begin.text) else []


def _code_asked_about(page: Page, index: int, text: str) -> list[int]:
    """The code right above a question about what it prints."""
    above = page.blocks[index - 1] if index else None
    return [index - 1] if isinstance(above, Code) and wording.ABOUT_CODE.search(text) else []


def _without_preamble(page: Page, gathered: list[int]) -> list[int]:
    """Without a heading, if something below it asks; only the nearest block, if nothing asks at all."""
    headed = bool(gathered) and isinstance(page.blocks[gathered[0]], Heading)
    asking = [i for i in gathered[headed:] if _asks(text_of(page.blocks[i]))]
    if headed and (asking or (not _asks(text_of(page.blocks[gathered[0]])) and len(gathered) > 1)):
        heading_asks = wording.QUESTION.search(text_of(page.blocks[gathered[0]]).strip())
        return gathered if heading_asks else gathered[1:]
    return gathered if headed or asking else gathered[-1:]


def _asks(text: str) -> bool:
    return bool(wording.ASKS.search(text))


def _is_numbered(text: str) -> bool:
    """Sub-questions: every line is numbered, so the stem stands further up."""
    lines = [without_emoji(line) for line in text.split("\n") if line.strip()]
    return all(without_number(line) != line for line in lines) and not _LABEL.match(lines[0] if lines else "")


def cleaned(texts: Sequence[str]) -> str:
    """The stem without emoji, `Q1:` and `3.` in front."""
    text = "\n".join(text.rstrip() for text in texts).strip()
    text = _CALLOUT.sub("", text)
    text = counted(text)
    text = _LEADS_IN.sub("", _ONLY_NUMBER.sub("", _WILLING.sub("", text)))
    text = _IN_BRACKETS.sub("", text)
    text = re.sub(r"^\*\*([^*]+)\*\*(?=\s*(?:\n|$))", r"\1", _NUMBER_IN_BOLD.sub(r"\1 ", text))
    text = re.sub(r"^(\d+)\\(?=[.)])", r"\1", re.sub(r"^[①-⑳]\s*[.、:：]?\s*", "", text))
    text = without_emoji(text) if text[:1] and not text[0].isalnum() else text
    for _ in range(2):
        text = _LABEL.sub("", without_number(text)).strip()
    return LINE_END.sub("", re.sub(r"^\*\*([^*]+)\*\*$", r"\1", text))
