"""Code as HTML: Pygments' tokens by class, with deletions between the tokens.

The classes are coloured by `css/highlight.css`, light and night. Names, punctuation and what the lexer
cannot read stay bare: they have the colour of the text anyway, and a third of the bytes is saved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from pygments.lexer import Lexer
from pygments.lexers import PythonConsoleLexer, PythonLexer, get_lexer_by_name
from pygments.token import STANDARD_TYPES, Error, Name, Punctuation, Text, Token, Whitespace, _TokenType
from pygments.util import ClassNotFound

from deckgen.render import escape, marks
from deckgen.render.lexing import tokens_of
from deckgen.render.lines import ART, Piece, cut, folded, is_drawn, leading_imports, wrapped
from deckgen.render.marks import Edge
from deckgen.text.pattern import pattern

_PYTHON = PythonLexer()
_CONSOLE: Lexer = PythonConsoleLexer()
_PYTHON_NAMES = set("python py python3 py3 ipython ipython3 pytorch torch numpy pycon doctest".split())
_PLAIN_NAMES = set("text txt plain plaintext output out none raw console-output".split())
_LIES = set("csharp pgsql arduino mathematica scss less stylus vbnet perl ruby swift".split())
"""Languages that chat programs guess for ASCII art, formulas and Python alike: the text decides."""

_INFO = pattern(r"[\s{},]+|(?<=\w)\.")
_PROMPT = pattern(r"^[^\S\n]*>>> ", re.MULTILINE)
_PYTHONIC = pattern(
    r"^\s*(?:import \w|from [\w.]+ import |def \w+\(|class \w+|for .+ in .+:|with .+:|if .+:|return\b|@\w|print\("
    r"|(?:[\w.\[\], ]+ = )?[\w.]+\(.*\)|[\w.\[\], ]+ [-+*/@]?= \S)",
    re.MULTILINE,
)
LONGEST_OUTPUT = 10_000
_BARE = {Error, Name, Name.Other, Punctuation, Text, Token, Whitespace}


def block(code: str, language: str = "python", edges: Sequence[Edge] = (), *, fold: bool = False) -> str:
    """Code in a box of its own, with the marks of `marks.py` at the edges of holes; `fold` makes imports quiet."""
    code, positions = trimmed(escape.clean(code), [at for at, _ in edges])
    lexer = lexer_for(code, language)
    imports = leading_imports(code) if fold and lexer is _PYTHON else []
    head = sum(map(len, imports))
    if any(at < head for at in positions):  # what is asked is no quiet line
        imports, head = [], 0
    quiet, code = folded(imports), code[head:]
    tokens = tokens_of(lexer, code) if lexer else []
    if "".join([value for _, value in tokens]) != code:  # they must add up to the code exactly
        tokens = [(Text, code)]
    inside = [(at - head, mark) for at, (_, mark) in zip(positions, edges, strict=True)]
    pieces = cut(tokens, inside) if inside else tokens
    return _box("highlight" if lexer else "plain", pieces, quiet, drawn=lexer is None and is_drawn(code))


def marked_block(code: str, language: str) -> str:
    """A fence inside Markdown, whose text may hold marks (perhaps of a hole that began before it)."""
    bare, edges = marks.split_marks(code)
    return block(bare, language, edges)


def output(text: str) -> str:
    """What a program wrote; nobody learns more than `LONGEST_OUTPUT` characters of it."""
    text = escape.clean(text).strip("\n").rstrip()
    if len(text) > LONGEST_OUTPUT:
        text = f"{text[:LONGEST_OUTPUT]}… (+{len(text) - LONGEST_OUTPUT:,})"
    return _box("output", [(Text, text)], drawn=is_drawn(text))


def _box(name: str, pieces: Iterable[Piece], quiet: str = "", *, drawn: bool) -> str:
    """What is drawn with characters keeps its lines and scrolls; all else wraps."""
    markup = quiet + (_spans(pieces) if drawn else wrapped(pieces, _spans))
    return f'<pre class="{name}{" drawn" if drawn else ""}">{escape.inside_code(markup)}</pre>'


def inline(text: str) -> str:
    """`text` inside a line."""
    return f"<code>{escape.inside_code(escape.text(text))}</code>"


def lexer_for(code: str, language: str) -> Lexer | None:
    """The lexer for a fence's language or whole info string, which may lie; None = plain text."""
    language = _INFO.split(language.lower().strip("{}. "), maxsplit=1)[0]
    if language in _PLAIN_NAMES or ART.search(code):
        return None
    if language in _PYTHON_NAMES:
        return _CONSOLE if _PROMPT.match(code) else _PYTHON
    if not language or language in _LIES:
        if _PROMPT.match(code):
            return _CONSOLE
        return _PYTHON if _PYTHONIC.search(code) else None
    return _named(language)


@lru_cache(maxsize=64)
def _named(language: str) -> Lexer | None:
    try:
        lexer: Lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return lexer


def trimmed(code: str, positions: Sequence[int]) -> tuple[str, list[int]]:
    """Code without blank lines around it and without an indentation that all its lines share.

    `positions` in the code move along with the text.
    """
    lines = code.rstrip().split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    margins = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines[first:] if line.strip()]
    shared = min(margins, default="")
    while not all(one.startswith(shared) for one in margins):
        shared = shared[:-1]
    if not positions:
        return "\n".join([line[len(shared) :] for line in lines[first:]]), []
    kept: list[int] = []
    at = sum(len(line) + 1 for line in lines[:first])
    for line in lines[first:]:
        kept += range(at + min(len(shared), len(line)), at + len(line) + 1)
        at += len(line) + 1
    kept.pop()  # the end of the last line
    return "".join([code[index] for index in kept]), [bisect_left(kept, position) for position in positions]


def _spans(tokens: Iterable[Piece]) -> str:
    parts: list[str] = []
    current = ""
    for kind, value in tokens:
        name = _class_of(kind)
        if name != current and (name or not value.isspace()):  # white space has no colour of its own
            if current:
                parts.append("</span>")
            if name:
                parts.append(f'<span class="{name}">')
            current = name
        parts.append(value if value.isalnum() else escape.text(value))
    if current:
        parts.append("</span>")
    return "".join(parts)


@cache
def _class_of(kind: _TokenType) -> str:
    """Pygments' short class name of the nearest ancestor that has one."""
    while kind not in _BARE and kind not in STANDARD_TYPES and kind.parent:
        kind = kind.parent
    return "" if kind in _BARE else STANDARD_TYPES.get(kind, "")
