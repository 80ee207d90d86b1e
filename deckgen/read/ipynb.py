"""Jupyter notebooks, with the outputs that are stored in them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from deckgen.document import Block, Code, Document, Heading, Image, Output
from deckgen.errors import SourceError
from deckgen.read import located, markdown
from deckgen.read.assemble import document_of_blocks, moved
from deckgen.read.located import Json, lines_of
from deckgen.source import Source, Span

_OPENING = re.compile(r"\s*\{")
_MIME = re.compile(r"image/(png|jpeg|gif|webp|svg\+xml)")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NEWEST = 4
_MOST_CELLS_JSON_HEAD = 400_000
"""Characters looked at to tell a notebook from other JSON."""
Stream = Literal["stdout", "stderr", "result", "error", "any"]


def claims_source(source: Source) -> bool:
    """JSON with cells."""
    if not _OPENING.match(source.text):
        return False
    head = source.text[:_MOST_CELLS_JSON_HEAD]
    return '"cell_type"' in head and ('"cells"' in head or '"worksheets"' in head)


def read(source: Source) -> Document:
    """Cells in order. SourceError if the text is no JSON; anything else that is damaged is left out."""
    try:
        notebook = located.loads(source.text)
    except ValueError as error:
        hint = "open it in Jupyter and save it again"
        raise SourceError(f"this notebook is not valid JSON: {error}", source.name, hint) from error
    code = _language(notebook)
    blocks: list[Block] = []
    for number, cell in enumerate(_cells(notebook)):
        blocks += _cell(cell, number, code)
    return document_of_blocks(source, "ipynb", blocks, title=_title(notebook), continuous=True)


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _cells(notebook: Json) -> Sequence[Json]:
    """The cells; of a notebook older than format 4 as nbformat upgrades it."""
    data = _mapping(notebook)
    if "cells" in data:
        return _list(data["cells"])
    upgraded = _upgraded(data)
    return _list(upgraded.get("cells"))


def _upgraded(data: Mapping[str, Json]) -> Mapping[str, Json]:
    import nbformat  # lazily: it is slow to import, and old notebooks are few

    try:
        result = nbformat.convert(nbformat.from_dict(dict(data)), _NEWEST)  # type: ignore[no-untyped-call]
    except Exception:
        sheets = (_mapping(sheet) for sheet in _list(data.get("worksheets")))
        return {"cells": [cell for sheet in sheets for cell in _list(sheet.get("cells"))]}
    return _mapping(result)


def _language(notebook: Json) -> str:
    metadata = _mapping(_mapping(notebook).get("metadata"))
    for place in ("language_info", "kernelspec"):
        about = _mapping(metadata.get(place))
        name = about.get("name") if place == "language_info" else about.get("language")
        if isinstance(name, str) and name:
            return name.lower()
    return "python"


def _title(notebook: Json) -> str:
    title = _mapping(_mapping(notebook).get("metadata")).get("title")
    return title if isinstance(title, str) else ""


def _cell(value: Json, number: int, code: str) -> list[Block]:
    cell = _mapping(value)
    texts, numbers = lines_of(cell.get("source", cell.get("input", "")))
    kind = cell.get("cell_type")
    if kind == "markdown":
        return _markdown(texts, numbers, cell)
    if kind == "heading" and texts:
        level = cell.get("level")
        return [Heading(_place(numbers), level if isinstance(level, int) else 1, " ".join(texts))]
    if kind != "code":
        return []
    blocks: list[Block] = []
    if any(text.strip() for text in texts):
        blocks.append(_code(texts, numbers, code))
    for index, output in enumerate(_list(cell.get("outputs"))):
        blocks += _output(_mapping(output), f"cell{number}-output{index}")
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


def _place(numbers: Sequence[int]) -> Span:
    return Span(numbers[0], numbers[-1] + 1)


def _code(texts: list[str], numbers: list[int], language: str) -> Code:
    text = "\n".join(texts)
    if text.startswith("%%"):
        # A cell magic (`%%bash`) says that the rest is not Python.
        language = re.split(r"\W", text[2:], maxsplit=1)[0] or language
        language = {"time": "python", "timeit": "python", "capture": "python"}.get(language, language)
    return Code(_place(numbers), text, language, tuple(numbers), cell=True)


def _markdown(texts: list[str], numbers: list[int], cell: Mapping[str, Json]) -> list[Block]:
    if not texts:
        return []

    def place(span: Span) -> Span:
        start = numbers[min(span.start, len(numbers) - 1)]
        last = numbers[min(max(span.stop - 1, span.start), len(numbers) - 1)]
        return Span(start, max(start, last) + 1)

    attached = _mapping(cell.get("attachments"))
    return [_attached(moved(block, place), attached) for block in markdown.blocks_of(texts)]


def _attached(block: Block, attachments: Mapping[str, Json]) -> Block:
    """A picture that a Markdown cell carries with it (`attachment:image.png`)."""
    if not isinstance(block, Image) or not block.target.startswith("attachment:"):
        return block
    name = block.target.removeprefix("attachment:")
    pictures = list(_pictures(_mapping(attachments.get(name))))
    if not pictures:
        return block
    return Image(block.span, block.alt, name, pictures[0][1])


def _output(output: Mapping[str, Json], name: str) -> list[Block]:
    kind = output.get("output_type")
    if kind == "stream":
        stream = output.get("name", output.get("stream"))
        return _text(output.get("text"), "stderr" if stream == "stderr" else "stdout")
    if kind in ("error", "pyerr"):
        return _error(output)
    data = _mapping(output.get("data")) or output
    pictures = [Image(Span(line, line + 1), "", f"{name}.{suffix}", content) for suffix, content, line in _stored(data)]
    text = _text(data.get("text/plain", data.get("text")), "result" if kind == "execute_result" else "any")
    return list(pictures) if pictures else text


def _text(value: Json, stream: Stream) -> list[Block]:
    texts, numbers = lines_of(value)
    texts = [_ANSI.sub("", text).rsplit("\r", 1)[-1] for text in texts]
    while texts and not texts[-1].strip():
        texts.pop()
    numbers = numbers[: len(texts)]
    return [Output(_place(numbers), "\n".join(texts), stream, tuple(numbers))] if texts else []


def _error(output: Mapping[str, Json]) -> list[Block]:
    """The last line of a traceback: `NameError: name 'x' is not defined`."""
    name, _ = lines_of(output.get("ename"))
    value, numbers = lines_of(output.get("evalue"))
    if not name:
        return _text(output.get("traceback"), "error")
    text = f"{name[0]}: " + "\n".join(value) if value and any(value) else name[0]
    where = numbers or [getattr(output.get("ename"), "line", 0)]
    return [Output(_place(where), text, "error", tuple([where[0]] * (text.count("\n") + 1)))]


def _stored(data: Mapping[str, Json]) -> Iterable[tuple[str, bytes, int]]:
    for mime, content in data.items():
        match = _MIME.fullmatch(mime) or _MIME.fullmatch(f"image/{mime}")
        if not match:
            continue
        texts, numbers = lines_of(content)
        picture = _decoded("".join(texts) if match[1] != "svg+xml" else "\n".join(texts), match[1])
        if picture and numbers:
            yield match[1].replace("svg+xml", "svg").replace("jpeg", "jpg"), picture, numbers[0]
            return


def _pictures(data: Mapping[str, Json]) -> Iterable[tuple[str, bytes]]:
    return ((suffix, content) for suffix, content, _ in _stored(data))


def _decoded(text: str, kind: str) -> bytes | None:
    if kind == "svg+xml":
        return text.encode()
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return None
