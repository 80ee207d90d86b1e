"""Front matter: YAML between `---` lines at the top of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckgen.text.pattern import pattern
from deckgen.text.wording import whole

_LONGEST = 300
"""Lines after which a first line `---` is taken for a rule."""
_KEY = pattern(r"\s*[\"']?[\w-]+[\"']?\s*[:=](?:\s|$)")
_TITLE = pattern(r"^\s*title\s*[:=]\s*[\"']?(.*?)[\"']?\s*$", re.I | re.M)


class FrontMatter(NamedTuple):
    """What front matter says, and the line after it."""

    stop: int
    title: str
    tags: tuple[str, ...]


def front_matter(lines: Sequence[str]) -> FrontMatter | None:
    """The front matter at the top of a source, if it has one."""
    if not lines or lines[0].rstrip() != "---":
        return None
    stop = next((n for n in range(1, min(len(lines), _LONGEST)) if lines[n].rstrip() == "---"), None)
    if stop is None or not any(map(_KEY.match, lines[1:stop])):
        return None
    text = "\n".join(lines[1:stop])
    values = _yaml(text)
    title = values.get("title")
    if not values:  # no valid YAML, as titles with a colon or a bracket often are
        match = _TITLE.search(text)
        title = match[1] if match else ""
    return FrontMatter(stop + 1, _plain(title), _tags(values))


def _yaml(text: str) -> Mapping[str, object]:
    import yaml  # a document without front matter does not need it

    try:
        values = yaml.safe_load(text)
    except Exception:  # ValueError for a date such as 2024-13-45, KeyError for `!!bool x`, and others
        return {}
    return values if isinstance(values, dict) else {}


def _plain(value: object) -> str:
    return whole(str(value)).strip() if isinstance(value, str | int | float) else ""


def _tags(values: Mapping[str, object]) -> tuple[str, ...]:
    tags = values.get("tags") or values.get("tag")
    if isinstance(tags, str):
        tags = re.split(r"[,，、;]\s*", tags)
    return tuple(dict.fromkeys(filter(None, map(_plain, tags)))) if isinstance(tags, list) else ()
