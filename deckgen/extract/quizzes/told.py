"""Right letters that a tutor tells after the pupil's turn: to one question, or to several by their numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from deckgen.extract import talk
from deckgen.extract.blocks import text_of
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_keys import Answer, number_of
from deckgen.extract.quizzes.explaining import teaching
from deckgen.extract.quizzes.letters import leading_letters, letters_in
from deckgen.extract.quizzes.options import Run
from deckgen.extract.quizzes.ordinals import LAST, with_digits
from deckgen.extract.quizzes.pupil_answers import part_of_pupil
from deckgen.extract.quizzes.question_numbers import EACH, number_borne
from deckgen.extract.quizzes.recaps import all_right
from deckgen.extract.quizzes.replies import judged
from deckgen.extract.quizzes.reply_blocks import explained, head_of, joined, tail_of
from deckgen.extract.quizzes.reply_parts import part_told
from deckgen.extract.quizzes.several_pupils import said_alike
from deckgen.extract.quizzes.stated import stated_below
from deckgen.extract.quizzes.told_tables import letters_in_table
from deckgen.model.document import Prose, Quote
from deckgen.text.pattern import pattern

_JUDGES = pattern(
    r"^\W*(?:is|was|should|错|对|正确|不对|应)[^:：.。!！]{0,60}(?:[:：.。!！]|(?<=[,，]) *(?:because|since|因为))\s*"
    r"|^\W*(?:is|was)\s+(?:in)?correct\W*",
    re.IGNORECASE,
)
"""What is left of `The first one is wrong, it should be B: ...` without its subject and before what it teaches."""
_GIVEN = pattern(
    r"(?<![\w.])(?:(?P<part>\d{1,2})[-–－.])?(?P<number>\d{1,2})\s*题?\s*[.:：、)）=-]?\s*(?:我?(?:选|答|是|猜)|is|->|→)?\s*"
    r"(?P<letters>[A-Ha-h]+(?:\s*(?:[,、/&和]|\band\b)\s*[A-Ha-h](?![a-z]))*)"
)
"""`1B`, `2. A, C`, `3 选 D`"""
TRIES = 3
"""Answers of the pupil to one question."""
_MOST_TOGETHER = 60
"""Questions of one turn."""


def told_later(page: Page, run: Run, stop: int, found: Sequence[Run]) -> Answer | None:
    """What the tutor says after the pupil's turn that follows the options."""
    asked, reply = _turns_after(page, run)
    if asked is None or reply is None:
        return None
    together = _asked_together(page, run, found)
    said = with_digits("\n".join(text_of(page.blocks[i]) for i in range(asked + 1, reply)), len(together))
    several = _gave_several(said, len(together)) or not _is_asked_last(page, run, together)
    if several or _gave_numbers(said, _number_among(page, run, together) if run in together else 1):
        told = _told_by_number(page, run, together, said, reply)
        if told or several:
            return told
    one = said_alike(page, range(asked + 1, reply), lambda text: letters_in(text, run.options))
    tried = _tried(page, run, reply, stop, one)
    if tried is None:
        return _told_by_number(page, run, together, said, reply) if number_of(page, run) else None
    head, letters = tried
    tail = tail_of(page, head.stop, stop)
    explanation = joined([*explained(page, head, run), *explained(page, tail, run)])
    return Answer(letters, explanation, range(head.start - 1, tail.stop if tail else head.stop))


def _is_asked_last(page: Page, run: Run, together: Sequence[Run]) -> bool:
    """True for the only question of its turn, and for the last if those above it are answered where they stand."""
    answered = (other.marked or stated_below(page, other, next_) for other, next_ in pairwise(together))
    return together[-1:] == [run] and all(answered)


def _tried(page: Page, run: Run, reply: int, stop: int, said: str) -> tuple[range, tuple[str, ...]] | None:
    """The head of the reply that tells the letters, and those; after a hint the pupil may try again."""
    for _ in range(TRIES):
        head = head_of(page, reply)
        words = "\n".join(text_of(page.blocks[i]) for i in head if isinstance(page.blocks[i], Prose | Quote))
        letters = judged(words, run.options, letters_in(said, run.options))
        if letters:
            return head, letters
        again = page.turn_after(reply)
        reply = page.turn_after(again)
        if reply >= min(stop, len(page.blocks)):
            return None
        said = said_alike(page, range(again + 1, reply), lambda text: letters_in(text, run.options))
        if not letters_in(said, run.options):
            return None
    return None


def _turns_after(page: Page, run: Run) -> tuple[int | None, int | None]:
    """Indices of the pupil's turn right after the options, and of the tutor's turn after that."""
    asked = page.turn_after(run.blocks.stop - 1)
    reply = page.turn_after(asked)
    if reply == len(page.blocks):
        return None, None
    speakers = [page.blocks[i].speaker for i in (asked, reply)]  # type: ignore[union-attr] # turns
    return (asked, reply) if speakers == ["pupil", "tutor"] else (None, None)


def _gave_numbers(said: str, number: int) -> bool:
    """`quiz 2: call_function`, `quiz 3: C`, or `1B, 2 detach`: answers to exercises of several kinds, each with its number."""
    return sum(number_borne(line) is not None for line in said.split("\n")) > 1 or bool(part_of_pupil(said, number))


def _gave_several(said: str, count: int) -> bool:
    """`1B 2A 3AC`, `B A AC` or `BAC`: answers to several questions at once."""
    numbered = _GIVEN.findall(said)
    words = re.split(r"[\s,，;；、]+", said.strip())
    plain_letters = len(words) == count and all(re.fullmatch(r"[A-Ha-h]{1,8}", word) for word in words)
    run_together = re.fullmatch(rf"[A-Ha-h]{{{count}}}", said.strip()) is not None
    return count > 1 and (len(numbered) >= count or plain_letters or run_together)


def _told_by_number(page: Page, run: Run, together: Sequence[Run], said: str, reply: int) -> Answer | None:
    """Of several questions asked at once, each is answered under its number."""
    if run not in together:
        return None
    number = _number_among(page, run, together)
    if not number:
        return None
    stop = page.turn_after(reply)
    part = part_told(page, range(reply + 1, stop), number)
    if not part and run is together[-1]:
        part = part_told(page, range(reply + 1, stop), LAST)
    words = "\n".join(_uncounted(text) for _, text in part)
    place = together.index(run)
    pupil = letters_in(_given_by_pupil(said, number, place, len(together)), run.options)
    written = letters_in_table(page, range(reply + 1, stop), number, pupil, run.options)
    letters = written or (judged(words, run.options, pupil) if part else ())
    led = leading_letters(words, run.options)
    if not letters and led and set(led) != set(pupil) and (pupil or not talk.DENIES.search(words)):
        letters = tuple(sorted(set(led)))
    if not letters and pupil and all_right(page, range(reply + 1, stop)):
        letters = tuple(sorted(pupil))
    if not letters:
        return None
    taught = (teaching(_JUDGES.sub("", _uncounted(text)), run.options) for _, text in part)
    explanation = "\n".join(told for told in taught if told)
    blocks = [index for index, _ in part]
    return Answer(letters, explanation, range(min(blocks), max(blocks) + 1) if blocks else range(0))


def _uncounted(text: str) -> str:
    """A line without the number that says which question it is about."""
    borne = number_borne(text)
    return borne.rest if borne else text


def _number_among(page: Page, run: Run, together: Sequence[Run]) -> int:
    """The number that a question bears, or its place where none does; 0 if another one bears the same."""
    borne = [number_of(page, other) for other in together]
    at = together.index(run)
    if not any(borne):
        return at + 1
    return borne[at] or 0 if borne.count(borne[at]) == 1 else 0


def _asked_together(page: Page, run: Run, found: Sequence[Run]) -> list[Run]:
    """The questions of the same turn."""
    turn = page.turns[run.blocks.start]
    first = bisect_left(found, turn, key=lambda other: other.blocks.start)
    return [other for other in found[first : first + _MOST_TOGETHER] if page.turns[other.blocks.start] == turn]


def _given_by_pupil(said: str, number: int, place: int, count: int) -> str:
    """The pupil's letters for one of several questions: `2A` of `1B 2A 3AC`, or, by its place, the second of `B A AC`."""
    given = _GIVEN.finditer(said)
    match = next((one for one in given if int(one["number"]) + EACH * int(one["part"] or 0) == number), None)
    if match:
        return match["letters"]
    words = re.findall(r"(?<![A-Za-z])[A-Ha-h]{1,4}(?![A-Za-z])", said)
    letters = words if len(words) == count else list("".join(words))
    return letters[place] if len(letters) == count else ""
