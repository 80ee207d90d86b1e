"""What people see at a terminal, and nobody else: colour, links, progress, completion."""

import os
import re
import subprocess
import sys
import threading
import time

import pytest
from commands import Command

from deckgen import streams
from deckgen.app import progress
from deckgen.app.progress import Stage

if sys.platform != "win32":
    import pty

pytestmark = pytest.mark.posix("there is no pty")

NOTES = "# Sums\n\n```python\nimport torch\nprint(torch.arange(4).sum())  # prints tensor(7)\n```\n"


@pytest.fixture
def deckgen(tmp_path):
    (tmp_path / "notes.md").write_text(NOTES, "utf-8")
    return Command(tmp_path, tmp_path / "home")


def at_a_terminal(deckgen: Command, *arguments: str, **environment: str) -> str:
    """All that a terminal is told of a run."""
    ours, theirs = pty.openpty()
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "DECKGEN_EDITOR", "CI")
    }
    folders = {
        "XDG_CACHE_HOME": str(deckgen.home / "cache"),
        "XDG_DATA_HOME": str(deckgen.home / "data"),
        "TERM": "xterm",
    }
    run = subprocess.Popen(
        [sys.executable, "-m", "deckgen", *arguments],
        cwd=deckgen.place,
        env={**kept, **folders, **environment},
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    told = b""
    while True:
        try:
            told += (data := os.read(ours, 4096))
        except OSError:  # Linux says so when the other side is closed
            break
        if not data:
            break
    os.close(ours)
    run.wait()
    return told.decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_sees_colour_links_and_that_torch_is_imported(deckgen):
    told = at_a_terminal(deckgen, "verify", "notes.md")
    assert re.search(r"\x1b]8;;file://[^\x1b]*/notes\.md\x1b\\\x1b\[1mnotes\.md:5\x1b\[0m\x1b]8;;\x1b\\: ", told)
    assert ": \x1b[31m\x1b[1mcontradicted\x1b[0m: `tensor(7)`" in told
    assert "importing torch" in told
    assert re.search(r"\x1b\[31m\x1b\[1m=== 1 contradicted, 1 name exists in \d+\.\d s ===\x1b\[0m\n$", told)


@pytest.mark.parametrize(
    ("environment", "colour"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_says_whether_it_wants_colour(deckgen, environment, colour):
    told = at_a_terminal(deckgen, "inspect", "notes.md", **environment)
    assert "notes.md:4" in told
    assert ("\x1b" in told) == colour


def test_a_link_leads_to_the_editor_of_its_user(deckgen):
    told = at_a_terminal(deckgen, "inspect", "notes.md", DECKGEN_EDITOR="idea://open?file={path}&line={line}")
    assert f"\x1b]8;;idea://open?file={deckgen.place.as_posix()}/notes.md&line=4\x1b\\" in told


@pytest.mark.parametrize(
    ("arguments", "environment", "colour"),
    [
        ((), {"NO_COLOR": ""}, False),
        ((), {"NO_COLOR": "", "FORCE_COLOR": "1"}, True),
        ((), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"NO_COLOR": "", "FORCE_COLOR": "1"}, False),
    ],
)
def test_pipes_have_colour_only_if_somebody_asks_and_never_links(deckgen, arguments, environment, colour):
    run = deckgen("inspect", "notes.md", "gone.md", *arguments, **environment)
    assert run.returncode == 2
    assert ("\x1b[" in run.stderr) == colour
    run = deckgen("inspect", "notes.md", *arguments, **environment)
    assert ("\x1b[" in run.stdout) == colour
    assert "\x1b]" not in run.stdout


def test_reports_for_programs_and_files_have_no_colour(deckgen):
    run = deckgen("verify", "notes.md", "--format", "json", "--report", "text=told.txt", "--color", "always")
    assert "\x1b" not in run.stdout
    assert "===" not in run.stdout
    assert "\x1b" not in (deckgen.place / "told.txt").read_text("utf-8")


def test_the_last_line_is_what_a_run_came_to_also_if_it_is_said_again(deckgen):
    last = r"=== 1 contradicted, 1 name exists in \d+\.\d s ==="
    for _ in range(2):
        told = deckgen("build", "notes.md").stdout.splitlines()
        assert re.fullmatch(last, told[-1])
        assert told[-2] == "exit 1: 1 claim is false or cannot run"
    assert "deckgen explain contradicted  # what this means, and what to do" in told
    quiet = deckgen("verify", "notes.md", "--quiet").stdout
    assert "===" not in quiet
    assert "explain" not in quiet
    least = deckgen("verify", "notes.md", "--fail-on", "none", "--min-checked", "2").stdout.splitlines()
    assert re.fullmatch(r"=== exit 1, 1 name exists, 1 contradicted in .*", least[-1])
    nothing = deckgen("build", "notes.md", "--no-run").stdout.splitlines()
    assert nothing[-1].startswith("=== nothing was run in ")


def test_verbose_tells_of_each_source_its_time_and_each_claim(deckgen):
    for ran in (r"ran for \d+\.\d s", "not run again"):
        told = deckgen("verify", "notes.md", "--verbose").stdout.splitlines()
        assert re.fullmatch(rf"notes\.md: 1 note; 1 claim, 0 held; 1 API name, 1 exists; {ran}", told[0])
        assert told[1:3] == [
            "  notes.md:5: contradicted: `tensor(7)` (value)",
            "  notes.md:5: exists: `torch.arange(...)`",
        ]


def test_a_stage_says_what_is_done():
    stage = Stage()
    told = [str(stage)]
    for step in ((0, 3), (0, 3), (2, 3)):
        stage(*step)
        told.append(str(stage))
    assert told == ["reading notes", "importing torch", "running snippets, 0 of 3", "running snippets, 2 of 3"]


def test_a_run_from_the_cache_imports_no_torch():
    stage = Stage()
    stage(1, 3)
    assert str(stage) == "running snippets, 1 of 3"


def test_a_log_of_ci_has_a_line_now_and_then(monkeypatch, capsys):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(progress, "INTERVAL", 0.01)
    told = threading.Event()
    monkeypatch.setattr(streams, "flush", told.set)
    with progress.shown_progress() as step:
        step(0, 40)
        step(12, 40)
        assert told.wait(60)
    assert re.match(r"deckgen: running snippets, 12 of 40 \(\d+ s\)\n", capsys.readouterr().err)


def test_no_pipe_elsewhere_is_told_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setenv("CI", "")
    monkeypatch.setattr(progress, "INTERVAL", 0.001)
    with progress.shown_progress() as step:
        step(12, 40)
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("deckgen ver", "verify"), ("deckgen verify --sandbox re", "require"), ("deckgen explain contra", "contradicted")],
)
def test_bash_completes_commands_values_and_rules(deckgen, typed, offered):
    words = typed.split()
    script = 'eval "$(_DECKGEN_COMPLETE=bash_source deckgen)"; COMP_WORDS=({}); COMP_CWORD={}; _deckgen_completion deckgen; echo "${{COMPREPLY[@]}}"'
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-c", script.format(typed, len(words) - 1)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert run.stdout.split() == [offered], run.stderr


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("verify", "--sandbox", "requir"), "Did you mean `require`?"),
        (("verify", "notes.md", "--fail-on", "contradictd"), "did you mean `contradicted`?"),
        (("verify", "notes.md", "--device", "cudda"), "did you mean `cuda`?"),
        (("verify", "--report", "jnit=x"), "did you mean `junit`?"),
        (("inspect", "--kind", "bsic"), "Did you mean `basic`?"),
        (("schema", "deckgen.verfy/1"), "did you mean `deckgen.verify/1`?"),
        (("verify", "--color", "alway"), "Did you mean `always`?"),
    ],
)
def test_a_mistyped_choice_is_answered_with_the_near_one(deckgen, arguments, near):
    run = deckgen(*arguments)
    assert run.returncode == 2
    assert near in run.stderr


def test_the_version_has_a_short_option(deckgen):
    assert deckgen("-V").stdout == deckgen("--version").stdout != ""


def test_rules_are_listed_and_explained(deckgen):
    listed = deckgen("rules").stdout.splitlines()
    assert "  contradicted: Torch shows something else than the notes claim. No card is made of it." in listed
    told = deckgen("explain", "contradicted").stdout
    assert "print(torch.arange(4).sum())  # tensor(7)" in told
    assert "what to do: correct the notes" in told
    assert deckgen("explain", "nothing-like-it").returncode == 2
