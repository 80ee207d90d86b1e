"""The spawn engine: one process for each session. For systems where forking after `import torch` is unsafe or missing
(macOS, Windows), and for a real GPU, whose driver does not survive a fork.

Same frames and verdicts as the fork engine, at about a hundred times its price for a session.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.verify.engine.runner import GRACE, START_TIMEOUT, FrameReader, Json, Outcome, Runner, ended, started
from deckgen.verify.worker.ends import end_of

LOOK = 0.05
"""Seconds between two looks at the clock while a session runs."""
RELEASE = 2.0
"""Seconds in which Windows lets go of the files of a process that has ended."""


class WarmProcess:
    """A process that has imported torch, or is about to, and waits for its one session."""

    def __init__(self, runner: Runner, self_test: bool) -> None:
        self.root = tempfile.mkdtemp(prefix="deckgen-")
        self.ready = False
        """It has reported that torch is imported."""
        self.reason: str | None = None
        """Why it was killed."""
        self.deadline = float("inf")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = runner.launch({"mode": "once", "root": self.root, "self_test": self_test}, **pipes)
        self.stdin: Any = self.process.stdin
        self.stdout: Any = self.process.stdout

    def hello(self) -> Json:
        """What it reports when it is ready, or why it cannot be: `{"error": ...}`."""
        timer = threading.Timer(START_TIMEOUT, self.kill, ["not-started"])
        timer.start()
        line = self.stdout.readline()
        timer.cancel()
        self.ready = True
        return json.loads(line) if line else {"error": ended(self.process)}

    def run(self, request: Json, timeout: float) -> Outcome:
        key = secrets.token_hex(16)
        reader = FrameReader(key)
        body = json.dumps({**request, "key": key}).encode("ascii")
        with contextlib.suppress(OSError):
            self.stdin.write(b"%d\n" % len(body) + body)
            self.stdin.flush()
        self.deadline = time.monotonic() + timeout + GRACE
        threading.Thread(target=self._watch, daemon=True).start()
        at: int | None = None
        while not reader.finished and (data := os.read(self.stdout.fileno(), 1 << 20)):
            if not reader.feed(data):
                self.kill("forged")
                break
            if reader.current != at:
                at = reader.current
                self.deadline = time.monotonic() + timeout + (GRACE if at is None else 0.0)
        code = self.process.wait()
        self.deadline = float("inf")
        return started(reader.close({"killed": self.reason} if self.reason else end_of(code)))

    def _watch(self) -> None:
        while self.process.poll() is None:
            if time.monotonic() > self.deadline:
                self.kill("timed-out")
                return
            time.sleep(LOOK)

    def kill(self, reason: str) -> None:
        """Have its supervisor end the process and what it started; on Windows its job does that, once it has ended."""
        self.reason = self.reason or reason
        if sys.platform == "win32" and self.process.poll() is None:
            with contextlib.suppress(OSError):  # where it is in no job; those whose parent has gone are not found
                subprocess.run(
                    ["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True, check=False
                )
        with contextlib.suppress(OSError):
            self.process.terminate()

    def close(self) -> None:
        """End it for good, and remove what it leaves."""
        self.kill("closed")
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.stdin, self.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        _remove(self.root)


def _remove(folder: str) -> None:
    """Remove a folder whose processes have ended; Windows takes a moment to let go of what they had open."""
    end = time.monotonic() + RELEASE
    shutil.rmtree(folder, ignore_errors=True)
    while sys.platform == "win32" and os.path.lexists(folder) and time.monotonic() < end:
        time.sleep(LOOK)
        shutil.rmtree(folder, ignore_errors=True)


class SpawnRunner(Runner):
    """Keeps one process warm ahead of the sessions that are asked for."""

    def __post_init__(self) -> None:
        self._next: queue.SimpleQueue[WarmProcess] = queue.SimpleQueue()
        self._all: set[WarmProcess] = set()
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> Json:
        warm = self._launch(self_test=True)
        hello = self.accept(warm.hello())
        self._next.put(warm)
        return hello

    def _launch(self, self_test: bool = False) -> WarmProcess:
        warm = WarmProcess(self, self_test)
        with self._lock:
            self._all.add(warm)
            closed = self._closed
        if closed:  # while it was being launched
            self._forget(warm)
        return warm

    def run(self, request: Json, timeout: float) -> Outcome:
        with self.slots:
            if self._closed:
                raise EngineError("the worker is not running")
            try:
                warm = self._next.get_nowait()
            except queue.Empty:
                warm = self._launch()
            self._next.put(self._launch())  # the next one warms up meanwhile
            try:
                if not warm.ready and "error" in (hello := warm.hello()):
                    raise EngineError(f"{self.python} cannot import torch any more: {hello['error']}")
                return warm.run(request, timeout)
            finally:
                self._forget(warm)

    def _forget(self, warm: WarmProcess) -> None:
        warm.close()
        with self._lock:
            self._all.discard(warm)

    def close(self) -> None:
        self._closed = True
        with self._lock:
            left = list(self._all)
            self._all.clear()
        for warm in left:
            warm.close()
