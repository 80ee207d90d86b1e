"""Runs of lines in text that has lost its fences: code, output, tables, flattened code, text.

The order of the questions matters: a numbered heading (`3. x`) and a table row parse as Python, so
they are asked about first; and output is cut off a run before the run is called code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from deckgen.read.coderuns import code_run
from deckgen.read.lines import Lines
from deckgen.read.marks import flattened, is_frame, is_row, is_shell
from deckgen.read.printed import output_below
from deckgen.read.pylines import Logical
from deckgen.source import Span

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
    found = [code]
    numbers = known.next_filled(stop)
    if (end := _gutter(known, numbers, stop - start)) > numbers:
        found.append(Run("frame", Span(numbers, end)))
    output = output_below(known, max(stop, end), parts)
    return [*found, Run("output", output[0], label=output[1])] if output else found


def _is_frame(known: Lines, number: int) -> bool:
    """Whether a line stands on the frame of the code box below it."""
    if not is_frame(known.lines[number]):
        return False
    following = known.next_filled(number + 1)
    if following >= len(known) or following - number > 2:
        return False
    return bool(known.strength(following)) or _is_frame(known, following)


def _gutter(known: Lines, start: int, lines: int) -> int:
    """Where the line numbers of a code box end that a page has put below it; `start` if there are none."""
    stop = start
    while stop < len(known) and known.lines[stop].strip() == str(stop - start + 1):
        stop += 1
    return stop if stop - start >= 3 and stop - start == lines else start


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
