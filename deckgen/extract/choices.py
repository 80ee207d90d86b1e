"""Multiple choice: options, and the right letters wherever the document gives them.

The answer may be a mark on an option, a line below, a hidden `<details>`, a key at the end, or what the
tutor says after the pupil's turn. A question whose answer is nowhere is reported, never invented.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.document import Code, Details, Directive, Heading, Image, Items, Output, Prose, Quote, Table, Turn
from deckgen.extract import wording
from deckgen.extract.answer_keys import Answer, key_below, keys_of, number_of
from deckgen.extract.options import Run, runs
from deckgen.extract.page import Finds, Page, lines_of, markdown_of
from deckgen.extract.recaps import all_right, part_told
from deckgen.extract.replies import judged, letters_after_label, letters_in, teaching
from deckgen.extract.text import plain, title, without_emoji, without_number
from deckgen.note import Choice, Note, Skipped
from deckgen.source import Span

NO_ANSWER = "a multiple-choice question whose answer the source does not give"
MENU = "a menu of what to do next, not a question"

_MOST_TOGETHER = 60
"""Questions of one turn."""
_FAR = 5
"""How many blocks above the options their stem may begin."""
_LABEL = re.compile(
    r"^(?:(?:q|question|quiz|问题|题目?|选择题|判断题|测试题?|小测试题?|练习题?|单选题?|多选题?|第\s*\w+\s*题|思考题?)\s*\d*\s*[：:.)）、]\s*)+",
    re.IGNORECASE,
)


_NUMBER_IN_BOLD = re.compile(r"^\*\*\s*((?:[A-Za-z]+\s*)?\d+\s*[.)、:：]?|[A-Za-z]+\s*\d*\s*[:：])\s*\*\*\s*")


class _Stem(NamedTuple):
    text: str
    blocks: range
    first_line: int


def choices(page: Page) -> Finds:
    """One note per question that has options and an answer."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    found = runs(page)
    keys = keys_of(page) if found else []
    for at, run in enumerate(found):
        stop = found[at + 1].blocks.start if at + 1 < len(found) else len(page.blocks)
        stem = _stem(page, run, found[at - 1].blocks.stop if at else 0)
        span = _span(page, run, stem)
        if _is_menu(stem, run):
            skipped.append(Skipped(span, MENU))
            used.update(run.blocks)
            continue
        answer = _answer(page, run, stop, found, keys)
        if answer is None:
            skipped += _unanswered(stem, span, run)
            used.update([*run.blocks, *stem.blocks] if wording.ASKS.search(stem.text) else ())
            continue
        notes.append(_note(page, run, stem, answer, span))
        used.update(run.blocks, stem.blocks, _told(page, answer.blocks))
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


def _told(page: Page, blocks: range) -> list[int]:
    """A quote in an explanation may still be a card of its own."""
    return [index for index in blocks if not isinstance(page.blocks[index], Quote)]


def _note(page: Page, run: Run, stem: _Stem, answer: Answer, span: Span) -> Note:
    at = stem.blocks.start if stem.blocks else run.blocks.start
    path = page.path(at)
    headings = path[:-1] if path and wording.QUIZ.search(plain(path[-1])) else path
    body = Choice(stem=stem.text, options=run.options, right=tuple(answer.letters), explanation=answer.explanation)
    return page.note(body, span, at, stem.text, headings=headings)


def _unanswered(stem: _Stem, span: Span, run: Run) -> list[Skipped]:
    """Lettered lists that ask nothing (an outline A, B, C) are none of our business."""
    asks = wording.ASKS.search(stem.text) and not run.framed
    return [Skipped(span, NO_ANSWER)] if asks else []


def _is_menu(stem: _Stem, run: Run) -> bool:
    menu = wording.MENU.search(plain(stem.text))
    return bool(menu) or (run.framed and not wording.ASKS.search(stem.text))


def _span(page: Page, run: Run, stem: _Stem) -> Span:
    """From the stem, or the `Question 1:` above it, to the last option."""
    last = run.lines[-1].number + 1 + run.options[-1].text.count("\n")
    first = stem.blocks.start if stem.blocks else run.blocks.start
    above = page.blocks[first - 1] if first else None
    if isinstance(above, Heading) and wording.QUIZ.search(plain(above.text)):
        return above.span | Span(stem.first_line, last)
    return Span(min(stem.first_line, run.lines[0].number), last)


# The stem.


def _stem(page: Page, run: Run, floor: int) -> _Stem:
    """What is asked: the lines above the options in their block, or else the blocks above it."""
    own = _own_lines(page, run)
    if own:
        text = _cleaned([text for _, text in own])
        return _Stem(text, range(run.blocks.start, run.blocks.start + 1), own[0][0])
    blocks = _blocks_above(page, run.blocks.start, floor)
    if not blocks:
        return _Stem("", range(0), run.lines[0].number)
    text = _cleaned([_text_of(page, index) for index in blocks])
    return _Stem(text, range(blocks[0], run.blocks.start), page.blocks[blocks[0]].span.start)


def _own_lines(page: Page, run: Run) -> list[tuple[int, str]]:
    first = run.lines[0]
    block = page.blocks[first.block]
    above = [(line.number, line.text) for line in lines_of(block, first.block) if line.number < first.number]
    if isinstance(block, Items):
        above = _question_item(block, first.number)
    elif any(wording.QUESTION.search(text.strip()) for _, text in above):
        above = _last_question(above)
    if run.before:
        above.append((first.number, run.before))
    return [(number, text) for number, text in above if text.strip()]


def _question_item(block: Items, first: int) -> list[tuple[int, str]]:
    """The item that the options are children (or further lines) of."""
    parents = [item for item in block.items if item.span.start <= first]
    if not parents:
        return []
    option = parents[-1]
    own = option.text.split("\n")[: max(0, first - option.span.start)]
    if own:
        return [(option.span.start + at, text) for at, text in enumerate(own)]
    above = [item for item in parents if item.depth < option.depth]
    return [(above[-1].span.start, above[-1].text)] if above else []


def _last_question(above: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """From the last line that begins a question on; sub-questions are numbered and stay with their stem."""
    starts = [
        at
        for at, (_, text) in enumerate(above)
        if wording.QUESTION.search(text.strip()) and without_number(text.strip()) == text.strip()
    ]
    return list(above[starts[-1] if starts else 0 :])


def _blocks_above(page: Page, stop: int, floor: int) -> list[int]:
    """Indices of the blocks that ask, in order."""
    gathered: list[int] = []
    for index in range(stop - 1, max(stop - _FAR, floor, 0) - 1, -1):
        block = page.blocks[index]
        if isinstance(block, Turn | Output | Directive | Details) or _is_rule(block):
            break
        gathered.insert(0, index)
        if isinstance(block, Heading):
            break
        if isinstance(block, Prose | Quote) and _asks(block.text) and not _is_numbered(block.text):
            gathered = [*_code_asked_about(page, index, block.text), *gathered]
            break
    return _without_preamble(page, gathered)


def _code_asked_about(page: Page, index: int, text: str) -> list[int]:
    """The code right above a question about what it prints."""
    above = page.blocks[index - 1] if index else None
    return [index - 1] if isinstance(above, Code) and wording.ABOUT_CODE.search(text) else []


def _without_preamble(page: Page, gathered: list[int]) -> list[int]:
    """Without a heading, if something below it asks; only the nearest block, if nothing asks at all."""
    headed = bool(gathered) and isinstance(page.blocks[gathered[0]], Heading)
    asking = [i for i in gathered[headed:] if _asks(_text_of(page, i))]
    if headed and (asking or (not _asks(_text_of(page, gathered[0])) and len(gathered) > 1)):
        heading_asks = wording.QUESTION.search(_text_of(page, gathered[0]).strip())
        return gathered if heading_asks else gathered[1:]
    return gathered if headed or asking else gathered[-1:]


def _asks(text: str) -> bool:
    return bool(wording.ASKS.search(text))


def _is_numbered(text: str) -> bool:
    """Sub-questions: every line is numbered, so the stem stands further up."""
    lines = [without_emoji(line) for line in text.split("\n") if line.strip()]
    return all(without_number(line) != line for line in lines) and not _LABEL.match(lines[0] if lines else "")


def _is_rule(block: object) -> bool:
    return isinstance(block, Prose) and not any(c.isalnum() or c == "_" for c in block.text)


def _text_of(page: Page, index: int) -> str:
    block = page.blocks[index]
    return block.text if isinstance(block, Heading | Prose | Quote) else markdown_of(block)


def _cleaned(texts: Sequence[str]) -> str:
    """The stem without emoji, `Q1:` and `3.` in front."""
    text = "\n".join(text.rstrip() for text in texts).strip()
    text = re.sub(r"^\*\*([^*]+)\*\*$", r"\1", _NUMBER_IN_BOLD.sub(r"\1 ", text))
    text = without_emoji(text) if text[:1] and not text[0].isalnum() else text
    for _ in range(2):
        text = _LABEL.sub("", without_number(text)).strip()
    return re.sub(r"^\*\*([^*]+)\*\*$", r"\1", text)


# The answer.


def _answer(page: Page, run: Run, stop: int, found: Sequence[Run], keys: Sequence[range]) -> Answer | None:
    if run.marked:
        return Answer(run.marked, "", range(0))
    stated = _stated_below(page, run, stop)
    if stated:
        return stated
    key = key_below(page, run, found, keys)
    return key or (_told_later(page, run, stop, found) if page.chat else None)


def _stated_below(page: Page, run: Run, stop: int) -> Answer | None:
    """`答案：B`, `**Answer:** C) because...` or a hidden answer, before the next question or turn."""
    for index in range(run.blocks.start, stop):
        block = page.blocks[index]
        if isinstance(block, Turn):
            return None
        if isinstance(block, Details):
            hidden = _hidden(block, run)
            if hidden:
                return Answer(*hidden, range(index, index + 1))
        for line in lines_of(block, index):
            if line.number <= run.lines[-1].number or isinstance(block, Details):
                continue
            given = letters_after_label(line.text)
            if given and set(given[0]) <= _known(run):
                return _stated(page, index, line.number, given, stop)
    return None


def _stated(page: Page, index: int, number: int, given: tuple[str, str], stop: int) -> Answer:
    rest = [line.text.strip() for line in lines_of(page.blocks[index], index) if line.number > number]
    last = index + 1
    while last < stop and isinstance(page.blocks[last], Prose | Quote | Code) and _is_explanation(page, last):
        rest.append(markdown_of(page.blocks[last]))
        last += 1
    explanation = "\n".join(part for part in (_without_echo(given[1]), *rest) if part)
    return Answer(tuple(sorted(given[0])), _unlabelled(explanation), range(index, last))


def _hidden(block: Details, run: Run) -> tuple[tuple[str, ...], str] | None:
    text = block.text.strip()
    given = letters_after_label(text) or letters_after_label(f"Answer: {text}") or letters_after_label(block.summary)
    if given and set(given[0]) <= _known(run):
        return tuple(sorted(given[0])), _unlabelled(_without_echo(given[1]))
    letters = judged(f"{text}", run.options, "")
    return (letters, _unlabelled(text)) if letters else None


def _is_explanation(page: Page, index: int) -> bool:
    return bool(wording.EXPLANATION.match(plain(_text_of(page, index))))


def _without_echo(rest: str) -> str:
    return rest if len(rest) > 3 else ""


def _unlabelled(text: str) -> str:
    return re.sub(
        r"^\W*(?:解析|说明|解释|explanation|reason|why)\s*\**\s*[:：]\s*\**\s*", "", text, flags=re.IGNORECASE
    )


def _known(run: Run) -> set[str]:
    return {option.letter for option in run.options}


def _told_later(page: Page, run: Run, stop: int, found: Sequence[Run]) -> Answer | None:
    """What the tutor says after the pupil's turn that follows the options."""
    asked, reply = _turns_after(page, run)
    if asked is None or reply is None:
        return None
    together = _asked_together(page, run, found)
    said = "\n".join(_text_of(page, i) for i in range(asked + 1, reply))
    if (len(together) > 1 and together[-1] is not run) or _numbers_in(said, len(together)):
        return _told_by_number(page, run, together, said, reply)
    head = _head(page, reply)
    words = "\n".join(_text_of(page, i) for i in head if isinstance(page.blocks[i], Prose | Quote))
    letters = judged(words, run.options, letters_in(said, _known(run)))
    if not letters:
        return None
    tail = _tail(page, head.stop, stop)
    explanation = "\n\n".join([*_explained(page, head, run), *_explained(page, tail, run)])
    return Answer(letters, explanation, range(reply, tail.stop if tail else head.stop))


def _turns_after(page: Page, run: Run) -> tuple[int | None, int | None]:
    """Indices of the pupil's turn right after the options, and of the tutor's turn after that."""
    asked = _turn_stop(page, run.blocks.stop - 1)
    reply = _turn_stop(page, asked)
    if reply == len(page.blocks):
        return None, None
    speakers = [page.blocks[i].speaker for i in (asked, reply)]  # type: ignore[union-attr] # turns
    return (asked, reply) if speakers == ["pupil", "tutor"] else (None, None)


def _numbers_in(said: str, count: int) -> bool:
    """`1B 2A 3AC`: answers to several questions at once."""
    return count > 1 and len(re.findall(r"\d\s*[.:：、)）-]?\s*[A-Ha-h]", said)) >= count


def _told_by_number(page: Page, run: Run, together: Sequence[Run], said: str, reply: int) -> Answer | None:
    """Of several questions asked at once, each is answered under its number."""
    number = number_of(page, run) or list(together).index(run) + 1
    stop = _turn_stop(page, reply)
    part = part_told(page, range(reply + 1, stop), number)
    words = "\n".join(text for _, text in part)
    pupil = letters_in(_given_by_pupil(said, number, len(together)), _known(run))
    letters = judged(words, run.options, pupil) if part else ()
    if not letters and pupil and all_right(page, range(reply + 1, stop)):
        letters = tuple(sorted(pupil))
    if not letters:
        return None
    explanation = "\n".join(told for _, text in part if (told := teaching(text, run.options)))
    blocks = [index for index, _ in part]
    return Answer(letters, explanation, range(min(blocks), max(blocks) + 1) if blocks else range(0))


def _turn_stop(page: Page, index: int) -> int:
    """Index of the next turn; the number of blocks after the last."""
    following = (i for i in range(index + 1, len(page.blocks)) if isinstance(page.blocks[i], Turn))
    return next(following, len(page.blocks))


def _asked_together(page: Page, run: Run, found: Sequence[Run]) -> list[Run]:
    """The questions of the same turn."""
    turn = page.turns[run.blocks.start]
    first = bisect_left(found, turn, key=lambda other: other.blocks.start)
    return [other for other in found[first : first + _MOST_TOGETHER] if page.turns[other.blocks.start] == turn]


def _given_by_pupil(said: str, number: int, count: int) -> str:
    """The pupil's letters for one of several questions: `2A` of `1B 2A 3AC`, or the second of `B A AC`."""
    match = re.search(rf"(?<!\d){number}\s*[.:：、)）-]?\s*([A-Ha-h]+(?:\s*[,、/&]\s*[A-Ha-h](?![a-z]))*)", said)
    if match:
        return match[1]
    words = re.findall(r"(?<![A-Za-z])[A-Ha-h]{1,4}(?![A-Za-z])", said)
    letters = words if len(words) == count else list("".join(words))
    return letters[number - 1] if len(letters) == count and number <= count else ""


def _head(page: Page, reply: int) -> range:
    """Blocks of a reply before its first heading or rule: what is said about the answer."""
    stop = reply + 1
    while stop < len(page.blocks):
        block = page.blocks[stop]
        if isinstance(block, Turn | Heading | Table) or (_is_rule(block) and stop > reply + 1):
            break
        if stop > reply + 1 and _asks_anew(block):
            break
        stop += 1
    return range(reply + 1, stop)


def _asks_anew(block: object) -> bool:
    """The lesson goes on: another question, exercises, or an invitation."""
    if isinstance(block, Items):
        return any(wording.QUESTION.search(item.text.strip()) or "__" in item.text for item in block.items)
    if not isinstance(block, Prose):
        return False
    words = plain(block.text)
    asks = wording.QUESTION.search(words.strip()) or wording.QUIZ.search(words) or "__" in block.text
    return bool(asks or wording.MENU.search(words) or wording.CHATTER.search(words))


def _tail(page: Page, start: int, stop: int) -> range:
    """A section `解析` / `Explanation` right after the head, with its subsections about the letters."""
    while start < stop and _is_rule(page.blocks[start]):
        start += 1
    block = page.blocks[start] if start < len(page.blocks) else None
    if not isinstance(block, Heading) or not wording.EXPLANATION.search(title(block.text)):
        return range(0)
    last = start + 1
    while last < stop and not isinstance(page.blocks[last], Turn):
        head = page.blocks[last]
        if isinstance(head, Heading) and not re.match(r"[A-H]\s*[.、:：)]", without_emoji(head.text)):
            break
        last += 1
    return range(start, last)


def _explained(page: Page, blocks: Sequence[int], run: Run) -> Iterator[str]:
    for index in blocks:
        block = page.blocks[index]
        if _is_rule(block) or isinstance(block, Image | Turn):
            continue
        if isinstance(block, Heading):
            yield from [] if wording.EXPLANATION.search(title(block.text)) else [f"**{block.text}**"]
        elif isinstance(block, Table):
            yield "\n".join(f"- {'：'.join(row.cells)}" for row in block.rows)
        elif isinstance(block, Prose):
            kept = [told for line in block.text.split("\n") if (told := teaching(line, run.options))]
            yield from ["\n".join(kept)] if kept else []
        else:
            yield markdown_of(block)
