"""Fill-ins and numbered recap questions, with their answers.

In a chat the answer is what the tutor says under each number, or the pupil's own once the tutor has called it right. In notes it
stands behind the blank, on the next line, in a fold, or in a key at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from deckgen.extract.blocks import Line
from deckgen.extract.key import NAME
from deckgen.extract.labels import ANSWER, Kind, labels
from deckgen.extract.page import Finds, Page, left_of
from deckgen.extract.quiz.answers import fold_of
from deckgen.extract.quiz.keys import Key, answers_by, answers_on, key_below, keys_of, number_above
from deckgen.extract.quiz.notations import blank, gap_in, gaps, judged_on_line, verdict_of
from deckgen.extract.quiz.options import cleaned
from deckgen.extract.quiz.replies import exchange_after, key_of_one, key_told, told_blocks, verdict_told
from deckgen.extract.text import plain, without_emoji, without_number
from deckgen.lexicon import prompt
from deckgen.model.document import Block, Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Basic, Cloze, Hole, Note, Skipped
from deckgen.model.source import line_span
from deckgen.text.pattern import HAN, pattern

NO_KEY = "a blank whose answer the source does not give"
NO_VERDICT = "a true-or-false question whose answer the source does not give"
_STATED = pattern(
    rf"[（(【\[]?\s*\**{ANSWER}\**\s*(?:«grammar.is»|[:：])\s*\**\s*(?P<key>(?:`[^`\n]*`|[^（(）)】\]]|[（(][^（()）]*[）)])+)[）)】\]]?",
    re.IGNORECASE,
)
"""`(answer: x)` behind a blank, `**Answer:** x` below it."""
_WHOLE_SPAN = pattern(r"^`([^`]*)`$")
_LEAD = pattern(r"^\W*«quiz.kind»\s*\d*\s*(?:[)）】][\s.、:：]*|(?:\*\*)?\s*[:：.，,])(?:\*\*(?!\S))?\s*")
"""`填空题：`, `Fill in the blank:` before an exercise."""
_HINT = pattern(r"\s*[（(]\s*«quiz.kind»\s*[）)]\s*$")
_NAME_FIRST = pattern(
    rf"(`[^`]+`|[A-Za-z_][\w.]*(?:\([^()]*\))?)\s*(?:[。，；！：（—].*[{HAN}]{{4}}|[,;:(.]\s+[a-z]+ [a-z]+ [a-z])"
)
"""An answer that begins with its name and goes on in words."""
_ONLY_LETTER = pattern(r"\W*[A-H]\W*")
_BOLD_MARK = pattern(r"(?<![*`])\*\*(?![*`])|(?<!\*)\*\*(?=`)|(?<=`)\*\*(?!\*)")
_WORD = pattern(r"\w")
_PLACE = pattern(r"\s*[（(][\s_]*[)）][\s。.]*$")
"""Where the verdict goes: `（ ）`."""


class Exercise(NamedTuple):
    """A line that wants to be filled in or answered."""

    number: int
    """As it bears; 0 without one."""
    text: str
    line: int
    block: int
    following: Line | None
    """The line below it in its block."""
    item: int | None
    """Its number among the items of a list."""
    judge: bool
    """It is a statement to be called true or false."""

    @property
    def wants_answer(self) -> bool:
        return self.judge or gap_in(self.text) is not None


def blanks(page: Page) -> Finds:
    """A cloze for each line with a blank, a Basic note for each recap question, where the answer is given."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    groups = list(_groups(page))
    keys = keys_of(page) if groups and not page.chat else []
    for group in groups:
        told = _told(page, group)
        exchange = exchange_after(page, group[-1].block) if told else None
        used.update(told_blocks(page, exchange.reply) if exchange else ())
        stated = {**_in_key(page, group, keys), **_stated(page, group)}
        for exercise in group:
            key, block = stated.get(exercise, (told.get(exercise, ""), exercise.block))
            note = None if _ONLY_LETTER.fullmatch(key) else _note(page, exercise, key)
            if exercise.item is not None and (note or exercise.wants_answer):
                taken.setdefault(exercise.block, []).append(exercise.item)
            if note:
                notes.append(note)
                used.update((exercise.block, block))
            elif exercise.wants_answer:
                used.update([exercise.block] if exercise.judge else ())  # it may be false
                reason = NO_VERDICT if exercise.judge else NO_KEY
                skipped.append(Skipped(line_span(exercise.line), reason, unanswered=True))
    left = left_of(page, taken)
    return Finds(tuple(notes), tuple(skipped), frozenset((used | taken.keys()) - left.keys()), left)


def _groups(page: Page) -> Iterator[list[Exercise]]:
    """Exercises that are answered together: those of one turn, or of one section, that count on."""
    group: list[Exercise] = []
    for index, block in enumerate(page.blocks):
        if isinstance(block, Turn):
            yield from [group] if group else []
            group = []
        elif isinstance(block, Prose | Quote | Items) and page.free(index):
            found = list(_exercises(page, index, block))
            goes_on = (
                group
                and found
                and not (group[-1].number or found[0].number)
                and (page.chat or group[-1].block == index - 1)
            )
            if found and group and found[0].number <= group[-1].number and not goes_on:
                yield group
                group = []
            group += found
    yield from [group] if group else []


def _exercises(page: Page, index: int, block: Prose | Quote | Items) -> Iterator[Exercise]:
    judged = _is_put_to_judge(page, index)
    for at, (number, text, line, following) in enumerate(_lines(page, index, block)):
        judge = labels(text).found(Kind.TRUE_FALSE)
        if judged and not judge and Kind.ANSWER_OR_REASON in labels(text):
            continue  # the verdict of the statement above
        counted = number or (at + 1 if isinstance(block, Items) else 0)
        item = at if isinstance(block, Items) else None
        if judge or (judged and (counted or not at) and not gap_in(text)):
            yield Exercise(counted, judge["text"] if judge else text, line, index, following, item, judge=True)
        elif (gap_in(text) and (number or item is not None or Kind.TALK not in labels(text))) or (
            number and page.chat and (Kind.QUESTION in labels(text) or _HINT.search(text))
        ):
            yield Exercise(number, text, line, index, following, item, judge=False)


def _lines(page: Page, index: int, block: Block) -> Iterator[tuple[int, str, int, Line | None]]:
    """(number, text, line of the source, the line below) of each item of a list, and of each line of other blocks."""
    if isinstance(block, Items):
        for item in block.items:
            yield item.ordinal or 0, " ".join(item.text.split()), item.span.start, None
        return
    lines = page.lines(index)
    for line, following in zip_longest(lines, lines[1:]):
        borne = labels(text := without_emoji(line.text)).number
        yield borne.number if borne else 0, borne.rest.strip() if borne else text, line.number, following


def _is_put_to_judge(page: Page, index: int) -> bool:
    """Right below a heading or a lone line that says nothing but `二、判断题（每题 2 分）` or `True or False?`."""
    above = page.blocks[index - 1] if index else None
    text = above.text.strip() if isinstance(above, Heading | Prose) else "\n"
    if "\n" in text:
        return False
    parts = re.split("[（()）.:：—]", without_number(plain(text)))
    return any(Kind.JUDGING in labels(part) for part in parts)


def _told(page: Page, group: Sequence[Exercise]) -> dict[Exercise, str]:
    """What the tutor's reply says is the answer of each exercise of a turn."""
    exchange = exchange_after(page, group[-1].block) if page.chat else None
    if exchange is None:
        return {}
    first = group[0]
    above = number_above(page, first.block) if page.heading_above(first.block) == first.block - 1 else None
    numbers = [one.number or (above if above and len(group) == 1 else at) for at, one in enumerate(group, 1)]
    given = answers_by(exchange.said, numbers) or answers_by(exchange.said, range(1, numbers[-1] + 1))
    if len(given) > len(group) and not (first.number or above):
        return {}  # nobody knows which answer is whose
    told: dict[Exercise, str] = {}
    for one, number in zip(group, numbers, strict=True):
        said = given.get(number, exchange.said if len(group) == 1 else "")
        if one.judge:
            key = verdict_told(page, exchange.reply, one.number, said)
        else:
            key = key_told(page, exchange.reply, number, said) if one.number or len(given) > 1 else ""
            key = key or (key_of_one(page, exchange.reply, said) if len(group) == 1 else "")
        told |= {one: key} if key else {}
    return told


def _in_key(page: Page, group: Sequence[Exercise], keys: Sequence[Key]) -> dict[Exercise, tuple[str, int]]:
    """The answers that stand in a key at the end, by the numbers of the exercises."""
    found: dict[Exercise, tuple[str, int]] = {}
    for exercise in group:
        key = key_below(page, exercise.block + 1, keys) if exercise.number and exercise.wants_answer else None
        if key and (entry := key.under(exercise.number, 0, 1)):
            found[exercise] = entry.text.strip().partition("\n")[0].strip(" .。"), entry.block
    return found


def _stated(page: Page, group: Sequence[Exercise]) -> dict[Exercise, tuple[str, int]]:
    """(answer, its block) of each exercise that has one of its own, or under its number; one line below several is nobody's."""
    found: dict[Exercise, tuple[str, int]] = {}
    waiting: list[Exercise] = []
    for exercise in group:
        if not exercise.wants_answer:
            continue
        near = waiting if waiting and exercise.block - waiting[-1].block <= 1 else []
        waiting = [*near, exercise]
        stated = _stated_for(page, exercise)
        if stated is None:
            continue
        entries = dict(answers_on(stated[0]))
        if len(entries) > 1:
            found |= {one: (entries[one.number].strip(" .。"), stated[1]) for one in waiting if one.number in entries}
        elif len(waiting) == 1 or exercise.judge or _STATED.search(exercise.text):
            found[exercise] = stated
        waiting = []
    return found


def _stated_for(page: Page, exercise: Exercise) -> tuple[str, int] | None:
    """`（答案：autograd）` behind the blank or on the next line, or what is hidden below it."""
    marks = " *" if exercise.judge else " *。."
    if exercise.judge and (verdict := judged_on_line(exercise.text)[1]):
        return verdict, exercise.block
    if here := _STATED.search(exercise.text):
        return here["key"].strip(marks), exercise.block
    if exercise.item is not None and exercise.item + 1 < len(page.item_starts(exercise.block)):
        return None
    below = page.blocks[exercise.block + 1] if exercise.block + 1 < len(page.blocks) else None
    fold = fold_of(below) if below and not exercise.following else None
    if fold and Kind.HIDES_ANSWER in labels(fold[0]).words:
        return fold[1].partition("\n")[0].strip(marks), exercise.block + 1
    following = exercise.following
    if below and not following and not isinstance(below, Heading):
        following = next(iter(page.lines(exercise.block + 1)), None)
    if following is None:
        return None
    if exercise.judge and verdict_of(following.text) and Kind.TRUE_FALSE not in labels(following.text):
        return following.text.strip(), following.block
    label = labels(said := following.text.strip()).found(Kind.DECLARED_ANSWER) if exercise.judge else None
    if label and not _is_option(page, following):
        return said[label.end() :].strip(marks), following.block
    match = _STATED.match(following.text.strip().lstrip("*-> "))
    return (match["key"].strip(marks), following.block) if match else None


def _is_option(page: Page, line: Line) -> bool:
    """True for `A: True` with `B: False` below it."""
    below = (other.text for other in page.lines(line.block) if other.number == line.number + 1)
    return any(_SECOND_OPTION.match(text) for text in below)


_SECOND_OPTION = pattern(r"\W*B\W*[:：.、)]")


def _note(page: Page, exercise: Exercise, key: str) -> Note | None:
    if not key:
        return None
    if exercise.judge:
        return _judged(page, exercise, key)
    text = re.sub(r"\s+(?=[.。，,]|$)", "", _STATED.sub("", without_emoji(exercise.text)))
    text = _LEAD.sub("", cleaned([_LEAD.sub("", text)]))
    named = _NAME_FIRST.match(key) if len(gaps(text)) == 1 else None
    key = named[1] if named else key
    shown = _in_pairs(text)
    body = filled(shown, key) or Basic(prompt=_HINT.sub("", shown), answer=key)
    if isinstance(body, Basic) and (len(gaps(text)) > 1 or not body.prompt.strip()):
        return None  # the answer does not fit the blanks, or is all that there is
    return page.note(body, line_span(exercise.line), exercise.block, blank().sub("__", text))


def _in_pairs(text: str) -> str:
    """The text without a mark of bold type whose other half went with its number or label: `**6. ... ____ first**`."""
    marks = [mark.start() for mark in _BOLD_MARK.finditer(text)]
    if len(marks) % 2 == 0:
        return text
    beside = (at for at in marks if any(at in (gap.start() - 2, gap.end()) for gap in gaps(text)))
    at = marks[-1] if not _WORD.search(text, marks[-1]) else next(beside, marks[-1])
    return (text[:at] + text[at + 2 :]).strip()


def _judged(page: Page, exercise: Exercise, key: str) -> Note | None:
    """A statement put up for judgement: it is asked for, never taught as it stands."""
    verdict = verdict_of(_STATED.sub(r"\g<key>", key))
    if verdict is None or verdict_of(verdict[1]):
        return None  # verdicts in a row, for several statements
    language = page.document.language
    text = _PLACE.sub("", judged_on_line(exercise.text)[0]).strip(" *")
    told = prompt(language, "true" if verdict[0] else "false")
    body = Basic(prompt=f"{text} — {prompt(language, 'judge')}", answer="\n\n".join(filter(None, (told, verdict[1]))))
    return page.note(body, line_span(exercise.line), exercise.block, text)


def filled(text: str, key: str) -> Cloze | None:
    """The text with its blanks filled in, a hole over each; None if the answer does not fit the blanks."""
    places = gaps(text)
    values = [key] if len(places) == 1 else phrases_of(key, len(places))
    if not values:
        return None
    made, done = "", 0
    holes: list[Hole] = []
    for place, value in zip(places, values, strict=True):
        shown, hidden = _fitting(text, place, value)
        made += text[done : place.start()] + shown
        holes.append(Hole(len(holes) + 1, len(made), len(made) + len(hidden)))
        made += hidden
        done = place.end()
    return Cloze(text=made + text[done:], holes=tuple(holes))


def phrases_of(key: str, wanted: int) -> list[str]:
    """The phrases between the commas of an answer, whatever stands in brackets being one; none if they are not as many."""
    for separators in (";；", ";；,，、"):
        parts = re.findall(rf"(?:`[^`]*`|\([^()]*\)|[^`({separators}]|[`(])+", key)
        phrases = [part.strip() for part in parts if part.strip()]
        if len(phrases) == wanted:
            return phrases
    return []


def _fitting(text: str, place: re.Match[str], value: str) -> tuple[str, str]:
    """(what stays visible, what is hidden): of `add_scalar` the blank `add_ ____` hides `scalar`."""
    name = _WHOLE_SPAN.sub(r"\1", value.strip(" *"))
    given = place[0].replace("\\", "").partition("_")[0]
    if given and name.startswith(given):
        shown = given + "_" * (len(name) - len(given) - len(name.removeprefix(given).lstrip("_")))
        return (shown, name[len(shown) :]) if shown != name else ("", name)
    in_code = text[: place.start()].count("`") % 2
    return given, name if given or in_code else f"`{value}`" if NAME.fullmatch(value) else value
