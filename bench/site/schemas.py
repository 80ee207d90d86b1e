"""The JSON Schemas of outputs and of cards: a page each, with a table of all that is in it and the schema itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bench.site.table import code, table
from deckgen.report import schemas


def page() -> Iterator[str]:
    """Links to the page of each."""
    rows = ((f"[{name}](schemas/{file_of(name)})", _described(name)) for name in schemas.NAMES)
    yield from table(("schema", "of"), rows)


def pages() -> Iterator[tuple[str, str]]:
    """File and text of the page of each schema."""
    for name in schemas.NAMES:
        schema = schemas.schema(name)
        rows = ((code(path), kind, says) for path, kind, says in _parts("", schema))
        lines = [f"# {name}", "", f"{_described(name)} `deckgen schema {name}` prints it.", "", "## What is in it"]
        lines += table(("where", "value", "says"), rows)
        lines += ["## The schema", "", "```json", json.dumps(schema, indent=2, ensure_ascii=False), "```", ""]
        yield file_of(name), "\n".join(lines)


def file_of(name: str) -> str:
    """`deckgen.verify/1` is told in `verify-1.md`."""
    return f"{name.removeprefix('deckgen.').replace('/', '-')}.md"


def _described(name: str) -> str:
    return f"{schemas.schema(name)['description'].rstrip('.')}."


def _parts(path: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(path, value, description) of a schema and of all within it."""
    for name, part in schema.get("properties", {}).items():
        inner = f"{path}.{name}".lstrip(".")
        yield inner, _kind(part), str(part.get("description", ""))
        yield from _parts(inner, part)
    if isinstance(of := schema.get("items"), dict):
        yield from _parts(f"{path}[]", of)
    for one in schema.get("anyOf", ()):
        yield from _parts(path, one)
    for name, part in schema.get("$defs", {}).items():
        yield name, _kind(part), str(part.get("description", ""))
        yield from _parts(name, part)


def _kind(part: Mapping[str, Any]) -> str:
    if "const" in part:
        return code(str(part["const"]))
    if "enum" in part:
        return ", ".join(code(str(one)) for one in part["enum"])
    if "anyOf" in part:
        return " or ".join(dict.fromkeys(map(_kind, part["anyOf"])))
    if "$ref" in part:
        return code(str(part["$ref"]).rpartition("/")[2])
    kinds = part.get("type", "any")
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
