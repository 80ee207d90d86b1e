"""A comment after an assignment: `# y.shape: (5, 3, 2)`, `# 结果形状为 (2, 4)`, `# [1, 3, 3]`, `# y: [[...]]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from deckgen.extract.claims.dtypes import is_dtype, stated_dtype
from deckgen.extract.claims.reading import Names, Reading, Statement, assigned, is_literal
from deckgen.extract.claims.shapes import stated_shapes
from deckgen.extract.claims.trailing_print import continued
from deckgen.extract.claims.words import bare_number, marker, value_then_reason
from deckgen.model.claim import Claim, HasShape, Prints, Shows
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.written import half_width
from deckgen.written.values import is_device

FORM = "trailing-assignment"
_SAFE_CALL = (
    r"\.(?:item|size|stride|numel|dim|tolist|is_contiguous|nelement|ndimension|storage_offset|t|data_ptr)\(\d*\)"
)
_PLACE = rf"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*(?!\()|\[[-\d:, ]+\]|{_SAFE_CALL})*"
_IS = r"\s*(?:==?|:|为|是|变为|变成|等于|现在是|仍为|仍是|->|=>|→|is(?= )|becomes(?= )|equals(?= ))\s*"
_LABELLED = pattern(rf"\s*[`(]?(?P<place>{_PLACE})[`)]?(?:\s*的值)?{_IS}")
_SAID = pattern(_IS)
_LONG = 600
_BECOMES = pattern(
    r"(?P<before>[^(\[{=]*)(?:->|→|=>|得到|变成|变为|\b(?:becomes|gives))\s*(?P<shape>[(\[]\s*\d+\s*,[\d\s,]*[)\]])\s*[.。]?"
)
"""`从第 1 维展平 -> (2, 12)`: an arrow from words to a shape."""
_CROSSES = pattern(r"(?P<before>)(?P<shape>\d+(?:\s*[x×]\s*\d+){2,})")
"""`1x16x15x15`: three sizes or more, and nothing else."""
_DIMS = pattern(r"\d\s*[x×*,]")
_ATTRIBUTES = frozenset({"dtype", "device", "requires_grad", "is_leaf", "ndim", "grad", "grad_fn", "layout", "shape"})


def find(reading: Reading) -> Iterator[Claim]:
    """Claims of comments that end a line with an assignment outside of functions."""
    for comment in reading.comments:
        statement = None if comment.alone else reading.ending_at(comment.line)
        if statement and assigned(statement.node) and statement.inside != "def":
            text, stop = continued(reading, comment)
            span = reading.place(comment.line, stop)
            claim = _printed(statement, text, span) or about_names(reading, statement, text, FORM, span)
            if claim:
                yield claim


_PRINTS = pattern(r"\s*(?:会|将)?打印(?:出)?\s*[::]?\s*|\s*(?:will )?prints?\b\s*:?\s*", re.IGNORECASE)


def _printed(statement: Statement, text: str, span: Span) -> Claim | None:
    """`y = show(x)  # prints torch.Size([2])`: what a call writes on the way."""
    said = _PRINTS.match(half_width(text))
    value = value_then_reason(text[said.end() :]) if said else None
    if value is None:
        return None
    return Prints(id="", span=span, text=value, form=FORM, code_line=statement.start)


def about_names(reading: Reading, statement: Statement, text: str, form: str, span: Span) -> Claim | None:
    """The claim of a text beside an assignment, about what was assigned or a name that it mentions."""
    target = assigned(statement.node) or ""
    names = Names(reading, statement.start)
    line = statement.start
    labelled = labelled_value(text, target, names)
    if labelled:
        place, value = labelled
        return Shows(id="", span=span, text=value, form=form, code_line=line, target=place)
    shapes = stated_shapes(text)
    if shapes:
        owner = shapes[0] if shapes[0] and shapes[0].split(".")[0].split("[")[0] in names else target
        return HasShape(id="", span=span, text=shapes[2], form=form, code_line=line, target=owner, shapes=shapes[1])
    became = _new_shape(text, statement)
    if became:
        dims = tuple(map(int, re.findall(r"\d+", became)))
        return HasShape(id="", span=span, text=became, form=form, code_line=line, target=target, shapes=(dims,))
    right = getattr(statement.node, "value", None)
    dtype = None if is_literal(right) else stated_dtype(text, right)
    if dtype:
        place = target if right is not None and is_dtype(right) else f"{target}.dtype"
        return Shows(id="", span=span, text=dtype[1], form=form, code_line=line, target=place)
    said = _unlabelled(text, statement)
    return Shows(id="", span=span, text=said, form=form, code_line=line, target=target) if said else None


def _new_shape(text: str, statement: Statement) -> str | None:
    """The shape that a comment gives for what was computed; beside a constructor it may be that of a later result."""
    plain = half_width(text)
    found = (_BECOMES.fullmatch(plain) or _CROSSES.fullmatch(plain)) if len(text) < _LONG else None
    if found is None or _DIMS.search(found["before"]):
        return None
    right = getattr(statement.node, "value", None)
    made = getattr(right, "func", None)
    name = getattr(made, "attr", "") or getattr(made, "id", "")
    if is_literal(right) or name[:1].isupper():
        return None
    return text[found.start("shape") : found.end("shape")]


def labelled_value(text: str, target: str, names: Names) -> tuple[str, str] | None:
    """(`y.shape`, `(2, 3)`) of `y.shape: (2, 3)`; a bare attribute belongs to what was assigned."""
    plain = half_width(text)
    found = _LABELLED.match(plain)
    place, end = (found["place"], found.end()) if found else (target, _after_name(plain, target))
    value = value_then_reason(text[end:]) if end else None
    if value is None or plain[end:].startswith("="):
        return None
    if place in _ATTRIBUTES and place not in names and target:
        return f"{target}.{place}", value
    root = re.split(r"[.\[]", place)[0]
    return (place, value) if root in names else None


def _after_name(plain: str, name: str) -> int:
    """Where the value begins that a text gives for a name; 0 if it gives none."""
    at = plain.find(name) if len(plain) < _LONG and re.fullmatch(r"\w+", name) else -1
    while at >= 0:
        before = plain[at - 1 : at]
        said = _SAID.match(plain, at + len(name))
        if said and not (before.isalnum() or before in ("_", ".")):
            return said.end()
        at = plain.find(name, at + 1)
    return 0


def _unlabelled(text: str, statement: Statement) -> str | None:
    right = getattr(statement.node, "value", None)
    if is_literal(right) and not isinstance(statement.node, ast.AugAssign):
        return None
    rest = marker(text)[1]
    value = value_then_reason(rest)
    if value is None:
        return None
    alone = half_width(rest[len(value) :]).strip()
    if (bare_number(value) and alone and not alone.startswith("(")) or is_device(value.strip()):
        return None
    return value
