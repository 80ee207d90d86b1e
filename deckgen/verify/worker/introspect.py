"""Looks API names up in the torch that is installed here. Standard library and torch only.

It reports facts; judging is done by `deckgen.verify.names.judge` in the parent.

Request::

    {"names": ["nn.Linear", "Optimizer.step", "torch.utils.benchmark::sub_label", ...],
     "members": ["torch.nn"],     # objects whose public names are wanted, each described too
     "pool": false,               # every public name of the usual places, for names found nowhere
     "uses": false,               # which torch.nn.functional functions each torch.nn class calls
     "library": false}            # every public name with what its docstring says first

A name is looked up as a reader of PyTorch notes would: `F`, `nn`, `optim` are the usual aliases, and a bare
name is searched in the usual places. `SCOPE::name` asks for `name` anywhere inside `SCOPE`: a member, a
member of a member, or a parameter of either.

Answer::

    {"torch": "2.13.0",
     "names": {written: {"object": path or null, "rest": "", "problem": null,
                         "hits": [[path, "member" or "parameter"], ...]}},
     "objects": {path: {"kind", "signatures": [{"text", "parameters": [[name, kind, default]]}], "accepts",
                        "deprecated", "removed", "inherited", "doc", "about", "names", "inside"}},
     "pool": {name: path}, "uses": {"BCELoss": ["binary_cross_entropy"]},
     "library": [["Concatenates ...", ["torch.cat", ...]], ...]}

`rest` is what could not be found on `object`; everything is plain JSON.
"""

from __future__ import annotations

import ast
import inspect
import warnings
from typing import Any, Dict, List, Set

from .api_facts import UNKNOWN, describe, parameter_names, source_of
from .api_places import ALIASES, HOMES, MISSING, follow, home_of, member, own_names, public_names, reach
from .library import library

Json = Dict[str, Any]


def introspect(request: Json) -> Json:
    """The facts for a request (see the module's docstring). Never raises for a name that is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch

        lookup = Lookup()
        names = {written: lookup.find(written) for written in request.get("names", ())}
        for written in request.get("members", ()):
            lookup.list_members(written)
        homes = reversed(HOMES) if request.get("pool") else ()
        return {
            "torch": str(torch.__version__),
            "names": names,
            "objects": lookup.objects,
            "pool": {name: home + "." + name for home in homes for name in public_names(home)},
            "uses": functions_used() if request.get("uses") else {},
            "library": library() if request.get("library") else [],
        }


class Lookup:
    """One request's worth of lookups, with what was found so far."""

    def __init__(self) -> None:
        self.objects: Dict[str, Json] = {}
        self.indexes: Dict[str, Dict[str, List[List[str]]]] = {}

    def find(self, written: str) -> Json:
        """Where a written name leads: the object reached, what is left over, and hits inside a scope."""
        scope, _, inner = written.partition("::")
        try:
            found = self._walk(scope)
            if inner and found["object"] and not found["rest"]:
                index = self._index(found["object"])
                found["hits"] = index.get(inner, [])[:5]
                if not found["hits"]:
                    self.objects[found["object"]]["inside"] = sorted(index)
                for path, _ in found["hits"]:
                    self._describe(path)
        except Exception as error:  # an object that breaks under our hands leads nowhere
            return {"object": None, "rest": written, "problem": type(error).__name__, "hits": []}
        return found

    def _walk(self, written: str) -> Json:
        head, *rest = written.split(".")
        start = ALIASES.get(head) or home_of(head)
        if start is None:
            return {"object": None, "rest": written, "problem": None, "hits": []}
        _, path, left, problem = follow([*start.split(".")[1:], *rest])
        self._describe(path)
        if left:
            self.objects[path]["names"] = public_names(path)
        return {"object": path, "rest": ".".join(left), "problem": problem, "hits": []}

    def list_members(self, written: str) -> None:
        """Describe an object's public names one by one, besides the object itself."""
        found = self._walk(written)
        path = found["object"]
        if path is None or found["rest"]:
            return
        names = own_names(path) if inspect.ismodule(reach(path)) else public_names(path)
        self.objects[path]["names"] = names
        for name in names:
            self._describe(path + "." + name)

    def _describe(self, path: str) -> None:
        if path not in self.objects:
            try:
                self.objects[path] = describe(reach(path), path)
            except Exception:  # an object that does not like to be looked at is there all the same
                self.objects[path] = dict(UNKNOWN)

    def _index(self, path: str) -> Dict[str, List[List[str]]]:
        """Every name inside an object: its members, their members, and all their parameters."""
        if path not in self.indexes:
            self.indexes[path] = {}
            _note_inside(self.indexes[path], reach(path), path, 2)
        return self.indexes[path]


def _note_inside(index: Dict[str, List[List[str]]], value: Any, path: str, depth: int) -> None:
    for parameter in parameter_names(value, path):
        index.setdefault(parameter, []).append([path, "parameter"])
    if depth == 0 or not (inspect.ismodule(value) or inspect.isclass(value)):
        return
    for name in public_names(path) if depth == 2 and inspect.isclass(value) else own_names(path):
        inner = path + "." + name
        found = member(value, name)
        index.setdefault(name, []).insert(0, [inner, "member"])
        if found is not MISSING and not inspect.ismodule(found):
            _note_inside(index, found, inner, depth - 1)


def functions_used() -> Dict[str, List[str]]:
    """Class name in torch.nn -> names of torch.nn.functional that its own or inherited code calls."""
    import torch

    classes = {name: one for name, one in vars(torch.nn).items() if inspect.isclass(one)}
    calls: Dict[Any, Set[str]] = {}
    for module in {inspect.getmodule(one) for one in classes.values()}:
        for node in ast.parse(source_of(module)).body if str(module).startswith("<module 'torch.nn.modules") else ():
            if isinstance(node, ast.ClassDef):
                calls[getattr(module, node.name, None)] = {
                    one.attr
                    for one in ast.walk(node)
                    if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "F"
                }
    used = {name: sorted(set().union(*(calls.get(base, ()) for base in one.__mro__))) for name, one in classes.items()}
    return {name: functions for name, functions in used.items() if functions and not name.startswith("_")}
