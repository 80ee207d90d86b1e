"""Every variable of the environment that deckgen reads: for `deckgen explain` and docs/variables.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Variable(NamedTuple):
    """One of them."""

    says: str
    example: str
    """A value."""


VARIABLES: Mapping[str, Variable] = {
    "DECKGEN_CACHE": Variable("The folder of what is kept between runs, as `--cache` names it; else the user's cache folder, which each system has somewhere else.", "build/cache"),
    "DECKGEN_CACHE_KEY": Variable("A secret that seals what is kept and archives of it: machines that share a cache have the same.", "some-long-secret"),
    "DECKGEN_EDITOR": Variable("What opens a line in your editor, for links in a terminal and for `deckgen review`.", "vscode://file{path}:{line}"),
    "DECKGEN_ANKI_KEY": Variable("The key of AnkiConnect's settings, if it has one; as `deckgen push --key`.", "another-secret"),
    "DECKGEN_TRACEBACK": Variable("Shows where a fault of deckgen arose.", "1"),
    "NO_COLOR": Variable("No colour, unless `--color always`.", "1"),
    "FORCE_COLOR": Variable("Colour also where there is no terminal; `NO_COLOR` comes first.", "1"),
    "TERM": Variable("`dumb`: no links, and no colour unless `--color always` or `FORCE_COLOR` ask for it.", "dumb"),
    "CI": Variable("Without a terminal: a line every ten seconds that says how far a run is.", "true"),
    "SOURCE_DATE_EPOCH": Variable("The time that a build takes for now, in seconds since 1970: two builds give the same bytes.", "1700000000"),
    "PYTHONPATH": Variable("Folders of modules, which snippets can import, too.", "src"),
    "CUDA_VISIBLE_DEVICES": Variable("The GPUs that snippets may see.", "0"),
}  # fmt: skip
"""By name."""
