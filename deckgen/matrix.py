"""A matrix: the same claims judged in several environments, a column for each.

What is claimed is extracted once, so the verdicts of all columns stand in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from packaging.version import InvalidVersion, Version

from deckgen.model.claim import Claim, Exists
from deckgen.model.errors import EngineError
from deckgen.model.verdict import API_FINE, CHECKED, FALSE, ApiVerdict, NameVerdict, Verdict
from deckgen.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """An environment, and how the run in it ended."""

    name: str
    """`2.13.0`; no two of a matrix have the same."""
    outcome: Outcome | None = None
    error: str = ""
    """Why nothing was found out there, where nothing was."""

    @property
    def exit_code(self) -> int:
        return EngineError.exit_code if self.outcome is None else self.outcome.exit_code

    @property
    def torch(self) -> Version | None:
        """What it ran; None if nothing was run, or if its version says nothing."""
        if self.outcome is None:
            return None
        try:
            return Version(Version(self.outcome.results.verification.environment.torch).base_version)
        except InvalidVersion:
            return None


@dataclass(frozen=True, slots=True)
class Row:
    """One claim or API name, with its verdict in each column that has any."""

    source: str
    claim: Claim | Exists
    cells: tuple[Verdict | ApiVerdict | None, ...]
    """None in a broken column."""

    @property
    def is_same(self) -> bool:
        """True if no two columns deny each other; one that says nothing of it, since its author marked other versions, denies none."""
        return len({cell.word for cell in self._judged}) <= 1

    @property
    def is_marked(self) -> bool:
        """True if its author says it of the versions of some columns alone."""
        return 0 < len(self._judged) < sum(map(bool, self.cells))

    @property
    def _judged(self) -> list[Verdict | ApiVerdict]:
        return [cell for cell in self.cells if cell and not is_of_other_versions(cell)]

    @property
    def has_other_signature(self) -> bool:
        """True if all say the same of the name, and torch shows another signature."""
        shown = {cell.signature for cell in self._judged if isinstance(cell, ApiVerdict)}
        return self.is_same and len(shown) > 1


@dataclass(frozen=True)
class Matrix:
    """Several environments side by side."""

    columns: tuple[Column, ...]
    seconds: float = field(default=0.0, compare=False)

    @property
    def exit_code(self) -> int:
        """The worst of all."""
        return max((column.exit_code for column in self.columns), default=0)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """In the order of the documents."""
        whole = [column.outcome.results.verification.sources for column in self.columns if column.outcome]
        found = []
        for checked in zip(*whole, strict=True):
            for verdicts in zip(*(source.every for source in checked), strict=True):
                given = iter(verdicts)
                cells = tuple(next(given) if column.outcome else None for column in self.columns)
                found.append(Row(checked[0].source, verdicts[0].claim, cells))
        return tuple(found)


def bound(row: Row, columns: Sequence[Column]) -> tuple[str, str] | None:
    """(`{torch>=2.13}`, the versions that were not run) for a claim that is false up to a version and true from there on, or
    the other way round. None where verdicts go to and fro, where one is open, where one version says both, and where it changes
    between two releases of one minor version.
    """
    seen = sorted(
        {
            (column.torch, is_true(cell))
            for column, cell in zip(columns, row.cells, strict=True)
            if column.torch and cell and not is_of_other_versions(cell)
        },
        key=lambda one: (one[0], one[1] is None),
    )
    if any(true is None for _, true in seen) or len({version for version, _ in seen}) < len(seen):
        return None
    stretches = [(true, [version for version, _ in same]) for true, same in groupby(seen, lambda one: one[1])]
    if len(stretches) != 2:
        return None
    (is_true_before, before), (_, after) = stretches
    if _minor(before[-1]) == _minor(after[0]):
        return None  # a mark names no more than a minor version
    edge = f"{after[0].major}.{after[0].minor}"
    return f"{{torch{'<' if is_true_before else '>='}{edge}}}", _between(before[-1], after[0])


def _minor(version: Version) -> tuple[int, int]:
    return version.major, version.minor


def why_no_bound(row: Row) -> str | None:
    """Why versions do not bound a claim that is false in some of these environments; None if it is so in none, or in all."""
    judged = [is_true(cell) for cell in row.cells if cell and not is_of_other_versions(cell)]
    if False not in judged or not any(one is not False for one in judged):
        return None
    if None in judged:
        return "it is false in some of these environments, and in others it could not be judged"
    return "no one version parts the environments in which it is false from the others"


def is_true(cell: Verdict | ApiVerdict) -> bool | None:
    """None where nobody could judge it."""
    if isinstance(cell, Verdict):
        return cell.word not in FALSE if cell.word in CHECKED else None
    return None if cell.word is NameVerdict.UNVERIFIED else cell.word in API_FINE


def is_of_other_versions(cell: Verdict | ApiVerdict) -> bool:
    return cell.word.value == NameVerdict.SKIPPED.value


def _between(one: Version, other: Version) -> str:
    """`2.5 to 2.12`; empty if there is none, or if nobody can count them."""
    first, last = one.minor + 1, other.minor - 1
    if one.major != other.major or first > last:
        return ""
    return f"{one.major}.{first}" + (f" to {one.major}.{last}" if last > first else "")


def named(names: Sequence[tuple[str, str, str]]) -> list[str]:
    """A name for each column of (torch, Python, path of the interpreter): as short as tells them apart."""
    tried = [[torch or path, f"{torch or path} py{python}", path] for torch, python, path in names]
    found = []
    for at, forms in enumerate(tried):
        counts = [Counter(other[level] for other in tried) for level in range(len(forms))]
        found.append(
            next((form for level, form in enumerate(forms) if counts[level][form] == 1), f"{forms[-1]} #{at + 1}")
        )
    return found
