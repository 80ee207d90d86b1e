"""Refusals: was it torch that raised, or the snippet's own code, Python, another package?

An exception is torch's if it came out of torch's own files, or out of a call, an operator or an attribute in the snippet
that has something of torch to work on: what is written in C leaves no frame behind.
"""

from __future__ import annotations

import ast
import dis
import linecache
import os
from typing import Any, Dict, List, Optional

from .values import torch

FOLDER = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
SURROUNDINGS = (
    "distributed",
    "_inductor",
    "_dynamo",
    "multiprocessing",
    "hub.py",
    "utils" + os.sep + "cpp_extension.py",
)
"""Parts of torch that fail for want of other processes, a compiler or a network."""
KINDS = (torch.Tensor, torch.dtype, torch.device, torch.Size, torch.nn.Module, torch.optim.Optimizer, torch.Generator)


def is_of_torch(error: BaseException, filename: str) -> bool:
    """True if a call of torch raised this in the code that stands in `filename`."""
    step, inside = error.__traceback__, None
    while step is not None:
        path = step.tb_frame.f_code.co_filename
        if path.startswith(FOLDER) and path[len(FOLDER) :].startswith(SURROUNDINGS):
            return False
        inside, step = step, step.tb_next
    if inside is None:
        return False
    path = inside.tb_frame.f_code.co_filename
    return path.startswith(FOLDER) if path != filename else _worked_on_torch(inside, filename)


def _worked_on_torch(step: Any, filename: str) -> bool:
    """The same for an exception that left the snippet's own line: not for what it raises itself."""
    frame = step.tb_frame
    raising = next((one for one in dis.get_instructions(frame.f_code) if one.offset == step.tb_lasti), None)
    if raising is None or raising.opname.startswith(("RAISE", "RERAISE")):
        return False
    names: Dict[str, Any] = {**frame.f_globals, **frame.f_locals}
    return any(_is_torchy(node, names) for node in _nodes_at(raising, step.tb_lineno, filename))


def _nodes_at(raising: Any, line: int, filename: str) -> List[ast.expr]:
    """The expressions that an instruction stands for; where Python does not tell, those of its line."""
    places = getattr(raising, "positions", None)
    text = _text(places, filename) if places is not None and places.col_offset is not None else ""
    for written in (text, linecache.getline(filename, line), linecache.getline(filename, line).rstrip() + " pass"):
        try:
            tree = ast.parse(written.strip())
        except (SyntaxError, ValueError, RecursionError):
            continue
        whole = [part for node in ast.walk(tree) for part in _operands(node)]
        if whole:
            return whole
    return []


def _operands(node: ast.AST) -> List[ast.expr]:
    """What a statement works on: a value, what is added to in place, what is asked whether it is true."""
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        return [node.test]
    if isinstance(node, (ast.Expr, ast.Assign, ast.Return)) and node.value is not None:
        return [node.value]
    return []


def _text(places: Any, filename: str) -> str:
    lines = [linecache.getline(filename, number) for number in range(places.lineno, places.end_lineno + 1)]
    encoded = "".join(lines).encode("utf-8")
    behind = len(lines[-1].encode("utf-8")) - places.end_col_offset
    return encoded[places.col_offset : len(encoded) - behind].decode("utf-8", "replace")


def _is_torchy(node: Optional[ast.AST], names: Dict[str, Any]) -> bool:
    """True if an expression asks something of torch: of its functions and classes, of tensors and modules."""
    if isinstance(node, ast.Name):
        return node.id in names and _belongs_to_torch(names[node.id])
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        return _is_torchy(node.value, names)
    if isinstance(node, ast.Call):
        builtin = isinstance(node.func, ast.Name) and node.func.id not in names
        return _is_torchy(node.func, names) or (builtin and any(_is_torchy(one, names) for one in node.args))
    if isinstance(node, ast.BinOp):
        return _is_torchy(node.left, names) or _is_torchy(node.right, names)
    if isinstance(node, ast.Compare):
        return any(_is_torchy(one, names) for one in [node.left, *node.comparators])
    return isinstance(node, ast.UnaryOp) and _is_torchy(node.operand, names)


def _belongs_to_torch(thing: Any) -> bool:
    """True for torch's modules, functions and classes, and for what its own classes make."""
    home = getattr(thing, "__name__", "") if type(thing).__name__ == "module" else getattr(thing, "__module__", "")
    of_type = type(thing).__module__
    return str(home or "").split(".")[0] == "torch" or str(of_type).split(".")[0] == "torch" or isinstance(thing, KINDS)
