"""What makes a note the same note next month (docs/keeping.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from deckgen.extract.text import normal, plain
from deckgen.model.note import Key
from deckgen.text.pattern import pattern
from deckgen.text.schemes import by_day
from deckgen.text.syntax import logical_lines, parsed


def key(headings: Sequence[str], anchor: str) -> Key:
    """The key of a note under these headings, whose source asks with the text `anchor`.

    Numbering and emoji are left out of both, so that a chapter inserted above changes nothing. Case counts
    in a name alone: `torch.Tensor` and `torch.tensor` are two things to learn. A picture for dark pages beside that
    for light ones changes nothing, either.
    """
    anchor = by_day(anchor)
    words = plain(anchor)
    asked = words if NAME.fullmatch(words) else normal(anchor) or anchor.strip()
    return Key(_path(tuple(headings)), asked)


NAME = pattern(r"[A-Za-z_][\w.]*(?:\(.*\))?")
"""A name of code, with or without a call."""


@lru_cache(maxsize=1024)
def _path(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Headings as keys have them: once for all notes under them."""
    return tuple(map(normal, headings))


def code_key(headings: Sequence[str], anchor: str, asked: str = "") -> Key:
    """The key of a note about code with this anchor; `asked` is what is looked at."""
    return Key(_path(tuple(headings)), f"{anchor}\n# {asked}" if asked else anchor)


@lru_cache(maxsize=512)
def code_anchor(code: str) -> str:
    """Code written anew from its tokens; as it stands, if it cannot be parsed. Comments, spacing and quotes do not count.

    From the tokens and not by `ast.unparse`, whose text differs between versions of Python: this stands in
    locks, and a key must be the same wherever the deck is built next. Readable, because locks are read too,
    and because a likeness between two texts still means something when a line was changed.
    """
    if parsed(code) is None:
        return "\n".join(line.rstrip() for line in code.strip().splitlines())
    return "\n".join(text for _, text in written_anew(code))


def written_anew(code: str) -> Iterator[tuple[int, str]]:
    """The logical lines of code that parses: the 0-based line on which each begins, and its tokens anew."""
    line, start = 0, 0
    for depth, tokens in logical_lines(code):
        first = tokens[0].start()
        line += code.count("\n", start, first)
        start = first
        yield line, "    " * depth + _tight(tokens)


def _tight(tokens: Sequence[re.Match[str]]) -> str:
    """Tokens with blanks between words and after commas alone."""
    parts: list[str] = []
    before = ""
    for token in tokens:
        text, kind = token[0], token.lastgroup
        word = kind in _WORDS
        if before == "," or (before and word):
            parts.append(" ")
        parts.append(_one_quote(text) if kind == "string" else text)
        before = "word" if word else text * (text == ",")
    return "".join(parts)


_WORDS = frozenset({"name", "word", "number", "string"})


def _one_quote(text: str) -> str:
    """A plain string as `repr` writes it: which quotes an author likes does not count."""
    if text[0] not in "'\"":
        return text
    simple = _SIMPLE_STRING.fullmatch(text)
    return f"'{simple[2]}'" if simple and simple[2].isprintable() else repr(ast.literal_eval(text))


_SIMPLE_STRING = pattern(r"""(['"])([^'"\\\n]*)\1""")
"""That `repr` writes as it is, in single quotes."""
