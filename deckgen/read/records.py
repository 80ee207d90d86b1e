"""Cards as data: what the fields of a record must be, and the document that a file of records is.

The fields are the same in every format (docs/cards-from-anywhere.md): `front` and `back`, or `question` and `answer`, or `text`
with gaps; with `question` perhaps `choices`; besides `code`, `explanation`, `tags`, `id`, `deck`. Others are the author's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from string import ascii_uppercase
from typing import NamedTuple

from deckgen.model.document import Block, Document, Flashcard, Prose, Refused
from deckgen.model.note import fenced
from deckgen.model.source import Source, Span, line_span
from deckgen.read import markdown
from deckgen.read.assemble import language
from deckgen.text.columns import SIDES
from deckgen.text.pattern import CLOZE, pattern
from deckgen.text.wording import one_line

KNOWN = frozenset(
    {"front", "back", "question", "answer", "text", "choices", "code", "explanation", "tags", "id", "deck"}
)
NO_CARD = 'no card: it has neither "front" and "back" nor "question" and "answer" nor "text" with gaps'
_LETTERED = pattern(r"\s*[(（]?([A-Za-z])\s*[.)）:：、]\s+(?=\S)")
_KEY = pattern(r"\s*[(（]?([A-Za-z])\s*[.)）:：、]?\s*")
_OPTION = pattern(r"[A-Z]\. \S")
_LETTER_ALONE = pattern(r"[(（]?[A-H][.)）]?")
_OPTION_SIGN = pattern(r"(?<!\w)[A-H]\s*[.)）:：、]")
_PARTS = pattern(r"[\s,，]+")
_LONGEST_KEY = 60
"""Characters of a value that a message quotes."""
_MOST_NAMES = 6
"""Names of fields that a message tells."""


class Entry(NamedTuple):
    """One record of a file."""

    line: int
    """0-based, where it begins."""
    fields: Mapping[str, object]
    """Texts that know their own line (`Located`) are told there."""
    problem: str = ""
    """Why it could not be read; then it has no fields."""


def is_card(fields: object) -> bool:
    """True for a record with the names of a card's sides, or a text with gaps: texts alone are data of many kinds."""
    if not isinstance(fields, Mapping):
        return False
    text = fields.get("text")
    return any({*names} <= fields.keys() for names in SIDES) or (
        isinstance(text, str) and CLOZE.search(text) is not None
    )


def id_of(record: object) -> str:
    """The id that a record has, as far as it can be read; empty without one."""
    try:
        return _name(record, "id") if isinstance(record, Mapping) else ""
    except ValueError:
        return ""


def document_of_records(source: Source, reader: str, entries: Iterable[Entry], *, is_foreign: bool = False) -> Document:
    """The document of a file of cards: each with its blocks, and an error for each record that is none.

    In a file that others made (`is_foreign`) it is no error: whoever runs deckgen cannot mend it.
    """
    made = _Document(is_foreign=is_foreign)
    for entry in entries:
        made.add(entry)
    document = Document(
        source, reader, tuple(made.blocks), places=tuple(made.places) or (0,), apart=True, is_foreign=is_foreign
    )
    return replace(document, language=language(document.opened().blocks))


class _Document:
    """The cards and errors so far. Texts that share a line of the file count lines of their own."""

    def __init__(self, *, is_foreign: bool) -> None:
        self._is_foreign = is_foreign
        self.blocks: list[Block] = []
        self.places: list[int] = []
        self._ids: dict[str, int] = {}

    def add(self, entry: Entry) -> None:
        """A record, or an error in its place."""
        try:
            if entry.problem:
                raise ValueError(entry.problem)
            self._add(entry, _Card(entry.fields))
        except ValueError as error:
            span = line_span(len(self.places))
            self.blocks.append(Refused(span, "", str(error), not self._is_foreign, id_of(entry.fields)))
            self.places.append(entry.line)

    def _add(self, entry: Entry, card: _Card) -> None:
        if card.id and (first := self._ids.setdefault(card.id, entry.line)) != entry.line:
            raise ValueError(f'the "id" {one_line(card.id, _LONGEST_KEY)} is that of line {first + 1}, too')
        start, blocks = len(self.places), list[Block]()
        for text in filter(None, (card.front, *_listed(card.options), card.back, card.explanation)):
            lines = text.split("\n")
            blocks += _blocks(text, lines, len(self.places))
            self.places += [getattr(text, "line", entry.line)] * len(lines)
        self.blocks.append(
            Flashcard(
                span=Span(start, len(self.places)),
                blocks=tuple(blocks),
                front=card.front,
                back=card.back,
                options=card.options,
                right=card.right,
                explanation=card.explanation,
                has_gaps=card.has_gaps,
                id=card.id,
                tags=card.tags,
                deck=card.deck,
            )
        )


def _listed(options: Sequence[str]) -> Iterator[str]:
    """The options as a quiz has them, one below the other: names in these are looked up only where one is the answer."""
    if any("\n" in option for option in options):
        yield from options
    elif options:
        lines = (f"{letter}. {option}" for letter, option in zip(ascii_uppercase, options, strict=False))
        yield _at(options[0], "\n".join(lines))


def _blocks(text: str, lines: Sequence[str], start: int) -> list[Block]:
    if text[0].isalpha() and "![" not in text and (len(lines) == 1 or all(map(_OPTION.match, lines))):
        return [Prose(Span(start, start + len(lines)), text.strip())]  # nothing else begins so: most texts of cards
    return markdown.blocks_of(lines, start)


class _Text(str):
    """A text that knows on which line of its file it begins."""

    __slots__ = ("line",)
    line: int


class _Card:
    """The fields of a record as what they mean. Raises ValueError for what they cannot be."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        names = next((one for one in SIDES if any(fields.get(name) is not None for name in one)), None)
        self.has_gaps = fields.get("text") is not None
        if self.has_gaps:
            asked, answered = "text", "back"
        elif names:
            asked, answered = names
        else:
            raise ValueError(NO_CARD + _seen(fields))
        if all(_is_given(fields.get(name)) for name, _ in SIDES):
            raise ValueError('both "front" and "question" are given: a card has one of them')
        front, code = _text(fields, asked), _text(fields, "code", needed=False).strip("\n")
        shown = code if code.startswith("```") else fenced(code, "python")
        self.front = _at(front, f"{front}\n\n{shown}") if code else front
        self.options = _options(fields)
        self.right: tuple[int, ...] = ()
        if self.options:
            self.back, self.right = "", tuple(_right(fields.get(answered), answered, self.options))
        else:
            self.has_gaps = self.has_gaps or CLOZE.search(front) is not None
            self.back = _text(fields, answered, needed=not self.has_gaps)
            if not code and _LETTER_ALONE.fullmatch(self.back) and not _asks_for_letter(front):
                raise ValueError(
                    f'"{answered}" says {self.back} and there are no choices: give "choices", or write `{self.back}` if that is the answer'
                )
        self.explanation = _text(fields, "explanation", needed=False)
        self.id, self.deck = _name(fields, "id"), _name(fields, "deck")
        self.tags = tuple(_tags(fields.get("tags")))


def _seen(fields: Mapping[str, object]) -> str:
    """The names that no field of a card has, for whoever called the sides something else."""
    others = [f'"{one_line(name, _LONGEST_KEY)}"' for name in fields if name not in KNOWN]
    return f"; it has {', '.join(others[:_MOST_NAMES])}: call the sides front and back" if others else ""


def _is_given(value: object) -> bool:
    return value is not None and value != ""


def _asks_for_letter(front: str) -> bool:
    """True for a question with its options, or with code, which may print a letter."""
    return "```" in front or len(_OPTION_SIGN.findall(front)) > 1


def _text(fields: Mapping[str, object], name: str, *, needed: bool = True) -> str:
    value = fields.get(name)
    if value is None and not needed:
        return ""
    if value is None:
        raise ValueError(f'"{name}" is missing')
    text = _scalar(value, name)
    if text is None:
        raise ValueError(f'"{name}" must be a text')
    if needed and not text.strip():
        raise ValueError(f'"{name}" is empty')
    return _at(value, text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").strip("\n").rstrip())


def _at(value: object, text: str) -> str:
    """The text on the line of the value that it comes from."""
    if (line := getattr(value, "line", None)) is None:
        return text
    found = _Text(text)
    found.line = line
    return found


def _scalar(value: object, name: str) -> str | None:
    """A text; numbers, true and false as Python writes them."""
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f'"{name}" has what is no number in JSON, NaN or one that is too large: write it as a text')
    return str(value) if isinstance(value, str | int | float) else None


def _options(fields: Mapping[str, object]) -> tuple[str, ...]:
    """The choices without letters of their own: `A. view`."""
    value = fields.get("choices")
    if value is None:
        return ()
    if isinstance(value, Mapping):
        raise ValueError('"choices" must have the letters A, B and so on as names, in order, or be a list')
    texts = [_scalar(one, "choices") for one in value] if isinstance(value, list) else [None]
    if None in texts or not 1 < len(texts) <= len(ascii_uppercase):
        raise ValueError(f'"choices" must be a list of 2 to {len(ascii_uppercase)} texts')
    options = [str(one).strip() for one in texts]
    if not all(options):
        raise ValueError('one of "choices" is empty')
    labels = [_LETTERED.match(one) for one in options]
    if all(label and label[1].upper() == letter for label, letter in zip(labels, ascii_uppercase, strict=False)):
        options = [one[label.end() :] for one, label in zip(options, labels, strict=True) if label]
    if twice := next((one for at, one in enumerate(options) if one in options[:at]), None):
        raise ValueError(f'two of "choices" are the same: {one_line(twice, _LONGEST_KEY)}')
    parts = zip(value if isinstance(value, list) else (), options, strict=True)
    return tuple(_at(part, one.replace("\r\n", "\n").replace("\0", "\ufffd")) for part, one in parts)


def _right(value: object, name: str, options: Sequence[str]) -> list[int]:
    """The options that are right, in order."""
    if value is None:
        raise ValueError(f'"{name}" is missing')
    found = {_option(one, name, options) for one in (value if isinstance(value, list) else [value])}
    if not found:
        raise ValueError(f'"{name}" is empty')
    return sorted(found)


def _option(value: object, name: str, options: Sequence[str]) -> int:
    """The option that is meant: by its exact text, by a capital letter, by its text as people write it, by a small letter.

    A number counts from 0. One that is the text of a choice and the index of another means neither; one in a text may count from 1.
    """
    said = _scalar(value, name)
    text, letters = (str(value) if said is None else said).strip(), ascii_uppercase[: len(options)]
    shown = one_line(text, _LONGEST_KEY)
    exact = {at for at, one in enumerate(options) if text == one}
    if isinstance(value, int) and not isinstance(value, bool):
        exact |= {value} if 0 <= value < len(options) else set()
        if len(exact) > 1:
            raise ValueError(f'"{name}" says {shown}, which is one choice and the index of another: give a letter')
    label = _KEY.fullmatch(text) or _LETTERED.match(text)
    lettered: set[int] = set()
    if label and label[1].upper() in letters and (not text[label.end() :] or _said(text, label.end(), options)):
        lettered = {letters.index(label[1].upper())}
    loose = {at for at, one in enumerate(options) if _bare(text) == _bare(one)}
    ways = (exact, lettered, loose) if label and label[1].isupper() else (exact, loose, lettered)
    if found := next((way for way in ways if len(way) == 1), None):
        return found.pop()
    if isinstance(value, str) and text.isdecimal():
        raise ValueError(
            f'"{name}" says {shown}, which may count from 0 or from 1: give a letter or the text of a choice'
        )
    raise ValueError(
        f'"{name}" says {shown}, which is none of its choices: give a letter ({letters[0]} to {letters[-1]}), '
        f"an index (0 to {len(options) - 1}) or the text of a choice"
    )


def _said(text: str, at: int, options: Sequence[str]) -> bool:
    """True for `B. clone`, if B is that."""
    return _bare(text[at:]) == _bare(options[ascii_uppercase.index(text.strip("(（ ")[0].upper())])


def _bare(text: str) -> str:
    return text.replace("`", "").strip().casefold()


def _name(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, bool | float) or not isinstance(value, str | int):
        raise ValueError(f'"{name}" must be a text' + " or a whole number" * (name == "id"))
    return " ".join(str(value).split())


def _tags(value: object) -> Iterable[str]:
    """Tags in a list, or in a text with blanks or commas between them."""
    if value is None:
        return ()
    if isinstance(value, str):
        return dict.fromkeys(filter(None, _PARTS.split(value)))
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError('"tags" must be a list of texts, or a text')
    return dict.fromkeys(filter(None, ("_".join(one.split()) for one in value)))
