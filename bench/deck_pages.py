"""`python -m bench.deck_pages` writes the lists of decks in docs/decks.md and docs/decks.zh-CN.md: what their locks say."""

from __future__ import annotations

import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.translations import TRANSLATED
from deckgen.identity import parse_lock
from deckgen.identity.lock import Lock

ROOT = Path(__file__).resolve().parents[1]
MARK = "<!-- Written by `python -m bench.deck_pages`: change deck.toml and the notes instead. -->"
ORDER = ("tensors", "autograd", "nn", "optim", "training", "torch-utils", "compile", "distributed")
"""In which the decks are best learnt."""


class Page(NamedTuple):
    """A page of one language: its file, where its decks are, and its few words."""

    path: Path
    decks: Path
    suffix: str
    notes: str
    cards: str


PAGES = (
    Page(ROOT / "docs" / "decks.md", ROOT / "cards", "", "notes", "Three cards of the deck"),
    Page(ROOT / "docs" / "decks.zh-CN.md", ROOT / "cards" / TRANSLATED, ".zh", "条笔记", "这个牌组的三张卡片"),
)


def written(page: Page) -> str:
    """The page as it should be: what is above the mark as it stands, and the decks below it."""
    above = page.path.read_text("utf-8").partition(MARK)[0].rstrip()
    return f"{above}\n\n{MARK}\n\n" + "\n".join(_decks(page))


def _decks(page: Page) -> Iterator[str]:
    for name in ORDER:
        folder = page.decks / name
        if not folder.exists():
            continue
        config = tomllib.loads((folder / "deck.toml").read_text("utf-8"))
        lock = parse_lock((folder / "deckgen.lock").read_text("utf-8"), f"{folder}/deckgen.lock", int(time.time()))
        yield f"## {config['name']}\n"
        yield " ".join(config["description"].strip().split("\n\n")[0].split()) + "\n"
        yield from _parts(lock, page.notes)
        yield f"\n![{page.cards}](pictures/{name}{page.suffix}.png)\n"


def _parts(lock: Lock, unit: str) -> Iterator[str]:
    counts = Counter(note.files[0] for note in lock.live if note.files)
    for subdeck in sorted(lock.subdecks, key=lambda one: one.number):
        if counts[subdeck.file]:
            yield f"{subdeck.number // 10}. {subdeck.title}: {counts[subdeck.file]} {unit}"


def main() -> None:
    for page in PAGES:
        page.path.write_text(written(page), "utf-8")


if __name__ == "__main__":
    main()
