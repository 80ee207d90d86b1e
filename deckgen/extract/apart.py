"""What the finds in one passage of a document depend on besides its own blocks.

Idioms look at the blocks around them, at the headings above, at the code above, and at the words of all code. Quizzes look
further: an answer may stand anywhere below its question. A passage in which nothing of the kind stands has no say in
what is found in others that are not beside it; tests compare what is found by passages with what is found in the whole.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

from deckgen.extract import wording
from deckgen.extract.code.needed import FARTHEST
from deckgen.extract.names.code import REACH, code_words
from deckgen.extract.notes.entry import heading_names
from deckgen.extract.notes.question import is_aspect
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_keys import key_places
from deckgen.extract.quizzes.gaps import MAY_BE_GAP
from deckgen.extract.quizzes.shared_keys import LINE
from deckgen.extract.same_question import ASKS_THE_SAME
from deckgen.extract.text import plain, title
from deckgen.model.claim import Claim, Snippet
from deckgen.model.document import Block, Details, Directive, Document, Heading, Items, Prose, Quote, Turn
from deckgen.model.extraction import Extraction
from deckgen.model.note_text import front
from deckgen.model.passage import Finds, Open, Traits
from deckgen.text.pattern import pattern

NEAR = 12
"""Headings above that a mention of an API may take its surroundings from."""
_QUIZ = (
    pattern(r"\n[^\w\n]*[A-Ha-h][ \t]*[*_`]*[ \t]*(?:[)）\]】.．、:：]|[ \t][-–—][ \t])"),
    pattern(r"[B-H][.)）、．:：]|[（(][b-h][)）]"),
    pattern(r"\[[ xX√✓]\]"),
    pattern("[\U0001f130-\U0001f189Ⓐ-ⓩＡ-Ｈａ-ｈ]"),
)
"""Options."""
_MAY_TELL = ("答", "正解", "应为", "应填", "选", "ans", "solution", "chose", "selected", "choice")
_TELLS = pattern(
    r"(?:答案?|解答|正解|应[为填]|已选|选择|\bans|answers?|solution|chose|selected|answered|choice)[\s\W_是为选is]{0,12}[A-H](?![A-Z0-9_])",
    re.IGNORECASE,
)
_TELLS_BRIEFLY = pattern(r"\n[^\w\n]*[Aa][^\w\n][^\w\n]{0,9}(?:is|是|为|选)?[^\w\n]{0,9}[A-Ha-h](?![A-Za-z0-9_])")
"""What may tell which options are right."""
_NUMBERED_OTHERWISE = pattern(r"②|^[^\w\n]*ii[).]\s", re.MULTILINE | re.IGNORECASE)
"""Options with circled or Roman numbers: then every such number of the document may be an answer."""
_OWN_ID = pattern(r"[ad]?\d+\.\d+")
"""Of claims that depend on nothing far away."""


def traits(document: Document, finds: Finds) -> Traits:
    """Traits of a passage; `document` has its blocks alone, `finds` are what was found in them."""
    said, calls = code_words(document.opened().blocks)
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    floor, left_open = hanging(headings)
    texts = "\n".join(_texts(document.blocks))
    return Traits(
        first=headings[0].level if headings else _NO_LEVEL,
        floor=floor,
        open=left_open,
        headings=tuple(heading.text for heading in headings[-NEAR:]),
        snippets=tuple(_digest(snippet.code) for snippet in _in_blocks(finds)[-FARTHEST:]),
        calls=tuple(f"{call.name}({call.rest}" for call in calls[-REACH:]),
        code_words=said,
        fronts=tuple(_digest(front(note)) for note in finds.notes),
        shared=is_shared(document.blocks),
        whole=_needs_whole(document, finds, texts),
    )


_NO_LEVEL = 9


def entangled(extraction: Extraction) -> bool:
    """True if notes of a document ask the same, so that which of them is kept depends on all."""
    joined = any(len(note.places) > 1 for note in extraction.notes)
    return joined or any(skip.reason.startswith(ASKS_THE_SAME) for skip in extraction.skipped)


def may_reach(heading: str) -> bool:
    """True if what is made of a heading depends on no more than the blocks right below it."""
    text = title(heading)
    words = plain(text)
    asks = wording.QUESTION.search(words) or wording.INTERROGATIVE.search(words) or is_aspect(words)
    return not (asks or wording.ADVICE.search(words) or len(heading_names(text)[0]) > 1)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:12]


def hanging(blocks: Iterable[Block]) -> tuple[int, tuple[Open, ...]]:
    """The least level of the headings among blocks, and those that nothing below them ends."""
    above: list[Heading] = []
    floor = _NO_LEVEL
    for block in blocks:
        if isinstance(block, Heading):
            floor = min(floor, block.level)
            above = [*(one for one in above if one.level < block.level), block]
    return floor, tuple(Open(one.level, one.text, may_reach(one.text)) for one in above)


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    """The text of blocks that idioms read line by line."""
    for block in blocks:
        match block:
            case Items():
                yield from (item.text for item in block.items)
            case Prose() | Quote() | Heading():
                yield block.text
            case _:
                continue


def is_shared(blocks: Sequence[Block]) -> bool:
    """True if blocks ask, answer or leave gaps as quizzes do."""
    if any(isinstance(block, Details) for block in blocks):
        return True
    texts = "\n".join(["", *_texts(blocks)])
    if any(quiz.search(texts) for quiz in _QUIZ) or _TELLS_BRIEFLY.search(texts):
        return True
    small = texts.lower()
    tells = any(word in small for word in _MAY_TELL) and _TELLS.search(texts)
    return bool(tells or MAY_BE_GAP.search(texts.replace("\n", " ")))


def _needs_whole(document: Document, finds: Finds, texts: str) -> bool:
    """Keys of answers, authors' directives about sections, and ids that count through the whole document."""
    blocks = document.blocks
    if any(isinstance(block, Turn) or (isinstance(block, Directive) and block.words) for block in blocks):
        return True
    if _NUMBERED_OTHERWISE.search(texts) or next(key_places(Page(document)), None) is not None:
        return True
    lines = (line for line in texts.split("\n") if _LETTERS_IN_A_ROW.search(line))
    if any(LINE.match(plain(line)) for line in lines):
        return True
    return not all(_OWN_ID.fullmatch(one.id) for one in (*finds.apis, *_first_claims(finds)))


def _first_claims(finds: Finds) -> Iterator[Claim]:
    """Of snippets up to the first that stands in a block: what a sentence tells stands in the chapter of code above it."""
    for snippet in finds.snippets:
        yield from snippet.claims
        if _stands_in_block(snippet):
            return


def _in_blocks(finds: Finds) -> list[Snippet]:
    return [snippet for snippet in finds.snippets if _stands_in_block(snippet)]


def _stands_in_block(snippet: Snippet) -> bool:
    return snippet.id.isdecimal()


_LETTERS_IN_A_ROW = pattern(r"(?:答|解|应|ans|sol).*[A-H]", re.IGNORECASE)
