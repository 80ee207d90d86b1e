"""The engine: sessions of a plan become observations, from the cache or from worker processes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from deckgen.model.claim import Snippet
from deckgen.model.errors import EngineError
from deckgen.model.observation import Observation, Observed, would_repeat
from deckgen.verify.running.cache import key
from deckgen.verify.running.records import not_run, observation_of, records_of
from deckgen.verify.running.requests import Variant, introspection_request, request_of, session_request
from deckgen.verify.running.runner import WORKER
from deckgen.verify.running.settings import Settings
from deckgen.verify.running.workers import Workers
from deckgen.verify.steps import CANDIDATES, Session, Step, above_each

Json = dict[str, Any]

AHEAD = 1
"""Threads beyond the sessions that run at once: what one of them asks or has been told is written and read meanwhile."""

Settled = Callable[[Snippet, Observation], bool]
Doubted = Callable[[Snippet, Observed], bool]
"""True if a verdict would be against the source, so that a look with resets is worth its time."""


@cache
def worker_code() -> str:
    """Hash of the worker's own code: another worker may see other things."""
    digest = hashlib.sha256()
    for path in sorted(WORKER.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@dataclass(slots=True)
class Engine:
    """Runs sessions. Worker processes start when the first session is not in the cache."""

    settings: Settings
    settled: Settled
    doubted: Doubted
    workers: Workers = field(init=False)

    def __post_init__(self) -> None:
        self.workers = Workers(self.settings)

    # Sessions

    def observe(self, sessions: Sequence[Session], progress: Callable[[int], None]) -> dict[tuple[str, str], Observed]:
        """By (source, snippet id). `progress` is told the number of snippets done by each step."""
        with ThreadPoolExecutor(max_workers=self.settings.jobs + AHEAD) as pool:
            futures = [pool.submit(self._session, session) for session in sessions]
            found: dict[tuple[str, str], Observed] = {}
            try:
                for session, future in zip(sessions, futures, strict=True):
                    found.update({(session.source, name): seen for name, seen in future.result().items()})
                    progress(len(session.steps))
            except BaseException:
                for future in futures:
                    future.cancel()
                self.workers.close()  # ends what the other threads are waiting for
                raise
        return found

    def _session(self, session: Session) -> dict[str, Observed]:
        first = self._observe(session, session.steps, "first")
        found = {name: Observed(first=one) for name, one in first.items()}
        if not all(self.settled(step.snippet, first[step.snippet.id]) for step in session.steps):
            second = self._observe(session, session.steps, "second")
            found = {name: replace(one, second=second[name]) for name, one in found.items()}
        if not session.continuous and len(session.steps) > 1 and self._any_doubt(session, found):
            reset = self._observe(session, session.steps, "reset")
            found = {name: replace(one, reset=reset[name]) for name, one in found.items()}
        for step in session.steps:
            if len(step.snippet.candidates) > 1:
                found[step.snippet.id] = self._candidates(session, step, found[step.snippet.id])
        return found

    def _any_doubt(self, session: Session, found: dict[str, Observed]) -> bool:
        return any(self.doubted(step.snippet, found[step.snippet.id]) for step in session.steps)

    def _candidates(self, session: Session, step: Step, observed: Observed) -> Observed:
        """One run for each credible reading of unsure code."""
        runs = []
        before = session.up_to(step)[:-1]
        for code in step.snippet.candidates[:CANDIDATES]:
            if code == step.code:
                runs.append(observed.first)
            else:
                steps = (*before, replace(step, code=code))
                runs.append(self._observe(session, steps, "first")[step.snippet.id])
        return replace(observed, candidates=tuple(runs))

    # One run of one session

    def _observe(self, session: Session, steps: Sequence[Step], variant: Variant) -> dict[str, Observation]:
        name = self.key(session, steps, variant)
        records = self.settings.cache.get(name)
        if not isinstance(records, dict) or set(records) != {step.snippet.id for step in steps}:
            records = self._run(session, steps, variant)
            if all(map(_would_repeat, records.values())):
                self.settings.cache.put(name, records)
        above = above_each(steps)
        return {
            step.snippet.id: observation_of(step, records[step.snippet.id], above[step.snippet.id]) for step in steps
        }

    def key(self, session: Session, steps: Sequence[Step], variant: Variant) -> str:
        """The cache's name for one run of these steps."""
        chain = [request_of(step) for step in steps]
        identity = self.settings.interpreter.identity()
        limits = [self.settings.timeout, self.settings.sandbox]
        return key("session", chain, variant, identity, self.device(session), limits, worker_code())

    def is_cached(self, session: Session) -> bool:
        return self.settings.cache.get(self.key(session, session.steps, "first")) is not None

    def device(self, session: Session) -> str:
        """`cpu`, `cuda` or `cuda-emulated`: where a session runs."""
        wanted = self.settings.device
        if wanted == "cpu" or not session.cuda:
            return "cpu"
        if wanted in ("cuda", "auto") and self.settings.interpreter.has_cuda:
            return "cuda"
        return "cuda-emulated"

    def _run(self, session: Session, steps: Sequence[Step], variant: Variant) -> dict[str, Json]:
        """Run until every step has been seen or has died; the session goes on without its culprits."""
        device, timeout = self.device(session), self.settings.timeout
        records: dict[str, Json] = {}
        left = list(steps)
        while left:
            request = session_request(left, variant, device, timeout)
            outcome = self.workers.run(request, variant, device, timeout)
            for step, record in records_of(left, outcome, device == "cuda-emulated"):
                records.setdefault(step.snippet.id, record)
            if outcome.culprit is None or outcome.culprit >= len(left):
                break
            culprit = left[outcome.culprit]
            records[culprit.snippet.id]["busy"] = outcome.reason == "timed-out" and outcome.cpu > BUSY * timeout
            left = [step for step in left if step is not culprit]
            left = list(_without_dependants(left, culprit, records))
            if all(step.snippet.id in records for step in left):
                break
        for step in steps:
            records.setdefault(step.snippet.id, not_run("lost"))
        return records

    # Facts

    def introspect(self, request: Json) -> Json:
        """What the target's torch says about names; cached like observations."""
        name = key("introspect", request, self.settings.interpreter.identity(), worker_code())
        facts = self.settings.cache.get(name)
        if isinstance(facts, dict):
            return facts
        outcome = self.workers.run(introspection_request(request), "first", "cpu", max(self.settings.timeout, 120.0))
        if outcome.introspected is None:
            raise EngineError(f"looking up API names failed: {outcome.reason}")
        self.settings.cache.put(name, outcome.introspected)
        return outcome.introspected


BUSY = 0.5
"""Share of its time for which a snippet must have worked rather than waited, to be taken for one that needs more time."""


def _would_repeat(record: Json) -> bool:
    """True if another run would show the same. What computed until its time was up will do so again; the key of the
    cache has the limit and the machine, so that more time means another try."""
    return bool(record.get("busy")) or would_repeat(record["status"], record["reason"])


def _without_dependants(steps: Sequence[Step], culprit: Step, records: dict[str, Json]) -> Iterator[Step]:
    """The steps that can do without what a dead step would have bound."""
    lost = {culprit.snippet.id}
    for step in steps:
        missing = next((name for name, binder in step.takes if binder in lost), None)
        if missing is None:
            yield step
        else:
            lost.add(step.snippet.id)
            records.setdefault(step.snippet.id, not_run(f"missing-name {missing}"))
