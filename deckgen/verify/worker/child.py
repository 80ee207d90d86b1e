"""A session's process as a zygote forks it: its folder and its confinement, then the request, whose frames go to one descriptor."""

from __future__ import annotations

import gc
import json
import os
import sys

from ..sandbox import kernel
from ..sandbox.confine import Confinement
from .answer import Reporter, answer, confine
from .session import Session

if sys.platform != "linux":
    raise ImportError("a zygote forks its sessions on Linux alone")
import fcntl

MARGIN = 1 << 17
LOG = 3
"""Where a session finds the descriptor for its frames; the only one besides the standard three."""
ADD_SEALS, SEALS = 1033, 1 | 2 | 4
"""`F_ADD_SEALS`; no more seals, no shrinking, no growing."""


def run_child(request_file: int, log: int, folder: str, guard: Confinement, session: Session) -> None:
    """Run a request, write its frames to `log`, leave the process; never returns.

    The request, which holds the key of the frames, is out of reach before the first snippet runs.
    """
    os.setsid()
    kernel.prctl(kernel.PARENT_DEATH_SIGNAL, 9)
    size = os.lseek(request_file, 0, os.SEEK_END)
    request = json.loads(os.pread(request_file, size, 0))
    for descriptor in (1, 2):  # files in memory that cannot grow: a flood stops at their end
        memory = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(memory, request["output_limit"] + MARGIN)
        fcntl.fcntl(memory, ADD_SEALS, SEALS)
        os.dup2(memory, descriptor)
        os.close(memory)
    confine(request, folder, guard)
    os.dup2(log, LOG, inheritable=False)
    os.closerange(LOG + 1, 4096)
    answer(LOG, request, {"stdout": 1, "stderr": 2}, session)


# The warm-up of a zygote: what every session would otherwise pay for in its own copy of the memory

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
        kept = {number: os.dup(number) for number in (1, 2)}
        nothing = os.open(os.devnull, os.O_WRONLY)
        for code in REHEARSED * ROUNDS:
            for number in kept:
                output = os.memfd_create("output")
                os.dup2(output, number)
                os.close(output)
            request = {"seed": 1, "output_limit": 1 << 20, "snippets": [{"code": IMPORTS + code}]}
            session.run(request, Reporter(nothing, "rehearsal"), {"stdout": 1, "stderr": 2})
        for number, descriptor in kept.items():
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(nothing)
    session.seed(FIRST_SEED)
    gc.collect()
    gc.freeze()
