"""JSON whose strings remember on which line of its file they stand."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from json import scanner
from json.decoder import scanstring  # type: ignore[attr-defined]  # its stub leaves it out
from typing import Any

from deckgen.text.pattern import pattern
from deckgen.text.wording import without_half_characters

_BLANKS = pattern(r"\s*")
Json = object
"""What `json.loads` returns, with `Located` for strings that are values."""


class Located(str):
    """A string value and the 0-based line of its file on which it begins."""

    __slots__ = ("apart", "line")
    line: int
    apart: bool
    """True once each of its own lines has a number of its own."""


def loads(
    text: str, first: int = 0, strings: list[Located] | None = None, objects: dict[int, int] | None = None
) -> Json:
    """Like `json.loads`, of a text that begins on line `first` of its file; its string values are added to `strings`,
    and to `objects` by the `id` of each object the line of its first name.

    ValueError if the text is no JSON or is nested too deeply.
    """
    found: list[Located] = [] if strings is None else strings
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def located(source: str, end: int, strict: bool = True) -> tuple[str, int]:
        value, stop = scanstring(source, end, strict)
        string = Located(without_half_characters(value))
        string.line = first + bisect_right(starts, end) - 1
        string.apart = False
        found.append(string)
        return string, stop

    decoder = json.JSONDecoder(strict=False)
    if objects is not None:
        lines, made = objects, decoder.parse_object  # type: ignore[attr-defined]

        def begun(state: tuple[str, int], *rest: Any) -> tuple[Any, int]:
            source, at = state
            value, stop = made(state, *rest)
            blanks = _BLANKS.match(source, at)
            lines[id(value)] = first + bisect_right(starts, blanks.end() if blanks else at) - 1
            return value, stop

        decoder.parse_object = begun  # type: ignore[attr-defined]
    # `parse_string` is read by the scanner in pure Python; the stubs know neither.
    decoder.parse_string = located  # type: ignore[attr-defined]
    decoder.scan_once = scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    try:
        return decoder.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def set_apart(strings: Sequence[Located]) -> tuple[int, ...]:
    """Gives each line of each string a number of its own, if any two share a line of the file, as in JSON on one line.

    Returns the line of the file of each number; nothing if all lines are their own already.
    """
    alone = all("\n" not in string[:-1] for string in strings)
    if alone and all(one.line < other.line for one, other in pairwise(strings)):
        return ()
    places: list[int] = []
    for string in strings:
        first, string.line, string.apart = string.line, len(places), True
        places += [first] * (string.count("\n") + 1)
    return tuple(places)


def lines_of(value: Json) -> tuple[list[str], list[int]]:
    """The text lines of a string or a list of strings, and the line of the file of each.

    Notebooks store text either way; in a list each entry ends with its own line end.
    """
    texts: list[str] = []
    numbers: list[int] = []
    fresh = True
    for part in value if isinstance(value, list) else [value]:
        if not isinstance(part, str):
            continue
        line = part.line if isinstance(part, Located) else 0
        for index, piece in enumerate(part.split("\n")):
            if index == 0 and not fresh and texts:
                texts[-1] += piece
            else:
                texts.append(piece)
                numbers.append(line + index if getattr(part, "apart", False) else line)
        fresh = part.endswith("\n")
        if fresh:
            texts.pop()
            numbers.pop()
    return texts, numbers
