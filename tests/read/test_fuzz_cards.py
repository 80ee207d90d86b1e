"""Damaged files of cards go all the way that needs no torch: what is wrong with them is told, or nothing is."""

import pytest

from bench.fuzz import OWN, documents
from bench.fuzz_cards import fault

TEXTS = documents(OWN)


@pytest.mark.parametrize("first", range(5000, 5080, 20))
def test_no_damaged_file_of_cards_ends_a_run(first: int):
    assert [told for seed in range(first, first + 20) if (told := fault(seed, TEXTS))] == []
