"""API names as people write them, `F.conv2d(input, weight, ...)`, `.times`, `requires_grad=True`, and what they may mean.

A reading is a question that is put to the worker.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from deckgen.model.claim import Exists
from deckgen.text.pattern import pattern

OPENING, CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as written."""

    kind: str
    """`name`, `keyword`, `star`, `double-star`, `value` = a literal or an expression, or `rest` = `...`, "and so on"."""
    name: str = ""
    default: str = ""
    """What stands behind the sign of a keyword."""


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
    return Argument(kinds.get(stars) or ("keyword" if default else "name"), name, (default or "")[1:].strip())


_PLACEHOLDER = pattern(
    r"(?:.*[a-z\d_])?(?:X+|X[xX]+)(?:[dD]|[A-Z_].*)?|(?:.*_)?x{2,}(?:_.*)?|.*[a-z][NK][dD](?:Loss)?|(?:[Yy]our|[Mm]y|[Ss]ome)_?[A-Z]?\w*"
)


def is_placeholder(name: str) -> bool:
    """True for a word with a letter that stands for several: `ConvXd`, `X`, `xxx_like`, `BatchNormNd`."""
    return _PLACEHOLDER.fullmatch(name) is not None


# What a name may mean

_MEANT = {
    "Optimizer": "optimizer opt",
    "torch.optim.lr_scheduler.LRScheduler": "scheduler",
    "nn.Module": "model net module layer",
    "Tensor": "tensor x y a b t loss input output",
    "SummaryWriter": "writer",
    "DataLoader": "loader dataloader train_loader",
    "Dataset": "dataset",
    "torch.amp.GradScaler": "scaler",
}
VARIABLES = {name: meant for meant, names in _MEANT.items() for name in names.split()}
"""What notes mean by a variable whose assignment is not shown."""
ELSEWHERE = frozenset(
    (
        "np numpy plt pd os sys time math random json pickle copy functools itertools collections threading logging"
        " pathlib matplotlib jnp self pandas sklearn scipy cv2 PIL Image tqdm cls super print len range list dict tuple"
        " set int float str bool type isinstance zip enumerate map open"
    ).split()
)
"""First words that are Python's or another package's: nothing for torch to confirm."""
PACKAGES = frozenset(
    (
        "torchvision torchaudio torchtext transformers datasets accelerate deepspeed tensorboard onnx onnxruntime"
        " lightning pytorch_lightning timm einops tensorflow tf keras jax cupy transforms T"
    ).split()
)
"""First words of packages that torch knows nothing of."""
ROOTS = "torch nn F optim autograd Tensor SummaryWriter Optimizer DataLoader Module".split()
"""First words that lead into torch."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a name: what to ask the worker, and how far to trust it."""

    query: str
    firm: bool
    """True if the source says so (an import, a rooted name, an owner): what is not there is missing."""
    if_tensors: tuple[str, ...] = ()
    """Calls that the source shows, outermost last: as firm as can be if each of them returns a tensor."""
    by_chance: bool = False
    """True if nothing in the source speaks for it: a bare name that the usual places happen to have."""
    within: bool = False
    """True if it speaks of torch only where a module named around has the first word: `Distribution` of
    `Distribution.sample` below `torch.distributions`."""


def readings_of(claim: Exists, written: Written) -> Iterator[Reading]:
    """From the surest to the least sure."""
    path, owner = written.path, claim.owner
    if (
        not path
        or (len(path) > 1 and path[0] in ELSEWHERE | PACKAGES and claim.alias is None)
        or is_foreign(claim.alias)
    ):
        return
    if claim.site.is_parameter:
        yield from _of_parameter(claim, written)
        return
    made = claim.alias if len(path) > 1 else None
    if made is not None and (made.endswith(")") or not (made or path[0] in VARIABLES)):
        yield from _of_variable(made, written)
        return
    # What torch's functions return is a tensor more often than not: `sum` of `torch.arange(3).sum()`.
    called = ".".join((claim.alias or path[0], *path[1 : written.results]))
    result = [Reading(".".join(("Tensor", *path[written.results :])), False, (called,))] if written.results else []
    if claim.alias:
        yield Reading(".".join((claim.alias, *path[1:])), not result)
        if path[0] in VARIABLES:  # the code may call something else by that name elsewhere: `loss.backward()`
            yield Reading(_customary(written.dotted), False)
        yield from result
        return
    if len(path) > 1:
        variable, rooted = VARIABLES.get(path[0]), path[0] in ROOTS
        yield Reading(_customary(written.dotted), variable == owner if variable else rooted and not result)
        yield from result if not variable else ()
        for scope in claim.scopes if not (result or rooted or variable) else ():
            # In torch's modules that are named around it: below `torch.fft`, `fft.ifft` is its own.
            package, _, module = scope.rpartition(".")
            if scope.partition(".")[0] == "torch":
                query = f"{package if module == path[0] else scope}.{written.dotted}"
                yield Reading(query, path[0] != "data", within=True)  # which is a variable as well
    if owner is not None:
        yield Reading(f"{owner}::{path[-1]}" if len(path) == 1 else f"{owner}.{written.dotted}", True)
        if len(path) == 2 and path[0] not in VARIABLES:  # `prof.step()` below `torch.profiler`: of one of its classes
            yield Reading(f"{owner}::{path[-1]}", False)
    if len(path) == 1:
        yield from (Reading(f"{scope}::{path[0]}", False) for scope in claim.scopes)
        if path[0] not in ELSEWHERE:
            yield Reading(path[0], False, by_chance=True)


def _of_variable(made: str, written: Written) -> Iterator[Reading]:
    """Of a variable that calls made, `torch.ones().view()`, what their result has; of any other perhaps what a tensor has.

    It may have the name of a module, too: `data.DataLoader`.
    """
    first, *methods = made.split("()")
    method = ".".join(written.path[1 : written.results])
    calls = (first, *(f"Tensor{one}" for one in methods if one), *([f"Tensor.{method}"] if method else []))
    rest = ".".join(written.path[written.results or 1 :])
    if len(calls) == 1 and first:
        yield Reading(f"{first}.{rest}", True)  # a class; functions have no members to speak of
    yield Reading(f"Tensor.{rest}", False, calls if first else (), by_chance=not first)
    yield Reading(_customary(written.dotted), False, by_chance=True)


def _of_parameter(claim: Exists, written: Written) -> Iterator[Reading]:
    """What may have the parameter: a method of what the headings name, else what is written, else its class there."""
    owner = claim.owner
    bare = is_bare_owner(claim)
    scopes = claim.scopes if owner and "." not in owner else ()
    inside = [Reading(f"{scope}::{owner}", True) for scope in scopes if scope != owner]
    names = [name for name in (owner, claim.alias, written.dotted) if name]
    named = [Reading(_customary(name), True, by_chance=bare and claim.alias is None) for name in names]
    yield from (*inside, *named) if bare else (*named, *inside)


def is_bare_owner(claim: Exists) -> bool:
    """True for a parameter of `step`: of whose `step` the surroundings tell."""
    return bool(claim.owner) and "." not in str(claim.owner) and str(claim.owner)[0].islower()


def _customary(name: str) -> str:
    """`optimizer.zero_grad` is what an Optimizer has."""
    head, dot, rest = name.partition(".")
    return f"{VARIABLES[head]}.{rest}" if dot and head in VARIABLES else name


def is_foreign(alias: str | None) -> bool:
    """True if the source imports it from another package than torch."""
    return alias is not None and "." in alias and alias.partition(".")[0] not in ROOTS
