"""The cut of a run into shards: each machine reads all sources, and finds the same cut by itself.

It depends on what the sources say and on the times of an earlier whole run, if the cache has them. Every report carries a print of
it, so that reports that were cut otherwise are never taken for one run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from deckgen import __version__, files
from deckgen.app.load import Loaded, cache_folder
from deckgen.app.options import Options
from deckgen.cache import digest
from deckgen.model.document import Extraction
from deckgen.model.errors import UsageError
from deckgen.model.results import Results
from deckgen.model.shard import Part, Shard, WaiverUse
from deckgen.model.verdict import Checked
from deckgen.surroundings import own_code
from deckgen.text.pattern import pattern

SNIPPET, COMPILES, NAME = 15, 58, 1
"""Milliseconds of processor time of a snippet whose time is not known, and what it takes more if it compiles or optimises: means of
the 655 in our own decks. The look-up of an API name takes no more than one."""
AGAIN = 2
"""What a millisecond of work counts beside one of load: code is better run once than twice, if that makes no shard much longer."""
_COMPILES = pattern(r"\b(?:compile|export|_dynamo|optim)\b")
"""A guess from the words alone: to look closer takes longer than it saves."""
Times = Mapping[str, int]
"""Milliseconds by the digest of a snippet's code."""


def part_of(loaded: Sequence[Loaded], options: Options, shard: Shard) -> Part:
    """The part of these decks that a shard names. Raises UsageError if two decks have a source in common."""
    return part_of_all([one for deck in loaded for one in deck.extractions], options, shard, _besides(loaded))


def part_of_all(
    extractions: Sequence[Extraction], options: Options, shard: Shard, besides: Iterable[object] = ()
) -> Part:
    """The same of sources; what is found in them depends on `besides`, too."""
    names = tuple(extraction.document.source.name for extraction in extractions)
    if len({*names}) < len(names):
        raise UsageError("a source is named twice", "--shard", "name each folder once")
    places = cut(extractions, shard.count, _times(names, options))
    texts = [digest(extraction.document.source.text) for extraction in extractions]
    prints = {
        "deckgen": f"{__version__} {own_code()[:16]}",
        "options": digest(_shaping(options), shard.count)[:32],
        "contents": digest(names, texts, *besides)[:32],
        "cut": digest(places)[:32],
    }
    own = frozenset(name for name, place in places.items() if place == shard.number)
    return Part(shard=shard, sources=names, own=own, prints=prints)


def own_sources(deck: Loaded, part: Part) -> Loaded:
    """A deck with the sources of a shard alone. It is not whole: nothing can be said of it as one."""
    mine = tuple(one for one in deck.extractions if one.document.source.name in part.own)
    return replace(deck, extractions=mine, folder=replace(deck.folder, whole=False))


def cut(extractions: Sequence[Extraction], count: int, times: Times) -> dict[str, int]:
    """The number of the shard of each source, by name.

    The source that takes longest comes first, and each goes where the load is least with it. Code that a shard runs already costs
    it nothing: what is kept of it is used again, so the same deck in two languages stays together.
    """
    costs = {one.document.source.name: _costs(one, times) for one in extractions}
    loads, known = [0] * count, [set[str]() for _ in range(count)]
    places: dict[str, int] = {}
    for name in sorted(costs, key=lambda name: (-sum(costs[name].values()), name)):
        more = [sum(cost for code, cost in costs[name].items() if code not in known[at]) for at in range(count)]
        at = min(range(count), key=lambda at: (loads[at] + AGAIN * more[at], at))
        loads[at] += more[at]
        known[at].update(costs[name])
        places[name] = at + 1
    return {name: places[name] for name in costs}


def _costs(extraction: Extraction, times: Times) -> dict[str, int]:
    """Milliseconds by what takes them."""
    costs = {f"names of {extraction.document.source.name}": 1 + NAME * len(extraction.apis)}
    for snippet in extraction.snippets:
        code = printed(snippet.code)
        costs[code] = times.get(code, SNIPPET + COMPILES * bool(_COMPILES.search(snippet.code)))
    return costs


def printed(code: str) -> str:
    """What the code of a snippet is known by among the times."""
    return digest(code)[:24]


def _shaping(options: Options) -> tuple[object, ...]:
    """Those of the options that what a run says depends on."""
    return options.timeout, options.device, options.sandbox, options.on_contradiction, options.suggestions


def _besides(loaded: Sequence[Loaded]) -> Iterator[object]:
    """What decides what is found besides the texts: what they include, settings and locks."""
    for deck in loaded:
        config = files.digest(deck.folder.root / files.CONFIG_NAME, files.SIZE_LIMIT)
        yield config, digest(deck.lock_text), [str(error) for error in deck.unreadable]
        yield sorted((kind, name, seen) for (kind, _, name), seen in deck.assets.answers.items() if kind == "snippet")


# --- times of an earlier run ---


def _times(names: Sequence[str], options: Options) -> Times:
    found: Times | None = cache_folder("times", options).get(digest(sorted(names)), dict[str, int])
    return found or {}


def keep_times(results: Results, options: Options) -> None:
    """Remembers what the snippets of a whole run took. Shards remember nothing: those after it on a machine would be cut otherwise."""
    spent = results.verification.spent
    names = [one.document.source.name for one in results.extractions]
    if not spent or options.shard is not None or len(names) < 2:
        return
    codes = {printed(snippet.code) for one in results.extractions for snippet in one.snippets}
    known = {code: time for code, time in _times(names, options).items() if code in codes}
    new = {printed(code): max(1, round(1000 * seconds)) for code, seconds in spent.items()}
    folder = cache_folder("times", options)
    folder.put(digest(sorted(names)), {**known, **{code: time for code, time in new.items() if code in codes}})
    folder.trim()


# --- waivers ---


def waiver_uses(loaded: Iterable[Loaded], results: Results, part: Part) -> tuple[WaiverUse, ...]:
    """What the waivers of whole decks cover in a shard."""
    checked = results.verification.by_source
    return tuple(use for deck in loaded if deck.folder.whole for use in _uses(deck, checked, part))


def _uses(deck: Loaded, checked: Mapping[str, Checked], part: Part) -> Iterator[WaiverUse]:
    own = [(at, checked[name]) for at, name in enumerate(part.sources) if name in checked]
    names = {one.document.source.name for one in deck.extractions}
    every = [
        (at, number, one) for at, found in own if found.source in names for number, one in enumerate(found.verdicts)
    ]
    for waiver in deck.folder.config.waivers:
        covered = [
            (at, number)
            for at, number, verdict in every
            if waiver.covers(verdict.claim.text) and waiver.is_about(deck.folder.relative(Path(part.sources[at])))
        ]
        yield WaiverUse(
            config=(deck.folder.root / files.CONFIG_NAME).as_posix(),
            line=waiver.line,
            text=waiver.text,
            covered=len(covered),
            claims=len(every),
            left=sum(not verdict.waived for _, _, verdict in every),
            first=min(covered, default=(len(part.sources), 0)),
        )
