"""Where the output below unfenced code ends."""

from __future__ import annotations

import re

from deckgen.model.source import Span
from deckgen.read.indentation.pylines import Logical, Scan
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.lines import Lines, bulleted, numbered
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE

_NUMBER = pattern(r"\d+(?:\.\d+)?")


_FIGURES = pattern(r"\s*[-+]?\d+\.\d+(?:\s+[-+]?\d+(?:\.\d+)?)+\s*")
"""`2.0 2`: numbers and nothing else are no heading."""
_KEYED = pattern(r"\s*\d+(?:\.\d+)*\.[a-z_]\w*(?:\.\w+)*[\s:]+(?:torch\.Size|tensor|Parameter|\(|\[|True|False|\d)")
"""`0.weight torch.Size([3, 2])`: a name that begins with a number is no heading, either."""


def output_below(known: Lines, start: int, parts: list[Logical]) -> tuple[Span, int] | None:
    """The lines of the output below a run of code, and how many of them only announce it."""
    number = first = known.next_filled(start)
    if first - start > 2 or first >= len(known):
        return None
    labelled = outputs.announced_by(known.lines[first])
    number = known.next_filled(first + 1) if labelled else first
    stop = _output_end(known, number, outputs.templates(parts), labelled)
    if stop == number:
        return None
    return Span(first, stop), number - first


def _output_end(known: Lines, number: int, patterns: list[outputs.Template], labelled: bool) -> int:
    scan, stop, first = Scan(), number, number
    while number < len(known):
        line = known.lines[number]
        if not line.strip():
            number += 1
            if number - stop > 2:
                break
            continue
        goes_on = _is_output(known, number, patterns) or (scan.open and not CHINESE.search(line))
        goes_on = goes_on or (number > first and _skeleton(line) == _skeleton(known.lines[number - 1]))
        goes_on = goes_on or (labelled and number > first and _is_row_of_names(known, number, patterns))
        if not goes_on and not (labelled and number == first and not _is_text(known, number)):
            break
        scan.triple = ""
        scan.feed(line[:500])
        number += 1
        stop = number
    return stop


def _is_output(known: Lines, number: int, patterns: list[outputs.Template]) -> bool:
    line = known.lines[number]
    if len(line) > 2000:
        return False
    if outputs.printed(line, patterns):
        return True
    if _heads(line) or bulleted(line):
        return False
    if number and known.lines[number - 1].lstrip().startswith('File "'):
        return True
    if outputs.looks_like_value(line) or _KEYED.match(line):
        return True
    return line.rstrip().endswith("(") and _is_module(known, number)


def _heads(line: str) -> bool:
    """Whether a number begins a heading."""
    return numbered(line) and not (_FIGURES.fullmatch(line) or _KEYED.match(line))


def _is_module(known: Lines, number: int) -> bool:
    """`Net(` above `(fc): Linear(in_features=2, ...)`: how a module prints."""
    below = known.next_filled(number + 1)
    return below < len(known) and bool(_CLASS.fullmatch(known.lines[number]) and _CHILD.match(known.lines[below]))


_CLASS = pattern(r"\s*[A-Z_]\w*\(\s*")
_CHILD = pattern(r"\s*\(\w[\w.-]*\): \w+\(")


def _skeleton(line: str) -> str:
    """What a print in a loop writes again and again: a line without its numbers, and without its names where a value in brackets
    follows them (`ReLU (5, 3)`). A line that has neither is like no other.
    """
    if len(line) >= 500 or not _NUMBER.search(line):
        return line
    plain = _NUMBER.sub("0", line.strip())
    return _NAME.sub("x", plain) if _VALUED.match(plain) else plain


_NAME = pattern(r"[A-Za-z_][\w.]*", re.A)
_VALUED = pattern(r"(?:[A-Za-z_][\w.]*[:=]?\s+){1,3}[(\[]", re.A)


_NAMES = pattern(r"(?:[A-Za-z_][\w.]*[ \t]+){1,3}[A-Za-z_][\w.]*", re.A)
_MOST_ROWS = 20


def _is_row_of_names(known: Lines, number: int, patterns: list[outputs.Template]) -> bool:
    """`ff Sequential` below `norm LayerNorm`: as many names as above, and a value below the last such row."""
    size = _names(known.lines[number - 1])
    below = number
    while below < min(len(known), number + _MOST_ROWS) and size and _names(known.lines[below]) == size:
        below += 1
    return number < below < len(known) and _is_output(known, below, patterns)


def _names(line: str) -> int:
    """How many names a line consists of; 0 if it is anything else."""
    return len(line.split()) if len(line) < 100 and _NAMES.fullmatch(line.strip()) else 0


def _is_text(known: Lines, number: int) -> bool:
    line = known.lines[number]
    return bool(CHINESE.search(line)) or _heads(line) or known.strength(number) == "strong"
