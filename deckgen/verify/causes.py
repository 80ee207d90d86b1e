"""Likely causes: what usually stands behind a claim that torch contradicts."""

from __future__ import annotations

import re
from collections.abc import Callable

from deckgen.model.claim import Claim
from deckgen.text.pattern import pattern

_IN_PLACE = pattern(r"\w\[[^\]]*\]\s*[-+*/]?=[^=]|\.[a-z]\w*[a-z0-9]_\(")


def _statement(code: str, line: int | None) -> str:
    lines = code.split("\n")
    return lines[line] if line is not None and 0 <= line < len(lines) else ""


def _chunk(message: str, code: str, here: str, observed: str) -> bool:
    return "chunk(" in here and "shape" in message


def _shared(message: str, code: str, here: str, observed: str) -> bool:
    views = re.search(
        r"\.(?:detach|numpy|view|t|transpose|permute|expand|narrow|squeeze|unsqueeze|(?<!utils\.)data)\b|from_numpy|as_tensor",
        code,
    )
    return bool(views and _IN_PLACE.search(code) and "shape" not in message and "claimed, torch has" in message)


def _parameter(message: str, code: str, here: str, observed: str) -> bool:
    return "Parameter" in observed and "torch.Tensor" in message


def _clone(message: str, code: str, here: str, observed: str) -> bool:
    return "CloneBackward" in observed or "CopySlices" in observed


_COMPARED = pattern(r"[<>]=?(?!>)|[!=]=|\.(?:eq|ne|lt|gt|le|ge|isnan|logical_\w+)\(")


def _bool(message: str, code: str, here: str, observed: str) -> bool:
    return ("uint8" in message and _COMPARED.search(here) is not None) or "comparisons give bool" in message


CAUSES: tuple[tuple[Callable[[str, str, str, str], bool], str], ...] = (
    (_chunk, "chunk gives ceil(n / chunks) to each part, the last gets the rest; tensor_split shares evenly"),
    (_parameter, "parameters are of the class Parameter"),
    (_clone, "clone() and in-place writes leave a node of their own in the graph"),
    (_bool, "comparisons give torch.bool since torch 1.2"),
    (_shared, "it shares storage with a tensor that is changed in place"),
)


def with_cause(message: str, code: str, line: int | None, claim: Claim, observed: str) -> str:
    """The difference, and the likely cause where one is known; one line."""
    here = _statement(code, claim.code_line if claim.code_line is not None else line)
    for applies, cause in CAUSES:
        if applies(message, code, here, observed) and cause not in message:
            return f"{message} ({cause})"
    return message
