"""A walk through a document: mentions of APIs, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from deckgen.extract.apis.context import CodeNames
from deckgen.extract.apis.text import KEYWORD, NAME, looks_coded
from deckgen.extract.text import code_spans, unescaped
from deckgen.model.document import Heading
from deckgen.text.pattern import pattern

SCOPES = 8
"""How many surroundings a bare name is tried in."""
_OURS = pattern(
    r"超参|配置|脚本|实验|项目|命令行|我们|我的|自定义"
    r"|(?i:\b(?:hyper-?param\w*|config\w*|scripts?|experiments?|projects?|command|cli|recipes?|our|my|custom)\b)"
)
"""Words of headings over settings of a program, not of torch."""


_WORD = pattern(r"[A-Za-z_][\w.]*", re.ASCII)
_CAPITAL = pattern(r"[A-Z][a-z]+\w*")


@dataclass(slots=True)
class Mention:
    line: int
    text: str
    form: str
    owner: str | None = None
    peers: tuple[str, ...] = ()
    alias: str | None = None
    scopes: tuple[str, ...] = ()
    default: str | None = None


@dataclass(slots=True)
class Place:
    """Where the walk through the document stands."""

    names: CodeNames
    headings: list[Heading] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    """Names in the headings met so far, nearest last; an empty string opens each heading."""
    pupil: bool = False
    label: str = ""
    """The line with a colon right above the block: `Parameters:`."""
    scopes: tuple[tuple[int, int], tuple[str, ...]] = ((-1, -1), ())
    """How many headings' names and calls stood above when the surroundings were last looked at, and what they are."""

    def enter(self, heading: Heading) -> None:
        """Go on below a heading."""
        self.headings = [one for one in self.headings if one.level < heading.level] + [heading]
        self.recent += ["", *names_in_heading(heading.text)]


@lru_cache(maxsize=4096)
def names_in_heading(text: str) -> tuple[str, ...]:
    """Names in a heading that can be a scope: code spans and words that look like names, calls without arguments."""
    words = _WORD.findall(unescaped(text))
    spans = [match.group() for span in code_spans(unescaped(text)) if (match := NAME.match(_of_tensor(span)))]
    coded = [word.strip(".") for word in words if looks_coded(word.strip(".")) or _CAPITAL.fullmatch(word)]
    return tuple(dict.fromkeys(spans + coded))


def _of_tensor(span: str) -> str:
    """`Tensor.backward()` of `.backward()`: what notes about torch call the methods of."""
    return f"Tensor{span}" if span[:1] == "." and span[1:2].isalpha() else span


def _scopes(place: Place, line: int) -> tuple[str, ...]:
    """What surrounds a line: looked at again only under another heading, or after more code."""
    key = len(place.recent), place.names.calls_above(line)
    if place.scopes[0] != key:
        place.scopes = key, _surroundings(place, line)
    return place.scopes[1]


def _surroundings(place: Place, line: int) -> tuple[str, ...]:
    """What surrounds a line, nearest first: its heading path, calls in the code above, earlier headings, and last the
    modules that hold them."""
    path = [name for heading in reversed(place.headings) for name in names_in_heading(heading.text)]
    called = place.names.scopes_before(line)[:SCOPES]
    recent = [name for name in reversed(place.recent[-9:]) if name][:3]
    ordered = [place.names.expanded(name) for name in [*path[:4], *called[:3], *recent]]
    homes = [name.rpartition(".")[0] for name in [*ordered, *called] if name.count(".") >= 2]
    return tuple(dict.fromkeys([*ordered, *homes, *called[3:]]))[:SCOPES]


def _placed(mention: Mention, place: Place) -> Mention | None:
    """Add what surrounds a mention; None if its name is the source's own."""
    match = NAME.match(mention.text.lstrip("."))
    if match is None:
        return mention
    if mention.default is not None and _is_ours(place):
        return None if mention.form == "default" else replace(mention, default=None)
    head, dot, _ = match.group().partition(".")
    if head in place.names.defined:
        return None
    if not mention.text.startswith(".") and not KEYWORD.fullmatch(mention.text):
        mention.alias = place.names.alias(head, bare=not dot)
    method = place.names.methods.get(head) if not dot else None
    around = _in_path(place) if mention.form in ("parameter", "given") else _scopes(place, mention.line)
    mention.scopes = (*([method] if method else []), *around)[:SCOPES]
    return mention


def _in_path(place: Place) -> tuple[str, ...]:
    """The names in the headings above, nearest first: a method that a table names is theirs."""
    path = [name for heading in reversed(place.headings) for name in names_in_heading(heading.text)]
    return tuple(place.names.expanded(name) for name in path)


def _is_ours(place: Place) -> bool:
    """True if what stands here is about a program of the author's, which has defaults of its own."""
    return any(_OURS.search(heading.text) for heading in place.headings[-2:])


def all_placed(found: Iterable[Mention], place: Place) -> list[Mention]:
    return [placed for one in found if (placed := _placed(one, place)) is not None]


def last_name(text: str) -> str:
    match = NAME.match(text.lstrip("."))
    return match.group().rpartition(".")[2] if match else ""
