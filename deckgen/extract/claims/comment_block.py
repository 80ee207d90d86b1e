"""Comment lines under a statement: `# tensor([...])` after an expression, a block after a loop, `# y =` and a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.extract.claims.comment_prints import FORM, Block, plainly_output, printed, said
from deckgen.extract.claims.pasted import claims_of_output
from deckgen.extract.claims.raising import exception_in
from deckgen.extract.claims.reading import Comment, Names, Reading, Statement, assigned, prints_inside
from deckgen.extract.claims.trailing_assignment import about_names, labelled_value
from deckgen.extract.claims.words import bare_number, is_label, marker, value_then_reason
from deckgen.model.claim import Claim, Prints, Raises, Shows
from deckgen.text.pattern import pattern
from deckgen.written.lines import paragraphs


def find(reading: Reading) -> Iterator[Claim]:
    """Claims of comment lines that stand under the statement that they are about."""
    for block in _blocks(reading):
        yield from _claims(reading, block)


def _blocks(reading: Reading) -> Iterator[Block]:
    alone = {c.line: c for c in reading.comments if c.alone}
    line = 0
    while line < len(reading.code):
        if line not in alone:
            line += 1
            continue
        run = [alone[line]]
        while (follows := _next(reading, alone, run[-1].line)) is not None:
            run.append(alone[follows])
        line = run[-1].line + 1
        yield from _split(reading, run)


def _next(reading: Reading, alone: dict[int, Comment], line: int) -> int | None:
    return line + 1 if line + 1 in alone else None


def _split(reading: Reading, run: Sequence[Comment]) -> Iterator[Block]:
    statement, blank_above = _above(reading, run[0])
    if statement is None:
        return
    labelled = is_label(run[0].text)
    lines = run[1:] if labelled else run
    after = run[-1].line + 1
    code_below = after < len(reading.code) and bool(reading.code[after].strip())
    if lines:
        yield Block(statement, tuple(lines), labelled, blank_above and code_below, code_below)


def _above(reading: Reading, first: Comment) -> tuple[Statement | None, bool]:
    """The statement that ends above a comment: the outermost one at the comment's own depth."""
    line = first.line - 1
    while line >= 0 and not reading.code[line].strip():
        line -= 1
    ending = reading.ending.get(line, [])
    level = [s for s in ending if s.node.col_offset <= first.column]
    return (level[-1] if level else ending[0] if ending else None), line != first.line - 1


def _claims(reading: Reading, block: Block) -> Iterator[Claim]:
    node = block.statement.node
    if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return
    texts = _closed([comment.text for comment in block.comments])
    lines = [comment.line for comment in block.comments]
    if block.labelled and len(texts) > 1 and _raising(texts[0]) and prints_inside(node):
        yield from printed(reading, block, texts, lines)  # errors that were caught, and told of
    elif _raising(texts[0]) or texts[0].startswith("Traceback (most"):
        yield from _raises(reading, block, texts, lines)
        if _WARNED.match(texts[0]) and len(texts) > 1:  # and the value comes all the same
            yield from _claims(reading, replace(block, comments=block.comments[1:]))
    elif prints_inside(node):
        yield from printed(reading, block, texts, lines)
    elif isinstance(node, ast.Expr):
        shown = list(_shown(reading, block, texts, lines))
        yield from shown or said(reading, block, texts, lines)
    elif assigned(node) and block.statement.inside != "def":
        yield from _named(reading, block, texts, lines)


_OPENS_TENSOR = pattern(r"\s*tensor\(\[")


def _closed(texts: list[str]) -> list[str]:
    """With the last bracket of a tensor that somebody forgot: `# tensor([[1, 2],` and `#         [3, 4]]`."""
    missing = sum(text.count("(") - text.count(")") for text in texts)
    square = sum(text.count("[") - text.count("]") for text in texts)
    forgot = missing == 1 and square == 0 and _OPENS_TENSOR.match(texts[0]) and texts[-1].rstrip().endswith("]")
    return [*texts[:-1], f"{texts[-1].rstrip()})"] if forgot else texts


_WARNED = pattern(r"\s*(?:\w+\.)*\w*Warning\b")


def _raising(text: str) -> bool:
    named = exception_in(text)
    return named is not None and named[0] != ""


def _raises(reading: Reading, block: Block, texts: list[str], lines: list[int]) -> Iterator[Claim]:
    start = block.statement.start
    if texts[0].startswith("Traceback"):
        yield from claims_of_output(texts, [reading.lines[n] for n in lines], FORM, start)
        return
    named = exception_in(texts[0])
    if named:
        yield Raises(
            id="", span=reading.place(lines[0]), text=texts[0].strip(), form=FORM, code_line=start,
            exception=named[0], message=named[1],
        )  # fmt: skip


def _shown(reading: Reading, block: Block, texts: list[str], lines: list[int]) -> Iterator[Claim]:
    values = _values(texts)
    if not values or (block.detached and not block.labelled and not plainly_output(texts)):
        return
    node = block.statement.node
    parts = node.value.elts if isinstance(node, ast.Expr) and isinstance(node.value, ast.Tuple) else []
    for index, (start, stop, text) in enumerate(values):
        target = ast.unparse(parts[index]) if len(parts) == len(values) > 1 else None
        span = reading.place(lines[start], lines[stop - 1] + 1)
        if len(values) > 1 and target is None:
            yield Prints(id="", span=span, text=text, form=FORM, code_line=block.statement.start)
        else:
            yield Shows(id="", span=span, text=text, form=FORM, code_line=block.statement.start, target=target)


def _values(texts: Sequence[str]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for start, stop in paragraphs(texts):
        text = marker("\n".join(texts[start:stop]))
        value = value_then_reason((text[1] if text[0] else "\n".join(texts[start:stop])).strip())
        if value is None or (bare_number(value) and value.strip() != text[1].strip()):
            break
        found.append((start, stop, value))
    return found


def _named(reading: Reading, block: Block, texts: list[str], lines: list[int]) -> Iterator[Claim]:
    """`# y =` and a value on the next lines, `# y.shape: (2, 3)`, or a whole literal under `y = ...`."""
    names = Names(reading, block.statement.start)
    joined, places = _joined(texts, names)
    for text, (start, stop) in zip(joined, places, strict=True):
        labelled = labelled_value(text, assigned(block.statement.node) or "", names)
        strong = marker(text)[0] == "strong" or "tensor(" in text or "shape" in text or "形状" in text
        if not (labelled or block.labelled or (strong and not block.detached)):
            break
        span = reading.place(lines[start], lines[stop - 1] + 1)
        claim = about_names(reading, block.statement, text, FORM, span)
        if claim is None:
            break
        yield claim


_NAME_ANNOUNCED = pattern(
    r"\s*([^\W\d][a-zA-Z0-9_]*)\s*(?:(?:的|现在)*(?:值|结果|内容|输出)?(?:变)?(?:为|是|如下)?|is now|is|becomes|now)\s*[=:：]\s*"
)


def _joined(texts: list[str], names: Names) -> tuple[list[str], list[tuple[int, int]]]:
    """Paragraphs, with `y =` put before the value that follows it."""
    joined: list[str] = []
    places: list[tuple[int, int]] = []
    for start, stop in paragraphs(texts):
        text = "\n".join(texts[start:stop])
        announced = _NAME_ANNOUNCED.fullmatch(joined[-1]) if joined else None
        if announced and announced[1] in names:
            joined[-1], places[-1] = f"{announced[1]} =\n{text}", (start, stop)
        else:
            joined.append(text)
            places.append((start, stop))
    return joined, places
