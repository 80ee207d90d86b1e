"""Outputs as Jupyter stores them: streams, values, errors, pictures."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from deckgen.model.document import Block, Image, Output
from deckgen.model.source import Span
from deckgen.read import located
from deckgen.read.located import Json, lines_of
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import COLOUR

_MIME = pattern(r"image/(png|jpeg|gif|webp|svg\+xml)")
Stream = Literal["stdout", "stderr", "result", "error", "any"]


def outputs_in(text: str, name: str) -> list[Block]:
    """The blocks of a list of outputs written as JSON, as exporters to Markdown do; empty if it is none."""
    try:
        value = located.loads(text)
    except ValueError:
        return []
    return (
        [block for output in value if mapping(output) for block in output_blocks(mapping(output), name)]
        if isinstance(value, list)
        else []
    )


def mapping(value: Json) -> Mapping[str, Json]:
    """A JSON object; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def line_range(numbers: Sequence[int]) -> Span:
    """From the first of these lines to the last."""
    return Span(numbers[0], numbers[-1] + 1)


def output_blocks(output: Mapping[str, Json], name: str) -> list[Block]:
    """The blocks of one output; `name` is that of its picture, if it is one."""
    kind = output.get("output_type")
    if kind == "stream":
        stream = output.get("name", output.get("stream"))
        return _text(output.get("text"), "stderr" if stream == "stderr" else "stdout")
    if kind in ("error", "pyerr"):
        return _error(output)
    data = mapping(output.get("data")) or output
    pictures = [
        Image(Span(line, line + 1), "", f"{name}.{suffix}", content) for suffix, content, line in stored_pictures(data)
    ]
    text = _text(data.get("text/plain", data.get("text")), "result" if kind == "execute_result" else "any")
    return list(pictures) if pictures else text


def _text(value: Json, stream: Stream) -> list[Block]:
    texts, numbers = lines_of(value)
    texts = [COLOUR.sub("", text).rsplit("\r", 1)[-1] for text in texts]
    while texts and not texts[-1].strip():
        texts.pop()
    numbers = numbers[: len(texts)]
    return [Output(line_range(numbers), "\n".join(texts), stream, tuple(numbers))] if texts else []


def _error(output: Mapping[str, Json]) -> list[Block]:
    """The last line of a traceback: `NameError: name 'x' is not defined`."""
    name, _ = lines_of(output.get("ename"))
    value, numbers = lines_of(output.get("evalue"))
    if not name:
        return _text(output.get("traceback"), "error")
    # A message of several lines is one message.
    text = f"{name[0]}: " + " ".join(line.strip() for line in value) if value and any(value) else name[0]
    where = numbers or [getattr(output.get("ename"), "line", 0)]
    return [Output(line_range(where), text, "error", tuple([where[0]] * (text.count("\n") + 1)))]


def stored_pictures(data: Mapping[str, Json]) -> Iterable[tuple[str, bytes, int]]:
    """(suffix, content, line) of the first picture, if there is one."""
    for mime, content in data.items():
        match = _MIME.fullmatch(mime) or _MIME.fullmatch(f"image/{mime}")
        if not match:
            continue
        texts, numbers = lines_of(content)
        picture = _decoded("".join(texts) if match[1] != "svg+xml" else "\n".join(texts), match[1])
        if picture and numbers:
            yield match[1].replace("svg+xml", "svg").replace("jpeg", "jpg"), picture, numbers[0]
            return


def _decoded(text: str, kind: str) -> bytes | None:
    if kind == "svg+xml":
        return text.encode()
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return None
