"""What only all notes of a deck together can tell: titles that are unique, cards that are ambiguous.

The context line: where we are, in as few words as it takes and without what the card asks anyway.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from deckgen.model.deck import FIELDS, Rendered
from deckgen.render import escape
from deckgen.text.pattern import pattern

_LENGTH = 160
_TITLE = FIELDS.index("Title")
_REVERSE = FIELDS.index("AskReverse")


def title(headings: Sequence[str], asked: str) -> str:
    """`Tensor › view() · What does it do?` as HTML; long text is cut and told apart by a digest."""
    path = " › ".join(headings[-3:])
    plain = " ".join(escape.clean(" · ".join(filter(None, (path, asked)))).split())
    if len(plain) > _LENGTH:
        plain = f"{plain[:_LENGTH].rstrip()}… #{_digest(plain)}"
    return escape.literal_clozes(escape.field_text(plain))


def distinct(notes: Sequence[Rendered]) -> tuple[Rendered, ...]:
    """The same notes, told apart.

    Where several of one kind share a title, each gets a digest of what it answers: it depends on the note
    alone, so that a title does not change with its neighbours' order. Where several reverse cards
    would ask the same ("sets the gradient mode: what is it called?"), nobody could answer: none is made.
    """
    titles = Counter((note.kind, note.fields[_TITLE]) for note in notes)
    reverse = Counter(_reverse_front(note) for note in notes if note.fields[_REVERSE])
    apart = (_with_places(note) if titles[note.kind, note.fields[_TITLE]] > 1 else note for note in notes)
    return tuple(
        _one_way(note) if note.fields[_REVERSE] and reverse[_reverse_front(note)] > 1 else note for note in apart
    )


def _reverse_front(note: Rendered) -> tuple[str, ...]:
    return note.kind, *(note.fields[FIELDS.index(name)] for name in ("Context", "Answer"))


def _one_way(note: Rendered) -> Rendered:
    fields = list(note.fields)
    fields[_REVERSE] = ""
    return replace(note, fields=tuple(fields), ordinals=tuple(n for n in note.ordinals if n != 1))


def _with_places(note: Rendered) -> Rendered:
    fields = list(note.fields)
    fields[_TITLE] += f" #{_digest(note.answer_text + chr(0) + note.fields[FIELDS.index('Code')])}"
    return replace(note, fields=tuple(fields))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


_SEPARATOR = '<span class="then">›</span>'
_ARGUMENTS = pattern(r"(?<=[A-Za-z0-9_])\((?:[^()\n]|\([^()\n]*\)){30,}\)")
"""Of a call that is a heading: a whole signature would be longer than the question below it."""
_ASKING = pattern(r"(?:Q|问)\s*\d{0,3}\s*[:：]\s*(?=\S)", re.IGNORECASE)
_NUMBERING = pattern(r"[\W\d_一二三四五六七八九十]*\Z")
_ASPECT = pattern(r"(.+?) [-—] .+\Z")
"""`view() - 特点？`: a prompt that begins with the heading it belongs to."""

Place = tuple[str, str]
"""A heading as (plain text, HTML)."""


def places(headings: Sequence[str], asked: str, line: Callable[[str], str]) -> list[Place]:
    """The headings that the context names; `asked` is the plain prompt and `line` renders inline Markdown."""
    path = [(escape.plain(markup), markup) for markup in map(line, map(_shortened, headings))]
    path = [(plain, markup) for plain, markup in path if plain and plain != asked]
    return path[:-1] if path and _repeats(path[-1][0], asked) else path


def joined(path: Sequence[Place]) -> str:
    """The context as HTML."""
    return _SEPARATOR.join(markup for _, markup in path)


def _shortened(heading: str) -> str:
    heading = _ASKING.sub("", heading, count=1) if _ASKING.match(heading) else heading
    heading = _ARGUMENTS.sub("(…)", heading)
    if heading.endswith("…") and heading.count("`") % 2:  # cut off inside of code
        heading = heading[: heading.rindex("`")].rstrip() + "…"
    return heading


def _repeats(heading: str, asked: str) -> bool:
    """True if the prompt begins with the heading, but for its numbering."""
    aspect = _ASPECT.match(asked)
    if not aspect or not heading.endswith(aspect[1]):
        return False
    return bool(_NUMBERING.match(heading.removesuffix(aspect[1])))
