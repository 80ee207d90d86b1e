"""The lettered options of multiple-choice questions: which stand together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckgen.extract.blocks import Line, markdown_of, texts_of
from deckgen.extract.page import Page
from deckgen.extract.parts import number_of
from deckgen.extract.quizzes.gaps import gap_in
from deckgen.extract.quizzes.inline_options import LETTERS, letter_on, markers_on
from deckgen.extract.quizzes.option_dress import (
    BOXED,
    EMPTY_BOXES,
    ENCLOSED,
    FRAMED,
    IN_BOLD,
    LEADING_MARK,
    LETTER_ALONE,
    LETTERED,
    MARKED,
    MAY_BE_BOXED,
    MAY_BEGIN,
    MAY_FRAME,
)
from deckgen.extract.text import without_emoji
from deckgen.model.document import Code, Details, Items, Prose, Quote
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_KINDS = (Prose, Quote, Items, Details)
"""Blocks that may hold options."""


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
    bold: tuple[str, ...] = ()
    """Letters of the options in bold type, if others are not."""
    bare: bool = False
    """The options have boxes and no letters, as tasks have."""
    code: int = -1
    """Index of the code below the last option that belongs to it."""

    @property
    def letters(self) -> set[str]:
        return {option.letter for option in self.options}

    @property
    def ballots(self) -> bool:
        """True if the options have boxes as on a ballot, which tasks have not."""
        return self.bare and "[" not in self.lines[0].text[:8]

    @property
    def blocks(self) -> range:
        """Indices from the block of the first option to that of the last."""
        return range(self.lines[0].block, max(self.lines[-1].block, self.code) + 1)


@dataclass(slots=True)
class _Found:
    letter: str
    text: str
    line: Line
    boxed: bool
    framed: bool
    before: str = ""
    bare: bool = False
    code: str = ""
    """The fence below it."""


def runs(page: Page) -> list[Run]:
    """Every run of options in the text of a page."""
    found: list[_Found] = []
    made: list[Run] = []
    last = -1
    for line in _lines(page, found):
        if line.block > last + 1:
            _close(found, made)
        if isinstance(page.blocks[line.block], Code):
            _take_code(found, made, line, last)
            last = line.block
            continue
        options = _options_on(line, len(found)) or _boxed(line, found) or _alone(page, line)
        if not options and found and found[-1].code and line.text.strip():
            _close(found, made)
        if not options and found and found[-1].bare and _is_sibling(page, line, found[0].line):
            _close(found, made)
        for option in options:
            if option.letter != LETTERS[len(found) : len(found) + 1]:
                _close(found, made)
            if option.letter == LETTERS[len(found) : len(found) + 1]:
                found.append(option)
        if not options and found:
            _continue(found, line)
        last = line.block
    _close(found, made)
    return made


def _lines(page: Page, found: Sequence[_Found]) -> Iterator[Line]:
    """Lines of text, and each fence as if it were one; where nothing is `found` above, only of blocks where options may begin."""
    for index, block in enumerate(page.blocks):
        if isinstance(block, _KINDS) and page.free(index):
            yield from page.lines(index) if found or any(map(MAY_BEGIN.search, texts_of(block))) else ()
        elif found and isinstance(block, Code):
            yield Line(block.span.start, markdown_of(block), index)


def _take_code(found: list[_Found], made: list[Run], fence: Line, last: int) -> None:
    """A fence right below an option is the option's; anywhere else it ends the options."""
    if found and not found[-1].code and found[-1].line.block == last:
        found[-1].code = fence.text
    else:
        _close(found, made)


def _alone(page: Page, line: Line) -> Sequence[_Found]:
    """A letter on a line of its own, above code."""
    below = page.blocks[line.block + 1] if line.block + 1 < len(page.blocks) else None
    match = LETTER_ALONE.match(line.text) if isinstance(below, Code) else None
    if not match or line != page.lines(line.block)[-1]:
        return ()
    return (_Found(match["letter"], "", line, boxed=False, framed=False),)


def _options_on(line: Line, above: int) -> Sequence[_Found]:
    bare = text = line.text
    if not text.isascii():
        bare = LEADING_MARK.sub("", line.text)
        text = FRAMED.sub(lambda match: f"{ENCLOSED[match[1]]}. ", bare) if MAY_FRAME.search(bare) else bare
    framed = text != bare
    several = markers_on(text, above)
    if several:
        return _split(line, text, several, framed)
    match = LETTERED.match(text)
    if not match:
        return ()
    boxed = (match["box"] or match["late"] or " ") in "xX√✓" or line.text != bare
    words = match["text"].strip()
    words = words[:-1] if match["tick"] and words.endswith("`") and words.count("`") % 2 else words
    return (_Found(match["letter"].upper(), words, line, boxed, framed),)


def _boxed(line: Line, found: Sequence[_Found]) -> Sequence[_Found]:
    """An option with a box for a letter, which gets the next one."""
    match = BOXED.match(line.text) if MAY_BE_BOXED.match(line.text) else None
    if match is None:
        return ()
    at = len(found) if found and found[-1].bare else 0
    letter = LETTERS[at] if at < len(LETTERS) else ""
    return (
        _Found(
            letter or "?",
            match["text"].strip(),
            line,
            (match["box"] or match["radio"] or match["ballot"]) not in EMPTY_BOXES,
            False,
            bare=True,
        ),
    )


def _is_sibling(page: Page, line: Line, other: Line) -> bool:
    """Of a line that begins an item no deeper than that of another line in the same list."""
    block = page.blocks[line.block]
    if not isinstance(block, Items) or line.block != other.block:
        return True
    begin = page.item_starts(line.block)
    here, there = (number_of(begin, one.at) for one in (line, other))
    return begin[here] == line.at and block.items[here].depth <= block.items[there].depth


def _split(line: Line, text: str, markers: Sequence[re.Match[str]], framed: bool) -> list[_Found]:
    stops = [marker.start() for marker in markers[1:]] + [len(text)]
    options = [
        _Found(letter_on(marker), text[marker.end() : stop].strip(" \t；;，,"), line, False, framed)
        for marker, stop in zip(markers, stops, strict=True)
    ]
    options[0].before = text[: markers[0].start()].strip()
    return options


def _continue(found: list[_Found], line: Line) -> None:
    """A wrapped line belongs to the option above it, if it stands in the same block."""
    same_block = line.block == found[-1].line.block
    if same_block and line.text.strip() and line.text.startswith((" ", "\t")):
        found[-1].text += "\n" + line.text.strip()


def _close(found: list[_Found], made: list[Run]) -> None:
    if len(found) >= 2:
        for option in found if found[0].code else found[:-1]:  # below the last one it may be the next question's
            option.text = f"{option.text}\n{option.code}".strip("\n") if option.code else option.text
        if all(MARKED.sub("", option.text).strip() for option in found) and sum(map(_has_gap, found)) < 2:
            made.append(_run(found))
    found.clear()


def _has_gap(option: _Found) -> bool:
    """True for what wants to be filled in itself."""
    return gap_in(option.text) is not None


def _run(found: Sequence[_Found]) -> Run:
    marked = [option for option in found if option.boxed or MARKED.search(option.text)]
    right = tuple(option.letter for option in marked) if len(marked) < len(found) else ()
    bold = tuple(option.letter for option in found if IN_BOLD.match(option.line.text))
    return Run(
        bold=bold if len(bold) < len(found) else (),
        options=tuple(Option(option.letter, _clean(option.text, bool(right))) for option in found),
        lines=tuple(option.line for option in found),
        before=found[0].before,
        marked=right,
        framed=all(option.framed for option in found),
        bare=all(option.bare for option in found),
        code=found[-1].line.block + 1 if found[0].code and found[-1].code else -1,
    )


LINE_END = pattern(r"(?:\s*(?:<br\s*/?>|\\|&(?:nbsp|emsp|ensp);?))+\s*$", re.IGNORECASE)
"""How Markdown is told to begin a new line."""


def _clean(text: str, marked: bool) -> str:
    text = MARKED.sub("", text) if marked else text
    text = LINE_END.sub("", text).strip()
    if text.endswith("**") and text.count("**") % 2:
        text = text.removesuffix("**")
    return text.strip() or without_emoji(text)
