"""What a newcomer does first, and what deckgen says before it does what they would regret."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Command

from deckgen.identity import parse_lock

ASKED = "# T\n\nQ: What is a shape, part {0}?\nA: The sizes of all dimensions of tensor {0}.\n\nA line of talk.\n"


@pytest.fixture
def deckgen(tmp_path: Path) -> Command:
    return Command(tmp_path, tmp_path)


def written(place: Path, *names: str) -> None:
    for name in names:
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ASKED.format(name))


def guids(*locks: Path) -> set[str]:
    return {note.guid for lock in locks for note in parse_lock(lock.read_text(), "deckgen.lock", 2**31).notes}


def test_init_and_build_end_with_a_package(deckgen: Command, tmp_path: Path):
    assert deckgen("init").returncode == 0
    assert deckgen("build").returncode == 0
    assert [path.suffix for path in (tmp_path / "build").iterdir()] == [".apkg"]
    assert deckgen("verify").returncode == 0
    assert "shapes.md" in deckgen("inspect").stdout


@pytest.mark.parametrize("command", ["build", "verify", "inspect", "update"])
def test_where_nothing_is_meant_it_says_what_to_do(deckgen: Command, command: str):
    ran = deckgen(command)
    assert ran.returncode == 2
    assert "nothing was named, and here is neither a deck.toml nor a folder cards" in ran.stderr
    assert "deckgen init" in ran.stderr


def test_below_a_deck_nobody_is_told_to_make_a_second_one_of_its_notes(tmp_path: Path):
    written(tmp_path, "deck/part/a.md")
    (tmp_path / "deck" / "deck.toml").write_text("")
    ran = Command(tmp_path / "deck" / "part", tmp_path)("build")
    assert ran.returncode == 2
    assert "this folder belongs to the deck of ..: name that" in ran.stderr
    assert "deckgen init" not in ran.stderr


def test_a_folder_of_cards_is_meant_where_there_is_no_deck(deckgen: Command, tmp_path: Path):
    written(tmp_path, "cards/a.md")
    assert "cards/a.md" in deckgen("inspect").stdout


def test_the_report_of_a_build_says_how_many_blocks_gave_no_card(deckgen: Command, tmp_path: Path):
    written(tmp_path, "n/a.md", "n/b.md")
    assert "2 blocks gave no card: deckgen inspect n\n" in deckgen("build", "n", "--no-run").stdout
    assert "2 blocks gave no card: deckgen inspect n\n" in deckgen("build", "n/a.md", "n/b.md", "--no-run").stdout


def test_files_that_are_decks_of_their_own_do_not_come_a_second_time_in_the_deck_of_their_folder(
    deckgen: Command, tmp_path: Path
):
    written(tmp_path, "n/a.md", "n/b.md")
    assert deckgen("build", "n/a.md", "n/b.md", "--no-run").returncode == 0
    left = [sorted((tmp_path / name).iterdir()) for name in ("n", "build")]
    first = deckgen("build", "n", "--no-run")
    assert first.returncode == 2
    assert (
        "n/a.md.deckgen.lock, n/b.md.deckgen.lock: the notes of each were built as a deck of their own" in first.stderr
    )
    assert "move one of them to n/deckgen.lock" in first.stderr
    assert [sorted((tmp_path / name).iterdir()) for name in ("n", "build")] == left
    (tmp_path / "n" / "b.md.deckgen.lock").unlink()
    known = guids(tmp_path / "n" / "a.md.deckgen.lock")
    (tmp_path / "n" / "a.md.deckgen.lock").rename(tmp_path / "n" / "deckgen.lock")
    assert "1 new, 0 changed, 1 unchanged" in deckgen("build", "n", "--no-run").stdout
    assert known < guids(tmp_path / "n" / "deckgen.lock")


def test_after_the_build_of_a_folder_its_files_have_the_same_identity_however_they_are_named(
    deckgen: Command, tmp_path: Path
):
    written(tmp_path, "n/a.md", "n/b.md")
    deckgen("build", "n", "--no-run")
    lock = tmp_path / "n" / "deckgen.lock"
    before = lock.read_bytes()
    assert "0 new, 0 changed, 2 unchanged" in deckgen("build", "n/a.md", "n/b.md", "--no-run").stdout
    assert lock.read_bytes() == before


@pytest.mark.parametrize(("command", "ending"), [("build", "apkg"), ("preview", "html")])
def test_files_of_one_name_are_told_by_their_places_before_anything_is_run(
    deckgen: Command, tmp_path: Path, command: str, ending: str
):
    written(tmp_path, "a/x.md", "b/x.md", "c/x.md", "d/y.md")
    ran = deckgen(command, "a/x.md", "b/x.md", "c/x.md", "d/y.md")
    assert ran.returncode == 2
    assert f"build/x.{ending}: 3 decks would be this file: a/x.md, b/x.md, c/x.md" in ran.stderr
    assert not (tmp_path / "build").exists()
