"""What a build does for each note does not grow with the notes that are not looked at."""

from __future__ import annotations

from dataclasses import replace

from deckgen.identity.identify import identify
from deckgen.identity.lock import LockedNote


class Counted(str):
    """A GUID that counts how often it is looked for."""

    asked = 0

    def __hash__(self) -> int:
        Counted.asked += 1
        return super().__hash__()

    __eq__ = str.__eq__


def _line(number: int, file: str) -> LockedNote:
    answer = f"{number} {file}"
    return LockedNote(
        guid=Counted(f"g{number}{file[0]}"), kind="basic", headings=("Same",), anchor=f"what is {number}", mtime=1, due=1,
        hash=answer, answer=answer, answer_hash=answer, files=(file,),
    )  # fmt: skip


def _asked_of(count: int) -> int:
    """How often a line of the lock is looked for, where two files ask the same questions."""
    locked = [_line(number, file) for number in range(count) for file in ("a.md", "b.md")]
    notes = [replace(one, guid="", hash="new") for one in locked]
    Counted.asked = 0
    found = identify(notes, ["notes.md:1"] * len(notes), locked, frozenset()).found
    assert [one and one.guid for one in found] == [one.guid for one in locked]
    return Counted.asked


def test_two_files_that_ask_the_same_are_told_apart_in_linear_time():
    assert _asked_of(400) < 2.2 * _asked_of(200)
