"""The reporter: frames on their way out of a session, as text that nothing in them can break."""

from __future__ import annotations

import json
import os
from typing import Any, Dict

from .values import plain

Json = Dict[str, Any]

_C_ENCODER: Any = getattr(json.encoder, "c_make_encoder", None)
_ENCODE: Any = _C_ENCODER and _C_ENCODER(
    None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ": ", ", ", False, False, True
)
"""What `json.dumps` would make anew for every frame."""


def frame_text(frame: Json) -> str:
    """A frame as JSON; whatever JSON has no word for stands as its text: no fact may break a session."""
    try:
        return "".join(_ENCODE(frame, 0)) if _ENCODE else json.dumps(frame)
    except (TypeError, ValueError, RecursionError):
        return json.dumps({name: plain_json(part, 0) for name, part in frame.items()})


def plain_json(part: Any, depth: int) -> Any:
    if isinstance(part, dict) and depth < 50:
        return {str(name): plain_json(inner, depth + 1) for name, inner in part.items()}
    if isinstance(part, (list, tuple)) and depth < 50:
        return [plain_json(inner, depth + 1) for inner in part]
    return plain(part)


class Reporter:
    """Writes frames, one JSON text a line, each led by the session's token.

    The token keeps blind writers to an inherited descriptor from passing for us. Code that looks for it
    can find it: this protects against accidents, not against a document that wants to lie.
    """

    def __init__(self, descriptor: int, token: str) -> None:
        self._descriptor = descriptor
        self._token = token
        self._owner = os.getpid()

    def __call__(self, frame: Json) -> None:
        if os.getpid() != self._owner:
            os._exit(0)  # the snippet forked, and its child has come to the end of a statement
        data = f"{self._token} {frame_text(frame)}\n".encode("ascii")
        while data:
            data = data[os.write(self._descriptor, data) :]
