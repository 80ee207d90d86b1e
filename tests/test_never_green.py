"""Never green by accident: the exit statuses of real runs in which something could not be checked."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command
from processes import GUARD

pytestmark = pytest.mark.slow

NOTES = """\
# Notes

## What does it print?

```python
import torch
print(torch.ones(2))  # tensor([1., 1.])
```

## And this?

<!-- deckgen: keep -->

```python
import of_my_own
print(of_my_own.value)  # 3
```
"""
DRIFTS = (
    "# Notes\n\n## What is a third?\n\n```python\nimport torch\nprint(torch.tensor(1 / 3))  # tensor(0.3334)\n```\n"
)
NAMES = "# Notes\n\n## Names\n\n| name | meaning |\n|---|---|\n| `torch.ones(size)` | ones |\n| `torch.onez(size)` | none |\n"
DYING = (
    "# Notes\n\n## What does it print?\n\n```python\nimport os\nprint(1)  # 1\n{end}\nprint(2)  # 2\n```\n\n"
    "```python\nprint(3)  # 3\n```\n"
)

Deckgen = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    (folder / "of_my_own.py").write_text("value = 3\n")
    return folder


@pytest.fixture
def deckgen(tmp_path: Path, packages: Path) -> Deckgen:
    place = tmp_path / "place"
    place.mkdir()
    command = Command(place, tmp_path)

    def run(*arguments: str, notes: str = NOTES, own: bool = True) -> subprocess.CompletedProcess[str]:
        (place / "notes.md").write_text(notes)
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv("PYTHONPATH", raising=False)
            if own:
                patch.setenv("PYTHONPATH", str(packages))
                patch.syspath_prepend(packages)
            return command(*arguments)

    return run


def test_a_claim_that_was_checked_once_and_is_no_longer_is_lost(deckgen: Deckgen) -> None:
    assert deckgen("build", "notes.md").returncode == 0
    for command in ("verify", "build"):
        lost = deckgen(command, "notes.md", own=False)
        assert lost.returncode == 1, lost.stdout + lost.stderr
        assert "lost: " in lost.stdout + lost.stderr
        assert "missing-module of_my_own" in lost.stdout + lost.stderr
    assert deckgen("verify", "notes.md").returncode == 0


def test_a_claim_that_was_never_checked_is_not_lost(deckgen: Deckgen) -> None:
    assert deckgen("build", "notes.md", own=False).returncode == 0
    assert deckgen("verify", "notes.md", own=False).returncode == 0


LEAST = {("1", True): 0, ("2", True): 0, ("2", False): 1, ("50%", False): 0, ("51%", False): 1, ("100%", True): 0}


def test_min_checked_counts_what_was_really_checked(deckgen: Deckgen) -> None:
    for (least, own), code in LEAST.items():
        ran = deckgen("verify", "notes.md", "--min-checked", least, own=own)
        assert ran.returncode == code, (least, own, ran.stdout, ran.stderr)
        assert ("--min-checked wants" in ran.stdout + ran.stderr) == bool(code)


def test_claims_of_which_none_could_be_checked_are_no_success(deckgen: Deckgen) -> None:
    only = NOTES[: NOTES.index("## What")] + NOTES[NOTES.index("## And") :]
    ran = deckgen("verify", "notes.md", notes=only, own=False)
    assert ran.returncode == 1
    assert "none could be checked" in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("words", "code"), [(None, 0), ("drift-digits", 1), ("any", 1), ("none", 0), ("contradicted,error", 0)]
)
def test_fail_on_says_what_fails(deckgen: Deckgen, words: str | None, code: int) -> None:
    options = ["--fail-on", words] if words else []
    assert deckgen("verify", "notes.md", *options, notes=DRIFTS).returncode == code


def test_fail_on_unverified_fails_where_something_is_missing(deckgen: Deckgen) -> None:
    assert deckgen("verify", "notes.md", "--fail-on", "unverified", own=False).returncode == 1
    assert deckgen("verify", "notes.md", "--fail-on", "unverified").returncode == 0


@pytest.mark.parametrize(
    ("words", "code"), [(None, 1), ("none", 0), ("none,missing", 0), ("missing", 1), ("none,renamed", 1)]
)
def test_fail_on_knows_the_words_of_names_too(deckgen: Deckgen, words: str | None, code: int) -> None:
    options = ["--fail-on", words] if words else []
    ran = deckgen("verify", "notes.md", *options, notes=NAMES)
    assert ran.returncode == code, ran.stdout


ENDS = {
    "sys.exit": ("import sys; sys.exit(0)", "exited"),
    "os._exit": ("os._exit(0)", "exited 0"),
    "a crash": ("import ctypes; ctypes.string_at(0)", "crashed SIGSEGV"),
    "closing its streams and leaving": ("import sys; sys.stdout.close(); os._exit(0)", "exited 0"),
    "a loop": ("while True: pass", "timed-out"),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_snippet_that_ends_early_is_no_pass_and_the_next_one_is_checked(deckgen: Deckgen, end: str) -> None:
    code, reason = ENDS[end]
    timeout = "3" if reason == "timed-out" else str(GUARD)
    ran = deckgen("verify", "notes.md", "--timeout", timeout, "--fail-on", "any", notes=DYING.replace("{end}", code))
    assert ran.returncode == 1, ran.stdout
    assert reason in ran.stdout
    assert "3 found" in ran.stdout


@pytest.mark.posix("takes rights away")
def test_a_worker_that_cannot_import_torch_is_exit_4_and_says_why_once(deckgen: Deckgen, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "torch").mkdir(parents=True)
    (broken / "torch" / "__init__.py").write_text("raise OSError('libtorch_cpu.so: cannot open shared object file')")
    (broken / "torch" / "version.py").write_text("__version__ = '9.9.9'\n")
    wrapper = tmp_path / "python"
    wrapper.write_text(f'#!/bin/sh\nPYTHONPATH={broken} exec {sys.executable} "$@"\n')
    wrapper.chmod(0o755)
    for command in ("verify", "build"):
        ran = deckgen(command, "notes.md", "--python", str(wrapper))
        assert ran.returncode == 4, ran.stdout + ran.stderr
        assert ran.stderr.count("libtorch_cpu.so") == 1
        assert "--python" in ran.stderr


def test_a_wrong_option_is_exit_2(deckgen: Deckgen) -> None:
    for options in (["--fail-on", "fasle"], ["--min-checked", "120%"], ["--device", "gpu"], ["--timeout", "0"]):
        assert deckgen("verify", "notes.md", *options).returncode == 2, options
