"""A session: snippets run one after another in this process, as in a notebook, and reported as they go.

Every session has a process of its own, so nothing here needs to be undone afterwards.
"""

from __future__ import annotations

import builtins
import json
import linecache
import os
import sys
import time
import traceback
import types
from typing import Any, Callable, Dict, List, Optional

from .ambient import Ambient
from .capture import Descriptors, Events, Place, Stream, install_print, install_warnings
from .randomness import Watch, generators_of, seed_everything
from .statements import PROBE, Cutter, Statement, UnreadableError
from .values import describe_quietly, plain, torch

Json = Dict[str, Any]
Send = Callable[[Json], None]

FILENAME = "<deckgen session>"
ROUNDS = 1_000
"""Rounds of a loop in which a claim's expression is looked at: a long loop is no flood."""


def emulation(device: str) -> Any:
    """The CUDA emulation where the request wants it; it is imported only then."""
    if device != "cuda-emulated":
        return None
    from .cuda_on_cpu import emulate

    return emulate()


_C_ENCODER: Any = getattr(json.encoder, "c_make_encoder", None)
_ENCODE: Any = _C_ENCODER and _C_ENCODER(
    None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ": ", ", ", False, False, True
)
"""What `json.dumps` would make anew for every frame."""


def frame_text(frame: Json) -> str:
    """A frame as JSON; whatever JSON has no word for stands as its text: no fact may break a session."""
    try:
        return "".join(_ENCODE(frame, 0)) if _ENCODE else json.dumps(frame)
    except (TypeError, ValueError, RecursionError):
        return json.dumps({name: plain_json(part, 0) for name, part in frame.items()})


def plain_json(part: Any, depth: int) -> Any:
    if isinstance(part, dict) and depth < 50:
        return {str(name): plain_json(inner, depth + 1) for name, inner in part.items()}
    if isinstance(part, (list, tuple)) and depth < 50:
        return [plain_json(inner, depth + 1) for inner in part]
    return plain(part)


class Reporter:
    """Writes frames, one JSON text a line, each led by the session's token.

    The token keeps blind writers to an inherited descriptor from passing for us. Code that looks for it
    can find it: this protects against accidents, not against a document that wants to lie.
    """

    def __init__(self, descriptor: int, token: str) -> None:
        self._descriptor = descriptor
        self._token = token
        self._owner = os.getpid()

    def __call__(self, frame: Json) -> None:
        if os.getpid() != self._owner:
            os._exit(0)  # the snippet forked, and its child has come to the end of a statement
        data = f"{self._token} {frame_text(frame)}\n".encode("ascii")
        while data:
            data = data[os.write(self._descriptor, data) :]


class Session:
    """Runs the snippets of one request; see `deckgen.verify.runner` for what a request holds."""

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
            Run(self, snippet, offset).run()
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


class Run:
    """One snippet within its session."""

    def __init__(self, session: Session, snippet: Json, offset: int) -> None:
        self.session = session
        self.snippet = snippet
        self.offset = offset
        self.namespace = vars(session.module)
        self.exception: Optional[str] = None
        self.exception_line: Optional[int] = None
        self.at = 0

    def run(self) -> None:
        session = self.session
        session.send({"begin": session.index, "at": time.monotonic()})
        session.sent = 0
        session.events.written = 0
        if session.emulation is not None:
            session.emulation.touched = False
        left = self._run_statements()
        session.flush()
        session.send(
            {
                "end": session.index,
                "events": session.sent,
                "exception": self.exception,
                "exception_line": self.exception_line,
                "left": left,
                "seed": session.watch.seed,
                "device": self._device(),
            }
        )

    def _device(self) -> str:
        """Where this snippet's tensors were."""
        emulation = self.session.emulation
        if emulation is not None:
            return "cuda-emulated" if emulation.touched else "cpu"
        return "cuda:0" if self.session.request.get("device") == "cuda" and torch.cuda.is_initialized() else "cpu"

    def _run_statements(self) -> bool:
        """True if the snippet left early, by `sys.exit`."""
        self._run_prelude()
        if self.snippet.get("seed") is not None:
            torch.manual_seed(self.snippet["seed"])
        try:
            statements = self.session.cutter.cut(self.snippet["code"], self.offset, self.snippet.get("probes", ()))
        except (SyntaxError, ValueError, RecursionError) as error:
            self._failed(error, getattr(error, "lineno", 1) or 1)
            return False
        for self.at, statement in enumerate(statements):
            self.session.place.first, self.session.place.last = statement.first, statement.last
            if isinstance(statement, UnreadableError):
                self._failed(statement.error, self.offset + statement.first + 1)
                continue
            if not self._run_statement(statement):
                return True
        return False

    def _run_prelude(self) -> None:
        """Imports that deckgen adds; the snippet itself says what is wrong if one fails."""
        for line in self.snippet.get("prelude", ()):
            try:
                exec(compile(line, "<deckgen prelude>", "exec"), self.namespace)
            except Exception:  # noqa: S112
                continue
        self.session.watch.forget_imports()

    def _run_statement(self, statement: Statement) -> bool:
        """False if the snippet asked to leave."""
        session = self.session
        try:
            if statement.is_expression:
                self._show(eval(statement.code, self.namespace), statement)  # noqa: S307
            else:
                exec(statement.code, self.namespace)
        except SystemExit as error:
            self._failed(error)
            return False
        except BaseException as error:  # a notebook goes on after whatever a cell raises
            self._failed(error)
            for name in self.snippet.get("gone", {}).get(str(self.at), ()):  # an older value would pass for the new one
                self.namespace.pop(name, None)
        else:
            self._look_around(statement)
        session.watch.look(statement.unwatched)
        session.flush()
        return True

    def _show(self, thing: Any, statement: Statement) -> None:
        if not statement.shows:
            return
        value = describe_quietly(thing)
        self.session.events.add("value", value["repr"], statement.first, values=[value])
        if thing is not None and self.snippet.get("cell"):
            self.namespace["_"] = thing

    def _look_around(self, statement: Statement) -> None:
        """Probes, and facts of the names that the statement assigned."""
        session = self.session
        for expression in statement.probes:
            session.probe(expression, lambda text=expression: eval(text, self.namespace), statement.first)  # type: ignore[misc]  # noqa: S307
        for name in statement.assigned:
            if name in self.namespace and name not in statement.probes:
                value = describe_quietly(self.namespace[name], light=True)
                session.events.add("probe", value["repr"], statement.first, target=name, values=[value])

    def _failed(self, error: BaseException, line: Optional[int] = None) -> None:
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
        inner = self.session.place.line(line) if line is not None else self._raising_line(error)
        self.session.events.add("exception", text, inner)
        if self.exception is None:
            self.exception, self.exception_line = text, inner

    def _raising_line(self, error: BaseException) -> Optional[int]:
        """The innermost line of the snippet that an exception passed through."""
        found = self.session.place.first
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == FILENAME:
                line = self.session.place.line(step.tb_lineno)
                found = found if line is None else line
            step = step.tb_next
        error.__traceback__ = None  # frees the frames, and the tensors in them
        return found
