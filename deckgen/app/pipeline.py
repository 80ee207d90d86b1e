"""The way to the verdicts, station by station: read, extract, verify. `build` goes on from there.

Functions here join stations and do nothing else; the command line calls nothing below them.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.app.loaded import Loaded, Options
from deckgen.app.loading import load
from deckgen.app.rulings import lock_of, losses, now, rulings
from deckgen.decide import waive
from deckgen.model.config import DeckConfig, Waiver
from deckgen.model.results import NOTHING_CHECKED, NOTHING_RAN, Results
from deckgen.model.verdict import Checked, Verification

if TYPE_CHECKING:
    from deckgen.verify import VerifyOptions

Step = Callable[[int, int], None]
"""Called with (done, total) while snippets run."""


def inspect(options: Options) -> Results:
    """What was found, without running anything."""
    return results_of(load(options), NOTHING_CHECKED, ran=False)


def results_of(loaded: Sequence[Loaded], verification: Verification, ran: bool = True) -> Results:
    return Results(
        extractions=tuple(extraction for deck in loaded for extraction in deck.extractions),
        verification=verification,
        named=frozenset(name for deck in loaded for name in deck.named),
        unreadable=tuple(error for deck in loaded for error in deck.unreadable),
        ran=ran,
        warnings=notices(loaded),
    )


def notices(loaded: Sequence[Loaded]) -> tuple[str, ...]:
    """What should be known of the folders and of the words in the notes, whether anything is run or not."""
    remarks = (
        f"{one.document.source.name}:{remark.span.first}: {remark.text}"
        for deck in loaded
        for one in deck.extractions
        for remark in one.remarks
    )
    return (*(deck.folder.notice for deck in loaded if deck.folder.notice), *remarks)


def verify(options: Options, step: Step) -> Results:
    """Runs every snippet that a claim needs, looks up every API name, and judges."""
    loaded = load(options)
    verification, warnings = verified(loaded, options, step)
    locks = [lock_of(deck.folder, now()) for deck in loaded]
    ruled = [rulings(deck, lock, verification, options) for deck, lock in zip(loaded, locks, strict=True)]
    return replace(
        results_of(loaded, verification),
        decisions=tuple(decision for decisions in ruled for decision in decisions),
        lost=tuple(losses(zip(ruled, locks, strict=True))),
        warnings=warnings,
    )


def docstrings(package: str, options: Options, step: Step) -> Results:
    """The examples in the docstrings of a package, checked like notes."""
    from deckgen.extract import extract
    from deckgen.read.docstring import read as read_docstring
    from deckgen.verify import verify as run
    from deckgen.verify.docstrings import docstrings as found

    extractions = tuple(extract(read_docstring(source)) for source in found(package, options.python))
    return Results(extractions=extractions, verification=run(extractions, _verify_options(DeckConfig(), options), step))


def verified(loaded: Sequence[Loaded], options: Options, step: Step) -> tuple[Verification, tuple[str, ...]]:
    """All decks in one run where their settings allow it, so that torch is imported once."""
    from deckgen.verify import verify as run  # pulls in the engine; `inspect` never needs it

    parts: dict[VerifyOptions, list[Loaded]] = {}
    for deck in loaded:
        parts.setdefault(_verify_options(deck.folder.config, options), []).append(deck)
    runs = [
        run([extraction for deck in decks for extraction in deck.extractions], wanted, step)
        for wanted, decks in parts.items()
    ]
    environment = next((one.environment for one in runs if one.sources), NOTHING_RAN)
    checked = {source.source: source for one in runs for source in one.sources}
    warnings = [*notices(loaded)]
    for deck in loaded:
        checked |= _waived(deck, checked, warnings)
    names = [extraction.document.source.name for deck in loaded for extraction in deck.extractions]
    return Verification(environment=environment, sources=tuple(checked[name] for name in names)), tuple(warnings)


def _verify_options(config: DeckConfig, options: Options) -> VerifyOptions:
    from deckgen.verify import VerifyOptions

    defaults = VerifyOptions()
    return VerifyOptions(
        python=options.python,
        device=options.device or config.device or defaults.device,
        jobs=options.jobs,
        timeout=options.timeout or config.timeout or defaults.timeout,
        sandbox=options.sandbox,
        use_cache=not options.no_cache,
        prelude=config.prelude or defaults.prelude,
    )


def _waived(deck: Loaded, checked: Mapping[str, Checked], warnings: list[str]) -> dict[str, Checked]:
    """Claims that the author waives become `unverified: skipped`, with the author's reason."""
    used: set[Waiver] = set()
    changed = {}
    for extraction in deck.extractions:
        name = extraction.document.source.name
        relative = deck.folder.relative(Path(name))
        waivers = [waiver for waiver in deck.folder.config.waivers if fnmatch.fnmatch(relative, waiver.source)]
        if waivers:
            changed[name] = waive(checked[name], waivers, used)
    for waiver in deck.folder.config.waivers:
        if waiver not in used:
            where = (deck.folder.root / files.CONFIG_NAME).as_posix()
            warnings.append(f"{where}: the waiver for `{waiver.text}` matches no claim any more; remove it")
    return changed


def introduce(options: Options) -> str | None:
    """What a person should know before the notes of a place are run for the first time; once a place."""
    if options.no_run:
        return None
    fresh = [place for place in options.paths if files.first_time(Path(place))]
    if not fresh:
        return None
    return (
        f"the code in {', '.join(fresh)} will be executed, contained in a sandbox as far as this system has one "
        "(the report names it; --sandbox require insists, --no-run runs nothing)"
    )


@dataclass(frozen=True, slots=True)
class ApiTable:
    """What `deckgen api` has to say."""

    markdown: str
    unknown: Mapping[str, str | None]
    """Names that torch lacks, each with a near one."""
    missing: Mapping[str, str]
    """Names that a package is missing for, each with its module."""


def api(names: Sequence[str], options: Options) -> ApiTable:
    """A Markdown table of these names from the live torch."""
    from deckgen.verify import look_up
    from deckgen.verify.apis.table import api_table, missing_modules, table_request, unknown_names

    facts = look_up(table_request(names), _verify_options(DeckConfig(), options))
    return ApiTable(api_table(facts, names), unknown_names(facts, names), missing_modules(facts, names))


CACHES = ("observations", "extractions", "faces", "runs")
"""What is kept in the user's cache folder, by the name of its folder."""


def cache(what: str) -> Iterator[str]:
    """`info` or `clear`, line by line."""
    from deckgen.cache import Folder, place

    for kind in CACHES:
        kept = Folder(place(kind))
        if what == "clear":
            yield f"removed {kept.clear()} {kind}"
        else:
            entries, size = kept.size()
            yield f"{kept.path or 'nowhere, for want of a home folder'}: {entries} {kind}, {size / 2**20:.1f} MiB of {kept.limit / 2**20:.0f}"
