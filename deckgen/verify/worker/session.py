"""A session: snippets run one after another in this process, as in a notebook, and reported as they go.

Every session has a process of its own, so nothing here needs to be undone afterwards.
"""

from __future__ import annotations

import builtins
import linecache
import os
import sys
import traceback
import types
from typing import Any, Callable, Dict, List, Optional

from .ambient import Ambient
from .capture import Descriptors, Events, Place, Stream, install_print, install_warnings
from .randomness import Watch, generators_of, seed_everything
from .snippet_run import FILENAME, SnippetRun
from .statements import PROBE, Cutter
from .values import describe_quietly, torch

Json = Dict[str, Any]
Send = Callable[[Json], None]

ROUNDS = 1_000
"""Rounds of a loop in which a claim's expression is looked at: a long loop is no flood."""


def emulation(device: str) -> Any:
    """The CUDA emulation where the request wants it; it is imported only then."""
    if device != "cuda-emulated":
        return None
    from .cuda_on_cpu import emulate

    return emulate()


class Session:
    """Runs the snippets of one request; see `deckgen.verify.running.runner` for what a request holds."""

    def __init__(self) -> None:
        """Make ready what no request changes; a zygote does it once, and its children find it."""
        self.place = Place(FILENAME)
        self.events = Events(self.place, 0, self._flooded)
        self.watch = Watch()
        self.seeded: Optional[int] = None
        """What the generators stand at, if nobody has drawn from them since."""
        self._install()
        self.forget()

    def seed(self, seed: int) -> None:
        """Put the generators where the next session wants them."""
        seed_everything(seed)
        self.seeded = seed

    def forget(self) -> None:
        """Let go of what was run; what a child would free, it would have to copy first."""
        self.request: Json = {}
        self.send: Any = None
        self.descriptors: Any = None
        self.cutter: Any = None
        self.emulation: Any = None
        self.index = self.sent = 0
        self.rounds: Dict[Any, int] = {}
        self.events.start(0)
        self.module = sys.modules["__main__"] = types.ModuleType("__main__")
        linecache.cache.pop(FILENAME, None)

    def run(self, request: Json, send: Send, files: Dict[str, int]) -> None:
        """`files`: the descriptors of output that bypasses our streams, by the stream's name."""
        self.request, self.send = request, send
        self.events.start(request["output_limit"])
        self.descriptors = Descriptors(self.events, files)
        self.cutter = Cutter(FILENAME)
        self._prepare()
        self.emulation = emulation(self.request.get("device", "cpu"))
        self.watch.start(generators_of(self._whole_text()))
        ambient = Ambient(self.request["seed"]) if self.request.get("reset") else None
        snippets: List[Json] = self.request["snippets"]
        offset = 0
        for self.index, snippet in enumerate(snippets):
            length = snippet["code"].count("\n") + 1
            self.place.enter(offset, length)
            if self.index and ambient is not None:
                ambient.restore()
                self.watch.forget()
            SnippetRun(self, snippet, offset).run()
            offset += length
        self.send({"finished": len(snippets)})

    def _whole_text(self) -> str:
        lines = [line for snippet in self.request["snippets"] for line in snippet.get("prelude", ())]
        return "\n".join([*lines, *(snippet["code"] for snippet in self.request["snippets"])])

    def _prepare(self) -> None:
        """Streams, `__main__` and the session's file as a snippet expects to find them."""
        if self.seeded != self.request["seed"]:
            self.seed(self.request["seed"])
        self.seeded = None
        text = "\n".join(snippet["code"] for snippet in self.request["snippets"]) + "\n"
        linecache.cache[FILENAME] = (len(text), None, text.splitlines(True), FILENAME)
        namespace = vars(self.module)
        namespace.update(__builtins__=builtins, __file__=FILENAME)
        namespace[PROBE] = self._probe_inside
        sys.modules["__main__"] = self.module

    def _install(self) -> None:
        sys.stdout = Stream("stdout", 1, self.events)
        sys.stderr = Stream("stderr", 2, self.events)
        sys.argv = [""]
        install_print(self.events)
        install_warnings(self.events)

    def _flooded(self) -> None:
        self.events.limit = sys.maxsize
        self.flush()
        self.send({"flooded": self.index})
        os._exit(0)

    def flush(self) -> None:
        """Send what was seen since the last flush."""
        self.descriptors.look()
        for event in self.events.take():
            if self.watch.drawn or (self.emulation is not None and self.emulation.drew):
                event["random"] = True
            self.send({"event": self.index, **event})
            self.sent += 1

    def probe(self, expression: str, look: Callable[[], Any], inner: Optional[int]) -> None:
        """Evaluate an expression that a claim asks about, leaving the generators as they were."""
        state = torch.default_generator.get_state() if "(" in expression else None
        try:
            thing = look()
        except BaseException as error:
            text = "".join(traceback.format_exception_only(type(error), error)).strip()
            self.events.add("probe", text, inner, target=expression)
        else:
            value = describe_quietly(thing)
            self.events.add("probe", value["repr"], inner, target=expression, values=[value])
        if state is not None:
            torch.default_generator.set_state(state)

    def _probe_inside(self, expression: str, look: Callable[[], Any]) -> None:
        """Called by the snippet's own code, once a round of its loop."""
        inner = self.place.inner(sys._getframe(1))
        rounds = self.rounds[self.index, inner, expression] = self.rounds.get((self.index, inner, expression), 0) + 1
        if rounds <= ROUNDS and self.events.written < self.events.limit // 2:
            self.probe(expression, look, inner)
