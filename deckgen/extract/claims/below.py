"""Output in comment lines below code: of a print, of a row of them, of a loop, of functions that were called; or a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.extract.claims.code import CodeBlock, Comment, Statement, assigned, fits, is_print, prints_inside
from deckgen.extract.claims.forms import Remark, kind_of, read
from deckgen.extract.claims.pasted import TRACEBACK, claims_of_output, raised
from deckgen.extract.claims.values import is_label, is_number, leading_value, marker
from deckgen.model.claim import Claim, Prints, Raises, Shows
from deckgen.written import is_left_out
from deckgen.written.lines import paragraphs


class BelowForm(NamedTuple):
    """A row: what comment lines below a statement claim."""

    name: str
    example: str
    seen: tuple[str, ...]


BELOW = (
    BelowForm("output-below", "for a in b:\n    print(a)\n# 1\n# 2", ("seed 001", "seed 003")),
    BelowForm("value-below", "x + 1\n# tensor([2])", ("seed 001", "seed 003")),
)
FORM, VALUE = (row.name for row in BELOW)


class _Run(NamedTuple):
    """Comment lines that follow one another, without the label that opens them, and the statement above them."""

    statement: Statement
    comments: tuple[Comment, ...]
    labelled: bool
    detached: bool
    """True if a blank line stands above and code directly below: it may belong to what follows."""
    followed: bool
    """True if code stands directly below."""


def below(block: CodeBlock) -> Iterator[Claim]:
    """The claims of comment lines that stand under the statement that they are about."""
    for run in _runs(block):
        node = run.statement.node
        if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            continue
        texts = [comment.text for comment in run.comments]
        sources = [block.sources[comment.line] for comment in run.comments]
        first = "\n".join(texts[slice(*next(paragraphs(texts), (0, 0)))])
        caught = not block.tried.isdisjoint(range(run.statement.start, run.statement.stop))
        if (raised(first) and not caught and not run.labelled) or first.startswith(TRACEBACK):
            yield from claims_of_output(texts, sources, FORM, "below", run.statement.start)
        elif prints_inside(node):
            yield from _printed(block, run, texts, sources)
        elif isinstance(node, ast.Expr):
            yield from list(_shown(block, run, texts, sources)) or _printed_by_functions(block, run, texts, sources)
        elif assigned(node) and not run.statement.in_function:
            for start, stop in paragraphs(texts):
                span = block.place(run.comments[start].line, run.comments[stop - 1].line + 1)
                yield from read(Remark("\n".join(texts[start:stop]), span, block, run.statement, "assignment", "below"))


def _runs(block: CodeBlock) -> Iterator[_Run]:
    alone = {comment.line: comment for comment in block.comments if comment.alone}
    for line, first in alone.items():
        if line - 1 in alone:
            continue
        comments = [first]
        while comments[-1].line + 1 in alone:
            comments.append(alone[comments[-1].line + 1])
        above = line - 1
        while above >= 0 and not block.lines[above].strip():
            above -= 1
        ending = block.ending.get(above, [])
        level = [
            one for one in ending if one.node.col_offset <= first.column
        ]  # the outermost one at the comment's own depth
        labelled = is_label(first.text)
        comments = comments[1:] if labelled else comments
        if ending and comments:
            after = comments[-1].line + 1
            followed = after < len(block.lines) and bool(block.lines[after].strip())
            statement = level[-1] if level else ending[0]
            yield _Run(statement, tuple(comments), labelled, above != line - 1 and followed, followed)


def _shown(block: CodeBlock, run: _Run, texts: Sequence[str], sources: Sequence[int]) -> Iterator[Claim]:
    """The value of an expression; several are what it prints. All that follows the last value explains."""
    values: list[tuple[int, int, str]] = []
    for start, stop in paragraphs(texts):
        text = "\n".join(texts[start:stop]).strip()
        rest = marker(text)[1]
        value = leading_value(rest)
        if value is None or (is_number(value) and value.strip() != rest.strip()):
            break
        values.append((start, stop, value))
    if not values or kind_of(run.statement) is None or (run.detached and not run.labelled):
        return
    for start, stop, value in values:
        span = block.place(run.comments[start].line, run.comments[stop - 1].line + 1)
        line = run.statement.start
        if len(values) > 1:
            yield Prints(span=span, text=value, form=FORM, place="below", code_line=line)
        else:
            yield Shows(span=span, text=value, form=VALUE, place="below", code_line=line, target=None)


def _printed_by_functions(block: CodeBlock, run: _Run, texts: Sequence[str], sources: Sequence[int]) -> Iterator[Claim]:
    """Below a call: what functions above print; under a label all lines are output."""
    calls = _prints_in_reach(block, run.statement)
    count = len(texts) if run.labelled else _output_lines(calls, texts) if calls and not run.detached else 0
    yield from claims_of_output(texts[:count], sources, FORM, "below", None)


def _printed(block: CodeBlock, run: _Run, texts: Sequence[str], sources: Sequence[int]) -> Iterator[Claim]:
    """Lines under statements that print, as far as they read as output; under a label all are."""
    count = _output_lines(_prints_in_reach(block, run.statement), texts)
    if run.labelled and not (count and run.followed):  # a remark on the code below stands below the output
        count = len(texts)
    if count == 0 or (run.detached and not run.labelled):
        return
    sign, rest = marker(texts[0])
    texts = [rest if sign == "strong" else texts[0], *texts[1:count]]
    claims = list(claims_of_output(texts, sources, FORM, "below", run.statement.start))
    last = run.statement
    lines = [last.start] * len(claims)
    if len(claims) > 1 and is_print(last.node) and not fits("\n".join(texts), last.node.value):  # type: ignore[attr-defined]
        row = [
            one.start
            for one in block.statements
            if is_print(one.node) and one.start <= last.start and one.node.col_offset == last.node.col_offset
        ]
        lines = row[-len(claims) :] if len(row) >= len(claims) else lines
    for claim, line in zip(claims, lines, strict=True):
        if isinstance(claim, Prints | Raises):
            yield replace(claim, code_line=line)


def _prints_in_reach(block: CodeBlock, last: Statement) -> list[ast.Call]:
    """The prints of a statement, of the row of prints that it ends, and of the functions above, which it may call."""
    row: list[Statement] = []
    above: Statement | None = last
    while above:
        row.insert(0, above)
        ending = block.ending.get(above.start - 1, ())
        column = above.node.col_offset
        above = next((one for one in ending if is_print(one.node) and one.node.col_offset == column), None)
    functions = [one for one in block.statements if one.start < last.start and isinstance(one.node, ast.FunctionDef)]
    return [call for one in (*row, *functions) for call in prints_inside(one.node)]


def _output_lines(calls: Sequence[ast.Call], texts: Sequence[str]) -> int:
    """How many of the first comment lines read as output of these prints: values, or what one of them writes."""
    count = 0
    for start, stop in paragraphs(texts):
        text = "\n".join(texts[start:stop])
        sign, rest = marker(text)
        value = leading_value((rest if sign == "strong" else text).strip())
        if value is None and not is_left_out(text) and not any(fits(text, call) for call in calls):
            break
        count = stop
    return count
