"""The README is what a stranger follows, so it is followed here, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.site.words import anchor
from deckgen.app.commands import cli

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "README.zh-CN.md")
MOST_WORDS = 800
"""Of the README before its last part: who has not seen how it works by then will not read on."""


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


def test_the_readme_is_short():
    before, last, _ = (ROOT / "README.md").read_text("utf-8").partition("\n## Develop\n")
    assert last
    assert len(before.split()) <= MOST_WORDS


def test_pages_and_pictures_that_the_readme_names_exist(readme):
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", readme)
    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def structure(text: str) -> list[set[str]]:
    """What does not depend on the language: headings, fences, first cells in backticks, options, code."""
    patterns = (r"^(#{2,3}) ", r"^(```\w*)", r"^\| `([^`]+)`", r"(--[a-z][a-z-]+)", r"(`[^`\n]*[A-Za-z_.]+\(?[^`\n]*`)")
    return [set(re.findall(pattern, text, re.MULTILINE)) for pattern in patterns]


def test_links_into_pages_lead_to_a_heading(page):
    """Those of the English README stand on the site, too, which Sphinx checks; nobody else looks at the Chinese one's."""
    for path in (ROOT / page, *(ROOT / name for name in ("CONTRIBUTING.md", "SKILL.md", "docs/tutorial.zh-CN.md"))):
        for name, heading in re.findall(r"\]\(((?!https?:)[^)#]+\.md)#([^)]+)\)", path.read_text("utf-8")):
            below = (path.parent / name).read_text("utf-8")
            assert heading in map(anchor, re.findall(r"^#{1,4} (.*)$", below, re.MULTILINE)), (
                f"{path.name}: {name}#{heading}"
            )


@pytest.mark.parametrize("name", ["README", "docs/tutorial", "docs/checked"])
def test_both_languages_have_the_same_parts(name):
    english, chinese = ((ROOT / f"{name}{ending}.md").read_text("utf-8") for ending in ("", ".zh-CN"))
    assert structure(english) == structure(chinese)
    assert english.count("\n## ") == chinese.count("\n## ")


def test_the_chinese_page_of_commands_has_every_command_and_names_no_other():
    page = (ROOT / "docs" / "reference.zh-CN.md").read_text("utf-8")
    named = {words.split()[0] for words in re.findall(r"`deckgen ([a-z][^`]*)`", page)}
    assert named == set(cli.commands)


def test_every_option_that_a_page_in_words_names_exists(page):
    known = {option for command in cli.commands.values() for each in command.params for option in each.opts}
    of_others = {"--deckgen", "--index-url", "--torch-backend"}  # pytest, pip and uv
    for path in (ROOT / page, *(ROOT / "docs").glob("*.zh-CN.md"), ROOT / "docs" / "tutorial.md"):
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", path.read_text("utf-8"))) <= known | of_others, path


def test_the_readme_names_the_test_command_that_ci_runs(readme):
    commands = {line.strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()}
    assert "make test" in commands
    assert "$ make test" in readme
