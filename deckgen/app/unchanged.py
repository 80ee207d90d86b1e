"""A run that would change nothing is not run: what it would say is told again.

Told again only if everything is as it was that a run depends on: deckgen's code and libraries, Python, torch and the machine
as the cache of observations knows them, the options, the files of each deck and their bytes, what they include and
show, the lock, and the packages. What would be said includes the exit status: a failing run fails again.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import cache as recall
from deckgen import files
from deckgen.app.loaded import Options
from deckgen.app.loading import recall_folder
from deckgen.app.rulings import now
from deckgen.cache import Run, Runs
from deckgen.files import DeckFolder
from deckgen.model.changes import Changes
from deckgen.model.decision import Disposition
from deckgen.model.results import Delivered, Results
from deckgen.model.run_output import Told

if TYPE_CHECKING:
    from deckgen.app.build import Built

LIMIT = 16 << 20
"""Bytes of remembered runs."""


Tell = Callable[["Built"], Told]


@dataclass(frozen=True, slots=True)
class Memory:
    """What was known before a run."""

    options: Options
    wishes: tuple[object, ...]
    runs: Runs
    name: str | None
    """Of everything that the run depends on; None if it cannot be known without running."""

    def told(self) -> Told | None:
        """What the same run would say again; None if it must be run to know."""
        run = self.runs.get(self.name) if self.name else None
        if run is None or run.at > now() or not files.answers_as_before(run.asked):
            return None
        if any(_digest(Path(path)) != digest for path, digest in run.left.items()):
            return None
        return run.told

    def keep(self, built: Built, tell: Tell) -> None:
        """Remembers what the same run would say if it were run again, if that is known already.

        A source that was edited while it ran leaves nothing to remember.
        """
        again = settled(built)
        if again is None or self.name is None or self.name != _name(self.options, self.wishes):
            return
        left = {path.as_posix(): _digest(path) for path in (*built.locks, *built.delivered.packages)}
        self.runs.put(self.name, Run(at=now(), asked=tuple(built.answers.items()), left=left, told=tell(again)))
        self.runs.folder.trim()


def look(options: Options, *wishes: object) -> Memory:
    """Looks at everything that a run depends on; `wishes` are further options that shape what is said."""
    runs = Runs(replace(recall_folder("runs", options), limit=LIMIT))
    return Memory(options, wishes, runs, None if options.no_cache else _name(options, wishes))


def settled(built: Built) -> Built | None:
    """The same build, run once more with nothing changed since; None if that cannot be told from this one.

    It is told from a run that wrote nothing, and from one in which every note was shipped and nothing was in doubt:
    then all of them are in the lock now, as they are.
    """
    results = built.results
    if results.unreadable or not all(_would_repeat(results)):
        return None
    environment = replace(results.verification.environment, engine="cache") if results.ran else None
    if environment is not None:
        results = replace(results, verification=replace(results.verification, environment=environment))
    if built.wrote_nothing:
        return replace(built, results=results)
    changes = [change for *_, change in built.changes]
    shipped = all(decision.disposition is Disposition.SHIP for decision in results.decisions)
    if not shipped or results.lost or any(change.warnings or change.doubtful for change in changes):
        return None
    return replace(
        built,
        results=results,
        delivered=Delivered(current=built.delivered.packages, distant=built.delivered.distant),
        changes=tuple((name, typed, Changes(unchanged=_shipped(change))) for name, typed, change in built.changes),
    )


def _shipped(changes: Changes) -> int:
    """Notes of a deck, each of which is new, changed or unchanged."""
    return len(changes.new) + len(changes.changed) + changes.unchanged


def _would_repeat(results: Results) -> Iterable[bool]:
    """Of every run of a snippet: True if the cache has it, so that the next run sees the same."""
    for checked in results.verification.sources:
        for observed in checked.runs.values():
            seen = (observed.first, observed.second, observed.reset, *observed.candidates)
            yield all(one is None or one.repeats for one in seen)


def _name(options: Options, wishes: tuple[object, ...]) -> str | None:
    if options.python is not None:
        return None  # another interpreter would have to be started to know what it has
    folders = files.deck_folders(options.paths, options.lock)
    decks = tuple(_deck(folder) for folder in folders)
    torch = () if options.no_run else _torch()
    clock = os.environ.get("SOURCE_DATE_EPOCH")
    return recall.digest(recall.tools(), torch, clock, os.getcwd(), options, wishes, decks)


def _torch() -> tuple[object, ...]:
    from deckgen.verify.running.interpreter import look_at

    interpreter = look_at(sys.executable, ())
    return (*interpreter.identity(), interpreter.has_cuda)


def _deck(folder: DeckFolder) -> tuple[object, ...]:
    told = (getattr(folder, one.name) for one in dataclasses.fields(folder))
    known = tuple(tuple(sorted(value)) if isinstance(value, frozenset) else value for value in told)
    return known, tuple(files.digest(path, files.SIZE_LIMIT, folder.places_for(path)) for path in folder.files)


def _digest(path: Path) -> str:
    """Of a lock or a package."""
    return files.digest(path, files.PACKAGE_LIMIT)
