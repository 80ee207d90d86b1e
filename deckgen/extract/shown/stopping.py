"""Statements that are said to raise: on a card that asks for something below them, the code would never come so far."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from deckgen.extract.shown.statements import Statement, statements
from deckgen.model.claim import Raises, Snippet
from deckgen.text.syntax import nodes

ACCIDENTS = frozenset({"NameError", "ModuleNotFoundError", "ImportError", "FileNotFoundError", "KeyboardInterrupt"})
"""Errors that tell about a computer or a slip, and nothing of torch."""
_CATCHING = frozenset("suppress raises assertRaises assertRaisesRegex catch_warnings warns".split())
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def stopping(snippet: Snippet) -> tuple[Statement, ...]:
    """The top-level statements that end in an exception, as the notes say."""
    claims = [claim for claim in snippet.claims if isinstance(claim, Raises)]
    lines = {claim.code_line for claim in claims if _stops(claim)}
    if not lines:
        return ()
    body = statements(snippet.code) or ()
    last = body[-1:] if None in lines else ()
    found = [one for one in body if not lines.isdisjoint(one.lines) or one in last]
    return tuple(one for one in found if _falls_out(one, body))


def _stops(claim: Raises) -> bool:
    return claim.exception not in ACCIDENTS and not claim.exception.endswith("Warning")


def _falls_out(statement: Statement, body: Sequence[Statement]) -> bool:
    """True if leaving it out leaves all else as it was: it catches nothing, and binds nothing that is used below it."""
    node = statement.node
    if isinstance(node, (*_DEFINING, ast.Try)) or any(map(_catches, nodes(node))):
        return False
    below = frozenset[str]().union(*(one.loads for one in body if one.lines.start >= statement.lines.stop))
    return not hasattr(node, "body") or not statement.binds & below


def _catches(node: ast.AST) -> bool:
    name = getattr(node, "attr", None) or getattr(node, "id", None)
    return isinstance(node, ast.Try) or name in _CATCHING
