"""The two sides of a card in a text: `term :: text`, `term ::: text`, and a `?` or `??` on a line of its own between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.text.pattern import pattern

_COLONS = pattern(
    r"(?P<quoted>(?P<ticks>`+).+?(?P=ticks)(?!`)|\$\$.+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$|https?://\S+|<[^>\s][^>]*>)"
    r"|(?<!:)(?P<sign>:::?)(?!:)"
)
_NAMESPACES = frozenset(
    "at aten autograd c10 caffe2 cuda data functional init jit nn optim serialize std torch torchvision".split()
)
_CALLED = pattern(r"\w+\s*\(")
_NAME_BEFORE = pattern(r"(\w+)\Z")
_MARK = pattern(r"[ \t]*(?P<sign>\?\??)[ \t]*")


class Sides(NamedTuple):
    """Where a text is cut in two."""

    front: str
    back: str
    both: bool
    """True if each side is asked."""


def cut(line: str, *, tight: bool) -> Sides | None:
    """The sides of a line with `::`; `tight` = blanks around it may be missing.

    No `::` of code, of a formula, an address, a slice or a name of C++ counts.
    """
    for found in _COLONS.finditer(line) if "::" in line else ():
        if found["quoted"]:
            continue
        before, after = line[: found.start()], line[found.end() :]
        spaced = before.endswith((" ", "\t")) and (not after or after.startswith((" ", "\t")))
        inside = any(before.count(one) > before.count(other) for one, other in ("()", "[]", "{}"))
        if before.strip() and not inside and (spaced or (tight and _parts_sides(before, after))):
            return Sides(before.strip(), after.strip(), len(found["sign"]) == 3)
    return None


def _parts_sides(before: str, after: str) -> bool:
    name = _NAME_BEFORE.search(before)
    return not (name and (name[1] in _NAMESPACES or _CALLED.match(after)))


def mark_at(lines: Sequence[str]) -> int:
    """The line that is but `?` or `??`; -1 if there is none."""
    return next((at for at, line in enumerate(lines) if _MARK.fullmatch(line)), -1)


def is_double(line: str) -> bool:
    """True for `??`."""
    return line.strip() == "??"


def has_sides(text: str, *, tight: bool) -> bool:
    """True if a text holds a card with two sides."""
    lines = text.split("\n")
    return mark_at(lines) >= 0 or any(cut(line, tight=tight) for line in lines)


def cards_in(text: str, *, tight: bool) -> Iterator[tuple[int, int, Sides]]:
    """(first line, line behind the last, sides) of each card on lines with `::`; lines that follow belong to its back."""
    lines = text.split("\n")
    cuts = [(at, found) for at, line in enumerate(lines) if (found := cut(line, tight=tight))]
    ends = [*(at for at, _ in cuts[1:]), len(lines)]
    for (at, found), stop in zip(cuts, ends, strict=False):
        more = "\n".join((found.back, *lines[at + 1 : stop])).strip("\n")
        yield at, stop, found._replace(back=more)
