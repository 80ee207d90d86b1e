"""The runner: worker processes seen from deckgen's side, and what starting one takes, by fork or by spawn.

A request is a JSON object:
`{"kind": "session", "seed", "reset", "device", "output_limit", "limits", "loopback", "snippets":
[{"code", "prelude", "probes", "cell", "seed", "gone"}]}`, or `{"kind": "introspect", "request": ...}`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Protocol

from deckgen.model.errors import EngineError
from deckgen.verify.running.frames import Json, Outcome

WORKER = Path(__file__).parents[1] / "worker"
START_TIMEOUT = 300.0
"""Seconds for `import torch` on a cold disk."""
KEPT_VARIABLES = (
    "PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "CUDA_PATH",
    "NVIDIA_VISIBLE_DEVICES", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATHEXT", "COMSPEC", "TEMP", "TMP", "TMPDIR", "CC", "CXX",
)  # fmt: skip
"""All of our environment that a worker sees. Tokens and passwords live in the rest."""


Slots = contextlib.AbstractContextManager[Any]
"""Entered while a session runs: a semaphore that lets so many run at once."""


class Runner(Protocol):
    """Runs sessions; may be called from several threads at once."""

    name: str

    def start(self) -> Json:
        """Start it and say what it is; raises EngineError if the worker cannot import torch."""

    def run(self, request: Json, timeout: float) -> Outcome:
        """Run one session; `timeout` is for each of its snippets, in seconds. May raise WorkerDiedError."""

    def close(self) -> None:
        """End every process that belongs to it."""


def scrubbed_environment(hash_seed: int) -> dict[str, str]:
    """The environment of a worker."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    if "PYTHONPATH" in kept:  # an entry without a name is the folder where one stands: a worker stands elsewhere
        folders = [os.path.abspath(folder) for folder in kept["PYTHONPATH"].split(os.pathsep) if folder]
        kept["PYTHONPATH"] = os.pathsep.join(folders)
    return {**kept, "PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


def refuse_unusable(hello: Json, python: str, sandbox: str) -> None:
    """Raises EngineError if what a worker says of itself is not enough to run anything in it."""
    if "error" in hello:
        raise EngineError(
            f"the torch of {python} is installed and cannot be imported: {hello['error']}",
            hint=f"`{python} -c 'import torch'` shows more; repair it, or name another interpreter with --python",
        )
    if sandbox == "require" and not hello["complete"]:
        raise EngineError(
            f"this system has no complete sandbox: {hello['sandbox']}",
            hint="--sandbox auto runs with what there is and says so",
        )


def ended(process: subprocess.Popen[bytes]) -> str:
    """How a worker came to its end before it could say anything: in the midst of importing torch."""
    try:
        code = process.wait(10)
    except subprocess.TimeoutExpired:
        return "it does not come to an end"
    if code < 0 or code > 128:
        number = -code if code < 0 else code - 128
        name = signal.Signals(number).name if number in {*signal.Signals} else str(number)
        return f"it crashes ({name})"
    return f"it ends the process with exit status {code}"
