"""A run that would change nothing is not run: what it would say is said again.

Said again only if everything is as it was that a run depends on: deckgen's code and libraries, Python, torch, the machine and
what it allows, what the snippets import, the options, the files of each deck and their bytes, what they include and show, the
lock, and the packages. What would
be said includes the exit status: a failing run fails again. Nothing of the stations is imported to know it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.app.interpreters import Known, known, print_of
from deckgen.app.options import Broken, Options, RunOutput, now
from deckgen.cache import Folder, digest, place, refused
from deckgen.files import DeckFolder, Request
from deckgen.model.errors import EngineError
from deckgen.surroundings import container, dependency_versions, hardware_key

if TYPE_CHECKING:
    from deckgen.app.build import Built
    from deckgen.matrix import Matrix
    from deckgen.model.results import Results

LIMIT = 16 << 20
"""Bytes of remembered runs."""
Entry = tuple[
    int, tuple[tuple[Request, str], ...], tuple[dict[str, str], ...], dict[str, str], tuple[str, str, int, str]
]
"""When it was (a clock that was set back may make an error of what was none); the assets that the notes asked for, each with a
digest; the packages that its snippets imported, of each interpreter; a digest of each package and lock that it left; and what it
said."""


@dataclass(frozen=True, slots=True)
class RunCache:
    """What is known before a run."""

    options: Options
    wishes: tuple[object, ...]
    """The command, and options that shape what it says."""
    name: str | None
    """Of everything that the run depends on; None if it cannot be known without running."""
    pythons: tuple[Path | None, ...] = (None,)
    """The interpreters that run the snippets; None = our own."""
    interpreters: tuple[Known, ...] = ()
    """What they are."""

    @classmethod
    def of(cls, options: Options, *wishes: object, pythons: Sequence[Path | Broken | None] = ()) -> RunCache:
        asked = pythons or (options.python,)
        fine = tuple(one for one in asked if not isinstance(one, Broken))
        found = _known(options, fine) if len(fine) == len(asked) else None
        return cls(options, wishes, _name(options, wishes, found), fine, found or ())

    def output(self) -> RunOutput | None:
        """What the same run would say again; None if it must be run to know."""
        entry: Entry | None = _folder().get(self.name, Entry) if self.name else None
        if entry is None:
            return None
        when, answers, imports, left, said = entry
        same = when <= now() and files.answers_as_before(answers)
        same = same and all(one.packages.are(then) for one, then in zip(self.interpreters, imports, strict=True))
        if not same or any(files.digest(Path(path), files.PACKAGE_LIMIT) != seen for path, seen in left.items()):
            return None
        return RunOutput(*said)  # type: ignore[arg-type] # it was harmless when it was kept

    def keep(self, output: RunOutput, *runs: Results) -> None:
        """Remembers what the same run would say; `runs` has one for each interpreter.

        A source that was edited while it ran leaves nothing to remember.
        """
        if self.name is not None and self.name == _name(self.options, self.wishes, _known(self.options, self.pythons)):
            said = output.out, output.err, output.exit_code, output.ending
            answers = {request: seen for one in runs for request, seen in one.answers.items()}
            ran = () if self.options.no_run else runs
            imports = tuple(dict(one.verification.imports) for one in ran)
            _folder().put(self.name, (now(), tuple(answers.items()), imports, dict(runs[0].left), said))
            _folder().trim()


def _folder() -> Folder:
    return Folder(place("runs"), LIMIT)


def results_if_repeated(results: Results) -> Results | None:
    """The results of the same run, once more with nothing changed since; None if that cannot be known from this one."""
    if results.unreadable:
        return None
    for observed in (observed for checked in results.verification.sources for observed in checked.runs.values()):
        seen = (
            observed.first,
            observed.second,
            observed.reset,
            observed.garbage,
            *observed.draws,
            *observed.candidates,
        )
        if not all(one is None or one.repeats for one in seen):
            return None
    if not results.ran:
        return results
    environment = replace(results.verification.environment, engine="cache")
    return replace(results, verification=replace(results.verification, environment=environment))


def matrix_if_repeated(found: Matrix) -> Matrix | None:
    """The same of several environments; a broken one may be mended before the next run."""
    columns = []
    for column in found.columns:
        if column.outcome is None or (results := results_if_repeated(column.outcome.results)) is None:
            return None
        columns.append(replace(column, outcome=replace(column.outcome, results=results)))
    return replace(found, columns=tuple(columns))


def build_if_repeated(built: Built) -> Built | None:
    """The same of a build.

    It is known from a run that wrote nothing, and from one in which every note was shipped, or waits for its author, and nothing
    was in doubt: then all that were shipped are in the lock now, as they are.
    """
    from deckgen.model.deck import Changes
    from deckgen.model.results import Delivered, Disposition

    results = results_if_repeated(built.results)
    if results is None:
        return None
    if built.wrote_nothing:
        return replace(built, results=results)
    changes = [change for *_, change in built.changes]
    plain = {decision.disposition for decision in results.decisions} <= {Disposition.SHIP, Disposition.SUGGEST}
    if not plain or results.lost or any(change.warnings or change.doubtful for change in changes):
        return None
    return replace(
        built,
        results=results,
        delivered=Delivered(current=built.delivered.packages, distant=built.delivered.distant),
        changes=tuple(
            (
                name,
                typed,
                Changes(unchanged=len(change.new) + len(change.changed) + change.unchanged, spare=change.spare),
            )
            for name, typed, change in built.changes
        ),
    )


def _known(options: Options, pythons: Sequence[Path | None]) -> tuple[Known, ...] | None:
    """What the interpreters of a run are; None if one does not start, which the run says, and of a run that is not remembered."""
    if options.stdin is not None or options.no_cache or options.shard or any(refused()):
        return None  # a refusal is said by each run; a shard depends on what all sources include
    try:
        return () if options.no_run else tuple(map(known, pythons))
    except EngineError:
        return None


def _name(options: Options, wishes: tuple[object, ...], interpreters: Sequence[Known] | None) -> str | None:
    if interpreters is None:
        return None
    decks = (*map(_deck, options.deck_folders()), *(files.bundles(Path(path)) for path in options.paths))
    machine = () if options.no_run else (hardware_key(), container(), *map(print_of, interpreters))
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return digest(dependency_versions(), machine, epoch, os.getcwd(), options, wishes, decks)


def digests_of_decks(options: Options) -> dict[str, str]:
    """By path a digest of each source of the decks, of their settings and of their locks: what the notes ask for besides is not
    among them. Raises DeckgenError.
    """
    found = {(path / files.BUNDLES_NAME).as_posix(): digest(files.bundles(path)) for path in map(Path, options.paths)}
    for folder in options.deck_folders():
        found |= {path.as_posix(): _source(folder, path) for path in folder.files}
        found[(folder.root / files.CONFIG_NAME).as_posix()] = digest(folder.config)
        found[folder.root.as_posix()] = digest(folder.closed, folder.outside, folder.left_out, folder.made)
        found[folder.lock.as_posix()] = files.digest(folder.lock, files.PACKAGE_LIMIT)
    return found


def _deck(folder: DeckFolder) -> tuple[object, ...]:
    values = (getattr(folder, one.name) for one in fields(folder))
    known = tuple(tuple(sorted(value)) if isinstance(value, frozenset) else value for value in values)
    return known, tuple(_source(folder, path) for path in folder.files)


def _source(folder: DeckFolder, path: Path) -> str:
    return files.digest(path, files.SIZE_LIMIT, folder.places_for(path))
