"""Cards that authors write out in plain text, as plugins of Obsidian and Anki read them.

`front::back` (`:::` asks both ways), a line `?` between front and back, and holes: `{{c1::text::hint}}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from deckgen.extract import wording
from deckgen.extract.blocks import Line, markdown_of
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import by_lines
from deckgen.extract.text import has_words, plain, width, without_emoji, without_number
from deckgen.model.document import Code, Items, Prose, Quote, Table
from deckgen.model.note import Basic, Cloze, Hole, Note
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern

_MAY_BE = pattern(r"::|：：|\{\{cloze |#(?:flash)?cards?\b|\?(?<![^\n]\?)\??\s*$", re.MULTILINE)
_SPLIT = pattern(r"(?<!:)(?P<marks>:{2,3})(?!:)|(?<!：)(?P<wide>：：)(?!：)")
_TAG = pattern(r"\s*#(?:flash)?cards?\b(?:/\S+)?", re.IGNORECASE)
"""`#card` behind the front of an outliner's card, whose back is below it."""
_REMARK = pattern(r"<!--.*?-->")
"""When the card is due, as a plugin writes it below."""
_ITEM_MARK = pattern(r"^(?:[-*+]|\d+[.)])\s+")
_PROPERTY = pattern(r"[\w.-]+:: .*")
_BARE = pattern(r"\W*(?P<front>[A-Za-z_][\w.]*)::[A-Za-z][^:]*\s[^:]*")
_FEWEST_BARE = 3
_BETWEEN_NAMES = pattern(r"[A-Za-z_]\w*$")
"""Before `::`, with no space after it: `torch::nn`, `std::vector`."""
_OF_NAME = pattern(r"[A-Za-z_<*~]")
_HOLE = pattern(
    r"\{\{c(?P<number>\d{1,2})::(?P<text>(?:[^{}]|\{[^{}]*\})+?)(?:::[^{}:]*)?\}\}|\{\{cloze\s+(?P<told>[^{}]+?)\s*\}\}"
)
_LONGEST = 120
"""Columns of a front on one line."""
_FIELD = pattern(
    r"(?:id|collapsed|deck|heading|card-[\w-]+|background-color|status|tags?|type|aliases?|created|updated|modified|date|due|author|source|url|link|up|down|next|prev(?:ious)?|"
    r"related|topics?|area|project|parent|priority|rating|标签|状态|日期|来源|作者|主题|相关|创建|更新|Q|A|cssclass(?:es)?)",
    re.IGNORECASE,
)
"""A field about the page itself."""


def flash_cards(page: Page) -> Finds:
    """The notes that are written out as cards."""
    found = by_lines(page, lambda index, block: _written_out(page, index, block))
    return replace(found, used=found.used | {*_backs(page, found.notes)})


def _backs(page: Page, notes: Sequence[Note]) -> Iterator[int]:
    """Indices of the lists, tables and quotes that are on the backs of cards; code may be asked about as well."""
    told = {line for note in notes for line in range(note.span.start + 1, note.span.stop)} if notes else set()
    for index, block in enumerate(page.blocks if told else ()):
        if isinstance(block, Items | Table | Quote) and block.span.start in told and block.span.stop - 1 in told:
            yield index


def _written_out(page: Page, index: int, block: Prose | Items) -> list[tuple[Note, Line]]:
    if not _may_be(block):
        return []
    tagged = list(_tagged(page, index, block)) if isinstance(block, Items) else []
    taken = {line.number for _, line in tagged}
    for found in (_of_lines(page, index), _of_paragraph(page, index, block)):
        made = [(note, line) for note, line in found if line.number not in taken]
        taken |= {line.number for _, line in made}
        tagged += made
    return sorted(tagged, key=lambda pair: pair[1].number)


def _may_be(block: Prose | Items) -> bool:
    if isinstance(block, Items):
        return any("::" in item.text or _MAY_BE.search(item.text) for item in block.items)
    return _MAY_BE.search(block.text) is not None


def _tagged(page: Page, index: int, block: Items) -> Iterator[tuple[Note, Line]]:
    """Items that end with `#card`, with what is below them."""
    begin = page.item_starts(index)
    for at, item in enumerate(block.items):
        first, *rest = item.text.split("\n")
        if "#" not in first or not _TAG.search(first):
            continue
        front = _TAG.sub("", first).strip()
        stop = next(
            (n for n in range(at + 1, len(block.items)) if block.items[n].depth <= item.depth), len(block.items)
        )
        below = [f"{'    ' * (one.depth - item.depth - 1)}- {one.text.strip()}" for one in block.items[at + 1 : stop]]
        below = [below[0].removeprefix("- ")] if len(below) == 1 else below
        back = "\n".join([*(line for line in rest if not _PROPERTY.fullmatch(line.strip())), *below]).strip()
        body = _with_holes(front) or (
            Basic(prompt=front, answer=back) if has_words(front) and has_words(back) else None
        )
        if body:
            span = Span(item.span.start, block.items[stop - 1].span.stop)
            anchor = body.text if isinstance(body, Cloze) else body.prompt
            yield page.note(body, span, index, anchor, rests_on=page.apis_on(span)), page.lines(index)[begin[at]]


def _of_lines(page: Page, index: int) -> Iterator[tuple[Note, Line]]:
    bare = _are_bare([line.text for line in page.lines(index)])
    for line in page.lines(index):
        may = "::" in line.text or "：：" in line.text or "{{cloze" in line.text
        body = (_with_holes(line.text) or _with_sides(line.text, bare=bare)) if may else None
        if body:
            anchor = body.text if isinstance(body, Cloze) else body.prompt
            span = line_span(line.number)
            yield page.note(body, span, index, anchor, rests_on=page.apis_on(span)), line


def _of_paragraph(page: Page, index: int, block: Prose | Items) -> Iterator[tuple[Note, Line]]:
    """Front and back with a line `?` between them, `??` if both are asked for; or `front #card` above its back."""
    lines = page.lines(index)
    begin = page.item_starts(index) if isinstance(block, Items) else (0,)
    for first, stop in pairwise((*begin, len(lines))):
        part = lines[first:stop]
        marks = [at for at, line in enumerate(part) if line.text.strip() in ("?", "??")]
        if len(marks) == 1 and marks[0] > 0:
            found = _two_sides(page, index, part[: marks[0]], part[marks[0] + 1 :], part[marks[0]].text.strip() == "??")
            yield from found
        elif (
            isinstance(block, Prose)
            and part
            and _TAG.search(part[0].text)
            and not _TAG.sub("", part[0].text, 1).startswith("#")
        ):
            yield from _two_sides(page, index, part[:1], part[1:], False)


def _two_sides(
    page: Page, index: int, above: Sequence[Line], below: Sequence[Line], both: bool
) -> Iterator[tuple[Note, Line]]:
    """One note of the lines above and below the mark, and of what stands right below those."""
    front = _TAG.sub("", "\n".join(line.text for line in above)).strip()
    said = [line.text for line in below if not _REMARK.fullmatch(line.text.strip())]
    last = above[-1] if not below else below[-1]
    goes_on = [] if len(said) < len(below) else list(_right_below(page, index, last.number + 1 + (not below)))
    back = "\n".join([*said, *(f"\n{markdown_of(page.blocks[at])}" for at in goes_on)]).strip()
    back = _REMARK.sub("", back).strip()
    if has_words(front) and has_words(back):
        stop = page.blocks[goes_on[-1]].span.stop if goes_on else last.number + 1
        body = Basic(prompt=_ITEM_MARK.sub("", front), answer=back, reverse=both)
        span = Span(above[0].number, stop)
        yield page.note(body, span, index, body.prompt, rests_on=page.apis_on(span)), above[0]


def _right_below(page: Page, index: int, line: int) -> Iterator[int]:
    """Indices of the code and lists that begin on a line right below a paragraph, with no blank line between."""
    for at in range(index + 1, len(page.blocks)):
        block = page.blocks[at]
        if not isinstance(block, Code | Items | Table | Quote) or block.span.start != line:
            return
        yield at
        line = block.span.stop


def _with_holes(line: str) -> Cloze | None:
    """`The {{c1::optimizer}} steps.`"""
    text, done = "", 0
    holes: list[Hole] = []
    for match in _HOLE.finditer(line := line.strip()):
        text += line[done : match.start()]
        told = match["text"] or match["told"]
        holes.append(Hole(int(match["number"] or len(holes) + 1) or 1, len(text), len(text) + len(told)))
        text += told
        done = match.end()
    return Cloze(text=text + line[done:], holes=tuple(holes)) if holes else None


def _are_bare(lines: list[str]) -> bool:
    """Several lines `numel::number of elements` with fronts of their own: names of C++ would share theirs."""
    fronts = [match["front"] for line in lines if "::" in line and (match := _BARE.fullmatch(line.strip()))]
    return len(fronts) >= _FEWEST_BARE and len(fronts) == len(lines) == len(set(fronts))


def _with_sides(line: str, *, bare: bool = False) -> Basic | None:
    """`front::back`, unless it is a name of C++ or a field about the page."""
    match = next((match for match in _SPLIT.finditer(line) if bare or not _in_name(line, match)), None)
    if match is None:
        return None
    front, back = without_number(without_emoji(line[: match.start()].strip())), line[match.end() :].strip()
    words = plain(front)
    if not has_words(front) or not has_words(back) or width(words) > _LONGEST or _FIELD.fullmatch(words):
        return None
    both = match["marks"] == ":::" or not wording.QUESTION.search(front)
    return Basic(prompt=front, answer=back, reverse=both)


def _in_name(line: str, match: re.Match[str]) -> bool:
    """Between names (`torch::nn`), inside code or brackets (`x[::2]`), or behind a directive's (`.. note::`)."""
    before, after = line[: match.start()], line[match.end() :]
    name = _BETWEEN_NAMES.search(before) and _OF_NAME.match(after)
    inside = before.count("`") % 2 or any(before.count(a) > before.count(b) for a, b in ("()", "[]", "<>"))
    return bool((name and match["marks"] == "::") or inside) or before.startswith("..")
