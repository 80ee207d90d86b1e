"""The spawn engine: warm processes, one session each. For systems where forking after `import torch` is unsafe
or missing (macOS, Windows), and for a real GPU, whose driver does not survive a fork.

Same frames, same verdicts as the fork engine; about a hundred times its price per session.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import signal
import subprocess
import tempfile
import threading
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.verify.running.conversation import GRACE, seen
from deckgen.verify.running.frames import FrameReader, Json, Outcome
from deckgen.verify.running.runner import WORKER, Slots, refuse_unusable, scrubbed_environment
from deckgen.verify.running.warm import Warm, Watch


class SpawnRunner:
    """Keeps one process warm ahead of the sessions that are asked for."""

    name = "spawn"

    def __init__(
        self,
        python: str,
        *,
        hash_seed: int = 0,
        preload: tuple[str, ...] = (),
        sandbox: str = "auto",
        slots: Slots | None = None,
    ) -> None:
        self._python = python
        self._slots = slots or contextlib.nullcontext()
        self._environment = scrubbed_environment(hash_seed)
        self._preload = preload
        self._sandbox = sandbox
        self._ready: queue.SimpleQueue[Warm] = queue.SimpleQueue()
        self._all: dict[int, Warm] = {}
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> Json:
        warm = self._launch(self_test=True)
        hello = warm.hello()
        try:
            refuse_unusable(hello, self._python, self._sandbox)
        except EngineError:
            self.close()
            raise
        warm.ready = True
        self._ready.put(warm)
        return hello

    def _launch(self, self_test: bool = False) -> Warm:
        root = tempfile.mkdtemp(prefix="deckgen-")
        settings = {
            "mode": "once",
            "root": root,
            "preload": list(self._preload),
            "sandbox": self._sandbox != "off",
            "self_test": self_test,
        }
        try:
            process = subprocess.Popen(
                [self._python, str(WORKER), json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                cwd=root,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"cannot start {self._python}: {error}") from error
        warm = Warm(process, root)
        with self._lock:
            self._all[process.pid] = warm
            closed = self._closed
        if closed:  # while it was being launched
            self._forget(warm)
        return warm

    def _take(self) -> Warm:
        """A warm process; the next one starts warming at once."""
        try:
            warm = self._ready.get_nowait()
        except queue.Empty:
            warm = self._launch()
        self._ready.put(self._launch())
        if not warm.ready:
            hello = warm.hello()
            if "error" in hello:
                self._forget(warm)
                raise EngineError(f"{self._python} cannot import torch any more: {hello['error']}")
        return warm

    def run(self, request: Json, timeout: float) -> Outcome:
        with self._slots:
            return self._run(request, timeout)

    def _run(self, request: Json, timeout: float) -> Outcome:
        if self._closed:
            raise EngineError("the worker is not running")
        warm = self._take()
        key = secrets.token_hex(16)
        reader = FrameReader(key)
        watch = Watch(warm, timeout)
        try:
            warm.send({**request, "key": key})
            watch.start()
            self._listen(warm, reader, watch)
            code = warm.process.wait()
        finally:
            watch.stop()
            self._forget(warm)
        return seen(reader.close(_ended(code, watch.reason, reader)))

    def _listen(self, warm: Warm, reader: FrameReader, watch: Watch) -> None:
        output = warm.process.stdout
        assert output is not None  # noqa: S101 (it is a pipe)
        at: int | None = None
        while data := os.read(output.fileno(), 1 << 20):
            if not reader.feed(data):
                watch.kill("forged")
                return
            if reader.current != at:
                at = reader.current
                watch.extend(GRACE if at is None else 0.0)
            if reader.finished:
                return

    def _forget(self, warm: Warm) -> None:
        warm.bury()
        with self._lock:
            self._all.pop(warm.process.pid, None)

    def close(self) -> None:
        self._closed = True
        with self._lock:
            left = list(self._all.values())
            self._all.clear()
        for warm in left:
            warm.bury()


def _ended(code: int, killed: str | None, reader: FrameReader) -> dict[str, Any]:
    if killed:
        reader.finished = False
        return {"killed": killed}
    if code < 0:
        return {"signal": signal.Signals(-code).name}
    return {"exit": code}
