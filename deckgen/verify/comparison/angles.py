"""Names inside `<...>` and strings: what may differ in them without differing in meaning."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.text.pattern import pattern
from deckgen.written import Address, Node, Quoted, Word

_AFFIXES = pattern(r"^Th(?=[A-Z])|Backward\d*$")
"""What another torch put around the name of an operation: `ThAddBackward`, `AddBackward0`; `Threshold` is one."""


def grad_fn_names_meet(claimed: str, seen: str) -> bool:
    """True if two names of autograd nodes differ in their suffix only: `AddBackward`, `AddBackward0`."""
    if "Backward" not in seen or "Backward" not in claimed:
        return False
    return _base(claimed) == _base(seen)


def _base(name: str) -> str:
    return _AFFIXES.sub("", name).lower()


def without_address(claimed: Sequence[Node], seen: Sequence[Node]) -> tuple[Node, ...] | None:
    """`<MulBackward0 object>` against `<MulBackward0 object at 0x7f>`: the observed nodes without their end."""
    if len(claimed) == len(seen) - 1 and Word("object") in seen and isinstance(claimed[-1], Address):
        at = list(seen).index(Word("object"))
        return (*seen[:at], *seen[at + 1 : -1], claimed[-1])  # IPython writes `<torch._C.Generator at 0x7f>`
    if any(isinstance(node, Address) for node in claimed) or len(seen) < 3 or not isinstance(seen[-1], Address):
        return None
    cut = tuple(seen[:-2])
    if len(claimed) == len(cut):
        return cut
    if len(claimed) == len(cut) - 1 and cut[-1] == Word("object"):
        return cut[:-1]
    return None


def class_name(nodes: Sequence[Node]) -> str:
    """`torch.Tensor` of `<class 'torch.Tensor'>`; empty for what is no class."""
    match tuple(nodes):
        case (Word("class"), Quoted(name)):
            return name
        case _:
            return ""


def unescaped(text: str) -> str:
    """The content of a string literal, as far as quoting style can change its looks."""
    return text.replace("\\'", "'").replace('\\"', '"').replace("\\\\", "\\")
