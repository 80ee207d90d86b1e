"""What a snippet is and needs is known without running it."""

from typing import get_args

import pytest

from deckgen.verify.triage import Kind, triage

KINDS = {
    "x = 1": "code",
    "torch.rand(size)": "signature",
    "torch.bernoulli(input, *, generator=None)": "signature",
    "torch.sum(input) -> Tensor": "signature",
    "torch.all(x[, dim])": "signature",
    "torch.rand(2, 3)": "code",
    "F.softmax(logits, dim=-1).exp().allclose(p)": "code",
    "torch.sum(input, dim=dim, out=None)": "signature",
    "writer.add_embedding(features, metadata=labels)": "code",
    "x = torch.ones(2)\ntorch.abs(x)": "code",
    "pip install torch": "shell",
    "$ torchrun --nproc_per_node=2 train.py": "shell",
    "git clone https://example.org/x\ncd x": "shell",
    "a --> b\n|__ c\n|__ d": "ascii-art",
    "┌────┐\n│ a  │\n└────┘": "ascii-art",
    "model = ...": "placeholder",
    "...": "placeholder",
    "loss = nn.CrossEntropyLoss(____)": "placeholder",
    "x = torch.____(2, 3": "placeholder",
    "def f(): ...": "code",
    "x = [1]\nx[..., 0]": "code",
    "this is only a sentence": "broken",
    "": "empty",
    "# nothing but a comment": "empty",
}


@pytest.mark.parametrize("code", KINDS)
def test_the_kind_of_a_snippet(code: str) -> None:
    assert triage(code).kind == KINDS[code]


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
    found = triage("!pip install x\n%matplotlib inline\ny = 1", cell=True)
    assert found.kind == "code"
    assert found.code.count("\n") == 2


@pytest.mark.parametrize("code", ["(" * 5000, "x = " + "-" * 20000 + "1", "\0", "[" * 100 + "]" * 100, "\\" * 100])
def test_nothing_makes_triage_raise(code: str) -> None:
    assert triage(code).kind in get_args(Kind)
