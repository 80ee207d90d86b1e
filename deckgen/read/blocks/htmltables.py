"""Tables and preformatted code written as raw HTML."""

from __future__ import annotations

import re

from deckgen.model.document import Code, Row, Table
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import unescaped, untagged

_ROW = pattern(r"<tr\b[^>]*>(.*?)(?:</tr\s*>|(?=<tr\b)|(?=</table))", re.I | re.S)
_CELL = pattern(r"<(t[hd])\b[^>]*>(.*?)(?=</t[hdr]\b|<t[hdr]\b|$)", re.I | re.S)
_CODE = pattern(r"</?(?:code|tt|kbd)\b[^>]*>", re.I)
_BOLD = pattern(r"</?(?:b|strong)\b[^>]*>", re.I)
_PRE = pattern(
    r"\s*<pre\b[^>]*>\s*?(?:<code\b(?P<code>[^>]*)>)?(?P<text>.*?)(?:</code\s*>)?\s*</pre\s*>\s*", re.I | re.S
)
_LANGUAGE = pattern(r"\b(?:language-|lang-|highlight-|brush:\s*)(\w+)|class=[\"'](\w+)[\"']")


def table(text: str, start: int) -> Table | None:
    """The table that a `<table>` element is; its cells become inline Markdown."""
    rows: list[Row] = []
    for match in _ROW.finditer(text):
        cells = tuple(_inline(cell[2]) for cell in _CELL.finditer(match[1]))
        first = start + text.count("\n", 0, match.start())
        rows.append(Row(Span(first, first + match[0].rstrip().count("\n") + 1), cells))
    if len(rows) < 2 or not rows[0].cells:
        return None
    width = len(rows[0].cells)
    body = tuple(Row(row.span, (row.cells + ("",) * width)[:width]) for row in rows[1:])
    return Table(Span(start, start + text.count("\n") + 1), rows[0].cells, body)


def _inline(text: str) -> str:
    marked = _BOLD.sub("**", _CODE.sub("`", text))
    return " ".join(unescaped(untagged(marked, " ")).split())


def preformatted(text: str, start: int) -> Code | None:
    """The code of a `<pre>` element."""
    match = _PRE.fullmatch(text)
    if match is None:
        return None
    named = _LANGUAGE.search(text[: match.start("text")])
    code = unescaped(untagged(match["text"]))
    first = start + text.count("\n", 0, match.start("text"))
    while code.startswith("\n"):
        code, first = code[1:], first + 1
    code = code.rstrip("\n")
    lines = tuple(range(first, first + code.count("\n") + 1)) if code else ()
    span = Span(start, start + text.count("\n") + 1)
    return Code(span, code, (named[1] or named[2]).lower() if named else "", lines)
