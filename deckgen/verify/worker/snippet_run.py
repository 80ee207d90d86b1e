"""One snippet within its session: its statements are run, looked at and reported one by one."""

from __future__ import annotations

import atexit
import time
import traceback
from inspect import CO_COROUTINE
from typing import TYPE_CHECKING, Any, Dict, Optional

from .refusals import is_of_torch
from .statements import Statement, UnreadableError
from .values import describe_quietly, torch

if TYPE_CHECKING:
    from .session import Session

Json = Dict[str, Any]

FILENAME = "<deckgen session>"
"""What the code of all snippets of a session stands in, as far as Python is told."""


class SnippetRun:
    """Runs a snippet in the names of its session; an exception ends its statement, not the snippet."""

    def __init__(self, session: Session, snippet: Json, offset: int) -> None:
        self.session = session
        self.snippet = snippet
        self.offset = offset
        self.namespace = vars(session.module)
        self.exception: Optional[str] = None
        self.exception_line: Optional[int] = None
        self.at = 0
        self.loop: Any = None
        """Of statements that await."""

    def run(self) -> None:
        session = self.session
        session.send({"begin": session.index, "at": time.monotonic()})
        session.sent = 0
        session.events.written = 0
        if session.emulation is not None:
            session.emulation.touched = False
        left = self._run_statements()
        if self.snippet.get("exits"):
            atexit._run_exitfuncs()
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
            value = eval(statement.code, self.namespace)  # noqa: S307 - runs what is no expression, too
            if statement.code.co_flags & CO_COROUTINE:  # `await` outside of functions, as in a notebook
                value = self._awaited(value)
            if statement.is_expression:
                self._show(value, statement)
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

    def _awaited(self, waiting: Any) -> Any:
        import asyncio

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
        return self.loop.run_until_complete(waiting)

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
        of_torch = line is None and is_of_torch(error, FILENAME)
        inner = self.session.place.line(line) if line is not None else self._raising_line(error)
        self.session.events.add("exception", text, inner, **({"of_torch": True} if of_torch else {}))
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
