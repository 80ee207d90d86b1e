"""Why a line gave no note where no rule has said so: every line that belongs to nothing (`coverage.py`) is told with a reason.

The reasons say what deckgen found, and nothing of the text that could be untrue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from deckgen.extract.blocks import texts_of
from deckgen.extract.coverage import Coverage, Part, parts
from deckgen.extract.declared.incomplete import NO_TEXT, lacks_a_side
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Page
from deckgen.extract.report import COLUMNS
from deckgen.extract.text import ends_with_colon, plain, plain_width, width
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Directive,
    Heading,
    Image,
    Items,
    Output,
    Prose,
    Quote,
    Refused,
    Table,
    Turn,
)
from deckgen.model.note import Note, Skipped
from deckgen.text.pattern import CLOZE, pattern

_SHELL = frozenset({"bash", "sh", "shell", "console", "zsh", "powershell", "cmd"})
_LINKS = pattern(r"!?\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])|<a\b.*?</a>|<[^<>]*>|https?://\S+", re.DOTALL)
_FORMULA = pattern(r"\$\$?[^$]+\$\$?[\s.,，。]*")
_TITLE = pattern(r"\*\*[^*\n]+\*\*")
_SHORTCODE = pattern(r":\w+:$")
_COMMAND = pattern(r"\s*(?:[!%]|#[^\n]*\n\s*[!%])")
"""Of IPython: `!pip list`, `%ls`."""

_SHORT = 24
"""Columns of an entry that only names what stands below it, and of the words between links."""

_PUPIL = "what the pupil says"
_LEADS_ON = "a line that leads on to what follows"
_LABEL = "a label over the entries below it"
_ENTRY = "an entry in which deckgen found no term to ask about and nothing to leave out"
_ROW = "a row in which deckgen found nothing to ask for"
_ONE_CELL = "a row with one filled cell"
_LINKS_ALONE = "links by themselves"
_QUOTE = "a quote in which deckgen found nothing to ask for"
_PROSE = "running text in which deckgen found no question, no definition and no fact to ask for"
_OUTPUT = "output that is compared with nothing: progress, timings, a picture, or more than the code was seen to print"
_STREAMS = {"error": "the error with which the code ended", "stderr": "warnings and progress beside the output"}


def lines_left_over(page: Page, notes: Sequence[Note], skipped: Sequence[Skipped]) -> Iterator[Skipped]:
    """A refusal of each block that nobody has looked at, and of the lines of others that belong to nothing."""
    coverage = Coverage(notes, skipped, page.snippets)
    pupil = False
    for index, block in enumerate(page.document.blocks):
        pupil = block.speaker == "pupil" if isinstance(block, Turn) else pupil
        if isinstance(block, Turn | Heading | Directive):
            continue
        untouched = page.free(index) and not coverage.is_noted(block)
        if untouched and (reason := _reason(page, index, block)):
            if not isinstance(block, Prose) or parts(block):
                yield Skipped(block.span, _PUPIL if pupil else reason)
            continue
        why = [
            (part, _PUPIL if pupil else _why(page, index, block, part, coverage)) for part in coverage.homeless(block)
        ]
        yield from _together(why)


def _together(told: Sequence[tuple[Part, str]]) -> Iterator[Skipped]:
    """One refusal for the lines that stand side by side and have the same reason."""
    for (_, reason), group in groupby(enumerate(told), lambda one: (one[1][0].number - one[0], one[1][1])):
        spans = [part.span for _, (part, _) in group]
        yield Skipped(spans[0] | spans[-1], reason)


def _not_shown(line: int) -> str:
    return f"read with the card of line {line + 1}, which does not show it"


def _beside(above: tuple[int, bool] | None) -> str:
    """What became of the lines that a rule read together with one that it left out."""
    if above is None:
        return _PROSE
    begin, carded = above
    return _not_shown(begin) if carded else f"read with line {begin + 1}, which gave no card"


def _why(page: Page, index: int, block: Block, part: Part, coverage: Coverage) -> str:
    """Why a line of a block that gave something else belongs to nothing."""
    if _leads_on(part.text):
        return _LEADS_ON
    match block:
        case Items():
            return _of_entry(block, part.entry, coverage)
        case Table():
            return _of_row(block, part.entry)
        case Output():
            return _STREAMS.get(block.stream, _OUTPUT)
        case _ if page.free(index):
            return _reason(page, index, block) or _PROSE
        case _:
            return _beside(coverage.above(part.span.start))


def _of_entry(block: Items, number: int, coverage: Coverage) -> str:
    items = block.items
    if number + 1 < len(items) and items[number + 1].depth > items[number].depth:
        return _LABEL if plain_width(items[number].text) <= _SHORT else _ENTRY
    depth = items[number].depth
    for above in reversed(items[:number]):
        if above.depth < depth:
            depth = above.depth
            if coverage.begins_note(above.span.start):
                return _not_shown(above.span.start)
    return _ENTRY


def _of_row(block: Table, number: int) -> str:
    cells = block.rows[number].cells
    return _ONE_CELL if sum(map(bool, map(str.strip, cells))) < 2 else _ROW


_REASONS: dict[type, str] = {
    Items: "a list in which deckgen found no term to ask about and nothing to leave out",
    Table: "a table in which deckgen found nothing to ask for",
    Details: "hidden text that answers no question",
    Image: "a picture by itself",
}


def _reason(page: Page, index: int, block: Block) -> str:
    """Why a block gave nothing that nobody has looked at; empty where the code above it says what became of it."""
    if any(map(CLOZE.search, texts_of(block))):
        return "a text that shows how a cloze is written"
    match block:
        case Prose():
            return _of_prose(page, block.text)
        case Code() if block.language in _SHELL:
            return "shell commands"
        case Code():
            known = index in page.code
            return "code without a claimed output" if known else "a fence that holds no Python"
        case Output():
            return _of_output(page, index)
        case Quote():
            return _LINKS_ALONE if _is_links(block.text) else _QUOTE
        case Refused():
            return block.reason
        case _:
            return _REASONS.get(type(block), "")


def _of_output(page: Page, index: int) -> str:
    """Nothing for an output below code about which it claims something: of the code it is said what became of that."""
    above = index - 1
    while above > 0 and isinstance(page.blocks[above], Output | Image):
        above -= 1
    code = page.blocks[above] if above >= 0 else None
    if page.claims_about(above):
        return ""
    if not isinstance(code, Code):
        return "output without code that could have made it"
    if above in page.code and not _COMMAND.match(code.text):
        return "output that tells nothing of torch: progress, timings, a picture"
    return "what a command for IPython or the shell prints"


def _of_prose(page: Page, text: str) -> str:
    words = plain(text).rstrip()
    if page.chat and (Kind.TALK in labels(words) or (width(words) <= COLUMNS and Kind.PRAISE in labels(words))):
        return "conversation"
    if _is_links(text):
        return _LINKS_ALONE
    if lacks_a_side(text):
        return NO_TEXT
    if _FORMULA.fullmatch(text.strip()):
        return "a formula by itself"
    if _TITLE.fullmatch(text.strip()):
        return "a title in bold"
    return _LEADS_ON if _leads_on(words) else _PROSE


def _leads_on(words: str) -> bool:
    bare = words.rstrip(" *_")
    return ends_with_colon(bare) and "\n" not in bare and not _SHORTCODE.search(bare)


def _is_links(text: str) -> bool:
    """True for a text of links and pictures with no more than a few signs or words between them."""
    return _LINKS.search(text) is not None and width(_LINKS.sub("", text).strip()) <= _SHORT
