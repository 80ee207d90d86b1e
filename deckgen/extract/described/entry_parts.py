"""What stands under a heading that names an API: its signature, what it does, an example, its features."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.apis.names import called
from deckgen.extract.blocks import markdown_of
from deckgen.extract.claims.values import announces
from deckgen.extract.defined.holes import says
from deckgen.extract.defined.links import is_link
from deckgen.extract.defined.terms import definition
from deckgen.extract.page import Page
from deckgen.extract.text import code_spans, has_word, has_words, plain, width
from deckgen.model.document import Code, Items, Prose
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_SAYS_FIRST = pattern(
    r"[^\n，,。；]{6,}[，,。；][^\n]*(?:用来|用于|常用|可以|returns?|used)[^\n]*[:：]$", re.IGNORECASE
)
"""What an API does, and then that an example follows."""
_POINTS_ON = pattern(r"[👇⬇↓]\ufe0f?\s*$")
OPENING = 80
"""Characters of a paragraph in which it says what it is about."""
_LABEL = 24
"""Columns of a label."""
_LONGEST_EXAMPLE = 20


class Parts(NamedTuple):
    """What stands under a heading."""

    signature: str
    description: str
    example: str
    features: str
    blocks: tuple[int, ...]
    """That explain it."""
    shown: tuple[int, ...]
    """Code that the note shows."""


def parts_of(page: Page, index: int, names: Sequence[str]) -> Parts:
    """What stands under the heading at an index, which consists of these names."""
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
    return Parts(signature, description, example, features, tuple(blocks), tuple(shown))


def names_called(names: Iterable[str]) -> set[str]:
    """The last part of each name, without what it is called with: `conv2d` of `F.conv2d(input)`."""
    return {called(name.partition("(")[0]) for name in names}


def _of_one(block: Prose, names: Sequence[str]) -> bool:
    """True for a paragraph about one of several names: it explains not all of them."""
    spans = [*code_spans(block.text[:OPENING])] if len(names) > 1 and block.text.startswith("`") else []
    return bool(spans) and called(spans[0].partition("(")[0]) in names_called(names)


def _is_formula(block: Prose) -> bool:
    return block.text.strip().startswith("$$")


def _announcing(page: Page, at: int) -> str:
    """The sentence right above a formula: `fills it with numbers of this distribution:`."""
    above = page.blocks[at - 1]
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text else ""


def _code(block: Code, names: Sequence[str], signature: str, example: str) -> tuple[str, str]:
    text = block.text.strip()
    if "\n" not in text and not signature and is_signature(text, names):
        return text, example
    if not example and len(text.split("\n")) <= _LONGEST_EXAMPLE and _calls(text, names) and parsed(text):
        return signature, block.text.strip("\n")
    return signature, example


def _written_signature(block: Prose, names: Sequence[str]) -> str:
    """The call in code that is all of a paragraph; empty if it says more."""
    span = re.fullmatch(r"(`+)\s*([^`]+?)\s*\1", block.text.strip())
    return span[2] if span and "(" in span[2] and is_signature(span[2], names) else ""


def is_signature(text: str, names: Sequence[str]) -> bool:
    """True for a call of one of these names, or its definition, that passes no text."""
    match = re.match(r"^(?:class\s+|def\s+)?([\w.]+)\s*(?:\(.*\))?\s*:?$", text)
    if not match or _passes_text(text):
        return False
    return called(match[1]) in names_called(names)


def _passes_text(text: str) -> bool:
    """`writer.add_text("notes", note)` is a use of the name: a signature has names where this has a text."""
    tree = parsed(text)
    calls = (node for node in nodes(tree) if isinstance(node, ast.Call)) if tree else ()
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for call in calls for one in call.args)


def _calls(text: str, names: Sequence[str]) -> bool:
    return any(has_word(text, name) for name in names_called(names) if name)


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
