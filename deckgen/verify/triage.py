"""Triage: what a snippet is and what it needs, from its text alone (0.2 ms each; torch is not asked)."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

Kind = Literal["code", "signature", "shell", "placeholder", "ascii-art", "broken", "empty"]

REASONS: dict[Kind, str] = {
    "signature": "signature-only",
    "shell": "not-python shell",
    "placeholder": "placeholder",
    "ascii-art": "not-python",
    "broken": "not-python",
    "empty": "empty",
}
"""Why a snippet of each kind is not run; `code` is."""

BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}
SHELL = re.compile(
    r"\s*(?:[$%!]\s*\w|(?:sudo |!)?(?:pip3?|conda|apt|apt-get|brew|git|cd|ls|mkdir|wget|curl|torchrun|"
    r"tensorboard|nvidia-smi|python3?|export|source|docker|bash|sh|uv)(?:\s+[\w./~=:$-]|\s*$))"
)
BLANK = re.compile(r"_{3,}|＿{2,}|<[^<>=\n]*(?:填|your|TODO)[^<>=\n]*>|\?{3,}")
SIGNATURE = re.compile(r"\s*[\w.]+\(.*(?:\)\s*(?:->|→)\s*[\w.\[\], ]+|[(,]\s*[*/]\s*,.*\)|\[,.*\))\s*$")
"""A signature as documentation writes it: `f(input, *, out=None)`, `f(x[, y])`, `f(x) -> Tensor`."""
DRAWING = re.compile("[\u2190-\u21ff\u2500-\u259f\u25a0-\u25ff\u2713-\u2718]|-->|<--|==>|\\|_+|\\+--")
MAGIC = re.compile(r"^(\s*)(?:[!%]\s*\w|[?]\w|\w[\w.]*\?{1,2}\s*$)")

SUSPICIOUS = re.compile(r"cuda|optim|step|checkpoint|lr_scheduler|Adam|SGD|compile|_dynamo|export")
"""Without one of these in its text, a snippet has nothing that `_facts` looks for."""
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
    cuda: bool = False
    """It asks for CUDA without first asking whether there is any."""
    optimises: bool = False
    """It would import `torch._dynamo` (every optimizer step does)."""
    compiles: bool = False
    error: str = ""
    """The syntax error of a broken one."""


@lru_cache(maxsize=4096)
def triage(code: str, *, cell: bool = False) -> Triage:
    """Look at one snippet. Never raises."""
    code = blank_magics(code) if cell or MAGIC.search(code) else code
    if not code.strip():
        return Triage("empty")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Triage(_unreadable_kind(code), code, error=str(error))
    if not tree.body:
        return Triage("empty")
    names = Names()
    names.module(tree)
    facts = _facts(tree) if SUSPICIOUS.search(code) else _Facts()
    return Triage(
        _readable_kind(tree, code, names),
        code,
        needs=tuple(names.needed),
        late=tuple(name for name in names.late if name not in names.needed),
        star="*" in names.bound,
        binds=frozenset(names.bound),
        imports=tuple(_imports(tree)),
        modules=tuple(dict.fromkeys(_modules(tree))) if "import" in code else (),
        cuda=facts.wants_cuda and not facts.asks_first,
        optimises=facts.optimises,
        compiles=facts.compiles,
    )


def blank_magics(code: str) -> str:
    """`!pip install x` and `%matplotlib inline` as `pass`, so that lines keep their numbers."""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        lines = code.split("\n")
        magic = [bool(MAGIC.match(line)) for line in lines]
        if not all(magic[index] for index, line in enumerate(lines) if line.strip()):
            return "\n".join(MAGIC.sub(r"\1pass #", line) for line in lines)
    return code


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
    return "broken"


def _readable_kind(tree: ast.Module, code: str, names: Names) -> Kind:
    if all(isinstance(node, ast.Expr) and _is_ellipsis(node.value) for node in tree.body):
        return "placeholder"
    if "___" in code and any(_is_blank(node) for node in ast.walk(tree)):
        return "placeholder"
    if "..." in code and _ellipsis_as_data(tree):
        return "placeholder"
    if all(_is_signature(node, names) for node in tree.body):
        return "signature"
    return "code"


def _is_blank(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and re.fullmatch(r"_{3,}", node.id) is not None


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


def _is_signature(node: ast.stmt, names: Names) -> bool:
    """`torch.rand(size)`, `torch.bernoulli(input, out=None)`: a call of names that nothing binds."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    if not isinstance(call.func, ast.Attribute) or not (call.args or call.keywords):
        return False
    loose = [argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args]
    return bool(loose) and all(isinstance(argument, ast.Name) and argument.id not in names.bound for argument in loose)


@dataclass(slots=True)
class Names:
    """Ordered binding of one module: which names it needs from outside, and which it binds.

    Order matters at module level (a notebook runs from top to bottom); what a function's body needs may
    be bound later, but before the snippet ends.
    """

    bound: dict[str, None] = field(default_factory=dict)
    needed: dict[str, None] = field(default_factory=dict)
    late: dict[str, None] = field(default_factory=dict)

    def module(self, tree: ast.Module) -> None:
        for node in tree.body:
            self._statement(node)
        self.late = {name: None for name in self.late if name not in self.bound and name not in BUILTINS}

    def _statement(self, node: ast.AST) -> None:
        for name, kind in _uses(node):
            if kind == "bind":
                self.bound[name] = None
            elif kind == "late":
                self.late[name] = None
            elif name not in self.bound and name not in BUILTINS:
                self.needed[name] = None


Use = tuple[str, Literal["load", "bind", "late"]]


def _uses(node: ast.AST) -> Iterator[Use]:
    """Names used and bound by a node at module level, in the order of evaluation."""
    visit = VISITORS.get(type(node))
    if visit is not None:
        yield from visit(node)
    else:
        yield from _children(node)


def _children(node: ast.AST) -> Iterator[Use]:
    for child in ast.iter_child_nodes(node):
        yield from _uses(child)


def _name(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.Name)  # noqa: S101 (by the table)
    yield node.id, "load" if isinstance(node.ctx, ast.Load) else "bind"


def _assign(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.Assign | ast.AnnAssign | ast.For | ast.AsyncFor | ast.NamedExpr)  # noqa: S101
    value = node.iter if isinstance(node, ast.For | ast.AsyncFor) else node.value
    if isinstance(node, ast.AnnAssign):
        yield from _uses(node.annotation)
    if value is not None:
        yield from _uses(value)
    elif isinstance(node, ast.AnnAssign):
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        yield from _uses(target)
    if isinstance(node, ast.For | ast.AsyncFor):
        for inner in [*node.body, *node.orelse]:
            yield from _uses(inner)


def _augmented(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.AugAssign)  # noqa: S101
    if isinstance(node.target, ast.Name):
        yield node.target.id, "load"
    else:
        yield from _uses(node.target)
    yield from _uses(node.value)
    if isinstance(node.target, ast.Name):
        yield node.target.id, "bind"


def _import(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.Import | ast.ImportFrom)  # noqa: S101
    for alias in node.names:
        yield alias.asname or alias.name.split(".")[0], "bind"


def _handler(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.ExceptHandler)  # noqa: S101
    if node.type is not None:
        yield from _uses(node.type)
    if node.name:
        yield node.name, "bind"
    for inner in node.body:
        yield from _uses(inner)


def _function(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)  # noqa: S101
    if not isinstance(node, ast.Lambda):
        for decorator in node.decorator_list:
            yield from _uses(decorator)
        yield node.name, "bind"
    yield from ((name, kind) for name, kind in _children(node.args) if kind == "load")
    own = _local_names(node)
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    for inner in body:
        for name, kind in _uses(inner):
            if kind != "bind" and name not in own:
                yield name, "late"


def _local_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    own = {argument.arg for argument in [*plain, arguments.vararg, arguments.kwarg] if argument is not None}
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    outside: set[str] = set()
    for inner in body:
        for child in ast.walk(inner):
            if isinstance(child, ast.Global):
                outside.update(child.names)
        own.update(name for name, kind in _uses(inner) if kind == "bind")
    return own - outside


def _class(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.ClassDef)  # noqa: S101
    for part in [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]:
        yield from _uses(part)
    own: set[str] = set()
    for inner in node.body:
        for name, kind in _uses(inner):
            if kind == "bind":
                own.add(name)
            elif name not in own or kind == "late":
                yield name, kind
    yield node.name, "bind"


def _comprehension(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp)  # noqa: S101
    own: set[str] = set()
    for generator in node.generators:
        yield from ((name, kind) for name, kind in _uses(generator.iter) if name not in own)
        own.update(name for name, kind in _uses(generator.target) if kind == "bind")
        for condition in generator.ifs:
            yield from ((name, kind) for name, kind in _uses(condition) if name not in own)
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    for part in parts:
        yield from ((name, kind) for name, kind in _uses(part) if name not in own)


VISITORS = {
    ast.Name: _name,
    ast.Assign: _assign,
    ast.AnnAssign: _assign,
    ast.NamedExpr: _assign,
    ast.For: _assign,
    ast.AsyncFor: _assign,
    ast.AugAssign: _augmented,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.ExceptHandler: _handler,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.Lambda: _function,
    ast.ClassDef: _class,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
}
"""What binds or uses names in an order other than that of its children."""


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                yield name, ast.unparse(ast.Import([alias]))
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                line = ast.unparse(ast.ImportFrom(node.module, [alias], node.level))
                yield alias.asname or alias.name, line


def _modules(tree: ast.Module) -> Iterator[str]:
    """Packages imported without a `try` around: an author who catches ImportError has a plan."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                yield node.module.split(".")[0]
        elif not isinstance(node, ast.Try | ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.expr):
            pending.extend(ast.iter_child_nodes(node))


@dataclass(slots=True)
class _Facts:
    wants_cuda: bool = False
    asks_first: bool = False
    optimises: bool = False
    compiles: bool = False


CUDA_FREE = frozenset(["is_available", "device_count", "amp", "nvtx", "is_bf16_supported", "is_initialized"])
"""What `torch.cuda` answers without a device."""


def _facts(tree: ast.Module) -> _Facts:
    facts = _Facts()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            facts.wants_cuda |= bool(re.fullmatch(r"cuda(:\d+)?", node.value))
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            facts.asks_first |= "is_available" in ast.dump(node.test)
        elif isinstance(node, ast.Assert):
            facts.wants_cuda |= "is_available" in ast.dump(node.test)
        elif isinstance(node, ast.Attribute):
            _look_at_attribute(node, facts)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            facts.optimises |= any(alias.name.split(".")[-1] in OPTIMISERS for alias in node.names)
    return facts


def _look_at_attribute(node: ast.Attribute, facts: _Facts) -> None:
    facts.optimises |= node.attr in OPTIMISERS
    facts.compiles |= node.attr in COMPILERS
    base = node.value
    if node.attr == "cuda" and not (isinstance(base, ast.Name) and base.id in ("torch", "backends")):
        facts.wants_cuda = True
    if isinstance(base, ast.Attribute) and base.attr == "cuda" and isinstance(base.value, ast.Name):
        facts.wants_cuda |= base.value.id == "torch" and node.attr not in CUDA_FREE
