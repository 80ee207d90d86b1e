"""What an author is told: which cards are too big, which files are missing, and which fences nobody closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckgen.extract.claims.pasted import REPR
from deckgen.extract.text import width
from deckgen.model.claim import Snippet
from deckgen.model.document import (
    Code,
    Document,
    Refused,
    Remark,
)
from deckgen.model.note import Cloze, Note, back
from deckgen.model.note import Output as OutputBody
from deckgen.text.pattern import HAN, pattern
from deckgen.text.syntax import parsed

LINES = 12
"""Lines of a back that can still be recalled as one thing."""
COLUMNS = 72
"""Columns of code that fit on a phone; Chinese characters take two."""


def failed_includes(document: Document) -> Iterator[Remark]:
    """An error for each fence that stands for code of a file, and cannot be filled with it."""
    for block in document.blocks:
        if isinstance(block, Refused) and block.is_error:
            yield Remark(block.span, block.reason, is_error=True)


def oversized(notes: Sequence[Note]) -> Iterator[Remark]:
    """A remark on each note whose back is long or whose code is wide: it is carded, but worth splitting."""
    for note in notes:
        length = sum(1 for line in back(note).split("\n") if line.strip())
        wide = max(map(width, _code(note).split("\n")))
        if length > LINES:
            text = f"its back has {length} lines: more than {LINES} are hard to recall"
            yield Remark(note.span, text, is_minor=True)
        if wide > COLUMNS:
            text = f"its code is {wide} columns wide: more than {COLUMNS} do not fit"
            yield Remark(note.span, text, is_minor=True)


def _code(note: Note) -> str:
    match note.body:
        case OutputBody():
            return note.body.code
        case Cloze(language=str() as language) if language:
            return note.body.text
        case _:
            return getattr(note.body, "example", "")


_FENCE = pattern(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_TEXT = pattern(rf"\n[ \t]*\n(?:#{{1,6}} \S|[-*+] \S|\|.*\||(?:[A-Z][a-z]*[:：] )?[A-Z][a-z]* [a-z]+ |[{HAN}])")
"""What stands below an empty line and is no Python."""
_QUOTING = frozenset({"markdown", "md", "text", "txt", "plain", "console"})
"""Languages in which fences are quoted."""
_REMEDY = "write ``` below the code that it holds"


def unclosed_fences(document: Document) -> Iterator[Remark]:
    """A remark on each fence that goes on into the next one (CommonMark closes it with that one's end), or to the end of
    the source with text in it.
    """
    for block in () if document.places else document.blocks:
        if not isinstance(block, Code) or block.language in _QUOTING or block.origin:
            continue
        lines = document.source.lines[block.span.start : block.span.stop]
        opened = _FENCE.fullmatch(lines[0]) if lines else None
        if opened is None:
            continue
        fence = opened["fence"]
        below = [
            (at, found)
            for at, line in enumerate(lines[1:], 1)
            if fence[:3] in line and (found := _FENCE.fullmatch(line))
        ]
        within = next(
            (at for at, found in below if found["fence"].startswith(fence) and found["info"].strip().isidentifier()), 0
        )
        closed = bool(below) and below[-1][0] == len(lines) - 1 and below[-1][1]["fence"].startswith(fence)
        if within:
            line = block.span.start + within + 1
            text = f"this fence is not closed above line {line}, where the next one begins; {_REMEDY}"
            yield Remark(block.span, text)
        elif not closed and _TEXT.search(block.text) and parsed(block.text) is None:
            yield Remark(block.span, f"this fence is never closed: all that stands below it is read as code; {_REMEDY}")


def unread_values(snippets: Sequence[Snippet]) -> Iterator[Remark]:
    """A remark on code that is no Python because of values between its lines, of which it cannot be told what shows them."""
    for snippet in snippets:
        values = map(REPR.match, snippet.code.split("\n"))
        read = any(claim.place != "unparsed" for claim in snippet.claims)
        if not read and any(values) and parsed(snippet.code) is None:
            text = "values stand between the lines of this code, and it cannot be told what shows them; write them behind `# `"
            yield Remark(snippet.span, text)
