"""A server of `deckgen review` in a process of its own, as an author starts it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from processes import GUARD, as_from_a_terminal


@dataclass(frozen=True)
class Served:
    """The server and its address."""

    process: subprocess.Popen[str]
    address: str

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def path(self) -> str:
        return urlsplit(self.address).path

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; `path` below the token unless it begins with a slash."""
        given = {"Content-Type": "application/json"} if body is not None else {}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, timeout=GUARD)
        try:
            where = path if path.startswith("/") else self.path + path
            connection.request(method, where, None if body is None else json.dumps(body), given)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def notes(self) -> dict[str, dict[str, Any]]:
        """What is shown, by title; waits until the notes were read."""
        told: dict[str, Any] = {"beat": 0, "version": 0}
        sources: Sequence[dict[str, Any]] = ()
        while not told["version"] or told["doing"]:
            told = json.loads(self.ask("GET", f"state?since={told['beat']}&have=0")[2])
            sources = told["sources"] if told["version"] else ()
        return {note["title"]: note for source in sources for note in source["notes"]}

    def decide(self, *notes: str, wish: str | None) -> int:
        return self.ask("POST", "decide", {"notes": notes, "wish": wish})[0]


@contextmanager
def served(place: Path, *arguments: str) -> Iterator[Served]:
    """A server in a folder, which is ended at the end."""
    environment = os.environ | {"XDG_CACHE_HOME": str(place / "cache"), "XDG_DATA_HOME": str(place / "data")}
    command = [sys.executable, "-m", "deckgen", "review", "--no-open", *arguments]
    process = subprocess.Popen(
        command,
        preexec_fn=as_from_a_terminal if os.name == "posix" else None,  # noqa: PLW1509 # no thread holds what it needs
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout
        yield Served(process, process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()
