"""Quizzes in other dresses, written as most are: `A 会` as `A. 会`, a spoiler or a callout that hides an answer as a lid.

Each line stays in its place, so that numbers of lines and what idioms know of places hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.extract import wording
from deckgen.extract.text import plain
from deckgen.model.document import Block, Details, Document, Heading, Item, Items, Prose, Quote, Table
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_SPACED = pattern(r"^(?P<before>\s*)(?P<letter>[A-H])(?:[ \t]+|\u3000+)(?=[^\s.．、:：)）=+\-*/|&,，])")
"""`A 会`: a letter with nothing behind it but a space."""
_MAY_BE_SPACED = pattern(r"^[\s>*+-]*A(?:[ \t]+|\u3000+)\S.*\n[\s>*+-]*B(?:[ \t]+|\u3000+)\S", re.MULTILINE)
_SPOILER = pattern(r"!\s*(?P<text>\S.*?)\s*!<\s*", re.DOTALL)
"""What is left of `>!B, since ...!<` without the mark of a quote."""
_CALLOUT = pattern(r"\[!\w+\][+-]?[ \t]*(?P<title>[^\n]*)\n(?P<text>.*\S.*)", re.DOTALL)
_INNER = pattern(r"^>\s*\[!\w+\][+-]?[ \t]*(?P<title>[^\n]*)$", re.MULTILINE)
_NAMES = pattern(rf"\W*(?:{wording.ANSWER_LABEL}|答)\W*", re.IGNORECASE)
_HEADED = pattern(r"^.{1,40}[:：—–-]\s*(?:(?:the )?(?:answer|solution)|(?:参考|正确)?(?:答案|解答))\W*$", re.IGNORECASE)
"""`Poll 3: answer`: a heading right above the answer of one question."""
_VERDICT = pattern(
    r"[*_`]{0,3}(?:[A-H](?:\s*[,，、&]?\s*[A-H])*|[TF]|true|false|对|错|正确|错误|[√×])[*_`]{0,3}\s*(?:$|[—–\-,.:(（，。：])",
    re.IGNORECASE,
)


def undressed(document: Document) -> Document:
    """The same document with plain options and answers; the document itself if all of them are."""
    blocks = [*_headed(map(_plain_block, document.blocks))]
    same = all(new is old for new, old in zip(blocks, document.blocks, strict=True))
    return document if same else replace(document, blocks=tuple(blocks))


def _plain_block(block: Block) -> Block:
    match block:
        case Prose() if _MAY_BE_SPACED.search(block.text):
            return replace(block, text="\n".join(_lettered(block.text.split("\n"))))
        case Quote() if block.text.lstrip()[:1] in ("!", "[") or "\n> [!" in block.text:
            return _unhidden(block)
        case Items():
            return _plain_items(block)
        case Table() if len(block.header) == 2 and _OPTIONS.fullmatch(plain("".join(block.header[:1]))):
            return _listed(block)
        case _:
            return block


def _listed(table: Table) -> Block:
    """A table of options as a list of them; the table itself if its rows are not lettered A, B, ..."""
    first = _ROW.fullmatch(plain(table.header[0])) if table.header[0].strip() else None
    head = table.rows[0].span.start - 2 if table.rows else table.span.start
    rows = [(Span(head, head + 1), table.header)] if first else []
    rows += [(row.span, row.cells) for row in table.rows]
    letters = [match[1] for _, cells in rows if (match := _ROW.fullmatch(plain(cells[0])))]
    if len(letters) < 2 or letters != [chr(65 + at) for at in range(len(rows))]:
        return table
    return Items(
        table.span,
        tuple(Item(span, 0, f"{letter}. {cells[1]}") for letter, (span, cells) in zip(letters, rows, strict=True)),
    )


_ROW = pattern(r"\W{0,2}([A-H])\W{0,2}")
_OPTIONS = pattern(r"\W*|\W{0,2}A\W{0,2}|\W*(?:选项|options?|choices?)\W*", re.IGNORECASE)
"""What stands over the letters of options."""


def _lettered(lines: Sequence[str]) -> list[str]:
    """Lines with a mark behind each letter of those that count A, B, ... one below the other."""
    told = list(lines)
    at = 0
    while at < len(lines):
        stop = at
        while stop < len(lines) and (match := _SPACED.match(lines[stop])) and match["letter"] == chr(65 + stop - at):
            stop += 1
        if stop - at > 1:
            told[at:stop] = [_SPACED.sub(r"\g<before>\g<letter>. ", line) for line in lines[at:stop]]
        at = max(stop, at + 1)
    return told


def _plain_items(block: Items) -> Items:
    """Items with plain letters, and `B` below the item `答案` as `答案：B`."""
    texts = [item.text for item in block.items]
    by_depth = [_lettered_of(block.items, depth) for depth in sorted({item.depth for item in block.items})]
    changed = {at: text for found in by_depth for at, text in found.items()} | dict(_answers(block.items))
    if not changed:
        return block
    items = (replace(item, text=changed.get(at, texts[at])) for at, item in enumerate(block.items))
    return replace(block, items=tuple(items))


def _lettered_of(items: Sequence[Item], depth: int) -> dict[int, str]:
    """The new texts of the items of one depth whose letters count, by their places."""
    places = [at for at, item in enumerate(items) if item.depth == depth]
    if not any(items[at].text.startswith(("A ", "A\u3000")) for at in places):
        return {}
    texts = [items[at].text for at in places]
    told = _lettered(texts)
    return {at: new for at, new, old in zip(places, told, texts, strict=True) if new != old}


def _answers(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """(place, text) of the only item below one that says nothing but `答案`."""
    for at, item in enumerate(items[1:], 1):
        above = items[at - 1]
        if item.depth == above.depth + 1 and len(above.text) < 16 and _NAMES.fullmatch(above.text):
            yield at, f"{above.text.strip(' *:：')}: {item.text}"


def _unhidden(block: Quote) -> Block:
    """A spoiler, or a callout named `答案`, as a lid; a callout within a quote as a line of it."""
    spoiler = _SPOILER.fullmatch(block.text.strip())
    callout = _CALLOUT.fullmatch(block.text.strip())
    if spoiler:
        return Details(block.span, "Answer", spoiler["text"])
    if callout and _is_lid(callout["title"]):
        return Details(block.span, callout["title"].strip(), callout["text"])
    lids = [match for match in _INNER.finditer(block.text) if _is_lid(match["title"])]
    return replace(block, text=_opened(block.text, lids)) if lids else block


def _is_lid(title: str) -> bool:
    return bool(title.strip()) and wording.REVEAL.match(plain(title)) is not None


def _opened(text: str, lids: Sequence[re.Match[str]]) -> str:
    """`> [!success]- 答案` and `> C` within a quote as an empty line and `答案: C`."""
    for lid in reversed(lids):
        below = re.sub(r"\n>\s?", "\n", text[lid.end() :]).removeprefix("\n")
        text = f"{text[: lid.start()]}\n{lid['title'].strip()}: {below}"
    return text


def _headed(blocks: Iterator[Block]) -> Iterator[Block]:
    """Blocks in which the answer right below `Poll 3: answer` is labelled as one."""
    above: Block | None = None
    for block in blocks:
        named = isinstance(above, Heading) and isinstance(block, Prose) and _HEADED.match(plain(above.text))
        above = block
        yield (
            replace(block, text=f"Answer: {block.text}")
            if named and isinstance(block, Prose) and _VERDICT.match(block.text)
            else block
        )
