"""Warm-up of a zygote: what every session would otherwise pay for in its own copy of the memory."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
from typing import Any, Dict

from . import child, mappings, memory, program
from .confine import Confinement
from .folder import HOME, remove_folder
from .reporter import Reporter
from .session import Session
from .values import describe, torch

PR_SET_DUMPABLE = 4


def warm_up(session: Session, guard: Confinement, root: str, huge_pages: bool) -> None:
    """Touch what most snippets touch, then freeze the heap and collapse it into huge pages.

    It must swallow no warning that a document may claim (torch gives many of them once a process), must
    run no parallel region, and must leave the generators to the sessions, which seed them anyway.
    """
    _touch()
    if huge_pages:
        program.forget()
    rehearse(session, guard, root)
    if huge_pages:
        program.keep()
    gc.collect()
    memory.fill_gaps()
    gc.freeze()
    if huge_pages:
        memory.collapse()
        mappings.join_libraries()


def _touch() -> None:
    """Small operations: their code pages, dispatch tables and lazily made objects."""
    a = torch.ones(2, 3, requires_grad=True)
    b = (a @ a.t()).relu().sum() + a.view(-1).mean() + torch.cat([a, a]).std()
    b.backward()
    layer = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    loss = torch.nn.functional.cross_entropy(layer(a.detach()), torch.zeros(2, dtype=torch.int64))
    loss.backward()
    for thing in (a, b, a.dtype, a.shape, torch.arange(3), layer, [a], {"a": a}, torch.tensor([True])):
        describe(thing)


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
LONGEST = len("/rehearsal/home")
"""Bytes of what comes after the root in the path of a session's home."""


def rehearse(session: Session, guard: Confinement, root: str) -> None:
    """Run small sessions as the children will, all but the steps that cannot be undone.

    What the interpreter learns of our code and of torch's on the way is written into the code itself, a page to copy for
    each function that a child would have to teach it.
    """
    HOME.make_room(len(os.fsencode(root)) + LONGEST)
    here = os.getcwd()
    kept = [os.dup(1), os.dup(2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    for _ in range(ROUNDS):
        for code in REHEARSED:
            _rehearse_one(session, guard, root + "/rehearsal", code, nothing)
    for number, descriptor in enumerate(kept, 1):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.close(nothing)
    os.chdir(here)


def _rehearse_one(session: Session, guard: Confinement, folder: str, code: str, nothing: int) -> None:
    request_file = os.memfd_create("rehearsal")
    os.write(request_file, json.dumps(_request(code)).encode("ascii"))
    request = child.look_at(request_file)
    child.prepare(request, folder)
    guard.dismiss(guard.ready(folder))
    session.run(request, Reporter(nothing, request["key"]), {"stdout": 1, "stderr": 2})
    session.forget()
    os.chdir("/")
    remove_folder(folder)
    os.close(request_file)


def _request(code: str) -> Dict[str, Any]:
    snippet = {"id": "0", "code": IMPORTS + code, "prelude": [], "probes": [], "cell": False, "seed": None}
    return {
        "kind": "session",
        "seed": 1,
        "reset": False,
        "device": "cpu",
        "output_limit": 1 << 20,
        "limits": {"FSIZE": 1 << 60, "CORE": 0},
        "snippets": [snippet],
        "key": "rehearsal",
    }


def shield() -> None:
    """Keep sessions from tracing this process or reading its memory and environment."""
    if sys.platform == "linux":
        prctl: Any = ctypes.CDLL(None).prctl
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
