"""What makes a note the same note next month (DESIGN, section 7)."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from deckgen.extract.text import normal
from deckgen.note import Key


def key(headings: Sequence[str], anchor: str) -> Key:
    """The key of a note under these headings, whose source asks with the text `anchor`.

    Numbering and emoji are left out of both, so that a chapter inserted above changes nothing.
    """
    return Key(tuple(normal(heading) for heading in headings), normal(anchor) or anchor.strip())


def code_key(headings: Sequence[str], code: str, asked: str = "") -> Key:
    """The key of a note about code: comments, spacing and quotes do not count; `asked` is what is looked at."""
    anchor = code_anchor(code)
    return Key(tuple(normal(heading) for heading in headings), f"{anchor}\n# {asked}" if asked else anchor)


def code_anchor(code: str) -> str:
    """Code written anew from its syntax tree; as it stands, if it cannot be parsed.

    `ast.unparse` and not `ast.dump`: both depend on the tree alone, but a likeness between two texts
    still means something when a line was changed, and this text is what the lock shows to people.
    """
    try:
        return ast.unparse(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "\n".join(line.rstrip() for line in code.strip().splitlines())
