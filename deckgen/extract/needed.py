"""What a snippet needs from the code above it, so that a card can be answered without the page.

A notebook's cell says `w.grad`; the card has to say what `w` is. Statements of the same document are
taken, nearest first, that bind or change a name the code uses before binding it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from deckgen.pattern import pattern
from deckgen.syntax import nodes, parsed

LONGEST = 20
"""Lines that may be put above the code of a card."""
FARTHEST = 24
"""Snippets that are looked through."""
_KNOWN = frozenset(dir(builtins)) | frozenset("torch nn F np optim plt torchvision dist math os time __name__".split())
"""Nobody asks what `nn` is."""
_CHANGES = frozenset(
    "append extend insert pop remove update clear add sort reverse setdefault step zero_grad backward train eval "
    "load_state_dict register_buffer register_parameter add_module register_forward_hook register_hook manual_seed "
    "register_forward_pre_hook register_full_backward_hook retain_grad".split()
)
"""Methods that leave their object changed; so does every name that ends with `_`."""


_RANDOM = pattern(r"rand|normal|bernoulli|multinomial|poisson|dropout|shuffle|perm|seed|sample|uniform")
"""Calls that draw from a generator, and leave it elsewhere."""
_SILENT_MAGIC = pattern(r"\s*%{1,2}(?:matplotlib|load_ext|reload_ext|autoreload|config|env|cd|pylab|capture)\b")


class _Statement:
    """A top-level statement: the names that it binds and loads; and what else it does, found out when asked for."""

    def __init__(self, node: ast.stmt, lines: Sequence[str]) -> None:
        self._node, self._lines = node, lines
        self._within = nodes(node)
        self._kinds = set(map(type, self._within))
        names = [one for one in self._within if isinstance(one, ast.Name)]
        stored = {one.id for one in names if isinstance(one.ctx, ast.Store)} | _declared(node)
        loaded = {one.id for one in names if isinstance(one.ctx, ast.Load)}
        inner = set() if _SCOPES.isdisjoint(self._kinds) else _inner_names(node, self._within)
        before = loaded if isinstance(node, _SIMPLE) else set()
        self._again = _augmented(self._within) if ast.AugAssign in self._kinds else frozenset()
        self.binds = frozenset(stored - inner)
        self.loads = frozenset((loaded - inner - (stored - before)) | self._again) - _KNOWN

    @cached_property
    def text(self) -> str:
        decorators: list[ast.expr] = getattr(self._node, "decorator_list", [])
        first = min((one.lineno for one in decorators), default=self._node.lineno)
        return "\n".join(self._lines[first - 1 : self._node.end_lineno])

    @cached_property
    def changes(self) -> frozenset[str]:
        """Names whose objects it leaves changed."""
        return frozenset(_changed(self._within)) | self._again

    @cached_property
    def prints(self) -> bool:
        """It writes something (so it cannot stand above code whose output is asked for)."""
        defines = isinstance(self._node, ast.FunctionDef | ast.ClassDef)
        return ast.Call in self._kinds and not defines and any(map(_is_print, self._within))


def needed(code: str, above: Sequence[str]) -> str | None:
    """The statements of the snippets `above` (in order) that `code` needs; "" if none, None if it cannot be told.

    None also where they are too many, or would print.
    """
    own = _statements(code)
    if own is None:
        return None
    wanted = _free(own)
    if not wanted:
        return ""
    known = [statement for text in above[-FARTHEST:] for statement in _statements(text) or ()]
    taken: list[str] = []
    for statement, reached in zip(reversed(known), reversed(_reached(known)), strict=True):
        if not wanted:
            break
        if not statement.binds & wanted and not reached & wanted:
            continue
        taken.insert(0, statement.text)
        if statement.prints or sum(text.count("\n") + 1 for text in taken) > LONGEST:
            return None
        wanted = (wanted - (statement.binds - statement.loads)) | statement.loads
    return None if wanted else "\n".join(taken)


def _reached(statements: Sequence[_Statement]) -> list[frozenset[str]]:
    """For every statement the names whose objects it may change.

    `opt.step()` changes what `opt` was made of, and all that was made of that: to leave out a change would
    put code on a card that shows something else than the notes.
    """
    made_of: dict[str, frozenset[str]] = {}
    found: list[frozenset[str]] = []
    for statement in statements:
        parts = statement.loads.union(*(made_of.get(name, frozenset()) for name in statement.loads))
        for name in statement.binds:
            made_of[name] = parts | statement.binds
        roots = statement.changes.union(*(made_of.get(name, frozenset()) for name in statement.changes))
        touched = {name for name, whole in made_of.items() if roots & whole} if roots else set()
        found.append(frozenset(roots | touched))
    return found


def _free(statements: Sequence[_Statement]) -> frozenset[str]:
    """Names that are used before they are bound."""
    bound: set[str] = set(_KNOWN)
    free: set[str] = set()
    for statement in statements:
        free |= statement.loads - bound
        bound |= statement.binds
    return frozenset(free)


@lru_cache(maxsize=256)
def _statements(code: str) -> tuple[_Statement, ...] | None:
    """The top-level statements; lines of magic (`%timeit`, `!pip`) are none."""
    plain = "\n".join("" if is_magic(line) else line for line in code.split("\n"))
    tree = parsed(plain)
    lines = plain.split("\n")
    return None if tree is None else tuple(_Statement(node, lines) for node in tree.body)


def is_magic(line: str) -> bool:
    """A line for IPython or the shell."""
    return line.lstrip().startswith(("%", "!"))


def only_magic(code: str) -> bool:
    """True if all lines of a text are for IPython or the shell."""
    return all(is_magic(line) for line in code.split("\n") if line.strip())


def prints_by_magic(code: str) -> bool:
    """A line for IPython or the shell writes something: a time, a list of files, what an installer says."""
    return any(is_magic(line) and not _SILENT_MAGIC.match(line) for line in code.split("\n"))


def _augmented(within: Sequence[ast.AST]) -> frozenset[str]:
    targets = (one.target for one in within if isinstance(one, ast.AugAssign))
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
"""Statements that load all their names before they store any."""


def _declared(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        case _:
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
        elif isinstance(one, _PARTS) and isinstance(one.ctx, ast.Store):
            yield from _roots(one.value)


_PARTS = (ast.Attribute, ast.Subscript)


def _is_change(method: str) -> bool:
    return method in _CHANGES or (method.endswith("_") and not method.endswith("__"))


def is_idle(node: ast.stmt) -> bool:
    """An expression that only shows something: leaving it out changes nothing below it."""
    if not isinstance(node, ast.Expr):
        return False
    within = nodes(node)
    return not any(_changed(within)) and all(_is_pure(one) for one in within if isinstance(one, ast.Call))


def _is_pure(call: ast.Call) -> bool:
    if any(keyword.arg == "inplace" for keyword in call.keywords):
        return False
    match call.func:
        case ast.Attribute(attr=name):
            return not _RANDOM.search(name)
        case ast.Name(id=name):
            return name in _KNOWN and name not in {"next", "exec", "input", "setattr", "delattr"}
        case _:
            return False


def _roots(node: ast.expr) -> Iterator[str]:
    """Names in what is called or stored to: all of `(w ** 2).sum()`, since `backward` reaches `w` through it."""
    return (one.id for one in nodes(node) if isinstance(one, ast.Name))
