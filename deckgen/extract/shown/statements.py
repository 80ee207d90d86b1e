"""Top-level statements: which names they bind, use and change, and whether they print or only show something."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from deckgen.extract.shown.magic import is_magic
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_KNOWN = frozenset(dir(builtins)) | frozenset("torch nn F np optim plt torchvision dist math os time __name__".split())
"""Nobody asks what `nn` is."""
_CHANGES = frozenset(
    "append extend insert pop remove update clear add sort reverse setdefault step zero_grad backward train eval "
    "load_state_dict register_buffer register_parameter add_module register_forward_hook register_hook manual_seed "
    "register_forward_pre_hook register_full_backward_hook retain_grad".split()
)
"""Methods that leave their object changed; so does every name that ends with `_`."""
RANDOM = pattern(r"rand|normal|bernoulli|multinomial|poisson|dropout|shuffle|perm|seed|sample|uniform")
"""Calls that draw from a generator, and leave it elsewhere."""


class Statement:
    """A top-level statement: the names that it binds and loads; and what else it does, found out when asked for."""

    def __init__(self, node: ast.stmt, lines: Sequence[str]) -> None:
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        first = min((one.lineno for one in decorators), default=node.lineno)
        self.node = node
        self.lines = range(first - 1, node.end_lineno or node.lineno)
        """0-based, decorators and all."""
        self._all_lines = lines
        self._within = nodes(node)
        self._kinds = set(map(type, self._within))
        stored, loaded = _declared(node), set[str]()
        for one in self._within:
            if isinstance(one, ast.Name):
                kind = one.ctx.__class__
                if kind is ast.Load:
                    loaded.add(one.id)
                elif kind is ast.Store:
                    stored.add(one.id)
        inner = set() if _SCOPES.isdisjoint(self._kinds) else _inner_names(node, self._within)
        self._again = _augmented(self._within) if ast.AugAssign in self._kinds else frozenset()
        self.binds = frozenset(stored - inner)
        before = loaded if isinstance(node, _SIMPLE) else loaded - stored
        self.loads = frozenset((before - inner) | self._again) - _KNOWN

    @cached_property
    def text(self) -> str:
        return "\n".join(self._all_lines[self.lines.start : self.lines.stop])

    @cached_property
    def changes(self) -> frozenset[str]:
        """Names whose objects it leaves changed."""
        return frozenset(_changed(self._within)) | self._again

    @cached_property
    def prints(self) -> bool:
        """It writes something (so it cannot stand above code whose output is asked for)."""
        defines = isinstance(self.node, ast.FunctionDef | ast.ClassDef)
        return ast.Call in self._kinds and not defines and any(map(_is_print, self._within))

    @cached_property
    def idle(self) -> bool:
        """An expression that only shows something: leaving it out changes nothing below it."""
        if not isinstance(self.node, ast.Expr):
            return False
        calls = (one for one in self._within if isinstance(one, ast.Call))
        return not any(_changed(self._within)) and all(map(_is_pure, calls))


@lru_cache(maxsize=256)
def statements(code: str) -> tuple[Statement, ...] | None:
    """The top-level statements of code, None if it cannot be parsed; lines of magic (`%timeit`, `!pip`) are none."""
    lines, tree = code.split("\n"), parsed(code)
    if tree is None:
        lines = ["" if is_magic(line) else line for line in lines]
        tree = parsed("\n".join(lines))
    return None if tree is None else tuple(Statement(node, lines) for node in tree.body)


def _augmented(within: Sequence[ast.AST]) -> frozenset[str]:
    targets = (one.target for one in within if isinstance(one, ast.AugAssign))
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
"""Statements that load all their names before they store any."""


def _declared(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return set()


_SCOPES = frozenset({ast.arg, ast.comprehension, ast.ExceptHandler, ast.FunctionDef, ast.ClassDef})


def _inner_names(node: ast.AST, within: Sequence[ast.AST]) -> set[str]:
    """Names that belong to functions, classes and comprehensions `within` a statement."""
    inner: set[str] = set()
    for one in within:
        if isinstance(one, ast.arg):
            inner.add(one.arg)
        elif isinstance(one, ast.comprehension):
            inner |= {name.id for name in nodes(one.target) if isinstance(name, ast.Name)}
        elif isinstance(one, ast.ExceptHandler) and one.name:
            inner.add(one.name)
        elif isinstance(one, ast.FunctionDef | ast.ClassDef):
            inner |= {one.name} if one is not node else set()
            inner |= {n.id for n in nodes(one) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return inner


def _changed(within: Sequence[ast.AST]) -> Iterator[str]:
    """Names whose objects the nodes of a statement change: `w.add_(1)`, `opt.step()`, `x[0] = 1`, `p.grad = None`."""
    for one in within:
        if isinstance(one, ast.Call):
            if isinstance(one.func, ast.Attribute) and _is_change(one.func.attr):
                yield from _roots(one.func.value)
                yield from (name for node in one.args[:1] for name in _roots(node) if _is_init(one.func.value))
        elif isinstance(one, _PARTS) and isinstance(one.ctx, ast.Store):
            yield from _roots(one.value)


def _is_init(node: ast.expr) -> bool:
    """True for `init` and `nn.init`: what their functions change is their first argument."""
    return (node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")) == "init"


_PARTS = (ast.Attribute, ast.Subscript)


def _is_change(method: str) -> bool:
    return method in _CHANGES or (method.endswith("_") and not method.endswith("__"))


def _is_pure(call: ast.Call) -> bool:
    if any(keyword.arg == "inplace" for keyword in call.keywords):
        return False
    match call.func:
        case ast.Attribute(attr=name):
            return not RANDOM.search(name)
        case ast.Name(id=name):
            return name in _KNOWN and name not in {"next", "exec", "input", "setattr", "delattr"}
        case _:
            return False


def _roots(node: ast.expr) -> Iterator[str]:
    """Names in what is called or stored to: all of `(w ** 2).sum()`, since `backward` reaches `w` through it."""
    return (one.id for one in nodes(node) if isinstance(one, ast.Name))
