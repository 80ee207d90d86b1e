"""Names that nothing binds and that the notes show: what is done with them below is judged as if they were that.

Where a transcript begins with `>>> a` and `tensor([1, 2, 3])`, it says what `a + 1` is about.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from deckgen.model.claim import Shows, Snippet
from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, nodes, parsed
from deckgen.verify.triage import Triage, Uses

_MAKERS = {"tensor": "import torch", "array": "import numpy as np", "torch.Size": "import torch"}
"""What values are shown as, and the import that makes them again."""
_OPTIONS = frozenset({"dtype", "requires_grad"})
_PLAIN = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.keyword)
_BARE = pattern(r"(?<![\w.'\"])(?:(?P<torch>tensor)|array)(?=\()")
_ROUNDED = pattern(r"(?:tensor|array)\(.*?\.\d")


class Assumption(NamedTuple):
    """What a name is assumed to be."""

    claim: str
    """The id of the claim that says so."""
    code: tuple[str, ...]
    """Lines that bind it."""
    exact: bool
    """False if the digits that are shown may not be all that it has."""


def assumptions(snippet: Snippet, found: Triage) -> dict[str, Assumption]:
    """By name, of those that a snippet shows before it does anything else with them."""
    claims = {claim.code_line: claim for claim in snippet.claims if isinstance(claim, Shows) and claim.target is None}
    first: dict[str, Uses] = {}
    for one in found.statements:
        first = dict.fromkeys(one.loads, one) | first
    lines = found.code.split("\n")
    shown = {name: claims.get(one.first) for name, one in first.items() if lines[one.first].strip() == name}
    made = {name: _assumption(name, claim) for name, claim in shown.items() if claim}
    return {name: one for name, one in made.items() if one}


def _assumption(name: str, claim: Shows) -> Assumption | None:
    """None where the text does not tell all of the value: `tensor([1, ..., 9])`, `tensor(2., grad_fn=<SumBackward0>)`."""
    text = " ".join(claim.text.split())
    tree = parsed(text)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    every = nodes(tree.body[0].value)
    if not all(map(_is_plain, every)):
        return None
    imports = {_MAKERS[dotted(node.func)] for node in every if isinstance(node, ast.Call)}
    code = _BARE.sub(lambda bare: f"torch.{bare[0]}" if bare["torch"] else f"np.{bare[0]}", text)
    return Assumption(claim.id, (*sorted(imports), f"{name} = {code}"), not _ROUNDED.search(text))


def _is_plain(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func, keywords=options):
            return dotted(func) in _MAKERS and _OPTIONS.issuperset(one.arg or "" for one in options)
        case ast.Name() | ast.Attribute():
            return dotted(node).partition(".")[0] in ("torch", *_MAKERS)
        case ast.Constant(value=value):
            return value is not ...
        case _:
            return isinstance(node, _PLAIN)
