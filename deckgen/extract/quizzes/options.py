"""The lettered options of multiple-choice questions, in any dress: `A.` `(b)` `**C)**` `- D、` `🅰️`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from deckgen.document import Code, Details, Items, Prose, Quote
from deckgen.extract.blocks import Line, markdown_of, texts_of
from deckgen.extract.page import Page
from deckgen.extract.parts import number_of
from deckgen.extract.quizzes.gaps import gap_in
from deckgen.extract.quizzes.inline_options import LETTERS, letter_on, markers_on
from deckgen.extract.text import without_emoji
from deckgen.note import Option
from deckgen.pattern import pattern

_KINDS = (Prose, Quote, Items, Details)
"""Blocks that may hold options."""
_ENCLOSED = {
    chr(first + n): letter
    for first in (0x1F170, 0x1F150, 0x1F130, 0x24B6, 0x24D0, 0xFF21, 0xFF41)
    for n, letter in enumerate(LETTERS)
}
"""🅰 🅐 🄰 Ⓐ ⓐ Ａ ａ: letters that wear a frame or are wide."""

_FRAMED = pattern("([" + "".join(c for c in _ENCLOSED if c not in "ＡＢＣＤＥＦＧＨａｂｃｄｅｆｇｈ") + "])\ufe0f?")
_MAY_FRAME = pattern("[Ⓐ-ⓩ\U0001f130-\U0001f189]")
"""Cheap to look for, since most lines have nothing of it."""
_OPTION = pattern(
    r"""^\s*(?:[-*+•▪]\s+)?(?:\[(?P<box>[ xX√✓])\]\s*)?(?:\*\*|__|(?P<tick>`))?
        [（(\[【]?\s*(?P<letter>[A-Ha-h])\s*(?:\*\*|__|(?(tick)`|(?!)))?\s*
        (?:[）)\]】]\s*[.、:：]?|[.．、:：]|\s[-–—]\s)(?:\*\*|__|(?(tick)`(?!\w)|(?!)))?\s*(?:\[(?P<late>[ xX√✓])\]\s+)?(?P<text>\S.*)$""",
    re.VERBOSE,
)
_BOXED = pattern(
    r"^\s*(?:[-*+]\s+)?(?:\[(?P<box>[ xX√✓])\]\s+|\((?P<radio>[ xX])\)\s+|(?P<ballot>[☐☑☒]|&#974[456];)\ufe0f?\s*)(?P<text>\S.*)$"
)
"""An option of a list of tasks, or with a ballot box, without a letter."""
_MAY_BE_BOXED = pattern(r"\s{0,12}(?:[-*+]\s+)?(?:\[|\([ xX]\)|[☐☑☒]|&#974)")
_EMPTY = frozenset({" ", "☐", "&#9744;"})
_IN_BOLD = pattern(r"\s*(?:[-*+]\s+)?\*\*\s*[（(]?[A-Ha-h]\s*[.)、．:：）]")
_ALONE = pattern(
    r"^\s*(?:[-*+•▪]\s+)?(?:\*\*|__)?[（(]?(?P<letter>[A-H])(?:\*\*|__)?\s*[）).．、:：]{1,2}(?:\*\*|__)?\s*$"
)
"""The letter of an option that is the code below it."""
_MARKED = pattern(
    r"\s*(?:✅|✔️?|☑️?|√|(?:←|⟵|⇐|<(?=-|=))[-–—=]*\s*"
    r"(?:(?:this is )?(?:the )?)?(?:正确|答案|correct|answer|(?:right|对的?)\W*$).*|(?://|#)\s*(?:correct|right|正确)(?:\s*answer|答案)?\W*$|[（(\[【]\s*(?:正确(?:答案)?|对|答案|"
    r"correct(?: answer)?|right)\s*[）)\]】])\s*$",
    re.IGNORECASE,
)
_LEADING_MARK = pattern(r"^\s*(?:✅|✔️?|☑️?)\s*")
_MARK_BEHIND = r"(?<![A-Za-z0-9].)[\s*_`]*+(?:[）)\]】.．、:：]|[-–—]\s)"
_FIRST_ONES = "".join(framed for framed, letter in _ENCLOSED.items() if letter == "A")
_MAY_BEGIN = pattern(
    rf"[Aa\[(&☐☑☒{_FIRST_ONES}](?:(?<=\()(?<!\w\()[ xX]\)\s|(?<=[Aa]){_MARK_BEHIND}|(?<=\[)[ xX√✓]\]|(?<=&)#974|(?<=[☐☑☒{_FIRST_ONES}]))"
)
"""The first option, however it is dressed: cheap to look for, since most blocks have nothing of it."""
_MAY_GO_ON = pattern(rf"[Bb]{_MARK_BEHIND}")


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


def is_option(text: str) -> bool:
    """True for text that begins like a lettered option."""
    return _OPTION.match(text) is not None


def are_options(text: str) -> bool:
    """True for text that is nothing but lettered options; the first may have lost its letter, as a label of answers."""
    for told in (text, f"A. {text.lstrip()}") if _MAY_GO_ON.search(text) else ():
        lines = [line for line in told.split("\n") if line.strip()]
        found = [*takewhile(bool, map(_letters_on, lines))]
        letters = "".join(found)
        if len(letters) > 1 and len(found) == len(lines) and letters == LETTERS[: len(letters)]:
            return True
    return False


def _letters_on(text: str) -> str:
    match = _OPTION.match(text)
    return "".join(map(letter_on, markers_on(text))) or (match["letter"].upper() if match else "")


def unframed(text: str) -> str:
    """Text in which 🅰️ and its kin are plain letters."""
    return _FRAMED.sub(lambda match: _ENCLOSED[match[1]], text)


def _lines(page: Page, found: Sequence[_Found]) -> Iterator[Line]:
    """Lines of text, and each fence as if it were one; where nothing is `found` above, only of blocks where options may begin."""
    for index, block in enumerate(page.blocks):
        if isinstance(block, _KINDS) and page.free(index):
            yield from page.lines(index) if found or any(map(_MAY_BEGIN.search, texts_of(block))) else ()
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
    match = _ALONE.match(line.text) if isinstance(below, Code) else None
    if not match or line != page.lines(line.block)[-1]:
        return ()
    return (_Found(match["letter"], "", line, boxed=False, framed=False),)


def _options_on(line: Line, above: int) -> Sequence[_Found]:
    bare = text = line.text
    if not text.isascii():
        bare = _LEADING_MARK.sub("", line.text)
        text = _FRAMED.sub(lambda match: f"{_ENCLOSED[match[1]]}. ", bare) if _MAY_FRAME.search(bare) else bare
    framed = text != bare
    several = markers_on(text, above)
    if several:
        return _split(line, text, several, framed)
    match = _OPTION.match(text)
    if not match:
        return ()
    boxed = (match["box"] or match["late"] or " ") in "xX√✓" or line.text != bare
    words = match["text"].strip()
    words = words[:-1] if match["tick"] and words.endswith("`") and words.count("`") % 2 else words
    return (_Found(match["letter"].upper(), words, line, boxed, framed),)


def _boxed(line: Line, found: Sequence[_Found]) -> Sequence[_Found]:
    """An option with a box for a letter, which gets the next one."""
    match = _BOXED.match(line.text) if _MAY_BE_BOXED.match(line.text) else None
    if match is None:
        return ()
    at = len(found) if found and found[-1].bare else 0
    letter = LETTERS[at] if at < len(LETTERS) else ""
    return (
        _Found(
            letter or "?",
            match["text"].strip(),
            line,
            (match["box"] or match["radio"] or match["ballot"]) not in _EMPTY,
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
        if all(option.text for option in found) and sum(map(_has_gap, found)) < 2:
            made.append(_run(found))
    found.clear()


def _has_gap(option: _Found) -> bool:
    """True for what wants to be filled in itself."""
    return gap_in(option.text) is not None


def _run(found: Sequence[_Found]) -> Run:
    marked = [option for option in found if option.boxed or _MARKED.search(option.text)]
    right = tuple(option.letter for option in marked) if len(marked) < len(found) else ()
    bold = tuple(option.letter for option in found if _IN_BOLD.match(option.line.text))
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
    text = _MARKED.sub("", text) if marked else text
    text = LINE_END.sub("", text).strip()
    if text.endswith("**") and text.count("**") % 2:
        text = text.removesuffix("**")
    return text.strip() or without_emoji(text)
