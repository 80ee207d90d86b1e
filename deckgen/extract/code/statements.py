"""Top-level statements of code on cards: which names they bind, use and change, what they do, and what they need of the code above."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from functools import cached_property, lru_cache

from deckgen.model.claim import Raises, Snippet
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

KNOWN = frozenset(dir(builtins)) | frozenset("torch nn F np optim plt torchvision dist math os time __name__".split())
"""Nobody asks what `nn` is."""
_CHANGES = frozenset(
    "append extend insert pop remove update clear add sort reverse setdefault step zero_grad backward train eval "
    "load_state_dict register_buffer register_parameter add_module register_forward_hook register_hook manual_seed "
    "register_forward_pre_hook register_full_backward_hook retain_grad".split()
)
"""Methods that leave their object changed; so does every name that ends with `_`."""
_RESULTS = frozenset(("add", "sort"))
"""Those that a tensor has, too, and that leave a tensor as it is."""
RANDOM = pattern(r"rand|normal|bernoulli|multinomial|poisson|dropout|shuffle|perm|seed|sample|uniform")
"""Calls that draw from a generator, and leave it elsewhere."""
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
"""Statements that load all their names before they store any."""
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


_NAMING = (
    ast.Name,
    ast.alias,
    ast.arg,
    ast.AugAssign,
    ast.ExceptHandler,
    ast.comprehension,
    ast.FunctionDef,
    ast.ClassDef,
    ast.AsyncFunctionDef,
)
"""Nodes that may bind or load a name: most do not."""


class Statement:
    """A top-level statement: the names that it binds and loads; and what else it does, found out when asked for."""

    def __init__(self, node: ast.stmt, lines: Sequence[str]) -> None:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        self.node = node
        self.lines = range(first - 1, node.end_lineno or node.lineno)
        """0-based, decorators and all."""
        self._all_lines = lines
        self.within = nodes(node)
        self.calls = [one for one in self.within if isinstance(one, ast.Call)]
        loaded, stored, inner, again = set[str](), set[str](), set[str](), set[str]()
        for one in self.within:
            if not isinstance(one, _NAMING):
                continue
            match one:
                case ast.Name(id=name, ctx=ast.Load()):
                    loaded.add(name)
                case ast.Name(id=name, ctx=ast.Store()):
                    stored.add(name)
                case ast.alias(name=name, asname=other) if isinstance(node, _IMPORTS):
                    stored.add((other or name).split(".")[0])
                case ast.AugAssign(target=ast.Name(id=name)):
                    again.add(name)
                case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                    inner.add(name)
                case ast.comprehension(target=target):
                    inner.update(_names(target))
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    (stored if one is node else inner).add(name)
                    inner.update(part.id for part in nodes(one) if isinstance(part, ast.Name) and _is_stored(part))
                case ast.AsyncFunctionDef(name=name) if one is node:
                    stored.add(name)
                case _:
                    pass
        self._again = frozenset(again)
        self.binds = frozenset(stored - inner)
        self.loads = frozenset((loaded if isinstance(node, _SIMPLE) else loaded - stored) - inner | again) - KNOWN

    @property
    def text(self) -> str:
        return "\n".join(self._all_lines[self.lines.start : self.lines.stop])

    @cached_property
    def changes(self) -> frozenset[str]:
        """Names whose objects it leaves changed: `w.add_(1)`, `opt.step()`, `x[0] = 1`, `nn.init.zeros_(w)`.

        All names in what is called or stored to: `(w ** 2).sum().backward()` reaches `w`.
        """
        found = set(self._again)
        for one in self.within:
            match one:
                case ast.Call(func=ast.Attribute(attr=method, value=owner), args=arguments):
                    if _is_changing(method):
                        found.update(_names(owner))
                        if "init" in (getattr(owner, "id", ""), getattr(owner, "attr", "")):
                            found.update(*map(_names, arguments[:1]))
                case ast.Attribute(value=owner) | ast.Subscript(value=owner) if _is_stored(one):
                    found.update(_names(owner))
                case _:
                    pass
        return frozenset(found)

    @cached_property
    def computes(self) -> bool:
        """What looks like a change gives a result that is printed or named, as of a list or a set it does not: `y = x.add(1)`."""
        if not (self.prints or isinstance(self.node, ast.Assign | ast.AnnAssign)) or self._again:
            return False
        stores = any(isinstance(one, ast.Attribute | ast.Subscript) and _is_stored(one) for one in self.within)
        looped = any(isinstance(one, ast.comprehension | ast.keyword) for one in self.within)
        seeming = [getattr(call.func, "attr", "") in _RESULTS for call in self.calls]
        pure = (
            seems or (_is_pure(call) and not _is_changing(getattr(call.func, "attr", "")))
            for seems, call in zip(seeming, self.calls, strict=True)
        )
        return any(seeming) and not stores and not looped and all(pure)

    @cached_property
    def prints(self) -> bool:
        """It writes something (so it cannot stand above code whose output is asked for)."""
        printing = (getattr(call.func, "id", "") == "print" for call in self.calls)
        return not isinstance(self.node, _DEFINING) and any(printing)

    @cached_property
    def idle(self) -> bool:
        """An expression that only shows something: leaving it out changes nothing below it."""
        return isinstance(self.node, ast.Expr) and not self.changes and all(map(_is_pure, self.calls))


@lru_cache(maxsize=256)
def statements(code: str) -> tuple[Statement, ...] | None:
    """The top-level statements of code, None if it cannot be parsed; lines of magic (`%timeit`, `!pip`) are none."""
    lines, tree = code.split("\n"), parsed(code)
    if tree is None:
        lines = ["" if is_magic(line) else line for line in lines]
        tree = parsed("\n".join(lines))
    return None if tree is None else tuple(Statement(node, lines) for node in tree.body)


def _names(node: ast.AST) -> list[str]:
    return [one.id for one in nodes(node) if isinstance(one, ast.Name)]


def _is_stored(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _is_changing(method: str) -> bool:
    """True for a method that leaves its object changed."""
    return method in _CHANGES or (method.endswith("_") and not method.endswith("__"))


def _is_pure(call: ast.Call) -> bool:
    if any(keyword.arg == "inplace" for keyword in call.keywords):
        return False
    match call.func:
        case ast.Attribute(attr=name):
            return not RANDOM.search(name)
        case ast.Name(id=name):
            return name in KNOWN and name not in {"next", "exec", "input", "setattr", "delattr"}
        case _:
            return False


# --- lines for IPython and the shell ----------------------------------------------------------------

_SILENT = pattern(r"\s*%{1,2}(?:matplotlib|load_ext|reload_ext|autoreload|config|env|cd|pylab|capture|time)\b")


def is_magic(line: str) -> bool:
    """A line for IPython or the shell: `%timeit`, `!pip`."""
    return line.lstrip().startswith(("%", "!"))


def without_magic(code: str) -> str:
    """Code without its lines for IPython and the shell; in what parses, a line that begins with `%` is Python."""
    return code if parsed(code) else "\n".join(line for line in code.split("\n") if not is_magic(line))


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


def stopping(snippet: Snippet) -> list[Statement]:
    """The top-level statements that end in an exception, as the notes say: a card that asks for something below would never get there.

    Only those that can be left out: they catch nothing, and bind nothing that is used below.
    """
    errors = [one for one in snippet.claims if isinstance(one, Raises) and not one.exception.endswith("Warning")]
    lines = {one.code_line for one in errors if one.exception not in ACCIDENTS}
    body = (statements(snippet.code) or ()) if lines else ()
    found: list[Statement] = []
    below: frozenset[str] = frozenset()
    for one in reversed(body):
        raises = not lines.isdisjoint(one.lines) or (None in lines and one is body[-1])
        if raises and not (hasattr(one.node, "body") and one.binds & below) and not _catches(one):
            found.insert(0, one)
        below |= one.loads
    return found


def _catches(statement: Statement) -> bool:
    """True also for definitions and imports, which stay in any case."""
    named = (getattr(one, "attr", None) or getattr(one, "id", None) for one in statement.within)
    tries = any(isinstance(one, ast.Try) for one in statement.within)
    return tries or isinstance(statement.node, _DEFINING + _IMPORTS) or not _CATCHING.isdisjoint(named)


# --- what code needs of the code above it -----------------------------------------------------------

LONGEST = 20
"""Lines that may be put above the code of a card."""
FARTHEST = 24
"""Snippets that are looked through."""


def needed(own: Sequence[Statement], above: Sequence[Snippet]) -> str:
    """The statements of the snippets `above` that the code of `own` needs, so that a card can be answered without the page.

    A notebook's cell says `w.grad`; the card has to say what `w` is. Those are taken, nearest first, that bind or change a name
    that is used before it is bound. Empty if a name is nowhere, or if they are too many, or would print. Those that are claimed
    to raise are left out, and those that print and may change a name: whether they did, the run of the card shows.
    """
    wanted = names_needed(own)
    taken: list[Statement] = []
    for index, one, changed in reversed(_changes(tuple(snippet.code for snippet in above))) if wanted else ():
        binds = not wanted.isdisjoint(one.binds)
        if not binds and (one.prints or wanted.isdisjoint(changed)):
            continue
        if all(one.lines != other.lines for other in stopping(above[index])):
            taken.insert(0, one)
            if one.prints or sum(len(other.lines) for other in taken) > LONGEST:
                return ""
            wanted = (wanted - (one.binds - one.loads)) | one.loads
    return "" if wanted else "\n".join(one.text for one in taken)


@lru_cache(maxsize=16)
def _changes(codes: tuple[str, ...]) -> list[tuple[int, Statement, frozenset[str]]]:
    """The statements of all codes in order, each with the index of its code and the names whose objects it may change.

    `opt.step()` changes what `opt` was made of, and all that was made of that: to leave out a change would put code on a card
    that shows something else than the notes. Nothing is made of a module, and nothing changes one.
    """
    found = []
    made_of: dict[str, frozenset[str]] = {}
    imported: frozenset[str] = frozenset()
    for index, code in enumerate(codes):
        for one in statements(code) or ():
            imported = imported | one.binds if isinstance(one.node, _IMPORTS) else imported - one.binds
            loads, roots = one.loads - imported, one.changes - imported
            parts = one.binds.union(loads, *(made_of.get(name, ()) for name in loads))
            made_of.update(dict.fromkeys(one.binds, parts))
            roots = roots.union(*(made_of.get(name, ()) for name in roots))
            reached = [name for name, made in made_of.items() if not roots.isdisjoint(made)] if roots else []
            found.append((index, one, roots.union(reached)))
    return found


def names_needed(own: Sequence[Statement]) -> frozenset[str]:
    """Names that are used before they are bound."""
    bound: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    for statement in own:
        free |= statement.loads - bound
        bound |= statement.binds
    return free
