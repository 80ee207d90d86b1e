"""`python -m bench.translations` tells which notes of `cards/` changed in one language alone; `--accept` takes them as they are.

Nothing but the locks is read: a note is known by its GUID, and the hash of its content tells whether it changed.
`cards/zh/translations.lock` holds, for every pair, both as they stood when somebody last compared them.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from deckgen.identity import parse_lock
from deckgen.identity.lock import LockedNote

CARDS = Path(__file__).resolve().parents[1] / "cards"
TRANSLATED = "zh"
"""The folder in `cards/` whose decks are editions of those beside it, each under the same name."""
PAIRS = "translations.lock"
HEADER = "# The notes of two languages: deck, GUID and hash in English, GUID and hash in Chinese. Written by bench.translations.\n"


class Pair(NamedTuple):
    """A note in both languages, as it stood when somebody last compared them."""

    deck: str
    english: str
    english_hash: str
    chinese: str
    chinese_hash: str


def decks(cards: Path) -> list[str]:
    """The names of the decks that have an edition in the other language."""
    return sorted(path.parent.name for path in (cards / TRANSLATED).glob("*/deck.toml"))


def pairs(text: str) -> Iterator[Pair]:
    """The pairs in the text of a file. Raises TypeError for a line of other than five words."""
    return (Pair(*line.split()) for line in text.splitlines() if line and not line.startswith("#"))


def compared(cards: Path, before: Iterable[Pair]) -> tuple[list[Pair], list[str]]:
    """The pairs as they stand now, and a sentence for each that changed, or has no partner."""
    now: list[Pair] = []
    complaints: list[str] = []
    known = defaultdict(list)
    for pair in before:
        known[pair.deck].append(pair)
    for deck in decks(cards):
        english, chinese = (_notes(folder / deck) for folder in (cards, cards / TRANSLATED))
        matched = list(_matched(english, chinese, known[deck]))
        earlier = {(pair.english, pair.chinese): pair for pair in known[deck]}
        for one, other in matched:
            pair = Pair(deck, one.guid, one.hash, other.guid, other.hash)
            now.append(pair)
            complaints += _changes(one, other, pair, earlier.get((one.guid, other.guid)))
        alone = {note.guid for both in matched for note in both}
        complaints += [f"{_place(deck, note)} has no Chinese note" for note in english if note.guid not in alone]
        complaints += [f"{_place(deck, note)} has no English note" for note in chinese if note.guid not in alone]
    return sorted(now), complaints


def _notes(folder: Path) -> list[LockedNote]:
    path = folder / "deckgen.lock"
    if not path.exists():
        return []
    lock = parse_lock(path.read_text("utf-8"), path.as_posix(), int(time.time()))
    return sorted(lock.live, key=attrgetter("due"))


def _matched(
    english: list[LockedNote], chinese: list[LockedNote], known: Iterable[Pair]
) -> Iterator[tuple[LockedNote, LockedNote]]:
    """Pairs known before; then notes with the same code or signature; then those of one file and kind, in their order."""
    partners = {pair.english: pair.chinese for pair in known}
    left = {note.guid: note for note in chinese}
    rest: list[LockedNote] = []
    for note in english:
        if other := left.pop(partners.get(note.guid, ""), None):
            yield note, other
        else:
            rest.append(note)
    for key in (_code, _place_in_file):
        waiting = defaultdict(list)
        for note in left.values():
            waiting[key(note)].append(note)
        still: list[LockedNote] = []
        for note in rest:
            if same := waiting[key(note)]:
                yield note, left.pop(same.pop(0).guid)
            else:
                still.append(note)
        rest = still


def _code(note: LockedNote) -> object:
    """What two languages share; a note that shares nothing is like none but itself."""
    return (note.files, note.kind, note.anchor) if note.kind in ("output", "api") else note.guid


def _place_in_file(note: LockedNote) -> object:
    return note.files, note.kind


def _changes(one: LockedNote, other: LockedNote, now: Pair, before: Pair | None) -> Iterator[str]:
    if before is None:
        yield f"{_place(now.deck, one)} and {other.title!r}: nobody compared them yet"
    elif now != before:
        where = [name for name, new, old in zip(Pair._fields, now, before, strict=True) if new != old]
        languages = " and ".join(name.removesuffix("_hash") for name in where)
        yield f"{_place(now.deck, one)} and {other.title!r}: changed in {languages}"


def _place(deck: str, note: LockedNote) -> str:
    return f"{deck}/{note.files[0] if note.files else '?'}: {note.title!r}"


def main(arguments: list[str]) -> int:
    path = CARDS / TRANSLATED / PAIRS
    before = pairs(path.read_text("utf-8")) if path.exists() else ()
    now, complaints = compared(CARDS, before)
    print(*complaints, f"{len(now)} pairs, {len(complaints)} to look at", sep="\n")
    if "--accept" in arguments:
        path.write_text(HEADER + "".join(f"{' '.join(pair)}\n" for pair in now), "utf-8")
        return 0
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
