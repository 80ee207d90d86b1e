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
from deckgen.verify.engine.cache import key
from deckgen.verify.engine.frames import Json
from deckgen.verify.engine.records import (
    Variant,
    introspection_request,
    not_run,
    observation_of,
    records_of,
    request_of,
    session_request,
)
from deckgen.verify.engine.runner import WORKER
from deckgen.verify.engine.workers import Settings, Workers, preload_for
from deckgen.verify.steps import CANDIDATES, Session, Step, above_each

AHEAD = 1
"""Threads beyond the sessions that run at once: one writes requests and reads answers while the others wait."""
BUSY = 0.5
"""Share of its time for which a snippet must have worked rather than waited, to count as one that needs more time."""

Settled = Callable[[Snippet, Observation], bool]
Doubted = Callable[[Snippet, Observed], bool]
"""True if a verdict would be against the source, so that a run with resets is worth its time."""


@cache
def worker_code() -> str:
    """Hash of the worker's own code: another worker may see other things."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in ("worker", "sandbox") for path in (WORKER.parent / folder).glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@dataclass(slots=True)
class Engine:
    """Runs sessions. Worker processes start when the first session is not in the cache."""

    settings: Settings
    settled: Settled
    doubted: Doubted
    workers: Workers = field(init=False)
    _recalled: dict[str, list[Json]] = field(default_factory=dict)
    """First runs that the cache has, until they are used."""

    def __post_init__(self) -> None:
        self.workers = Workers(self.settings)

    def observe(self, sessions: Sequence[Session], progress: Callable[[int], None]) -> dict[tuple[str, str], Observed]:
        """By (source, snippet id). `progress` gets the number of snippets done by each step."""
        new = [session for session in sessions if not self._recall(session)]
        self.workers.expect(len(new), preload_for(new))
        with ThreadPoolExecutor(max_workers=self.settings.jobs + AHEAD) as pool:
            futures = [pool.submit(self._session, session) for session in sessions]
            found: dict[tuple[str, str], Observed] = {}
            try:
                for session, future in zip(sessions, futures, strict=True):
                    ids = ((session.source, step.snippet.id) for step in session.steps)
                    found.update(zip(ids, future.result(), strict=True))
                    progress(len(session.steps))
            except BaseException:
                for future in futures:
                    future.cancel()
                self.workers.close()  # ends what the other threads are waiting for
                raise
        return found

    def _session(self, session: Session) -> list[Observed]:
        """All runs of a session that are needed, for each of its steps."""
        steps, snippets = session.steps, [step.snippet for step in session.steps]
        first = self._observe(session, steps, "first")
        found = [Observed(first=one) for one in first]
        if not all(map(self.settled, snippets, first)):
            second = self._observe(session, steps, "second")
            found = [replace(one, second=run) for one, run in zip(found, second, strict=True)]
        if not session.continuous and len(steps) > 1 and any(map(self.doubted, snippets, found)):
            reset = self._observe(session, steps, "reset")
            found = [replace(one, reset=run) for one, run in zip(found, reset, strict=True)]
        return [
            replace(one, candidates=self._candidates(session, step, one)) if len(step.snippet.candidates) > 1 else one
            for step, one in zip(steps, found, strict=True)
        ]

    def _candidates(self, session: Session, step: Step, observed: Observed) -> tuple[Observation, ...]:
        """One run for each credible reading of unsure code."""
        before = session.up_to(step)[:-1]
        return tuple(
            observed.first
            if code == step.code
            else self._observe(session, (*before, replace(step, code=code)), "first")[-1]
            for code in step.snippet.candidates[:CANDIDATES]
        )

    # One run of one session

    def _observe(self, session: Session, steps: Sequence[Step], variant: Variant) -> list[Observation]:
        name = self._key(session, steps, variant)
        records = self._recalled.pop(name, None) or self._cached(name, len(steps))
        if records is None:
            records = self._run(session, steps, variant)
            if all(map(_would_repeat, records)):
                self.settings.cache.put(name, records)
        above = above_each(steps)
        return [observation_of(step, kept, above[step.snippet.id]) for step, kept in zip(steps, records, strict=True)]

    def _key(self, session: Session, steps: Sequence[Step], variant: Variant) -> str:
        """The cache's name for one run of these steps."""
        settings = self.settings
        limits = [settings.timeout, settings.sandbox]
        chain = [request_of(step) for step in steps]
        identity = settings.interpreter.identity()
        return key("session", chain, variant, identity, self.device(session), limits, worker_code())

    def _cached(self, name: str, count: int) -> list[Json] | None:
        records = self.settings.cache.get(name)
        return records if isinstance(records, list) and len(records) == count else None

    def _recall(self, session: Session) -> bool:
        """True if the cache has the first run of a session; it is kept until it is used."""
        name = self._key(session, session.steps, "first")
        records = self._cached(name, len(session.steps))
        if records is not None:
            self._recalled[name] = records
        return records is not None

    def device(self, session: Session) -> str:
        """`cpu`, `cuda` or `cuda-emulated`: where a session runs."""
        wanted = self.settings.device
        if wanted == "cpu" or not session.cuda:
            return "cpu"
        return "cuda" if wanted in ("cuda", "auto") and self.settings.interpreter.has_cuda else "cuda-emulated"

    def _run(self, session: Session, steps: Sequence[Step], variant: Variant) -> list[Json]:
        """Run until every step has been seen or has died. After a death the session goes on without the culprit."""
        device, timeout = self.device(session), self.settings.timeout
        records: dict[int, Json] = {}
        left = list(range(len(steps)))
        while any(at not in records for at in left):
            request = session_request([steps[at] for at in left], variant, device, timeout)
            outcome = self.workers.run(request, variant, device, timeout)
            for index, record in records_of(len(left), outcome, device == "cuda-emulated"):
                records.setdefault(left[index], record)
            if outcome.culprit is None or outcome.culprit >= len(left):
                break
            culprit = left[outcome.culprit]
            records[culprit]["busy"] = outcome.reason == "timed-out" and outcome.cpu > BUSY * timeout
            left = list(_without_dependants(steps, left, culprit, records))
        return [records.get(at) or not_run("lost") for at in range(len(steps))]

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


def _would_repeat(record: Json) -> bool:
    """True if another run would show the same. A snippet that computed until its time was up would do so again; the key
    of the cache has the limit, so with more time it is tried again."""
    return bool(record.get("busy")) or would_repeat(record["status"], record["reason"])


def _without_dependants(
    steps: Sequence[Step], left: Sequence[int], culprit: int, records: dict[int, Any]
) -> Iterator[int]:
    """The steps that can do without what a dead step would have bound."""
    lost = {steps[culprit].snippet.id}
    for at in left:
        missing = next((name for name, binder in steps[at].takes if binder in lost), None)
        if missing is not None:
            lost.add(steps[at].snippet.id)
            records.setdefault(at, not_run(f"missing-name {missing}"))
        elif at != culprit:
            yield at
