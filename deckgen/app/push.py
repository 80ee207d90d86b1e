"""Pushing: packages into a running Anki, without a dialog, and what an import alone cannot do.

Anki leaves a note alone that was touched after the build: a tag of the learner's is enough. Here its fields are updated all the
same, as long as they are what deckgen once wrote; what a learner edited stays theirs.
"""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from deckgen import files
from deckgen.anki_connect import AnkiConnect
from deckgen.cache import Folder, digest
from deckgen.compare import compare
from deckgen.compare.package import snapshot
from deckgen.model.difference import Difference, Snapshot, SnapshotNote
from deckgen.model.errors import DeckgenError, EngineError

REMOVED = "deckgen::removed"
"""The tag of notes that are no longer in the sources, with `--removed suspend`."""

ANKIS = ("leech", "marked")
"""Tags that Anki gives itself."""


class _Pending(msgspec.Struct):
    """What is the learner's of a note, until it is back after an import."""

    number: int
    fields: dict[str, str]
    """Those that they edited; empty if they edited none."""
    tags: list[str]


class _Record(msgspec.Struct):
    """What was pushed of a deck so far."""

    texts: list[str] = []
    """Hashes of its notes."""
    tags: list[str] = []
    """All tags that they had."""
    pending: list[_Pending] = []
    """What a push that was stopped between its import and its end has not put back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOptions:
    """What a push does besides importing."""

    suspend: bool = False
    """Notes that are no longer in the sources are suspended, and get the tag `deckgen::removed`."""
    overwrite: bool = False
    """Notes whose text the learner edited get the text of the sources, too."""
    sync: bool = False
    """Anki syncs with AnkiWeb when all is in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What became of a package in Anki; notes by their titles."""

    package: Path
    difference: Difference
    """What the import meant for the learner, as `deckgen diff` says it."""
    updated: tuple[str, ...] = ()
    """An import would have left them alone; they have the new text now."""
    edited: tuple[str, ...] = ()
    """The learner edited their text in Anki: they keep it."""
    suspended: tuple[str, ...] = ()
    """They are no longer in the sources, and are suspended now."""
    returned: tuple[str, ...] = ()
    """They are back in the sources, and no longer suspended."""

    @property
    def sentences(self) -> Iterator[str]:
        """What was done besides the import, and what was left."""
        told = (
            (self.updated, "touched after the build, so that an import leaves it alone; updated all the same"),
            (self.edited, "edited in Anki, and keeps that text; `--overwrite` takes the one of your notes"),
            (self.suspended, f"no longer in your notes; suspended, with the tag {REMOVED}"),
            (self.returned, "back in your notes; no longer suspended"),
        )
        return (f"  {title}: {what}" for titles, what in told for title in titles)


def push(
    packages: Mapping[Path, frozenset[str]],
    anki: AnkiConnect,
    options: PushOptions,
    ours: Collection[str] = (),
) -> tuple[Pushed, ...]:
    """Imports packages; each comes with the GUIDs of the notes that its sources no longer have.

    `ours` are hashes of texts that deckgen wrote (`texts_below`). Raises EngineError if Anki does not answer, UsageError and SourceError
    for a package that is none; then Anki has what was imported before, and the packages stay.
    """
    anki.check()
    data = files.data_folder()
    kept = Folder(data and data / "pushed", key="")  # no cache: what learners edited cannot be found out anew
    with tempfile.TemporaryDirectory() as folder:
        pushes = [_Push(anki, options, _snapshot(path), path, gone) for path, gone in packages.items()]
        done = tuple(one.run(Path(folder), kept, ours) for one in pushes)
    if options.sync:
        anki.ask("sync")
    return done


def texts_below(folder: Path) -> frozenset[str]:
    """Hashes of all notes in the packages of a folder: what learners may have from there, as deckgen wrote it."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.apkg")):
        with contextlib.suppress(DeckgenError):  # whatever else lies there
            found |= {note.hash for note in _snapshot(path).notes}
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What becomes of the notes of a package that Anki has already."""

    there: Sequence[SnapshotNote]
    """All of them, as they are before the import."""
    updated: Sequence[SnapshotNote]
    """An import leaves them alone; their fields are written afterwards."""
    theirs: Sequence[SnapshotNote]
    """The learner edited them, and keeps that."""
    pending: Sequence[_Pending]
    """What the import takes away, and is given back."""


@dataclass(frozen=True)
class _Push:
    """One package on its way."""

    anki: AnkiConnect
    options: PushOptions
    new: Snapshot
    package: Path
    gone: frozenset[str]

    def run(self, folder: Path, kept: Folder, ours: Collection[str]) -> Pushed:
        entry = digest("pushed", self.new.decks)
        record = kept.get(entry, _Record) or _Record()
        for pending in record.pending:
            with contextlib.suppress(EngineError):  # a note that was deleted since
                self._give_back(pending)
        everything, decks = self._there(folder), self.anki.ask("deckNames")
        known = {*ours, *record.texts}
        plan = self._plan([one for one in everything if one.guid in self.notes], record, known)
        kept.put(entry, _Record(record.texts, record.tags, list(plan.pending)))
        self.anki.imports(self.package)
        for one in plan.updated:
            self._write(one.number, self.notes[one.guid].fields)
        for pending in plan.pending:
            self._give_back(pending)
        texts = sorted(known | {note.hash for note in self.new.notes})
        kept.put(entry, _Record(texts, sorted({*record.tags, *self.tags})))
        return self._report(everything, decks, plan)

    @functools.cached_property
    def notes(self) -> dict[str, SnapshotNote]:
        """The notes of the package by GUID."""
        return {note.guid: note for note in self.new.notes}

    @functools.cached_property
    def tags(self) -> set[str]:
        """All tags that the notes of the package have."""
        return {tag for note in self.new.notes for tag in note.tags}

    def _plan(self, there: Sequence[SnapshotNote], record: _Record, known: Collection[str]) -> _Plan:
        """What is to be done with the notes of the package that Anki has already."""
        notes = self.notes
        other = [one for one in there if _differ(one, notes[one.guid])]
        late = {one.guid for one in other if one.mtime >= notes[one.guid].mtime}  # an import leaves them alone
        # of what was never pushed from here nobody knows whether the learner wrote it
        edited = {one.guid for one in other if one.hash not in known and (record.texts or one.guid in late)}
        theirs = frozenset[str]() if self.options.overwrite else edited
        changing = [one for one in there if one.mtime < notes[one.guid].mtime or _differ(one, notes[one.guid])]
        tags, mine = self._tags(changing), {*record.tags, *self.tags}
        lost = {one.guid: _learnt_tags(tags[one.number], mine, record) - {*notes[one.guid].tags} for one in changing}
        alone = late - theirs
        return _Plan(
            there=there,
            updated=[one for one in other if one.guid in alone],
            theirs=[one for one in other if one.guid in theirs],
            pending=[
                _Pending(one.number, dict(one.fields) if one.guid in theirs else {}, sorted(lost[one.guid]))
                for one in changing
                if one.guid in theirs or lost[one.guid]
            ],
        )

    def _report(self, everything: Sequence[SnapshotNote], decks: Collection[str], plan: _Plan) -> Pushed:
        notes, there = self.notes, plan.there
        gone = self.gone - notes.keys()
        left = [one for one in everything if one.guid in gone and REMOVED not in one.tags]
        back = [one for one in there if REMOVED in one.tags]
        theirs, updated = ({one.guid for one in some} for some in (plan.theirs, plan.updated))
        old = (_as_learnt(one, notes[one.guid], one.guid in theirs, one.guid in updated) for one in there)
        used = {note.notetype for note in there}
        types = tuple(one for one in self.new.types if one.id in used)
        before = Snapshot(name="Anki", notes=tuple(old), types=types, decks=tuple({*decks} & {*self.new.decks}))
        return Pushed(
            package=self.package,
            difference=compare(before, self.new),
            updated=_titles(plan.updated),
            edited=_titles(plan.theirs),
            suspended=_titles(left) if self._set_aside(left, "addTags", "suspend") else (),
            returned=_titles(back) if self._set_aside(back, "removeTags", "unsuspend", wanted=True) else (),
        )

    def _write(self, number: int, fields: Mapping[str, str]) -> None:
        self.anki.ask("updateNoteFields", note={"id": number, "fields": dict(fields)})

    def _there(self, folder: Path) -> list[SnapshotNote]:
        """The notes of deckgen's that Anki has, in whatever deck the learner keeps them."""
        cards = self.anki.ask("findCards", query='"note:deckgen *"')
        decks = self.anki.ask("getDecks", cards=cards) if cards else {}
        found: list[SnapshotNote] = []
        for name in sorted({deck.split("::")[0] for deck in decks}):
            found += _snapshot(self.anki.exported(name, folder)).notes
        return found

    def _tags(self, notes: Sequence[SnapshotNote]) -> dict[int, list[str]]:
        """The tags of notes by number: a package that Anki exports has not those that it gives itself."""
        found = self.anki.ask("notesInfo", notes=[one.number for one in notes]) if notes else []
        return {one["noteId"]: one["tags"] for one in found if one}

    def _give_back(self, pending: _Pending) -> None:
        if pending.fields:
            self._write(pending.number, pending.fields)
        if pending.tags:
            self.anki.ask("addTags", notes=[pending.number], tags=" ".join(pending.tags))

    def _set_aside(self, notes: Collection[SnapshotNote], tagging: str, doing: str, *, wanted: bool = False) -> bool:
        """Suspends notes with a tag, or takes both back; False if that is not wanted."""
        if not (notes and (wanted or self.options.suspend)):
            return False
        numbers = [one.number for one in notes]
        self.anki.ask(doing, cards=self.anki.ask("findCards", query=f"nid:{','.join(map(str, numbers))}"))
        self.anki.ask(tagging, notes=numbers, tags=REMOVED)
        return True


def _differ(one: SnapshotNote, note: SnapshotNote) -> bool:
    return one.notetype == note.notetype and one.hash != note.hash


def _as_learnt(one: SnapshotNote, note: SnapshotNote, keeps: bool, updates: bool) -> SnapshotNote:
    """What Anki had, as `compare` must see it to say what became of it here."""
    if keeps:
        return replace(one, hash=note.hash, fields=note.fields)
    return replace(one, mtime=note.mtime - 1) if updates else one


def _learnt_tags(tags: Iterable[str], mine: Collection[str], record: _Record) -> set[str]:
    """Tags that the learner gave, or Anki: an import replaces all of a note. Without a record only Anki's own are known."""
    return {tag for tag in tags if tag in ANKIS or (record.tags and tag not in mine)} - {REMOVED}


def _snapshot(path: Path) -> Snapshot:
    with files.package(path) as file:
        return snapshot(file, path.as_posix())


def _titles(notes: Iterable[SnapshotNote]) -> tuple[str, ...]:
    return tuple(one.title for one in notes)
