"""How messages word what they quote and count: the same in every report."""

from __future__ import annotations


def one_line(text: str, width: int = 70) -> str:
    """The text on one line, cut to at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def counted(count: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
