"""Code in a Python newer than the one that reads it: such code is no nonsense, it needs a newer Python."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_TYPE_ALIAS = pattern(r"^([^\S\n]*)type\s+(\w+)\s*(?:\[[^\]\n]*\])?\s*=(?!=)", re.MULTILINE)
_GENERIC = pattern(r"^([^\S\n]*(?:(?:async\s+)?def|class)\s+\w+)\[[^\n]*?\](?=\(|:)", re.MULTILINE)
_BARE_EXCEPT = pattern(r"^([^\S\n]*except\s+)([\w.]+(?:\s*,\s*[\w.]+)+)\s*:", re.MULTILINE)
_TEMPLATE = pattern(r"(?<![\w'\"])t(?=['\"])")
_FIELD_STRING = pattern(r"(?<![\w'\"])(?:[fF][rR]?|[rR][fF])('''|\"\"\"|'|\")")


def needed_python(code: str) -> str | None:
    """`3.12` if a text is code of that Python; None if it is code of this one, or of none."""
    if parsed(code) is not None:
        return None
    older = _GENERIC.sub(r"\1", _TYPE_ALIAS.sub(r"\1\2 =", _with_other_quotes(code)))
    if older != code and parsed(older) is not None:
        return "3.12"
    oldest = _TEMPLATE.sub("f", _BARE_EXCEPT.sub(r"\1(\2):", older))
    return "3.14" if oldest != older and parsed(oldest) is not None else None


def _with_other_quotes(code: str) -> str:
    """`f"{x['a']}"` for `f"{x["a"]}"`: since 3.12 the fields of a string may hold its own quotes."""
    parts, at = [], 0
    for found in _FIELD_STRING.finditer(code):
        if found.start() < at:
            continue
        end = _end_of_string(code, found.end(), found[1])
        if end is None:
            break
        mark = found[1][0]
        text = code[found.end() : end]
        parts += [code[at : found.end()], text.replace(mark, "'" if mark == '"' else '"')]
        at = end
    return "".join([*parts, code[at:]])


def _end_of_string(code: str, at: int, mark: str) -> int | None:
    """Where a string with fields ends: at its quote outside of all braces."""
    depth = 0
    while at < len(code):
        if code[at] == "\\":
            at += 2
            continue
        if depth == 0 and code.startswith(mark, at):
            return at
        if code.startswith(("{{", "}}"), at) and depth == 0:
            at += 2
            continue
        depth += (code[at] == "{") - (code[at] == "}")
        if code[at] == "\n" and len(mark) == 1 and depth == 0:
            return None
        at += 1
    return None
