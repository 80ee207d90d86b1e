"""What a snippet needs from the code above it, so that a card can be answered without the page.

A notebook's cell says `w.grad`; the card has to say what `w` is. Statements of the same document are
taken, nearest first, that bind or change a name the code uses before binding it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from deckgen.extract.code.statements import Statement, statements

LONGEST = 20
"""Lines that may be put above the code of a card."""
FARTHEST = 24
"""Snippets that are looked through."""


Place = tuple[int, int]
"""The index of a block of code, and the first line of a statement in it."""


Since = Mapping[str, int]
"""Names, each with the first block that has to be looked through to know of it."""


class History:
    """The statements of a document's code, each with the names whose objects it may change: read once, and forwards.

    `opt.step()` changes what `opt` was made of, and all that was made of that: to leave out a change would
    put code on a card that shows something else than the notes. What a chain of statements makes known counts only
    where all of them are looked through: so with each name goes the first block of the chain, of several the latest.
    """

    def __init__(self, code: Callable[[int], str]) -> None:
        self._code = code
        self._read: dict[int, Sequence[tuple[Statement, Since]]] = {}
        self._made_of: dict[str, Since] = {}
        self._imported: set[str] = set()
        """Nothing is made of a module, and nothing changes one."""
        self._oldest = 0
        """The first block that counts: those who ask go forward."""

    def backwards(self, above: Sequence[int]) -> Iterator[tuple[Place, Statement, Since]]:
        """The statements of the code at these indices, the last first."""
        for index in above:
            if index not in self._read:
                self._forget(above[0])
                self._read[index] = [(one, self._changed(one, index)) for one in statements(self._code(index)) or ()]
        for index in reversed(above):
            for statement, reached in reversed(self._read[index]):
                yield (index, statement.lines.start), statement, reached

    def _forget(self, oldest: int) -> None:
        if oldest > self._oldest:
            self._oldest = oldest
            self._made_of = {name: made for name, made in self._made_of.items() if max(made.values()) >= oldest}

    def _changed(self, statement: Statement, index: int) -> Since:
        """The names whose objects a statement may change; what it binds is made of what it loads."""
        imports = isinstance(statement.node, ast.Import | ast.ImportFrom)
        self._imported = self._imported | statement.binds if imports else self._imported - statement.binds
        parts = self._whole(statement.loads, index)
        parts.update(dict.fromkeys(statement.binds, index))
        self._made_of.update(dict.fromkeys(statement.binds, parts))
        roots = self._whole(statement.changes, index)
        reached = dict(roots)
        for name, made in self._made_of.items() if roots else ():
            shared = roots.keys() & made.keys()
            if shared:
                reached[name] = max(reached.get(name, 0), *(min(roots[one], made[one]) for one in shared))
        return reached

    def _whole(self, names: frozenset[str], index: int) -> dict[str, int]:
        """Names with all that they were made of."""
        found: dict[str, int] = {}
        names = names - self._imported
        for name in names:
            for part, since in self._made_of.get(name, {}).items():
                if since >= self._oldest and since > found.get(part, -1):
                    found[part] = since
        found.update(dict.fromkeys(names, index))
        return found


def needed(own: Sequence[Statement], history: History, above: Sequence[int], stops: Callable[[Place], bool]) -> str:
    """The statements of the code at the indices `above` (in order) that the code of `own` needs; empty if it cannot be told.

    Empty also where they are too many, or would print. Those that are said to raise are left out, and those that print
    and may change a name: whether they did, the run of the card shows.
    """
    wanted = names_needed(own)
    taken: dict[Place, Statement] = {}
    for place, statement, reached in history.backwards(above) if wanted else ():
        if not wanted:
            break
        if not statement.binds & wanted and not any(reached.get(name, -1) >= above[0] for name in wanted):
            continue
        binds = bool(statement.binds & wanted)
        if stops(place) or (statement.prints and not binds):
            continue
        taken[place] = statement
        if statement.prints or sum(len(one.lines) for one in taken.values()) > LONGEST:
            return ""
        wanted = (wanted - (statement.binds - statement.loads)) | statement.loads
    return "" if wanted else "\n".join(taken[place].text for place in sorted(taken))


def names_needed(own: Sequence[Statement]) -> frozenset[str]:
    """Names that are used before they are bound."""
    bound: set[str] = set()
    free: set[str] = set()
    for statement in own:
        free |= statement.loads - bound
        bound |= statement.binds
    return frozenset(free)
