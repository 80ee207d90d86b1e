"""Which functions of torch.nn.functional each class of torch.nn calls. Standard library and torch only."""

from __future__ import annotations

import ast
import inspect
from typing import Any, Dict, List, Optional, Set

from .api_docs import source_of


def functions_used() -> Dict[str, List[str]]:
    """Class name in torch.nn -> names of torch.nn.functional that its own or inherited code calls."""
    import torch

    calls: Dict[Any, Set[str]] = {}
    for module in {inspect.getmodule(one) for one in vars(torch.nn).values() if inspect.isclass(one)}:
        if module is not None and module.__name__.startswith("torch.nn.modules"):
            calls.update(_calls_by_class(module))
    used: Dict[str, List[str]] = {}
    for name, cls in vars(torch.nn).items():
        if inspect.isclass(cls) and not name.startswith("_"):
            inherited: Set[str] = set().union(*(calls.get(base, set()) for base in cls.__mro__))
            if inherited:
                used[name] = sorted(inherited)
    return used


def _calls_by_class(module: Any) -> Dict[Any, Set[str]]:
    try:
        tree: Optional[ast.Module] = ast.parse(source_of(module))
    except SyntaxError:
        tree = None
    return {
        getattr(module, node.name): {
            one.attr
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "F"
        }
        for node in (tree.body if tree else ())
        if isinstance(node, ast.ClassDef) and hasattr(module, node.name)
    }
