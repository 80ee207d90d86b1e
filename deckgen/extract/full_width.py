"""Numbers and letters as Chinese input methods type them: `１．`, `1．`, `（２）` and `Ａ．` count as `1.`, `(2)` and `A.` do.

Only what counts questions and options is written anew, each sign in the place of another, so that lines and places stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deckgen.model.document import Block, Details, Document, Heading, Items, Prose, Quote, Row, Table
from deckgen.text.pattern import pattern

_WIDE = pattern(r"[０-９Ａ-Ｈａ-ｈ．]")
_COUNTS = pattern(
    r"(?<![\w０-９．.])[０-９]{1,3}(?=\s*[．.、:：)）\]】题\-－—])|(?<=[第QＱq#])[０-９]{1,3}|(?<=[0-9０-９])．(?![0-9０-９])"
    r"|(?<![A-Za-zＡ-Ｚａ-ｚ0-9_])[Ａ-Ｈａ-ｈ]{1,8}(?![A-Za-zＡ-Ｚａ-ｚ0-9_])"
)
_NARROW = {
    wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF29), *range(0xFF41, 0xFF49), 0xFF0E)
}


def narrowed(document: Document) -> Document:
    """The same document with narrow numbers and letters where they count; the document itself if it has no wide ones."""
    if document.source.text.isascii():
        return document
    blocks = tuple(map(_narrowed_block, document.blocks))
    same = all(new is old for new, old in zip(blocks, document.blocks, strict=True))
    return document if same else replace(document, blocks=blocks)


def _narrowed(text: str) -> str:
    return _COUNTS.sub(lambda match: match[0].translate(_NARROW), text) if _WIDE.search(text) else text


def _narrowed_block(block: Block) -> Block:
    match block:
        case Prose() | Quote() | Heading():
            return replace(block, text=_narrowed(block.text)) if _WIDE.search(block.text) else block
        case Details():
            inner = tuple(map(_narrowed_block, block.blocks))
            told = replace(block, summary=_narrowed(block.summary), text=_narrowed(block.text), blocks=inner)
            return block if told == block else told
        case Items() if any(_WIDE.search(item.text) for item in block.items):
            return replace(block, items=tuple(replace(item, text=_narrowed(item.text)) for item in block.items))
        case Table() if any(map(_WIDE.search, _cells(block))):
            rows = tuple(Row(row.span, tuple(map(_narrowed, row.cells))) for row in block.rows)
            return replace(block, header=tuple(map(_narrowed, block.header)), rows=rows)
        case _:
            return block


def _cells(table: Table) -> Iterator[str]:
    yield from table.header
    for row in table.rows:
        yield from row.cells
