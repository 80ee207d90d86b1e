"""What a document's own code says about names: imports, assignments, definitions, calls."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from deckgen.extract.names.written import ROOTS
from deckgen.model.document import Code, Document
from deckgen.text.pattern import pattern

_IMPORT = pattern(r"\s*(?:>>> |\.\.\. )?(?:from\s+(?P<home>[\w.]+)\s+)?import\s+(?P<names>.+)$")
_ASSIGN = pattern(r"\s*(?:>>> |\.\.\. )?([A-Za-z_]\w*)\s*=\s*([A-Za-z_][\w.]*)\(")
_DEFINE = pattern(r"(?:>>> )?(?:class|def)\s+(\w+)")
_CALL = pattern(r"(?<![A-Za-z_])(?<!\bdef )(?<!\bclass )([A-Za-z_][\w.]*)\(")
_WORD = pattern(r"[A-Za-z_]\w*")
REACH = 60
"""How many calls above a line can tell what it is about."""

_NO_SCOPE = frozenset({
    "self", "super", "print", "len", "range", "list", "dict", "tuple", "set", "int", "float", "str",
    "bool", "type", "isinstance", "zip", "enumerate", "map", "open", "sorted", "max", "min", "sum",
    "abs", "round", "np", "plt", "os", "time", "random",
})  # fmt: skip
"""Calls that say nothing about which part of torch a text is about."""


class Call(NamedTuple):
    """A call in code: what is called, as written, and the line behind its opening parenthesis."""

    line: int
    name: str
    rest: str

    @property
    def words(self) -> frozenset[str]:
        """The words behind the parenthesis: names of parameters are among them."""
        return frozenset(_WORD.findall(self.rest))


@dataclass(frozen=True)
class CodeNames:
    """What the code blocks of a document say about names."""

    imports: Mapping[str, str]
    """`Timer` -> `torch.utils.benchmark.Timer`, `F` -> `torch.nn.functional`."""
    classes: Mapping[str, str]
    """Variables by the class that made them: `writer` -> `torch.utils.tensorboard.SummaryWriter`."""
    defined: frozenset[str]
    """Names that the source's own top-level `class` and `def` give: not torch's. Methods (`forward`) may well be."""
    words: frozenset[str]
    """Every identifier in the code: what stands in prose may be one of its variables."""
    calls: tuple[Call, ...]
    """In document order."""
    methods: Mapping[str, str]
    """Method -> class, where the code calls it on a variable: `add_scalar` -> `...SummaryWriter`."""

    def alias(self, head: str, *, bare: bool) -> str | None:
        """What the first word of a name stands for; a variable only counts before a dot."""
        found = self.imports.get(head)
        return found if found is not None or bare else self.classes.get(head)

    def expanded(self, name: str) -> str:
        """A name with its first word replaced by what that stands for."""
        head, dot, rest = name.partition(".")
        alias = self.alias(head, bare=not dot)
        return name if alias is None else alias + dot + rest

    def is_torchs(self, word: str) -> bool:
        """True if the code imports a word from torch, or gives it to an object of a class of torch."""
        return (self.alias(word, bare=False) or "").startswith("torch")

    def calls_above(self, line: int) -> int:
        """How many calls stand above a line."""
        return bisect_left(self._lines, line)

    @cached_property
    def _lines(self) -> Sequence[int]:
        return [call.line for call in self.calls]

    def calls_before(self, line: int) -> Iterator[Call]:
        """The `REACH` calls above a line, nearest first."""
        stop = self.calls_above(line)
        return reversed(self.calls[max(0, stop - REACH) : stop])

    def scopes_before(self, line: int) -> Sequence[str]:
        """What these calls tell about the surroundings: the class for a method, else what is called; each once."""
        scopes = map(self._scope, dict.fromkeys(call.name for call in self.calls_before(line)))
        return list(dict.fromkeys(scope for scope in scopes if scope is not None))

    def _scope(self, name: str) -> str | None:
        head, dot, _ = name.partition(".")
        if head in self.defined or head in _NO_SCOPE:
            return None
        return self.classes[head] if dot and head in self.classes else self.expanded(name)


def code_names(document: Document) -> CodeNames:
    """Read every code block once; broken code is read as far as its lines go."""
    imports: dict[str, str] = {}
    made: dict[str, str] = {}
    defined: set[str] = set()
    words: set[str] = set()
    calls: list[Call] = []
    for block in document.blocks:
        if not isinstance(block, Code):
            continue
        words.update(_WORD.findall(block.text))
        for number, line in zip(block.lines, _whole_lines(block.text), strict=False):
            text = line.partition("#")[0]
            if match := _IMPORT.match(text):
                home = f"{match['home']}." if match["home"] else ""
                for name, given in _imported(match["names"]):
                    if home or given != name or "." not in name:
                        imports[given] = home + name
            elif match := _DEFINE.match(text):
                defined.add(match[1])
            elif match := _ASSIGN.match(text):
                made[match[1]] = match[2]
            if "(" in line and len(line) <= 2000:
                calls += [Call(number, match[1], line[match.end() :]) for match in _CALL.finditer(line)]
    classes = {name: full for name, called in made.items() if (full := _class(called, defined, imports))}
    called_on = [(head, method) for head, _, method in (call.name.partition(".") for call in calls) if method]
    methods = {method: classes[head] for head, method in called_on if head in classes}
    return CodeNames(imports, classes, frozenset(defined), frozenset(words), tuple(calls), methods)


def _class(called: str, defined: set[str], imports: Mapping[str, str]) -> str:
    """The full name of a class that is called; "" for a function.

    A class shows by its capital; before a dot must stand something that is imported, or torch's by custom.
    """
    head, dot, rest = called.partition(".")
    last = called.rpartition(".")[2]
    is_class = last[:1].isupper() and last not in defined and (not dot or head in imports or head in ROOTS)
    return imports.get(head, head) + dot + rest if is_class else ""


def _whole_lines(text: str) -> list[str]:
    """Lines, with an open parenthesis' following lines joined to it (and left empty)."""
    lines = text.split("\n")
    joined = list(lines)
    start, depth = 0, 0
    for index, line in enumerate(lines):
        if depth > 0 and index - start < 30:
            joined[start] += " " + line.strip()
            joined[index] = ""
        else:
            start, depth = index, 0
        depth += line.count("(") - line.count(")")
    return joined


def _imported(text: str) -> list[tuple[str, str]]:
    """(name, name it is given) of each part of an import list."""
    parts = [part.split() for part in text.replace("(", " ").replace(")", " ").replace(";", ",").split(",")]
    return [(part[0], part[2] if len(part) == 3 and part[1] == "as" else part[0]) for part in parts if part]
