"""The folders of a session: one to work in, one that is its home; both empty, both gone with it."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from typing import Any, Tuple

NAMES = ("HOME", "TMPDIR", "XDG_CACHE_HOME")
"""Variables that lead to a session's home."""


class Home:
    """The environment's names for a session's home.

    Python's way of setting a variable touches fifty pages of memory, which a forked child must copy. A zygote therefore
    puts the names into one piece of memory with room for a path, and its children only write the path.
    """

    def __init__(self) -> None:
        self._space: Any = None
        self._room = 0
        self._starts: Tuple[int, ...] = ()

    def make_room(self, room: int) -> None:
        """For paths of so many bytes at most."""
        if not sys.platform.startswith("linux"):
            return
        heads = [os.fsencode(name) + b"=" for name in NAMES]
        self._space = ctypes.create_string_buffer(sum(map(len, heads)) + (room + 1) * len(heads))
        self._room = room
        start, starts = 0, []
        for head in heads:
            self._space[start : start + len(head)] = head
            ctypes.CDLL(None).putenv(ctypes.c_void_p(ctypes.addressof(self._space) + start))
            starts.append(start + len(head))
            start += len(head) + room + 1
        self._starts = tuple(starts)

    def move(self, home: str) -> None:
        path = os.fsencode(home)
        if len(path) > self._room:
            os.environ.update(dict.fromkeys(NAMES, home))
            return
        ended = path + b"\0"
        for start in self._starts:
            self._space[start : start + len(ended)] = ended
        known: Any = os.environ._data  # type: ignore[attr-defined]
        known[b"HOME"] = known[b"TMPDIR"] = known[b"XDG_CACHE_HOME"] = path


HOME = Home()


def enter_folder(folder: str) -> None:
    """A working folder and a home of its own, both empty; everything temporary goes to the home."""
    work, home = folder + "/work", folder + "/home"
    os.mkdir(folder, 0o700)
    os.mkdir(work, 0o700)
    os.mkdir(home, 0o700)
    os.chdir(work)
    HOME.move(home)


def remove_folder(folder: str) -> None:
    """Most sessions leave their folders empty, and three calls are much cheaper than looking."""
    try:
        os.rmdir(folder + "/work")
        os.rmdir(folder + "/home")
        os.rmdir(folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
