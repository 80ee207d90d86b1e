"""Sessions on a cluster of dask.distributed: real processes on this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from commands import Command
from processes import GUARD

from deckgen.model.errors import UsageError
from deckgen.verify.engine import dask_engine
from deckgen.verify.engine.dask_engine import check, data_of, outcome_of
from deckgen.verify.engine.runner import Outcome, SnippetFrames

pytestmark = pytest.mark.linux("workers of a cluster fork their sessions")

NOTES = "# Sums\n\n" + "\n".join(
    f"## Part {n}\n\n```python\nimport torch\nprint(torch.arange({n}).sum())  # tensor({n * (n - 1) // 2 + (n == 7)})\n```\n"
    for n in range(2, 14)
)
KILLS = """# Kills

```python
import torch, os
print(torch.ones(1))  # tensor([1.])
os.kill(os.getpid(), 9)
print(torch.ones(2))  # tensor([1., 1.])
```

## Fine

```python
import torch
print(torch.ones(2))  # tensor([1., 1.])
```
"""


def test_the_report_is_that_of_the_fork_engine(tmp_path: Path):
    (tmp_path / "notes.md").write_text(NOTES)
    (tmp_path / "kills.md").write_text(KILLS)
    deckgen = Command(tmp_path, tmp_path)
    reports = []
    for more in ((), ("--dask", "local:2")):
        ran = deckgen("verify", ".", "--no-cache", "--format", "json", *more)
        assert ran.returncode == 1
        reports.append(json.loads(ran.stdout))
    environments = [report.pop("environment") for report in reports]
    assert environments[1].pop("engine") == "dask"
    assert environments[0].pop("engine") == "fork"
    assert environments[0] == environments[1]
    assert reports[0] == reports[1]
    assert reports[0]["summary"]["claims"]["contradicted"] == 1


def test_a_worker_that_is_killed_loses_nothing_and_nothing_is_left(tmp_path: Path):
    text = "# Slow\n\n" + "\n".join(
        f"## Part {n}\n\n```python\nimport torch, time\ntime.sleep(0.5)\nprint(torch.tensor({n}))  # tensor({n})\n```\n"
        for n in range(24)
    )
    (tmp_path / "notes.md").write_text(text)
    command = [
        sys.executable,
        "-m",
        "deckgen",
        "verify",
        "notes.md",
        "--no-cache",
        "--dask",
        "local:2",
        "--format",
        "json",
    ]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    tree = psutil.Process(running.pid)
    seen: dict[int, psutil.Process] = {}
    killed, began = 0, time.monotonic()
    while running.poll() is None and time.monotonic() - began < GUARD:
        below = tree.children(recursive=True) if tree.is_running() else []
        seen.update({one.pid: one for one in below})
        at_work = any("deckgen/verify/worker" in " ".join(_command(one)) for one in below)
        if at_work and not killed and time.monotonic() - began > 6:
            next(one for one in tree.children() if "spawn_main" in " ".join(_command(one))).send_signal(signal.SIGKILL)
            killed += 1
        time.sleep(0.1)
    out, _ = running.communicate()
    assert (running.returncode, killed) == (0, 1)
    assert json.loads(out)["summary"]["claims"]["held"] == 24
    _, left = psutil.wait_procs([*seen.values()], timeout=10)
    assert left == []


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.parametrize(
    ("address", "sandbox", "told"),
    [
        ("10.0.0.5:8786", "auto", "not encrypted"),
        ("tcp://example.org:8786", "auto", "not encrypted"),
        ("local:0", "auto", "no scheduler"),
        ("http://127.0.0.1", "auto", "no scheduler"),
        ("local:2", "off", "needs the sandbox"),
    ],
)
def test_clusters_that_anybody_could_command_are_refused(address: str, sandbox: str, told: str):
    with pytest.raises(UsageError, match=told):
        check(address, sandbox)


@pytest.mark.parametrize(
    "address", ["local:4", "127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786", "tls://example.org:8786"]
)
def test_clusters_of_this_machine_and_encrypted_ones_are_taken(address: str):
    check(address, "auto")


def test_without_a_scheduler_there_is_a_message(tmp_path: Path):
    (tmp_path / "notes.md").write_text(NOTES)
    ran = Command(tmp_path, tmp_path)("verify", "notes.md", "--no-cache", "--dask", "tcp://127.0.0.1:1")
    assert ran.returncode == 4
    assert "there is no cluster at tcp://127.0.0.1:1" in ran.stderr


@pytest.mark.parametrize(("scheme", "said"), [("tcp", "there is no cluster"), ("tls", "where your certificates are")])
def test_what_is_no_scheduler_and_what_lacks_certificates_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, said: str
):
    monkeypatch.setattr(dask_engine, "CONNECTING", 1.0)
    (tmp_path / "notes.md").write_text(NOTES)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}"
        ran = Command(tmp_path, tmp_path)("verify", "notes.md", "--no-cache", "--dask", address)
    assert (ran.returncode, said in ran.stderr) == (4, True), ran.stderr


def test_an_outcome_survives_json():
    frames = SnippetFrames(events=[{"text": "1"}], end={"end": 0, "events": 1})
    outcome = Outcome(
        snippets={3: frames}, culprit=3, reason="timed-out", imports={"numpy": None}, cpu=0.5, delayed=None
    )
    assert outcome_of(json.loads(json.dumps(data_of(outcome)))) == outcome
