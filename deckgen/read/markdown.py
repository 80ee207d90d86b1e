"""Markdown: CommonMark with tables, formulas and admonitions; the reader of last resort."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.footnote import footnote_plugin

from deckgen.model.document import (
    Block,
    Code,
    Details,
    Directive,
    Document,
    Heading,
    Image,
    Item,
    Items,
    Prose,
    Quote,
    Row,
    Table,
)
from deckgen.model.source import Source, Span, line_span
from deckgen.read.assemble import cover, document, in_order, shifted
from deckgen.read.raw_html import details_balance, html_blocks
from deckgen.text import tags
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_IMAGE = pattern(r"\s*!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'(][^)]*)?\)\s*(?:\{[^}]*\})?\s*")
_CELL = pattern(r"((?:`+[^`]*`+|\\.|[^|\\])*)(?:\||$)")
_ATTRIBUTES = pattern(r"\s*\{:?\s*[#.][^{}]*\}(?=\s*(?:\{\s*(?:torch|python)\s*[<>=!][^{}]*\}\s*)?$)")
"""`{#name .class}` at the end of a heading, or before a range of versions there."""
_OPERATOR = pattern(r"\s*(?:>=|>>=?)\s*")
_QUOTE_MARK = pattern(r"^\s*> ?")
_FENCE = pattern(r"\s{0,3}(`{3,}|~{3,})")
_LABELLED_FENCE = pattern(
    r"\s{0,3}(?:\*\*)?«question.answer_label»(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(?P<fence>(?:`{3,}|~{3,})[\w+-]*)\s*$"
)
"""`A: ```python`"""
_ADMONITION = pattern(
    r"\{?(?P<kind>note|tip|hint|info|important|warning|caution|danger|attention|error|seealso|question|faq|example|abstract"
    r"|summary|success|failure|bug|quote)\b[^}\s\"]*\}?\s*\"?(?P<title>[^\"]*)\"?",
    re.I,
)
"""What stands behind the marks of one: `{note} Title` of MyST and VuePress, `note "Title"` of MkDocs."""
_SENTENCE_END = tuple("。；，：！.;,:!")
_DEEPEST = 4
"""How often Markdown inside of Markdown (raw HTML, admonitions) is read; deeper it stays prose."""
_LONGEST_FORMULA = 200
"""Lines."""


def read(source: Source) -> Document:
    """Everything is Markdown, if it is nothing else."""
    return document(source, "markdown", blocks_of(source.lines))


def blocks_of(lines: Sequence[str], start: int = 0, *, depth: int = 0) -> list[Block]:
    """Blocks of Markdown lines that cover them in order; `start` is the first one's line in the source."""
    walk = _Walk(_with_fences_alone(lines), depth)
    found = walk.between(0, len(walk.tokens)) if depth <= _DEEPEST else []
    return shifted(cover(lines, in_order(found)), start)


def _with_fences_alone(lines: Sequence[str]) -> Sequence[str]:
    """The lines with each fence that opens behind the label of an answer, `A: ```python`, on a line without that label.

    To CommonMark it would be no fence, and its end would open one that swallows all below it.
    """
    if not any(map(_LABELLED_FENCE.match, filter(_may_open, lines))):
        return lines
    fence, written = "", []
    for line in lines:
        labelled = _LABELLED_FENCE.match(line) if not fence and _may_open(line) else None
        written.append(labelled["fence"] if labelled else line)
        fence = fence_after(written[-1], fence)
    return written


def _may_open(line: str) -> bool:
    return "```" in line or "~~~" in line


def fence_after(line: str, fence: str) -> str:
    """The mark of the fence that is open below a line; `fence` is the one open above it."""
    match = _FENCE.match(line) if _may_open(line) else None
    if match is None:
        return fence
    return "" if fence and match[1].startswith(fence) and line.strip() == match[1] else fence or match[1]


def split_row(line: str) -> tuple[str, ...]:
    """Cells of a table row, with code spans kept whole."""
    bare = line.strip().removeprefix("|")
    return tuple(match[1].strip().replace("\\|", "|") for match in _CELL.finditer(bare) if match[0])


@cache
def _parser() -> MarkdownIt:
    """Finds blocks only: inline markup stays Markdown until it is rendered."""
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.block.ruler.at("html_block", tags.of_tags(html_block), {"alt": ["paragraph", "reference", "blockquote"]})
    parser.use(admon_plugin).use(colon_fence_plugin).use(footnote_plugin)
    parser.block.ruler.before("fence", "math_block", _math, {"alt": ["paragraph", "blockquote", "list"]})
    # `reference` takes quadratic time on long lists of links, and nothing here resolves a link.
    parser.disable("reference")
    # `normalize` would count a lone carriage return as a line of its own.
    parser.core.ruler.enableOnly(["block"])
    return parser


def _math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula between `$$` and `$$`. (The plugin's own rule takes quadratic time where `$$` is never closed.)"""
    first = state.getLines(start, start + 1, state.blkIndent, False).strip()
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    stop = start + 1
    if first.count("$$") == 1:
        last = min(end, start + _LONGEST_FORMULA)
        while stop < last and "$$" not in state.getLines(stop, stop + 1, state.blkIndent, False):
            if state.sCount[stop] < state.blkIndent and not state.isEmpty(stop):
                return False
            stop += 1
        stop += 1
        if stop > last:
            return False
    elif not first.endswith("$$"):
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.map = True, [start, stop]
        state.line = stop
    return True


class _Walk:
    """One pass over the block tokens of some lines."""

    def __init__(self, lines: Sequence[str], depth: int) -> None:
        text = "\n".join(lines).replace("\r", " ").replace("\0", "\N{REPLACEMENT CHARACTER}")
        # The rule for colon fences reads one character beyond an empty line.
        text = text if text.endswith("\n") else f"{text}\n"
        self.lines = lines
        self.depth = depth
        self.tokens = _parser().parse(text)
        self.ends = _ends(self.tokens)

    def between(self, index: int, stop: int) -> list[Block]:
        """Blocks of the tokens from `index` up to `stop`."""
        blocks: list[Block] = []
        while index < stop:
            last = self.ends.get(index, index)
            blocks += self.block(index, last)
            index = last + 1
        return blocks

    def block(self, index: int, last: int) -> list[Block]:
        return _KINDS.get(self.tokens[index].type, _raw)(self, index, last)

    def span(self, index: int) -> Span:
        """Lines of a token, without blank ones at its end."""
        start, stop = self.tokens[index].map or (0, 0)
        while stop > start + 1 and not self.lines[stop - 1].strip():
            stop -= 1
        return Span(start, stop)

    def inner(self, lines: Sequence[str], start: int) -> list[Block]:
        """Blocks of Markdown within what this walk reads."""
        return blocks_of(lines, start, depth=self.depth + 1)


def _ends(tokens: Sequence[Token]) -> dict[int, int]:
    """For each token that opens something, or raw HTML that opens `<details>`: the index of the one that closes it."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    hidden: list[list[int]] = [[]]
    for index, token in enumerate(tokens):
        if token.nesting == 1:
            opened.append(index)
            hidden.append([])
        elif token.nesting == -1:
            ends[opened.pop()] = index
            hidden.pop()
        elif token.type == "html_block":
            change = details_balance(token.content)
            hidden[-1] += [index] * change
            for first in hidden[-1][: change - 1 : -1] if change < 0 else ():
                hidden[-1].pop()
                if first not in hidden[-1][-1:]:
                    ends[first] = index
    return ends


def _heading(walk: _Walk, index: int, last: int) -> list[Block]:
    token, text, span = walk.tokens[index], walk.tokens[index + 1].content, walk.span(index)
    if token.markup in "=-" and ((token.markup == "-" and "\n" in text) or text.endswith(_SENTENCE_END)):
        # A rule right below a paragraph: CommonMark makes a heading of it, its author did not.
        rule = line_span(span.stop - 1)
        return [Prose(Span(span.start, rule.start), text), Prose(rule, token.markup * 3)]
    return [Heading(span, int(token.tag[1]), " ".join(_ATTRIBUTES.sub("", text).split("\n")).strip())]


def _paragraph(walk: _Walk, index: int, last: int) -> list[Block]:
    """A paragraph; pictures that have a line to themselves stand beside it."""
    span, text = walk.span(index), walk.tokens[index + 1].content
    if "![" not in text:
        return [Prose(span, text)]
    blocks: list[Block] = []
    numbered = enumerate(text.split("\n"), span.start)
    for _, group in groupby(numbered, key=lambda line: _IMAGE.fullmatch(line[1]) is None):
        run = list(group)
        images = [Image(line_span(n), match[1], match[2]) for n, line in run if (match := _IMAGE.fullmatch(line))]
        prose = Prose(Span(run[0][0], run[-1][0] + 1), "\n".join(line for _, line in run).strip())
        blocks += images or [prose]
    return blocks


def _fence(walk: _Walk, index: int, last: int) -> list[Block]:
    """Code, or an admonition of MyST."""
    token = walk.tokens[index]
    start, stop = token.map or (0, 0)
    info = token.info.strip()
    if token.type == "colon_fence" or info.startswith("{"):
        match = _ADMONITION.fullmatch(info)
        closed = start < stop - 1 and set(walk.lines[stop - 1].strip()) == {token.markup[0]}
        inside = [*walk.lines[start + 1 : stop - closed], *[""] * closed]
        if match and closed:
            return _callout(walk, Span(start, stop), match, inside)
        if token.type == "colon_fence":
            return walk.inner(inside, start + 1)
    words = re.split(r"[\s,{}=:]+", info.strip("{}: "), maxsplit=1)
    text = token.content.removesuffix("\n")
    first = start + (token.type == "fence")
    count = text.count("\n") + 1 if token.content else 0
    span = Span(start, stop) if token.type == "fence" else walk.span(index)
    return [Code(span, text, words[0].lstrip(".").lower(), tuple(range(first, first + count)), info)]


def _admonition(walk: _Walk, index: int, last: int) -> list[Block]:
    """An admonition of MkDocs; a folded one hides what is in it."""
    span = walk.span(index)
    match = _ADMONITION.fullmatch(walk.tokens[index].info.strip())
    if match is None:
        return walk.between(index + 4, last)
    first = walk.lines[span.start].lstrip()
    margin = len(walk.lines[span.start]) - len(first) + 4
    lines = [line[margin:] for line in walk.lines[span.start + 1 : span.stop]]
    if first.startswith("???"):  # folded
        return [Details(span, match["title"], "\n".join(lines), tuple(walk.inner(lines, span.start + 1)))]
    return _callout(walk, span, match, lines)


def _callout(walk: _Walk, span: Span, named: re.Match[str], lines: Sequence[str]) -> list[Block]:
    """An admonition is read as the callout that GitHub and Obsidian would have of it."""
    title = f"> [!{named['kind'].lower()}] {named['title'].strip()}".rstrip()
    return walk.inner([title, *(f"> {line}" for line in lines)], span.start)


def _html(walk: _Walk, index: int, last: int) -> list[Block]:
    span = walk.span(index) | walk.span(last)
    return html_blocks(walk.lines[span.start : span.stop], span.start, walk.inner)


def _table(walk: _Walk, index: int, last: int) -> list[Block]:
    header, *body = (at for at in range(index, last) if walk.tokens[at].type == "tr_open")
    columns = _cells(walk, header)
    rows: list[Row] = []
    rest: list[Block] = []
    for at in body:
        span = walk.span(at)
        line = walk.lines[span.start]
        if rest or "|" not in line:
            # CommonMark reads on to the next blank line; a line without a bar is the next paragraph.
            rest.append(Prose(span, line.strip()))
            continue
        # GitHub splits at a bar inside backticks; people who write `a | b` do not see that they lost a cell.
        cells, whole = _cells(walk, at), split_row(line)
        rows.append(Row(span, whole if line.count("`") > 1 and len(whole) == len(cells) else cells))
    start = walk.span(index).start
    return [Table(Span(start, rows[-1].span.stop if rows else start + 2), columns, tuple(rows)), *rest]


def _cells(walk: _Walk, row: int) -> tuple[str, ...]:
    return tuple(token.content for token in walk.tokens[row : walk.ends[row]] if token.type == "inline")


def _list(walk: _Walk, index: int, last: int) -> list[Block]:
    """A list, flattened: code and tables inside an item stand beside it as blocks of their own."""
    blocks: list[Block] = []
    items: list[Item] = []
    depth, at, own = -1, index, False
    while at <= last:
        kind, end = walk.tokens[at].type, at
        if kind.endswith("_list_open"):
            depth += 1
        elif kind.endswith("_list_close"):
            depth, own = depth - 1, False
        elif kind == "list_item_open":
            here = line_span(walk.span(at).start)
            _drop_empty(items, here.start)
            items.append(Item(here, depth, "", walk.tokens[at].info))
            own = True
        elif kind == "paragraph_open" and own:
            end = walk.ends[at]
            text = "\n\n".join(filter(None, (items[-1].text, walk.tokens[at + 1].content)))
            items[-1] = replace(items[-1], span=items[-1].span | walk.span(at), text=text)
        elif kind != "list_item_close":
            end = walk.ends.get(at, at)
            if found := walk.block(at, end):
                _drop_empty(items, found[0].span.start)
                blocks += [*_joined(items), *found]
                items, own = [], False
        at = end + 1
    return [*blocks, *_joined(items)]


def _drop_empty(items: list[Item], line: int) -> None:
    """An item without text of its own is none, if on its line something else begins (`- - text`)."""
    if items and not items[-1].text and items[-1].span.start >= line:
        items.pop()


def _joined(items: Sequence[Item]) -> list[Block]:
    return [Items(Span(items[0].span.start, items[-1].span.stop), tuple(items))] if items else []


def _quote(walk: _Walk, index: int, last: int) -> list[Block]:
    """A quote; code and tables in it stand beside it. What the marks make a quote may be a session, `>>> x.sum()`, or an operator, `>=`."""
    span = walk.span(index)
    lines = walk.lines[span.start : span.stop]
    if lines[0].startswith(">>> ") and parsed(lines[0][4:]) is not None:
        return [Code(span, "\n".join(lines), "pycon", tuple(range(span.start, span.stop)))]
    if _OPERATOR.fullmatch(lines[0]):
        return [Prose(span, "\n".join(lines).strip())]
    blocks: list[Block] = []
    done, at = span.start, index + 1
    while at < last:
        if walk.tokens[at].type in ("fence", "table_open"):
            end = walk.ends.get(at, at)
            inner = walk.block(at, end)
            blocks += _quoted(walk, Span(done, inner[0].span.start)) + inner
            done, at = inner[-1].span.stop, end
        at += 1
    return blocks + _quoted(walk, Span(done, span.stop))


def _quoted(walk: _Walk, span: Span) -> list[Block]:
    lines = [_QUOTE_MARK.sub("", line, count=1) for line in walk.lines[span.start : span.stop]]
    text = "\n".join(lines).strip("\n")
    return [Quote(span, text)] if text.strip() else [Directive(span, ())] if lines else []


def _raw(walk: _Walk, index: int, last: int) -> list[Block]:
    """Anything else as prose, as it stands in the source: rules, formulas."""
    if walk.tokens[index].map is None:
        return []
    span = walk.span(index)
    return [Prose(span, "\n".join(walk.lines[span.start : span.stop]).strip())]


_KINDS: dict[str, Callable[[_Walk, int, int], list[Block]]] = {
    "heading_open": _heading,
    "paragraph_open": _paragraph,
    "fence": _fence,
    "code_block": _fence,
    "colon_fence": _fence,
    "admonition_open": _admonition,
    "html_block": _html,
    "table_open": _table,
    "bullet_list_open": _list,
    "ordered_list_open": _list,
    "blockquote_open": _quote,
}
"""How each kind of token is read; every other kind is prose."""
