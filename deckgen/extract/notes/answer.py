"""The answer below a question: which blocks answer, and what they say without the conversation around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deckgen.extract.blocks import CALLOUT, is_beside, is_rule, markdown_of, says
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Page
from deckgen.extract.text import ends_with_colon, has_words, width
from deckgen.model.document import Block, Code, Details, Directive, Heading, Image, Items, Output, Prose, Quote
from deckgen.text.pattern import pattern

_NUMBER_FIRST = pattern(r"(\d{1,9})[.)]\s+\S")
_SIGN_FIRST = pattern(r"[-+*>]\s*\d|#{1,6}\s")
_BLOCKS = Prose | Quote | Items | Code | Output | Image
_MOST = 6
"""Blocks of an answer below a line."""
_TITLE = 60
"""Columns of a line that may be a title."""


def first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def number_of(block: Block) -> int | None:
    """The number with which a block begins: `(2)`, `3、`, of a list that of its first item."""
    if isinstance(block, Items):
        return block.items[0].ordinal
    found = labels(first_line(block.text).strip("*")).found(Kind.NUMBERED) if isinstance(block, Prose) else None
    return int(found[1]) if found else None


def _begins_question(block: Block) -> bool:
    """True for a paragraph, a quote or a list that begins with a question of its own and is no answer."""
    if isinstance(block, Items):
        lines = [first_line(item.text) for item in block.items if not item.depth]
        return bool(lines) and all(_begins(line) or Kind.QUESTION in labels(line) for line in lines)
    return isinstance(block, Prose | Quote) and _begins(first_line(block.text))


def _begins(line: str) -> bool:
    return labels(line).any_of((Kind.QUESTION_LABEL, Kind.BOLD_QUESTION, Kind.DECLARED_QUESTION))


def _line_of(block: Block) -> str:
    """The text of a paragraph of one line; empty for others."""
    text = block.text.strip() if isinstance(block, Prose | Quote) else ""
    return "" if "\n" in text else text


def answer_below(page: Page, index: int, number: int | None) -> list[int]:
    """The blocks that answer a line: up to the next question, number, heading, table or rule."""
    places = range(index + 1, min(index + 1 + _MOST, len(page.blocks)))
    return answering(page, places, number=number, of_line=True)


def answering(page: Page, places: Iterable[int], *, number: int | None = None, of_line: bool = False) -> list[int]:
    """The blocks that answer: none after the next question, after a later number, or after the conversation moves on."""
    found: list[int] = []
    for at in places:
        block = page.blocks[at]
        if isinstance(block, Items) and any(Kind.CHECKBOX in labels(item.text) for item in block.items):
            break  # the options of a quiz
        if isinstance(block, Details) and page.free(at) and Kind.HIDES_ANSWER in labels(block.summary).words:
            return [*found, at]
        moves_on = is_rule(block) and (of_line or (page.chat and found))
        # a line that asks, as the first of an answer or below a line, is the next question
        line = _line_of(block)  # a `?` alone is an answer
        asks = _begins_question(block) or (
            (of_line or not found) and _says_words(line) and Kind.QUESTION in labels(line)
        )
        if moves_on or asks or (number is not None and (number_of(block) or 0) > number):
            break
        if is_rule(block) or isinstance(block, Directive) or (isinstance(block, Image) and not is_beside(block)):
            continue
        if not isinstance(block, _BLOCKS if of_line else _BLOCKS | Heading) or not page.free(at):
            break
        if not isinstance(block, Prose) or not all(_is_chatter(page, line) for line in block.text.split("\n")):
            found.append(at)
    while found and _leads_on(page.blocks[found[-1]]):
        found.pop()
    return [] if all(isinstance(page.blocks[at], Heading | Image) for at in found) else found


def _leads_on(block: Block) -> bool:
    """A last line with a colon, or one that names an example, belongs to what follows."""
    text = _line_of(block) if isinstance(block, Prose) else ""
    named = width(text) <= _TITLE and Kind.EXAMPLE in labels(text).words
    return (ends_with_colon(text) and _says_words(text)) or bool(named)


def _says_words(line: str) -> bool:
    """False for `?` and `A: :`, which are answers of a sign."""
    return has_words(without_label(line))


def with_context(page: Page, asked: str, found: list[int]) -> tuple[str, list[int]]:
    """A question and its answer's blocks: what stands above a labelled or hidden answer, as code or a figure, belongs to the question."""
    blocks = [page.blocks[at] for at in found]
    at = next((at for at, one in enumerate(blocks) if is_labelled(one)), 0)
    return "\n\n".join([asked, *map(markdown_of, blocks[:at])]), found[at:]


def is_labelled(block: Block) -> bool:
    """True for a hidden answer, or one that begins with `Answer:`."""
    labelled = isinstance(block, Prose | Quote) and (
        Kind.ANSWER_LABEL in labels(block.text) or Kind.ONLY_ANSWER in labels(block.text.strip())
    )
    return isinstance(block, Details) or bool(labelled)


def answer_of(page: Page, blocks: Sequence[int]) -> str:
    """The blocks as Markdown, without the label of an answer and without the conversation around it."""
    parts: list[str] = []
    for block in (page.blocks[at] for at in blocks):
        if isinstance(block, Prose) and not parts and Kind.ONLY_ANSWER in labels(block.text.strip()):
            continue
        if isinstance(block, Prose) or (isinstance(block, Quote) and not CALLOUT.match(block.text)):
            text = "\n".join(line.rstrip() for line in block.text.split("\n") if not _is_chatter(page, line))
            text = text if parts else without_label(text)
        else:
            text = block.text if isinstance(block, Details) else markdown_of(block)
        parts += [text.strip("\n")] if says(text) else []
    return "\n\n".join(parts)


def _is_chatter(page: Page, line: str) -> bool:
    """True for what a tutor says to keep a conversation going."""
    return page.chat and labels(line).words.any_of((Kind.TALK, Kind.MENU))


_ENDS = pattern(r"(?<=[.!?])(?=\s)|(?<=[。！？])")
"""Where a sentence ends."""


def whole(answer: str) -> str:
    """An answer without the sentence at its end that announces what does not follow: `... Example:`."""
    while has_words(text := answer.rstrip(" \t\n*_")) and ends_with_colon(text):
        head, _, last = text.rpartition("\n")
        kept = [one for one in _ENDS.split(last)[:-1] if one.strip()]
        answer = "\n".join(filter(str.strip, (head, "".join(kept).rstrip())))
    return answer


def without_label(text: str) -> str:
    """A text without the `A:` or `答：` before it."""
    label = labels(text).found(Kind.ANSWER_LABEL)
    bare = text[label.end() :] if label else text
    return bare if bare == text else behind_label(bare)


def behind_label(text: str) -> str:
    """`13. A tensor ...` or `- 1` behind a label: its number or sign is text, and begins a list only if another item follows."""
    number, sign = _NUMBER_FIRST.match(text), _SIGN_FIRST.match(text)
    if not number and not sign:
        return text
    following = rf"{int(number[1]) + 1}[.)]\s" if number else re.escape(text[0])
    if re.search(rf"(?m)^\s*{following}", text.partition("\n")[2]):
        return text
    at = number.end(1) if number else 0
    return f"{text[:at]}\\{text[at:]}"
