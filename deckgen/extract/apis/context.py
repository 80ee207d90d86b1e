"""What a document's own code says about names: imports, assignments, definitions, calls."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from deckgen.extract.apis.text import ROOTS
from deckgen.model.document import Block, Code, CodeWords, Document
from deckgen.text.pattern import pattern

_IMPORT = pattern(r"^\s*(?:>>> |\.\.\. )?import\s+(.+)$")
_FROM = pattern(r"^\s*(?:>>> |\.\.\. )?from\s+([\w.]+)\s+import\s+(.+)$")
_ASSIGN = pattern(r"^\s*(?:>>> |\.\.\. )?([A-Za-z_]\w*)\s*=\s*([A-Za-z_][\w.]*)\(")
_DEFINE = pattern(r"^(?:>>> )?(?:class|def)\s+(\w+)")
_CALL = pattern(r"([A-Za-z_](?<![A-Za-z_]{2})[\w.]*)\(")
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

    @cached_property
    def _scopes(self) -> Sequence[str | None]:
        """What each call tells about its surroundings: the class for a method, else what is called; None = nothing."""
        told = {name: self._scope(name) for name in {call.name for call in self.calls}}
        return [told[call.name] for call in self.calls]

    def _scope(self, name: str) -> str | None:
        head, dot, _ = name.partition(".")
        if head in self.defined or head in _NO_SCOPE:
            return None
        return self.classes[head] if dot and head in self.classes else self.expanded(name)

    def calls_above(self, line: int) -> int:
        """How many calls stand above a line."""
        return bisect_left(self._lines, line)

    @cached_property
    def _lines(self) -> Sequence[int]:
        return [call.line for call in self.calls]

    def scopes_before(self, line: int) -> Sequence[str]:
        """What the `REACH` calls above a line tell about its surroundings, nearest first, each once."""
        stop = self.calls_above(line)
        if stop not in self._near:
            near = dict.fromkeys(reversed(self._scopes[max(0, stop - REACH) : stop]))
            self._near[stop] = [scope for scope in near if scope is not None]
        return self._near[stop]

    @cached_property
    def _near(self) -> dict[int, Sequence[str]]:
        return {}

    def calls_before(self, line: int) -> Iterator[Call]:
        """The `REACH` calls above a line, nearest first."""
        stop = self.calls_above(line)
        return (self.calls[index] for index in range(stop - 1, max(-1, stop - 1 - REACH), -1))


def code_names(document: Document) -> CodeNames:
    """Read every code block once; broken code is read as far as its lines go."""
    return _names_in(tuple(block for block in document.blocks if isinstance(block, Code)), document.code_words)


@lru_cache(maxsize=2)
def _names_in(blocks: tuple[Code, ...], said_by_all: CodeWords | None) -> CodeNames:
    said, calls = code_words(blocks)
    said = said_by_all or said
    imports = dict(said.imports)
    classes = class_names(said)
    methods = {rest: classes[head] for head, rest in said.methods if head in classes}
    return CodeNames(imports, classes, said.defined, said.words, calls, methods)


def class_names(said: CodeWords) -> dict[str, str]:
    """Variables by the class that made them."""
    imports = dict(said.imports)
    made = dict(said.made)
    return {name: _full(value, imports) for name, value in made.items() if _is_class(value, said.defined, imports)}


def code_words(blocks: Iterable[Block]) -> tuple[CodeWords, tuple[Call, ...]]:
    """What code says about names, and all that it calls."""
    imports: dict[str, str] = {}
    made: dict[str, str] = {}
    defined: set[str] = set()
    calls: list[Call] = []
    words: set[str] = set()
    for block in blocks:
        if isinstance(block, Code):
            said = _in_code(block.text, len(block.lines))
            words.update(said.words)
            imports.update(said.imports)
            made.update(said.made)
            defined.update(said.defined)
            calls += [Call(block.lines[at], name, rest) for at, name, rest in said.calls]
    said_by_all = CodeWords(
        tuple(imports.items()), tuple(made.items()), _methods(calls), frozenset(defined), frozenset(words)
    )
    return said_by_all, tuple(calls)


class _InCode(NamedTuple):
    """What a block of code says; the calls with numbers of its lines."""

    imports: Mapping[str, str]
    made: Mapping[str, str]
    defined: Collection[str]
    words: Collection[str]
    calls: Sequence[Call]


@lru_cache(maxsize=1 << 16)
def _in_code(text: str, lines: int) -> _InCode:
    """Of the first lines of a block. Every block is looked at for several ends."""
    said = _InCode({}, {}, set(), frozenset(_WORD.findall(text)), [])
    for at, line in enumerate(_whole_lines(text)[:lines]):
        _note(line, said.imports, said.made, said.defined)  # type: ignore[arg-type] # they are being filled
        said.calls.extend(_calls(at, line))  # type: ignore[attr-defined]
    return said


def _methods(calls: Sequence[Call]) -> tuple[tuple[str, str], ...]:
    """(variable, method), in the order in which each is called for the last time."""
    names = dict.fromkeys(call.name for call in reversed(calls) if "." in call.name)
    pairs = (name.partition(".") for name in reversed(names))
    return tuple((head, rest) for head, _, rest in pairs if rest)


def joined(parts: Iterable[CodeWords]) -> CodeWords:
    """What several stretches of code say together, in order."""
    every = tuple(parts)
    return CodeWords(
        tuple({name: value for part in every for name, value in part.imports}.items()),
        tuple({name: value for part in every for name, value in part.made}.items()),
        tuple(pair for part in every for pair in part.methods),
        frozenset().union(*(part.defined for part in every)),
        frozenset().union(*(part.words for part in every)),
    )


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


def _note(text: str, imports: dict[str, str], made: dict[str, str], defined: set[str]) -> None:
    text = text.split("#", maxsplit=1)[0] if "#" in text else text
    imports_something = "import" in text
    if imports_something and (match := _FROM.match(text)):
        for name, given in _imported(match[2]):
            imports[given] = f"{match[1]}.{name}"
    elif imports_something and (match := _IMPORT.match(text)):
        for name, given in _imported(match[1]):
            if given != name or "." not in name:
                imports[given] = name
    elif ("def" in text or "class" in text) and (match := _DEFINE.match(text)):
        defined.add(match[1])
    elif "=" in text and "(" in text and (match := _ASSIGN.match(text)):
        made[match[1]] = match[2]


def _imported(text: str) -> list[tuple[str, str]]:
    """(name, name it is given) of each part of an import list."""
    parts = [part.split() for part in text.replace("(", " ").replace(")", " ").replace(";", ",").split(",")]
    return [(part[0], part[2] if len(part) == 3 and part[1] == "as" else part[0]) for part in parts if part]


def _is_class(called: str, defined: frozenset[str], imports: Mapping[str, str]) -> bool:
    """A class by its capital; before the dot must stand something that is imported, or torch's by custom."""
    head, dot, _ = called.partition(".")
    last = called.rpartition(".")[2]
    return last[:1].isupper() and last not in defined and (not dot or head in imports or head in ROOTS)


def _full(called: str, imports: Mapping[str, str]) -> str:
    head, dot, rest = called.partition(".")
    return imports.get(head, head) + dot + rest


def _calls(line: int, text: str) -> list[Call]:
    if "(" not in text or len(text) > 2000:
        return []
    return [
        Call(line, match[1], text[match.end() :])
        for match in _CALL.finditer(text)
        if not text[: match.start()].rstrip().endswith(("def", "class"))
    ]
