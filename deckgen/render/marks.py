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
_LAST = 0xE8FF
_MARK = pattern("[\ue000\ue100-\ue8ff]")
_PIECE = pattern(rf"({escape.TAG}|[\ue000\ue100-\ue8ff])")
_EDGE = pattern("([\ue000\ue100-\ue8ff])")
_NAME = pattern(r"</?([a-zA-Z0-9]+)")
_INLINE = {"a", "b", "code", "del", "em", "i", "ins", "kbd", "mark", "s", "small", "span", "strong", "sub", "sup", "u"}
_ENTITIES = str.maketrans({"{": "&#123;", "}": "&#125;", ":": "&#58;"})


def opening(number: int) -> str:
    """The mark before a hole. Anki itself knows no card beyond 500."""
    if not 1 <= number <= min(500, _LAST - _FIRST):
        raise ValueError(f"cloze number {number} is out of Anki's range, 1 to 500")
    return chr(_FIRST + number)


def is_mark(character: str) -> bool:
    """True for an edge of a hole."""
    return "\ue000" <= character <= "\ue8ff"


def without(markup: str) -> str:
    """`markup` with no marks."""
    return _MARK.sub("", markup)


def insert(text: str, holes: Sequence[Hole]) -> str:
    """`text` with the marks of `holes` (in order, not overlapping) in it."""
    parts: list[str] = []
    done = 0
    for hole in holes:
        parts += (text[done : hole.start], opening(hole.number), text[hole.start : hole.stop], CLOSING)
        done = hole.stop
    return "".join(parts) + text[done:]


def edges(holes: Sequence[Hole]) -> list[Edge]:
    """Positions and marks of the edges of `holes`, in order."""
    return [edge for h in holes for edge in ((h.start, opening(h.number)), (h.stop, CLOSING))]


def split_marks(text: str) -> tuple[str, list[Edge]]:
    """Text with marks -> the bare text, and where in it the marks stood."""
    parts: list[str] = []
    found: list[Edge] = []
    length = 0
    for piece in _EDGE.split(text):
        if len(piece) == 1 and is_mark(piece):
            found.append((length, piece))
        else:
            parts.append(piece)
            length += len(piece)
    return "".join(parts), found


def sequence(markup: str) -> str:
    """The marks in the text of HTML, in order: those in attributes are lost when it is finished."""
    return "".join(piece for piece in _PIECE.split(markup) if len(piece) == 1 and is_mark(piece))


def deletions(markup: str) -> tuple[str, frozenset[int]]:
    """HTML with marks -> HTML with Anki's deletions, and their numbers."""
    writer = _Writer()
    for piece in _PIECE.split(markup):
        if not piece:
            continue
        if is_mark(piece):
            writer.edge(piece)
        elif piece[0] == "<":
            writer.tag(_MARK.sub("", piece))
        else:
            writer.text(piece)
    writer.cut()
    return "".join(writer.done), frozenset(writer.numbers)


class _Writer:
    """Collects pieces; inside a hole it keeps them back until they can be wrapped as a whole."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.numbers: set[int] = set()
        self._number = 0
        self._pieces: list[str] = []
        self._open: list[int] = []
        """Indices into `_pieces` of start tags that are not closed yet."""

    def edge(self, mark: str) -> None:
        self.cut()
        self._number = 0 if mark == CLOSING else ord(mark) - _FIRST

    def text(self, piece: str) -> None:
        self._pieces.append(piece)

    def tag(self, piece: str) -> None:
        found = _NAME.match(piece)
        name = found[1].lower() if found else ""
        if name in ("img", "br"):
            self._pieces.append(piece)
        elif name not in _INLINE:
            self._bare(piece)
        elif piece[1] != "/":
            self._open.append(len(self._pieces))
            self._pieces.append(piece)
        elif self._open:
            self._open.pop()
            self._pieces.append(piece)
        else:
            self._bare(piece)

    def _bare(self, piece: str) -> None:
        self.cut()
        self.done.append(piece)

    def cut(self) -> None:
        """End the deletion here: what is balanced is wrapped, start tags left open stay outside."""
        start = 0
        for index in self._open:
            self._wrap(self._pieces[start:index])
            self.done.append(self._pieces[index])
            start = index + 1
        self._wrap(self._pieces[start:])
        self._pieces, self._open = [], []

    def _wrap(self, pieces: list[str]) -> None:
        inner = "".join(pieces)
        if self._number and (escape.plain(inner) or "<img" in inner):
            self.numbers.add(self._number)
            inner = f"{{{{c{self._number}::{inner.translate(_ENTITIES)}}}}}"
        self.done.append(inner)
