"""A warm process: it has imported torch, runs one session, and is watched while it does."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

from deckgen.verify.running.conversation import GRACE
from deckgen.verify.running.frames import Json
from deckgen.verify.running.runner import START_TIMEOUT, ended

WATCH = 0.05
"""Seconds between two looks at the clock while a session runs."""


@dataclass(slots=True)
class Warm:
    """A process that has imported torch, or is about to, and waits for its one session."""

    process: subprocess.Popen[bytes]
    root: str
    ready: bool = False
    """It has said hello."""

    def hello(self) -> Json:
        """What it says when it is ready, or why it cannot be: `{"error": ...}`."""
        timer = threading.Timer(START_TIMEOUT, self.kill)
        timer.start()
        try:
            assert self.process.stdout is not None  # noqa: S101 (it is a pipe)
            line = self.process.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            return {"error": ended(self.process)}
        hello: Json = json.loads(line)
        return hello

    def send(self, request: Json) -> None:
        body = json.dumps(request).encode("ascii")
        assert self.process.stdin is not None  # noqa: S101 (it is a pipe)
        with contextlib.suppress(OSError):
            self.process.stdin.write(b"%d\n" % len(body) + body)
            self.process.stdin.flush()

    def kill(self) -> None:
        """Have its warden end the process and what it started."""
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True, check=False)
        else:
            with contextlib.suppress(OSError):
                self.process.terminate()

    def bury(self) -> None:
        """Ends it for good, and removes what it leaves."""
        self.kill()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        shutil.rmtree(self.root, ignore_errors=True)


class Watch(threading.Thread):
    """Ends a session whose time is up."""

    def __init__(self, warm: Warm, timeout: float) -> None:
        super().__init__(daemon=True)
        self.reason: str | None = None
        self._warm = warm
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout + GRACE
        self._stopped = threading.Event()

    def extend(self, grace: float) -> None:
        self._deadline = time.monotonic() + self._timeout + grace

    def kill(self, reason: str) -> None:
        self.reason = self.reason or reason
        self._warm.kill()

    def run(self) -> None:
        while not self._stopped.wait(WATCH):
            if time.monotonic() > self._deadline:
                self.kill("timed-out")
                return

    def stop(self) -> None:
        self._stopped.set()
