"""Fences of Markdown: where they stand, code with its language, and outputs that exporters store as JSON."""

from __future__ import annotations

import re
from dataclasses import replace

from markdown_it.token import Token

from deckgen.model.document import Block, Code
from deckgen.model.source import Span
from deckgen.read.assemble import shifted
from deckgen.read.stored import outputs_in
from deckgen.text.pattern import pattern

_FENCE = pattern(r"\s{0,3}(`{3,}|~{3,})")
_STORED = pattern(r"\bjson\b.*\boutput\b")


def stored_output(token: Token, start: int, stop: int) -> list[Block]:
    """The outputs of a fence such as `{.json .output}`; the first of them has the fence's first lines, too."""
    if not _STORED.search(token.info):
        return []
    found = shifted(outputs_in(token.content, f"output-{start + 1}"), start + 1)
    return [replace(block, span=Span(start, stop) if at == 0 else Span(stop, stop)) for at, block in enumerate(found)]


def fence_after(line: str, fence: str) -> str:
    """The mark of the fence that is open below a line."""
    match = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if match is None:
        return fence
    if not fence:
        return match[1]
    return "" if match[1].startswith(fence) and line.strip() == match[1] else fence


def fenced(span: Span, content: str, first: int, info: str) -> Code:
    text = content.removesuffix("\n")
    count = text.count("\n") + 1 if content else 0
    return Code(span, text, language_word(info), tuple(range(first, first + count)), info)


def language_word(info: str) -> str:
    """The language that an info string names: `python` for `python {no-run}` and `{.python .input}`."""
    words = re.split(r"[\s,{}=:]+", info.strip("{}: "), maxsplit=1)
    return words[0].lstrip(".").lower() if words else ""
