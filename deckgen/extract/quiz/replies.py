"""A pupil's turn and the tutor's reply to it: which blocks are about the answer, and what stands under each number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract.blocks import is_rule, markdown_of, text_of
from deckgen.extract.labels import ANSWER, Kind, labels
from deckgen.extract.page import Page
from deckgen.extract.quiz.answers import Answer, Question
from deckgen.extract.quiz.feedback import (
    are_all_right,
    bare,
    corrected,
    is_confirmed,
    labelled,
    right_letters,
    teaching,
    told_in_words,
    without_doubt,
)
from deckgen.extract.quiz.keys import answers_by, numbered_lines
from deckgen.extract.quiz.notations import (
    VERDICT,
    gap_in,
    is_option,
    letters_after_label,
    letters_in,
    markers_on,
    verdict_of,
)
from deckgen.extract.quiz.options import Run
from deckgen.extract.text import (
    ends_with_colon,
    has_words,
    plain,
    plain_width,
    squeezed,
    title,
    unescaped,
    without_emoji,
)
from deckgen.model.document import Code, Directive, Heading, Image, Items, Output, Prose, Quote, Table, Turn
from deckgen.text.pattern import pattern

_WROTE = pattern(r"«quiz.you_wrote»\s*[:：]?\s*(?P<text>.+)$")
_VERDICT_TOLD = pattern(
    rf"(?:«quiz.judged»|{ANSWER})(?:[\s:：*“\"]|«grammar.be»)*{VERDICT}",
    re.IGNORECASE,
)
_LEADING = pattern(r"\W*([A-H](?:\W{0,3}[A-H](?![A-Za-z]))*)(?![A-Za-z0-9'])")
_RATED = pattern(r"\d+\s*(?:«quiz.points»|/\s*\d+)")
_LATIN = pattern(r"[A-Za-z_]{3,}")
_UP_TO_MARK = pattern(r"^[^。.!！:：，,\n]*[。.!！:：，,]+")
_TRIES = 3
"""Answers of the pupil to one question."""
_FEWEST = 8
"""Columns of what explains a verdict."""
_FIRST = 40
"""Characters of a reply that say whether the pupil is right."""


class Exchange(NamedTuple):
    """What a pupil says, and the blocks of the tutor's reply."""

    said: str
    reply: range


def exchange_after(page: Page, index: int) -> Exchange | None:
    """The pupil's turn after a block, with the reply; None if others speak, or several pupils do."""
    asked = page.turn_after(index)
    reply = page.turn_after(asked)
    speakers = [
        turn.speaker for at in (asked, reply) if at < len(page.blocks) and isinstance(turn := page.blocks[at], Turn)
    ]
    said = page.blocks[asked + 1 : reply]
    if speakers != ["pupil", "tutor"] or any(isinstance(block, Directive) for block in said):
        return None
    text = "\n".join(markdown_of(block) for block in said if not is_rule(block))
    return Exchange(unescaped(text), range(reply + 1, page.turn_after(reply)))


def answer_in_reply(page: Page, question: Question, together: Sequence[Question]) -> Answer | None:
    """The right letters of a question by the reply; `together` are those of its turn that have no other answer."""
    exchange = exchange_after(page, question.run.last) if page.chat else None
    if exchange is None:
        return None
    numbers = [one.number or at for at, one in enumerate(together, 1)]
    number = numbers[together.index(question)]
    given = answers_by(exchange.said, numbers)
    found = None
    if (len(given) > 1 or len(together) > 1) and numbers.count(number) == 1:
        found = _by_number(page, question.run, exchange.reply, number, given.get(number, ""))
    return found if found or len(together) > 1 else _by_tries(page, question, exchange)


def _by_number(page: Page, run: Run, reply: range, number: int, said: str) -> Answer | None:
    part = part_told(page, reply, number)
    pupil = letters_in(said, run.options)
    letters = right_letters("\n".join(text for _, text in part), run.options, pupil)
    leading = _LEADING.match("\n".join(text for _, text in part))
    if not letters and leading and set(named := letters_in(leading[1], run.options)) != set(pupil):
        letters = tuple(sorted(set(named)))  # `C ❌` names what is right, unless the pupil chose it
    if not letters and _calls_all_right(page, reply):
        letters = tuple(sorted(set(pupil)))
    explanation = "\n".join(told for _, text in part if (told := teaching(text, run.options)))
    blocks = range(part[0][0], part[-1][0] + 1) if part else range(0)
    return Answer(letters, explanation, blocks) if letters else None


def _by_tries(page: Page, question: Question, exchange: Exchange) -> Answer | None:
    """What the head of the reply tells; after a hint the pupil may try again."""
    run = question.run
    stop = question.following.blocks.start if question.following else len(page.blocks)
    now: Exchange | None = exchange
    for _ in range(_TRIES):
        if now is None or now.reply.start > stop or not (now is exchange or letters_in(now.said, run.options)):
            return None
        head = _head_of(page, now.reply.start)
        words = "\n".join(text_of(page.blocks[at]) for at in head if isinstance(page.blocks[at], Prose | Quote))
        if letters := right_letters(words, run.options, letters_in(now.said, run.options)):
            tail = _tail_of(page, head.stop, stop)
            explanation = _joined([*_explained(page, head, run), *_explained(page, tail, run)])
            return Answer(letters, explanation, range(head.start - 1, tail.stop if tail else head.stop))
        now = exchange_after(page, now.reply.start)
    return None


def _head_of(page: Page, start: int) -> range:
    """Blocks of a reply before its first heading or rule: what is said about the answer."""
    stop = start
    while stop < len(page.blocks):
        block = page.blocks[stop]
        if isinstance(block, Turn | Heading | Table) or (is_rule(block) and stop > start):
            break
        if stop > start and _asks_anew(page, stop):
            break
        stop += 1
    return range(start, stop)


def _asks_anew(page: Page, index: int) -> bool:
    """The lesson goes on: another question, exercises, or an invitation."""
    block = page.blocks[index]
    texts = [line.text for line in page.lines(index)]
    if sum(map(is_option, texts)) > 1 or any(
        Kind.TRUE_FALSE in labels(without_emoji(text)) or Kind.NEXT_QUESTION in labels(text) for text in texts
    ):
        return True
    if isinstance(block, Items):
        return any(Kind.QUESTION in labels(item.text.strip()) for item in block.items)
    if not isinstance(block, Prose) or any(map(letters_after_label, texts)):
        return False
    words = plain(block.text).strip()
    leads_on = ends_with_colon(words) and labels(words).any_of((Kind.MNEMONIC, Kind.SUMMARY))
    asks = leads_on or labels(words).any_of((Kind.QUESTION, Kind.QUIZ, Kind.MENU, Kind.TALK))
    return "__" in block.text or asks or any(map(markers_on, texts[1:]))


def _tail_of(page: Page, start: int, stop: int) -> range:
    """A section `解析` / `Explanation` right after the head, with its subsections about the letters."""
    while start < stop and is_rule(page.blocks[start]):
        start += 1
    block = page.blocks[start] if start < len(page.blocks) else None
    if not isinstance(block, Heading) or Kind.EXPLANATION not in labels(title(block.text)):
        return range(0)
    last = start + 1
    while last < stop and not isinstance(head := page.blocks[last], Turn):
        if isinstance(head, Heading) and not is_option(without_emoji(head.text)):
            break
        last += 1
    return range(start, last)


def _explained(page: Page, blocks: Sequence[int], run: Run) -> Iterator[str]:
    """What some blocks of a reply say of the answer, as Markdown, without the conversation around it."""
    printing = False
    for index in blocks:
        block = page.blocks[index]
        below = printing and (isinstance(block, Code | Output) or ends_with_colon(text_of(block).rstrip()))
        printing = page.claims_about(index) or below
        if is_rule(block) or isinstance(block, Image | Turn) or printing:
            continue  # what code prints is asked for by itself
        if isinstance(block, Heading):
            yield from [] if Kind.EXPLANATION in labels(title(block.text)) else [f"**{block.text}**"]
        elif isinstance(block, Table):
            yield "\n".join(f"- {'：'.join(row.cells)}" for row in block.rows)
        elif isinstance(block, Prose):
            kept = [told for line in block.text.split("\n") if (told := teaching(line, run.options))]
            yield from ["\n".join(kept)] if kept else []
        else:
            yield markdown_of(block)


def _joined(parts: Sequence[str]) -> str:
    """The parts of an explanation; what a colon at the end announces is none of it."""
    kept = list(parts)
    while kept and "\n" not in kept[-1] and ends_with_colon(kept[-1]):
        kept.pop()
    return "\n\n".join(kept)


def part_told(page: Page, reply: range, number: int) -> list[tuple[int, str]]:
    """(block, line) of what the reply says under this number, which a heading, an item or a line bears."""
    found: list[tuple[int, str]] = []
    for index, bears, text in _numbered(page, reply):
        if bears == number or (found and bears is None):
            found.append((index, text))
        elif found:
            break
    return found


def told_blocks(page: Page, reply: range) -> Iterator[int]:
    """Indices of the blocks of a reply that stand under a number."""
    inside = False
    for index, bears, _ in _numbered(page, reply):
        inside = bears > 0 if bears is not None else inside
        if inside:
            yield index


def _numbered(page: Page, reply: range) -> Iterator[tuple[int, int | None, str]]:
    """(block, number, line) of a reply; number 0 ends what stood before: a heading that bears none, and what follows several."""
    several = counted = False
    for index in reply:
        block = page.blocks[index]
        lines = list(numbered_lines(block, page.lines(index)))
        numbers = {number for number, _ in lines if number}
        if isinstance(block, Heading) and not numbers:
            yield index, 0, block.text
            if counted:
                return  # what is counted below it is something else
            continue
        for number, text in lines:
            yield index, 0 if several and not numbers else number, text
        several = len(numbers) > 1 or (several and not numbers)
        counted = counted or bool(numbers)


def _records(page: Page, reply: range, number: int) -> Iterator[list[tuple[str, str]]]:
    """(head, cell) of the rows of tables that bear a number."""
    for block in (page.blocks[index] for index in reply):
        for row in block.rows if isinstance(block, Table) else ():
            borne = labels(f"{without_emoji(plain(row.cells[0]))}.").number
            if borne and borne.number == number and isinstance(block, Table):
                yield [(plain(head), cell.strip()) for head, cell in zip(block.header[1:], row.cells[1:], strict=True)]


def _calls_all_right(page: Page, reply: range) -> bool:
    return are_all_right(" ".join(line.text for index in reply[:3] for line in page.lines(index)))


def key_told(page: Page, reply: range, number: int, said: str) -> str:
    """What the reply gives as the answer to the exercise with this number; empty if it gives none."""
    said = without_doubt(said)
    return (
        _from_part(page, part_told(page, reply, number), said)
        or _key_in_table(page, reply, number, said)
        or (said if _calls_all_right(page, reply) else "")
    )


def verdict_told(page: Page, reply: range, number: int, said: str) -> str:
    """What the reply says of a statement that a pupil judged: a verdict and why; empty if it does not say."""
    part = part_told(page, reply, number) if number else []
    text = "\n".join(text for _, text in part) or "\n".join(
        line.text for index in reply[:1] for line in page.lines(index)
    )
    told, pupil, leads = _VERDICT_TOLD.search(text), verdict_of(without_doubt(said)), verdict_of(text)
    if told:
        right = told["true"] is not None
    elif pupil and (is_confirmed(text[:_FIRST]) or Kind.DENIES in labels(text[:_FIRST])):
        right = pupil[0] == is_confirmed(text[:_FIRST])
    elif verdict := leads or (pupil if _calls_all_right(page, reply) else None):
        right = verdict[0]
    else:
        return ""
    why = teaching(_UP_TO_MARK.sub("", text[told.end() :]) if told else text, ())
    lead = verdict_of(why)
    why = lead[1] if lead else why
    return f"{'√' if right else '×'} {why if plain_width(why) > _FEWEST else ''}"


def key_of_one(page: Page, reply: range, said: str) -> str:
    """The answer to an exercise that stood alone: all that is said before the lesson goes on is about it."""
    part: list[tuple[int, str]] = []
    for index in reply:
        block = page.blocks[index]
        if isinstance(block, Heading | Table) or (part and is_rule(block)):
            break
        for line in page.lines(index):
            if part and gap_in(line.text):
                return _from_part(page, part, without_doubt(said))
            part.append((index, line.text))
    return _from_part(page, part, without_doubt(said))


def _from_part(page: Page, part: Sequence[tuple[int, str]], said: str) -> str:
    lines = [text for _, text in part]
    if key := labelled(lines) or corrected(lines, said):
        return key
    wrote = next((match["text"] for line in lines if (match := _WROTE.search(line))), said)
    blocks = (page.blocks[index] for index, _ in part)
    quote = next((block.text.rstrip() for block in blocks if isinstance(block, Quote)), "")
    if quote and wrote and not _LATIN.search(plain(wrote)):
        return quote  # the pupil answers in words: the tutor's own are the better answer
    if is_confirmed("\n".join(lines)):
        return bare(without_doubt(wrote))
    return told_in_words(lines, said) or quote


def _key_in_table(page: Page, reply: range, number: int, said: str) -> str:
    """What a table of the reply gives as the answer to the exercise with this number."""
    for record in _records(page, reply, number):
        right = next((cell for head, cell in record if Kind.RIGHT_COLUMN in labels(head)), "")
        wrote = next((cell for head, cell in record if Kind.PUPIL_COLUMN in labels(head)), "")
        others = [cell for _, cell in record if cell != wrote]
        if key := bare(right) if has_words(right) else corrected(others, unescaped(plain(wrote)) if wrote else said):
            return key
        alike = not said or squeezed(said) in squeezed(wrote) or squeezed(wrote) in squeezed(said)
        if wrote and Kind.CROSSED not in labels(" ".join(others)):
            return said if _RATED.search(wrote) else bare(wrote) if alike else ""
    return ""
