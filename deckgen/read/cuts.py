"""Where a long source can be cut, so that its parts, read one by one, give the blocks that the whole gives.

That is above a heading at the margin with a blank line above it, outside of fences, raw HTML and formulas. What
could reach across in any other way (a footnote, an admonition, a comment) leaves a source uncut from there on, or whole.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from deckgen.read.raw_html import details_balance
from deckgen.text.pattern import pattern

FEWEST = 160
"""Lines between two cuts."""
_ONE_IN = 8
"""Of the headings that could be cut at; which ones follows from the text below, so that an edit moves no other cut."""
_SEEN = 200
"""Characters that tell whether to cut."""
_REACHES_FAR = ("[^", "%%", "file=", "\r", "\0")
_REACHES_ON = pattern(
    r"\n(?::::|!!!|\?\?\?|===[!+]?[ \t]|\{%|\{\{|\{:|`{3,}\{|[`~]{3,}[^\n]*json[^\n]*output| +(?:!!!|\?\?\?))"
)
_LOOK = pattern(
    r"\n(?:(?P<heading>#{1,6}[ \t][^\n]*)"
    r"|(?P<fence>[ \t]*(?:`{3,}[^`\n]*|~{3,}[^\n]*)(?=\n|\Z))"
    r"|(?P<html> {0,3}<[A-Za-z/!?])"
    r"|(?P<math>[^\n]*\$\$[^\n]*)"
    r"|(?P<doubtful>[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(?:```|~~~)))"
)
_LOOK_WITHOUT_MATH = pattern(_LOOK.pattern.replace(r"|(?P<math>[^\n]*\$\$[^\n]*)", ""))
"""Lines begin behind a line end, which is what a search finds fastest."""
_FENCE = pattern(r"\n[ \t]*(?:`{3,}|~{3,})")
_BLANK = pattern(r"\n[ \t]*(?=\n|\Z)")
_BEGINS = pattern(r"\n(?:#{1,6}[ \t]|[ \t]*(?:`{3,}|~{3,}))")
"""A heading or a fence: what must not stand inside of what is stepped over."""
_WIDE = (
    (pattern(r"\n {0,3}<(?:script|pre|style|textarea)(?![\w-])", re.IGNORECASE), pattern(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)),
    (pattern(r"\n {0,3}<!--"), pattern(r"-->")),
    (pattern(r"\n {0,3}<\?"), pattern(r"\?>")),
    (pattern(r"\n {0,3}<!\[CDATA\["), pattern(r"\]\]>")),
    (pattern(r"\n {0,3}<![A-Za-z]"), pattern(r">")),
)  # fmt: skip
"""Raw HTML that goes on over blank lines, and what ends it."""
_CLOSES = pattern(r"\n {0,3}</?details\b", re.IGNORECASE)


class _Lost(Exception):  # noqa: N818 (no error: from here on nothing is certain)
    """It cannot be told cheaply what belongs to what."""


class Heading(NamedTuple):
    """A heading at the margin."""

    level: int
    text: str


def cuts(text: str, may_reach: Callable[[str], bool]) -> tuple[int, ...]:
    """0-based lines above which the text can be cut, in order.

    `may_reach` says of the text of a heading whether sections below it may be cut apart.
    """
    text = f"\n{text}"
    if any(mark in text for mark in _REACHES_FAR) or _REACHES_ON.search(text):
        return ()
    found: list[int] = []
    above: list[Heading] = []
    line, counted = -1, 0
    for at, heading in _headings(text):
        above = [one for one in above if one.level < heading.level]
        if _chosen(text, at) and all(may_reach(one.text) for one in above):
            line += text.count("\n", counted, at + 1)
            counted = at + 1
            if line - (found[-1] if found else 0) >= FEWEST:
                found.append(line)
        above.append(heading)
    return tuple(found)


def _chosen(text: str, at: int) -> bool:
    if zlib.crc32(text[at : at + _SEEN].encode("utf-8", "surrogatepass")) % _ONE_IN:
        return False
    above = text.rfind("\n", 0, at)
    return above >= 0 and not text[above:at].strip(" \t\n")


def _headings(text: str) -> Iterator[tuple[int, Heading]]:
    """Where the headings stand at which nothing is open, as far as that can be told."""
    at = opened = 0
    try:
        look = _LOOK if "$$" in text else _LOOK_WITHOUT_MATH
        while match := look.search(text, at):
            kind = match.lastgroup
            if kind == "heading":
                at = match.end()
                marks = match["heading"].split(maxsplit=1)[0]
                if not opened:
                    yield match.start(), Heading(len(marks), match["heading"][len(marks) :].strip())
            elif kind == "html":
                at, change = _behind_html(text, match)
                opened = max(0, opened + change)
            elif kind == "fence":
                at = _behind_fence(text, match)
            elif kind == "math":
                at = _behind_math(text, match)
            else:
                return
    except _Lost:
        return


def _behind_fence(text: str, opening: re.Match[str]) -> int:
    """The place behind a fence. One that is indented may stand in a list: then nothing must stand further out."""
    written = opening["fence"]
    mark = written.lstrip()
    indent = written[: len(written) - len(mark)]
    length = len(mark) - len(mark.lstrip(mark[0]))
    closing = _closing(mark[0], length, len(indent)).search(text, opening.end())
    if closing is None or "\t" in indent:
        raise _Lost
    if _FENCE.search(text, opening.end(), closing.start()):
        raise _Lost
    if indent:
        inside = text[opening.end() : closing.start()].split("\n")
        if any(line.strip() and not line.startswith(indent) for line in inside):
            raise _Lost
    return closing.end()


@lru_cache(maxsize=64)
def _closing(mark: str, length: int, indent: int) -> re.Pattern[str]:
    before = f" {{{indent}}}" if indent else " {0,3}"
    return re.compile(rf"\n{before}{mark}{{{length},}}[ \t]*(?=\n|\Z)")


def _behind_html(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """The place behind raw HTML, and how many `<details>` it leaves open."""
    start = opening.start()
    for begins, ends in _WIDE:
        if begins.match(text, start):
            end = ends.search(text, opening.end())
            if end is None:
                raise _Lost
            stop = text.find("\n", end.end())
            break
    else:
        blank = _BLANK.search(text, start + 1)
        stop = blank.start() if blank else -1
    stop = len(text) if stop < 0 else stop
    inside = text[start:stop]
    if _BEGINS.search(inside, 1):
        raise _Lost
    change = details_balance(inside)
    if "details" in inside.lower() and not _CLOSES.match(inside):
        raise _Lost
    return stop, change


def _behind_math(text: str, opening: re.Match[str]) -> int:
    """The place behind a formula between `$$` and `$$`."""
    line = opening["math"]
    if line.count("$$") % 2 == 0:
        return opening.end()
    end = text.find("$$", opening.end())
    if not line.startswith("$$") or end < 0 or _BEGINS.search(text, opening.end(), end):
        raise _Lost
    stop = text.find("\n", end)
    if text.count("$$", end, stop if stop >= 0 else len(text)) % 2 == 0:
        raise _Lost
    return stop if stop >= 0 else len(text)
