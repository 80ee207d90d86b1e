"""Answers behind a lid: `<details>`, callouts that fold."""

from __future__ import annotations

from collections.abc import Iterator

from deckgen.extract import wording
from deckgen.extract.asked.answering import without_mark
from deckgen.extract.asked.asking import BOLD, LABELLED, Made, asked_note, asked_text
from deckgen.extract.blocks import markdown_of, spanning
from deckgen.extract.page import Page
from deckgen.extract.text import plain, title, without_number
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote
from deckgen.text.pattern import pattern

_ASKING = frozenset({"question", "faq", "help", "quiz"})
"""Callouts whose first line may ask, where their title does not."""
_CALLOUT = pattern(r"^\[!(?P<kind>\w+)\][+-]?\s*(?P<title>.*)")


def asked_by_lid(page: Page, index: int, block: Details) -> Made:
    """A hidden answer to the question on its lid, or to the one above it."""
    summary = plain(block.summary)
    if not block.text.strip():
        return
    if not wording.REVEAL.match(summary):
        if wording.QUESTION.search(summary) or wording.INTERROGATIVE.search(summary):
            yield asked_note(page, index, block.summary, block.text, block.span, anchor=summary), [index]
        return
    yield from _hidden(page, index, block.text)


def _hidden(page: Page, index: int, answer: str) -> Made:
    """A hidden answer to the question right above it."""
    above, block = page.blocks[index - 1] if index else None, page.blocks[index]
    if isinstance(above, Items) and wording.QUESTION.search((item := above.items[-1]).text.strip()):
        asked = without_number(asked_text(item.text))
        yield asked_note(page, index - 1, asked, answer, item.span | block.span), [index]
    if isinstance(above, Prose | Heading) and (
        wording.QUESTION.search(above.text.strip()) or LABELLED.match(above.text)
    ):
        match = LABELLED.match(above.text)
        asked = match["text"] if match else title(above.text)
        yield asked_note(page, index - 1, asked, answer, above.span | block.span), [index - 1, index]


def _goes_on(page: Page, index: int) -> Iterator[int]:
    """The blocks that the same quote goes on with: its code is a block of its own."""
    written = page.document.source.lines
    for at in range(index + 1, len(page.blocks)):
        above, block = page.blocks[at - 1], page.blocks[at]
        quoted = block.span.start == above.span.stop and written[block.span.start].lstrip().startswith(">")
        if page.document.places or not quoted or not isinstance(block, Code | Quote) or is_lid(block):
            return
        yield at


def is_lid(block: Block) -> bool:
    """True for what hides something: `<details>`, or a callout."""
    return isinstance(block, Details) or (isinstance(block, Quote) and _CALLOUT.match(block.text.strip()) is not None)


def asked_by_quote(page: Page, index: int, block: Quote) -> Made:
    """`[!question] Why ...?` and the lines below it, or a question on the first of these; `> **Q: ...?**` and its answer."""
    first, _, answer = block.text.strip("\n").partition("\n")
    match = _CALLOUT.match(first)
    labelled = (BOLD.match(first) or LABELLED.match(first)) if not match else None
    if labelled and answer.strip():
        asked = asked_text(labelled["text"])
        told = without_mark(f"{labelled.groupdict().get('rest') or ''}\n{answer}".strip("\n"))
        yield asked_note(page, index, asked, told.strip("\n"), block.span), [index]
    if match and answer.strip() and wording.REVEAL.match(plain(match["title"])) and match["title"].strip():
        yield from _hidden(page, index, answer.strip("\n"))
    if match and wording.QUESTION.search(match["title"]) and answer.strip():
        asked = match["title"].strip(" *")
        below = list(_goes_on(page, index))
        told = "\n\n".join([answer.strip("\n"), *(markdown_of(page.blocks[at]) for at in below)])
        yield (
            asked_note(page, index, asked, told, spanning([page.blocks[at] for at in (index, *below)])),
            [index, *below],
        )
    elif match and match["kind"].lower() in _ASKING:
        asked, _, answer = answer.strip().partition("\n")
        if answer.strip() and wording.QUESTION.search(asked):
            yield asked_note(page, index, asked.strip(" *"), without_mark(answer.strip("\n")), block.span), [index]
