"""Questions about code with their answers below it: `What does this print?`, the code, `Answer: 6`."""

from __future__ import annotations

from deckgen.extract import wording
from deckgen.extract.asked.answering import labelled
from deckgen.extract.asked.asking import context_of
from deckgen.extract.blocks import is_rule, markdown_of, spanning
from deckgen.extract.key import code_anchor, code_key
from deckgen.extract.page import Finds, Page
from deckgen.extract.quiz.stems import cleaned
from deckgen.extract.text import normal, plain
from deckgen.model.document import Block, Code, Details, Heading, Prose
from deckgen.model.note import Basic, Note

_LONGEST = 40
"""Lines of code: nobody reads more on a card."""


def code_questions(page: Page) -> Finds:
    """Basic notes of code that is asked about right above and answered below: the code belongs to the question."""
    notes: list[Note] = []
    used: set[int] = set()
    for index in page.code:
        asked = index - 1
        if asked < 0 or not page.free(index) or page.claims_about(index) or not _asks(page, asked):
            continue
        answer = _answered(page, index)
        if answer and page.blocks[index].text.count("\n") < _LONGEST:  # type: ignore[union-attr] # it is code
            notes.append(_note(page, index, answer))
            used.update([asked, index, *answer])
    return Finds(tuple(notes), (), frozenset(used))


def _asks(page: Page, index: int) -> bool:
    block = page.blocks[index]
    if not isinstance(block, Prose | Heading) or not page.free(index):
        return False
    return bool(wording.QUESTION.search(block.text.strip().strip("*_ ")))


def _answered(page: Page, index: int) -> list[int]:
    """Indices of the blocks right below code that answer: hidden ones, labelled ones, or what follows `this code`."""
    below = [at for at in range(index + 1, min(index + 3, len(page.blocks))) if page.free(at)]
    if not below or below[0] != index + 1:
        return []
    first = page.blocks[below[0]]
    if isinstance(first, Details):
        return below[:1] if wording.REVEAL.match(plain(first.summary)) and first.text.strip() else []
    if not isinstance(first, Prose) or is_rule(first):
        return []
    rest = labelled(first.text)
    if rest is not None and not rest.strip():
        return below if len(below) == 2 and isinstance(page.blocks[below[1]], Prose | Code) else []
    if rest is None and not (wording.THIS_CODE.search(_question(page.blocks[index - 1])) and not _goes_on(first)):
        return []
    return below if len(below) == 2 and _explains(page.blocks[below[1]]) else below[:1]


def _goes_on(block: Prose) -> bool:
    """Text that asks again or leads to what follows answers nothing."""
    text = block.text.rstrip(" *_")
    return bool(wording.QUESTION.search(text)) or text.endswith((":", "："))


def _explains(block: Block) -> bool:
    return isinstance(block, Prose) and bool(wording.EXPLANATION.match(plain(block.text)))


def _question(block: Block) -> str:
    return cleaned(block.text.split("\n")) if isinstance(block, Prose | Heading) else ""


def _note(page: Page, index: int, answer: list[int]) -> Note:
    at, code = index - 1, page.blocks[index]
    asked = _question(page.blocks[at])
    parts = [_told(page.blocks[one]) for one in answer]
    body = Basic(prompt=f"{asked}\n\n{markdown_of(code)}", answer="\n\n".join(part for part in parts if part.strip()))
    span = spanning([page.blocks[one] for one in (at, index, *answer)])
    path, shown = page.path(at), context_of(page, at, getattr(page.blocks[at], "text", ""))
    if shown and wording.QUIZ.search(plain(shown[-1])):
        shown = shown[:-1]
    return page.note(body, span, at, code_key(path, code_anchor(page.code[index].code), normal(asked)), headings=shown)


def _told(block: Block) -> str:
    if isinstance(block, Details):
        return block.text.strip("\n")
    if isinstance(block, Prose):
        return (labelled(block.text) or block.text).strip()
    return markdown_of(block)
