"""Several names that share their first words: `torch.save/load/is_tensor`, `nn.Conv1d/2d/3d`."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern

_SLASHED = pattern(r"(?:/[A-Za-z_]\w*(?:\(\))?){2,}/?(?![\w.(])|(?:/\d+d)+(?!\w)", re.ASCII)
"""What goes on behind the first of several names: `torch.autograd.no_grad/enable_grad/...`, `nn.Conv1d/2d/3d`."""
_DIMENSIONS = pattern(r"\d+d$")


def sharing(first: str, text: str, at: int) -> list[str]:
    """The names that share their first words: `torch.save`, `torch.load` and `torch.is_tensor` of
    `torch.save/load/is_tensor`; nothing for an address, or a path such as `nn.Linear/weight/bias`."""
    match = _SLASHED.match(text, at)
    others = match.group().strip("/").split("/") if match else []
    home, _, own = first.rpartition(".")
    if others and _DIMENSIONS.search(others[0]):
        return [first, *(_DIMENSIONS.sub(other, first) for other in others)] if _DIMENSIONS.search(first) else []
    alike = others and all(other[:1].isupper() == own[:1].isupper() for other in others)
    return [first, *(f"{home}.{other}" for other in others)] if alike else []
