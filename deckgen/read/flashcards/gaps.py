"""Gaps as other tools write them, written as `{{c1::text::hint}}`; those in code and formulas stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable

from deckgen.text.pattern import pattern

_QUOTED = (
    r"(?P<quoted>^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$|(?P<ticks>`+).+?(?P=ticks)(?!`)"
    r"|\$\$.+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$|\\\(.+?\\\)|\\\[.+?\\\])"
)
_FLAGS = re.DOTALL | re.MULTILINE
_NATIVE = r"(?P<native>\{\{c\d+::(?:(?!\{\{c\d).)*?\}\})"
_CURLY = pattern(
    rf"{_QUOTED}|{_NATIVE}|(?<!\{{)\{{(?:c?(?P<number>\d+)(?:::?|\|))?(?P<text>(?:\$[^$\n]+\$|`[^`\n]+`|[^{{}}$`])+?)\}}(?!\}})",
    _FLAGS,
)
_STRUCK = pattern(
    rf"{_QUOTED}|~~(?:(?P<number>\d{{1,2}})[ ])?(?P<text>[^~\n]+?)(?:[ ](?P<mark>[_*])(?P<hint>[^_*\n]+)(?P=mark))?~~",
    _FLAGS,
)
_MACRO = pattern(
    rf"{_QUOTED}|\{{\{{(?:cloze|c)(?P<number>[1-9]?)[ ](?P<text>(?:(?!\{{\{{).)*?)(?:[ ]*(?:\\\\|::)[ ]*(?P<hint>[^{{}}]*?))?[ ]*\}}\}}",
    _FLAGS,
)
_HIGHLIGHT = pattern(rf"{_QUOTED}|(?<![\w=)\]\\])==(?P<text>(?=[^\s=])[^\n]*?[^\s=])==(?![\w=(\[])", _FLAGS)


def curly(text: str) -> str:
    """`{text}`, `{2:text}`, `{c2|text}` and `{2::text}`: those without a number are asked one after the other."""
    return _written(text, _CURLY)


def curly_together(text: str) -> str:
    """`{text}`, `{2:text}` and `==text==`, all without a number on one card."""
    return _written(_written(text, _CURLY, together=True), _HIGHLIGHT, together=True)


def struck(text: str) -> str:
    """`~~text~~`, `~~2 text~~`, and `~~text _hint_~~`."""
    return _written(text, _STRUCK)


def macro(text: str) -> str:
    r"""`{{cloze text}}`, `{{cloze text \\ hint}}`, `{{c2 text}}`."""
    return _written(text, _MACRO)


def has(gaps: Callable[[str], str], text: str) -> bool:
    """True if a text has gaps of a kind."""
    return gaps(text) != text


def _written(text: str, gaps: re.Pattern[str], *, together: bool = False) -> str:
    count = 0

    def gap(found: re.Match[str]) -> str:
        nonlocal count
        parts = found.groupdict()
        if parts["quoted"] or parts.get("native"):
            return found[0]
        count += 1
        number = parts.get("number") or (1 if together else count)
        hint = (parts.get("hint") or "").strip()
        return f"{{{{c{number}::{parts['text'].strip()}{'::' * bool(hint)}{hint}}}}}"

    return gaps.sub(gap, text)
