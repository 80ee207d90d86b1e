"""The notes of a pytest run: found before tests are collected, and checked in one go when the first test runs.

All of them share one engine, in which torch is imported once. Of several processes (pytest-xdist) one checks, and the others read
what it found.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from deckgen import api, files
from deckgen.app.check import digests, verified_and_decided
from deckgen.app.load import Loaded, load
from deckgen.model.config import SOURCE_ENDINGS
from deckgen.model.document import Extraction
from deckgen.model.errors import DeckgenError
from deckgen.outcome import MinChecked
from deckgen.report.cases import Case, Ending, cases, place_of
from deckgen.text.harmless import Harmless, json_text, lines

NOTHING_TOLD = lines([])
NOT_COLLECTED = "not-collected"
"""The word for a source to which pytest did not come."""
Key = tuple[str, str]
"""A source, and the id of a claim or name; without an id what cannot be read of it."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What fails a run."""

    fail_on: frozenset[str]
    min_checked: MinChecked
    min_proved: MinChecked

    def outcome(self, results: api.Results) -> api.Outcome:
        """How a run ends."""
        return api.outcome(results, self.fail_on, self.min_checked, self.min_proved)


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of each test, and what to tell besides."""

    cases: Mapping[Key, Case]
    others: tuple[Case, ...]
    """About no test: reasons of the whole run, code that raises, broad waivers."""
    summary: tuple[str, ...]

    def as_text(self) -> Harmless:
        return json_text([list(self.cases.items()), self.others, self.summary])

    @classmethod
    def of_text(cls, text: str) -> Checked:
        """Of what another process or run wrote."""
        found, others, summary = json.loads(text)
        return cls({(key[0], key[1]): _case(one) for key, one in found}, tuple(map(_case, others)), tuple(summary))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why pytest did not come to a source."""

    folder: str
    """The folder that it never enters (`norecursedirs`); empty if somebody said that this one is to be ignored."""
    is_asked_for: bool
    """`deckgen_paths` names it: then it fails the run."""

    def case(self, source: str) -> Case:
        """What to tell of the source."""
        ending = Ending.FAILED if self.is_asked_for else Ending.TOLD
        how = "take it from that list, or leave the notes out with `exclude` in deck.toml"
        message = f"pytest does not enter `{self.folder}` (`norecursedirs`): {how}"
        return Case(source, 1, NOT_COLLECTED, "", NOT_COLLECTED, ending, NOT_COLLECTED, message)


def _case(values: list[object]) -> Case:
    case = Case(*values)  # type: ignore[arg-type] # as they were written
    return case._replace(ending=Ending(case.ending))


@dataclass
class Notes:
    """Everything in the notes that a run of pytest may select from."""

    options: api.Options
    wishes: Wishes
    loaded: tuple[Loaded, ...] = ()
    extractions: dict[str, Extraction] = field(default_factory=dict)
    unreadable: dict[str, DeckgenError] = field(default_factory=dict)
    """By source; of each the first error."""
    sources: dict[Path, str] = field(default_factory=dict)
    """The names of all sources by their absolute paths."""
    left: Mapping[str, str] = field(default_factory=dict)
    """Digests of the locks (`Results.left`)."""
    collected: set[str] = field(default_factory=set)
    """Sources that pytest came to: it passes by what is no file, such as a link that leads nowhere."""
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    """Sources that its own configuration keeps it from."""

    def find(self, paths: Iterable[Path]) -> None:
        """Reads the notes at these places. Raises DeckgenError."""
        typed = tuple(map(_typed, paths))
        if not typed:
            return
        with without_looking_for_cycles():
            self.options = replace(self.options, paths=typed)
            self.left = digests(folder.lock for folder in files.deck_folders(typed))  # before they are read
            self.loaded = load(self.options)
        for deck in self.loaded:
            self.sources |= {Path(os.path.abspath(path)): path.as_posix() for path in deck.folder.files}
            self.extractions |= {one.document.source.name: one for one in deck.extractions}
            for error in deck.unreadable:
                self.unreadable.setdefault(place_of(error)[0], error)

    def check(self, selected: frozenset[str] | None) -> Checked:
        """Checks these sources, or all (None), in one go. Raises DeckgenError."""
        known = {*self.sources.values()}
        wanted = known - {*self.left_out} if selected is None else selected
        with without_looking_for_cycles():
            if not known <= wanted:
                unwanted = frozenset(known - wanted)
                results = verified_and_decided([_without(deck, unwanted) for deck in self.loaded], self.options)
                return self._told(results)
            limits = ",".join(sorted(self.wishes.fail_on)), *self.wishes.min_checked, *self.wishes.min_proved
            said = *limits, *sorted(known - self.collected)
            run_cache = api.RunCache.of(self.options, "pytest", *said)
            if recalled := run_cache.output():
                return Checked.of_text(recalled.out)
            results = replace(verified_and_decided(self.loaded, self.options), left=self.left)
            if settled := api.results_if_repeated(results):
                run_cache.keep(api.RunOutput(self._told(settled).as_text(), NOTHING_TOLD, 0), results)
            return self._told(results)

    def _told(self, results: api.Results) -> Checked:
        """What became of each test."""
        from deckgen.report.terminal import summary_lines

        every = [*cases(self.wishes.outcome(results))]
        found = {(case.source, case.claim): case for case in every if self._has_a_test(case)}
        others = tuple(case for case in every if not self._has_a_test(case))
        others += tuple(why.case(source) for source, why in self.left_out.items() if why.folder)
        return Checked(found, others, (*results.warnings, *summary_lines(results)))

    def _has_a_test(self, case: Case) -> bool:
        return case.source in self.collected and (bool(case.claim) or case.kind == "unreadable")


def _typed(path: Path) -> str:
    """A path as somebody in this folder would type it."""
    here = Path.cwd()
    return os.path.relpath(path, here) if path.is_relative_to(here) else str(path)


def _without(deck: Loaded, unwanted: frozenset[str]) -> Loaded:
    """A deck without these sources: then it is not whole, and of its waivers nothing is said."""
    files = tuple(path for path in deck.folder.files if path.as_posix() not in unwanted)
    if files == deck.folder.files:
        return deck
    extractions = tuple(one for one in deck.extractions if one.document.source.name not in unwanted)
    unreadable = tuple(error for error in deck.unreadable if place_of(error)[0] not in unwanted)
    folder = replace(deck.folder, files=files, named=deck.folder.named & {*files}, whole=False)
    return replace(deck, folder=folder, extractions=extractions, unreadable=unreadable)


@contextmanager
def without_looking_for_cycles() -> Iterator[None]:
    """A run makes many objects and no cycles to speak of (`cli.main`)."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_ENDINGS = frozenset(ending.removeprefix("*") for ending in SOURCE_ENDINGS)


def places(arguments: Iterable[Path], only: Iterable[Path]) -> list[Path]:
    """Where notes are looked for: in what pytest was asked for, as far as it is in one of the `only` (if there are any).

    A file counts if it was named itself, unless it is one of tests.
    """
    kept: dict[Path, None] = {}
    limits = [*only]
    for path in arguments:
        if path.is_file():
            near = not limits or any(path.is_relative_to(limit) for limit in limits)
            found = [path] if path.suffix.lower() in _ENDINGS or (near and path.suffix != ".py") else []
        elif not limits or any(path.is_relative_to(limit) for limit in limits):
            found = [path]
        else:
            found = [limit for limit in limits if limit.is_relative_to(path)]
        kept |= dict.fromkeys(found)
    return [path for path in kept if path.exists()]
