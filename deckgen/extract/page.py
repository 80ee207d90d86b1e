"""A document laid out for the idioms: its heading paths, its snippets, and which blocks are used up.

An idiom is a function from a page to its finds. Idioms are asked in order; what an idiom uses up
is left alone by those after it, so that a quiz is not a definition as well.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from deckgen.extract import wording
from deckgen.extract.blocks import Line, lines_of, starts
from deckgen.extract.code.needed import History
from deckgen.extract.code.statements import stopping
from deckgen.extract.key import key
from deckgen.extract.outline import LONGEST_HEADING, Outline
from deckgen.extract.text import plain, title
from deckgen.model.claim import Exists, Snippet
from deckgen.model.document import Block, Code, Heading, Items
from deckgen.model.note import Basic, Body, Key, Note, Place, Skipped
from deckgen.model.source import Span


@dataclass(frozen=True, slots=True)
class Finds:
    """What an idiom made of a page."""

    notes: tuple[Note, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    used: frozenset[int] = frozenset()
    """Indices of the blocks that no later idiom may use."""
    left: Mapping[int, Block] = field(default_factory=dict)
    """What is left to later idioms of blocks that are used in part, by their indices."""


Idiom = Callable[["Page"], Finds]
Told = TypeVar("Told")


@dataclass(frozen=True)
class Page(Outline):
    """A document, its snippets and APIs, and the indices of the blocks that are used up."""

    snippets: tuple[Snippet, ...] = ()
    apis: tuple[Exists, ...] = ()
    used: frozenset[int] = frozenset()

    def after(self, finds: Finds) -> Page:
        """The same page with the finds' lines used up."""
        if not finds.used and not finds.left:
            return self
        left = replace(self, used=self.used | finds.used)
        for name in (
            "blocks",
            "_paths",
            "_texts",
            "_ends",
            "_ids",
            "code",
            "_coded",
            "_closings",
            "turns",
            "_turn_starts",
            "_lines",
        ):
            left.__dict__[name] = getattr(self, name)  # they depend on the document alone
        if finds.left:
            left._keep_of(finds.left)
        return left

    def _keep_of(self, rest: Mapping[int, Block]) -> None:
        """Have of some blocks only the rest."""
        self.__dict__["blocks"] = tuple(rest.get(index, block) for index, block in enumerate(self.blocks))
        self.__dict__["_lines"] = {index: lines for index, lines in self._lines.items() if index not in rest}

    def free(self, index: int) -> bool:
        """True if no idiom has used the block at this index."""
        return index not in self.used

    def context(self, index: int) -> tuple[str, ...]:
        """The headings above a block that a card shows.

        In a chat a heading of an earlier turn stays above all that follows; but one over a quiz, a recap or a rhyme was
        about that turn alone, and what comes after a recap, or after a new plan, is no longer about what was above.
        """
        path = self.path(index)
        if not self.chat:
            shown = self._unanswered(index, path) if self.document.continuous else path
            return tuple(text for text in shown if not _only_asks_to_judge(text))
        turn = self.turns[index]
        closed = bisect_right(self._closings, (index, index))
        since = self._closings[closed - 1][1] if closed else -1
        return tuple(
            text
            for at, text in zip(self._paths[index], path, strict=True)
            if self.turns[at] == turn or (at >= since and not _is_of_its_turn(text))
        )

    def _unanswered(self, index: int, path: tuple[str, ...]) -> tuple[str, ...]:
        """The path in a notebook, without questions: behind the cell that answers one, the cells go on."""
        first = bisect_left(self._coded, index)
        nearest = self._coded[first - 1] if first else -1
        above = zip(self._paths[index], path, strict=True)
        return tuple(text for at, text in above if at > nearest or not wording.QUESTION.search(plain(text)))

    @cached_property
    def _closings(self) -> list[tuple[int, int]]:
        """(index, turn) pairs: from this index on the headings above that turn no longer count.

        That is behind the turn of a recap, and below a plan; in a chat alone.
        """
        found: list[tuple[int, int]] = []
        for index, block in enumerate(self.blocks if self.chat else ()):
            if not isinstance(block, Heading) or len(block.text) > LONGEST_HEADING:
                continue
            words = title(plain(block.text))
            if wording.ROADMAP.search(words):
                found.append((index, self.turns[index]))
            elif wording.SUMMARY.search(words):
                found.append((self.turn_after(index), self.turns[index]))
        return sorted(found)

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
        """Ids of the API claims that stand on these lines."""
        return tuple(name for line in range(span.start, span.stop) for name in self._ids.get(line, ()))

    def once(self, ask: Callable[[Page], Told]) -> Told:
        """What several idioms ask of a page as it stands: answered once, until more of it is used up."""
        if ask not in self._answers:
            self._answers[ask] = ask(self)
        return cast("Told", self._answers[ask])

    @cached_property
    def _answers(self) -> dict[Callable[[Page], object], object]:
        return {}

    def claims_about(self, index: int) -> bool:
        """True if the code of the block at this index has claims."""
        snippet = self.code.get(index)
        return snippet is not None and bool(snippet.claims)

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines of text of the block at an index."""
        if index not in self._lines:
            self._lines[index] = tuple(lines_of(self.blocks[index], index))
        return self._lines[index]

    @cached_property
    def _lines(self) -> dict[int, tuple[Line, ...]]:
        return {}

    def part_starts(self, index: int) -> Sequence[int]:
        """Of a list: the place of the first line of each top-level item."""
        if index not in self._part_starts:
            block = self.blocks[index]
            top = min((item.depth for item in block.items), default=0) if isinstance(block, Items) else 0
            self._part_starts[index] = starts(block, top)
        return self._part_starts[index]

    @cached_property
    def _part_starts(self) -> dict[int, Sequence[int]]:
        return {}

    def item_starts(self, index: int) -> Sequence[int]:
        """Of a list: the place of the first line of each item."""
        if index not in self._item_starts:
            self._item_starts[index] = starts(self.blocks[index], None)
        return self._item_starts[index]

    @cached_property
    def _item_starts(self) -> dict[int, Sequence[int]]:
        return {}

    @cached_property
    def code(self) -> dict[int, Snippet]:
        """The snippet of each block of code that is one, by the block's index."""
        found: dict[int, Snippet] = {}
        codes = [index for index, block in enumerate(self.blocks) if isinstance(block, Code)]
        at = 0
        for snippet in self.snippets:
            here = (i for i in range(at, len(codes)) if _holds(self.blocks[codes[i]], snippet))
            match = next(here, None)
            if match is not None:
                found[codes[match]] = snippet
                at = match + 1
        return found

    def stopping(self, index: int) -> frozenset[int]:
        """The first lines of the statements of a snippet that are said to raise."""
        if index not in self._stopping:
            self._stopping[index] = frozenset(one.lines.start for one in stopping(self.code[index]))
        return self._stopping[index]

    @cached_property
    def _stopping(self) -> dict[int, frozenset[int]]:
        return {}

    @cached_property
    def history(self) -> History:
        """The statements of all code, for those who ask what code needs of the code above it."""
        return History(lambda index: self.code[index].code)

    def code_above(self, index: int, most: int) -> Sequence[int]:
        """Indices of the nearest blocks of code above a block, at most so many, in order."""
        stop = bisect_left(self._coded, index)
        return self._coded[max(0, stop - most) : stop]

    @cached_property
    def _coded(self) -> tuple[int, ...]:
        return tuple(self.code)

    @cached_property
    def snippet_spans(self) -> frozenset[Span]:
        """Where snippets stand."""
        return frozenset(snippet.span for snippet in self.snippets)

    @cached_property
    def _ids(self) -> dict[int, list[str]]:
        ids: dict[int, list[str]] = {}
        for claim in self.apis:
            ids.setdefault(claim.span.start, []).append(claim.id)
        return ids


@lru_cache(maxsize=1024)
def _only_asks_to_judge(heading: str) -> bool:
    return wording.ONLY_JUDGE.fullmatch(title(plain(heading))) is not None


@lru_cache(maxsize=1024)
def _is_of_its_turn(heading: str) -> bool:
    words = plain(heading)
    return any(one.search(title(words)) for one in wording.PASSING) or wording.QUESTION.search(words) is not None


def _holds(block: Block, snippet: Snippet) -> bool:
    """True for the block that a snippet was cut from; in sources of one line the text decides."""
    if block.span != snippet.span:
        return False
    if block.span.stop - block.span.start > 1:
        return True
    first = next((line.strip() for line in snippet.code.split("\n") if line.strip()), "")
    return first in getattr(block, "text", "")
