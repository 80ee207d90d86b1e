"""Fill-ins and numbered recap questions, with their keys.

In a chat the key is what the tutor says of each number (`### 2. ...`, a table of scores), or the pupil's
own line once the tutor has called all of it right; typing mistakes come corrected. In notes the key
stands behind the blank, on the next line, or in a key of answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import Line, is_rule, markdown_of
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import left_of
from deckgen.extract.quizzes.answer_keys import number_above
from deckgen.extract.quizzes.answer_lines import answers_on
from deckgen.extract.quizzes.code_blanks import asks_for_blanks, code_filled
from deckgen.extract.quizzes.exercises import HINT, SOLUTION, STATED, Exercise, groups, without_lead
from deckgen.extract.quizzes.gaps import GAP, blanks_in, filled, gap_in, phrases_of
from deckgen.extract.quizzes.judgements import is_judged
from deckgen.extract.quizzes.marked_answers import marked_below
from deckgen.extract.quizzes.pupil_answers import by_numbers, part_of_pupil, parts_of_pupil
from deckgen.extract.quizzes.put_up import asks_to_judge
from deckgen.extract.quizzes.question_numbers import LETTER
from deckgen.extract.quizzes.recaps import key_corrected, key_of_blanks, key_of_one, key_told
from deckgen.extract.quizzes.reply_parts import told_blocks
from deckgen.extract.quizzes.several_pupils import said_alike
from deckgen.extract.quizzes.stems import cleaned
from deckgen.extract.text import plain, squeezed, unescaped, without_emoji
from deckgen.model.document import Code, Details, Quote
from deckgen.model.note import Basic, Note, Skipped
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_NAME_FIRST = pattern(
    r"\s*(?P<name>`[^`]+`|[A-Za-z_][\w.]*(?:\([^()]*\))?)\s*(?:[。，；！：（—]|[,;:(]\s*|\.\s+)(?=.*[\u3400-\u9fff]{4}|.*[a-z]+ [a-z]+ [a-z])",
)
"""A key that begins with its name and goes on in words."""
NO_KEY = "a blank whose answer the source does not give"


def blanks(page: Page) -> Finds:
    """A cloze for each line with a blank, a Basic note for each recap question, where the key is given."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    for found in groups(page):
        numbered = [exercise for exercise in found if exercise.number]
        group = numbered if page.chat and numbered else found
        keys = dict(_keys(page, group))
        used.update(_replied(page, group) if keys else ())
        dealt = _dealt(page, group)
        for exercise in group:
            stated = dealt.get(exercise)
            key = stated.key if stated else keys.get(exercise, "")
            if exercise.item is not None and (key or gap_in(exercise.text)):
                taken.setdefault(exercise.block, []).append(exercise.item)
            if key:
                notes.append(_note(page, exercise, key))
                above = [exercise.block - 1] if isinstance(page.blocks[exercise.block], Code) else []
                used.update([exercise.block, *above, *([stated.block] if stated else [])])
            elif gap_in(exercise.text):
                skipped.append(Skipped(line_span(exercise.line), NO_KEY, unanswered=True))
    left = left_of(page, taken)
    judged = {index for index in used - taken.keys() if any(is_judged(line.text) for line in page.lines(index))}
    return Finds(tuple(notes), tuple(skipped), frozenset((used | taken.keys()) - judged - left.keys()), left)


def _keys(page: Page, group: Sequence[Exercise]) -> Iterator[tuple[Exercise, str]]:
    """(exercise, key) as the tutor's reply tells it."""
    asked, reply = _turns_below(page, group)
    if not page.chat or not reply:
        return
    speakers = [page.blocks[turn].speaker for turn in (asked, reply.start - 1)]  # type: ignore[union-attr] # turns
    if speakers != ["pupil", "tutor"]:
        return
    texts = (markdown_of(page.blocks[i]) for i in range(asked + 1, reply.start - 1) if not is_rule(page.blocks[i]))
    said = unescaped("\n".join(texts))
    said = by_numbers(said) if group[0].number > LETTER else said
    numbered = dict(answer for line in said.split("\n") for answer in answers_on(line))
    number = _number_in_heading(page, group)
    if number in numbered and len(numbered) > 1:
        key = key_told(page, reply, number, numbered[number])
        yield from [(group[0], key)] if key else []
        return
    parts = parts_of_pupil(said, len(group))
    before = group[0].number - 1
    if not parts and before > 0 and group[-1].number == before + len(group) < LETTER:
        parts = parts_of_pupil(said, group[-1].number)[before:]  # others of the turn stand before them
    if len(group) == 1 and not group[0].number:
        parts = parts_of_pupil(said_alike(page, range(asked + 1, reply.start - 1), squeezed), 1)
        own = parts[0] if parts else ""
        by_blank = _by_blank(page, reply, group[0], own)
        key = key_of_one(page, reply, own) if by_blank is None else by_blank
        yield from [(group[0], key)] if key else []
        return
    for at, exercise in enumerate(group):
        own = part_of_pupil(said, exercise.number % LETTER) or (parts[at] if parts else "")
        key = key_told(page, reply, exercise.number or at + 1, own)
        if len(group) == 1 and gap_in(exercise.text):
            by_blank = _by_blank(page, reply, exercise, own)
            key = (key or key_of_one(page, reply, own)) if by_blank is None else by_blank
        if key:
            yield exercise, key


def _by_blank(page: Page, reply: range, exercise: Exercise, said: str) -> str | None:
    """The key where the reply goes through several blanks of one exercise; None where it does not."""
    count = blanks_in(exercise.text)
    given = phrases_of(said, count) or said.split()
    return key_of_blanks(page, reply, given) if count > 1 and len(given) == count else None


def _number_in_heading(page: Page, group: Sequence[Exercise]) -> int | None:
    """The number of a lone exercise right below a heading that counts: `### Quiz 2`."""
    at = group[0].block
    headed = len(group) == 1 and not group[0].number and page.heading_above(at) == at - 1
    return number_above(page, at) if headed else None


def _replied(page: Page, group: Sequence[Exercise]) -> Iterator[int]:
    """Blocks of the reply that go through the answers one by one, from the first number to the last rule; none that puts a statement up."""
    told = told_blocks(page, _turns_below(page, group)[1])
    return (index for index in told if not any(asks_to_judge(line.text) for line in page.lines(index)))


def _turns_below(page: Page, group: Sequence[Exercise]) -> tuple[int, range]:
    """Index of the turn below exercises, and the blocks of the turn after that; no blocks without one."""
    asked = page.turn_after(group[-1].block)
    reply = page.turn_after(asked)
    return asked, range(reply + 1, page.turn_after(reply)) if reply < len(page.blocks) else range(0)


_NAME = r"`?[A-Za-z_][\w.]+`?"
_BEHIND = pattern(rf"(?<=[。.！!])\s*[（(](?P<key>{_NAME}(?:\s*[,，、;；]\s*{_NAME})*)[)）]\s*$")
"""Names in brackets behind the sentence with the blanks; within it they may be a hint."""
_ONLY_CODE = pattern(r"(?:`[^`\n]+`[\s,，、;；]*){1,4}[。.]?")
"""A quote that says nothing but what is to be filled in."""


class _Stated(NamedTuple):
    key: str
    block: int
    """Index of the block that gives it."""


def _stated(page: Page, exercise: Exercise) -> _Stated | None:
    """The key behind the blank or on the next line: `（答案：autograd）`."""
    if not gap_in(exercise.text):
        return None
    here = STATED.search(exercise.text)
    if here:
        return _Stated(here["key"].strip(" *。."), exercise.block)
    behind = _BEHIND.search(exercise.text)
    if behind and len(phrases_of(behind["key"], blanks_in(exercise.text))) == blanks_in(exercise.text):
        return _Stated(behind["key"], exercise.block)
    marked = marked_below(page, (exercise.block, exercise.at))
    if marked:
        key = marked.given if marked.right else key_corrected(marked.told, marked.given)
        return _Stated(key, marked.line.block) if key else None
    below = page.blocks[exercise.block + 1] if exercise.block + 1 < len(page.blocks) else None
    if not exercise.following and isinstance(below, Details) and wording.REVEAL.match(plain(below.summary)):
        return _Stated(below.text.strip().partition("\n")[0].strip(" *。."), exercise.block + 1)
    following = exercise.following or _first_line(page, exercise.block + 1)
    if not exercise.following and isinstance(below, Quote) and (quoted := _ONLY_CODE.fullmatch(below.text.strip())):
        return _Stated(quoted[0].rstrip("。."), exercise.block + 1)
    told = following.text.strip() if following else ""
    match = STATED.match(told.lstrip("*-> ")) or SOLUTION.match(told)
    return _Stated(match["key"].strip(" *。."), following.block) if match and following else None


def _dealt(page: Page, group: Sequence[Exercise]) -> dict[Exercise, _Stated]:
    """The key of each exercise that states one; one line below several is dealt out to all their blanks, or to none."""
    found: dict[Exercise, _Stated] = {}
    above: list[Exercise] = []
    for at, exercise in enumerate(group, 1):
        stated = _stated(page, exercise)
        if above and exercise.block - above[-1].block > 1:
            above = []
        if stated is None:
            above += [exercise] if gap_in(exercise.text) else []
            continue
        own = stated._replace(key=_of_number(stated.key, exercise.number or at))
        alone = stated.block == exercise.block or len(list(answers_on(stated.key))) > 1
        above = [] if alone else [*above, exercise]
        found[exercise] = own
        if len(above) > 1:
            found.update(_shared(above, own))
    return found


def _shared(above: Sequence[Exercise], stated: _Stated) -> Iterator[tuple[Exercise, _Stated]]:
    counts = [blanks_in(one.text) for one in above]
    last = above[-1]
    phrases = phrases_of(stated.key, sum(counts))
    if not phrases and last.block != above[-2].block and phrases_of(stated.key, counts[-1]):
        yield last, stated
        return
    dealt = iter(phrases)
    for one, count in zip(above, counts, strict=True):
        yield one, stated._replace(key="; ".join(islice(dealt, count)))


def _of_number(key: str, number: int) -> str:
    """The entry of one exercise in a key of several: `1. float32 2. ModuleList`."""
    entries = list(answers_on(key))
    if len(entries) < 2:
        return key
    told = [text for at, text in entries if at == number]
    return told[0].strip(" ,，;；.。、") if len(told) == 1 else ""


def _first_line(page: Page, index: int) -> Line | None:
    return next(iter(page.lines(index)), None) if index < len(page.blocks) else None


def _note(page: Page, exercise: Exercise, key: str) -> Note:
    block = page.blocks[exercise.block]
    if isinstance(block, Code):
        return _code_note(page, exercise, block, key)
    text = (
        re.sub(r"\s+(?=[.。，,]|$)", "", STATED.sub("", exercise.text))
        if STATED.search(exercise.text)
        else exercise.text
    )
    text = _BEHIND.sub("", text) if _BEHIND.search(text) and gap_in(text) else text
    text = without_lead(cleaned([without_lead(without_emoji(text))])).strip()
    named = _NAME_FIRST.match(key) if blanks_in(text) == 1 else None
    key = named["name"] if named else key
    body = filled(text, key) or Basic(prompt=HINT.sub("", text), answer=key)
    return page.note(body, line_span(exercise.line), exercise.block, GAP.sub("__", text))


def _code_note(page: Page, exercise: Exercise, block: Code, key: str) -> Note:
    asked = asks_for_blanks(page, exercise.block)
    above = page.blocks[exercise.block - 1].span
    body = code_filled(block.text, key, asked, page.document.language) or Basic(
        prompt=f"{cleaned([asked])}\n\n{markdown_of(block)}", answer=key
    )
    return page.note(body, above | block.span, exercise.block - 1, GAP.sub("__", block.text))
