"""Rendered notes, made by hand, for tests of what is kept and packed."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.identity import Assigned, Lock, Release, SourceDeck, assign_guids
from deckgen.model.deck import FIELDS, Kind, Rendered
from deckgen.model.note import Key, Place
from deckgen.model.source import Span
from deckgen.render import NOTETYPES

NOW = 1_800_000_000
DECK_ID = 2_345_678_901_234
TYPES = tuple(NOTETYPES.values())


def note(  # noqa: PLR0913 - a note has many traits, and a test names only the one it is about
    prompt: str,
    answer: str = "",
    *,
    kind: Kind = "basic",
    headings: tuple[str, ...] = ("Tensors",),
    file: str = "tensors.md",
    line: int = 1,
    explicit_id: str | None = None,
    tags: tuple[str, ...] = ("torch",),
    ordinals: tuple[int, ...] = (0,),
    anchor: str | None = None,
    **fields: str,
) -> Rendered:
    """A note of any kind; `fields` by name overrule what `prompt` and `answer` give."""
    values = dict.fromkeys(FIELDS, "")
    title = f"{' > '.join(headings)}: {prompt}"
    values |= {
        "Title": title,
        "Prompt": prompt,
        "Answer": answer,
        "Source": f"{file}:{line}",
        "Checked": "torch 2.13.0",
    }
    return Rendered(
        kind=kind,
        key=Key(headings, anchor or prompt.casefold()),
        explicit_id=explicit_id,
        places=(Place(file, Span(line - 1, line)),),
        fields=tuple((values | fields).values()),
        tags=tags,
        answer_text=answer,
        ordinals=ordinals,
    )


def cloze(text: str, numbers: Sequence[int], anchor: str = "a cloze", **more: str) -> Rendered:
    """A cloze whose text has the markers already, as `render` writes them."""
    ordinals = tuple(number - 1 for number in numbers)
    return note(text, kind="cloze", anchor=anchor, ordinals=ordinals, Title=anchor, Answer="", **more)


def release(now: int = NOW, **more: object) -> Release:
    usual: dict[str, object] = {"deck_id": DECK_ID, "deck_name": "PyTorch", "notetypes": TYPES, "now": now}
    return Release(**(usual | more))  # type: ignore[arg-type]  # a test may say anything


def built(notes: Sequence[Rendered], before: Assigned | Lock | None = None, now: int = NOW, **more: object) -> Assigned:
    """The notes with identities, after the build `before`."""
    lock = before.lock if isinstance(before, Assigned) else before
    return assign_guids(notes, lock, release(now, **more))


def guids(made: Assigned) -> dict[str, str]:
    """Prompt -> GUID."""
    prompt = FIELDS.index("Prompt")
    return {card.rendered.fields[prompt]: card.guid for card in made.deck.cards}


def source_decks(*titles: str) -> tuple[SourceDeck, ...]:
    """Sources `tensors.md` titled "Tensors", and so on."""
    return tuple(SourceDeck(f"{title.lower()}.md", f"{title.lower()}.md", title) for title in titles)
