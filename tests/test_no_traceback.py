"""Whatever is wrong, it is told on a line that helps, with an exit status of its own, and what was good is not lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Command
from processes import GUARD

pytestmark = pytest.mark.slow

NOTES = "# Shapes\n\nQ: What does `squeeze()` do?\nA: It removes the dimensions of size 1.\n"
CLAIM = f"{NOTES}\n```python\nimport torch\nprint(torch.ones(1))  # tensor([1.])\n```\n"


class Deckgen(Command):
    def as_process(self, *arguments, program=("-m", "deckgen"), gone=(), **variables):
        """The same in a process of its own, which may be run by another program or lack some variables."""
        home = {"XDG_CACHE_HOME": str(self.home / "cache"), "XDG_DATA_HOME": str(self.home / "data")}
        environment = {name: value for name, value in {**os.environ, **home, **variables}.items() if name not in gone}
        command = [sys.executable, *program, *arguments]
        return subprocess.run(
            command, cwd=self.place, env=environment, capture_output=True, text=True, errors="replace", timeout=GUARD
        )


@pytest.fixture
def deckgen(tmp_path):
    """Runs `deckgen` in a folder with a deck, `notes`."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "shapes.md").write_text(NOTES, "utf-8")
    return Deckgen(tmp_path, tmp_path)


def told(run):
    """What a run says of what is wrong, which it says without a traceback."""
    assert "Traceback" not in run.stderr, run.stderr[-600:]
    assert "internal error" not in run.stderr, run.stderr[-600:]
    return run.stderr


@pytest.mark.parametrize("value", ["inf", "nan", "1e308", "1e20", "9" * 400])
def test_a_time_limit_that_no_clock_can_tell_is_refused(deckgen, value):
    (deckgen.place / "notes" / "shapes.md").write_text(CLAIM, "utf-8")
    run = deckgen("verify", "notes", f"--timeout={value}")
    assert run.returncode == 2
    assert "a number of seconds above 0 and up to 86400" in told(run)
    (deckgen.place / "notes" / "deck.toml").write_text(f"timeout = {value}\n", "utf-8")
    run = deckgen("verify", "notes")
    assert run.returncode == 2
    assert "notes/deck.toml:1: `timeout` must be a number of seconds" in told(run)


@pytest.mark.parametrize(
    "text",
    [f"id = {'[' * 50_000}", f"id{'.a' * 50_000} = 1", f"id = {'{a = ' * 20_000}", f"id = {'9' * 5_000}"],
    ids=["lists", "keys", "tables", "digits"],
)
def test_a_deck_toml_that_python_cannot_hold_is_told(deckgen, text):
    (deckgen.place / "notes" / "deck.toml").write_text(text, "utf-8")
    run = deckgen("inspect", "notes")
    assert run.returncode == 2
    assert "notes/deck.toml" in told(run)
    assert "not valid TOML" in run.stderr


def test_a_deck_may_have_a_longer_name_than_a_file(deckgen):
    (deckgen.place / "notes" / "deck.toml").write_text(f'name = "{"深" * 5_000}"', "utf-8")
    run = deckgen("build", "notes", "--no-run")
    assert run.returncode == 0, told(run)
    (package,) = (deckgen.place / "build").glob("*.apkg")
    assert package.name.startswith("深深深")


@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect", "n" * 5_000),
        ("build", "notes", "--no-run", "-o", "n" * 5_000),
        ("build", "notes", "--no-run", "--lock", "n" * 5_000),
        ("init", "n" * 5_000),
    ],
    ids=lambda arguments: arguments[0] + arguments[-2],
)
def test_a_name_that_the_system_does_not_take_is_told(deckgen, arguments):
    run = deckgen(*arguments)
    assert run.returncode == 2
    assert "nnnnn" in told(run)


@pytest.mark.parametrize("value", ["1" + "0" * 22, "9" * 5_000, "0", "²", "-1", ""])
def test_a_clock_that_no_package_can_hold_is_refused_before_anything_is_written(deckgen, value):
    run = deckgen("build", "notes", "--no-run", SOURCE_DATE_EPOCH=value)
    assert run.returncode == 2
    assert "SOURCE_DATE_EPOCH" in told(run)
    assert not (deckgen.place / "notes" / "deckgen.lock").exists()


@pytest.mark.parametrize("variables", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
def test_names_need_no_locale(deckgen, variables):
    (deckgen.place / "notes").rename(deckgen.place / "nötes")
    for _ in range(2):  # the second is told from what the first has kept
        run = deckgen.as_process("build", "nötes", "--no-run", "-o", "öut", **variables)
        assert run.returncode == 0, told(run)
    assert [path.name for path in (deckgen.place / "öut").iterdir()] == ["nötes.apkg"]


@pytest.mark.linux("elsewhere all names are Unicode")
def test_names_that_are_not_utf_8_are_told_and_kept_as_their_bytes(deckgen):
    folder = os.fsdecode(b"caf\xe9")
    (deckgen.place / "notes").rename(deckgen.place / folder)
    (deckgen.place / folder / "shapes.md").rename(deckgen.place / folder / os.fsdecode(b"\xff.md"))
    run = deckgen("build", os.fsencode(folder), "--no-run")
    assert run.returncode == 0, told(run)
    assert r"\xff.md" in (deckgen.place / folder / "deckgen.lock").read_text("utf-8")
    again = deckgen("build", os.fsencode(folder), "--no-run", "--locked", "--no-cache")
    assert again.returncode == 0, told(again)
    assert r"caf\xe9: 0 new, 0 changed, 1 unchanged" in again.stdout
    assert r"wrote build/caf-xe9.html" in deckgen("preview", os.fsencode(folder), "--no-run").stdout
    assert r"wrote caf\xe9/deck.toml" in deckgen("init", os.fsencode(folder)).stdout


HOMELESS = """
import pwd
def getpwuid(number):
    raise KeyError(number)
pwd.getpwuid = getpwuid
from deckgen.cli import main
main()
"""


@pytest.mark.posix("there users have profiles")
def test_a_user_without_a_home_can_build(deckgen):
    gone = ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    run = deckgen.as_process("build", "notes", "--no-run", program=("-c", HOMELESS), gone=gone)
    assert run.returncode == 0, told(run)
    assert deckgen.as_process("cache", "info", program=("-c", HOMELESS), gone=gone).returncode == 0


def test_folders_without_end_are_named_and_the_rest_is_read(deckgen):
    here = os.open(deckgen.place / "notes", os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        run = deckgen("inspect", "notes")
    finally:
        subprocess.run(["rm", "-r", deckgen.place / "notes"], check=True)  # more than pytest can
    assert run.returncode == 3
    assert "lies too deep" in told(run)
    assert "1 notes" in run.stdout


DOCUMENTS = {
    "chat.txt": "---\nChatGPT: \n> You: \n---",
    "tag.md": f"---\ntitle: !!bool x\n---\n{NOTES}",
    "date.md": f"---\ntitle: !!timestamp x\n---\n{NOTES}",
    "digits.md": f"+++\ntitle = {'9' * 5_000}\n+++\n{NOTES}",
    "half.md": f'---\ntitle: "\\ud800"\ntags: ["\\udc00"]\n---\n{NOTES}',
    "half.ipynb": '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# T\\ud800\\n\\nQ: What is \\udc00?\\nA: A letter."}]}',
    "deep.json": "[" * 50_000,
    "deep.ipynb": f'{{"cells": {"[" * 50_000}',
    "deep.html": f"<!doctype html>{'<div>' * 20_000}x",
    "deep.md": f"{'> ' * 20_000}x\n\n{'- ' * 20_000}x\n",
    "claim.md": "```python\nprint(1)  # tensor([²])\n```\n",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_no_reader_was_made_for_spoils_no_other(deckgen, name):
    (deckgen.place / "notes" / name).write_text(DOCUMENTS[name], "utf-8")
    run = deckgen("build", "notes", "--no-run", "--no-cache")
    assert run.returncode in (0, 3), told(run)
    assert "squeeze" in (deckgen.place / "notes" / "deckgen.lock").read_text("utf-8")
    assert name in run.stderr or run.returncode == 0


FAULTY = """
import sys
from pathlib import Path
from deckgen.read import markdown
real = markdown.read
def read(source):
    if "bad" not in source.name:
        return real(source)
    {fault}
markdown.read = read
from deckgen.cli import main
main()
"""


@pytest.mark.parametrize("fault", ["raise MemoryError", "read(source)"])
def test_a_document_that_takes_too_much_is_named_and_the_rest_is_built(deckgen, fault):
    (deckgen.place / "notes" / "bad.md").write_text(NOTES.replace("squeeze", "flatten"), "utf-8")
    run = deckgen.as_process("build", "notes", "--no-run", program=("-c", FAULTY.format(fault=fault)))
    assert run.returncode == 3
    assert "deckgen: notes/bad.md: " in told(run)
    assert "1 new" in run.stdout or "1 notes" in run.stdout
    assert (deckgen.place / "build" / "notes.apkg").is_file()


FAULTY_REPORT = """
from deckgen.report import terminal
def inspected(results):
    raise KeyError('\\x1b[2J\\n::error::x')
terminal.inspected = inspected
from deckgen.cli import main
main()
"""


def test_a_fault_of_ours_is_one_line_with_a_status_of_its_own_and_a_traceback_for_who_asks(deckgen):
    program = ("-c", FAULTY_REPORT)
    run = deckgen.as_process("inspect", "notes", program=program)
    assert run.returncode == 70
    assert run.stderr.startswith(r"deckgen: internal error: KeyError: '\x1b[2J\n::error::x' (<string>:")
    assert "DECKGEN_TRACEBACK=1" in run.stderr
    assert "Traceback" not in run.stderr
    assert (
        "Traceback (most recent call last):"
        in deckgen.as_process("inspect", "notes", program=program, DECKGEN_TRACEBACK="1").stderr
    )


@pytest.mark.posix("descriptors are closed by a shell")
@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "<&-", ">&-", "2>&-", ">&- 2>&-"])
def test_what_is_written_does_not_depend_on_anybody_listening(deckgen, closed):
    run_code = "" if closed.count("&-") == 3 else "--no-run"
    command = f"exec {sys.executable} -m deckgen build notes --no-cache {run_code} {closed}"
    (deckgen.place / "notes" / "shapes.md").write_text(CLAIM, "utf-8")
    run = subprocess.run(
        ["sh", "-c", command], cwd=deckgen.place, env={**os.environ, "XDG_DATA_HOME": str(deckgen.place)}
    )
    assert run.returncode == 0
    assert Path(deckgen.place / "build" / "notes.apkg").read_bytes().startswith(b"PK")
    assert Path(deckgen.place / "notes" / "deckgen.lock").read_text("utf-8").endswith("end\n")


@pytest.mark.parametrize("words", [("--no-such",), ("--timeout", "x"), ("--min-checked", "9" * 400)])
def test_a_line_that_no_command_takes_is_told_as_all_else_is(deckgen, words):
    run = deckgen("verify", "notes", *words)
    assert run.returncode == 2
    assert told(run).startswith("deckgen: ")
