"""Pygments' tokens in less than half of its time: of the rules of a state only those are tried that can match at all.

Pygments tries them one after another, some fifty at each name of Python. What an expression can begin with is read off
the parsed expression, by Python's own parser; where that cannot be known, the rule is tried. So the tokens are Pygments' own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import _constants as ops  # type: ignore[attr-defined] # private: typeshed does not know it
from re import _parser as parser  # type: ignore[attr-defined] # private: typeshed does not know it
from typing import Any

from pygments.lexer import Lexer, RegexLexer
from pygments.token import Error, Whitespace, _TokenType

Rule = tuple[Any, Any, Any]
"""How Pygments keeps a rule: what matches, its action, the state that comes next."""
_ANY = frozenset(map(chr, range(128)))
_CATEGORIES = {
    ops.CATEGORY_DIGIT: r"\d", ops.CATEGORY_NOT_DIGIT: r"\D", ops.CATEGORY_SPACE: r"\s", ops.CATEGORY_NOT_SPACE: r"\S",
    ops.CATEGORY_WORD: r"\w", ops.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
_REPEATS = {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}
_WITHOUT_WIDTH = {ops.AT, ops.ASSERT, ops.ASSERT_NOT}


def tokens_of(lexer: Lexer, code: str) -> list[tuple[_TokenType, str]]:
    """The tokens of code as `get_tokens_unprocessed` gives them; `get_tokens` would strip and normalise."""
    states = _states(lexer)
    if states is None:
        return [(kind, value) for _, kind, value in lexer.get_tokens_unprocessed(code)]
    return list(_tokens(lexer, states, code))


class _State(dict[str, Sequence[Rule]]):
    """The rules of a state that can match where a text goes on with this character."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        super().__init__()
        self.rules = rules
        self.first = [_first_of(rule[0]) for rule in rules]

    def __missing__(self, character: str) -> Sequence[Rule]:
        known = character in _ANY
        fit = [rule for rule, first in zip(self.rules, self.first, strict=True) if not known or character in first]
        self[character] = fit
        return fit


class _States(dict[str, _State]):
    """The states of a lexer; what they begin with is looked at when they are first met."""

    def __init__(self, rules: dict[str, Sequence[Rule]]) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, name: str) -> _State:
        self[name] = _State(self.rules[name])
        return self[name]


@cache
def _states(lexer: Lexer) -> _States | None:
    """None for a lexer that does not simply try one rule after another."""
    simple = isinstance(lexer, RegexLexer) and type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed
    return _States(lexer._tokens) if simple else None  # type: ignore[attr-defined] # where Pygments keeps compiled rules


def _tokens(lexer: Any, states: _States, code: str) -> Iterator[tuple[_TokenType, str]]:
    """As `RegexLexer.get_tokens_unprocessed` goes through the states."""
    at, end, stack = 0, len(code), ["root"]
    state = states["root"]
    while True:
        for match, action, following in state[code[at]] if at < end else state.rules:
            found = match(code, at)
            if found is None:
                continue
            if type(action) is _TokenType:
                yield action, found[0]
            elif action is not None:
                for _, kind, value in action(lexer, found):
                    yield kind, value
            at = found.end()
            if following is not None:
                _enter(stack, following)
                state = states[stack[-1]]
            break
        else:
            if at >= end:
                return
            if code[at] == "\n":  # a line ends what the lexer did not understand
                stack, state = ["root"], states["root"]
                yield Whitespace, "\n"
            else:
                yield Error, code[at]
            at += 1


def _enter(stack: list[str], following: object) -> None:
    """Moves to the next state: a number goes back so many, but never beyond the first."""
    if isinstance(following, int):
        del stack[max(1, len(stack) - abs(following)) :]
        return
    for one in following if isinstance(following, tuple) else (following,):
        if one == "#pop":
            del stack[max(1, len(stack) - 1) :]
        else:
            stack.append(stack[-1] if one == "#push" else str(one))


def _first_of(match: Any) -> frozenset[str]:
    """The ASCII characters with which something that an expression matches can begin; all of them if it may match nothing."""
    expression = getattr(match, "__self__", None)
    if not isinstance(expression, re.Pattern):
        return _ANY
    first, may_be_empty = _first(parser.parse(expression.pattern, expression.flags), expression.flags)
    return _ANY if may_be_empty else first


def _first(parsed: Any, flags: int) -> tuple[frozenset[str], bool]:
    """What a sequence of parsed pieces can begin with, and whether it may be empty."""
    found: frozenset[str] = frozenset()
    for op, argument in parsed:
        first, may_be_empty = _first_of_piece(op, argument, flags)
        found |= first
        if not may_be_empty:
            return found, False
    return found, True


def _first_of_piece(op: Any, argument: Any, flags: int) -> tuple[frozenset[str], bool]:
    if op in _WITHOUT_WIDTH:
        return frozenset(), True
    if op is ops.LITERAL:
        return _one(argument, flags), False
    if op is ops.IN:
        return _one_of(argument, flags), False
    if op is ops.BRANCH:
        every = [_first(one, flags) for one in argument[1]]
        return frozenset().union(*(first for first, _ in every)), any(empty for _, empty in every)
    if op is ops.SUBPATTERN:
        _, more, less, inner = argument
        return _first(inner, (flags | more) & ~less)
    if op in _REPEATS:
        least, _, inner = argument
        first, may_be_empty = _first(inner, flags)
        return first, may_be_empty or least == 0
    return _ANY, True  # whatever else there is, or may come to be


def _one(code: int, flags: int) -> frozenset[str]:
    character = chr(code)
    if not flags & re.IGNORECASE:
        return frozenset(character) & _ANY
    return frozenset((character.lower(), character.upper())) if character.isascii() else _ANY


def _one_of(members: Any, flags: int) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    negated = False
    for op, argument in members:
        if op is ops.NEGATE and not flags & re.IGNORECASE:
            negated = True
        elif op is ops.LITERAL:
            found |= _one(argument, flags)
        elif op is ops.RANGE and not flags & re.IGNORECASE:
            found |= {chr(code) for code in range(argument[0], min(argument[1], 127) + 1)}
        elif op is ops.CATEGORY and argument in _CATEGORIES:
            category = re.compile(_CATEGORIES[argument])
            found |= frozenset(filter(category.match, _ANY))
        else:
            return _ANY
    return _ANY - found if negated else found
