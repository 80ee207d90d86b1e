"""What a run says, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from deckgen.text.harmless import Harmless


@dataclass(frozen=True, slots=True)
class RunOutput:
    """What goes where, and how the run ends."""

    out: Harmless
    err: Harmless
    exit_code: int
