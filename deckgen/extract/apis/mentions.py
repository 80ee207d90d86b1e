"""API names that a document writes down: each is a claim that torch has it, with these parameters.

Looked at are tables (any column that holds names), headings, the signature under a heading, definition
bullets, parameter lists, and rooted names (`torch.x`, `nn.x`) in prose. Left alone are the pupil's own lines, quiz
options (most of them are wrong on purpose), score tables, and what the notes themselves say is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckgen.extract.apis.context import code_names
from deckgen.extract.apis.headings import of_heading
from deckgen.extract.apis.lists import of_items
from deckgen.extract.apis.parameters import PARAMETER_WORDS
from deckgen.extract.apis.place import Mention, Place
from deckgen.extract.apis.prose import of_lines
from deckgen.extract.apis.tables import of_table
from deckgen.model.claim import Exists
from deckgen.model.document import Block, Document, Heading, Items, Prose, Quote, Table, Turn
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_LABELLED = (Items, Table)
"""Blocks whose owner a line above them may tell."""
_LONGEST_LABEL = 60
_BLANK = pattern(r"_{3,}|(?<![^\W_])__(?![^\W_])")
"""A gap to be filled in, which names nothing: `writer.____("loss")`; `__init__` is a name."""


_OF = pattern(
    r"(?:的|之)\s*(?:常用|常见|主要|重要)?\s*(?:参数|形参|入参)$|(?i:^(?:the )?(?:\w+ ){0,2}(?:param(?:eter)?|arg(?:ument)?)s of \S+$)"
)
"""`DataLoader 的常用参数`, `Main parameters of DataLoader`: a line that is a title."""


def mentions(document: Document) -> tuple[Exists, ...]:
    """Every API name as written, in document order, once a line; ids are `a<line>.<n>`."""
    document = document.opened()
    place = Place(code_names(document))
    found: list[Mention] = []
    blocks = document.blocks
    for index, block in enumerate(blocks):
        _enter(block, place)
        if not place.pupil:
            place.label = _label(blocks[index - 1]) if index and isinstance(block, _LABELLED) else ""
            found += _of_block(block, blocks[index + 1 : index + 2], place)
    return tuple(_claims(found))


def _claims(found: Iterable[Mention]) -> Iterator[Exists]:
    seen: set[tuple[int, str]] = set()
    numbers: dict[int, int] = {}
    for one in sorted(found, key=lambda one: one.line):
        if (one.line, one.text) in seen or ("__" in one.text and _BLANK.search(one.text)):
            continue
        seen.add((one.line, one.text))
        numbers[one.line] = numbers.get(one.line, 0) + 1
        yield Exists(
            id=f"a{one.line + 1}.{numbers[one.line]}",
            span=line_span(one.line),
            text=one.text,
            form=one.form,
            owner=one.owner,
            peers=one.peers,
            alias=one.alias,
            scopes=one.scopes,
            default=one.default,
        )


def _enter(block: Block, place: Place) -> None:
    if isinstance(block, Turn):
        place.pupil = block.speaker == "pupil"
    elif isinstance(block, Heading):
        place.enter(block)


def _label(above: Block) -> str:
    """The text of a block that does no more than announce the next one."""
    lone = isinstance(above, Prose | Quote) and above.span.stop - above.span.start == 1
    text = above.text.strip(" >") if lone and isinstance(above, Prose | Quote) else ""
    if not text or len(text) > _LONGEST_LABEL:
        return ""
    announces = (
        text.endswith((":", "：")) or PARAMETER_WORDS.fullmatch(text.removeprefix("Keyword ")) or _OF.search(text)
    )
    headed = text.startswith("**") and text.endswith("**") and PARAMETER_WORDS.search(text)
    return text if announces or headed else ""


def _of_block(block: Block, following: Sequence[Block], place: Place) -> list[Mention]:
    match block:
        case Heading():
            return of_heading(block, following, place)
        case Table():
            return of_table(block, place)
        case Items():
            return of_items(block, place)
        case Prose() | Quote():
            return of_lines(block.text, block.span.start, block.span.stop, place)
        case _:
            return []
