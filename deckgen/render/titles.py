"""The title and the context line: where we are, in as few words as it takes and without what the card asks anyway.

Only all notes of a deck together can tell which titles are unique, and which cards are ambiguous.
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
_TITLE, _CONTEXT, _CODE, _ANSWER, _REVERSE = map(FIELDS.index, ("Title", "Context", "Code", "Answer", "AskReverse"))


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
    found = []
    for note in notes:
        fields, ordinals = list(note.fields), note.ordinals
        if titles[note.kind, fields[_TITLE]] > 1:
            fields[_TITLE] += f" #{_digest(note.answer_text + chr(0) + fields[_CODE])}"
        if fields[_REVERSE] and reverse[_reverse_front(note)] > 1:
            fields[_REVERSE] = ""
            ordinals = tuple(ordinal for ordinal in ordinals if ordinal != 1)
        found.append(replace(note, fields=tuple(fields), ordinals=ordinals))
    return tuple(found)


def _reverse_front(note: Rendered) -> tuple[str, ...]:
    return note.kind, note.fields[_CONTEXT], note.fields[_ANSWER]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


_ARGUMENTS = pattern(r"(?<=[A-Za-z0-9_])\((?:[^()\n]|\([^()\n]*\)){30,}\)")
"""Of a call that is a heading: a whole signature would be longer than the question below it."""
_ASKING = pattern(r"\A(?:Q|问)\s*\d{0,3}\s*[:：]\s*(?=\S)", re.IGNORECASE)
_NUMBERING = pattern(r"[\W\d_一二三四五六七八九十]*\Z")
_ASPECT = pattern(r"(.+?) [-—] .+\Z")
"""`view() - 特点？`: a prompt that begins with the heading it belongs to."""

Place = tuple[str, str]
"""A heading as (plain text, HTML)."""


def places(headings: Sequence[str], asked: str, line: Callable[[str], str]) -> list[Place]:
    """The headings that the context names; `asked` is the plain prompt and `line` renders inline Markdown."""
    path = [(escape.plain(markup), markup) for markup in map(line, map(_shortened, headings))]
    path = [(plain, markup) for plain, markup in path if plain and plain != asked]
    aspect = _ASPECT.match(asked)
    last = path[-1][0] if path else ""
    # the prompt may begin with the last heading, but for its numbering
    repeats = aspect and last.endswith(aspect[1]) and _NUMBERING.match(last.removesuffix(aspect[1]))
    return path[:-1] if repeats else path


def joined(path: Sequence[Place]) -> str:
    """The context as HTML."""
    return '<span class="then">›</span>'.join(markup for _, markup in path)


def _shortened(heading: str) -> str:
    heading = _ARGUMENTS.sub("(…)", _ASKING.sub("", heading))
    if heading.endswith("…") and heading.count("`") % 2:  # cut off inside of code
        heading = heading[: heading.rindex("`")].rstrip() + "…"
    return heading
