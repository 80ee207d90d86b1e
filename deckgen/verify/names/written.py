"""API names as people write them: `F.conv2d(input, weight, ...)`, `.times`, `requires_grad=True`."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

from deckgen.text.pattern import pattern

OPENING, CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as written."""

    kind: str
    """`name`, `keyword`, `star`, `double-star`, `value` = a literal or an expression, or `rest` = `...`, "and so on"."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A written name, taken apart."""

    path: tuple[str, ...]
    """`("F", "conv2d")`; empty if the text is no name at all."""
    arguments: tuple[Argument, ...] | None = None
    """None without parentheses."""
    keyword: bool = False
    """`requires_grad=True`: a keyword argument standing alone."""
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


_PATH = pattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_ASSIGNED = pattern(r"\s*=(?!=)")
_DECORATION = pattern(r"^(?:with\s+|await\s+|@|>>>\s*)")
_END = pattern(r"\s*(?:[:：]|(?:->|→).*)?\s*", re.S)
"""What may follow a name: nothing, a colon, the result of a signature."""


def parse(text: str) -> Written:
    """Take a written name apart; `path` is empty for expressions (`x ** 2`), patterns (`<XXX>Loss`) and prose."""
    text = _DECORATION.sub("", text.replace("\\", "").replace("`", "").strip()).removeprefix(".")
    path: list[str] = []
    arguments: tuple[Argument, ...] | None = None
    results = 0
    while match := _PATH.match(text):
        results = results if arguments is None else len(path)
        path += match[0].split(".")
        text, arguments = text[match.end() :], None
        while text.startswith("("):  # in `nn.MSELoss()(pred, target)` what is made is called at once
            inner, text = _bracketed(text)
            arguments = parse_arguments(inner) if arguments is None else arguments
        if not text.startswith("."):
            break
        text = text[1:]
    keyword = arguments is None and len(path) == 1 and _ASSIGNED.match(text) is not None
    if not keyword and not _END.fullmatch(text):
        return Written(())
    return Written(tuple(path), arguments, keyword, results)


def _bracketed(text: str) -> tuple[str, str]:
    """The inside of the bracket that opens `text`, and what follows; an open end closes itself."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in OPENING) - (character in CLOSING)
        if depth == 0:
            return text[1:position], text[position + 1 :]
    return text[1:], ""


_PIECE = pattern(r"'[^']*'?|\"[^\"]*\"?|.", re.S)
_OPTIONAL = pattern(r"\[\s*,|,\s*\]|\[[^\[\]]*\.\.\.[^\[\]]*\]")
_ARGUMENT = pattern(r"(\*{0,2})\s*([^\W\d]\w*)\s*(?::[^=]+)?(=(?!=).*)?", re.S)
_RESERVED = frozenset(keyword.kwlist) - {"from"}
"""No parameter can be called `in`; but torch writes `uniform_(from, to)`, whose parameters come from C++."""


def parse_arguments(inner: str) -> tuple[Argument, ...]:
    """Arguments as written, split at commas outside brackets and quotes; `[ctx,]`, `[, dim]` and `[gradient, ...]` are
    marks for "optional"."""
    if _OPTIONAL.search(inner):
        inner = inner.replace("[", ",").replace("]", ",")
    parts, depth = [""], 0
    for piece in _PIECE.findall(re.sub(r"\.{3,}|…+", ",...,", inner)):
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece in ",，" and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return tuple(_argument(part) for part in map(str.strip, parts) if part not in ("", "*", "/", "self"))


def _argument(part: str) -> Argument:
    if part == "...":
        return Argument("rest")
    match = _ARGUMENT.fullmatch(part)
    if match is None:
        return Argument("value")
    stars, name, default = match.groups()
    if name in ("True", "False", "None") or (name in _RESERVED and not default):
        return Argument("value")
    kinds = {"*": "star", "**": "double-star"}
    return Argument(kinds.get(stars) or ("keyword" if default else "name"), name)


_PLACEHOLDER = pattern(
    r"(?:.*[a-z\d_])?(?:X+|X[xX]+)(?:[dD]|[A-Z_].*)?|(?:.*_)?x{2,}(?:_.*)?|.*[a-z][NK][dD](?:Loss)?|(?:[Yy]our|[Mm]y|[Ss]ome)_?[A-Z]?\w*"
)


def is_placeholder(name: str) -> bool:
    """True for a word with a letter that stands for several: `ConvXd`, `X`, `xxx_like`, `BatchNormNd`."""
    return _PLACEHOLDER.fullmatch(name) is not None
