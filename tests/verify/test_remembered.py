"""What was observed is believed for as long as all that it rests on is the same, wherever that lies; not a moment longer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from carded import extracted

from deckgen.verify import verify
from deckgen.verify.engine.runner import Outcome
from deckgen.verify.engine.workers import Workers

ENGINE = import_module("deckgen.verify.engine.engine")
NOTES = {
    "a module": "import lib\nprint(torch.tensor(lib.f()))  # tensor(1)",
    "a package": "from pack.inner import f\nprint(torch.tensor(f()))  # tensor(1)",
    "a distribution": "import fakelib\nprint(torch.tensor(fakelib.f()))  # tensor(1)",
    "inside a function": "def late():\n    from lib import f\n    return f()\nprint(torch.tensor(late()))  # tensor(1)",
    "in a thread": (
        "import threading\nfound = []\ndef late():\n    import lib\n    found.append(lib.f())\n"
        "thread = threading.Thread(target=late)\nthread.start()\nthread.join()\nprint(torch.tensor(found))  # tensor([1])"
    ),
    "one that may be missing": (
        "try:\n    from extra import f\nexcept ImportError:\n    f = lambda: 1\nprint(torch.tensor(f()))  # tensor(1)"
    ),
    "one that is looked for": (
        "import importlib.util\nlook = getattr(importlib.util, 'find' + '_spec')\n"
        "print(torch.tensor(1 if look('extra') is None else 2))  # tensor(1)"
    ),
    "a version": (
        "from importlib.metadata import version\nprint(torch.tensor(int(version('Fake.Lib')[0])))  # tensor(1)"
    ),
    "one of Python's names": "import colorsys\nprint(torch.tensor(getattr(colorsys, 'f', lambda: 1)()))  # tensor(1)",
    "before it dies": "import lib, os\nprint(torch.tensor(lib.f()))  # tensor(1)\nos._exit(3)",
    "one of its own": (
        "import sys, pathlib\nsys.path.append('.')\npathlib.Path('mine.py').write_text('x = 1')\nimport mine\n"
        "print(torch.tensor(mine.x))  # tensor(1)"
    ),
    "torch alone": "print(torch.ones(1))  # tensor([1.])",
}
ONE, TWO = "def f():\n    return 1\n", "def f():\n    return 2\n"


def empty(folder: Path) -> None:
    """A folder with nothing in it; the same one as before, which the worker sees."""
    folder.mkdir(exist_ok=True)
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def lay_out(folder: Path) -> None:
    """A folder of packages: each has a function that gives 1."""
    (folder / "pack").mkdir(parents=True)
    for name in ("lib.py", "other.py", "pack/__init__.py", "pack/inner.py"):
        (folder / name).write_text(ONE)
    install(folder, "1.0")


def install(folder: Path, version: str, code: str = ONE) -> None:
    """The distribution `fake-lib`, as an installer leaves it."""
    for old in folder.glob("fake_lib-*"):
        shutil.rmtree(old)
    kept = folder / f"fake_lib-{version}.dist-info"
    kept.mkdir()
    (kept / "METADATA").write_text(f"Metadata-Version: 2.1\nName: fake-lib\nVersion: {version}\n")
    (kept / "RECORD").write_text(f"../../../bin/fake,sha256={folder.name},9\nfakelib.py,sha256={hash(code)},30\n")
    (folder / "fakelib.py").write_text(code)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two on the path, `first` and `packages`; one worker serves all tests."""
    return tmp_path_factory.mktemp("path")


@pytest.fixture
def packages(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("first", "packages"):
        empty(path / name)
    lay_out(path / "packages")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(path / "first"), str(path / "packages")]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return path / "packages"


def observed(what: str) -> tuple[str, str]:
    """(verdict, engine) of the notes."""
    found = verify([extracted(f"```python\nimport torch\n{NOTES[what]}\n```\n")])
    (verdict,) = found.sources[0].verdicts
    return str(verdict.word), found.environment.engine


def rewrite(name: str, code: str = TWO) -> Callable[[Path], None]:
    return lambda packages: (packages / name).write_text(code) and None


def put_first(packages: Path) -> None:
    """Another module of the same name is found before."""
    (packages.parent / "first" / "lib.py").write_text(TWO)


def put_in_place(packages: Path) -> None:
    """Another folder of packages takes the place of this one."""
    lay_out(packages.parent / "second")
    (packages.parent / "second" / "lib.py").write_text(TWO)
    os.environ["PYTHONPATH"] = str(packages.parent / "second")


CHANGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "an edited module": ("a module", rewrite("lib.py")),
    "an edited part of a package": ("a package", rewrite("pack/inner.py")),
    "another version": ("a distribution", lambda packages: install(packages, "2.0", TWO)),
    "the same version, other files": ("a distribution", lambda packages: install(packages, "1.0", TWO)),
    "a version that is asked for": ("a version", lambda packages: install(packages, "2.0")),
    "another path": ("a module", put_in_place),
    "a module that is found before": ("a module", put_first),
    "a module that was imported late": ("inside a function", rewrite("lib.py")),
    "a module that another thread imported": ("in a thread", rewrite("lib.py")),
    "a module that was missing": ("one that may be missing", rewrite("extra.py")),
    "a module that was looked for": ("one that is looked for", rewrite("extra.py")),
    "a module in place of Python's": ("one of Python's names", rewrite("colorsys.py")),
    "a module that was imported before the end": ("before it dies", rewrite("lib.py")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_observed_again(packages: Path, change: str) -> None:
    what, act = CHANGES[change]
    assert observed(what)[0] == "holds"
    assert observed(what) == ("holds", "cache")
    act(packages)
    assert observed(what) == ("contradicted", "fork")
    assert observed(what) == ("contradicted", "cache")


@pytest.mark.own_workers
@pytest.mark.slow
def test_what_python_does_at_its_start_counts_for_every_session(packages: Path) -> None:
    observed("torch alone")
    assert observed("torch alone")[1] == "cache"
    (packages / "sitecustomize.py").write_text("import builtins\n")
    assert observed("torch alone")[1] == "fork"


def move(packages: Path) -> None:
    """The same packages under another path, with other times, as on another machine."""
    other = packages.parent / "first"
    shutil.copytree(packages, other, dirs_exist_ok=True)
    install(other, "1.0")  # whose program has another path
    for path in other.rglob("*"):
        os.utime(path, (1, 1))
    empty(packages)


def move_the_cache(packages: Path) -> None:
    kept = Path(os.environ["XDG_CACHE_HOME"])
    shutil.copytree(kept, kept.with_name("copy"))
    shutil.rmtree(kept)
    os.environ["XDG_CACHE_HOME"] = str(kept.with_name("copy"))


def lengthen_the_path(packages: Path) -> None:
    os.environ["PYTHONPATH"] += os.pathsep + str(packages.parent)


MOVES: dict[str, Callable[[Path], None]] = {
    "nothing": lambda packages: None,
    "a copy of the cache": move_the_cache,
    "packages under another path": move,
    "other times": lambda packages: os.utime(packages / "lib.py", (1, 1)),
    "a module that nobody imports": rewrite("other.py"),
    "a module that nobody asked for": rewrite("more.py"),
    "a folder more": lengthen_the_path,
}


@pytest.mark.parametrize(
    "what", ["a module", "a package", "a distribution", "one that may be missing", "one of its own"]
)
@pytest.mark.parametrize("change", MOVES)
def test_what_is_the_same_is_not_observed_again(packages: Path, what: str, change: str) -> None:
    observed(what)
    MOVES[change](packages)
    assert observed(what) == ("holds", "cache")


def test_a_module_that_is_edited_while_it_runs_is_observed_again(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = Workers.run

    def edit(*arguments: object) -> object:
        outcome = edited(*arguments)
        (packages / "lib.py").write_text(TWO)
        return outcome

    with monkeypatch.context() as patch:
        patch.setattr(Workers, "run", edit)
        assert observed("a module")[0] == "holds"
    assert observed("a module") == ("contradicted", "fork")


@pytest.mark.parametrize(("level", "engine"), [("landlock7+rlimits", "fork"), ("", "fork"), (None, "cache")])
@pytest.mark.usefixtures("packages")
def test_in_another_place_the_sandbox_is_looked_at_before_anything_is_believed(
    monkeypatch: pytest.MonkeyPatch, level: str | None, engine: str
) -> None:
    observed("torch alone")
    monkeypatch.setattr(ENGINE, "container", lambda: "another one")
    if level is not None:
        monkeypatch.setattr(ENGINE, "sandbox_level", lambda python: level)
    assert observed("torch alone") == ("holds", engine)


def test_where_the_system_counts_otherwise_than_it_says_at_the_end_its_signal_decides():
    busy = Outcome(reason="timed-out", cpu=0.4, spent=7.0, used_up=True)
    assert ENGINE._was_too_slow(busy, 30.0, {"limits": {"CPU": 10}})


@pytest.mark.parametrize("reason", ["timed-out", "killed"])
@pytest.mark.parametrize(("spent", "is_slow"), [(9.5, True), (5.0, False)])
def test_what_used_up_the_processor_time_of_its_session_was_too_slow(reason, spent, is_slow):
    outcome = Outcome(reason=reason, cpu=0.4, spent=spent)
    assert ENGINE._was_too_slow(outcome, 30.0, {"limits": {"CPU": 10}}) is is_slow
