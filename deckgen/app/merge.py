"""Reports of all shards of a run become the report of the run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from deckgen import files
from deckgen.decide import broad_reason
from deckgen.model.errors import UsageError
from deckgen.model.shard import Shard, WaiverUse
from deckgen.model.verdict import BROAD_WAIVER
from deckgen.outcome import NOTHING_FOUND, MinChecked, Tally, too_few
from deckgen.text.harmless import Harmless, json_text

Json = dict[str, Any]
LIMIT = 1 << 30
"""Bytes of a report."""
SCHEMA = "deckgen.verify/1"


class Least(msgspec.Struct):
    """Of `--min-checked` or `--min-proved`."""

    least: float
    percent: bool


class Part(msgspec.Struct):
    """What the report of a shard says of it (`report.data`)."""

    number: int
    count: int
    sources: list[str]
    prints: dict[str, str]
    exit_code: int
    reasons: list[str]
    fail_on: list[str]
    min_checked: Least
    min_proved: Least
    tally: dict[str, int]
    waivers: list[WaiverUse]


class Environment(msgspec.Struct):
    """Where a shard ran; without a torch if it ran nothing."""

    torch: str
    python: str
    device: str
    sandbox: str
    engine: str


class Report(msgspec.Struct):
    """The report of a shard."""

    schema: str
    environment: Environment
    shard: Part
    cards: list[Json]
    sources: list[Json]
    unreadable: list[str]
    broad_waivers: list[Json]
    summary: dict[str, dict[str, int]]
    name: str = ""
    """Of its file."""


class Merged(msgspec.Struct):
    """The report of the whole run, and how the run ends."""

    report: Harmless
    exit_code: int
    reasons: tuple[str, ...]


def merge_reports(paths: Sequence[Path]) -> Merged:
    """What one run over all sources would have reported, but for its environment. Raises UsageError, which names the report that is
    missing, there twice, or of another run."""
    reports = [_read(path) for path in paths]
    _refuse_foreign(reports)
    reports = _in_order(reports)
    first, environment = reports[0], _environment(reports)
    order = {name: at for at, name in enumerate(first.shard.sources)}

    def in_order(parts: Callable[[Report], list[Json]]) -> list[Json]:
        return sorted((one for report in reports for one in parts(report)), key=lambda one: order[one["path"]])

    for report in reports:
        if not all(_is_of_its_run(one, report) for one in (*report.cards, *report.sources)):
            raise UsageError("has a source that is none of its run's", report.name, AGAIN)
    cards, sources = in_order(lambda report: report.cards), in_order(lambda report: report.sources)
    if [one["path"] for one in sources] != first.shard.sources:
        raise UsageError("the reports do not have each source of the run once", first.name, AGAIN)
    broad = [*_broad(reports)]
    data = {
        "schema": SCHEMA,
        "environment": environment,
        "shard": None,
        "cards": cards,
        "sources": sources,
        "unreadable": first.unreadable,
        "broad_waivers": broad,
        "summary": _sum([report.summary for report in reports]),
    }
    reasons = tuple(_reasons(reports, broad, sources))
    unreadable = any(report.shard.exit_code == 3 for report in reports)
    return Merged(json_text(data), 3 if unreadable else int(bool(reasons)), reasons)


def _is_of_its_run(part: Json, report: Report) -> bool:
    path = part.get("path")
    return isinstance(path, str) and path in report.shard.sources


AGAIN = (
    "make the reports of all shards from one state of the notes: `deckgen verify --shard 1/2 --report json=1.json`, ..."
)


def _read(path: Path) -> Report:
    data = files.named_content(path, LIMIT)
    try:
        found = json.loads(data)
        whole = isinstance(found, dict) and found.get("schema") == SCHEMA and found.get("shard", "") is None
        report = None if whole else msgspec.convert(found, Report)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        raise UsageError("is no JSON report of a shard", path.as_posix(), AGAIN) from None
    if report is None:
        raise UsageError("is the report of a whole run, and no shard", path.as_posix(), "there is nothing to merge")
    part = report.shard
    if report.schema != SCHEMA or not 1 <= part.number <= part.count:
        raise UsageError("is no JSON report of a shard", path.as_posix(), AGAIN)
    report.name = path.as_posix()
    return report


# --- what is refused ---

FOREIGN: tuple[tuple[str, Callable[[Report], object], str], ...] = (
    ("of another deckgen", lambda one: one.shard.prints.get("deckgen"), "install the same deckgen on all machines"),
    ("of a run in so many shards", lambda one: one.shard.count, "give all machines the same count"),
    (
        "of other sources",
        lambda one: (one.shard.sources, one.shard.prints.get("contents"), one.unreadable),
        "check out the same commit on all machines, and name the same paths",
    ),
    (
        "of a run with other options",
        lambda one: (one.shard.prints.get("options"), one.shard.fail_on, one.shard.min_checked, one.shard.min_proved),
        "give all machines the same options",
    ),
    (
        "cut by other times",
        lambda one: one.shard.prints.get("cut"),
        "begin on all machines with the same cache, or on all without one (--no-cache)",
    ),
)
"""(how a report is foreign, what it has in common with the others otherwise, what to do)."""


def _refuse_foreign(reports: Sequence[Report]) -> None:
    first = reports[0]
    for report in reports[1:]:
        for what, of, hint in FOREIGN:
            if of(report) != of(first):
                raise UsageError(f"is {what} than {first.name}", report.name, hint)
    ran = [report for report in reports if report.environment.torch]
    for report in ran[1:]:
        for key, what in (("torch", "torch"), ("python", "Python")):
            here, there = getattr(report.environment, key), getattr(ran[0].environment, key)
            if here != there:
                hint = "shards of one run need the same torch and Python; others are runs of their own"
                raise UsageError(f"ran on {what} {here}, and {ran[0].name} on {there}", report.name, hint)


def _in_order(reports: Sequence[Report]) -> list[Report]:
    count = reports[0].shard.count
    by_number: dict[int, Report] = {}
    for report in reports:
        number = report.shard.number
        if number in by_number:
            shard = Shard(number, count)
            raise UsageError(f"is {shard}, and so is {by_number[number].name}", report.name, "name each shard once")
        by_number[number] = report
    missing = [str(number) for number in range(1, min(count, 10_000) + 1) if number not in by_number]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise UsageError(
            f"of {count} shards {', '.join(missing[:20])} {are} missing",
            hint=f"`deckgen verify --shard {missing[0]}/{count} --report json=FILE` makes one",
        )
    return [by_number[number] for number in sorted(by_number)]


# --- what is told of all ---


def _environment(reports: Sequence[Report]) -> Json:
    """Of the first that has a torch; the engine of the first that ran something, the device of the first that has more than a
    processor, all levels of the sandbox."""
    ran = [report.environment for report in reports if report.environment.torch]
    if not ran:
        return msgspec.structs.asdict(reports[0].environment)
    return {
        **msgspec.structs.asdict(ran[0]),
        "engine": next((one.engine for one in ran if one.engine != "cache"), "cache"),
        "device": next((one.device for one in ran if one.device != "cpu"), "cpu"),
        "sandbox": ", ".join(dict.fromkeys(one.sandbox for one in ran)),
    }


def _sum(parts: Sequence[dict[str, dict[str, int]]]) -> dict[str, dict[str, int]]:
    names = {what: list(counts) for what, counts in parts[0].items()}
    return {
        what: {name: sum(part.get(what, {}).get(name, 0) for part in parts) for name in names[what]} for what in names
    }


def _broad(reports: Sequence[Report]) -> Iterator[Json]:
    """Waivers that cover too much, in the order of what they cover first."""
    uses: dict[tuple[str, int, str], list[WaiverUse]] = {}
    for use in (use for report in reports for use in report.shard.waivers):
        uses.setdefault((use.config, use.line, use.text), []).append(use)
    for some in sorted(uses.values(), key=lambda some: min(use.first for use in some)):
        covered, claims, left = (sum(getattr(use, what) for use in some) for what in ("covered", "claims", "left"))
        if covered and (why := broad_reason(some[0].text, covered, claims, left)):
            yield {"path": some[0].config, "line": some[0].line, "message": why}


def _reasons(reports: Sequence[Report], broad: Sequence[Json], sources: Sequence[Json]) -> Iterator[str]:
    for report in reports:
        shard = Shard(report.shard.number, report.shard.count)
        yield from (f"{shard}: {reason}" for reason in report.shard.reasons)
    part = reports[0].shard
    if broad and BROAD_WAIVER in part.fail_on:
        yield f"{len(broad)} {'waiver covers' if len(broad) == 1 else 'waivers cover'} too many claims"
    if not any(one.get("notes") or one.get("snippets") for one in sources) and not reports[0].unreadable:
        yield NOTHING_FOUND
    counts = (sum(report.shard.tally.get(name, 0) for report in reports) for name in Tally._fields)
    least = (MinChecked(one.least, one.percent) for one in (part.min_checked, part.min_proved))
    yield from too_few(Tally(*counts), *least)
