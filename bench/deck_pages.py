"""`python -m bench.deck_pages` writes the lists of decks in docs/decks.md and docs/decks.zh-CN.md: what their locks say."""

from __future__ import annotations

import math
import re
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
TOTALS = re.compile(r"(?<=<!-- totals -->\n).*?(?=\n<!-- end of totals -->)", re.DOTALL)
"""Where a page says in a sentence how much there is."""
NEW_A_DAY = 20
"""New cards that Anki shows a day by default."""
ORDER = ("tensors", "autograd", "nn", "optim", "training", "torch-utils", "compile", "distributed", "memory-speed")
"""In which the decks are best learnt."""


class Page(NamedTuple):
    """A page of one language: its file, where its decks are, and its few words."""

    path: Path
    decks: Path
    suffix: str
    notes: str
    cards: str
    totals: str
    """`{notes}` in `{decks}`, with `{pictures}`, learnt in `{weeks}`; `{core}` of them to begin with in `{core_weeks}`."""


PAGES = (
    Page(
        ROOT / "docs" / "decks.md",
        ROOT / "cards",
        "",
        "notes",
        "Three cards of the deck",
        "**{notes} notes in {decks} decks, {pictures} of them with pictures.** At {a_day} new cards a day that is {weeks} weeks; "
        "the {core} notes of the *core* take {core_weeks}.",
    ),
    Page(
        ROOT / "docs" / "decks.zh-CN.md",
        ROOT / "cards" / TRANSLATED,
        ".zh",
        "条笔记",
        "这个牌组的三张卡片",
        "**{decks} 个牌组，{notes} 条笔记，其中 {pictures} 条带图。** 每天学 {a_day} 张新卡片，共 {weeks} 周；只学核心的 {core} 条，{core_weeks} 周。",
    ),
)


def written(page: Page) -> str:
    """The page as it should be: what is above the mark as it stands, and the decks below it."""
    above = page.path.read_text("utf-8").partition(MARK)[0].rstrip()
    above = TOTALS.sub(lambda _: _totals(page), above)
    return f"{above}\n\n{MARK}\n\n" + "\n".join(_decks(page))


def _totals(page: Page) -> str:
    """How much all decks have, and how many weeks it takes to have met it all."""
    locks = [_lock(page.decks / name) for name in ORDER]
    notes = [note for lock in locks for note in lock.live]
    drawn = sum(note.files[:1] == ("pictures.md",) for note in notes)
    core = sum(
        len(re.findall(r"tags=[^>]*PyTorch::core", path.read_text("utf-8"))) for path in page.decks.glob("[!z]*/*.md")
    )
    counts = {"notes": f"{len(notes):,}", "decks": len(locks), "pictures": drawn, "core": core}
    weeks = {"weeks": _weeks(len(notes)), "core_weeks": _weeks(core), "a_day": NEW_A_DAY}
    return page.totals.format(**counts, **weeks)


def _weeks(notes: int) -> int:
    return math.ceil(notes / NEW_A_DAY / 7)


def _lock(folder: Path) -> Lock:
    return parse_lock((folder / "deckgen.lock").read_text("utf-8"), f"{folder}/deckgen.lock", int(time.time()))


def _decks(page: Page) -> Iterator[str]:
    for name in ORDER:
        folder = page.decks / name
        if not folder.exists():
            continue
        config = tomllib.loads((folder / "deck.toml").read_text("utf-8"))
        lock = _lock(folder)
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
