"""Likely causes: what usually stands behind a claim that torch contradicts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deckgen.model.claim import Claim
from deckgen.text.pattern import pattern


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause, and where its signs must stand; a pattern that is None is not looked for."""

    text: str
    difference: re.Pattern[str] | None = None
    """In what the verdict says of the difference."""
    line: re.Pattern[str] | None = None
    """In the line of code that the claim is about."""
    code: tuple[re.Pattern[str], ...] = ()
    """Each of them somewhere in the code."""
    observed: re.Pattern[str] | None = None
    """In what torch shows."""


CAUSES = (
    Cause(
        "chunk gives ceil(n / chunks) to each part, the last gets the rest; tensor_split shares evenly",
        difference=pattern("shape"),
        line=pattern(r"chunk\("),
    ),
    Cause("parameters are of the class Parameter", difference=pattern(r"torch\.Tensor"), observed=pattern("Parameter")),
    Cause(
        "clone() and in-place writes leave a node of their own in the graph",
        observed=pattern("CloneBackward|CopySlices"),
    ),
    Cause(
        "comparisons give torch.bool since torch 1.2",
        difference=pattern("uint8"),
        line=pattern(r"[<>]=?(?!>)|[!=]=|\.(?:eq|ne|lt|gt|le|ge|isnan|logical_\w+)\("),
    ),
    Cause(
        "it shares storage with a tensor that is changed in place",
        difference=pattern(r"^(?!.*shape).*claimed, torch has"),
        code=(
            pattern(
                r"\.(?:detach|numpy|view|t|transpose|permute|expand|narrow|squeeze|unsqueeze|(?<!utils\.)data)\b"
                r"|from_numpy|as_tensor"
            ),
            pattern(r"\w\[[^\]]*\]\s*[-+*/]?=[^=]|\.[a-z]\w*[a-z0-9]_\("),
        ),
    ),
)


def with_cause(message: str, code: str, line: int | None, claim: Claim, observed: str) -> str:
    """The difference, and the likely cause where one is known; one line."""
    lines, at = code.split("\n"), claim.code_line if claim.code_line is not None else line
    here = lines[at] if at is not None and 0 <= at < len(lines) else ""
    for cause in CAUSES:
        places = (
            (cause.difference, message),
            (cause.line, here),
            *((one, code) for one in cause.code),
            (cause.observed, observed),
        )
        if all(sign is None or sign.search(text) for sign, text in places):
            return message if cause.text in message else f"{message} ({cause.text})"
    return message
