"""The tables of notations: each row has an example that it reads, and says where it was seen."""

import pytest
from carded import notes

from deckgen.extract.quiz import notations
from deckgen.extract.quiz.notations import BLANKS, OPTIONS, Notation
from deckgen.model.note import Choice, Cloze


@pytest.mark.parametrize("row", OPTIONS, ids=lambda row: row.name)
def test_a_row_of_options_reads_its_example_and_no_other_row_does(
    row: Notation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (note,) = notes(row.example, Choice)
    assert isinstance(note.body, Choice)
    assert note.body.right == ("B",)
    monkeypatch.setattr(notations, "OPTIONS", tuple(other for other in OPTIONS if other is not row))
    assert notes(row.example, Choice) == []


@pytest.mark.parametrize("row", BLANKS, ids=lambda row: row.name)
def test_a_row_of_blanks_reads_its_example(row: Notation) -> None:
    (note,) = notes(row.example, Cloze)
    assert isinstance(note.body, Cloze)
    assert row.pattern.search(row.example)


@pytest.mark.parametrize("row", [*OPTIONS, *BLANKS], ids=lambda row: row.name)
def test_a_row_names_the_seed_or_two_documents_that_need_it(row: Notation) -> None:
    assert any(name.startswith("seed ") for name in row.seen) or len(set(row.seen)) > 1
