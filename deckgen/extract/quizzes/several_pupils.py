"""What was answered where messages of several people stand between a question and the reply."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from deckgen.extract.blocks import text_of
from deckgen.extract.page import Page
from deckgen.model.document import Directive


def said_alike(page: Page, blocks: range, meaning: Callable[[str], Hashable]) -> str:
    """What all of the messages say that mean anything; empty if they differ: a bare `yes` then confirms none of them."""
    texts = list(_messages(page, blocks))
    if len(texts) < 2:
        return "".join(texts)
    told = {meant: text for text in texts if (meant := meaning(text))}
    return next(iter(told.values())) if len(told) == 1 else ""


def _messages(page: Page, blocks: range) -> Iterator[str]:
    """The text of each message; between two of them stands the name of who sent the second."""
    text: list[str] = []
    for index in blocks:
        if isinstance(page.blocks[index], Directive):
            yield from ["\n".join(text)] if text else []
            text = []
        else:
            text.append(text_of(page.blocks[index]))
    yield from ["\n".join(text)] if text else []
