"""Blocks as the idioms read them: their lines with their places, and as Markdown again for the back of a card.

Before that they are made ready for the rules: machine-made text is refused, and texts are written as most authors write them.
Each line stays in its place, so that spans go on to mean the same lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.extract.text import has_words
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Document,
    Flashcard,
    Heading,
    Image,
    Items,
    Prose,
    Quote,
    Refused,
    Table,
)
from deckgen.model.note import fenced
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_LANGUAGES = frozenset("python py python3 ipython pycon bash sh shell console json yaml toml cpp c++ cuda".split())
CALLOUT = pattern(r"\s*\[!(?P<kind>\w+)\][+-]?(?P<title>[^\n]*)")
"""`[!NOTE] Title`: the first line of a callout."""


class Line(NamedTuple):
    """A line of text of a block, without list marks and quote marks."""

    number: int
    text: str
    block: int
    """Index of its block."""
    at: int = 0
    """Its place in the block: in sources of one line (exported chats) numbers tell nothing."""

    @property
    def place(self) -> tuple[int, int]:
        return self.block, self.at


def lines_of(block: Block, index: int) -> Iterator[Line]:
    """The lines of a block of text with their places; nothing for code, tables and turns."""
    match block:
        case Items():
            at = 0
            for item in block.items:
                for line in _numbered(item.text, item.span, index, at):
                    at = line.at + 1
                    yield line
        case Prose() | Quote() | Heading():
            yield from _numbered(block.text, block.span, index)
        case Details():
            yield from _numbered(f"{block.summary}\n{block.text}", block.span, index)
        case _:
            return


def texts_of(block: Block) -> Sequence[str]:
    """The texts of a block: one, or one for each item or cell; none of code."""
    match block:
        case Items():
            return [item.text for item in block.items]
        case Prose() | Quote() | Heading():
            return (block.text,)
        case Details():
            return block.summary, block.text
        case Flashcard():
            return block.sides
        case Table():
            return [*block.header, *(cell for row in block.rows for cell in row.cells)]
        case _:
            return ()


def with_texts(block: Block, change: Callable[[str], str]) -> Block:
    """The block with each of its texts changed."""
    match block:
        case Items():
            return replace(block, items=tuple(replace(item, text=change(item.text)) for item in block.items))
        case Prose() | Quote() | Heading():
            return replace(block, text=change(block.text))
        case Details():
            inner = tuple(with_texts(hidden, change) for hidden in block.blocks)
            return replace(block, summary=change(block.summary), text=change(block.text), blocks=inner)
        case Flashcard():
            return block.with_sides(change, tuple(with_texts(inner, change) for inner in block.blocks))
        case Table():
            rows = tuple(replace(row, cells=tuple(map(change, row.cells))) for row in block.rows)
            return replace(block, header=tuple(map(change, block.header)), rows=rows)
        case _:
            return block


def starts(block: Block, depth: int | None) -> Sequence[int]:
    """Places where the items begin; only those of a depth, if one is given."""
    found: list[int] = []
    at = 0
    for item in block.items if isinstance(block, Items) else ():
        found += [at] if depth is None or item.depth == depth else []
        at += item.text.count("\n") + 1
    return found


def _numbered(text: str, span: Span, index: int, first: int = 0) -> Iterator[Line]:
    for offset, line in enumerate(text.split("\n")):
        yield Line(span.line(offset), line, index, first + offset)


def markdown_of(block: Block) -> str:
    """A block as Markdown again, for the back of a card."""
    match block:
        case Prose():
            return block.text.rstrip()
        case Quote():
            return "\n".join(f"> {line}".rstrip() for line in with_label(block.text).split("\n"))
        case Code():
            return fenced(block.text, _spoken(block.language))
        case Items():
            least = min(item.depth for item in block.items)
            return "\n".join(_bullet(item.depth - least, item.number, item.text) for item in block.items)
        case Details():
            return f"**{block.summary}**\n\n{block.text}"
        case Heading():
            return f"**{block.text}**"
        case Image() if is_beside(block):
            return f"![{block.alt}]({block.target})"
        case Table():
            rows = [block.header, ["---"] * len(block.header), *(row.cells for row in block.rows)]
            return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
        case _:
            return _other(block)


def with_label(quote: str) -> str:
    """`[!WARNING]` and the lines of a callout below it as `**Warning**` and these; any other quote as it is."""
    found = CALLOUT.match(quote)
    if not found:
        return quote
    return f"**{found['title'].strip(' *') or found['kind'].capitalize()}**{quote[found.end() :]}"


def is_beside(picture: Image) -> bool:
    """True for a picture in a file beside the notes: others cannot be shown from the text of a note."""
    return picture.data is None and "://" not in picture.target


def pictures_right_below(blocks: Sequence[Block], index: int) -> list[int]:
    """The pictures in the paragraph of an answer, which its reader tells apart from the text."""
    found = [index]
    for at in range(index + 1, len(blocks)):
        block = blocks[at]
        if not (isinstance(block, Image) and is_beside(block) and block.span.start == blocks[found[-1]].span.stop):
            break
        found.append(at)
    return found[1:]


def _spoken(language: str) -> str:
    """The language of a fence, if it is one of notes about torch: chats mark drawings as `csharp` or `pgsql`."""
    return language if language in _LANGUAGES else "text"


def _bullet(depth: int, number: str, text: str) -> str:
    mark = f"{number}." if number else "-"
    indent = "    " * depth
    return f"{indent}{mark} " + f"\n{indent}    ".join(text.strip().split("\n"))


def _other(block: Block) -> str:
    text = getattr(block, "text", "")
    return fenced(text, "text")


def is_rule(block: Block) -> bool:
    """True for a line such as `---` that only separates."""
    return isinstance(block, Prose) and not says(block.text)


def says(text: str) -> bool:
    """True for a text that holds a word, or is a sign as people answer with: code, `->`, `()`, `@`, `:`."""
    return has_words(text) or _SIGN.search(text) is not None


_SIGN = pattern(
    r"`(?!``)[^\n]+`|\A\s*(?:[!%&+/<=>@^|:;?~$\\]{1,2}|(?:<<|>>|//|\*\*)=|\*\*|->|\(\)|\[\]|\{\}|[\u2190-\u21ff])\s*\Z"
)


def text_of(block: Block) -> str:
    """The text of a block for reading, without marks of quotes and headings."""
    return block.text if isinstance(block, Heading | Prose | Quote) else markdown_of(block)


UNWIELDY = "a line, a paragraph or a table too long to have been written by hand"
LONGEST_LINE = 4_000
"""Characters of a line: no sentence is that long, and patterns that look back would take their time."""
MOST_LINES = 1_000
"""Lines of one paragraph."""
MOST_COLUMNS = 100
"""Columns of a table."""

_FULL_WIDTH = pattern(r"[０-９Ａ-Ｚａ-ｚ]+|(?<=[0-9０-９])．(?![0-9０-９])")
"""Digits and letters of Chinese input methods: `１．`, `（２）`, `Ａ．`."""
_ANCHOR = pattern(r"\s*\[(?:¶|#|🔗|\uf0c1)\]\(#[^()\s]*(?:\s+\"[^\"]*\")?\)\s*$")
"""`[¶](#title "Permalink")` behind a heading of a page that was saved as Markdown."""


def prepared(document: Document) -> Document:
    """The document as the rules read it."""
    return replace(document, blocks=tuple(map(_prepared, document.blocks)))


def _prepared(block: Block) -> Block:
    if isinstance(block, Details | Flashcard):  # what is hidden is refused part by part: there may be code among it
        block = replace(block, blocks=tuple(map(_prepared, block.blocks)))
    elif unwieldy(block):
        return Refused(block.span, "", UNWIELDY)
    elif isinstance(block, Heading):
        block = replace(block, text=_ANCHOR.sub("", block.text) or block.text)
    return block if all(map(str.isascii, texts_of(block))) else with_texts(block, half_width)


def half_width(text: str) -> str:
    """The text with digits and letters of Chinese input methods as those of ASCII."""
    return _FULL_WIDTH.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def unwieldy(block: Block) -> bool:
    """True for machine-made text, and for what stands in its place."""
    if isinstance(block, Refused):
        return block.reason == UNWIELDY
    return (isinstance(block, Table) and len(block.header) > MOST_COLUMNS) or any(
        text.count("\n") >= MOST_LINES or max(map(len, text.split("\n"))) > LONGEST_LINE for text in texts_of(block)
    )
