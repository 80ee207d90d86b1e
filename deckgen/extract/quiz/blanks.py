"""Fill-ins and numbered recap questions, with their answers.

In a chat the answer is what the tutor says under each number, or the pupil's own once the tutor has called it right. In notes it
stands behind the blank, on the next line, in a fold, or in a key at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.blocks import Line
from deckgen.extract.page import Finds, Page, left_of
from deckgen.extract.prompts import prompt
from deckgen.extract.quiz.answers import fold_of
from deckgen.extract.quiz.keys import Key, answers_by, answers_on, key_below, keys_of, number_above, number_borne
from deckgen.extract.quiz.notations import ANSWER, GAP, MAY_BE_GAP, TRUE_FALSE, gap_in, gaps, judged_on_line, verdict_of
from deckgen.extract.quiz.options import cleaned
from deckgen.extract.quiz.replies import exchange_after, key_of_one, key_told, told_blocks, verdict_told
from deckgen.extract.text import is_chinese, plain, width, without_emoji, without_number
from deckgen.model.document import Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Basic, Cloze, Hole, Note, Skipped
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

NO_KEY = "a blank whose answer the source does not give"
NO_VERDICT = "a true-or-false question whose answer the source does not give"
_STATED = pattern(
    rf"[（(【\[]?\s*\**{ANSWER}\**\s*(?:是|为|is|[:：])\s*\**\s*(?P<key>(?:[^（(）)】\]]|[（(][^（()）]*[）)])+)[）)】\]]?",
    re.IGNORECASE,
)
"""`(answer: x)` behind a blank, `**Answer:** x` below it."""
_LEAD = pattern(r"^\W*«quiz.kind»\s*\d*\s*(?:[)）】][\s.、:：]*|(?:\*\*)?\s*[:：.，,])(?:\*\*(?!\S))?\s*")
"""`填空题：`, `Fill in the blank:` before an exercise."""
_HINT = pattern(r"\s*[（(]\s*«quiz.kind»\s*[）)]\s*$")
_WRAPPED = 60
"""Columns from which a line may have been broken to fit a page."""
_NAME_FIRST = pattern(
    r"(?P<name>`[^`]+`|[A-Za-z_][\w.]*(?:\([^()]*\))?)\s*(?:[。，；！：（—].*[\u3400-\u9fff]{4}|[,;:(.]\s+[a-z]+ [a-z]+ [a-z])"
)
"""An answer that begins with its name and goes on in words."""
_ONLY_LETTER = pattern(r"\W*[A-H]\W*")
_FIRST_OPTION = pattern(r"\sA[.)、．:：]\s")
_STATED_LABEL = pattern(rf"^\W*{ANSWER}\W*", re.IGNORECASE)
_PLACE = pattern(
    r"\s*[（(](?:[\s\u3000_]*|\s*(?:对|√|T|True|正确)\s*[/／|]\s*(?:错|×|F|False|错误)\s*)[)）]\s*[。.]?\s*$",
    re.IGNORECASE,
)
"""Where the verdict goes: `（ ）`, `（对 / 错）`."""
_CALLED = pattern(r"[A-Za-z_][\w.]*(?:\(.*\))?")


class Exercise(NamedTuple):
    """A line that wants to be filled in or answered."""

    number: int
    """As it bears; 0 without one."""
    text: str
    line: int
    block: int
    following: Line | None
    """The line below it in its block."""
    item: int | None = None
    """Its number among the items of a list."""
    judge: bool = False
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
    for found in groups:
        numbered = [exercise for exercise in found if exercise.number]
        group = numbered if page.chat and numbered else found
        told = _told(page, group)
        exchange = exchange_after(page, group[-1].block) if told else None
        used.update(told_blocks(page, exchange.reply) if exchange else ())
        stated = {**_in_key(page, group, keys), **_stated(page, group)}
        for exercise in group:
            key, block = stated.get(exercise, (told.get(exercise, ""), exercise.block))
            note = _note(page, exercise, key) if key else None
            if exercise.item is not None and (note or exercise.wants_answer):
                taken.setdefault(exercise.block, []).append(exercise.item)
            if note:
                notes.append(note)
                used.update((exercise.block, block))
            elif exercise.wants_answer:
                used.update([exercise.block] if exercise.judge else ())  # it may be false
                skipped.append(
                    Skipped(line_span(exercise.line), NO_VERDICT if exercise.judge else NO_KEY, unanswered=True)
                )
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
    if isinstance(block, Items):
        for at, item in enumerate(block.items):
            text = " ".join(item.text.split())
            judge = TRUE_FALSE.match(without_emoji(text))
            if judge or (judged and item.depth == 0 and not gap_in(text)):
                text = judge["text"] if judge else text
                number = int(item.number) if item.number.isdigit() else at + 1
                yield Exercise(number, text, item.span.start, index, None, at, judge=True)
            elif gap_in(text) or (item.number.isdigit() and _asks(page, text)):
                yield Exercise(int(item.number) if item.number.isdigit() else 0, text, item.span.start, index, None, at)
        return
    lines = list(_unwrapped(page.lines(index)))
    for at, (line, following) in enumerate(zip_longest(lines, lines[1:])):
        text = without_emoji(line.text)
        borne = number_borne(text)
        asked = borne.rest.strip() if borne else ""
        judge = TRUE_FALSE.match(text)
        if judge or (judged and (borne or not at) and not gap_in(text)):
            statement = judge["text"] if judge else asked or text
            yield Exercise(borne.number if borne else 0, statement, line.number, index, following, judge=True)
        elif borne and asked and (gap_in(asked) or _asks(page, asked)):
            yield Exercise(borne.number, asked, line.number, index, following)
        elif not asked and gap_in(text) and not talk.CHATTER.search(text):
            yield Exercise(0, text, line.number, index, following)


def _is_put_to_judge(page: Page, index: int) -> bool:
    """Right below a heading or a lone line that says nothing but `二、判断题（每题 2 分）` or `True or False?`."""
    above = page.blocks[index - 1] if index else None
    text = above.text.strip() if isinstance(above, Heading | Prose) else "\n"
    parts = [part.strip() for part in re.split("[（()）.:：—]", without_number(plain(text)))]
    return "\n" not in text and any(wording.ONLY_JUDGE.fullmatch(part) for part in parts)


def _asks(page: Page, text: str) -> bool:
    """In a chat a question with a number wants an answer too."""
    return page.chat and bool(wording.QUESTION.search(text.strip()) or _HINT.search(text))


def _unwrapped(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines, with one that was broken in the middle of a sentence with a blank joined to the next."""
    held: Line | None = None
    for line in lines:
        if held is not None and _breaks_off(held.text, line.text):
            apart = "" if is_chinese(held.text[-1:] + line.text[:1]) else " "
            held = held._replace(text=f"{held.text.rstrip()}{apart}{line.text.strip()}")
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _breaks_off(text: str, following: str) -> bool:
    if not (MAY_BE_GAP.search(text) or MAY_BE_GAP.search(following)) or text.endswith("  "):
        return False
    if number_borne(without_emoji(following)) or _STATED.match(following.strip().lstrip("*-> ")):
        return False
    first = following.strip()[:1]
    ended = re.search(r"[。！？；.!?;:：）)]\s*$", text)
    return (first.islower() or is_chinese(first) or first == "`") and bool(
        re.search(r"[，,、]\s*$", text) or (width(text) >= _WRAPPED and not ended)
    )


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
        if key and not _ONLY_LETTER.fullmatch(key):
            told[one] = key
    return told


def _in_key(page: Page, group: Sequence[Exercise], keys: Sequence[Key]) -> dict[Exercise, tuple[str, int]]:
    """The answers that stand in a key at the end, by the numbers of the exercises."""
    found: dict[Exercise, tuple[str, int]] = {}
    for exercise in group:
        key = key_below(page, exercise.block + 1, keys) if exercise.number and exercise.wants_answer else None
        entry = key.under(exercise.number, 0, 1) if key else None
        if entry and entry.text.strip():
            found[exercise] = entry.text.strip().partition("\n")[0].strip(" .。"), entry.block
    return found


def _stated(page: Page, group: Sequence[Exercise]) -> dict[Exercise, tuple[str, int]]:
    """(answer, its block) of each exercise that has one below it; one line below several is dealt out, or is nobody's."""
    found: dict[Exercise, tuple[str, int]] = {}
    together: list[Exercise] = []
    for at, exercise in enumerate(group, 1):
        if not exercise.wants_answer:
            continue
        stated = _stated_for(page, exercise)
        if stated and _ONLY_LETTER.fullmatch(stated[0]) and _FIRST_OPTION.search(exercise.text):
            continue  # the options are damaged
        if stated and (stated[1] == exercise.block or exercise.judge):
            found[exercise] = stated
            together = []
            continue
        together = [*together, exercise] if together and exercise.block - together[-1].block <= 1 else [exercise]
        text, block = stated or ("", 0)
        entries = answers_on(text)
        if not text:
            continue
        if len(entries) > 1:
            own = [entry for number, entry in entries if number == (exercise.number or at)]
            found[exercise] = own[0].strip(" .。") if len(own) == 1 else "", block
            continue
        phrases = phrases_of(text, sum(len(gaps(one.text)) for one in together))
        alone = len(together) == 1 or together[-2].block != exercise.block
        if len(together) > 1 and not phrases and alone and len(phrases_of(text, len(gaps(exercise.text)))):
            found[exercise] = stated or ("", 0)
        for one in together[:-1]:
            found.pop(one, None)
        for one in together if phrases or len(together) == 1 else ():
            count = len(gaps(one.text))
            found[one] = "; ".join(phrases[:count]) if len(together) > 1 else text, block
            phrases = phrases[count:]
    return found


def _stated_for(page: Page, exercise: Exercise) -> tuple[str, int] | None:
    """`（答案：autograd）` behind the blank or on the next line, or what is hidden below it."""
    marks = " *" if exercise.judge else " *。."
    here = _STATED.search(exercise.text)
    if exercise.judge and (verdict := judged_on_line(exercise.text)[1]):
        return verdict, exercise.block
    if here:
        return here["key"].strip(marks), exercise.block
    below = page.blocks[exercise.block + 1] if exercise.block + 1 < len(page.blocks) else None
    fold = fold_of(below) if below and not exercise.following else None
    if fold and wording.REVEAL.match(plain(fold[0])):
        return fold[1].partition("\n")[0].strip(marks), exercise.block + 1
    following = exercise.following or (page.lines(exercise.block + 1)[:1] or [None])[0] if below else exercise.following
    if exercise.judge and following and verdict_of(following.text) and not TRUE_FALSE.match(following.text):
        return following.text.strip(), following.block
    match = (
        _STATED.match(following.text.strip().lstrip("*-> ")) if following and not isinstance(below, Heading) else None
    )
    return (match["key"].strip(marks), following.block) if match and following else None


def _judged(page: Page, exercise: Exercise, key: str) -> Note | None:
    """A statement put up for judgement: it is asked for, never taught as it stands."""
    verdict = verdict_of(_STATED_LABEL.sub("", key))
    if verdict is None or verdict_of(verdict[1]):
        return None  # verdicts in a row, for several statements
    language = page.document.language
    text = _PLACE.sub("", judged_on_line(exercise.text)[0]).strip(" *")
    told = prompt(language, "true" if verdict[0] else "false")
    body = Basic(prompt=f"{text} — {prompt(language, 'judge')}", answer="\n\n".join(filter(None, (told, verdict[1]))))
    return page.note(body, line_span(exercise.line), exercise.block, text)


def _note(page: Page, exercise: Exercise, key: str) -> Note | None:
    if exercise.judge:
        return _judged(page, exercise, key)
    stated = _STATED.search(exercise.text)
    text = re.sub(r"\s+(?=[.。，,]|$)", "", _STATED.sub("", exercise.text)) if stated else exercise.text
    text = _LEAD.sub("", cleaned([_LEAD.sub("", without_emoji(text))])).strip()
    named = _NAME_FIRST.match(key) if len(gaps(text)) == 1 else None
    key = named["name"] if named else key
    body = filled(text, key) or Basic(prompt=_HINT.sub("", text), answer=key)
    if isinstance(body, Basic) and len(gaps(text)) > 1:
        return None  # the answer does not fit the blanks
    return page.note(body, line_span(exercise.line), exercise.block, GAP.sub("__", text))


def filled(text: str, key: str) -> Cloze | None:
    """The text with its blanks filled in, a hole over each; None if the answer does not fit the blanks."""
    places = gaps(text)
    values = (
        [key] if len(places) == 1 else phrases_of(key, len(places)) or re.split(r"\s*[、,，;；/]\s*|\s+", key.strip())
    )
    if not places or len(values) != len(places):
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
    name = value.strip() if _CALLED.fullmatch(value.strip()) else plain(value).strip()
    given = re.split(r"\\?_", place[0], maxsplit=1)[0]
    if text[: place.start()].count("`") % 2 == 0:  # not in code
        code = _CALLED.fullmatch(name) and "`" not in value
        return given, name.removeprefix(given) if given else f"`{name}`" if code else value
    if given and name.startswith(given):
        rest = name[len(given) :]
        shown = given + "_" * (len(rest) - len(rest.lstrip("_")))
        return (shown, name[len(shown) :]) if len(shown) < len(name) else ("", name)
    return given, name
