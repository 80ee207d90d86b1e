"""Every key of `deck.toml` and `packages.toml`, as the parser knows them, and the keys of pytest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bench.site.table import code, table
from deckgen.model import bundle, config
from deckgen.model.config import Key

GROUPS: tuple[tuple[str, str, Mapping[str, Key]], ...] = (
    ("Every key of deck.toml", "", config.KEYS),
    ("Every key of a waiver", "In `deck.toml`, below `[[waivers]]`.", config.WAIVERS),
    ("Every key of packages.toml", "[Several decks in one package](packages.md#several-decks-in-one-package) shows such a file. Above the packages stand:", bundle.SHARED_KEYS),
    ("Every key of a package", "In `packages.toml`, below `[name of the package]`.", bundle.KEYS),
)  # fmt: skip


def page() -> Iterator[str]:
    """A section for each file and table of keys."""
    for title, before, keys in GROUPS:
        yield f"## {title}"
        yield from ["", before] * bool(before)
        yield from table(("key", "means", "value", "default", "example"), (_row(*item) for item in keys.items()))


def _row(name: str, key: Key) -> tuple[str, ...]:
    return code(name), key.says, key.kind, key.default, code(f"{name} = {key.example}")
