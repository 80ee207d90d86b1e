"""What makes a note the same note next month (DESIGN, section 7)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence

from deckgen.extract.text import normal, plain
from deckgen.note import Key


def key(headings: Sequence[str], anchor: str) -> Key:
    """The key of a note under these headings, whose source asks with the text `anchor`.

    Numbering and emoji are left out of both, so that a chapter inserted above changes nothing. Case counts
    in a name alone: `torch.Tensor` and `torch.tensor` are two things to learn.
    """
    words = plain(anchor)
    asked = words if _NAME.fullmatch(words) else normal(anchor) or anchor.strip()
    return Key(tuple(normal(heading) for heading in headings), asked)


_NAME = re.compile(r"[A-Za-z_][\w.]*(?:\(.*\))?")


def code_key(headings: Sequence[str], code: str, asked: str = "") -> Key:
    """The key of a note about code: comments, spacing and quotes do not count; `asked` is what is looked at."""
    anchor = code_anchor(code)
    return Key(tuple(normal(heading) for heading in headings), f"{anchor}\n# {asked}" if asked else anchor)


def code_anchor(code: str) -> str:
    """Code written anew from its tokens; as it stands, if it cannot be parsed.

    From the tokens and not by `ast.unparse`, whose text differs between versions of Python: this stands in
    locks, and a key must be the same wherever the deck is built next. Readable, because locks are read too,
    and because a likeness between two texts still means something when a line was changed.
    """
    try:
        ast.parse(code)
        return "\n".join(_canonical_lines(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return "\n".join(line.rstrip() for line in code.strip().splitlines())


def _canonical_lines(code: str) -> Iterator[str]:
    depth, line, word = 0, "", False
    for kind, text in _pieces(code):
        if kind == tokenize.NEWLINE:
            yield "    " * depth + line
            line, word = "", False
        elif kind in (tokenize.INDENT, tokenize.DEDENT):
            depth += 1 if kind == tokenize.INDENT else -1
        else:
            is_word = kind in _WORDS
            apart = (word and is_word) or line.endswith(",")
            line, word = f"{line} {text}" if apart else line + text, is_word
    if line:
        yield "    " * depth + line


_WORDS = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)
_SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)
_FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
_FSTRING_END = getattr(tokenize, "FSTRING_END", -1)


def _pieces(code: str) -> Iterator[tuple[int, str]]:
    """Tokens that say something. From Python 3.12 on an f-string comes in parts: it is taken whole."""
    lines = code.splitlines(keepends=True)
    opened: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == _FSTRING_START:
            opened.append(token.start)
        elif token.type == _FSTRING_END:
            start = opened.pop()
            if not opened:
                yield tokenize.STRING, _between(lines, start, token.end)
        elif not opened and token.type not in _SILENT:
            yield token.type, _one_quote(token.string) if token.type == tokenize.STRING else token.string


def _between(lines: Sequence[str], start: tuple[int, int], stop: tuple[int, int]) -> str:
    if start[0] == stop[0]:
        return lines[start[0] - 1][start[1] : stop[1]]
    inner = lines[start[0] : stop[0] - 1]
    return "".join((lines[start[0] - 1][start[1] :], *inner, lines[stop[0] - 1][: stop[1]]))


def _one_quote(text: str) -> str:
    """A plain string as `repr` writes it: which quotes an author likes does not count."""
    return repr(ast.literal_eval(text)) if text[0] in "'\"" else text
