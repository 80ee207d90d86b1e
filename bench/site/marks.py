"""Every word by which an author marks notes."""

from __future__ import annotations

from collections.abc import Iterator

from bench.site.table import code, table
from deckgen.extract.directives import DIRECTIVES, FENCES
from deckgen.model.versions import NAMES

_HEAD = ("word", "written", "does")
_RANGES = {"torch": "torch>=2.10", "python": "python>=3.12", "gpus": "gpus>=1"}


def page() -> Iterator[str]:
    """Comments, braces of fences, and marks of versions."""
    yield "## In a comment"
    comments = ((code(name), code(f"<!-- deckgen: {mark.example} -->"), mark.says) for name, mark in DIRECTIVES.items())
    yield from table(_HEAD, comments)
    yield "## On a fence"
    yield from table(
        _HEAD, ((code(name), code(f"```python {{{mark.example}}}"), mark.says) for name, mark in FENCES.items())
    )
    yield "## Of versions"
    yield from table(
        _HEAD,
        ((code(name), code(f"```python {{{_RANGES[name]}}}"), _versions(name, said)) for name, said in NAMES.items()),
    )


def _versions(name: str, said: str) -> str:
    what = "It needs so many GPUs" if name == "gpus" else f"It is true only in these versions of {said}"
    return f"{what}; [where it may stand](notations.md#versions)."
