"""The site says all that the code knows: every command, option, key, exit status, word, variable, schema and public name."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import click
import pytest
from commands import Command
from platformdirs import macos, unix, windows

from bench.site import DOCS, MARK, commands, pages, schemas, words
from bench.site.settings import GROUPS
from deckgen import api
from deckgen.app.rules import rules
from deckgen.cli import INTERNAL
from deckgen.extract.directives import DIRECTIVES, FENCES
from deckgen.model.config import KEYS, WAIVERS, DeckConfig, parse_config
from deckgen.model.errors import DeckgenError
from deckgen.model.exit_codes import EXIT_CODES, FALSE
from deckgen.model.variables import VARIABLES
from deckgen.model.verdict import FAILING
from deckgen.outcome import SUGGESTED, WORDS
from deckgen.report import schemas as told

ROOT = DOCS.parent
SOURCES = [path.read_text("utf-8") for path in (ROOT / "deckgen").rglob("*.py") if "worker" not in path.parts]
"""All but what runs beside snippets, in an environment that deckgen makes."""


def text(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def sections(name: str, mark: str = "## ") -> dict[str, str]:
    """The text below each heading of a page."""
    parts = re.split(rf"^{mark}(.*)$", text(name), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(("path", "written"), pages().items(), ids=lambda one: getattr(one, "name", ""))
def test_a_page_is_what_the_code_says(path: Path, written: str) -> None:
    assert path.read_text("utf-8") == written, "run `python -m bench.site`"


@pytest.mark.parametrize(
    ("name", "command"), list(commands.every()), ids=lambda one: one if isinstance(one, str) else ""
)
def test_every_option_stands_in_the_section_of_its_command(name: str, command: click.Command) -> None:
    section = sections("commands.md")[f"deckgen {name}"] + sections("commands.md")["Options of every command"]
    options = {option for one in commands.options_of(command) for option in (*one.opts, *one.secondary_opts)}
    assert {option for option in options if f"`{option}`" not in section} == set()


def test_every_command_is_told_in_words() -> None:
    above = text("commands.md").partition("<!-- Written")[0]
    assert [name for name in commands.cli.commands if f"`deckgen {name}" not in above] == []


def test_every_key_has_a_row_an_example_that_is_taken_and_its_default() -> None:
    for title, _, keys in GROUPS:
        section = sections("settings.md")[title]
        assert [key for key in keys if f"| `{key}` |" not in section] == []
    for key, row in KEYS.items():
        config = parse_config(f"{key} = {row.example}\n", "deck.toml")
        assert getattr(config, key.replace("-", "_")) != getattr(DeckConfig(), key.replace("-", "_")), key
    of_a_waiver = "".join(f"{key} = {row.example}\n" for key, row in WAIVERS.items())
    assert parse_config(f"[[waivers]]\n{of_a_waiver}", "deck.toml").waivers


def test_every_mark_has_a_row() -> None:
    page = sections("marks.md")
    assert [word for word in DIRECTIVES if f"| `{word}` |" not in page["In a comment"]] == []
    assert [word for word in FENCES if f"| `{word}` |" not in page["On a fence"]] == []


def test_every_exit_status_is_told() -> None:
    errors = {error.exit_code for error in (DeckgenError, *DeckgenError.__subclasses__())}
    assert {str(code) for code in (0, 1, INTERNAL, *errors)} | {"128+"} == EXIT_CODES.keys()
    assert {f"exit {code}" for code in EXIT_CODES} <= sections("exit-codes.md").keys()
    assert FALSE.keys() <= {name for name, _ in commands.every()}


def test_every_variable_that_the_code_reads_is_told() -> None:
    named = {name for source in SOURCES for name in re.findall(r"(?<!_)\bDECKGEN_[A-Z_]+", source)}
    asked = {name for source in SOURCES for name in re.findall(r'environ(?:\.get)?[(\[]"([A-Z_]+)"', source)}
    asked -= {"PATH", "PROCESSOR_IDENTIFIER"}  # of the system, and nobody sets them for deckgen
    assert named | asked <= VARIABLES.keys()
    assert VARIABLES.keys() - {"DECKGEN_CACHE", "DECKGEN_CACHE_KEY", "DECKGEN_ANKI_KEY"} <= asked
    assert [name for name in VARIABLES if f"| `{name}` |" not in text("variables.md")] == []


def test_every_word_of_a_report_has_an_anchor_of_its_own() -> None:
    shown = {rule.name for rule in rules() if rule.group not in words.OF_ROWS | words.ELSEWHERE}
    assert shown <= sections("words.md", "### ").keys()
    headings = re.findall(r"^#{2,4} (.*)$", re.sub(r"^~{8}.*?^~{8}$", "", text("words.md"), flags=re.M | re.S), re.M)
    assert [one for one, count in Counter(map(words.anchor, headings)).items() if count > 1] == []


def test_every_rule_of_a_table_has_an_example_on_the_page_of_notations() -> None:
    rows = {rule.name for rule in rules() if rule.group in words.OF_ROWS}
    assert rows <= sections("notations.md", "### ").keys()


FENCE = re.compile(r"^(?P<mark>`{3,}|~{3,}).*?^(?P=mark)$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


@pytest.mark.parametrize(("path", "written"), pages().items(), ids=lambda one: getattr(one, "name", ""))
def test_marks_and_options_stand_in_code_alone(path: Path, written: str) -> None:
    """A comment of HTML is not seen, and an option without backticks is hard to tell from words."""
    words = CODE.sub("", FENCE.sub("", written.partition(MARK)[2]))
    assert re.findall(r"<!--.*|(?<![\w-])--[a-z].*|\{[a-z-]+[=}<>].*|\[\[\w+\]\]", words) == []


def test_no_page_has_an_option_outside_of_code() -> None:
    for path in DOCS.glob("*.md"):
        words = re.sub(r"<!--.*?-->", "", CODE.sub("", FENCE.sub("", path.read_text("utf-8"))), flags=re.DOTALL)
        assert re.findall(r"(?<![\w-])--[a-z][\w-]*", words) == [], path.name


def test_every_word_that_fails_a_run_has_a_row_and_a_section() -> None:
    section = sections("commands.md")["Words that fail a run"]
    for word in (*WORDS, SUGGESTED):
        assert f"| [{word}](words.md#{word}) | {'yes' if word in FAILING else 'no'} |" in section
        assert word in sections("words.md", "### ")


def test_the_first_block_of_settings_has_defaults_and_the_second_none() -> None:
    for name in ("settings.md", "reference.zh-CN.md"):
        defaults, others = (
            tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", text(name), re.DOTALL)[:2]
        )
        assert defaults.keys() >= {"timeout", "on-contradiction", "suggestions"}
        for key in defaults.keys() - {"id"}:
            assert json.dumps(defaults[key]) in KEYS[key].default.replace("`", ""), key
        for key, value in others.items():
            assert json.dumps(value) != KEYS[key].default.strip("`"), key


def test_the_cache_is_where_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    page = text("variables.md")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(windows, "get_win_folder", lambda _: "%LOCALAPPDATA%")
    homes = [system("deckgen").user_cache_dir for system in (unix.Unix, macos.MacOS)]
    found = [folder.replace(str(Path.home()), "~") for folder in homes]
    found.append(windows.Windows("deckgen").user_cache_dir.replace("/", "\\"))  # joined by the Python of another system
    assert [folder for folder in found if f"`{folder}`" not in page] == []


def test_the_sample_of_a_report_is_what_verify_prints(tmp_path: Path) -> None:
    (sample,) = re.findall(
        r"<!-- output of: deckgen verify sums.md .*? -->\n```json\n(.*?)```", text("schemas.md"), re.DOTALL
    )
    notes = "```python\nimport torch\nprint(torch.arange(4).sum())  # tensor(7)\n```\n"
    (tmp_path / "sums.md").write_text(notes, "utf-8")
    printed = json.loads(Command(tmp_path, tmp_path)("verify", "sums.md", "--format", "json").stdout)
    assert is_part(json.loads(sample), printed)


def is_part(sample: object, whole: object) -> bool:
    """True if all that a sample has is so in the whole, which may have more properties."""
    if isinstance(sample, dict) and isinstance(whole, dict):
        return all(is_part(value, whole[key]) for key, value in sample.items())
    if isinstance(sample, list) and isinstance(whole, list):
        return len(sample) == len(whole) and all(map(is_part, sample, whole))
    return sample == whole


def test_every_schema_has_a_page() -> None:
    assert {schemas.file_of(name) for name in told.NAMES} == {path.name for path in (DOCS / "schemas").iterdir()}


def test_every_public_name_has_a_section() -> None:
    shown = {heading.removeprefix("api.").removesuffix(" (type)") for heading in sections("python.md", "### ")}
    assert shown == set(api.__all__)


def test_every_page_is_in_the_list_of_pages() -> None:
    listed = re.findall(r"^[a-z][\w.-]*$", text("index.md"), re.MULTILINE | re.IGNORECASE)
    assert sorted(listed) == sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "index")
