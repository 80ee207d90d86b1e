"""What a session's process does with a request, wherever it came from: confines itself, answers in frames, leaves."""

from __future__ import annotations

import hashlib
import os
import sys
from _json import encode_basestring_ascii, make_encoder
from collections import deque
from os import _exit, getpid, write
from threading import get_ident
from traceback import format_exc
from typing import Any, Deque, Dict, Optional, Tuple

from ..sandbox.confine import Confinement
from . import Json
from .imports import imports
from .session import Session
from .values import plain

SEAL = 8
"""Bytes of a frame's seal."""
OF_HOME: Tuple[str, ...] = ("HOME", "TMPDIR", "XDG_CACHE_HOME")
"""Variables that name a session's own home."""
if sys.platform == "win32":
    OF_HOME += ("USERPROFILE", "APPDATA", "TEMP", "TMP")


def confine(request: Json, folder: str, guard: Confinement) -> None:
    """An empty working folder and an empty home, and limits; from here on there is no way back."""
    loopback = request.get("loopback", False)
    guard.separate(loopback)
    for path in (folder, folder + "/work", folder + "/home"):
        os.mkdir(path, 0o700)
    os.chdir(folder + "/work")
    os.environ.update(dict.fromkeys(OF_HOME, folder + "/home"))
    guard.limit(request["limits"])
    guard.enter(folder, loopback)


def answer(descriptor: int, request: Json, files: Dict[str, int], session: Session) -> None:
    """Run a request, its frames going to this descriptor, and leave the process."""
    send = Reporter(descriptor, request.pop("key"))
    imports.tell = send.imported
    try:
        if request["kind"] == "introspect":
            from .introspect import introspect

            for one in request["requests"]:
                send({"introspected": introspect(one)})
            send({"finished": True})
        else:
            session.run(request, send, files)
    except BaseException:
        send({"broken": format_exc()[-4000:]})
    _exit(0)


class Reporter:
    """Writes frames, one JSON text a line, each led by a seal of everything that was written so far.

    The key of the seal came with the request, and no descriptor leads to it any more: what a snippet reads of the frames, or
    writes over them or behind them, makes no valid frame. Code that looks for this object among those of its process can
    still call it: that protects the machine and other sessions, not a document that wants to lie about itself.

    What it needs of the standard library was imported by name before any snippet ran, here and in `capture` and `session`: a
    snippet may replace `json.dumps` or `os.getpid`, in order to cheat or to test something, and its frames stay what they are.
    """

    def __init__(self, descriptor: int, key: str) -> None:
        self._descriptor = descriptor
        self._seal = hashlib.blake2b(key=key.encode("ascii"), digest_size=SEAL)
        self._owner = os.getpid()
        self._thread = get_ident()
        self._waiting: Deque[Json] = deque()
        self._writes = False

    def __call__(self, frame: Json) -> None:
        if getpid() != self._owner:
            _exit(0)  # the snippet forked, and its child has come to the end of a statement
        self._waiting.append(frame)
        self._write_all()

    def imported(self, name: str, place: Optional[str]) -> None:
        """A module was asked for, perhaps by another thread, by a forked child or in the middle of a frame: it goes before the
        next frame then, and what a child asks for is lost with it."""
        self._waiting.append({"asked": name, "place": place})
        if not self._writes and get_ident() == self._thread and getpid() == self._owner:
            self._write_all()

    def _write_all(self) -> None:
        self._writes = True
        while self._waiting:
            self._write(self._waiting.popleft())
        self._writes = False

    def _write(self, frame: Json) -> None:
        text = frame_text(frame).encode("ascii")
        self._seal.update(text)
        data = b"%s %s\n" % (self._seal.hexdigest().encode("ascii"), text)
        while data:
            data = data[write(self._descriptor, data) :]


def _no_word(thing: object) -> None:
    raise TypeError(f"JSON has no word for {type(thing)}")


_in_pieces = make_encoder(None, _no_word, encode_basestring_ascii, None, ": ", ", ", False, False, True)
"""What `json.dumps` comes to, in C: of its arguments the last three are `sort_keys`, `skipkeys` and `allow_nan`."""


def frame_text(frame: Json) -> str:
    """A frame as JSON. What JSON has no word for is written as its text: no fact may break a session."""
    try:
        return "".join(_in_pieces(frame, 0))
    except (TypeError, ValueError, RecursionError):
        return "".join(_in_pieces(_plain_json(frame, 0), 0))


def _plain_json(part: Any, depth: int) -> Any:
    if isinstance(part, dict) and depth < 50:
        return {str(name): _plain_json(inner, depth + 1) for name, inner in part.items()}
    if isinstance(part, (list, tuple)) and depth < 50:
        return [_plain_json(inner, depth + 1) for inner in part]
    return plain(part)
