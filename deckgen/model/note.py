"""Notes: one fact to learn each. Anki makes one or more cards of a note.

The two sides of a note as Markdown, as reports show them and as idioms compare them; cards are rendered from the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple, assert_never

from deckgen.model.source import Span
from deckgen.model.versions import Versions
from deckgen.text.pattern import CHINESE, pattern


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a note the same note next month (docs/keeping.md).

    Never the answer, the rendered text, the kind, the file or a line number.
    """

    headings: tuple[str, ...]
    """Heading path, without numbering and emoji."""
    anchor: str
    """The normalised source text that asks: question, term, API name, or code (by its AST)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basic:
    """A question and its answer; both Markdown."""

    prompt: str
    answer: str
    reverse: bool = False
    """True where the answer identifies the question as well (a definition)."""


@dataclass(frozen=True, slots=True)
class Option:
    letter: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A multiple-choice question; Markdown."""

    stem: str
    options: tuple[Option, ...]
    right: tuple[str, ...]
    """The right letters, in order."""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Hole:
    """A deletion: `text[start:stop]` of its cloze, asked on card `number` (from 1)."""

    number: int
    start: int
    stop: int
    hint: str = ""
    """What the card shows in its place instead of dots; only where the author wrote one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloze:
    """Text with holes, never markup: marks are put in when it is rendered."""

    text: str
    holes: tuple[Hole, ...]
    """In order of `start`, not overlapping."""
    language: str = ""
    """`python` if `text` is code; empty if it is Markdown."""
    prompt: str = ""
    """A line above code, Markdown."""
    explanation: str = ""
    as_given: bool = False
    """True where the author set the gaps: no other place is hidden, and none joins another."""


Asked = Literal["output", "value", "shape", "exception", "warning"]
"""What a card asks of its code: all that it prints, the value or shape of something once it has run, what it raises or warns of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What does this code do? It is run just as it stands here before it is asked (`verify/cards.py`)."""

    code: str
    claims: tuple[str, ...]
    """Ids of the claims that the answer is made of."""
    output: str
    """The claimed text; what is shipped is decided when it is judged."""
    asked: Asked = "output"
    target: str = ""
    """The expression whose value or shape is asked for; empty = that of the last statement."""
    cell: bool = False
    """True for code of a notebook, which shows the value of its last line."""
    prompt: str = ""
    """A question of its own (for a shape or a relation); empty = "What does this print?"."""
    explanation: str = ""
    asks_shape: str = ""
    """What to ask instead if the output turns out to be the shape of what is shown: `x.sum(1)  # (3,)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """A name of the API and what it does."""

    name: str
    """As written, without markup: `Tensor.register_hook`."""
    signature: str
    """As written: `Tensor.register_hook(hook)`; may equal `name`."""
    meaning: str
    """Markdown."""
    parameters: tuple[tuple[str, str], ...] = ()
    """(name, meaning) pairs."""
    example: str = ""
    """Code."""
    details: tuple[tuple[str, str], ...] = ()
    """(column header, cell) pairs of further columns of the row."""


Body = Basic | Choice | Cloze | Output | Api


class Standing(StrEnum):
    """How a note came to be, and so what may keep it from learners (docs/design.md)."""

    DECLARED = "declared"
    """Its author wrote it as a card."""
    SURE = "sure"
    """Inferred by a rule that has earned it, and nothing speaks against it."""
    SUGGESTED = "suggested"
    """Inferred otherwise, or doubted: it is shipped once the author takes it."""


class FoundAs(StrEnum):
    """What the rule that found a note takes it for: what is asked of it and doubted depends on that, and never on the rule's name."""

    CARD = "card"
    """Its author wrote it in a form of cards, or wants it whatever it is."""
    QUIZ = "quiz"
    """Options with a key, or blanks with what fills them."""
    MNEMONIC = "mnemonic"
    """Lines to know by heart."""
    QUESTION = "question"
    """A heading or a line that asks, and the text below it."""
    ROW = "row"
    """A cell of a table, asked for by its row and its column; or a name in its first column."""
    ENTRY = "entry"
    """A call and what is said of it."""
    TERM = "term"
    """A term and what it means, or a sentence about it with gaps that deckgen chose."""
    GAP = "gap"
    """A sentence with gaps that deckgen chose."""
    CODE = "code"
    """Code that is asked about, or has a gap."""
    LINE = "line"
    """A line of code or a list, with the words beside or above it."""
    FACT = "fact"
    """Whatever may be a fact: what is doubted of it is not offered."""


class Doubt(NamedTuple):
    """What speaks against an inferred note."""

    name: str
    """Of the row that doubts: `coin`."""
    reason: str
    """In words, for the author: "its answer is yes or no"."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a note stands in a source."""

    source: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One fact to learn, and what it rests on."""

    key: Key
    places: tuple[Place, ...]
    """Where it was made from; more than one if the same note stands in several sources."""
    headings: tuple[str, ...]
    """Heading path as written, shown as quiet context on the card."""
    body: Body
    tags: tuple[str, ...] = ()
    deck: str = field(default="", repr=False)
    """Where the author's other tool puts it, as in `Flashcard.deck`; empty = with the others of its file."""
    rests_on: tuple[str, ...] = ()
    """Ids of claims (of the first place's source) that must not be contradicted."""
    proven_by: tuple[str, ...] = ()
    """Those of them that say just what its answer says: if they hold, it is proved."""
    explicit_id: str | None = None
    """`<!-- deckgen: id=... -->`: wins over the key."""
    versions: tuple[Versions, ...] = ()
    """In which it is so, `{torch>=2.10}`; no part of the key. Empty = in all."""
    rule: str = field(default="", compare=False)
    """The rule that found it, for reports: no part of what the note is, and nothing depends on it."""
    found_as: FoundAs = field(default=FoundAs.CARD, compare=False, repr=False)
    """What that rule takes it for."""
    kept: bool = field(default=False, compare=False)
    """True where the author wants it whatever it is worth: `<!-- deckgen: keep -->`, or a decision."""
    origin: Standing = field(default=Standing.SURE, compare=False)
    """What the rule that found it makes of it, before any doubt: see `standing`. A rule may make less of a note than of its others."""
    doubts: tuple[Doubt, ...] = field(default=(), compare=False)
    """Of an inferred note."""

    @property
    def standing(self) -> Standing:
        """What it is to a build: what its author wants or names is declared, what is doubted is only suggested."""
        if self.kept or self.explicit_id:
            return Standing.DECLARED
        return Standing.SUGGESTED if self.doubts and self.origin is Standing.SURE else self.origin

    @property
    def span(self) -> Span:
        return self.places[0].span

    @property
    def source(self) -> str:
        return self.places[0].source


@dataclass(frozen=True, slots=True)
class Skipped:
    """A block that gave no note, and why."""

    span: Span
    reason: str
    unanswered: bool = False
    """True for a question whose answer the source does not give, or not for sure."""
    rule: str = field(default="", compare=False)
    """The rule that refused it."""
    note: Note | None = field(default=None, compare=False)
    """The note that was refused, for the author who wants it all the same."""
    by_author: bool = field(default=False, compare=False, repr=False)
    """True where its author left it out."""


UNREAD = "unread"
"""Stands in `Note.rests_on` where a note says something of code in words that cannot be checked."""

BLANK = "____"
"""What stands for a hole on the front of a cloze, and what an unanswered blank looks like."""


def front(note: Note) -> str:
    """What is asked, with its context, as Markdown: no two notes of a source share it."""
    return _joined(" › ".join(note.headings), _asked(note.body)) if note.headings else _asked(note.body)


def back(note: Note) -> str:
    """The answer as Markdown; of a cloze the whole text."""
    match note.body:
        case Basic() as body:
            return body.answer
        case Choice() as body:
            return _joined(_listed(one for one in body.options if one.letter in body.right), body.explanation)
        case Cloze() as body:
            return _joined(fenced(body.text, body.language), body.explanation)
        case Output() as body:
            return _joined(fenced(body.output, "text"), body.explanation)
        case Api() as body:
            facts = "\n".join(f"{title}: {cell}" for title, cell in body.details)
            parameters = "\n".join(f"- `{name}`: {meaning}" for name, meaning in body.parameters)
            return _joined(body.meaning, facts, parameters, fenced(body.example, "python"))
        case body:
            assert_never(body)


def _asked(body: Body) -> str:
    match body:
        case Basic():
            return body.prompt
        case Choice():
            return _joined(body.stem, _listed(body.options))
        case Cloze():
            text = body.text
            for hole in reversed(body.holes):
                text = text[: hole.start] + BLANK + text[hole.stop :]
            return _joined(body.prompt, fenced(text, body.language))
        case Output():
            return _joined(body.prompt, fenced(body.code, "python"))
        case Api():
            return f"`{body.signature}`" if "`" not in body.signature else body.signature
        case _:
            assert_never(body)


def holes(note: Note) -> tuple[tuple[int, str], ...]:
    """(number, hidden text) of every hole of a cloze; empty for other notes."""
    body = note.body
    if not isinstance(body, Cloze):
        return ()
    return tuple((hole.number, body.text[hole.start : hole.stop]) for hole in body.holes)


_WORD = pattern(r"[A-Za-z]{2,}")
_FENCES = pattern(r"^ {0,3}(`{3,})", re.MULTILINE)
_CODE = pattern(r"```.*?```|`[^`\n]*`", re.DOTALL)


def is_english(note: Note) -> bool:
    """True if a note is written in English, whatever the rest of its source is: it has words, and none is Chinese."""
    if isinstance(note.body, Output) or (isinstance(note.body, Cloze) and note.body.language):
        return False  # code is of no language
    body = f"{_asked(note.body)}\n{back(note)}"
    if any(map(CHINESE.search, (body, *note.headings))):
        return False
    return len(_WORD.findall(_CODE.sub("", body))) > 1


def _listed(options: Iterable[Option]) -> str:
    return "\n".join(f"{option.letter}. {option.text}" for option in options)


def fenced(text: str, language: str) -> str:
    """Code between fences that nothing in it can close; text without a language as it is."""
    fence = max(("```", *(found + "`" for found in _FENCES.findall(text))), key=len)
    return f"{fence}{language}\n{text}\n{fence}" if language and text else text


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
