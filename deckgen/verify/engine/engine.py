"""The engine: sessions of a plan become observations, from the cache or from worker processes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from deckgen.cache import Folder, digest, place
from deckgen.model.claim import Snippet
from deckgen.model.errors import EngineError
from deckgen.model.observation import Observation, Observed, would_repeat
from deckgen.surroundings import container
from deckgen.verify.closed import leaves_nothing
from deckgen.verify.engine.interpreter import Interpreter
from deckgen.verify.engine.records import (
    DRAWS,
    Variant,
    introspection_request,
    not_run,
    observation_of,
    records_of,
    request_of,
    seems_alone,
    session_request,
)
from deckgen.verify.engine.runner import WORKER, Json, Outcome, sandbox_level
from deckgen.verify.engine.workers import workers_for
from deckgen.verify.plan import Session, Step, above_each
from deckgen.verify.sources import leaves_unset
from deckgen.verify.triage import triage

VERSION = 5
"""Of what the cache keeps."""
CANDIDATES = 12
"""Readings of unsure code that are run at most."""
SPENT = 0.9
"""Share of its time that a snippet must have had for itself, to compute or to wait, to count as one that needs more time."""
PATIENCE = 10
"""So many times as long may take at most what others kept waiting, once it runs alone."""
PRELOADS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        2,
        (
            "torch._dynamo", "torch._dynamo.backends.debugging", "torch._dynamo.repro.after_dynamo", "torch._functorch.aot_autograd",
            "torch._inductor.compiler_bisector", "torch._inductor.sizevars", "torch._subclasses.schema_check_mode",
            "torch.export._trace", "torch.fx.experimental.validator", "torch._higher_order_ops.passes.inline_invoke_subgraph",
        ),
    ),
    (10, ("torch._inductor.compile_fx", "torch.nn.attention.flex_attention", "sympy.tensor.tensor")),
)  # fmt: skip
"""(sessions that compile or optimise, modules): from so many on it is worth importing once, in the zygote, what each would
import by itself: 1.2 s of processor time for the first row, 0.6 s for the second; a session that compiles takes 0.1 s then
instead of 0.36 s. A module that this torch does not have is passed over."""
TOGETHER = 25
"""Sessions of closed code in one child."""


@dataclass(frozen=True, slots=True)
class FurtherRuns:
    """Which runs of a session are needed besides the first, as the judge sees it of each of its snippets."""

    second: Callable[[Snippet, Observation], bool]
    """Something differed, or random numbers were near."""
    elsewhere: Callable[[Snippet, Observed], bool]
    """Other random numbers alone do not explain it: another process has to, with other addresses and another hash seed."""
    draws: Callable[[Snippet, Observed], bool]
    """Only more draws can tell whether a claim is false or luck."""
    reset: Callable[[Snippet, Observed], bool]
    """A verdict would be against the source."""


Progress = Callable[[int, int], None]
"""Called with (done, total) snippets; with (0, total) when torch begins to be imported, and once more when it is."""
Runs = Mapping[tuple[str, str], Observed]
"""By (source, snippet id)."""
Imports = dict[str, str | None]
"""Modules that sessions asked for, each with the place where it was found (`Outcome`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """How to verify."""

    python: Path | None = None
    """The interpreter whose torch is asked; None = our own."""
    device: str = "auto"
    """`auto`, `cpu`, `cuda` or `emulated`."""
    jobs: int | None = None
    """Sessions at once; None = one for each processor that we may use."""
    timeout: float = 30.0
    """Seconds for each snippet."""
    sandbox: str = "auto"
    """`auto`, `require` or `off`."""
    use_cache: bool = True
    cache_folder: Path | None = None
    """None = the user's cache folder."""
    prelude: tuple[str, ...] = ()
    """Statements that every snippet may take for granted, besides the usual imports."""
    engine: str = "auto"
    """`fork`, `spawn`, or `auto` for what the system has."""
    dask: str = ""
    """A scheduler of dask.distributed, or `local:4`; empty = the processes of this one."""


def silent(_done: int, _total: int) -> None:
    """No progress is shown."""


@cache
def worker_code() -> str:
    """Hash of the worker's own code: another worker may see other things."""
    paths = sorted((*WORKER.glob("*.py"), *WORKER.with_name("sandbox").glob("*.py")))
    return digest(*((path.name, path.read_bytes()) for path in paths))


MOST_REQUESTS = 128
"""Requests of one session: what a session may write is bounded."""


class Engine:
    """Runs sessions. Worker processes start when the first session is not in the cache."""

    def __init__(
        self,
        options: VerifyOptions,
        interpreter: Interpreter,
        engine: str,
        jobs: int,
        needed: FurtherRuns,
    ) -> None:
        """`engine`: `fork` or `spawn`; `jobs`: sessions at once."""
        self.options, self.interpreter, self.engine, self.jobs = options, interpreter, engine, jobs
        self.needed = needed
        self.identity = interpreter.identity()
        self.took: list[tuple[str, float]] = []
        """(source, seconds) of each run of a session; those of a source may run side by side."""
        self.imports: dict[str, str] = {}
        """What was imported for the observations, by name (`Packages`)."""
        self.spent: list[tuple[str, float]] = []
        """Seconds of processor time of the snippets that ran, by their code."""
        self._level = ""
        self.workers = workers_for(interpreter, engine, options.sandbox, jobs, options.dask)
        self.cache = Folder((options.cache_folder or place("observations")) if options.use_cache else None)

    def observe(self, sessions: Sequence[Session], progress: Progress = silent) -> Runs:
        """What is seen of every snippet, in as many runs as are needed."""
        new = [one for one in sessions if self._kept(self._name(one, one.steps, "first")) is None]
        slow = sum(any(step.triage.optimises or step.triage.compiles for step in one.steps) for one in new)
        self.workers.sessions = len(new)
        self.workers.preload = tuple(name for least, names in PRELOADS if slow >= least for name in names)
        found: dict[tuple[str, str], Observed] = {}
        total = sum(len(one.steps) for one in sessions)
        if new and not self.workers.hello:
            progress(0, total)
            self.workers.ready = lambda: progress(0, total)
        with ThreadPoolExecutor(self.jobs + 1) as pool:  # one writes requests and reads answers while the others wait
            futures = [pool.submit(self._session, session) for session in sessions]
            try:
                for session, future in zip(sessions, futures, strict=True):
                    for step, seen in zip(session.steps, future.result(), strict=True):
                        found[session.source, step.snippet.id] = seen
                    progress(len(found), total)
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
        open_claims = any(map(self.needed.second, snippets, first))
        drawn = any(event.random for one in first for event in one.events)
        if open_claims and drawn:
            found = self._with_run(session, found, "second", "reseeded")
        if any(leaves_unset(step.code) for step in steps) and any(snippet.claims for snippet in snippets):
            found = self._with_run(session, found, "garbage", "garbage")
        if open_claims and not drawn:
            found = self._with_run(session, found, "second", "second")
        for variant in DRAWS:
            if any(map(self.needed.draws, snippets, found)):
                draws = self._draw(session, steps, variant, first)
                found = [replace(one, draws=(*one.draws, *runs)) for one, runs in zip(found, draws, strict=True)]
        if open_claims and drawn and any(map(self.needed.elsewhere, snippets, found)):
            found = self._with_run(session, found, "second", "second")
        if not session.continuous and len(steps) > 1 and any(map(self.needed.reset, snippets, found)):
            found = self._with_run(session, found, "reset", "reset")
        for at, step in enumerate(steps):
            if len(step.snippet.candidates) > 1:
                readings = [replace(step, triage=triage(code)) for code in step.snippet.candidates[:CANDIDATES]]
                above = above_each(steps)[at]
                runs = (
                    first[at] if one.code == step.code else self._observe(session, (*above, one), "first")[-1]
                    for one in readings
                )
                found[at] = replace(found[at], candidates=tuple(runs))
        return found

    # Several sessions in one child

    def observe_together(self, sessions: Sequence[Session]) -> Runs:
        """What is seen of sessions of one closed snippet each, many of them in one child, each with names and random numbers of its
        own; without those of which anything is seen that may not be theirs alone. What one would show alone is not known
        from here: only what is just as the notes have it may be believed."""
        fitting = [
            one
            for one in sessions
            if len(one.steps) == 1
            and not one.cuda
            and leaves_nothing("\n".join((*one.steps[0].prelude, one.steps[0].code)))
        ]
        fitting = [one for one in fitting if self._kept(self._name(one, one.steps, "first")) is None]
        first = self._together(fitting, "together")
        snippets = {one.source: one.steps[0].snippet for one in fitting}
        drawn = [
            one
            for one in fitting
            if one.source in first and self.needed.second(snippets[one.source], first[one.source])
        ]
        second = self._together(drawn, "together reseeded")
        lost = {one.source for one in drawn} - second.keys()
        return {
            (source, snippets[source].id): Observed(first=seen, second=second.get(source))
            for source, seen in first.items()
            if source not in lost
        }

    def _together(self, sessions: Sequence[Session], variant: Variant) -> dict[str, Observation]:
        """By source. Each has its own place in the cache: whom it ran with says nothing."""
        kept = {one.source: self._kept(self._name(one, one.steps, variant)) for one in sessions}
        new = [one for one in sessions if kept[one.source] is None]
        parts = [new[at : at + TOGETHER] for at in range(0, len(new), TOGETHER)] if len(new) > 1 else []
        with ThreadPoolExecutor(self.jobs + 1) as pool:
            for part, records in zip(
                parts, pool.map(lambda part: self._run_together(part, variant), parts), strict=True
            ):
                kept |= zip((one.source for one in part), records, strict=True)
        return {
            one.source: observation_of(one.steps[0], record)
            for one in sessions
            if (record := kept[one.source]) and seems_alone(record)
        }

    def _run_together(self, sessions: Sequence[Session], variant: Variant) -> list[Json | None]:
        request = session_request([one.steps[0] for one in sessions], variant, "cpu", self.options.timeout)
        outcome = self._outcome(request, second=False)
        records: list[Json | None] = [None] * len(sessions)
        for at, record in records_of(len(sessions), outcome, emulated=False) if outcome.culprit is None else ():
            records[at] = record
            self._keep(self._name(sessions[at], sessions[at].steps, variant), record, outcome.imports)
        return records

    def _with_run(self, session: Session, found: Sequence[Observed], into: str, variant: Variant) -> list[Observed]:
        """The same with one more run of the session, which each step has under that name."""
        runs = self._observe(session, session.steps, variant)
        return [replace(one, **{into: run}) for one, run in zip(found, runs, strict=True)]  # type: ignore[arg-type] # the fields of one run

    # One run of one session

    def _observe(self, session: Session, steps: Sequence[Step], variant: Variant) -> list[Observation]:
        name = self._name(session, steps, variant)
        records = self._kept(name)
        if records is None:
            found: Imports = {}
            records = self._run(session, steps, variant, found)
            too_slow = any(record.get("spent") for record in records)
            self._keep(name, records, found, all(map(_would_repeat, records)), too_slow)
        return list(map(observation_of, steps, records, above_each(steps)))

    def _draw(
        self, session: Session, steps: Sequence[Step], variant: Variant, first: Sequence[Observation]
    ) -> Iterable[tuple[Observation, ...]]:
        """For each step what it showed in many draws, as far as they came in time and went the way of the first run."""
        name = self._name(session, steps, variant)
        records, device = self._kept(name), self.device(session)
        if records is None:
            request = session_request(steps, variant, device, self.options.timeout)
            outcome = self._outcome(request, second=False)
            self.took.append((session.source, outcome.seconds))
            frames = dict(records_of(len(request["snippets"]), outcome, device == "cuda-emulated"))
            starts = range(0, len(request["snippets"]), len(steps))
            records = [[frames.get(at) for at in range(start, start + len(steps))] for start in starts]
            records = [one for one in records if all(record and record["status"] == "ran" for record in one)]
            too_slow = _was_too_slow(outcome, self.options.timeout, request)
            repeats = too_slow or outcome.culprit is None or would_repeat("error", outcome.reason)
            self._keep(name, records, outcome.imports, repeats, too_slow)
        seen = [tuple(map(observation_of, steps, one, above_each(steps))) for one in records]
        ways = [bool(one.exception) for one in first]
        alike = [one for one in seen if [bool(run.exception) for run in one] == ways]
        return [tuple(one[at] for one in alike) for at in range(len(steps))]

    def _name(self, session: Session, steps: Sequence[Step], variant: Variant) -> str:
        """The cache's name for one run of these steps."""
        chain = [request_of(step) for step in steps]
        limits = self.options.timeout, self.options.sandbox
        return digest("session", VERSION, chain, variant, self.device(session), limits, self.identity, worker_code())

    def _kept(self, name: str) -> Any:
        """What was seen, if it would be seen again: with the same packages, in the same sandbox."""
        entry = _unpacked(self.cache.read(name))
        if entry is None:
            return None
        if not self.interpreter.packages.are(entry["imports"]) or entry["sandbox"] != self.level():
            return None
        if entry["here"] and entry["here"] != container():  # nearly none is bound to a place, and to name it takes long
            return None
        self.imports |= entry["imports"]
        return entry["seen"]

    def _keep(self, name: str, seen: object, found: Imports, repeats: bool = True, too_slow: bool = False) -> None:
        """Keeps what would be seen again, with what it was seen with; what was too slow here may be faster elsewhere."""
        imports = self.interpreter.packages.of({**self.workers.hello.get("imports", {}), **found})
        self.imports |= imports
        if repeats:
            here = container() if too_slow else ""
            entry = {"imports": imports, "sandbox": self.level(), "here": here, "seen": seen}
            self.cache.write(name, zlib.compress(json.dumps(entry).encode("ascii"), 1))

    def device(self, session: Session) -> str:
        """`cpu`, `cuda` or `cuda-emulated`: where a session runs."""
        wanted = self.options.device
        if wanted == "cpu" or not session.cuda:
            return "cpu"
        return "cuda" if wanted in ("cuda", "auto") and self.interpreter.has_cuda else "cuda-emulated"

    def _run(self, session: Session, steps: Sequence[Step], variant: Variant, found: Imports) -> list[Json]:
        """Run until every step has been seen or has died. After a death the session goes on without the culprit, and
        without what it would have bound. `found` is told what was imported."""
        device, timeout = self.device(session), self.options.timeout
        records: dict[int, Json] = {}
        left = list(range(len(steps)))
        while any(at not in records for at in left):
            request = session_request([steps[at] for at in left], variant, device, timeout)
            outcome = self._outcome(request, second=variant == "second")
            self.took.append((session.source, outcome.seconds))
            found |= outcome.imports
            for index, record in records_of(len(left), outcome, device == "cuda-emulated"):
                records.setdefault(left[index], record)
            if outcome.culprit is None or outcome.culprit >= len(left):
                break
            culprit = left[outcome.culprit]
            records[culprit]["spent"] = _was_too_slow(outcome, timeout, request)
            lost = {steps[culprit].snippet.id}
            left.remove(culprit)
            for at in [*left]:
                missing = next((name for name, binder in steps[at].takes if binder in lost), None)
                if missing is not None:
                    lost.add(steps[at].snippet.id)
                    records.setdefault(at, not_run(f"missing-name {missing}"))
                    left.remove(at)
        return [records.get(at) or not_run("lost") for at in range(len(steps))]

    def _outcome(self, request: Json, *, second: bool) -> Outcome:
        """How a session went; what others kept waiting runs once more, alone. CUDA does not survive a fork."""
        timeout = self.options.timeout
        engine = "spawn" if request["device"] == "cuda" else self.engine
        outcome = self.workers.run(request, engine, second, timeout)
        if outcome.reason == "timed-out" and not _was_too_slow(outcome, timeout, request):
            outcome = self.workers.run_alone(request, engine, second, _patience(outcome, timeout))
        snippets = request["snippets"]
        self.spent += [(one["code"], outcome.spent / len(snippets)) for one in snippets if outcome.spent]
        return outcome

    # Facts

    def introspect(self, request: Json) -> Json:
        """What the target's torch says about names; cached like observations."""
        return self.introspect_all([request])[0]

    def introspect_all(self, requests: Sequence[Json]) -> list[Json]:
        """The same for several requests, which share sessions: to begin one costs more than most of them."""
        names = [digest("introspect", VERSION, one, self.identity, worker_code()) for one in requests]
        found = {name: self._kept(name) for name in dict.fromkeys(names)}
        new = [
            (name, request) for name, request in dict(zip(names, requests, strict=True)).items() if found[name] is None
        ]
        for at in range(0, len(new), MOST_REQUESTS):
            part = new[at : at + MOST_REQUESTS]
            request = introspection_request([one for _, one in part])
            outcome = self.workers.run(request, self.engine, False, max(self.options.timeout, 120.0))
            if outcome.reason or len(outcome.introspected) != len(part):
                raise EngineError(f"looking up API names failed: {outcome.reason}")
            for (name, _), facts in zip(part, outcome.introspected, strict=True):
                self._keep(name, facts, outcome.imports)
                found[name] = facts
        return [found[name] or {} for name in names]

    def level(self) -> str:
        """The level of the sandbox in force. If no worker has reported it here, a process is asked that does not import torch."""
        return self.known_level() or self._remember(sandbox_level(self.interpreter.executable))

    def known_level(self) -> str:
        """The same, if a worker has reported it where we are; else empty."""
        if self.options.sandbox == "off":
            return "off"
        if self.workers.hello:
            return self._remember(self.workers.hello["sandbox"])
        self._level = self._level or (self.cache.read(self._level_name()) or b"").decode("utf-8")
        return self._level

    def _level_name(self) -> str:
        return digest("sandbox", VERSION, container(), self.interpreter.executable, worker_code())

    def _remember(self, level: str) -> str:
        if level and level != self._level:
            self.cache.write(self._level_name(), level.encode("utf-8"))
        self._level = level
        return level

    def close(self) -> None:
        if self.workers.kept_for:
            self.workers.note_imports()
        else:
            self.workers.close()
        self.cache.trim()


LARGEST = 64 << 20
"""Bytes of an entry of the cache."""


def _unpacked(data: bytes | None) -> Json | None:
    """An entry of the cache; None if there is none, or if it is none of ours: it may have come from elsewhere."""
    try:
        stream = zlib.decompressobj()
        entry = json.loads(stream.decompress(data, LARGEST)) if data else None
    except (ValueError, zlib.error, RecursionError):
        return None
    if not isinstance(entry, dict) or not entry.keys() >= {"imports", "sandbox", "here", "seen"}:
        return None
    return entry if isinstance(entry["imports"], dict) else None


def _would_repeat(record: Json) -> bool:
    """True if another run would show the same. A snippet that had its time for itself until that was up would take as long
    again; the key of the cache has the limit, so with more time it is tried again."""
    return bool(record.get("spent")) or would_repeat(record["status"], record["reason"])


def _was_too_slow(outcome: Outcome, timeout: float, request: Json) -> bool:
    """True if a session had its time and did not end; False if others took the processor from it, or may have."""
    waited = outcome.delayed is not None and outcome.delayed <= (1 - SPENT) * timeout
    if outcome.used_up:
        return True
    if outcome.reason in ("timed-out", "killed") and outcome.spent >= SPENT * request["limits"]["CPU"]:
        return True  # it did not heed the signal, and the system killed it
    return outcome.reason == "timed-out" and (waited or outcome.cpu >= SPENT * timeout)


def _patience(outcome: Outcome, timeout: float) -> float:
    """Seconds for a session that others kept waiting, when it runs alone: twice what it would need among as many others."""
    if outcome.delayed is None:
        return timeout
    own = max(timeout - outcome.delayed, 2 * timeout / PATIENCE)
    return 2 * timeout / own * timeout
