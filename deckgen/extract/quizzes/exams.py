"""Tests with their answers at the end: statements to judge, gaps to fill and questions, each with its number.

Multiple choice is read elsewhere; the keys are the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from deckgen.extract import wording
from deckgen.extract.blocks import markdown_of, spanning
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_of, left_of, number_of
from deckgen.extract.quizzes.answer_keys import Keys, keys_of
from deckgen.extract.quizzes.answer_sheets import Entry, Sheet
from deckgen.extract.quizzes.exam_parts import Part, part_named
from deckgen.extract.quizzes.exam_questions import Asked, asked_in
from deckgen.extract.quizzes.exercises import without_lead
from deckgen.extract.quizzes.gaps import GAP, blanks_in, filled, gap_in, lettered_phrases
from deckgen.extract.quizzes.options import runs
from deckgen.extract.quizzes.verdicts import judged_note, verdict_of
from deckgen.extract.text import plain, width
from deckgen.model.document import Code, Items
from deckgen.model.note import Basic, Cloze, Note
from deckgen.text.pattern import pattern

_PLACE = pattern(r"\s*[（(][\s\u3000_]*[)）]\s*(?:[。.]\s*)?$")
"""Where the sign goes behind a statement: `（ ）`."""
_POINTS = pattern(r"\s*[（(\[]\s*(?:本题)?\s*\d+\s*(?:分|points?|marks?|pts?)\s*[)）\]]\s*$", re.IGNORECASE)
_KIND = pattern(r"^[（(【\[](?:判断|填空|简答|问答|选择)题?[)）】\]]\s*")
"""Between the number of a question and its text."""
_WHY = pattern(r"\s*(?:（|\s\(|。|；|\s[—–-]{1,2}\s|[，,]\s*(?:因为|since|because)).*$", re.DOTALL)
"""What stands behind the words that fill a gap."""
ONLY_LETTERS = pattern(r"\W*[A-Ha-h](?:[\s,，、]*[A-H]){0,7}\W*|\W*[ivx]{1,4}\W*")
_SHORTEST = 6
"""Columns of what is asked."""


def exams(page: Page) -> Finds:
    """A note of each numbered statement, gap and question whose answer stands under its number in a key below."""
    keys = page.once(keys_of)
    notes: list[Note] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    floor = 0
    options = [run.lines[0].place for run in page.once(runs)] if keys.sheets else []
    for sheet in keys.sheets:
        made = list(_answered(page, range(floor, sheet.blocks.start), sheet, keys, options))
        for note, asked, blocks in made:
            notes.append(note)
            _take(page, asked, taken, used, options)
            used.update(blocks)
        held = {entry.block for several in sheet.entries.values() for entry in several}
        used.update(index for index in sheet.blocks if made or index in held)
        floor = sheet.blocks.stop
    left = left_of(page, {index: [*items_of(page, index, parts)] for index, parts in taken.items()})
    return Finds(tuple(notes), (), frozenset((used | taken.keys()) - left.keys()), left)


def _take(
    page: Page, asked: Asked, taken: dict[int, list[int]], used: set[int], options: Sequence[tuple[int, int]]
) -> None:
    """The item or the paragraph that a question stands in; a paragraph with options is another's."""
    index = asked.place[0]
    if isinstance(page.blocks[index], Items):
        taken.setdefault(index, []).append(number_of(page.part_starts(index), asked.place[1]))
    elif bisect_left(options, (index, 0)) == bisect_left(options, (index + 1, 0)):
        used.add(index)


def _answered(
    page: Page, blocks: range, sheet: Sheet, keys: Keys, options: Sequence[tuple[int, int]]
) -> Iterator[tuple[Note, Asked, list[int]]]:
    """(note, question, blocks of code below it) of the questions of one test that are not multiple choice."""
    questions = [asked for index in blocks if page.free(index) for asked in asked_in(page, index)]
    nearest: dict[Entry, tuple[Asked, tuple[int, int]]] = {}
    for asked, following in zip_longest(questions, questions[1:]):
        entry = sheet.find(keys.part_at(asked.place[0]), asked.number)
        if entry:  # steps further up are numbered too
            nearest[entry] = asked, following.place if following else (blocks.stop, 0)
    for entry, (asked, end) in nearest.items():
        if bisect_left(options, asked.place) < bisect_left(options, end):
            continue
        code = [at for at in range(asked.place[0] + 1, end[0]) if isinstance(page.blocks[at], Code)]
        note = _note(page, asked, entry, keys.part_at(asked.place[0]), code) if entry.text.strip() else None
        if note is not None:
            yield note, asked, code


def _note(page: Page, asked: Asked, entry: Entry, part: Part, code: Sequence[int]) -> Note | None:
    text = _KIND.sub("", _POINTS.sub("", asked.text.removesuffix("**")).strip())
    index = asked.place[0]
    shown = tuple(heading for heading in page.context(index) if not _names_part(heading))
    verdict = verdict_of(entry.text) if not wording.QUESTION.search(text) or part.kind == "judge" else None
    if verdict is not None and part.kind in ("", "judge") and not (gap_in(text) and not _PLACE.search(text)):
        return judged_note(page, index, asked.span, _PLACE.sub("", text), verdict, headings=shown)
    if width(plain(text)) < _SHORTEST or ONLY_LETTERS.fullmatch(entry.text):
        return None
    span = spanning([page.blocks[at] for at in code]) | asked.span if code else asked.span
    asked_ = without_lead(text)
    body = _filled(asked_, entry.text) if gap_in(asked_) else None
    parts = [asked_, *(markdown_of(page.blocks[at]) for at in code)]
    told = body or Basic(prompt="\n\n".join(parts), answer=entry.text.strip())
    return page.note(told, span, index, GAP.sub("__", text), headings=shown, rests_on=page.apis_on(asked.span))


def _names_part(heading: str) -> bool:
    """A heading that only says which part of a test stands below it."""
    return part_named(heading) is not None or bool(wording.QUIZ.search(plain(heading)))


def _filled(text: str, key: str) -> Cloze | None:
    first = key.strip().partition("\n")[0].strip("`") if key.count("`") == 2 and key.strip()[:1] == "`" else key.strip()
    whole = filled(text, first) if lettered_phrases(first, blanks_in(text)) else None
    return whole or filled(text, _WHY.sub("", first).strip().rstrip(" .。")) or filled(text, first)
