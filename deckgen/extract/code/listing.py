"""A snippet's code as cards show it: up to the line that is asked about, and without what gives answers away.

What all claims of a snippet share is found out once: a block may hold thousands of them.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cached_property
from heapq import merge
from typing import NamedTuple

from deckgen.extract.code.in_place import leaves, names_shown, point_of, printed_by
from deckgen.extract.code.statements import KNOWN, RANDOM, Statement, statements, stopping, without_magic
from deckgen.extract.key import code_anchor
from deckgen.model.claim import Claim, Snippet
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, parsed
from deckgen.written import half_width

CLAIMING = pattern(
    r"tensor\(|torch\.[A-Za-z]|\b(?:u?int|b?float|complex)\d+\b|\b(?:True|False|None)\b|[\[(]\s*\d+\s*[,)\]]"
    r"|(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w.:、)])|Error\b"
)
"""What a comment holds that claims something of its line and was not understood: nobody has checked it."""


class Excerpt(NamedTuple):
    """Some lines of a snippet, and what is known of them from the whole of it."""

    text: str
    """Without lines for IPython and the shell."""
    statements: Sequence[Statement] | None
    """None if it cannot be parsed."""
    anchor: str
    """What its key is made of."""


class Listing:
    """The lines of a snippet's code."""

    def __init__(self, snippet: Snippet) -> None:
        self.snippet = snippet
        self.lines = snippet.code.split("\n")
        self.columns = {comment.line: comment.column for comment in comments(snippet.code)}
        """Column of the comment on each line that has one."""
        self._body = () if parsed(snippet.code) is None else statements(snippet.code) or ()
        """The top-level statements, if the code is nothing but Python."""
        self._asked = {claim.code_line for claim in snippet.claims}
        self._on: dict[int, list[Statement]] = {}
        """The top-level statements on each line."""
        self._idle: dict[int, list[range]] = {}
        """For each line the top-level statements that only show something, and that claims ask about."""
        for statement in self._body:
            idle = not self._asked.isdisjoint(statement.lines) and statement.idle
            for line in statement.lines:
                self._on.setdefault(line, []).append(statement)
                if idle:
                    self._idle.setdefault(line, []).append(statement.lines)
        self._stopping = stopping(snippet)

    def is_in_function(self, claim: Claim) -> bool:
        """True for a claim about a line that is run when its function is called, and not where it stands."""
        line = claim.code_line if claim.code_line is not None else -1
        nodes = (one.node for one in self._on.get(line, ()))
        defines = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        return any(isinstance(node, defines) and node.lineno - 1 < line for node in nodes)

    def last_line(self, group: Sequence[Claim]) -> int:
        """Index of the last code line that matters: the end of the statement that is asked about."""
        lines = [claim.code_line for claim in group if claim.code_line is not None]
        start = group[0].span.start
        if start > max(self.snippet.lines, default=-1) or len(lines) < len(group):
            above = bisect_left(self.snippet.lines, start)
            return above - 1 if above else len(self.snippet.lines) - 1
        return max(map(self.statement_end, lines))

    def statement_end(self, line: int) -> int:
        """Index of the last line of the statement at a line; of all of a loop or function around it."""
        on = self._on.get(line)
        node: ast.stmt | None = on[0].node if on else None
        while node is not None:
            if not isinstance(node, ast.With | ast.If | ast.Try) or node.lineno - 1 == line:
                return (node.end_lineno or node.lineno) - 1
            body = (inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt))
            node = next((one for one in body if one.lineno - 1 <= line < (one.end_lineno or one.lineno)), None)
        return line

    def upto(self, last: int, asked: Collection[int | None], most: int) -> Excerpt | None:
        """The code up to a line; None if there is none, or more than `most` lines of it.

        Without prints and values above that claims other than those `asked` about are about: left in, they would
        be shown as well, and "what does this print?" had another answer. Prints that no claim is about are not shown
        either, unless all that is printed is asked for; the key has them, as it always had. Nor is what is claimed to raise.
        """
        shown: dict[int, str] = {}
        standing = (self._standing[at] for at in range(bisect_right(self._standing, last) - 1, -1, -1))
        for at in merge(self._asked_about(last, asked), standing, reverse=True):
            line = self._shown[at]
            if line is None or (not line and not shown):
                continue
            shown[at] = line
            if line and len(shown) > most:
                return None
        shown = dict(reversed(shown.items()))
        text = "\n".join(shown.values()).strip("\n")
        if not text.strip():
            return None
        within = dict.fromkeys(one for at in shown for one in self._on.get(at, ()))
        left = text
        if within and all(at in shown or self._shown[at] is None for one in within for at in one.lines):
            gone = {
                at
                for one in within
                if one.lines.stop <= last
                if (one in self._stopping and not any(line in asked for line in one.lines))
                or (None not in asked and one.prints and one.idle and self._asked.isdisjoint(one.lines))
                for at in one.lines
            }
            kept = {at: line for at, line in shown.items() if at not in gone}
            for at, line in self._without_print(last, asked, within).items():
                if line:
                    kept[at] = line
                else:
                    kept.pop(at, None)
            left = "\n".join(kept[at] for at in sorted(kept)).strip("\n")
        return Excerpt(without_magic(left), statements(left), code_anchor(text))

    def _without_print(self, last: int, asked: Collection[int | None], within: Collection[Statement]) -> dict[int, str]:
        """Lines above that other cards ask about, each without its `print`, and empty if this card does not need it.

        It does if the line changes something, or leaves as it was what is shown in the end. The key is as it always was.
        `within`: the statements that are shown so far.
        """
        stop = self._place.get(last, 0)
        if None in asked or last not in self._place or self._asked <= set(asked):
            return {}
        point = self._point(stop)
        found: dict[int, str] = {}
        for one in [*within, point] if point else within:
            at, printed = one.lines.start, printed_by(one.node)
            if at >= self._body[stop].lines.start:
                continue
            alone = len(one.lines) == 1 and len(self._on[at]) == 1 and at in self._asked and at not in asked
            idle = one.idle or (one.computes and len(printed) == 1)
            if alone and idle:
                found[at] = (self._shown[at] or "") if one is point else ""
            if alone and len(printed) == 1 and (one is point or not idle):
                found[at] = ast.get_source_segment(self.snippet.code, printed[0]) or self._shown[at] or ""
        return found

    def _point(self, stop: int) -> Statement | None:
        """What `point_of` finds of the statements up to this one."""
        asked = names_shown(self._body[stop].node)
        above = [
            found[at - 1]
            for name in asked
            if (found := self._touching.get(name, [])) and (at := bisect_left(found, stop))
        ]
        one = self._body[max(above)] if above else None
        return one if one is not None and leaves(one, asked) else None

    @cached_property
    def _place(self) -> dict[int, int]:
        """Which statement of the body is on a line: the first of several."""
        return {line: at for at in range(len(self._body) - 1, -1, -1) for line in self._body[at].lines}

    @cached_property
    def _touching(self) -> dict[str, list[int]]:
        """By name, which statements of the body have to do with it, in order."""
        found: dict[str, list[int]] = {}
        for at, one in enumerate(self._body):
            for name in one.loads | one.binds | one.changes:
                found.setdefault(name, []).append(at)
        return found

    @cached_property
    def _shown(self) -> list[str | None]:
        """The lines without comments that claim something; None where nothing is left."""
        claimed = {line for claim in self.snippet.claims for line in range(claim.span.start, claim.span.stop)}
        shown: list[str | None] = list(self.lines)
        for at, column in self.columns.items():
            if at < len(self.snippet.lines):
                code, comment = self.lines[at][:column].rstrip(), self.lines[at][column:]
                if self.snippet.lines[at] in claimed or (code and CLAIMING.search(comment)):
                    shown[at] = code or None
        return shown

    @cached_property
    def _standing(self) -> list[int]:
        """The lines that are shown whatever is asked."""
        return [at for at, line in enumerate(self._shown) if line is not None and at not in self._idle]

    def _asked_about(self, last: int, asked: Collection[int | None]) -> list[int]:
        """The lines of idle statements that stand all the same, the last first: they are asked about, or end below."""
        about = {last, *(line for line in asked if line is not None)}
        if None in asked and self._repeats_prints:
            about = {line for one in self._body if one.prints for line in one.lines}
            asked = about.union(asked)
        near = {at for one in about for lines in self._idle.get(one, ()) for at in lines if at <= last}
        stands = (
            at
            for at in near
            if all(lines.stop > last or any(line in asked for line in lines) for lines in self._idle[at])
        )
        return sorted(stands, reverse=True)

    @cached_property
    def _repeats_prints(self) -> bool:
        """True if pasted output has more lines than the prints without a comment of their own write: it repeats those."""
        pasted = sum(claim.code_line is None for claim in self.snippet.claims)
        return pasted > sum(one.prints and one.lines.start not in self._idle for one in self._body)


# --- what is no part of the question ------------------------------------------------------------------

_ASKING = frozenset(
    "size dim numel nelement stride is_contiguous element_size data_ptr storage_offset item tolist keys values items".split()
)
"""Methods that only tell something."""
_ACTING = pattern(
    r"_$|^(?:set_|register|load|save|backward|step|zero_grad|append|extend|pop|update|train|eval|apply|init|use_|enable|next|[A-Z])"
)
"""Names of functions that change something, or may; and of classes, whose weights are drawn."""


def trimmed(code: str, target: str, answer: str) -> str:
    """The code as a card shows it, which asks for `target` (empty: for what is printed) and is answered with `answer`.

    Without statements that have no effect, names that nobody uses, and comments that give the answer away. Its key was made
    before, and the card's own run proves that it still prints the same.
    """
    lines = [*enumerate(code.split("\n"))]
    gone = _without_effect(code, target)
    for at, column, text in reversed(comments(code)):
        left = lines[at][1][:column].rstrip()
        if not left and at + 1 in gone:
            gone.add(at)  # a remark on what is gone
        elif _gives_away(text, answer):
            lines[at] = at if left else -1, left
    return "\n".join(line for at, line in lines if at not in {*gone, -1}).strip("\n")


def _without_effect(code: str, target: str) -> set[int]:
    """The lines of statements that could as well not be there."""
    body = (statements(code) or ()) if parsed(code) else ()
    gone: set[int] = set()
    harmless = _Harmless(body)
    called_back = ast.FunctionDef | ast.Lambda | ast.ClassDef
    quiet = not any(isinstance(node, called_back) for one in body for node in one.within)
    used = {*re.findall(r"[^\W\d]\w*", target)}.union(*(one.loads for one in body[-1:]))
    point = point_of(body, target)
    for at in range(len(body) - 2, -1, -1):
        one = body[at]
        beside = body[max(at - 1, 0) : at + 2]  # with `;` two statements share a line
        alone = sum(not set(one.lines).isdisjoint(other.lines) for other in beside) == 1
        if (
            alone
            and one is not point
            and (
                _only_shows(one)
                or _is_unused(one, used, harmless)
                or _is_idle_backward(one, body[at + 1 :], gone, target, quiet)
            )
        ):
            gone |= set(one.lines)
        else:
            if isinstance(one.node, ast.Assign) and all(isinstance(name, ast.Name) for name in one.node.targets):
                used -= one.binds  # what the name was before is of no use any more
            used |= one.loads | one.changes
    return gone


def _only_shows(statement: Statement) -> bool:
    """An expression that is neither printed nor does anything: `x.shape` in the middle of a script."""
    acting = ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
    if not isinstance(statement.node, ast.Expr) or any(isinstance(one, acting) for one in statement.within):
        return False
    return all(isinstance(call.func, ast.Attribute) and call.func.attr in _ASKING for call in statement.calls)


_OF_GRADIENTS = pattern(r"grad|backward|step|hook|scale|parameters")
"""Names of what reads, changes or needs gradients."""


def _is_idle_backward(one: Statement, below: Sequence[Statement], gone: set[int], target: str, quiet: bool) -> bool:
    """`loss.backward()` where nothing that stands below looks at a gradient, in code without functions that it could call."""
    match one.node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="backward"))) if quiet:
            pass
        case _:
            return False
    stays = [other for other in below if other.lines.start not in gone]
    attributes = {part.attr for other in stays for part in other.within if isinstance(part, ast.Attribute)}
    return not any(map(_OF_GRADIENTS.search, (*attributes, target)))


class _Harmless:
    """Which calls of some code could as well not be there, if nobody looks at what they return."""

    def __init__(self, body: Sequence[Statement]) -> None:
        self._losses = _losses(body)
        self._pure = _pure_functions(body)
        self._seeded = any(_SEEDS.search(_name_of(call.func)) for one in body for call in one.calls)

    def __call__(self, call: ast.Call) -> bool:
        """True for a call that changes nothing that the code shows.

        `torch.zeros(2)` and `x.view(2)`; a draw and a layer with its weights where no seed is set, since what is shown does
        not depend on the numbers then; `nn.MSELoss`, which has no weights; a function of the notes that only returns something.
        """
        if any(one.arg in ("out", "inplace") for one in call.keywords):
            return False
        name = _name_of(call.func)
        if name.endswith("Loss") or name in self._losses:
            return True
        if name == "DataLoader":
            return not self._seeded
        if not isinstance(call.func, ast.Attribute):
            return name in self._pure
        if _is_layer(call.func) or RANDOM.search(name):
            return not self._seeded and not _SEEDS.search(name) and not name.endswith("_")
        return not _ACTING.search(name)


_SEEDS = pattern(r"seed|Generator|rng_state|get_state|set_state")


def _is_layer(function: ast.Attribute) -> bool:
    """`nn.Linear` or `torch.nn.Linear`, which draws weights and nothing else."""
    owner = function.value
    return function.attr[:1].isupper() and _name_of(owner) == "nn"


def _pure_functions(body: Sequence[Statement]) -> set[str]:
    """Functions of the notes that only compute what they return: no print, no global name, nothing that is changed."""
    return {
        one.node.name
        for one in body
        if isinstance(one.node, ast.FunctionDef)
        and not one.changes
        and not one.node.decorator_list
        and all(isinstance(part, _COMPUTING) for part in one.node.body)
        and all(isinstance(call.func, ast.Attribute) and not _ACTING.search(call.func.attr) for call in one.calls)
    }


_COMPUTING = (ast.Return, ast.Assign, ast.AnnAssign)


def _name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _losses(body: Sequence[Statement]) -> set[str]:
    """Names that are bound to a loss of torch's."""
    return {
        name
        for one in body
        if isinstance(one.node, ast.Assign)
        and isinstance(one.node.value, ast.Call)
        and _name_of(one.node.value.func).endswith("Loss")
        for name in one.binds
    }


def _only_defines(node: ast.stmt) -> bool:
    """True for a definition that runs nothing where it stands: no decorator, no call in a default, a class of functions alone."""
    match node:
        case ast.FunctionDef(decorator_list=[], args=arguments):
            return not any(isinstance(part, ast.Call) for part in ast.walk(arguments))
        case ast.ClassDef(decorator_list=[], keywords=[], bases=bases, body=body):
            of_library = all(isinstance(base, ast.Attribute) for base in bases)
            return of_library and all(map(_only_defines, body))
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case _:
            return False


def _is_unused(statement: Statement, used: set[str], harmless: _Harmless) -> bool:
    """A name that nothing below uses, bound to what is made without changing anything; or a function or class of that name."""
    node = statement.node
    if statement.binds & (used | KNOWN):  # nobody counts who uses `input`
        return False
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return _only_defines(node)
    if not isinstance(node, ast.Assign | ast.AnnAssign) or (statement.changes and not statement.computes):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [part for one in targets for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    return (
        bool(statement.binds)
        and all(isinstance(one, ast.Name) for one in names)
        and all(map(harmless, statement.calls))
    )


_WRAPPED = pattern(
    r"^(?:(?:torch\.)?(?:tensor|Size|array|device|Parameter)\(|[\[(])+|(?:[\])]|,(?:dtype|device|grad_fn|requires_grad)=.*)+$"
)
_NUMBER = pattern(r"(?<![\w.])-?\d+\.\d*(?:e[-+]?\d+)?(?!\w)")
_LOOSE = pattern(r"\s*([\[\](),])\s*")
_FAILED = pattern(r"«claim.failed»|❌|✗")
_IS_ERROR = pattern(r"\w*(?:Error|Exception|Warning)\b")


def _gives_away(comment: str, answer: str) -> bool:
    """True if a comment says what the card asks: a line of the answer, or that something fails."""
    if _IS_ERROR.match(answer.strip()):
        return _FAILED.search(comment) is not None
    text, whole = _plain(comment), _plain(answer)
    for part in {*map(_plain, answer.split("\n")), whole, _WRAPPED.sub("", whole)}:
        if part in text and (len(part) > 1 or part.isalnum()):  # and not only as a piece of a longer word or number
            before = r"(?<![A-Za-z0-9._-])" if part[0].isalnum() else ""
            after = r"(?![A-Za-z0-9])" if part[-1].isalnum() or part[-1] in "._-" else ""
            if re.search(before + re.escape(part) + after, text):
                return True
    return False


def _plain(text: str) -> str:
    """Without blanks beside brackets and commas, numbers as short as they can be written."""
    short = _NUMBER.sub(lambda found: f"{float(found[0]):g}", half_width(text))
    return " ".join(_LOOSE.sub(r"\1", short).split())
