"""`update --since`: bounds that a matrix of environments proposes, written into the notes as marks of versions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from deckgen.app.load import Loaded, load, own_error, refuse_packages
from deckgen.app.matrix import Python, matrix_of
from deckgen.app.options import Options, Progress, silent
from deckgen.app.update import OF_DATA, SHARED_LINE, Revised, Revision, bytes_of, each_file
from deckgen.extract import extract
from deckgen.matrix import Column, Row, bound, is_of_other_versions, is_true, why_no_bound
from deckgen.model.document import Extraction
from deckgen.model.errors import EngineError, SourceError
from deckgen.model.source import line_span
from deckgen.read import read
from deckgen.since import MarkedLine, claims_of, is_name_in_code, marked, only_marks_moved, with_lines
from deckgen.text.wording import one_line
from deckgen.update import Judged, Updated

_MOST = 50
"""Lines that are tried one by one."""
Bounds = Mapping[str, tuple[str, str]]
"""By the id of a claim its mark, and the versions that were not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded(Revision):
    """One source and what it would become with its marks."""

    bounds: Bounds

    @property
    def changed_lines(self) -> list[str]:
        """What is bounded, a line a claim."""
        return [self._bounded(one) for one in self.updated.changed]

    def _bounded(self, one: Judged) -> str:
        mark, unknown = self.bounds[one.claim.id]
        shown = one_line(one.claim.text, 60)
        return f"{self.source.at(one.claim.span)}: `{shown}`: {mark}" + (f" ({unknown} not run)" if unknown else "")


def revise_since(options: Options, pythons: Sequence[Python], progress: Progress = silent) -> Revised:
    """Compares these environments, and marks in memory what holds from a torch on, or up to one.

    What is marked is verified once more in all of them: marks that would make anything else false or unchecked are left out.
    Raises EngineError for an environment that is broken: of its torch nobody knows.
    """
    refuse_packages(options)
    loaded = load(options)
    found = matrix_of(loaded, options, pythons, progress)
    for column in found.columns:
        if column.outcome is None:
            raise EngineError(column.error, column.name, "nothing was written; mend this environment or leave it out")
    rows: dict[str, list[Row]] = {}
    for row in found.rows:
        rows.setdefault(row.source, []).append(row)
    revisions: list[Revision] = []
    refused: list[SourceError] = []
    for deck, extraction in each_file(loaded):
        source = extraction.document.source
        try:
            with own_error(source.name):
                draft = _Draft(extraction, rows.get(source.name, []), found.columns)
                draft.choose(partial(_judged, deck, options, pythons, progress))
                made = draft.made
                before, after = bytes_of(source, made)
        except SourceError as error:
            refused.append(error)
            continue
        if made.changed or made.left:
            revisions.append(Bounded(source=source, updated=made, before=before, after=after, bounds=draft.bounds))
    results = next(column.outcome.results for column in found.columns if column.outcome)
    return Revised(results=replace(results, unreadable=(*results.unreadable, *refused)), revisions=tuple(revisions))


def _judged(
    deck: Loaded, options: Options, pythons: Sequence[Python], progress: Progress, after: Extraction
) -> tuple[Row, ...]:
    """What a changed source comes to in each environment."""
    return matrix_of([replace(deck, extractions=(after,))], options, pythons, progress).rows


Lines = tuple[MarkedLine, ...]


@dataclass(slots=True)
class _Draft:
    """A source, what its claims came to, and which of them get a mark."""

    extraction: Extraction
    rows: Sequence[Row]
    columns: tuple[Column, ...]
    bounds: dict[str, tuple[str, str]] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    """Why claims get no mark, by their ids."""
    lines: Lines = ()

    def choose(self, judge: Callable[[Extraction], Sequence[Row]]) -> None:
        """Finds the lines that get marks. `judge` says what becomes of a source that has them."""
        for row in self.rows:
            if proposed := bound(row, self.columns):
                self.bounds[row.claim.id] = proposed
            elif why := why_no_bound(row):
                self.left[row.claim.id] = why
        document = self.extraction.document
        if document.places:
            self.left |= dict.fromkeys(self.bounds, OF_DATA if document.apart else SHARED_LINE)
        elif self.bounds:
            now = extract(read(document.source))  # an included snippet is no text of this source
            here = {claim.id for claim in claims_of(now)}
            self.left |= {
                row.claim.id: _elsewhere(row) for row in self.rows if row.claim.id in self.bounds.keys() - here
            }
            self.lines, left = marked(now, {name: mark for name, (mark, _) in self.bounds.items()})
            self.left |= left
            open_ones = {
                row.claim.id for row in self.rows if not any(cell and is_true(cell) is not None for cell in row.cells)
            }
            self._leave(lambda lines: self._moved(now, lines, open_ones))
            self._leave(lambda lines: self._spoiled(judge(self._after(lines)), self._marked(lines)))

    def _leave(self, problem: Callable[[Lines], str | None]) -> None:
        """Leaves the lines of which something is wrong, alone or together."""
        why = problem(self.lines) if self.lines else None
        if why is None:
            return
        alone = {line: problem((line,)) for line in self.lines} if 1 < len(self.lines) <= _MOST else {}
        fine = tuple(line for line in alone if alone[line] is None)
        fine = fine if fine and problem(fine) is None else ()
        for line in self.lines:
            if line not in fine:
                self.left |= dict.fromkeys(line.claims, alone.get(line) or why)
        self.lines = fine

    def _moved(self, now: Extraction, lines: Lines, open_ones: Collection[str]) -> str | None:
        """What would move besides the versions of what these lines mark."""
        try:
            return only_marks_moved(now, self._after(lines), self._marked(lines), open_ones)
        except SourceError:  # a notebook is text within text
            return "its file could not be read with a mark there"

    def _after(self, lines: Lines) -> Extraction:
        return extract(read(with_lines(self.extraction.document.source, lines)))

    def _marked(self, lines: Lines) -> dict[str, str]:
        return {name: self.bounds[name][0] for line in lines for name in line.claims}

    def _spoiled(self, rows: Sequence[Row], marks: Mapping[str, str]) -> str | None:
        """What speaks against marks with which a source comes to this."""
        after = {row.claim.id: row for row in rows}
        for row in self.rows:
            if row.claim.origin is None and row.claim.id in after:
                for before, now in zip(row.cells, after[row.claim.id].cells, strict=True):
                    if why := _loss(row, before, now, row.claim.id in marks):
                        return why
        return None

    @property
    def made(self) -> Updated:
        """What the source would become."""
        source = self.extraction.document.source
        cells = {row.claim.id: next(cell for cell in row.cells if cell) for row in self.rows}
        return Updated(
            text=with_lines(source, self.lines).text,
            edits={line_span(line.at): [line.text] for line in self.lines},
            changed=tuple(cells[name] for line in self.lines for name in line.claims),
            left=tuple((cells[name], why) for name, why in self.left.items()),
        )


def _elsewhere(row: Row) -> str:
    where = (
        f"it stands in {row.claim.origin}" if row.claim.origin else "it is found with the settings of its deck alone"
    )
    return f"{where}: mark it by hand"


def _loss(row: Row, before: Judged | None, now: Judged | None, is_marked: bool) -> str | None:
    """What is lost if a verdict becomes another one."""
    if before is None or now is None:
        return None
    if is_marked:
        return None if is_of_other_versions(now) or is_true(now) else "it would be false with its mark, too"
    if is_name_in_code(row.claim) and is_of_other_versions(now):
        return None
    if is_true(now) in (True, is_true(before)):
        return None
    return f"its mark would leave `{one_line(row.claim.text, 60)}` of line {row.claim.span.first} unchecked"
