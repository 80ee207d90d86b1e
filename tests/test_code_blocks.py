"""Every block of code on a page is run, parsed or compared: one of a kind that nobody looks at fails here.

What a block is its language says. Output stands below `<!-- output of: COMMAND -->`, and a test of its page runs that
command; what nothing can run stands below `<!-- pattern: WHY -->`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import click
import jsonschema
import pytest
import shell_lines
import yaml
from fences import Fence, fences

from deckgen.app.commands import cli
from deckgen.extract import extract
from deckgen.model.bundle import SHARED_KEYS, parse_bundles, parse_shared
from deckgen.model.config import parse_config
from deckgen.model.errors import UsageError
from deckgen.model.source import Source
from deckgen.pytest_plugin import VALUES
from deckgen.read import read
from deckgen.report import schemas

TESTS = Path(__file__).parent
BLOCKS = list(fences())
OUTPUTS = {
    ("README.md", "deckgen build notes"): "test_readme.py",
    ("README.zh-CN.md", "deckgen build notes"): "test_readme.py",
    ("docs/agents.md", "mend_cards.py"): "test_agents.py",
    ("docs/cards-from-anywhere.md", "deckgen verify cards.jsonl"): "test_cards_from_anywhere.py",
    ("docs/schemas.md", "deckgen verify sums.md --format json"): "test_site.py",
    ("docs/pytest.md", "pytest --deckgen notes"): "pytest_plugin/test_running.py",
}
"""The test that prints what a page shows, by the page and by what it runs."""
EXAMPLES = {"docs/api.md": "api.md", "docs/python.md": "DocTestFinder"}
"""What of tests/test_python_api.py runs the sessions of a page: the page itself, or the docstrings that it is made of."""


def is_read(block: Fence) -> None:
    """Notes: deckgen makes something of them, or says why not."""
    found = extract(read(Source("example.md", block.text)))
    assert found.notes or found.snippets or found.apis or found.skipped


def is_typed(block: Fence) -> None:
    assert shell_lines.check(block.text)


def is_printed(block: Fence) -> None:
    key, what = block.said
    assert key in ("output of", "pattern"), "write above it what prints it"
    if key == "output of":
        test = (TESTS / OUTPUTS[block.page, what]).read_text("utf-8")
        assert block.page.rpartition("/")[2] in test
        assert what.split()[-1] in test


def is_settings(block: Fence) -> None:
    table = tomllib.loads(block.text)
    if "tool" in table:
        keys = {f"deckgen_{name.replace('-', '_')}" for name in VALUES} | {"deckgen", "deckgen_paths"}
        assert table["tool"]["pytest"]["ini_options"].keys() <= keys
    elif set(table) <= SHARED_KEYS.keys() or all(isinstance(one, dict) for one in table.values()):
        parse_shared(block.text, str(block))
        assert parse_bundles(block.text, str(block)) or set(table) <= SHARED_KEYS.keys()
    else:
        assert parse_config(block.text, str(block)).is_written


def is_json(block: Fence) -> None:
    if block.said[0] == "output of":
        is_printed(block)
    elif block.page.startswith("docs/schemas/"):
        schema = json.loads(block.text)
        assert schema == schemas.schema(schema["title"])
    elif "mcpServers" in block.text:
        (server,) = json.loads(block.text)["mcpServers"].values()
        assert server["command"] == "deckgen"
        assert server["args"][0] in cli.commands
    else:
        cards = [json.loads(line) for line in block.text.splitlines() if line]
        jsonschema.validate(cards, schemas.schema(schemas.TAKEN_IN))


def is_yaml(block: Fence) -> None:
    """A part of a workflow of GitHub, or hooks of pre-commit; the rest of the file is put around it."""
    part = yaml.safe_load(block.text)
    if "steps" in part:
        job = {"runs-on": "ubuntu-latest", "steps": part.pop("steps"), **part}
        part = {"jobs": {"notes": job}}
    if "jobs" in part:
        valid("vendor.github-workflows", {"on": "push", **part})
    else:
        ours = {hook["id"] for hook in yaml.safe_load((TESTS.parent / ".pre-commit-hooks.yaml").read_text("utf-8"))}
        assert {hook["id"] for repo in part["repos"] for hook in repo["hooks"]} <= ours


def valid(schema: str, data: object) -> None:
    run = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "-"]
    checked = subprocess.run(run, input=json.dumps(data), capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def is_signature(block: Fence) -> None:
    """Of a function, or the name and type of a property."""
    text = block.text.strip()
    ast.parse(f"def {text}: ..." if "(" in text.partition(":")[0] else text)


def is_session(block: Fence) -> None:
    assert EXAMPLES[block.page] in (TESTS / "test_python_api.py").read_text("utf-8")


def is_for_the_site(block: Fence) -> None:
    """Names of pages; Sphinx fails for one that is not there."""
    folder = (TESTS.parent / block.page).parent
    named = [line for line in block.text.splitlines() if line and line[0] != ":"]
    assert all([*folder.glob(f"{name}.md")] for name in named)


CHECKS: dict[str, Callable[[Fence], None]] = {
    "markdown": is_read,
    "console": is_typed,
    "sh": is_typed,
    "text": is_printed,
    "toml": is_settings,
    "json": is_json,
    "yaml": is_yaml,
    "python": is_signature,
    "pycon": is_session,
    "{toctree}": is_for_the_site,
}


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_of_code_is_what_its_language_says(block: Fence) -> None:
    assert block.language in CHECKS, "a language that no test knows: add it to CHECKS, or write one of these"
    CHECKS[block.language](block)


def test_each_output_that_a_test_prints_is_on_its_page() -> None:
    shown = {(block.page, block.said[1]) for block in BLOCKS if block.said[0] == "output of"}
    assert shown == OUTPUTS.keys()


def test_few_blocks_are_patterns_and_each_says_why() -> None:
    patterns = [block for block in BLOCKS if block.said[0] == "pattern"]
    assert all(re.search(r"\w \w", block.said[1]) for block in patterns)
    assert len(patterns) * 20 < len(BLOCKS)


@pytest.mark.parametrize(
    "line", ["deckgen biuld notes", "deckgen build --no-rnu", "make tset", 'pip install ".[tets]"', "rm x"]
)
def test_a_line_that_cannot_be_typed_is_noticed(line: str) -> None:
    with pytest.raises((AssertionError, click.UsageError)):
        shell_lines.check(line)


@pytest.mark.parametrize(
    ("language", "text"), [("", "x"), ("text", "x"), ("python", "x("), ("toml", "nmae = 1\nx = 2"), ("json", "{")]
)
def test_a_block_that_nothing_covers_is_noticed(language: str, text: str) -> None:
    with pytest.raises((AssertionError, KeyError, SyntaxError, ValueError, UsageError)):
        CHECKS[language](Fence("docs/api.md", 1, language, text))
