"""Trees are kept for whoever asks again, and let go of when a deck has more than are kept."""

from __future__ import annotations

from deckgen.text import syntax


def _parse(count: int) -> None:
    syntax.parsed.cache_clear()
    for number in range(count):
        tree = syntax.parsed(f"x = {number}")
        assert tree is not None
        syntax.nodes(tree)
    syntax.forget_many()


def test_the_trees_of_a_small_deck_are_kept():
    _parse(100)
    assert syntax.parsed.cache_info().currsize == 100


def test_those_of_a_large_one_are_not():
    _parse(2000)
    assert syntax.parsed.cache_info().currsize == syntax.nodes.cache_info().currsize == 0
