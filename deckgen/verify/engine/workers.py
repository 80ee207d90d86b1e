"""Workers: the processes of one run, or of several that share them, and what happens when one dies."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from deckgen.model.errors import EngineError
from deckgen.verify.engine.interpreter import Interpreter
from deckgen.verify.engine.runner import Json, Outcome, Runner, WorkerDiedError
from deckgen.verify.engine.spawn import SpawnRunner

if sys.platform == "linux":
    from deckgen.verify.engine.fork import ForkRunner
if TYPE_CHECKING:
    from deckgen.verify.engine.dask_engine import Cluster

RUNNERS: dict[str, type[Runner]] = {"spawn": SpawnRunner}
if sys.platform == "linux":
    RUNNERS["fork"] = ForkRunner


class Workers:
    """Worker processes: for each engine one for second runs and one for all others. They start with their first session."""

    def __init__(self, python: str, sandbox: str, jobs: int, dask: str = "") -> None:
        self.python, self.sandbox = python, sandbox
        self._make: dict[str, Callable[..., Runner]] = {**RUNNERS}
        self._cluster: Cluster | None = None
        if dask:
            from deckgen.verify.engine.dask_engine import Cluster, DaskRunner

            self._cluster = Cluster(dask)
            self._make["dask"] = partial(DaskRunner, self._cluster)
        self.sessions = 0
        """How many sessions are to be run, by workers that have not started yet."""
        self.preload: tuple[str, ...] = ()
        """Modules that are worth importing once for all of them."""
        self.hello: Json = {}
        """What the first of them reported about itself; empty as long as none has started."""
        self.ready: Callable[[], None] = lambda: None
        """Called when the first of them has imported torch."""
        self.kept_for: Interpreter | None = None
        """The interpreter as it was when they were made, if they outlive their run."""
        self._identity: tuple[object, ...] = ()
        self._imported: dict[str, str] = {}
        """What those that outlived one had imported, as it was then (`Packages`)."""
        self._closed = False
        self._jobs, self._slots, self._room = jobs, threading.Semaphore(jobs), threading.Lock()
        self._runners: dict[tuple[str, bool, int], Runner] = {}
        """By engine, whether it is for second runs, and a number if it is for one session alone."""
        self._locks = threading.Lock(), threading.Lock()

    def run(self, request: Json, engine: str, second: bool, timeout: float) -> Outcome:
        """How one session went. If its worker is killed, the session gets a worker of its own: who kills that one, dies."""
        with self._locks[second]:
            runner = self._runners.get((engine, second, 0)) or self._start(engine, second, 0)
        start = time.monotonic()
        try:
            return replace(runner.run(request, timeout), seconds=time.monotonic() - start)
        except WorkerDiedError:
            self._end([runner])
        alone = self._start(engine, second, id(request))
        try:
            return alone.run(request, timeout)
        except WorkerDiedError as died:
            return died.outcome
        finally:
            self._end([alone])

    def run_alone(self, request: Json, engine: str, second: bool, timeout: float) -> Outcome:
        """The same, while no other session of ours runs."""
        with self._room, contextlib.ExitStack() as slots:
            for _ in range(self._jobs - 1):
                slots.enter_context(self._slots)
            return self.run(request, engine, second, timeout)

    def keep_for(self, interpreter: Interpreter) -> None:
        """Lets them outlive their run."""
        self.kept_for, self._identity = interpreter, interpreter.identity()

    def fit(self, interpreter: Interpreter) -> bool:
        """True if they, who were kept, are what would be started now."""
        same = self._identity == interpreter.identity()
        return same and not self._closed and interpreter.packages.are(self._imported)

    def note_imports(self) -> None:
        """Remembers what they have imported, as the interpreter had it that was looked at before they did."""
        if self.kept_for:
            self._imported = self.kept_for.packages.of(self.hello.get("imports", {}))

    def warm_up(self) -> None:
        """Starts those by fork that are not there yet; not if they cannot be, which the next session says."""
        for second in (False, True):
            with self._locks[second], contextlib.suppress(EngineError):
                if ("fork", second, 0) not in self._runners:
                    self._start("fork", second, 0)
        self.note_imports()

    def _start(self, engine: str, second: bool, number: int) -> Runner:
        """A new worker. It has its place before it starts, so that whoever closes meanwhile ends it. Second runs have another
        hash seed, and other addresses."""
        if engine not in self._make:
            raise EngineError(f"the engine {engine} needs Linux", hint="this system has `spawn`")
        preload = () if engine == "spawn" else self.preload
        made = self._make[engine](self.python, int(second), preload, self.sessions, self.sandbox, self._slots)
        self._runners[engine, second, number] = made
        try:
            if self._closed:
                raise EngineError("the run was stopped")
            hello = made.start()
        except BaseException:
            self._end([made])
            raise
        if not self.hello:
            self.hello = hello
            self.ready()
        return made

    def _end(self, runners: Iterable[Runner]) -> None:
        """End workers; the next session starts another one."""
        for runner in runners:
            for number, one in [*self._runners.items()]:
                if one is runner:
                    self._runners.pop(number, None)
            with contextlib.suppress(OSError):
                runner.close()

    def close(self) -> None:
        """End them all, and start no more."""
        self._closed = True
        self._end([*self._runners.values()])
        if self._cluster is not None:
            self._cluster.close()


_Kept = dict[tuple[str, str, int], Workers]
"""By interpreter, sandbox and sessions at once."""
_KEPT: ContextVar[_Kept | None] = ContextVar("kept workers", default=None)


@contextmanager
def workers_kept() -> Iterator[Callable[[], None]]:
    """Runs inside it share their workers, so that torch is imported once; they end with it.

    Gives what starts those ahead that the next run may need.
    """
    kept: _Kept = {}
    token = _KEPT.set(kept)

    def warm_up() -> None:
        for workers in kept.values():
            workers.warm_up()

    try:
        yield warm_up
    finally:
        _KEPT.reset(token)
        for workers in kept.values():
            workers.close()


def workers_for(interpreter: Interpreter, engine: str, sandbox: str, jobs: int, dask: str) -> Workers:
    """New ones, or those kept that would be started like them and have imported what they would import."""
    kept, name = _KEPT.get(), (interpreter.executable, sandbox, jobs)
    if kept is None or engine != "fork":
        return Workers(*name, dask)
    if old := kept.get(name):
        if old.fit(interpreter):
            return old
        old.close()
    made = kept[name] = Workers(*name)
    made.keep_for(interpreter)
    return made
