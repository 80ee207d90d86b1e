"""Notes of what stands below `<!-- deckgen: keep -->` and no other rule has made anything of; a remark where nothing can be made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deckgen.extract.blocks import is_rule, markdown_of, says
from deckgen.extract.declared import entries
from deckgen.extract.key import code_anchor, code_key, key
from deckgen.extract.notes.statement import definition, hole_in
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import CODE_SPAN, has_words, plain, title
from deckgen.lexicon import prompt
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Directive,
    Heading,
    Items,
    Prose,
    Quote,
    Remark,
    Row,
    Table,
)
from deckgen.model.note import Basic, Body, Cloze, Hole, Note, Skipped
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

NOTHING = "nothing can be made of this"
REMEDY = "write it as `Q: ...` and `A: ...`, or mark what to hide: `{{c1::...}}`"
UNMADE = f"{NOTHING}: {REMEDY}"
_BOLD = pattern(r"(\*\*|__|==)(?=\S)(.+?)(?<=\S)\1")
_ANSWERS = Prose | Quote | Items | Code | Table


def kept_blocks(page: Page) -> Iterator[tuple[Directive, int | None]]:
    """Each directive with `keep`, and the index of the block that it is about; None if none follows."""
    for index, block in enumerate(page.blocks):
        if isinstance(block, Directive) and "keep" in block.words and block.words[0] != "skip":
            following = range(index + 1, len(page.blocks))
            yield block, next((at for at in following if not isinstance(page.blocks[at], Directive)), None)


@collected
def kept(page: Page) -> Made:
    """What can be made of blocks that their author wants to keep, and that gave nothing."""
    for _, index in kept_blocks(page):
        if index is None:
            continue
        block = page.document.blocks[index]
        if isinstance(block, Heading):
            yield from _of_section(page, index, block)
        elif page.noted.isdisjoint(_lines(block.span)):
            yield from _of_block(page, index, block)


def unkept(page: Page, notes: Iterable[Note], skipped: Sequence[Skipped]) -> Iterator[Remark]:
    """A remark on each `keep` of which no note has come, with the reason of the refusal that it met."""
    starts = {place.span.start for note in notes for place in note.places}
    for directive, index in kept_blocks(page):
        if index is None:
            yield Remark(directive.span, "`keep` stands above nothing: write it above what is to be a card")
            continue
        scope = _scope(page, index)
        if starts.isdisjoint(_lines(scope)):
            known = (one.reason for one in skipped if one.reason != UNMADE and scope.touches(one.span))
            yield Remark(line_span(scope.start), f"{NOTHING}: {next(known, REMEDY)}")


def _scope(page: Page, index: int) -> Span:
    """The lines that a directive above a block is about: of a heading its whole section."""
    blocks = page.document.blocks
    last = page.section(index).stop - 1 if isinstance(blocks[index], Heading) else index
    return Span(blocks[index].span.start, max(blocks[last].span.stop, blocks[index].span.start + 1))


def _lines(span: Span) -> range:
    return range(span.start, span.stop)


# what is made


def _of_section(page: Page, index: int, block: Heading) -> Made:
    """The heading asks, and what stands below it answers, up to the next heading."""
    body = page.body(index)
    told = next((at for at in body if isinstance(one := page.blocks[at], Directive) and one.words), body.stop)
    every = range(body.start, told)
    below = [at for at in every if isinstance(page.blocks[at], _ANSWERS) and not is_rule(page.blocks[at])]
    lines = (line for at in (index, *below) for line in _lines(page.blocks[at].span))
    if not below or not all(map(page.free, below)) or not page.noted.isdisjoint(lines):
        return
    answer = "\n\n".join(markdown_of(page.blocks[at]) for at in below)
    yield page.note(Basic(prompt=title(block.text), answer=answer), block.span, index, block.text), [index, *below]


def _of_block(page: Page, index: int, block: Block) -> Made:
    match block:
        case Prose() | Quote() if says(block.text):
            yield from _of_text(page, index, block)
        case Items():
            yield from _of_list(page, index, block)
        case Table():
            for row in block.rows:
                if body := _of_row(block.header, row):
                    yield page.note(body, row.span, index, body.prompt), [index]
        case Code():
            yield from _of_code(page, index, block)
        case Details() if has_words(block.summary) and block.text.strip():
            yield page.note(Basic(prompt=block.summary, answer=block.text), block.span, index, block.summary), [index]


def _of_text(page: Page, index: int, block: Prose | Quote) -> Made:
    text = block.text.strip()
    after = index + 1
    asked = text.endswith(("?", "？", ":", "：")) and "\n" not in text
    if asked and after < len(page.blocks) and page.free(after) and isinstance(page.blocks[after], _ANSWERS):
        body = Basic(prompt=text.rstrip(":："), answer=markdown_of(page.blocks[after]))
        yield page.note(body, block.span, index, text), [index, after]
    elif made := _sentence(page, index, text):
        yield page.note(made, block.span, index, text, rests_on=page.apis_on(block.span)), [index]


def _sentence(page: Page, index: int, text: str) -> Body | None:
    """A term and what is said of it, or a gap for what the sentence is about: its name in code, or what is stressed."""
    found = definition(text) if "\n" not in text else None
    if found:
        return Basic(prompt=found.term, answer=found.text)
    place = hole_in(text, " ".join(page.path(index))) or _place(text)
    return Cloze(text=text, holes=(Hole(1, *place),)) if place else None


def _place(text: str) -> tuple[int, int] | None:
    """The first code or stressed words, where some words are left beside them."""
    every = (match.span() for marks in (CODE_SPAN, _BOLD) for match in marks.finditer(text))
    return next(((start, stop) for start, stop in every if has_words(plain(f"{text[:start]} {text[stop:]}"))), None)


def _of_list(page: Page, index: int, block: Items) -> Made:
    items = block.items
    for at, item in enumerate(items):
        children = list(entries.below(items, at, ()))
        text = item.text.strip()
        labels = entries.labels(items, at)
        if children and text.endswith((":", "：", "?", "？")):
            body: Body | None = Basic(prompt=text.rstrip(":："), answer=entries.bullets(items, at, children))
            span = item.span | items[children[-1]].span
        else:
            body, span = _sentence(page, index, text), item.span
        if body:
            anchor = key((*page.path(index), *labels), text)
            note = page.note(body, span, index, anchor, headings=(*page.context(index), *labels))
            yield replace(note, rests_on=page.apis_on(span)), [index]
        else:
            yield Skipped(item.span, UNMADE), [index]


def _of_row(header: Sequence[str], row: Row) -> Basic | None:
    """The first cell asks, the others answer with the names of their columns."""
    first, *others = row.cells
    said = [(name, cell) for name, cell in zip(header[1:], others, strict=False) if cell.strip()]
    if not first.strip() or not said:
        return None
    if len(said) == 1:
        name, cell = said[0]
        return Basic(prompt=f"{first} — {name.strip('* ')}" if name.strip() else first, answer=cell)
    return Basic(prompt=first, answer="\n".join(f"- **{name.strip('* ')}**: {cell}" for name, cell in said))


def _of_code(page: Page, index: int, block: Code) -> Made:
    """A gap for the call that the code is about: the last one; where it calls nothing, its heading asks for it."""
    code = block.text.strip("\n")
    place = _last_call(code)
    path = page.path(index)
    if place:
        asked = page.line_above(index) or prompt(page.document.language, "fill")
        body: Body = Cloze(text=code, holes=(Hole(1, *place),), language="python", prompt=asked)
        yield page.note(body, block.span, index, code_key(path, code_anchor(code))), [index]
    elif path and code:
        body = Basic(prompt=title(path[-1]), answer=markdown_of(block))
        yield page.note(body, block.span, index, code_key(path, code_anchor(code))), [index]


def _last_call(code: str) -> tuple[int, int] | None:
    """Where the name of the last call stands that shows nothing by itself."""
    tree = parsed(code)
    lines = code.split("\n")
    found: list[tuple[int, int]] = []
    for node in nodes(tree) if tree else ():
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute | ast.Name):
            name = called.attr if isinstance(called, ast.Attribute) else called.id
            line, column = (called.end_lineno or 1) - 1, called.end_col_offset or 0
            stop = sum(len(one) + 1 for one in lines[:line]) + len(lines[line].encode()[:column].decode())
            found += [(stop - len(name), stop)] if name != "print" and code[stop - len(name) : stop] == name else []
    return max(found, default=None)
