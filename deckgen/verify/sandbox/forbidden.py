"""Things of this machine that no session may reach, and what an attempt to reach one is."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
from typing import Any, Callable, Optional, Tuple

if sys.platform == "win32":
    raise ImportError("nothing is attempted on Windows")

Act = Tuple[str, Callable[[], Any]]
Identity = Optional[Tuple[int, int]]

LONGEST_PATH = 103
"""Bytes of a path that a socket can be bound to: 107 on Linux, 103 on macOS."""
SOCKETS = STREAM, DATAGRAM, OTHER = "stream", "datagram", "other"
"""Names of sockets in the folder. The third is for a system whose sockets all have paths."""
SHARED_MEMORY = "/dev/shm"  # noqa: S108 (whose it is, is the question)


class ForbiddenThings:
    """A secret, two sockets. Laid out before the sandbox is entered."""

    def __init__(self, folder: str) -> None:
        """`folder`: deckgen's temporary folder, which somebody else removes in the end."""
        self.folder = os.path.join(folder, "outside")
        if max(len(os.fsencode(os.path.join(self.folder, name))) for name in SOCKETS) > LONGEST_PATH:
            self.folder = tempfile.mkdtemp(prefix="deckgen-", dir="/tmp")
        os.makedirs(self.folder, exist_ok=True)
        self.secret = os.path.join(self.folder, "secret")
        with open(self.secret, "w", encoding="ascii") as file:
            file.write("secret")
        self.listener = self._bound(socket.SOCK_STREAM, STREAM)
        self.listener.listen(1)
        self.receiver = self._bound(socket.SOCK_DGRAM, DATAGRAM)
        self.shared_memory = identity(SHARED_MEMORY)
        self.home = identity(os.path.expanduser("~"))

    def _bound(self, kind: int, name: str) -> socket.socket:
        bound = socket.socket(socket.AF_UNIX, kind)
        bound.bind(os.path.join(self.folder, name))
        return bound

    def close(self) -> None:
        """Where the folder can still be seen, it is removed; elsewhere who stays outside does that."""
        self.listener.close()
        self.receiver.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def insist(succeeded: bool) -> None:
    if not succeeded:
        raise PermissionError("refused, or not the machine's")


def identity(path: str) -> Identity:
    """Numbers of a folder and of its file system; None if there is no such folder."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
