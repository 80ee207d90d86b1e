"""The forms of questions whose answer is a value, a shape, a dtype, an exception, a truth value: a row each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from dataclasses import dataclass

from deckgen.extract.claims.values import written_shape
from deckgen.extract.decided.facts import Fact, Failure, Shape, Value, computes, expression
from deckgen.extract.decided.text import count_of, device_of, dtype_of, exception_of, truth_of, value_of, works
from deckgen.text.pattern import pattern

Names = Container[str]
_TRUTHS = frozenset("requires_grad training allclose equal isclose isinstance issubclass can_cast any all eq".split())
"""Names that give a truth value, besides those that begin with `is_` and `has_`."""
_SHAPED = pattern(r"\.(?:shape|size\(\))$")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A form of question, the claim of its answer, and a case of both sides."""

    name: str
    words: str
    """Roles of the lexicon of which one must stand in the question, besides fillers; separated by a blank."""
    also: str
    """Roles that may."""
    says: Callable[[str, str, Names], Fact | None]
    """(code, answer, bound names) -> what the answer says of it."""
    example: str
    counter: str


def _expression(code: str, bound: Names) -> ast.expr | None:
    node = expression(code, bound)
    return node if node is not None and (computes(node) or code.split(".", maxsplit=1)[0] in bound) else None


def _value(code: str, answer: str, bound: Names) -> Fact | None:
    if _expression(code, bound) is None:
        return None
    text = value_of(answer)
    if text is None and code.endswith(".dtype"):
        text = dtype_of(answer)
    sizes = written_shape(text) if text is not None else None
    if text is not None and sizes is not None and _SHAPED.search(code):
        return Shape(_SHAPED.sub("", code), text, sizes)
    if code.endswith(".device") and (device := device_of(answer)):
        return Value(f"{code}.type" if ":" not in device else f"str({code})", device, code)
    return Value(code, text) if text is not None else None


def _shape(code: str, answer: str, bound: Names) -> Fact | None:
    text = value_of(answer)
    sizes = written_shape(text) if text is not None else None
    if _expression(code, bound) is None or text is None or sizes is None:
        return None
    return Shape(_SHAPED.sub("", code), text, sizes)


def _attribute(name: str, value: Callable[[str], str | None]) -> Callable[[str, str, Names], Fact | None]:
    def says(code: str, answer: str, bound: Names) -> Fact | None:
        text = value(answer)
        if text is None or _expression(code, bound) is None:
            return None
        return Value(code if code.endswith(name) else f"({code}){name}" if " " in code else f"{code}{name}", text, code)

    return says


def _truth(code: str, answer: str, bound: Names) -> Fact | None:
    node, text = _expression(code, bound), truth_of(answer)
    if node is None or text is None or not _is_truth(node):
        return None
    return Value(f"bool({code})", text, code)


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return True
    called = node.func if isinstance(node, ast.Call) else node
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in _TRUTHS or name.startswith(("is_", "has_"))


def _raises(code: str, answer: str, bound: Names) -> Fact | None:
    name = exception_of(answer)
    if not (name or works(answer)) or expression(code, bound) is None:
        return None
    return Failure(code, name or "", raised=name is not None)


def _fails(code: str, answer: str, bound: Names) -> Fact | None:
    """An exception, or whether there is one."""
    truth = truth_of(answer)
    if exception_of(answer) or not truth or expression(code, bound) is None:
        return _raises(code, answer, bound)
    return Failure(code, "", truth == "True")


_E = "torch.arange(6).reshape(2, 3)"
FORMS = (
    QuestionForm("fails", "fails", "error", _fails, "Q: Does `torch.ones(3) + torch.ones(1)` raise an error?\nA: No", "Q: Does `torch.ones(3) + torch.ones(1)` ever raise an error?\nA: No"),
    QuestionForm("raises", "raises", "value", _raises, "Q: Which exception does `torch.ones(2) + torch.ones(3)` raise?\nA: `RuntimeError`", "Q: Why does `torch.ones(2) + torch.ones(3)` raise?\nA: `RuntimeError` is raised since the shapes differ."),
    QuestionForm("error", "error", "value raises error_filler", _raises, "Q: Which error do you get from `torch.ones(2) + torch.ones(3)`?\nA: `RuntimeError`", "Q: Which error message do you get from `torch.ones(2) + torch.ones(3)`?\nA: `RuntimeError`"),
    QuestionForm("shape", "shape", "value", _shape, f"Q: What is the shape of `{_E}`?\nA: `(2, 3)`", f"Q: What is the shape of `{_E}` after `flatten()`?\nA: `(6,)`"),
    QuestionForm("dtype", "dtype", "value default", _attribute(".dtype", dtype_of), "Q: What is the dtype of `torch.tensor([1])`?\nA: `torch.int64`", "Q: What is the dtype of `torch.tensor([1])` if `dtype=float` is given?\nA: `torch.float64`"),
    QuestionForm("device", "device", "value default", _attribute(".device.type", device_of), "Q: On which device is `torch.ones(2)`?\nA: `cpu`", "Q: On which device is `torch.ones(2)` under `torch.device('meta')`?\nA: `meta`"),
    QuestionForm("dimensions", "ndim", "value", _attribute(".ndim", count_of), f"Q: How many dimensions does `{_E}` have?\nA: 2", f"Q: How many dimensions does `{_E}` have after `sum(0)`?\nA: 1"),
    QuestionForm("elements", "numel", "value", _attribute(".numel()", count_of), f"Q: How many elements does `{_E}` have?\nA: 6", f"Q: How many elements does a row of `{_E}` have?\nA: 3"),
    QuestionForm("gradient", "grad", "", _attribute(".requires_grad", truth_of), "Q: Does `torch.ones(2)` require grad?\nA: No", "Q: Does `torch.ones(2)` require grad by design?\nA: No"),
    QuestionForm("leaf", "leaf", "", _attribute(".is_leaf", truth_of), "Q: Is `torch.ones(2)` a leaf?\nA: Yes", "Q: Why is `torch.ones(2)` a leaf?\nA: Yes, since nobody computed it."),
    QuestionForm("contiguous", "contiguous", "", _attribute(".is_contiguous()", truth_of), f"Q: Is `{_E}.t()` contiguous?\nA: No", f"Q: When is `{_E}.t()` contiguous?\nA: No, never."),
    QuestionForm("truth", "", "truth value", _truth, "Q: Is `torch.ones(2).is_leaf` true?\nA: Yes", "Q: Is `torch.ones(2).is_leaf` true after `detach()`?\nA: Yes"),
    QuestionForm("value", "", "value", _value, "Q: What does `torch.arange(4).sum()` return?\nA: `tensor(6)`", "Q: What does `torch.arange(4)` return if `dtype=float` is given?\nA: `tensor([0., 1., 2., 3.])`"),
)  # fmt: skip
"""The first whose words fit and whose answer is of its kind decides."""
