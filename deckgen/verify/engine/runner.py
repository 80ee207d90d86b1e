"""The runner: one worker seen from deckgen's side, what starting one takes, by fork or by spawn, and what arrives from it.

A request is a JSON object:
`{"kind": "session", "seed", "reset", "device", "output_limit", "limits", "loopback", "snippets":
[{"code", "prelude", "probes", "cell", "exits", "seed", "gone"}]}`, or `{"kind": "introspect", "requests": [...]}`.
The answer is frames, one JSON text a line. Nothing in them is believed before it is checked.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.packages import own_first
from deckgen.verify.worker.ends import FIRST_CRASH, end_of

WORKER = Path(__file__).parents[1] / "worker"
START_TIMEOUT = 300.0
"""Seconds for `import torch` on a cold disk."""
GRACE = 15.0
"""Seconds that a session gets on top of its snippet's timeout to start or to end."""
KEPT_VARIABLES = (
    "PATH LANG LANGUAGE LC_ALL LC_CTYPE TZ PYTHONPATH PYTHONHOME VIRTUAL_ENV LD_LIBRARY_PATH DYLD_LIBRARY_PATH"
    " CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER CUDA_HOME CUDA_PATH NVIDIA_VISIBLE_DEVICES SYSTEMROOT SYSTEMDRIVE WINDIR"
    " PATHEXT COMSPEC TEMP TMP TMPDIR USERPROFILE APPDATA CC CXX"
).split()
"""All of our environment that a worker sees. Tokens and passwords are in the rest. Windows finds a user's packages by `APPDATA`."""
OWN_CONSOLE = 0
"""Windows: no window, and a Ctrl-C in ours does not reach it."""
if sys.platform == "win32":
    OWN_CONSOLE = subprocess.CREATE_NO_WINDOW


class WorkerDiedError(EngineError):
    """The worker was killed from outside, or by the session that it ran; `outcome` is how far that came."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__("the worker has died", hint="was it killed for want of memory? --jobs 1 needs less")
        self.outcome = outcome


@dataclass(eq=False)
class Runner(ABC):
    """Runs sessions; may be called from several threads at once."""

    python: str
    hash_seed: int = 0
    preload: tuple[str, ...] = ()
    """Modules that are worth importing once for all sessions."""
    sessions: int = 0
    """How many are expected; few are not worth a long warm-up."""
    sandbox: str = "auto"
    slots: contextlib.AbstractContextManager[Any] = field(default_factory=contextlib.nullcontext)
    """Entered while a session runs: a semaphore that lets so many run at once."""

    @abstractmethod
    def __post_init__(self) -> None:
        """Nothing is started yet."""

    @abstractmethod
    def start(self) -> Json:
        """Start it and return what it reports about itself; raises EngineError if the worker cannot import torch."""

    @abstractmethod
    def run(self, request: Json, timeout: float) -> Outcome:
        """Run one session; `timeout` is for each of its snippets, in seconds. May raise WorkerDiedError."""

    @abstractmethod
    def close(self) -> None:
        """End every process that belongs to it."""

    def launch(self, settings: Json, **pipes: Any) -> subprocess.Popen[bytes]:
        """A worker process in its folder `root`. Ctrl-C does not reach it: deckgen ends its workers itself."""
        given = {"preload": self.preload, "sessions": self.sessions, "sandbox": self.sandbox != "off", **settings}
        try:
            return subprocess.Popen(
                [self.python, str(WORKER), json.dumps(given)],
                env=scrubbed_environment(self.hash_seed),
                cwd=settings["root"],
                start_new_session=True,
                creationflags=OWN_CONSOLE,
                **pipes,
            )
        except OSError as error:
            raise EngineError(f"cannot start {self.python}: {error}") from error

    def accept(self, hello: Json) -> Json:
        """What a worker reports about itself; if that is not enough to run anything in it, ends it and raises EngineError."""
        message = hint = ""
        if "error" in hello:
            message = f"the torch of {self.python} is installed and cannot be imported: {hello['error']}"
            hint = f"`{self.python} -c 'import torch'` shows more; repair it, or name another interpreter with --python"
        elif self.sandbox == "require" and not hello["complete"]:
            message = f"this system has no complete sandbox: {hello['sandbox']}"
            hint = "--sandbox auto runs with what there is and says so"
        if message:
            self.close()
            raise EngineError(message, hint=hint)
        return hello


def scrubbed_environment(hash_seed: int) -> dict[str, str]:
    """The environment of a worker."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    if "PYTHONPATH" in kept:
        kept["PYTHONPATH"] = os.pathsep.join(own_first())
    return {**kept, "PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


def sandbox_level(python: str) -> str:
    """The level of the sandbox that a worker of this interpreter would have; empty if that cannot be known."""
    with (
        tempfile.TemporaryDirectory(prefix="deckgen-") as root,
        contextlib.suppress(OSError, subprocess.SubprocessError),
    ):
        command = [python, str(WORKER), json.dumps({"mode": "level", "root": root})]
        environment = scrubbed_environment(0)
        ran = subprocess.run(command, capture_output=True, check=True, timeout=60, env=environment, cwd=root)
        return ran.stdout.decode("utf-8", "replace")
    return ""


def started(outcome: Outcome) -> Outcome:
    """An outcome that shows something; raises WorkerDiedError if the session left before its first snippet."""
    if outcome.reason == NOT_STARTED:
        raise WorkerDiedError(outcome)
    return outcome


def ended(process: subprocess.Popen[bytes]) -> str:
    """How a worker ended before it could report anything: while it imported torch."""
    try:
        code = process.wait(10)
    except subprocess.TimeoutExpired:
        return "it does not come to an end"
    end = end_of(
        128 - code if 128 < code < FIRST_CRASH else code
    )  # the first process of a world of its own says 128 + signal
    return f"it crashes ({end['signal']})" if "signal" in end else f"it ends the process with exit status {code}"


# Frames

Json = dict[str, Any]

TRAFFIC_LIMIT = 256 << 20
"""Bytes of frames that one session may send."""
LONGEST_FRAME = 16 << 20
"""Bytes: a snippet may write 2 MiB of text, of which JSON makes up to six times as much."""
MOST_PARTS = 1 << 20
"""Lists and objects in one frame: each takes many times its two brackets in memory."""
MOST_IMPORTS = 10_000
"""Modules that one session may ask for."""
SEAL = 8
"""Bytes of a frame's seal, which the worker's reporter makes."""


@dataclass(slots=True)
class SnippetFrames:
    """What arrived about one snippet of a session."""

    events: list[Json] = field(default_factory=list)
    end: Json | None = None


@dataclass(slots=True)
class Outcome:
    """How one session went."""

    snippets: dict[int, SnippetFrames] = field(default_factory=dict)
    culprit: int | None = None
    """Index of the snippet during which the session died; None if it reached its end."""
    reason: str | None = None
    """How it died: `timed-out`, `flooded`, `crashed SIGSEGV`, `exited 0`, `forged`, ..."""
    detail: str = ""
    """The traceback, if our own code in the session failed (a snippet can break it: it shares the process)."""
    introspected: list[Json] = field(default_factory=list)
    """An answer for each request."""
    imports: dict[str, str | None] = field(default_factory=dict)
    """Modules that it asked for besides those that were there, by name: where each was found, None if it was not."""
    cpu: float = 0.0
    """Seconds of processor time of its culprit, with the processes that it waited for."""
    seconds: float = 0.0
    """Of wall clock that it took, once its worker was there."""
    spent: float = 0.0
    """Seconds of processor time of all of it; 0 where that is not known."""
    used_up: bool = False
    """True if the system ended it for the processor time that it had used up, by the system's own count."""
    delayed: float | None = None
    """Seconds for which its culprit was ready to run while others ran; None where that is not known."""


class FrameReader:
    """Turns bytes into frames and keeps what they say. A wrong seal, or the same snippet twice, ends the session."""

    def __init__(self, key: str) -> None:
        """`key`: of the seals; without it nobody can write a valid frame."""
        self.outcome = Outcome()
        self.current: int | None = None
        self.begun = 0
        """Snippets that have begun; a session whose first has not begun has shown nothing."""
        self.began: float | None = None
        """When the current snippet says that it began, on the clock that all processes share."""
        self.cpu = self.delayed = 0.0
        """Seconds of processor time that the session had taken by then, and waited for it."""
        self.finished = False
        self._seal = hashlib.blake2b(key=key.encode("ascii"), digest_size=SEAL)
        self._rest = b""
        self.traffic = 0
        """Bytes that have arrived."""

    def feed(self, data: bytes) -> bool:
        """Take bytes; False if they are not our worker's."""
        self.traffic += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        sizes_are_fine = len(self._rest) <= LONGEST_FRAME and self.traffic <= TRAFFIC_LIMIT
        return sizes_are_fine and all(map(self._take, lines))

    def _take(self, line: bytes) -> bool:
        seal, _, text = line.partition(b" ")
        self._seal.update(text)
        if seal != self._seal.hexdigest().encode("ascii") or text.count(b"[") + text.count(b"{") > MOST_PARTS:
            return False
        try:
            return self._note(json.loads(text))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):  # not what our worker writes
            return False

    def _note(self, frame: Json) -> bool:
        if "event" in frame:
            self._frames(frame.pop("event")).events.append(frame)
        elif "begin" in frame:
            self._frames(frame["begin"])
            if frame["begin"] != self.begun:  # snippets begin in order and once each, so that their time is bounded
                return False
            self.current, self.began = self.begun, float(frame["at"])
            self.cpu, self.delayed = float(frame.get("cpu", 0.0)), float(frame.get("delayed", 0.0))
            self.begun += 1
            return all(map(math.isfinite, (self.began, self.cpu, self.delayed)))
        elif "end" in frame:
            frames = self._frames(frame["end"])
            if frame["events"] != len(frames.events):  # the end counts what it closes
                return False
            frames.end, self.current = frame, None
        elif "asked" in frame:
            name, place = frame["asked"], frame["place"]
            if type(name) is not str or not isinstance(place, str | None) or len(self.outcome.imports) > MOST_IMPORTS:
                return False
            self.outcome.imports[name] = place
        elif "flooded" in frame:
            self.outcome.reason = "flooded"
        elif "broken" in frame:
            self.outcome.detail = str(frame["broken"])
            self.outcome.reason = f"broken {self.outcome.detail.strip().splitlines()[-1]}"
        elif "introspected" in frame:
            self.outcome.introspected.append(frame["introspected"])
        else:
            self.finished = self.finished or "finished" in frame
        return True

    def _frames(self, index: int) -> SnippetFrames:
        if type(index) is not int or index < 0:
            raise TypeError("no index of a snippet")
        return self.outcome.snippets.setdefault(index, SnippetFrames())

    def close(self, ended: Mapping[str, Any]) -> Outcome:
        """The outcome, once the process has ended. No exit status is a pass."""
        outcome = self.outcome
        outcome.spent = ended.get("cpu", 0.0)
        outcome.cpu = outcome.spent - self.cpu
        outcome.used_up = ended.get("signal") == "SIGXCPU" and not ended.get("killed")
        delayed = ended.get("delayed")
        outcome.delayed = None if delayed is None else delayed - self.delayed
        if self.finished and not ended.get("killed") and outcome.reason is None:
            return outcome
        if outcome.reason is None and not self.begun and ended.get("exit") is not None:
            outcome.reason = NOT_STARTED
        outcome.reason = outcome.reason or death(ended)
        outcome.culprit = self.current if self.current is not None else len(outcome.snippets)
        return outcome


NOT_STARTED = "not-started"
"""Of a session that left by itself before its first snippet: that is our own failure, not an observation."""
DEATHS = {"SIGXCPU": "timed-out", "SIGXFSZ": "disk-limit", "SIGKILL": "killed"}


def death(ended: Mapping[str, Any]) -> str:
    """How a process ended, in one word and its detail."""
    name = ended.get("signal")
    return str(ended.get("killed") or (DEATHS.get(name, f"crashed {name}") if name else f"exited {ended.get('exit')}"))
