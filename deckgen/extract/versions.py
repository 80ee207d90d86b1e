"""Marks of versions: `{torch>=2.10}` (or `{gpus>=1}`: what only a machine with a GPU can run) on a fence, a row of a table, a list entry, a line or a heading.

They are taken out before any rule reads the document: no card shows them, and a note keeps its key when it gets one. What they
are about is entered in the notes and claims that were found there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from packaging.specifiers import SpecifierSet

from deckgen.model.claim import Claim, Exists, Snippet
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Document,
    Flashcard,
    Heading,
    Item,
    Items,
    Prose,
    Quote,
    Remark,
    Table,
    Turn,
)
from deckgen.model.note import Note
from deckgen.model.source import Span, line_span
from deckgen.model.versions import Package, Versions
from deckgen.text.pattern import pattern

_CLAUSE = r"(?:>=|<=|==|!=|>|<)\s*\d{1,9}(?:\.\d{1,9})*(?![\w.*])"
_RANGE = pattern(rf"(?<![\w.])(torch|python|gpus)\s*({_CLAUSE}(?:\s*,\s*{_CLAUSE})*)", re.IGNORECASE)
_ONE = pattern(r"([<>=!]+)\s*([\d.]+)")
_MEANT = r"(?:(?:pytorch|torch|python)(?:[ \t]*[<>=!~≥≤]|[ \t]+v?\d)|gpus?[ \t]*[<>=!~≥≤])"
"""How a mark begins, and what was perhaps meant as one."""
_IN_TEXT = pattern(
    rf"(?P<ticks>`+).*?(?P=ticks)(?!`)|(?P<before>[ \t]*)\{{[ \t]*(?P<mark>{_MEANT}[^{{}}\n]*)\}}(?P<after>[ \t]*)",
    re.IGNORECASE | re.DOTALL,
)
"""A mark, or code, in which there is none."""
_BRACES = pattern(rf"\{{[ \t]*{_MEANT}", re.IGNORECASE)
_WRONG = pattern(rf"(?:^|[\s,]){_MEANT}", re.IGNORECASE)
_REST = pattern(r"(?:^|[\s,])[<>=!~≥≤]")
"""In the braces of a fence, among the words of other tools: a wrong range, and what is left of one that is wrong in part."""
_QUOTED = pattern(r"\"[^\"]*\"|'[^']*'")
_BARE = pattern(r"\s(?P<mark>(?:torch|python|gpus)\s*[<>=!]=?\s*\d\S*)", re.IGNORECASE)
_REMEDY = "write `{torch>=2.10}`, `{torch<2.10}`, `{torch>=2.4,<2.10}`, or the same of `python`; `{gpus>=1}` for what needs a GPU"


@dataclass(slots=True)
class Marks:
    """Which lines of a document are about which versions."""

    extents: list[tuple[Span, tuple[Versions, ...]]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def at(self, span: Span) -> tuple[Versions, ...]:
        """The ranges in which everything on these lines is so."""
        return _joined(one for extent, versions in self.extents if extent.touches(span) for one in versions)

    def on_notes(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """The notes with their ranges. A mark on the first line of a note, which asks, is about all its lines."""
        marked = tuple(replace(note, versions=self.at(note.span)) for note in notes) if self.extents else tuple(notes)
        asking = [(note.span, self.at(line_span(note.span.start))) for note in marked if note.versions]
        self.extents += [(span, versions) for span, versions in asking if versions]
        return marked

    def on_snippets(self, snippets: tuple[Snippet, ...]) -> tuple[Snippet, ...]:
        """The snippets and their claims with their ranges."""
        return tuple(map(self._on_snippet, snippets)) if self.extents else snippets

    def _on_snippet(self, snippet: Snippet) -> Snippet:
        versions = self.at(snippet.span)
        options = replace(snippet.options, versions=versions)
        return replace(snippet, options=options, claims=self.on_claims(snippet.claims, versions))

    def on_claims(self, claims: tuple[AnyClaim, ...], given: tuple[Versions, ...] = ()) -> tuple[AnyClaim, ...]:
        """The claims with their ranges, and with those that are given."""
        if not self.extents:
            return claims
        return tuple(replace(one, versions=_joined((*given, *self.at(one.span)))) for one in claims)


AnyClaim = TypeVar("AnyClaim", bound=Claim | Exists)


def without_marks(document: Document) -> tuple[Document, Marks]:
    """The document as if it had no marks, and what they say. What is none, or a wrong one, stays as it is."""
    marks = Marks()
    blocks = _unmarked(document.blocks, marks)
    if not (marks.extents or marks.remarks):
        return document, marks
    title = text_without_marks(document.title)
    return replace(document, blocks=blocks, title=title), marks


def text_without_marks(text: str) -> str:
    """A text of a card as if it had no marks; its blocks say where they are."""
    return _cut(text, lambda _: Span(0, 0), Marks())


def _unmarked(blocks: Sequence[Block], marks: Marks) -> tuple[Block, ...]:
    return tuple(_without(block, blocks, index, marks) for index, block in enumerate(blocks))


def _without(block: Block, blocks: Sequence[Block], index: int, marks: Marks) -> Block:
    match block:
        case Heading() if _BRACES.search(block.text):
            section = Span(block.span.start, _section_end(blocks, index))
            return replace(block, text=_cut(block.text, lambda _: section, marks))
        case Prose() | Quote() if _BRACES.search(block.text):
            return replace(block, text=_cut(block.text, lambda at: _line(block.span, at), marks))
        case Items() if any(_BRACES.search(item.text) for item in block.items):
            return replace(block, items=tuple(_entry(block, at, marks) for at in range(len(block.items))))
        case Table():
            return _table(block, marks)
        case Details():
            inner = _unmarked(block.blocks, marks)
            summary = _cut(block.summary, lambda _: block.span, marks)
            text = _cut(block.text, lambda at: _line(block.span, at), Marks() if block.blocks else marks)
            return replace(block, blocks=inner, summary=summary, text=text)
        case Flashcard():
            return block.with_sides(text_without_marks, _unmarked(block.blocks, marks))
        case Code():
            return _fence(block, marks)
        case _:
            return block


def _line(span: Span, at: int) -> Span:
    return line_span(span.line(at))


def _section_end(blocks: Sequence[Block], index: int) -> int:
    """Line behind the section of the heading at an index."""
    level = cast("Heading", blocks[index]).level
    for block in blocks[index + 1 :]:
        if isinstance(block, Turn) or (isinstance(block, Heading) and block.level <= level):
            return block.span.start
    return blocks[-1].span.stop


def _entry(block: Items, at: int, marks: Marks) -> Item:
    """An entry of a list. A mark in it is about those below it, too."""
    entry = block.items[at]
    following = (item.span.start for item in block.items[at + 1 :] if item.depth <= entry.depth)
    scope = Span(entry.span.start, next(following, block.span.stop))
    return replace(entry, text=_cut(entry.text, lambda _: scope, marks))


def _table(block: Table, marks: Marks) -> Table:
    """A table. A mark in its header is about all rows."""
    if not any(_BRACES.search(cell) for cells in (block.header, *(row.cells for row in block.rows)) for cell in cells):
        return block

    def cut(cells: Sequence[str], span: Span) -> tuple[str, ...]:
        return tuple(_cut(cell, lambda _: span, marks, alone=True) for cell in cells)

    rows = tuple(replace(row, cells=cut(row.cells, row.span)) for row in block.rows)
    return replace(block, header=cut(block.header, block.span), rows=rows)


def _cut(text: str, scope: Callable[[int], Span], marks: Marks, *, alone: bool = False) -> str:
    """The text without its marks; `scope` is what one on the line of this number is about, `alone` whether it may be all there is."""
    if not _BRACES.search(text):
        return text

    def without(found: re.Match[str]) -> str:
        if found["ticks"]:
            return found[0]
        start, stop = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
        line = text[start : stop if stop >= 0 else None]
        span = scope(text.count("\n", 0, found.start()))
        versions, rest = _read(found["mark"])
        problem = _problem(found["mark"], versions, rest.strip(" \t,"))
        if not problem and not alone and not _IN_TEXT.sub(lambda one: one["ticks"] or "", line).strip(" \t*_"):
            problem = f"`{found[0].strip()}` stands alone, and is about nothing; write it behind what it is about"
        if problem:
            marks.remarks.append(Remark(line_span(span.start), problem))
            return found[0]
        marks.extents.append((span, versions))
        return found["before"] if start == found.start() else found["after"]

    return _IN_TEXT.sub(without, text)


def _fence(block: Code, marks: Marks) -> Code:
    """A fence with a mark in the braces of its info string; it is no language."""
    inside = _QUOTED.sub("", block.attributes)
    versions, rest = _read(inside)
    problem = _problem(inside, versions, _WRONG.search(rest) or (versions and _REST.search(rest)))
    if not inside and (bare := _BARE.search(block.info)):
        problem = f"`{bare['mark']}` counts only in braces; write `{{{bare['mark']}}}`"
    if problem:
        marks.remarks.append(Remark(line_span(block.span.start), problem))
    elif versions:
        marks.extents.append((block.span, versions))
        return replace(block, language="") if _BRACES.match(block.info) else block
    return block


def _problem(mark: str, versions: tuple[Versions, ...], rest: object) -> str:
    """What is wrong with a mark of which `rest` could not be read; empty if nothing is."""
    if rest:
        return f"`{{{mark.strip()}}}` is no range of versions; {_REMEDY}"
    empty = next((one for one in versions if _is_empty(one.specifier)), None)
    return f"no version of {empty.package} is in `{{{mark.strip()}}}`; {_REMEDY}" if empty else ""


def _read(inside: str) -> tuple[tuple[Versions, ...], str]:
    """The ranges in the braces of a mark, and what else is there."""
    if not _RANGE.search(inside):
        return (), inside
    found = [(one[1].lower(), _specifier(one[2])) for one in _RANGE.finditer(inside)]
    return _joined(Versions(cast("Package", name), said) for name, said in found), _RANGE.sub("", inside)


def _specifier(clauses: str) -> str:
    """In PEP 440 version 2.9.1 is greater than 2.9 and is not equal to it; an author means every 2.9 with it."""
    return ",".join(_clause(one[1], one[2]) for one in _ONE.finditer(clauses))


def _clause(operator: str, version: str) -> str:
    if operator in ("==", "!="):
        return f"{operator}{version}.*"
    if operator in (">", "<="):
        return f"{'>=' if operator == '>' else '<'}{_next(version)}"
    return operator + version


def _next(version: str) -> str:
    *before, last = version.split(".")
    return ".".join((*before, str(int(last) + 1)))


def _is_empty(specifier: str) -> bool:
    ends = [one[2].strip(".") for one in _ONE.finditer(specifier)]
    return not any(map(SpecifierSet(specifier).contains, ("0", *ends, *map(_next, ends))))


def _joined(versions: Iterable[Versions]) -> tuple[Versions, ...]:
    """One range for each package: what is in all of them."""
    clauses: dict[Package, dict[str, None]] = {}
    for one in versions:
        clauses.setdefault(one.package, {}).update(dict.fromkeys(one.specifier.split(",")))
    return tuple(Versions(package, ",".join(every)) for package, every in sorted(clauses.items(), reverse=True))
