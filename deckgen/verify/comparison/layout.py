"""Literals of one array, told apart text by text and without a tree.

Most claims are what torch printed once, with other blanks or a digit more or less. The shape shows in
brackets and commas alone; an element whose text is the one that torch shows needs no second look. Whatever
is not settled here is parsed.
"""

from __future__ import annotations

import math
import re

from deckgen.model.observation import Value
from deckgen.text.pattern import pattern
from deckgen.verify.comparison.bulk import suspects
from deckgen.verify.comparison.numbers import Differs, written_as_integer
from deckgen.verify.comparison.values import element, shape_text

_LITERAL = pattern(r"(?P<name>tensor|array)?(?P<open>\()?(?P<data>\[[-+0-9A-Za-z.,\s\[\]]*\])(?P<rest>.*)", re.DOTALL)
_DEPTH = 64
"""Torch has no more dimensions; deeper brackets are no array, and each level costs a look at all."""
_BRACKETS = str.maketrans("[],", "   ")
_ALL_BUT_BRACKETS = {number: None for number in range(128) if chr(number) not in "[],"}


def drifts(claimed: str, seen: str, value: Value) -> bool | None:
    """Whether last digits drift; None if the two texts have to be parsed.

    `seen` is how `value` prints itself. Raises `Differs` for another shape, and at the first element that is off.
    """
    ours, theirs = _LITERAL.fullmatch(claimed.strip()), _LITERAL.fullmatch(seen.strip())
    if ours is None or theirs is None or value.data is None or not _same_frame(ours, theirs):
        return None
    texts, shape = _texts(ours), _shape(ours["data"].translate(_ALL_BUT_BRACKETS))
    if shape is None or math.prod(shape) != len(texts) or "..." in texts:
        return None
    if shape != value.shape:
        if value.shape and 0 not in value.shape and (ours["name"] or len(shape) > 1):
            raise Differs(f"shape {shape_text(shape)} claimed, torch has {shape_text(value.shape)}")
        return None
    return _elements(texts, _texts(theirs), value, strict=bool(ours["name"]) and all(map(written_as_integer, texts)))


def _texts(literal: re.Match[str]) -> list[str]:
    return literal["data"].translate(_BRACKETS).split()


def _elements(texts: list[str], shown: list[str], value: Value, *, strict: bool) -> bool | None:
    """The same for two runs of element texts, of which the second is what torch shows."""
    if value.data is None or not len(texts) == len(shown) == len(value.data):
        return None
    other_texts = [at for at, (a, b) in enumerate(zip(texts, shown, strict=True)) if a != b]
    doubtful = suspects([texts[at] for at in other_texts], [value.data[at] for at in other_texts], strict=strict)
    try:
        found = [element(texts[other_texts[at]], other_texts[at], value.data, value.dtype, strict) for at in doubtful]
    except ValueError:  # no number: whoever reads on knows what it is
        return None
    return True in found


def _shape(marks: str) -> tuple[int, ...] | None:
    """The shape of a rectangular array by its brackets and commas alone: `[[,],[,],[,]]` is (3, 2)."""
    depth = len(marks) - len(marks.lstrip("["))
    if depth > _DEPTH:
        return None
    sizes: list[int] = []
    length = 0  # of one block, so far of one element
    block = ""
    for level in range(1, depth + 1):
        end = marks.find("]" * level)
        if end < 0:
            return None
        sizes.append((end + level - (depth - level) - 1) // (length + 1))
        block = "[" + ",".join([block] * sizes[-1]) + "]"
        length = len(block)
    return tuple(reversed(sizes)) if block == marks else None


def _same_frame(ours: re.Match[str], theirs: re.Match[str]) -> bool:
    """True for `tensor(..., dtype=torch.int32)` twice, or for bare brackets beside a whole literal."""
    if ours["name"] is None:
        return not ours["open"] and not ours["rest"]
    same = ours["name"] == theirs["name"] and ours["open"] == theirs["open"]
    return same and (ours["rest"] == theirs["rest"] or "".join(ours["rest"].split()) == "".join(theirs["rest"].split()))
