"""Locks in a real git: what `merge=union` makes of two branches is a lock, and nobody's note is lost."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from rendered import NOW, Assigned, built, cloze, guids, note, source_decks

from deckgen.identity import format_lock, parse_lock

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
BASE = [note(f"question {number}", f"answer {number}") for number in range(12)] + [cloze("{{c1::view}} it", (1,))]


class Repository:
    """A repository with a lock in it, merged as its `.gitattributes` says."""

    def __init__(self, folder: Path, attributes: str) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")
        (folder / ".gitattributes").write_text(attributes)

    def git(self, *arguments: str, check: bool = True) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=self.folder, check=check, capture_output=True)

    def commits(self, made: Assigned) -> None:
        (self.folder / "deckgen.lock").write_text(format_lock(made.lock), "utf-8")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "build")

    def merged(self, base: Assigned, ours: Assigned, theirs: Assigned) -> str:
        self.commits(base)
        self.git("checkout", "-q", "-b", "theirs")
        self.commits(theirs)
        self.git("checkout", "-q", "main")
        self.commits(ours)
        self.git("merge", "-q", "theirs", "-m", "merge", check=False)
        return (self.folder / "deckgen.lock").read_text("utf-8")


def branches() -> tuple[Assigned, Assigned, Assigned]:
    """Both edit a note of their own, both edit the first, each adds a note and a hole, one adds a file."""
    base = built(BASE, source_decks=source_decks("Tensors"))
    first, second = note("question 0", "ours"), note("question 0", "theirs")
    ours = [
        first,
        note("question 1", "edited"),
        *BASE[2:-1],
        cloze("{{c1::view}} it {{c2::ours}}", (1, 2)),
        note("ours", "x"),
    ]
    theirs = [second, *BASE[1:2], note("question 2", "edited"), *BASE[3:-1], cloze("{{c1::view}} it", (1,))]
    theirs.append(note("theirs", "y", file="views.md"))
    return (
        base,
        built(ours, base, NOW + 10, source_decks=source_decks("Tensors")),
        built(theirs, base, NOW + 20, source_decks=source_decks("Tensors", "Views")),
    )


def test_a_union_of_two_branches_is_a_lock_that_knows_all_notes(tmp_path: Path):
    base, ours, theirs = branches()
    text = Repository(tmp_path, "deckgen.lock merge=union\n").merged(base, ours, theirs)
    lock = parse_lock(text, "deckgen.lock", NOW + 30)
    assert {line.guid for line in lock.notes} == {*guids(ours).values(), *guids(theirs).values()}
    by_guid = {line.guid: line for line in lock.notes}
    assert by_guid[guids(base)["question 0"]].mtime == NOW + 20
    assert by_guid[guids(base)["question 1"]].mtime == NOW + 10
    assert {subdeck.name for subdeck in lock.subdecks} == {"010 Tensors", "020 Views"}
    assert format_lock(parse_lock(format_lock(lock), "deckgen.lock", NOW + 30)) == format_lock(lock)


def test_a_conflict_left_in_the_lock_is_solved_by_deleting_the_markers(tmp_path: Path):
    text = Repository(tmp_path, "").merged(*branches())
    assert "<<<<<<<" in text
    kept = "".join(line for line in text.splitlines(True) if not line.startswith(("<<<<<<<", "=======", ">>>>>>>")))
    assert len(parse_lock(kept, "deckgen.lock", NOW + 30).notes) == len(BASE) + 2
