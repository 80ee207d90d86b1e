"""Which questions their author declared to be cards: `Q:` with its `A:`, and in a deck what asks and is answered in short."""

from __future__ import annotations

import re

from deckgen.extract.blocks import is_rule
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Page
from deckgen.extract.text import plain
from deckgen.model.document import Block, Directive, Prose, Quote
from deckgen.text.pattern import CHINESE, pattern

_LATIN = pattern(r"[A-Za-z0-9_]+(?:[.'-][A-Za-z0-9_]+)*")
_MOST_WORDS = 60
"""Of a block that is surely the answer of one card, and no chapter."""
_PER_WORD = 2
"""Chinese characters that say as much as a word."""


def has_question_label(line: str) -> bool:
    """True for `Q: ...`, `**Question 3:** ...`, `问：...`: a label that nothing but a card has."""
    return Kind.DECLARED_QUESTION in labels(line)


def has_answer_label(line: str) -> bool:
    """True for `A: ...`, `**Answer:** ...`, `答：...`."""
    return Kind.DECLARED_ANSWER in labels(line)


def begins_with_answer(block: Block) -> bool:
    """True for a block whose first line has the label of an answer."""
    return isinstance(block, Prose | Quote) and has_answer_label(block.text.lstrip().partition("\n")[0])


def answered_in_short(page: Page, asked: str, answer: str, blocks: int) -> bool:
    """True for a heading or line that asks in a deck, if its answer is short: one block of a few words, or one fence.

    Where the deck says that its headings are cards, any answer counts.
    """
    notation = page.document.notation
    if not asks(asked) or not (notation.is_deck or notation.headings):
        return False
    fence = answer.lstrip().startswith("```") and answer.count("```") == 2
    return notation.headings or (blocks == 1 and (fence or _words(answer) <= _MOST_WORDS))


def asks(text: str) -> bool:
    """True for a line that ends with a question mark."""
    return text.rstrip(" *_`").endswith(("?", "？"))


def follows(page: Page, index: int) -> list[int]:
    """What stands under a heading: the blocks up to the next heading, turn or line that asks in bold, without rules and directives."""
    found: list[int] = []
    for at in page.body(index):
        block = page.blocks[at]
        if isinstance(block, Prose) and Kind.BOLD_QUESTION in labels(block.text.lstrip()):
            break
        found += [at] if not isinstance(block, Directive) and not is_rule(block) else []
    return found


def _words(markdown: str) -> int:
    text = plain(markdown)
    return len(_LATIN.findall(text)) + len(re.findall(CHINESE.pattern, text)) // _PER_WORD
