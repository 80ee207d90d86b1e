"""Names as written are taken apart, whatever is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckgen.verify.names.written import parse, parse_arguments


def arguments(text: str) -> list[str]:
    return [f"{one.kind} {one.name}".strip() for one in parse_arguments(text)]


@pytest.mark.parametrize(
    ("text", "dotted"),
    [
        ("torch.mm", "torch.mm"),
        ("`F.relu(x)`", "F.relu"),
        ("add\\_scalar(tag)", "add_scalar"),
        ("with torch.no_grad():", "torch.no_grad"),
        ("@once_differentiable", "once_differentiable"),
        ("Timer(...).blocked_autorange()", "Timer.blocked_autorange"),
        (".times", "times"),
        ("nn.Linear(3, 4)", "nn.Linear"),
        ("torch.mm(a, b) -> Tensor", "torch.mm"),
        ("Tensor.view(", "Tensor.view"),
    ],
)
def test_a_name_has_a_path(text: str, dotted: str):
    assert parse(text).dotted == dotted


@pytest.mark.parametrize("text", ["x ** 2", "<XXX>Loss.forward()", "3 * 4", "", "模块", "a + b", "x[0]", "...", "A. B"])
def test_expressions_patterns_and_prose_have_none(text: str):
    assert parse(text).path == ()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("input, dim=0, *, out=None", ["name input", "keyword dim", "keyword out"]),
        ("tag,scalar_value,,...", ["name tag", "name scalar_value", "rest"]),
        ("[gradient,...]", ["name gradient", "rest"]),
        ("[ctx,]...", ["name ctx", "rest"]),
        ("input[, dim]", ["name input", "name dim"]),
        ("[a, b], 0", ["value", "value"]),
        ("*args, **kwargs", ["star args", "double-star kwargs"]),
        ("x, 'a, b', (1, 2), f(y)", ["name x", "value", "value", "value"]),
        ("size: int, dtype: torch.dtype = None", ["name size", "keyword dtype"]),
        ("输入，维度", ["name 输入", "name 维度"]),
        ("True, None", ["value", "value"]),
        ("...", ["rest"]),
        ("a == b", ["value"]),
    ],
)
def test_arguments_have_kinds(text: str, kinds: list[str]):
    assert arguments(text) == kinds


@given(st.text(alphabet="abF._()[]{}<>=*,，…'\"` \\1数\n-", max_size=60))
def test_no_text_is_too_strange(text: str):
    written = parse(text)
    assert all(step.isidentifier() for step in written.path)
    parse_arguments(text)
