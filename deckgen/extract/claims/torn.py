"""Comments that lost their `#` on the way: a number torn over a blank line, a literal's last line."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.written import half_width

_COMMENT = pattern(r"(\s*)#( ?)(.*)$")


def mend(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The same lines, with each torn end put back into the comment above; as many lines as before."""
    if parsed("\n".join(lines)) is not None:
        return lines
    mended = list(lines)
    for at, line in enumerate(lines):
        above = _comment_above(mended, at)
        if line.strip() and not line.lstrip().startswith("#") and above is not None and _continues(mended, above, at):
            tight = re.search(r"[\d.]$", mended[above]) and re.match(r"\s*[\d.]", line)
            mended[above] += ("" if tight else " ") + line.strip()
            mended[above + 1 : at + 1] = ["#"] * (at - above)  # so that the comment does not end here
    return tuple(mended) if parsed("\n".join(mended)) is not None else lines


def _comment_above(lines: list[str], at: int) -> int | None:
    above = at - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above if above >= 0 and _COMMENT.match(lines[above]) else None


def _continues(lines: list[str], above: int, at: int) -> bool:
    """True if the comment opened a bracket that the line closes."""
    start = above
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    plain = half_width("\n".join(lines[start : above + 1]))
    opened = sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
    closed = sum(map(lines[at].count, ")]}")) - sum(map(lines[at].count, "([{"))
    return opened > 0 and 0 < closed <= opened
