"""How a document is laid out: the headings above each block, what stands under a heading, the turns of a chat."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from deckgen.model.document import Block, Document, Heading, Turn

LONGEST_HEADING = 300
_ENDING = (Heading, Turn)


@dataclass(frozen=True)
class Outline:
    """A document with its headings and turns."""

    document: Document

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return self.document.blocks

    @property
    def chinese(self) -> bool:
        return self.document.language == "zh"

    @property
    def chat(self) -> bool:
        return self.document.chat

    def path(self, index: int) -> tuple[str, ...]:
        """Texts of the headings above a block, outermost first; a heading is not above itself."""
        return self._texts[self._paths[index]]

    def heading_above(self, index: int) -> int | None:
        """Index of the nearest heading above a block."""
        return self._paths[index][-1] if self._paths[index] else None

    def body(self, index: int) -> range:
        """Indices of the blocks under a heading, up to the next heading or turn."""
        at = bisect_right(self._ends, index)
        return range(index + 1, self._ends[at] if at < len(self._ends) else len(self.blocks))

    def section(self, index: int) -> range:
        """Indices of the blocks under a heading with its subsections, up to the next turn."""
        head = self.blocks[index]
        level = head.level if isinstance(head, Heading) else 9
        for at in range(bisect_right(self._ends, index), len(self._ends)):
            end = self.blocks[self._ends[at]]
            if not isinstance(end, Heading) or end.level <= level:
                return range(index + 1, self._ends[at])
        return range(index + 1, len(self.blocks))

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """Indices of the headings and turns: what may end a section."""
        return tuple(index for index, block in enumerate(self.blocks) if isinstance(block, _ENDING))

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """For every block the index of the turn that it belongs to; -1 before the first."""
        turns: list[int] = []
        for index, block in enumerate(self.blocks):
            turns.append(index if isinstance(block, Turn) else turns[-1] if turns else -1)
        return tuple(turns)

    def turn_after(self, index: int) -> int:
        """Index of the next turn after a block; the number of blocks if there is none."""
        at = bisect_right(self._turn_starts, index)
        return self._turn_starts[at] if at < len(self._turn_starts) else len(self.blocks)

    @cached_property
    def _turn_starts(self) -> tuple[int, ...]:
        return tuple(index for index, block in enumerate(self.blocks) if isinstance(block, Turn))

    @cached_property
    def _texts(self) -> dict[tuple[int, ...], tuple[str, ...]]:
        """The texts of each path of headings."""
        return {
            path: tuple(self.blocks[at].text[:LONGEST_HEADING] for at in path)  # type: ignore[union-attr] # headings
            for path in set(self._paths)
        }

    @cached_property
    def _paths(self) -> tuple[tuple[int, ...], ...]:
        paths: list[tuple[int, ...]] = []
        above: list[int] = []
        for index, block in enumerate(self.blocks):
            if isinstance(block, Heading):
                while above and self.blocks[above[-1]].level >= block.level:  # type: ignore[union-attr]
                    above.pop()
                paths.append(tuple(above))
                above.append(index)
            else:
                paths.append(tuple(above))
        return tuple(paths)
