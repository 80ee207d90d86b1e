"""Cards exported as text, front and back with a tab between them, as Anki, Quizlet and spreadsheets write them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from deckgen.model.document import Block, Directive, Document, Prose
from deckgen.model.source import Source, line_span
from deckgen.read.assemble import document
from deckgen.text.pattern import pattern

_HEADER = pattern(
    r"#(?:separator|html|tags(?: column)?|columns|notetype(?: column)?|deck(?: column)?|guid column):", re.IGNORECASE
)
_TAGS = pattern(r"^#tags column:\s*(\d+)", re.IGNORECASE | re.MULTILINE)
_FEWEST = 3
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_TAG = pattern(r"<(?P<end>/?)(?P<name>[a-z]+)\b[^<>]*>", re.IGNORECASE)
_HOLE = pattern(r"\{\{c\d+::")


def claims_source(source: Source) -> bool:
    """Every line is a front, a tab and a back; with Anki's own header a single one will do."""
    if "\t" not in source.text:
        return False
    lines = [line for line in source.lines if line.strip()]
    told = [line for line in lines if not _HEADER.match(line)]
    if not told or "\t" not in told[0]:
        return False
    separated = all((line[0] != "\t" and "\t" in line.strip()) or _HOLE.search(line) for line in told)
    return separated and (len(told) < len(lines) or len(told) >= _FEWEST)


def read(source: Source) -> Document:
    """A question and its answer, or a line with holes, for each line of the file."""
    tags = _TAGS.search(source.text)
    return document(source, "tabbed", list(_blocks(source, int(tags[1]) if tags else 0)))


def _blocks(source: Source, tags: int) -> Iterator[Block]:
    for number, line in enumerate(source.lines):
        if not line.strip():
            continue
        fields = [_markdown(field) for at, field in enumerate(line.split("\t"), 1) if at != tags]
        if _HEADER.match(line) or not fields[0]:
            yield Directive(line_span(number), ())
        elif _HOLE.search(line):
            yield Prose(line_span(number), fields[0])
        else:
            yield Prose(line_span(number), f"{fields[0]} :: {fields[1] if len(fields) > 1 else ''}")


def _markdown(field: str) -> str:
    """A field as Markdown on one line: its quotation marks and HTML undone."""
    text = field.strip()
    if text[:1] == text[-1:] == '"' and len(text) > 1:
        text = text[1:-1].replace('""', '"')
    text = re.sub(r"<br\s*/?>|</?(?:div|p)>", " ", text, flags=re.IGNORECASE)
    text = _TAG.sub(lambda tag: _MARKS.get(tag["name"].lower(), ""), text)
    return " ".join(html.unescape(text).split())
