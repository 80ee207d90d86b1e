"""Questions about the parameters of a function: its signature, a default, whether it has one."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterator
from functools import cache

from deckgen.extract.decided.facts import Default, Fact, Parameter, Signature
from deckgen.extract.decided.text import (
    CODE,
    Template,
    bare_line,
    dtype_of,
    is_name,
    literal_of,
    only,
    template,
    truth_of,
)
from deckgen.lexicon import names_in
from deckgen.text.pattern import pattern

_DEFAULT_WORDS = only("default", "default_filler", "parameter")
_DEFAULT = pattern("«decided.default»")
_TAKES_WORDS = only("takes", "parameter")
_TAKES = pattern("«decided.takes»")
_PARAMETER = pattern("«decided.parameter»")
_ACCEPTS = pattern("«decided.accepts»")
"""Said of parameters alone; and of types, which Python names."""


def of_signature(asked: Template, answer: str) -> Iterator[Fact]:
    """`What are the first two parameters of nn.Linear?`: a call with their names and defaults, or the names alone."""
    if not _SIGNATURE.search(asked.words):
        return
    said = template(bare_line(answer))
    if said.words.startswith(CODE) and _CALLED.fullmatch(said.spans[0]):
        owner = said.spans[0].partition("(")[0]
        if any(is_name(span) and _last(span) != _last(owner) for span in asked.spans):
            return
        yield Signature(_DEFAULTS.sub(r"\1", said.spans[0]))
        if _WITH_DEFAULTS.search(asked.words):  # else they may be the values of a use
            yield from (Default(owner, found[1], found[2].strip()) for found in _DEFAULTS.finditer(said.spans[0]))
        return
    owners = [span.removesuffix("()") for span in asked.spans if is_name(span)]
    names = [name.strip() for span in said.spans for name in span.split(",")]
    listed = len(owners) == len(asked.spans) == 1 and len(names) > 1 and all(name.isidentifier() for name in names)
    if listed and _IN_ORDER.search(asked.words) and _LISTED.fullmatch(said.words):
        yield Signature(f"{owners[0]}({', '.join(names)})")


def _last(name: str) -> str:
    return name.removesuffix("()").rpartition(".")[2]


_SIGNATURE = pattern("«decided.signature»")
_WITH_DEFAULTS = pattern("«decided.with_defaults»")
_IN_ORDER = pattern("«decided.in_order»")
_CALLED = pattern(
    r"(?:torch|nn|F|optim)\.[\w.]+\((?:[a-z_]\w*(?:\s*=[^,]*)?\s*,\s*)*(?:[a-z_]\w*(?:\s*=[^,]*)?|\.\.\.)\)"
)
_DEFAULTS = pattern(r"(?<=[(,\s])([a-z_]\w*)\s*=(?!=)\s*([^,()]+)")
_LISTED = pattern(rf"(?:{CODE}|«decided.pair»|[\s,、;.])+")


def of_spoken(asked: Template, answer: str) -> Fact | None:
    """`What is the default learning rate of \\0?`: the parameter has the name that people give it."""
    owner, value = asked.spans[0].removesuffix("()"), literal_of(answer)
    if value is None or not is_name(owner) or not _DEFAULT.search(asked.words):
        return None
    for name, spoken in _spoken():
        rest = spoken.sub(" ", asked.words, count=1)
        if rest != asked.words and _DEFAULT_WORDS.fullmatch(rest):
            return Default(owner, name, value)
    return None


@cache
def _spoken() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each parameter of the lexicon with the ways to say it."""
    return tuple((name, pattern(f"«parameter.{name}»")) for name in names_in("parameter"))


def _is_type(name: str) -> bool:
    """True for a name of Python, of a dtype or of an array, which a call may accept as it does a parameter."""
    return hasattr(builtins, name) or dtype_of(name) is not None or name == "ndarray"


def of_parameter(asked: Template, answer: str) -> Fact | None:
    """The default of a parameter, or that there is one: of two names one is the owner, the other its parameter."""
    owner, name = owned(asked.spans)
    if not owner:
        return None
    if _DEFAULT.search(asked.words) and _DEFAULT_WORDS.fullmatch(asked.words):
        value = literal_of(answer)
        return Default(owner, name, value) if value is not None else None
    named = _PARAMETER.search(asked.words) or (_ACCEPTS.search(asked.words) and not _is_type(name))
    if named and _TAKES.search(asked.words) and _TAKES_WORDS.fullmatch(asked.words):
        truth = truth_of(answer)
        return Parameter(owner, name, truth == "True") if truth else None
    return None


_KEYWORD = pattern(r"(?<=\w)\s*=(?!=).*$")
"""Of `bidirectional=True`: what is given to it."""


def owned(spans: Collection[str]) -> tuple[str, str]:
    """(owner, parameter) of two names, in either order; empty if they are no such pair."""
    names = [_KEYWORD.sub("", span).removesuffix("()") for span in spans]
    names = [name for name in names if is_name(name)]
    if len(names) != 2:
        return "", ""
    owners = [name for name in names if "." in name or name[:1].isupper() or f"{name}()" in spans]
    if len(owners) != 1:
        return "", ""
    other = names[1 - names.index(owners[0])]
    return (owners[0], other) if other.isidentifier() else ("", "")
