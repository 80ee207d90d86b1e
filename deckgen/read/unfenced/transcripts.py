"""Sessions of the interpreter in exported text: `>>> x.sum()` and what it printed, up to where the text goes on."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.document import Code
from deckgen.pattern import pattern
from deckgen.read.indentation.pylines import Scan, logical_at
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.lines import CJK, numbered
from deckgen.source import Span

PROMPT = pattern(r">>>(?: |$)")


def transcript(lines: Sequence[str], start: int, *, flat: bool) -> Code:
    """A run of `>>>` and what they print, up to the text after a blank line; of a page without blank lines
    up to what cannot have been printed."""
    stop = number = start + 1
    scan = Scan()
    while number < len(lines):
        line = lines[number]
        if flat and not line.startswith((">>>", "...")):
            if not scan.open and _goes_on(lines, number):
                break
            scan.feed(line)
        if lines[number].strip():
            stop = number = number + 1
        else:
            while number < len(lines) and not lines[number].strip():
                number += 1
            if number == len(lines) or not PROMPT.match(lines[number]):
                break
    numbers = tuple(range(start, stop))
    return Code(Span(start, stop), "\n".join(lines[start:stop]), "pycon", numbers)


def _goes_on(lines: Sequence[str], number: int) -> bool:
    """Whether the page goes on at a line below a transcript: with a heading, with text, or with code."""
    line = lines[number]
    if outputs.looks_like_value(line):
        return False
    found = logical_at(lines, number)
    code = found is not None and found.kind not in ("expr", "string", "comment", "annotate")
    return bool(CJK.search(line)) or numbered(line) or code
