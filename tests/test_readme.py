"""The README is what a stranger follows, so it is followed here, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deckgen.app.commands import cli
from deckgen.model.config import parse_config

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def after(marker: str) -> str:
    """The text of the fence that follows `<!-- marker -->`."""
    found = re.search(rf"<!-- {re.escape(marker)} -->\n(`{{3,}})\w*\n(.*?)\n\1\n", README, re.DOTALL)
    assert found, marker
    return found.group(2) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    place = tmp_path / "home"
    (place / "notes").mkdir(parents=True)
    (place / "notes" / "shapes.md").write_text(after("example: notes/shapes.md"), "utf-8")
    return place


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = command.split()
    assert words[0] == "deckgen"
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True
    )


def test_the_first_example_prints_what_the_readme_shows(folder):
    shown = after("output of: deckgen build notes")
    pattern = re.escape(shown.strip()).replace(r"\.\.\.", r".*")
    printed = run("deckgen build notes", folder)
    assert printed.returncode == 1
    assert re.fullmatch(pattern, printed.stdout.strip(), re.DOTALL), printed.stdout
    assert (folder / "build" / "notes.apkg").is_file()
    assert (folder / "notes" / "deckgen.lock").is_file()


def test_the_settings_of_the_readme_are_settings():
    assert parse_config(after_heading("Settings", "toml"), "README.md").name == "PyTorch::Shapes"


def test_every_command_that_the_readme_names_exists():
    named = {words.split()[0] for words in re.findall(r"`deckgen ([a-z][^`]*)`", README)}
    assert named <= set(cli.commands)
    assert set(cli.commands) <= named


def test_every_option_that_the_readme_names_exists():
    known = {option for command in cli.commands.values() for each in command.params for option in each.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known | {"--help"}


def test_the_readme_names_the_test_command_that_ci_runs():
    commands = {line.strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()}
    assert "make test" in commands
    assert "$ make test" in README


def after_heading(heading: str, language: str) -> str:
    section = README.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = re.search(rf"```{language}\n(.*?)\n```", section, re.DOTALL)
    assert found
    return found.group(1) + "\n"
