"""Comments that tell a dtype: `y.dtype  # float32`, `c = a / 2  # int64`, `# dtype: float32`."""

from __future__ import annotations

import ast

from deckgen.text.pattern import pattern
from deckgen.written import half_width

_NAME = r"(?:torch\.)?(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|complex(?:32|64|128))"
_STATED = pattern(
    rf"\s*(?:[=→]+>?|-+>)?\s*(?P<word>(?:(?:its|the|结果的?)\s*)?(?:dtype|数据类型|类型)\s*(?:is|:|=|为|是|->|→|=>)?\s*)?"
    rf"(?P<name>{_NAME}|(?:torch\.)?bool)(?P<rest>$|\s*[,;(（。.!].*)"
)
_DTYPES = frozenset({"result_type", "promote_types", "get_default_dtype"})


def stated_dtype(text: str, shown: ast.expr | None) -> tuple[str, str] | None:
    """(`a.dtype` or what is one itself, `float32`) of a comment beside an expression that is no literal; None else."""
    found = _STATED.fullmatch(half_width(text)) if len(text) < _LONGEST and shown is not None else None
    if found is None or shown is None or isinstance(shown, ast.Constant):
        return None
    if not found["word"] and (found["rest"].strip() or found["name"] == "bool") and not is_dtype(shown):
        return None  # `# float32, as always`; `# bool` beside a truth value
    place = ast.unparse(shown)
    return (place if is_dtype(shown) else f"({place}).dtype"), found["name"]


_LONGEST = 120


def is_dtype(shown: ast.expr) -> bool:
    """True for `x.dtype` and `torch.result_type(x, y)`."""
    name = shown.func if isinstance(shown, ast.Call) else shown
    last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
    return last == "dtype" or last in _DTYPES
