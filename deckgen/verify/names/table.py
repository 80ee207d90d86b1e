"""API tables in Markdown, written from the live torch: what `deckgen api NAME...` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckgen.text.pattern import pattern
from deckgen.verify.names.near import near
from deckgen.verify.worker.api_facts import Parameter, text_of

Facts = Mapping[str, Any]
"""The answer of `introspect` to `table_request`."""
LISTED = {"module": ("name", ("class", "function")), "class": ("method", ("method",))}
"""Kinds whose members get a table of their own: what the header calls a row, and the kinds of members in it."""
_SHORT = {"torch.nn.functional": "F", "torch.nn": "nn", "torch.optim": "optim", "torch.Tensor": "Tensor"}


def table_request(names: Sequence[str]) -> dict[str, Any]:
    """What to ask the worker for the tables of these names."""
    return {"names": list(names), "members": list(names), "pool": True, "uses": False}


def api_table(facts: Facts, names: Sequence[str]) -> str:
    """Markdown: one table of functions and classes, then one for each class (its own public methods) and module.

    Every row has the name with its signature, the first sentence of its docstring, and its parameters with what the
    docstring says of them. Names that do not exist are left out: see `unknown_names`.
    """
    objects = facts["objects"]
    paths = list(dict.fromkeys(path for name in names if (path := _path(facts, name))))
    plain = [path for path in paths if objects[path]["kind"] != "module"]
    parts = [_table("API", plain, facts)] if plain else []
    for path in paths:
        fact = objects[path]
        row, kinds = LISTED.get(fact["kind"], ("", ()))
        inner = [f"{path}.{name}" for name in fact["names"] or () if f"{path}.{name}" in objects]
        members = [one for one in inner if objects[one]["kind"] in kinds]
        if members := [one for one in members if not (objects[one]["removed"] or objects[one]["inherited"])]:
            head = f"`{path.rpartition('.')[2]}` {row}"
            about = _for_readers(fact["doc"]) or f"What `{path}` has."
            parts.append(f"## `{_written(path, fact)}`\n\n{about}\n\n{_table(head, members, facts)}")
    return "\n".join(parts)


def unknown_names(facts: Facts, names: Sequence[str]) -> dict[str, str | None]:
    """Names that torch does not have, each with the near name if there is one."""
    lacking = missing_modules(facts, names)
    return {name: _nearest(facts, name) for name in names if _path(facts, name) is None and name not in lacking}


def missing_modules(facts: Facts, names: Sequence[str]) -> dict[str, str]:
    """Names that nobody can look up without a package that is not installed, each with its module."""
    problems = {name: str(facts["names"][name]["problem"]).partition(" ") for name in names}
    return {name: module for name, (word, _, module) in problems.items() if word == "missing-module"}


def _nearest(facts: Facts, name: str) -> str | None:
    found = facts["names"][name]
    held = facts["objects"][found["object"]]["names"] if found["object"] else None
    if close := near(found["rest"], held or ()):
        return f"{found['object']}.{close}"
    close = near(name.rpartition(".")[2], facts["pool"])
    return str(facts["pool"][close]) if close else None


def _path(facts: Facts, name: str) -> str | None:
    found = facts["names"][name]
    return None if found["rest"] else found["object"]


def _table(head: str, paths: Sequence[str], facts: Facts) -> str:
    rows = [f"| {head} | What it does | Parameters |", "| --- | --- | --- |"]
    for path in paths:
        fact = facts["objects"][path]
        about = f"Deprecated: {fact['deprecated']}" if fact["deprecated"] else _for_readers(fact["doc"])
        docs = {name: _for_readers(text) for name, text in fact["about"].items()}
        parameters = "; ".join(
            f"`{name}`: {docs[name].rstrip('.')}" if docs.get(name) else f"`{name}`"
            for one in fact["signatures"][:1]
            for name, _, _ in _public(one["parameters"])
        )
        rows.append(f"| `{_cell(_written(path, fact))}` | {_cell(about)} | {_cell(parameters)} |")
    return "\n".join([*rows, ""])


def _written(path: str, fact: Mapping[str, Any]) -> str:
    """`nn.Linear(in_features, out_features, ...)` with the short customary owner where there is one."""
    owner, _, name = path.rpartition(".")
    last = owner.rpartition(".")[2]
    short = _SHORT.get(owner, last if last[:1].isupper() else owner)
    text = text_of(name, _public(fact["signatures"][0]["parameters"])) if fact["signatures"] else name
    return f"{short}.{text}" if owner else text


def _public(parameters: Sequence[Parameter]) -> list[Parameter]:
    """Without those that are torch's own (`_disable_byteorder_record` of `torch.save`), if a call can do without them."""
    return [one for one in parameters if not (one[0].startswith("_") and one[2] is not None)]


_MARKS = pattern(r"#\s*(?:noqa|pyre|[a-z]+:).*")
"""What docstrings hold for linters and the like: `torch.asarray(...) -> Tensor # noqa: B950`."""


def _for_readers(text: str) -> str:
    return _MARKS.sub("", text).strip()


def _cell(text: str) -> str:
    """Text that cannot break a table: no bars, no line ends."""
    return " ".join(text.replace("|", "\\|").split())
