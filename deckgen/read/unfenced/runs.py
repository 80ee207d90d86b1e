"""Runs of lines in text that has lost its fences: code, output, tables, flattened code, text.

The order of the questions matters: a numbered heading (`3. x`) and a table row parse as Python, so
they are asked about first; and output is cut off a run before the run is called code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from deckgen.model.source import Span
from deckgen.read.indentation.pylines import Logical
from deckgen.read.unfenced.coderuns import code_run
from deckgen.read.unfenced.lines import Lines
from deckgen.read.unfenced.marks import flattened, is_frame, is_row, is_shell
from deckgen.read.unfenced.printed import output_below

_BUTTONS = 4
"""Lines with its language and its buttons that a code box may have."""
Kind = Literal["code", "shell", "output", "table", "flattened", "frame", "text"]


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring lines of one kind."""

    kind: Kind
    span: Span
    logical: tuple[Logical, ...] = field(default=(), compare=False)
    """The logical lines of code."""
    label: int = 0
    """Lines at the start of an output that only announce it."""


def runs(lines: Sequence[str]) -> list[Run]:
    """All lines of a text, in runs; blank lines belong to no run."""
    known = Lines(lines)
    found: list[Run] = []
    number = 0
    while number < len(lines):
        if known.blank(number):
            number += 1
            continue
        new = _next(known, number)
        found += new
        number = new[-1].span.stop
    return found


def _next(known: Lines, number: int) -> list[Run]:
    line = known.lines[number]
    if is_row(line):
        return [Run("table", Span(number, _table_end(known, number)))]
    if flattened(line):
        return [Run("flattened", Span(number, number + 1))]
    if is_shell(line):
        return [Run("shell", Span(number, _shell_end(known, number)))]
    if _is_frame(known, number):
        return [Run("frame", Span(number, number + 1))]
    if line.strip() == "1" and (numbered := _numbers_above(known, number)):
        return numbered
    return _code(known, number) or [Run("text", Span(number, number + 1))]


def _code(known: Lines, start: int) -> list[Run]:
    """Code from a line on, and what stands below it; nothing if there is no code."""
    parts, is_code = code_run(known, start)
    if not parts:
        return []
    stop = parts[-1].stop
    if not is_code:
        return [Run("text", Span(n, n + 1)) for n in range(start, stop) if not known.blank(n)]
    code = Run("code", Span(start, stop), tuple(parts))
    frame = _frame_below(known, stop, stop - start)
    output = output_below(known, stop if frame is None else frame.stop, parts)
    found = [code] if frame is None else [code, Run("frame", frame)]
    if output is None:
        return found
    shown, label = output
    counted = shown.start + label if frame is None else _counted(known, Span(shown.start + label, shown.stop))
    if frame is None or counted == shown.stop:
        return [*found, Run("output", shown, label=label)]
    return [*found, Run("output", Span(shown.start, counted), label=label), Run("frame", Span(counted, shown.stop))]


def _is_frame(known: Lines, number: int) -> bool:
    """Whether a line stands on the frame of the code box below it."""
    if not is_frame(known.lines[number]):
        return False
    following = known.next_filled(number + 1)
    if following >= len(known) or following - number > 2:
        return False
    return bool(known.strength(following)) or _is_frame(known, following)


def _frame_below(known: Lines, stop: int, lines: int) -> Span | None:
    """What a page has put below a code box of so many lines: its language, its buttons, the line numbers.

    Without numbers it is none, since then it stands above the next box; fewer than three alone may be an output.
    """
    start = number = known.next_filled(stop)
    while (
        number < len(known) and number - start < _BUTTONS and is_frame(known.lines[number]) and not known.blank(number)
    ):
        number += 1
    end = _counting(known, number)
    enough = end - number == lines and (lines >= 3 or number > start)
    return Span(start, end) if enough else None


def _counting(known: Lines, start: int) -> int:
    """Where the lines `1`, `2`, `3`, ... that begin at a line end."""
    stop = start
    while stop < len(known) and known.lines[stop].strip() == str(stop - start + 1):
        stop += 1
    return stop


def _counted(known: Lines, output: Span) -> int:
    """Where an output ends that its own line numbers stand below; its end if there are none."""
    lines, odd = divmod(output.stop - output.start, 2)
    middle = output.start + lines
    return output.stop if odd or _counting(known, middle) < output.stop else middle


def _numbers_above(known: Lines, number: int) -> list[Run]:
    """The line numbers of a code box that a page has put above it, and the box; nothing if they are none."""
    stop = _counting(known, number)
    parts, is_code = code_run(known, stop) if stop - number >= 2 and stop < len(known) else ([], False)
    if not is_code or parts[-1].stop - stop != stop - number:
        return []
    return [Run("frame", Span(number, stop)), *_code(known, stop)]


def _table_end(known: Lines, start: int) -> int:
    """Rows of scraped tables sometimes lose their first bar."""
    stop = start + 1
    while stop < len(known) and (
        is_row(known.lines[stop])
        or (known.lines[stop - 1].rstrip().endswith("|") and known.lines[stop].count("|") >= 2)
    ):
        stop += 1
    return stop


def _shell_end(known: Lines, start: int) -> int:
    stop = start + 1
    while stop < len(known) and (known.lines[stop - 1].endswith("\\") or is_shell(known.lines[stop])):
        stop += 1
    return stop
