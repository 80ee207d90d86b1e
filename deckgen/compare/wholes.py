"""Differences of note types and decks: one of these may cut off every note at once."""

from __future__ import annotations

from collections.abc import Iterator

from deckgen.model.difference import Risk, Snapshot, SnapshotType, WholeDifference


def broken_types(old: Snapshot, new: Snapshot) -> frozenset[str]:
    """Ids of note types whose schema changed: Anki refuses every update of their notes."""
    before = {one.id: one for one in old.types}
    return frozenset(one.id for one in new.types if one.id in before and one.schema != before[one.id].schema)


def whole_differences(old: Snapshot, new: Snapshot) -> Iterator[WholeDifference]:
    """Note types first, then decks."""
    before = {one.id: one for one in old.types}
    names = {one.name: one.id for one in old.types}
    for one in new.types:
        if one.id in before:
            yield from _type(before[one.id], one)
        elif one.name in names:
            said = f"its id is another: they get a second note type next to {one.name}, and no note of it is updated"
            yield WholeDifference(what=f"note type {one.name}", risk=Risk.HIGH, learner=said)
    yield from _decks(old, new)


def _type(before: SnapshotType, after: SnapshotType) -> Iterator[WholeDifference]:
    what = f"note type {before.name}"
    if before.schema != after.schema:
        said = (
            f"its {_changed(before, after)} changed: they get a second note type, and every note that they have "
            "of this one is refused from now on"
        )
        yield WholeDifference(what=what, risk=Risk.HIGH, learner=said)
    elif before.look != after.look:
        newer = after.mtime > before.mtime
        taken = "all its cards look different; styling of their own is overwritten"
        ignored = "it changed, but its time is not newer: they keep the old look"
        yield WholeDifference(what=what, risk=Risk.LOW if newer else Risk.MEDIUM, learner=taken if newer else ignored)
    elif after.mtime > before.mtime:
        said = "nothing changed but its time: styling of their own is overwritten"
        yield WholeDifference(what=what, risk=Risk.LOW, learner=said)


def _changed(before: SnapshotType, after: SnapshotType) -> str:
    kinds = [kind for kind in ("field", "template") if _of(before, kind) != _of(after, kind)]
    return " and ".join(f"{kind}s" for kind in kinds)


def _of(one: SnapshotType, kind: str) -> list[str]:
    return [name for what, name in one.schema if what == kind]


def _decks(old: Snapshot, new: Snapshot) -> Iterator[WholeDifference]:
    before, after = set(old.decks), set(new.decks)
    gone = [name for name in old.decks if name not in after]
    come = [name for name in new.decks if name not in before]
    roots = {name for name in old.decks if "::" not in name}, {name for name in new.decks if "::" not in name}
    if roots[0] and roots[1] and not roots[0] & roots[1]:
        said = f"was {', '.join(sorted(roots[0]))}: they get a second deck; the cards that they have stay in the first"
        yield WholeDifference(what=f"deck {', '.join(sorted(roots[1]))}", risk=Risk.HIGH, learner=said)
        return
    for name in come:
        yield WholeDifference(what=f"deck {name}", risk=Risk.NONE, learner="a new deck")
    for name in gone:
        said = "has no notes any more; it stays with them, with the cards that they have"
        yield WholeDifference(what=f"deck {name}", risk=Risk.LOW, learner=said)
