"""Which notes are made of what: the paired cases in `tests/cases/notes.md` and `suggestions.md`."""

import pytest
from carded import OFFERED, extracted, made
from listing import Case, cases

from deckgen.model.note import Note, Standing, back, front


def told(note: Note) -> str:
    """The kind, what is asked below which context, and the answer, on two lines."""
    *context, asked = front(note).removeprefix("\n\n").split("\n\n", 1) if note.headings else [front(note)]
    shown = "".join(f"[{part}] " for part in context)
    kind = type(note.body).__name__.lower()
    return f"{kind}: {_line(shown + asked)}\n    = {_line(back(note))}"


def _line(text: str) -> str:
    return " / ".join(line.rstrip() for line in text.split("\n") if line.strip())


def listed(text: str, *, offered: bool) -> str:
    """What is made of a text, or only what is offered besides; what is doubted is left to `test_worth.py`."""
    every = [note for note in made(text) if not note.doubts and (note.rule in OFFERED) is offered]
    return "\n".join(map(told, every)) or "none"


@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in cases("notes")])
def test_notes_are_what_a_careful_person_would_make(case: Case) -> None:
    assert listed(case.source, offered=False) == case.listing


@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in cases("suggestions")])
def test_what_no_other_rule_takes_is_offered_if_it_may_be_a_fact(case: Case) -> None:
    assert listed(case.source, offered=True) == case.listing
    assert all(note.standing is Standing.SUGGESTED for note in extracted(case.source).notes if note.rule in OFFERED)
