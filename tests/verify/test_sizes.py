"""One run shows a size where random numbers decide about none: no second one is made for it, which would import torch again."""

import pytest

from deckgen.verify.judge import needs_no_second_run
from deckgen.verify.sources import is_size, keeps_sizes
from tests.observing import Torch, snippets_of


@pytest.mark.parametrize("text", ["torch.Size([4, 2])", "x: torch.Size([4, 2]), y: torch.Size([])"])
def test_a_text_may_tell_sizes_alone(text):
    assert is_size(text)


@pytest.mark.parametrize("text", ["4", "torch.Size([4, 2]) 0.31", "torch.Size([4]) True", "tensor([1])", "shapes"])
def test_a_text_that_tells_a_value_too_is_no_size(text):
    assert not is_size(text)


@pytest.mark.parametrize(
    "code",
    [
        "x[x > 0].shape",
        "x.nonzero().shape",
        "torch.unique(x).shape",
        "torch.ones(torch.randint(1, 9, ()).item()).shape",
        "y = x if x.sum() > 0 else x[:1]",
        "x[mask == 1].shape",
        "np.random.rand(3)",
        "torch.masked_select(x, mask).shape",
    ],
)
def test_random_numbers_may_choose_a_size(code):
    assert not keeps_sizes(code)


@pytest.mark.parametrize(
    ("line", "once"),
    [
        ("print(m(torch.ones(4, 3)).shape)  # torch.Size([4, 2])", True),
        ("y = m(torch.ones(4, 3))  # (4, 2)", True),
        ("print(m(torch.ones(4, 3)).shape)  # torch.Size([4, 9])", False),
        ("print(m(torch.ones(4, 3)))  # tensor([[0.1, 0.2]])", False),
        ("print(x[x > 0].shape)  # torch.Size([2])", False),
    ],
)
def test_sizes_that_hold_are_run_once(line: str, once: bool):
    code = f"import torch\nfrom torch import nn\nm = nn.Linear(3, 2)\nx = torch.randn(4)\n{line}"
    (snippet,) = snippets_of(f"```python\n{code}\n```\n")
    workers = Torch()
    try:
        (observed,) = workers.observe([snippet])
    finally:
        workers.close()
    assert needs_no_second_run(snippet, observed.first) == once
    assert bool(observed.others) == (not once)
