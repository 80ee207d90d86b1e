"""The runner: one worker seen from deckgen's side, and what starting one takes, by fork or by spawn.

A request is a JSON object:
`{"kind": "session", "seed", "reset", "device", "output_limit", "limits", "loopback", "snippets":
[{"code", "prelude", "probes", "cell", "exits", "seed", "gone"}]}`, or `{"kind": "introspect", "request": ...}`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.verify.engine.frames import NOT_STARTED, Json, Outcome

WORKER = Path(__file__).parents[1] / "worker"
START_TIMEOUT = 300.0
"""Seconds for `import torch` on a cold disk."""
GRACE = 15.0
"""Seconds that a session gets on top of its snippet's timeout to start or to end."""
KEPT_VARIABLES = (
    "PATH LANG LANGUAGE LC_ALL LC_CTYPE TZ PYTHONPATH PYTHONHOME VIRTUAL_ENV LD_LIBRARY_PATH DYLD_LIBRARY_PATH"
    " CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER CUDA_HOME CUDA_PATH NVIDIA_VISIBLE_DEVICES SYSTEMROOT SYSTEMDRIVE WINDIR"
    " PATHEXT COMSPEC TEMP TMP TMPDIR CC CXX"
).split()
"""All of our environment that a worker sees. Tokens and passwords are in the rest."""

Slots = contextlib.AbstractContextManager[Any]
"""Entered while a session runs: a semaphore that lets so many run at once."""


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
    slots: Slots = field(default_factory=contextlib.nullcontext)

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
    if "PYTHONPATH" in kept:  # an entry without a name is the current folder; a worker has another one
        folders = [os.path.abspath(folder) for folder in kept["PYTHONPATH"].split(os.pathsep) if folder]
        kept["PYTHONPATH"] = os.pathsep.join(folders)
    return {**kept, "PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


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
    number = -code if code < 0 else code - 128
    if number <= 0:
        return f"it ends the process with exit status {code}"
    return f"it crashes ({signal.Signals(number).name if number in {*signal.Signals} else number})"
