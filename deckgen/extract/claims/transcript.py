"""Interpreter transcripts: `>>> x.shape` or `In [1]: x.shape`, and what was answered below."""

from __future__ import annotations

import ast

from deckgen.extract.claims.cut import Cut, Pasted
from deckgen.extract.claims.reading import is_print
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

FORM = "transcript"
_PROMPT = pattern(r"(\s*)(?:>>> ?|In ?\[[\d ]*\]: ?)(.*)$")
_MORE = pattern(r"\s*\.\.\.(?:: ?|:?$| ?)(.*)$")
_REMARK = pattern(r"\s*#(?:\s|[^\W\d_])")
"""Between the prompts."""
_OUT = pattern(r"\s*(?:Out ?)?\[(?:[\d ]*|Out)\]: ?|\s*Out ?\[[\d ]*\]: ?")


def cut(lines: tuple[str, ...]) -> Cut | None:
    """Remove the prompts; what follows each statement is its output."""
    if not any((">>>" in line or "In" in line) and _PROMPT.match(line) for line in lines):
        return None
    code: list[tuple[int, str]] = []
    pasted: list[Pasted] = []
    first = 0
    output: list[tuple[int, str]] = []
    indent = ""
    for at, line in enumerate(lines):
        prompt = _PROMPT.match(line)
        more = None if prompt or output else _MORE.match(line)
        if prompt:
            pasted.extend(_answer(code, first, output))
            indent, first, output = prompt[1], len(code), []
            code.append((at, prompt[2]))
        elif more and code:
            code.append((at, more[1]))
        elif code and not _REMARK.match(line):
            text = _OUT.sub("", line.removeprefix(indent), count=1)
            output.append((at, "" if text.strip() == "<BLANKLINE>" else text))
    pasted.extend(_answer(code, first, output))
    return Cut(tuple(text for _, text in code), tuple(at for at, _ in code), tuple(pasted))


def _answer(code: list[tuple[int, str]], first: int, output: list[tuple[int, str]]) -> list[Pasted]:
    while output and not output[-1][1].strip():
        output = output[:-1]
    if not output or not code:
        return []
    tree = parsed("\n".join(text for _, text in code[first:]))
    node = tree.body[-1] if tree and tree.body else None
    shows = isinstance(node, ast.Expr) and not is_print(node)
    line = first + (node.lineno - 1 if node else 0)
    return [Pasted(FORM, tuple(at for at, _ in output), tuple(text for _, text in output), line, shows)]
