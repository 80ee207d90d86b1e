"""`packages.toml`: packages that hold the notes of several decks, written beside those of each deck.

    [PyTorch]
    decks = ["tensors", "autograd"]

    ["PyTorch core"]
    decks = ["tensors", "autograd"]
    tag = "PyTorch::core"

A note is the same one in each package that has it: Anki knows it by its GUID.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deckgen.model.config import line_of, read_table, refuse_unknown, text_of, texts_of
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


KEYS: Mapping[str, Callable[[Any], Any]] = {"decks": texts_of, "tag": text_of, "description": text_of}


def parse_bundles(text: str, name: str) -> tuple[Bundle, ...]:
    """Reads the text of a `packages.toml`; `name` is its path for messages. Raises UsageError.

    >>> parse_bundles('[PyTorch]\\ndecks = ["tensors", "nn"]', "packages.toml")
    (Bundle(name='PyTorch', decks=('tensors', 'nn'), tag='', description=''),)
    """
    return tuple(_bundle(key, value, text, name) for key, value in read_table(text, name).items())


def _bundle(key: str, value: Any, text: str, name: str) -> Bundle:
    where = f"{name}:{line_of(key, text)}"
    if not isinstance(value, dict) or "decks" not in value:
        raise UsageError(
            f"`{key}` names no decks", where, 'write [name of the package] and below it decks = ["...", "..."]'
        )
    values = {}
    for inner, said in value.items():
        refuse_unknown(inner, KEYS, text, name)
        try:
            values[inner] = KEYS[inner](said)
        except ValueError as error:
            raise UsageError(f"`{inner}` must be {error}", where, f"it is {said!r}") from None
    return Bundle(key, **values)
