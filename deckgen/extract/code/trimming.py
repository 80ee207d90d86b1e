"""The code of a card without what is no part of its question: statements without effect, names that nobody uses,
comments that give the answer away. Its key was made before, and the card's own run proves that it still prints the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from deckgen.extract.code.statements import RANDOM, Statement, statements
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed
from deckgen.written import half_width

_ASKING = frozenset(
    "size dim numel nelement stride is_contiguous element_size data_ptr storage_offset item tolist keys values items".split()
)
"""Methods that only tell something."""
_ACTING = pattern(
    r"_$|^(?:set_|register|load|save|backward|step|zero_grad|append|extend|pop|update|train|eval|apply|init|use_|enable|next)"
)
"""Names of functions that change something, or may."""


def trimmed(code: str, target: str, answer: str) -> str:
    """The code as a card shows it, which asks for `target` (empty: for what is printed) and is answered with `answer`."""
    lines = code.split("\n")
    for comment in comments(code):
        if _gives_away(comment.text, answer):
            lines[comment.line] = lines[comment.line][: comment.column].rstrip() or _GONE
    if parsed(code) is not None:
        for at in _idle_lines(code, target):
            lines[at] = _GONE
    return "\n".join(line for line in lines if line is not _GONE).strip("\n")


_GONE = "\0"


def _idle_lines(code: str, target: str) -> set[int]:
    """The lines of statements that could as well not be there, and of the comments right above these."""
    body = [*(statements(code) or ())]
    taken = [one for one in body if sum(not set(one.lines).isdisjoint(other.lines) for other in body) == 1]
    gone: set[int] = set()
    wanted = set(re.findall(r"[^\W\d]\w*", target))
    used = wanted.union(*(one.loads for one in body[-1:]))
    for one in reversed(body[:-1]):
        if one in taken and (_shows_only(one) or _is_unused(one, used)):
            gone |= set(one.lines)
        else:
            used |= one.loads | one.changes
    return gone | set(_remarks_above(code, gone))


def _shows_only(statement: Statement) -> bool:
    """An expression that is neither printed nor does anything: `x.shape` in the middle of a script."""
    if not isinstance(statement.node, ast.Expr):
        return False
    calls = [one for one in nodes(statement.node) if isinstance(one, ast.Call)]
    inert = not any(
        isinstance(one, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr) for one in nodes(statement.node)
    )
    return inert and all(isinstance(one.func, ast.Attribute) and one.func.attr in _ASKING for one in calls)


def _is_unused(statement: Statement, used: set[str]) -> bool:
    """A name that nothing below uses, bound to what is made without changing anything or drawing a random number."""
    node = statement.node
    if not isinstance(node, ast.Assign | ast.AnnAssign) or statement.binds & used or statement.changes:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if not statement.binds or not all(isinstance(one, ast.Name) for one in targets):
        return False
    return all(map(_is_harmless, (one for one in nodes(node) if isinstance(one, ast.Call))))


def _is_harmless(call: ast.Call) -> bool:
    """True for `torch.zeros(2)` and `x.view(2)`; false for classes, whose weights are drawn, and for functions of the notes."""
    function = call.func
    if not isinstance(function, ast.Attribute) or any(one.arg in ("out", "inplace") for one in call.keywords):
        return False
    return not (RANDOM.search(function.attr) or _ACTING.search(function.attr) or function.attr[:1].isupper())


def _remarks_above(code: str, gone: set[int]) -> Iterator[int]:
    alone = {one.line for one in comments(code) if not code.split("\n")[one.line][: one.column].strip()}
    for at in gone:
        above = at - 1
        while above in alone:
            yield above
            above -= 1


_WRAPPED = pattern(
    r"^(?:(?:torch\.)?(?:tensor|Size|array|device|Parameter)\(|[\[(])+|(?:[\])]|,(?:dtype|device|grad_fn|requires_grad)=.*)+$"
)
_NUMBER = pattern(r"(?<![\w.])-?\d+\.\d*(?:e[-+]?\d+)?(?!\w)")
_FAILS = pattern(r"error|exception|raise|fail|crash|❌|✗|报错|出错|错误|异常|失败|抛出", re.IGNORECASE)
_IS_ERROR = pattern(r"\w*(?:Error|Exception|Warning)\b")


def _gives_away(comment: str, answer: str) -> bool:
    """True if a comment says what the card asks."""
    if _IS_ERROR.match(answer.strip()):
        return _FAILS.search(comment) is not None
    told = _plain(comment)
    return any(_stands_in(part, told) for part in _parts(answer))


def _parts(answer: str) -> Sequence[str]:
    """What each line of an answer says, without what torch writes around it."""
    lines = [_plain(line) for line in answer.split("\n")]
    whole = _plain(answer)
    return [part for part in {*lines, whole, _WRAPPED.sub("", whole)} if len(part) > 1 or part.isalnum()]


_LOOSE = pattern(r"\s*([\[\](),])\s*")


def _plain(text: str) -> str:
    """Without blanks beside brackets and commas, numbers as short as they can be written."""
    short = _NUMBER.sub(lambda found: f"{float(found[0]):g}", half_width(text))
    return " ".join(_LOOSE.sub(r"\1", short).split())


def _stands_in(part: str, told: str) -> bool:
    at = told.find(part)
    while at >= 0:
        before, after = told[at - 1 : at], told[at + len(part) : at + len(part) + 1]
        if not (_continues(before, part[0]) or _continues(part[-1], after)):
            return True
        at = told.find(part, at + 1)
    return False


def _continues(one: str, other: str) -> bool:
    """True if two signs are parts of one word or number."""
    return (
        bool(one and other)
        and (one.isascii() and other.isascii())
        and (one.isalnum() or one in "._-")
        and other.isalnum()
    )
