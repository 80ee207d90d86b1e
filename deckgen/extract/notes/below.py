"""Lists below an item: what stands there and is in no note yet answers for the item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile, zip_longest

from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.notes.statement import is_link, says
from deckgen.extract.notes.told import Told, label_of, with_ancestors
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import ends_with_colon, has_words, plain, width
from deckgen.lexicon import prompt
from deckgen.model.document import Item, Items
from deckgen.model.note import Basic, Note
from deckgen.model.source import Span

_HANDFUL = 4
"""Items that can be recalled together."""
_WIDEST = 240


@collected
def below(page: Page) -> Made:
    """A question of each item about code, with the few things that its list says of it and no surer rule has."""
    told = Told(page)
    for index, block in told.open_blocks():
        if isinstance(block, Items) and any(item.depth for item in block.items):
            yield from ((note, ()) for note in _lists(page, index, block.items, told))


def _lists(page: Page, index: int, items: Sequence[Item], told: Told) -> Iterator[Note]:
    for at, item, above in with_ancestors(items):
        if at + 1 == len(items) or items[at + 1].depth <= item.depth:
            continue
        left = [child for child in _children(items, at) if _says(child.text) and not told.has(child)]
        label = label_of(item.text, _WIDEST // 2)
        coded = any("`" in text for text in (label, *(child.text for child in left), *above, *page.path(index)[-1:]))
        if not 0 < len(left) <= _HANDFUL or not coded or label.endswith("…") or Kind.INSTRUCTS in labels(label).words:
            continue
        span = Span(item.span.start, left[-1].span.stop)
        texts = [" ".join(child.text.split()) for child in left]
        body = Basic(
            prompt=prompt(page.document.language, "also", label),
            answer=texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts),
        )
        anchor = key((*page.path(index), *above), f"{label} {texts[0]}")
        shown = (*page.context(index), *above)
        yield page.note(body, span, index, anchor, headings=shown, rests_on=page.apis_on(span))


def _children(items: Sequence[Item], at: int) -> Iterator[Item]:
    """The items right below an item that do not only head a list of their own."""
    deeper = list(takewhile(lambda item: item.depth > items[at].depth, islice(items, at + 1, None)))
    for child, after in zip_longest(deeper, deeper[1:]):
        heads = after is not None and after.depth > child.depth and not says(child.text)
        if child.depth == items[at].depth + 1 and not heads:
            yield child


def _says(text: str) -> bool:
    """True for an item that says something itself."""
    leads = is_link(text) or Kind.CHECKBOX in labels(text) or Kind.QUESTION in labels(text) or ends_with_colon(text)
    command = text.startswith("`") and text.endswith("`") and text.count("`") == 2
    return not (leads or command) and has_words(plain(text)) and width(text) <= _WIDEST
