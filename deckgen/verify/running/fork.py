"""The fork engine: a zygote that has imported torch, and forks a child for each session (Linux)."""

from __future__ import annotations

import array
import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.verify.running.conversation import Conversation, WorkerDiedError
from deckgen.verify.running.frames import FrameReader, Json, Outcome
from deckgen.verify.running.runner import START_TIMEOUT, WORKER, Slots, ended, refuse_unusable, scrubbed_environment


class ForkRunner:
    """A zygote and the sessions that it forks (Linux)."""

    name = "fork"

    def __init__(
        self,
        python: str,
        *,
        hash_seed: int = 0,
        preload: tuple[str, ...] = (),
        huge_pages: bool = True,
        sandbox: str = "auto",
        slots: Slots | None = None,
    ) -> None:
        self._python = python
        self._hash_seed = hash_seed
        self._slots = slots or contextlib.nullcontext()
        self._settings: Json = {
            "mode": "zygote",
            "preload": list(preload),
            "huge_pages": huge_pages,
            "sandbox": sandbox != "off",
        }
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._root: str | None = None
        self._log: Any = None
        self._ready = False
        self._closed = False
        self._closing = threading.Lock()

    def start(self) -> Json:
        self._root = tempfile.mkdtemp(prefix="deckgen-")
        ours, theirs = socket.socketpair()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        settings = {**self._settings, "root": self._root, "control": theirs.fileno()}
        try:
            self._process = subprocess.Popen(
                [self._python, str(WORKER), json.dumps(settings)],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=(theirs.fileno(),),
                env=scrubbed_environment(self._hash_seed),
                cwd=self._root,
                start_new_session=True,  # Ctrl-C is for deckgen, which then ends the workers
            )
        except OSError as error:
            raise EngineError(f"cannot start {self._python}: {error}") from error
        theirs.close()
        self._control = ours
        if self._closed:  # while it was being launched
            self.close()
        hello = self._read_hello(ours)
        try:
            refuse_unusable(hello, self._python, self._sandbox)
        except EngineError:
            self.close()
            raise
        self._ready = True
        return hello

    def _read_hello(self, control: socket.socket) -> Json:
        data = b""
        with contextlib.suppress(OSError):  # too late, or closed meanwhile
            control.settimeout(START_TIMEOUT)
            while not data.endswith(b"\n"):
                part = control.recv(65536)
                if not part:
                    break
                data += part
            control.settimeout(None)
        if not data.endswith(b"\n"):
            how = ended(self._process) if self._process is not None else "it was not started"
            return {"error": "\n".join(part for part in (how, self._last_words()) if part)}
        hello: Json = json.loads(data)
        return hello

    def _last_words(self) -> str:
        """The end of what the worker wrote before it died."""
        with self._closing:
            if self._log is None:
                return ""
            self._log.seek(0)
            text: str = self._log.read()[-2000:].decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else ""

    def run(self, request: Json, timeout: float) -> Outcome:
        with contextlib.ExitStack() as closing:
            key = secrets.token_hex(16)
            request_file, log = (_file_in_memory(name, closing) for name in ("request", "frames"))
            with open(request_file, "wb", closefd=False) as file:
                file.write(json.dumps({**request, "key": key}).encode("ascii"))
            seed = int(request.get("seed", 0))
            snippets = len(request.get("snippets", ())) or 1
            with self._slots:
                lifeline = closing.enter_context(self._new_session(request_file, log, seed))
                conversation = Conversation(log, lifeline, FrameReader(key), timeout, snippets)
                conversation.wait()
            return conversation.outcome()

    def _new_session(self, request_file: int, log: int, seed: int) -> socket.socket:
        if self._control is None:  # it died of another session
            raise WorkerDiedError(FrameReader("").close({"killed": "worker-killed"}))
        lifeline, their_lifeline = socket.socketpair()
        rights = array.array("i", [request_file, log, their_lifeline.fileno()])
        try:
            with self._lock:
                self._control.sendmsg([b"%d" % seed], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        except OSError as error:
            raise WorkerDiedError(FrameReader("").close({"killed": "worker-killed"})) from error
        finally:
            their_lifeline.close()
        return lifeline

    def close(self) -> None:
        """May be called while another thread still waits for it to start: importing torch takes seconds."""
        self._closed = True
        with self._closing:
            if self._control is not None:
                with contextlib.suppress(OSError):
                    self._control.shutdown(socket.SHUT_RDWR)  # wakes who listens
                self._control.close()
                self._control = None
            if self._process is not None:
                self._end(self._process)
                self._process = None
            if self._root is not None:
                shutil.rmtree(self._root, ignore_errors=True)
                self._root = None
            if self._log is not None:
                self._log.close()
                self._log = None

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """It ends by itself when nobody listens any more, once it is ready to see that."""
        try:
            process.wait(timeout=10 if self._ready else 0)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _file_in_memory(name: str, closing: contextlib.ExitStack) -> int:
    descriptor = os.memfd_create(name)
    closing.callback(os.close, descriptor)
    return descriptor
