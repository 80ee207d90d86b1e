"""`deckgen verify` with several interpreters: what differs between them, and what is broken."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Command
from environments import environment
from schemas import hold

NOTES = """# Mine

```python
import torch, mylib
print(torch.tensor(mylib.f()))  # tensor(2)
print(torch.arange(4).sum())  # tensor(6)
print(torch.arange(5).sum())  # tensor(11)
```
"""


@pytest.fixture
def pythons(tmp_path: Path) -> list[str]:
    return [str(environment(tmp_path / name, returns)) for name, returns in (("old", 1), ("new", 2))]


@pytest.fixture
def deckgen(tmp_path: Path) -> Command:
    (tmp_path / "notes.md").write_text(NOTES)
    return Command(tmp_path, tmp_path)


def asked(pythons: list[str]) -> list[str]:
    return [word for python in pythons for word in ("--python", python)]


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_what_differs_is_a_table_and_what_is_false_everywhere_is_told_once(deckgen: Command, pythons: list[str]):
    ran = deckgen("verify", "notes.md", *asked(pythons))
    assert ran.returncode == 1
    assert ran.stdout.count("notes.md:7: contradicted: `tensor(11)`: 11 claimed, torch has 10\n") == 1
    (row,) = [line for line in ran.stdout.splitlines() if line.startswith("notes.md:5")]
    assert row.split("  ")[:2] == ["notes.md:5", "`tensor(2)`"]
    assert "contradicted: tensor(1)" in row
    assert row.rstrip().endswith("holds")
    assert [line.partition(": Python")[0] for line in ran.stdout.splitlines()[-2:]] == pythons


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_where_nothing_was_run_no_place_is_told(deckgen: Command, pythons: list[str], tmp_path: Path):
    (tmp_path / "empty").mkdir()
    ran = deckgen("verify", "empty", *asked(pythons))
    assert ran.returncode == 1
    assert ran.stdout.count(": exit 1: nothing was run; nothing was found in these sources") == len(pythons)
    assert "Python ," not in ran.stdout


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_programs_are_told_of_every_claim(deckgen: Command, pythons: list[str], tmp_path: Path):
    reports = [f"junit={tmp_path / 'junit.xml'}", f"html={tmp_path / 'page.html'}"]
    ran = deckgen(
        "verify",
        "notes.md",
        "--format",
        "json",
        *asked(pythons),
        *(part for one in reports for part in ("--report", one)),
    )
    found = json.loads(hold(ran.stdout))
    assert found["schema"] == "deckgen.matrix/1"
    assert [[cell["verdict"] for cell in row["cells"]] for row in found["rows"] if row["kind"] == "claim"] == [
        ["contradicted", "holds"],
        ["holds", "holds"],
        ["contradicted", "contradicted"],
    ]
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == list(zip(pythons, "21", strict=True))
    assert "default-src 'none'" in (tmp_path / "page.html").read_text()


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_a_broken_environment_is_a_column_and_the_others_stand(deckgen: Command, pythons: list[str], tmp_path: Path):
    (packages,) = (tmp_path / "old").glob("lib/python*/site-packages")
    (packages / "all.pth").unlink()
    ran = deckgen("verify", "notes.md", *asked([*pythons, "no-python"]))
    assert ran.returncode == 4
    assert f"{pythons[0]}: exit 4: nothing could be run: {pythons[0]} has no torch\n" in ran.stdout
    assert "no-python: exit 4: nothing could be run: no-python is not a Python that starts" in ran.stdout
    assert "exit 1; 1 claim is false" in ran.stdout


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_several_environments_are_remembered_until_one_of_them_changes(
    deckgen: Command, pythons: list[str], tmp_path: Path
):
    first = deckgen("verify", "notes.md", *asked(pythons)).stdout
    again = deckgen("verify", "notes.md", *asked(pythons)).stdout
    assert "engine: fork" in first or "engine: spawn" in first
    assert again.count("engine: cache") == 2
    (packages,) = (tmp_path / "old").glob("lib/python*/site-packages")
    (packages / "mylib.py").write_text("def f():\n    return 3\n")
    assert "contradicted: tensor(3)" in deckgen("verify", "notes.md", *asked(pythons)).stdout


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_one_interpreter_is_remembered_as_our_own_is(deckgen: Command, pythons: list[str], tmp_path: Path):
    assert "engine: cache" not in deckgen("verify", "notes.md", *asked(pythons[1:])).stdout
    assert "engine: cache" in deckgen("verify", "notes.md", *asked(pythons[1:])).stdout
    (packages,) = (tmp_path / "new").glob("lib/python*/site-packages")
    (packages / "mylib.py").write_text("def f():\n    return 3\n")
    ran = deckgen("verify", "notes.md", *asked(pythons[1:]))
    assert "torch has 3" in ran.stdout


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_formats_that_cannot_tell_of_several_are_refused(deckgen: Command, pythons: list[str]):
    ran = deckgen("verify", "notes.md", "--format", "sarif", *asked(pythons))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "formats: text, json, junit, html" in ran.stderr


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_only_verify_takes_several(deckgen: Command, pythons: list[str]):
    ran = deckgen("build", "notes.md", *asked(pythons))
    assert ran.returncode == 2
    assert "`deckgen verify` and `update --since` alone compare several" in ran.stderr


# --- devices ---

ON_A_GPU = """# Devices

```python
import torch
print(torch.ones(2, device="cuda").device)  # cuda:0
print(torch.ones(2).sum())  # tensor(2.)
```
"""


@pytest.fixture
def on_a_gpu(tmp_path: Path) -> Command:
    (tmp_path / "notes.md").write_text(ON_A_GPU)
    return Command(tmp_path, tmp_path)


def columns(printed: str) -> dict[str, tuple[str | None, int]]:
    """Device and exit status of each column, by what its name says of the device."""
    found = json.loads(hold(printed))["environments"]
    return {
        one["name"].rpartition(" ")[2]: (one["environment"] and one["environment"]["device"], one["exit_code"])
        for one in found
    }


def test_each_device_is_a_column(on_a_gpu: Command):
    ran = on_a_gpu("verify", "notes.md", "--device", "cpu,emulated", "--format", "json")
    assert columns(ran.stdout) == {"cpu": ("cpu", 0), "emulated": ("cuda-emulated", 0)}
    first, *_ = json.loads(ran.stdout)["rows"]
    assert [cell["verdict"] for cell in first["cells"]] == ["unverified", "holds"]


def test_a_device_that_is_not_here_is_a_broken_column_and_is_not_emulated(on_a_gpu: Command):
    ran = on_a_gpu("verify", "notes.md", "--device", "cpu,cuda")
    assert ran.returncode == 4
    (told,) = [line for line in ran.stdout.splitlines() if "nothing could be run" in line]
    assert " cuda: exit 4: nothing could be run: there is no CUDA device" in told
    assert "emulated" not in ran.stdout


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_each_interpreter_has_a_column_of_each_device(on_a_gpu: Command, pythons: list[str]):
    ran = on_a_gpu("verify", "notes.md", "--device", "cpu,emulated", "--format", "json", *asked(pythons))
    names = [one["name"] for one in json.loads(hold(ran.stdout))["environments"]]
    assert names == [f"{python} {device}" for python in pythons for device in ("cpu", "emulated")]


def test_several_devices_are_remembered(on_a_gpu: Command):
    on_a_gpu("verify", "notes.md", "--device", "cpu,emulated")
    assert on_a_gpu("verify", "notes.md", "--device", "cpu,emulated").stdout.count("engine: cache") == 2


def test_only_verify_takes_several_devices_and_knows_all_of_them(on_a_gpu: Command):
    built = on_a_gpu("build", "notes.md", "--device", "cpu,cuda")
    assert (built.returncode, "`deckgen verify` alone compares them" in built.stderr) == (2, True)
    wrong = on_a_gpu("verify", "notes.md", "--device", "cpu,cudda")
    assert (wrong.returncode, "did you mean `cuda`?" in wrong.stderr) == (2, True)


# --- environments that uv makes: a program of that name stands in for it, since an index is not asked in tests ---

UV = """#!/bin/sh
for last; do :; done
case "$1 $2" in
"venv "*) mkdir -p "$last/bin" && printf '#!/bin/sh\\nexec {python} "$@"\\n' > "$last/bin/python" && chmod +x "$last/bin/python";;
"pip compile") echo "torch==2.99.0+cpu";;
"pip install") case "$*" in *torch==2.5.*) echo "No space left on device" >&2; exit 2;; esac;;
esac
echo "$1 $2" >> {log}
"""


@pytest.fixture
def uv(tmp_path: Path) -> str:
    folder = tmp_path / "commands"
    folder.mkdir()
    (folder / "uv").write_text(UV.format(python=environment(tmp_path / "behind", 2), log=tmp_path / "uv.log"))
    (folder / "uv").chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


@pytest.mark.posix("takes rights away")
def test_an_environment_is_made_once_and_whole_or_not_at_all(deckgen: Command, uv: str, tmp_path: Path):
    ran = deckgen("verify", "notes.md", "--torch", "2.4,2.5,newest", PATH=uv)
    assert ran.returncode == 4
    assert "2.5: exit 4: nothing could be run: `uv pip install` failed: No space left on device\n" in ran.stdout
    made = sorted(one.name for one in (tmp_path / "cache" / "deckgen" / "environments").iterdir())
    assert [name.partition("-cp")[0] for name in made] == ["torch-2.4", "torch-2.99.0"]
    assert "torch-2.4-cp" in deckgen("cache", "info").stdout
    before = (tmp_path / "uv.log").read_text()
    assert deckgen("verify", "notes.md", "--torch", "2.4", PATH=uv).returncode == 1
    assert (tmp_path / "uv.log").read_text() == before
    deckgen("cache", "clear")
    assert "torch-2.4" not in deckgen("cache", "info").stdout


@pytest.mark.posix("runs a script of a shell")
def test_a_killed_uv_leaves_nothing_that_is_taken_for_an_environment(deckgen: Command, uv: str, tmp_path: Path):
    (tmp_path / "commands" / "uv").write_text('#!/bin/sh\nfor last; do :; done\nmkdir -p "$last/bin"\nkill -9 $$\n')
    ran = deckgen("verify", "notes.md", "--torch", "2.4", PATH=uv)
    assert ran.returncode == 4
    assert "`uv venv" in ran.stderr
    assert list((tmp_path / "cache" / "deckgen" / "environments").iterdir()) == []


def test_without_uv_there_is_a_message(deckgen: Command, tmp_path: Path):
    ran = deckgen("verify", "notes.md", "--torch", "2.4", PATH=str(tmp_path))
    assert ran.returncode == 2
    assert "pip install uv" in ran.stderr
    assert deckgen("verify", "notes.md", "--torch", "2.x").returncode == 2
