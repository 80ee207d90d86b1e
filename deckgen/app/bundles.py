"""Packages of several decks, as `packages.toml` of a folder names them: the same notes as in the packages of the decks."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from deckgen import files
from deckgen.model.bundle import Bundle
from deckgen.model.deck import Card, Deck
from deckgen.model.errors import UsageError


def bundles_of(paths: Sequence[str], folders: Sequence[Path]) -> dict[Bundle, tuple[Path, ...]]:
    """The packages of several decks that the folders among `paths` name, and the folders of their decks; `folders` are those of the
    decks that are built. Raises UsageError for a deck that is none of them, or is named twice.
    """
    here = {files.real(folder): folder for folder in folders}
    found: dict[Bundle, tuple[Path, ...]] = {}
    for path in map(Path, dict.fromkeys(paths)):
        for bundle in files.bundles(path):
            wanted = [files.real(path / deck) for deck in bundle.decks]
            where = (path / files.BUNDLES_NAME).as_posix()
            for at, (deck, place) in enumerate(zip(bundle.decks, wanted, strict=True)):
                if place not in here:
                    raise UsageError(
                        f"`{bundle.name}` names a deck that is not built: {deck}", where, _remedy(path / deck)
                    )
                if place in wanted[:at]:
                    raise UsageError(f"`{bundle.name}` names a deck twice: {deck}", where, "leave one of them away")
            found[bundle] = tuple(here[place] for place in wanted)
    return found


def _remedy(folder: Path) -> str:
    if not folder.is_dir():
        return "write the folder of a deck, as it stands beside this file"
    if not (folder / files.CONFIG_NAME).exists():
        return f"make a deck of it: `deckgen init {shlex.quote(folder.as_posix())}`"
    return "name its folder to the command, too"


def joined(bundle: Bundle, decks: Sequence[Deck]) -> Deck:
    """One deck of the cards of several, each in its own deck below the one that their names share."""
    first = decks[0]
    above = _shared([deck.name.split("::")[:-1] for deck in decks])
    return Deck(
        id=first.id,
        name="::".join(above) or first.name,
        description=bundle.description or ("" if above else first.description),
        cards=tuple(card for deck in decks for card in deck.cards if _is_meant(card, bundle.tag)),
        notetypes_mtime=max(deck.notetypes_mtime for deck in decks),
        descriptions={deck.name: deck.description for deck in decks},
    )


def _shared(names: Sequence[Sequence[str]]) -> list[str]:
    """What the names of decks begin with alike."""
    alike = takewhile(lambda parts: len(set(parts)) == 1, zip(*names, strict=False))
    return [parts[0] for parts in alike]


def packages(bundles: Mapping[Bundle, Sequence[Path]], decks: Mapping[Path, Deck]) -> Iterator[tuple[str, Deck]]:
    """The name of each package of several decks and what goes into it; none without cards."""
    for bundle, folders in bundles.items():
        deck = joined(bundle, [decks[folder] for folder in folders])
        if deck.cards:
            yield bundle.name, deck


def without_notes(bundle: Bundle) -> str:
    """What is said of a package that is not written."""
    tagged = f" has the tag `{bundle.tag}`" if bundle.tag else " is in its decks"
    return f"{files.BUNDLES_NAME}: `{bundle.name}`: no note{tagged}, so there is no such package"


def _is_meant(card: Card, tag: str) -> bool:
    return not tag or any(one == tag or one.startswith(f"{tag}::") for one in card.rendered.tags)
