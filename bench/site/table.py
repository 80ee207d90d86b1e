"""Tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, between two empty ones; nothing if it has no row."""
    if lines := [_row(row) for row in rows]:
        yield from ("", _row(head), _row(["---"] * len(head)), *lines, "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"


def linked(text: str) -> str:
    """A text of the terminal in which pages of these docs are links."""
    return re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", text)


def code(text: str) -> str:
    """A text in backticks, whatever is in it."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"
