"""Effects: what the difference of two locks means for those who learn from the deck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from deckgen.identity.draft import Draft
from deckgen.identity.identity import Identities
from deckgen.identity.lock import Lock, LockedNote
from deckgen.identity.renames import compare
from deckgen.model.deck import NOTETYPE_NAMES, Change, Changes, Doubtful, Kind
from deckgen.model.note import Key
from deckgen.text.wording import counted


@dataclass(slots=True)
class _Report:
    """Changes while they are collected."""

    new: list[Change] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    renamed: list[Change] = field(default_factory=list)
    moved: list[Change] = field(default_factory=list)
    returned: list[Change] = field(default_factory=list)
    unchanged: int = 0


def effects(drafts: Sequence[Draft], identities: Identities, old: Lock, new: Lock, folder: str) -> Changes:
    report = _Report()
    gone_now = {note.guid for note in new.notes if note.gone is not None}
    removed = [note for note in old.live if note.guid in gone_now]
    former = {note.key: note for note in removed}
    for number, draft in enumerate(drafts):
        _report(draft, number in identities.renamed, former, report)
    fresh_keys: dict[Key, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.known is None:
            fresh_keys[draft.line.key].append(draft)
    reworded = _perhaps_reworded(removed, drafts, {doubt.old.guid for doubt in identities.doubts})
    return Changes(
        new=tuple(report.new),
        changed=tuple(report.changed),
        renamed=tuple(report.renamed),
        moved=tuple(report.moved),
        returned=tuple(report.returned),
        removed=tuple(_removed(note, fresh_keys, reworded.get(note.guid), folder) for note in removed),
        doubtful=tuple(_doubts(drafts, identities, new)),
        warnings=(*identities.warnings, *_outdated_stamps(drafts)),
        notetypes=bool(old.notetypes_hash) and old.notetypes_hash != new.notetypes_hash,
        unchanged=report.unchanged,
    )


def _outdated_stamps(drafts: Sequence[Draft]) -> Iterator[str]:
    """A build without checking leaves its stamp on what it ships first, until the note changes."""
    since = [draft for draft in drafts if draft.checked_since]
    if since:
        where = since[0].candidate.where
        yield (
            f"{where}: {len(since)} notes, this one first, could be checked by now, but their cards still say that "
            "they were not: --restamp sends the new stamp"
        )


def _report(draft: Draft, renamed: bool, former: Mapping[Key, LockedNote], report: _Report) -> None:
    known, line = draft.known, draft.line
    if known is None:
        other = former.get(line.key)
        report.new.append(_change(draft, _new_kind(other.kind, line.kind) if other else ""))
        return
    if known.gone is not None:
        report.returned.append(_change(draft))
    if renamed:
        report.renamed.append(_change(draft, f"was: {known.title}"))
    if known.headings != line.headings or not set(known.files) & set(line.files):
        report.moved.append(_change(draft, _whence(known, line)))
    if line.mtime != known.mtime:
        report.changed.append(_change(draft, _empty_cards(known, line)))
    else:
        report.unchanged += 1


def _change(draft: Draft, detail: str = "") -> Change:
    line = draft.line
    return Change(guid=line.guid, kind=line.kind, title=line.title, where=draft.candidate.where, detail=detail)


def _new_kind(before: Kind, now: Kind) -> str:
    return (
        f"was a {NOTETYPE_NAMES[before]}, is a {NOTETYPE_NAMES[now]}: Anki cannot turn one into the other, so "
        "this is a new note"
    )


def _whence(known: LockedNote, line: LockedNote) -> str:
    old = " > ".join(known.headings) if known.headings != line.headings else ", ".join(known.files)
    stays = f"; its cards stay in `{line.subdeck}`" if line.subdeck and not set(known.files) & set(line.files) else ""
    return f"was in {old}{stays}"


def _empty_cards(known: LockedNote, line: LockedNote) -> str:
    lost = len(set(known.ordinals) - set(line.ordinals))
    if not lost:
        return ""
    return f"{counted(lost, 'card')} of it will be empty: Tools > Empty Cards removes them"


def _perhaps_reworded(removed: Iterable[LockedNote], drafts: Iterable[Draft], asked: Set[str]) -> dict[str, Draft]:
    """The one note that came to a section for the GUID of the one that went: it may be that in other words."""
    came: dict[tuple[Kind, tuple[str, ...]], list[Draft]] = defaultdict(list)
    went: dict[tuple[Kind, tuple[str, ...]], list[LockedNote]] = defaultdict(list)
    for draft in drafts:
        if draft.known is None:
            came[draft.line.kind, draft.line.headings].append(draft)
    for note in removed:
        went[note.kind, note.headings].append(note)
    return {
        notes[0].guid: came[place][0]
        for place, notes in went.items()
        if len(notes) == len(came.get(place, ())) == 1 and notes[0].guid not in asked
    }


def _removed(
    note: LockedNote, fresh_keys: Mapping[Key, Sequence[Draft]], reworded: Draft | None, folder: str
) -> Change:
    others = fresh_keys.get(note.key)
    detail = _new_kind(note.kind, others[0].line.kind) if others else ""
    if reworded and not others:
        detail = f"if the new one at {reworded.candidate.where} is this one in other words"
    return Change(
        guid=note.guid,
        kind=note.kind,
        title=note.title,
        where=", ".join(f"{folder}{file}" for file in note.files),
        detail=detail,
        perhaps=reworded.line.guid if reworded and not others else "",
    )


def _doubts(drafts: Sequence[Draft], identities: Identities, new: Lock) -> Iterator[Doubtful]:
    """Those of this build, and those of builds before that nobody has answered."""
    yield from (_doubtful(doubt.old, drafts[doubt.new], doubt.likeness) for doubt in identities.doubts)
    told = {doubt.new for doubt in identities.doubts}
    waiting = [number for number, draft in enumerate(drafts) if draft.line.perhaps and number not in told]
    former = {note.guid: note for note in new.notes if note.gone is not None} if waiting else {}
    for number in waiting:
        old = former.get(drafts[number].line.perhaps)
        if old is not None:
            yield _doubtful(old, drafts[number], compare(old, drafts[number].candidate, 0, 0).alike)


def _doubtful(old: LockedNote, draft: Draft, likeness: float) -> Doubtful:
    return Doubtful(
        old=old.guid,
        old_title=old.title,
        new=draft.line.guid,
        new_title=draft.line.title,
        where=draft.candidate.where,
        likeness=round(likeness, 2),
    )
