"""Years of a deck: edits of every kind, one build and one import after the other, and someone who learns with it.

`DECKGEN_YEAR_EDITS=60 DECKGEN_YEAR_SEEDS=1,2,3` plays longer; the defaults are quick.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from learner import Imported, Learner
from notebook import Author, Notebook

from deckgen import compare
from deckgen.app import build as building
from deckgen.app import lock as locking
from deckgen.app.load import load
from deckgen.app.options import Options
from deckgen.identity import parse_lock
from deckgen.model.deck import Doubtful
from deckgen.model.difference import Difference, Effect

EDITS = int(os.environ.get("DECKGEN_YEAR_EDITS", "12"))
SEEDS = [int(seed) for seed in os.environ.get("DECKGEN_YEAR_SEEDS", "1,2").split(",")]
DECK_ID = 4_321_000_001
DAY = 86_400


class Publisher:
    """Builds a notebook again and again, at times that lie in the past."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.notes, self.output = folder / "notes", folder / "build"
        self.lock = self.notes / "deckgen.lock"
        self.now = int(time.time()) - 800 * DAY
        self.monkeypatch = monkeypatch
        self.known: dict[int, frozenset[str]] = {}
        """uid -> GUIDs of the notes that are made of it."""
        self.fresh: dict[int, frozenset[str]] = {}
        self.written: dict[int, list[str]] = {}
        """uid -> its lines when it was last published."""
        self.adopted: list[str] = []

    @property
    def options(self) -> Options:
        return Options(
            paths=(str(self.notes),), output=self.output, no_run=True, no_cache=True, quiet=True, suggestions="ship"
        )

    def publishes(self, book: Notebook, *, adopts: bool = True, restamp: bool = False) -> Path:
        """Writes, builds, settles doubts as an author would, and notes what everything is known by."""
        places = book.write(self.notes, DECK_ID)
        self.now += 6 * DAY
        self.monkeypatch.setenv("SOURCE_DATE_EPOCH", str(self.now))
        options = replace(self.options, restamp=restamp)
        built = building.build(options, lambda done, total: None)
        changes = built.changes[0][-1]
        self.adopted = []
        now_known = self._identities(places)
        if adopts and changes.doubtful:
            self._adopts(now_known, changes.doubtful)
            if self.adopted:
                building.build(options, lambda done, total: None)
                now_known = self._identities(places)
        same = {item.uid for item in book.items() if self.written.get(item.uid) == item.lines()}
        stayed = self.fresh.keys() | same
        """Those that were there before, or come back just as they went."""
        self.lost = {
            uid: (self.known[uid], now_known[uid])
            for uid in now_known
            if uid in stayed and uid in self.known and self.known[uid] != now_known[uid]
        }
        self.fresh = now_known
        self.known |= now_known
        self.written |= {item.uid: item.lines() for item in book.items()}
        return max(self.output.glob("*.apkg"), key=lambda package: package.stat().st_mtime_ns)

    def merges(self, ours: Notebook, theirs: Notebook, both: Notebook) -> Path:
        """Two branches, each with a lock of its own, merged as git does when both sides are kept."""
        locks = [self.lock.read_bytes()]
        for branch in (ours, theirs):
            self.lock.write_bytes(locks[0])
            self.publishes(branch, adopts=False)
            locks.append(self.lock.read_bytes())
        paths = [self.output / f"lock-{at}" for at in range(3)]
        for path, lock in zip(paths, locks, strict=True):
            path.write_bytes(lock)
        names = [str(paths[at]) for at in (1, 0, 2)]
        merged = subprocess.run(["git", "merge-file", "-p", "--union", *names], capture_output=True, check=True).stdout
        self.lock.write_bytes(merged)
        return self.publishes(both)

    def _adopts(self, fresh: dict[int, frozenset[str]], doubtful: Iterable[Doubtful]) -> None:
        owners = {guid: uid for uid, guids in self.known.items() for guid in guids}
        for doubt in doubtful:
            uid = next((uid for uid, guids in fresh.items() if doubt.new in guids), None)
            if owners.get(doubt.old) == uid and doubt.old not in self.adopted:
                locking.adopt(doubt.old, doubt.new, self.options)
                self.adopted.append(doubt.old)
            elif doubt.old not in self.adopted:
                locking.part(doubt.old, doubt.new, self.options)

    def _identities(self, places: dict[tuple[str, int], int]) -> dict[int, frozenset[str]]:
        lock = parse_lock(self.lock.read_text("utf-8"), "lock", self.now)
        guids = {(note.kind, note.key): note.guid for note in lock.live}
        found: dict[int, set[str]] = defaultdict(set)
        (deck,) = load(self.options)
        for extraction in deck.extractions:
            for note in extraction.notes:
                kind = type(note.body).__name__.lower()
                uid = places[Path(note.source).name, note.span.first]
                found[uid].add(guids[kind, note.key])
        return {uid: frozenset(each) for uid, each in found.items()}


def foretold(old: Path, new: Path) -> Difference:
    return compare.compare(*locking.snapshots(old, new))


def as_imported(difference: Difference, package: Path, learner: Learner) -> Imported:
    """What Anki will say. A difference is told for those who have OLD: this learner has all that ever was, too."""
    count = Counter({effect: difference.count(effect) for effect in Effect})
    had = dict(learner.col.db.all("select guid, mod from notes"))
    times = {note.guid: note.mtime for note in locking.snapshots(package, package)[0].notes}
    for note in difference.notes:
        if note.effect is Effect.ADDED and note.guid in had:
            count[Effect.ADDED] -= 1
            count[Effect.UPDATED if times[note.guid] > had[note.guid] else Effect.UNCHANGED] += 1
    return Imported(
        added=count[Effect.ADDED],
        updated=count[Effect.UPDATED] + count[Effect.TOUCHED],
        unchanged=count[Effect.UNCHANGED] + count[Effect.IGNORED],
        conflicting=count[Effect.REFUSED],
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_year_of_edits_loses_no_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int):
    author, publisher = Author(seed), Publisher(tmp_path, monkeypatch)
    book = author.begins()
    before = tmp_path / "before.apkg"
    story: list[str] = []
    with Learner(tmp_path / "learner") as learner:
        package = publisher.publishes(book)
        assert set(publisher.known) == {item.uid for item in book.items()}, "every item gives a note"
        learner.imports(package)
        learner.reviews()
        emptied = 0
        for _ in range(EDITS):
            before.write_bytes(package.read_bytes())
            history = learner.history()
            if author.luck.random() < 0.1:
                ours, theirs, both, change = author.branches(book)
                story.append(change)
                package, book = publisher.merges(ours, theirs, both), both
            else:
                edits = author.luck.choices(author.edits, k=author.luck.choice([1, 1, 1, 2, 3]))
                story.append("; ".join(getattr(author, edit)(book) for edit in edits))
                package = publisher.publishes(book, restamp=author.luck.random() < 0.1)
            difference = foretold(before, package)
            told = "\n".join(story)
            assert as_imported(difference, package, learner) == learner.imports(package), told
            assert not difference.count(Effect.IGNORED) + difference.count(Effect.REFUSED), told
            assert history.items() <= learner.history().items(), told
            emptied += sum(note.cards_emptied for note in difference.notes)
            assert learner.empty_cards() <= emptied, told
            same_notes(publisher, learner, package, told)
            learner.reviews()


def same_notes(publisher: Publisher, learner: Learner, package: Path, told: str) -> None:
    """Every item is still what it was known by, and the learner has of it what the package says, once."""
    assert not publisher.lost, told
    shipped = locking.snapshots(package, package)[0]
    for note in shipped.notes:
        assert learner.fields(note.guid) == note.fields, told
        assert sorted(card.ord for card in learner.note(note.guid).cards() if card.ord in note.cards) == list(
            note.cards
        )
    titles = Counter(note.title for note in shipped.notes)
    assert max(titles.values()) == 1, told
