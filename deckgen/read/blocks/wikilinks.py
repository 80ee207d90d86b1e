"""Links between notes of one vault, as Obsidian and Logseq write them: `[[Tensors#Leaf|leaf]]` is read as `leaf`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.read.unfenced.furniture import is_furniture
from deckgen.text.pattern import pattern

_LINK = pattern(
    r"(?<![\w\])])(?P<embed>!?)\[\[(?P<target>[^\W\d][^\[\]|#^\n]*)?(?P<part>#[^\[\]|\n]+)?(?:\\?\|(?P<label>[^\[\]|\n]+))?\]\]"
)
_ANCHOR = pattern(r"(?<=\S)\s+\^[a-z][\w-]*\s*$", re.IGNORECASE)
"""A name by which other notes refer to a paragraph."""
_CODE = pattern(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_FENCE = pattern(r"\s*(?:[-*+>]\s+|\d+[.)]\s+)*(?P<mark>`{3,}|~{3,})")
_PICTURE = pattern(r".+\.(?:png|jpe?g|gif|svg|webp|bmp)", re.IGNORECASE)


def as_labels(lines: Sequence[str]) -> Sequence[str]:
    """The same lines with each link as what a reader sees of it, and a picture as Markdown shows one; code is left alone."""
    if not any("[[" in line or " ^" in line for line in lines):
        return lines
    read: list[str] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark["mark"]
        elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        kept = fence or mark or is_furniture(line)
        read.append(line if kept else _with_labels(_ANCHOR.sub("", line)))
    return read


def _with_labels(line: str) -> str:
    parts, done = [], 0
    for code in _CODE.finditer(line):
        parts += [_LINK.sub(_label, line[done : code.start()]), code[0]]
        done = code.end()
    return "".join([*parts, _LINK.sub(_label, line[done:])])


def _label(link: re.Match[str]) -> str:
    target, part, label = link["target"] or "", (link["part"] or "").strip("#^ "), link["label"] or ""
    if link["embed"] and _PICTURE.fullmatch(target):
        return f"![]({target.strip().replace(' ', '%20')})"
    if not (target or part) or ("," in target and not (part or label)):
        return link[0]  # a matrix
    return label.strip() or " > ".join(filter(None, (target.strip(), part.replace("#", " > "))))
