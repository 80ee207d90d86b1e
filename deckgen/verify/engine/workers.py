"""Workers: the processes that an engine runs its sessions in. They start when they are needed, and again after a death."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from deckgen.model.errors import EngineError
from deckgen.verify.engine.cache import Cache, key
from deckgen.verify.engine.fork import ForkRunner
from deckgen.verify.engine.frames import Json, Outcome
from deckgen.verify.engine.interpreter import Interpreter
from deckgen.verify.engine.records import Variant
from deckgen.verify.engine.runner import Runner, WorkerDiedError
from deckgen.verify.engine.spawn import SpawnRunner
from deckgen.verify.steps import Session

PRELOAD_FROM = 2
"""So many sessions that would import torch._dynamo each make it worth importing once, in the zygote."""

RUNNERS: dict[str, Callable[..., Runner]] = {"fork": ForkRunner, "spawn": SpawnRunner}
Place = tuple[str, str, int]
"""Which run a worker is for (`first`, `second`), its engine, and a number if it is for one session alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where, with what and how long sessions run. `engine`: `fork` or `spawn`."""

    interpreter: Interpreter
    device: str = "auto"
    jobs: int = 1
    timeout: float = 30.0
    sandbox: str = "auto"
    cache: Cache = field(default_factory=lambda: Cache(None))
    engine: str = "fork"


class Workers:
    """Worker processes by the run that they are for; each starts with its first session."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._expected: tuple[int, tuple[str, ...]] = (0, ())
        """How many sessions are to be run, and the modules that are worth importing once for all of them."""
        self.hello: Json = {}
        """What the first of them reported about itself; empty as long as none has started."""
        self._closed = False
        self._slots = threading.Semaphore(settings.jobs)
        self._runners: dict[Place, Runner] = {}
        self._locks = {"first": threading.Lock(), "second": threading.Lock()}

    def expect(self, sessions: int, preload: tuple[str, ...]) -> None:
        """What is to come; for workers that have not started yet."""
        self._expected = sessions, preload

    def run(self, request: Json, variant: Variant, device: str, timeout: float) -> Outcome:
        """How one session went. If its worker is killed, the session gets a worker of its own: who kills that one, dies."""
        role = "second" if variant == "second" else "first"  # the second run has another hash seed and addresses
        engine = "spawn" if device == "cuda" else self.settings.engine
        with self._locks[role]:
            runner = self._runners.get((role, engine, 0)) or self._start((role, engine, 0))
        try:
            return runner.run(request, timeout)
        except WorkerDiedError:
            self._close(runner)
        alone = self._start((role, engine, id(request)))
        try:
            return alone.run(request, timeout)
        except WorkerDiedError as died:
            return died.outcome
        finally:
            self._close(alone)

    def _start(self, place: Place) -> Runner:
        """A new worker. It has its place before it starts, so that whoever closes meanwhile ends it."""
        role, engine, _ = place
        runner = self._runners[place] = RUNNERS[engine](
            self.settings.interpreter.executable,
            hash_seed=0 if role == "first" else 1,
            sessions=self._expected[0],
            preload=self._expected[1] if engine == "fork" else (),
            sandbox=self.settings.sandbox,
            slots=self._slots,
        )
        try:
            if self._closed:
                raise EngineError("the run was stopped")
            hello = runner.start()
        except BaseException:
            self._close(runner)
            raise
        if not self.hello:
            self.hello = hello
            self.settings.cache.put(self._sandbox_key(), hello["sandbox"])
        return runner

    def _close(self, runner: Runner) -> None:
        """End a worker; the next session starts another one."""
        for place, one in list(self._runners.items()):
            if one is runner:
                self._runners.pop(place, None)
        runner.close()

    def _sandbox_key(self) -> str:
        return key("sandbox", self.settings.interpreter.identity(), self.settings.sandbox, self.settings.engine)

    def sandbox(self) -> str:
        """The level in force, or the one that was in force when the cached observations were made."""
        return str(self.hello.get("sandbox") or self.settings.cache.get(self._sandbox_key()) or "off")

    def close(self) -> None:
        """End them all, and start no more."""
        self._closed = True
        for runner in list(self._runners.values()):
            with contextlib.suppress(OSError):
                runner.close()


def preload_for(sessions: Iterable[Session]) -> tuple[str, ...]:
    """Modules that the zygotes import once, because several sessions would import them each."""
    slow = sum(any(step.triage.optimises or step.triage.compiles for step in one.steps) for one in sessions)
    return ("torch._dynamo",) if slow >= PRELOAD_FROM else ()
