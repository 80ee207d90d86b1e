"""API entries: a heading that names an API, and below it a signature, a line that explains it, an example.

Also a heading without a name over a few calls (`损失函数`), and a sentence that names one API right above
code that calls it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from deckgen.document import Code, Heading, Items, Prose
from deckgen.extract import talk, wording
from deckgen.extract.apis.names import called
from deckgen.extract.blocks import markdown_of
from deckgen.extract.claims.words import announces
from deckgen.extract.defined.holes import says
from deckgen.extract.defined.links import is_link
from deckgen.extract.defined.terms import definition
from deckgen.extract.described.entry_calls import Made, sentence, unnamed
from deckgen.extract.described.entry_lines import alone, told
from deckgen.extract.described.heading_names import asks, heading_names
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_word, has_words, plain, title, width
from deckgen.note import Api, Note
from deckgen.pattern import pattern
from deckgen.source import Span
from deckgen.syntax import nodes, parsed

_WORD = pattern(r"[A-Z]\w*[a-z]\w*|[a-z]\w*_\w*|[a-z]\w{2,}", re.ASCII)
_SAYS_FIRST = pattern(
    r"[^\n，,。；]{6,}[，,。；][^\n]*(?:用来|用于|常用|可以|returns?|used)[^\n]*[:：]$", re.IGNORECASE
)
"""What an API does, and then that an example follows."""
_TORN = pattern(
    r"^(?:的|之|与|和|及|\s*(?:and|or|of|in|on|for|with|vs|is|are|from|by|to)\b)"
    r"|(?:[和与及或跟的]|\b(?:and|or|of|in|on|for|with|the|a|an|vs|is|are|using|from|by|to|about)\.?)\s*$|(?:用法|模板|姿势|写法)\s*(?:是|为)?$",
    re.IGNORECASE,
)
"""Half of a sentence whose other half is the name."""
_POINTS_ON = pattern(r"[👇⬇↓]\ufe0f?\s*$")
_OPENING = 80
"""Characters of a paragraph in which it says what it is about."""
_LABEL = 24
"""Columns of a label."""
_LONGEST_EXAMPLE = 20
_SIGNATURE_LINES = 3
"""A fence with one line."""


class _Parts(NamedTuple):
    """What stands under a heading."""

    signature: str
    description: str
    example: str
    features: str
    blocks: tuple[int, ...]
    """That explain it."""
    shown: tuple[int, ...]
    """Code that the note shows."""


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
    if len(names) > 1 and _names_below(page, index, names):
        return None
    parts = _parts(page, index, names)
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
            return "\n" not in block.text.strip() and _is_signature(block.text.strip(), (name,))
        if isinstance(block, Prose):
            spans = code_spans(block.text[:_OPENING])
            return block.text.startswith("`") and bool(spans) and called(spans[0].partition("(")[0]) == name
    return False


def _own_example(page: Page, parts: _Parts) -> str:
    """Code whose output is a note of its own would give that away."""
    return parts.example if all(page.free(at) for at in parts.shown) else ""


def _in_outline(page: Page, index: int, text: str) -> bool:
    return any(wording.ROADMAP.search(plain(title(heading))) for heading in (*page.path(index), text))


def _names_below(page: Page, index: int, names: Sequence[str]) -> bool:
    """Subsections have the names as their headings."""
    below = {called(name.partition("(")[0]) for i in page.section(index) for name in _names_of(page, i)}
    return any(called(name.partition("(")[0]) in below for name in names)


def _names_of(page: Page, index: int) -> tuple[str, ...]:
    block = page.blocks[index]
    if isinstance(block, Prose):
        return alone(block.text)
    return heading_names(title(block.text))[0] if isinstance(block, Heading) else ()


def _parts(page: Page, index: int, names: Sequence[str]) -> _Parts:
    signature, description, example, features = "", "", "", ""
    blocks: list[int] = []
    shown: list[int] = []
    for at in page.body(index):
        block = page.blocks[at]
        if not page.free(at) and not isinstance(block, Code):
            break
        if isinstance(block, Code):
            before = signature, example
            signature, example = _code(block, names, signature, example)
            shown += [at] if (signature, example) != before else []
        elif isinstance(block, Prose) and not signature and (written := _written_signature(block, names)):
            signature = written
        elif isinstance(block, Prose) and _of_one(block, names):
            continue
        elif isinstance(block, Prose) and not description and not features and _explains(page, block):
            description = block.text.strip().rstrip(":：")
            if _is_formula(block) and (said := _announcing(page, at)):
                description = f"{said}\n\n{description}"
        elif isinstance(block, Items) and not features and _is_short(block) and not _are_parameters(page, at):
            features = markdown_of(block)
        else:
            continue
        if page.free(at) and not isinstance(block, Code):
            blocks.append(at)
    return _Parts(signature, description, example, features, tuple(blocks), tuple(shown))


def _of_one(block: Prose, names: Sequence[str]) -> bool:
    """True for a paragraph about one of several names: it explains not all of them."""
    spans = [*code_spans(block.text[:_OPENING])] if len(names) > 1 and block.text.startswith("`") else []
    return bool(spans) and called(spans[0].partition("(")[0]) in {called(name.partition("(")[0]) for name in names}


def _is_formula(block: Prose) -> bool:
    return block.text.strip().startswith("$$")


def _announcing(page: Page, at: int) -> str:
    """The sentence right above a formula: `fills it with numbers of this distribution:`."""
    above = page.blocks[at - 1]
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text else ""


def _code(block: Code, names: Sequence[str], signature: str, example: str) -> tuple[str, str]:
    text = block.text.strip()
    if "\n" not in text and not signature and _is_signature(text, names):
        return text, example
    if not example and len(text.split("\n")) <= _LONGEST_EXAMPLE and _calls(text, names) and parsed(text):
        return signature, block.text.strip("\n")
    return signature, example


def _written_signature(block: Prose, names: Sequence[str]) -> str:
    """The call in code that is all of a paragraph; empty if it says more."""
    span = re.fullmatch(r"(`+)\s*([^`]+?)\s*\1", block.text.strip())
    return span[2] if span and "(" in span[2] and _is_signature(span[2], names) else ""


def _is_signature(text: str, names: Sequence[str]) -> bool:
    match = re.match(r"^(?:class\s+|def\s+)?([\w.]+)\s*(?:\(.*\))?\s*:?$", text)
    if not match or _passes_text(text):
        return False
    return called(match[1]) in {called(name.partition("(")[0]) for name in names}


def _passes_text(text: str) -> bool:
    """`writer.add_text("notes", note)` is a use of the name: a signature has names where this has a text."""
    tree = parsed(text)
    calls = (node for node in nodes(tree) if isinstance(node, ast.Call)) if tree else ()
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for call in calls for one in call.args)


def _calls(text: str, names: Sequence[str]) -> bool:
    wanted = {called(name.partition("(")[0]) for name in names}
    return any(has_word(text, name) for name in wanted if name)


def _explains(page: Page, block: Prose) -> bool:
    text = block.text.strip()
    if not has_words(text) or text.startswith(("![", "<img")) or (page.chat and talk.CHATTER.search(plain(text))):
        return False
    if text.endswith(("?", "？")) or len(text.split("\n")) > 6 or _POINTS_ON.search(text):
        return False
    if announces(text) or _is_label(text):
        return False
    return not text.endswith((":", "：")) or bool(_SAYS_FIRST.match(text))


def _is_label(text: str) -> bool:
    """True for a line that only says what stands below it: `Example`, `用法`, `See also`."""
    line = plain(text).strip(" *_:：#-")
    return "\n" not in line and width(line) <= _LABEL and any(map(_is_word_for, (line, line.rstrip("s"))))


def _is_word_for(line: str) -> bool:
    others = (wording.EXAMPLE, wording.CHORES, wording.PARAMETERS, wording.CONTENTS)
    return wording.NOTE_WORD.search(line) is not None or any(
        (found := one.search(line)) is not None and found.span() == (0, len(line)) for one in others
    )


def _is_short(block: Items) -> bool:
    """A few plain lines; definitions are notes of their own."""
    defined = (definition(item.text) for item in block.items)
    if any(found and code_spans(found.term) for found in defined):
        return False
    if all(is_link(item.text) for item in block.items):
        return False
    if len(block.items) == 1 and block.items[0].text.rstrip().endswith("`") and not says(block.items[0].text):
        return False  # a label over what comes below
    return len(block.items) <= 6 and all(item.depth == 0 and width(item.text) <= 120 for item in block.items)


def _are_parameters(page: Page, at: int) -> bool:
    """A list under `Parameters:` is one note a parameter, not a feature of the API."""
    above = page.blocks[at - 1]
    return isinstance(above, Prose) and bool(wording.PARAMETERS.search(plain(above.text).strip().rstrip(":： ")))


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
