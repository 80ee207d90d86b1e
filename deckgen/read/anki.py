"""Text that Anki itself exported: `#separator:tab` and its kin on top, then a note a row (docs.ankiweb.net, Text Files)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read.card_fields import fields_of
from deckgen.read.card_html import markdown_of
from deckgen.read.records import Entry, document_of_records
from deckgen.read.tables import Row, rows
from deckgen.text.pattern import pattern

_HEADER = pattern(
    r"#(?P<key>separator|html|tags|columns|notetype|deck|if matches|(?:tags|guid|notetype|deck) column):(?P<value>.*)"
)
_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "colon": ":"}
_SPECIAL = ("guid column", "notetype column", "deck column", "tags column")
_TRUE = ("true", "1", "yes")


def read(source: Source) -> Document | None:
    """The notes of an export, each a card of its author's."""
    return document_of_records(source, "anki", _entries(source)) if is_export(source) else None


def is_export(source: Source) -> bool:
    """True for a text on top of which Anki says how it is to be read."""
    top = [*takewhile(_HEADER.match, source.lines)]
    has_rows = any(map(str.strip, source.lines[len(top) :]))
    return has_rows and any(line.startswith(("#separator:", "#html:")) for line in top)


def _entries(source: Source) -> Iterator[Entry]:
    said: dict[str, str] = {}
    first = 0
    while first < len(source.lines) and (found := _HEADER.match(source.lines[first])):
        said[found["key"]] = found["value"].strip("\n")
        first += 1
    told = said.get("separator", "tab")
    separator = _SEPARATORS.get(told.strip().lower(), "\\t" if told == "\\t" else told[:1]) or "\t"
    special = {key: int(said[key]) - 1 for key in _SPECIAL if said.get(key, "").strip().isdecimal()}
    names = said["columns"].split(separator) if "columns" in said else []
    is_html = said.get("html", "").strip().lower() in _TRUE
    for row in rows(source, separator, first, comment="#"):
        yield _entry(row, names, special, said, is_html=is_html)


def _entry(
    row: Row, names: Sequence[str], special: Mapping[str, int], said: Mapping[str, str], *, is_html: bool
) -> Entry:
    if row.problem:
        return Entry(row.line, {}, row.problem)
    own = {at: name for name, at in special.items()}
    told = {own[at]: cell.strip() for at, cell in enumerate(row.cells) if at in own}
    fields: dict[str, str] = {}
    for at, cell in enumerate(row.cells):
        if at not in own:
            name = names[at].strip() if at < len(names) and names[at].strip() else f"field {at + 1}"
            fields[name] = markdown_of(cell) if is_html else cell
    filled = [name for name, text in fields.items() if text.strip()]
    record = fields_of(fields, filled[:1], filled[1:])
    tags = " ".join(filter(None, (str(record.pop("tags", "")), said.get("tags", ""), told.get("tags column", ""))))
    return Entry(
        row.line,
        {
            **record,
            "tags": tags,
            "id": told.get("guid column") or None,
            "deck": told.get("deck column") or said.get("deck") or None,
        },
    )
