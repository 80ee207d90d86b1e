"""Output in a block of its own after the code: a fence, an indented block, a paragraph after `输出：`, a notebook's stored output."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from deckgen.extract.claims.code import fits, prints_inside
from deckgen.extract.claims.pasted import OUT, STDERR, TIMED, TRACEBACK, looks_like_code, raised
from deckgen.extract.claims.values import announces, announces_failure, marker, only_values
from deckgen.model.claim import ClaimPlace
from deckgen.model.document import Block, Code, Directive, Document, Heading, Image, Output, Prose, Quote, Turn
from deckgen.text.syntax import parsed
from deckgen.written import half_width
from deckgen.written.lines import paragraphs

PYTHON = frozenset({"python", "py", "python3", "py3", "pytorch", "ipython", "pycon", "ipython3", "python2", "torch"})
OUTPUT_LANGUAGES = frozenset(
    {"text", "txt", "plaintext", "plain", "none", "output", "out", "stdout", "console", "result", "results", "log"}
)
_OUT_OF_REACH = 2
"""Headings below code: what stands under them is no output of it."""


class Reply(NamedTuple):
    """A block that shows output: its lines and where they stand."""

    at: int
    texts: tuple[str, ...]
    lines: tuple[int, ...]
    form: str
    stream: str = "any"
    place: ClaimPlace = "after"


def replies(document: Document, found: dict[int, Reply]) -> Iterator[tuple[int, Block]]:
    """The blocks with their indices; those that show output are in `found` by the time they are given.

    Who reads the code does so as it goes: what was parsed to see that it is code is still at hand, however long the document.
    """
    headings = _OUT_OF_REACH
    for index, block in enumerate(document.blocks):
        if isinstance(block, Heading | Code):
            headings = headings + 1 if isinstance(block, Heading) else 0
        reply: Reply | None = None
        if isinstance(block, Output):
            texts = tuple(block.text.split("\n"))
            lines = block.lines or tuple(range(block.span.start, block.span.start + len(texts)))
            reply = Reply(index, texts, lines, "stored", block.stream, "stored")
        elif isinstance(block, Code):
            reply = _fence(document, index, block, found)
        elif isinstance(block, Prose) and headings < _OUT_OF_REACH:
            reply = _paragraph(document, index, block)
        if reply:
            found[index] = reply
        yield index, block


def answered_blocks(
    document: Document, reply: Reply, is_code: Callable[[int], bool], found: dict[int, Reply]
) -> list[int]:
    """Indices of the code blocks that a reply may answer, the nearest last; none across other replies and headings.

    A heading that announces the output is passed once.
    """
    blocks: list[int] = []
    headed = False
    for at in range(reply.at - 1, -1, -1):
        block = document.blocks[at]
        if at in found:
            break
        if isinstance(block, Heading):
            if blocks or headed or not (announces(block.text) or at == reply.at - 1):
                break
            headed = True
        if isinstance(block, Code) and is_code(at):
            blocks.insert(0, at)
    return blocks


def is_python(block: Code) -> bool:
    """True if a block is code to be read as Python: tagged so, or untagged (or wrongly tagged) and parsing."""
    if block.language.lstrip("{.").rstrip("}") in PYTHON or block.cell:
        return True
    if re.search(r"^[^\S\n]*(?:>>>|In ?\[\d+\]:) ", block.text, re.M):
        return True
    return looks_like_code(block.text) and block.language not in OUTPUT_LANGUAGES


# --- fences -----------------------------------------------------------------------------------------


def _fence(document: Document, index: int, block: Code, found: dict[int, Reply]) -> Reply | None:
    """The reply that a fence is, if it shows output."""
    text = block.text
    if block.language in PYTHON and not _holds_values(text):
        return None
    above = document.blocks[index - 1] if index else None
    said = above.text if isinstance(above, Prose | Heading | Quote) else ""
    failed = (TRACEBACK in text or _is_error(text)) and not isinstance(above, Quote) and announces_failure(said)
    labelled = failed or announces(said)
    through = (Directive, Image, Prose, Quote) if labelled else (Directive, Image)
    code = _code_before(document, index, found, through)
    printed = bool(labelled and code and not block.language and _starts_as_printed(text, code))
    if block.language not in OUTPUT_LANGUAGES and not printed and looks_like_code(text):
        return None
    if not labelled and not (code and _is_output_of(text, block.language, code)):
        return None
    first, *others = text.split("\n")
    return Reply(index, (OUT.sub("", first, count=1), *others), block.lines, "fence")


def _is_output_of(text: str, language: str, code: Code) -> bool:
    """True if a fence that nothing announces shows what the code right above it writes."""
    if language in OUTPUT_LANGUAGES or _holds_values(text) or TRACEBACK in text or _is_error(text):
        return True
    return STDERR.match(_first_line(text)) is not None or _starts_as_printed(text, code)


def _code_before(document: Document, index: int, found: dict[int, Reply], through: tuple[type, ...]) -> Code | None:
    """The nearest code above a block, with nothing but these kinds of blocks between."""
    for at in range(index - 1, -1, -1):
        block = document.blocks[at]
        if isinstance(block, Code):
            return block if at not in found and is_python(block) else None
        if not isinstance(block, (*through, Turn)):
            return None
    return None


def _holds_values(text: str) -> bool:
    return not looks_like_code(text) and only_values([line for line in text.split("\n") if not TIMED.match(line)])


def _first_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _starts_as_printed(text: str, code: Code) -> bool:
    """True if the first line is what a print of the code writes, or every part is that or a value."""
    calls = _prints(code)
    if any(fits(_first_line(text), call) for call in calls):
        return True
    lines = text.split("\n")
    parts = ["\n".join(lines[start:stop]) for start, stop in paragraphs(lines)]
    fit = [any(fits(part, call) for call in calls) for part in parts]
    return any(fit) and all(ok or only_values([part]) for ok, part in zip(fit, parts, strict=True))


def _prints(code: Code) -> list[ast.Call]:
    tree = parsed(code.text)
    return [call for node in tree.body for call in prints_inside(node)] if tree else []


def _is_error(text: str) -> bool:
    """True for text that is nothing but an exception and its message."""
    first, *others = text.strip().split("\n")
    return raised(first) is not None and all(line[:1].isspace() or not line for line in others)


# --- paragraphs -------------------------------------------------------------------------------------


def _paragraph(document: Document, index: int, block: Prose) -> Reply | None:
    """`输出：` with values beside it or below it, `Out[2]: 3`, or a paragraph of values after such a label; `` Output: `3` ``."""
    lines = block.text.split("\n")
    spans = range(block.span.start, block.span.stop)
    if len(lines) != len(spans):
        return None
    above = document.blocks[index - 1] if index else None
    bare = [half_width(line).strip("*_` ") for line in lines]
    prompt = OUT.match(bare[0]) if "]:" in bare[0] else None
    sign, rest = marker(bare[0].replace("**", ""))
    if prompt:
        bare[0] = bare[0][prompt.end() :]
    elif len(lines) > 1 and announces(lines[0]):
        bare = bare[1:]
    elif sign == "strong" and rest.strip("*_` "):
        bare[0] = rest.strip("*_` ")
    elif not (isinstance(above, Prose | Heading | Quote) and announces(above.text)):
        return None
    quoted = sign == "strong" and len(lines) == 1 and rest.startswith("`") and rest.count("`") <= 1
    if not quoted and not only_values(bare):
        return None
    return Reply(index, tuple(bare), tuple(spans[-len(bare) :]), "paragraph")


class OutputForm(NamedTuple):
    """A row: a kind of block that shows output."""

    name: str
    example: str
    seen: tuple[str, ...]


OUTPUTS: tuple[OutputForm, ...] = (
    OutputForm("fence", "```python\nprint(x)\n```\n```\n3\n```", ("seed 000", "seed 001")),
    OutputForm("paragraph", "```python\nprint(x)\n```\n\n输出：3", ("seed 000",)),
)
