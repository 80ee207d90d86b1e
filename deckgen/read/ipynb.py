"""Jupyter notebooks, with the outputs that are stored in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Code, Document, Heading, Image
from deckgen.model.errors import SourceError
from deckgen.model.source import Source, Span
from deckgen.read import located, markdown
from deckgen.read.assemble import document_of_blocks, moved
from deckgen.read.located import Json, Located, lines_of, told_apart
from deckgen.read.stored import line_range, mapping, output_blocks, stored_pictures
from deckgen.text.pattern import pattern

_OPENING = pattern(r"\s*\{")
_NEWEST = 4
_MOST_CELLS_JSON_HEAD = 400_000
"""Characters looked at to tell a notebook from other JSON."""


def claims_source(source: Source) -> bool:
    """JSON with cells."""
    if not _OPENING.match(source.text):
        return False
    head = source.text[:_MOST_CELLS_JSON_HEAD]
    return '"cell_type"' in head and ('"cells"' in head or '"worksheets"' in head)


def read(source: Source) -> Document:
    """Cells in order. SourceError if the text is no JSON; anything else that is damaged is left out."""
    strings: list[Located] = []
    try:
        notebook = located.loads(source.text, strings=strings)
    except ValueError as error:
        hint = "open it in Jupyter and save it again"
        raise SourceError(f"this notebook is not valid JSON: {error}", source.name, hint) from error
    places = told_apart(strings)
    code = _language(notebook)
    blocks: list[Block] = []
    for number, cell in enumerate(_cells(notebook)):
        blocks += _cell(cell, number, code)
    return document_of_blocks(source, "ipynb", blocks, title=_title(notebook), continuous=True, places=places)


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _cells(notebook: Json) -> Sequence[Json]:
    """The cells; of a notebook older than format 4 as nbformat upgrades it."""
    data = mapping(notebook)
    if "cells" in data:
        return _list(data["cells"])
    upgraded = _upgraded(data)
    return _list(upgraded.get("cells"))


def _upgraded(data: Mapping[str, Json]) -> Mapping[str, Json]:
    import nbformat  # lazily: it is slow to import, and old notebooks are few

    try:
        result = nbformat.convert(nbformat.from_dict(dict(data)), _NEWEST)  # type: ignore[no-untyped-call]
    except Exception:
        sheets = (mapping(sheet) for sheet in _list(data.get("worksheets")))
        return {"cells": [cell for sheet in sheets for cell in _list(sheet.get("cells"))]}
    return mapping(result)


def _language(notebook: Json) -> str:
    metadata = mapping(mapping(notebook).get("metadata"))
    for place in ("language_info", "kernelspec"):
        about = mapping(metadata.get(place))
        name = about.get("name") if place == "language_info" else about.get("language")
        if isinstance(name, str) and name:
            return name.lower()
    return "python"


def _title(notebook: Json) -> str:
    title = mapping(mapping(notebook).get("metadata")).get("title")
    return title if isinstance(title, str) else ""


def _cell(value: Json, number: int, code: str) -> list[Block]:
    cell = mapping(value)
    texts, numbers = lines_of(cell.get("source", cell.get("input", "")))
    kind = cell.get("cell_type")
    if kind == "markdown":
        return _markdown(texts, numbers, cell)
    if kind == "heading" and texts:
        level = cell.get("level")
        return [Heading(line_range(numbers), level if isinstance(level, int) else 1, " ".join(texts))]
    if kind != "code":
        return []
    blocks: list[Block] = []
    if any(text.strip() for text in texts):
        blocks.append(_code(texts, numbers, code))
    for index, output in enumerate(_list(cell.get("outputs"))):
        blocks += output_blocks(mapping(output), f"cell{number}-output{index}")
    return _below(blocks)


def _below(blocks: list[Block]) -> list[Block]:
    """Outputs below their code, although Jupyter writes them above it (its keys are sorted).

    Such an output has an empty span right below the code; its `lines` say where it really stands.
    """
    placed = blocks[:1]
    for block in blocks[1:]:
        above = block.span.start < placed[0].span.start
        stop = placed[-1].span.stop
        placed.append(replace(block, span=Span(stop, stop)) if above else block)
    return placed


def _code(texts: list[str], numbers: list[int], language: str) -> Code:
    text = "\n".join(texts)
    if text.startswith("%%"):
        # A cell magic (`%%bash`) says that the rest is not Python.
        language = re.split(r"\W", text[2:], maxsplit=1)[0] or language
        language = {"time": "python", "timeit": "python", "capture": "python"}.get(language, language)
    return Code(line_range(numbers), text, language, tuple(numbers), cell=True)


def _markdown(texts: list[str], numbers: list[int], cell: Mapping[str, Json]) -> list[Block]:
    if not texts:
        return []

    def place(span: Span) -> Span:
        start = numbers[min(span.start, len(numbers) - 1)]
        last = numbers[min(max(span.stop - 1, span.start), len(numbers) - 1)]
        return Span(start, max(start, last) + 1)

    attached = mapping(cell.get("attachments"))
    return [_attached(moved(block, place), attached) for block in markdown.blocks_of(texts)]


def _attached(block: Block, attachments: Mapping[str, Json]) -> Block:
    """A picture that a Markdown cell carries with it (`attachment:image.png`)."""
    if not isinstance(block, Image) or not block.target.startswith("attachment:"):
        return block
    name = block.target.removeprefix("attachment:")
    pictures = list(_pictures(mapping(attachments.get(name))))
    if not pictures:
        return block
    return Image(block.span, block.alt, name, pictures[0][1])


def _pictures(data: Mapping[str, Json]) -> Iterable[tuple[str, bytes]]:
    return ((suffix, content) for suffix, content, _ in stored_pictures(data))
