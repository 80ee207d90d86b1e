"""Whose a name is: a walk through a document, with the headings and the code that stand around each mention of the API."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from deckgen.extract.names.code import CodeNames
from deckgen.extract.names.written import (
    CALL,
    KEYWORD,
    NAME,
    is_rooted,
    is_written_name,
    looks_coded,
    opening,
    pieces,
)
from deckgen.extract.text import code_spans, unescaped
from deckgen.model.document import Heading
from deckgen.text.pattern import pattern

SCOPES = 8
"""How many surroundings a bare name is tried in."""
PARAMETER_WORDS = pattern("«api.parameter»")
NAME_WORDS = pattern("(?!«api.no_name»)«api.name»")
PARAMETER_NAME = pattern(r"[a-z_]\w*", re.ASCII)
_ATTRIBUTE_WORDS = pattern("«api.attribute»")
_PRODUCTS = frozenset({
    "PyTorch", "TensorBoard", "NumPy", "TensorFlow", "DeepSpeed", "GitHub", "CUDA", "Python",
    "Torch", "Jupyter",
})  # fmt: skip
"""Names in headings that are written like classes and are none."""
_ACRONYM = pattern(r"(?<![\w.`])[A-Z]{2,}\d?[a-z]?(?![\w.`])", re.ASCII)
"""`SGD`, `LSTM`: a class, if the heading is about its parameters."""
_ONLY_PARAMETERS = pattern(r"(?:[\W\d_一二三四五六七八九十]|«api.parameter»|«api.about_parameters»)+")
"""`2.1 参数说明`: whose parameters, the text above says; `常用调度器参数` says it itself."""
_OWN_WORDS = pattern("«api.own»")
"""Words of headings over settings of a program of the author's, which has defaults of its own."""
_WORD = pattern(r"[A-Za-z_][\w.]*", re.ASCII)
_CAPITAL = pattern(r"[A-Z][a-z]+\w*")
_SIGNATURE_LIKE = pattern(r"[\w.]+(?:\([\w\s,.*=\[\]]*\))?", re.ASCII)
"""A name, with at most a list of names in parentheses: not the call or the output that a scraped heading may be."""
_BEHIND = pattern(r"\s*(?:[:：]|$|[-—–] |\(|（|->|→|\$\\(?:to|(?:long)?rightarrow)\s*\$)")
"""What may follow the name that a heading is about: nothing, an explanation, the type of its result."""


@dataclass(slots=True)
class Mention:
    """A name as it stands on a line, and what `Exists` has to say of it."""

    line: int
    text: str
    form: str
    owner: str | None = None
    peers: tuple[str, ...] = ()
    alias: str | None = None
    scopes: tuple[str, ...] = ()
    default: str | None = None


def parameter(line: int, name: str, owner: str, default: str | None = None) -> Mention:
    """`checkpoint_sequential(chunks)`: the form in which a parameter is claimed."""
    short = owner.rpartition(".")[2]
    bare, _, value = name.partition("=")
    form = "given" if value and default is None else "parameter"
    return Mention(line, f"{short}({bare.lstrip('*').strip()})", form, owner=owner, default=default or value or None)


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
    _known: tuple[tuple[int, int], tuple[str, ...]] = ((-1, -1), ())
    """How many headings' names and calls stood above when the surroundings were last looked at, and what they are."""

    def enter(self, heading: Heading) -> None:
        """Go on below a heading."""
        self.headings = [one for one in self.headings if one.level < heading.level] + [heading]
        self.recent += ["", *names_in_heading(heading.text)]

    def path(self) -> list[str]:
        """The names in the headings above, nearest first."""
        return [name for heading in reversed(self.headings) for name in names_in_heading(heading.text)]

    def scopes(self, line: int) -> tuple[str, ...]:
        """What surrounds a line, nearest first: its heading path, calls in the code above, earlier headings, and last
        the modules that hold them."""
        key = len(self.recent), self.names.calls_above(line)
        if self._known[0] != key:
            called = self.names.scopes_before(line)[:SCOPES]
            recent = [name for name in reversed(self.recent[-9:]) if name][:3]
            ordered = [self.names.expanded(name) for name in [*self.path()[:4], *called[:3], *recent]]
            homes = [name.rpartition(".")[0] for name in [*ordered, *called] if name.count(".") >= 2]
            self._known = key, tuple(dict.fromkeys([*ordered, *homes, *called[3:]]))[:SCOPES]
        return self._known[1]


@lru_cache(maxsize=4096)
def names_in_heading(text: str) -> tuple[str, ...]:
    """Names in a heading that can be a scope: code spans and words that look like names, calls without arguments."""
    words = [word.strip(".") for word in _WORD.findall(unescaped(text))]
    spans = [match.group() for span in code_spans(unescaped(text)) if (match := NAME.match(_of_tensor(span)))]
    coded = [word for word in words if looks_coded(word) or _CAPITAL.fullmatch(word)]
    return tuple(dict.fromkeys(spans + coded))


def _of_tensor(span: str) -> str:
    """`Tensor.backward()` of `.backward()`: what notes about torch call the methods of."""
    return f"Tensor{span}" if span[:1] == "." and span[1:2].isalpha() else span


def all_placed(found: Iterable[Mention], place: Place) -> list[Mention]:
    """The mentions with what surrounds them; without those whose name is the source's own."""
    return [one for one in found if _placed(one, place)]


def _placed(mention: Mention, place: Place) -> bool:
    match = NAME.match(mention.text.lstrip("."))
    if match is None:
        return True
    head, dot, _ = match.group().partition(".")
    if head in place.names.defined:
        return False
    if any(_OWN_WORDS.search(heading.text) for heading in place.headings[-2:]):
        mention.default = None
    if not mention.text.startswith(".") and not KEYWORD.fullmatch(mention.text):
        mention.alias = place.names.alias(head, bare=not dot)
    method = None if dot else place.names.methods.get(head)
    is_parameter = mention.form in ("parameter", "given")  # which is of what the headings name
    around = map(place.names.expanded, place.path()) if is_parameter else place.scopes(mention.line)
    mention.scopes = (*([method] if method else []), *around)[:SCOPES]
    return True


def last_name(text: str) -> str:
    """`view` of `torch.Tensor.view(2, 3)`."""
    match = NAME.match(text.lstrip("."))
    return match.group().rpartition(".")[2] if match else ""


def named_by(text: str) -> list[str]:
    """The names that a heading consists of (`view() 和 reshape()`), or opens with before a colon."""
    name, rest = opening(text)
    listed = pieces(name + rest)
    if listed and all((CALL.fullmatch(one) or "_" in one) and is_written_name(one) for one in listed):
        return [one for one in listed if _SIGNATURE_LIKE.fullmatch(one)]
    marked = f"`{name}`" in unescaped(text) or (_SIGNATURE_LIKE.fullmatch(name) and ("(" in name or "_" in name))
    return [name] if name and marked and is_written_name(name) and _BEHIND.match(rest) else []


# Whose parameters


@lru_cache(maxsize=512)
def owner_in(head: str) -> str | None:
    """`` `Optimizer` 常用方法 `` -> Optimizer: a header that names an owner beside a word for its parts."""
    clear = unescaped(head)
    if not any(words.search(clear) for words in (NAME_WORDS, PARAMETER_WORDS, _ATTRIBUTE_WORDS)):
        return None
    spans = [match.group() for span in code_spans(clear) if (match := NAME.match(span))]
    words: list[str] = _WORD.findall(clear)
    return next(iter([*spans, *filter(looks_coded, words)]), None)


def owner_of(names: set[str], line: int, place: Place) -> str | None:
    """The function whose parameters these are: named by the heading, or called above with one of them.

    The heading must be about parameters, or be an API itself (directly above a heading such as `Parameters`); one that
    merely mentions a name is not enough.
    """
    owner = owner_in(place.label) if PARAMETER_WORDS.search(place.label) else None
    if owner is None or not (is_rooted(owner) or owner[:1].isupper()) or owner in _PRODUCTS:
        owner = _owner_in_headings(names, place)
    if owner is None:
        first = _section_of(place)
        called = (call.name for call in place.names.calls_before(line) if call.line > first and call.words & names)
        owner = next(called, None)
    return None if owner is None or owner in place.names.defined else place.names.expanded(owner)


def _section_of(place: Place) -> int:
    """The line of the chapter or section that says what all of this is about: `Parameters` alone does not."""
    about = [
        one.span.start
        for one in place.headings
        if not _ONLY_PARAMETERS.fullmatch(one.text) and not one.text.endswith((":", "："))  # which announces an example
    ]
    return about[min(1, len(about) - 1)] if about else -1


def _owner_in_headings(names: set[str], place: Place) -> str | None:
    for heading in reversed(place.headings):
        text = heading.text
        about = PARAMETER_WORDS.search(text) is not None
        own = {last_name(one) for one in named_by(text)}
        for name in [*names_in_heading(text), *(one[0] for one in _ACRONYM.finditer(text) if about)]:
            is_word = PARAMETER_WORDS.fullmatch(name) and f"`{name}" not in unescaped(text)  # `Parameters`, `Args`
            if name in names or name in _PRODUCTS or is_word:
                continue
            whole = looks_coded(name) and text.strip("`* ") == name
            if about or last_name(name) in own or is_rooted(name) or whole:
                return name
        if not about:
            return None
    return None
