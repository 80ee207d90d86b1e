"""Names of APIs as notes write them: `F.conv1d`, `step()`, `add_scalar(tag, value, step)`, `flush()` / `close()`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deckgen.extract.text import code_spans, plain, unescaped, without_emoji
from deckgen.text.pattern import pattern

_IDENTIFIER = r"[A-Za-z_<][\w<>]*(?:\.[A-Za-z_<][\w<>]*)*"
_FILE = r"(?!\.(?:pth?|py|pkl|onnx|csv|json|txt|md|yaml|yml|zip|ipynb|safetensors|bin|whl|log|so|dll|exe)$)"
_CALL = pattern(rf"^(?:with\s+|@|await\s+|del\s+)?{_FILE}(?P<name>\.?{_IDENTIFIER})\s*(?P<args>\(.*\))?$", re.DOTALL)
"""`.shape` is a name too; `.pth` is the end of a file's."""
_BARE = pattern(
    r"^(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|"
    r"[A-Za-z_]\w*(?=\())(?P<args>\([^()]*(?:\([^()]*\)[^()]*)*\))?$"
)
_PLAIN_NAME = pattern(r"[A-Za-z_]\w*", re.ASCII)
_MARKED = pattern(r"(`++).+?\1")
_BETWEEN = pattern(r"[(\[{)\]}/、，；;,]")
"""Brackets, and what separates names."""


def api_names(cell: str) -> list[str]:
    """Names without arguments, if a cell is about names and nothing else; `loss、acc` is not."""
    return [match["name"] for match in _calls(cell)]


def signature(cell: str) -> str:
    """What the cell writes, arguments and all, without marks: `flush() / close()`."""
    return " / ".join(match[0].strip() for match in _calls(cell))


def is_name(cell: str) -> bool:
    """True for one identifier: `batch_size` in a column of parameters."""
    return _PLAIN_NAME.fullmatch(plain(cell)) is not None


def bare_names(cell: str) -> list[str]:
    """Identifiers without marks: `add_image, add_images` and `flush / close` in a column of methods; else nothing."""
    parts = _parts(plain(cell))
    return parts if parts and all(map(_PLAIN_NAME.fullmatch, parts)) else []


def called(name: str) -> str:
    """The last part of a dotted name: what a call in code ends with."""
    return name.rsplit(".", 1)[-1]


@lru_cache(maxsize=4096)
def _calls(cell: str) -> Sequence[re.Match[str]]:
    spans = code_spans(cell)
    if spans:
        rest = plain(_MARKED.sub("", cell))
        if len(rest) > 24:
            return []
        return [match for span in spans for match in _calls_of_span(unescaped(span))]
    words = without_emoji(plain(cell)).strip()
    matches = [_BARE.match(part) for part in _parts(words)]
    return [match for match in matches if match] if matches and all(matches) else []


def _calls_of_span(span: str) -> Sequence[re.Match[str]]:
    """What one span names; nothing for an expression, of which some parts look like names: `x + y, x / y`."""
    matches = [_CALL.match(part) for part in _parts(span)]
    found = [match for match in matches if match]
    return found if len(found) == len(matches) else []


def _parts(text: str) -> list[str]:
    """The text cut at commas and slashes outside brackets."""
    parts, depth, start = [], 0, 0
    for match in _BETWEEN.finditer(text):
        mark = match[0]
        if mark in {"(", "[", "{"}:
            depth += 1
        elif mark in {")", "]", "}"}:
            depth -= 1
        elif depth == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
