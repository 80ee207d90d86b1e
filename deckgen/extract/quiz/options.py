"""The options of multiple-choice questions: which stand together.

The stem of a multiple-choice question: what stands above its options and asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deckgen.extract.blocks import Line, is_rule, markdown_of, text_of
from deckgen.extract.declared.asked import has_answer_label, has_question_label
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Page, number_of
from deckgen.extract.quiz.notations import (
    BOX,
    LETTERS,
    LINE_END,
    MARKED,
    TICK_BEFORE,
    gap_in,
    letter_on,
    letters_after_label,
    markers_on,
    option_on,
    unframed,
)
from deckgen.extract.text import plain, without_emoji, without_number
from deckgen.model.document import Block, Code, Details, Directive, Heading, Item, Items, Output, Prose, Quote, Turn
from deckgen.model.note import Option
from deckgen.text.pattern import pattern


@dataclass(frozen=True, slots=True)
class Run:
    """Options that stand together: at least two, lettered from A on."""

    options: tuple[Option, ...]
    lines: tuple[Line, ...]
    """The line that each option begins on."""
    before: str
    """Text on the first line before the first option."""
    marked: tuple[str, ...]
    """Letters that the source marks: `✅`, `[x]`, `(correct)`."""
    framed: bool
    """Every letter wears a frame (🅰️), as in menus."""
    boxed: bool
    """The options have boxes and no letters, as tasks have."""
    numbered: bool
    """The options have numbers, and their answer gives a letter."""
    last: int
    """Index of the last block, which may be code."""

    @property
    def letters(self) -> frozenset[str]:
        return frozenset(option.letter for option in self.options)

    @property
    def right(self) -> tuple[str, ...]:
        """The marked letters; none where every option is marked, as in a list of tasks that are done."""
        return self.marked if len(self.marked) < len(self.options) else ()

    @property
    def blocks(self) -> range:
        """Indices from the block of the first option to that of the last."""
        return range(self.lines[0].block, self.last + 1)


@dataclass(slots=True)
class _Option:
    letter: str
    text: str
    line: Line
    marked: bool = False
    framed: bool = False
    boxed: bool = False
    numbered: bool = False
    before: str = ""
    code: str = ""
    """The fence below it."""


def runs(page: Page) -> list[Run]:
    """Every run of options in the text of a page."""
    made: list[Run] = []
    found: list[_Option] = []
    last = -1
    for index, block in enumerate(page.blocks):
        if isinstance(block, Code) and found and last == index - 1 and not found[-1].code:
            found[-1].code = markdown_of(block)  # right below an option: it is the option's
            last = index
        if isinstance(block, Prose | Quote | Items | Details) and page.free(index):
            if index > last + 1:
                _close(found, made)
            for line in page.lines(index):
                _take(page, line, found, made)
            last = index
    _close(found, made)
    return made


def _take(page: Page, line: Line, found: list[_Option], made: list[Run]) -> None:
    """Add the options of a line to those found above it, or close these."""
    options = _options_on(line, found)
    if options and options[0].numbered and not isinstance(page.blocks[line.block], Prose):
        options = []  # an item of a list in a quote or a fold
    if not options:
        if found and line.text.strip() and _ends(page, line, found):
            _close(found, made)
        if found and line.block == found[-1].line.block and _goes_on(page, line, found):
            found[-1].text += f"\n{_as_item(page, line)}"
    elif found and (options[0].boxed, options[0].numbered) != (found[0].boxed, found[0].numbered):
        _close(found, made)
        options = _options_on(line, found)
    for option in options:
        if option.letter != LETTERS[len(found) : len(found) + 1]:
            _close(found, made)
        if option.letter == LETTERS[len(found) : len(found) + 1]:
            found.append(option)


def _close(found: list[_Option], made: list[Run]) -> None:
    made.extend(_run(found))
    found.clear()


def _options_on(line: Line, found: list[_Option]) -> list[_Option]:
    bare = TICK_BEFORE.sub("", line.text)
    text = unframed(bare, ". ")
    framed = text != bare
    several = markers_on(text, len(found)) or markers_on(text)
    if several:
        stops = [*(marker.start() for marker in several[1:]), len(text)]
        pieces = [text[marker.end() : stop].strip(" \t；;，,") for marker, stop in zip(several, stops, strict=True)]
        before = text[: several[0].start()].strip()
        return [
            _Option(letter_on(marker), piece, line, framed=framed, before=before)
            for marker, piece in zip(several, pieces, strict=True)
        ]
    match = option_on(text)
    if match and match.groupdict().get("box") and found and found[-1].boxed:
        match = BOX.pattern.match(text)  # `- [ ] A. B, C` below boxes without letters
    if match is None:
        return []
    groups = match.groupdict()
    letter, number, box = (groups.get(name) for name in ("letter", "number", "box"))
    boxed = not (letter or number)
    at = int(number) - 1 if number else len(found) if found and found[-1].boxed else 0
    letter = letter or LETTERS[at : at + 1] or "?"
    marked = (box or " ") in "xX" or line.text != bare
    return [_Option(letter.upper(), match["text"].strip(), line, marked, framed, boxed, number is not None)]


def _ends(page: Page, line: Line, found: list[_Option]) -> bool:
    """A line that is no option ends the options if it stands below their code, or beside boxes and not below one."""
    if found[-1].code or not found[0].boxed:
        return bool(found[-1].code)
    block = page.blocks[line.block]
    if not isinstance(block, Items) or line.block != found[-1].line.block:
        return True
    begin = page.item_starts(line.block)
    here, there = (number_of(begin, one.at) for one in (line, found[-1].line))
    own = block.items[here].depth > block.items[there].depth or _only_names(found[-1])
    return begin[here] == line.at and not own


def _goes_on(page: Page, line: Line, found: list[_Option]) -> bool:
    """A line that is no option belongs to the one above it: it is indented, or an item below a box."""
    if line.text.startswith((" ", "\t")) or not found[0].boxed:
        return line.text.startswith((" ", "\t"))
    return line.text.startswith(("`", "<")) or _item_at(page, line) is not None


def _as_item(page: Page, line: Line) -> str:
    """The line with the mark of its item, if it begins one."""
    item, text = _item_at(page, line), line.text.strip()
    if item is None:
        return text
    return f"{item.number}. {text}" if item.number else f"- {text}"


def _item_at(page: Page, line: Line) -> Item | None:
    """The item that a line begins."""
    block, begin = page.blocks[line.block], page.item_starts(line.block)
    at = number_of(begin, line.at) if begin else 0
    return block.items[at] if isinstance(block, Items) and begin[at] == line.at else None


_BARE = pattern(r"(?:[A-H]|&shy;)?[.:)]?$")
"""All that an option says whose text is the code or the list below it."""


def _only_names(option: _Option) -> bool:
    return _BARE.match(option.text.partition("\n")[0]) is not None


def _run(found: list[_Option]) -> list[Run]:
    """The run of some options, if there are enough of them and all say something."""
    with_code = any(option.code for option in found[:-1]) or (bool(found) and _only_names(found[-1]))
    for option in found if with_code else found[:-1]:  # below the last one it may be the next question's
        option.text = f"{option.text}\n{option.code}".strip("\n")
        first, _, below = option.text.partition("\n")
        option.text = below if below and _BARE.match(first) else option.text
    if len(found) < 2 or not all(MARKED.sub("", option.text).strip() for option in found):
        return []
    marked = [option.letter for option in found if option.marked or MARKED.search(option.text)]
    if not marked and sum(gap_in(option.text) is not None for option in found) > 1:
        return []  # they want to be filled in themselves
    return [
        Run(
            options=tuple(Option(option.letter, _clean(option.text)) for option in found),
            lines=tuple(option.line for option in found),
            before=found[0].before,
            marked=tuple(marked),
            framed=all(option.framed for option in found),
            boxed=found[0].boxed,
            numbered=found[0].numbered,
            last=found[-1].line.block + bool(with_code and found[-1].code),
        )
    ]


def _clean(text: str) -> str:
    text = LINE_END.sub("", MARKED.sub("", text)).strip()
    text = re.sub(r"\*\*$", "", text) if text.count("**") % 2 else text
    return text.strip() or without_emoji(text)


_FAR = 5
"""How many blocks above the options their stem may begin."""
_COUNTED = r"(?:«grammar.ordinal»\s*\w{1,3}\s*«grammar.question»|(?:«quiz.question»\s*)?\d+(?:\.\d+)?(?:\s*(?:of|/)\s*\d+)?\s*«grammar.question»?|«quiz.question»)"
_LABEL = pattern(
    r"^(?:[（(【]\s*«quiz.kind»\s*[】)）]\s*[:：]?\s*|【?(?:«grammar.ordinal»\s*\w{1,3}\s*«grammar.question»|«quiz.question»)\s*\d*\s*(?:(?:of|/)\s*\d+\s*)?"
    r"(?:[（(]\s*«quiz.kind»\s*[）)]\s*)?[：:.)）、】]\s*)+",
    re.IGNORECASE,
)
"""`Q1:`, `【单选】`, `第 3 题：` before a question."""
_WILLING = pattern(r"^(?:«quiz.willing»\s*[!！.。,，~～]+\s*)+(?=\S)")
"""`好的！`, `Sure!`"""
_NUMBER_IN_BOLD = pattern(rf"^\*\*\s*({_COUNTED}\s*[.)、:：]?)\s*\*\*\s*", re.IGNORECASE)
_BOLD = pattern(r"^\*\*([^*]+)\*\*(?=\s*(?:\n|$))")


class Stem(NamedTuple):
    """What is asked, and where."""

    text: str
    blocks: range
    first_line: int


def stem_of(page: Page, run: Run, previous: Run | None) -> Stem:
    """What is asked: the lines above the options in their block, or else the blocks above it."""
    start = run.blocks.start
    own = _own_lines(page, run, previous)
    if own:
        return Stem(cleaned([line.text for line in own]), range(start, start + 1), own[0].number)
    floor = _floor(page, previous) if previous else 0
    if whole := _under_number(page, start, floor):
        texts = [text_of(page.blocks[index]) for index in whole]
        return Stem(cleaned(texts), whole, page.blocks[whole.start].span.start)
    blocks = _behind_last_pair(page, _blocks_above(page, start, floor))
    if not blocks:
        return Stem("", range(0), run.lines[0].number)
    first = page.blocks[blocks[0]]
    line = first.items[-1].span.start if isinstance(first, Items) else first.span.start
    return Stem(cleaned([_text_of(page.blocks[index]) for index in blocks]), range(blocks[0], start), line)


def _behind_last_pair(page: Page, blocks: Sequence[int]) -> Sequence[int]:
    """Without a question above that has its answer, and what is above that: `Q: ...` and `A: ...` in one paragraph."""
    pairs = [n for n, at in enumerate(blocks) if _is_pair(page.blocks[at])]
    return blocks[pairs[-1] + 1 :] if pairs else blocks


def _is_pair(block: Block) -> bool:
    lines = block.text.split("\n") if isinstance(block, Prose) else [""]
    return has_question_label(lines[0]) and any(map(has_answer_label, lines[1:]))


def _floor(page: Page, run: Run) -> int:
    """The first block below a run; the same list, if that goes on with another item."""
    block = page.blocks[run.last]
    return run.last + 1 - (isinstance(block, Items) and block.items[-1].span.start > run.lines[-1].number)


def _text_of(block: Block) -> str:
    """The text of a block without the answer before; of a list the last item, right below which the options stand."""
    if isinstance(block, Items):
        return block.items[-1].text
    lines = [Line(block.span.start, line, 0) for line in text_of(block).split("\n")]
    return "\n".join(line.text for line in _after_answer(lines)) or text_of(block)


def _own_lines(page: Page, run: Run, previous: Run | None) -> list[Line]:
    first = run.lines[0]
    block = page.blocks[first.block]
    floor = previous.lines[-1].place if previous else (-1, -1)
    above = list(page.lines(first.block)[floor[1] + 1 if floor[0] == first.block else 0 : first.at])
    if isinstance(block, Items):
        above = _item_that_asks(page, block, first, above)
    else:
        asking = [at for at, line in enumerate(above) if ends_asking(line.text)]
        starts = [at for at in asking if without_number(above[at].text.strip()) == above[at].text.strip()]
        above = above[starts[-1] if starts else 0 :]  # sub-questions are numbered and stay with their stem
    above = _after_answer(above)
    above += [first._replace(text=run.before)] if run.before else []
    return [line for line in above if line.text.strip() and not line.text.lstrip().startswith(("<div", "</div"))]


def ends_asking(text: str) -> bool:
    """True for text that asks."""
    return Kind.QUESTION in labels(text.strip())


def _after_answer(above: list[Line]) -> list[Line]:
    """Without the answer to the question before, if that stands in the same block, and what explains it."""
    texts = [plain(line.text) for line in above]
    told = [at for at, text in enumerate(texts) if letters_after_label(text) or Kind.EXPLAINS_OPTION in labels(text)]
    return above[told[-1] + 1 :] if told else above


def _item_that_asks(page: Page, block: Items, first: Line, above: Sequence[Line]) -> list[Line]:
    """The lines of the item that the options are children or further lines of, or that asks right before them."""
    begin = page.item_starts(first.block)
    at = number_of(begin, first.at)
    if first.at > begin[at]:
        return [line for line in above if line.at >= begin[at]]
    parent = next((n for n in range(at - 1, -1, -1) if block.items[n].depth < block.items[at].depth), at - 1)
    if parent < 0 or (block.items[parent].depth == block.items[at].depth and not ends_asking(block.items[parent].text)):
        return []
    return [line for line in above if begin[parent] <= line.at < begin[parent + 1]]


def _under_number(page: Page, stop: int, floor: int) -> range | None:
    """From a heading `Q12. ...` to the options: all of it is asked."""
    head = page.heading_above(stop)
    if head is None or head < floor or Kind.TEST_QUESTION not in labels(text_of(page.blocks[head])):
        return None
    between = page.blocks[head + 1 : stop]
    parted = any(isinstance(one, Turn | Directive | Details) or is_rule(one) or _answers(one) for one in between)
    return None if parted else range(head, stop)


def _blocks_above(page: Page, stop: int, floor: int) -> list[int]:
    """Indices of the blocks that ask, in order."""
    gathered: list[int] = []
    for index in range(stop - 1, max(stop - _FAR, floor, 0) - 1, -1):
        block = page.blocks[index]
        if isinstance(block, Turn | Output | Directive | Details) or is_rule(block):
            break
        if _answers(block):
            asking = [at for at, i in enumerate(gathered) if isinstance(page.blocks[i], Items) or _asks(page, i)]
            gathered = gathered[asking[0] if asking else 0 :]
            break
        gathered.insert(0, index)
        if isinstance(block, Heading):
            break
        if isinstance(block, Prose | Quote) and _begins(page, index):
            above = page.blocks[index - 1] if index else None
            about = isinstance(above, Code) and Kind.ABOUT_CODE in labels(block.text)
            gathered = [index - 1, *gathered] if about else gathered
            break
    return _without_preamble(page, gathered)


def _asks(page: Page, index: int) -> bool:
    return Kind.ASKS in labels(text_of(page.blocks[index]))


def _begins(page: Page, index: int) -> bool:
    """A paragraph that asks; sub-questions, which have numbers alone, have their stem above them."""
    lines = [without_emoji(line) for line in text_of(page.blocks[index]).split("\n") if line.strip()]
    return _asks(page, index) and not (
        all(without_number(line) != line for line in lines) and not _LABEL.match(lines[0])
    )


def _answers(block: Block) -> bool:
    """True for a paragraph that gives or explains the answer of the question before."""
    if not isinstance(block, Prose | Quote):
        return False
    lines = block.text.strip().split("\n")
    told = Kind.EXPLAINS_OPTION in labels(lines[0]).words or any(map(letters_after_label, lines))
    return told and Kind.ASKS not in labels(lines[-1])


def _without_preamble(page: Page, gathered: list[int]) -> list[int]:
    """Without a heading, if something below it asks; only the nearest block, if nothing asks at all."""
    headed = bool(gathered) and isinstance(page.blocks[gathered[0]], Heading)
    asking = [index for index in gathered[headed:] if _asks(page, index)]
    if not headed:
        return gathered if asking else gathered[-1:]
    drop = asking or (not _asks(page, gathered[0]) and len(gathered) > 1)
    return gathered[1:] if drop and not ends_asking(text_of(page.blocks[gathered[0]])) else gathered


def cleaned(texts: Sequence[str]) -> str:
    """What is asked, without pictures, `Q1:` and `3.` in front, and bold type around all of it."""
    text = re.sub(r"^\[!\w+\][+-]?[ \t]*", "", "\n".join(text.rstrip() for text in texts).strip())
    text = re.sub(r"^(\d+)\\(?=[.)])", r"\1", _WILLING.sub("", text))
    text = _BOLD.sub(r"\1", _NUMBER_IN_BOLD.sub(r"\1 ", text))
    text = text if text[:1].isalpha() or text[:1].isdecimal() else without_emoji(text)
    for _ in range(2):
        text = _LABEL.sub("", without_number(text)).strip()
    return LINE_END.sub("", _BOLD.sub(r"\1", text))
