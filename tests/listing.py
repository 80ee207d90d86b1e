"""Documents as short text, and the paired cases in `tests/cases/read_*.md` that are written with it.

A case is a heading, a fence of eight tildes with a source, and a second one with what is read from it.
"""

import re
from pathlib import Path
from typing import NamedTuple

from deckgen.model.document import (
    Block,
    Code,
    Details,
    Directive,
    Document,
    Heading,
    Image,
    Items,
    Output,
    Refused,
    Table,
    Turn,
)
from deckgen.model.source import Span
from deckgen.read.assemble import moved

CASES = Path(__file__).resolve().parents[0] / "cases"
_CASE = re.compile(r"^## ([^\n]+)\n+~{8}\n(.*?)\n?^~{8}\n+~{8}\n(.*?)\n?^~{8}$", re.M | re.S)


class Case(NamedTuple):
    title: str
    source: str
    """`␠` stands for a space at the end of a line, `␉` for a tab."""
    listing: str


def cases(name: str) -> list[Case]:
    text = (CASES / f"{name}.md").read_text("utf-8")
    found = [Case(title, source, listing) for title, source, listing in _CASE.findall(text)]
    assert len(found) * 4 == text.split("\n").count("~" * 8), "a case is not written as cases are"
    return [case._replace(source=case.source.replace("␠", " ").replace("␉", "\t")) for case in found]


def listing(document: Document) -> str:
    """One line a block, with its lines of the source (and one for each row, item and inner block)."""
    return "\n".join(line for block in document.blocks for line in _lines(moved(block, document.place)))


def _where(span: Span) -> str:
    return f"{span.first}" if span.last == span.first else f"{span.first}-{span.last}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n") + '"'


def _lines(block: Block) -> list[str]:
    name = type(block).__name__.lower()
    head = f"{_where(block.span)} {name}"
    if isinstance(block, Table):
        rows = [f"    {_where(row.span)} {' | '.join(row.cells)}" for row in block.rows]
        return [f"{head} {' | '.join(block.header)}", *rows]
    if isinstance(block, Items):
        return [
            head,
            *(f"    {_where(i.span)} {'>' * i.depth}{i.number or '-'} {_quoted(i.text)}" for i in block.items),
        ]
    if isinstance(block, Details):
        inner = ["    " + line for part in block.blocks for line in _lines(part)]
        return [f"{head} {_quoted(block.summary)} {_quoted(block.text)}", *inner]
    return [f"{head} {_rest(block)}".rstrip()]


def _rest(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{block.level} {block.text}"
    if isinstance(block, Code):
        unsure = "" if block.sure else f" unsure({len(block.candidates)})"
        first = f" from {block.lines[0] + 1}" if block.lines else ""
        return f"{block.info or block.language or '-'}{first}{unsure} {_quoted(block.text)}"
    if isinstance(block, Output):
        return f"{block.stream} {_quoted(block.text)}"
    if isinstance(block, Turn):
        return block.speaker
    if isinstance(block, Image):
        return f"{_quoted(block.alt)} {block.target}"
    if isinstance(block, Directive):
        return " ".join(block.words)
    return _quoted(block.text) if not isinstance(block, Refused) else block.reason
