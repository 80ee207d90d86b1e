"""What makes one indentation likelier than another, where the grammar allows several.

The weights were set by hand and compared with a trained log-linear model of 274 weights, which was
hardly better (0 to 6 points) on texts that neither had seen. They only rank: no score makes a reading sure.
"""

from __future__ import annotations

from deckgen.read.reindent.features import FLOW, Feature
from deckgen.read.reindent.grammar import Frame, Frames

WEIGHTS = {
    # leaving blocks
    "leave a block": -1.0,
    "leave after return, raise, break or continue": 1.2,
    "leave a function whose parameter is used": -4.0,
    "leave a function whose local name is used": -3.0,
    "leave a loop whose variable is used": -2.0,
    "leave a block whose name is used": -0.7,
    "leave to print a constant that begins a paragraph": 1.5,
    # staying in blocks
    "stay in a loop whose variable is used": 2.0,
    "stay in a loop that is ignored for the one around it": -1.0,
    "stay in a loop that has nothing of the line's": -0.5,
    "stay in a loop to print a constant": -1.2,
    "stay in a loop to print a constant that begins a paragraph": -1.5,
    "stay in a loop to look at what it adds up": -1.5,
    "rebind the variable of the loop around": -4.0,
    "stay below a body of ... or pass": -3.0,
    "an expression without effect in a block": -2.0,
    "look at a value in a with": -2.0,
    "use a class inside itself": -5.0,
    "use a function inside itself": -4.0,
    # where definitions stand
    "a method in its class": 1.0,
    "a method elsewhere": -5.0,
    "another statement in a class": -4.0,
    "a function in a loop, a with or a branch": -3.0,
    "return straight in a loop": -3.0,
    "end a function with a return below something else in a branch": -1.5,
    # clauses
    "else of a loop": -3.0,
    "else that skips a nearer if": -1.0,
    # likeness
    "as deep as the last line of this shape": 1.0,
    "deeper than the last line of this shape": -1.0,
}
_PLAIN_IN_CLASS = frozenset(("def", "class", "decorator", "string", "ellipsis", "annotate", "pass", "comment"))
_BEFORE_METHODS = frozenset(("assign", "import"))
_CONDITIONAL = ("if", "elif", "else")
_LOOKS = ("print", "expr", "return", "assign")
"""Kinds of statements that look at what a loop has added up."""
_LOOPS = ("for", "while")
_FLOWING = (*_LOOPS, *_CONDITIONAL, "with", "try")


def weight(line: Feature, depth: int, frames: Frames, seen: int | None) -> float:
    """How much a line likes to stand at a depth, after the blocks that are open before it.

    `seen` is the depth of the last line of the same shape, if there was one.
    """
    stays, left = frames[: depth + 1], frames[depth + 1 :]
    reasons: list[str] = []
    if left:
        reasons += _leaving(line, stays, left)
    if depth:
        reasons += _staying(line, stays)
        reasons += _nesting(line, stays)
    if line.kind == "else":
        reasons += _clause(depth, frames)
    if seen is not None and seen == depth:
        reasons.append("as deep as the last line of this shape")
    elif seen is not None and depth > seen:
        reasons.append("deeper than the last line of this shape")
    if line.method and stays[-1].kind != "class":
        reasons.append("a method elsewhere")
    return sum(map(WEIGHTS.__getitem__, reasons))


def _leaving(line: Feature, stays: Frames, left: Frames) -> list[str]:
    reasons = ["leave a block"] * len(left)
    if left[-1].ended:
        reasons.append("leave after return, raise, break or continue")
    for frame in left:
        if (hidden := line.uses & frame.bound) and hidden.difference(*(outer.bound for outer in stays)):
            reasons += _lost(line, frame)
    if line.text.startswith("\n"):
        reasons.append("leave to print a constant that begins a paragraph")
    return reasons


def _lost(line: Feature, frame: Frame) -> list[str]:
    """The line uses a name that only the block it leaves had bound."""
    own = bool(frame.header and line.uses & frame.header.params)
    if frame.kind == "def":
        part = "whose parameter" if own else "whose local name"
        return [f"leave a function {part} is used"]
    if frame.kind == "for" and own:
        return ["leave a loop whose variable is used"]
    return ["leave a block whose name is used"] if frame.kind in FLOW else []


def _staying(line: Feature, stays: Frames) -> list[str]:
    reasons: list[str] = []
    loops = [frame.header for frame in stays if frame.kind == "for" and frame.header]
    used = [not line.uses.isdisjoint(header.params) for header in loops]
    if any(used):
        # A line that uses a loop's variable likes that loop, unless it ignores one further in.
        last = "a loop whose variable is used" if used[-1] else "a loop that is ignored for the one around it"
        reasons.append(f"stay in {last}")
    for header in loops:
        if line.kind == "for" and line.params & header.params:
            reasons.append("rebind the variable of the loop around")
        if line.text:
            paragraph = " that begins a paragraph" if line.text.startswith("\n") else ""
            reasons.append("stay in a loop to print a constant" + paragraph)
    for frame in stays:
        if frame.header and frame.header.name and frame.header.name in line.uses:
            reasons.append(f"use a {'class' if frame.kind == 'class' else 'function'} inside itself")
    return reasons + _idle(line, stays[-1])


def _idle(line: Feature, inner: Frame) -> list[str]:
    """Statements that do nothing, or nothing new, where they stand."""
    reasons: list[str] = []
    if line.kind == "expr":
        reasons.append("an expression without effect in a block")
    if inner.hollow:
        reasons.append("stay below a body of ... or pass")
    if not inner.last or inner.header is None:
        return reasons
    if inner.kind == "with" and line.kind in ("print", "expr") and not inner.header.params:
        reasons.append("look at a value in a with")
    if inner.kind in _LOOPS and not line.header and not line.uses & (inner.bound | inner.used | inner.header.params):
        reasons.append("stay in a loop that has nothing of the line's")
    elif line.kind in _LOOKS and line.uses & inner.summed - inner.header.params - line.adds:
        reasons.append("stay in a loop to look at what it adds up")
    return reasons


def _nesting(line: Feature, stays: Frames) -> list[str]:
    inner = stays[-1].kind
    reasons: list[str] = []
    if line.method and inner == "class":
        reasons.append("a method in its class")
    elif inner == "class" and line.kind not in _PLAIN_IN_CLASS | (set() if stays[-1].methods else _BEFORE_METHODS):
        reasons.append("another statement in a class")
    if line.kind == "def" and inner in _FLOWING:
        reasons.append("a function in a loop, a with or a branch")
    if line.kind == "return" and inner in _LOOPS:
        reasons.append("return straight in a loop")
    if line.final and inner in _CONDITIONAL and stays[-1].last:
        reasons.append("end a function with a return below something else in a branch")
    return reasons


def _clause(depth: int, frames: Frames) -> list[str]:
    reasons = ["else of a loop"] if frames[depth].last in _LOOPS else []
    if any(frame.last in ("if", "elif") for frame in frames[depth + 1 :]):
        reasons.append("else that skips a nearer if")
    return reasons
