"""Closed code leaves nothing behind: several cards of it run in one child, and whatever is not as the notes say runs alone."""

import pytest
from notes_checked import decided

from deckgen.model.note import Output
from deckgen.verify.closed import leaves_nothing
from deckgen.verify.engine.workers import Workers

HEAD = "import torch\nimport torch.nn as nn\n"


@pytest.mark.parametrize(
    "code",
    [
        "x = torch.arange(6).reshape(2, -1)[:, :3]\nprint(x.shape, x.sum().item())",
        "w = torch.ones(2, requires_grad=True)\n(w ** 2).sum().backward()\nprint(w.grad)",
        "for part in torch.arange(4).split(2):\n    print(f'{part.tolist()}')",
        "with torch.no_grad():\n    print(nn.Linear(3, 2)(torch.ones(4, 3)).shape)",
        "x = torch.zeros(2)\nx[0] = 1\nx += 1",
    ],
)
def test_operations_on_what_it_has_made_itself_are_closed(code: str) -> None:
    assert leaves_nothing(HEAD + code)


@pytest.mark.parametrize(
    "code",
    [
        "torch.set_default_dtype(torch.float64)",
        "torch.manual_seed(0)",
        "torch.Tensor.sum = None",
        "nn.Linear.forward = print",
        "nn.functional['relu'] = 1",
        "x = torch.ones(2)\nx.grad = x",
        "del torch",
        "print = None",
        "torch = None",
        "from torch import *",
        "from torch import fx",
        "import sys",
        "import torch.fx",
        "print(y)",
        "getattr(torch, 'manual_seed')(0)",
        "exec('1')",
        "type('A', (), {'__del__': print})()",
        "print('{0.__class__}'.format(torch))",
        "print(torch.__dict__)",
        "print(torch.ones(2)._version)",
        "def f():\n    pass",
        "class A(nn.Module):\n    pass",
        "@torch.compile\ndef f(x):\n    return x",
        "f = lambda x: x",
        "with torch.inference_mode():\n    pass",
        "with open('x') as file:\n    pass",
        "try:\n    1 / 0\nexcept Exception:\n    pass",
        "while True:\n    pass",
        "x = torch.empty(2)",
        "nn.Linear(1, 1).register_forward_hook(print)",
        "(x := torch.ones(2)).T.data.share_memory_()",
        "global x",
        "x = 1 +",
    ],
)
def test_whatever_is_not_on_the_list_is_not_closed(code: str) -> None:
    assert not leaves_nothing(HEAD + code)


NOTES = """\
# A

```python
shared = 1
```

"""
CARD = "<!-- deckgen: keep -->\n\n```python\n{code}\nprint(shared + {n})  # {value}\n```\n\n"


def cards_and_requests(
    monkeypatch: pytest.MonkeyPatch, *values: int, code: str = "import torch"
) -> tuple[list[str], list[int]]:
    """What each card asks for, and how many snippets each run had."""
    ran: list[int] = []
    run = Workers.run

    def noted(self: Workers, request, *more):  # type: ignore[no-untyped-def]
        ran.append(len(request.get("snippets", ())))
        return run(self, request, *more)

    monkeypatch.setattr(Workers, "run", noted)
    text = NOTES + "".join(CARD.format(code=code, n=n, value=value) for n, value in enumerate(values))
    found = [one for one in decided(text) if isinstance(one.note.body, Output)]
    return [f"{one.disposition} {one.note.body.output}" for one in found], ran


def test_closed_cards_share_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cards_and_requests(monkeypatch, 1, 2, 3) == (["ship 1", "ship 2", "ship 3"], [4, 3])


def test_a_card_that_is_not_as_the_notes_say_runs_alone_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    found, ran = cards_and_requests(monkeypatch, 1, 2, 7)
    assert found[:2] == ["ship 1", "ship 2"]
    assert not found[2].startswith("ship")
    assert ran[-2:] == [3, 1]


def test_cards_that_might_leave_something_behind_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found, ran = cards_and_requests(monkeypatch, 1, 2, code="import torch\ntorch.set_default_dtype(torch.float64)")
    assert (found, ran[0], ran[-2:]) == (["ship 1", "ship 2"], 3, [1, 1])


def test_random_weights_of_cards_are_drawn_anew_in_a_second_child(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import torch\nshared = torch.nn.Linear(2, 1).weight.shape[0] * shared"
    found, ran = cards_and_requests(monkeypatch, 1, 2, code=code)
    assert (found, ran[-2:]) == (["ship 1", "ship 2"], [2, 2])
