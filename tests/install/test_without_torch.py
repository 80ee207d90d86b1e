"""deckgen imports neither torch nor numpy itself: without them it does all that runs no code, and says what is missing for the rest."""

import json
from pathlib import Path

import pytest
from installing import environment, install, required

NOTES = """\
# Sums

### What does `torch.sum` do?

It adds all elements.

```python
import torch
print(torch.arange(4).sum())  # prints tensor(6)
```
"""
OF_NUMPY = """
```python
import torch
print(torch.tensor([1, 2]).numpy())  # prints [1 2]
```

```python
import torch, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.tensor([1, 2]).float()
print(len(caught))  # prints 0
```
"""


@pytest.fixture(autouse=True)
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes.md").write_text(NOTES)
    return tmp_path / "notes.md"


def test_neither_torch_nor_numpy_is_required_and_an_extra_has_both(without_torch, run):
    ask = "from importlib.metadata import requires; print(*requires('torch-deckgen'), sep='\\n')"
    wanted = run(without_torch, "-c", ask).stdout.splitlines()
    assert [one for one in wanted if one.startswith(("torch>", "numpy"))] == [
        'numpy>=1.26; extra == "torch"', 'torch>=2.4; extra == "torch"',
    ]  # fmt: skip
    assert (
        run(without_torch, "-c", "import torch").returncode == run(without_torch, "-c", "import numpy").returncode == 1
    )


@pytest.mark.parametrize(
    "command",
    ["--help", "inspect notes.md", "build notes.md --no-run", "preview notes.md --no-run", "rules", "explain contradicted",
     "schema", "init fresh", "cache info"],
)  # fmt: skip
def test_what_runs_no_code_needs_no_torch(command, without_torch, run):
    ran = run(without_torch.with_name("deckgen"), *command.split())
    assert (ran.returncode, "torch" in ran.stderr) == (0, False), ran.stderr


def test_two_packages_are_compared_without_torch(without_torch, run, tmp_path):
    assert run(without_torch.with_name("deckgen"), "build", "notes.md", "--no-run").returncode == 0
    ran = run(without_torch.with_name("deckgen"), "diff", "build/notes.apkg", "build/notes.apkg")
    assert (ran.returncode, "1 unchanged" in ran.stdout) == (0, True), ran.stdout


@pytest.mark.parametrize(
    "command", ["build notes.md", "verify notes.md", "update notes.md", "preview notes.md", "api torch.cat"]
)
def test_what_asks_torch_says_what_is_missing_and_what_to_do(command, without_torch, run):
    ran = run(without_torch.with_name("deckgen"), *command.split())
    assert ran.returncode == 4
    assert f"deckgen: {without_torch} has no torch\n" in ran.stderr
    (hint,) = [line for line in ran.stderr.splitlines() if line.startswith("  hint: ")]
    for way in ("whl/cpu", 'pip install "torch-deckgen[torch]"', "--python PATH", "build --no-run"):
        assert way in hint


def test_a_package_and_a_lock_that_were_there_stay(without_torch, run, tmp_path):
    assert run(without_torch.with_name("deckgen"), "build", "notes.md", "--no-run").returncode == 0
    there = {path: path.read_bytes() for path in (tmp_path / "build" / "notes.apkg", *tmp_path.glob("*.lock"))}
    assert len(there) == 2
    assert run(without_torch.with_name("deckgen"), "build", "notes.md").returncode == 4
    assert {path: path.read_bytes() for path in there} == there


# --- the torch of another environment, and one without numpy ---


@pytest.fixture(scope="module")
def without_numpy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with torch, and without numpy and deckgen."""
    return environment(tmp_path_factory.mktemp("torch"), "torch")


def test_the_torch_of_another_environment_is_asked_and_without_numpy_nothing_true_is_false(
    without_torch, without_numpy, run, notes
):
    notes.write_text(NOTES + OF_NUMPY)
    verify = (without_torch.with_name("deckgen"), "verify", "notes.md", "--format", "json", "--python")
    report = json.loads(run(*verify, without_numpy).stdout)
    claims = [(one["verdict"], one.get("reason")) for one in report["sources"][0]["claims"]]
    assert claims == [("holds", None), ("unverified", "missing-module numpy"), ("holds", None)]


def test_the_same_holds_where_deckgen_has_that_torch_itself(wheel, run, notes, tmp_path):
    python = environment(tmp_path / "both", *required(), "torch")
    install(python, wheel)
    notes.write_text(NOTES + OF_NUMPY)
    ran = run(python.with_name("deckgen"), "verify", "notes.md")
    assert (ran.returncode, "1 check needs numpy" in ran.stdout) == (0, True), ran.stdout + ran.stderr
