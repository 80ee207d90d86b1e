"""Damaged documents, configurations and locks go all the way that needs no torch: what is wrong with them is told, or nothing is."""

import pytest

from bench.fuzz import OWN, documents, fault

TEXTS = documents(OWN)


@pytest.mark.parametrize("first", range(0, 300, 60))
def test_no_damaged_text_ends_a_run(first):
    assert [told for seed in range(first, first + 60) if (told := fault(seed, TEXTS))] == []
