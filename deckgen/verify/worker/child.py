"""A session's process: its folder and its confinement, then the request, whose frames go to one descriptor."""

from __future__ import annotations

import gc
import hashlib
import json
import os
from _json import encode_basestring_ascii, make_encoder
from collections import deque
from os import _exit, getpid, write
from threading import get_ident
from traceback import format_exc
from typing import Any, Deque, Dict, Optional

from ..sandbox import kernel
from ..sandbox.confine import Confinement
from ..sandbox.processes import set_limits
from . import Json
from .imports import imports
from .session import Session
from .values import plain

MARGIN = 1 << 17
LOG = 3
"""Where a session finds the descriptor for its frames; the only one besides the standard three."""
ADD_SEALS, SEALS = 1033, 1 | 2 | 4
"""`F_ADD_SEALS`; no more seals, no shrinking, no growing."""
SEAL = 8
"""Bytes of a frame's seal."""


def run_child(request_file: int, log: int, folder: str, guard: Confinement, session: Session) -> None:
    """Run a request, write its frames to `log`, leave the process; never returns.

    The request, which holds the key of the frames, is out of reach before the first snippet runs.
    """
    import fcntl  # not on Windows, where no zygote runs

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


def confine(request: Json, folder: str, guard: Confinement) -> None:
    """An empty working folder and an empty home, and limits; from here on there is no way back."""
    loopback = request.get("loopback", False)
    guard.separate(loopback)
    for path in (folder, folder + "/work", folder + "/home"):
        os.mkdir(path, 0o700)
    os.chdir(folder + "/work")
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), folder + "/home"))
    set_limits(request["limits"])
    guard.enter(folder, loopback)


def answer(descriptor: int, request: Json, files: Dict[str, int], session: Session) -> None:
    """Run a request, its frames going to this descriptor, and leave the process."""
    send = Reporter(descriptor, request.pop("key"))
    imports.tell = send.imported
    try:
        if request["kind"] == "introspect":
            from .introspect import introspect

            for one in request["requests"]:
                send({"introspected": introspect(one)})
            send({"finished": True})
        else:
            session.run(request, send, files)
    except BaseException:
        send({"broken": format_exc()[-4000:]})
    _exit(0)


class Reporter:
    """Writes frames, one JSON text a line, each led by a seal of everything that was written so far.

    The key of the seal came with the request, and no descriptor leads to it any more: what a snippet reads of the frames, or
    writes over them or behind them, makes no valid frame. Code that looks for this object among those of its process can
    still call it: that protects the machine and other sessions, not a document that wants to lie about itself.

    What it needs of the standard library was imported by name before any snippet ran, here and in `capture` and `session`: a
    snippet may replace `json.dumps` or `os.getpid`, in order to cheat or to test something, and its frames stay what they are.
    """

    def __init__(self, descriptor: int, key: str) -> None:
        self._descriptor = descriptor
        self._seal = hashlib.blake2b(key=key.encode("ascii"), digest_size=SEAL)
        self._owner = os.getpid()
        self._thread = get_ident()
        self._waiting: Deque[Json] = deque()
        self._writes = False

    def __call__(self, frame: Json) -> None:
        if getpid() != self._owner:
            _exit(0)  # the snippet forked, and its child has come to the end of a statement
        self._waiting.append(frame)
        self._write_all()

    def imported(self, name: str, place: Optional[str]) -> None:
        """A module was asked for, perhaps by another thread, by a forked child or in the middle of a frame: it goes before the
        next frame then, and what a child asks for is lost with it."""
        self._waiting.append({"asked": name, "place": place})
        if not self._writes and get_ident() == self._thread and getpid() == self._owner:
            self._write_all()

    def _write_all(self) -> None:
        self._writes = True
        while self._waiting:
            self._write(self._waiting.popleft())
        self._writes = False

    def _write(self, frame: Json) -> None:
        text = frame_text(frame).encode("ascii")
        self._seal.update(text)
        data = b"%s %s\n" % (self._seal.hexdigest().encode("ascii"), text)
        while data:
            data = data[write(self._descriptor, data) :]


def _no_word(thing: object) -> None:
    raise TypeError(f"JSON has no word for {type(thing)}")


_in_pieces = make_encoder(None, _no_word, encode_basestring_ascii, None, ": ", ", ", False, False, True)
"""What `json.dumps` comes to, in C: of its arguments the last three are `sort_keys`, `skipkeys` and `allow_nan`."""


def frame_text(frame: Json) -> str:
    """A frame as JSON. What JSON has no word for is written as its text: no fact may break a session."""
    try:
        return "".join(_in_pieces(frame, 0))
    except (TypeError, ValueError, RecursionError):
        return "".join(_in_pieces(_plain_json(frame, 0), 0))


def _plain_json(part: Any, depth: int) -> Any:
    if isinstance(part, dict) and depth < 50:
        return {str(name): _plain_json(inner, depth + 1) for name, inner in part.items()}
    if isinstance(part, (list, tuple)) and depth < 50:
        return [_plain_json(inner, depth + 1) for inner in part]
    return plain(part)


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
