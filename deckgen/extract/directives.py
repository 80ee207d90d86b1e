"""What authors say in comments: `<!-- deckgen: skip -->`, `<!-- deckgen: id=... tags=a,b -->`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.extract.blocks import spanning
from deckgen.extract.page import Page
from deckgen.model.document import Directive, Heading
from deckgen.model.note import Note, Skipped
from deckgen.model.source import Span


def obeyed(page: Page, notes: Sequence[Note]) -> tuple[tuple[Note, ...], tuple[Skipped, ...]]:
    """The notes as the author wants them: without those to skip, with the ids and tags that are given.

    A directive is about the next block; before a heading it is about the whole section. An id goes to the
    first note that begins there.
    """
    kept: list[Note | None] = list(notes)
    starts = [note.span.start for note in notes]
    skipped: list[Skipped] = []
    for words, scope in _directives(page):
        inside = range(bisect_left(starts, scope.start), bisect_left(starts, scope.stop))
        if words[0] == "skip":
            kept[inside.start : inside.stop] = [None] * len(inside)
            skipped.append(Skipped(scope, " ".join(["skipped by the author", *_reason(words[1:])])))
        else:
            _describe(kept, inside, words)
    return tuple(note for note in kept if note is not None), tuple(skipped)


def _directives(page: Page) -> Iterator[tuple[Sequence[str], Span]]:
    """The words of each directive, with the lines that it is about."""
    waiting: list[Directive] = []
    for index, block in enumerate(page.blocks):
        if isinstance(block, Directive):
            waiting += [block] if block.words else []
        elif waiting:
            scope = _scope(page, index)
            yield from ((directive.words, scope) for directive in waiting)
            waiting = []


def _scope(page: Page, index: int) -> Span:
    block = page.blocks[index]
    if not isinstance(block, Heading):
        return block.span
    return spanning([block, *(page.blocks[at] for at in page.section(index))])


def _reason(words: Sequence[str]) -> list[str]:
    return [f"({' '.join(words)})"] if words else []


def _describe(notes: list[Note | None], inside: range, words: Sequence[str]) -> None:
    """Gives the notes of the scope the tags, and the first of them the id."""
    values = dict(word.split("=", 1) for word in words if "=" in word)
    tags = tuple(tag for tag in values.get("tags", "").replace(",", " ").split() if tag)
    given = values.get("id")
    for at in inside:
        note = notes[at]
        if note is None:
            continue
        note = replace(note, tags=(*note.tags, *(tag for tag in tags if tag not in note.tags)))
        notes[at] = replace(note, explicit_id=given) if given else note
        given = None
        if not tags:
            return
