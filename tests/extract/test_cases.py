"""Which notes are made of what: the paired cases in `tests/cases/notes.md`."""

import pytest
from carded import notes
from listing import Case, cases

from deckgen.model.note import Note, back, front


def told(note: Note) -> str:
    """The kind, what is asked below which context, and the answer, on two lines."""
    *context, asked = front(note).removeprefix("\n\n").split("\n\n", 1) if note.headings else [front(note)]
    shown = "".join(f"[{part}] " for part in context)
    kind = type(note.body).__name__.lower()
    return f"{kind}: {_line(shown + asked)}\n    = {_line(back(note))}"


def _line(text: str) -> str:
    return " / ".join(line.rstrip() for line in text.split("\n") if line.strip())


def listed(text: str) -> str:
    """What is made of a text; what is doubted is left to `test_worth.py`."""
    return "\n".join(map(told, notes(text))) or "none"


@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in cases("notes")])
def test_notes_are_what_a_careful_person_would_make(case: Case) -> None:
    assert listed(case.source) == case.listing
