"""Options that stand side by side on one line: `A. view  B. clone`, `(a) view (b) clone`, `a) 3  b) 4  c) 10`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.text.pattern import pattern

LETTERS = "ABCDEFGH"
_MARKER = pattern(
    r"(?:^|(?<=[\s；;，,。？?：:、）)]))(?:[（(]?(?P<letter>[A-H])[.)）、．:：](?!\w\.)|[（(](?P<small>[a-h])[)）])\s*"
)
_SMALL = pattern(r"(?:^|(?<=[\s；;，,。？?：:]))(?P<letter>)(?P<small>[a-h])(?:[)）](?!\w*\()|[、．]|[.:：](?=\s))\s*")
"""Without a bracket before them small letters are words as often as marks: `e.g. a. b.`"""
_MAY_BE_SMALL = pattern(r"c[)）、．.:：]")
"""The third of them: cheap to look for, since most lines have nothing of it."""
_MOST_BEFORE = frozenset("?？:：)）。")
"""What a question ends with when its options begin on its line with small letters."""
_FEWEST = 3


def markers_on(text: str, above: int = 0) -> Sequence[re.Match[str]]:
    """The markers on one line that are lettered A, B, C... in order; too few of them are none.

    With options on the lines `above` they may go on from these: `C. t  D. narrow`.
    """
    if above:
        further = max((_in_order(marker, text, above) for marker in (_MARKER, _SMALL)), key=len)
        if len(further) > 1 and not text[: further[0].start()].strip():
            return further
    begins = "A" in text or "a)" in text or "a）" in text
    found = _in_order(_MARKER, text) if begins else []
    asked = text[: found[0].start()].strip() if found else ""
    if len(found) >= _FEWEST or (len(found) == _FEWEST - 1 and (not asked or asked[-1] in "?？")):
        return found
    small = _in_order(_SMALL, text) if _MAY_BE_SMALL.search(text) else []
    before = text[: small[0].start()].strip() if small else ""
    return small if len(small) >= _FEWEST and (not before or before[-1] in _MOST_BEFORE) else []


def letter_on(marker: re.Match[str]) -> str:
    """The capital letter of a marker."""
    return marker["letter"] or marker["small"].upper()


def _in_order(marker: re.Pattern[str], text: str, first: int = 0) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for match in marker.finditer(_without_code(text)):
        wanted = LETTERS[first + len(found) : first + len(found) + 1]
        if letter_on(match) == wanted and not _closes(match, found[-1].end() if found else 0):
            found.append(match)
    return found


_CODE = pattern(r"(?<!`)(`+)(?!`)(?!\s*[A-Ha-h]\s*[.)）、．:：]?\s*\1)[^`\n]+\1(?!`)")


def _without_code(text: str) -> str:
    """Text of the same length in which code is blank: the `C)` of `(N, C)` marks no option."""
    return _CODE.sub(lambda span: "`" * len(span[0]), text) if "`" in text else text


def _closes(match: re.Match[str], after: int) -> bool:
    """True if the bracket of a marker closes one that was opened behind the marker before it: `shape (N, C)`."""
    mark = match[0].strip()
    between = match.string[after : match.start()]
    opened = sum(map(between.count, "(（")) - sum(map(between.count, ")）"))
    return mark[-1:] in ")）" and mark[:1] not in "(（" and opened > 0
