"""Two literals in the same brackets: told apart text by text, without a tree.

Most claims are what torch printed once, with other blanks or a digit more or less. Where the brackets and
commas of both sides agree, so do their shapes; an element whose text is the one that torch shows needs no
second look. Whatever is not settled here is parsed.
"""

from __future__ import annotations

import re

from deckgen.observation import Value
from deckgen.verify.bulk import suspects
from deckgen.verify.numbers import written_as_integer
from deckgen.verify.values import element

_LITERAL = re.compile(r"(?P<name>tensor|array)?(?P<open>\()?(?P<data>\[[-+\w.,\s\[\]]*\])(?P<rest>.*)", re.DOTALL)
_BRACKETS = str.maketrans("[],", "   ")
_ALL_BUT_BRACKETS = {number: None for number in range(128) if chr(number) not in "[],"}


def drifts(claimed: str, seen: str, value: Value) -> bool | None:
    """Whether last digits drift; None if the two texts have to be parsed.

    `seen` is how `value` prints itself. Raises `Differs` at the first element that is off.
    """
    ours, theirs = _LITERAL.fullmatch(claimed.strip()), _LITERAL.fullmatch(seen.strip())
    if ours is None or theirs is None or value.data is None or not _same_frame(ours, theirs):
        return None
    one, other = ours["data"], theirs["data"]
    if one.translate(_ALL_BUT_BRACKETS) != other.translate(_ALL_BUT_BRACKETS):
        return None
    texts, shown = one.translate(_BRACKETS).split(), other.translate(_BRACKETS).split()
    if not len(texts) == len(shown) == len(value.data) or "..." in texts:
        return None
    strict = bool(ours["name"]) and all(map(written_as_integer, texts))
    other_texts = [at for at, (a, b) in enumerate(zip(texts, shown, strict=True)) if a != b]
    doubtful = suspects([texts[at] for at in other_texts], [value.data[at] for at in other_texts], strict=strict)
    found = [element(texts[other_texts[at]], other_texts[at], value.data, value.dtype, strict) for at in doubtful]
    return True in found


def _same_frame(ours: re.Match[str], theirs: re.Match[str]) -> bool:
    """True for `tensor(..., dtype=torch.int32)` twice, or for bare brackets beside a whole literal."""
    if ours["name"] is None:
        return not ours["open"] and not ours["rest"]
    same = ours["name"] == theirs["name"] and ours["open"] == theirs["open"]
    return same and (ours["rest"] == theirs["rest"] or "".join(ours["rest"].split()) == "".join(theirs["rest"].split()))
