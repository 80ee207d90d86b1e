"""Top-level statements: which names they bind, use and change, and whether they print, only show something, or stop the program."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from deckgen.model.claim import Raises, Snippet
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
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
"""Statements that load all their names before they store any."""
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Statement:
    """A top-level statement: the names that it binds and loads; and what else it does, found out when asked for."""

    def __init__(self, node: ast.stmt, lines: Sequence[str]) -> None:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        self.node = node
        self.lines = range(first - 1, node.end_lineno or node.lineno)
        """0-based, decorators and all."""
        self._all_lines = lines
        self.within = nodes(node)
        names = [one for one in self.within if isinstance(one, ast.Name)]
        loaded = {one.id for one in names if isinstance(one.ctx, ast.Load)}
        stored = {one.id for one in names if isinstance(one.ctx, ast.Store)}
        if isinstance(node, _DEFINING):
            stored.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            stored |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        inner = set(_inner_names(node, self.within))
        self._again = {
            one.target.id for one in self.within if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        }
        self.binds = frozenset(stored - inner)
        self.loads = (
            frozenset(((loaded if isinstance(node, _SIMPLE) else loaded - stored) - inner) | self._again) - _KNOWN
        )

    @property
    def text(self) -> str:
        return "\n".join(self._all_lines[self.lines.start : self.lines.stop])

    @cached_property
    def changes(self) -> frozenset[str]:
        """Names whose objects it leaves changed."""
        return frozenset(_changed(self.within)) | self._again

    @cached_property
    def prints(self) -> bool:
        """It writes something (so it cannot stand above code whose output is asked for)."""
        calls = (one for one in self.within if isinstance(one, ast.Call) and isinstance(one.func, ast.Name))
        return not isinstance(self.node, _DEFINING) and any(one.func.id == "print" for one in calls)  # type: ignore[attr-defined]

    @cached_property
    def idle(self) -> bool:
        """An expression that only shows something: leaving it out changes nothing below it."""
        calls = (one for one in self.within if isinstance(one, ast.Call))
        return isinstance(self.node, ast.Expr) and not any(_changed(self.within)) and all(map(_is_pure, calls))


@lru_cache(maxsize=256)
def statements(code: str) -> tuple[Statement, ...] | None:
    """The top-level statements of code, None if it cannot be parsed; lines of magic (`%timeit`, `!pip`) are none."""
    lines, tree = code.split("\n"), parsed(code)
    if tree is None:
        lines = ["" if is_magic(line) else line for line in lines]
        tree = parsed("\n".join(lines))
    return None if tree is None else tuple(Statement(node, lines) for node in tree.body)


def _inner_names(node: ast.AST, within: Sequence[ast.AST]) -> Iterator[str]:
    """Names that belong to functions, classes and comprehensions `within` a statement."""
    for one in within:
        if isinstance(one, ast.arg):
            yield one.arg
        elif isinstance(one, ast.comprehension):
            yield from (name.id for name in nodes(one.target) if isinstance(name, ast.Name))
        elif isinstance(one, ast.ExceptHandler) and one.name:
            yield one.name
        elif isinstance(one, ast.FunctionDef | ast.ClassDef):
            if one is not node:
                yield one.name
            yield from (n.id for n in nodes(one) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _changed(within: Sequence[ast.AST]) -> Iterator[str]:
    """Names whose objects the nodes of a statement change: `w.add_(1)`, `opt.step()`, `x[0] = 1`, `nn.init.zeros_(w)`.

    All names in what is called or stored to: `(w ** 2).sum().backward()` reaches `w`.
    """
    for one in within:
        changed: list[ast.expr] = []
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            method, owner = one.func.attr, one.func.value
            if method in _CHANGES or (method.endswith("_") and not method.endswith("__")):
                init = "init" in (getattr(owner, "id", ""), getattr(owner, "attr", ""))
                changed = [owner, *(one.args[:1] if init else ())]
        elif isinstance(one, ast.Attribute | ast.Subscript) and isinstance(one.ctx, ast.Store):
            changed = [one.value]
        yield from (name.id for part in changed for name in nodes(part) if isinstance(name, ast.Name))


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


# --- lines for IPython and the shell ----------------------------------------------------------------

_SILENT = pattern(r"\s*%{1,2}(?:matplotlib|load_ext|reload_ext|autoreload|config|env|cd|pylab|capture|time)\b")


def is_magic(line: str) -> bool:
    """A line for IPython or the shell: `%timeit`, `!pip`."""
    return line.lstrip().startswith(("%", "!"))


def without_magic(code: str) -> str:
    """Code without its lines for IPython and the shell; in what parses, a line that begins with `%` is Python."""
    if parsed(code) is not None:
        return code
    return "\n".join(line for line in code.split("\n") if not is_magic(line))


def only_magic(code: str) -> bool:
    """True if all lines of a text are for IPython or the shell."""
    return all(is_magic(line) for line in code.split("\n") if line.strip())


def prints_by_magic(code: str) -> bool:
    """A line for IPython or the shell writes something: a time, a list of files, what an installer says."""
    return any(is_magic(line) and not _SILENT.match(line) for line in code.split("\n"))


# --- statements that raise --------------------------------------------------------------------------

ACCIDENTS = frozenset({"NameError", "ModuleNotFoundError", "ImportError", "FileNotFoundError", "KeyboardInterrupt"})
"""Errors that tell about a computer or a slip, and nothing of torch."""
_CATCHING = frozenset("suppress raises assertRaises assertRaisesRegex catch_warnings warns".split())


def stopping(snippet: Snippet) -> tuple[Statement, ...]:
    """The top-level statements that end in an exception, as the notes say: a card that asks for something below would never get there.

    Only those that can be left out: they catch nothing, and bind nothing that is used below.
    """
    errors = [
        claim for claim in snippet.claims if isinstance(claim, Raises) and not claim.exception.endswith("Warning")
    ]
    lines = {claim.code_line for claim in errors if claim.exception not in ACCIDENTS}
    body = (statements(snippet.code) or ()) if lines else ()
    raising = (one for one in body if not lines.isdisjoint(one.lines) or (None in lines and one is body[-1]))
    return tuple(one for one in raising if _can_be_left_out(one, body))


def _can_be_left_out(statement: Statement, body: Sequence[Statement]) -> bool:
    node = statement.node
    if isinstance(node, (*_DEFINING, ast.Import, ast.ImportFrom)):
        return False
    for one in statement.within:
        if isinstance(one, ast.Try) or (getattr(one, "attr", None) or getattr(one, "id", None)) in _CATCHING:
            return False
    below = frozenset[str]().union(*(one.loads for one in body if one.lines.start >= statement.lines.stop))
    return not hasattr(node, "body") or not statement.binds & below
