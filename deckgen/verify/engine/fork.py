"""The fork engine: a zygote that has imported torch, and forks a child for each session (Linux)."""

from __future__ import annotations

import array
import contextlib
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from deckgen.verify.engine.runner import (
    GRACE,
    START_TIMEOUT,
    FrameReader,
    Json,
    Outcome,
    Runner,
    WorkerDiedError,
    ended,
    started,
)

if sys.platform != "linux":
    raise ImportError("the fork engine needs Linux: files in memory, and a torch that may be forked")


class ForkRunner(Runner):
    """A zygote and the sessions that it forks."""

    def __post_init__(self) -> None:
        self._sending, self._closing = threading.Lock(), threading.Lock()
        self._left = contextlib.ExitStack()
        """What is to be cleared up in the end."""
        self._control, self._theirs = map(self._left.enter_context, socket.socketpair())
        self._ready = self._closed = False

    def start(self) -> Json:
        root = tempfile.mkdtemp(prefix="deckgen-")
        self._left.callback(shutil.rmtree, root, ignore_errors=True)
        log = self._left.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (closed in the end)
        settings = {"mode": "zygote", "root": root, "control": self._theirs.fileno()}
        with self._theirs as theirs:
            pipes = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "pass_fds": (theirs.fileno(),)}
            process = self.launch(settings, **pipes)
        self._left.callback(self._end, process)
        if self._closed:  # while it was being launched
            self.close()
        hello = self.accept(self._read_hello(process, log))
        self._ready = True
        return hello

    def _read_hello(self, process: subprocess.Popen[bytes], log: Any) -> Json:
        data = b""
        with contextlib.suppress(OSError):  # too late, or closed meanwhile
            self._control.settimeout(START_TIMEOUT)
            while not data.endswith(b"\n") and (part := self._control.recv(65536)):
                data += part
            self._control.settimeout(None)
        if data.endswith(b"\n"):
            hello: Json = json.loads(data)
            return hello
        how = ended(process)
        with self._closing:  # the last line that it wrote says more
            lines = [] if log.closed else os.pread(log.fileno(), 1 << 20, 0).decode("utf-8", "replace").split("\n")
        return {"error": "\n".join((how, *[line[-2000:] for line in lines if line.strip()][-1:]))}

    def run(self, request: Json, timeout: float) -> Outcome:
        reader = FrameReader(key := secrets.token_hex(16))
        with contextlib.ExitStack() as closing:
            request_file, log = (os.memfd_create(name) for name in ("request", "frames"))
            closing.callback(os.close, request_file)
            closing.callback(os.close, log)
            with open(request_file, "wb", closefd=False) as file:
                file.write(json.dumps({**request, "key": key}).encode("ascii"))
            with self.slots:
                lifeline, theirs = map(closing.enter_context, socket.socketpair())
                rights = array.array("i", [request_file, log, theirs.fileno()])
                try:
                    with theirs, self._sending:
                        seed = b"%d" % int(request.get("seed", 0))
                        self._control.sendmsg([seed], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
                except OSError as error:  # the zygote died of another session
                    raise _died(log, reader) from error
                killed = _wait(log, lifeline, reader, timeout, len(request.get("snippets", ())) or 1)
            data = b""
            with contextlib.suppress(OSError):
                while part := lifeline.recv(65536):
                    data += part
            if not data:
                raise _died(log, reader)
            if not _read(log, reader):
                killed = killed or "forged"
        end = json.loads(data)
        return started(reader.close({**end, "killed": killed} if killed else end))

    def close(self) -> None:
        """May be called while another thread still waits for it to start: importing torch takes seconds."""
        self._closed = True
        with self._closing:
            with contextlib.suppress(OSError):
                self._control.shutdown(socket.SHUT_RDWR)  # wakes who listens
            self._left.close()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """It ends by itself when nobody listens any more, once it is ready to see that."""
        try:
            process.wait(timeout=10 if self._ready else 0)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait(log: int, lifeline: socket.socket, reader: FrameReader, timeout: float, snippets: int) -> str | None:
    """Waits until a session has ended, and ends it when its time is up; why it was ended. `timeout` is for each snippet.

    Its frames are in a file in memory that is read when the session has ended, or when a deadline is near: waking up for
    every frame would cost us more than they cost the session.
    """
    begin = time.monotonic()
    latest, deadline = begin + snippets * timeout + GRACE, begin + timeout
    killed: str | None = None
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    while not poll.poll(max(deadline - time.monotonic(), 0.0) * 1000):
        if killed:  # the zygote was asked to end the session and does not answer: it is dead
            raise _died(log, reader)
        if not _read(log, reader):
            killed = "forged"
        else:
            began = begin + GRACE
            if reader.current is not None:  # it may have begun only lately; the time that it names must be possible
                began = min(max(reader.began or 0.0, begin), time.monotonic())
            deadline = min(began + timeout, latest)
            if deadline > time.monotonic():
                continue
            killed = "timed-out"
        deadline = time.monotonic() + GRACE
        lifeline.shutdown(socket.SHUT_WR)
    return killed


def _read(log: int, reader: FrameReader) -> bool:
    """Reads what is new; False if it is not our worker's."""
    while data := os.pread(log, 1 << 20, reader.traffic):
        if not reader.feed(data):
            return False
    return True


def _died(log: int, reader: FrameReader) -> WorkerDiedError:
    _read(log, reader)
    return WorkerDiedError(reader.close({"killed": "worker-killed"}))
