"""Clozes: text with holes -> HTML with Anki's deletions, on exactly the cards that were asked for.

The front must not show the answer anywhere: whole-word occurrences of a hole's text outside all holes
are hidden on the same card, unless the author set the gaps. If Markdown cannot take the marks without reading the text in another way,
the text is shown as it stands, without markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from deckgen.model.note import Hole
from deckgen.render import code, escape, marks, prose
from deckgen.render.media import Pictures
from deckgen.text.pattern import pattern

_DELIMITERS = "*_~=`$"
_AROUND = pattern(r"\A[\s*_~=`]+|[\s*_~=`]+\Z")


def cleaned(text: str, holes: Sequence[Hole]) -> tuple[str, tuple[Hole, ...]]:
    """`escape.clean` for text with holes; holes that overlap or run backwards are dropped."""
    inside = [replace(hole, start=max(hole.start, 0), stop=min(hole.stop, len(text))) for hole in holes]
    kept = _disjoint(sorted((h for h in inside if h.start < h.stop), key=lambda h: (h.start, h.stop)))
    edges = [0, *(edge for hole in kept for edge in (hole.start, hole.stop)), len(text)]
    parts = [escape.clean(text[start:stop]) for start, stop in pairwise(edges)]
    ends = list(accumulate(map(len, parts)))
    bounds = zip(kept, ends[0::2], ends[1::2], strict=False)
    return "".join(parts), tuple(replace(hole, start=start, stop=stop) for hole, start, stop in bounds)


def code_cloze(
    text: str, language: str, holes: Sequence[Hole], *, as_given: bool = False
) -> tuple[str, frozenset[int]]:
    """Highlighted code with deletions, and the numbers of its cards; `as_given` = of the holes alone."""
    text, holes = cleaned(text, holes)
    wanted = holes if as_given else with_twins(text, joined(text, holes))
    hints = [(one.number, escape.text(escape.clean(one.hint))) for one in wanted if one.hint]
    return marks.deletions(code.block(text, language, marks.hole_edges(wanted), fold=True), hints)


def prose_cloze(
    text: str, holes: Sequence[Hole], pictures: Pictures, *, as_given: bool = False
) -> tuple[str, frozenset[int]]:
    """Markdown with deletions, and the numbers of its cards; `as_given` = of the holes alone."""
    text, holes = cleaned(text, holes)
    own = _disjoint([_snapped(text, hole) for hole in holes if text[hole.start : hole.stop].strip()])
    own = own if as_given else joined(text, own)
    hints = [(one.number, prose.line(one.hint, pictures)) for one in own if one.hint]
    expected = prose.html(text, pictures)
    # A twin may stand where no deletion can (in a link's address): then the holes alone.
    for wanted in (own,) if as_given else (_disjoint(with_twins(text, own)), own):
        source = marks.insert(text, wanted)
        marked = prose.marked(source, pictures)
        markup, numbers = marks.deletions(marked, hints)
        faithful = marks.without(marked) == expected and marks.sequence(marked) == marks.sequence(source)
        if faithful and numbers == {hole.number for hole in wanted}:
            return markup, numbers
    literal = escape.outside_code(marks.insert(text, own)).replace("\n", "<br>\n")
    return marks.deletions(escape.literal_clozes(literal), hints)


def answer(text: str, hole: Hole) -> str:
    """What a hole hides, without white space and Markdown's delimiters around it."""
    return _AROUND.sub("", text[hole.start : hole.stop])


def joined(text: str, holes: Sequence[Hole]) -> tuple[Hole, ...]:
    """`holes`, where two share the smaller number if one would show the other's answer.

    No number is ever moved up to fill a gap: a learner's history hangs on it.
    """
    number = {hole.number: hole.number for hole in holes}
    for hole in holes:
        secret = answer(text, hole)
        found = occurrences(secret) if tells(secret) else None
        for other in holes if found else ():
            one, two = number[hole.number], number[other.number]
            if found and one != two and found.search(text[other.start : other.stop]):
                number = {key: min(one, two) if n in (one, two) else n for key, n in number.items()}
    return tuple(replace(hole, number=number[hole.number]) for hole in holes)


def with_twins(text: str, holes: Sequence[Hole]) -> tuple[Hole, ...]:
    """`holes`, and every other whole-word place where one's answer stands, with its number.

    Beside a gap it stands as a word of its own; behind the name of a module it is another: `.grad` of a tensor is not
    that of `torch.autograd.grad`.
    """
    found = list(holes)
    bare = text
    for hole in holes:
        bare = bare[: hole.start] + "\0" * (hole.stop - hole.start) + bare[hole.stop :]
    for secret, number in {answer(text, hole): hole.number for hole in reversed(holes)}.items():
        for match in occurrences(secret).finditer(bare) if tells(secret) and secret in bare else ():
            start, stop = match.span()
            if secret[0] != "." or not _PATH.search(bare, max(start - 80, 0), start):
                found.append(Hole(number, start, stop))
                bare = bare[:start] + "\0" * (stop - start) + bare[stop:]
    return tuple(sorted(found, key=lambda hole: hole.start))


_PATH = pattern(r"(?<![\w.])(?:torch|nn|F|optim|np|numpy|torchvision|torchaudio)(?:\.\w+)*\Z", re.ASCII)


def tells(secret: str) -> bool:
    """True if seeing this text elsewhere gives the answer away: `0`, `(` and `x` stand everywhere."""
    return len(secret) >= (3 if secret.isascii() else 2) and any(c.isalnum() for c in secret)


def occurrences(secret: str) -> re.Pattern[str]:
    """Matches `secret` as a whole word (Chinese has no words' edges)."""
    before = r"(?<![A-Za-z0-9_])" if re.match(r"[A-Za-z0-9_]", secret) else ""
    after = r"(?![A-Za-z0-9_])" if re.search(r"[A-Za-z0-9_]\Z", secret) else ""
    return re.compile(before + re.escape(secret) + after)


def _snapped(text: str, hole: Hole) -> Hole:
    """The hole without white space at its edges, and not between a delimiter's characters."""
    inner = text[hole.start : hole.stop].lstrip()
    start = hole.stop - len(inner)
    stop = start + len(inner.rstrip())
    while start and text[start] in _DELIMITERS and text[start - 1] == text[start]:
        start -= 1
    while stop < len(text) and text[stop - 1] in _DELIMITERS and text[stop] == text[stop - 1]:
        stop += 1
    if _escapes(text, start - 1):
        start -= 1
    if stop < len(text) and _escapes(text, stop - 1):
        stop += 1
    return replace(hole, start=start, stop=stop)


def _escapes(text: str, at: int) -> bool:
    """True for a backslash that is not escaped itself."""
    return at >= 0 and text[at] == "\\" and not (at and text[at - 1] == "\\")


def _disjoint(holes: Sequence[Hole]) -> tuple[Hole, ...]:
    kept: list[Hole] = []
    for hole in holes:
        if not kept or hole.start >= kept[-1].stop:
            kept.append(hole)
    return tuple(kept)
