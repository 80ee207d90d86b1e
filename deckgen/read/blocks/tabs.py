"""Tables whose cells tabs part: what a browser copies of one, and a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.rules_block import StateBlock

from deckgen.document import Row, Table
from deckgen.source import Span, line_span

KIND = "tabbed_table"


def tabbed_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule of markdown-it: at the margin three lines with as many tabs, or two with several."""
    if state.sCount[start] or state.is_code_block(start):
        return False
    tabs = _tabs(state, start)
    stop = start + 1
    while tabs and stop < end and _tabs(state, stop) == tabs:
        stop += 1
    if not tabs or stop - start < (2 if tabs > 1 else 3):
        return False
    if not silent:
        token = state.push(KIND, "table", 0)
        token.block, token.map = True, [start, stop]
        state.line = stop
    return True


def _tabs(state: StateBlock, line: int) -> int:
    return state.src.count("\t", state.bMarks[line], state.eMarks[line])


def table_of(lines: Sequence[str], span: Span) -> Table:
    """The table in lines with as many tabs; the first line is its header."""
    header, *rows = (
        tuple(cell.strip() for cell in lines[number].split("\t")) for number in range(span.start, span.stop)
    )
    return Table(span, header, tuple(Row(line_span(span.start + 1 + at), cells) for at, cells in enumerate(rows)))
