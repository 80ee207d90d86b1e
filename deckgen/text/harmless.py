"""What is told cannot command: text made harmless for terminals, for logs, and for the runners that read them.

Notes come from strangers, and so do names of files, keys, outputs and packages. A terminal obeys controls, a reader is misled by
text that runs backwards, and a forge's runner obeys lines that begin with `::` and marks such as `##[error]`, wherever it meets
them. All of that is shown as the escape that Python, JSON or XML has for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NewType

from deckgen.text.pattern import pattern

Harmless = NewType("Harmless", str)
"""Text that may be written anywhere. It is made here, and nothing else is written (`streams`)."""

_CONTROLS = pattern("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]")
"""Controls but tab and line feed, ends of lines that are none, overrides of the direction, marks of bytes, halves of characters.

What letters need to join or to stay apart (U+200B to U+200F) is no control.
"""
_COMMANDS = pattern("^((?:[^\\S\n]|[\u180e\u200b-\u200f\u2060])*):(?=:)|(?<=#)#(?=\\w*\\[)", re.MULTILINE)
"""`::error file=...::` at the start of a line, whatever blanks come before it, and `##[error]` or `##vso[...]` anywhere."""


def line(text: str) -> str:
    """The text on one line of its own."""
    return _escaped(text.replace("\n", "\\n"), _as_python)


def lines(texts: Iterable[str]) -> Harmless:
    """Each text on one line of its own."""
    return Harmless("".join(f"{line(text)}\n" for text in texts))


def commands(texts: Iterable[str]) -> Harmless:
    """Each text on one line, for the runner to obey: ours are their beginnings, and what they quote is `line` already."""
    return Harmless("".join(f"{text}\n" for text in texts))


def json_text(data: Any) -> Harmless:
    """JSON that people can read too: their notes are Chinese, so nothing is escaped that need not be."""
    written = json.dumps(data, ensure_ascii=False, indent=1)
    return Harmless(_escaped(written, lambda sign: f"\\u{ord(sign):04x}") + "\n")


def page(document: str) -> Harmless:
    """A page of HTML of ours, in which nothing but the JSON that it holds comes from elsewhere."""
    return Harmless(_escaped(document, lambda sign: f"\\u{ord(sign):04x}"))


def xml_text(document: str) -> Harmless:
    """XML in which nothing but what is told may be meant: no name of an element or attribute holds such a sign."""
    return Harmless(_escaped(document, lambda sign: f"&#{ord(sign)};") + "\n")


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    shown = _CONTROLS.sub(lambda found: escape(found[0]), text)
    return _COMMANDS.sub(lambda found: (found[1] or "") + escape(found[0][-1]), shown)


def _as_python(sign: str) -> str:
    """`\\x1b`, `\\u202e`; a byte of a name that is not UTF-8 as that byte."""
    point = ord(sign)
    if 0xDC80 <= point <= 0xDCFF:
        point -= 0xDC00
    return "\\r" if sign == "\r" else f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"
