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

from deckgen.extract.code.statements import Statement, statements, stopping, without_magic
from deckgen.extract.key import code_anchor, written_anew
from deckgen.model.claim import Claim, Snippet
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, parsed

_CLAIMS = pattern(
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
        for statement in self._body:
            for line in statement.lines:
                self._on.setdefault(line, []).append(statement)
        asked = {id(one): one for line in self._asked if line is not None for one in self._on.get(line, ())}
        self._idle: dict[int, list[range]] = {}
        """For each line the top-level statements that only show something, and that claims ask about."""
        for statement in (one for one in asked.values() if one.idle):
            for line in statement.lines:
                self._idle.setdefault(line, []).append(statement.lines)
        self._stopping = frozenset(one.lines.start for one in stopping(snippet))

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
        if not self._body or not all(at in shown or self._shown[at] is None for one in within for at in one.lines):
            return Excerpt(without_magic(text), statements(text), code_anchor(text))
        above = [one for one in within if one.lines.stop <= last]
        hidden = {
            one
            for one in above
            if (one.lines.start in self._stopping and not any(line in asked for line in one.lines))
            or (None not in asked and one.prints and one.idle and self._asked.isdisjoint(one.lines))
        }
        gone = {at for one in hidden for at in one.lines}
        left = "\n".join(line for at, line in shown.items() if at not in gone).strip("\n")
        anchor = "\n".join(self._anew[at] for at in shown if at in self._anew)
        return Excerpt(left, tuple(one for one in within if one not in hidden), anchor)

    @cached_property
    def _anew(self) -> dict[int, str]:
        """The logical lines as keys have them, by the line on which each begins."""
        return dict(written_anew(self.snippet.code))

    @cached_property
    def _shown(self) -> list[str | None]:
        """The lines without comments that claim something; None where nothing is left."""
        claimed = {line for claim in self.snippet.claims for line in range(claim.span.start, claim.span.stop)}
        shown: list[str | None] = list(self.lines)
        for at, column in self.columns.items():
            if at < len(self.snippet.lines):
                code, comment = self.lines[at][:column].rstrip(), self.lines[at][column:]
                if self.snippet.lines[at] in claimed or (code and _CLAIMS.search(comment)):
                    shown[at] = code or None
        return shown

    @cached_property
    def _standing(self) -> list[int]:
        """The lines that are shown whatever is asked."""
        return [at for at, line in enumerate(self._shown) if line is not None and at not in self._idle]

    def _asked_about(self, last: int, asked: Collection[int | None]) -> list[int]:
        """The lines of idle statements that stand all the same, the last first: they are asked about, or end below."""
        about = [last, *(line for line in asked if line is not None)]
        if None in asked and self._repeats_prints:
            about = [line for one in self._body if one.prints for line in one.lines]
            asked = {*asked, *about}
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
