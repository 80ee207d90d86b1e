"""Notes of a package of Anki's, whoever made it: fields in HTML, and the templates that make cards of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PackagedType:
    """A note type."""

    name: str
    fields: tuple[str, ...]
    templates: tuple[tuple[str, str], ...]
    """(front, back) of each kind of card, in order."""


@dataclass(frozen=True, slots=True)
class PackagedNote:
    """A note."""

    id: int
    """What `nid:` finds in Anki's browser."""
    deck: str
    """Full name with `::`, of its first card."""
    tags: tuple[str, ...]
    type: PackagedType
    fields: Mapping[str, str]
    """HTML by the names of the fields, in their order."""
