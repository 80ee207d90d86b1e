"""What makes one indentation likelier than another, where the grammar allows several.

The weights were set by hand and compared with a trained log-linear model of 274 weights, which was
hardly better (0 to 6 points) on texts that neither had seen. They only rank: no score makes a reading sure.
"""

from __future__ import annotations

from deckgen.read.features import Feature
from deckgen.read.grammar import Frame, Frames, is_flow

_PLAIN_IN_CLASS = frozenset(("def", "class", "decorator", "string", "annotate", "pass", "comment"))


def weight(line: Feature, depth: int, frames: Frames, shapes: dict[tuple[str, ...], int]) -> float:
    """How much a line likes to stand at a depth, after the blocks that are open before it."""
    stays, left = frames[: depth + 1], frames[depth + 1 :]
    total = _leaving(line, stays, left) if left else 0.0
    total += sum(_inside(line, frame) for frame in stays[1:])
    total += _in_class(line, stays) + _nesting(line, stays) + _clause(line, depth, frames)
    seen = shapes.get(line.shape)
    if seen is not None and line.shape:
        total += 1.0 if seen == depth else -1.0 if depth > seen else 0.0
    return total


def _leaving(line: Feature, stays: Frames, left: Frames) -> float:
    total = -1.0 * len(left)
    visible = frozenset().union(*(frame.bound for frame in stays))
    if left[-1].ended:
        total += 1.2
    for frame in left:
        total += _lost_names(line, frame, visible)
        if line.kind == "augment" and frame.kind in ("for", "while"):
            total -= 1.5
        if line.text:
            total -= {"def": 2.0, "with": 1.5}.get(frame.kind, 0.0)
    if line.text.startswith("\n"):
        total += 1.5
    return total


def _lost_names(line: Feature, frame: Frame, visible: frozenset[str]) -> float:
    """The line uses names that only the block it leaves had bound."""
    lost = (line.uses & frame.bound) - visible
    params = frame.header.params if frame.header is not None else frozenset()
    if not lost:
        return 0.0
    if frame.kind == "def":
        return -4.0 if lost & params else -3.0
    if frame.kind == "for" and lost & params:
        return -2.0
    return -0.7 if is_flow(frame) else 0.0


def _inside(line: Feature, frame: Frame) -> float:
    """A block that the line stays in."""
    total = 0.0
    header = frame.header
    if header is None:
        return total
    if header.name and header.name in line.uses:
        total -= 5.0 if frame.kind == "class" else 4.0
    if frame.kind == "for":
        if line.uses & header.params:
            total += 2.0
        if line.kind == "for" and line.params & header.params:
            total -= 4.0
        if line.text:
            total -= 1.5 if line.text.startswith("\n") else 1.2
    return total


def _in_class(line: Feature, stays: Frames) -> float:
    inner = stays[-1]
    if line.method:
        if inner.kind == "class":
            return 1.0
        return -5.0
    if inner.kind != "class" or line.kind in _PLAIN_IN_CLASS:
        return 0.0
    return -4.0 if inner.methods or line.kind not in ("assign", "import") else 0.0


def _nesting(line: Feature, stays: Frames) -> float:
    kinds = [frame.kind for frame in stays[1:]]
    if line.kind == "class" and kinds:
        return -3.0
    if line.kind == "def" and kinds and kinds[-1] in ("for", "while", "if", "elif", "else", "with", "try"):
        return -3.0
    if line.kind == "return" and kinds and kinds[-1] in ("for", "while"):
        return -3.0
    return 0.0


def _clause(line: Feature, depth: int, frames: Frames) -> float:
    if line.kind != "else":
        return 0.0
    total = -3.0 if frames[depth].last in ("for", "while") else 0.0
    nearer = any(frame.last in ("if", "elif") for frame in frames[depth + 1 :])
    return total - 1.0 if nearer else total
