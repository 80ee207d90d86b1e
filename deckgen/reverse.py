"""Which notes get a second card, which asks for their name by what it means (CARDS.md, rule 9). Pure.

Few do: a term with its definition that no other note of the deck shares, and an API whose meaning fits no other name of
the library. What learners have already stays with them; that is decided where the lock is known (`identity.assign`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from deckgen.model.note import Api, Basic, Note, back
from deckgen.model.results import Decision, Disposition
from deckgen.model.verdict import Checked
from deckgen.text.giveaway import content_words, gives_away

_COMMON = 0.5
"""A note that says this much of a definition may be what it defines, too."""


def with_reverse(decisions: Sequence[Decision], checked: Mapping[str, Checked]) -> tuple[Decision, ...]:
    """The decisions on all notes of a deck, with `reverse` set on those that get the card; `checked` is by source name."""
    asked = {at for at, one in enumerate(decisions) if _is_asked(one, checked)}
    if not asked:
        return tuple(decisions)
    others = [one.note for one in decisions if one.disposition is not Disposition.SUGGEST]
    terms = Counter(map(_term, others))
    said = [(note, content_words(back(note))) for note in others]
    alone = {at for at in asked if terms[_term(decisions[at].note)] == 1 and _stands_alone(decisions[at].note, said)}
    return tuple(replace(one, reverse=at in alone) for at, one in enumerate(decisions))


def _is_asked(decision: Decision, checked: Mapping[str, Checked]) -> bool:
    """True if the note alone is fit for it; of what is false nobody knows whether it is unique."""
    note = decision.note
    if decision.disposition is not Disposition.SHIP or decision.claimed is not None:
        return False
    match note.body:
        case Api(name=name, meaning=meaning):
            results = checked.get(note.source)
            return results is not None and (name, meaning) in results.unique
        case Basic(reverse=True, prompt=term, answer=answer):
            return not any(gives_away(text, term) for text in (answer, *note.headings))
        case _:
            return False


def _term(note: Note) -> str:
    """What a note is about, if it says so in a word or two, however it is written: `Blocks` is the term `block`."""
    term = note.body.prompt if isinstance(note.body, Basic) else note.body.name if isinstance(note.body, Api) else ""
    return "".join(filter(str.isalnum, term)).casefold().removesuffix("s")


def _stands_alone(note: Note, said: Iterable[tuple[Note, frozenset[str]]]) -> bool:
    """True if no other note of the deck says much of what this one means."""
    meaning = note.body.meaning if isinstance(note.body, Api) else back(note)
    words = content_words(meaning)
    return all(other is note or len(words & theirs) < _COMMON * len(words) for other, theirs in said)
