"""A conversation with one session of a zygote: wait for its end, bring it about when its time is up."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import time

from deckgen.model.errors import EngineError
from deckgen.verify.running.frames import NOT_STARTED, FrameReader, Outcome

GRACE = 15.0
"""Seconds that a session gets on top of its snippet's timeout to start or to end."""


class WorkerDiedError(EngineError):
    """The worker was killed from outside, or by the session that it ran; `outcome` is how far that came."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__("the worker has died", hint="was it killed for want of memory? --jobs 1 needs less")
        self.outcome = outcome


def seen(outcome: Outcome) -> Outcome:
    """An outcome that shows something; raises WorkerDiedError if the session left before it came to its first snippet."""
    if outcome.reason == NOT_STARTED:
        raise WorkerDiedError(outcome)
    return outcome


class Conversation:
    """Waits until a session has ended, and ends it when its time is up.

    Its frames lie in a file in memory that is read when it has ended, or when a deadline is near: waking up for
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
        """Until the session has ended."""
        poll = select.poll()
        poll.register(self.lifeline, select.POLLIN)
        while not poll.poll(max(self._deadline - time.monotonic(), 0.0) * 1000):
            self._look()
            if self._deadline <= time.monotonic():
                self._kill("timed-out")

    def _look(self) -> None:
        """Read what is new; the snippet that is under way may have begun only lately."""
        while data := os.pread(self.log, 1 << 20, self._read):
            self._read += len(data)
            if not self.reader.feed(data):
                self._killed = self._killed or "forged"
                return
        if self._killed is None:
            under_way = self.reader.current is not None and self.reader.began is not None
            began = self._possible(self.reader.began or 0.0) if under_way else self._started + GRACE
            self._deadline = min(began + self.timeout, self._latest)

    def _possible(self, began: float) -> float:
        """A time that the session names, between its start and now."""
        return min(max(began, self._started), time.monotonic())

    def _kill(self, reason: str) -> None:
        """Ask the zygote to end it, once; then wait for the news (if none comes, the zygote is dead)."""
        if self._asked:
            raise self._died()
        self._asked = True
        self._killed = self._killed or reason
        self._deadline = time.monotonic() + GRACE
        self.lifeline.shutdown(socket.SHUT_WR)

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
        if self._killed:
            ended["killed"] = self._killed
            self.reader.finished = False
        return seen(self.reader.close(ended))

    def _died(self) -> WorkerDiedError:
        self._look()
        self.reader.finished = False
        return WorkerDiedError(self.reader.close({"killed": "worker-killed"}))
