"""How messages word what they quote and count: the same in every report."""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Iterable
from itertools import takewhile
from urllib.parse import quote

from deckgen.text.pattern import pattern


def one_line(text: str, width: int = 70) -> str:
    """The text on one line, cut to at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def without_fences(text: str) -> str:
    """The text without the marks of its fences; what stands in them stays."""
    return _FENCE.sub("", text)


_FENCE = pattern(r"^```\w*$", re.MULTILINE)


def near_ones(word: str, known: Iterable[str]) -> str:
    """``did you mean `name`?``, or nothing if no known word is near.

    >>> near_ones("LONG_CODE", ["long code"])
    'did you mean `long code`?'
    """
    words = [*known]
    plain = word.lower().replace("_", " ").replace("-", " ")
    near = difflib.get_close_matches(word, words, 1, 0.6) or difflib.get_close_matches(plain, words, 1, 0.6)
    return f"did you mean `{near[0]}`?" if near else ""


def differing_excerpts(one: str, other: str, width: int = 70) -> tuple[str, str]:
    """Two texts, each on one line of at most `width` characters, cut so that the first difference is seen."""
    lines = [" ".join(text.split()) for text in (one, other)]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*lines, strict=False)))
    start = max(0, same - width // 3) if same > width // 2 else 0
    first, second = (one_line(("…" if start else "") + line[start:], width) for line in lines)
    return first, second


def as_typed(path: str) -> str:
    """A path as it is typed into a shell; one that begins with a dash would be taken for options.

    >>> as_typed("-x"), as_typed("my notes")
    ('./-x', "'my notes'")
    """
    typed = f"./{path}" if path.startswith("-") else path
    if sys.platform == "win32":  # whose shells share these quotes alone
        return f'"{typed}"' if _NOT_PLAIN.search(typed) else typed
    return shlex.quote(typed)


_NOT_PLAIN = pattern(r"[^\w@%+=:,./\\-]")


def in_address(path: str) -> str:
    """An absolute path, with forward slashes, as an address has it.

    >>> in_address("/home/me/my notes.md"), in_address("C:/my notes.md")
    ('/home/me/my%20notes.md', '/C:/my%20notes.md')
    """
    return quote(f"/{path.lstrip('/')}", safe="/:")


def without_half_characters(text: str) -> str:
    """The text with no half of a character in it, which JSON and YAML can write and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def counted(count: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
