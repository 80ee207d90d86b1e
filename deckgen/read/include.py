"""Include: fill an empty fence with code that is kept in a file of its own.

A fence with ``python {file=snippets/collate.py#pad_batch}`` and nothing in it stands for the lines
between `# region pad_batch` and `# endregion` of that file; without `#name` for the whole file. A
fence that has text of its own is left as it is: other tools write `{file=...}` as a caption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from deckgen.model.document import Block, Code, Document, Flashcard, Origin, Refused
from deckgen.text.pattern import pattern

Load = Callable[[str], str | None]
"""The text of a file by its path as written, or None if there is none; the caller reads files."""

_TARGET = pattern(r"""(?<!\S)file=(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s"]+?)(?=,?(?:\s|$)))""")
_REGION = pattern(r"^\s*#\s*region\s+(?P<name>[\w-]+)\s*$")
_END = pattern(r"^\s*#\s*endregion\b")


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of a file, without the marks of regions and with the common indentation taken off."""

    lines: tuple[int, ...]
    """0-based, in the file."""
    text: str


def included(document: Document, load: Load) -> Document:
    """The document with its includes filled in; one that cannot be is `Refused`, with the reason."""
    fill = _with_refusals if document.apart else _filled
    blocks = tuple(fill(block, load) for block in document.blocks)
    return document if blocks == document.blocks else replace(document, blocks=blocks)


def regions(text: str) -> dict[str, Region]:
    """The named regions of a file, in the order in which they open; they may be nested.

    Raises ValueError if one is never closed, closes what was not opened, or is named twice.
    """
    lines = text.split("\n")
    return {name: _region(lines, numbers) for name, numbers in _marked(lines).items()}


def _with_refusals(block: Block, load: Load) -> Block:
    """A card of data, which shows its own text alone; an include that cannot be filled is refused there, too."""
    if not isinstance(block, Flashcard):
        return block
    filled = [_filled(inner, load) for inner in block.blocks]
    kept = (one if isinstance(one, Refused) else inner for inner, one in zip(block.blocks, filled, strict=True))
    return replace(block, blocks=tuple(kept))


def _filled(block: Block, load: Load) -> Block:
    target = _target(block)
    if target is None or not isinstance(block, Code):
        return block
    path, _, name = target.partition("#")
    try:
        region = _wanted(path, name, load)
    except ValueError as error:
        return Refused(span=block.span, text=block.info, reason=str(error), is_error=True)
    return replace(
        block,
        text=region.text,
        lines=(block.span.start,) * len(region.lines),
        origin=Origin(path=path, lines=region.lines),
    )


def _target(block: Block) -> str | None:
    """`path#region` of an empty fence that asks for an include."""
    if not isinstance(block, Code) or block.text.strip():
        return None
    match = _TARGET.search(block.attributes)
    return (match["quoted"] or match["bare"]) if match else None


def _wanted(path: str, name: str, load: Load) -> Region:
    """The region called `name`, or the whole file; raises ValueError with what to tell the author."""
    # A document must not be able to carry off files from elsewhere on the machine that builds it.
    if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts or "\\" in path or ":" in path:
        raise ValueError(f"an include must stay below the deck's folders: {path}")
    text = load(path)
    if text is None:
        raise ValueError(f"no such file: {path}")
    try:
        found = regions(text)
    except ValueError as error:
        raise ValueError(f"{path}:{error}") from None
    if not name:
        return _region(text.split("\n"), range(text.count("\n") + 1))
    if name not in found:
        raise ValueError(f"{path} has no region {name}; it has: {', '.join(found) or 'none'}")
    return found[name]


def _marked(lines: list[str]) -> dict[str, range]:
    """Name to the lines between its marks."""
    found: dict[str, range] = {}
    for name, start, stop in _pairs(lines):
        if name in found:
            raise ValueError(f"{start}: region {name} is there twice")
        found[name] = range(start, stop)
    return dict(sorted(found.items(), key=lambda entry: entry[1].start))


def _pairs(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """(name, first line inside, line of the end mark) of each region, as it closes."""
    opened: list[tuple[str, int]] = []
    for number, line in enumerate(lines):
        if match := _REGION.match(line):
            opened.append((match["name"], number + 1))
        elif _END.match(line):
            if not opened:
                raise ValueError(f"{number + 1}: # endregion without its # region")
            yield (*opened.pop(), number)
    if opened:
        raise ValueError(f"{opened[-1][1]}: region {opened[-1][0]} is never closed")


def _region(lines: list[str], numbers: range) -> Region:
    kept = [number for number in numbers if not (_REGION.match(lines[number]) or _END.match(lines[number]))]
    while kept and not lines[kept[0]].strip():
        del kept[0]
    while kept and not lines[kept[-1]].strip():
        del kept[-1]
    indent = min((_indent(lines[number]) for number in kept if lines[number].strip()), default=0)
    return Region(tuple(kept), "\n".join(lines[number][indent:] for number in kept))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
