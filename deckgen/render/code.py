"""Code as HTML: Pygments' tokens by class, with deletions between the tokens.

The classes are coloured by `css/highlight.css`, light and night. Names, punctuation and what the lexer
cannot read stay bare: they have the colour of the text anyway, and a third of the bytes is saved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import PythonConsoleLexer, PythonLexer, get_lexer_by_name
from pygments.token import STANDARD_TYPES, Error, Name, Punctuation, Text, Token, Whitespace, _TokenType
from pygments.util import ClassNotFound

from deckgen.model.note import Hole
from deckgen.render import escape, marks
from deckgen.render.marks import Edge
from deckgen.text.pattern import pattern

_PYTHON = PythonLexer()
_CONSOLE: Lexer = PythonConsoleLexer()
_PYTHON_NAMES = {"python", "py", "python3", "py3", "ipython", "ipython3", "pytorch", "torch", "numpy"}
_PLAIN_NAMES = {"text", "txt", "plain", "plaintext", "output", "out", "none", "raw", "console-output"}
_LIES = {"csharp", "pgsql", "arduino", "mathematica", "scss", "less", "stylus", "vbnet", "perl", "ruby", "swift"}
"""Languages that chat programs guess for ASCII art, formulas and Python alike: the text decides."""

_ART = pattern("[\u2190-\u21ff\u2500-\u259f\u25a0-\u25ff]")
_INFO = pattern(r"[\s{},]+|(?<=\w)\.")
_PROMPT = pattern(r"^[^\S\n]*>>> ", re.MULTILINE)
_PYTHONIC = pattern(
    r"^\s*(?:import \w|from [\w.]+ import |def \w+\(|class \w+|for .+ in .+:|with .+:|if .+:|return\b|@\w|print\("
    r"|(?:[\w.\[\], ]+ = )?[\w.]+\(.*\)|[\w.\[\], ]+ [-+*/@]?= \S)",
    re.MULTILINE,
)
LONGEST_OUTPUT = 10_000
_BARE = {Error, Name, Name.Other, Punctuation, Text, Token, Whitespace}
_classes: dict[_TokenType, str] = dict.fromkeys(_BARE, "")


def block(code: str, language: str = "python") -> str:
    """Code in a box of its own that scrolls and never wraps."""
    return _block(escape.clean(code), language)


@lru_cache(maxsize=4096)
def _block(code: str, language: str) -> str:
    code, _ = trimmed(code, [])
    lexer = lexer_for(code, language)
    return _pre(lexer, _spans(_tokens(lexer, code)) if lexer else escape.text(code))


def block_with_holes(code: str, language: str, holes: Sequence[Hole]) -> str:
    """The same, with the marks of `marks.py` around every hole."""
    return _block_with_edges(code, language, marks.edges(holes))


def marked_block(code: str, language: str) -> str:
    """A fence inside Markdown, whose text may hold marks (perhaps of a hole that began before it)."""
    bare, edges = marks.split_marks(code)
    return _block_with_edges(bare, language, edges) if edges else _block(bare, language)


def _block_with_edges(code: str, language: str, edges: Sequence[Edge]) -> str:
    code, positions = trimmed(code, [at for at, _ in edges])
    lexer = lexer_for(code, language)
    tokens = _tokens(lexer, code) if lexer else [(0, Text, code)]
    return _pre(lexer, _spans(_cut(tokens, list(zip(positions, (mark for _, mark in edges), strict=True)))))


def signature(text: str) -> str:
    """A signature, coloured: on its own it is not a statement, but it reads like one."""
    return _block(escape.clean(text), "python")


def output(text: str) -> str:
    """What a program wrote; nobody learns more than `LONGEST_OUTPUT` characters of it."""
    text = escape.clean(text).strip("\n").rstrip()
    if len(text) > LONGEST_OUTPUT:
        text = f"{text[:LONGEST_OUTPUT]}… (+{len(text) - LONGEST_OUTPUT:,})"
    return f'<pre class="output">{_escaped(text)}</pre>'


def inline(text: str) -> str:
    """`text` inside a line."""
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    return escape.literal_clozes(escape.backslashes(escape.text(text)))


def _pre(lexer: Lexer | None, inner: str) -> str:
    kind = "highlight" if lexer else "plain"
    return f'<pre class="{kind}">{escape.literal_clozes(escape.backslashes(inner))}</pre>'


def lexer_for(code: str, language: str) -> Lexer | None:
    """The lexer for a fence's language or whole info string, which may lie; None = plain text."""
    words = _INFO.split(language.lower().strip("{}. "), maxsplit=1)
    language = words[0]
    if language in _PLAIN_NAMES or _ART.search(code):
        return None
    if language in _PYTHON_NAMES or language in ("pycon", "doctest"):
        return _CONSOLE if _PROMPT.match(code) else _PYTHON
    if not language or language in _LIES:
        return _guessed(code)
    return _named(language)


def _guessed(code: str) -> Lexer | None:
    if _PROMPT.match(code):
        return _CONSOLE
    return _PYTHON if _PYTHONIC.search(code) else None


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
    indent = len(_shared_indentation(lines[first:]))
    starts, kept, offset = [], [], sum(len(x) + 1 for x in lines[:first])
    for line in lines[first:]:
        cut = min(indent, len(line))
        starts.append((offset, cut))
        kept.append(line[cut:])
        offset += len(line) + 1
    text = "\n".join(kept)
    return text, [min(_moved(position, starts), len(text)) for position in positions]


def _shared_indentation(lines: Sequence[str]) -> str:
    if not lines or lines[0][:1] not in (" ", "\t"):
        return ""
    shared = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    for line in lines:
        while line.strip() and not line.startswith(shared):
            shared = shared[:-1]
    return shared


def _moved(position: int, starts: Sequence[tuple[int, int]]) -> int:
    """Where a position is after `cut` characters were taken out at each line's start."""
    removed = starts[0][0]
    if position < removed:
        return 0
    for start, cut in starts:
        if position < start:
            break
        removed += min(cut, position - start)
    return position - removed


_Token = tuple[int, _TokenType, str]


def _tokens(lexer: Lexer, code: str) -> Iterable[_Token]:
    """`get_tokens` would strip and normalise: the tokens must add up to the code exactly."""
    tokens = list(lexer.get_tokens_unprocessed(code))
    faithful = "".join(value for _, _, value in tokens) == code
    return tokens if faithful else [(0, Text, code)]


def _cut(tokens: Iterable[_Token], edges: list[Edge]) -> Iterator[_Token]:
    """Tokens split at the edges of holes, with a mark (a token of type `Token`) at every edge."""
    edges.reverse()
    start = 0
    for _, kind, value in tokens:
        index, end = start, start + len(value)
        while edges and edges[-1][0] < end:
            at, mark = edges.pop()
            if at > start:
                yield start, kind, value[start - index : at - index]
            yield at, Token, mark
            start = at
        yield start, kind, value[start - index :]
        start = end
    for at, mark in reversed(edges):
        yield at, Token, mark


def _spans(tokens: Iterable[_Token]) -> str:
    parts: list[str] = []
    current = ""
    for _, kind, value in tokens:
        name = _classes.get(kind)
        if name is None:
            name = _classes[kind] = _class_of(kind)
        if name != current and (name or not value.isspace()):  # white space has no colour of its own
            if current:
                parts.append("</span>")
            if name:
                parts.append(f'<span class="{name}">')
            current = name
        special = "<" in value or ">" in value or "&" in value
        parts.append(escape.text(value) if special else value)
    if current:
        parts.append("</span>")
    return "".join(parts)


def _class_of(kind: _TokenType) -> str:
    """Pygments' short class name of the nearest ancestor that has one."""
    ancestor: _TokenType | None = kind
    while ancestor is not None:
        if ancestor in _BARE:
            return ""
        if ancestor in STANDARD_TYPES:
            return STANDARD_TYPES[ancestor]
        ancestor = ancestor.parent
    return ""
