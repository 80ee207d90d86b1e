"""A snippet's code as cards show it: up to the line that is asked about, and without what gives answers away.

What all claims of a snippet share is found out once: a block may hold thousands of them.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from heapq import merge
from typing import NamedTuple

from deckgen.extract.key import code_anchor, written_anew
from deckgen.extract.shown.magic import without_magic
from deckgen.extract.shown.statements import Statement, statements
from deckgen.extract.shown.stopping import stopping
from deckgen.model.claim import Claim, Snippet
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, parsed

_TELLS = pattern(
    r"tensor\(|torch\.[A-Za-z]|\b(?:u?int|b?float|complex)\d+\b|\b(?:True|False|None)\b|[\[(]\s*\d+\s*[,)\]]"
    r"|(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w.:、)])|#\s*(?:yes|no|是|否|对|错|会|不会)\W*$|Error\b"
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
        self._asked = {claim.code_line for claim in snippet.claims}
        self._end = max(snippet.lines, default=-1)

    @cached_property
    def columns(self) -> dict[int, int]:
        """Column of the comment on each line that has one."""
        return {comment.line: comment.column for comment in comments(self.snippet.code)}

    @cached_property
    def _body(self) -> Sequence[Statement]:
        """The top-level statements, if the code is nothing but Python."""
        return () if parsed(self.snippet.code) is None else statements(self.snippet.code) or ()

    @cached_property
    def _on(self) -> dict[int, list[Statement]]:
        """The top-level statements on each line."""
        found: dict[int, list[Statement]] = {}
        for statement in self._body:
            for line in statement.lines:
                found.setdefault(line, []).append(statement)
        return found

    @cached_property
    def _idle(self) -> dict[int, list[range]]:
        """For each line the top-level statements that only show something, and that claims ask about."""
        asked = {id(one): one for line in self._asked if line is not None for one in self._on.get(line, ())}
        found: dict[int, list[range]] = {}
        for statement in (one for one in asked.values() if one.idle):
            for line in statement.lines:
                found.setdefault(line, []).append(statement.lines)
        return found

    @cached_property
    def _anew(self) -> dict[int, str]:
        """The logical lines as keys have them, by the line on which each begins."""
        return dict(written_anew(self.snippet.code))

    @cached_property
    def _shown(self) -> list[str | None]:
        """The lines without comments that claim something; None where nothing is left."""
        told = {line for claim in self.snippet.claims for line in range(claim.span.start, claim.span.stop)}
        shown: list[str | None] = list(self.lines)
        for at, column in self.columns.items():
            if at >= len(self.snippet.lines):
                continue
            code, comment = self.lines[at][:column].rstrip(), self.lines[at][column:]
            if self.snippet.lines[at] in told or (code and _TELLS.search(comment)):
                shown[at] = code or None
        return shown

    @cached_property
    def _included(self) -> bool:
        """All lines of included code stand on the line of its fence."""
        return len(set(self.snippet.lines)) < len(self.snippet.lines)

    def beside_code(self, claim: Claim) -> bool:
        """True for a comment behind code, false for a line of its own."""
        if self._included:
            return claim.form.startswith("trailing")
        at = bisect_left(self.snippet.lines, claim.span.start)
        line = self.lines[at] if at < len(self.lines) else ""
        return bool(line.strip()) and not line.lstrip().startswith("#")

    def is_in_function(self, claim: Claim) -> bool:
        """True for a claim about a line that is run when its function is called, and not where it stands."""
        on = self._on.get(claim.code_line, ()) if claim.code_line is not None else ()
        defines = (
            one.node for one in on if isinstance(one.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        )
        return any(node.lineno - 1 < (claim.code_line or 0) for node in defines)

    def last_line(self, group: Sequence[Claim]) -> int:
        """Index of the last code line that matters: the end of the statement that is asked about."""
        lines = [claim.code_line for claim in group]
        start = group[0].span.start
        if start > self._end or None in lines:
            above = bisect_left(self.snippet.lines, start)
            return above - 1 if above else len(self.snippet.lines) - 1
        return max(self.statement_end(line) for line in lines if line is not None)

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
        either, unless all that is printed is asked for; the key has them, as it always had.
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
        return self._excerpt(dict(reversed(shown.items())), last, asked)

    def _excerpt(self, shown: Mapping[int, str], last: int, asked: Collection[int | None]) -> Excerpt | None:
        """The lines that are shown, by their numbers, with what is known of whole statements; else they are parsed anew.

        Without the prints that nobody asks about and that end above the `last` line, and what is said to raise there.
        """
        text = "\n".join(shown.values()).strip("\n")
        if not text.strip():
            return None
        within = dict.fromkeys(one for at in shown for one in self._on.get(at, ()))
        if self._body and all(at in shown or self._shown[at] is None for one in within for at in one.lines):
            anew = (self._anew[at] for at in shown if at in self._anew)
            raising = {one.lines.start for one in within if self._stopping and self._stops_above(one, last, asked)}
            unasked = self._unasked if None not in asked else {}
            besides = {at for at in shown if unasked.get(at, last + 1) <= last} | raising if unasked else raising
            stand = tuple(one for one in within if one.lines.start not in besides)
            hidden = {at for one in within if one.lines.start in raising for at in one.lines} | besides
            left = "\n".join(line for at, line in shown.items() if at not in hidden).strip("\n")
            return Excerpt(left, stand, "\n".join(anew))
        return Excerpt(without_magic(text), statements(text), code_anchor(text))

    def _stops_above(self, statement: Statement, last: int, asked: Collection[int | None]) -> bool:
        """True for what is said to raise above the line that is asked about."""
        above = statement.lines.stop <= last and not any(line in asked for line in statement.lines)
        return above and statement.lines.start in self._stopping

    @cached_property
    def _stopping(self) -> frozenset[int]:
        return frozenset(one.lines.start for one in stopping(self.snippet))

    @cached_property
    def _unasked(self) -> dict[int, int]:
        """The lines of top-level statements that only print and that no claim is about, each with where its statement ends."""
        plain = (one for one in self._body if self._asked.isdisjoint(one.lines) and one.prints and one.idle)
        return {at: one.lines.stop for one in plain for at in one.lines}

    @cached_property
    def _standing(self) -> list[int]:
        """The lines that are shown whatever is asked."""
        return [at for at, line in enumerate(self._shown) if line is not None and at not in self._idle]

    def _asked_about(self, last: int, asked: Collection[int | None]) -> list[int]:
        """The lines of idle statements that stand all the same, the last first: they are asked about, or end below."""
        about = [last, *(line for line in asked if line is not None)]
        if None in asked and self._whole_output:
            about = [line for one in self._body if one.prints for line in one.lines]
            asked = {*asked, *about}
        near = {at for one in about for lines in self._idle.get(one, ()) for at in lines if at <= last}
        return sorted(
            (at for at in near if all(self._stands(lines, last, asked) for lines in self._idle[at])), reverse=True
        )

    @cached_property
    def _whole_output(self) -> bool:
        """True if pasted output has more lines than the prints without a comment of their own write: it repeats those."""
        pasted = sum(claim.code_line is None for claim in self.snippet.claims)
        return pasted > sum(one.prints and one.lines.start not in self._idle for one in self._body)

    @staticmethod
    def _stands(lines: range, last: int, asked: Collection[int | None]) -> bool:
        return lines.stop > last or any(line in asked for line in lines)
