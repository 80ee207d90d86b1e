"""Python source: its tree, and what a tree leaves out (comments, and how things were written).

Code in a Python newer than the one that reads it: such code is no nonsense, it needs a newer Python.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from deckgen.text.pattern import pattern

_FIELD = r"\{\{|\{(?:'[^'\n]*+'|\"[^\"\n]*+\"|\{[^{}]*+\}|[^{}])*+\}|" if sys.version_info >= (3, 12) else ""
"""A field of an f-string: from Python 3.12 on it may hold quotes like those around the string."""


def _quoted(field: str = "") -> str:
    """The pattern of a string from its first quote on; `field` is tried before its characters.

    A group is repeated possessively only where a field is: Python 3.11.2 takes such a group wrongly (gh-106052).
    """
    ends = ((rf"{mark * 3}", rf"[^{mark}\\]", rf"\\.|{mark}(?!{mark}{mark})") for mark in "'\"")
    lines = ((mark, rf"[^{mark}\\\n]", r"\\.") for mark in "'\"")
    return "|".join(
        rf"{mark}(?:{field}{plain}|{escaped})*+{mark}"
        if field
        else rf"{mark}{plain}*+(?:(?:{escaped}){plain}*+)*{mark}"
        for mark, plain, escaped in (*ends, *lines)
    )


_STRING = rf"(?i:[bu]|br?|rb?)?(?:{_quoted()})|(?i:fr?|rf)(?:{_quoted(_FIELD)})"
_NUMBER = r"0[xX][\da-fA-F_]++|0[bB][01_]++|0[oO][0-7_]++|(?:\d[\d_]*+\.?(?:\d[\d_]*+)?|\.\d[\d_]*+)(?:[eE][-+]?\d[\d_]*+)?[jJ]?"
_COMMENT = r"\#[^\r\n]*"
_TOKEN = pattern(
    r"(?P<blank>[ \t\f]+)|(?P<name>[^\W\d]\w*+(?:\.[^\W\d]\w*+)*(?!['\"]))"
    r"|(?P<mark>,|(?:[^\w\s#'\"()\[\]{},\\.]|\.(?!\d)|\(\)|\[\]|\{\})+)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<end>\n)"
    rf"|(?P<string>{_STRING})|(?P<number>{_NUMBER})|(?P<word>\w+)|(?P<gone>\\\r?\n|{_COMMENT})|(?P<other>.)",
    re.DOTALL,
)
"""The commonest first; names with their dots, and marks that stand together as one."""
_WITH_FIELDS = rf"(?i:fr?|rf)(?:{_quoted(_FIELD)})|" if _FIELD else ""
_COMMENT_OR_STRING = pattern(rf"{_COMMENT}|{_WITH_FIELDS}{_quoted()}", re.DOTALL)
"""Without the letters before quotes, where they change nothing: so it is looked for in no time."""


DEEPEST = 120
"""Levels of a tree of code that somebody wrote by hand; what goes deeper is read as no Python."""


class Comment(NamedTuple):
    line: int
    """0-based index of its line."""
    column: int
    text: str
    """With its `#`."""


_ONE_AT_A_TIME = Lock()
"""Two threads that build trees at once can fail with a SystemError: they share a counter of depth (Python 3.11)."""


@lru_cache(maxsize=1024)
def parsed(code: str) -> ast.Module | None:
    """The tree of a text, or None; no text makes this raise or warn. Everybody gets the same tree: leave it as it is."""
    # Python warns of escapes that are none, `1if x`, and what leaves a `finally`; keeping it quiet costs
    may_warn = "\\" in code or "finally" in code or _NUMBER_AND_LETTER.search(code)
    try:
        with _ONE_AT_A_TIME, warnings.catch_warnings(action="ignore") if may_warn else nullcontext():
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    return None if len(code) > DEEPEST and _is_deep(tree) else tree


def _is_deep(tree: ast.Module) -> bool:
    """True for `a.a.a...` and the like: Python's own visitors would not get to the end of it."""
    level: list[ast.AST] = [tree]
    for left in range(DEEPEST, 0, -1):
        level = [child for node in level for child in ast.iter_child_nodes(node) if not _is_shallow(child, left)]
        if not level:
            return False
    return True


def _is_shallow(node: ast.AST, left: int) -> bool:
    """True for what stands on one line that is too short for so many levels, as nearly all does."""
    if isinstance(node, ast.expr | ast.stmt) and node.end_lineno == node.lineno and node.end_col_offset is not None:
        return node.end_col_offset - node.col_offset < left
    return False


_NUMBER_AND_LETTER = pattern(r"(?<![\w.])[\d.][\d_.]*[A-Za-z]")


_MAGIC = pattern(r"^(\s*)(?:%time[ \t]+(?=\S)|(?P<gone>[!%]{1,2}\s*\w|[?]\w|\w[\w.]*\?{1,2}\s*$))")


def without_magics(code: str) -> str:
    """`!pip install x` and `%matplotlib inline` as `pass`, so that lines keep their numbers; `%time y = f()` does it.

    What is Python already stays as it is, and so does what is nothing but magic.
    """
    lines = code.split("\n")
    magic = [_MAGIC.match(line) for line in lines] if any(sign in code for sign in "%!?") else []
    all_magic = all(found for found, line in zip(magic, lines, strict=False) if line.strip())
    if all_magic or not any(magic) or parsed(code) is not None:
        return code
    for at, found in enumerate(magic):
        if found:
            gone = found["gone"] or ""
            lines[at] = found[1] + "pass #" * bool(gone) + lines[at][found.end() - len(gone) :]
    return "\n".join(lines)


@lru_cache(maxsize=1024)
def nodes(tree: ast.AST) -> Sequence[ast.AST]:
    """A tree's nodes but operators and contexts, outer ones first: `ast.walk` once for all who ask about a statement."""
    found = [tree]
    for node in found:
        for field in _FIELDS[node.__class__]:
            value = getattr(node, field, None)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        found.append(item)
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def dotted(node: ast.expr) -> str:
    """`a.b.c` of a name or attribute; of anything else what its end is called."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


class _Fields(dict[type[ast.AST], Sequence[str]]):
    """The fields of each kind of node that may hold nodes worth a look."""

    def __missing__(self, kind: type[ast.AST]) -> Sequence[str]:
        constant = kind is ast.Constant
        self[kind] = () if constant else tuple(field for field in kind._fields if field not in _LEAVES)
        return self[kind]


_LEAVES = frozenset("ctx op ops id attr arg kind level module asname type_comment conversion is_async simple".split())
"""Fields with words, numbers, operators, and whether a name is loaded or stored."""
_FIELDS = _Fields()


@lru_cache(maxsize=256)
def comments(code: str) -> Sequence[Comment]:
    """The comments of code that parses, in order."""
    every: list[Comment] = []
    line, start = 0, 0
    for found in _COMMENT_OR_STRING.finditer(code) if "#" in code else ():
        if found[0][0] == "#":
            line += code.count("\n", start, found.start())
            start = found.start()
            every.append(Comment(line, start - (code.rfind("\n", 0, start) + 1), found[0]))
    return every


def logical_lines(code: str) -> Iterator[tuple[int, list[re.Match[str]]]]:
    """How deep each logical line of code that parses is indented, and its tokens: no comments, no blanks.

    A token is a match whose `lastgroup` is `string`, `number`, `name` (with its dots), `word` (a name before quotes), `open`,
    `close`, `mark` or `other`.
    """
    indents, column, fresh = [0], 0, True
    brackets, line = 0, list[re.Match[str]]()
    for token in _TOKEN.finditer(code):
        kind = token.lastgroup
        if kind == "blank":
            column = len(token[0].rpartition("\f")[2].expandtabs(8)) if fresh else column
        elif kind == "end":
            column, fresh = 0, True
            if line and not brackets:
                yield len(indents) - 1, line
                line = []
        elif kind != "gone":
            fresh = False
            if not line:
                indents = [*(outer for outer in indents if outer < column), column]
            brackets += (kind == "open") - (kind == "close")
            line.append(token)
    if line:
        yield len(indents) - 1, line


_TYPE_ALIAS = pattern(r"^([^\S\n]*)type\s+(\w+)\s*(?:\[[^\]\n]*\])?\s*=(?!=)", re.MULTILINE)
_GENERIC = pattern(r"^([^\S\n]*(?:(?:async\s+)?def|class)\s+\w+)\[[^\n]*?\](?=\(|:)", re.MULTILINE)
_BARE_EXCEPT = pattern(r"^([^\S\n]*except\s+)([\w.]+(?:\s*,\s*[\w.]+)+)\s*:", re.MULTILINE)
_TEMPLATE = pattern(r"(?<![\w'\"])t(?=['\"])")
_FIELD_STRING = pattern(r"(?<![\w'\"])(?:[fF][rR]?|[rR][fF])['\"]")
_BRACES = pattern(r"\{[^{}\n]*\}")


def needed_python(code: str) -> str | None:
    """`3.12` if a text is code of that Python; None if it is code of this one, or of none."""
    if parsed(code) is not None:
        return None
    plain = _GENERIC.sub(r"\1", _TYPE_ALIAS.sub(r"\1\2 =", code))
    older = [plain]
    if _FIELD_STRING.search(code):  # since 3.12 the fields of a string may hold its own quotes: `f"{x["a"]}"`
        older += [_requoted(plain, "'", '"'), _requoted(plain, '"', "'")]
    if any(text != code and parsed(text) is not None for text in older):
        return "3.12"
    oldest = [_TEMPLATE.sub("f", _BARE_EXCEPT.sub(r"\1(\2):", text)) for text in older]
    return "3.14" if any(text not in older and parsed(text) is not None for text in oldest) else None


def _requoted(code: str, one: str, other: str) -> str:
    return _BRACES.sub(lambda found: found[0].replace(one, other), code)


def forget_many() -> None:
    """Lets go of the trees if there were more than are kept: those of a thousand snippets take some 50 MiB.

    Of fewer all are kept, for whoever asks for them again.
    """
    kept = parsed.cache_info()
    if kept.currsize == kept.maxsize:
        for one in (parsed, nodes, comments):
            one.cache_clear()
