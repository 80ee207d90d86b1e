"""Rendering: a decided note -> fields of HTML for one of the five note types.

Pure: no files, no clock, no genanki. Pictures come from a callback.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.deck import FIELDS, Rendered, Reverse
from deckgen.model.note import Note
from deckgen.model.results import Decision
from deckgen.render import code, escape
from deckgen.render.fields import ASK_REVERSE, TYPED, FieldSet, RenderContext, field_set, hidden
from deckgen.render.markdown import is_cjk
from deckgen.render.media import MediaSource, Pictures, named, no_media, readable
from deckgen.render.notetypes import LOOK_CHANGED, NOTETYPES, WORDS, Language
from deckgen.render.versions import version_label
from deckgen.text.pattern import pattern

__all__ = ["LOOK_CHANGED", "NOTETYPES", "MediaSource", "describe", "distinct", "named", "no_media", "render"]

_LENGTH = 160
_TITLE, _CODE = map(FIELDS.index, ("Title", "Code"))


_ARGUMENTS = pattern(r"(?<=[A-Za-z0-9_])\((?:[^()\n]|\([^()\n]*\)){30,}\)")
"""Of a call that is a heading: a whole signature would be longer than the question below it."""
_ASKING = pattern(r"\A«question.q»\s*\d{0,3}\s*[:：]\s*(?=\S)", re.IGNORECASE)
_NAMED = 12
"""Sources that a deck's description names at most."""
_HEADINGS = 2
"""Of the path, the nearest."""
_PHONE_COLUMNS = 46
"""Of the context line at 360 px; Chinese characters take two."""
_NUMBERING = pattern(r"(?:[\W\d_]|«grammar.numeral»)*\Z")
_ASPECT = pattern(r"(.+?) [-—] .+\Z")
"""`view() - 特点？`: a prompt that begins with the heading it belongs to."""


def render(
    decision: Decision,
    *,
    language: Language = "en",
    media: MediaSource = no_media,
) -> Rendered:
    """The fields, tags and cards of one note.

    `language` is that of deckgen's own sentences. The tags are the note's own (its topics), its kind as
    `deckgen::kind::cloze`, and `deckgen::corrected` or `deckgen::unverified`; the deck's tags are the
    caller's. Titles are readable, but unique only after `distinct`.
    """
    note = decision.note
    context = RenderContext(decision, WORDS[language], Pictures(media))
    made = field_set(note.body, context)
    versions = version_label(note.versions, context.words)
    path = _path(note.headings, made.title, context, _PHONE_COLUMNS - _columns(versions))
    made.fields["Title"] = _title([*filter(None, [versions]), *(plain for plain, _ in path)], made.title)
    line = _then("›").join(markup for _, markup in path)
    made.fields["Context"] = _with_versions(hidden(line, made.secrets), versions)
    made.fields["Claimed"] = _claimed(context, made)
    made.fields["Source"] = _source(note)
    if decision.stamp:
        stamp = escape.outside_code(escape.clean(context.words.stamped(decision.stamp)))
        made.fields["Checked"] = f'<span class="{_state(context)}">{stamp}</span>'
    rendered = Rendered(
        kind=made.kind,
        key=note.key,
        explicit_id=note.explicit_id,
        places=note.places,
        fields=tuple(_field(made, name) for name in FIELDS),
        tags=_tags(context, made),
        answer_text=made.answer,
        ordinals=made.ordinals,
        media=tuple(context.pictures.found.values()),
        missing_media=tuple(context.pictures.missing),
        words=decision.words,
        spare=_reverse(made, line, versions),
    )
    wanted = decision.reverse or ASK_REVERSE in note.tags
    return replace(rendered.with_spare(), spare=None) if wanted else rendered


def _then(sign: str) -> str:
    return f'<span class="then">{sign}</span>'


def _with_versions(context: str, versions: str) -> str:
    """First, since a phone cuts the end of a long line off."""
    return _then("·").join(filter(None, (escape.text(versions), context)))


def _reverse(made: FieldSet, line: str, versions: str) -> Reverse | None:
    """The card that shows the answer first; `line` is the whole context."""
    if not made.reverse:
        return None
    context = _with_versions(hidden(line, (made.name,) if made.name else ()), versions)
    return Reverse(*(escape.field(escape.literal_clozes(markup)) for markup in (made.reverse, context)))


def describe(sources: Sequence[str], *, author: str = "", language: Language, version: str, torch: str) -> str:
    """What Anki shows of a deck: the author's words, its sources and the versions that made it, as HTML.

    A blank line in `author` begins a paragraph. `torch` is empty where nothing ran.
    """
    words = WORDS[language]
    named = list(dict.fromkeys(filter(None, map(readable, sources))))
    listed = words.between.join(named[:_NAMED]) + (" …" if len(named) > _NAMED else "")
    lines = [words.made_from.format(count=len(sources), sources=listed, version=version)]
    if torch:
        lines.append(words.checked_on.format(torch=torch))
    paragraphs = [*author.split("\n\n"), " ".join(lines)]
    return "<br><br>".join(filter(None, (escape.text(escape.clean(" ".join(one.split()))) for one in paragraphs)))


def _field(made: FieldSet, name: str) -> str:
    markup = made.fields.get(name, "")
    if name == "Title" or not markup:
        return markup
    holed = made.kind == "cloze" and name in ("Prompt", "Code")  # in all others `{{c1::` is text
    return escape.field(markup if holed else escape.literal_clozes(markup))


def _claimed(context: RenderContext, made: FieldSet) -> str:
    """What the notes said, if torch says otherwise; torch's own text where the card does not show it."""
    decision, words = context.decision, context.words
    if not context.corrected or decision.claimed is None:
        return ""
    parts = [f'<div class="label">{words.notes_said}</div>', f'<div class="said">{code.output(decision.claimed)}</div>']
    if made.kind != "output" and decision.observed is not None:
        parts += (f'<div class="label">{words.torch_says}</div>', code.output(decision.observed))
    return "".join(parts)


def _source(note: Note) -> str:
    """Where the note comes from. Without line numbers, which move with every paragraph added above."""
    return escape.outside_code(readable(note.source) or escape.plain(escape.text(" ".join(note.headings[:1]))) or "…")


def _state(context: RenderContext) -> str:
    """What the dot before the stamp tells: full for a run, a ring where only names were looked up or nothing was."""
    decision = context.decision
    if context.corrected or decision.claimed is not None:  # contradicted, and shipped all the same
        return "corrected"
    if decision.unverified or decision.stamp.startswith(("not checked", "not run")):
        return "unverified"
    return "named" if decision.stamp.startswith("API names") else "checked"


def _tags(context: RenderContext, made: FieldSet) -> tuple[str, ...]:
    topics = [tag for tag in context.decision.note.tags if tag not in (TYPED, ASK_REVERSE)]
    states = ["deckgen::corrected"] if context.corrected else []
    if context.decision.unverified:
        states.append("deckgen::unverified")
    spelt = ("-".join(escape.clean(tag).split()) for tag in (*topics, f"deckgen::kind::{made.kind}", *states))
    return tuple(dict.fromkeys(tag for tag in spelt if tag))


# --- titles and the context line: where we are, in as few words as it takes and without what the card asks anyway ---


def _path(headings: Sequence[str], asked: str, context: RenderContext, room: int) -> list[tuple[str, str]]:
    """The headings that the context names in so many columns, as (plain text, HTML); `asked` is the plain prompt."""
    path = [(escape.plain(markup), markup) for markup in map(context.line, map(_shortened, headings))]
    path = [(plain, markup) for plain, markup in path if plain and plain != asked]
    aspect = _ASPECT.match(asked)
    last = path[-1][0] if path else ""
    # the prompt may begin with the last heading, but for its numbering
    repeats = aspect and last.endswith(aspect[1]) and _NUMBERING.match(last.removesuffix(aspect[1]))
    path = path[:-1] if repeats else path
    path = [one for one in path if not _NUMBERING.match(one[0])][-_HEADINGS:]
    return path[-1:] if _columns(" › ".join(plain for plain, _ in path)) > room else path


def _columns(text: str) -> int:
    return sum(2 if is_cjk(character) else 1 for character in text)


def _shortened(heading: str) -> str:
    heading = _ARGUMENTS.sub("(…)", _ASKING.sub("", heading))
    if heading.endswith("…") and heading.count("`") % 2:  # cut off inside of code
        heading = heading[: heading.rindex("`")].rstrip() + "…"
    return heading


def _title(headings: Sequence[str], asked: str) -> str:
    """`What does it do? · Tensor › view()` as HTML: Anki's browser lists and sorts notes by it.

    Long text is cut and told apart by a digest.
    """
    plain = " ".join(escape.clean(" · ".join(filter(None, (asked, " › ".join(headings))))).split())
    if len(plain) > _LENGTH:
        plain = f"{plain[:_LENGTH].rstrip()}… #{_digest(plain)}"
    return escape.literal_clozes(escape.field_text(plain))


def distinct(notes: Sequence[Rendered]) -> tuple[Rendered, ...]:
    """The same notes, told apart.

    Where several of one kind share a title, each gets a digest of what it answers: it depends on the note
    alone, so that a title does not change with its neighbours' order.
    """
    titles = Counter((note.kind, note.fields[_TITLE]) for note in notes)
    found = []
    for note in notes:
        if titles[note.kind, note.fields[_TITLE]] > 1:
            fields = list(note.fields)
            fields[_TITLE] += f" #{_digest(note.answer_text + chr(0) + fields[_CODE])}"
            found.append(replace(note, fields=tuple(fields)))
        else:
            found.append(note)
    return tuple(found)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]
