"""A string that stands alone after the code and shows its output: `'''\\ntensor([1])\\n'''`."""

from __future__ import annotations

import ast

from deckgen.extract.claims.cut import Cut, Pasted
from deckgen.extract.claims.reading import Template, prints_inside, template
from deckgen.extract.claims.words import is_label, only_values
from deckgen.text.syntax import parsed
from deckgen.written.lines import paragraphs

FORM = "closed-string"


def cut(lines: tuple[str, ...]) -> Cut | None:
    """Take each string statement that follows another statement and holds a label or values."""
    tree = parsed("\n".join(lines))
    if tree is None:
        return None
    gone: set[int] = set()
    pasted: list[Pasted] = []
    for before, node in zip(tree.body, tree.body[1:], strict=False):
        if not _string(node) or isinstance(before, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        start = node.lineno - 1
        taken = _output(lines, start, node.end_lineno or node.lineno, _printed_above(tree, start))
        if taken:
            gone.update(range(node.lineno - 1, node.end_lineno or node.lineno))
            pasted.append(Pasted(FORM, tuple(n for n, _ in taken), tuple(text for _, text in taken)))
    if not pasted:
        return None
    kept = [n for n in range(len(lines)) if n not in gone]
    return Cut(tuple(lines[n] for n in kept), tuple(kept), tuple(pasted))


def _string(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _printed_above(tree: ast.Module, line: int) -> list[Template]:
    """What the prints above a line write, whatever their objects are."""
    calls = (call for node in tree.body if node.lineno <= line for call in prints_inside(node))
    return [found for found in map(template, calls) if found]


def _output(lines: tuple[str, ...], start: int, stop: int, printed: list[Template]) -> list[tuple[int, str]]:
    """The lines within the quotes, if the first is a label, or each paragraph is a value or what a print writes."""
    inside = [(n, lines[n].strip().strip("'\"") if n in (start, stop - 1) else lines[n]) for n in range(start, stop)]
    inside = [(n, text) for n, text in inside if text.strip()]
    if len(inside) > 1 and is_label(inside[0][1]):
        return inside[1:]
    texts = [text for _, text in inside]
    as_printed = bool(printed) and all(
        any(one.matches("\n".join(texts[a:b])) for one in printed) for a, b in paragraphs(texts)
    )
    return inside if as_printed or only_values(texts) else []
