"""What a run says, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """What goes where, and how the run ends."""

    out: str
    err: str
    exit_code: int
