"""The right letters that a source states below the options, and the explanation beside them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from deckgen.extract import talk, wording
from deckgen.extract.blocks import Line, is_rule, markdown_of, text_of
from deckgen.extract.page import Page
from deckgen.extract.parts import number_of
from deckgen.extract.quizzes.answer_keys import Answer
from deckgen.extract.quizzes.explaining import teaching
from deckgen.extract.quizzes.gaps import gap_in
from deckgen.extract.quizzes.inline_options import LETTERS
from deckgen.extract.quizzes.letters import letters_after_label, letters_in
from deckgen.extract.quizzes.marked_answers import Marked, marked_below
from deckgen.extract.quizzes.options import Run
from deckgen.extract.quizzes.replies import judged
from deckgen.extract.text import plain, without_number
from deckgen.model.document import Code, Details, Heading, Items, Prose, Quote, Turn
from deckgen.text.pattern import pattern

_MOST_TOLD = 2
"""Paragraphs of an explanation without a label."""
_FAR = 12
"""Lines below the options in which another question is looked for."""
_LABELLED = pattern(r"^\W*(?:Q|Question|问题?|题目?|面试题|第)\s*\d*\s*题?\s*\**\s*[:：.、]", re.IGNORECASE)


def place_in_list(page: Page, run: Run) -> tuple[Sequence[int], int, int]:
    """Where the parts of the list begin that holds all options, and the numbers of the first and last part of these."""
    index = run.lines[0].block
    if not isinstance(page.blocks[index], Items) or run.lines[-1].block != index:
        return (), 0, 0
    begin = page.part_starts(index)
    return begin, number_of(begin, run.lines[0].at), number_of(begin, run.lines[-1].at)


def next_question(page: Page, run: Run) -> int | None:
    """Number of the first part of a list that is another question's."""
    begin, first, last = place_in_list(page, run)
    index = run.lines[-1].block
    if first == last:
        return last + 1 if last + 1 < len(begin) else None
    asks = (at for at in range(last + 1, len(begin)) if ends_asking(page.lines(index)[begin[at]].text))
    return next(asks, None)


def labelled_below(page: Page, run: Run) -> Line | None:
    """In the paragraph of the options, the line of the next question that is labelled as one: `Q2: ...`."""
    last = run.lines[-1]
    if not isinstance(page.blocks[last.block], Prose):
        return None
    below = page.lines(last.block)[last.at + 1 : last.at + 1 + _FAR]
    return next((line for line in below if _LABELLED.match(line.text) and ends_asking(line.text)), None)


def ends_asking(text: str) -> bool:
    """True for text that ends by asking."""
    return bool(wording.QUESTION.search(text.strip()))


def stated_below(page: Page, run: Run, following: Run | None) -> Answer | None:
    """`答案：B`, `**Answer:** C) because...` or a hidden answer, before the next question or turn."""
    end = following.lines[0].place if following else (len(page.blocks), 0)
    last = run.lines[-1].block
    another = next_question(page, run)
    end = end if another is None else min(end, (last, page.part_starts(last)[another]))
    labelled = labelled_below(page, run)
    end = min(end, labelled.place) if labelled else end
    marked = marked_below(page, run.lines[-1].place)
    if marked and marked.line.place < end:
        return _marked(run, marked)
    for index in range(run.blocks.start, min(end[0] + 1, len(page.blocks))):
        block = page.blocks[index]
        if isinstance(block, Turn):
            return None
        if isinstance(block, Details):
            hidden = _hidden(block, run)
            if hidden:
                return Answer(*hidden, range(index, index + 1))
            continue
        for line in _between(page, index, run.lines[-1].place, end):
            given = letters_after_label(line.text)
            if given and set(given[0]) <= run.letters:
                return _stated(page, line, given, end)
    return None


def _marked(run: Run, marked: Marked) -> Answer | None:
    """The letters of an answer that was marked as right, or those that the remarks name in place of wrong ones."""
    given = letters_in(marked.given, run.options)
    letters = tuple(sorted(given)) if marked.right else judged(f"✗ {marked.told}", run.options, given)
    if not letters or (not marked.right and set(letters) == set(given)):
        return None
    taught = (teaching(line, run.options) for line in marked.told.split("\n"))
    explanation = "\n".join(line for line in taught if line)
    return Answer(letters, _unlabelled(explanation), range(marked.line.block, marked.last + 1), marked.line)


_VERDICT = pattern(r"\W*(?:correct|right|正确|答对了?|回答正确)\W*", re.IGNORECASE)


def in_stem(stem: str, run: Run) -> tuple[str, tuple[str, ...]]:
    """(the stem, letters): `下列哪个…？（ B ）` gives its answer in its own brackets; no letters, and the stem as it is, otherwise."""
    match = _IN_BRACKETS.search(stem)
    given = (match["letters"] or match["letters2"]) if match else ""
    letters = sorted({letter for letter in given if letter in LETTERS})
    if match is None or not letters or not set(letters) <= run.letters:
        return stem, ()
    return f"{stem[: match.start()]}（ ）{stem[match.end() :]}", tuple(letters)


_IN_BRACKETS = pattern(
    r"[（【]\s*(?P<letters>[A-H](?:[\s、,，]*[A-H]){0,7})\s*[）】]|(?<=[\s\u3400-\u9fff？?])\(\s*(?P<letters2>[A-H](?:[\s、,，]*[A-H]){0,7})\s*\)(?=\s*[。.]?\s*$)"
)


def _between(page: Page, index: int, after: tuple[int, int], end: tuple[int, int]) -> Sequence[Line]:
    """The lines of a block that stand between two places."""
    lines = page.lines(index)
    first = after[1] + 1 if index == after[0] else 0 if index > after[0] else len(lines)
    return lines[first : end[1] if index == end[0] else len(lines)]


def _stated(page: Page, line: Line, given: tuple[str, str], end: tuple[int, int]) -> Answer:
    below = (other.text.strip() for other in _between(page, line.block, line.place, end))
    own = itertools.takewhile(lambda text: not _is_next_question(text), below)
    rest = [text for text in own if not _VERDICT.fullmatch(text)]
    last = line.block + 1
    while last < end[0] and isinstance(page.blocks[last], Prose | Quote | Code) and _is_explanation(page, last):
        rest.append(markdown_of(page.blocks[last]))
        last += 1
    if not given[1] and not any(rest):
        told = _told_alone(page, line.block, last, end)
        rest += [markdown_of(page.blocks[index]) for index in told]
        last = told.stop if told else last
    explanation = "\n".join(part for part in (_without_echo(given[1]), *rest) if part)
    return Answer(tuple(sorted(set(given[0]))), _unlabelled(explanation), range(line.block, last), line)


def _is_next_question(text: str) -> bool:
    """True for a line that asks and has a number or a label: it explains nothing, whatever it stands below."""
    words = plain(text)
    return ends_asking(words) and (without_number(words) != words or _LABELLED.match(words) is not None)


def explained_below(page: Page, run: Run, following: Run | None, letters: tuple[str, ...]) -> Answer:
    """Why these options are right: a labelled paragraph below them, or what else stands in their section."""
    end = following.lines[0].place if following else (len(page.blocks), 0)
    first = stop = run.blocks.stop
    while stop < end[0] and isinstance(page.blocks[stop], Prose | Quote) and _is_explanation(page, stop):
        stop += 1
    told = range(first, stop) if stop > first else _told_alone(page, run.blocks.start, first, end)
    text = "\n".join(markdown_of(page.blocks[index]) for index in told)
    return Answer(letters, _unlabelled(text), told)


def _told_alone(page: Page, index: int, first: int, end: tuple[int, int]) -> range:
    """The paragraphs that end a section with nothing but one question in it: they can only explain."""
    head = page.heading_above(index)
    stop = first
    most = min(len(page.blocks), first + _MOST_TOLD + 1)
    while stop < most and isinstance(page.blocks[stop], Prose | Quote) and not is_rule(page.blocks[stop]):
        stop += 1
    ends = stop == len(page.blocks) or isinstance(page.blocks[stop], Heading) or is_rule(page.blocks[stop])
    shared = end[0] < len(page.blocks) and page.heading_above(end[0]) == head
    if head is None or page.chat or shared or not ends or not 0 < stop - first <= _MOST_TOLD:
        return range(0)
    texts = [text_of(page.blocks[at]) for at in range(first, stop)]
    return range(0) if any(map(_goes_on, texts)) else range(first, stop)


def _goes_on(text: str) -> bool:
    """True for what is no explanation: it asks, has a blank to fill, or talks."""
    words = plain(text)
    return bool(gap_in(text)) or ends_asking(words) or bool(talk.CHATTER.search(words))


def _hidden(block: Details, run: Run) -> tuple[tuple[str, ...], str] | None:
    text = block.text.strip()
    given = letters_after_label(text) or letters_after_label(f"Answer: {text}") or letters_after_label(block.summary)
    if given and set(given[0]) <= run.letters:
        return tuple(sorted(given[0])), _unlabelled(_without_echo(given[1]))
    letters = judged(f"{text}", run.options, "")
    return (letters, _unlabelled(text)) if letters else None


def _is_explanation(page: Page, index: int) -> bool:
    return bool(wording.EXPLANATION.match(plain(text_of(page.blocks[index]))))


def _without_echo(rest: str) -> str:
    return rest if len(rest) > 3 else ""


def _unlabelled(text: str) -> str:
    return re.sub(
        r"^\W*(?:解析|说明|解释|explanation|reason|why)\s*\**\s*[:：】\]]\s*\**\s*", "", text, flags=re.IGNORECASE
    )
