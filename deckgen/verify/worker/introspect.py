"""Looks API names up in the torch that is installed here. Standard library and torch only.

Runs inside a worker process (any Python from 3.8 that has torch), or by itself: `python -m
deckgen.verify.worker.introspect` reads a request as JSON and writes the answer. It reports facts; judging is done by
`deckgen.verify.names.judge` in the parent.

Request::

    {"names": ["nn.Linear", "Optimizer.step", "torch.utils.benchmark::sub_label", ...],
     "members": ["torch.nn"],     # objects whose public names are wanted, each described too
     "pool": false,               # every public name of the usual places, for names found nowhere
     "uses": false}               # which torch.nn.functional functions each torch.nn class calls

A name is looked up as a reader of PyTorch notes would: `F`, `nn`, `optim` are the usual aliases, and a bare
name is searched in the usual places. `SCOPE::name` asks for `name` anywhere inside `SCOPE`: a member, a
member of a member, or a parameter of either.

Answer::

    {"torch": "2.13.0",
     "names": {written: {"object": path or null, "rest": "", "problem": null,
                         "hits": [[path, "member" or "parameter"], ...]}},
     "objects": {path: {"kind", "signatures": [{"text", "parameters": [[name, kind, default]]}], "accepts",
                        "deprecated", "removed", "inherited", "doc", "about", "names", "inside"}},
     "pool": {name: path}, "uses": {"BCELoss": ["binary_cross_entropy"]}}

`rest` is what could not be found on `object`; everything is plain JSON.
"""

from __future__ import annotations

import inspect
import json
import sys
import warnings
from typing import Any, Dict, List

from .api_docs import deprecation, first_sentence, parameter_docs, removal
from .api_places import (
    ALIASES,
    HOMES,
    MISSING,
    InstanceAttribute,
    follow,
    home_of,
    member,
    own_names,
    public_names,
    reach,
)
from .api_signatures import parameter_names, signatures
from .functions_used import functions_used

Json = Dict[str, Any]


def introspect(request: Json) -> Json:
    """The facts for a request (see the module's docstring). Never raises for a name that is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch

        lookup = Lookup()
        names = {written: lookup.find_quietly(written) for written in request.get("names", ())}
        for path in request.get("members", ()):
            lookup.list_members(path)
        return {
            "torch": str(torch.__version__),
            "names": names,
            "objects": lookup.objects,
            "pool": pool() if request.get("pool") else {},
            "uses": functions_used() if request.get("uses") else {},
        }


class Lookup:
    """One request's worth of lookups, with what was found so far."""

    def __init__(self) -> None:
        self.objects: Dict[str, Json] = {}
        self.indexes: Dict[str, Dict[str, List[List[str]]]] = {}

    def find_quietly(self, written: str) -> Json:
        """`find`; a name whose object breaks under our hands is a name that leads nowhere."""
        try:
            return self.find(written)
        except Exception as error:
            return {"object": None, "rest": written, "problem": type(error).__name__, "hits": []}

    def find(self, written: str) -> Json:
        """Where a written name leads: the object reached, what is left over, and hits inside a scope."""
        scope, _, inner = written.partition("::")
        found = self._walk(scope)
        if inner and found["object"] and not found["rest"]:
            found["hits"] = self._index(found["object"]).get(inner, [])[:5]
            if not found["hits"]:
                self.objects[found["object"]]["inside"] = sorted(self._index(found["object"]))
            for path, _ in found["hits"]:
                self._describe(path)
        return found

    def _walk(self, written: str) -> Json:
        head, *rest = written.split(".")
        found: Json = {"object": None, "rest": written, "problem": None, "hits": []}
        start = ALIASES.get(head) or home_of(head)
        if start is None:
            return found
        _, path, left, problem = follow([*start.split(".")[1:], *rest])
        found.update(object=path, rest=".".join(left), problem=problem)
        self._describe(path)
        if left:
            self.objects[path]["names"] = public_names(path)
        return found

    def list_members(self, written: str) -> None:
        """Describe an object's public names one by one, besides the object itself."""
        found = self._walk(written)
        path = found["object"]
        if path is None or found["rest"]:
            return
        value = reach(path)
        names = own_names(path) if inspect.ismodule(value) else public_names(path)
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


UNKNOWN: Json = {
    "kind": "value",
    "signatures": [],
    "accepts": {},
    "deprecated": None,
    "removed": None,
    "inherited": False,
    "doc": "",
    "about": {},
    "names": None,
    "inside": None,
}
"""What is told of an object about which nothing can be found out."""


def describe(value: Any, path: str) -> Json:
    """The facts about one live object."""
    found, accepts = signatures(value, path)
    return {
        "kind": kind_of(value, path),
        "signatures": found,
        "accepts": accepts,
        "deprecated": deprecation(value),
        "removed": removal(value),
        "inherited": is_inherited(path),
        "doc": first_sentence(value),
        "about": parameter_docs(value) if found else {},
        "names": None,
        "inside": None,
    }


def is_inherited(path: str) -> bool:
    """True for a member that a class has from another one."""
    owner, _, name = path.rpartition(".")
    holder = reach(owner) if owner else None
    return inspect.isclass(holder) and name not in vars(holder)


def kind_of(value: Any, path: str) -> str:
    """`module`, `class`, `method`, `function`, `property`, `attribute` (instances only) or `value`."""
    if isinstance(value, InstanceAttribute):
        return "attribute"
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    if inspect.isdatadescriptor(value):
        return "property"
    if callable(value):
        return "method" if inspect.isclass(reach(path.rpartition(".")[0])) else "function"
    return "value"


def pool() -> Dict[str, str]:
    """Public names of the usual places and where they live."""
    found: Dict[str, str] = {}
    for home in HOMES:
        for name in public_names(home) if reach(home) is not MISSING else ():
            found.setdefault(name, home + "." + name)
    return found


if __name__ == "__main__":
    json.dump(introspect(json.load(sys.stdin)), sys.stdout)
