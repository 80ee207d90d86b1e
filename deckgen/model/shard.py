"""Shards: parts of one run, which several machines do without talking to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shard:
    """Which part of a run.

    >>> str(Shard(2, 5))
    'shard 2 of 5'
    """

    number: int
    """From 1."""
    count: int

    def __str__(self) -> str:
        return f"shard {self.number} of {self.count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverUse:
    """What a waiver covers among the claims of a shard: only of all of them can be said whether that is too much."""

    config: str
    """The `deck.toml` in which it stands."""
    line: int
    text: str
    covered: int
    """Claims that it covers."""
    claims: int
    """Claims of its deck."""
    left: int
    """Those that no waiver covers."""
    first: tuple[int, int]
    """Where it covers its first claim: the number of the source in the run, and of the claim there, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A shard of a certain run."""

    shard: Shard
    sources: tuple[str, ...]
    """Names of all sources of the run, in order."""
    own: frozenset[str]
    """Names of those of this shard."""
    prints: Mapping[str, str]
    """Digests of what all shards of a run have in common: `deckgen`, `options`, `contents`, `cut`."""
    waivers: tuple[WaiverUse, ...] = ()
