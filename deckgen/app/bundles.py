"""Packages of several decks, as `packages.toml` of a folder names them: the same notes as in the packages of the decks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from deckgen import files
from deckgen.model.bundle import Bundle
from deckgen.model.deck import Card, Deck
from deckgen.model.errors import UsageError


def bundles_of(paths: Sequence[str], folders: Sequence[Path]) -> dict[Bundle, tuple[Path, ...]]:
    """The packages of several decks that the folders among `paths` name, and the folders of their decks; `folders` are those of the
    decks that are built. Raises UsageError for a deck that is none of them.
    """
    here = {files.real(folder): folder for folder in folders}
    found: dict[Bundle, tuple[Path, ...]] = {}
    for path in map(Path, dict.fromkeys(paths)):
        for bundle in files.bundles(path):
            wanted = [files.real(path / deck) for deck in bundle.decks]
            for deck, place in zip(bundle.decks, wanted, strict=True):
                if place not in here:
                    where = (path / files.BUNDLES_NAME).as_posix()
                    raise UsageError(
                        f"`{bundle.name}` names a deck that is not built: {deck}", where, "name its folder"
                    )
            found[bundle] = tuple(here[place] for place in wanted)
    return found


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


def _is_meant(card: Card, tag: str) -> bool:
    return not tag or any(one == tag or one.startswith(f"{tag}::") for one in card.rendered.tags)
