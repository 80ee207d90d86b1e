"""`packages.toml`: what the decks of a folder share, and packages that hold the notes of several decks.

    about = "MIT licence. An error? https://example.org/issues"
    source-url = "https://example.org/{path}#L{line}"

    [PyTorch]
    decks = ["tensors", "autograd"]

    ["PyTorch core"]
    decks = ["tensors", "autograd"]
    tag = "PyTorch::core"

A note is the same one in each package that has it: Anki knows it by its GUID.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from deckgen.model.config import Key, address_of, line_of, read_table, read_value, refuse_unknown, text_of, texts_of
from deckgen.model.errors import UsageError


@dataclass(frozen=True, slots=True)
class Bundle:
    """A package of several decks."""

    name: str
    """What the package is called."""
    decks: tuple[str, ...]
    """The folders of its decks, relative to the file."""
    tag: str = ""
    """Only notes with this tag, or one below it; empty = all."""
    description: str = ""
    """What Anki tells of the deck above them all."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What the decks of a folder share, as its `packages.toml` says."""

    about: str = ""
    """What the description of each deck of its folder ends with."""
    source_url: str | None = None
    """The `source-url` of the decks that have none of their own."""


KEYS: Mapping[str, Key] = {
    "decks": Key(texts_of, "text, or list of texts", "must be given", "Folders with a `deck.toml`, in any order.", '["tensors", "autograd"]'),
    "tag": Key(text_of, "text", "all notes", "Only notes with this tag, or with one below it, are in the package.", '"PyTorch::core"'),
    "description": Key(text_of, "text", "none", "What Anki shows of the deck above the decks of the package.", '"The core of all decks."'),
}  # fmt: skip
"""What stands in the table of a package, `[name of the package]`."""
SHARED_KEYS: Mapping[str, Key] = {
    "about": Key(text_of, "text", "none", "What the description of every deck of the folder ends with.", '"MIT licence."'),
    "source-url": Key(address_of, "text", "none", "The `source-url` of the decks that have none in their `deck.toml`.", '"https://example.org/{path}#L{line}"'),
}  # fmt: skip
"""What stands above the packages."""


def parse_bundles(text: str, name: str) -> tuple[Bundle, ...]:
    """The packages in the text of a `packages.toml`; `name` is its path for messages. Raises UsageError.

    >>> parse_bundles('[PyTorch]\\ndecks = ["tensors", "nn"]', "packages.toml")
    (Bundle(name='PyTorch', decks=('tensors', 'nn'), tag='', description=''),)
    """
    table = read_table(text, name)
    about = _shared(table, text, name).about
    bundles = [_bundle(key, value, text, name) for key, value in table.items() if key not in SHARED_KEYS]
    return tuple(replace(one, description="\n\n".join(filter(None, (one.description, about)))) for one in bundles)


def parse_shared(text: str, name: str) -> Shared:
    """What the decks below a `packages.toml` share; `name` is its path for messages. Raises UsageError.

    >>> parse_shared('about = "MIT licence."', "packages.toml").about
    'MIT licence.'
    """
    return _shared(read_table(text, name), text, name)


def _shared(table: Mapping[str, Any], text: str, name: str) -> Shared:
    said = {key: value for key, value in table.items() if key in SHARED_KEYS}
    return Shared(
        **{
            key.replace("-", "_"): read_value(SHARED_KEYS, key, value, f"{name}:{line_of(key, text)}")
            for key, value in said.items()
        }
    )


def _bundle(key: str, value: Any, text: str, name: str) -> Bundle:
    where = f"{name}:{line_of(key, text)}"
    if not isinstance(value, dict) or "decks" not in value:
        raise UsageError(
            f"`{key}` names no decks", where, 'write [name of the package] and below it decks = ["...", "..."]'
        )
    values = {}
    for inner, said in value.items():
        refuse_unknown(inner, KEYS, text, name)
        values[inner] = read_value(KEYS, inner, said, where)
    return Bundle(key, **values)
