"""The standard streams: the only place that reads and writes them, and writes nothing but what is harmless."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from typing import TextIO

from deckgen.text.harmless import Harmless, lines


def prepare() -> None:
    """Makes the streams fit for what is written, whatever they are."""
    for stream in (sys.stdout, sys.stderr):
        # notes are Chinese as often as not, and Windows consoles default to a code page
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for number in range(3):
        # closed from the outside (`deckgen build >&-`): the next file that is opened would become the stream
        with contextlib.suppress(OSError):
            _occupy(number)
    if not sys.warnoptions:  # libraries quote what they warn of; those who look after them ask with -W
        warnings.simplefilter("ignore")


def _occupy(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def out(text: Harmless) -> None:
    """What was asked for. Raises OSError where it cannot be written."""
    _write(sys.stdout, text)


def out_bytes(data: bytes) -> None:
    """The same in an encoding of its own; the caller has seen that it is harmless."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def piped(limit: int) -> bytes:
    """Standard input up to its end, or one byte more than the limit. Raises OSError where it cannot be read."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read(limit + 1)


def err(text: Harmless) -> None:
    """To the person, not into the pipe. The exit status says the same where that is not possible."""
    with contextlib.suppress(OSError):
        _write(sys.stderr, text)


def trace(error: Exception) -> None:
    """Where an error comes from, to those who look for its cause."""
    if os.environ.get("DECKGEN_TRACEBACK"):
        import traceback

        err(lines("".join(traceback.format_exception(error)).splitlines()))


def _write(stream: TextIO | None, text: Harmless) -> None:
    if stream is not None:  # None: closed from the outside
        stream.write(text)


def flush() -> None:
    """Raises OSError where what was written did not get through."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def close() -> None:
    """Nobody listens any more: Python writes nothing when it ends, either."""
    for stream in (sys.stdout, sys.stderr):
        _close(stream)


def finish() -> None:
    """The last thing in a process: Python flushes once more when it ends, and would make exit status 120 of what it cannot write."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError:
            _close(stream)


def _close(stream: TextIO | None) -> None:
    """What it still holds is lost."""
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()


def is_terminal() -> bool:
    """True if a person sees what is written to `err`."""
    return sys.stderr is not None and sys.stderr.isatty()
