"""Names of the API in code, by its syntax tree: so they are looked up also where the code cannot run.

Looked at is what an import or custom shows to be torch's (`torch.x`, `nn.x`, `F.x`, `optim.x`), with the keywords
that it is given. Code that is no Python as a whole, such as a list of calls, is read line by line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deckgen.extract.names.place import Place, mention
from deckgen.extract.names.variables import trees
from deckgen.extract.names.written import is_denied
from deckgen.model.claim import Exists, Site
from deckgen.model.document import Code, Document
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes

_BY_CUSTOM = frozenset({"torch", "nn", "F", "optim"})
_VARIABLES = frozenset({"loss", "optimizer", "scheduler", "writer"})
"""Variables that mean one thing in notes; `x` and `model` mean many."""
_RAISES = pattern(r"[A-Z]\w*Error\b")
_LACKED = pattern(r"has no attribute '(\w+)'|unexpected keyword argument '(\w+)'|cannot import name '(\w+)'")
_OPEN = frozenset({"ops", "classes"})
"""Modules of torch whose members are registered when a program runs."""


class InCode:
    """What the code of a document calls by torch's names."""

    def __init__(self, document: Document, place: Place) -> None:
        """Read all of its code once."""
        self._place = place
        self._lacked = {name for found in _LACKED.findall(document.text) for name in found if name}
        """Names that the document itself says are not there."""
        self._blocks = document.blocks if "torch" in document.source.text else ()
        every = (node for block in self._blocks for _, tree in trees(block) for node in nodes(tree))
        self._bound = {name for node in every for name in _binds(node)}

    def names(self, block: Code) -> list[Exists]:
        """The names in one block, each on its line."""
        lines = block.text.split("\n")
        found: list[Exists] = []
        for above, tree in trees(block) if self._blocks else ():
            for node, name, alias in self._named(tree):
                at = above + node.lineno - 1
                if is_denied(lines[at]) or _RAISES.search(lines[at]) or not self._lacked.isdisjoint(name.split(".")):
                    continue
                found.append(mention(block.lines[min(at, len(block.lines) - 1)], name, Site.CODE, alias=alias))
        return found

    def _named(self, tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str | None]]:
        """(where, the name as written, what its first word stands for)."""
        left: list[ast.AST] = [tree]
        while left:
            node = left.pop()
            if isinstance(node, ast.Try):  # what is tried may fail
                left += [*node.orelse, *node.finalbody]
                continue
            inner = list(ast.iter_child_nodes(node))
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(node, ast.ImportFrom) and not node.level and str(node.module).partition(".")[0] == "torch":
                yield from ((node, f"{node.module}.{one.name}", None) for one in node.names if one.name != "*")
            elif (
                isinstance(node, ast.expr)
                and (dotted := _dotted(called or node))
                and (alias := self._torchs(dotted, called is not None)) is not None
            ):
                yield node, dotted + (_keywords(node) if isinstance(node, ast.Call) else ""), alias or None
                inner = inner[1:] if called else []
            left += inner

    def _torchs(self, dotted: str, is_call: bool) -> str | None:
        """What the first word stands for, "" for itself; None if the name is not torch's."""
        head, dot, rest = dotted.partition(".")
        alias = self._place.code.imports.get(head)
        if alias is not None:
            known = bool(dot or is_call) and alias.partition(".")[0] == "torch" and head not in self._bound
        elif head in _VARIABLES:
            return "" if is_call and dot and "." not in rest else None
        else:
            known = bool(dot) and head in _BY_CUSTOM and head not in self._bound
        private = any(part.startswith("_") for part in rest.split("."))
        return (alias or "") if known and not private and rest.partition(".")[0] not in _OPEN else None


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name


def _dotted(node: ast.AST) -> str:
    """`torch.nn.Linear` of a name with its attributes, where it is read; "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        if not isinstance(node.ctx, ast.Load):
            return ""
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _keywords(call: ast.Call) -> str:
    """`(..., bias=False)`: the keywords are looked up, the values are the author's own."""
    named = [
        f"{one.arg}={ast.unparse(one.value) if isinstance(one.value, ast.Constant) else '_'}"
        for one in call.keywords
        if one.arg
    ]
    return f"({', '.join([*(['...'] if call.args or len(named) < len(call.keywords) else []), *named])})"
