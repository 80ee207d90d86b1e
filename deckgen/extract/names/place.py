"""Whose a name is: a walk through a document, with the headings and the code that stand around each mention of the API."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract.names.variables import UNKNOWN, Variables
from deckgen.extract.names.written import (
    CALL,
    KEYWORD,
    NAME,
    ROOTS,
    is_rooted,
    is_written_name,
    looks_coded,
    opening,
    pieces,
)
from deckgen.extract.text import code_spans, ends_with_colon, unescaped
from deckgen.model.claim import Exists, Site
from deckgen.model.document import Code, Document, Heading
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

REACH = 60
"""How many calls above a line can tell what it is about."""
SCOPES = 8
"""How many surroundings a bare name is tried in."""
PARAMETER_WORDS = pattern("«api.parameter»")
NAME_WORDS = pattern("(?!«api.no_name»)«api.name»")
_PARTS = pattern("(?!«api.no_name»)«api.name»|«api.parameter»|«api.attribute»")
"""A word for what belongs to something."""
_PRODUCTS = frozenset({
    "PyTorch", "TensorBoard", "NumPy", "TensorFlow", "DeepSpeed", "GitHub", "CUDA", "Python",
    "Torch", "Jupyter",
})  # fmt: skip
"""Names in headings that are written like classes and are none."""
_NO_SCOPE = frozenset({
    "self", "super", "print", "len", "range", "list", "dict", "tuple", "set", "int", "float", "str",
    "bool", "type", "isinstance", "zip", "enumerate", "map", "open", "sorted", "max", "min", "sum",
    "abs", "round", "np", "plt", "os", "time", "random",
})  # fmt: skip
"""Calls that say nothing about which part of torch a text is about."""
_ARRAYS = frozenset({"np", "numpy", "pd", "pandas"})
"""Packages whose objects have methods with the names of a tensor's, and are none."""
_IMPORT = pattern(r"\s*(?:>>> |\.\.\. )?(?:from\s+(?P<home>[\w.]+)\s+)?import\s+(?P<names>[\w.,()*\\\s]+)(?:;.*)?$")
_IMPORTED = pattern(r"([\w.]+)(?:\s+as\s+(\w+))?")
_ASSIGN = pattern(r"\s*(?:>>> |\.\.\. )?([A-Za-z_]\w*)\s*=\s*([A-Za-z_][\w.]*)\(")
_DEFINE = pattern(r"(?:>>> )?(?:class|def)\s+(\w+)")
_CALL = pattern(r"(?<![A-Za-z_])(?<!\bdef )(?<!\bclass )([A-Za-z_][\w.]*)\(")
_GIVEN = pattern(r"([A-Za-z_]\w*)=(?!=)")
_ACRONYM = pattern(r"(?<![\w.`])[A-Z]{2,}\d?[a-z]?(?![\w.`])", re.ASCII)
"""`SGD`, `LSTM`: a class, if the heading is about its parameters."""
ONLY_PARAMETERS = pattern(r"(?:[\W\d_]|«grammar.numeral»|«api.parameter»|«api.about_parameters»)+")
"""`2.1 参数说明`: whose parameters, the text above says; `常用调度器参数` says it itself."""
_OWN_WORDS = pattern("«api.own»")
"""Words of headings over settings of a program of the author's, which has defaults of its own."""
WORD = pattern(r"[A-Za-z_]\w*")
_DOTTED = pattern(r"[A-Za-z_][\w.]*", re.ASCII)
_CAPITAL = pattern(r"[A-Z][a-z]+\w*")
_SIGNATURE_LIKE = pattern(r"[\w.]+(?:\([\w\s,.*=\[\]]*\))?", re.ASCII)
"""A name, with at most a list of names in parentheses: not the call or the output that a scraped heading may be."""
_BEHIND = pattern(r"\s*(?:[:：]|$|[-—–] |\(|（|->|→|\$\\(?:to|(?:long)?rightarrow)\s*\$)")
"""What may follow the name that a heading is about: nothing, an explanation, the type of its result."""


class Call(NamedTuple):
    """A call in code: what is called, as written, and the line behind its opening parenthesis."""

    line: int
    name: str
    rest: str


class CodeNames:
    """What the code of a document says about names."""

    def __init__(self, blocks: Sequence[Code], is_about_torch: bool) -> None:
        """Read every block once; broken code is read as far as its lines go."""
        self.imports: dict[str, str] = {}
        """`Timer` -> `torch.utils.benchmark.Timer`, `F` -> `torch.nn.functional`."""
        self.defined: set[str] = set()
        """Names that the source's own top-level `class` and `def` give: not torch's. Methods (`forward`) may well be."""
        self.words: set[str] = set()
        """Every identifier in the code: what stands in prose may be one of its variables."""
        self.calls: list[Call] = []
        """In document order."""
        self.classes: dict[str, str] = {}
        """Variables by the class that made them: `writer` -> `torch.utils.tensorboard.SummaryWriter`."""
        made: dict[str, str] = {}
        for block in blocks:
            self._read(block, made)
        self.classes = {name: full for name, called in made.items() if (full := self._class(called))}
        self.variables = Variables(blocks if is_about_torch else (), self.imports)
        keywords = ((name, self.scope(call.name)) for call in self.calls for name in _GIVEN.findall(call.rest))
        self.takers = {name: taker for name, taker in keywords if taker and taker[:1] != "."}
        """Keyword -> what the code gives it to: `collate_fn` -> `torch.utils.data.DataLoader`."""
        called_on = (call.name.partition(".") for call in self.calls)
        self.methods = {method: self.classes[head] for head, _, method in called_on if method and head in self.classes}
        """Method -> class, where the code calls it on a variable: `add_scalar` -> `...SummaryWriter`."""

    def _read(self, block: Code, made: dict[str, str]) -> None:
        self.words.update(WORD.findall(block.text))
        for number, line in zip(block.lines, _whole_lines(block.text), strict=False):
            text = line.partition("#")[0]
            if match := _IMPORT.match(text) if "import" in text else None:
                home = f"{match['home']}." if match["home"] else ""
                for name, given in _IMPORTED.findall(match["names"]):
                    if home or given or "." not in name:
                        self.imports[given or name] = home + name
            elif match := _DEFINE.match(text) if text.startswith((">>> ", "class", "def")) else None:
                self.defined.add(match[1])
            elif match := _ASSIGN.match(text) if "=" in text and "(" in text else None:
                made[match[1]] = match[2]
            if "(" in line and len(line) <= 2000:
                self.calls += [Call(number, match[1], line[match.end() :]) for match in _CALL.finditer(line)]

    def _class(self, called: str) -> str:
        """The full name of a class that is called; "" for a function.

        A class shows by its capital; before a dot must stand something that is imported, or torch's by custom.
        """
        head, dot, _ = called.partition(".")
        last = called.rpartition(".")[2]
        known = not dot or head in self.imports or head in ROOTS
        return self.expanded(called) if known and last[:1].isupper() and last not in self.defined else ""

    def alias(self, head: str, *, bare: bool) -> str | None:
        """What the first word of a name stands for; a variable only counts before a dot."""
        return self.imports.get(head) or (None if bare else self.classes.get(head))

    def variable(self, name: str, line: int) -> str | None:
        """A variable's class, the calls that made it (`torch.ones()`), or `UNKNOWN`; None if the code binds nothing of that name."""
        made = self.variables.at(name, line)
        if made is None:
            return None
        root, dot, _ = made.partition(".")
        known = dot and (root in ROOTS or root in _ARRAYS)
        instance_of = self._class(made[:-2]) if made.endswith("()") else ""
        return instance_of or (made if known else self.classes.get(name, UNKNOWN))

    def expanded(self, name: str) -> str:
        """A name with its first word replaced by what that stands for."""
        head, dot, rest = name.partition(".")
        return (self.alias(head, bare=not dot) or head) + dot + rest

    def is_torchs(self, line: int, name: str) -> bool:
        """True if the code imports the first word of a name from torch, or torch made the object that it stands for."""
        return (self.stands_for(name, line) or "").startswith("torch")

    def stands_for(self, name: str, line: int) -> str | None:
        """What the first word of a name stands for on a line."""
        head, dot, _ = name.partition(".")
        variable = self.variable(head, line) if dot else None
        return self.alias(head, bare=not dot) if variable is None else variable

    def calls_before(self, line: int) -> Sequence[Call]:
        """The `REACH` calls above a line, nearest first."""
        stop = bisect_left(self.calls, line, key=lambda call: call.line)
        return self.calls[max(0, stop - REACH) : stop][::-1]

    def scope(self, name: str) -> str:
        """What a call tells about the surroundings: the class for a method, else what is called."""
        head, dot, _ = name.partition(".")
        if head in self.defined or head in _NO_SCOPE:
            return ""
        return self.classes[head] if dot and head in self.classes else self.expanded(name)


@lru_cache(maxsize=2)
def _code_names(blocks: tuple[Code, ...], is_about_torch: bool) -> CodeNames:
    """Read once for all who walk through a document."""
    return CodeNames(blocks, is_about_torch)


class Place:
    """Where the walk through a document stands."""

    def __init__(self, document: Document) -> None:
        """Begin above the first block."""
        self.headings: list[Heading] = []
        self.recent: list[str] = []
        """Names in the headings met so far, nearest last; an empty string opens each heading."""
        self._own = False
        """True below a heading over settings of the author's own program."""
        self.label = ""
        """The line with a colon right above the block: `Parameters:`."""
        self.code = _code_names(
            tuple(block for block in document.blocks if isinstance(block, Code)), "torch" in document.source.text
        )

    def enter(self, heading: Heading) -> None:
        """Go on below a heading."""
        self.headings = [one for one in self.headings if one.level < heading.level] + [heading]
        self.recent += ["", *names_in_heading(heading.text)]
        self._own = any(_OWN_WORDS.search(one.text) for one in self.headings[-2:])

    def path(self) -> list[str]:
        """The names in the headings above, nearest first."""
        return [name for heading in reversed(self.headings) for name in names_in_heading(heading.text)]

    def scopes(self, line: int) -> Sequence[str]:
        """What surrounds a line, nearest first: its heading path, calls in the code above, earlier headings, and last
        the modules that hold them."""
        scopes = (self.code.scope(call.name) for call in self.code.calls_before(line))
        called = list(dict.fromkeys(filter(None, scopes)))[:SCOPES]
        recent = [name for name in reversed(self.recent[-9:]) if name][:3]
        ordered = [self.code.expanded(name) for name in [*self.path()[:4], *called[:3], *recent]]
        homes = [name.rpartition(".")[0] for name in [*ordered, *called] if name.count(".") >= 2]
        return [*ordered, *homes, *called[3:]]

    def placed(self, found: Iterable[Exists]) -> list[Exists]:
        """The mentions with what surrounds them; without those whose name is the source's own."""
        kept: list[Exists] = []
        for one in found:
            name = NAME.match(one.text.lstrip("."))
            head, dot, _ = (name[0] if name else "").partition(".")
            if head in self.code.defined:
                continue
            unnamed = one.text.startswith(".") or KEYWORD.fullmatch(one.text)
            method = [where[head] for where in (self.code.methods, self.code.takers) if not dot and head in where]
            is_parameter = one.site.is_parameter  # which is of what the headings name
            around = map(self.code.expanded, self.path()) if is_parameter else self.scopes(one.span.start)
            kept.append(
                replace(
                    one,
                    default=None if self._own else one.default,
                    alias=one.alias
                    or (None if unnamed else self.code.stands_for(name[0] if name else "", one.span.start)),
                    scopes=tuple(dict.fromkeys([*one.scopes, *method, *around]))[:SCOPES],
                )
            )
        return kept


def _whole_lines(text: str) -> list[str]:
    """Lines, with an open parenthesis' following lines joined to it (and left empty)."""
    lines = text.split("\n")
    start, depth = 0, 0
    for index, line in enumerate(lines):
        if depth > 0 and index - start < 30:
            lines[start] += " " + line.strip()
            lines[index] = ""
        else:
            start, depth = index, 0
        depth += line.count("(") - line.count(")")
    return lines


def mention(
    line: int, text: str, site: str, owner: str | None = None, default: str | None = None, alias: str | None = None
) -> Exists:
    """A name as it stands on a line; its site may be given by the name of a form."""
    span, at = line_span(line), Site(site)
    return Exists(span=span, text=text, form=at.value, site=at, owner=owner, default=default, alias=alias)


def parameter(line: int, name: str, owner: str, default: str | None = None) -> Exists:
    """`checkpoint_sequential(chunks)`: the form in which a parameter is claimed."""
    bare, _, value = name.partition("=")
    text = f"{owner.rpartition('.')[2]}({bare.lstrip('*').strip()})"
    return mention(
        line, text, Site.GIVEN if value and default is None else Site.PARAMETER, owner, default or value or None
    )


@lru_cache(maxsize=4096)
def names_in_heading(text: str) -> Sequence[str]:
    """Names in a heading that can be a scope: code spans and words that look like names, calls without arguments.

    `.backward()` is one of `Tensor`: that is what notes about torch call the methods of.
    """
    clear = unescaped(text)
    of_tensor = [f"Tensor{span}" if span[:1] == "." and span[1:2].isalpha() else span for span in code_spans(clear)]
    words = [word.strip(".") for word in _DOTTED.findall(clear)]
    coded = [word for word in words if looks_coded(word) or _CAPITAL.fullmatch(word)]
    return list(dict.fromkeys([*(match[0] for span in of_tensor if (match := NAME.match(span))), *coded]))


def last_name(text: str) -> str:
    """`view` of `torch.Tensor.view(2, 3)`."""
    match = NAME.match(text.lstrip("."))
    return match[0].rpartition(".")[2] if match else ""


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
    spans = [match[0] for span in code_spans(clear) if (match := NAME.match(span))]
    words: list[str] = [*spans, *filter(looks_coded, _DOTTED.findall(clear))]
    return words[0] if words and _PARTS.search(clear) else None


def owner_of(names: set[str], line: int, place: Place) -> str | None:
    """The function whose parameters these are: named by the heading, or called above with one of them.

    The heading must be about parameters, or be an API itself (directly above a heading such as `Parameters`); one that
    merely mentions a name is not enough.
    """
    owner = owner_in(place.label) if PARAMETER_WORDS.search(place.label) else None
    if owner is None or not (is_rooted(owner) or owner[:1].isupper()) or owner in _PRODUCTS:
        owner = _owner_in_headings(names, place)
    if owner is None:
        # the chapter or section that says what all of this is about: `Parameters` alone does not, and a colon announces an example
        heads = [
            one for one in place.headings if not (ONLY_PARAMETERS.fullmatch(one.text) or ends_with_colon(one.text))
        ]
        first = heads[:2][-1].span.start if heads else -1
        calls = (call for call in place.code.calls_before(line) if call.line > first)
        owner = next((call.name for call in calls if not names.isdisjoint(WORD.findall(call.rest))), None)
    return None if owner is None or owner in place.code.defined else place.code.expanded(owner)


def _owner_in_headings(names: set[str], place: Place) -> str | None:
    for text in (heading.text for heading in reversed(place.headings)):
        about = PARAMETER_WORDS.search(text)
        own = {last_name(one) for one in named_by(text)}
        named: list[str] = [*names_in_heading(text), *(_ACRONYM.findall(text) if about else ())]
        for name in named:
            is_word = PARAMETER_WORDS.fullmatch(name) and f"`{name}" not in unescaped(text)  # `Parameters`, `Args`
            whole = looks_coded(name) and text.strip("`* ") == name
            if (about or last_name(name) in own or is_rooted(name) or whole) and not (
                is_word or name in names or name in _PRODUCTS
            ):
                return name
        if not about:
            break
    return None
