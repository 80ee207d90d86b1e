"""API entries: a heading that names an API, and below it a signature, a line that explains it, an example.

Also a heading without a name over a few calls (`损失函数`), and a sentence that names one API right above
code that calls it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract import wording
from deckgen.extract.apis.names import called
from deckgen.extract.described.entry_calls import Made, sentence, unnamed
from deckgen.extract.described.entry_lines import alone, told
from deckgen.extract.described.entry_parts import OPENING, Parts, is_signature, names_called, parts_of
from deckgen.extract.described.heading_names import asks, heading_names
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, plain, title
from deckgen.model.document import Code, Heading, Prose
from deckgen.model.note import Api, Note
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_WORD = pattern(r"[A-Z]\w*[a-z]\w*|[a-z]\w*_\w*|[a-z]\w{2,}", re.ASCII)
_TORN = pattern(
    r"^(?:的|之|与|和|及|\s*(?:and|or|of|in|on|for|with|vs|is|are|from|by|to)\b)"
    r"|(?:[和与及或跟的]|\b(?:and|or|of|in|on|for|with|the|a|an|vs|is|are|using|from|by|to|about)\.?)\s*$|(?:用法|模板|姿势|写法)\s*(?:是|为)?$",
    re.IGNORECASE,
)
"""Half of a sentence whose other half is the name."""
_SIGNATURE_LINES = 3
"""A fence with one line."""


def entries(page: Page) -> Finds:
    """Api notes of headings and of sentences above code."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if index in used or not page.free(index):
            continue
        if isinstance(block, Heading):
            made = _named(page, index, block) or unnamed(page, index, block)
        elif isinstance(block, Prose):
            made = told(page, index, block) or sentence(page, index, block, used)
        else:
            made = None
        if made:
            notes.append(made[0])
            used.update(made[1])
    return Finds(tuple(notes), (), frozenset(used))


def _named(page: Page, index: int, block: Heading) -> Made:
    text = title(block.text)
    names, rest = heading_names(text)
    if not names and _is_entry(page, index, text):
        names, rest = (plain(text),), ""
    if not names or asks(text) or wording.EXAMPLE.search(plain(text)) or _in_outline(page, index, text):
        return None
    if len(names) > 1 and (_is_title(page, index, block) or _names_below(page, index, names)):
        return None
    parts = parts_of(page, index, names)
    rest = rest if _means(rest) else ""
    meaning = parts.description or (rest if parts.example or parts.signature else "") or parts.features
    if not meaning:
        return None
    if parts.features and parts.features not in meaning:
        meaning = f"{meaning}\n\n{parts.features}"
    signature = parts.signature or " / ".join(names)
    body = Api(
        name=" / ".join(name.partition("(")[0] for name in names),
        signature=signature,
        meaning=meaning,
        example=_own_example(page, parts),
    )
    span = _span(page, index, parts.blocks)
    note = page.note(body, span, index, text, rests_on=_resting(page, index, parts.blocks))
    return note, (index, *parts.blocks, *parts.shown)


def _is_title(page: Page, index: int, block: Heading) -> bool:
    """The first heading of all: several names in it are what the whole document is about."""
    return block.level == 1 and not any(isinstance(one, Heading) for one in page.blocks[:index])


def _means(rest: str) -> bool:
    """True for words of a heading that say what its name is for: `Leaf tensors and x`, `x 的用法` say what is told of it."""
    return not (_TORN.search(rest) or wording.CHAPTER.search(rest) or wording.EXAMPLE.search(rest))


def _is_entry(page: Page, index: int, text: str) -> bool:
    """A heading of one plain word (`StepLR`) over its own signature or over a line that begins with it in code."""
    name = plain(text)
    if not _WORD.fullmatch(name):
        return False
    for at in list(page.body(index))[:2]:
        block = page.blocks[at]
        if isinstance(block, Code):
            return "\n" not in block.text.strip() and is_signature(block.text.strip(), (name,))
        if isinstance(block, Prose):
            spans = code_spans(block.text[:OPENING])
            return block.text.startswith("`") and bool(spans) and called(spans[0].partition("(")[0]) == name
    return False


def _own_example(page: Page, parts: Parts) -> str:
    """Code whose output is a note of its own would give that away."""
    return parts.example if all(page.free(at) for at in parts.shown) else ""


def _in_outline(page: Page, index: int, text: str) -> bool:
    return any(wording.ROADMAP.search(plain(title(heading))) for heading in (*page.path(index), text))


def _names_below(page: Page, index: int, names: Sequence[str]) -> bool:
    """Subsections have the names as their headings."""
    below = names_called(name for at in page.section(index) for name in _names_of(page, at))
    return not below.isdisjoint(names_called(names))


def _names_of(page: Page, index: int) -> tuple[str, ...]:
    block = page.blocks[index]
    if isinstance(block, Prose):
        return alone(block.text)
    return heading_names(title(block.text))[0] if isinstance(block, Heading) else ()


def _span(page: Page, index: int, blocks: Sequence[int]) -> Span:
    """From the heading to the first block that explains it."""
    first = page.blocks[index].span
    return first | page.blocks[min(blocks)].span if blocks else Span(first.start, first.start + 1)


def _resting(page: Page, index: int, blocks: Sequence[int]) -> tuple[str, ...]:
    """The API claims of the heading and of the signature below it, not those that the text mentions by the way."""
    block = page.blocks[index]
    codes = (page.blocks[at] for at in page.body(index) if isinstance(page.blocks[at], Code))
    signatures = [code.span for code in codes if code.span.stop - code.span.start <= _SIGNATURE_LINES]
    return tuple(name for span in (block.span, *signatures) for name in page.apis_on(span))
