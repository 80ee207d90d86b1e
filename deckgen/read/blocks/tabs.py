"""Tables whose cells tabs part: what a browser copies of one, and a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.rules_block import StateBlock

from deckgen.model.document import Row, Table
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern

KIND = "tabbed_table"
_OTHER = pattern(r"\s|>|(?:[-*+]|\d{1,9}[.)])(?: |\t[^\t]*$)")
"""How code, quotes and lists begin, in which a tab parts no cells."""


def tabs_in(line: str) -> int:
    """The tabs between the cells of a line; 0 if it is no row."""
    return 0 if "\t" not in line or _OTHER.match(line) else line.count("\t")


def tabbed_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule of markdown-it: at the margin three lines with as many tabs, or two with several."""
    tabs = tabs_in(_line(state, start))
    stop = start + 1
    while tabs and stop < end and tabs_in(_line(state, stop)) == tabs:
        stop += 1
    if not tabs or stop - start < (2 if tabs > 1 else 3):
        return False
    if not silent:
        token = state.push(KIND, "table", 0)
        token.block, token.map = True, [start, stop]
        state.line = stop
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] : state.eMarks[line]]


def table_of(lines: Sequence[str], span: Span) -> Table:
    """The table in lines with as many tabs; the first line is its header."""
    header, *rows = (
        tuple(cell.strip() for cell in lines[number].split("\t")) for number in range(span.start, span.stop)
    )
    return Table(span, header, tuple(Row(line_span(span.start + 1 + at), cells) for at, cells in enumerate(rows)))
