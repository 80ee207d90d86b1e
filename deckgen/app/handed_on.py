"""What passages hand on to those below them: headings, snippets and calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckgen.extract.apart import NEAR
from deckgen.extract.code.needed import FARTHEST
from deckgen.extract.names.code import REACH
from deckgen.model.passage import Open, Passage, Traits


class Whole(Exception):  # noqa: N818 (no error: all that it says is how to go on)
    """Only the whole can tell."""


def traits_of(passage: Passage | None) -> Traits:
    """Raises Whole for a passage of which they are not known."""
    if passage is None or passage.traits is None:
        raise Whole
    return passage.traits


def handed_on(passages: Sequence[Passage | None]) -> tuple[object, ...]:
    """The last headings, snippets and calls of some passages."""
    tails: list[list[object]] = [[], [], []]
    for passage in reversed(passages):
        one = traits_of(passage)
        for tail, told, most in zip(
            tails, (one.headings, one.snippets, one.calls), (NEAR, FARTHEST, REACH), strict=True
        ):
            tail[:0] = told[len(told) - min(len(told), most - len(tail)) :]
        if all(len(tail) >= most for tail, most in zip(tails, (NEAR, FARTHEST, REACH), strict=True)):
            break
    return tuple(map(tuple, tails))


def above_each(passages: Iterable[Passage]) -> Iterator[tuple[Open, ...]]:
    """The headings above the first one of each passage."""
    above: tuple[Open, ...] = ()
    for one in map(traits_of, passages):
        yield tuple(heading for heading in above if heading.level < one.first)
        above = (*(heading for heading in above if heading.level < one.floor), *one.open)
