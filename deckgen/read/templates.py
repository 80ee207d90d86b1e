"""Templates of Anki's cards: which fields a side shows, and what else stands on it (docs.ankiweb.net, Card Templates)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckgen.text.pattern import pattern, untagged

FRONT_SIDE = "FrontSide"
_PART = pattern(r"\{\{\s*(?P<sign>[#^/]?)\s*(?P<name>[^{}\n]{1,300}?)\s*\}\}")
_COMMENT = pattern(r"<!--.{0,20000}?-->|<style\b.{0,100000}?</style>|<script\b.{0,100000}?</script>")
_LONGEST = 100_000
"""Characters of a template."""


class Side(NamedTuple):
    """What a side of a card shows."""

    fields: tuple[str, ...]
    """That are not empty, in order, each once."""
    text: str
    """Besides the fields, without markup."""
    code: frozenset[str] = frozenset()
    """Fields that it shows as code: in `<pre>` or `<code>` of its own."""


def side(template: str, values: Mapping[str, str]) -> Side:
    """What a template shows of these fields. A part under a condition counts only if it is met."""
    fields: dict[str, None] = {}
    text: list[str] = []
    hidden: list[bool] = []
    code: set[str] = set()
    done, template = 0, _without_programs(template[:_LONGEST])
    for part in _PART.finditer(template):
        if not any(hidden):
            text.append(template[done : part.start()])
        done = part.end()
        name = part["name"] if part["sign"] else part["name"].rpartition(":")[2].strip()
        has = bool(values.get(name, "").strip())
        if part["sign"] == "/":
            hidden = hidden[:-1]
        elif part["sign"]:
            hidden.append(has if part["sign"] == "^" else not has)
        elif not any(hidden) and (has or name == FRONT_SIDE):
            fields[name] = None
            code.update([name] if _is_in_code(template[: part.start()]) else [])
    if not any(hidden):
        text.append(template[done:])
    return Side(tuple(fields), " ".join(untagged("".join(text), " ").split()), frozenset(code))


def _is_in_code(above: str) -> bool:
    """True where `<pre>` or `<code>` is open."""
    small = above.casefold()
    return any(small.rfind(f"<{name}") > small.rfind(f"</{name}") for name in ("pre", "code"))


def _without_programs(template: str) -> str:
    return _COMMENT.sub("", template.replace("\n", " ").replace("\r", " "))
