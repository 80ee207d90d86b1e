"""`deckgen COMMAND` as it is typed, but in this process: no interpreter is started, and workers are those that are kept."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from processes import GUARD

from deckgen.cli import main
from deckgen.surroundings import dependency_versions


@dataclass
class Command:
    """Runs `deckgen` in a folder, with a cache and a data folder of its own in `home`."""

    place: Path
    home: Path

    def __call__(self, *arguments: str, stdin: bytes = b"", **environment: str) -> CompletedProcess[str]:
        ran = self.in_bytes(*arguments, stdin=stdin, **environment)
        return CompletedProcess(ran.args, ran.returncode, ran.stdout.decode("utf-8"), ran.stderr.decode("utf-8"))

    def in_bytes(self, *arguments: str, stdin: bytes = b"", **environment: str) -> CompletedProcess[bytes]:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        folders = {"XDG_CACHE_HOME": str(self.home / "cache"), "XDG_DATA_HOME": str(self.home / "data")}
        code: object = 0
        dependency_versions.cache_clear()  # what is installed is looked up once a process
        with pytest.MonkeyPatch.context() as patch, chdir(self.place), warnings.catch_warnings(), _guard():
            for name, value in {**folders, "NO_COLOR": "1", "CI": "", **environment}.items():
                patch.setenv(name, value)
            for name, stream in (("stdin", io.TextIOWrapper(io.BytesIO(stdin))), ("stdout", out), ("stderr", err)):
                patch.setattr(sys, name, stream)
            try:
                main([os.fsdecode(argument) for argument in arguments])
            except SystemExit as ended:
                code = ended.code
            finally:
                gc.enable()
        out.flush()
        err.flush()
        assert code is None or isinstance(code, int), code
        return CompletedProcess(arguments, code or 0, out.buffer.getvalue(), err.buffer.getvalue())


@contextmanager
def _guard() -> Iterator[None]:
    """Ends what would not end."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail(f"it did not end within {GUARD} seconds"))
    signal.alarm(GUARD)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
