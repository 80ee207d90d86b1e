"""Rows of Markdown tables."""

from __future__ import annotations

from deckgen.text.pattern import pattern

_CELL = pattern(r"((?:`+[^`]*`+|\\.|[^|\\])*)(?:\||$)")


def whole_cells(line: str, cells: tuple[str, ...]) -> tuple[str, ...]:
    """Cells of a row; a bar inside backticks does not split, if only so the row has the right length.

    GitHub splits there; people who write `a | b` in a table do not see that they lost a cell.
    """
    if line.count("`") < 2:
        return cells
    whole = split_row(line)
    return whole if len(whole) == len(cells) else cells


def split_row(line: str) -> tuple[str, ...]:
    """Cells of a table row, with code spans kept whole."""
    bare = line.strip().removeprefix("|")
    cells = [match[1].strip().replace("\\|", "|") for match in _CELL.finditer(bare) if match[0]]
    return tuple(cells)
