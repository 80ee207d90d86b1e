"""The forms in which comments claim something of the code that they stand beside or below.

`FORMS` is a table: a row says beside which statements its comments stand, how they begin, and what is read behind that. The rows are
asked in order; the first that reads a claim makes it. `BELOW` says what comment lines under code are read as. To add a form, add a row.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from deckgen.extract.claims.code import (
    CodeBlock,
    Comment,
    Statement,
    assigned,
    fits,
    is_literal,
    is_print,
    prints_inside,
    shows_dtype,
)
from deckgen.extract.claims.pasted import REPR, claims_of_output, raised
from deckgen.extract.claims.values import (
    MARKER,
    TRACEBACK,
    is_label,
    is_number,
    leading_dtype,
    leading_value,
    marker,
    stated_shapes,
    without_remarks,
    without_repeated_marks,
)
from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows
from deckgen.model.source import Span
from deckgen.text.pattern import CHINESE, pattern
from deckgen.written import half_width, is_left_out
from deckgen.written.lines import paragraphs
from deckgen.written.values import is_device

Kind = Literal["print", "value", "assignment"]


class Remark(NamedTuple):
    """A comment, and the statement that it is about."""

    text: str
    span: Span
    block: CodeBlock
    statement: Statement
    kind: Kind
    form: str

    @property
    def shown(self) -> ast.expr | None:
        """The expression whose value the statement shows, prints alone, or binds."""
        value: ast.expr | None = getattr(self.statement.node, "value", None)
        if self.kind != "print" or not isinstance(value, ast.Call):
            return value
        return value.args[0] if len(value.args) == 1 else None

    def shows(self, text: str, target: str | None) -> Claim:
        """The claim that an expression has this value; that the statement has it, or prints it, if none is given."""
        line = self.statement.start
        if self.kind == "print" and target is None:
            return Prints(self.span, text, self.form, "beside", line)
        return Shows(self.span, text, self.form, "beside", line, target)


class Form(NamedTuple):
    """A row: a way to write a claim into a comment."""

    name: str
    kinds: tuple[Kind, ...]
    """The statements that it claims something of."""
    cue: re.Pattern[str]
    """How the comment begins."""
    read: Callable[[Remark, re.Match[str]], Claim | None]
    """What is claimed by what follows the cue."""
    example: str
    seen: tuple[str, ...]
    """Where it was met: seeds, or real documents."""


def value(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """`tensor([2, 3])`, `False (因为...)`; not a number beside other words, unless they announce it, nor what the code itself says."""
    rest, node, shown = remark.text[cue.end() :], remark.statement.node, remark.shown
    found = _leading(rest, getattr(node, "value", None))
    if found is None and cue.groupdict().get("strong"):
        rest = rest.rpartition(" = ")[2]  # `must equal 3 * x = 6`
        found = leading_value(rest)
    if found is None and remark.kind == "print" and fits(rest, prints_inside(node)[0]):
        found = rest  # `shape: torch.Size([2])` beside `print("shape:", x.shape)`
    if found is None:
        return None
    if remark.kind != "print":
        tail = half_width(rest[len(found) :]).strip()
        if is_number(found) and not cue.lastgroup and tail and not tail.startswith(("(", "—", "–")):
            return None
        if remark.kind == "assignment" and (_says_it_all(node, found) or is_device(found.strip())):
            return None
        arguments = [*shown.args, *(one.value for one in shown.keywords)] if isinstance(shown, ast.Call) else []
        if any(isinstance(one, ast.Constant) and str(one.value) == found.strip() for one in arguments):
            return None  # `torch.manual_seed(42)  # 42`
    target = assigned(node)
    if target and leading_dtype(found) and not shows_dtype(shown):
        target += ".dtype"  # `x = torch.ones(2)  # torch.float32`
    claim = remark.shows(found, target)
    return replace(claim, rough=True) if cue.lastgroup == "about" else claim


def _says_it_all(node: ast.stmt, found: str) -> bool:
    """True for `lr = 0.1`: nothing is computed that a comment could tell; but what became of `t` by `t[0] = 7` can be told."""
    of_part = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript | ast.Attribute)
    changes = isinstance(node, ast.AugAssign) or (of_part and found.endswith((")", "]", "}")))
    return is_literal(getattr(node, "value", None)) and not changes


def _leading(text: str, shown: ast.expr | None) -> str | None:
    """The value at the start of a text; dtypes need no module where one is shown."""
    return leading_value(text) or (leading_dtype(text) if shows_dtype(shown) else None)


def value_of_name(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """The value of what the cue names. A bare attribute belongs to what was assigned, a name in mid-sentence has to be that."""
    target, line = assigned(remark.statement.node) or "", remark.statement.start
    place, found = cue["place"], leading_value(remark.text[cue.end() :])
    if found is None or (cue["before"].strip() and place != target):
        return None
    if place in _ATTRIBUTES and target and not remark.block.is_bound(place, line):
        place = f"{target}.{place}"
    elif not remark.block.is_bound(place, line):
        return None
    return remark.shows(found, place)


_ATTRIBUTES = frozenset({"dtype", "device", "requires_grad", "is_leaf", "ndim", "grad", "grad_fn", "layout", "shape"})


def shape(remark: Remark, _: re.Match[str]) -> Claim | None:
    """The shape of what was assigned or is shown, or of the name that is said to have it."""
    found, shown, statement = stated_shapes(remark.text), remark.shown, remark.statement
    own = assigned(statement.node)
    if found is None or shown is None or (own is None and leading_value(marker(remark.text)[1]) is not None):
        return None  # a value that is a size is read as a value
    if own is None and (isinstance(shown, ast.Constant | ast.JoinedStr) or statement.in_function):
        return None
    bound = found.of and remark.block.is_bound(found.of, statement.start)
    target = found.of if bound else own or ast.unparse(shown)
    return HasShape(remark.span, found.text, remark.form, "beside", statement.start, target, found.sizes)


def error(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """An exception with its message; not in a `try`, where nothing is raised for good."""
    found = raised(remark.text[cue.end() :])
    if found is None or remark.block.is_tried(remark.statement):
        return None
    message = "" if CHINESE.search(found[1]) else found[1]
    text, line = remark.text.strip(), remark.statement.start
    return Raises(remark.span, text, remark.form, "beside", line, found[0], message)


_SAFE = r"\.(?:item|size|stride|numel|dim|tolist|is_contiguous|nelement|storage_offset|data_ptr)\(\d*\)"
_PLACE = rf"(?P<before>(?:.*?(?<![\w.`(]))??)[`(]?(?P<place>[A-Za-z_]\w*(?:{_SAFE}|\.[A-Za-z_]\w*(?!\()|\[[-\d:, ]+\])*)[`)]?"
_ANY: tuple[Kind, ...] = ("print", "value", "assignment")

FORMS: tuple[Form, ...] = (
    Form(
        "error", _ANY, pattern(r"[\W_]*(?:«claim.fails»(?:\s*«claim.fails_tail»)*\s*:?\s*)*"), error,
        "```python\nx.view(5)  # RuntimeError: shape '[5]' is invalid\n```", ("design: notes claim what raises",),
    ),
    Form(
        "name", ("assignment",), pattern(rf"\s*{_PLACE}\s*(?:==?(?!=)|:|->|=>|→|«claim.is»)\s*", re.DOTALL), value_of_name,
        "```python\ny = x.t()  # y.shape: (2, 3)\n```", ("seed 001", "seed 003"),
    ),
    Form(
        "shape", _ANY, pattern(r".*?(?:«claim.shape»|«claim.scalar»)", re.DOTALL), shape,
        "```python\ny = x.t()  # 结果形状为 (2, 3)\n```", ("seed 001", "seed 003"),
    ),
    Form(
        "words before", ("value", "print"), pattern(r"(?!.*«claim.before»)[^(\[{#]*\w\W*?\s[—–-]\s+(?=tensor\(|torch\.Size\()"), value,
        "```python\nx[0]  # the first row — tensor([1, 2])\n```", ("design: notes say what is shown before its value",),
    ),
    Form("value", _ANY, MARKER, value, "```python\nprint(x)  # 输出: False (因为...)\n```", ("seed 001", "seed 003")),
)  # fmt: skip


def beside(block: CodeBlock) -> Iterator[Claim]:
    """The claims of comments that end a line of code, of each by the first row that reads one."""
    alone = {one.line: one for one in block.comments if one.alone}
    for comment in block.comments:
        statement = next(reversed(block.ending.get(comment.line, [])), None)
        if comment.alone or statement is None:
            continue
        text, stop = _with_open_brackets(block, comment, alone)
        if kind := _kind(statement):
            claim = _read(Remark(text, block.place(comment.line, stop), block, statement, kind, ""))
            yield from (claim,) if claim else ()


def _read(remark: Remark) -> Claim | None:
    """The claim of the first row that reads one."""
    plain = half_width(remark.text)
    for form in FORMS:
        cue = form.cue.match(plain) if remark.kind in form.kinds else None
        if claim := form.read(remark._replace(form=remark.form or form.name), cue) if cue else None:
            return claim
    return None


_LONGEST = 200
"""Lines of a comment."""


def _with_open_brackets(block: CodeBlock, comment: Comment, alone: Mapping[int, Comment]) -> tuple[str, int]:
    """A comment with the comment lines below it that its open brackets need, and the line behind them."""
    depth, first = _depth(comment.text), comment.line + 1
    stop = first
    while depth > 0 and stop in alone and stop < first + _LONGEST and alone[stop].column >= min(comment.column, 4):
        depth += _depth(alone[stop].text)
        stop += 1
    stop = (
        _closing(block, depth, stop, alone) or stop
    )  # lines further left, or behind blank ones, only if they close them
    return "\n".join([comment.text, *_texts(alone, first, stop)]), stop


def _closing(block: CodeBlock, depth: int, stop: int, alone: Mapping[int, Comment]) -> int | None:
    """The line behind the comment lines from `stop` on, blank ones between, that close so many brackets."""
    last = min(len(block.lines), stop + _LONGEST)
    while depth > 0:
        if stop >= last or (stop not in alone and block.lines[stop].strip()):
            return None
        depth += _depth(alone[stop].text) if stop in alone else 0
        stop += 1
    return stop


def _texts(alone: Mapping[int, Comment], start: int, stop: int) -> list[str]:
    """Comment lines, and the blank ones between."""
    return [alone[line].text if line in alone else "" for line in range(start, stop)]


def _depth(text: str) -> int:
    """How many brackets a text leaves open."""
    plain = half_width(text)
    return sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))


def _kind(statement: Statement) -> Kind | None:
    """What kind of claim can stand beside a statement."""
    if is_print(statement.node):
        return "print"
    if assigned(statement.node):
        return None if statement.in_function else "assignment"
    shown = statement.node.value if isinstance(statement.node, ast.Expr) else None
    return None if shown is None or isinstance(shown, ast.Constant | ast.Yield | ast.Await) else "value"


# --- comment lines below code -----------------------------------------------------------------------


class _Run(NamedTuple):
    """Comment lines that follow one another, without the label that opens them, and the statement above them."""

    block: CodeBlock
    statement: Statement
    line: int
    """Of the first of them."""
    texts: Sequence[str]
    labelled: bool
    detached: bool
    """True if a blank line stands above and code directly below: it may belong to what follows."""
    followed: bool
    """True if code stands directly below."""

    def parts(self) -> Iterator[tuple[str, Span]]:
        """Each of the things that they show, and where it stands."""
        for start, stop in paragraphs(self.texts):
            yield "\n".join(self.texts[start:stop]), self.block.place(self.line + start, self.line + stop)


class Below(NamedTuple):
    """A row: what comment lines below a statement claim."""

    name: str
    read: Callable[[str, _Run], Iterator[Claim]]
    example: str
    seen: tuple[str, ...]


def below(block: CodeBlock) -> Iterator[Claim]:
    """The claims of comment lines that stand under the statement that they are about: of the first row that reads some."""
    for run in _runs(block):
        yield from next(filter(None, (list(row.read(row.name, run)) for row in BELOW)), ())


_NAMING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)


def _runs(block: CodeBlock) -> Iterator[_Run]:
    alone = {comment.line: comment for comment in block.comments if comment.alone}
    stop = 0
    for line, first in alone.items():
        if line < stop:
            continue
        stop = _end(alone, line)
        stop = _end(alone, _closing(block, _depth("\n".join(_texts(alone, line, stop))), stop, alone) or stop)
        above = line - 1
        while above >= 0 and not block.lines[above].strip():
            above -= 1
        ending = block.ending.get(above, [])
        texts = without_remarks(_texts(alone, line, stop))
        marked = all(block.lines[at].lstrip().startswith("#>") for at in range(line, stop) if at in alone)
        if marked:
            texts = [text[1:].removeprefix(" ") for text in texts]
        texts = without_repeated_marks(texts)
        is_labelled = is_label(first.text)
        start = line + is_labelled
        if ending and start < stop:
            followed = stop < len(block.lines) and bool(block.lines[stop].strip())
            level = [one for one in ending if one.node.col_offset <= first.column]
            inner = [one for one in level if marked and not isinstance(one.node, _NAMING)]
            statement = next(iter(inner or level), ending[0])  # the outermost one at the comment's own depth
            texts = texts[is_labelled:]
            detached = above != line - 1 and followed
            if any(texts) and not isinstance(statement.node, _NAMING):
                yield _Run(block, statement, start, texts, marked or is_labelled, detached, followed)


def _end(alone: Mapping[int, Comment], line: int) -> int:
    """The line behind comment lines that follow one another."""
    while line in alone:
        line += 1
    return line


def _value(name: str, run: _Run) -> Iterator[Claim]:
    """The value of an expression. All that follows it explains."""
    statement = run.statement
    text, span = next(run.parts())
    rest = marker(text.strip())[1]
    found = _leading(rest, getattr(statement.node, "value", None))
    if found is None or (is_number(found) and found.strip() != rest.strip()) or (run.detached and not run.labelled):
        return
    if _kind(statement) == "value" and not prints_inside(statement.node):
        yield Shows(span, found, name, "below", statement.start, None)


def _assigned(name: str, run: _Run) -> Iterator[Claim]:
    """What an assignment binds; nothing that may be about the code below it, or be code itself."""
    if run.detached or _kind(run.statement) != "assignment":
        return
    text, span = next(run.parts())
    claim = _read(Remark(text, span, run.block, run.statement, "assignment", name))
    if claim is None:
        return
    target = getattr(claim, "target", None) or ""
    before, _, behind = text.partition(claim.text)
    if behind.lstrip()[:1].isalpha():  # `# tensor([2]) is the other row` tells of something else
        return
    before = before.strip(" :=->→⇒")
    certain = REPR.match(claim.text) and before in ("", target)  # `# gives tensor(3)` may be about what follows
    of_one = target.startswith("(") and isinstance(claim, Shows) and claim.text[:1] not in "(["
    if not of_one and (certain or not (run.followed or _BINDS.match(text))):
        yield replace(claim, place="below")


_BINDS = pattern(r"\s*[\w.]+\s*=(?!=)")
"""How code begins that is left out by a `#`."""


def _output(name: str, run: _Run) -> Iterator[Claim]:
    """What statements write, or functions that they call, as far as it reads as that; under a label all lines are."""
    block, statement, texts = run.block, run.statement, run.texts
    node, start = statement.node, statement.start
    prints = prints_inside(node)
    first = next(run.parts())[0]
    code_line: int | None = start
    if not first.startswith(TRACEBACK) and (run.labelled or not raised(first) or block.is_tried(statement)):
        if not prints and not isinstance(node, ast.Expr):
            return
        count = _output_lines(_prints_in_reach(block, statement), texts)
        if run.labelled and not (
            prints and count and run.followed
        ):  # a remark on the code below stands below the output
            count = len(texts)
        if not count or (run.detached and not run.labelled):
            return
        sign, rest = marker(texts[0])
        texts = [rest if prints and sign == "strong" else texts[0], *texts[1:count]]
        code_line = start if prints else None
    claims = list(claims_of_output(texts, block.sources[run.line :], name, "below", code_line))
    lines = [code_line] * len(claims)
    if len(claims) > 1 and is_print(node) and not fits("\n".join(texts), prints[0]):
        row = [one for one in block.statements if one.start <= start and is_print(one.node)]
        row = [one for one in row if one.node.col_offset == node.col_offset][-len(claims) :]
        above = (one.node for one in block.statements if one.start < start and not is_print(one.node))
        if len(row) == len(claims):
            lines = [one.start for one in row]
        elif any(map(prints_inside, above)):
            lines = [None] * len(claims)  # a function or a loop prints, too: they are in order of output
    elif run.labelled and code_line is not None and not any(fits(texts[0], call) for call in prints):
        if any(prints_inside(one.node) for one in block.statements if one.start < start):
            lines = [None] * len(claims)  # the prints above wrote the first of them
    for claim, line in zip(claims, lines, strict=True):
        yield replace(claim, code_line=line)


def _prints_in_reach(block: CodeBlock, last: Statement) -> list[ast.Call]:
    """The prints of a statement, of the row of prints that it ends, and of the functions above, which it may call."""
    row = [one for one in block.statements if one.start < last.start and isinstance(one.node, ast.FunctionDef)]
    above: Statement | None = last
    while above:
        row.append(above)
        ending = block.ending.get(above.start - 1, ())
        column = above.node.col_offset
        above = next((one for one in ending if is_print(one.node) and one.node.col_offset == column), None)
    return [call for one in row for call in prints_inside(one.node)]


def _output_lines(calls: Sequence[ast.Call], texts: Sequence[str]) -> int:
    """How many of the first comment lines read as output of these prints: values, or what one of them writes."""
    count = 0
    for start, stop in paragraphs(texts) if calls else ():
        text = "\n".join(texts[start:stop])
        sign, rest = marker(text)
        plain = (rest if sign == "strong" else text).strip()
        value = leading_value(plain) or (any(map(shows_dtype, calls)) and leading_dtype(plain) == plain) or None
        if value is None and not is_left_out(text) and not any(fits(text, call) for call in calls):
            break
        count = stop
    return count


BELOW: tuple[Below, ...] = (
    Below("value-below", _value, "```python\nx + 1\n# tensor([2])\n```", ("seed 001", "seed 003")),
    Below("output-below", _output, "```python\nfor a in b:\n    print(a)\n# 1\n# 2\n```", ("seed 001", "seed 003")),
    Below(
        "assigned-below", _assigned, "```python\nx = y + 1\n# tensor([2])\n```", ("design: notes tell what they bind",)
    ),
)
