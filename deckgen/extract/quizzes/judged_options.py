"""Lettered statements of which each is judged below: `a) ... b) ...` and `Solution: a) false, b) true`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract.page import Finds, Page
from deckgen.extract.quizzes.letters import letters_after_label
from deckgen.extract.quizzes.options import Run, runs
from deckgen.extract.quizzes.verdicts import judged_note, verdict_of
from deckgen.extract.text import plain
from deckgen.model.document import Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Note
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_PAIR = pattern(
    r"(?<![A-Za-z0-9_])[（(]?(?P<letter>[A-Ha-h])\s*(?:[)）.:：、=]|[-–—]|→|->)?\s*"
    r"(?P<word>true\b|false\b|正确|错误|[对错√×✓✗✔✘✅❌]|[TF](?![A-Za-z0-9]))",
    re.IGNORECASE,
)
_MAY_BE = pattern(r"true|false|[对错√×✓✗✔✘✅❌]|正确|\b[TF]\b", re.IGNORECASE)
_FAR = 3
"""Blocks below the statements in which they are judged."""


def judged_options(page: Page) -> Finds:
    """A Basic note of each option, if what stands below them says of each whether it is true."""
    notes: list[Note] = []
    used: set[int] = set()
    found = page.once(runs)
    for at, run in enumerate(found):
        stop = found[at + 1].blocks.start if at + 1 < len(found) else len(page.blocks)
        for index in _below(page, run, stop):
            told = _verdicts(page, index, run)
            if told:
                notes += _notes(page, run, told)
                used.update((*run.blocks, index))
                break
    return Finds(tuple(notes), (), frozenset(used))


def _below(page: Page, run: Run, stop: int) -> Iterator[int]:
    """Indices of the blocks below the options, up to a heading or a turn."""
    for index in range(run.blocks.stop, min(run.blocks.stop + _FAR, stop, len(page.blocks))):
        block = page.blocks[index]
        if isinstance(block, Heading | Turn):
            return
        if isinstance(block, Prose | Quote | Items) and page.free(index):
            yield index


def _verdicts(page: Page, index: int, run: Run) -> dict[str, str]:
    """What a block says of each letter; empty if it misses one, or gives right letters."""
    text = "\n".join(line.text for line in page.lines(index))
    if not _MAY_BE.search(text):
        return {}
    text = plain(text)
    pairs = list(_PAIR.finditer(text))
    letters = [pair["letter"].upper() for pair in pairs]
    if sorted(letters) != sorted(run.letters):
        return {}
    before = letters_after_label(text[: pairs[0].end("letter")])
    if before and len(before[0]) > 1:
        return {}
    stops = [*(pair.start() for pair in pairs[1:]), len(text)]
    told = (text[pair.start("word") : stop].strip(" \t\n,，;；(（") for pair, stop in zip(pairs, stops, strict=True))
    return dict(zip(letters, told, strict=True))


def _notes(page: Page, run: Run, told: dict[str, str]) -> Iterator[Note]:
    for option, line in zip(run.options, run.lines, strict=True):
        verdict = verdict_of(told[option.letter])
        if verdict is not None:
            yield judged_note(page, line.block, Span(line.number, line.number + 1), option.text, verdict)
