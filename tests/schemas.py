"""Outputs for programs are held to their schemas: each that a test has the reports or the command line make in its process."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache, lru_cache
from typing import Any

from jsonschema import Draft202012Validator

from deckgen.report import schemas

SEEN: Counter[str] = Counter()
"""Outputs that were held to a schema, by its name."""


def closed(schema: Any) -> Any:
    """The schema, with no properties besides those that it names."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    is_object = schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    return {**inner, "additionalProperties": False} if is_object else inner


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(closed(schemas.schema(name)))


def faults(data: dict[str, Any]) -> list[str]:
    """What of an output is not as its schema says."""
    name = data["schema"]
    return [f"{name}: {one.json_path}: {one.message[:300]}" for one in validator(name).iter_errors(data)]


@lru_cache(4)  # what is reported is printed next
def _faults_of(printed: str) -> list[str]:
    return faults(json.loads(printed))


def hold(printed: str) -> str:
    """The same text. Fails if it is an output for programs that is not as its schema says."""
    if found := re.match(r'\{\n "schema": "([^"]+)"', printed):
        SEEN[found[1]] += 1
        if told := _faults_of(printed):
            raise AssertionError("\n".join(told))
    return printed
