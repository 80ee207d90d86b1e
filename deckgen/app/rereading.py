"""Reading again: of a long source that was edited, only the passages in whose finds the edit can have a say.

A passage is looked at again if it was edited, if it stands beside one that was, if it asks or answers as quizzes do, or if
it writes a name that code no longer has. It is looked at together with what it can depend on: the passages beside it, the
headings that it stands under, the code above it. Wherever that is not all, the whole is read: what comes out is always
what reading the whole would give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from deckgen.app.cutting import alone, digest_of, finds_from, needs_whole, passage_of, text_of
from deckgen.app.handed_on import Whole, above_each, handed_on, traits_of
from deckgen.cache import Kept, together, unpacked
from deckgen.extract import extract
from deckgen.extract.apart import NEAR, entangled, hanging, is_shared, may_reach
from deckgen.extract.code.needed import FARTHEST
from deckgen.extract.names.code import REACH, class_names, code_words, joined
from deckgen.model.document import Block, CodeWords, Document, Heading
from deckgen.model.extraction import Extraction
from deckgen.model.passage import Finds, Open, Passage, Wording
from deckgen.model.source import Source
from deckgen.read.cuts import cuts
from deckgen.read.passages import document_of, is_markdown, passage_blocks, wording

_MOST_ROUNDS = 4
_MOST_WORDS = 200
"""Words that code has gained or lost; with more of them everything is looked at again."""


@dataclass(frozen=True, slots=True)
class Reread:
    """What was found in a source, by passages."""

    extraction: Extraction
    passages: tuple[Passage, ...]


def reread(source: Source, kept: Kept, language: str | None) -> Reread | None:
    """What is found in an edited source; None if it must be read as a whole."""
    if len(kept.passages) < 2 or any(map(needs_whole, kept.passages)):
        return None
    try:
        return _Edit.of(source, kept, language).reread()
    except Whole:
        return None


@dataclass(slots=True)
class _Edit:
    """An edited source beside what is kept of it. Passages before and behind the edited ones are as they were."""

    source: Source
    document: Document
    """Without blocks."""
    old: Sequence[Passage]
    starts: Sequence[int]
    """The first line of each passage, and the number of all lines."""
    edited: range
    new: list[Passage | None]
    """None where it must be looked at again, and has not been yet."""
    wordings: Sequence[Wording]
    blocks: dict[int, Sequence[Block]] = field(default_factory=dict)
    """Of the passages that were read again."""

    @classmethod
    def of(cls, source: Source, kept: Kept, language: str | None) -> _Edit:
        starts = [0, *cuts(source.text, may_reach), len(source.lines)]
        texts = [digest_of(source, start, stop) for start, stop in pairwise(starts)]
        known = [passage.text for passage in kept.passages]
        before = _same(texts, known)
        behind = _same(texts[before:][::-1], known[before:][::-1])
        edited = range(before, len(texts) - behind)
        new = [*kept.passages[:before], *(None for _ in edited), *kept.passages[len(known) - behind :]]
        made = cls(source, kept.document, kept.passages, starts, edited, new, ())
        made.wordings = [
            passage.wording if passage and passage.wording else made.wording_of(at) for at, passage in enumerate(new)
        ]
        document = document_of(source, (), made.wordings)
        if not is_markdown(source, made.wordings) or (language or document.language) != kept.document.language:
            raise Whole
        made.document = replace(document, language=kept.document.language)
        return made

    def wording_of(self, at: int) -> Wording:
        return wording(self.read(at), text_of(self.source, self.starts[at], self.starts[at + 1]))

    def read(self, at: int) -> Sequence[Block]:
        """The blocks of a passage."""
        if at not in self.blocks:
            start, stop = self.starts[at], self.starts[at + 1]
            blocks = passage_blocks(self.source.lines[start:stop], start)
            first = blocks[0] if blocks else None
            if at and not (isinstance(first, Heading) and first.span.start == start):
                raise Whole
            self.blocks[at] = blocks
        return self.blocks[at]

    def seen(self, at: int) -> Sequence[Block]:
        """The same blocks, as idioms see them."""
        return alone(self.document, self.read(at)).blocks

    def was(self, at: int) -> int:
        """Which passage it was before the edit, of one that was not edited."""
        return at if at < self.edited.start else at - len(self.new) + len(self.old)

    def reread(self) -> Reread:
        edited_before = self.old[self.edited.start : self.was(self.edited.stop)]
        if any(one.traits and one.traits.shared for one in edited_before):
            raise Whole
        if any(is_shared(self.seen(at)) for at in self.edited) or 2 * len(self.edited) > len(self.new):
            raise Whole
        words = self.code_words()
        again = {at for at in range(self.edited.start - 1, self.edited.stop + 1) if 0 <= at < len(self.new)}
        again |= {at for at, one in enumerate(self.new) if one and one.traits and one.traits.shared}
        again |= set(self.with_words(words))
        for _ in range(_MOST_ROUNDS):
            found = self.look_at(again, joined(words))
            further = self.reached(again, found)
            if not further:
                return self.put_together(found)
            again |= further
        raise Whole

    # --- what code says ---

    def code_words(self) -> list[CodeWords]:
        """What the code of each passage says about names, now."""
        opened = {at: replace(self.document, blocks=tuple(self.read(at))).opened().blocks for at in self.edited}
        said = {at: code_words(blocks)[0] for at, blocks in opened.items()}
        return [said[at] if at in said else traits_of(passage).code_words for at, passage in enumerate(self.new)]

    def with_words(self, words: Sequence[CodeWords]) -> Iterator[int]:
        """The passages that write an identifier that code has gained or lost."""
        now, before = joined(words), joined(traits_of(passage).code_words for passage in self.old)
        if _named(now) != _named(before):
            raise Whole
        changed = now.words ^ before.words
        if len(changed) > _MOST_WORDS:
            raise Whole
        for at in range(len(self.new)) if changed else ():
            text = text_of(self.source, self.starts[at], self.starts[at + 1]).replace("\\", "")
            if any(word in text for word in changed):
                yield at

    # --- looking again ---

    def look_at(self, again: set[int], words: CodeWords) -> dict[int, Passage]:
        """The passages that are looked at again."""
        wanted = sorted(self.needed(again))
        blocks = tuple(block for at in wanted for block in self.read(at))
        extraction = extract(replace(self.document, blocks=blocks, code_words=words))
        if entangled(extraction):
            raise Whole
        finds = finds_from(extraction, self.starts[:-1])
        return {at: self.passage(at, finds[at]) for at in sorted(again)}

    def passage(self, at: int, finds: Finds) -> Passage:
        start, stop = self.starts[at], self.starts[at + 1]
        made = passage_of(self.document, self.read(at), start, stop, finds, self.wordings[at])
        if needs_whole(made):
            raise Whole
        return made

    def needed(self, again: set[int]) -> set[int]:
        """The passages that those looked at again can depend on, with themselves."""
        near = {at + step for at in again for step in (-1, 0, 1)} & set(range(len(self.new)))
        stacks = list(self.stacks())
        above = {owner for at in near for owner, _ in stacks[at]}
        return near.union(above, *(self.window(at) for at in again if at - 1 not in again))

    def window(self, at: int) -> Iterator[int]:
        """The passages above one with the headings and the code that are looked back at."""
        headings = snippets = calls = 0
        for above in range(at - 1, -1, -1):
            passage = self.new[above]
            if passage is None or passage.traits is None:
                yield above
                continue
            one = passage.traits
            if headings < NEAR or (one.calls or one.snippets):
                yield above
                headings += len(one.headings)
                snippets += len(one.snippets)
                calls += len(one.calls)
            if headings >= NEAR and snippets >= FARTHEST and calls >= REACH:
                return

    def stacks(self) -> Iterator[list[tuple[int, Open]]]:
        """The headings above each passage, each with the passage that it stands in."""
        above: list[tuple[int, Open]] = []
        for at, passage in enumerate(self.new):
            yield above
            known = passage and passage.traits
            floor, left_open = (known.floor, known.open) if known else hanging(self.seen(at))
            above = [(owner, heading) for owner, heading in above if heading.level < floor]
            above += [(at, heading) for heading in left_open]

    def reached(self, again: set[int], found: dict[int, Passage]) -> set[int]:
        """The passages to which those above them hand on something else than before."""
        now = [found.get(at) or self.new[at] for at in range(len(self.new))]
        reached: set[int] = set()
        for at in range(1, len(now)):
            changed = at not in again and (at - 1 in again or at - 1 in reached)
            if changed and handed_on(now[:at]) != handed_on(self.old[: self.was(at)]):
                reached.add(at)
        return reached

    # --- the result ---

    def put_together(self, found: dict[int, Passage]) -> Reread:
        """All passages as they are now, if what holds them together is as it was."""
        now = [found.get(at) or _known(self.new[at]) for at in range(len(self.new))]
        fronts = [front for passage in now for front in traits_of(passage).fronts]
        if len(set(fronts)) < len(fronts) or not self.stands_as_before(now):
            raise Whole
        parts = [unpacked(passage, first) for passage, first in zip(now, self.starts, strict=False)]
        return Reread(together(self.document, parts), tuple(now))

    def stands_as_before(self, now: Sequence[Passage]) -> bool:
        """The headings above what stands behind the edit are the same, and nothing is made of all of a cut section."""
        above, before = list(above_each(now)), list(above_each(self.old))
        behind = range(self.edited.stop, len(now))
        same = all(above[at] == before[self.was(at)] for at in behind[:1])
        return same and all(heading.reaches for headings in above for heading in headings)


def _same(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many are the same at the beginning of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _known(passage: Passage | None) -> Passage:
    if passage is None:
        raise Whole
    return passage


def _named(said: CodeWords) -> tuple[object, ...]:
    """What names stand for."""
    classes = class_names(said)
    methods = {method: classes[name] for name, method in said.methods if name in classes}
    return dict(said.imports), classes, methods, said.defined
