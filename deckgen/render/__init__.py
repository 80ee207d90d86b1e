"""Rendering: a decided note -> fields of HTML for one of the five note types.

Pure: no files, no clock, no genanki. Pictures come from a callback.
"""

from __future__ import annotations

from deckgen.model.deck import FIELDS, Rendered
from deckgen.model.note import Note
from deckgen.model.results import Decision
from deckgen.render import code, escape, titles
from deckgen.render.fields import REVERSE, TYPED, FieldSet, RenderContext, field_set, hidden
from deckgen.render.media import MediaSource, Pictures, named, no_media
from deckgen.render.notetypes import LOOK_CHANGED, NOTETYPES
from deckgen.render.titles import distinct, title
from deckgen.render.words import WORDS, Language

__all__ = ["LOOK_CHANGED", "NOTETYPES", "MediaSource", "distinct", "named", "no_media", "render"]


def render(
    decision: Decision,
    *,
    language: Language = "en",
    media: MediaSource = no_media,
    source_url: str | None = None,
) -> Rendered:
    """The fields, tags and cards of one note.

    `language` is that of deckgen's own sentences. `source_url` is where sources can be read:
    `https://example.org/notes/{file}`. The tags are the note's own (its topics), its kind as
    `deckgen::kind::cloze`, and `deckgen::corrected` or `deckgen::unverified`; the deck's tags are the
    caller's. Titles are readable, but unique only after `distinct`.
    """
    note = decision.note
    context = RenderContext(decision, WORDS[language], Pictures(media))
    made = field_set(note.body, context)
    path = titles.places(note.headings, made.title, context.line)
    made.fields["Title"] = title([plain for plain, _ in path], made.title)
    made.fields["Context"] = hidden(titles.joined(path), made.secrets)
    made.fields["Claimed"] = _claimed(context, made)
    made.fields["Source"] = _source(note, source_url)
    made.fields["Checked"] = _checked(context)
    return _rendered(context, made)


def _rendered(context: RenderContext, made: FieldSet) -> Rendered:
    note = context.decision.note
    return Rendered(
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
        words=context.decision.words,
    )


_SHELTERED = {"Prompt", "Code"}
"""Fields of a cloze note that hold deletions; in all others `{{c1::` is text."""


def _field(made: FieldSet, name: str) -> str:
    markup = made.fields.get(name, "")
    if not markup:
        return ""
    if name == "Title":
        return markup
    if not (made.kind == "cloze" and name in _SHELTERED):
        markup = escape.literal_clozes(markup)
    return escape.field(markup)


def _claimed(context: RenderContext, made: FieldSet) -> str:
    """What the notes said, if torch says otherwise; torch's own text where the card does not show it."""
    decision, words = context.decision, context.words
    if not context.corrected or decision.claimed is None:
        return ""
    parts = [f'<div class="label">{words.notes_said}</div>', f'<div class="said">{code.output(decision.claimed)}</div>']
    if made.kind != "output" and decision.observed is not None:
        parts += (f'<div class="label">{words.torch_says}</div>', code.output(decision.observed))
    return "".join(parts)


def _source(note: Note, source_url: str | None) -> str:
    """Where the note comes from. Without line numbers, which move with every paragraph added above."""
    name = escape.outside_code(note.source)
    if source_url:
        address = escape.attribute(source_url.replace("{file}", note.source))
        return f'<a href="{address}" rel="noreferrer">{name}</a>'
    return name


def _checked(context: RenderContext) -> str:
    decision = context.decision
    if not decision.stamp:
        return ""
    return f'<span class="{_state(context)}">{escape.outside_code(escape.clean(decision.stamp))}</span>'


def _state(context: RenderContext) -> str:
    """What the dot before the stamp tells: full for a run, a ring where only names were looked up or nothing was."""
    decision = context.decision
    if context.corrected or decision.claimed is not None:  # contradicted, and shipped all the same
        return "corrected"
    if decision.unverified or decision.stamp.startswith("not checked"):
        return "unverified"
    return "named" if decision.stamp.startswith("API names") else "checked"


def _tags(context: RenderContext, made: FieldSet) -> tuple[str, ...]:
    topics = [tag for tag in context.tags if tag not in (TYPED, REVERSE)]
    states = ["deckgen::corrected"] if context.corrected else []
    if context.decision.unverified:
        states.append("deckgen::unverified")
    spelt = ("-".join(escape.clean(tag).split()) for tag in (*topics, f"deckgen::kind::{made.kind}", *states))
    return tuple(dict.fromkeys(tag for tag in spelt if tag))
