"""Triage: what a snippet is and what it needs, from its text alone (0.2 ms each; torch is not asked)."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from deckgen.text.pattern import pattern
from deckgen.text.syntax import needed_python, parsed, without_magics
from deckgen.verify.variables import Names, Uses, imports_of

Kind = Literal[
    "code", "signature", "shell", "placeholder", "ascii-art", "python-3.12", "python-3.14", "broken", "empty"
]

REASONS: dict[Kind, str] = {
    "signature": "signature-only",
    "shell": "not-python shell",
    "placeholder": "placeholder",
    "ascii-art": "not-python",
    "python-3.12": "needs Python 3.12",
    "python-3.14": "needs Python 3.14",
    "broken": "not-python",
    "empty": "empty",
}
"""Why a snippet of each kind is not run; `code` is."""

SHELL = pattern(
    r"\s*(?:[$%!]\s*\w|(?:sudo |!)?(?:pip3?|conda|apt|apt-get|brew|git|cd|ls|mkdir|wget|curl|torchrun|"
    r"tensorboard|nvidia-smi|python3?|export|source|docker|bash|sh|uv)(?:\s+[\w./~=:$-]|\s*$))"
)
BLANK = pattern(r"_{3,}|＿{2,}|<[^<>=\n]*(?:填|your|TODO)[^<>=\n]*>|\?{3,}")
SIGNATURE = pattern(r"\s*[\w.]+\(.*(?:\)\s*(?:->|→)\s*[\w.\[\], ]+|[(,]\s*[*/]\s*,.*\)|\[,.*\))\s*$")
"""A signature as documentation writes it: `f(input, *, out=None)`, `f(x[, y])`, `f(x) -> Tensor`."""
DRAWING = pattern("[\u2190-\u21ff\u2500-\u259f\u25a0-\u25ff\u2713-\u2718]|-->|<--|==>|\\|_+|\\+--")

SUSPICIOUS = pattern(r"cuda|optim|step|checkpoint|lr_scheduler|Adam|SGD|compile|_dynamo|export")
"""Without one of these in its text, a snippet has nothing that `_facts` looks for."""
_BLANK_NAME = pattern("_{3,}")
_CUDA = pattern(r"cuda(?::\d*)?|torch\.cuda\.\w+")
OPTIMISERS = frozenset(["optim", "step", "checkpoint", "lr_scheduler", "Adam", "AdamW", "SGD"])
COMPILERS = frozenset(("compile", "_dynamo", "export"))


@dataclass(frozen=True, slots=True)
class Triage:
    """What one snippet is and needs. Names are in order of first need."""

    kind: Kind
    code: str = ""
    """What is to be run: the snippet with its notebook magics blanked out."""
    needs: tuple[str, ...] = ()
    """Free names that must exist before the snippet starts."""
    late: tuple[str, ...] = ()
    """Free names in the bodies of functions: needed only if these are called."""
    star: bool = False
    """It has a `from x import *`: any of its free names may come from there."""
    binds: frozenset[str] = frozenset()
    imports: tuple[tuple[str, str], ...] = ()
    """(bound name, the import statement that binds it) of top-level imports."""
    modules: tuple[str, ...] = ()
    """Top-level packages that it imports."""
    statements: tuple[Uses, ...] = ()
    """What each of its top-level statements has to do with names."""
    cuda: bool = False
    """It asks for CUDA without first asking whether there is any."""
    optimises: bool = False
    """It would import `torch._dynamo` (every optimizer step does)."""
    compiles: bool = False


@lru_cache(maxsize=4096)
def triage(code: str, *, cell: bool = False) -> Triage:
    """Look at one snippet. Never raises."""
    code = without_magics(code)
    if not code.strip():
        return Triage("empty")
    tree = parsed(code)
    if tree is None:
        return Triage(_unreadable_kind(code), code)
    if not tree.body:
        return Triage("empty")
    names = Names()
    names.module(tree)
    cuda, optimises, compiles = _facts(tree) if SUSPICIOUS.search(code) else (False, False, False)
    return Triage(
        _readable_kind(tree, code, names),
        code,
        needs=tuple(names.needed),
        late=tuple(name for name in names.late if name not in names.needed),
        star="*" in names.bound,
        binds=frozenset(names.bound),
        imports=tuple(imports_of(tree)),
        modules=tuple(dict.fromkeys(module for one in names.statements for module in one.modules)),
        statements=tuple(names.statements),
        cuda=cuda,
        optimises=optimises,
        compiles=compiles,
    )


def _unreadable_kind(code: str) -> Kind:
    lines = [line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if lines and sum(bool(SHELL.match(line)) for line in lines) * 2 >= len(lines):
        return "shell"
    if lines and all(SIGNATURE.match(line) for line in lines):
        return "signature"
    if BLANK.search(code):
        return "placeholder"
    if sum(bool(DRAWING.search(line)) for line in lines) * 3 >= len(lines):
        return "ascii-art"
    newer: dict[str | None, Kind] = {"3.12": "python-3.12", "3.14": "python-3.14"}
    return newer.get(needed_python(code), "broken")


def _readable_kind(tree: ast.Module, code: str, names: Names) -> Kind:
    empty = all(isinstance(node, ast.Expr) and _is_ellipsis(node.value) for node in tree.body)
    blank = "___" in code and any(
        isinstance(node, ast.Name) and _BLANK_NAME.fullmatch(node.id) for node in ast.walk(tree)
    )
    if empty or blank or ("..." in code and _ellipsis_as_data(tree)):
        return "placeholder"
    if all(_is_signature(node, names) for node in tree.body):
        return "signature"
    return "code"


def _is_ellipsis(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _ellipsis_as_data(tree: ast.Module) -> bool:
    """`model = ...`, `Linear(...)`: left out on purpose. `x[..., 0]` and `def f(): ...` are real code."""
    for node in ast.walk(tree):
        values: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            values = [node.value]
        elif isinstance(node, ast.Call):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(_is_ellipsis(value) for value in values):
            return True
    return False


def _is_default(keyword: ast.keyword) -> bool:
    """`out=None`, `dim=dim`, `**kwargs` as in a signature; `metadata=labels` hands something over."""
    value = keyword.value
    if isinstance(value, ast.Name):
        return keyword.arg in (None, value.id)
    return isinstance(value, ast.Constant | ast.Attribute | ast.UnaryOp | ast.Tuple)


def _is_signature(node: ast.stmt, names: Names) -> bool:
    """`torch.rand(size)`, `torch.bernoulli(input, out=None)`: a call of names that nothing binds."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    if not isinstance(call.func, ast.Attribute) or not (call.args or call.keywords) or not _is_dotted(call.func):
        return False
    if not all(_is_default(keyword) for keyword in call.keywords):
        return False
    loose = [argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args]
    return bool(loose) and all(isinstance(argument, ast.Name) and argument.id not in names.bound for argument in loose)


def _is_dotted(node: ast.expr) -> bool:
    """`torch.nn.init`, and not `model(x).sum`: what is called on a result is no signature."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


CUDA_FREE = frozenset(["is_available", "device_count", "amp", "nvtx", "is_bf16_supported", "is_initialized"])
"""What `torch.cuda` answers without a device."""


def _facts(tree: ast.Module) -> tuple[bool, bool, bool]:
    """Whether it asks for CUDA without first asking whether there is any, uses an optimizer, and compiles."""
    wants_cuda = asks_first = False
    attributes: set[str] = set()
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            wants_cuda |= _CUDA.fullmatch(node.value) is not None
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            asks_first |= "is_available" in ast.dump(node.test)
        elif isinstance(node, ast.Assert):
            wants_cuda |= "is_available" in ast.dump(node.test)
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
            base = ast.unparse(node.value) if "cuda" in (node.attr, getattr(node.value, "attr", "")) else ""
            wants_cuda |= node.attr == "cuda" and base not in ("torch", "backends", "")
            wants_cuda |= base == "torch.cuda" and node.attr not in CUDA_FREE
        elif isinstance(node, ast.ImportFrom | ast.Import):
            imported.update(alias.name.split(".")[-1] for alias in node.names)
    optimises = not OPTIMISERS.isdisjoint(attributes | imported)
    return wants_cuda and not asks_first, optimises, not COMPILERS.isdisjoint(attributes)
