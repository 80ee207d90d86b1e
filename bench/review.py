"""The page of `deckgen review`: what a decision costs its server, and how long an edit of the source takes to be shown."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bench import bytecode, decks

DECISIONS = 3
FIVE_MINUTES = 300


class Cost(NamedTuple):
    """Of a page with so many notes."""

    decision: float
    """Seconds of the server's processor time, until it rests again."""
    edit: float
    """Seconds until an edit of the source is shown, by the clock."""
    edit_cpu: float
    """Seconds of the server's processor time for that."""


class _Page:
    """A browser that asks and never draws."""

    def __init__(self, address: str, process: int) -> None:
        self.address = urlsplit(address)
        self.process = process
        self.told: dict[str, Any] = {"beat": 0, "version": 0}
        self.notes: list[Mapping[str, Any]] = []

    def ask(self, method: str, path: str, body: object = None) -> Any:
        connection = http.client.HTTPConnection(self.address.netloc, timeout=FIVE_MINUTES)
        given = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, self.address.path + path, None if body is None else json.dumps(body), given)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def listen(self) -> None:
        """Asks for what is new, as the page's script does."""
        self.told = self.ask("GET", f"state?since={self.told['beat']}&have={self.told['version']}")
        if "sources" in self.told:
            self.notes = [note for source in self.told["sources"] for note in source["notes"]]

    def rest(self) -> None:
        """Waits until the server has nothing to do."""
        while not self.told["version"] or self.told["doing"]:
            self.listen()
        before = -1.0
        while (now := self.cpu()) - before > 0.005:
            before = now
            time.sleep(1.0)

    def cpu(self) -> float:
        """Seconds of processor time so far, of all threads, those that have ended among them."""
        return time.clock_gettime((~self.process << 3) | 2)  # as `clock_getcpuclockid` makes it in Linux


@contextmanager
def _served(home: Path, tree: Path) -> Iterator[_Page]:
    environment = {
        **bytecode.environment(tree),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    command = [sys.executable, "-m", "deckgen", "review", "deck", "--no-run", "--no-open"]
    process = subprocess.Popen(
        command, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout
        yield _Page(process.stdout.readline().strip(), process.pid)
    finally:
        process.kill()
        process.communicate()


def measured(tree: Path, count: int = 1000, several: bool = True) -> Cost:
    """A page of so many suggestions, by the deckgen of a tree; the least of some decisions."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "deck").mkdir()
        edited = decks.write(home / "deck", count, several, cards=False)
        with _served(home, tree) as page:
            page.rest()
            costs = []
            for at in range(DECISIONS):
                before = page.cpu()
                page.ask("POST", "decide", {"notes": [page.notes[at]["note"]], "wish": "keep"})
                page.listen()
                page.rest()
                costs.append(page.cpu() - before)
            before, began = page.cpu(), time.monotonic()
            edited.write_text(edited.read_text().replace("It makes `x7` from", "It makes `x7` (edited) from"))
            while not any("(edited)" in card["back"] for note in page.notes for card in note["cards"]):
                page.listen()
            shown = time.monotonic() - began
            page.rest()
            return Cost(min(costs), shown, page.cpu() - before)


if __name__ == "__main__":
    for many in (True, False):
        cost = measured(Path(sys.argv[1] if len(sys.argv) > 1 else os.curdir).resolve(), several=many)
        print(
            "10 files" if many else "one file",
            " ".join(f"{name} {value:.3f}" for name, value in cost._asdict().items()),
        )
