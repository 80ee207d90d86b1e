"""Lines of code on a narrow screen: long ones wrap below their own indentation, imports at the top are one quiet line.

Only how they look is decided here. Every character stays where it is, line ends too: what is copied from a card is the
code that ran.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from pygments.token import Token, _TokenType

from deckgen.render import escape, marks
from deckgen.render.markdown import is_cjk
from deckgen.render.marks import Edge
from deckgen.text import syntax
from deckgen.text.pattern import pattern

Piece = tuple[_TokenType, str]
"""A token and its text; one of the type `Token` is a mark that has no width."""

_PHONE_COLUMNS = 37
"""Of code at 360 px; Chinese characters take two."""
_DEEPEST = 12
"""Columns of an indentation that wrapped lines keep: a phone has no room for more."""
_BREAK = "\uf002"
"""Where an unbroken line may be broken; `escape.clean` takes it out of all notes."""
_UNBROKEN = pattern(r"\S{24,}")
_JOINT = pattern(r"(?<=\w)[(\[{](?=[^\s)\]}])|[,/](?=[^\s)\]}])|(?<=[\w)\]])(?=\.[A-Za-z_])")
ART = pattern("[\u2190-\u21ff\u2500-\u259f\u25a0-\u25ff]")
_IMPORTS = (ast.Import, ast.ImportFrom)
_RULER = pattern(r"^[ \t]*[-=+|:_][-=+|:_ \t]{6,}$", re.MULTILINE)


def is_drawn(text: str) -> bool:
    """True for what means nothing once its lines are broken: a drawing, a table with rulers."""
    return bool(ART.search(text) or _RULER.search(text))


def leading_imports(code: str) -> list[str]:
    """The imports at the top of Python code, each with its line end and blank lines below it; none if nothing follows."""
    tree = syntax.parsed(code) if code.startswith(("import ", "from ")) else None
    lines = code.splitlines(keepends=True)
    found: list[str] = []
    for statement, following in pairwise(tree.body if tree else ()):
        end = statement.end_lineno or statement.lineno
        if not isinstance(statement, _IMPORTS) or following.lineno <= end:
            return found
        between = lines[end : following.lineno - 1]
        blank = list(takewhile(str.isspace, between))
        found.append("".join((*lines[statement.lineno - 1 : end], *blank)))
        if blank != between:  # a remark, or what decorates
            return found
    return found if tree and not isinstance(tree.body[-1], _IMPORTS) else []


def folded(imports: Iterable[str]) -> str:
    """Imports as HTML: one quiet line by the styling, and line for line for whoever copies them."""
    items = "".join(f"<span>{escape.text(one)}</span>" for one in imports)
    return f'<span class="imports">{items}</span>' if items else ""


def wrapped(pieces: Iterable[Piece], spans: Callable[[Iterable[Piece]], str]) -> str:
    """Tokens as HTML in which every long line has a hanging indent; `spans` writes tokens.

    Not so a line that shares a hole with its neighbours: the hole would fall apart into one gap for each line.
    """
    parts: list[str] = []
    waiting: list[Piece] = []
    inside = False
    for row in _rows(pieces):
        own = [value for kind, value in row if kind is Token and marks.is_mark(value)]
        began_inside, inside = inside, own[-1] != marks.CLOSING if own else inside
        if began_inside or inside or not _is_long(row):
            waiting += row
        else:
            parts += spans(waiting), _hanging(row, spans)
            waiting = []
    return "".join((*parts, spans(waiting)))


def cut(tokens: Iterable[Piece], edges: list[Edge]) -> Iterator[Piece]:
    """Tokens split at the edges of holes, with a mark (a token of type `Token`) at every edge."""
    edges.reverse()
    start = 0
    for kind, value in tokens:
        begin, end = start, start + len(value)
        while edges and edges[-1][0] < end:
            at, mark = edges.pop()
            if at > start:
                yield kind, value[start - begin : at - begin]
            yield Token, mark
            start = at
        yield kind, value[start - begin :]
        start = end
    for _, mark in reversed(edges):
        yield Token, mark


def _rows(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The tokens of each line, its end among them."""
    row: list[Piece] = []
    for kind, value in pieces:
        if "\n" not in value:
            row.append((kind, value))
            continue
        *ended, rest = value.split("\n")
        for line in ended:
            yield [*row, (kind, f"{line}\n")]
            row = []
        if rest:
            row.append((kind, rest))
    if row:
        yield row


def _text(row: Iterable[Piece]) -> str:
    return "".join([value for _, value in row]).rstrip("\n").expandtabs(4)


def _is_long(row: Sequence[Piece]) -> bool:
    text = _text(row)
    if text.isascii():
        return len(text) > _PHONE_COLUMNS
    text = marks.without(text)
    return len(text) > _PHONE_COLUMNS or len(text) + sum(map(is_cjk, text)) > _PHONE_COLUMNS


def _hanging(row: Sequence[Piece], spans: Callable[[Iterable[Piece]], str]) -> str:
    text = "".join(value for _, value in row)
    joints = [joint.end() for run in _UNBROKEN.finditer(text) for joint in _JOINT.finditer(text, *run.span())]
    markup = spans(cut(row, [(at, _BREAK) for at in joints])).replace(_BREAK, "<wbr>")
    shown = _text(row)
    indent = min(len(shown) - len(shown.lstrip()), _DEEPEST)
    style = f' style="--in:{indent}"' if indent else ""
    return f'<span class="long"{style}>{markup}</span>'
