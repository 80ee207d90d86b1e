"""Notes and warnings of documentation and site generators, as the callouts that GitHub and Obsidian write.

`:::{note}`, `::: tip Title`, `!!! warning "Title"`, `{% note info %}`, `{{< callout type="x" >}}`: each
becomes a quote that begins with `[!note] Title`. Lines keep their numbers. Hidden answers of Hugo
(`{{< details "Question" >}}`) become `<details>`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.read.blocks.fences import fence_after
from deckgen.text.pattern import pattern

MARKS = (":::", "!!!", "???", "===", "{%", "{{", "{:", "```{")
"""How a line must begin to be looked at."""
_KINDS = (
    "note|tip|hint|info|important|warning|caution|danger|attention|error|seealso|question|faq|example|abstract|summary|"
    "success|failure|bug|quote|notice|callout|alert|admonition|primary|default"
)
_COLONS = pattern(rf"(?P<mark>:{{3,}})\s*\{{?(?P<kind>{_KINDS})\b[^}}\s]*\}}?\s*(?P<title>.*)", re.I)
_INDENTABLE = ("!!!", "???")
"""Stand below an item of a list, too."""
_TAB = pattern(r"===[!+]?\s+\"(?P<title>[^\"]*)\"\s*")
"""One of several tabs: what is in it is indented."""
_BANGS = pattern(rf"\s*(?:!!!|\?\?\?\+?)\s+(?P<kind>{_KINDS})\b[^\"]*(?:\"(?P<title>[^\"]*)\")?\s*", re.I)
_FENCED = pattern(rf"(?P<mark>`{{3,}})\{{(?P<kind>{_KINDS})\}}\s*(?P<title>.*)", re.I)
_KRAMDOWN = pattern(rf"\{{:\s*\.(?P<kind>{_KINDS})(?:-title)?\s*\}}\s*", re.I)
"""Stands right above its paragraph."""
_TAG = pattern(
    rf"(?:\{{%-?\s*(?P<hexo>{_KINDS})\b(?P<words>[^%]*)%\}}|\{{\{{[<%]\s*(?P<hugo>{_KINDS})\b(?P<more>[^>%]*)[>%]\}}\}})\s*",
    re.I,
)
_TAG_END = pattern(rf"(?:\{{%-?\s*end(?:{_KINDS})\s*-?%\}}|\{{\{{[<%]\s*/\s*(?:{_KINDS})\s*[>%]\}}\}})\s*", re.I)
_DETAILS = pattern(r"\{\{[<%]\s*details\s+(?:(?:summary|title)=)?\"(?P<title>[^\"]*)\"[^>%]*[>%]\}\}\s*", re.I)
_DETAILS_END = pattern(r"\{\{[<%]\s*/\s*details\s*[>%]\}\}\s*", re.I)
LONGEST = 200
"""Lines in which an admonition must end."""


def as_callouts(lines: Sequence[str]) -> Sequence[str]:
    """The same lines, with admonitions written as quotes and hidden answers as `<details>`."""
    if not any(line.startswith(MARKS) or (line[:2] == "  " and line.lstrip()[:3] in _INDENTABLE) for line in lines):
        return lines
    written = list(lines)
    number, fence = 0, ""
    while number < len(lines):
        line = lines[number]
        looked = line.startswith(MARKS) or line.lstrip()[:3] in _INDENTABLE
        stop = _end(lines, number) if not fence and looked else None
        if stop is not None:
            _write(written, number, stop)
            number = stop
            continue
        fence = fence_after(line, fence)
        number += 1
    return written


def _end(lines: Sequence[str], start: int) -> int | None:
    """The line after an admonition that begins here; None if none does."""
    line = lines[start]
    if _BANGS.fullmatch(line) or _TAB.fullmatch(line):
        return _indented_end(lines, start)
    if _KRAMDOWN.fullmatch(line):
        stop = next((n for n in range(start + 1, min(len(lines), start + LONGEST)) if not lines[n].strip()), len(lines))
        return stop if stop > start + 1 else None
    for opens, closes in ((_COLONS, None), (_FENCED, None), (_TAG, _TAG_END), (_DETAILS, _DETAILS_END)):
        match = opens.fullmatch(line)
        if match:
            for number in range(start + 1, min(len(lines), start + LONGEST)):
                here = lines[number].strip()
                if here == match["mark"] if closes is None else closes.fullmatch(here):
                    return number + 1
    return None


def _indented_end(lines: Sequence[str], start: int) -> int | None:
    stop = number = start + 1
    inside = " " * (len(lines[start]) - len(lines[start].lstrip()) + 4)
    while number < min(len(lines), start + LONGEST) and (not lines[number].strip() or lines[number].startswith(inside)):
        number += 1
        stop = number if lines[number - 1].strip() else stop
    return stop if stop > start + 1 else None


def _write(written: list[str], start: int, stop: int) -> None:
    line = written[start]
    if details := _DETAILS.fullmatch(line):
        written[start], written[stop - 1] = f"<details><summary>{details['title']}</summary>", "</details>"
        return
    if _TAB.fullmatch(line):
        written[start:stop] = [f"<!-- {line.strip()} -->", *(text[4:] for text in written[start + 1 : stop])]
        return
    bangs, above = _BANGS.fullmatch(line), _KRAMDOWN.fullmatch(line)
    kind, title = _named(line)
    last = stop if bangs or above else stop - 1
    margin = line[: len(line) - len(line.lstrip())]
    for number in range(start + 1, last):
        text = written[number][len(margin) + 4 :] if bangs else written[number]
        written[number] = f"{margin}> {text}".rstrip()
    written[start] = f"{margin}> [!{kind.lower()}] {title}".rstrip()
    if not (bangs or above):
        written[stop - 1] = ">"


def _named(line: str) -> tuple[str, str]:
    """The kind and the title that an opening line gives."""
    if match := _COLONS.fullmatch(line) or _BANGS.fullmatch(line) or _FENCED.fullmatch(line):
        return match["kind"], (match["title"] or "").strip()
    if match := _KRAMDOWN.fullmatch(line):
        return match["kind"], ""
    match = _TAG.fullmatch(line)
    words = (match["words"] or match["more"] or "") if match else ""
    title = re.search(r"title=\"([^\"]*)\"", words)
    return "note", title[1] if title else ""
