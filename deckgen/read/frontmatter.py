"""Front matter: YAML between `---` lines, or TOML between `+++` lines, at the top of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deckgen.text.pattern import pattern
from deckgen.text.toml import parsed_toml
from deckgen.text.wording import whole

_LONGEST = 300
"""Lines after which a first line `---` is taken for a rule."""
_KEY = pattern(r"\s*[\"']?[\w-]+[\"']?\s*[:=](?:\s|$)")
_TITLE = pattern(r"\s*title\s*[:=]\s*(.*)", re.I)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What front matter says, and the line after it."""

    stop: int
    title: str
    tags: tuple[str, ...]


def front_matter(lines: Sequence[str]) -> FrontMatter | None:
    """The front matter at the top of a source, if it has one."""
    mark = lines[0].rstrip() if lines else ""
    if mark not in ("---", "+++"):
        return None
    stop = next((n for n in range(1, min(len(lines), _LONGEST)) if lines[n].rstrip() == mark), None)
    if stop is None or not any(_KEY.match(line) for line in lines[1:stop]):
        return None
    text = "\n".join(lines[1:stop])
    values = _toml(text) if mark == "+++" else _yaml(text)
    return FrontMatter(stop + 1, _title(values, lines[1:stop]), _tags(values))


@lru_cache(maxsize=8)
def _yaml(text: str) -> Mapping[str, object]:
    import yaml

    try:
        values = yaml.safe_load(text)
    except (
        Exception
    ):  # ValueError for a date such as 2024-13-45, KeyError for `!!bool x`, AttributeError for `!!timestamp x`
        return {}
    return values if isinstance(values, dict) else {}


def _toml(text: str) -> Mapping[str, object]:
    try:
        values: Mapping[str, object] = parsed_toml(text)
    except ValueError:
        return {}
    taxonomies = values.get("taxonomies")
    return {**values, **taxonomies} if isinstance(taxonomies, dict) else values


def _title(values: Mapping[str, object], lines: Sequence[str]) -> str:
    title = values.get("title")
    if isinstance(title, str | int | float):
        return whole(str(title)).strip()
    if values:
        return ""
    # Not valid YAML, as titles with a colon or a bracket often are: the line itself still tells.
    found = next((match[1] for line in lines if (match := _TITLE.match(line))), "")
    return found.strip().strip("\"'")


def _tags(values: Mapping[str, object]) -> tuple[str, ...]:
    tags = values.get("tags") or values.get("tag")
    if isinstance(tags, str):
        tags = re.split(r"[,，、;]\s*", tags)
    if not isinstance(tags, list):
        return ()
    return tuple(
        dict.fromkeys(whole(str(tag)).strip() for tag in tags if isinstance(tag, str | int) and str(tag).strip())
    )
