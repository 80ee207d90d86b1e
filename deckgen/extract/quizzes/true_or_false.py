"""`True or false: ...` asked outright; the verdict is stated below, hidden, or told by the tutor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.blocks import Line, markdown_of, text_of, texts_of
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import left_of, number_of
from deckgen.extract.quizzes.answer_lines import signs_on
from deckgen.extract.quizzes.exam_parts import is_named_above, is_put_to_judge
from deckgen.extract.quizzes.marked_answers import is_given, marked_below
from deckgen.extract.quizzes.pupil_answers import part_of_pupil
from deckgen.extract.quizzes.put_up import ASKED, MAY_ASK, asked_behind, is_flat, is_judged_below, is_put_up_above
from deckgen.extract.quizzes.question_numbers import number_borne
from deckgen.extract.quizzes.recaps import all_right, key_in_table
from deckgen.extract.quizzes.reply_parts import part_told
from deckgen.extract.quizzes.several_pupils import said_alike
from deckgen.extract.quizzes.told_tables import right_in_table
from deckgen.extract.quizzes.verdicts import VERDICT, is_right, judged_note, verdict_of
from deckgen.extract.text import plain, width, without_emoji
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Note, Skipped
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_KINDS = (Prose, Quote, Items, Heading)
"""Blocks that may put something up for judgement."""
NO_VERDICT = "a true-or-false question whose answer the source does not give"

_MAY_TELL = pattern(r"true|false|[对错√×✓✗✅❌]|正确", re.IGNORECASE)
_STATED = pattern(
    rf"^\W*(?:{wording.ANSWER_LABEL}|答)\W*(?:是|为|is)?\W*{VERDICT}(?![\w一-鿿])\W*(?P<why>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_BARE = pattern(
    r"^\W{0,3}?(?P<word>true|false|正确|错误|对|错|不对|[TF√×✓✗✔✘✅❌](?=\W*$|\s*[—–(（]))\s*(?:\*\*)?\s*(?:[.:,;!，。：；！(（]|[—–-]\s|\*\*|\ufe0f?\s*(?:\n|$))\W*(?P<why>.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""`True: ...` right below what says `True or false?`."""
_WITHIN = pattern(
    r"^(?P<text>.{6,}?(?:[。！？!?；;]|[.](?=[\s*])|(?=\s*(?:→|->|=>|——|[（(]))))[\s*]*(?:→|->|=>|——|[—–-]|[（(])?[\s*]*"
    rf"(?:(?:{wording.ANSWER_LABEL}|答)\s*\**\s*(?:是|为|is|[:：])?[\s*]*)?{VERDICT}"
    r"(?:(?=[\s*]*(?:$|[.,:;!—–\-→(（，。：；！）)])|\*\*)|(?<=[√×✓✗✔✘✅❌])\ufe0f?(?=\s))[\s*.,:;!—–\-→，。：；！)）]*(?P<why>.*)$",
    re.IGNORECASE,
)
"""A statement and behind it, as a sentence of its own or after an arrow, the verdict."""
_SIGNED = pattern(r"^(?P<text>.{6,}[.。!！][*`]{0,2})\s+[*`]{0,2}(?P<word>[TF])[*`]{0,2}(?P<why>)\s*$")
"""`... a new dimension. T`"""
_TOLD = pattern(
    r"(?:it'?s|it is|this is|this one is|that'?s|that is|the statement is|answer(?: is|:)?|答案(?:是|为|：|:)|这(?:句话?|个说法|道题?|题)?是|应该是|其实是|(?:所以|因此)(?:判断)?(?:是|为|：|:))"
    rf"[\s*`“\"]*(?:actually\s+|indeed\s+)?[\s*`“\"]*{VERDICT}",
    re.IGNORECASE,
)
_LEADING = pattern(rf"^\W*{VERDICT}(?![\w一-鿿])", re.IGNORECASE)
_SIGN_BEHIND = pattern(r"(?<=[。.！!；;）)\w`*])\s*(?P<sign>[✅✔✓❌✗✘])\ufe0f?(?=\s|$)")
_SHORTEST = 10
_FIRST = 6
"""Characters of a reply that begin it."""
_CONFIRMS = pattern(r"^\W*(?:yes|right|correct|exactly|perfect|great|没错|正确|对|答对|完全正确)", re.IGNORECASE)


class _Verdict(NamedTuple):
    right: bool
    why: str
    block: int
    """Index of the block that gives it."""
    at: int = 0
    """The place of its line in that block."""


def true_or_false(page: Page) -> Finds:
    """A Basic note of every statement that is put up for judgement."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    for index in range(len(page.blocks)):
        for line, asked in _statements(page, index):
            statement, verdict = _judged(page, index, line, asked)
            span = line_span(line.number)
            if verdict is None:
                skipped.append(Skipped(span, NO_VERDICT, unanswered=True))
            else:
                between = range(line.block + 1, verdict.block)
                code = [at for at in between if isinstance(page.blocks[at], Code)] if len(between) == 1 else []
                shown = "\n\n".join(markdown_of(page.blocks[at]) for at in code)
                notes.append(judged_note(page, index, span, statement, (verdict.right, verdict.why), code=shown))
                used.update((index, verdict.block, *code))
            _take(page, line, verdict, taken)
    left = left_of(page, taken)
    return Finds(tuple(notes), tuple(skipped), frozenset((used | taken.keys()) - left.keys()), left)


def _take(page: Page, line: Line, verdict: _Verdict | None, taken: dict[int, list[int]]) -> None:
    """The items that a statement and its verdict stand in."""
    if isinstance(page.blocks[line.block], Items):
        places = [line.at, *([verdict.at] if verdict and verdict.block == line.block else [])]
        begin = page.item_starts(line.block)
        taken.setdefault(line.block, []).extend(number_of(begin, place) for place in places)


def _judged(page: Page, index: int, line: Line, asked: str) -> tuple[str, _Verdict | None]:
    """The statement and its verdict, which may stand behind it on its line."""
    within = _WITHIN.match(asked) if _MAY_TELL.search(asked) else _SIGNED.match(asked)
    if within:
        why = within["why"].strip()
        why = why.removesuffix("）").removesuffix(")") if "(" not in why and "（" not in why else why
        right = is_right(within["word"])
        return within["text"], _Verdict(right, why, line.block, line.at)
    return asked, _stated(page, line) or (_told(page, index, _number(page, line)) if page.chat else None)


def _statements(page: Page, index: int) -> Iterator[tuple[Line, str]]:
    """Lines that say `True or false:` before a statement, and the one paragraph below such a heading."""
    block = page.blocks[index]
    if not isinstance(block, _KINDS) or not page.free(index):
        return
    found = False
    for line in page.lines(index) if any(map(MAY_ASK.search, texts_of(block))) else ():
        text = _SIGN_BEHIND.sub(_as_letters_are, line.text)
        match = ASKED.match(without_emoji(text)) or (asked_behind(text) if page.chat else None)
        if match and width(plain(match["text"])) >= _SHORTEST:
            found = True
            yield line, match["text"]
    alone = isinstance(block, Prose | Quote) and "\n" not in block.text.strip()
    put = (alone and is_named_above(page, index, "judge")) or (is_flat(block) and is_put_to_judge(page, index))
    put = put or is_put_up_above(page, index)
    put = put or (alone and is_judged_below(page, index))
    if not found and put and not is_given(page.lines(index)[0].text):
        lines = page.lines(index)
        first = lines[:1] if alone else [lines[at] for at in page.part_starts(index)]
        yield from ((line, line.text) for line in first if width(plain(line.text)) >= _SHORTEST)


def _as_letters_are(sign: re.Match[str]) -> str:
    """The sign behind a statement as one that is no emoji."""
    return f" {'√' if is_right(sign['sign']) else '×'}"


def _stated(page: Page, line: Line) -> _Verdict | None:
    """`Answer: false. ...` on the next line or in the next block, hidden or not."""
    below = [other.text for other in page.lines(line.block)[line.at + 1 :] if other.text.strip()][:1]
    if marked := _marked(page, line):
        return marked
    at = line.block if below else line.block + 1
    at += at < len(page.blocks) and at > line.block and isinstance(page.blocks[at], Code)
    block = page.blocks[at] if at < len(page.blocks) else None
    if not below and isinstance(block, Prose | Quote):
        below = [block.text]
    if not below and isinstance(block, Details):
        below = [f"Answer: {block.text.strip()}"]
    match = (_STATED.match(below[0]) or _BARE.match(below[0])) if below else None
    place = line.at + 1 if at == line.block else 0
    return _Verdict(is_right(match["word"]), match["why"].strip(), at, place) if match else None


def _marked(page: Page, line: Line) -> _Verdict | None:
    """`Your answer: False` on the next line, and beside or below that whether it was right."""
    marked = marked_below(page, line.place)
    given = verdict_of(marked.given) if marked else None
    if marked is None or given is None:
        return None
    why = verdict_of(marked.told.partition("\n")[0]) if not marked.right else None
    told = why[1] if why and why[0] != given[0] else _EXPLAINS.sub("", marked.told)
    return _Verdict(given[0] == marked.right, told, marked.line.block, marked.line.at)


_EXPLAINS = pattern(r"^[^\w\n]*(?:解析|说明|解释|explanation|reason)\W*", re.IGNORECASE)


def _number(page: Page, line: Line) -> int:
    """The number that a statement bears; 0 without one."""
    block = page.blocks[line.block]
    told = block.items[number_of(page.item_starts(line.block), line.at)].number if isinstance(block, Items) else ""
    borne = number_borne(line.text)
    return int(told) if told.isdigit() else borne.number if borne else 0


def _told(page: Page, index: int, number: int) -> _Verdict | None:
    """What the tutor says after the pupil's turn: the verdict itself, or that the pupil's is right."""
    asked = page.turn_after(index)
    reply = page.turn_after(asked)
    if reply == len(page.blocks) or not isinstance(turn := page.blocks[asked], Turn) or turn.speaker != "pupil":
        return None
    said = "\n".join(text_of(page.blocks[at]) for at in range(asked + 1, reply))
    text = next((b.text for b in page.blocks[reply + 1 : reply + 3] if isinstance(b, Prose | Quote)), "")
    told_in = range(reply + 1, page.turn_after(reply))
    part = part_told(page, told_in, number) if number else []
    own = part_of_pupil(said, number) or _in_order(said, number, page.blocks[index])
    if part and own:
        said, text = own, "\n".join(borne.rest if (borne := number_borne(words)) else words for _, words in part)
    elif number and not part and (row := _in_rows(page, told_in, number, own)):
        return _Verdict(*row, reply)
    words = plain(text)
    told = _TOLD.search(words) or _LEADING.match(words) if not _CONFIRMS.match(words) else _TOLD.search(words)
    if told:
        return _Verdict(is_right(told["word"]), _why(text), part[0][0] if part else reply)
    if not part:
        said = said_alike(
            page, range(asked + 1, reply), lambda answer: (match := _LEADING.match(plain(answer))) and match[0]
        )
    pupil = verdict_of(plain(said))
    if pupil is None:
        return None
    agreed = bool(talk.CONFIRMS.search(text[:80])) and not talk.DENIES.search(text[:80])
    denied = bool(talk.DENIES.search(text[:80]))
    if talk.DENIES.search(words[:_FIRST]) and not talk.CONFIRMS.search(words[:_FIRST]):
        agreed = False  # `错了，任意维都可以`: the first word counts
    if agreed == denied:
        return None
    return _Verdict(pupil[0] == agreed, _why(text), part[0][0] if part else reply)


def _in_rows(page: Page, reply: range, number: int, own: str) -> tuple[bool, str] | None:
    """(right, why) of one of several statements, where all are called right or a table goes through them."""
    given = verdict_of(own)
    if given and all_right(page, reply):
        return given[0], ""
    if cell := verdict_of(key_in_table(page, reply, number, own)):
        return cell
    right = right_in_table(page, reply, number)
    return (given[0] == right, "") if given and right is not None else None


def _in_order(said: str, number: int, block: Block) -> str:
    """The verdict for one of the statements of a list by a pupil who gives as many as there are: `T T F`."""
    count = len(block.items) if isinstance(block, Items) else 0
    signs = signs_on(said) if count > 1 else []
    return signs[number - 1] if len(signs) == count and 0 < number <= count else ""


def _why(text: str) -> str:
    """The sentences after the verdict."""
    sentences = re.split(r"(?<=[。！!])\s*|(?<=[\w*`)][.])\s+(?=[A-Z`])", text.strip())
    return " ".join(one for one in sentences[1:] if one).strip()
