"""Fences that nobody closed: what stands below them is read as code, and no card comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckgen.model.document import Code, Document
from deckgen.model.extraction import Remark
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_FENCE = pattern(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_TEXT = pattern(r"\n[ \t]*\n(?:#{1,6} \S|[-*+] \S|\|.*\||[A-Z][a-z]* [a-z]+ |[\u3400-\u9fff])")
"""What stands below an empty line and is no Python."""
_QUOTING = frozenset({"markdown", "md", "text", "txt", "plain", "console"})
"""Languages in which fences are quoted."""


def unclosed(document: Document) -> Iterator[Remark]:
    """A remark on each fence that goes on into the next one (CommonMark closes it with that one's end), or to the end of
    the source with text in it.
    """
    if document.places:
        return
    for block in document.blocks:
        if not isinstance(block, Code) or block.language in _QUOTING or block.origin:
            continue
        lines = document.source.lines[block.span.start : block.span.stop]
        opened = _FENCE.fullmatch(lines[0]) if lines else None
        if opened is None:
            continue
        within = _next_fence(lines, opened["fence"])
        if within:
            line = block.span.start + within + 1
            yield Remark(
                block.span, f"this fence is not closed above line {line}, where the next one begins; {_REMEDY}"
            )
        elif _is_open(lines, opened["fence"]) and _TEXT.search(block.text) and parsed(block.text) is None:
            yield Remark(block.span, f"this fence is never closed: all that stands below it is read as code; {_REMEDY}")


_REMEDY = "write ``` below the code that it holds"


def _next_fence(lines: Sequence[str], fence: str) -> int | None:
    """The line in a fence on which another one of its kind opens."""
    for number, line in enumerate(lines[1:], 1):
        found = _FENCE.fullmatch(line) if fence[:3] in line else None
        if found and found["fence"].startswith(fence) and found["info"].strip().isidentifier():
            return number
    return None


def _is_open(lines: Sequence[str], fence: str) -> bool:
    last = _FENCE.fullmatch(lines[-1]) if len(lines) > 1 else None
    return last is None or not last["fence"].startswith(fence)
