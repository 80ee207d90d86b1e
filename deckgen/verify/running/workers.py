"""Workers: the processes that an engine runs its sessions in, started when they are needed and after they were killed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.verify.running.cache import key
from deckgen.verify.running.conversation import WorkerDiedError
from deckgen.verify.running.fork import ForkRunner
from deckgen.verify.running.frames import Outcome
from deckgen.verify.running.requests import Variant
from deckgen.verify.running.runner import Runner
from deckgen.verify.running.settings import Settings
from deckgen.verify.running.spawn import SpawnRunner
from deckgen.verify.steps import Session

Json = dict[str, Any]

PRELOAD_FROM = 2
"""Sessions that would import torch._dynamo, from which on the zygote does it for all."""

RUNNERS: dict[str, Callable[..., Runner]] = {"fork": ForkRunner, "spawn": SpawnRunner}


@dataclass(slots=True)
class Workers:
    """Worker processes by the run that they are for; each starts with its first session."""

    settings: Settings
    preload: tuple[str, ...] = ()
    hello: Json = field(default_factory=dict)
    """What the first of them said of itself; empty as long as none has started."""
    _closed: bool = False
    _slots: threading.Semaphore = field(init=False)
    _runners: dict[tuple[Variant, str], Runner] = field(default_factory=dict)
    _locks: dict[Variant, threading.Lock] = field(
        default_factory=lambda: {"first": threading.Lock(), "second": threading.Lock()}
    )

    def __post_init__(self) -> None:
        self._slots = threading.Semaphore(self.settings.jobs)

    @property
    def started(self) -> bool:
        return bool(self.hello)

    def run(self, request: Json, variant: Variant, device: str, timeout: float) -> Outcome:
        """How one session went. If its worker is killed, it has another one for itself: who dies of it then, does."""
        runner = self._runner(variant, device)
        try:
            return runner.run(request, timeout)
        except WorkerDiedError:
            self._replace(runner)
        role, engine = self._place(variant, device)
        alone = self._made(role, engine)
        self._runners[role, f"{engine} {id(alone)}"] = alone  # so that closing ends it
        try:
            self._insist_on_going_on()
            alone.start()
            return alone.run(request, timeout)
        except WorkerDiedError as died:
            return died.outcome
        finally:
            self._replace(alone)

    def _replace(self, dead: Runner) -> None:
        """Let the next session start another worker."""
        for place, runner in list(self._runners.items()):
            if runner is dead:
                with self._locks[place[0]]:
                    self._insist_on_going_on()
                    if self._runners.get(place) is dead:
                        del self._runners[place]
                        dead.close()

    def _insist_on_going_on(self) -> None:
        """No worker is started once somebody has stopped the run."""
        if self._closed:
            raise EngineError("the run was stopped")

    def _place(self, variant: Variant, device: str) -> tuple[Variant, str]:
        """The second run has a zygote of its own; a GPU wants a process a session."""
        return "second" if variant == "second" else "first", "spawn" if device == "cuda" else self.settings.engine

    def _made(self, role: Variant, engine: str) -> Runner:
        return RUNNERS[engine](
            self.settings.interpreter.executable,
            hash_seed=0 if role == "first" else 1,
            preload=self.preload if engine == "fork" else (),
            sandbox=self.settings.sandbox,
            slots=self._slots,
        )

    def _runner(self, variant: Variant, device: str = "cpu") -> Runner:
        """The worker for a variant, started if need be."""
        role, engine = self._place(variant, device)
        with self._locks[role]:
            self._insist_on_going_on()
            if (role, engine) not in self._runners:
                hello = self._started(self._made(role, engine), (role, engine))
                if not self.hello:
                    self.hello = hello
                    self.settings.cache.put(self._sandbox_key(), hello["sandbox"])
            return self._runners[role, engine]

    def _started(self, runner: Runner, place: tuple[Variant, str]) -> Json:
        """Its first words. Whoever closes meanwhile finds it in its place already, and ends it."""
        self._runners[place] = runner
        try:
            self._insist_on_going_on()
            return runner.start()
        except BaseException:
            self._runners.pop(place, None)
            runner.close()
            raise

    def _sandbox_key(self) -> str:
        return key("sandbox", self.settings.interpreter.identity(), self.settings.sandbox, self.settings.engine)

    def sandbox(self) -> str:
        """The level in force, or the one that was when what is in the cache was seen."""
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
