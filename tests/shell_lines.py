"""Whether a line of shell on a page is one that can be typed: its programs, commands and options exist."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from deckgen.app.commands import cli
from deckgen.pytest_plugin import VALUES

ROOT = Path(__file__).resolve().parents[1]
OTHERS = frozenset({".", "cd", "curl", "my-model", "pbpaste", "python", "python3", "source", "uv", "uvx", "pipx"})
"""Programs of others, whose options are not ours to check."""
_PLUGIN = {"--deckgen", "--deckgen-no-cache", *(f"--deckgen-{name}" for name in VALUES)}


def check(text: str) -> int:
    """The number of programs that the lines call. Fails for one that cannot be called so."""
    calls = [call for line in _lines(text) for call in _calls(line)]
    for call in calls:
        _check(call)
    return len(calls)


def _lines(text: str) -> Iterator[str]:
    """Lines of shell; of a session those behind its prompt, without what is printed. A quoted text may have several."""
    if text.startswith("$ "):
        yield from (line.removeprefix("$ ") for line in text.split("\n") if line.startswith("$ "))
    elif text.count("'") == 2 and re.search(r"'[^']*\n", text):
        yield text
    else:
        yield from filter(None, text.split("\n"))


def _calls(line: str) -> Iterator[list[str]]:
    words = shlex.shlex(line, posix=True, punctuation_chars="|&;")
    words.whitespace_split = True
    call: list[str] = []
    for word in words:
        if set(word) <= set("|&;"):
            yield call
            call = []
        else:
            call.append(word)
    if call:
        yield call


def _check(call: list[str]) -> None:
    program, *rest = call
    if program == "deckgen":
        _parse(cli, "deckgen", rest)
    elif program == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert set(rest) <= set(targets), call
    elif program == "pytest":
        assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= _PLUGIN, call
    elif program == "pip" or (program, *rest[:2]) == ("uv", "pip", "install"):
        _check_extras(rest)
    elif rest[:1] == ["-m"] and rest[1].startswith("bench"):
        assert find_spec(rest[1]), call
    else:
        assert program in OTHERS, f"{call}: an unknown program"


def _parse(command: click.Command, name: str, words: list[str]) -> None:
    """As click parses what is typed; nothing is called."""
    if isinstance(command, click.Group):
        assert words[0] in command.commands, words
        _parse(command.commands[words[0]], f"{name} {words[0]}", words[1:])
    else:
        with command.make_context(name, words):
            pass


def _check_extras(words: list[str]) -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for word in words:
        if asked := re.fullmatch(r"(?:\.|torch-deckgen)\[(.*)\]", word):
            assert set(asked[1].split(",")) <= set(known), word
