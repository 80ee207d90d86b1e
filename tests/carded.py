"""What extraction makes of a few lines: helpers for tests that read as sentences."""

from collections.abc import Callable
from textwrap import dedent

from deckgen.extract import extract
from deckgen.model.document import Extraction
from deckgen.model.note import Choice, Note, back, front
from deckgen.model.source import Source
from deckgen.read import read


def extracted(text: str, name: str = "notes.md") -> Extraction:
    return extract(read(Source(name, dedent(text).strip("\n") + "\n")))


OFFERED = ("facts", "below", "titled", "commented")
"""Rules of suggestion, which look at what all others leave."""


def notes(text: str, *kinds: type) -> list[Note]:
    """The notes of these kinds that nothing speaks against and that are no mere offers; all of them, if no kind is given."""
    return [note for note in made(text, *kinds) if not note.doubts and note.rule not in OFFERED]


def made(text: str, *kinds: type) -> list[Note]:
    """The notes of these kinds, doubted ones included: for tests of what the rules find."""
    return [note for note in extracted(text).notes if not kinds or isinstance(note.body, kinds)]


def fronts(text: str, *kinds: type) -> list[str]:
    """The last paragraph of every front: what is asked, without its context."""
    return [front(note).rsplit("\n\n", 1)[-1] for note in notes(text, *kinds)]


def cards(text: str, *kinds: type, among: Callable[..., list[Note]] = notes) -> dict[str, str]:
    """What is asked, and the answer; `among=made` has those that are doubted, too."""
    return {front(note).rsplit("\n\n", 1)[-1]: back(note) for note in among(text, *kinds)}


def answers(text: str) -> list[str]:
    """The right letters of every quiz."""
    return ["".join(note.body.right) for note in notes(text, Choice) if isinstance(note.body, Choice)]


def reasons(text: str) -> list[str]:
    return [skipped.reason for skipped in extracted(text).skipped]


def said(*turns: str) -> str:
    """A transcript in which the tutor begins and the two take turns."""
    names = ("**Assistant:**", "**User:**")
    told = [f"{names[at % 2]}\n\n{dedent(turn).strip()}" for at, turn in enumerate(turns)]
    return "**User:**\n\nTeach me.\n\n" + "\n\n".join(told) + "\n"
