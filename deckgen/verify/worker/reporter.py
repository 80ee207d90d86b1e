"""The reporter: frames on their way out of a session, as text that nothing in them can break."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Dict

from .values import plain

Json = Dict[str, Any]

SEAL = 8
"""Bytes of a frame's seal."""


def frame_text(frame: Json) -> str:
    """A frame as JSON. What JSON has no word for is written as its text: no fact may break a session."""
    try:
        return json.dumps(frame)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(plain_json(frame, 0))


def plain_json(part: Any, depth: int) -> Any:
    if isinstance(part, dict) and depth < 50:
        return {str(name): plain_json(inner, depth + 1) for name, inner in part.items()}
    if isinstance(part, (list, tuple)) and depth < 50:
        return [plain_json(inner, depth + 1) for inner in part]
    return plain(part)


class Reporter:
    """Writes frames, one JSON text a line, each led by a seal of everything that was written so far.

    The key of the seal came with the request, and no descriptor leads to it any more: what a snippet reads of the frames, or
    writes over them or behind them, makes no valid frame. Code that looks for this object among those of its process can
    still call it: that protects the machine and other sessions, not a document that wants to lie about itself.
    """

    def __init__(self, descriptor: int, key: str) -> None:
        self._descriptor = descriptor
        self._seal = hashlib.blake2b(key=key.encode("ascii"), digest_size=SEAL)
        self._owner = os.getpid()

    def __call__(self, frame: Json) -> None:
        if os.getpid() != self._owner:
            os._exit(0)  # the snippet forked, and its child has come to the end of a statement
        text = frame_text(frame).encode("ascii")
        self._seal.update(text)
        data = b"%s %s\n" % (self._seal.hexdigest().encode("ascii"), text)
        while data:
            data = data[os.write(self._descriptor, data) :]
