"""Every block that gave no note, with a reason that its author understands; and cards that are too big."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckgen.extract import talk
from deckgen.extract.page import Page
from deckgen.extract.text import has_words, plain, width
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
from deckgen.model.note import Cloze, Note, Skipped
from deckgen.model.note import Output as OutputBody
from deckgen.model.note_text import back
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_UNTOLD = (Turn, Heading, Directive)
"""Blocks whose place needs no reason."""
LINES = 12
"""Lines of a back that can still be recalled as one thing."""
COLUMNS = 72
"""Columns of code that fit on a phone; Chinese characters take two."""

_SHELL = frozenset({"bash", "sh", "shell", "console", "zsh", "powershell", "cmd"})
_REASONS: dict[type, str] = {
    Items: "a list that defines and states nothing by itself",
    Table: "a table without facts",
    Details: "hidden text that answers no question",
    Image: "a picture by itself",
}
"""Structure alone (headings, turns, directives) needs no reason."""
_LINK = pattern(r"https?://|\]\(")


def left_over(page: Page, notes: Sequence[Note], skipped: Sequence[Skipped]) -> Iterator[Skipped]:
    """The blocks that no note was made from and that have no reason yet."""
    told = {*(place.span for note in notes for place in note.places), *(skip.span for skip in skipped)}
    lines = _lines_of(told)
    pupil = False
    for index, block in enumerate(page.blocks):
        pupil = block.speaker == "pupil" if isinstance(block, Turn) else pupil
        if isinstance(block, _UNTOLD) or not page.free(index):
            continue
        spans = [span for span in _left(page, index) if lines.isdisjoint(range(span.start, span.stop))]
        if not spans:
            continue
        reason = "what the pupil says" if pupil else _reason(page, index, block)
        if reason and _has_words(block):
            yield from (Skipped(span, reason) for span in spans)


def _lines_of(spans: Iterable[Span]) -> set[int]:
    """The lines of spans, many of which may hold the same."""
    lines: set[int] = set()
    done = 0
    for span in sorted(spans):
        stop = max(span.stop, span.start + 1)
        lines.update(range(max(done, span.start), stop))
        done = max(done, stop)
    return lines


def _left(page: Page, index: int) -> list[Span]:
    """The lines of a block; item by item where only some items of a list are left."""
    block = page.blocks[index]
    if isinstance(block, Items) and block is not page.document.blocks[index]:
        return [item.span for item in block.items]
    return [block.span]


def _has_words(block: Block) -> bool:
    """False for a rule between paragraphs."""
    return not isinstance(block, Prose) or has_words(block.text)


def oversized(notes: Sequence[Note]) -> Iterator[Skipped]:
    """Notes whose back is long or whose code is wide: carded, but worth splitting."""
    for note in notes:
        told, code = back(note), _code(note)
        length = len([line for line in told.split("\n") if line.strip()]) if told.count("\n") >= LINES else 0
        wide = max(map(width, code.split("\n"))) if code else 0
        if length > LINES:
            yield Skipped(note.span, f"carded, but its back has {length} lines: more than {LINES} are hard to recall")
        if wide > COLUMNS:
            yield Skipped(note.span, f"carded, but its code is {wide} columns wide: more than {COLUMNS} do not fit")


def _code(note: Note) -> str:
    match note.body:
        case OutputBody():
            return note.body.code
        case Cloze(language=str() as language) if language:
            return note.body.text
        case _:
            return getattr(note.body, "example", "")


def _reason(page: Page, index: int, block: Block) -> str:
    match block:
        case Prose():
            return _of_prose(page, block)
        case Code():
            return _of_code(page, index, block)
        case Output():
            return _of_output(page, index)
        case Quote():
            return "a list of references" if _LINK.search(block.text) else "a remark in a quote"
        case Refused():
            return block.reason
        case _:
            return _REASONS.get(type(block), "")


def _of_output(page: Page, index: int) -> str:
    """Nothing for an output below code about which it claims something: of the code it is said what became of that."""
    above = index - 1
    while above > 0 and isinstance(page.blocks[above], Output | Image):
        above -= 1
    if page.claims_about(above):
        return ""
    code = page.blocks[above] if above >= 0 else None
    if not isinstance(code, Code):
        return "output without code that could have made it"
    if above in page.code and not _COMMAND.match(code.text):
        return "output that tells nothing of torch: progress, timings, a picture"
    return "what a command for IPython or the shell prints"


_COMMAND = pattern(r"\s*(?:[!%]|#[^\n]*\n\s*[!%])")
"""Of IPython: `!pip list`, `%ls`."""


def _of_prose(page: Page, block: Prose) -> str:
    if not has_words(block.text):
        return ""
    if page.chat and (talk.CHATTER.search(plain(block.text)) or _is_praise(block.text)):
        return "conversation"
    if block.text.rstrip().endswith((":", "：")) and "\n" not in block.text.strip():
        return "a line that leads on to what follows"
    return "running text: it asks, defines and claims nothing that can be recalled"


def _is_praise(text: str) -> bool:
    return width(plain(text)) <= COLUMNS and bool(talk.PRAISE.search(plain(text)))


def _of_code(page: Page, index: int, block: Code) -> str:
    if block.language in _SHELL:
        return "shell commands"
    if index in page.code:
        return "code without a claimed output"
    return "not Python: a drawing, a template or text in a fence"
