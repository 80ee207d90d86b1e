"""The engine: sessions of a plan become observations, from the cache or from worker processes."""

from __future__ import annotations

import contextlib
import hashlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from deckgen.claim import Snippet
from deckgen.errors import EngineError
from deckgen.observation import Observation, Observed, would_repeat
from deckgen.verify import wire
from deckgen.verify.cache import Cache, key
from deckgen.verify.conversation import WorkerDiedError
from deckgen.verify.frames import Outcome, SnippetFrames
from deckgen.verify.interpreter import Interpreter
from deckgen.verify.runner import WORKER, ForkRunner, Runner
from deckgen.verify.spawn import SpawnRunner
from deckgen.verify.steps import CANDIDATES, Session, Step

Json = dict[str, Any]
Variant = Literal["first", "second", "reset"]

SEEDS: dict[Variant, int] = {"first": 20_210_401, "second": 77_003, "reset": 20_210_401}
"""Random seeds of deckgen's own. The second run has another one, so that what is random differs."""
OUTPUT_LIMIT = 2 << 20
"""Bytes that one snippet may write."""
MEMORY = 4 << 30
"""Bytes of address space that a session may take on top of what torch takes."""
FILE_SIZE = 256 << 20
COMPILER_FILE_SIZE = 1 << 30
"""A C++ compiler's precompiled headers need more."""
PRELOAD_FROM = 2
"""Sessions that would import torch._dynamo, from which on the zygote does it for all."""

REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"NameError: name '(\w+)' is not defined"), "missing-name {0}"),
    (re.compile(r"ModuleNotFoundError: No module named '(?!torch\.|torch')([\w.]+)'"), "missing-module {0}"),
    (re.compile(r"FileNotFoundError: .*?: '([^'\n]*)'"), "missing-file {0}"),
    (
        re.compile(
            r"(?:AssertionError: Torch not compiled with CUDA|RuntimeError: (?:Found no NVIDIA driver|No CUDA GPUs)"
            r"|RuntimeError: .*(?:Cannot access accelerator device|without ATen_cuda)"
            r"|.*PyTorch is not linked with support for cuda)"
        ),
        "needs-cuda",
    ),
)
"""What an exception says about the surroundings rather than about torch."""

RUNNERS: dict[str, Callable[..., Runner]] = {"fork": ForkRunner, "spawn": SpawnRunner}

Settled = Callable[[Snippet, Observation], bool]
Doubted = Callable[[Snippet, Observed], bool]
"""True if a verdict would be against the source, so that a look with resets is worth its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the engine needs to know of the options."""

    interpreter: Interpreter
    device: str = "auto"
    jobs: int = 1
    timeout: float = 30.0
    sandbox: str = "auto"
    cache: Cache = field(default_factory=lambda: Cache(None))
    engine: str = "fork"


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
    preload: tuple[str, ...] = ()
    hello: Json = field(default_factory=dict)
    started: bool = False
    _closed: bool = False
    _runners: dict[tuple[Variant, str], Runner] = field(default_factory=dict)
    _locks: dict[Variant, threading.Lock] = field(
        default_factory=lambda: {"first": threading.Lock(), "second": threading.Lock()}
    )

    # Sessions

    def observe(self, sessions: Sequence[Session], progress: Callable[[int], None]) -> dict[tuple[str, str], Observed]:
        """By (source, snippet id). `progress` is told the number of snippets done by each step."""
        with ThreadPoolExecutor(max_workers=self.settings.jobs) as pool:
            futures = [pool.submit(self._session, session) for session in sessions]
            found: dict[tuple[str, str], Observed] = {}
            try:
                for session, future in zip(sessions, futures, strict=True):
                    found.update({(session.source, name): seen for name, seen in future.result().items()})
                    progress(len(session.steps))
            except BaseException:
                for future in futures:
                    future.cancel()
                self.close()  # ends what the other threads are waiting for
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
            if all(would_repeat(record["status"], record["reason"]) for record in records.values()):
                self.settings.cache.put(name, records)
        return {step.snippet.id: self._observation(step, records[step.snippet.id]) for step in steps}

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
        records: dict[str, Json] = {}
        left = list(steps)
        while left:
            request = self._request(session, left, variant)
            outcome = self._outcome(request, variant, self.device(session), self.settings.timeout)
            for step, record in self._records(left, outcome, self.device(session) == "cuda-emulated"):
                records.setdefault(step.snippet.id, record)
            if outcome.culprit is None or outcome.culprit >= len(left):
                break
            culprit = left[outcome.culprit]
            left = [step for step in left if step is not culprit]
            left = list(_without_dependants(left, culprit, records))
            if all(step.snippet.id in records for step in left):
                break
        for step in steps:
            records.setdefault(step.snippet.id, _record(SnippetFrames(), "not-run", "lost"))
        return records

    def _records(self, steps: Sequence[Step], outcome: Outcome, emulated: bool) -> Iterator[tuple[Step, Json]]:
        for index, step in enumerate(steps):
            frames = outcome.snippets.get(index)
            if index == outcome.culprit:
                late = outcome.reason == "timed-out" and emulated  # work for a GPU, which a CPU cannot do in time
                yield step, _record(frames or SnippetFrames(), "error", "needs-cuda" if late else outcome.reason)
            elif frames is not None and frames.end is not None:
                yield step, _record(frames, "error" if frames.end["left"] else "ran", None)

    def _request(self, session: Session, steps: Sequence[Step], variant: Variant) -> Json:
        compiles = any(step.triage.compiles for step in steps)
        cpu_seconds = int(self.settings.timeout * len(steps)) + 30
        limits = {
            "AS": MEMORY,
            "FSIZE": COMPILER_FILE_SIZE if compiles else FILE_SIZE,
            "CORE": 0,
            "NOFILE": 1024,
            "CPU": cpu_seconds,
        }
        if self.device(session) == "cuda":
            del limits["AS"]  # a CUDA context reserves more address space than any limit worth setting
        return {
            "kind": "session",
            "seed": SEEDS[variant],
            "reset": variant == "reset",
            "device": self.device(session),
            "output_limit": OUTPUT_LIMIT,
            "limits": limits,
            "snippets": [request_of(step) for step in steps],
        }

    def _observation(self, step: Step, record: Json) -> Observation:
        try:
            seen = wire.observation(record)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):  # written by the snippet itself
            seen = Observation(status="error", reason="forged")
        reason = (seen.reason or step.reason) if seen.status != "not-run" else seen.reason
        return replace(
            seen,
            reason=step.reason if seen.status == "ran" and step.reason else reason,
            needs=step.needs,
            context=step.context,
            prelude=step.prelude,
            missing=tuple(step.missing.items()),
            doubt=step.doubt,
        )

    # Facts

    def introspect(self, request: Json) -> Json:
        """What the target's torch says about names; cached like observations."""
        name = key("introspect", request, self.settings.interpreter.identity(), worker_code())
        facts = self.settings.cache.get(name)
        if isinstance(facts, dict):
            return facts
        body = {"kind": "introspect", "request": request, "output_limit": OUTPUT_LIMIT, "limits": {}}
        outcome = self._outcome(body, "first", "cpu", max(self.settings.timeout, 120.0))
        if outcome.introspected is None:
            raise EngineError(f"looking up API names failed: {outcome.reason}")
        self.settings.cache.put(name, outcome.introspected)
        return outcome.introspected

    # Workers

    def _outcome(self, request: Json, variant: Variant, device: str, timeout: float) -> Outcome:
        """How one session went. If its worker is killed, it has another one for itself: who dies of it then, does."""
        runner = self._runner(variant, device)
        try:
            return runner.run(request, timeout)
        except WorkerDiedError:
            self._replace(runner)
        role, engine = self._place(variant, device)
        alone = self._made(role, engine)
        self._runners[role, f"{engine} {id(alone)}"] = alone  # so that closing the engine ends it
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
        )

    def _runner(self, variant: Variant, device: str = "cpu") -> Runner:
        """The worker for a variant, started if need be."""
        role, engine = self._place(variant, device)
        with self._locks[role]:
            self._insist_on_going_on()
            if (role, engine) not in self._runners:
                runner = self._made(role, engine)
                hello = runner.start()
                self._runners[role, engine] = runner
                if not self.hello:
                    self.hello = hello
                    self.settings.cache.put(self._sandbox_key(), hello["sandbox"])
                self.started = True
            return self._runners[role, engine]

    def _sandbox_key(self) -> str:
        return key("sandbox", self.settings.interpreter.identity(), self.settings.sandbox, self.settings.engine)

    def sandbox(self) -> str:
        """The level in force, or the one that was when what is in the cache was seen."""
        return str(self.hello.get("sandbox") or self.settings.cache.get(self._sandbox_key()) or "off")

    def close(self) -> None:
        self._closed = True
        for runner in list(self._runners.values()):
            with contextlib.suppress(OSError):
                runner.close()


def request_of(step: Step) -> Json:
    """A step as the worker gets it."""
    options = step.snippet.options
    return {
        "id": step.snippet.id,
        "code": step.code,
        "prelude": list(dict.fromkeys(step.prelude)),
        "probes": [list(probe) for probe in step.snippet.probes],
        "cell": step.snippet.cell,
        "gone": {str(index): sorted(one.binds) for index, one in step.lame.items() if one.binds},
        "seed": options.seed,
    }


def preload_for(sessions: Iterable[Session]) -> tuple[str, ...]:
    """Modules that the zygotes import once, because several sessions would import them each."""
    slow = sum(any(step.triage.optimises or step.triage.compiles for step in one.steps) for one in sessions)
    return ("torch._dynamo",) if slow >= PRELOAD_FROM else ()


def _without_dependants(steps: Sequence[Step], culprit: Step, records: dict[str, Json]) -> Iterator[Step]:
    """The steps that can do without what a dead step would have bound."""
    lost = {culprit.snippet.id}
    for step in steps:
        missing = next((name for name, binder in step.takes if binder in lost), None)
        if missing is None:
            yield step
        else:
            lost.add(step.snippet.id)
            records.setdefault(step.snippet.id, _record(SnippetFrames(), "not-run", f"missing-name {missing}"))


def _record(frames: SnippetFrames, status: str, reason: str | None) -> Json:
    """What the cache keeps of one snippet's run."""
    end = frames.end or {}
    exception = end.get("exception")
    if end.get("left"):
        reason = "exited"
    elif reason is None and exception:
        reason = _surroundings(exception)
    return {
        "status": status,
        "events": frames.events,
        "exception": exception,
        "exception_line": end.get("exception_line"),
        "reason": reason,
        "device": end.get("device", "cpu"),
        "seed": end.get("seed"),
    }


def _surroundings(exception: str) -> str | None:
    for pattern, reason in REASONS:
        found = pattern.search(exception)
        if found:
            return reason.format(*found.groups())
    return None
