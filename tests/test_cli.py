"""The command as a user runs it: real files, real exit statuses, and where they matter real processes."""

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile

import pytest
from commands import Command
from processes import GUARD
from schemas import hold

TRUE = """# Shapes

Q: What does `squeeze()` do?
A: It removes the dimensions of size 1.


### Sum

```python
import torch
print(torch.arange(4).sum())  # prints tensor(6)
```
"""
FALSE = TRUE.replace("tensor(6)", "tensor(7)")


class Deckgen(Command):
    """Runs `deckgen` in an empty folder."""

    def __call__(self, *arguments, **files):
        self.write(**files)
        return super().__call__(*arguments)

    def as_process(self, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **files):
        """The same as a user does it: a real process, with real streams."""
        self.write(**files)
        folders = {"XDG_CACHE_HOME": str(self.home / "cache"), "XDG_DATA_HOME": str(self.home / "data")}
        run = subprocess.run(
            [sys.executable, "-m", "deckgen", *arguments],
            cwd=self.place,
            env={**os.environ, **folders, "NO_COLOR": "1"},
            stdout=stdout,
            stderr=stderr,
            text=True,
            encoding="utf-8",
        )
        hold(run.stdout or "")
        return run

    def write(self, **files):
        for name, text in files.items():
            (self.place / f"{name}.md").write_text(text, "utf-8")


@pytest.fixture
def deckgen(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    return Deckgen(place, tmp_path / "home")


def test_true_notes_become_a_package(deckgen):
    run = deckgen.as_process("build", "notes.md", notes=TRUE)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "claims: 1 found, 1 checked, 1 held" in run.stdout
    with zipfile.ZipFile(deckgen.place / "build" / "notes.apkg") as package:
        assert "collection.anki2" in package.namelist()
    assert (deckgen.place / "notes.md.deckgen.lock").is_file()


def test_a_false_output_is_told_withheld_and_exit_1(deckgen):
    run = deckgen.as_process("build", "notes.md", notes=FALSE)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "notes.md:11: contradicted: `tensor(7)`" in run.stdout
    assert "1 withheld" in run.stdout
    assert (deckgen.place / "build" / "notes.apkg").is_file()


RANDOM = (
    "# Draws\n\n### What does it print?\n\n```python\nimport torch\nprint(torch.rand(2))  # tensor([0.1, 0.2])\n```\n"
)


@pytest.mark.parametrize("options", [[], ["--quiet"], ["--no-cache"]])
def test_a_build_in_which_every_note_is_withheld_says_that_nothing_was_written(deckgen, options):
    run = deckgen("build", "notes.md", *options, notes=RANDOM)
    assert "deckgen: notes.md: nothing was written: all its notes are withheld" in run.stderr
    assert [path.name for path in deckgen.place.iterdir()] == ["notes.md"]
    assert deckgen("build", "notes.md", *options).stderr.endswith(run.stderr.splitlines()[-1] + "\n")


def test_a_build_of_claims_without_a_note_says_that_nothing_was_written(deckgen):
    code = "# Sums\n\n```python\nimport torch\ns = torch.arange(400).sum()\nassert s == 79800\n```\n"
    run = deckgen("build", "notes.md", notes=code)
    assert "deckgen: notes.md: nothing was written: it has no note" in run.stderr


def test_a_waiver_for_everything_is_told_and_fails_a_run_that_asks_for_it(deckgen):
    deckgen.write(notes=FALSE)
    (deckgen.place / "deck.toml").write_text('[[waivers]]\ntext = "tensor("\nreason = "later"\n')
    run = deckgen("verify", ".")
    assert (
        run.returncode,
        "deck.toml:1: broad-waiver: the waiver for `tensor(` covers 1 of 1 claim" in run.stdout,
    ) == (0, True)
    assert deckgen("verify", ".", "--fail-on", "broad-waiver").returncode == 1
    assert deckgen("verify", "notes.md", "--fail-on", "broad-waiver").returncode == 1
    part = deckgen("verify", "notes.md", "--fail-on", "broad-waiver", more=TRUE)
    assert (part.returncode, "waiver" in part.stdout + part.stderr) == (0, False)


def test_building_again_changes_nothing(deckgen):
    deckgen("build", "notes.md", notes=TRUE)
    package = deckgen.place / "build" / "notes.apkg"
    before = (package.read_bytes(), (deckgen.place / "notes.md.deckgen.lock").read_bytes())
    run = deckgen("build", "notes.md", "--locked")
    assert run.returncode == 0, run.stdout + run.stderr
    assert (package.read_bytes(), (deckgen.place / "notes.md.deckgen.lock").read_bytes()) == before


def test_a_newer_deckgen_that_judges_otherwise_leaves_a_locked_build_green(deckgen):
    deckgen("build", "notes.md", notes=TRUE)
    lock = deckgen.place / "notes.md.deckgen.lock"
    older = lock.read_text("utf-8").replace('"words": ["holds"]', '"words": ["holds-structure"]')
    assert older != lock.read_text("utf-8")
    lock.write_text(older, "utf-8")
    run = deckgen("build", "notes.md", "--locked")
    assert run.returncode == 0, run.stdout + run.stderr
    assert lock.read_text("utf-8") == older
    assert deckgen("build", "notes.md").returncode == 0
    assert '"words": ["holds"]' in lock.read_text("utf-8")


BROKEN = f"""{TRUE}
### What does `stack` do?

It adds a dimension:

```python
x = torch.stack([torch.ones(2))
print(x.shape)  # torch.Size([1, 2])
```
"""


def test_claims_in_code_that_does_not_parse_make_no_run_red_and_are_no_word_of_a_note(deckgen):
    run = deckgen("build", "notes.md", notes=BROKEN)
    assert run.returncode == 0, run.stdout + run.stderr
    assert ": unverified: `torch.Size([1, 2])`: not-python" in run.stdout
    assert "unverified" not in (deckgen.place / "notes.md.deckgen.lock").read_text("utf-8")
    assert deckgen("verify", "notes.md", "--fail-on", "any").returncode == 1


INCLUDING = f"""{TRUE}
### What does `pad_batch` do?

It fills rows up with zeros:

```python {{file=snippets/pad.py}}
```
"""


def test_a_missing_include_is_an_error_with_its_place_and_takes_no_note_away(deckgen):
    (deckgen.place / "snippets").mkdir()
    code = deckgen.place / "snippets" / "pad.py"
    code.write_text("pad = 1\n")
    assert deckgen("build", "notes.md", notes=INCLUDING).returncode == 0
    before = (deckgen.place / "notes.md.deckgen.lock").read_bytes()
    code.unlink()
    for command in ("verify", "build"):
        run = deckgen(command, "notes.md")
        assert run.returncode == 3
        line = INCLUDING.split("\n").index("```python {file=snippets/pad.py}") + 1
        assert f"exit 3: notes.md:{line}: no such file: snippets/pad.py" in run.stdout
        assert "1 checked, 1 held" in run.stdout
    assert (deckgen.place / "notes.md.deckgen.lock").read_bytes() == before


@pytest.mark.parametrize("style", ["github", "junit", "json"])
def test_every_format_names_a_missing_include(deckgen, style):
    run = deckgen("verify", "notes.md", "--format", style, notes="# A\n\n```python {file=gone.py#x}\n```\n")
    assert run.returncode == 3
    assert "no such file: gone.py" in run.stdout


def test_locked_refuses_what_would_change_the_lock(deckgen):
    deckgen("build", "notes.md", notes=TRUE)
    before = (deckgen.place / "notes.md.deckgen.lock").read_bytes()
    run = deckgen("build", "notes.md", "--locked", notes=TRUE + "\nQ: What is `cat`?\nA: It joins tensors.\n")
    assert run.returncode == 1
    assert (deckgen.place / "notes.md.deckgen.lock").read_bytes() == before


def test_a_file_that_was_named_once_has_not_gone_when_its_folder_is_built(deckgen):
    folder = deckgen.place / "folder"
    folder.mkdir()
    (folder / "views.md").write_text("Q: What is a view?\nA: A tensor that shares its storage.\n", "utf-8")
    (folder / "leaf.rst").write_text("Q: What is a leaf?\nA: A tensor that no operation made.\n", "utf-8")
    deckgen("build", "folder")
    assert "1 new" in deckgen("build", "folder/leaf.rst").stdout
    (folder / "helper.py").write_text("x = 1\n", "utf-8")
    run = deckgen("build", "folder")
    assert "folder: not read: helper.py, leaf.rst: name a file to read it" in run.stderr
    assert "no longer in the sources" not in run.stdout


def test_a_renamed_file_is_told_to_rename_its_lock_before_its_notes_become_new_ones(deckgen):
    deckgen("build", "notes.md", notes=TRUE)
    (deckgen.place / "notes.md").rename(deckgen.place / "sums.md")
    told = deckgen("verify", "sums.md").stderr
    move = re.search(r"sums.md: has no lock, and the file of notes.md.deckgen.lock is gone.*\(mv (\S+) (\S+)\)", told)
    assert move, told
    (deckgen.place / move[1]).rename(deckgen.place / move[2])
    built = deckgen("build", "sums.md")
    assert "0 new, 0 changed" in built.stdout
    assert "has no lock" not in built.stderr


def test_the_notice_before_code_runs_names_what_every_command_knows(deckgen):
    told = deckgen("verify", "notes.md", notes=TRUE).stderr
    assert "`deckgen inspect` runs nothing" in told
    assert "--no-run" not in told


def test_a_package_whose_lock_is_gone_is_not_built_over(deckgen):
    deckgen("build", "notes.md", notes=TRUE)
    package, lock = deckgen.place / "build" / "notes.apkg", deckgen.place / "notes.md.deckgen.lock"
    before, kept = package.read_bytes(), lock.read_bytes()
    lock.unlink()
    run = deckgen("build", "notes.md")
    assert run.returncode == 2
    assert "notes.md.deckgen.lock: build/notes.apkg was built before, but its lock is gone" in run.stderr
    assert (package.read_bytes(), lock.exists()) == (before, False)
    lock.write_bytes(kept)
    assert "0 new, 0 changed" in deckgen("build", "notes.md").stdout
    lock.unlink()
    package.unlink()
    assert "first build" in deckgen("build", "notes.md").stdout


def test_the_command_that_a_build_prints_for_two_notes_that_may_be_one_works_as_printed(deckgen):
    asked = "Q: What does view({}) do to strides?\nA: It changes them.\n\n".format
    deckgen("build", "notes.md", "--no-run", notes=asked("a") + asked("b"))
    told = deckgen("build", "notes.md", "--no-run", notes=asked("c")).stdout
    command = told.split("before you import: ")[1].split("\n")[0].split()
    assert command[:2] == ["deckgen", "adopt"]
    run = deckgen(*command[1:])
    assert run.returncode == 0, run.stdout + run.stderr
    assert "perhaps one note" not in deckgen("build", "notes.md", "--no-run").stdout


UNSAID = """\
# Views

```python
import torch
x = torch.ones(2, 3)
y = x.view(4)
print(x.sum())  # tensor(6.)
```

# Loops

<!-- deckgen: keep -->

```python
for i in range(3):
    print(i)  # 2
```

# Said

```python
import torch
x = torch.ones(2, 3)
y = x.view(4)  # RuntimeError
print(x.dtype)
print(x.sum())  # tensor(6.)
```

# Functions

```python
def f(n):
    print(n)  # 1
f(1)
```
"""


def test_what_code_prints_is_answered_with_all_of_it(deckgen):
    run = deckgen("build", "notes.md", "--explain", notes=UNSAID)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "4 found, 3 shipped, 0 corrected, 0 withheld, 1 suggested" in run.stdout
    notes = json.loads(deckgen("inspect", "notes.md", "--format", "json").stdout)["sources"][0]["notes"]
    assert "print(x.dtype)" not in notes[-1]["front"]
    assert "Functions" not in {note["front"].split("\n")[0] for note in notes}


def test_a_second_run_takes_observations_from_the_cache(deckgen):
    deckgen("verify", "notes.md", notes=TRUE)
    run = deckgen("verify", "notes.md", "--format", "json")
    assert json.loads(run.stdout)["environment"]["engine"] == "cache"


def test_inspect_lists_notes_and_what_gave_none(deckgen):
    run = deckgen("inspect", "notes.md", "--format", "json", notes=TRUE)
    data = json.loads(run.stdout)
    kinds = {note["kind"] for note in data["sources"][0]["notes"]}
    assert run.returncode == 0
    assert {"basic", "output"} <= kinds


def test_inspect_shows_the_part_that_is_asked_for(deckgen):
    def listed(*options: str) -> list[str]:
        run = deckgen("inspect", "notes.md", *options, notes=TRUE)
        return [line.split(": ")[1] for line in run.stdout.splitlines() if line.startswith("  ")]

    every, outputs = listed(), listed("--kind", "output")
    assert {line.partition(" ")[0] for line in every} > {"output"}
    assert outputs == [line for line in every if line.startswith("output ")] == listed("--rule", "outputs")
    assert listed("--line", "1-9999") == every
    assert listed("--line", "9999") == []
    assert "rules that gave something: " in deckgen("inspect", "notes.md", "--rule", "outputz").stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["inspect", "notes.md", "--line", "12-"], 2, "12- is neither a line nor lines"),
        (["inspect", "notes.md", "--line", "a"], 2, "a is neither a line nor lines"),
        (["inspect", "notes.md", "--line", "9-3"], 2, "9-3 is neither a line nor lines"),
        (["inspect", "notes.md", "--kind", "riddle"], 2, "riddle"),
        (["verify", "none.md"], 2, "none.md: no such file"),
        (["verify", "notes.md", "--fail-on", "fasle"], 2, "unknown word `fasle`"),
        (["build", "notes.md", "--jobs", "0"], 2, "--jobs"),
        (["bild"], 2, "bild"),
    ],
)
def test_wrong_usage_is_exit_2_and_writes_nothing(deckgen, arguments, code, says):
    run = deckgen(*arguments, notes=TRUE)
    assert (run.returncode, says in run.stderr) == (code, True), run.stderr
    assert not (deckgen.place / "build").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            ["verify", "notes.md", option, value]
            for option in ("--torch", "--fail-on", "--dask", "--shard", "--device", "--docstrings", "--min-checked")
            for value in ("", " , ")
        ),
        ["verify", "notes.md", "--torch="],
        ["verify", "notes.md", "--torch", "2.9", "--torch", ""],
        ["verify", "notes.md", "--python", "", "--python", "python3"],
        *(
            ["build", "notes.md", option, ""]
            for option in ("--python", "--cache", "--lock", "--output", "--suggestions")
        ),
        ["inspect", "notes.md", "--rule", ""],
        ["verify", ""],
        ["init", ""],
        ["cache", "clear", "--cache", ""],
        ["report", "merge", "a.json", "--output", ""],
    ],
)
def test_what_is_empty_asks_for_nothing_and_is_refused(deckgen, arguments):
    run = deckgen(*arguments, notes=TRUE)
    assert (run.returncode, "it is empty: write a value, or leave it out" in run.stderr) == (2, True), run.stderr
    assert sorted(path.name for path in deckgen.place.iterdir()) == ["notes.md"]


def test_an_empty_option_is_told_with_what_it_is_for(deckgen):
    assert "versions of torch, in environments that uv makes: 2.4,2.9,newest" in deckgen("verify", "--torch", "").stderr


def test_variables_that_are_empty_are_as_unset(deckgen, monkeypatch):
    usual = deckgen("cache", "info").stdout
    for name in ("DECKGEN_CACHE", "DECKGEN_CACHE_KEY", "DECKGEN_EDITOR"):
        monkeypatch.setenv(name, "")
    assert deckgen("cache", "info").stdout == usual
    assert "deckgen/observations" in usual


def test_an_unknown_key_is_told_with_its_line_and_the_near_name(deckgen):
    (deckgen.place / "deck.toml").write_text('name = "x"\nlanguge = "en"\n')
    run = deckgen("build", ".", notes=TRUE)
    assert run.returncode == 2
    assert "deck.toml:2: unknown key `languge`" in run.stderr
    assert "did you mean `language`?" in run.stderr


def test_an_unreadable_source_is_left_out_and_exit_3(deckgen):
    (deckgen.place / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
    run = deckgen("build", ".", notes=TRUE)
    assert run.returncode == 3
    assert "picture.md: this is not a text file" in run.stderr
    assert list((deckgen.place / "build").glob("*.apkg"))


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_an_interpreter_without_torch_is_exit_4_and_writes_nothing(deckgen, tmp_path):
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    run = deckgen("build", "notes.md", "--python", str(bare / "bin" / "python"), notes=TRUE)
    assert run.returncode == 4, run.stdout + run.stderr
    assert "torch" in run.stderr
    assert not (deckgen.place / "build").exists()
    assert not (deckgen.place / "notes.md.deckgen.lock").exists()


def test_a_noteless_file_is_a_warning_in_a_folder_and_exit_1_when_named(deckgen):
    assert deckgen("verify", ".", notes=TRUE, empty="nothing here\n").returncode == 0
    assert deckgen("verify", "empty.md").returncode == 1


def test_a_misspelt_directive_is_told_by_every_command(deckgen):
    text = f"<!-- deckgen: skp -->\n\n{TRUE}"
    for command in (["inspect"], ["verify"], ["build", "--no-run"], ["build"]):
        run = deckgen(*command, "notes.md", notes=text)
        assert "deckgen: notes.md:1: a directive says `skp`" in run.stderr, command
        assert run.stderr.count("did you mean `skip`?") == 1, command


def test_no_run_makes_cards_that_say_so(deckgen):
    run = deckgen("build", "notes.md", "--no-run", notes=FALSE)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "new cards say that they were not checked" in run.stdout


def test_no_run_after_a_checked_build_has_lost_nothing(deckgen):
    assert deckgen("build", "notes.md", notes=TRUE).returncode == 0
    run = deckgen("build", "notes.md", "--no-run")
    assert (run.returncode, "lost" in run.stdout + run.stderr) == (0, False), run.stdout + run.stderr


def test_a_file_that_was_built_by_itself_is_told_when_its_folder_is_built(deckgen):
    assert deckgen("build", "notes.md", notes=TRUE).returncode == 0
    again = deckgen("build", ".")
    assert again.returncode == 2
    assert "notes.md.deckgen.lock: its notes were built as a deck of their own" in again.stderr
    assert not (deckgen.place / "deckgen.lock").exists()
    (deckgen.place / "notes.md.deckgen.lock").rename(deckgen.place / "deckgen.lock")
    moved = deckgen("build", ".")
    assert "first build" not in moved.stdout
    assert "0 new, 0 changed, 2 unchanged" in moved.stdout, moved.stdout


def test_init_writes_a_deck_that_builds_and_says_what_comes_next(deckgen):
    run = deckgen("init", "mine")
    assert run.returncode == 0
    assert "deckgen build mine" in run.stdout
    built = deckgen("build", "mine")
    assert built.returncode == 0, built.stdout + built.stderr
    again = deckgen("init", "mine")
    assert again.returncode == 2
    assert "deck.toml" in again.stderr


def test_commands_that_are_printed_take_no_name_for_an_option(deckgen):
    (deckgen.place / ".git").mkdir()
    run = deckgen("init", "--", "-x y")
    commands = [shlex.split(line) for line in run.stdout.splitlines() if line.startswith("  deckgen ")]
    assert [command[-1] for command in commands] == ["./-x y"] * 3
    for _, *command in commands:
        ran = deckgen(*command)
        assert ran.returncode == 0, ran.stderr
    assert 'NOTES: "./-x y"' in (deckgen.place / ".github" / "workflows" / "-x y.yml").read_text("utf-8")


def test_what_asks_about_suggestions_is_typed_as_it_is_printed(deckgen):
    (deckgen.place / "my notes").mkdir()
    (deckgen.place / "my notes" / "a.md").write_text("- **Goal**: a model that tells cats from dogs\n", "utf-8")
    assert "`deckgen review 'my notes'` asks about" in deckgen("build", "my notes").stdout


def test_init_in_a_folder_of_notes_adds_no_example_and_keeps_the_identity_of_what_was_built(deckgen):
    first = deckgen("build", "notes.md", ".", notes=TRUE)
    assert first.returncode == 0, first.stderr
    (deckgen.place / ".git").mkdir()
    begun = deckgen("init")
    assert begun.returncode == 0, begun.stderr
    assert sorted(path.name for path in deckgen.place.glob("*.md")) == ["notes.md"]
    assert (deckgen.place / ".github" / "workflows" / "notes.yml").exists()
    second = deckgen("build", ".")
    assert second.returncode == 0, second.stderr
    assert "first build" not in second.stdout


def test_init_puts_the_workflow_where_the_repository_begins(deckgen):
    (deckgen.place / ".git").mkdir()
    (deckgen.place / "my notes").mkdir()
    assert deckgen("init", "my notes").returncode == 0
    workflow = deckgen.place / ".github" / "workflows" / "my notes.yml"
    assert 'NOTES: "my notes"' in workflow.read_text("utf-8")


def test_the_first_run_in_a_place_says_that_code_will_be_executed(deckgen):
    first = deckgen("build", "notes.md", notes=TRUE)
    assert "will be executed" in first.stderr
    assert "will be executed" not in deckgen("build", "notes.md").stderr


def test_a_file_of_a_deck_has_a_package_of_its_own_beside_the_deck(deckgen):
    (deckgen.place / "deck.toml").write_text('name = "Deck"\n')
    deckgen("build", ".", "--no-run", notes=TRUE, more=TRUE.replace("leaf", "root"))
    whole = (deckgen.place / "build" / "Deck.apkg").read_bytes()
    run = deckgen("build", "notes.md", "--no-run")
    assert run.returncode == 0, run.stdout + run.stderr
    assert (deckgen.place / "build" / "Deck.apkg").read_bytes() == whole
    assert (deckgen.place / "build" / "Deck.notes.apkg").is_file()


def test_a_long_search_for_removed_notes_is_written_down(deckgen):
    heads = [f"Q: What is tensor number {number} of the many things?" for number in range(9)]
    text = (
        "# Many\n\n"
        + "\n\n".join(f"{head}\nA: It is one of them." for head in heads)
        + "\n\nQ: What is left?\nA: This.\n"
    )
    deckgen("build", "notes.md", "--no-run", notes=text)
    run = deckgen("build", "notes.md", "--no-run", notes="# Many\n\nQ: What is left?\nA: This.\n")
    assert "search for what is in build/notes-removed.txt" in run.stdout
    assert "number 8 of the many things" in (deckgen.place / "build" / "notes-removed.txt").read_text("utf-8")
    assert max(map(len, run.stdout.splitlines())) < 200


@pytest.mark.posix("takes rights away")
def test_a_lock_that_is_kept_elsewhere_is_told(deckgen):
    (deckgen.place / "notes.md").write_text(TRUE)
    deckgen.place.chmod(0o555)
    try:
        run = deckgen("build", "notes.md", "--no-run", "-o", str(deckgen.place.parent / "out"))
    finally:
        deckgen.place.chmod(0o755)
    assert "the lock is" in run.stdout
    assert "home/data/deckgen/locks" in run.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="has no disk that is always full")
@pytest.mark.parametrize("command", [["inspect", "notes.md"], ["build", "--no-run", "notes.md"], ["--help"]])
def test_an_output_that_cannot_be_written_is_told_and_is_no_verdict(deckgen, command):
    (deckgen.place / "notes.md").write_text(TRUE)
    with open("/dev/full", "w") as full:
        run = deckgen.as_process(*command, stdout=full)
    assert run.returncode == 2
    assert run.stderr == "deckgen: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="has no disk that is always full")
def test_who_cannot_be_told_what_is_wrong_still_gets_the_exit_status(deckgen):
    with open("/dev/full", "w") as full:
        assert deckgen.as_process("build", "nowhere", stderr=full).returncode == 2


@pytest.mark.parametrize(("notes", "status"), [(TRUE, 0), ("", 1)])
def test_a_profiler_writes_what_it_measured_whatever_the_exit_status(deckgen, notes, status):
    (deckgen.place / "notes.md").write_text(notes)
    command = [sys.executable, "-m", "cProfile", "-o", "profile", "-m", "deckgen", "inspect", "notes.md"]
    run = subprocess.run(command, cwd=deckgen.place, capture_output=True, text=True)
    assert (deckgen.place / "profile").stat().st_size > 0, run.stderr
    assert subprocess.run([*command[:1], *command[5:]], cwd=deckgen.place, capture_output=True).returncode == status


def test_who_stops_listening_ends_the_command_without_a_word(deckgen, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # with it click hears of the pipe first
    (deckgen.place / "notes.md").write_text(TRUE)
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "w") as pipe:
        run = deckgen.as_process("inspect", "notes.md", stdout=pipe)
    assert (run.returncode, run.stderr) == (141, "")


def test_a_note_under_another_heading_is_told_once_as_moved(deckgen):
    deckgen("build", "--no-run", "notes.md", notes=TRUE)
    run = deckgen("build", "--no-run", "notes.md", notes=TRUE.replace("# Shapes", "# Forms"))
    lines = [line for line in run.stdout.splitlines() if "What does squeeze() do?" in line]
    assert len(lines) == 1, run.stdout
    assert lines[0].startswith("  moved: ")
    assert "0 new, 2 changed, 0 unchanged" in run.stdout


def test_why_something_is_not_checked_is_told_in_words(deckgen):
    notes = "# Sum\n\n```python\nprint(total.sum())  # prints tensor(6)\n```\n"
    run = deckgen("verify", "notes.md", notes=notes)
    assert "missing-name total (the code uses `total`, and nothing above it says what that is)" in run.stdout


TYPO = """# A

```python {no-rnu}
import pathlib
pathlib.Path("ran").touch()
print(1)  # 1
```
"""


def test_a_misspelt_no_run_is_told_and_nothing_is_run(deckgen):
    run = deckgen("verify", "notes.md", "--format", "json", notes=TYPO)
    assert "notes.md:3: a fence says `no-rnu`, which is not known; did you mean `no-run`?" in run.stderr
    (snippet,) = json.loads(run.stdout)["sources"][0]["snippets"]
    assert (snippet["status"], snippet["reason"]) == ("not-run", "skipped")


NEWER = """# A

```python
type Vector = list[float]
print(1)
```

Output:

```text
1
```
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it")
def test_newer_python_is_told_as_that(deckgen):
    run = deckgen("verify", "notes.md", "--format", "json", notes=NEWER)
    assert json.loads(run.stdout)["sources"][0]["snippets"][0]["reason"] == "needs Python 3.12"
    assert "needs Python 3.12" in deckgen("verify", "notes.md").stdout


REFUSED = """# A

```python
import torch
joined = torch.cat([torch.ones(2), torch.ones(2, 3)])
```

Q: What does pooling do?
A: It takes the largest value of each window.
"""


def test_code_that_torch_refuses_is_news(deckgen):
    run = deckgen("build", "notes.md", notes=REFUSED)
    assert "notes.md:5: fails: RuntimeError:" in run.stdout
    assert run.returncode == 0
    failing = deckgen("verify", "notes.md", "--fail-on", "fails")
    assert failing.returncode == 1
    assert "1 snippet fails, and the notes do not say so" in failing.stdout


@pytest.mark.posix("signals")
def test_who_asks_us_to_end_is_obeyed_whatever_python_makes_of_it():
    """An exception in `__set_name__` was a RuntimeError till Python 3.12; so it is in an import that a signal breaks off."""
    code = (
        "import os, signal\n"
        "from deckgen.cli import handle_errors, heeding_signals\n"
        "class Part:\n"
        "    def __set_name__(self, owner, name):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "with handle_errors(), heeding_signals():\n"
        "    class Whole:\n"
        "        part = Part()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (143, "deckgen: stopped; what is written is whole\n")


@pytest.mark.posix("signals")
def test_who_asks_us_to_end_where_python_can_raise_nothing_is_obeyed_all_the_same():
    """Callbacks of imports and `__del__`: what is raised there is printed, and lost."""
    code = (
        "import os, signal, threading\n"
        "from deckgen.cli import handle_errors, heeding_signals\n"
        "class Part:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        os.getpid()\n"
        "with handle_errors(), heeding_signals():\n"
        "    Part()\n"
        "    threading.Event().wait()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=GUARD)
    assert (run.returncode, run.stderr) == (143, "deckgen: stopped; what is written is whole\n")
