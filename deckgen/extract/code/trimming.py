"""The code of a card without what is no part of its question: statements without effect, names that nobody uses,
comments that give the answer away. Its key was made before, and the card's own run proves that it still prints the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from deckgen.extract.code.statements import RANDOM, Statement, statements
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed
from deckgen.written import half_width

_ASKING = frozenset(
    "size dim numel nelement stride is_contiguous element_size data_ptr storage_offset item tolist keys values items".split()
)
"""Methods that only tell something."""
_ACTING = pattern(
    r"_$|^(?:set_|register|load|save|backward|step|zero_grad|append|extend|pop|update|train|eval|apply|init|use_|enable|next|[A-Z])"
)
"""Names of functions that change something, or may; and of classes, whose weights are drawn."""
_GONE = "\0"


def trimmed(code: str, target: str, answer: str) -> str:
    """The code as a card shows it, which asks for `target` (empty: for what is printed) and is answered with `answer`."""
    lines = code.split("\n")
    given_away = _giving_away(answer)
    for comment in comments(code):
        if given_away(comment.text):
            lines[comment.line] = lines[comment.line][: comment.column].rstrip() or _GONE
    if parsed(code) is not None:
        for at in _lines_without_effect(code, target):
            lines[at] = _GONE
    return "\n".join(line for line in lines if line is not _GONE).strip("\n")


def _lines_without_effect(code: str, target: str) -> set[int]:
    """The lines of statements that could as well not be there, and of the comments right above these."""
    body = [*(statements(code) or ())]
    gone: set[int] = set()
    used = {*re.findall(r"[^\W\d]\w*", target)}.union(*(one.loads for one in body[-1:]))
    for at in range(len(body) - 2, -1, -1):
        one = body[at]
        beside = body[max(at - 1, 0) : at + 2]  # with `;` two statements share a line
        alone = sum(not set(one.lines).isdisjoint(other.lines) for other in beside) == 1
        if alone and (_only_shows(one) or _is_unused(one, used)):
            gone |= set(one.lines)
        else:
            used |= one.loads | one.changes
    lines = code.split("\n")
    remarks = {one.line for one in comments(code) if not lines[one.line][: one.column].strip()}
    for at in range(len(lines) - 1, 0, -1):
        if at in gone and at - 1 in remarks:
            gone.add(at - 1)
    return gone


def _only_shows(statement: Statement) -> bool:
    """An expression that is neither printed nor does anything: `x.shape` in the middle of a script."""
    acting = ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
    if not isinstance(statement.node, ast.Expr) or any(isinstance(one, acting) for one in statement.within):
        return False
    calls = (one.func for one in statement.within if isinstance(one, ast.Call))
    return all(isinstance(one, ast.Attribute) and one.attr in _ASKING for one in calls)


def _is_unused(statement: Statement, used: set[str]) -> bool:
    """A name that nothing below uses, bound to what is made without changing anything or drawing a random number."""
    node = statement.node
    if not isinstance(node, ast.Assign | ast.AnnAssign) or statement.binds & used or statement.changes:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    calls = (one for one in nodes(node) if isinstance(one, ast.Call))
    return bool(statement.binds) and all(isinstance(one, ast.Name) for one in targets) and all(map(_is_harmless, calls))


def _is_harmless(call: ast.Call) -> bool:
    """True for `torch.zeros(2)` and `x.view(2)`; false for functions of the notes."""
    if not isinstance(call.func, ast.Attribute) or any(one.arg in ("out", "inplace") for one in call.keywords):
        return False
    return not (RANDOM.search(call.func.attr) or _ACTING.search(call.func.attr))


# --- comments that give the answer away -------------------------------------------------------------

_WRAPPED = pattern(
    r"^(?:(?:torch\.)?(?:tensor|Size|array|device|Parameter)\(|[\[(])+|(?:[\])]|,(?:dtype|device|grad_fn|requires_grad)=.*)+$"
)
_NUMBER = pattern(r"(?<![\w.])-?\d+\.\d*(?:e[-+]?\d+)?(?!\w)")
_LOOSE = pattern(r"\s*([\[\](),])\s*")
_FAILED = pattern(r"«claim.failed»|❌|✗")
_IS_ERROR = pattern(r"\w*(?:Error|Exception|Warning)\b")


def _giving_away(answer: str) -> Callable[[str], bool]:
    """What tells whether a comment says what the card asks: a line of the answer, or that something fails."""
    if _IS_ERROR.match(answer.strip()):
        return lambda comment: _FAILED.search(comment) is not None
    whole = _plain(answer)
    parts = {*map(_plain, answer.split("\n")), whole, _WRAPPED.sub("", whole)}
    worth = [part for part in parts if len(part) > 1 or part.isalnum()]
    return lambda comment: any(_stands_in(part, told) for told in (_plain(comment),) for part in worth)


def _stands_in(part: str, text: str) -> bool:
    """True if a text has the part, and not only as a piece of a longer word or number."""
    before = r"(?<![A-Za-z0-9._-])" if part[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if part[-1].isalnum() or part[-1] in "._-" else ""
    return part in text and re.search(before + re.escape(part) + after, text) is not None


def _plain(text: str) -> str:
    """Without blanks beside brackets and commas, numbers as short as they can be written."""
    short = _NUMBER.sub(lambda found: f"{float(found[0]):g}", half_width(text))
    return " ".join(_LOOSE.sub(r"\1", short).split())
