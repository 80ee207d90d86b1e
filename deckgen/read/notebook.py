"""Jupyter notebooks, with the outputs that are stored in them: streams, values, errors, pictures."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Code, Directive, Document, Heading, Image, Output
from deckgen.model.errors import SourceError
from deckgen.model.source import Source, Span, line_span
from deckgen.read import located, markdown
from deckgen.read.assemble import document_of_blocks, moved_to
from deckgen.read.located import Json, Located, lines_of
from deckgen.text.pattern import COLOUR, pattern

_HEAD = 400_000
"""Characters looked at to tell a notebook from other JSON."""
_HINT = "open it in Jupyter and save it again, or take it out of the notes"
_MIME = pattern(r"(?:image/)?(png|jpeg|gif|webp|svg\+xml)")


def read(source: Source) -> Document | None:
    """Cells in order. SourceError if the text is no JSON or has no list of cells, which a file called `.ipynb` must have;
    what is damaged in a cell is left out.
    """
    head = source.text[:_HEAD]
    looks_like_one = (
        head.lstrip()[:1] == "{" and '"cell_type"' in head and ('"cells"' in head or '"worksheets"' in head)
    )
    is_one = source.name.lower().endswith(".ipynb") and head.strip() != ""
    if not looks_like_one and not is_one:
        return None
    strings: list[Located] = []
    try:
        notebook = _mapping(located.loads(source.text, strings=strings))
    except ValueError as error:
        raise SourceError(f"this notebook is not valid JSON: {error}", source.name, _HINT) from error
    places = located.set_apart(strings)
    metadata = _mapping(notebook.get("metadata"))
    names = _mapping(metadata.get("language_info")).get("name"), _mapping(metadata.get("kernelspec")).get("language")
    language = next((name.lower() for name in names if isinstance(name, str) and name), "python")
    sheets = [notebook, *map(_mapping, _list(notebook.get("worksheets")))]  # the format before 4
    lists = [sheet["cells"] for sheet in sheets if "cells" in sheet]
    whole = lists and all(isinstance(one, list) and all(isinstance(cell, dict) for cell in one) for one in lists)
    if is_one and not whole:
        raise SourceError("this notebook has no list of cells", source.name, _HINT)
    cells = [_mapping(cell) for one in lists for cell in _list(one)]
    blocks = [block for number, cell in enumerate(cells) for block in _cell(cell, number, language)]
    title = metadata.get("title")
    shown = title if isinstance(title, str) else ""
    return document_of_blocks(source, "notebook", blocks, title=shown, continuous=True, places=places)


def _mapping(value: Json) -> Mapping[str, Json]:
    """A JSON object; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _cell(cell: Mapping[str, Json], number: int, language: str) -> list[Block]:
    texts, numbers = lines_of(cell.get("source", cell.get("input", "")))
    kind, level = cell.get("cell_type"), cell.get("level")
    if kind == "markdown":
        pictures = _mapping(cell.get("attachments"))
        return [_attached(block, pictures) for block in moved_to(markdown.blocks_of(texts), numbers)]
    if kind == "heading" and texts:
        return [Heading(_range(numbers), level if isinstance(level, int) else 1, " ".join(texts))]
    if kind != "code":
        return []
    blocks: list[Block] = []
    if any(map(str.strip, texts)):
        if texts[0].startswith("%%"):  # a cell magic (`%%bash`) says that the rest is not Python
            magic = re.split(r"\W", texts[0][2:], maxsplit=1)[0] or language
            language = "python" if magic in ("time", "timeit", "capture") else magic
        blocks.append(Code(_range(numbers), "\n".join(texts), language, tuple(numbers), cell=True))
    outputs = enumerate(_list(cell.get("outputs")))
    shown = [block for index, output in outputs for block in _output(_mapping(output), f"cell{number}-output{index}")]
    if shown and not blocks:
        blocks.append(Directive(line_span(shown[0].span.start), ()))  # an empty cell: its outputs are no other cell's
    return _below([*blocks, *shown])


def _range(numbers: Sequence[int]) -> Span:
    return Span(numbers[0], numbers[-1] + 1)


def _below(blocks: list[Block]) -> list[Block]:
    """Outputs below their code, although Jupyter writes them above it (its keys are sorted).

    Such an output has an empty span right below the code; its `lines` say where it really stands.
    """
    placed = blocks[:1]
    for block in blocks[1:]:
        stop = placed[-1].span.stop
        above = block.span.start < placed[0].span.start
        placed.append(replace(block, span=Span(stop, stop)) if above else block)
    return placed


def _attached(block: Block, attachments: Mapping[str, Json]) -> Block:
    """A picture that a Markdown cell carries with it (`attachment:image.png`)."""
    if not isinstance(block, Image) or not block.target.startswith("attachment:"):
        return block
    name = block.target.removeprefix("attachment:")
    picture = next(_pictures(_mapping(attachments.get(name))), None)
    return Image(block.span, block.alt, name, picture[1]) if picture else block


def _output(output: Mapping[str, Json], name: str) -> list[Block]:
    """The blocks of one output; `name` is that of its picture, if it is one."""
    kind = output.get("output_type")
    if kind in ("error", "pyerr"):
        return _error(output)
    if kind == "stream":
        errors = output.get("name", output.get("stream")) == "stderr"
        return _text(output.get("text"), "stderr" if errors else "stdout")
    data = _mapping(output.get("data")) or output
    if picture := next(_pictures(data), None):
        suffix, content, line = picture
        return [Image(line_span(line), "", f"{name}.{suffix}", content)]
    return _text(data.get("text/plain", data.get("text")), "result" if kind in ("execute_result", "pyout") else "any")


def _text(value: Json, stream: str) -> list[Block]:
    texts, numbers = lines_of(value)
    texts = [COLOUR.sub("", text).rsplit("\r", 1)[-1] for text in texts]
    while texts and not texts[-1].strip():
        texts.pop()
    kept = tuple(numbers[: len(texts)])
    return [Output(_range(kept), "\n".join(texts), stream, kept)] if texts else []  # type: ignore[arg-type]


def _error(output: Mapping[str, Json]) -> list[Block]:
    """The last line of a traceback: `NameError: name 'x' is not defined`; a message of several lines is one message."""
    name, value = output.get("ename"), output.get("evalue")
    names, _ = lines_of(name)
    message, numbers = lines_of(value)
    if not names:
        return _text(output.get("traceback"), "error")
    text = f"{names[0]}: " + " ".join(map(str.strip, message)) if any(message) else names[0]
    where = numbers or [getattr(name, "line", 0)]
    return [Output(_range(where), text, "error", (where[0],) * (text.count("\n") + 1))]


def _pictures(data: Mapping[str, Json]) -> Iterator[tuple[str, bytes, int]]:
    """(suffix, content, line) of each picture."""
    for mime, value in data.items():
        match = _MIME.fullmatch(mime)
        texts, numbers = lines_of(value) if match else ([], [])
        if not match or not numbers:
            continue
        try:
            content = "\n".join(texts).encode() if match[1] == "svg+xml" else base64.b64decode("".join(texts))
        except ValueError:
            continue
        if content:
            yield {"svg+xml": "svg", "jpeg": "jpg"}.get(match[1], match[1]), content, numbers[0]
