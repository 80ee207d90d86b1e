"""API names as people write them: `F.conv2d(input, weight, ...)`, `.times`, `requires_grad=True`."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import Literal

from deckgen.text.pattern import pattern

ArgumentKind = Literal["name", "keyword", "star", "double-star", "value", "rest"]

OPENING, CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as written."""

    kind: ArgumentKind
    """`value` = a literal or an expression; `rest` = `...`, "and so on"."""
    name: str = ""
    value: str = ""
    """What stands behind the `=` of a keyword."""


@dataclass(frozen=True, slots=True)
class Written:
    """A written name, taken apart."""

    path: tuple[str, ...]
    """`("F", "conv2d")`; empty if the text is no name at all."""
    arguments: tuple[Argument, ...] | None = None
    """None without parentheses."""
    keyword: bool = False
    """`requires_grad=True`: a keyword argument standing alone."""
    attribute: bool = False
    """`.times`: an attribute of something that is not written."""
    results: int = 0
    """How many words of the path are called before the rest of it is asked of what they return: 2 in
    `torch.arange(3).sum()`; 0 if none is."""

    @property
    def dotted(self) -> str:
        return ".".join(self.path)

    @property
    def is_call(self) -> bool:
        """True if it shows a call with values (`torch.pow(x, 2)`), not a list of parameters."""
        return any(argument.kind == "value" for argument in self.arguments or ())


_NOT_A_NAME = Written(())
_PATH = pattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_ASSIGNED = pattern(r"\s*=(?!=)")
_DECORATION = pattern(r"^(?:with\s+|await\s+|@|>>>\s*)")


def parse(text: str) -> Written:
    """Take a written name apart; `path` is empty for expressions (`x ** 2`), patterns (`<XXX>Loss`) and prose."""
    text = _DECORATION.sub("", text.replace("\\", "").replace("`", "").strip())
    attribute = text.startswith(".") and not text.startswith("..")
    text = text[1:] if attribute else text
    path: list[str] = []
    arguments: tuple[Argument, ...] | None = None
    results = 0
    while match := _PATH.match(text):
        results = len(path) if arguments is not None else results
        path += match.group().split(".")
        text, arguments = text[match.end() :], None
        if text.startswith("("):
            inner, text = _bracketed(text)
            arguments = parse_arguments(inner)
        while text.startswith("("):  # nn.MSELoss()(pred, target): what is made is called at once
            _, text = _bracketed(text)
        if not text.startswith("."):
            break
        text = text[1:]
    keyword = bool(_ASSIGNED.match(text)) and arguments is None and len(path) == 1
    if not path or not (keyword or _ends(text)):
        return _NOT_A_NAME
    return Written(tuple(path), arguments, keyword, attribute, results)


def _ends(text: str) -> bool:
    """What may follow a name: nothing, a colon, the result of a signature."""
    return re.fullmatch(r"\s*(?:[:：]|(?:->|→).*)?\s*", text, re.S) is not None


def _bracketed(text: str) -> tuple[str, str]:
    """The inside of the bracket that opens `text`, and what follows; an open end closes itself."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in OPENING) - (character in CLOSING)
        if depth == 0:
            return text[1:position], text[position + 1 :]
    return text[1:], ""


def split_arguments(text: str) -> list[str]:
    """Split at commas (ASCII and full-width) that stand outside brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in ",，" and depth == 0:
            parts.append(text[start:position])
            start = position + 1
        else:
            depth += (character in OPENING) - (character in CLOSING)
    return [part.strip() for part in [*parts, text[start:]]]


_OPTIONAL = pattern(r"\[\s*,|,\s*\]|\[[^\[\]]*\.\.\.[^\[\]]*\]")


def parse_arguments(inner: str) -> tuple[Argument, ...]:
    """Arguments as written; `[ctx,]`, `[, dim]` and `[gradient, ...]` are marks for "optional"."""
    if _OPTIONAL.search(inner):
        inner = inner.replace("[", ",").replace("]", ",")
    inner = re.sub(r"\.{3,}|…+", ",...,", inner)
    return tuple(_argument(part) for part in split_arguments(inner) if part not in ("", "*", "/", "self"))


_ARGUMENT = pattern(r"(\*{0,2})\s*([^\W\d]\w*)\s*(?::[^=]+)?(=(?!=).*)?", re.S)
_PLACEHOLDER = pattern(
    r"(?:.*[a-z\d_])?(?:X+|X[xX]+)(?:[dD]|[A-Z_].*)?|(?:.*_)?x{2,}(?:_.*)?|.*[a-z][NK][dD](?:Loss)?|(?:[Yy]our|[Mm]y|[Ss]ome)_?[A-Z]?\w*"
)


def is_placeholder(name: str) -> bool:
    """True for a word with a letter that stands for several: `ConvXd`, `X`, `xxx_like`, `BatchNormNd`."""
    return _PLACEHOLDER.fullmatch(name) is not None


_LITERALS = frozenset({"True", "False", "None"})


_RESERVED = frozenset(keyword.kwlist) - {"from"}
"""No parameter can be called `in`; but torch writes `uniform_(from, to)`, whose parameters come from C++."""


def _argument(part: str) -> Argument:
    if part == "...":
        return Argument("rest")
    match = _ARGUMENT.fullmatch(part)
    if match is None or match[2] in _LITERALS or (match[2] in _RESERVED and not match[3]):
        return Argument("value")
    stars, name, default = match.groups()
    if stars:
        return Argument("star" if stars == "*" else "double-star", name)
    return Argument("keyword", name, default[1:].strip()) if default else Argument("name", name)
