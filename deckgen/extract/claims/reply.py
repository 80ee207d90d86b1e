"""A reply: a block that shows what code above it writes; and what stands around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deckgen.extract.claims.cut import certainly_code, looks_like_code
from deckgen.extract.claims.words import announces, announces_failure
from deckgen.model.document import Code, Document, Heading, Prose, Quote, Turn
from deckgen.text.pattern import pattern

_SAYING = (Prose, Heading, Quote)
"""Blocks that may announce an output."""
FORM = "following"
OUTPUT_LANGUAGES = frozenset(
    {"output", "out", "stdout", "console", "result", "results", "text", "txt", "plaintext", "plain", "none", "log"}
)
PLAIN = frozenset({"text", "txt", "plaintext", "plain", "none"})
"""Tags of those of them that say no more than that nothing is to be coloured."""
PYTHON = frozenset({"python", "py", "python3", "py3", "pytorch", "ipython", "pycon", "ipython3", "python2", "torch"})
TRACEBACK = "Traceback (most recent call last)"
REPLY = pattern(r"\s*(?:Out ?)?\[(?:[\d ]*|Out)\]:\s*|\s*Out ?\[[\d ]*\]:\s*")


@dataclass(frozen=True, slots=True)
class Reply:
    """A block that shows output: its lines and where they stand."""

    index: int
    texts: tuple[str, ...]
    lines: tuple[int, ...]
    stream: str
    form: str
    labelled: bool


def is_python(block: Code) -> bool:
    """True if a block is code to be read as Python: tagged so, or untagged (or wrongly tagged) and parsing."""
    if block.language in PYTHON or block.cell:
        return True
    if block.language.lstrip("{.").rstrip("}") in PYTHON:
        return True
    if re.search(r"^[^\S\n]*(?:>>>|In ?\[\d+\]:) ", block.text, re.M):
        return True
    if block.language in PLAIN:
        return certainly_code(block.text)
    return looks_like_code(block.text) and block.language not in OUTPUT_LANGUAGES


def failure_expected(document: Document, index: int) -> bool:
    """True if the paragraph right above says that the code above it raises."""
    above = document.blocks[index - 1] if index else None
    return isinstance(above, Prose | Heading) and announces_failure(above.text)


def labelled_above(document: Document, index: int) -> bool:
    """True if the paragraph or heading right above announces an output."""
    above = document.blocks[index - 1] if index else None
    return isinstance(above, _SAYING) and announces(above.text)


def code_before(document: Document, index: int, found: dict[int, Reply], through: tuple[type, ...]) -> Code | None:
    for at in range(index - 1, -1, -1):
        block = document.blocks[at]
        if isinstance(block, Code):
            return block if at not in found and is_python(block) else None
        if not isinstance(block, through) and not is_speaker(block):
            return None
    return None


def right_below_code(document: Document, index: int) -> bool:
    """True if nothing stands between a block and code above it but the name of who speaks."""
    at = index - 1
    while at >= 0 and is_speaker(document.blocks[at]):
        at -= 1
    above = document.blocks[at] if at >= 0 else None
    return isinstance(above, Code) and is_python(above)


def is_speaker(block: object) -> bool:
    """True for the start of a turn, and for a paragraph that is nothing but a name: `**Bot:**`."""
    return isinstance(block, Turn) or (isinstance(block, Prose) and SPEAKER.fullmatch(block.text) is not None)


SPEAKER = pattern(r"\*\*[^*\n]{1,12}[:：]\s*\*\*\s*|\*\*[^*\n]{1,12}\*\*\s*[:：]\s*")
