"""deckgen under a Python that pretends to be on Windows or macOS (`elsewhere.py` says what that is worth): the same comes of it."""

from __future__ import annotations

import http.client
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from processes import GUARD, as_from_a_terminal

from deckgen.compare.package import snapshot

if sys.platform == "linux":
    from elsewhere import ROOT, python_elsewhere

pytestmark = [
    pytest.mark.slow,
    pytest.mark.linux("here nobody needs to pretend"),
]

NOTES = """\
# Тензоры и 张量

```python
import torch
x = torch.arange(6).reshape(2, 3)
print(x.sum(0))  # tensor([3, 5, 7])
print(x.shape)  # torch.Size([3, 2])
print("✓ 你好")  # ✓ 你好
```

```python
import subprocess, sys
from pathlib import Path
Path("left here.txt").write_text("ж")
print(subprocess.run([sys.executable, "-c", "print('below')"], capture_output=True, text=True).stdout)  # below
```

What does `torch.zeros(2).dtype` give? :: `torch.float32`
"""
DEADLY = """\
# Смерть

```python
import os
os.abort()
print(1)  # 1
```

```python
import os
os._exit(3)
print(2)  # 2
```

```python
while True:
    pass
print(3)  # 3
```
"""
ENDS = {"crashed SIGABRT", "exited 3", "timed-out"}
FOLDER = "заметки и 笔记"
NAME, DEADLY_NAME = "проверка 检查.md", "смерть.md"


@dataclass
class Machine:
    """A place with the notes, and the environment that deckgen has there."""

    system: str
    place: Path
    environment: dict[str, str]

    def run(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "deckgen", *arguments]
        return subprocess.run(
            command, input=given, capture_output=True, timeout=GUARD, cwd=self.place, env=self.environment
        )


def _machine(system: str, place: Path, environment: dict[str, str]) -> Machine:
    notes = place / FOLDER
    notes.mkdir(parents=True)
    (notes / NAME).write_bytes(NOTES.replace("\n", "\r\n").encode())
    (notes / DEADLY_NAME).write_text(DEADLY, "utf-8")
    (notes / "deck.toml").write_text('name = "Aux"\nseparators = true\n', "utf-8")
    return Machine(system, place, environment)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """This Linux."""
    home = tmp_path_factory.mktemp("here")
    return _machine("linux", home / "place", {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT)})


@pytest.fixture(scope="module", params=["win32", pytest.param("darwin", marks=pytest.mark.exhaustive)])
def there(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The other system."""
    place = tmp_path_factory.mktemp(request.param)
    yield _machine(request.param, place / "place", python_elsewhere(place / "python", request.param))
    left = [path.name for path in (place / "python").glob("deckgen-*")]
    assert left == [], "temporary folders are gone with their runs"


def test_what_is_verified_comes_to_the_same_verdicts(here: Machine, there: Machine) -> None:
    ours, theirs = (one.run("verify", FOLDER, "--timeout", "3", "--format", "json") for one in (here, there))
    assert (ours.returncode, theirs.returncode) == (1, 1), theirs.stderr.decode()
    expected, found = json.loads(ours.stdout), json.loads(theirs.stdout)
    assert found["sources"] == expected["sources"]
    source, deadly = found["sources"]
    assert (source["path"], deadly["path"]) == (f"{FOLDER}/{NAME}", f"{FOLDER}/{DEADLY_NAME}")
    assert [claim["verdict"] for claim in source["claims"]] == ["holds", "contradicted", "holds", "holds"]
    assert {claim["reason"] for claim in deadly["claims"]} == ENDS
    assert found["environment"]["engine"] == "spawn"
    level = "job" if there.system == "win32" else "rlimits"
    assert found["environment"]["sandbox"].startswith(f"{level} (open: read outside, write outside, ")


def test_a_snippet_that_takes_too_long_is_ended_with_what_it_started(there: Machine) -> None:
    log = Path(there.environment["HOME"], "taskkill.log")
    code = b"```python\nwhile True:\n    pass\nprint(1)  # 1\n```\n"
    assert b"timed-out" in there.run("verify", "-", "--timeout", "2", "--format", "json", given=code).stdout
    assert log.exists() == (there.system == "win32")


def test_a_build_writes_the_same_package_and_lock_whole(here: Machine, there: Machine) -> None:
    arguments = ("build", f"{FOLDER}/{NAME}", "--suggestions", "ship", "--lock", "a.lock")
    ours, theirs = (one.run(*arguments) for one in (here, there))
    assert (ours.returncode, theirs.returncode) == (1, 1), theirs.stderr.decode()
    packages = [one.place / "build" / "Aux_.проверка-检查.apkg" for one in (here, there)]
    for package in packages:
        assert zipfile.ZipFile(io.BytesIO(package.read_bytes())).testzip() is None
    notes = [snapshot(io.BytesIO(package.read_bytes()), "package").notes for package in packages]
    one, other = ([(note.fields, note.tags, note.cards) for note in each] for each in notes)
    assert one == other
    lock = (there.place / "a.lock").read_bytes()
    assert f'"file": "{NAME}"'.encode() in lock
    assert b"\r" not in lock
    assert [path.name for path in there.place.rglob(".deckgen-*")] == []


@pytest.mark.parametrize("arguments", [("inspect",), ("update", "--diff")])
def test_what_is_printed_is_the_same_to_the_byte(here: Machine, there: Machine, arguments: tuple[str, ...]) -> None:
    ours, theirs = (one.run(arguments[0], f"{FOLDER}/{NAME}", *arguments[1:]) for one in (here, there))
    assert (theirs.returncode, theirs.stdout) == (ours.returncode, ours.stdout), theirs.stderr.decode()
    assert b"\\x" not in theirs.stdout


def test_review_serves_its_page_and_ends_when_asked(there: Machine) -> None:
    command = [sys.executable, "-m", "deckgen", "review", FOLDER, "--no-open", "--no-run"]
    process = subprocess.Popen(
        command,
        preexec_fn=as_from_a_terminal,  # noqa: PLW1509 # no thread holds what it needs
        cwd=there.place,
        env=there.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    address = b""
    while not (b"http://127.0.0.1" in address or process.poll() is not None):
        address = process.stdout.readline()
    page = urlsplit(address.decode().split()[-1])
    connection = http.client.HTTPConnection(page.netloc, timeout=GUARD)
    connection.request("GET", page.path)
    assert connection.getresponse().status == 200
    process.terminate()
    assert process.wait(GUARD) in (143, -15)


def test_the_mcp_server_answers_and_ends_with_who_asks(there: Machine) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    cards = [{"front": "What does `torch.ones(2).sum()` give?", "back": "`tensor(3.)`"}]
    told = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "check_cards", "arguments": {"cards": cards}}},
    ]
    command = [sys.executable, "-m", "deckgen", "mcp", "--sandbox", "auto"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=there.environment) as process:
        for one in told:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n")
            process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for one in told if "id" in one]
        process.stdin.close()
        assert process.wait(GUARD) == 0
    (found,) = json.loads(answers[1]["result"]["content"][0]["text"])["cards"]
    assert found["verdict"] == "refuted"
