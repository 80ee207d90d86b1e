"""The public names of `deckgen.api`: signatures, fields with what they mean, and links to the types that they name."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, get_args

from bench.site.table import code, table
from deckgen import api

GROUPS = ("Functions", "Types", "Errors", "Values")
_LONGEST = 100
"""Characters of a signature on one line."""


def page() -> Iterator[str]:
    """A section for each name, group by group."""
    for group in GROUPS:
        yield from (f"## {group}", "")
        for name in sorted((one for one in api.__all__ if _group(one) == group), key=str.lower):
            yield from _entry(name)


def _group(name: str) -> str:
    found = getattr(api, name)
    if inspect.isclass(found):
        return "Errors" if issubclass(found, Exception) else "Types"
    return "Functions" if inspect.isroutine(found) else "Types" if get_args(found) else "Values"


def anchor(name: str) -> str:
    """Where a name stands on this page. A type and a function may differ in their first letter alone, so it is `api.name`."""
    return f"api{name.lower()}" if not _has_twin(name) else f"api{name.lower()}{'-type' if name[0].isupper() else ''}"


def _has_twin(name: str) -> bool:
    return sum(one.lower() == name.lower() for one in api.__all__) > 1


def _heading(name: str) -> str:
    return f"### api.{name}{' (type)' if _has_twin(name) and name[0].isupper() else ''}"


def _entry(name: str) -> Iterator[str]:
    found = getattr(api, name)
    yield from (_heading(name), "")
    if inspect.isroutine(found):
        signature = _signature(name, found)
        yield from ("```python", signature, "```", "", *_text(found), *_types(name, signature))
    elif members := get_args(found):
        yield from (f"One of {', '.join(_linked(one.__name__) for one in members)}.", "")
    elif inspect.isclass(found):
        yield from _class(name, found)
    else:
        yield from (f"The value {code(repr(found))}.", "")


def _class(name: str, found: type) -> Iterator[str]:
    if not _is_made(found):
        yield from _text(found)
    fields = list(_fields(found))
    yield from table(("field", "type", "says"), ((code(one), code(kind), says) for one, kind, says in fields))
    if issubclass(found, Enum):
        yield from table(("member", "value"), ((code(one.name), code(str(one.value))) for one in found))
    methods = list(_methods(found))
    for method, signature, what in methods:
        yield from (f"**{method}**", "", "```python", signature, "```", "", *_text(what))
    yield from _types(name, " ".join((*(kind for _, kind, _ in fields), *(signature for _, signature, _ in methods))))


def _is_made(found: type) -> bool:
    """True for a docstring that a dataclass or a tuple makes of its signature."""
    return (found.__doc__ or "").startswith(f"{found.__name__}(")


class _Plain(str):
    """An annotation or a default that is shown as it is written."""

    __slots__ = ()
    __repr__ = str.__str__


def _signature(name: str, found: Callable[..., Any]) -> str:
    signature = inspect.signature(found)
    parameters = [_shown(one) for one in signature.parameters.values()]
    result = signature.return_annotation
    signature = signature.replace(
        parameters=parameters, return_annotation=result if result is inspect.Signature.empty else _Plain(result)
    )
    given = str(signature)
    if len(name) + len(given) <= _LONGEST:
        return f"{name}{given}"
    lines = []
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and "    *,\n" not in lines:
            lines.append("    *,\n")
        lines.append(f"    {one},\n")
    return f"{name}(\n{''.join(lines)}) -> {result}"


def _shown(parameter: inspect.Parameter) -> inspect.Parameter:
    if parameter.annotation is not inspect.Parameter.empty:
        parameter = parameter.replace(annotation=_Plain(parameter.annotation))
    if isinstance(parameter.default, frozenset):
        words = ", ".join(sorted(repr(str(one)) for one in parameter.default))
        parameter = parameter.replace(default=_Plain(f"frozenset({{{words}}})"))
    if inspect.isroutine(parameter.default):
        parameter = parameter.replace(default=_Plain(parameter.default.__name__))
    return parameter


def _text(found: object) -> Iterator[str]:
    """A docstring as Markdown: its examples are code."""
    for part in (inspect.getdoc(found) or "").split("\n\n"):
        example = part.lstrip().startswith(">>>")
        yield from ("```pycon", textwrap.dedent(part), "```", "") if example else (part, "")


def _fields(found: type) -> Iterator[tuple[str, str, str]]:
    """(name, type, what is said below it) of the fields of a class and of those that it inherits."""
    for base in reversed(found.__mro__):
        if base.__module__.startswith("deckgen"):
            body = _body(base)
            for at, line in enumerate(body):
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.target.id[0] != "_":
                    below = body[at + 1] if at + 1 < len(body) else None
                    yield line.target.id, ast.unparse(line.annotation), _said(below)


def _body(base: type) -> list[ast.stmt]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
    assert isinstance(tree, ast.ClassDef)
    return tree.body


def _said(line: ast.stmt | None) -> str:
    is_text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
    return " ".join(str(line.value.value).split()) if is_text else ""  # type: ignore[union-attr]  # seen above


def _methods(found: type) -> Iterator[tuple[str, str, object]]:
    """(name, signature, what has the docstring) of public methods and properties that say something of themselves."""
    for name, what in vars(found).items():
        plain = what.__func__ if isinstance(what, classmethod | staticmethod) else what
        if name.startswith("_") or not inspect.getdoc(plain):
            continue
        if isinstance(what, property) and what.fget:
            kind = str(inspect.signature(what.fget).return_annotation).strip("'")
            yield name, f"{name}: {kind}", what
        elif inspect.isfunction(plain):
            yield name, _signature(name, plain), plain


def _types(own: str, text: str) -> Iterator[str]:
    """Links to public types that are named in signatures."""
    every = dict.fromkeys(re.findall(r"\b[A-Z]\w+", text))
    named: Iterable[str] = [one for one in every if one in api.__all__ and one != own]
    if named:
        yield from (f"See {', '.join(map(_linked, named))}.", "")


def _linked(name: str) -> str:
    return f"[{name}](#{anchor(name)})" if name in api.__all__ else code(name)
