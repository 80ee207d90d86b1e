"""Code tags of site generators: `{% codeblock %}`, `{% highlight python %}`, `{{< highlight python >}}`."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.text.pattern import pattern

_OPEN = pattern(
    r"(\s*)(?:\{%-?\s*(?P<jekyll>codeblock|highlight)\b(?P<words>[^%]*)-?%\}"
    r"|\{\{[<%]\s*highlight\b(?P<hugo>[^>%]*)[>%]\}\})\s*"
)
_CLOSE = pattern(r"\s*(?:\{%-?\s*end(?:codeblock|highlight)\s*-?%\}|\{\{[<%]\s*/\s*highlight\s*[>%]\}\})\s*")
_FENCE = "`" * 12
"""Longer than any fence that the code itself may hold."""


def as_fences(lines: Sequence[str]) -> list[str]:
    """The same lines, with code tags that are closed again written as fences."""
    written = list(lines)
    opened: int | None = None
    for number, line in enumerate(lines):
        if opened is None and "{" in line and _OPEN.fullmatch(line):
            opened = number
        elif opened is not None and "{" in line and _CLOSE.fullmatch(line):
            written[opened] = _fence(lines[opened])
            written[number] = _indent(lines[opened]) + _FENCE
            opened = None
    return written


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _fence(line: str) -> str:
    match = _OPEN.fullmatch(line)
    words = ((match["words"] or match["hugo"] or "") if match else "").split()
    named = [word.removeprefix("lang:") for word in words if word.startswith("lang:")]
    language = named[0] if named else words[0] if words else ""
    return f"{_indent(line)}{_FENCE}{language}"
