"""Comment lines under prints: the output of a print, of a row of them, of a loop, or of functions that were called."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from deckgen.extract.claims.pasted import claims_of_output
from deckgen.extract.claims.reading import Comment, Reading, Statement, Template, is_print, prints_inside, template
from deckgen.extract.claims.trailing_print import fills
from deckgen.extract.claims.words import marker, value_then_reason
from deckgen.model.claim import Claim, Prints, Raises
from deckgen.text.syntax import nodes
from deckgen.written import is_left_out
from deckgen.written.lines import paragraphs

FORM = "comment-block"


@dataclass(frozen=True, slots=True)
class Block:
    """Comment lines that follow one another, the statement above them, and whether a label opened them."""

    statement: Statement
    comments: tuple[Comment, ...]
    labelled: bool
    detached: bool
    """True if a blank line stands above and code directly below: it may belong to what follows."""
    followed: bool = False
    """True if code stands directly below."""


def printed(reading: Reading, block: Block, texts: list[str], lines: list[int]) -> Iterator[Claim]:
    """Claims of lines under statements that print, as far as they read as output."""
    count = _output_lines(_printing(reading, block.statement), texts)
    if block.labelled and not (count and block.followed):  # a remark on the code below stands below the output
        count = len(texts)
    if count == 0 or (block.detached and not block.labelled and not plainly_output(texts[:count])):
        return
    sources = [reading.lines[line] for line in lines[:count]]
    texts = [marker(texts[0])[1] if marker(texts[0])[0] == "strong" else texts[0], *texts[1:count]]
    claims = list(claims_of_output(texts, sources, FORM, block.statement.start))
    one = _written_by_last(block.statement, texts)
    above = [block.statement.start] * len(claims) if one else _prints_above(reading, block.statement, len(claims))
    for claim, line in zip(claims, above, strict=False):
        if isinstance(claim, Prints | Raises):
            yield claim if claim.code_line == line else replace(claim, code_line=line)


def _written_by_last(last: Statement, texts: Sequence[str]) -> bool:
    """True if the lines together are what the one print right above them writes."""
    whole = (
        template(last.node.value) if isinstance(last.node, ast.Expr) and isinstance(last.node.value, ast.Call) else None
    )
    return is_print(last.node) and whole is not None and whole.matches("\n".join(texts))


def said(reading: Reading, block: Block, texts: list[str], lines: list[int]) -> Iterator[Claim]:
    """Lines under `# Output:` are output, whatever they say, if anything above them prints; else if they fit it."""
    if not _prints_within(reading, block.statement):
        return
    count = len(texts) if block.labelled else _output_lines(_printing(reading, block.statement), texts)
    if count and (block.labelled or not block.detached):
        yield from claims_of_output(texts[:count], [reading.lines[line] for line in lines], FORM, None)


def _prints_within(reading: Reading, last: Statement) -> bool:
    """True if code above prints from within a function, a loop or a `try`."""
    return any(s.start < last.start and not is_print(s.node) and _has_print(s.node) for s in reading.statements)


def _has_print(node: ast.stmt) -> bool:
    return any(
        isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "print"
        for inner in nodes(node)
    )


def _prints_above(reading: Reading, last: Statement, count: int) -> list[int | None]:
    """The code line of each of the claims under a row of prints; all of them `last` where it is a loop."""
    taken = {comment.line for comment in reading.comments if not comment.alone}
    row = [
        s
        for s in reading.statements
        if is_print(s.node) and s.start <= last.start and s.node.col_offset == last.node.col_offset
        and s.inside == last.inside
    ]  # fmt: skip
    free = [s.start for s in row if s.stop - 1 not in taken]
    prints = free if len(free) >= count else [s.start for s in row]  # those told of beside them are listed once more
    if count < 2 or not is_print(last.node) or len(prints) < count:
        within = count > len(prints) and is_print(last.node) and _prints_within(reading, last)
        return [None if within else last.start] * count
    return [*prints[-count:]]


def _printing(reading: Reading, last: Statement) -> list[ast.Call]:
    """The prints of a statement, and of the row of prints that it ends."""
    row = [last]
    while above := _print_above(reading, row[-1]):
        row.append(above)
    row.reverse()
    return [call for one in [*row, *_functions(reading, last)] for call in prints_inside(one.node)]


def _print_above(reading: Reading, below: Statement) -> Statement | None:
    """The print that ends on the line above a statement, at the same depth."""
    ending = reading.ending.get(below.start - 1, ())
    return next((one for one in ending if is_print(one.node) and one.node.col_offset == below.node.col_offset), None)


def _functions(reading: Reading, last: Statement) -> list[Statement]:
    """Functions above: a call may print what they print."""
    return [s for s in reading.statements if s.start < last.start and isinstance(s.node, ast.FunctionDef)]


def _output_lines(calls: Sequence[ast.Call], texts: Sequence[str]) -> int:
    """How many of the first comment lines read as output of these prints."""
    patterns = [p for call in calls if (p := template(call))]
    parts = list(paragraphs(texts))
    at = count = 0
    while at < len(parts):
        start, stop = parts[at]
        text = "\n".join(texts[start:stop])
        if _is_output(text) or any(fills(text, call) for call in calls):
            at += 1
        elif size := _filled(patterns, [texts[start:last] for _, last in parts[at : at + _MOST_PARTS]]):
            at += size
        else:
            break
        count = parts[at - 1][1]
    return count


_MOST_PARTS = 4
"""Of what one print writes: `print(f"x:\\n{x}, y:\\n{y}")`."""


def _filled(patterns: Sequence[Template], texts: Sequence[Sequence[str]]) -> int:
    """How many parts together are what one print writes; 0 if they are not."""
    sizes = (size for size, lines in enumerate(texts, 1) if any(one.matches("\n".join(lines)) for one in patterns))
    return next(sizes, 0)


def _is_output(text: str) -> bool:
    rest = marker(text)[1] if marker(text)[0] == "strong" else text
    return is_left_out(text) or value_then_reason(rest.strip()) is not None


def plainly_output(texts: Sequence[str]) -> bool:
    """True if the first line can be nothing but output: `tensor(...)`, `Linear(...)`."""
    return "(" in texts[0] and value_then_reason(texts[0]) is not None
