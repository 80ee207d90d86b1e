"""Who kills what: workers that die are replaced, and a deckgen that dies leaves nothing behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import GUARD, as_from_a_terminal, children, eventually, processes
from running import observe_snippets

from deckgen.model.observation import Observation
from deckgen.verify import VerifyOptions
from deckgen.verify.engine.runner import WORKER

pytestmark = [
    pytest.mark.own_workers,
    pytest.mark.slow,
    pytest.mark.linux("looks at processes in /proc"),
]


def printed(seen: Observation) -> str:
    return "".join(event.text for event in seen.events if event.kind == "stdout")


def test_a_worker_that_is_killed_is_started_again_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # a folder that sessions may read
    mark, may_end = str(6_000_000 + os.getpid()), tmp_path / "may-end"
    slow = (
        f"import os, subprocess, time\nsubprocess.Popen(['sleep', '{mark}'])\n"
        f"while not os.path.exists({str(may_end)!r}): time.sleep(0.05)\nprint(1)"
    )
    seen: list[Observation] = []
    options = VerifyOptions(use_cache=False, jobs=2, timeout=GUARD)
    run = threading.Thread(
        target=lambda: seen.extend(observe_snippets([(slow, ()), (slow, ()), ("print(2)", ())], options))
    )
    others = set(children(os.getpid(), str(WORKER)))
    run.start()
    assert eventually(lambda: len(processes(f"sleep {mark}")) == 2)
    (worker,) = set(children(os.getpid(), str(WORKER))) - others
    os.kill(worker, signal.SIGKILL)
    may_end.touch()
    run.join(GUARD)
    assert [(one.status, printed(one)) for one in seen] == [("ran", "1\n"), ("ran", "1\n"), ("ran", "2\n")]
    assert eventually(lambda: set(children(os.getpid(), str(WORKER))) <= others)


def test_a_snippet_that_kills_its_worker_each_time_loses_only_itself() -> None:
    kill = "import os, signal\nprint(1)\nos.kill(os.getppid(), signal.SIGKILL)\nimport time; time.sleep(60)"
    options = VerifyOptions(use_cache=False, sandbox="off", jobs=1)
    before, killer, after = observe_snippets([("print(0)", ()), (kill, ()), ("print(2)", ())], options)
    assert [printed(one) for one in (before, after)] == ["0\n", "2\n"]
    assert (killer.status, killer.reason) == ("error", "worker-killed")


NOTES = """\
# Notes

## What is slow?

```python
import subprocess
subprocess.run(["sleep", "{mark}"])
print(1)  # 1
```
"""


@pytest.fixture
def deck(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    mark = str(5_000_000 + os.getpid())
    (tmp_path / "temporary").mkdir()
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "slow.md").write_text(NOTES.replace("{mark}", mark))
    yield folder, mark
    for pid in processes(f"sleep {mark}"):
        os.kill(pid, signal.SIGKILL)


def running(folder: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        preexec_fn=as_from_a_terminal,  # noqa: PLW1509 # nothing here has threads
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={
            **os.environ,
            "TMPDIR": str(folder.parent / "temporary"),
            "XDG_CACHE_HOME": str(folder.parent / "cache"),
            "XDG_DATA_HOME": str(folder.parent / "data"),
        },
    )


SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
if sys.platform != "win32":
    SIGNALS += [(signal.SIGHUP, 129), (signal.SIGKILL, -9)]


@pytest.mark.parametrize(
    ("command", "number", "code"),
    [*(("build", *one) for one in SIGNALS), ("verify", *SIGNALS[0]), ("update", *SIGNALS[1])],
)
def test_a_deckgen_that_is_stopped_leaves_no_process_no_folder_and_no_file(
    deck: tuple[Path, str], command: str, number: signal.Signals, code: int
) -> None:
    folder, mark = deck
    before = sorted(folder.rglob("*"))
    with running(folder, sys.executable, "-m", "deckgen", command, "slow.md") as deckgen:
        assert eventually(lambda: bool(processes(f"sleep {mark}"))), deckgen.communicate()[0]
        made = list((folder.parent / "temporary").iterdir())
        deckgen.send_signal(number)
        said = deckgen.communicate(timeout=GUARD)[0]
    assert deckgen.returncode == code, said
    assert "Traceback" not in said
    assert eventually(lambda: not processes(f"sleep {mark}"))
    assert made
    assert eventually(lambda: not any((folder.parent / "temporary").iterdir()))
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(("number", "code"), SIGNALS[:2], ids=[one.name for one, _ in SIGNALS[:2]])
def test_a_deckgen_that_is_stopped_while_torch_is_being_imported_does_not_wait_for_it(
    deck: tuple[Path, str], number: signal.Signals, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, mark = deck
    torch = folder.parent / "libraries" / "torch"
    torch.mkdir(parents=True)
    (torch / "__init__.py").write_text(f"import subprocess\nsubprocess.run(['sleep', '{mark}'])\n")
    (torch / "version.py").write_text("__version__ = '2.13.0'\n")
    monkeypatch.setenv("PYTHONPATH", str(torch.parent))
    with running(folder, sys.executable, "-m", "deckgen", "verify", "slow.md") as deckgen:
        assert eventually(lambda: bool(processes(f"sleep {mark}"))), deckgen.communicate()[0]
        deckgen.send_signal(number)
        said = deckgen.communicate(timeout=GUARD)[0]
    assert deckgen.returncode == code, said
    assert "Traceback" not in said
    assert eventually(lambda: not processes(f"sleep {mark}"))
    assert eventually(lambda: not any((folder.parent / "temporary").iterdir()))


SPAWN = """
import sys
sys.path.insert(0, "{tests}")
from running import observe_snippets
from deckgen.verify import VerifyOptions
code = "import os, subprocess, time\\nif os.fork() == 0: os.setsid(); subprocess.run(['sleep', '{mark}'])\\ntime.sleep(99)"
observe_snippets([(code, ()), (code, ())], VerifyOptions(use_cache=False, jobs=2, engine="spawn", sandbox="off", timeout=3600))
"""


def test_the_spawn_engine_leaves_nothing_either_when_deckgen_is_killed(deck: tuple[Path, str]) -> None:
    folder, mark = deck
    with running(
        folder, sys.executable, "-c", SPAWN.replace("{mark}", mark).replace("{tests}", str(Path(__file__).parents[1]))
    ) as deckgen:
        assert eventually(lambda: len(processes(f"sleep {mark}")) == 2), deckgen.communicate()[0]
        deckgen.kill()
        deckgen.communicate(timeout=GUARD)
    assert eventually(lambda: not processes(f"sleep {mark}"))
    assert eventually(lambda: not any((folder.parent / "temporary").iterdir()))


def test_a_daemon_does_not_outlive_a_spawned_session_either(deck: tuple[Path, str]) -> None:
    _, mark = deck
    code = f"import os, subprocess\nif os.fork() == 0: os.setsid(); subprocess.run(['sleep', '{mark}'])\nprint(1)"
    (seen,) = observe_snippets([(code, ())], VerifyOptions(use_cache=False, engine="spawn", sandbox="off"))
    assert printed(seen) == "1\n"
    assert eventually(lambda: not processes(f"sleep {mark}"))
