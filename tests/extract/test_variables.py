"""What the code of a document makes its variables."""

import pytest

from deckgen.extract.names.variables import UNKNOWN, Variables
from deckgen.model.document import Code
from deckgen.model.source import Source
from deckgen.read import read


def variables(*code: str) -> Variables:
    text = "\n\n".join(f"```python\n{one}\n```" for one in code)
    blocks = [block for block in read(Source("notes.md", text)).blocks if isinstance(block, Code)]
    return Variables(blocks, {"F": "torch.nn.functional"})


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("x = torch.ones(2).view(-1)", "torch.ones().view()"),
        ("x: torch.Tensor = F.relu(y)", "torch.nn.functional.relu()"),
        ("y = x = 2 * torch.ones(2)[0]", "torch.ones()"),
        ("x, y = torch.ones(2), torch.zeros(3)", "torch.ones()"),
        ("z = torch.ones(2)\nx = -z @ z", "torch.ones()"),
        ("x = torch.ones(2)\nx = x.sum()", "torch.ones().sum()"),
        ("x = torch.ones(2)\ny = [x for x in y]\ndef f(x): return x", "torch.ones()"),
        (">>> x = torch.ones(2)\ntensor([1., 1.])", "torch.ones()"),
        ("x, y = torch.max(z, 1)", UNKNOWN),
        ("x = '%s' % torch.ones(2)", UNKNOWN),
        ("x = torch.ones(2)\nfor x in range(3): pass", UNKNOWN),
        ("x = net(y)(z)", UNKNOWN),
        ("def f(x): return x", UNKNOWN),
        ("y = 3", None),
    ],
)
def test_a_variable_is_what_it_is_assigned(code: str, made: str | None):
    assert variables(code).at("x", 99) == made


def test_the_assignment_nearest_above_counts_else_the_first():
    code = variables("x = torch.ones(2)", "x = torch.zeros(2)")
    assert [code.at("x", line) for line in (0, 1, 4, 5, 9)] == ["torch.ones()"] * 3 + ["torch.zeros()"] * 2


def test_a_parameter_has_no_say_over_a_name_that_is_imported():
    assert variables("def forward(F): return F").at("F", 9) is None
