"""What authors say in comments: `<!-- deckgen: skip -->`, `<!-- deckgen: id=... tags=a,b -->`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.document import Directive, Heading
from deckgen.extract.blocks import spanning
from deckgen.extract.page import Page
from deckgen.note import Note, Skipped
from deckgen.source import Span


def obeyed(page: Page, notes: Sequence[Note]) -> tuple[tuple[Note, ...], tuple[Skipped, ...]]:
    """The notes as the author wants them: without those to skip, with the ids and tags that are given.

    A directive is about the next block; before a heading it is about the whole section. An id goes to the
    first note that begins there.
    """
    kept = tuple(notes)
    skipped: list[Skipped] = []
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Directive) or not block.words:
            continue
        scope = _scope(page, index)
        if scope is None:
            continue
        if block.words[0] == "skip":
            kept = tuple(note for note in kept if not _begins_in(note, scope))
            skipped.append(Skipped(scope, " ".join(["skipped by the author", *_reason(block.words[1:])])))
        else:
            kept = _described(kept, scope, block.words)
    return kept, tuple(skipped)


def _scope(page: Page, index: int) -> Span | None:
    following = index + 1
    while following < len(page.blocks) and isinstance(page.blocks[following], Directive):
        following += 1
    if following >= len(page.blocks):
        return None
    block = page.blocks[following]
    if not isinstance(block, Heading):
        return block.span
    return spanning([block, *(page.blocks[at] for at in page.section(following))])


def _reason(words: Sequence[str]) -> list[str]:
    return [f"({' '.join(words)})"] if words else []


def _described(notes: Sequence[Note], scope: Span, words: Sequence[str]) -> tuple[Note, ...]:
    """Notes of the scope with the tags, and its first note with the id."""
    values = dict(word.split("=", 1) for word in words if "=" in word)
    tags = tuple(tag for tag in values.get("tags", "").replace(",", " ").split() if tag)
    given = values.get("id")
    changed: list[Note] = []
    for note in notes:
        if _begins_in(note, scope):
            note = replace(note, tags=(*note.tags, *(tag for tag in tags if tag not in note.tags)))  # noqa: PLW2901
            if given:
                note, given = replace(note, explicit_id=given), None  # noqa: PLW2901
        changed.append(note)
    return tuple(changed)


def _begins_in(note: Note, scope: Span) -> bool:
    return note.span.start in scope
