"""Output in a block of its own after the code: a fence, an indented block or a paragraph after `输出：`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deckgen.extract.claims.fences import fence
from deckgen.extract.claims.reply import REPLY, Reply
from deckgen.extract.claims.sentences import paragraph, quoted
from deckgen.extract.claims.words import announces
from deckgen.model.document import Block, Code, Document, Heading, Output, Prose, Quote
from deckgen.model.source import Span

_OUT_OF_REACH = 2
"""Headings below code: what stands under them is no output of it."""


def replies(document: Document, found: dict[int, Reply]) -> Iterator[tuple[int, Block]]:
    """The blocks with their indices. Those that show output (stored outputs, code-like blocks that are no code) are in `found` by then.

    Who reads the code does so as it goes: what was parsed to see that it is code is still at hand, however long the document.
    """
    headings = _OUT_OF_REACH
    for index, block in enumerate(document.blocks):
        if isinstance(block, Heading | Code):
            headings = headings + 1 if isinstance(block, Heading) else 0
        far = headings >= _OUT_OF_REACH and isinstance(block, Prose | Quote)
        reply = None if far else _reply(document, index, block, found)
        if reply:
            found[index] = reply
        yield index, block


def _reply(document: Document, index: int, block: Block, found: dict[int, Reply]) -> Reply | None:
    if isinstance(block, Output):
        lines = block.lines or tuple(range(block.span.start, block.span.start + len(block.text.split("\n"))))
        return Reply(index, tuple(block.text.split("\n")), lines, block.stream, "stored", True)
    if isinstance(block, Code):
        return fence(document, index, block, found)
    if isinstance(block, Prose):
        return paragraph(document, index, block)
    if isinstance(block, Quote):
        return quoted(document, index, block)
    return None


def asked(document: Document, reply: Reply, code: Callable[[int], bool], found: dict[int, Reply]) -> list[int]:
    """Indices of the code blocks that a reply may answer, nearest last; none across headings or other replies."""
    blocks: list[int] = []
    headed = False
    for at in range(reply.index - 1, -1, -1):
        block = document.blocks[at]
        if at in found:
            if not (isinstance(block, Code) and _is_value(document, reply) and not blocks):
                break
            continue  # what the cell printed stands above its value
        if isinstance(block, Heading):
            if blocks or not (announces(block.text) or _near(document, at, reply)) or headed:
                break
            headed = True
        if isinstance(block, Code) and code(at):
            blocks.insert(0, at)
    return blocks


def _is_value(document: Document, reply: Reply) -> bool:
    """True if a reply stands behind or below `Out[4]:`."""
    above = document.blocks[reply.index - 1] if reply.index else None
    own = document.blocks[reply.index]
    texts = [block.text for block in (above, own) if isinstance(block, Prose)]
    return any(REPLY.match(text) for text in texts)


def _near(document: Document, at: int, reply: Reply) -> bool:
    between: list[Span] = [block.span for block in document.blocks[at + 1 : reply.index]]
    return not between
