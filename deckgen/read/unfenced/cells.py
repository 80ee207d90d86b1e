"""Where a cell's code ends, in text that has neither fences nor rules between cells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.document import Code
from deckgen.model.source import Span
from deckgen.read.indentation.pylines import Scan, logical_lines
from deckgen.read.indentation.reindent import restored
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.glued import is_silent
from deckgen.read.unfenced.lines import Lines
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.text.text_patterns import CHINESE

_MARKDOWN = pattern(
    r"\s{0,3}(?:#{1,6}\s|>\s|[-*+]\s+\S|\d+[.)、]\s|\||!\[|```|~~~|\$\$|\*\*\S|<[a-zA-Z/!]|\[[^\]]*\]\()"
)
_SENTENCE = pattern(
    r"(?:[A-Za-z',-]+\s+){5,}.*[.:!?]$|[A-Z][A-Za-z']*(?:\s[A-Za-z',`-]+)+[.:!?]$|.*[。？！：]$"
    r"|(?:[`*(]?[A-Za-z][A-Za-z'’`*,()_-]* ){6,}[`*(]?[A-Za-z]|\w+: https?://|https?://"
)
"""Also the first line of a paragraph whose lines are broken."""
_NEAR = 12
"""Chunks above one that are asked whether they print."""
_MAGIC = pattern(r"\s*(?:%{1,2}\w|!\s*\w|\w+\?{1,2}$|\?\w)")
_TITLE = pattern(r"#\s+[^=()\[\]{}:]{1,60}")


def chunks(lines: Sequence[str], span: Span) -> list[Span]:
    """Runs of lines between blank ones; an open bracket or triple quote holds a run together."""
    found: list[Span] = []
    first: int | None = None
    scan = Scan()
    for number in range(span.start, span.stop):
        line = lines[number]
        if not line.strip() and not _still_open(scan, number, first):
            if first is not None:
                found.append(_trimmed(lines, Span(first, number)))
            first, scan = None, Scan()
            continue
        first = number if first is None else first
        scan.feed(line)
    if first is not None:
        found.append(_trimmed(lines, Span(first, span.stop)))
    return found


def _still_open(scan: Scan, number: int, first: int | None) -> bool:
    """A bracket that stays open for very long was never meant to close."""
    return first is not None and scan.open and number - first < 400


def _trimmed(lines: Sequence[str], span: Span) -> Span:
    stop = span.stop
    while stop > span.start + 1 and not lines[stop - 1].strip():
        stop -= 1
    return Span(span.start, stop)


def is_code(known: Lines, parts: Sequence[Span], index: int) -> bool:
    """Whether a chunk goes on with the code of the cell above."""
    part = parts[index]
    lines = known.lines[part.start : part.stop]
    if all(line.lstrip().startswith("#") for line in lines):
        return _is_comment(known, parts, index)
    above = Span(parts[max(0, index - _NEAR)].start, part.start)
    if _assigns(known, part.start) and is_silent(known.all_logical(above)):
        return True
    if outputs.looks_like_value(lines[0]) or outputs.announced_by(lines[0]):
        return False
    filled = [n for n in range(part.start, part.stop) if not known.blank(n)]
    code = sum(bool(_line_of_code(known, n)) for n in filled[:40])
    return bool(_line_of_code(known, filled[0])) and code * 5 >= len(filled[:40]) * 2


def _assigns(known: Lines, number: int) -> bool:
    """`rate = 0.01`: where nothing above it can have printed that, it is code."""
    found = known.logical(number)
    return found is not None and found.kind == "assign" and not known.lines[number][:1].isspace()


def _line_of_code(known: Lines, number: int) -> bool:
    return bool(known.strength(number)) or bool(_MAGIC.match(known.lines[number]))


def _is_comment(known: Lines, parts: Sequence[Span], index: int) -> bool:
    """`# text` below a cell: a comment, unless it is set like the title of the text below it."""
    part, below = parts[index], parts[index + 1] if index + 1 < len(parts) else None
    line = known.lines[part.start]
    if re.match(r"#{2,6}\s", line):
        return False
    if part.stop - part.start > 1 or not _TITLE.fullmatch(line) or below is None:
        return True
    return bool(known.strength(below.start)) or known.lines[below.start].startswith((">", "#", "-", "*"))


def is_value(known: Lines, part: Span, printed: list[outputs.Template]) -> bool:
    """Whether a chunk begins like a value, or as one of the prints writes."""
    line = known.lines[part.start][:2000]
    return outputs.printed(line, printed) or outputs.looks_like_value(line)


def is_output(known: Lines, part: Span, printed: list[outputs.Template]) -> bool:
    """Whether a chunk below a cell is what it printed, rather than the next text."""
    line = known.lines[part.start]
    if is_value(known, part, printed):
        return True
    if _MARKDOWN.match(line) or _SENTENCE.match(line[:2000].strip()):
        return False
    return not CHINESE.match(line.strip())


def cell_code(lines: Sequence[str], code: Span, span: Span) -> Code:
    """The code of a cell; its indentation is restored if it is lost."""
    text = "\n".join(lines[code.start : code.stop])
    numbers = tuple(range(code.start, code.stop))
    if parsed(text) is not None or _has_indentation(lines[code.start : code.stop]):
        return Code(span, text, "python", numbers, cell=True)
    logical = logical_lines(lines[code.start : code.stop])
    if logical is None:
        return Code(span, text, "python", numbers, cell=True)
    found = restored(lines[code.start : code.stop], logical)
    return Code(
        span,
        found.text,
        "python",
        numbers,
        sure=found.sure,
        candidates=() if found.sure else found.candidates,
        complete=found.complete,
        cell=True,
    )


def _has_indentation(lines: Sequence[str]) -> bool:
    return any(line[:1].isspace() and line.strip() for line in lines)
