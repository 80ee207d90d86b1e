"""Where Python's grammar lets a line stand: the hard rules of restoring indentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deckgen.read.reindent.features import TERMINATORS, Feature


class Frame(NamedTuple):
    """An open block."""

    kind: str
    header: Feature | None
    last: str = ""
    """Kind of the last statement in it: `else` becomes `else-if`, `else-try` or `else-loop`."""
    ended: bool = False
    """Whether that statement was return, raise, break or continue."""
    bound: frozenset[str] = frozenset()
    """Names first bound in it."""
    methods: bool = False
    """Whether a class already has a method."""
    hollow: bool = False
    """Whether all it holds is `...` or `pass`."""
    used: frozenset[str] = frozenset()
    """Names that its own statements use."""
    summed: frozenset[str] = frozenset()
    """Names that its own statements add to (`total += x`)."""


ROOT = Frame("", None)
Frames = tuple[Frame, ...]
DEEPEST = 12
"""Blocks that may be open at once."""
_AFTER = {
    "else": {
        "if": "else-if",
        "elif": "else-if",
        "for": "else-loop",
        "while": "else-loop",
        "except": "else-try",
    },
    "elif": {"if": "elif", "elif": "elif"},
    "except": {"try": "except", "except": "except"},
    "finally": {"try": "finally", "except": "finally", "else-try": "finally"},
}
"""For each clause: what may stand before it, and what it then is."""
_UNFINISHED = ("try", "decorator")
_NEEDED_BY = {"return": "def", "yield": "def", "break": "loop", "continue": "loop"}
_LOOPS = ("for", "while")
_SCOPES = ("def", "class")
_SCOPES_AND_LOOPS = (*_LOOPS, *_SCOPES)


def depths(frames: Frames) -> range:
    """Depths at which the next line may stand: all open ones, or inside a header just placed."""
    top = len(frames) - 1
    if top > DEEPEST:
        return range(0)
    return range(top, top + 1) if frames[-1].kind and not frames[-1].last else range(top, -1, -1)


def place(line: Feature, depth: int, frames: Frames) -> Frames | None:
    """The open blocks once a line stands at a depth; None where the grammar forbids it."""
    for left in frames[depth + 1 :]:
        if left.last in _UNFINISHED:
            return None
    frame = frames[depth]
    last = _fits(line, frame)
    if last is None or not _allowed(line, frames[: depth + 1]):
        return None
    changed = Frame(
        frame.kind,
        frame.header,
        last,
        line.kind in TERMINATORS,
        frame.bound | line.binds if line.binds else frame.bound,
        frame.methods or line.kind == "def",
        not frame.last and line.kind in ("pass", "ellipsis"),
        frame.used | line.uses,
        frame.summed | line.adds,
    )
    inner = (Frame(line.kind, line, bound=line.params),) if line.header else ()
    return (*frames[:depth], changed, *inner)


_IN_CLASSES = frozenset(("def", "decorator", "class", "string", "assign", "annotate", "pass", "ellipsis"))


def is_odd(line: Feature, depth: int, frames: Frames) -> bool:
    """Whether hardly anybody would write a line there, though the grammar allows it.

    A method beside or deep within the class that is open, and what is no definition below a class's methods.
    """
    frame = frames[depth]
    if line.member and frame.kind != "class":
        return any(one.kind == "class" for one in frames)
    return frame.kind == "class" and (
        line.kind not in _IN_CLASSES or (frame.methods and line.kind in ("assign", "class"))
    )


def _fits(line: Feature, frame: Frame) -> str | None:
    """What the line is, after the last statement of its block; None if it cannot stand there."""
    if line.kind in _AFTER:
        return _AFTER[line.kind].get(frame.last)
    if frame.ended or frame.last == "try":
        return None
    if frame.last == "decorator" and line.kind not in ("def", "class", "decorator"):
        return None
    if (frame.kind == "match") != (line.kind == "case"):
        return None
    return line.kind


def _allowed(line: Feature, frames: Frames) -> bool:
    """Return only in a function, break only in a loop; and three rules that no code was seen to break:

    `self` only in a method, a class's own name not straight in its body, `__main__` only at the margin.
    """
    need = _NEEDED_BY.get(line.kind)
    if need is None and len(frames) == 1 and "self" not in line.uses:
        return True
    if need == "def" and _nearest(frames, _SCOPES) != "def":
        return False
    if need == "loop" and _nearest(frames, _SCOPES_AND_LOOPS) not in _LOOPS:
        return False
    if line.main and len(frames) > 1:
        return False
    if "self" in line.uses and not any(frame.header is not None and frame.header.method for frame in frames):
        return "self" in frozenset().union(*(frame.bound for frame in frames))
    inner = frames[-1].header
    return not (inner is not None and inner.kind == "class" and inner.name in line.uses)


def _nearest(frames: Frames, kinds: Sequence[str]) -> str:
    return next((frame.kind for frame in reversed(frames) if frame.kind in kinds), "")


def complete(frames: Frames) -> bool:
    """Whether the code may end here."""
    return bool(frames[-1].last or not frames[-1].kind) and all(frame.last not in _UNFINISHED for frame in frames)


Need = frozenset[str]


def needs(lines: Sequence[Feature]) -> list[Need]:
    """For each line what must be open just before it, for the sake of this and later lines.

    A `return` before the next `def` needs a function that is still open, and so on. Without this a
    narrow beam leaves a function too early and dies many lines later.
    """
    need: Need = frozenset()
    found = [need]
    for line in reversed(lines):
        need = (need - _OFFERS.get(line.kind, frozenset())) | _WANTS.get(line.kind, frozenset())
        found.append(need)
    return found[::-1]


_WANTS: dict[str, Need] = {
    "return": frozenset(("def",)),
    "yield": frozenset(("def",)),
    "break": frozenset(("loop",)),
    "continue": frozenset(("loop",)),
    "else": frozenset(("else",)),
    "elif": frozenset(("elif",)),
    "except": frozenset(("except",)),
    "finally": frozenset(("finally",)),
    "case": frozenset(("match",)),
}
_OFFERS: dict[str, Need] = {
    "def": frozenset(("def",)),
    "for": frozenset(("loop", "else")),
    "while": frozenset(("loop", "else")),
    "if": frozenset(("else", "elif")),
    "elif": frozenset(("else", "elif")),
    "try": frozenset(("except", "finally", "else")),
    "except": frozenset(("except", "finally", "else")),
    "match": frozenset(("match",)),
}


def satisfied(need: Need, frames: Frames) -> bool:
    """Whether the open blocks can still give what later lines need."""
    return not need or all(_gives(wanted, frames) for wanted in need)


def _gives(wanted: str, frames: Frames) -> bool:
    if wanted in _AFTER:
        return any(frame.last in _AFTER[wanted] for frame in frames)
    if wanted == "match":
        return any(frame.kind == "match" for frame in frames)
    kinds = ("def",) if wanted == "def" else _LOOPS
    first = next((n for n, frame in enumerate(frames) if frame.kind in kinds), None)
    return first is not None and any(not frame.ended for frame in frames[first:])
