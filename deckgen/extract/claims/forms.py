"""The forms in which comments claim something of the code that they stand beside or below.

`FORMS` is a table: a row says beside which statements its comments stand, how they begin, and what is read behind that. The rows are
asked in order; the first that reads a claim makes it. To add a form, add a row.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from deckgen.extract.claims.code import (
    CodeBlock,
    Comment,
    Statement,
    assigned,
    fits,
    is_literal,
    is_print,
)
from deckgen.extract.claims.pasted import raised
from deckgen.extract.claims.values import MARKER, is_number, leading_value, marker, stated_shapes
from deckgen.model.claim import Claim, ClaimPlace, HasShape, Prints, Raises, Shows
from deckgen.model.source import Span
from deckgen.text.pattern import CHINESE, pattern
from deckgen.written import half_width
from deckgen.written.values import is_device

Kind = Literal["print", "value", "assignment"]


class Remark(NamedTuple):
    """A comment, and the statement that it is about."""

    text: str
    span: Span
    block: CodeBlock
    statement: Statement
    kind: Kind
    place: ClaimPlace
    form: str = ""

    @property
    def shown(self) -> ast.expr | None:
        """The expression whose value the statement shows, prints alone, or binds."""
        value: ast.expr | None = getattr(self.statement.node, "value", None)
        if self.kind != "print" or not isinstance(value, ast.Call):
            return value
        return value.args[0] if len(value.args) == 1 else None

    def shows(self, text: str, target: str | None = None, *, rough: bool = False) -> Claim:
        """The claim that an expression has this value; that the statement has it, or prints it, if none is given."""
        line = self.statement.start
        if self.kind == "print" and target is None:
            return Prints(span=self.span, text=text, form=self.form, place=self.place, rough=rough, code_line=line)
        return Shows(
            span=self.span, text=text, form=self.form, place=self.place, rough=rough, code_line=line, target=target
        )  # fmt: skip


class Form(NamedTuple):
    """A row: a way to write a claim into a comment."""

    name: str
    kinds: tuple[Kind, ...]
    """The statements that it claims something of."""
    cue: str
    """An expression for how the comment begins."""
    read: Callable[[Remark, re.Match[str]], Claim | None]
    """What is claimed by what follows the cue."""
    example: str
    seen: tuple[str, ...]
    """Where it was met: seeds, or real documents."""
    below: bool = False
    """True if it is read in comment lines of their own, too."""


def value(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """`tensor([2, 3])`, `False (因为...)`; not a number beside other words, unless they announce it, nor what the code itself says."""
    rest = remark.text[cue.end() :]
    found = leading_value(rest)
    if found is None:
        return None
    node, shown = remark.statement.node, remark.shown
    if remark.kind != "print":
        tail = half_width(rest[len(found) :]).strip()
        if is_number(found) and not cue.lastgroup and tail and not tail.startswith("("):
            return None
        if isinstance(node, ast.Assign | ast.AnnAssign) and (is_literal(shown) or is_device(found.strip())):
            return None
        arguments = shown.args if isinstance(shown, ast.Call) else []
        if any(isinstance(one, ast.Constant) and str(one.value) == found.strip() for one in arguments):
            return None  # `torch.manual_seed(42)  # 42`
    return remark.shows(found, assigned(node), rough=cue.lastgroup == "about")


def words(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """The words that a print writes, where it writes them."""
    text = remark.text[cue.end() :].strip()
    return remark.shows(text) if fits(text, remark.statement.node.value) else None  # type: ignore[attr-defined]  # it is a print


def value_of_name(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """The value of what the cue names. A bare attribute belongs to what was assigned, a name in mid-sentence has to be that."""
    target, line = assigned(remark.statement.node) or "", remark.statement.start
    place, found = cue["place"], leading_value(remark.text[cue.end() :])
    if found is None or (cue["before"].strip() and place != target):
        return None
    if place in _ATTRIBUTES and target and not remark.block.is_bound(place, line):
        return remark.shows(found, f"{target}.{place}")
    return remark.shows(found, place) if remark.block.is_bound(_root(place), line) else None


_ATTRIBUTES = frozenset({"dtype", "device", "requires_grad", "is_leaf", "ndim", "grad", "grad_fn", "layout", "shape"})


def _root(place: str) -> str:
    return re.split(r"[.\[]", place)[0]


def shape(remark: Remark, _: re.Match[str]) -> Claim | None:
    """The shape of what was assigned or is shown, or of the name that is said to have it."""
    found, shown, node = stated_shapes(remark.text), remark.shown, remark.statement.node
    own = assigned(node)
    if found is None or shown is None or (own is None and leading_value(marker(remark.text)[1]) is not None):
        return None  # a value that is a size is read as a value
    if own is None and (isinstance(shown, ast.Constant | ast.JoinedStr) or remark.statement.in_function):
        return None
    bound = found.of and remark.block.is_bound(_root(found.of), remark.statement.start)
    return HasShape(
        span=remark.span, text=found.text, form=remark.form, place=remark.place, code_line=remark.statement.start,
        target=found.of if bound else own or ast.unparse(shown), shapes=found.sizes,
    )  # fmt: skip


def error(remark: Remark, cue: re.Match[str]) -> Claim | None:
    """An exception with its message; not in a `try`, where nothing is raised for good."""
    found = raised(remark.text[cue.end() :])
    if found is None or not remark.block.tried.isdisjoint(range(remark.statement.start, remark.statement.stop)):
        return None
    return Raises(
        span=remark.span, text=remark.text.strip(), form=remark.form, place=remark.place, code_line=remark.statement.start,
        exception=found[0], message="" if CHINESE.search(found[1]) else found[1],
    )  # fmt: skip


_SAFE = r"\.(?:item|size|stride|numel|dim|tolist|is_contiguous|nelement|storage_offset|data_ptr)\(\d*\)"
_PLACE = rf"(?P<before>(?:.*?(?<![\w.`(]))??)[`(]?(?P<place>[A-Za-z_]\w*(?:{_SAFE}|\.[A-Za-z_]\w*(?!\()|\[[-\d:, ]+\])*)[`)]?"
_ANY: tuple[Kind, ...] = ("print", "value", "assignment")

FORMS: tuple[Form, ...] = (
    Form(
        "error", _ANY, r"[\W_]*(?:«claim.fails»(?:\s*«claim.fails_tail»)*\s*:?\s*)*", error,
        "x.view(5)  # RuntimeError: shape '[5]' is invalid", (),
    ),
    Form(
        "name", ("assignment",), rf"\s*{_PLACE}\s*(?:==?(?!=)|:|->|=>|→|«claim.is»)\s*", value_of_name,
        "y = x.t()  # y.shape: (2, 3)", ("seed 001", "seed 003"), below=True,
    ),
    Form(
        "shape", _ANY, r".*?(?:«claim.shape»|«claim.scalar»)", shape,
        "y = x.t()  # 结果形状为 (2, 3)", ("seed 001", "seed 003"),
    ),
    Form("value", _ANY, MARKER, value, "print(x)  # 输出: False (因为...)", ("seed 001", "seed 003")),
    Form("words", ("print",), MARKER, words, "print('a', n)  # a 3", ()),
)  # fmt: skip
_CUES = {form.name: pattern(form.cue, re.DOTALL) for form in FORMS}


def beside(block: CodeBlock) -> Iterator[Claim]:
    """The claims of comments that end a line of code."""
    for comment in block.comments:
        ending = [] if comment.alone else block.ending.get(comment.line, [])
        kind = kind_of(ending[-1]) if ending else None
        if kind:
            text, stop = _continued(block, comment)
            yield from read(Remark(text, block.place(comment.line, stop), block, ending[-1], kind, "beside"))


def read(remark: Remark) -> Iterator[Claim]:
    """The claim of the first row that reads one."""
    plain = half_width(remark.text)
    for form in FORMS:
        if remark.kind in form.kinds and (remark.place == "beside" or form.below):
            cue = _CUES[form.name].match(plain)
            claim = form.read(remark._replace(form=form.name), cue) if cue else None
            if claim:
                yield claim
                return


def kind_of(statement: Statement) -> Kind | None:
    """What kind of claim can stand beside a statement."""
    if is_print(statement.node):
        return "print"
    if assigned(statement.node):
        return None if statement.in_function else "assignment"
    shown = statement.node.value if isinstance(statement.node, ast.Expr) else None
    return None if shown is None or isinstance(shown, ast.Constant | ast.Yield | ast.Await) else "value"


def _continued(block: CodeBlock, comment: Comment) -> tuple[str, int]:
    """A comment with the comment lines below it that its open brackets need; and the line where it stops."""
    text, stop = comment.text, comment.line + 1
    below = (
        {one.line: one.text for one in block.comments if one.alone and one.column >= min(comment.column, 4)}
        if _is_open(text)
        else {}
    )
    while _is_open(text) and stop in below and stop - comment.line < 200:
        text += "\n" + below[stop]
        stop += 1
    return text, stop


def _is_open(text: str) -> bool:
    plain = half_width(text)
    return sum(map(plain.count, "([{")) > sum(map(plain.count, ")]}"))
