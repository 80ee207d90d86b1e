"""What a snippet needs from the code above it, so that a card can be answered without the page.

A notebook's cell says `w.grad`; the card has to say what `w` is. Statements of the same document are
taken, nearest first, that bind or change a name the code uses before binding it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract.shown.statements import Statement, statements

LONGEST = 20
"""Lines that may be put above the code of a card."""
FARTHEST = 24
"""Snippets that are looked through."""


Place = tuple[int, int]
"""Which of the snippets above, and the first line of a statement in it."""


class Needed(NamedTuple):
    """What has to stand above the code of a card."""

    text: str = ""
    taken: tuple[Place, ...] = ()
    left_out: tuple[Place, ...] = ()
    """What would have been taken, if it were not said to raise."""


def needed(own: Sequence[Statement], above: Sequence[str], raising: Collection[Place] = ()) -> Needed | None:
    """The statements of the snippets `above` (in order) that the code of `own` needs; None if it cannot be told.

    None also where they are too many, or would print. Those that are said to raise are left out.
    """
    wanted = names_needed(own)
    taken: dict[Place, Statement] = {}
    left_out: list[Place] = []
    for place, statement, reached in reversed(_known(tuple(above))) if wanted else ():
        if not wanted:
            break
        if not statement.binds & wanted and not reached & wanted:
            continue
        if place in raising:
            left_out.insert(0, place)
            continue
        taken[place] = statement
        if statement.prints or sum(len(one.lines) for one in taken.values()) > LONGEST:
            return None
        wanted = (wanted - (statement.binds - statement.loads)) | statement.loads
    if wanted:
        return None
    places = sorted(taken)
    return Needed("\n".join(taken[place].text for place in places), tuple(places), tuple(left_out))


@lru_cache(maxsize=8)
def _known(above: tuple[str, ...]) -> Sequence[tuple[Place, Statement, frozenset[str]]]:
    """The statements of snippets, each with its place and the names whose objects it may change.

    `opt.step()` changes what `opt` was made of, and all that was made of that: to leave out a change would
    put code on a card that shows something else than the notes.
    """
    made_of: dict[str, frozenset[str]] = {}
    found: list[tuple[Place, Statement, frozenset[str]]] = []
    for at, statement in ((at, one) for at, code in enumerate(above) for one in statements(code) or ()):
        parts = statement.loads.union(*(made_of.get(name, frozenset()) for name in statement.loads))
        for name in statement.binds:
            made_of[name] = parts | statement.binds
        roots = statement.changes.union(*(made_of.get(name, frozenset()) for name in statement.changes))
        touched = {name for name, whole in made_of.items() if roots & whole} if roots else set()
        found.append(((at, statement.lines.start), statement, frozenset(roots | touched)))
    return found


def names_needed(own: Sequence[Statement]) -> frozenset[str]:
    """Names that are used before they are bound."""
    bound: set[str] = set()
    free: set[str] = set()
    for statement in own:
        free |= statement.loads - bound
        bound |= statement.binds
    return frozenset(free)
