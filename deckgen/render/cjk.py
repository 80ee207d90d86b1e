"""Emphasis beside Chinese and Japanese text.

CommonMark lets `**` end emphasis only beside white space or Latin punctuation, so that the common
`**注意：**这里` stays raw. The rule here is the amendment that the CommonMark forum knows as "CJK friendly":
a CJK character beside the run counts as a word's edge.
"""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token

from deckgen.render.marks import is_mark


def is_cjk(character: str) -> bool:
    """True for a Chinese or Japanese character, punctuation and full-width forms among them."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or "\uff00" <= character <= "\uffef"


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803 - markdown-it's names
        end = start
        while end < self.posMax and self.src[end] == self.src[start]:
            end += 1
        before, after = self._beside(start, end)
        left = _flanks(after, before)
        right = _flanks(before, after)
        if canSplitWord:
            return Scanned(left, right, end - start)
        return Scanned(
            left and (not right or _punctuation(before)), right and (not left or _punctuation(after)), end - start
        )

    def _beside(self, start: int, end: int) -> tuple[str, str]:
        """The characters on both sides, looking through the edges of holes."""
        before, after = start - 1, end
        while before >= 0 and is_mark(self.src[before]):
            before -= 1
        while after < self.posMax and is_mark(self.src[after]):
            after += 1
        return self.src[before] if before >= 0 else " ", self.src[after] if after < self.posMax else " "


def _punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


def _space(character: str) -> bool:
    return isWhiteSpace(ord(character))


def _flanks(inner: str, outer: str) -> bool:
    """True if a run whose text is on the side of `inner` may emphasise it."""
    if _space(inner):
        return False
    return not _punctuation(inner) or is_cjk(inner) or _space(outer) or _punctuation(outer) or is_cjk(outer)


class Inline(ParserInline):
    """The inline parser with the amended rule."""

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens
