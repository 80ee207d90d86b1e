"""Nodes in messages, and nodes that do not meet."""

from __future__ import annotations

from deckgen.model.verdict import Word as Verdict
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import Differs
from deckgen.written import Address, Angle, Call, Dots, Group, Mark, Node, Number, Quoted, Row, Word


def brief(thing: Node) -> str:
    """A node for a message, 60 characters at most."""
    shown = _plain(thing)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _plain(thing: Node) -> str:
    match thing:
        case Number(text) | Word(text) | Address(text) | Mark(text):
            return text
        case Quoted(text):
            return f"'{text}'"
        case Row(texts):
            return "[" + ", ".join(texts[:20]) + "]"
        case Call(_, _, text):
            return " ".join(text[:200].split())
        case Angle(nodes):
            return "<" + " ".join(map(_plain, nodes)) + ">"
        case Dots():
            return "..."
        case Group(bracket, items):
            inside = ", ".join(" ".join(map(_plain, item)) for item in items[:20])
            return bracket + inside + _CLOSED[bracket]


_CLOSED = {"(": ")", "[": "]", "{": "}"}


def part(claimed: Node, seen: Node, again: Node | None, found: Findings) -> None:
    """Marks, dots, and kinds that do not meet."""
    if again is not None and again != seen and type(claimed) is type(seen) is type(again):
        found.note(Verdict.HOLDS_STRUCTURE)
        return
    if found.unstable and isinstance(claimed, Mark) and isinstance(seen, Mark):
        return  # a progress bar
    raise Differs(f"`{brief(claimed)}` claimed, torch shows `{brief(seen)}`")
