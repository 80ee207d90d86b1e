"""Restoring lost indentation: a search over depths, with hard grammar and a table of weights.

*Sure* means that the grammar leaves exactly one reading, never that one scores high. *Credible* are, of several, those
in which no line stands where hardly anybody would write it, if there are such.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from deckgen.read.reindent.features import Feature, feature
from deckgen.read.reindent.grammar import ROOT, Frames, Need, complete, depths, is_odd, needs, place, satisfied
from deckgen.read.reindent.logical import Logical
from deckgen.read.reindent.weights import weight
from deckgen.text.syntax import parsed

MOST = 64
"""Readings followed up at once; beyond that the list is no longer complete, and nothing is sure."""
LISTED = 48
"""Readings handed on, at most."""
LONGEST = 1000
"""Statements of the longest snippet that is restored."""
_LONG = 100
"""Statements from which fewer readings are followed up, so that time stays in proportion to length."""
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Restored:
    """Code with indentation, and how far it can be trusted."""

    text: str
    sure: bool
    candidates: tuple[str, ...] = ()
    """Every credible reading that was found, the likeliest first; at most `LISTED`."""
    complete: bool = True
    """Whether no credible reading is missing."""


class _Path(NamedTuple):
    score: float
    depths: tuple[int, ...]
    frames: Frames
    odd: bool = False
    """Whether a line stands where hardly anybody would write it."""


class Found(NamedTuple):
    """Readings from the likeliest on."""

    paths: list[_Path]
    whole: bool
    """Whether they are all that the grammar allows."""
    credible: bool
    """Whether those without an odd line are all there."""


def restored(lines: Sequence[str], logical: Sequence[Logical], start: int = 0) -> Restored:
    """The code of `lines`, which are those of the logical lines; `start` is the number of the first.

    Code that parses as it stands keeps its indentation, if it has any or needs none.
    """
    raw = textwrap.dedent("\n".join(lines))
    headers = any(line.header for line in logical)
    if (not headers or any(line[:1].isspace() for line in lines)) and parsed(raw) is not None:
        return Restored(raw, True)
    code = [line for line in logical if line.kind != "comment"]
    if any(line.kind == "broken" for line in logical):
        return Restored(raw, False, complete=False)
    if len(code) > LONGEST:
        return Restored(raw, False, complete=False)
    found = search(_with_ends([feature(line) for line in code]))
    credible = [path for path in found.paths if not path.odd]
    paths, whole = (credible, found.credible) if credible else (found.paths, found.whole)
    laid_out = _laid_out(lines, logical, start)
    listed = tuple(_written(laid_out, path.depths) for path in paths[:LISTED])
    if not listed or parsed(listed[0]) is None:
        return Restored(raw, False, complete=False)
    if found.whole and len(found.paths) == 1:
        return Restored(listed[0], True)
    return Restored(listed[0], False, listed, whole and len(listed) == len(paths))


def _with_ends(lines: Sequence[Feature]) -> list[Feature]:
    """The same lines; a return above a definition or at the end knows that it may end its function."""
    ends = [line.kind in ("def", "class", "decorator") for line in lines[1:]] + [True]
    return [
        replace(one, final=True) if end and one.kind == "return" else one for one, end in zip(lines, ends, strict=True)
    ]


def search(lines: Sequence[Feature]) -> Found:
    """Readings from the likeliest on; where there are too many, those with an odd line go first."""
    need = needs(lines)
    alike = _alike(lines)
    most = max(8, MOST * _LONG // max(_LONG, len(lines)))
    paths = [_Path(0.0, (), (ROOT,))]
    whole = credible = True
    for number, line in enumerate(lines):
        paths = _longer(paths, line, alike[number], need[number + 1])
        if len(paths) > most:
            plain = sum(not path.odd for path in paths)
            paths = sorted(paths, key=_plainer)[:most]
            whole, credible = False, credible and plain <= most
    return Found(sorted((path for path in paths if complete(path.frames)), key=_likelier), whole, credible)


def _plainer(path: _Path) -> tuple[bool, float]:
    return path.odd, -path.score


def _likelier(path: _Path) -> float:
    return -path.score


def _alike(lines: Sequence[Feature]) -> list[int | None]:
    """For each line the number of the last one before it that has its shape."""
    seen: dict[tuple[str, ...], int] = {}
    found: list[int | None] = []
    for number, line in enumerate(lines):
        found.append(seen.get(line.shape) if line.shape else None)
        seen[line.shape] = number
    return found


class _Step(NamedTuple):
    """What a line may do next, whatever stands above the blocks that are open."""

    weight: float
    depth: int
    frames: Frames
    odd: bool


def _longer(paths: Sequence[_Path], line: Feature, alike: int | None, need: Need) -> list[_Path]:
    """The paths with a line more. Those that have the same blocks open go on alike."""
    known: dict[tuple[Frames, int | None], list[_Step]] = {}
    found: list[_Path] = []
    for path in paths:
        state = path.frames, None if alike is None else path.depths[alike]
        steps = known.get(state)
        if steps is None:
            steps = known[state] = list(_steps(line, *state, need))
        found += [
            _Path(path.score + step.weight, (*path.depths, step.depth), step.frames, path.odd or step.odd)
            for step in steps
        ]
    return found


def _steps(line: Feature, frames: Frames, seen: int | None, need: Need) -> Iterator[_Step]:
    """A line at each depth where it may stand and leaves open what later lines `need`."""
    for depth in depths(frames):
        changed = place(line, depth, frames)
        if changed is not None and satisfied(need, changed):
            yield _Step(weight(line, depth, frames, seen), depth, changed, is_odd(line, depth, frames))


class _Line(NamedTuple):
    """A line of the code to be written."""

    statement: int
    """Number of the statement with which it is indented; -1 if it stays at the margin, or as it is."""
    deeper: int
    """Levels that it stands deeper than that statement begins."""
    text: str


def _laid_out(lines: Sequence[str], logical: Sequence[Logical], start: int) -> list[_Line]:
    """What does not depend on the depths. A comment takes the depth of the next statement; at the end it has none."""
    found = [_Line(-1, 0, line) for line in lines]
    statement, left = -1, sum(line.kind != "comment" for line in logical)
    for line in reversed(logical):
        if line.kind != "comment":
            left -= 1
            statement = left
        for number in range(line.start - start, line.stop - start):
            # A comment torn in two by the page's width got its mark back in `line.text`.
            text = line.text if line.kind == "comment" else lines[number]
            found[number] = _line(line, number + start, statement, text)
    return found


def _line(line: Logical, number: int, statement: int, text: str) -> _Line:
    bare = text.strip()
    if not bare:
        return _Line(-1, 0, "")
    if number == line.start:
        return _Line(statement, 0, bare)
    if line.kind != "string" and ('"""' in line.text or "'''" in line.text):
        return _Line(-1, 0, text)  # the inside of a string that is used is not ours to move
    return _Line(statement, 0 if bare[0] in ")]}" or line.kind == "string" else 1, bare)


def _written(lines: Sequence[_Line], depths: Sequence[int]) -> str:
    """The code as text."""
    return "\n".join(
        text if statement < 0 else _INDENT * (depths[statement] + deeper) + text for statement, deeper, text in lines
    )
