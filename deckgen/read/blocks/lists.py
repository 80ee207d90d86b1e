"""Lists, flattened: code and tables inside an item stand beside it as blocks of their own."""

from __future__ import annotations

from dataclasses import dataclass, field

from deckgen.model.document import Block, Item, Items, Prose
from deckgen.model.source import Span


@dataclass(slots=True)
class _Open:
    """An item whose own text may still grow."""

    depth: int
    number: str
    line: int
    stop: int
    paragraphs: list[str] = field(default_factory=list)

    def close(self) -> Item:
        return Item(Span(self.line, self.stop), self.depth, "\n\n".join(self.paragraphs), self.number)


@dataclass(slots=True)
class Flattened:
    """Collects a list's items and the blocks that interrupt it, in document order."""

    blocks: list[Block] = field(default_factory=list)
    _items: list[Item] = field(default_factory=list)
    _open: _Open | None = None

    def item(self, line: int, depth: int, number: str) -> None:
        """A new item begins; one that was empty on the same line (`- - text`) is dropped."""
        self._close(line)
        self._open = _Open(depth, number, line, line + 1)

    def paragraph(self, span: Span, text: str, *, own: bool) -> None:
        """A paragraph; `own` if it belongs to the item that began last, with nothing in between."""
        if self._open is not None and own:
            self._open.paragraphs.append(text)
            self._open.stop = span.stop
        else:
            self.interrupt([Prose(span, text)])

    def interrupt(self, blocks: list[Block]) -> None:
        """Blocks of another kind end the run of items."""
        if blocks:
            self._close(blocks[0].span.start)
            self._flush()
            self.blocks += blocks

    def finish(self) -> list[Block]:
        self._close(None)
        self._flush()
        return self.blocks

    def _close(self, line: int | None) -> None:
        item, self._open = self._open, None
        if item is not None and (item.paragraphs or line is None or item.line < line):
            self._items.append(item.close())

    def _flush(self) -> None:
        if self._items:
            span = Span(self._items[0].span.start, self._items[-1].span.stop)
            self.blocks.append(Items(span, tuple(self._items)))
            self._items = []
