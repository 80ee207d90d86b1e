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
import tempfile
import threading
import time
from typing import Any

from deckgen.verify.engine.frames import FrameReader, Json, Outcome
from deckgen.verify.engine.runner import GRACE, START_TIMEOUT, Runner, WorkerDiedError, ended, started


class ForkRunner(Runner):
    """A zygote and the sessions that it forks."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._closing = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._root: str | None = None
        self._log: Any = None
        self._ready = self._closed = False

    def start(self) -> Json:
        self._root = tempfile.mkdtemp(prefix="deckgen-")
        ours, theirs = socket.socketpair()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        with theirs:
            control = theirs.fileno()
            self._process = self.launch(
                {"mode": "zygote", "root": self._root, "control": control},
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=(control,),
            )
        self._control = ours
        if self._closed:  # while it was being launched
            self.close()
        hello = self.accept(self._read_hello(ours))
        self._ready = True
        return hello

    def _read_hello(self, control: socket.socket) -> Json:
        data = b""
        with contextlib.suppress(OSError):  # too late, or closed meanwhile
            control.settimeout(START_TIMEOUT)
            while not data.endswith(b"\n") and (part := control.recv(65536)):
                data += part
            control.settimeout(None)
        if data.endswith(b"\n"):
            hello: Json = json.loads(data)
            return hello
        how = ended(self._process) if self._process is not None else "it was not started"
        with self._closing:  # the last line that it wrote says more
            log = self._log and os.pread(self._log.fileno(), 1 << 20, 0).decode("utf-8", "replace").strip()
        return {"error": f"{how}\n{log[-2000:].splitlines()[-1]}" if log else how}

    def run(self, request: Json, timeout: float) -> Outcome:
        with contextlib.ExitStack() as closing:
            key = secrets.token_hex(16)
            request_file, log = (os.memfd_create(name) for name in ("request", "frames"))
            closing.callback(os.close, request_file)
            closing.callback(os.close, log)
            with open(request_file, "wb", closefd=False) as file:
                file.write(json.dumps({**request, "key": key}).encode("ascii"))
            seed, snippets = int(request.get("seed", 0)), len(request.get("snippets", ())) or 1
            with self.slots:
                lifeline = closing.enter_context(self._new_session(request_file, log, seed))
                conversation = Conversation(log, lifeline, FrameReader(key), timeout, snippets)
                conversation.wait()
            return conversation.outcome()

    def _new_session(self, request_file: int, log: int, seed: int) -> socket.socket:
        lifeline, theirs = socket.socketpair()
        rights = array.array("i", [request_file, log, theirs.fileno()])
        try:
            with theirs, self._lock:
                if self._control is None:  # the zygote died of another session
                    raise OSError("closed")
                self._control.sendmsg([b"%d" % seed], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        except OSError as error:
            lifeline.close()
            raise WorkerDiedError(FrameReader("").close({"killed": "worker-killed"})) from error
        return lifeline

    def close(self) -> None:
        """May be called while another thread still waits for it to start: importing torch takes seconds."""
        self._closed = True
        with self._closing:
            if self._control is not None:
                with contextlib.suppress(OSError):
                    self._control.shutdown(socket.SHUT_RDWR)  # wakes who listens
                self._control.close()
            if self._process is not None:
                self._end(self._process)
            if self._root is not None:
                shutil.rmtree(self._root, ignore_errors=True)
            if self._log is not None:
                self._log.close()
            self._control = self._process = self._root = self._log = None

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """It ends by itself when nobody listens any more, once it is ready to see that."""
        try:
            process.wait(timeout=10 if self._ready else 0)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Conversation:
    """Waits until a session has ended, and ends it when its time is up.

    Its frames are in a file in memory that is read when the session has ended, or when a deadline is near: waking up for
    every frame would cost us more than they cost the session.
    """

    def __init__(self, log: int, lifeline: socket.socket, reader: FrameReader, timeout: float, snippets: int) -> None:
        """`timeout`: seconds for each of so many snippets."""
        self.log, self.lifeline, self.reader, self.timeout = log, lifeline, reader, timeout
        self._read = 0
        self._started = time.monotonic()
        self._latest = self._started + snippets * timeout + GRACE
        self._deadline = self._started + timeout
        self._killed: str | None = None
        self._asked = False

    def wait(self) -> None:
        poll = select.poll()
        poll.register(self.lifeline, select.POLLIN)
        while not poll.poll(max(self._deadline - time.monotonic(), 0.0) * 1000):
            self._look()
            if self._deadline > time.monotonic():
                continue
            if self._asked:  # the zygote was asked to end the session and does not answer: it is dead
                raise self._died()
            self._asked = True
            self._killed = self._killed or "timed-out"
            self._deadline = time.monotonic() + GRACE
            self.lifeline.shutdown(socket.SHUT_WR)

    def _look(self) -> None:
        """Read what is new; the snippet that is under way may have begun only lately."""
        while data := os.pread(self.log, 1 << 20, self._read):
            self._read += len(data)
            if not self.reader.feed(data):
                self._killed = self._killed or "forged"
                return
        if self._killed is None:
            began = self._started + GRACE
            if self.reader.current is not None:  # the time that it names must be possible
                began = min(max(self.reader.began or 0.0, self._started), time.monotonic())
            self._deadline = min(began + self.timeout, self._latest)

    def outcome(self) -> Outcome:
        """How it went, once it has ended."""
        data = b""
        with contextlib.suppress(OSError):
            while part := self.lifeline.recv(65536):
                data += part
        if not data:
            raise self._died()
        self._look()
        ended = json.loads(data)
        return started(self.reader.close({**ended, "killed": self._killed} if self._killed else ended))

    def _died(self) -> WorkerDiedError:
        self._look()
        return WorkerDiedError(self.reader.close({"killed": "worker-killed"}))
