"""The context line: where we are, in as few words as it takes and without what the card asks anyway."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deckgen.render import escape
from deckgen.text.pattern import pattern

_SEPARATOR = '<span class="then">›</span>'
_ARGUMENTS = pattern(r"(?<=[A-Za-z0-9_])\((?:[^()\n]|\([^()\n]*\)){30,}\)")
"""Of a call that is a heading: a whole signature would be longer than the question below it."""
_ASKING = pattern(r"(?:Q|问)\s*\d{0,3}\s*[:：]\s*(?=\S)", re.IGNORECASE)
_NUMBERING = pattern(r"[\W\d_一二三四五六七八九十]*\Z")
_ASPECT = pattern(r"(.+?) [-—] .+\Z")
"""`view() - 特点？`: a prompt that begins with the heading it belongs to."""

Place = tuple[str, str]
"""A heading as (plain text, HTML)."""


def places(headings: Sequence[str], asked: str, line: Callable[[str], str]) -> list[Place]:
    """The headings that the context names; `asked` is the plain prompt and `line` renders inline Markdown."""
    path = [(escape.plain(markup), markup) for markup in map(line, map(_shortened, headings))]
    path = [(plain, markup) for plain, markup in path if plain and plain != asked]
    return path[:-1] if path and _told(path[-1][0], asked) else path


def joined(path: Sequence[Place]) -> str:
    """The context as HTML."""
    return _SEPARATOR.join(markup for _, markup in path)


def _shortened(heading: str) -> str:
    heading = _ASKING.sub("", heading, count=1) if _ASKING.match(heading) else heading
    heading = _ARGUMENTS.sub("(…)", heading)
    if heading.endswith("…") and heading.count("`") % 2:  # cut off inside of code
        heading = heading[: heading.rindex("`")].rstrip() + "…"
    return heading


def _told(heading: str, asked: str) -> bool:
    """True if the prompt begins with the heading, but for its numbering."""
    aspect = _ASPECT.match(asked)
    if not aspect or not heading.endswith(aspect[1]):
        return False
    return bool(_NUMBERING.match(heading.removesuffix(aspect[1])))
