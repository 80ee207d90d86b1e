"""Systems that lack a layer of the sandbox, made by a filter that refuses what the layer needs."""

import ctypes
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from schemas import hold

NUMBERS = {"x86_64": (272, 157, 317), "aarch64": (97, 167, 277)}

pytestmark = [
    pytest.mark.own_workers,
    pytest.mark.slow,
    pytest.mark.linux("filters of its system calls"),
    pytest.mark.skipif(platform.machine() not in NUMBERS, reason="filters for two machines"),
]

LACKING = """
import ctypes, errno, os, struct, sys
UNSHARE, PRCTL, SECCOMP = {numbers}
lacking = {lacking}
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
program = [(LOAD, 0, 0, 0)]
def refuse(number, error):
    program.extend([(EQUAL, 0, 1, number), (RETURN, 0, 0, 0x50000 | error)])
if "landlock" in lacking:
    refuse(444, errno.ENOSYS)
if "namespaces" in lacking:
    refuse(UNSHARE, errno.EPERM)
if "seccomp" in lacking:
    refuse(SECCOMP, errno.ENOSYS)
    # prctl(PR_SET_SECCOMP), whatever else prctl is asked for
    program.extend([(EQUAL, 0, 3, PRCTL), (LOAD, 0, 0, 16), (EQUAL, 0, 1, 22), (RETURN, 0, 0, 0x50000 | errno.EINVAL)])
program.append((RETURN, 0, 0, 0x7FFF0000))
packed = b"".join(struct.pack("=HBBI", *one) for one in program)
buffer = ctypes.create_string_buffer(packed, len(packed))
class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]
filter = Filter(len(program), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
if libc.prctl(22, 2, ctypes.byref(filter), 0, 0):
    sys.exit(f"no filter: {{os.strerror(ctypes.get_errno())}}")
os.execv({python!r}, [{python!r}, *sys.argv[1:]])
"""

NOTES = """\
# Notes

## What does it print?

```python
import torch
print(torch.ones(2))  # tensor([1., 1.])
```
"""


def interpreter_lacking(folder: Path, *layers: str) -> Path:
    """This interpreter on a system that lacks these layers."""
    numbers = NUMBERS[platform.machine()]
    program = folder / "lacking.py"
    program.write_text(LACKING.format(numbers=numbers, lacking=layers, python=sys.executable))
    wrapper = folder / "python"
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} {program} "$@"\n')
    wrapper.chmod(0o755)
    ran = subprocess.run([wrapper, "-c", "print(1)"], capture_output=True, text=True)
    if ran.returncode:
        pytest.skip(f"filters are refused here: {ran.stderr.strip()}")
    return wrapper


def verified(folder: Path, python: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "notes.md").write_text(NOTES)
    command = [sys.executable, "-m", "deckgen", "verify", "notes.md", "--format", "json", "--no-cache"]
    return subprocess.run([*command, "--python", str(python), *options], capture_output=True, text=True, cwd=folder)


def level(ran: subprocess.CompletedProcess[str]) -> str:
    """The level that the report names, of a run that has judged its claim."""
    report = json.loads(hold(ran.stdout))
    assert [claim["verdict"] for source in report["sources"] for claim in source["claims"]] == ["holds"], ran.stderr
    assert ran.returncode == 0, ran.stderr
    return str(report["environment"]["sandbox"])


def has_landlock() -> bool:
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1)) > 0)


WITHOUT_SECCOMP = [
    "open a network socket", "change the parent's limits", "leave shared memory behind",
    "take memory that counts for nobody", "leave the process group", "have others wait for a file",
    "take what is counted for the user",
]  # fmt: skip
WITHOUT_ROOT_AND_SECCOMP = [
    *WITHOUT_SECCOMP, "change a mode outside", "change a time outside", "change an attribute outside",
    "connect to a socket with a path", "send to a socket with a path", "send over a pair to a socket with a path",
]  # fmt: skip
WITHOUT_ROOT_AND_LANDLOCK = [
    "read outside", "write outside", "list the home folder", "use the machine's shared memory",
]  # fmt: skip
LEVELS: dict[tuple[str, ...], list[str]] = {
    (): [],
    ("namespaces",): [],
    ("landlock",): [],
    ("seccomp",): [*WITHOUT_SECCOMP, "make a namespace"],
    ("landlock", "namespaces"): WITHOUT_ROOT_AND_LANDLOCK,
    ("seccomp", "namespaces"): WITHOUT_ROOT_AND_SECCOMP,
    ("landlock", "seccomp", "namespaces"): [
        *WITHOUT_ROOT_AND_SECCOMP, *WITHOUT_ROOT_AND_LANDLOCK, "signal the parent", "connect to an abstract socket",
    ],
}  # fmt: skip
"""What is missing -> the forbidden acts that the report must call open; as root, the kernel's settings besides."""


@pytest.mark.parametrize("lacking", LEVELS, ids=[" and ".join(one) or "nothing" for one in LEVELS])
def test_what_a_system_lacks_is_said_and_the_notes_are_checked_all_the_same(
    tmp_path: Path, lacking: tuple[str, ...]
) -> None:
    said = level(verified(tmp_path, interpreter_lacking(tmp_path, *lacking)))
    for layer in lacking:
        assert layer not in said.partition(" ")[0]
    assert said.partition(" ")[0].endswith("rlimits")
    acts = said.partition("(open: ")[2].rstrip(")").split(", ") if "(" in said else []
    assert {*acts} - {"write the kernel's settings"} == {*LEVELS[lacking]}


@pytest.mark.parametrize("lacking", ["landlock", "seccomp"])
def test_require_refuses_what_is_not_complete(tmp_path: Path, lacking: str) -> None:
    ran = verified(tmp_path, interpreter_lacking(tmp_path, lacking), "--sandbox", "require")
    assert ran.returncode == 4
    assert ran.stdout == ""
    assert "no complete sandbox" in ran.stderr
    assert all(act in ran.stderr for act in LEVELS[lacking,])
    assert "--sandbox auto" in ran.stderr


@pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock")
def test_require_is_content_without_namespaces(tmp_path: Path) -> None:
    ran = verified(tmp_path, interpreter_lacking(tmp_path, "namespaces"), "--sandbox", "require")
    assert level(ran).endswith("seccomp+rlimits")


def test_off_is_off_and_said(tmp_path: Path) -> None:
    assert level(verified(tmp_path, Path(sys.executable), "--sandbox", "off")) == "off"


WORKERS = """\
```python
import torch
from torch.utils.data import DataLoader
for batch in DataLoader(torch.arange(4), batch_size=4, num_workers=2):
    print(batch)  # tensor([0, 1, 2, 3])
```
"""


def test_what_a_poorer_system_could_not_do_is_tried_on_a_full_one(tmp_path: Path) -> None:
    poor = interpreter_lacking(tmp_path, "namespaces")
    (tmp_path / "notes.md").write_text(WORKERS)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}

    def verdict(python: str | Path) -> tuple[str, str, str]:
        """Of deckgen itself on that system: (verdict, engine, layers)."""
        command = [python, "-m", "deckgen", "verify", "notes.md", "--format", "json"]
        report = json.loads(subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment).stdout)
        ((claim,),) = (source["claims"] for source in report["sources"])
        return claim["verdict"], report["environment"]["engine"], report["environment"]["sandbox"]

    assert [verdict(poor)[:2] for _ in range(2)] == [("unverified", "fork"), ("unverified", "cache")]
    (tmp_path / "notes.md").write_text("\n" + WORKERS)
    assert [verdict(python)[0] for python in (poor, sys.executable)] == ["unverified", "holds"]
    assert verdict(sys.executable)[:2] == ("holds", "cache")
    assert "namespaces" not in verdict(poor)[2]
