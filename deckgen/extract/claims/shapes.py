"""Shapes in words: `结果形状为 (2, 4)`, `y.shape: (5, 3, 2)`, `3 tensors, shapes (2, 10), (1, 10)`."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern
from deckgen.written import half_width

_DIM = r"\d++"
_SHAPE = (
    rf"(?:torch\.)?(?:Size\s*)?[(\[]+\s*(?:{_DIM}\s*(?:,\s*{_DIM}\s*)*,?)?\s*[)\]]+|{_DIM}(?:\s*[x×*]\s*{_DIM})+(?!\w)"
)
_BETWEEN = r"\s*(?:,\s*and|,|、|;|and|和|及|与|\||->|→|=>|变为|变成)\s*"
_STATED = pattern(
    rf"""(?P<of>(?<![\w.\[\]])[A-Za-z_][\w.\[\]]*?)?\s*(?P<the>\.|的|'s\s+)?
        (?P<word>形状|(?<![a-z_])shapes?|尺寸|大小|维度|(?<![a-z_])sizes?|(?<![a-z_])dims?(?:ensions)?)(?:\(\))?
        \s*(?:都|均|分别|各)*\s*(?:依次)?\s*(?:为|是|变为|变成|变|仍为|仍是|:|=+|->|=>|→|is|are|becomes|of)*\s*(?:[`'"])?\s*
        (?P<shapes>(?:{_SHAPE})(?:{_BETWEEN}(?:{_SHAPE}))*)""",
    re.VERBOSE | re.IGNORECASE,
)
_ONE = pattern(_SHAPE)
_NOT_THE_RESULT = pattern(
    r"(?:输入|期望|需要|要求|原始|原来的?|原|卷积核|窗口|核|块|批|input|expects?|needs|kernel|window|batch|original|old)\s*(?:的|张量|tensor)*\s*$",
    re.I,
)
_SCALAR = pattern(
    r"(?:结果|返回值?|输出|result|returns?|output|gives?)\s*(?:的|为|是|is|are|:|将是|will be)*\s*(?:一个|单个|an?|the)?\s*"
    r"(?:0\s*维(?:张量|tensor)|零维(?:张量|tensor)|标量|0-?d(?:im(?:ensional)?)? tensor|scalar)",
    re.IGNORECASE,
)
_WORDS = ("形状", "尺寸", "大小", "维", "标量", "shape", "size", "dim", "scalar", "0d", "0-d")
"""Without one of them no shape is stated."""
_LONG = 600
"""Characters of a comment that are searched."""
Shapes = tuple[tuple[int, ...], ...]


def stated_shapes(text: str) -> tuple[str | None, Shapes, str] | None:
    """(what it is the shape of, if said; the shapes; the text) that a comment states, or None."""
    plain = half_width(text[:_LONG])
    lower = plain.lower()
    if not any(word in lower for word in _WORDS):
        return None
    if _SCALAR.search(plain):
        return None, ((),), text.strip()
    for found in _STATED.finditer(plain):
        if _NOT_THE_RESULT.search(plain[: found.start("word")]):
            continue
        written = found["shapes"]
        shapes = tuple(_dims(one) for one in _ONE.findall(written))
        if re.search(r"->|→|=>|变", written):
            shapes = shapes[-1:]
        if shapes and (
            found["word"] not in ("大小", "size", "sizes", "维度", "dim", "dims") or found["the"] or shapes[0]
        ):
            owner = found["of"] if found["the"] and found["of"] != "torch" else None  # `torch.Size([2])`
            return owner, shapes, text[found.start("shapes") : found.end("shapes")]
    return None


def written_shape(text: str) -> tuple[int, ...] | None:
    """The shape that a text is, if it is nothing else: `(2, 3)`, `torch.Size([2])`, `2 x 3`."""
    found = _ONE.fullmatch(half_width(text.strip()))
    return _dims(found[0]) if found else None


def _dims(written: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(_DIM, written))
