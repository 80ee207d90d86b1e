"""The standard streams: the only place that reads and writes them, and writes nothing but what is harmless."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from pathlib import Path
from typing import Literal, TextIO

from deckgen.text.harmless import Harmless, lines

Colour = Literal["auto", "always", "never"]
_colour: list[Colour] = ["auto"]
"""What the command line says of it, once it is read."""


def prepare() -> None:
    """Makes the streams fit for what is written, whatever they are."""
    for stream in (sys.stdout, sys.stderr):
        # notes are Chinese as often as not, and Windows consoles default to a code page
        if hasattr(stream, "reconfigure"):
            # and a patch with Windows's ends of lines fits no file that has the others
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
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


def tell(text: Harmless) -> None:
    """The same to people: in colour where it can be seen."""
    _write(sys.stdout, _painted(sys.stdout, text))


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
        _write(sys.stderr, _painted(sys.stderr, text))


# --- colour ---


def choose_colour(when: Colour) -> None:
    """What `--color` says, from here on."""
    _colour[0] = when


def has_colour(stream: TextIO | None) -> bool:
    """Whether a stream shows colour: as `--color` says, then NO_COLOR (no-color.org), then FORCE_COLOR, then if it is a terminal that can.

    A variable that is empty counts as one that is not there.
    """
    if _colour[0] != "auto":
        return _colour[0] == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return _is_terminal(stream)


def err_has_colour() -> bool:
    """The same of `err`."""
    return has_colour(sys.stderr)


def painted_line(role: str, text: Harmless) -> Harmless:
    """A line for `out` in one role of `paint.py`, if that is seen."""
    if not has_colour(sys.stdout):
        return text
    from deckgen.paint import styled

    return styled(role, text)


def _painted(stream: TextIO | None, text: Harmless) -> Harmless:
    if not text or not has_colour(stream):
        return text
    from deckgen.paint import painted

    return painted(text, _address if _is_terminal(stream) else None)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty() and os.environ.get("TERM") != "dumb"


def _address(path: str, line: int) -> str:
    """What opens a line: in the editor that DECKGEN_EDITOR names, else the file. Empty if there is no such file."""
    from platform import node

    from deckgen.text.wording import in_address

    with contextlib.suppress(OSError, ValueError):
        if Path(path).is_file():
            whole = in_address(Path(path).absolute().as_posix())
            host = "" if sys.platform == "win32" else node()  # which would take it for a folder that the host shares
            editor = os.environ.get("DECKGEN_EDITOR", "")
            return editor.replace("{path}", whole).replace("{line}", str(line)) if editor else f"file://{host}{whole}"
    return ""


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


def is_log() -> bool:
    """True if what is written to `err` is the log of a CI, which sets this variable."""
    return not is_terminal() and os.environ.get("CI", "").lower() not in ("", "0", "false")
