"""A document laid out for the rules: the headings above each block, its lines, its code, and which blocks are taken.

A rule is a function from a page to its finds. Only the engine enters what it took, so that a quiz is not a definition as well.
A list may hold a quiz, a question and a definition side by side: a rule takes out the items that it made notes of, with all below
them, and leaves the rest to those that follow.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TypeVar, cast

from deckgen.extract.blocks import Line, lines_of, starts
from deckgen.extract.declared.gaps import Gaps
from deckgen.extract.key import key
from deckgen.extract.labels import OF_ITS_TURN, Kind, labels
from deckgen.extract.text import ends_with_colon, title
from deckgen.model.claim import Exists, Snippet
from deckgen.model.document import Block, Code, Document, Heading, Item, Items, Prose, Turn
from deckgen.model.note import Basic, Body, Key, Note, Place, Skipped
from deckgen.model.source import Span

LONGEST_HEADING = 300
"""Characters of a heading that cards show."""
T = TypeVar("T")
B = TypeVar("B", bound=Block)


@dataclass(frozen=True, slots=True)
class Finds:
    """What a rule made of a page."""

    notes: tuple[Note, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    used: frozenset[int] = frozenset()
    """Indices of the blocks that no rule asked later may use."""
    left: Mapping[int, Block] = field(default_factory=dict)
    """What is left to later rules of blocks that are used in part, by their indices."""
    cards: frozenset[int] = frozenset()
    """Indices of the blocks that stand on cards as their author wrote these: their code is no card of its own."""

    def taken(self) -> frozenset[int]:
        """Indices of the blocks that are used, in part or as a whole."""
        return self.used.union(self.left)


Made = Iterator[tuple[Note | Skipped, Iterable[int]]]
"""Notes and refusals, each with the indices of the blocks that it takes."""


def collected(make: Callable[[Page], Made]) -> Callable[[Page], Finds]:
    """A rule out of a generator of what it makes."""

    @wraps(make)
    def find(page: Page) -> Finds:
        every = list(make(page))
        return Finds(
            tuple(one for one, _ in every if isinstance(one, Note)),
            tuple(one for one, _ in every if isinstance(one, Skipped)),
            frozenset(index for _, blocks in every for index in blocks),
        )

    return find


@dataclass(eq=False)
class Page:
    """A document, its snippets and names of the API, and which blocks are taken."""

    document: Document
    snippets: tuple[Snippet, ...] = ()
    apis: tuple[Exists, ...] = ()
    taken: frozenset[int] = frozenset()
    """Indices of the blocks that no rule may use any more."""
    gaps: Gaps = field(default_factory=Gaps)
    """What the author marked to be hidden, and where cards are written as tools for flashcards want them."""
    notes: tuple[Note, ...] = ()
    """What surer rules have made, for those that only suggest: they look at lines, whosever block these stand in."""
    refused: tuple[Skipped, ...] = ()
    """What surer rules have refused, with its reason."""

    # What is taken

    def __post_init__(self) -> None:
        self.blocks = self.document.blocks
        """The blocks as the rules that are still to be asked see them."""
        self.cards = frozenset[int]()
        """Indices of the blocks that stand on cards as their author wrote these."""
        self.noted: set[int] = set()
        """The lines of which there are notes already."""

    def enter(self, finds: Finds) -> None:
        """Enter what a rule took. Called by the engine alone."""
        self.taken |= finds.used
        self.cards |= finds.cards
        for span in {
            note.span for note in finds.notes
        }:  # a cell of a thousand outputs gives a thousand notes of its lines
            self.noted.update(range(span.start, span.stop))
        self.notes += finds.notes
        self.refused += finds.skipped
        if finds.left:
            self.blocks = tuple(finds.left.get(index, block) for index, block in enumerate(self.blocks))
            self._made.clear()

    def free(self, index: int) -> bool:
        """True if no rule has taken the block at this index."""
        return index not in self.taken

    def _kept(self, name: str, index: int, make: Callable[[], T]) -> T:
        """What was made of a block, until some block is taken in part."""
        if (name, index) not in self._made:
            self._made[name, index] = make()
        return cast("T", self._made[name, index])

    def each(self, kind: type[B]) -> Iterator[tuple[int, B]]:
        """The blocks of one kind that no rule has taken, with their indices."""
        return ((at, block) for at, block in enumerate(self.blocks) if isinstance(block, kind) and self.free(at))

    def line_above(self, index: int) -> str:
        """The one line with a colon right above a block; empty if there is none."""
        above = self.blocks[index - 1] if index else None
        text = above.text.strip() if isinstance(above, Prose) else ""
        return text if ends_with_colon(text) and "\n" not in text else ""

    @cached_property
    def _made(self) -> dict[tuple[str, int], object]:
        return {}

    # Headings and turns

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
        for end in self._ends[bisect_right(self._ends, index) :]:
            block = self.blocks[end]
            if not isinstance(block, Heading) or block.level <= level:
                return range(index + 1, end)
        return range(index + 1, len(self.blocks))

    def turn_after(self, index: int) -> int:
        """Index of the next turn after a block; the number of blocks if there is none."""
        at = bisect_right(self._turn_starts, index)
        return self._turn_starts[at] if at < len(self._turn_starts) else len(self.blocks)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """For every block the index of the turn that it belongs to; -1 before the first."""
        turns: list[int] = []
        for index, block in enumerate(self.document.blocks):
            turns.append(index if isinstance(block, Turn) else turns[-1] if turns else -1)
        return tuple(turns)

    @cached_property
    def _turn_starts(self) -> tuple[int, ...]:
        return tuple(index for index, block in enumerate(self.document.blocks) if isinstance(block, Turn))

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """Indices of the headings and turns: what may end a section."""
        return tuple(index for index, block in enumerate(self.document.blocks) if isinstance(block, Heading | Turn))

    @cached_property
    def _paths(self) -> tuple[tuple[int, ...], ...]:
        """For every block the indices of the headings above it."""
        paths: list[tuple[int, ...]] = []
        above: list[tuple[int, int]] = []  # level, index
        for index, block in enumerate(self.document.blocks):
            if isinstance(block, Heading):
                while above and above[-1][0] >= block.level:
                    above.pop()
            paths.append(tuple(at for _, at in above))
            if isinstance(block, Heading):
                above.append((block.level, index))
        return tuple(paths)

    @cached_property
    def _texts(self) -> dict[tuple[int, ...], tuple[str, ...]]:
        """The texts of each path of headings."""
        heads = {at: block.text for at, block in enumerate(self.document.blocks) if isinstance(block, Heading)}
        return {path: tuple(heads[at][:LONGEST_HEADING] for at in path) for path in set(self._paths)}

    def context(self, index: int) -> tuple[str, ...]:
        """The headings above a block that a card shows.

        In a chat a heading of an earlier turn stays above all that follows; but one over a quiz, a recap or a mnemonic was
        about that turn alone, and what comes after a recap, or after a new plan, is no longer about what was above.
        In a notebook a question stays above the cell that answers it, and not above the cells behind that one.
        """
        above = zip(self._paths[index], self.path(index), strict=True)
        if self.chat:
            turn = self.turns[index]
            closed = bisect_right(self._closings, (index, index))
            since = self._closings[closed - 1][1] if closed else -1
            return tuple(
                text for at, text in above if self.turns[at] == turn or (at >= since and not _is_of_its_turn(text))
            )
        code = self.code_above(index, 1) if self.document.continuous else ()
        return tuple(
            text
            for at, text in above
            if Kind.JUDGING not in labels(text).title
            and not (code and at <= code[0] and Kind.QUESTION in labels(text).words)
        )

    @cached_property
    def _closings(self) -> list[tuple[int, int]]:
        """(index, turn) pairs of a chat: from this index on the headings above that turn no longer count.

        That is behind the turn of a recap, and below a plan.
        """
        found: list[tuple[int, int]] = []
        for index, block in enumerate(self.document.blocks):
            if not isinstance(block, Heading) or len(block.text) > LONGEST_HEADING:
                continue
            said = labels(block.text).title
            if Kind.ROADMAP in said:
                found.append((index, self.turns[index]))
            elif Kind.SUMMARY in said:
                found.append((self.turn_after(index), self.turns[index]))
        return sorted(found)

    # Lines

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines of text of the block at an index."""
        block = self.blocks[index]
        return self._kept("lines", index, lambda: tuple(lines_of(block, index)))

    def part_starts(self, index: int) -> Sequence[int]:
        """Of a list: the place of the first line of each top-level item."""
        block = self.blocks[index]
        items = block.items if isinstance(block, Items) else ()
        return self._kept("parts", index, lambda: starts(block, min((item.depth for item in items), default=0)))

    def item_starts(self, index: int) -> Sequence[int]:
        """Of a list: the place of the first line of each item."""
        block = self.blocks[index]
        return self._kept("items", index, lambda: starts(block, None))

    # Code

    @cached_property
    def code(self) -> dict[int, Snippet]:
        """The snippet of each block of code that is one, by the block's index."""
        found: dict[int, Snippet] = {}
        blocks = [(index, block) for index, block in enumerate(self.document.blocks) if isinstance(block, Code)]
        at = 0
        for snippet in self.snippets:
            match = next((i for i in range(at, len(blocks)) if _holds(blocks[i][1], snippet)), None)
            if match is not None:
                found[blocks[match][0]] = snippet
                at = match + 1
        return found

    def code_above(self, index: int, most: int) -> Sequence[int]:
        """Indices of the nearest blocks of code above a block, at most so many, in order."""
        stop = bisect_left(self._coded, index)
        return self._coded[max(0, stop - most) : stop]

    @cached_property
    def _coded(self) -> tuple[int, ...]:
        return tuple(self.code)

    def claims_about(self, index: int) -> bool:
        """True if the code of the block at this index has claims."""
        snippet = self.code.get(index)
        return snippet is not None and bool(snippet.claims)

    @cached_property
    def snippet_spans(self) -> frozenset[Span]:
        """Where snippets stand."""
        return frozenset(snippet.span for snippet in self.snippets)

    # Notes

    def note(  # a note has that many parts, two of them by name
        self,
        body: Body,
        span: Span,
        at: int,
        anchor: str | Key,
        *,
        headings: tuple[str, ...] | None = None,
        rests_on: tuple[str, ...] = (),
    ) -> Note:
        """A note made from `span`, under `headings`, or else those of the block at index `at`."""
        shown = self.context(at) if headings is None else headings
        if shown and isinstance(body, Basic) and title(shown[-1]) == body.prompt:
            shown = shown[:-1]  # it is the question itself
        return Note(
            key=anchor if isinstance(anchor, Key) else key(self.path(at) if headings is None else headings, anchor),
            places=(Place(self.document.source.name, span),),
            headings=shown,
            body=body,
            tags=self.document.tags,
            rests_on=rests_on,
        )

    def apis_on(self, span: Span) -> tuple[str, ...]:
        """Ids of the claims about names of the API that stand on these lines."""
        return tuple(name for line in range(span.start, span.stop) for name in self._api_ids.get(line, ()))

    @cached_property
    def _api_ids(self) -> dict[int, list[str]]:
        ids: dict[int, list[str]] = {}
        for claim in self.apis:
            ids.setdefault(claim.span.start, []).append(claim.id)
        return ids


def _is_of_its_turn(heading: str) -> bool:
    said = labels(heading)
    return said.title.any_of(OF_ITS_TURN) or Kind.QUESTION in said.words


def _holds(block: Code, snippet: Snippet) -> bool:
    """True for the block that a snippet was cut from; in sources of one line the text decides."""
    if block.span != snippet.span:
        return False
    if block.span.stop - block.span.start > 1:
        return True
    first = next((line.strip() for line in snippet.code.split("\n") if line.strip()), "")
    return first in block.text


def number_of(begin: Sequence[int], place: int) -> int:
    """Number of the item (or part) that a line of the block stands in; `begin` are the places where each begins."""
    return bisect_right(begin, place) - 1


def items_of(page: Page, index: int, parts: Iterable[int]) -> Iterator[int]:
    """Numbers of the items of whole parts: top-level items with all below them."""
    items, heads = page.item_starts(index), page.part_starts(index)
    for part in parts:
        stop = bisect_left(items, heads[part + 1]) if part + 1 < len(heads) else len(items)
        yield from range(bisect_left(items, heads[part]), stop)


def items_on(block: Block, lines: Iterable[int]) -> Collection[int]:
    """Numbers of the items that begin on lines of the source; all of them in a source of one line."""
    items = block.items if isinstance(block, Items) else ()
    if len({item.span.start for item in items}) < len(items):
        return range(len(items))
    begin = {item.span.start: at for at, item in enumerate(items)}
    return [begin[line] for line in lines if line in begin]


def left_of(page: Page, taken: Mapping[int, Collection[int]]) -> dict[int, Block]:
    """What is left of each list of which something is, by its index; `taken` are the numbers of its items."""
    left: dict[int, Block] = {}
    for index, numbers in taken.items():
        block = page.blocks[index]
        rest = _without(block.items, frozenset(numbers)) if isinstance(block, Items) else []
        if rest and isinstance(block, Items):
            left[index] = replace(block, items=tuple(rest), span=Span(rest[0].span.start, rest[-1].span.stop))
    return left


def _without(items: Sequence[Item], taken: Collection[int]) -> list[Item]:
    """The items that are not taken and not below one that is; nor one that had items below it and has none left."""
    left: list[Item] = []
    gone = _gone(items, taken)
    below = -1  # the depth of the next item that is kept
    for at in range(len(items) - 1, -1, -1):
        bare = _has_children(items, at) and below <= items[at].depth
        if at not in gone and not bare:
            left.append(items[at])
            below = items[at].depth
    return left[::-1]


def _has_children(items: Sequence[Item], at: int) -> bool:
    return at + 1 < len(items) and items[at + 1].depth > items[at].depth


def _gone(items: Sequence[Item], taken: Collection[int]) -> set[int]:
    gone: set[int] = set()
    depth: int | None = None
    for at, item in enumerate(items):
        if depth is not None and item.depth <= depth:
            depth = None
        if depth is None and at in taken:
            depth = item.depth
        gone.update([at] if depth is not None else [])
    return gone
