"""Effects: what the difference of two locks means for those who learn from the deck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from deckgen.identity.identify import Identities
from deckgen.identity.likeness import compare
from deckgen.identity.lock import Lock, LockedNote
from deckgen.model.deck import NOTETYPE_NAMES, REVERSE, Change, Changes, Doubtful, Kind, Rendered
from deckgen.text.wording import counted


@dataclass(frozen=True, slots=True)
class Draft:
    """A note on its way into the deck and the lock."""

    rendered: Rendered
    line: LockedNote
    known: LockedNote | None
    """Its line in the last lock; None for a new note."""
    where: str
    """`notes.md:47`."""
    checked_since: bool
    """True if it could be checked by now, while the stamp on its cards still says that it was not."""

    def change(self, detail: str = "") -> Change:
        line = self.line
        return Change(guid=line.guid, kind=line.kind, title=line.title, where=self.where, detail=detail)


def effects(drafts: Sequence[Draft], identities: Identities, old: Lock, new: Lock, folder: str) -> Changes:
    """What happens to each note; `folder` comes before files in messages."""
    gone = {note.guid: note for note in new.notes if note.gone is not None}
    removed = [note for note in old.live if note.guid in gone]
    former = {note.key: note.kind for note in removed}
    fresh = [draft for draft in drafts if draft.known is None]
    kept = [(draft, draft.known) for draft in drafts if draft.known is not None]
    changed = [
        draft.change(_empty_cards(known, draft.line)) for draft, known in kept if draft.line.mtime != known.mtime
    ]
    doubtful = list(_doubts(drafts, identities, gone))
    return Changes(
        new=tuple(draft.change(_new_kind(former.get(draft.line.key), draft.line.kind)) for draft in fresh),
        changed=tuple(changed),
        renamed=tuple(
            draft.change(f"was: {draft.known.title}")
            for number, draft in enumerate(drafts)
            if draft.known and number in identities.renamed
        ),
        moved=tuple(draft.change(whence) for draft, known in kept if (whence := _whence(known, draft.line))),
        returned=tuple(draft.change() for draft, known in kept if known.gone is not None),
        removed=tuple(_removed(removed, fresh, {doubt.old for doubt in doubtful}, folder)),
        doubtful=tuple(doubtful),
        warnings=(*identities.warnings, *_outdated_stamps(drafts)),
        notetypes=bool(old.notetypes_hash) and old.notetypes_hash != new.notetypes_hash,
        unchanged=len(kept) - len(changed),
        spare=sum(draft.rendered.spare is not None and REVERSE in draft.line.ordinals for draft in drafts),
        emptied=sum(len(_lost(known, draft.line)) for draft, known in kept),
    )


def _outdated_stamps(drafts: Sequence[Draft]) -> Iterator[str]:
    """A build without checking leaves its stamp on what it ships first, until the note changes."""
    since = [draft for draft in drafts if draft.checked_since]
    if since:
        yield (
            f"{since[0].where}: {len(since)} notes, this one first, could be checked by now, but their cards still say "
            "that they were not: --restamp sends the new stamp"
        )


def _new_kind(before: Kind | None, now: Kind) -> str:
    if before in (None, now):
        return ""
    return (
        f"was a {NOTETYPE_NAMES[before]}, is a {NOTETYPE_NAMES[now]}: Anki cannot turn one into the other, so "
        "this is a new note"
    )


def _whence(known: LockedNote, line: LockedNote) -> str:
    """Where a note was; empty if it is there still."""
    other_file = not set(known.files) & set(line.files)
    if known.headings == line.headings and not other_file:
        return ""
    old = " > ".join(known.headings) if known.headings != line.headings else ", ".join(known.files)
    stays = f"; its cards stay in `{line.subdeck}`" if line.subdeck and other_file else ""
    return f"was in {old}{stays}"


def _lost(known: LockedNote, line: LockedNote) -> set[int]:
    """The ordinals of cards that learners have and that show nothing any more."""
    return set(known.ordinals) - set(line.ordinals)


def _empty_cards(known: LockedNote, line: LockedNote) -> str:
    lost = len(_lost(known, line))
    return f"{counted(lost, 'card')} of it will be empty: Tools > Empty Cards removes them" if lost else ""


def _removed(
    removed: Sequence[LockedNote], fresh: Sequence[Draft], asked: Collection[str], folder: str
) -> Iterator[Change]:
    """What went. It may be the one note that came to the section from which it alone went, in other words."""
    kinds = {draft.line.key: draft.line.kind for draft in reversed(fresh)}
    came: dict[tuple[Kind, tuple[str, ...]], list[Draft]] = defaultdict(list)
    went: dict[tuple[Kind, tuple[str, ...]], int] = defaultdict(int)
    for draft in fresh:
        came[draft.line.kind, draft.line.headings].append(draft)
    for note in removed:
        went[note.kind, note.headings] += 1
    for note in removed:
        kind = kinds.get(note.key)
        section = note.kind, note.headings
        alone = went[section] == len(came[section]) == 1 and note.guid not in asked and kind is None
        reworded = came[section][0] if alone else None
        detail = _new_kind(note.kind, kind) if kind else ""
        if reworded:
            detail = f"if the new one at {reworded.where} is this one in other words"
        yield Change(
            guid=note.guid,
            kind=note.kind,
            title=note.title,
            where=", ".join(f"{folder}{file}" for file in note.files),
            detail=detail,
            perhaps=reworded.line.guid if reworded else "",
        )


def _doubts(drafts: Sequence[Draft], identities: Identities, gone: dict[str, LockedNote]) -> Iterator[Doubtful]:
    """Those of this build, and those of builds before that nobody has answered."""
    for number, draft in enumerate(drafts):
        line = draft.line
        old = gone.get(line.perhaps)
        if old is not None:
            doubt = identities.doubts.get(number)
            yield Doubtful(
                old=old.guid,
                old_title=old.title,
                new=line.guid,
                new_title=line.title,
                where=draft.where,
                likeness=round(doubt[1] if doubt else compare(old, line, 0, 0).alike, 2),
            )
