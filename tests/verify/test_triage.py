"""What a snippet is and needs is known without running it."""

import pytest

from deckgen.verify.triage import REASONS, triage

REASONS_OF = {
    "x = 1": None,
    "torch.rand(size)": "signature-only",
    "torch.bernoulli(input, *, generator=None)": "signature-only",
    "torch.sum(input) -> Tensor": "signature-only",
    "torch.all(x[, dim])": "signature-only",
    "torch.rand(2, 3)": None,
    "F.softmax(logits, dim=-1).exp().allclose(p)": None,
    "torch.sum(input, dim=dim, out=None)": "signature-only",
    "writer.add_embedding(features, metadata=labels)": None,
    "x = torch.ones(2)\ntorch.abs(x)": None,
    "pip install torch": "not-python shell",
    "$ torchrun --nproc_per_node=2 train.py": "not-python shell",
    "git clone https://example.org/x\ncd x": "not-python shell",
    "a --> b\n|__ c\n|__ d": "not-python",
    "┌────┐\n│ a  │\n└────┘": "not-python",
    "model = ...": "placeholder",
    "...": "placeholder",
    "loss = nn.CrossEntropyLoss(____)": "placeholder",
    "x = torch.____(2, 3": "placeholder",
    "def f(): ...": None,
    "x = [1]\nx[..., 0]": None,
    "this is only a sentence": "not-python",
    "": "empty",
    "# nothing but a comment": "empty",
}


@pytest.mark.parametrize("code", REASONS_OF)
def test_why_a_snippet_is_no_code(code: str) -> None:
    assert triage(code).reason == REASONS_OF[code]


NEEDS = {
    "y = x + 1": ("x",),
    "x = 1\ny = x": (),
    "x += 1": ("x",),
    "for i in range(n): print(i)": ("n",),
    "[a * b for a in c]": ("c", "b"),
    "with open(path) as file: file.read()": ("path",),
    "try: f()\nexcept E as error: print(error)": ("f", "E"),
    "import torch.nn as nn\nnn.Linear(1, 2)": (),
    "class A(nn.Module):\n    size = 2\n    other = size": ("nn",),
    "print(y := 2, y)": (),
    "del x": ("x",),
    "x = 1\ndel x\nprint(x)": (),
    "lambda a: a": (),
    "x: int = z": ("z",),
    "def f(a=b): return a": ("b",),
    "print(x)\nx = 1": ("x",),
}


@pytest.mark.parametrize("code", NEEDS)
def test_names_that_must_exist_before_a_snippet_starts(code: str) -> None:
    assert triage(code).needs == NEEDS[code]


def test_what_only_a_functions_body_wants_is_needed_late() -> None:
    found = triage("def train():\n    for x in loader: helper(x)\ndef helper(x): pass")
    assert found.needs == ()
    assert found.late == ("loader",)


def test_imports_are_known_as_statements() -> None:
    found = triage("import torch.nn.functional as F, os.path\nfrom torch import nn")
    assert dict(found.imports) == {
        "F": "import torch.nn.functional as F",
        "os": "import os.path",
        "nn": "from torch import nn",
    }
    assert found.modules == ("torch", "os")


def test_an_import_that_may_fail_is_no_need() -> None:
    assert triage("try:\n    import apex\nexcept ImportError:\n    apex = None").modules == ()


CUDA = {
    "x.cuda()": True,
    "x.to('cuda:0')": True,
    "torch.zeros(2, device='cuda')": True,
    "torch.cuda.synchronize()": True,
    "x.to(f'cuda:{rank}')": True,
    "x.type('torch.cuda.FloatTensor')": True,
    "print(torch.cuda.is_available())": False,
    "d = 'cuda' if torch.cuda.is_available() else 'cpu'": False,
    "if torch.cuda.is_available():\n    x.cuda()": False,
    "torch.ones(2)": False,
}


@pytest.mark.parametrize("code", CUDA)
def test_cuda_is_wanted_only_by_those_who_do_not_ask_first(code: str) -> None:
    assert triage(code).cuda is CUDA[code]


def test_notebook_magics_keep_their_lines() -> None:
    found = triage("!pip install x\n%matplotlib inline\ny = 1")
    assert found.reason is None
    assert found.code.count("\n") == 2


@pytest.mark.parametrize("code", ["(" * 5000, "x = " + "-" * 20000 + "1", "\0", "[" * 100 + "]" * 100, "\\" * 100])
def test_nothing_makes_triage_raise(code: str) -> None:
    assert triage(code).reason in (None, *REASONS)
