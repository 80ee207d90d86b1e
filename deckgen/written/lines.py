"""Printed lines: which of them were written together, because a bracket or a traceback binds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.text.pattern import pattern

_STRING = pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_TRACEBACK = pattern(r"\s*Traceback \(most recent call last\)")
_CELL_TRACEBACK = pattern(r"([\w.]*[A-Za-z])\s+Traceback \(most recent call last\)")
_RULE = pattern(r"-{3,}\s*")
_FRAMES = 500
"""No traceback that people paste has more lines."""
_EXCEPTION = pattern(r"[\w.]*(?:Error|Exception|Interrupt|Iteration|Exit)\b")
WARNED = pattern(r"\s*(?:\S|\S.*\S):\d+: (?:\w+\.)*\w*Warning: ")
"""How Python writes a warning: `/tmp/x.py:2: UserWarning: careful`, and below it the line of code."""
_HANGING = pattern(r"Parameter containing:\s*$")


def paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of lines that were written together: brackets closed, tracebacks whole.

    Blank lines belong to nothing. A bracket that is never closed binds nothing. Linear time.
    """
    ends = _bracket_ends(lines)
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        stop = ends[at]
        if "Traceback (" in lines[at] or _RULE.fullmatch(lines[at]):
            stop = _traceback_end(lines, at) if _TRACEBACK.match(lines[at]) else _cell_traceback_end(lines, at) or stop
        if "Warning: " in lines[at] and WARNED.match(lines[at]):
            stop = min(at + 1 + _echoes(lines, at + 1), len(lines))
        if "Parameter" in lines[stop - 1] and _HANGING.search(lines[stop - 1]) and stop < len(lines):
            stop = ends[stop]
        yield at, stop
        at = stop


def _bracket_ends(lines: Sequence[str]) -> list[int]:
    """For each line, where the brackets that it opens are closed again (exclusive)."""
    depth = 0
    before: list[int] = []
    for line in lines:
        before.append(depth)
        plain = _STRING.sub("", line) if "'" in line or '"' in line else line
        depth += sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
    ends = [index + 1 for index in range(len(lines))]
    waiting: list[int] = []
    for index, level in enumerate([*before, depth][1:]):
        waiting.append(index)
        while waiting and before[waiting[-1]] >= level:
            ends[waiting.pop()] = index + 1
    return ends


def _traceback_end(lines: Sequence[str], start: int) -> int:
    """Frames are indented, or start with `File "` where indentation was lost; then comes the exception."""
    frame = False
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if line.lstrip().startswith(('File "', "...")):
            frame = True
        elif line.strip() and not line[0].isspace() and not (frame and not _EXCEPTION.match(line)):
            return index + 1
        else:
            frame = False
    return len(lines)


def _cell_traceback_end(lines: Sequence[str], start: int) -> int | None:
    """Where IPython's traceback ends: its first line names the exception, and so does its last."""
    head = _below_rule(lines, start) if _RULE.fullmatch(lines[start]) else start
    named = _CELL_TRACEBACK.match(lines[head])
    if named is None:
        return None
    last = re.compile(rf"{re.escape(named[1])}(?::|\s*$)")
    stop = next((at + 1 for at in range(head + 1, min(len(lines), head + _FRAMES)) if last.match(lines[at])), None)
    while stop is not None and stop < len(lines) and lines[stop].strip():
        stop += 1  # a message of several lines
    return stop


def _echoes(lines: Sequence[str], at: int) -> bool:
    """The line of code that Python repeats below a warning is set in by two blanks."""
    return at < len(lines) and lines[at].startswith("  ") and bool(lines[at].strip())


def _below_rule(lines: Sequence[str], rule: int) -> int:
    """The next line that is not blank: some exporters set one below the rule; the rule itself if there is none near."""
    return next((at for at in range(rule + 1, min(len(lines), rule + 3)) if lines[at].strip()), rule)
