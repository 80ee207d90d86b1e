"""Real runs of pytest with `--deckgen`, in a folder of their own."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import pytest
from claiming import FALSE
from commands import Command
from modules import MODULES

Run = Callable[..., pytest.RunResult]


@pytest.fixture(scope="session", autouse=True)
def _all_is_imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """pytester forgets what a run imports: the next one would have other classes of the same names."""
    for module in MODULES:
        if ".worker." not in module:
            importlib.import_module(module)
    folder = tmp_path_factory.mktemp("first")
    (folder / "notes.md").write_text(FALSE)
    assert Command(folder, folder)("verify", "notes.md", "--format", "json").returncode == 1


@pytest.fixture
def notes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs pytest on files `NAME=text`, in this process: workers are those that are kept."""
    home = tmp_path_factory.getbasetemp() / "home"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))

    def run(*arguments: str, subprocess: bool = False, **files: str) -> pytest.RunResult:
        for name, text in files.items():
            path = pytester.path / name.replace("__", "/")
            path = path if path.suffix else path.with_suffix(".md")
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(text, "utf-8")
        start = pytester.runpytest_subprocess if subprocess else pytester.runpytest_inprocess
        return start(*(arguments or ("--deckgen", "notes")))

    return run
