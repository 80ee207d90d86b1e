"""The Python API: what `from deckgen import api` gives, with examples that run."""

from __future__ import annotations

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from modules import MODULES

import deckgen
from deckgen import api

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = ROOT / "deckgen" / "app" / "commands.py"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize("name", api.__all__)
def test_every_name_is_there_and_has_a_docstring(name: str):
    found = getattr(api, name)
    assert not isinstance(found, ModuleType)
    assert name in {"Block", "Claim"} or inspect.getdoc(found)  # unions have none of their own


def test_who_checks_types_sees_the_same_names():
    tree = ast.parse((ROOT / "deckgen" / "api.py").read_text("utf-8"))
    (block,) = (one for one in tree.body if isinstance(one, ast.If))
    imported = {alias.name: one.module for one in block.body if isinstance(one, ast.ImportFrom) for alias in one.names}
    assert imported == {name: f"deckgen.{home}" for name, home in api._HOMES.items()}
    assert set(imported) == set(api.__all__)


def test_every_module_can_be_imported_in_every_way():
    """`import a.b.c as d` gives the attribute `c` of `a.b`: a function of that name must not stand there."""
    lines = ["import sys"]
    for name in MODULES:
        module, _, last = name.rpartition(".")
        lines.append(f"import {name} as one; assert one is sys.modules['{name}'], '{name}'")
        lines += [f"from {module} import {last} as two; assert one is two, '{name}'"] if module else []
    ran = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_what_no_station_is_named_like_is_a_name_of_the_package_too():
    stations = {name for name in api.__all__ if Path(deckgen.__file__).with_name(name).exists()}
    stations |= {name for name in api.__all__ if Path(deckgen.__file__).with_name(f"{name}.py").exists()}
    assert stations == deckgen._PACKAGES
    assert all(getattr(deckgen, name) is getattr(api, name) for name in {*api.__all__} - stations)


def test_who_calls_a_station_is_told_what_the_function_is():
    code = "import deckgen; deckgen.verify('notes.md')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "the function is `deckgen.api.verify`" in run.stderr


def test_importing_it_imports_nothing_else():
    code = "import sys; from deckgen import api; print([name for name in sys.modules if name.startswith('deckgen.')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "['deckgen.api']\n"


def test_an_unknown_name_is_an_error():
    with pytest.raises(AttributeError, match="no attribute 'no_such'"):
        deckgen.no_such  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'no_such'"):
        api.no_such  # noqa: B018


EXAMPLES = [name for name in api.__all__ if ">>>" in (inspect.getdoc(getattr(api, name)) or "")]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_in_docstrings_run(name: str):
    names = {**{each: getattr(api, each) for each in api.__all__}, "Path": Path}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder().find(getattr(api, name), name, globs=names):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.usefixtures("elsewhere")
def test_the_examples_of_the_page_run():
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    test = doctest.DocTestParser().get_doctest(text.replace("\n```", "\n\n```"), {}, "api.md", "docs/api.md", 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_an_error_says_where(tmp_path: Path):
    (tmp_path / "deck.toml").write_text('nmae = "x"\n')
    with pytest.raises(deckgen.DeckgenError, match=r"deck.toml:1: unknown key") as raised:
        deckgen.inspect(tmp_path)
    assert raised.value.hint == "did you mean `name`?"


def test_the_command_line_uses_nothing_but_the_api_and_the_reports():
    allowed = (
        "deckgen.__version__",
        "deckgen.api",
        "deckgen.report",
        "deckgen.streams",
        "deckgen.text",
        "deckgen.compare",
        "deckgen.app.machines",
        "deckgen.app.command_line",
        "deckgen.app.parameters",
    )
    commands = [COMMANDS, *map(COMMANDS.with_name, ("machines.py", "command_line.py", "parameters.py"))]
    for node in (node for path in commands for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "deckgen":
            whole = node.module not in ("deckgen", "deckgen.app")
            names = {node.module} if whole else {f"{node.module}.{alias.name}" for alias in node.names}
            assert all(str(name).startswith(allowed) for name in names), names


def test_a_choice_on_the_command_line_is_what_the_nouns_know():
    from deckgen.app import commands, parameters
    from deckgen.model.config import CONTRADICTIONS, LONGEST
    from deckgen.model.difference import Risk

    assert tuple(risk.value for risk in Risk) == commands.RISKS
    (option,) = (one for one in commands.build.params if one.name == "on_contradiction")
    assert tuple(option.type.choices) == CONTRADICTIONS
    assert parameters.LONGEST == LONGEST
