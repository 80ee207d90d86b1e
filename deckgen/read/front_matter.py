"""Front matter: YAML between `---` lines at the top of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckgen.text.pattern import pattern
from deckgen.text.wording import without_half_characters

_LONGEST = 300
"""Lines after which a first line `---` is taken for a rule."""
_KEY = pattern(r"\s*[\"']?[\w-]+[\"']?\s*[:=](?:\s|$)")
_LINE = pattern(r"\s*$|\s+\S|#(?!#)|- |[\]}]|[^\s:：=#][^:：=]*[:=：](?:\s|$)|[\w.-]+\s*[:=]")
"""What stands in front matter: a key, or what goes on from one; nearly any line that is no running text."""
_CARD = pattern(r"\W*(?:«question.question_label»|«question.answer_label»)\s*[:：]")
"""Cards between rules, which are no front matter."""
_KNOWN = pattern(
    r"(?i)(?:title|subtitle|date|updated|author|tags?|categor(?:y|ies)|layout|description|summary|draft|lang|id|slug|aliases"
    r"|permalink|keywords|cover)\s*[:=](?:\s|$)"
)
"""Keys that nobody takes for text, where the end of front matter was forgotten."""
_TITLE = pattern(r"^\s*title\s*[:=]\s*[\"']?(.*?)[\"']?\s*$", re.I | re.M)


class FrontMatter(NamedTuple):
    """What front matter says, and the line after it."""

    stop: int
    title: str
    tags: tuple[str, ...]
    values: Mapping[str, object]


def front_matter_of(lines: Sequence[str]) -> FrontMatter | None:
    """The front matter at the top of a source, if it has one."""
    if not lines or lines[0].rstrip() != "---":
        return None
    stop = _closed(lines) or _forgotten(lines)
    if not stop:
        return None
    text = "\n".join(one for one in lines[1:stop] if one.rstrip() != "---")
    values = _yaml(text)
    title = values.get("title")
    if not values:  # no valid YAML, as titles with a colon or a bracket often are
        match = _TITLE.search(text)
        title = match[1] if match else ""
    return FrontMatter(stop, _plain(title), _tags(values), values)


def _closed(lines: Sequence[str]) -> int:
    """The line after the `---` that closes front matter; 0 if what stands above it is none, but text between two rules."""
    stop = next((n for n in range(1, min(len(lines), _LONGEST)) if lines[n].rstrip() == "---"), 0)
    body = lines[1:stop]
    keys = any(map(_KEY.match, body)) and not any(map(_CARD.match, body))
    return stop + 1 if keys and all(map(_LINE.match, body)) and not _has_heading(body) else 0


def _forgotten(lines: Sequence[str]) -> int:
    """The line after front matter that nobody closed: known keys up to an empty line; 0 if that is not what stands there."""
    stop = next((n for n in range(1, min(len(lines), _LONGEST)) if not lines[n].strip()), 0)
    body = [one for one in lines[1:stop] if not one.startswith((" ", "\t", "- "))]
    return stop if body and all(map(_KNOWN.match, body)) else 0


def _has_heading(body: Sequence[str]) -> bool:
    """True if a line between empty ones is a heading of Markdown, and no comment of YAML."""
    return any(
        line.startswith("# ") and not above.strip() and not below.strip()
        for above, line, below in zip(body, body[1:], body[2:], strict=False)
    )


def _yaml(text: str) -> Mapping[str, object]:
    import yaml  # a document without front matter does not need it

    try:
        values = yaml.safe_load(text)
    except Exception:  # ValueError for a date such as 2024-13-45, KeyError for `!!bool x`, and others
        return {}
    return values if isinstance(values, dict) else {}


def _plain(value: object) -> str:
    return without_half_characters(str(value)).strip() if isinstance(value, str | int | float) else ""


def _tags(values: Mapping[str, object]) -> tuple[str, ...]:
    tags = values.get("tags") or values.get("tag")
    if isinstance(tags, str):
        tags = re.split(r"[,，、;]\s*", tags)
    return tuple(dict.fromkeys(filter(None, map(_plain, tags)))) if isinstance(tags, list) else ()
