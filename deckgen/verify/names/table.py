"""API tables in Markdown, written from the live torch: what `deckgen api NAME...` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deckgen.verify.names.near import near

Facts = Mapping[str, Any]
"""The answer of `introspect` to `table_request`."""

LISTED = {"module": "name", "class": "method"}
"""Kinds whose members get a table of their own, and what the header calls a row."""


def table_request(names: Sequence[str]) -> dict[str, Any]:
    """What to ask the worker for the tables of these names."""
    return {"names": list(names), "members": list(names), "pool": True, "uses": False}


def api_table(facts: Facts, names: Sequence[str]) -> str:
    """Markdown: one table of functions and classes, then one for each class (its own public methods) and module.

    Every row has the name with its signature, the first sentence of its docstring, and its parameters with what the
    docstring says of them. Names that do not exist are left out: see `unknown_names`.
    """
    paths = list(dict.fromkeys(path for name in names if (path := _path(facts, name))))
    plain = [path for path in paths if facts["objects"][path]["kind"] != "module"]
    parts = [_table("API", plain, facts)] if plain else []
    for path in paths:
        if members := _members(facts, path):
            parts.append(_section(path, members, facts))
    return "\n".join(parts)


def unknown_names(facts: Facts, names: Sequence[str]) -> dict[str, str | None]:
    """Names that torch does not have, each with the near name if there is one."""
    lacking = missing_modules(facts, names)
    return {name: _nearest(facts, name) for name in names if _path(facts, name) is None and name not in lacking}


def missing_modules(facts: Facts, names: Sequence[str]) -> dict[str, str]:
    """Names that nobody can look up without a package that is not installed, each with its module."""
    problems = {name: (facts["names"].get(name) or {}).get("problem") or "" for name in names}
    found = {name: problem.partition(" ") for name, problem in problems.items()}
    return {name: module for name, (word, _, module) in found.items() if word == "missing-module"}


def _nearest(facts: Facts, name: str) -> str | None:
    found = facts["names"].get(name)
    held = facts["objects"].get(found["object"]) if found and found["object"] else None
    if held and (close := near(found["rest"], held["names"] or ())):
        return f"{found['object']}.{close}"
    close = near(name.rpartition(".")[2], facts["pool"])
    suggestion: str | None = facts["pool"][close] if close else None
    return suggestion


def _path(facts: Facts, name: str) -> str | None:
    found = facts["names"].get(name)
    path: str | None = found["object"] if found and not found["rest"] else None
    return path


def _members(facts: Facts, path: str) -> list[str]:
    """Paths of what a class or module has to show: methods of a class, classes and functions of a module."""
    fact = facts["objects"][path]
    kinds = {"class": ("method",), "module": ("class", "function")}.get(fact["kind"], ())
    inner = [f"{path}.{name}" for name in fact["names"] or ()]
    there = [(one, facts["objects"][one]) for one in inner if one in facts["objects"]]
    return [one for one, told in there if told["kind"] in kinds and not (told["removed"] or told["inherited"])]


def _section(path: str, members: Sequence[str], facts: Facts) -> str:
    fact = facts["objects"][path]
    short = path.rpartition(".")[2]
    about = fact["doc"] or f"What `{path}` has."
    head = f"`{short}` {LISTED[fact['kind']]}"
    return f"## `{_written(path, fact)}`\n\n{about}\n\n{_table(head, members, facts)}"


def _table(head: str, paths: Iterable[str], facts: Facts) -> str:
    rows = [_row(path, facts["objects"][path]) for path in paths]
    return "\n".join([f"| {head} | What it does | Parameters |", "| --- | --- | --- |", *rows, ""])


def _row(path: str, fact: Mapping[str, Any]) -> str:
    about = f"Deprecated: {fact['deprecated']}" if fact["deprecated"] else fact["doc"]
    return f"| `{_cell(_written(path, fact))}` | {_cell(about)} | {_cell(_parameters(fact))} |"


def _written(path: str, fact: Mapping[str, Any]) -> str:
    """`nn.Linear(in_features, out_features, ...)` with the short customary owner where there is one."""
    owner = path.rpartition(".")[0]
    text = fact["signatures"][0]["text"] if fact["signatures"] else path.rpartition(".")[2]
    return f"{_short(owner)}.{text}" if owner else text


_SHORT = {"torch.nn.functional": "F", "torch.nn": "nn", "torch.optim": "optim", "torch.Tensor": "Tensor"}


def _short(owner: str) -> str:
    if owner in _SHORT:
        return _SHORT[owner]
    last = owner.rpartition(".")[2]
    return last if last[:1].isupper() else owner


def _parameters(fact: Mapping[str, Any]) -> str:
    parameters = fact["signatures"][0]["parameters"] if fact["signatures"] else []
    told = fact["about"]
    return "; ".join(
        f"`{name}`: {told[name].rstrip('.')}" if told.get(name) else f"`{name}`" for name, _, _ in parameters
    )


def _cell(text: str) -> str:
    """Text that cannot break a table: no bars, no line ends."""
    return " ".join(text.replace("|", "\\|").split())
