"""Deletions on their way through rendering.

A hole's edges travel as single private-use characters (`escape.clean` takes these out of all notes), so
that Markdown and Pygments see ordinary text. In finished HTML they become Anki's `{{c1::` and `}}`,
flat, never across a tag's edge; a hole that crosses one becomes two deletions of the same number.
"""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.note import Hole
from deckgen.render import escape
from deckgen.text.pattern import pattern

Edge = tuple[int, str]
"""A position in a text and the mark that belongs there."""

CLOSING = "\ue000"
_FIRST = 0xE100
_HINTED = 0xE300
"""The marks of holes with a hint are counted from here on, in order; those without one by their number."""
_MOST_HINTS = 0x5FF
_MARK = pattern("[\ue000\ue100-\ue8ff]")
_PIECE = pattern(rf"({escape.TAG}|[\ue000\ue100-\ue8ff])")
_NAME = pattern(r"</?([a-zA-Z0-9]+)")
_INLINE = set("a b code del em i ins kbd mark s small span strong sub sup u".split())
_ENTITIES = str.maketrans({"{": "&#123;", "}": "&#125;", ":": "&#58;"})


def is_mark(character: str) -> bool:
    """True for an edge of a hole."""
    return "\ue000" <= character <= "\ue8ff"


def without(markup: str) -> str:
    """`markup` with no marks."""
    return _MARK.sub("", markup)


def hole_edges(holes: Sequence[Hole]) -> list[Edge]:
    """Positions and marks of the edges of `holes`, in order. Raises ValueError: Anki itself knows no card beyond 500."""
    for hole in holes:
        if not 1 <= hole.number <= 500:
            raise ValueError(f"cloze number {hole.number} is out of Anki's range, 1 to 500")
    found: list[Edge] = []
    hinted = 0
    for hole in holes:
        with_hint = bool(hole.hint) and hinted < _MOST_HINTS
        found += ((hole.start, chr(_HINTED + hinted if with_hint else _FIRST + hole.number)), (hole.stop, CLOSING))
        hinted += with_hint
    return found


def insert(text: str, holes: Sequence[Hole]) -> str:
    """`text` with the marks of `holes` (in order, not overlapping) in it."""
    for at, mark in reversed(hole_edges(holes)):
        text = text[:at] + mark + text[at:]
    return text


def split_marks(text: str) -> tuple[str, list[Edge]]:
    """Text with marks -> the bare text, and where in it the marks stood."""
    return without(text), [(found.start() - before, found[0]) for before, found in enumerate(_MARK.finditer(text))]


def sequence(markup: str) -> str:
    """The marks in the text of HTML, in order: those in attributes are lost when it is finished."""
    return "".join(piece for piece in _PIECE.findall(markup) if is_mark(piece))


def deletions(markup: str, hints: Sequence[tuple[int, str]] = ()) -> tuple[str, frozenset[int]]:
    """HTML with marks -> HTML with Anki's deletions, and their numbers.

    `hints` are the number and the hint, as HTML, of each hole that has one, in order. What stands inside a hole is kept back until it can be wrapped as a whole.
    """
    done: list[str] = []
    numbers: set[int] = set()
    number, hint = 0, ""
    held: list[str] = []
    unclosed: list[int] = []  # indices into `held` of start tags

    def cut() -> None:
        """End the deletion here: what is balanced is wrapped, start tags left open stay outside."""
        nonlocal hint
        start = 0
        for index in (*unclosed, len(held)):
            inner = "".join(held[start:index])
            if number and (escape.plain(inner) or "<img" in inner):
                numbers.add(number)
                told = f"::{hint.translate(_ENTITIES)}" if hint else ""
                inner = f"{{{{c{number}::{inner.translate(_ENTITIES)}{told}}}}}"
                hint = ""  # where a hole is cut in two, the first part tells it
            done.extend((inner, *held[index : index + 1]))
            start = index + 1
        held.clear()
        unclosed.clear()

    for piece in _PIECE.split(markup):
        if is_mark(piece):
            cut()
            number, hint = _meaning(piece, hints)
            continue
        found = _NAME.match(piece)
        name = found[1].lower() if found else ""
        closing = piece.startswith("</")
        if not piece.startswith("<") or name in ("img", "br", "wbr"):
            held.append(piece)
        elif name in _INLINE and (unclosed or not closing):
            if closing:
                unclosed.pop()
            else:
                unclosed.append(len(held))
            held.append(without(piece))
        else:
            cut()
            done.append(without(piece))
    cut()
    return "".join(done), frozenset(numbers)


def _meaning(mark: str, hints: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """The number and the hint of the hole that begins at a mark; 0 where one ends."""
    if mark == CLOSING:
        return 0, ""
    code = ord(mark)
    return hints[code - _HINTED] if code >= _HINTED else (code - _FIRST, "")
