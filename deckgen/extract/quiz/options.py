"""The options of multiple-choice questions: which stand together."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deckgen.extract.blocks import Line, markdown_of
from deckgen.extract.page import Page
from deckgen.extract.parts import number_of
from deckgen.extract.quiz.notations import (
    LETTERS,
    LINE_END,
    MARKED,
    TICK_BEFORE,
    gap_in,
    letter_on,
    markers_on,
    option_on,
    unframed,
)
from deckgen.extract.text import without_emoji
from deckgen.model.document import Code, Details, Items, Prose, Quote
from deckgen.model.note import Option


@dataclass(frozen=True, slots=True)
class Run:
    """Options that stand together: at least two, lettered from A on."""

    options: tuple[Option, ...]
    lines: tuple[Line, ...]
    """The line that each option begins on."""
    before: str
    """Text on the first line before the first option."""
    marked: tuple[str, ...]
    """Letters that the source marks as right: `✅`, `[x]`, `(correct)`."""
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
        goes_on = (" ", "\t", "`") if found and found[0].boxed else (" ", "\t")
        if found and line.block == found[-1].line.block and line.text.startswith(goes_on):
            found[-1].text += f"\n{line.text.strip()}"
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
    return begin[here] == line.at and block.items[here].depth <= block.items[there].depth


def _run(found: list[_Option]) -> list[Run]:
    """The run of some options, if there are enough of them and all say something."""
    with_code = bool(found) and bool(found[0].code or found[-1].text in (found[-1].letter, "."))
    for option in found if with_code else found[:-1]:  # below the last one it may be the next question's
        option.text = f"{option.text}\n{option.code}".strip("\n")
        first, _, below = option.text.partition("\n")
        option.text = below if below and first in (option.letter, ".") else option.text
    if len(found) < 2 or not all(MARKED.sub("", option.text).strip() for option in found):
        return []
    if sum(gap_in(option.text) is not None for option in found) > 1:
        return []  # they want to be filled in themselves
    marked = [option.letter for option in found if option.marked or MARKED.search(option.text)]
    return [
        Run(
            options=tuple(Option(option.letter, _clean(option.text)) for option in found),
            lines=tuple(option.line for option in found),
            before=found[0].before,
            marked=tuple(marked) if len(marked) < len(found) else (),
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
