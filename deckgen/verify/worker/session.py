"""A session: snippets run one after another in this process, as in a notebook, and are reported as they go.

Every session has a process of its own, so nothing here needs to be undone afterwards.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import linecache
import os
import sys
import types
from functools import partial
from inspect import CO_COROUTINE
from os import _exit, times
from sys import _getframe
from time import monotonic
from traceback import format_exception_only
from typing import Any, Callable, Dict, List, Optional

from ..sandbox.limits import delay_of
from . import Json, capture
from .randomness import Watch, fill_unset_memory, seed_everything
from .statements import PROBE, Cutter, Statement, is_of_torch
from .values import describe_quietly, torch

Send = Callable[[Json], None]

FILENAME = "<deckgen session>"
"""The file that the code of all snippets of a session stands in, as far as Python knows."""
ROUNDS = 1_000
"""Rounds of a loop in which a claim's expression is looked at: a long loop is no flood."""


class Session:
    """Runs the snippets of one request; see `deckgen.verify.engine.runner` for what a request holds."""

    def __init__(self) -> None:
        """Make ready what no request changes; a zygote does it once, and its children find it."""
        self.events = capture.Events(FILENAME, self._flooded)
        self.watch = Watch()
        self.seeded: Optional[int] = None
        """Where the generators stand, if nobody has drawn from them since."""
        capture.install(self.events)
        sys.argv = [""]

    def seed(self, seed: int) -> None:
        """Put the generators where a session wants them."""
        seed_everything(seed)
        self.seeded = seed

    def run(self, request: Json, send: Send, files: Dict[str, int]) -> None:
        """`files`: the descriptors of output that bypasses our streams, by the stream's name."""
        self.request, self.send, snippets = request, send, request["snippets"]
        self.cutter = Cutter(FILENAME)
        self.rounds: Dict[Any, int] = {}
        self.loop: Any = None
        """Of statements that await."""
        self.events.start(request["output_limit"], files)
        if self.seeded != request["seed"]:
            self.seed(request["seed"])
        self.seeded = None
        self._enter_module()
        self.emulation: Any = None
        if request.get("device") == "cuda-emulated":
            from .cuda_emulation import emulate

            self.emulation = emulate()
        text = "\n".join(snippet["code"] for snippet in snippets) + "\n"
        linecache.cache[FILENAME] = (len(text), None, text.splitlines(True), FILENAME)
        prelude = [line for snippet in snippets for line in snippet.get("prelude", ())]
        watched = "\n".join([*dict.fromkeys(prelude), text])
        self.watch.start(watched)
        draws = any("fresh" in snippet for snippet in snippets)
        restore = remembered_state(request["seed"]) if request.get("reset") or draws else None
        if request.get("garbage"):
            fill_unset_memory()
        offset = 0
        for self.index, snippet in enumerate(snippets):
            length = snippet["code"].count("\n") + 1
            self.events.enter(offset, length)
            if "fresh" in snippet and restore is not None:
                restore()
                self._begin_anew(snippet["fresh"], watched)
            elif self.index and restore is not None and not draws:
                restore()
                self.watch.forget()
            self._run_snippet(snippet, offset)
            offset += length
        send({"finished": len(snippets)})

    def _enter_module(self) -> None:
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        self.namespace = vars(module)
        self.namespace.update({"__builtins__": builtins, "__file__": FILENAME, PROBE: self._probe_inside})

    def _begin_anew(self, seed: int, watched: str) -> None:
        """As a session of its own would begin: another draw, for which no process has to be started."""
        self._enter_module()
        self.cutter, self.rounds = Cutter(FILENAME), {}
        seed_everything(seed)
        self.watch.start(watched)

    # One snippet: an exception ends its statement, not the snippet

    def _run_snippet(self, snippet: Json, offset: int) -> None:
        self.send({"begin": self.index, "at": monotonic(), **spent()})
        self.snippet = snippet
        self.sent = self.events.written = 0
        self.exception: Optional[str] = None
        self.exception_line: Optional[int] = None
        if self.emulation is not None:
            self.emulation.touched = False
        left = self._run_statements(snippet, offset)
        if snippet.get("exits"):
            atexit._run_exitfuncs()
        self.flush()
        device = "cuda:0" if self.request.get("device") == "cuda" and torch.cuda.is_initialized() else "cpu"
        self.send(
            {
                "end": self.index,
                "events": self.sent,
                "exception": self.exception,
                "exception_line": self.exception_line,
                "left": left,
                "seed": self.watch.seed,
                "device": "cuda-emulated" if self.emulation is not None and self.emulation.touched else device,
            }
        )

    def _run_statements(self, snippet: Json, offset: int) -> bool:
        """True if the snippet left early, by `sys.exit`."""
        for line in snippet.get(
            "prelude", ()
        ):  # imports that deckgen adds; the snippet shows what is wrong if one fails
            with contextlib.suppress(Exception):
                exec(compile(line, "<deckgen prelude>", "exec"), self.namespace)
        self.watch.wrap_numpy()
        if snippet.get("seed") is not None:
            torch.manual_seed(snippet["seed"])
        try:
            statements = [*self.cutter.cut(snippet["code"], offset, snippet.get("probes", ()))]
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1) or 1
            self._failed(error, min(line, self.events.length) - 1)
            return False
        for at, statement in enumerate(statements):
            self.events.first, self.events.last = statement.first, statement.last
            if statement.error is not None:
                self._failed(statement.error, statement.first)
            elif not self._run_statement(statement, snippet.get("gone", {}).get(str(at), ())):
                return True
        return False

    def _run_statement(self, statement: Statement, lost: Any) -> bool:
        """False if the snippet asked to leave. `lost`: names to unbind if it fails: an older value would pass for the new one."""
        try:
            value = eval(statement.code, self.namespace)  # type: ignore[arg-type] # noqa: S307 (runs every statement)
            if statement.code.co_flags & CO_COROUTINE:  # type: ignore[union-attr] # `await` outside of functions
                import asyncio

                self.loop = self.loop or asyncio.new_event_loop()
                value = self.loop.run_until_complete(value)
            if statement.shows:
                seen = describe_quietly(value)
                self.events.add("value", seen["repr"], statement.first, values=[seen])
                if value is not None and self.snippet.get("cell"):
                    self.namespace["_"] = value
        except SystemExit as error:
            self._failed(error)
            return False
        except BaseException as error:  # a notebook goes on after whatever a cell raises
            self._failed(error)
            for name in lost:
                self.namespace.pop(name, None)
        else:
            for expression in statement.probes:
                self.probe(expression, partial(eval, expression, self.namespace), statement.first)
            for name in statement.assigned:
                if name in self.namespace and name not in statement.probes:
                    seen = describe_quietly(self.namespace[name], light=True)
                    self.events.add("probe", seen["repr"], statement.first, target=name, values=[seen])
        self.watch.look()
        self.watch.drawn = self.watch.drawn or statement.unwatched
        self.flush()
        return True

    def _failed(self, error: BaseException, line: Optional[int] = None) -> None:
        """`line`: of code that could not be compiled; else the innermost line that the exception passed through."""
        more = {"of_torch": True} if line is None and is_of_torch(error, FILENAME) else {}
        step, inner = error.__traceback__, self.events.first if line is None else line
        while step is not None and line is None:
            found = self.events.line(step.tb_lineno) if step.tb_frame.f_code.co_filename == FILENAME else None
            inner = inner if found is None else found
            step = step.tb_next
        text = exception_text(error)
        error.__traceback__ = None  # frees the frames, and the tensors in them
        self.events.add("exception", text, inner, **more)
        if self.exception is None:
            self.exception, self.exception_line = text, inner

    # What is seen

    def flush(self) -> None:
        """Send what was seen since the last flush."""
        for event in self.events.take():
            if self.watch.drawn or (self.emulation is not None and self.emulation.drew):
                event["random"] = True
            self.send({"event": self.index, **event})
            self.sent += 1

    def _flooded(self) -> None:
        self.events.limit = sys.maxsize
        self.flush()
        self.send({"flooded": self.index})
        _exit(0)

    def probe(self, expression: str, look: Callable[[], Any], inner: Optional[int]) -> None:
        """Evaluate an expression that a claim asks about, leaving the generators as they were."""
        state = torch.default_generator.get_state() if "(" in expression else None
        try:
            thing = look()
        except BaseException as error:
            self.events.add("probe", exception_text(error), inner, target=expression)
        else:
            value = describe_quietly(thing)
            self.events.add("probe", value["repr"], inner, target=expression, values=[value])
        if state is not None:
            torch.default_generator.set_state(state)

    def _probe_inside(self, expression: str, look: Callable[[], Any]) -> None:
        """Called by the snippet's own code, once a round of its loop."""
        inner = self.events.inner(_getframe(1))
        rounds = self.rounds[self.index, inner, expression] = self.rounds.get((self.index, inner, expression), 0) + 1
        if rounds <= ROUNDS and self.events.written < self.events.limit // 2:
            self.probe(expression, look, inner)


def spent() -> Json:
    """What this process has had of the processor, and waited for it, so far."""
    return {"cpu": sum(times()[:4]), "delayed": delay_of() or 0.0}


def exception_text(error: BaseException) -> str:
    return "".join(format_exception_only(type(error), error)).strip()


def _use_deterministic_algorithms(wanted: bool) -> None:
    """`torch.use_deterministic_algorithms`, which imports a compiler to tell it: 0.8 s where none is there."""
    if "torch._inductor.config" in sys.modules:
        torch.use_deterministic_algorithms(wanted)
    else:
        torch._C._set_deterministic_algorithms(wanted)


def remembered_state(seed: int) -> Callable[[], None]:
    """What one snippet changes and the next one feels without naming it; the function puts all of it back."""
    path, environ = list(sys.path), dict(os.environ)
    print_options = vars(torch._tensor_str.PRINT_OPTS)
    steps: List[Any] = [
        (torch.set_grad_enabled, True),
        (torch.set_default_dtype, torch.get_default_dtype()),
        (torch.set_default_device, None),
        (print_options.update, print_options.copy()),
        (torch.set_num_threads, torch.get_num_threads()),
        (_use_deterministic_algorithms, torch.are_deterministic_algorithms_enabled()),
        (torch.autograd.set_detect_anomaly, False),
        (torch.set_autocast_enabled, False),
        (os.chdir, os.getcwd()),
        (os.environ.clear,),
        (os.environ.update, environ),
        (lambda: sys.path.__setitem__(slice(None), path),),
        (seed_everything, seed),
    ]
    numpy = sys.modules.get("numpy")
    if numpy:
        steps.append((partial(numpy.set_printoptions, **numpy.get_printoptions()),))

    def restore() -> None:
        for step, *arguments in steps:
            with contextlib.suppress(Exception):  # each is independent; a snippet may have broken one
                step(*arguments)

    return restore
