"""`deckgen verify -` and its kin: notes through a pipe, called and read as `--stdin-name` says."""

import json
from pathlib import Path

import pytest
from commands import Command

MARKDOWN = b"Q: What is `torch.arange(4).sum()`?\nA: `tensor(7)`\n"
LINES = b'{"front": "What is `torch.arange(4).sum()`?", "back": "`tensor(7)`", "id": "x"}\n{"front": 1}\n'


@pytest.fixture
def deckgen(tmp_path: Path) -> Command:
    return Command(tmp_path, tmp_path)


def test_it_is_markdown_unless_its_name_says_otherwise(deckgen: Command):
    ran = deckgen("verify", "-", stdin=MARKDOWN)
    assert ran.returncode == 1
    assert ran.stdout.startswith("-:2: contradicted: `torch.arange(4).sum()`: `tensor(7)`: 7 claimed, torch has 6")


def test_a_name_says_what_it_is_and_is_told(deckgen: Command):
    ran = deckgen("verify", "-", "--stdin-name", "cards.jsonl", stdin=LINES)
    assert ran.returncode == 3
    assert ran.stdout.startswith("cards.jsonl:1: contradicted:")
    assert 'deckgen: cards.jsonl:2: "back" is missing' in ran.stderr


def test_inspect_lists_what_came_through_the_pipe(deckgen: Command):
    ran = deckgen("inspect", "-", "--format", "json", stdin=MARKDOWN)
    assert [note["front"] for note in json.loads(ran.stdout)["sources"][0]["notes"]] == [
        "What is `torch.arange(4).sum()`?"
    ]


def test_a_package_is_built_where_it_is_wanted_with_its_lock_beside_it(deckgen: Command, tmp_path: Path):
    ran = deckgen("build", "-", "-o", "out/x.apkg", "--on-contradiction", "keep", stdin=MARKDOWN)
    assert "x: first build, 1 notes" in ran.stdout
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x.apkg", "x.apkg.deckgen.lock"]
    again = deckgen("build", "-", "-o", "out/x.apkg", "--on-contradiction", "keep", stdin=MARKDOWN.replace(b"7", b"6"))
    assert "x: 0 new, 1 changed, 0 unchanged" in again.stdout


def test_a_deck_without_a_name_is_called_after_the_pipe_and_its_lock_is_kept(deckgen: Command, tmp_path: Path):
    assert deckgen("build", "-", "--no-run", stdin=MARKDOWN).returncode == 0
    assert sorted(path.name for path in (tmp_path / "build").iterdir()) == ["notes.apkg", "notes.deckgen.lock"]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("verify", "-", "notes.md"), "standard input is read by itself"),
        (("verify", "--stdin-name", "x.md", "notes.md"), "names standard input, which is not read"),
        (("update", "-"), "standard input is read by `verify`, `inspect` and `build` alone"),
        (("review", "-"), "standard input is read by `verify`, `inspect` and `build` alone"),
        (("build", "-", "--stdin-name", "x.apkg"), "a package is only checked"),
    ],
)
def test_what_cannot_be_meant_is_told(deckgen: Command, arguments: tuple[str, ...], wanted: str):
    ran = deckgen(*arguments, stdin=MARKDOWN)
    assert ran.returncode == 2
    assert wanted in ran.stderr


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("-", b""),
        ("x.jsonl", b"\n"),
        ("x.csv", b""),
        ("x.apkg", b"PK"),
        ("x.md", b"\xff\xfe\x00"),
        ("x.png", bytes(range(256))),
    ],
)
def test_what_holds_no_notes_is_told(deckgen: Command, name: str, data: bytes):
    ran = deckgen("verify", "-", "--stdin-name", name, stdin=data)
    assert ran.returncode in (1, 3)
    assert "deckgen: " in ran.stderr or "exit 1: nothing was found" in ran.stdout
