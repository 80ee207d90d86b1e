"""Workers that outlive a run: torch is imported once for all tests of a process, as sessions are forks of it anyway.

Tests of what becomes of the workers themselves carry the mark `own_workers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deckgen.verify.engine.fork import ForkRunner
from deckgen.verify.engine.runner import Json, Outcome, Runner, WorkerDiedError, scrubbed_environment

AT_MOST = 4
"""So many are kept; each needs 200 MB."""


@dataclass
class Kept:
    """A worker, and what it reported about itself."""

    runner: ForkRunner
    hello: Json


class KeptWorkers:
    """Workers by what they were started with, the latest last."""

    def __init__(self) -> None:
        self._kept: dict[object, Kept] = {}

    def lend(self, key: object, runner: ForkRunner) -> Kept:
        """The worker that was started like this one, or this one."""
        kept = self._kept.pop(key, None) or Kept(runner, runner.start())
        self._kept[key] = kept
        while len(self._kept) > AT_MOST:
            self.drop(next(iter(self._kept)))
        return kept

    def drop(self, key: object) -> None:
        if kept := self._kept.pop(key, None):
            kept.runner.close()

    def close(self) -> None:
        for key in list(self._kept):
            self.drop(key)

    def runner(self, *settings: Any) -> Runner:
        """In place of ForkRunner."""
        return Borrowed(*settings, workers=self)


@dataclass(eq=False)
class Borrowed(Runner):
    """A worker for one run, which goes back to the others afterwards."""

    workers: KeptWorkers | None = None

    def __post_init__(self) -> None:
        environment = tuple(scrubbed_environment(self.hash_seed).items())
        self._key = (self.python, self.hash_seed, self.preload, self.sandbox, environment)
        self._borrowed: Kept | None = None

    def start(self) -> Json:
        runner = ForkRunner(self.python, self.hash_seed, self.preload, self.sessions, self.sandbox)
        self._borrowed = self.workers.lend(self._key, runner)
        return self._borrowed.hello

    def run(self, request: Json, timeout: float) -> Outcome:
        try:
            with self.slots:
                return self._borrowed.runner.run(request, timeout)
        except WorkerDiedError:
            self.workers.drop(self._key)
            raise

    def close(self) -> None:
        """It goes on for the next run."""
