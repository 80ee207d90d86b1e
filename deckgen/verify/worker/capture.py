"""Capture: what can be seen while a snippet runs, each with the line that caused it."""

from __future__ import annotations

import builtins
import io
import os
import sys
import warnings
from typing import Any, Callable, Dict, List, Optional

from .values import describe_quietly, exact, type_name

Json = Dict[str, Any]

ARGUMENTS = 30
"""Objects of one print call that are described; the text always holds them all."""


OVERHEAD = 200
"""Bytes that an event counts besides its text: a flood of empty lines is a flood too."""


class Place:
    """Where in the snippet the session is: the driver moves it from statement to statement."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.offset = 0
        self.length = 0
        self.first: Optional[int] = None
        self.last: Optional[int] = None

    def enter(self, offset: int, length: int) -> None:
        self.offset, self.length = offset, length
        self.first = self.last = None

    def inner(self, frame: Any) -> Optional[int]:
        """Innermost line of the current snippet on the stack; the statement's line where there is none."""
        while frame is not None:
            if frame.f_code.co_filename == self.filename:
                line = self.line(frame.f_lineno)
                if line is not None:
                    return line
            frame = frame.f_back
        return self.first

    def line(self, number: Optional[int]) -> Optional[int]:
        """A 1-based line of the session's file as an index into the snippet, or None if it is not in it."""
        if number is None:
            return None
        index = number - 1 - self.offset
        return index if 0 <= index < self.length else None


class Events:
    """Events in order; `flush` hands over what has come since the last one."""

    def __init__(self, place: Place, limit: int, flooded: Callable[[], None]) -> None:
        self.place = place
        self.limit = limit
        self.flooded = flooded
        self.owner = os.getpid()
        """The process whose output this is: what it forks shares our descriptors, not our events."""
        self.written = 0
        self._new: List[Json] = []

    def start(self, limit: int) -> None:
        self.limit, self.written, self.owner = limit, 0, os.getpid()
        self._new = []

    def add(self, kind: str, text: str, inner: Optional[int], **more: Any) -> Json:
        event = {
            "kind": kind,
            "text": text,
            "inner": inner,
            "outer": self.place.first,
            "outer_end": self.place.last,
            **more,
        }
        self._new.append(event)
        self.count(len(text) + OVERHEAD)
        return event

    def write(self, kind: str, text: str, inner: Optional[int]) -> None:
        """Text without objects: joined to the event before while that line of output is unfinished."""
        last = self._new[-1] if self._new else None
        if (
            last is not None
            and last["kind"] == kind
            and last["inner"] == inner
            and "values" not in last
            and not last["text"].endswith("\n")
        ):
            last["text"] += text
            self.count(len(text))
        else:
            self.add(kind, text, inner)

    def count(self, size: int) -> None:
        self.written += size
        if self.written > self.limit:
            self.flooded()

    def take(self) -> List[Json]:
        taken, self._new = self._new, []
        return taken


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def fileno(self) -> int:
        return self._stream.fileno()


class Stream(io.TextIOBase):
    """`sys.stdout` or `sys.stderr`: knows which line writes."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, kind: str, descriptor: int, events: Events) -> None:
        self.kind = kind
        self.name = f"<{kind}>"
        self.mode = "w"
        self.pieces: Optional[List[str]] = None
        """Collects while a call of print runs."""
        self._descriptor = descriptor
        self._events = events
        self.buffer = _Bytes(self)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._descriptor

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        text = exact(text)
        if os.getpid() != self._events.owner:  # a process that the snippet started
            os.write(self._descriptor, text.encode("utf-8", "replace"))
        elif self.pieces is not None:
            self.pieces.append(text)
            self._events.count(0 if len(self.pieces) < 10_000 else len(text))
        elif text:
            self._events.write(self.kind, text, self._events.place.inner(sys._getframe(1)))
        return len(text)


def _same_as_repr(thing: object) -> bool:
    return type(thing).__str__ is object.__str__


def _described(arguments: Any, pieces: List[str]) -> List[Json]:
    """The objects of one print call; their printed text serves as repr where it is the same."""
    texts: List[Optional[str]] = [None] * len(arguments)
    if len(pieces) == 2 * len(arguments):
        texts = [
            piece if _same_as_repr(thing) else None
            for thing, piece in zip(arguments, pieces[0::2])  # noqa: B905 (Python 3.8)
        ]
    pairs = list(zip(arguments, texts))[:ARGUMENTS]  # noqa: B905
    return [describe_quietly(thing, text=text) for thing, text in pairs]


def install_print(events: Events) -> None:
    """Make one call of print one event that holds the objects as well as the text."""
    real_print = builtins.print

    def print(*arguments: Any, **named: Any) -> None:  # noqa: A001 (it stands in for print)
        target = named.get("file") or sys.stdout
        if not isinstance(target, Stream) or target.pieces is not None or os.getpid() != events.owner:
            real_print(*arguments, **named)
            return
        pieces: List[str] = []
        target.pieces = pieces
        try:
            real_print(*arguments, **named)
        finally:
            target.pieces = None
            inner = events.place.inner(sys._getframe(1))
            if arguments and len(pieces) >= 2 * len(arguments) - 1:
                events.add(target.kind, "".join(pieces), inner, values=_described(arguments, pieces))
            elif pieces:
                events.add(target.kind, "".join(pieces), inner, values=[])

    print.__doc__ = real_print.__doc__
    print.__module__, print.__qualname__ = "builtins", "print"
    builtins.print = print


def install_warnings(events: Events) -> None:
    """Warnings become events of their own with the snippet's line, apart from stderr."""

    def showwarning(message: Any, category: type, *_place: Any, **_named: Any) -> None:
        name = category.__name__ if category.__module__ == "builtins" else type_name(category)
        events.add("warning", f"{name}: {message}", events.place.inner(sys._getframe(1)))

    warnings.showwarning = showwarning


def read_at(descriptor: int, start: int, stop: int) -> bytes:
    """What a file holds between two places; its position stays where it is."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, stop - start, start)
    os.lseek(descriptor, start, os.SEEK_SET)
    return os.read(descriptor, stop - start)  # which leaves it at `stop`, where it was


class Descriptors:
    """Output that bypasses `sys.stdout`: C code, `os.write`, subprocesses.

    Descriptors 1 and 2 are files of fixed size (a flood meets their end); what has been written is read
    after each statement.
    """

    def __init__(self, events: Events, files: Dict[str, int]) -> None:
        self._events = events
        self._files = files
        self._read = dict.fromkeys(files, 0)

    def look(self) -> None:
        for kind, descriptor in self._files.items():
            end = os.lseek(descriptor, 0, os.SEEK_CUR)
            start = self._read[kind]
            if end > start:
                self._read[kind] = end
                text = read_at(descriptor, start, end).decode("utf-8", "replace")
                self._events.add(kind, text, self._events.place.first)
                if end > self._events.limit * 0.9:
                    self._events.flooded()
