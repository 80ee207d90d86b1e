"""Multiple choice: options, and the right letters wherever the document gives them.

The answer may be a mark on an option, a line below, a hidden `<details>`, a key at the end, or what the
tutor says after the pupil's turn. A question whose answer is nowhere is reported, never invented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.document import Block, Code, Details, Heading, Items, Prose, Quote, Turn
from deckgen.extract import wording
from deckgen.extract.answer_keys import Answer, Keys, key_below, keys_of
from deckgen.extract.blocks import Line, markdown_of, text_of
from deckgen.extract.key import key
from deckgen.extract.options import Run, runs
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_of, left_of, number_of
from deckgen.extract.replies import judged, letters_after_label
from deckgen.extract.stems import Stem, stem_of
from deckgen.extract.text import plain
from deckgen.extract.told import told_later
from deckgen.note import Choice, Note, Skipped
from deckgen.pattern import pattern
from deckgen.source import Span

_FAR = 12
"""Lines below the options in which another question is looked for."""
_LABELLED = pattern(r"^\W*(?:Q|Question|问题?|题目?|面试题|第)\s*\d*\s*题?\s*\**\s*[:：.、]", re.IGNORECASE)
NO_ANSWER = "a multiple-choice question whose answer the source does not give"
MENU = "a menu of what to do next, not a question"


def choices(page: Page) -> Finds:
    """One note per question that has options and an answer."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    found = runs(page)
    keys = keys_of(page) if found else Keys([], [])
    for at, run in enumerate(found):
        stem = stem_of(page, run, found[at - 1] if at else None)
        span = _span(page, run, stem)
        if run.bare and (wording.TASKS.search(stem.text) or not any(map(_asks, stem.text.split("\n")))):
            continue
        if _is_menu(stem, run):
            skipped.append(Skipped(span, MENU))
            used.update(run.blocks)
            continue
        answer = _answer(page, run, found[at + 1 : at + 2], found, keys)
        if answer is None:
            skipped += _unanswered(stem, span, run)
            if wording.ASKS.search(stem.text):
                used.update(run.blocks, stem.blocks)
                _take(page, run, taken)
            continue
        notes.append(_note(page, run, stem, answer, span))
        used.update(run.blocks, stem.blocks, _told(page, answer.blocks))
        _take(page, run, taken)
    left = left_of(page, {index: [*items_of(page, index, parts)] for index, parts in taken.items()})
    left |= {index: tail for index, tail in _tails(page, found) if index in used}
    return Finds(tuple(notes), tuple(skipped), frozenset(used - left.keys()), left)


def _take(page: Page, run: Run, taken: dict[int, list[int]]) -> None:
    """The parts of a list that are a quiz's own: what asks below it is another question."""
    begin, first, last = _place(page, run)
    if not begin:
        return
    mine = taken.setdefault(run.lines[0].block, [])
    if first == last:
        mine.append(first)
    else:
        stop = _next_question(page, run)
        mine += range(mine[-1] + 1 if mine else 0, len(begin) if stop is None else stop)


def _place(page: Page, run: Run) -> tuple[Sequence[int], int, int]:
    """Where the parts of the list begin that holds all options, and the numbers of the first and last part of these."""
    index = run.lines[0].block
    if not isinstance(page.blocks[index], Items) or run.lines[-1].block != index:
        return (), 0, 0
    begin = page.part_starts(index)
    return begin, number_of(begin, run.lines[0].at), number_of(begin, run.lines[-1].at)


def _next_question(page: Page, run: Run) -> int | None:
    """Number of the first part of a list that is another question's."""
    begin, first, last = _place(page, run)
    index = run.lines[-1].block
    if first == last:
        return last + 1 if last + 1 < len(begin) else None
    asks = (at for at in range(last + 1, len(begin)) if _asks(page.lines(index)[begin[at]].text))
    return next(asks, None)


def _labelled_below(page: Page, run: Run) -> Line | None:
    """In the paragraph of the options, the line of the next question that is labelled as one: `Q2: ...`."""
    last = run.lines[-1]
    if not isinstance(page.blocks[last.block], Prose):
        return None
    below = page.lines(last.block)[last.at + 1 : last.at + 1 + _FAR]
    return next((line for line in below if _LABELLED.match(line.text) and _asks(line.text)), None)


def _tails(page: Page, found: Sequence[Run]) -> Iterator[tuple[int, Block]]:
    """What is left of paragraphs below their last options: other questions."""
    for index, run in {run.lines[-1].block: run for run in found}.items():
        line, block = _labelled_below(page, run), page.blocks[index]
        if line and isinstance(block, Prose):
            text = "\n".join(block.text.split("\n")[line.at :])
            yield index, Prose(Span(block.span.start + line.at, block.span.stop), text)


def _asks(text: str) -> bool:
    return bool(wording.QUESTION.search(text.strip()))


def _told(page: Page, blocks: range) -> list[int]:
    """A quote in an explanation may still be a card of its own."""
    return [index for index in blocks if not isinstance(page.blocks[index], Quote)]


def _note(page: Page, run: Run, stem: Stem, answer: Answer, span: Span) -> Note:
    at = stem.blocks.start if stem.blocks else run.blocks.start
    shown, path = (_above_the_quiz(headings) for headings in (page.context(at), page.path(at)))
    body = Choice(stem=stem.text, options=run.options, right=tuple(answer.letters), explanation=answer.explanation)
    return page.note(body, span, at, key(path, stem.text), headings=shown)


def _above_the_quiz(headings: tuple[str, ...]) -> tuple[str, ...]:
    return headings[:-1] if headings and wording.QUIZ.search(plain(headings[-1])) else headings


def _unanswered(stem: Stem, span: Span, run: Run) -> list[Skipped]:
    """Lettered lists that ask nothing (an outline A, B, C) are none of our business."""
    asks = wording.ASKS.search(stem.text) and not run.framed
    return [Skipped(span, NO_ANSWER)] if asks else []


def _is_menu(stem: Stem, run: Run) -> bool:
    menu = wording.MENU.search(plain(stem.text))
    return bool(menu) or (run.framed and not wording.ASKS.search(stem.text))


def _span(page: Page, run: Run, stem: Stem) -> Span:
    """From the stem, or the `Question 1:` above it, to the last option."""
    last = run.lines[-1].number + 1 + run.options[-1].text.count("\n")
    first = stem.blocks.start if stem.blocks else run.blocks.start
    above = page.blocks[first - 1] if first else None
    opens = stem.first_line <= page.blocks[first].span.start
    if opens and isinstance(above, Heading) and wording.QUIZ.search(plain(above.text)):
        return above.span | Span(stem.first_line, last)
    return Span(min(stem.first_line, run.lines[0].number), last)


def _answer(page: Page, run: Run, following: Sequence[Run], found: Sequence[Run], keys: Keys) -> Answer | None:
    if run.marked:
        return Answer(run.marked, "", range(0))
    stated = _stated_below(page, run, following[0] if following else None)
    if stated:
        return stated
    key = key_below(page, run, found, keys)
    stop = following[0].blocks.start if following else len(page.blocks)
    return key or (told_later(page, run, stop, found) if page.chat else None)


def _stated_below(page: Page, run: Run, following: Run | None) -> Answer | None:
    """`答案：B`, `**Answer:** C) because...` or a hidden answer, before the next question or turn."""
    end = following.lines[0].place if following else (len(page.blocks), 0)
    last = run.lines[-1].block
    another = _next_question(page, run)
    end = end if another is None else min(end, (last, page.part_starts(last)[another]))
    labelled = _labelled_below(page, run)
    end = min(end, labelled.place) if labelled else end
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


def _between(page: Page, index: int, after: tuple[int, int], end: tuple[int, int]) -> Sequence[Line]:
    """The lines of a block that stand between two places."""
    lines = page.lines(index)
    first = after[1] + 1 if index == after[0] else 0 if index > after[0] else len(lines)
    return lines[first : end[1] if index == end[0] else len(lines)]


def _stated(page: Page, line: Line, given: tuple[str, str], end: tuple[int, int]) -> Answer:
    rest = [other.text.strip() for other in _between(page, line.block, line.place, end)]
    last = line.block + 1
    while last < end[0] and isinstance(page.blocks[last], Prose | Quote | Code) and _is_explanation(page, last):
        rest.append(markdown_of(page.blocks[last]))
        last += 1
    explanation = "\n".join(part for part in (_without_echo(given[1]), *rest) if part)
    return Answer(tuple(sorted(given[0])), _unlabelled(explanation), range(line.block, last))


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
