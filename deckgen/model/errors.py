"""Errors that are told to the user: where, what is wrong, and what to do about it."""

from __future__ import annotations

import os

REPORT_IT = "this is a fault of deckgen: please report it, with what it says under DECKGEN_TRACEBACK=1"


def fault(error: Exception) -> str:
    """What nobody foresaw, on one line: `internal error: KeyError: 'x' (keys.py:81)`."""
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return f"internal error: {what} ({os.path.basename(place.filename)}:{place.lineno})"


class DeckgenError(Exception):
    """`where: message` and a hint. `exit_code` is the exit status of the process (`outcome`)."""

    exit_code = 2

    def __init__(self, message: str, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        """`notes.md:47`, or a path."""
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class UsageError(DeckgenError):
    """The command line, `deck.toml` or the lock is wrong; nothing was written."""

    exit_code = 2


class SourceError(DeckgenError):
    """A source cannot be read; the others still are."""

    exit_code = 3


class EngineError(DeckgenError):
    """What is needed is not there: a torch, a process, a required sandbox, an Anki that answers."""

    exit_code = 4
