"""Capture: what can be seen while a snippet runs, each with the line that caused it."""

from __future__ import annotations

import builtins
import io
import os
import sys
import warnings
from os import SEEK_CUR, SEEK_SET, getpid, lseek, read, write
from sys import _getframe
from typing import Any, Callable, Dict, List, Optional

from .values import describe_quietly, exact, type_name

Json = Dict[str, Any]

_pread: Any = getattr(os, "pread", None)
"""As it is before any snippet runs, like all that is imported by name (see `child.Reporter`); Windows has none."""
ARGUMENTS = 30
"""Objects of one print call that are described; the text always holds them all."""
OVERHEAD = 200
"""Bytes that an event counts besides its text: a flood of empty lines is a flood too."""
PIECES = 10_000
"""Pieces of one print call that count nothing until it is done."""


class Events:
    """Events in order, each with its place: the driver moves it from statement to statement.

    `take` hands over what has come since the last time.
    """

    def __init__(self, filename: str, flooded: Callable[[], None]) -> None:
        self.filename = filename
        self.flooded = flooded
        self.start(0, {})
        self.enter(0, 0)

    def start(self, limit: int, files: Dict[str, int]) -> None:
        """`files`: the descriptors of output that bypasses our streams, by the stream's name."""
        self.limit, self.written = limit, 0
        self.owner = getpid()
        """The process whose output this is: what it forks shares our descriptors, not our events."""
        self._new: List[Json] = []
        self._files = files
        self._read = dict.fromkeys(files, 0)

    def enter(self, offset: int, length: int) -> None:
        """A snippet of so many lines begins after `offset` lines of the session's file."""
        self.offset, self.length = offset, length
        self.first: Optional[int] = None
        self.last: Optional[int] = None

    def inner(self, frame: Any) -> Optional[int]:
        """Innermost line of the current snippet on the stack; the statement's line where there is none."""
        while frame is not None:
            line = self.line(frame.f_lineno) if frame.f_code.co_filename == self.filename else None
            if line is not None:
                return line
            frame = frame.f_back
        return self.first

    def line(self, number: Optional[int]) -> Optional[int]:
        """A 1-based line of the session's file as an index into the snippet, or None if it is not in it."""
        index = -1 if number is None else number - 1 - self.offset
        return index if 0 <= index < self.length else None

    def add(self, kind: str, text: str, inner: Optional[int], **more: Any) -> None:
        event = {"kind": kind, "text": text, "inner": inner, "outer": self.first, "outer_end": self.last, **more}
        self._new.append(event)
        self.count(len(text) + OVERHEAD)

    def write(self, kind: str, text: str, inner: Optional[int]) -> None:
        """Text without objects: joined to the event before while that line of output is unfinished."""
        last = self._new[-1] if self._new else {"kind": ""}
        same = last["kind"] == kind and last["inner"] == inner and "values" not in last
        if same and not last["text"].endswith("\n"):
            last["text"] += text
            self.count(len(text))
        else:
            self.add(kind, text, inner)

    def count(self, size: int) -> None:
        self.written += size
        if self.written > self.limit:
            self.flooded()

    def take(self) -> List[Json]:
        """With the output that bypasses `sys.stdout`: of C code, `os.write`, subprocesses.

        Descriptors 1 and 2 are files of fixed size (a flood meets their end); what has been written is read
        after each statement.
        """
        for kind, descriptor in self._files.items():
            start, end = self._read[kind], lseek(descriptor, 0, SEEK_CUR)
            if end <= start:
                continue
            self._read[kind] = end
            if _pread:
                data = _pread(descriptor, end - start, start)
            else:
                lseek(descriptor, start, SEEK_SET)
                data = read(descriptor, end - start)  # which leaves it at `end`, where it was
            text = data.decode("utf-8", "replace")
            self.add(kind, text if os.linesep == "\n" else text.replace(os.linesep, "\n"), self.first)
            if end > self.limit * 0.9:
                self.flooded()
        taken, self._new = self._new, []
        return taken


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.fileno = stream.fileno  # type: ignore[method-assign]

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


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
        if getpid() != self._events.owner:  # a process that the snippet started
            write(self._descriptor, text.encode("utf-8", "replace"))
        elif self.pieces is not None:
            self.pieces.append(text)
            self._events.count(0 if len(self.pieces) < PIECES else len(text))
        elif text:
            self._events.write(self.kind, text, self._events.inner(_getframe(1)))
        return len(text)


def install(events: Events) -> None:
    """Streams that know their line; one call of print is one event with its objects; warnings are events of their own."""
    sys.stdout = Stream("stdout", 1, events)
    sys.stderr = Stream("stderr", 2, events)
    real_print = builtins.print

    def print(*arguments: Any, **named: Any) -> None:  # noqa: A001 (it stands in for print)
        target = named.get("file") or sys.stdout
        if not isinstance(target, Stream) or target.pieces is not None or getpid() != events.owner:
            real_print(*arguments, **named)
            return
        pieces: List[str] = []
        target.pieces = pieces
        try:
            real_print(*arguments, **named)
        finally:
            target.pieces = None
            if pieces:
                values = _described(arguments, pieces) if len(pieces) >= 2 * len(arguments) - 1 else []
                events.add(target.kind, "".join(pieces), events.inner(_getframe(1)), values=values)

    print.__doc__ = real_print.__doc__
    print.__module__, print.__qualname__ = "builtins", "print"
    builtins.print = print

    def showwarning(message: Any, category: type, *_place: Any, **_named: Any) -> None:
        name = category.__name__ if category.__module__ == "builtins" else type_name(category)
        events.add("warning", f"{name}: {message}", events.inner(_getframe(1)))

    warnings.showwarning = showwarning


def _described(arguments: Any, pieces: List[str]) -> List[Json]:
    """The objects of one print call; their printed text serves as repr where it is the same."""
    whole = len(pieces) == 2 * len(arguments)
    return [
        describe_quietly(thing, pieces[2 * at] if whole and _prints_repr(thing) else None)
        for at, thing in enumerate(arguments[:ARGUMENTS])
    ]


def _prints_repr(thing: object) -> bool:
    return type(thing).__str__ is object.__str__
