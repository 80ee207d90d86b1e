"""Triage: what a snippet is and needs, from its text alone (0.2 ms each; torch is not asked)."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, needed_python, nodes, parsed, without_magics

BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}

REASONS = ("signature-only", "not-python shell", "placeholder", "not-python", "needs Python", "empty")
"""Why a snippet is no code that could be run."""

SHELL = pattern(
    r"\s*(?:[$%!]\s*\w|(?:sudo |!)?(?:pip3?|conda|apt|apt-get|brew|git|cd|ls|mkdir|wget|curl|torchrun|"
    r"tensorboard|nvidia-smi|python3?|export|source|docker|bash|sh|uv)(?:\s+[\w./~=:$-]|\s*$))"
)
BLANK = pattern(r"_{3,}|＿{2,}|<[^<>=\n]*«verify.to_fill»[^<>=\n]*>|\?{3,}")
SIGNATURE = pattern(r"\s*[\w.]+\(.*(?:\)\s*(?:->|→)\s*[\w.\[\], ]+|[(,]\s*[*/]\s*,.*\)|\[,.*\))\s*$")
"""A signature as documentation writes it: `f(input, *, out=None)`, `f(x[, y])`, `f(x) -> Tensor`."""
_CUDA = pattern(r"cuda(?::\d*)?|torch\.cuda\.\w+")
CUDA_FREE = frozenset(["is_available", "device_count", "amp", "nvtx", "is_bf16_supported", "is_initialized"])
"""What `torch.cuda` answers without a device."""
OPTIMISERS = frozenset(["optim", "step", "checkpoint", "lr_scheduler", "Adam", "AdamW", "SGD"])
COMPILERS = frozenset(("compile", "_dynamo", "export"))


@dataclass(frozen=True, slots=True)
class Uses:
    """What one top-level statement has to do with names."""

    first: int
    """Its first line, from 0."""
    loads: frozenset[str]
    """Names that must exist when it runs, whoever binds them."""
    binds: frozenset[str]
    modules: tuple[str, ...]
    """Packages that it imports."""
    acts: bool
    """False for imports, definitions and bare texts: running them alone shows nothing."""


@dataclass(frozen=True, slots=True)
class Triage:
    """What one snippet is and needs. Names are in order of first need."""

    reason: str | None
    """Why it is no code to be run."""
    code: str = ""
    """What is to be run: the snippet with its notebook magics blanked out."""
    needs: tuple[str, ...] = ()
    """Free names that must exist before the snippet starts."""
    late: tuple[str, ...] = ()
    """Free names in the bodies of functions: needed only if these are called."""
    binds: frozenset[str] = frozenset()
    """Among them `*`, after a `from x import *`: any of its free names may come from there."""
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
    tree = parsed(code)
    if not code.strip() or (tree is not None and not tree.body):
        return Triage("empty")
    if tree is None:
        return Triage(_unreadable(code), code)
    bound: dict[str, None] = {}
    needed: dict[str, None] = {}
    late: dict[str, None] = {}
    statements: list[Uses] = []
    for node in tree.body:  # in order: what a function's body needs may be bound later
        loads, binds = set(), set()
        for name, kind in _uses([node], []):
            if kind == "bind":
                bound[name] = None
                binds.add(name)
            elif name not in BUILTINS and kind == "late":
                late[name] = None
            elif name not in BUILTINS and name not in binds:
                loads.add(name)
                if name not in bound:
                    needed[name] = None
        modules = tuple(dict.fromkeys(_modules(node)))
        statements.append(Uses(node.lineno - 1, frozenset(loads), frozenset(binds), modules, _acts(node)))
    return Triage(
        _unfinished(tree, code, bound),
        code,
        needs=tuple(needed),
        late=tuple(name for name in late if name not in bound and name not in needed),
        binds=frozenset(bound),
        imports=tuple(one for node in tree.body for one in _imports(node)),
        modules=tuple(dict.fromkeys(module for one in statements for module in one.modules)),
        statements=tuple(statements),
        **_facts(tree, code),
    )


def _acts(node: ast.stmt) -> bool:
    passive = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Pass
    return not isinstance(node, passive) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


# Names

Use = tuple[str, Literal["load", "bind", "late"]]

_ORDER = {
    ast.Assign: ("value", "targets"),
    ast.NamedExpr: ("value", "target"),
    ast.AugAssign: ("value", "target"),
    ast.AnnAssign: ("annotation", "value", "target"),
    ast.For: ("iter", "target", "body", "orelse"),
    ast.AsyncFor: ("iter", "target", "body", "orelse"),
}
"""Parts of nodes that are evaluated in another order than they are written in."""


def _uses(parts: Iterable[object], found: list[Use]) -> list[Use]:
    """Adds the names that nodes use and bind at module level, in the order of evaluation."""
    for node in parts:
        if isinstance(node, list):
            _uses(node, found)
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Store):  # `del x` needs it; and who needs it afterwards needs it from here
                found.append((node.id, "load"))
            if not isinstance(node.ctx, ast.Load):
                found.append((node.id, "bind"))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            _uses_of_definition(node, found)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            _uses([node.generators[0].iter], found)
            own = {name for one in node.generators for name, kind in _uses([one.target], []) if kind == "bind"}
            found += [use for use in _uses(ast.iter_child_nodes(node), []) if use[0] not in own]
        elif isinstance(node, ast.alias):
            found.append((_bound_name(node), "bind"))
        elif isinstance(node, ast.AnnAssign) and node.value is None:
            _uses([node.annotation], found)  # which binds nothing
        elif isinstance(node, ast.AST):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found.append((node.target.id, "load"))
            elif isinstance(node, ast.ExceptHandler) and node.name:
                found.append((node.name, "bind"))
            _uses([getattr(node, name, None) for name in _ORDER.get(type(node), node._fields)], found)
    return found


def _uses_of_definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef, found: list[Use]
) -> None:
    if isinstance(node, ast.ClassDef):
        _uses([node.decorator_list, node.bases, node.keywords], found)
        own: set[str] = set()
        for name, kind in _uses(node.body, []):
            if kind == "bind":
                own.add(name)
            elif name not in own or kind == "late":
                found.append((name, kind))
    elif not isinstance(node, ast.Lambda):
        _uses(node.decorator_list, found)
    if not isinstance(node, ast.Lambda):
        found.append((node.name, "bind"))
    if not isinstance(node, ast.ClassDef):  # what the body of a function needs, it needs once it is called
        _uses([node.args], found)
        uses = _uses([node.body], [])
        own = {name for name, kind in uses if kind == "bind"}
        own |= {inner.arg for inner in ast.walk(node.args) if isinstance(inner, ast.arg)}
        own -= {name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names}
        found += [(name, "late") for name, kind in uses if kind != "bind" and name not in own]


def _bound_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _imports(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """(bound name, import statement) of a statement."""
    if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__"):
        origin = f"from {'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
        yield from ((_bound_name(alias), f"{origin}import {ast.unparse(alias)}") for alias in node.names)


def _modules(node: ast.AST) -> Iterator[str]:
    """Packages imported without a `try` around: an author who catches ImportError has a plan."""
    if isinstance(node, ast.Import):
        yield from (alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module.split(".")[0]
    elif isinstance(node, ast.With | ast.AsyncWith | ast.For | ast.AsyncFor | ast.While | ast.ClassDef):
        for inner in node.body:
            yield from _modules(inner)


# Why it is no code to be run


def _unreadable(code: str) -> str:
    lines = [line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if lines and sum(bool(SHELL.match(line)) for line in lines) * 2 >= len(lines):
        return "not-python shell"
    if lines and all(SIGNATURE.match(line) for line in lines):
        return "signature-only"
    if BLANK.search(code):
        return "placeholder"
    newer = needed_python(code)
    return f"needs Python {newer}" if newer else "not-python"


def _unfinished(tree: ast.Module, code: str, bound: Iterable[str]) -> str | None:
    """`...` and `model = ...` are left out on purpose; a call of names that nothing binds is a signature."""
    if "..." in code or "___" in code:
        left_out = [node.value for node in tree.body if isinstance(node, ast.Expr)]
        if len(left_out) == len(tree.body) and all(map(_is_ellipsis, left_out)):
            return "placeholder"
        if any(map(_is_blank, nodes(tree))):
            return "placeholder"
    return "signature-only" if all(_is_signature(node, bound) for node in tree.body) else None


def _is_ellipsis(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _is_blank(node: ast.AST) -> bool:
    """`____`, `model = ...`, `Linear(...)`; but `x[..., 0]` and `def f(): ...` are real code."""
    if isinstance(node, ast.Name):
        return len(node.id) > 2 and not node.id.strip("_")
    if isinstance(node, ast.Call):
        return any(map(_is_ellipsis, (*node.args, *(keyword.value for keyword in node.keywords))))
    return isinstance(node, ast.Assign | ast.AnnAssign) and _is_ellipsis(node.value)


def _is_signature(node: ast.stmt, bound: Iterable[str]) -> bool:
    """`torch.rand(size)`, `torch.bernoulli(input, out=None)`; what is called on a result is no signature."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not call.args or dotted(call.func).find(".") < 1:
        return False
    for keyword in call.keywords:  # `out=None`, `dim=dim`, `**kwargs`; but `metadata=labels` hands something over
        value = keyword.value
        plain = isinstance(value, ast.Constant | ast.Attribute | ast.UnaryOp | ast.Tuple)
        if not plain and not (isinstance(value, ast.Name) and keyword.arg in (None, value.id)):
            return False
    loose = (argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args)
    return all(isinstance(argument, ast.Name) and argument.id not in bound for argument in loose)


def _facts(tree: ast.Module, code: str) -> dict[str, bool]:
    """Whether it asks for CUDA without first asking whether there is any, uses an optimizer, and compiles."""
    wants_cuda = asks_first = False
    attributes: set[str] = set()
    imported: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            wants_cuda |= _CUDA.fullmatch(node.value) is not None
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            asks_first |= "is_available" in ast.dump(node.test)
        elif isinstance(node, ast.Assert):
            wants_cuda |= "is_available" in ast.dump(node.test)
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
            base = ast.unparse(node.value) if "cuda" in code else ""
            wants_cuda |= node.attr == "cuda" and base not in ("torch", "backends")
            wants_cuda |= base == "torch.cuda" and node.attr not in CUDA_FREE
        elif isinstance(node, ast.ImportFrom | ast.Import):
            imported.update(alias.name.split(".")[-1] for alias in node.names)
    return {
        "cuda": wants_cuda and not asks_first,
        "optimises": not OPTIMISERS.isdisjoint(attributes | imported),
        "compiles": not COMPILERS.isdisjoint(attributes),
    }
