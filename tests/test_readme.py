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
PAGES = {"README.md": "Settings", "README.zh-CN.md": "设置"}
"""The page in each language, and the heading of its settings."""


@pytest.fixture(params=PAGES)
def page(request):
    """The name of a README."""
    return request.param


@pytest.fixture
def readme(page):
    return (ROOT / page).read_text("utf-8")


def after(marker: str, readme: str) -> str:
    """The text of the fence that follows `<!-- marker -->`."""
    found = re.search(rf"<!-- {re.escape(marker)} -->\n(`{{3,}})\w*\n(.*?)\n\1\n", readme, re.DOTALL)
    assert found, marker
    return found.group(2) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch, readme):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    place = tmp_path / "home"
    (place / "notes").mkdir(parents=True)
    (place / "notes" / "shapes.md").write_text(after("example: notes/shapes.md", readme), "utf-8")
    return place


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = command.split()
    assert words[0] == "deckgen"
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True
    )


def test_the_first_example_prints_what_the_readme_shows(folder, readme):
    shown = after("output of: deckgen build notes", readme)
    pattern = re.escape(shown.strip()).replace(r"\.\.\.", r".*")
    printed = run("deckgen build notes", folder)
    assert printed.returncode == 1
    assert re.fullmatch(pattern, printed.stdout.strip(), re.DOTALL), printed.stdout
    assert (folder / "build" / "notes.apkg").is_file()
    assert (folder / "notes" / "deckgen.lock").is_file()


def test_the_settings_of_the_readme_are_settings(page, readme):
    config = parse_config(after_heading(PAGES[page], "toml", readme), page)
    assert (config.name or "").startswith("PyTorch::")
    assert config.description


def test_pages_and_pictures_that_the_readme_names_exist(readme):
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", readme)
    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_both_languages_have_the_same_parts():
    pages = [(ROOT / page).read_text("utf-8") for page in PAGES]
    for part in (
        r"^(#{2,3}) ",
        r"^(```\w*)",
        r"^\| `([^`]+)`",
        r"(--[a-z][a-z-]+)",
        r"(`[^`\n]*[A-Za-z_.]+\(?[^`\n]*`)",
    ):
        first, second = (set(re.findall(part, page, re.MULTILINE)) for page in pages)
        assert first == second, part


def test_every_command_that_the_readme_names_exists(readme):
    named = {words.split()[0] for words in re.findall(r"`deckgen ([a-z][^`]*)`", readme)}
    assert named <= set(cli.commands)
    assert set(cli.commands) <= named


def test_every_option_that_the_readme_names_exists(readme):
    known = {option for command in cli.commands.values() for each in command.params for option in each.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", readme)) <= known | {
        "--help",
        "--deckgen",
    }  # the last is pytest's


def test_the_readme_names_the_test_command_that_ci_runs(readme):
    commands = {line.strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()}
    assert "make test" in commands
    assert "$ make test" in readme


def after_heading(heading: str, language: str, readme: str) -> str:
    section = readme.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = re.search(rf"```{language}\n(.*?)\n```", section, re.DOTALL)
    assert found
    return found.group(1) + "\n"
