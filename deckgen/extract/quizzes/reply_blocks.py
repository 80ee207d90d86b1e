"""The blocks of a tutor's reply that are about an answer: those that tell it, those that explain it, and what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.extract import talk, wording
from deckgen.extract.blocks import is_rule, markdown_of, text_of
from deckgen.extract.notes.answer import LABELLED
from deckgen.extract.page import Page
from deckgen.extract.quizzes.explaining import teaching
from deckgen.extract.quizzes.inline_options import markers_on
from deckgen.extract.quizzes.letters import letters_after_label
from deckgen.extract.quizzes.option_dress import is_option
from deckgen.extract.quizzes.options import Run
from deckgen.extract.quizzes.put_up import asked_behind, asks_to_judge, hands_over
from deckgen.extract.text import plain, title, without_emoji
from deckgen.model.document import Code, Heading, Image, Items, Output, Prose, Table, Turn


def head_of(page: Page, reply: int) -> range:
    """Blocks of a reply before its first heading or rule: what is said about the answer."""
    stop = reply + 1
    while stop < len(page.blocks):
        block = page.blocks[stop]
        if isinstance(block, Turn | Heading | Table) or (is_rule(block) and stop > reply + 1):
            break
        if stop > reply + 1 and (_asks_anew(block) or _is_stem(page, stop)):
            break
        stop += 1
    return range(reply + 1, stop)


def _is_stem(page: Page, index: int) -> bool:
    """A paragraph that asks, right above options: `Pick the one that copies.`; a colon may announce what is said of each option."""
    block = page.blocks[index]
    below = page.lines(index + 1)[:2] if index + 1 < len(page.blocks) else ()
    if not isinstance(block, Prose) or len(below) < 2 or not all(is_option(line.text) for line in below):
        return False
    return wording.ASKS.search(block.text) is not None and not block.text.rstrip("* \n").endswith((":", "："))


def _asks_anew(block: object) -> bool:
    """The lesson goes on: another question, exercises, or an invitation."""
    if isinstance(block, Items):
        return any(wording.QUESTION.search(item.text.strip()) or "__" in item.text for item in block.items)
    if not isinstance(block, Prose):
        return False
    if any(map(asks_to_judge, block.text.split("\n"))) or hands_over(block.text):
        return True
    if any(map(letters_after_label, block.text.split("\n"))):
        return False
    first, *below = block.text.strip().split("\n")
    if any(map(LABELLED.match, (first, *below))) or (
        wording.ASKS.search(first) and (sum(map(is_option, below)) > 1 or any(map(markers_on, below)))
    ):
        return True
    words = plain(block.text)
    if wording.SCORES.search(words) and "\n" not in block.text.strip():
        return True
    asks = wording.QUESTION.search(words.strip()) or wording.QUIZ.search(words) or "__" in block.text
    if (wording.RHYME.search(words) or wording.SUMMARY.search(words)) and words.rstrip().endswith((":", "：")):
        return True
    return bool(asks or talk.MENU.search(words) or talk.CHATTER.search(words))


def tail_of(page: Page, start: int, stop: int) -> range:
    """A section `解析` / `Explanation` right after the head, with its subsections about the letters."""
    while start < stop and is_rule(page.blocks[start]):
        start += 1
    block = page.blocks[start] if start < len(page.blocks) else None
    if not isinstance(block, Heading) or not wording.EXPLANATION.search(title(block.text)):
        return range(0)
    last = start + 1
    while last < stop and not isinstance(page.blocks[last], Turn):
        head = page.blocks[last]
        if isinstance(head, Heading) and not re.match(r"[A-H]\s*[.、:：)]", without_emoji(head.text)):
            break
        last += 1
    return range(start, last)


def explained(page: Page, blocks: Sequence[int], run: Run) -> Iterator[str]:
    """What some blocks of a reply say of the answer, as Markdown, without the conversation around it."""
    printing = False
    for index in blocks:
        block = page.blocks[index]
        below = printing and (isinstance(block, Code | Output) or text_of(block).rstrip().endswith((":", "：")))
        printing = page.claims_about(index) or below
        if is_rule(block) or isinstance(block, Image | Turn) or printing:
            continue  # what code prints is asked for by itself
        if isinstance(block, Heading):
            yield from [] if wording.EXPLANATION.search(title(block.text)) else [f"**{block.text}**"]
        elif isinstance(block, Table):
            yield "\n".join(f"- {'：'.join(row.cells)}" for row in block.rows)
        elif isinstance(block, Prose):
            lines = (
                line[: match.start()] if (match := asked_behind(line)) else line for line in block.text.split("\n")
            )
            kept = [told for line in lines if (told := teaching(line, run.options))]
            yield from ["\n".join(kept)] if kept else []
        else:
            yield markdown_of(block)


def joined(parts: Sequence[str]) -> str:
    """The parts of an explanation; what a colon at the end announces is none of it."""
    kept = list(parts)
    while kept and "\n" not in kept[-1] and kept[-1].endswith((":", "：")):
        kept.pop()
    return "\n\n".join(kept)
