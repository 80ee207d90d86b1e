"""Refusals: was it torch that raised, or the snippet's own code, Python, another package?

An exception is torch's if it came out of torch's own files, or out of a call, an operator or an attribute in the snippet
that has something of torch to work on: what is written in C leaves no frame behind.
"""

from __future__ import annotations

import ast
import dis
import linecache
import os
from typing import Any, Dict, List

from .values import torch

FOLDER = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
SURROUNDINGS = (
    *"distributed _inductor _dynamo multiprocessing hub.py".split(),
    os.path.join("utils", "cpp_extension.py"),
)
"""Parts of torch that fail for want of other processes, a compiler or a network."""


def is_of_torch(error: BaseException, filename: str) -> bool:
    """True if a call of torch raised this in the code that stands in `filename`."""
    step, path = error.__traceback__, ""
    last: Any = None
    while step is not None:
        last, path = step, step.tb_frame.f_code.co_filename
        step = step.tb_next
        if path.startswith(FOLDER) and path[len(FOLDER) :].startswith(SURROUNDINGS):
            return False
    if last is None or path != filename:
        return path.startswith(FOLDER)
    frame = last.tb_frame
    raising = next((one for one in dis.get_instructions(frame.f_code) if one.offset == last.tb_lasti), None)
    if raising is None or raising.opname.startswith(("RAISE", "RERAISE")):  # the snippet raises it itself
        return False
    names: Dict[str, Any] = {**frame.f_globals, **frame.f_locals}
    return any(_is_torchy(node, names) for node in _nodes_at(raising, last.tb_lineno, filename))


def _nodes_at(raising: Any, line: int, filename: str) -> List[ast.expr]:
    """What the statement works on that an instruction stands for; where Python does not tell, that of its line."""
    written = linecache.getline(filename, line)
    places = getattr(raising, "positions", None)  # from Python 3.11
    lines = "".join(linecache.getlines(filename))
    text = ast.get_source_segment(lines, places) if places is not None and places.col_offset is not None else ""
    for source in (text or "", written, written.rstrip() + " pass"):
        try:
            tree = ast.parse(source.strip())
        except (SyntaxError, ValueError, RecursionError):
            continue
        found = [part for node in ast.walk(tree) for part in _parts(node, OPERANDS)]
        if found:
            return found
    return []


OPERANDS = {
    ast.AugAssign: "target value",
    ast.If: "test",
    ast.While: "test",
    ast.Assert: "test",
    ast.Expr: "value",
    ast.Assign: "value",
    ast.Return: "value",
}
"""What a statement works on: a value, what is added to in place, what is asked whether it is true."""
ASKED = {
    ast.Attribute: "value",
    ast.Subscript: "value",
    ast.Starred: "value",
    ast.Call: "func",
    ast.BinOp: "left right",
    ast.Compare: "left comparators",
    ast.UnaryOp: "operand",
}
"""What of an expression decides whom it asks."""


def _parts(node: ast.AST, fields: Dict[Any, str]) -> List[ast.expr]:
    values = [getattr(node, name) for name in fields.get(type(node), "").split()]
    return [part for value in values if value is not None for part in (value if isinstance(value, list) else [value])]


def _is_torchy(node: ast.AST, names: Dict[str, Any]) -> bool:
    """True if an expression asks something of torch: of its functions and classes, of tensors and modules."""
    if isinstance(node, ast.Name):
        return node.id in names and _belongs_to_torch(names[node.id])
    parts = _parts(node, ASKED)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in names:
        parts += node.args  # of a function of Python's own
    return any(_is_torchy(part, names) for part in parts)


def _belongs_to_torch(thing: Any) -> bool:
    """True for torch's modules, functions and classes, and for what its own classes make."""
    home = getattr(thing, "__name__", "") if type(thing).__name__ == "module" else getattr(thing, "__module__", "")
    if "torch" in (str(home or "").split(".")[0], str(type(thing).__module__).split(".")[0]):
        return True
    return isinstance(thing, (torch.Tensor, torch.nn.Module, torch.optim.Optimizer))
