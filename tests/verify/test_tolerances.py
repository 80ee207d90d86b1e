"""What may differ between notes and torch: each row of the table, by its own examples."""

import pytest

from deckgen.model.claim import Shows
from deckgen.model.source import Span
from deckgen.verify.compare.findings import Findings, Shown
from deckgen.verify.compare.numbers import Differs
from deckgen.verify.compare.texts import compare_texts
from deckgen.verify.compare.tolerances import TOLERANCES, Tolerance


def compared(text: str, row: Tolerance) -> Findings:
    found = Findings()
    claim = Shows(id="1", span=Span(0, 1), text=text, form="trailing", code_line=0, target=None)
    compare_texts(claim, Shown(row.shown, 0, False), None, found)
    return found


@pytest.mark.parametrize("row", TOLERANCES, ids=lambda row: row.name)
def test_what_may_differ_holds_and_one_edit_does_not(row):
    assert compared(row.holds, row).word is row.verdict
    with pytest.raises(Differs):
        compared(row.fails, row)


def test_every_row_is_needed_by_a_seed_or_by_two_documents_or_by_versions():
    few = [row.name for row in TOLERANCES if len(row.seen) < 2 and not row.seen[0].startswith(("seed", "changed with"))]
    assert few == []
