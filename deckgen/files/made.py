"""Pages and data that lie among notes although nobody kept them as notes: what programs write, and what is no chat."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection
from pathlib import Path

from deckgen.files.regular import opened
from deckgen.text.pattern import pattern

PAGES = (".html", ".htm")
DATA = (".json", ".jsonl")
_HEAD = 64 * 2**10
"""Bytes of a file that are looked at."""
_SITE = (
    "objects.inv",
    "searchindex.js",
    "search_index.json",
    "sitemap.xml",
    "404.html",
    "coverage_html*.js",
    "doxygen.css",
)
"""What generators of sites, documentation and coverage write beside their pages."""
_WRITTEN = (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".rst", ".ipynb", ".org", ".adoc", ".tex", ".txt", ".py")
"""What a page beside it was exported from, if it bears the same name."""
_PREVIEW = "- deckgen preview</title>"
_SAYS = pattern(r'"(?:role|author|sender|from|speaker)"\s*:')
_WHAT = pattern(r'"(?:content|text|value|message|parts)"\s*:')


def is_site(names: Collection[str]) -> bool:
    """True for the top folder of a site, by the names of its files."""
    return any(fnmatch.fnmatchcase(name, mark) for mark in _SITE for name in names)


def is_exported(name: str, beside: Collection[str]) -> bool:
    """True for a page of the same name as the notes that lie beside it."""
    stem = name.rpartition(".")[0].lower()
    return any(f"{stem}{ending}" in beside for ending in _WRITTEN)


def is_frame(folder: Path) -> bool:
    """True for the folder that a browser saves beside a page, with its pictures and frames."""
    page, mark, rest = folder.name.rpartition("_files")
    return bool(mark) and not rest and any(folder.with_name(f"{page}{ending}").exists() for ending in PAGES)


def is_notes(path: Path, places: Collection[Path]) -> bool:
    """False for a page of deckgen's own preview, and for JSON in which nobody says anything."""
    try:
        with opened(path, places) as file:
            head = file.read(_HEAD).decode("utf-8", errors="replace").replace("\0", "")
    except OSError:
        return True  # what cannot be read is told where it is read
    if path.suffix.lower() in DATA:
        return bool(_SAYS.search(head) and _WHAT.search(head))
    return _PREVIEW not in head
