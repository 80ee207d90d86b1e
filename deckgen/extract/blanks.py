"""Fill-ins and numbered recap questions, with their keys.

In a chat the key is what the tutor says of each number (`### 2. ...`, a table of scores), or the pupil's
own line once the tutor has called all of it right; typing mistakes come corrected. In notes the key
stands behind the blank, on the next line, or in a key of answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from deckgen.document import Items, Prose, Quote, Turn
from deckgen.extract import wording
from deckgen.extract.judgements import is_judged
from deckgen.extract.page import Finds, Line, Page, markdown_of
from deckgen.extract.recaps import key_of_one, key_told, parts_of_pupil, told_blocks
from deckgen.extract.text import is_chinese, plain, unescaped, width, without_emoji
from deckgen.note import Basic, Cloze, Hole, Note, Skipped
from deckgen.source import line_span

_BLANK = re.compile(r"[\w.]*(?:\\?_){2,}(?:\s*(?:\\?_)+)*|＿{2,}|[\w.]+_\s(?:\\?_)+|[（(]\s{2,}[）)]")
_NUMBER = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*)?[（(]?(?:Q|"
    r"第)?\s*(?P<number>\d{1,2})\s*题?\s*[.、:：)）]\s*(?:\*\*)?\s*(?P<text>\S.*)$"
)
_MAY_BE_BLANK = re.compile(r"__|_ _|\\_\\_|_ \\_|＿|[（(]\s\s")
"""Cheap to look for, since most lines have nothing of it."""
_STATED = re.compile(
    rf"[（(【\[]?\s*\**(?:{wording.ANSWER_LABEL})\**\s*(?:是|为|is|:|：)\s*\**\s*(?P<key>(?:[^（(）)】\]]|"
    rf"[（(][^（()）]*[）)])+)[）)】\]]?",
    re.IGNORECASE,
)
_DUNDER = re.compile(r"__\w*[^\W_]\w*__")
_LEAD = re.compile(
    r"^\W*(?:(?:填空|简答|问答|思考)题?\s*】|(?:填空题?|fill(?: in)?(?: the (?:blanks?|gaps?))?)\s*\d*\s*[:：.])\s*",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^\W*(?:(?:简答|问答|思考)题?\s*(?:】|[:：])|(?:short answer|open question)\s*\d*\s*[:.])", re.IGNORECASE
)
"""A label before a question that is answered in words."""
_GOES_ON = re.compile(r"[，,、]\s*$")
_WRAPPED = 60
"""Columns from which a line may have been broken to fit a page."""
_HINT = re.compile(r"\s*[（(]\s*(?:填空|fill in(?: the blanks?)?)\s*[）)]\s*$", re.IGNORECASE)


class Exercise(NamedTuple):
    """A line that wants to be filled in or answered."""

    number: int
    """As it bears; 0 without one."""
    text: str
    line: int
    block: int
    following: Line | None
    """The line below it in its block."""


def blanks(page: Page) -> Finds:
    """A cloze for each line with a blank, a Basic note for each recap question, where the key is given."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for found in _groups(page):
        numbered = [exercise for exercise in found if exercise.number]
        group = numbered if page.chat and numbered else found
        keys = dict(_keys(page, group))
        used.update(_replied(page, group) if keys else ())
        for exercise in group:
            stated = _stated(page, exercise)
            key = stated.key if stated else keys.get(exercise, "")
            if key:
                notes.append(_note(page, exercise, key))
                used.update([exercise.block, *([stated.block] if stated else [])])
            elif _blank_in(exercise.text):
                skipped.append(Skipped(line_span(exercise.line), "a blank whose answer the source does not give"))
    judged = {index for index in used if any(is_judged(line.text) for line in page.lines(index))}
    return Finds(tuple(notes), tuple(skipped), frozenset(used - judged))


# The exercises.


def _groups(page: Page) -> Iterator[list[Exercise]]:
    """Exercises that are answered together: those of one turn, or of one section."""
    group: list[Exercise] = []
    for index, block in enumerate(page.blocks):
        if isinstance(block, Turn):
            yield from [group] if group else []
            group = []
        elif isinstance(block, Prose | Quote | Items) and page.free(index):
            found = list(_exercises(page, index))
            if found and group and found[0].number <= group[-1].number:
                yield group
                group = []
            group += found
    yield from [group] if group else []


def _exercises(page: Page, index: int) -> Iterator[Exercise]:
    block = page.blocks[index]
    if isinstance(block, Items):
        for item in block.items:
            text = " ".join(item.text.split())
            if item.number.isdigit() and _wants_answer(page, text):
                yield Exercise(int(item.number), text, item.span.start, index, None)
            elif _blank_in(text) and not item.number:
                yield Exercise(0, text, item.span.start, index, None)
        return
    lines = list(_unwrapped(page.lines(index)))
    for line, following in zip_longest(lines, lines[1:]):
        text = without_emoji(line.text)
        match = _NUMBER.match(text)
        if match and _wants_answer(page, match["text"]):
            yield Exercise(int(match["number"]), match["text"].strip(), line.number, index, following)
        elif not match and (_asks_openly(page, text) or (_blank_in(text) and not wording.CHATTER.search(text))):
            yield Exercise(0, text, line.number, index, following)


def _asks_openly(page: Page, text: str) -> bool:
    return page.chat and bool(_OPEN.match(text) and wording.QUESTION.search(text.strip()))


def _unwrapped(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines, with one that was broken in the middle of a sentence joined to the next; only where a blank is near."""
    held: Line | None = None
    for line in lines:
        if held is not None and _breaks_off(held.text, line.text):
            apart = "" if is_chinese(held.text[-1:] + line.text[:1]) or held.text.endswith("，") else " "
            held = held._replace(text=f"{held.text.rstrip()}{apart}{line.text.strip()}")
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _breaks_off(text: str, following: str) -> bool:
    if not (_MAY_BE_BLANK.search(text) or _MAY_BE_BLANK.search(following)) or text.endswith("  "):
        return False
    if _NUMBER.match(without_emoji(following)) or _STATED.match(following.strip().lstrip("*-> ")):
        return False
    first = following.strip()[:1]
    goes_on = first.islower() or is_chinese(first) or first == "`"
    ended = re.search(r"[。！？；.!?;:：）)]\s*$", text)
    return goes_on and bool(_GOES_ON.search(text) or (width(text) >= _WRAPPED and not ended))


def _wants_answer(page: Page, text: str) -> bool:
    asks = wording.QUESTION.search(text.strip()) or _HINT.search(text)
    return bool(_blank_in(text)) or (page.chat and bool(asks))


def _blank_in(text: str) -> re.Match[str] | None:
    """The first blank; `__init__` is a name, and so is `add_`."""
    if not _MAY_BE_BLANK.search(text):
        return None
    for match in _BLANK.finditer(text):
        inside = _word_around(text, match.start(), match.end())
        if not _DUNDER.fullmatch(unescaped(inside)):
            return match
    return None


def _word_around(text: str, start: int, stop: int) -> str:
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_\\"):
        start -= 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] in "_\\"):
        stop += 1
    return text[start:stop]


# The keys.


def _keys(page: Page, group: Sequence[Exercise]) -> Iterator[tuple[Exercise, str]]:
    """(exercise, key) as the tutor's reply tells it."""
    turns = [i for i in range(group[-1].block, len(page.blocks)) if isinstance(page.blocks[i], Turn)]
    if not page.chat or len(turns) < 2:
        return
    speakers = [page.blocks[turn].speaker for turn in turns[:2]]  # type: ignore[union-attr] # turns
    if speakers != ["pupil", "tutor"]:
        return
    stop = turns[2] if len(turns) > 2 else len(page.blocks)
    reply = range(turns[1] + 1, stop)
    said = "\n".join(markdown_of(page.blocks[i]) for i in range(turns[0] + 1, turns[1]))
    parts = parts_of_pupil(unescaped(said), len(group))
    if len(group) == 1 and not group[0].number:
        key = key_of_one(page, reply, parts[0] if parts else "")
        yield from [(group[0], key)] if key else []
        return
    for at, exercise in enumerate(group):
        key = key_told(page, reply, exercise.number or at + 1, parts[at] if parts else "")
        if key:
            yield exercise, key


def _replied(page: Page, group: Sequence[Exercise]) -> Iterator[int]:
    """Blocks of the reply that go through the answers one by one, from the first number to the last rule."""
    turns = [i for i in range(group[-1].block, len(page.blocks)) if isinstance(page.blocks[i], Turn)]
    reply = range(turns[1] + 1, turns[2] if len(turns) > 2 else len(page.blocks))
    return told_blocks(page, reply)


class _Stated(NamedTuple):
    key: str
    block: int
    """Index of the block that gives it."""


def _stated(page: Page, exercise: Exercise) -> _Stated | None:
    """The key behind the blank or on the next line: `（答案：autograd）`."""
    if not _blank_in(exercise.text):
        return None
    here = _STATED.search(exercise.text)
    if here:
        return _Stated(here["key"].strip(" *。."), exercise.block)
    following = exercise.following or _first_line(page, exercise.block + 1)
    match = _STATED.match(following.text.strip().lstrip("*-> ")) if following else None
    return _Stated(match["key"].strip(" *。."), following.block) if match and following else None


def _first_line(page: Page, index: int) -> Line | None:
    return next(iter(page.lines(index)), None) if index < len(page.blocks) else None


# The notes.


def _note(page: Page, exercise: Exercise, key: str) -> Note:
    text = (
        re.sub(r"\s+(?=[.。，,]|$)", "", _STATED.sub("", exercise.text))
        if _STATED.search(exercise.text)
        else exercise.text
    )
    text = _LEAD.sub("", without_emoji(text)).strip()
    body = _filled(text, key) or Basic(prompt=_HINT.sub("", text), answer=key)
    return page.note(body, line_span(exercise.line), exercise.block, _BLANK.sub("__", text))


def _filled(text: str, key: str) -> Cloze | None:
    """The text with its blanks filled in, a hole over each; None if the key does not fit the blanks."""
    places = _places(text)
    values = [key] if len(places) == 1 else [part for part in re.split(r"\s*[、,，;；/]\s*|\s+", key) if part]
    if not places or len(values) != len(places):
        return None
    made, holes, done = "", [], 0
    for number, (place, value) in enumerate(zip(places, values, strict=True), 1):
        before, hidden = _fitting(text, place, value)
        made += text[done : place.start] + before
        holes.append(Hole(number, len(made), len(made) + len(hidden)))
        made += hidden
        done = place.stop
    return Cloze(text=made + text[done:], holes=tuple(holes))


class _Place(NamedTuple):
    """A blank with the part of a name in front of it."""

    start: int
    stop: int
    given: str
    """`add_` of `` `add_ ____` ``."""
    in_code: bool


def _places(text: str) -> list[_Place]:
    found: list[_Place] = []
    for match in _BLANK.finditer(text):
        if _DUNDER.fullmatch(unescaped(_word_around(text, match.start(), match.end()))):
            continue
        in_code = text[: match.start()].count("`") % 2 == 1
        given = re.match(r"[\w.]*?(?=_|\\_|＿|$)", match[0])
        found.append(_Place(match.start(), match.end(), given[0] if given else "", in_code))
    return found


def _fitting(text: str, place: _Place, value: str) -> tuple[str, str]:
    """(what stays visible, what is hidden): of `add_scalar` the blank `add_ ____` hides `scalar`."""
    bare = plain(value).strip()
    if not place.in_code:
        return place.given, _as_code(value) if not place.given else bare.removeprefix(place.given)
    if place.given and bare.startswith(place.given):
        shown = place.given + "_" * (len(bare) - len(place.given) - len(bare[len(place.given) :].lstrip("_")))
        return (shown, bare[len(shown) :]) if len(shown) < len(bare) else ("", bare)
    return place.given, bare


def _as_code(value: str) -> str:
    bare = plain(value).strip()
    return f"`{bare}`" if re.fullmatch(r"[A-Za-z_][\w.]*(?:\(.*\))?", bare) and "`" not in value else value
