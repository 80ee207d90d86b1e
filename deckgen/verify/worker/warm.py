"""Warm-up of a zygote: what every session would otherwise pay for in its own copy of the memory."""

from __future__ import annotations

import gc
import os
from typing import Any

from .reporter import Reporter
from .session import Session

REHEARSED = (
    "x = torch.arange(6).reshape(2, -1)[:, :2]\nprint(x.shape, x.sum().item())\nx + 1.5",
    "a = torch.ones(2, 3) * 2\nprint(a.t() @ a)",
    "w = torch.tensor([1.0, 2.0], requires_grad=True)\n(w ** 2).sum().backward()\nprint(w.grad)",
    "for part in torch.arange(4).split(2):\n    print(part)",
    "m = nn.Linear(3, 2)\nprint(m(torch.ones(4, 3)).shape)",
    "def double(a):\n    return a * 2\n\nclass Thing:\n    pass\n\ndouble(2)\n[i for i in range(3)]",
    "torch.ones(2) @ torch.ones(3)",
)
IMPORTS = "import torch\nimport torch.nn as nn\n"
ROUNDS = 10
"""The interpreter starts to adapt a function at its eighth call."""
FIRST_SEED = 20_210_401
"""Of first runs (`deckgen.verify.engine.records`): seeding before the fork saves each of them 5 %."""
FEW = 30
"""So many sessions are not worth a rehearsal."""


def warm_up(session: Session, sessions: int) -> None:
    """Rehearse what most sessions do, then take what lives out of the garbage collector's sight.

    What the interpreter learns on the way about our code and torch's is written into the code itself: a page of memory to copy
    for each function that a child would have to teach it. The rehearsal must swallow no warning that a document may claim
    (torch gives many of them once a process) and run no parallel region.
    """
    if sessions > FEW:
        kept = [os.dup(1), os.dup(2)]
        nothing = os.open(os.devnull, os.O_WRONLY)
        for _ in range(ROUNDS):
            for code in REHEARSED:
                _rehearse(session, code, nothing)
        for number, descriptor in enumerate(kept, 1):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(nothing)
    session.seed(FIRST_SEED)
    gc.collect()
    gc.freeze()


def _rehearse(session: Session, code: str, nothing: int) -> None:
    for number in (1, 2):
        output = os.memfd_create("output")
        os.dup2(output, number)
        os.close(output)
    snippet: Any = {"code": IMPORTS + code}
    request = {"seed": 1, "output_limit": 1 << 20, "snippets": [snippet]}
    session.run(request, Reporter(nothing, "rehearsal"), {"stdout": 1, "stderr": 2})
