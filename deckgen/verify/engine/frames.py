"""Frames: what arrives of a session, one JSON text a line. Nothing in it is believed before it is checked."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

TRAFFIC_LIMIT = 256 << 20
"""Bytes of frames that one session may send."""
LONGEST_FRAME = 16 << 20
"""Bytes: a snippet may write 2 MiB of text, of which JSON makes up to six times as much."""
MOST_PARTS = 1 << 20
"""Lists and objects in one frame: each takes many times its two brackets in memory."""
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
    introspected: Json | None = None
    cpu: float = 0.0
    """Seconds of processor time of its process and those it waited for."""


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
        self.finished = False
        self._seal = hashlib.blake2b(key=key.encode("ascii"), digest_size=SEAL)
        self._rest = b""
        self._traffic = 0

    def feed(self, data: bytes) -> bool:
        """Take bytes; False if they are not our worker's."""
        self._traffic += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        sizes_are_fine = len(self._rest) <= LONGEST_FRAME and self._traffic <= TRAFFIC_LIMIT
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
            self.begun += 1
            return math.isfinite(self.began)
        elif "end" in frame:
            frames = self._frames(frame["end"])
            if frame["events"] != len(frames.events):  # the end counts what it closes
                return False
            frames.end, self.current = frame, None
        elif "flooded" in frame:
            self.outcome.reason = "flooded"
        elif "broken" in frame:
            self.outcome.detail = str(frame["broken"])
            self.outcome.reason = f"broken {self.outcome.detail.strip().splitlines()[-1]}"
        else:
            self.outcome.introspected = frame.get("introspected")
            self.finished = self.finished or "introspected" in frame or "finished" in frame
        return True

    def _frames(self, index: int) -> SnippetFrames:
        if type(index) is not int or index < 0:
            raise TypeError("no index of a snippet")
        return self.outcome.snippets.setdefault(index, SnippetFrames())

    def close(self, ended: Mapping[str, Any]) -> Outcome:
        """The outcome, once the process has ended. No exit status is a pass."""
        outcome = self.outcome
        outcome.cpu = ended.get("cpu", 0.0)
        if self.finished and not ended.get("killed") and outcome.reason is None:
            return outcome
        if outcome.reason is None and not self.begun and ended.get("exit") is not None:
            outcome.reason = NOT_STARTED
        outcome.reason = outcome.reason or death(ended)
        outcome.culprit = self.current if self.current is not None else len(outcome.snippets)
        return outcome


NOT_STARTED = "not-started"
"""Of a session that left by itself before its first snippet: that is our own failure, not an observation."""
DEATHS = {"SIGXCPU": "cpu-limit", "SIGXFSZ": "disk-limit", "SIGKILL": "killed"}


def death(ended: Mapping[str, Any]) -> str:
    """How a process ended, in one word and its detail."""
    name = ended.get("signal")
    return str(ended.get("killed") or (DEATHS.get(name, f"crashed {name}") if name else f"exited {ended.get('exit')}"))
