"""Markdown: CommonMark with tables, math, definition lists and footnotes; the reader of last resort."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deckgen.model.document import Block, Code, Directive, Document, Heading, Item, Items, Prose, Quote, Row, Table
from deckgen.model.source import Source, Span
from deckgen.read.assemble import cover, document, in_order, shifted
from deckgen.read.blocks import tabs
from deckgen.read.blocks.admonitions import as_callouts
from deckgen.read.blocks.comments import with_comments, without_comments
from deckgen.read.blocks.fences import fenced, stored_output
from deckgen.read.blocks.html import html_blocks
from deckgen.read.blocks.lists import Flattened
from deckgen.read.blocks.pairs import details_pairs, pairs
from deckgen.read.blocks.paragraphs import paragraph_blocks
from deckgen.read.blocks.parser import parse
from deckgen.read.blocks.rows import whole_cells
from deckgen.read.blocks.wikilinks import as_labels
from deckgen.read.reference import with_classes, with_lists
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_ATTRIBUTES = pattern(r"\s*\{:?\s*[#.][^{}]*\}\s*$")
_CARD_TAG = pattern(r"\s+#(?:flash)?cards?(?:/\S+)?\s*$", re.IGNORECASE)
"""For a plugin that makes cards."""
_QUOTE_MARK = pattern(r"^\s*> ?")
_SENTENCE_END = tuple("。；，：！.;,:!")
_DEEPEST = 4
"""How often Markdown inside raw HTML inside Markdown is read; deeper it stays prose."""


def claims_source(source: Source) -> bool:
    """Everything is Markdown, if it is nothing else."""
    return True


def read(source: Source) -> Document:
    return document(source, "markdown", blocks_of(source.lines))


def blocks_of(lines: Sequence[str], start: int = 0, *, depth: int = 0) -> list[Block]:
    """Blocks of Markdown lines that cover them in order; `start` is the first one's line in the source."""
    lines = as_labels(lines)
    kept = without_comments(lines)
    found = _Walk(as_callouts(kept), depth).blocks() if depth <= _DEEPEST else []
    covered = cover(kept, with_classes(with_lists(in_order(found))))
    return shifted(covered if kept is lines else with_comments(covered, lines, kept), start)


class _Walk:
    """One pass over the block tokens of some lines."""

    def __init__(self, lines: Sequence[str], depth: int) -> None:
        self.lines = lines
        self.depth = depth
        self.tokens = parse(lines)
        self.closing = pairs(self.tokens)
        self.hidden = details_pairs(self.tokens)

    def blocks(self) -> list[Block]:
        return self.between(0, len(self.tokens))

    def between(self, index: int, stop: int) -> list[Block]:
        """Blocks of the tokens from `index` up to `stop`."""
        blocks: list[Block] = []
        while index < stop:
            last = self.last(index)
            blocks += self.block(index, last)
            index = last + 1
        return blocks

    def last(self, index: int) -> int:
        """Index of the token that ends what begins at `index`."""
        return self.hidden.get(index, self.closing.get(index, index))

    def block(self, index: int, last: int) -> list[Block]:
        kind = self.tokens[index].type
        return _KINDS.get(kind, _raw)(self, index, last)

    def span(self, index: int) -> Span:
        """Lines of a token, without blank ones at its end."""
        start, stop = self.tokens[index].map or (0, 0)
        while stop > start + 1 and not self.lines[stop - 1].strip():
            stop -= 1
        return Span(start, stop)

    def text(self, span: Span) -> str:
        return "\n".join(self.lines[span.start : span.stop])

    def read_markdown(self, lines: list[str], start: int) -> list[Block]:
        return blocks_of(lines, start, depth=self.depth + 1)


def _heading(walk: _Walk, index: int, last: int) -> list[Block]:
    token, text = walk.tokens[index], walk.tokens[index + 1].content
    span = walk.span(index)
    if token.markup in "=-" and ("\n" in text or text.endswith(_SENTENCE_END)):
        # A rule right below a paragraph: CommonMark makes a heading of it, its author did not.
        return [
            Prose(Span(span.start, span.stop - 1), text),
            Prose(Span(span.stop - 1, span.stop), token.markup * 3),
        ]
    return [Heading(span, int(token.tag[1]), _CARD_TAG.sub("", _ATTRIBUTES.sub("", text)).strip())]


def _paragraph(walk: _Walk, index: int, last: int) -> list[Block]:
    return paragraph_blocks(walk.span(index), walk.tokens[index + 1].content)


def _fence(walk: _Walk, index: int, last: int) -> list[Block]:
    token = walk.tokens[index]
    start, stop = token.map or (0, 0)
    return stored_output(token, start, stop) or [
        fenced(Span(start, stop), token.content, start + 1, token.info.strip())
    ]


def _indented(walk: _Walk, index: int, last: int) -> list[Block]:
    span = walk.span(index)
    return [fenced(span, walk.tokens[index].content, span.start, "")]


def _html(walk: _Walk, index: int, last: int) -> list[Block]:
    span = walk.span(index) | walk.span(last)
    return html_blocks(list(walk.lines[span.start : span.stop]), span.start, walk.read_markdown)


def _tabbed(walk: _Walk, index: int, last: int) -> list[Block]:
    return [tabs.table_of(walk.lines, walk.span(index))]


def _table(walk: _Walk, index: int, last: int) -> list[Block]:
    header: tuple[str, ...] = ()
    rows: list[Row] = []
    rest: list[Block] = []
    for at in range(index, last):
        token = walk.tokens[at]
        if token.type != "tr_open":
            continue
        span = walk.span(at)
        cells = tuple(t.content for t in walk.tokens[at : walk.closing[at]] if t.type == "inline")
        line = walk.lines[span.start]
        if not header:
            header = cells
        elif "|" not in line:
            # CommonMark reads on to the next blank line; a line without a bar is the next paragraph.
            rest.append(Prose(span, line.strip()))
        elif not rest:
            rows.append(Row(span, whole_cells(line, cells)))
        else:
            rest.append(Prose(span, line.strip()))
    stop = rows[-1].span.stop if rows else walk.span(index).start + 2
    return [Table(Span(walk.span(index).start, stop), header, tuple(rows)), *rest]


def _list(walk: _Walk, index: int, last: int) -> list[Block]:
    flat = Flattened()
    depth, at = -1, index
    fresh = False
    while at <= last:
        token = walk.tokens[at]
        end = at
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
            fresh = False
        elif token.type == "list_item_open":
            flat.item(walk.span(at).start, depth, token.info)
            fresh = True
        elif token.type == "paragraph_open":
            end = walk.last(at)
            flat.paragraph(walk.span(at), walk.tokens[at + 1].content, own=fresh)
        elif token.type != "list_item_close":
            end = walk.last(at)
            flat.interrupt(walk.block(at, end))
            fresh = False
        at = end + 1
    return flat.finish()


def _definitions(walk: _Walk, index: int, last: int) -> list[Block]:
    """A definition list as items: `Term: definition`, as people write it in bullets."""
    items: list[Item] = []
    term, where = "", Span(0, 0)
    for at in range(index, last):
        token = walk.tokens[at]
        if token.type == "dt_open":
            start = (token.map or [0])[0]
            term, where = walk.tokens[at + 1].content, Span(start, start + 1)
        elif token.type == "dd_open":
            span = walk.span(at)
            texts = [t.content for t in walk.tokens[at : walk.closing[at]] if t.type in ("inline", "fence")]
            items.append(Item(where | span if term else span, 0, ": ".join(filter(None, (term, "\n\n".join(texts))))))
            where = Span(span.stop, span.stop)
    span = Span(items[0].span.start, items[-1].span.stop) if items else walk.span(index)
    return [Items(span, tuple(items))]


def _quote(walk: _Walk, index: int, last: int) -> list[Block]:
    """A quote; code and tables in it stand beside it. What the marks make a quote may be a session: `>>> x.sum()`."""
    span = walk.span(index)
    lines = walk.lines[span.start : span.stop]
    if lines and lines[0].startswith(">>> ") and parsed(lines[0][4:]) is not None:
        while not lines[-1].strip():
            lines = lines[:-1]
        span = Span(span.start, span.start + len(lines))
        return [Code(span, "\n".join(lines), "pycon", tuple(range(span.start, span.stop)))]
    blocks: list[Block] = []
    done, at = span.start, index + 1
    while at < last:
        if walk.tokens[at].type in ("fence", "table_open"):
            end = walk.last(at)
            inner = walk.block(at, end)
            blocks += _quoted(walk, Span(done, inner[0].span.start)) + inner
            done, at = inner[-1].span.stop, end
        at += 1
    return blocks + _quoted(walk, Span(done, span.stop))


def _quoted(walk: _Walk, span: Span) -> list[Block]:
    lines = [_QUOTE_MARK.sub("", line, count=1) for line in walk.lines[span.start : span.stop]]
    text = "\n".join(lines)
    if text.strip():
        return [Quote(span, text.strip("\n"))]
    return [Directive(span, ())] if lines else []


def _raw(walk: _Walk, index: int, last: int) -> list[Block]:
    """Anything else as prose, as it stands in the source: rules, math, footnotes."""
    if walk.tokens[index].map is None:
        return []
    span = walk.span(index)
    return [Prose(span, walk.text(span).strip())]


_KINDS: dict[str, Callable[[_Walk, int, int], list[Block]]] = {
    "heading_open": _heading,
    "paragraph_open": _paragraph,
    "fence": _fence,
    "code_block": _indented,
    "html_block": _html,
    "table_open": _table,
    tabs.KIND: _tabbed,
    "bullet_list_open": _list,
    "ordered_list_open": _list,
    "dl_open": _definitions,
    "blockquote_open": _quote,
}
"""How each kind of token is read; every other kind is prose."""
