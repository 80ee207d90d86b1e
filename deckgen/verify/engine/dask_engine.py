"""Sessions on the workers of a dask.distributed cluster: each of them has a zygote of its own, as the fork engine has one.

Requests and answers travel as JSON text. Dask itself unpickles what reaches its ports, so a cluster is only talked to over TLS or on
this machine. Workers whose environment is another one than ours are not used: sessions go where they would show the same.
"""

from __future__ import annotations

import atexit
import contextlib
import ipaddress
import json
import queue
import re
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

from deckgen.model.errors import EngineError, UsageError
from deckgen.verify.engine.interpreter import look_at
from deckgen.verify.engine.runner import Json, Outcome, Runner, SnippetFrames, WorkerDiedError
from deckgen.verify.engine.workers import RUNNERS

MOST = 64
"""Sessions of one task: a task costs the scheduler about 1 ms, a session some 20."""
TASKS = 2
"""Tasks of each worker that are on their way at once: one runs, one waits."""
WAITING = 64
"""Sessions for each thread of the cluster that may wait at once, so that tasks have many."""
MOST_WAITING = 512
"""Sessions that may wait at once in all: each has a thread of ours."""
ALLOWED_FAILURES = 20
"""Times that a task of a cluster of our own may lose its worker; then its sessions run one by one."""
CONNECTING = 10.0
"""Seconds in which a scheduler has to answer: nobody waits longer for a wrong address."""
OPTION = "--dask"
_LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")


def check(address: str, sandbox: str) -> None:
    """Raises UsageError for a cluster that whoever reaches it could make run anything, and for snippets that could reach it."""
    if sys.platform != "linux":
        raise UsageError("needs Linux: each worker of a cluster forks its sessions", OPTION, "leave it away")
    if sandbox == "off":
        raise UsageError("needs the sandbox: a snippet could talk to the scheduler", OPTION, "leave --sandbox off away")
    if _LOCAL.fullmatch(address):
        return
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if not parts.hostname or parts.hostname == "local" or parts.scheme not in ("tls", "tcp"):
        raise UsageError(f"`{address}` is no scheduler", OPTION, "such as local:4, tls://HOST:8786 or 127.0.0.1:8786")
    if parts.scheme != "tls" and not _is_this_machine(parts.hostname):
        raise UsageError(
            f"`{address}` is not encrypted: whoever reaches it can run code on all of its workers",
            OPTION,
            "use tls://, with certificates of your own (distributed.dask.org/en/stable/tls.html)",
        )


def waiting_sessions(address: str, sandbox: str) -> int:
    """Sessions that may wait at once for such a cluster. Raises UsageError for one that is not to be used (`check`)."""
    check(address, sandbox)
    own = _LOCAL.fullmatch(address)
    return min(MOST_WAITING, WAITING * int(own[1])) if own else MOST_WAITING


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# --- on a worker of the cluster ---


@dataclass
class Zygotes:
    """The runners of a process of the cluster, by what they were made with."""

    runners: dict[str, tuple[Runner, Json]] = field(default_factory=dict)
    """Each with what it reported about itself."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, settings: str) -> tuple[Runner, Json]:
        """The runner for these settings, started if it is not there, and what it reported. Raises EngineError."""
        with self.lock:
            if settings not in self.runners:
                made = json.loads(settings)
                made.pop("nonce")
                runner = RUNNERS["fork"](**{**made, "python": made["python"] or sys.executable})
                self.runners[settings] = runner, runner.start()
            return self.runners[settings]

    def end(self, settings: str) -> None:
        with self.lock:
            runner, _ = self.runners.pop(settings, (None, {}))
        if runner is not None:
            with contextlib.suppress(OSError):
                runner.close()

    def end_all(self) -> None:
        for settings in [*self.runners]:
            self.end(settings)


ZYGOTES = Zygotes()
atexit.register(ZYGOTES.end_all)


def identity_of(python: str) -> str:
    """A print of an interpreter, this machine and this deckgen."""
    from deckgen.verify.engine.engine import worker_code

    return repr((look_at(python, ()).identity(), worker_code()))


def hello(settings: str) -> str:
    """What a worker is: a print of its environment, and what its zygote reports; or the error why there is none."""
    python = json.loads(settings)["python"] or sys.executable
    try:
        _, told = ZYGOTES.get(settings)
        return json.dumps({"identity": identity_of(python), "hello": told})
    except EngineError as error:
        return json.dumps({"error": str(error)})


def run_all(settings: str, requests: str) -> str:
    """How sessions went, one after the other, in the zygote of this worker. One that kills it gets `died`, and the next a new one."""
    answers: list[Json] = []
    for request, timeout in json.loads(requests):
        try:
            outcome = ZYGOTES.get(settings)[0].run(request, timeout)
            answers.append({"outcome": data_of(outcome)})
        except WorkerDiedError as died:
            ZYGOTES.end(settings)
            answers.append({"outcome": data_of(died.outcome), "died": True})
        except EngineError as error:
            answers.append({"error": error.message, "hint": error.hint})
    return json.dumps(answers)


def end(settings: str) -> None:
    """The zygote of these settings is not needed any more."""
    ZYGOTES.end(settings)


# --- on our side ---


class Cluster:
    """The connection to a scheduler, or a cluster of our own on this machine. Made when the first session needs it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._local: Any = None
        self._client: Any = None
        self._failure: EngineError | None = None
        """Why there is no client: of several threads only the first has to wait for that."""
        self._lock = threading.Lock()

    @property
    def client(self) -> Any:
        with self._lock:
            if self._failure is not None:
                raise self._failure
            if self._client is None:
                try:
                    self._client = self._connected()
                except EngineError as error:
                    self._failure = error
                    raise
            return self._client

    def _connected(self) -> Any:
        try:
            import dask
            import distributed
        except ImportError as error:
            raise EngineError("--dask needs dask.distributed", hint='pip install "torch-deckgen[dask]"') from error
        dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES})
        target: Any = self.address
        try:
            if own := _LOCAL.fullmatch(self.address):
                self._local = target = distributed.LocalCluster(  # type: ignore[no-untyped-call] # it has no types
                    n_workers=int(own[1]),
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                    silence_logs=50,
                )
            return _client(distributed.Client, target)
        except (OSError, TimeoutError, RuntimeError) as error:
            hint = "is this the address that `dask scheduler` printed, and does it run?"
            raise EngineError(f"there is no cluster at {self.address}: {error}", hint=hint) from error
        except TypeError as error:  # of tls:// without certificates
            hint = "tell dask where your certificates are: distributed.dask.org/en/stable/tls.html"
            raise EngineError(f"dask cannot connect to {self.address}: {error}", hint=hint) from error

    def close(self) -> None:
        for one in (self._client, self._local):
            if one is not None:
                with contextlib.suppress(Exception):  # it may have gone before us
                    one.close(timeout=10)


def _client(make: Callable[..., Any], target: Any) -> Any:
    """A client, made in a thread of its own: its time-out does not count for what takes the connection and says nothing.

    Raises TimeoutError, or what `make` raises.
    """
    answer: Future[Any] = Future()

    def connect() -> None:
        try:
            answer.set_result(make(target, timeout=CONNECTING, set_as_default=False))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        return answer.result(CONNECTING + 2)
    except TimeoutError as error:
        raise TimeoutError(str(error) or f"what is there said nothing for {CONNECTING:.0f} s") from error


class DaskRunner(Runner):
    """Hands sessions to the cluster, many in a task."""

    def __init__(self, cluster: Cluster, *of_runner: Any) -> None:
        self.cluster = cluster
        super().__init__(*of_runner)

    def __post_init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[Json, float, Future[Json]] | None] = queue.SimpleQueue()
        self._open: set[Future[Json]] = set()
        """Answers that somebody waits for."""
        self._closed = False
        self._workers: list[str] = []
        self._dispatcher: threading.Thread | None = None

    def start(self) -> Json:
        self._settings = self._settings_of("run")
        client = self.cluster.client
        answers = client.run(hello, self._settings, on_error="return")
        told = {
            worker: json.loads(text) for worker, text in answers.items() if isinstance(text, str)
        }  # others have died
        if not told:
            raise EngineError(f"the cluster {self.cluster.address} has no workers")
        own = identity_of(self.python)
        fine = {worker: one["hello"] for worker, one in told.items() if one.get("identity") == own}
        if not fine:
            why = next((one["error"] for one in told.values() if "error" in one), "another torch, Python or processor")
            raise EngineError(f"no worker of the cluster has our environment: {why}")
        first = next(iter(fine.values()))
        self._workers = [worker for worker, one in fine.items() if one["sandbox"] == first["sandbox"]]
        accepted = self.accept(first)
        self._room = threading.Semaphore(TASKS * len(self._workers))
        self._dispatcher = threading.Thread(target=self._dispatch, daemon=True)
        self._dispatcher.start()
        return {**accepted, "workers": f"{len(self._workers)} of {len(told)}"}

    def _settings_of(self, nonce: str) -> str:
        made = {
            "hash_seed": self.hash_seed,
            "preload": self.preload,
            "sessions": self.sessions,
            "sandbox": self.sandbox,
        }
        own = self.python == sys.executable
        return json.dumps({**made, "python": "" if own else self.python, "nonce": f"{nonce} {secrets.token_hex(4)}"})

    def run(self, request: Json, timeout: float) -> Outcome:
        """One session; it is run alone, in a zygote of its own, if a zygote or a worker died over it."""
        with self.slots:
            answer: Future[Json] = Future()
            self._open.add(answer)
            if self._closed:
                raise EngineError("the run was stopped")
            self._queue.put((request, timeout, answer))
            found = answer.result()
            self._open.discard(answer)
            if "error" not in found and ("outcome" not in found or found.get("died")):
                found = self._run_alone(request, timeout)
        if "error" in found:
            raise EngineError(found["error"], hint=found.get("hint"))
        return outcome_of(found["outcome"])

    def _run_alone(self, request: Json, timeout: float) -> Json:
        """What becomes of a session with a zygote for itself."""
        settings = self._settings_of("alone")
        future = self._submit(settings, [(request, timeout)])
        try:
            (answer,) = json.loads(future.result())
            again: Json = answer
            return again
        except Exception:  # its worker was killed once more, or the cluster has gone
            return {"outcome": data_of(Outcome(reason="worker-killed", culprit=0))}
        finally:
            with contextlib.suppress(Exception):
                self.cluster.client.run(end, settings, on_error="ignore")

    def _dispatch(self) -> None:
        """Makes tasks of the sessions that wait."""
        while (one := self._queue.get()) is not None:
            self._room.acquire()  # what waits meanwhile goes together
            batch = [one]
            size = min(MOST, max(1, (self._queue.qsize() + 1) // len(self._workers)))
            while len(batch) < size and not self._queue.empty():
                if (more := self._queue.get()) is None:
                    self._queue.put(None)
                    break
                batch.append(more)
            self._send(batch)

    def _send(self, batch: Sequence[tuple[Json, float, Future[Json]]]) -> None:
        def done(future: Any) -> None:
            self._room.release()
            try:
                answers = json.loads(future.result())
            except Exception:  # the workers that had it were killed; who did it is found by running them alone
                answers = [{} for _ in batch]
            for (_, _, answer), found in zip(batch, answers, strict=True):
                _settle(answer, found)

        try:
            requests = [(request, timeout) for request, timeout, _ in batch]
            self._submit(self._settings, requests).add_done_callback(done)
        except Exception as error:  # the scheduler has gone
            self._room.release()
            for _, _, answer in batch:
                _settle(answer, {"error": f"the cluster has gone: {error}", "hint": None})

    def _submit(self, settings: str, requests: Sequence[tuple[Json, float]]) -> Any:
        client = self.cluster.client
        return client.submit(run_all, settings, json.dumps(requests), pure=False, workers=self._allowed())

    def _allowed(self) -> list[str] | None:
        """Where tasks may go; None = anywhere: of a cluster of our own all workers are this machine, and a new one has a new address."""
        return None if _LOCAL.fullmatch(self.cluster.address) else self._workers

    def close(self) -> None:
        self._closed = True
        self._queue.put(None)
        for answer in [*self._open]:
            _settle(answer, {"error": "the run was stopped", "hint": None})
        if self._dispatcher is not None:
            with contextlib.suppress(Exception):
                self.cluster.client.run(end, self._settings, on_error="ignore")


def _settle(answer: Future[Json], found: Json) -> None:
    """Tells who waits, unless that was done: a cluster that is closed meanwhile answers, too."""
    with contextlib.suppress(InvalidStateError):
        answer.set_result(found)


def data_of(outcome: Outcome) -> Json:
    """An outcome as JSON; not `asdict`, which copies every event."""
    snippets = {at: {"events": frames.events, "end": frames.end} for at, frames in outcome.snippets.items()}
    return {**{one.name: getattr(outcome, one.name) for one in fields(outcome)}, "snippets": snippets}


def outcome_of(data: Json) -> Outcome:
    """An outcome that came as JSON; keys are texts there."""
    snippets = {int(at): SnippetFrames(**frames) for at, frames in data.pop("snippets").items()}
    return Outcome(snippets=snippets, **data)
