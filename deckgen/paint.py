"""Colour and links for people at a terminal: laid over text that is told without them everywhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from deckgen.model.verdict import FAILING
from deckgen.text.harmless import Harmless
from deckgen.text.pattern import pattern

Address = Callable[[str, int], str]
"""(path, line) -> the address that a click on this place opens; empty = none."""

STYLES: Mapping[str, Mapping[str, Any]] = {
    "place": {"bold": True},
    "false": {"fg": "red", "bold": True},
    "doubt": {"fg": "yellow"},
    "fine": {"fg": "green"},
    "claimed": {"fg": "red"},
    "observed": {"fg": "green"},
    "frame": {"dim": True},
    "command": {"fg": "cyan"},
}
"""Role -> how it looks. A line of `LINES` says where the roles stand: its groups have their names."""

_PLACE = r"(?P<place>(?P<path>[^\s:][^:]*(?::[^\d\s][^:]*)*):(?P<line>\d+))"
LINES: tuple[tuple[str, str], ...] = (
    (rf"^ *{_PLACE}: (?P<false>{'|'.join(sorted(FAILING, key=len, reverse=True))}):", "a.md:5: contradicted: `1`"),
    (rf"^  {_PLACE}: (?P<fine>holds[a-z-]*|exists):", "  a.md:5: holds: `1` (value)"),
    (rf"^ *{_PLACE}: (?P<doubt>[a-z][a-z-]*):", "a.md:5: unverified: `1`: needs-cuda"),
    (rf"^ *{_PLACE}:", "  a.md:5: basic (pairs; sure): What is a leaf?"),
    (rf"^(?P<doubt>deckgen:) (?:{_PLACE}:)?", "deckgen: deck.toml:2: unknown key `nam`"),
    (rf"^(?P<false>exit \d+): (?:{_PLACE}:)?", "exit 1: 1 claim is false or cannot run"),
    (r"^  (?P<command>hint:)", "  hint: did you mean `name`?"),
    (r"^    (?P<frame>(?:---|\+\+\+) (?:claimed|observed)|@@ .* @@)$", "    @@ -1 +1 @@"),
    (r"^    (?P<claimed>-.*)$", "    -[4, 3, 3]"),
    (r"^    (?P<observed>\+.*)$", "    +[4, 4, 2]"),
    (r"^(?P<fine>wrote) ", "wrote build/a.apkg"),
    (r"^(?P<command>deckgen explain .*?)  #", "deckgen explain contradicted  # what this means, and what to do"),
    (r".*(?P<command>`deckgen [^`]+`)", "1 suggestion: `deckgen review notes` asks about it"),
)
"""What is coloured in a line, and such a line; the first that fits it counts."""
_LINES = [pattern(line) for line, _ in LINES]
_ROLES = {role: at for at, role in enumerate(STYLES)}


def painted(text: str, address: Address | None = None) -> Harmless:
    """Text that is harmless already, in colour, and with links where there are addresses."""
    return Harmless("\n".join("".join(_parts(line, address)) for line in text.split("\n")))


def styled(role: str, text: str) -> Harmless:
    """One line that is harmless already, in one role."""
    return Harmless(click.style(text, **STYLES[role]))


def _parts(line: str, address: Address | None) -> Iterator[str]:
    """The line, with what is coloured in it in its colours."""
    found = next(filter(None, (one.match(line) for one in _LINES)), None)
    end = 0
    for role in found.re.groupindex if found else ():
        start, stop = found.span(role) if found and role in STYLES else (-1, -1)
        if found and start >= end:
            yield line[end:start]
            shown = styled(role, line[start:stop])
            to = address(found["path"], int(found["line"])) if address and role == "place" else ""
            yield f"\x1b]8;;{to}\x1b\\{shown}\x1b]8;;\x1b\\" if to else shown
            end = stop
    yield line[end:]
