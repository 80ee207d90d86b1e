"""What a snippet needs from the code above it, so that a card can be answered without the page.

A notebook's cell says `w.grad`; the card has to say what `w` is. Statements of the same document are
taken, nearest first, that bind or change a name the code uses before binding it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from deckgen.extract.statements import Statement, statements

LONGEST = 20
"""Lines that may be put above the code of a card."""
FARTHEST = 24
"""Snippets that are looked through."""


def needed(own: Sequence[Statement], above: Sequence[str]) -> str | None:
    """The statements of the snippets `above` (in order) that the code of `own` needs; "" if none, None if it cannot be told.

    None also where they are too many, or would print.
    """
    wanted = _free(own)
    if not wanted:
        return ""
    taken: list[str] = []
    for statement, reached in reversed(_known(tuple(above[-FARTHEST:]))):
        if not wanted:
            break
        if not statement.binds & wanted and not reached & wanted:
            continue
        taken.insert(0, statement.text)
        if statement.prints or sum(text.count("\n") + 1 for text in taken) > LONGEST:
            return None
        wanted = (wanted - (statement.binds - statement.loads)) | statement.loads
    return None if wanted else "\n".join(taken)


@lru_cache(maxsize=8)
def _known(above: tuple[str, ...]) -> Sequence[tuple[Statement, frozenset[str]]]:
    """The statements of snippets, each with the names whose objects it may change.

    `opt.step()` changes what `opt` was made of, and all that was made of that: to leave out a change would
    put code on a card that shows something else than the notes.
    """
    made_of: dict[str, frozenset[str]] = {}
    found: list[tuple[Statement, frozenset[str]]] = []
    for statement in (one for code in above for one in statements(code) or ()):
        parts = statement.loads.union(*(made_of.get(name, frozenset()) for name in statement.loads))
        for name in statement.binds:
            made_of[name] = parts | statement.binds
        roots = statement.changes.union(*(made_of.get(name, frozenset()) for name in statement.changes))
        touched = {name for name, whole in made_of.items() if roots & whole} if roots else set()
        found.append((statement, frozenset(roots | touched)))
    return found


def _free(own: Sequence[Statement]) -> frozenset[str]:
    """Names that are used before they are bound."""
    bound: set[str] = set()
    free: set[str] = set()
    for statement in own:
        free |= statement.loads - bound
        bound |= statement.binds
    return frozenset(free)
