"""What the author decided about notes is done by every later build, whatever became of the notes meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import deckgen
from deckgen.app.author import record
from deckgen.files import deck_folders
from deckgen.model.author import LEFT_OUT, Wish
from deckgen.model.note import Note, front

NOTES = """\
# Views

### What does `view()` share?

It shares the storage of the tensor that it was called on.

### What is a stride?

How many elements of the storage lie between two neighbours in a dimension.

### What is an offset?

The place </div> where its storage begins for it.
"""


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "views.md").write_text(NOTES)
    return tmp_path / "notes"


def options(*paths: str, **more: object) -> deckgen.Options:
    return deckgen.Options(paths=paths or ("notes",), no_run=True, suggestions="ship", **more)  # type: ignore[arg-type]


def decide(words: str, wish: Wish | None, *paths: str) -> None:
    """Decides about the note that asks so, whether it is refused or not."""
    results = deckgen.inspect(options(*paths))
    every = [note for one in results.extractions for note in (*one.notes, *(each.note for each in one.skipped))]
    (note,) = (note for note in every if isinstance(note, Note) and words in front(note))
    (folder,) = deck_folders(paths or ("notes",))
    record(folder, [(note, "")], wish)


def asked(*paths: str) -> list[str]:
    """What the notes of a build ask."""
    built = deckgen.build(options(*paths))
    return [one.note.body.prompt for one in built.results.decisions]  # type: ignore[union-attr]


def edit(deck: Path, old: str, new: str) -> None:
    text = (deck / "views.md").read_text()
    assert old in text
    (deck / "views.md").write_text(text.replace(old, new))


def test_a_note_left_out_is_in_no_later_build_and_inspect_says_who_did_it(deck: Path):
    assert asked() == ["What does `view()` share?", "What is a stride?"]
    decide("stride", "leave-out")
    built = deckgen.build(options())
    assert [one.note.body.prompt for one in built.results.decisions] == ["What does `view()` share?"]  # type: ignore[union-attr]
    ((_, _, changes),) = built.changes
    assert [one.title for one in changes.removed] == ["What is a stride? · Views"]
    (skipped,) = (one for one in deckgen.inspect(options()).extractions[0].skipped if one.rule == "author")
    assert (skipped.reason, skipped.span.first) == (LEFT_OUT, 7)


@pytest.mark.parametrize("wish", ["keep", "excellent"])
def test_a_refused_note_is_made_if_the_author_wants_it(deck: Path, wish: Wish):
    assert "What is an offset?" not in asked()
    decide("offset", wish)
    assert asked() == ["What does `view()` share?", "What is a stride?", "What is an offset?"]


def test_what_was_decided_can_be_undone_and_leaves_no_trace(deck: Path):
    asked()
    before = (deck / "deckgen.lock").read_text()
    decide("stride", "leave-out")
    assert (deck / "deckgen.lock").read_text().count("\ndecision ") == 1
    decide("stride", None)
    assert (deck / "deckgen.lock").read_text() == before
    assert len(asked()) == 2


def test_a_decision_before_the_first_build_gives_the_deck_its_id(deck: Path):
    decide("stride", "leave-out")
    text = (deck / "deckgen.lock").read_text()
    built = deckgen.build(options())
    ((_, _, changes),) = built.changes
    assert changes.first
    assert text.splitlines()[3] == (deck / "deckgen.lock").read_text().splitlines()[3]
    assert "deck {" in text.splitlines()[3]


def test_a_decision_survives_small_edits_one_after_the_other(deck: Path):
    decide("stride", "leave-out")
    decide("offset", "keep")
    decide("share", "excellent")
    wanted = ["What does `view()` share?", "What is an offset?"]
    assert asked() == wanted
    questions = [
        "What is the stride?",
        "What is the stride of a dimension?",
        "What is the stride of a tensor's dimension?",
    ]
    for before, after in zip(["What is a stride?", *questions], questions, strict=False):
        edit(deck, f"### {before}", f"### {after}")
        assert asked() == wanted
    edit(deck, "in a dimension.", "in one of its dimensions.")
    edit(deck, "# Views", "# Views and strides")
    assert asked() == wanted
    decisions = [line for line in (deck / "deckgen.lock").read_text().splitlines() if line.startswith("decision")]
    assert sum("stride of a tensor's dimension" in line for line in decisions) == 1


def test_a_new_note_much_like_one_that_went_long_ago_is_not_left_out(deck: Path):
    asked()
    decide("stride", "leave-out")
    stride = "### What is a stride?\n\nHow many elements of the storage lie between two neighbours in a dimension.\n\n"
    edit(deck, stride, "")
    asked()
    edit(deck, "### What is an offset", stride.replace("a stride", "one stride") + "### What is an offset")
    assert "What is one stride?" in asked()
    edit(deck, "one stride", "a stride")
    assert "What is a stride?" not in asked()  # it is back, and still not wanted


def test_a_note_that_was_there_with_the_one_that_went_is_not_that_one_reworded(deck: Path):
    edit(
        deck,
        "### What is an offset",
        "### What is the stride?\n\nHow many elements lie between two neighbours.\n\n### What is an offset",
    )
    assert len(asked()) == 3
    decide("a stride", "leave-out")
    edit(
        deck,
        "### What is a stride?\n\nHow many elements of the storage lie between two neighbours in a dimension.\n",
        "",
    )
    assert asked() == ["What does `view()` share?", "What is the stride?"]


def test_a_note_known_by_its_id_may_become_any_other(deck: Path):
    edit(deck, "### What is a stride?", "<!-- deckgen: id=step -->\n### What is a stride?")
    decide("stride", "leave-out")
    edit(deck, "### What is a stride?\n\nHow many elements", "### How far is it?\n\nAs far as elements")
    assert asked() == ["What does `view()` share?"]


def test_the_same_note_in_two_files_is_one(deck: Path):
    shutil.copy(deck / "views.md", deck / "copy.md")
    decide_in = deck_folders(("notes",))[0]
    note = next(note for note in deckgen.api.extract("notes/views.md").notes if "stride" in front(note))
    record(decide_in, [(replace(note), "")], "leave-out")
    assert asked() == ["What does `view()` share?"]


def test_a_decision_about_a_file_holds_when_other_files_are_built(deck: Path):
    (deck / "other.md").write_text("# Other\n\n### What is a leaf?\n\nA tensor that the user made.\n")
    decide("stride", "leave-out")
    asked()
    assert asked("notes/other.md") == ["What is a leaf?"]
    assert '"gone"' not in (deck / "deckgen.lock").read_text()
    assert "What is a stride?" not in asked()


def test_a_deck_of_a_single_file_has_its_own(deck: Path):
    shutil.move(deck / "views.md", "views.md")
    decide("stride", "leave-out", "views.md")
    assert Path("views.md.deckgen.lock").exists()
    assert asked("views.md") == ["What does `view()` share?"]


def test_a_locked_build_honours_decisions_and_changes_nothing(deck: Path):
    asked()
    decide("stride", "leave-out")
    assert deckgen.build(options(locked=True)).results.stale  # a note goes
    asked()
    assert not deckgen.build(options(locked=True)).results.stale


def test_an_older_deckgen_refuses_a_lock_with_decisions_and_one_without_is_as_ever(deck: Path):
    asked()
    assert (deck / "deckgen.lock").read_text().splitlines()[2] == "version 1"
    decide("stride", "leave-out")
    assert (deck / "deckgen.lock").read_text().splitlines()[2] == "version 2"


def test_a_lost_lock_is_not_replaced_by_a_decision(deck: Path):
    asked()
    (deck / "deckgen.lock").unlink()
    with pytest.raises(deckgen.UsageError, match="was built before, but its lock is gone"):
        decide("stride", "leave-out")
    assert not (deck / "deckgen.lock").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_both_branches_of_a_merge_keep_their_decisions_and_the_later_counts(
    deck: Path, monkeypatch: pytest.MonkeyPatch
):
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=deck, check=True, capture_output=True)

    asked()
    (deck / ".gitattributes").write_text("deckgen.lock merge=union\n")
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-qm", "x"),
        ("checkout", "-qb", "theirs"),
    ):
        git(*arguments)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000020")
    decide("stride", "leave-out")
    git("commit", "-qam", "x")
    git("checkout", "-q", "main")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000010")
    decide("stride", "excellent")
    decide("offset", "keep")
    git("commit", "-qam", "x")
    git("merge", "-q", "theirs", "-m", "x")
    assert asked() == ["What does `view()` share?", "What is an offset?"]
    assert os.listdir(deck).count("deckgen.lock") == 1
