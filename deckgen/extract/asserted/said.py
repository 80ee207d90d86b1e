"""What a document says of defaults and of the values of expressions outside of code, and which notes say it.

Sentences and rows are read as they stand; questions are read with their answers, from the notes that were made of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.extract.apis.context import code_names
from deckgen.extract.apis.place import Place
from deckgen.extract.asserted.answered_defaults import stated_by
from deckgen.extract.asserted.asked_values import asked_value
from deckgen.extract.asserted.aspects import ToldValue, told_value
from deckgen.extract.asserted.assertions import Assertion, assertions, filled_in, is_judged, is_meant
from deckgen.extract.asserted.default_sentences import Told, told_defaults
from deckgen.extract.asserted.told_claims import default_of, snippet_of
from deckgen.extract.asserted.told_values import told_values
from deckgen.extract.asserted.value_tables import told_in_row
from deckgen.extract.prompts import prompt
from deckgen.extract.text import code_spans
from deckgen.model.claim import Exists, Snippet
from deckgen.model.document import Document, Heading
from deckgen.model.note import Basic, Choice, Cloze, Note, Output, Skipped

IS_CHECKED = "running text: what it says of torch is checked, and it asks and defines nothing that can be recalled"


class Said(NamedTuple):
    """The notes, resting also on what they say; the expressions as snippets, and the defaults as claims about APIs."""

    notes: tuple[Note, ...]
    skipped: tuple[Skipped, ...]
    snippets: tuple[Snippet, ...]
    apis: tuple[Exists, ...]


class _Find(NamedTuple):
    """Something said on a line; with the note that says it, where the line alone does not."""

    line: int
    told: Told | ToldValue
    note: Note | None = None


def said(
    document: Document,
    notes: Sequence[Note],
    skipped: Sequence[Skipped],
    snippets: Sequence[Snippet],
    apis: Sequence[Exists],
) -> Said:
    """What stands in the sentences of a document, and in its questions with their answers."""
    opened = document.opened()
    place = Place(code_names(opened))
    finds = [*_in_lines(opened, notes, skipped, place), *_in_notes(notes, document)]
    finds = list(_once(finds))
    if not finds:
        return Said(tuple(notes), tuple(skipped), (), ())
    numbers = list(_numbers(finds))
    made = {
        at: snippet_of(one.line, one.told, number, snippets)
        for at, (one, number) in enumerate(zip(finds, numbers, strict=True))
        if isinstance(one.told, ToldValue)
    }
    known = {(one.span.start, one.text) for one in apis if one.default is not None}
    stated = _defaults(finds, numbers, place, _headings(opened))
    defaults = {at: one for at, one in stated if (one.span.start, one.text) not in known}
    ids = {at: one.claims[0].id for at, one in made.items()} | {at: one.id for at, one in defaults.items()}
    grounds = [(finds[at].line, name, finds[at].note) for at, name in ids.items()]
    told = {line for line, _, note in grounds if note is None}
    return Said(_grounded(notes, grounds), _reasoned(skipped, told), tuple(made.values()), tuple(defaults.values()))


def _defaults(
    finds: Sequence[_Find], numbers: Sequence[int], place: Place, headings: Sequence[tuple[int, list[Heading]]]
) -> Iterator[tuple[int, Exists]]:
    """The defaults that are said, each with its number among the finds."""
    for at, (one, number) in enumerate(zip(finds, numbers, strict=True)):
        if isinstance(one.told, Told):
            below = bisect_right(headings, one.line, key=lambda found: found[0])
            place.headings = headings[below - 1][1] if below else []
            if claim := default_of(one.line, one.told, number, place):
                yield at, claim


def _grounded(notes: Sequence[Note], grounds: Sequence[tuple[int, str, Note | None]]) -> tuple[Note, ...]:
    """The notes with the claims that stand on their lines, or that were made of them."""
    by_line: dict[int, list[str]] = {}
    by_note: dict[int, list[str]] = {}
    for line, name, note in grounds:
        if note is None:
            by_line.setdefault(line, []).append(name)
        else:
            by_note.setdefault(id(note), []).append(name)
    return tuple(_with(note, by_line, by_note.get(id(note), [])) for note in notes)


def _with(note: Note, by_line: dict[int, list[str]], own: Sequence[str]) -> Note:
    on_lines = (
        [] if isinstance(note.body, Output) else [name for line in _lines(note) for name in by_line.get(line, ())]
    )
    added = tuple(dict.fromkeys((*note.rests_on, *on_lines, *own)))
    return note if added == note.rests_on else replace(note, rests_on=added)


def _reasoned(skipped: Sequence[Skipped], told: set[int]) -> tuple[Skipped, ...]:
    """What gave no note; of running text that claims something it is not said that it claims nothing."""
    return tuple(
        replace(one, reason=IS_CHECKED)
        if one.reason.startswith("running text") and not told.isdisjoint(range(one.span.start, one.span.stop))
        else one
        for one in skipped
    )


def _numbers(finds: Iterable[_Find]) -> Iterator[int]:
    """How many things were said on the line of each until then, with itself: what stands further up moves no number."""
    counts: dict[int, int] = {}
    for one in finds:
        counts[one.line] = counts.get(one.line, 0) + 1
        yield counts[one.line]


def _headings(document: Document) -> list[tuple[int, list[Heading]]]:
    """The line of each heading, with the headings that what stands below it stands under."""
    found: list[tuple[int, list[Heading]]] = []
    above: list[Heading] = []
    for block in document.blocks:
        if isinstance(block, Heading):
            above = [*(one for one in above if one.level < block.level), block]
            found.append((block.span.start, above))
    return found


def _once(finds: Iterable[_Find]) -> Iterator[_Find]:
    """What a line says is not said again by the note that was made of it."""
    seen: set[tuple[int, object]] = set()
    for one in finds:
        lines = range(one.line, one.line + 1) if one.note is None else _lines(one.note)
        what = _what(one.told)
        if all((line, what) not in seen for line in lines):
            seen.add((one.line, what))
            yield one


def _what(told: Told | ToldValue) -> object:
    if isinstance(told, Told):
        return told.owner.rpartition(".")[2], told.parameter
    return told.expression, told.text


def _lines(note: Note) -> range:
    return range(note.span.start, max(note.span.stop, note.span.start + 1))


def _in_lines(document: Document, notes: Sequence[Note], skipped: Sequence[Skipped], place: Place) -> Iterator[_Find]:
    for one in assertions(document, notes, skipped, place):
        cells = one.row[1].cells if one.row else ()
        defaults = (
            [told for cell in cells for told in told_defaults(cell)] if one.row else told_defaults(one.text, one.about)
        )
        told = (*_values(one), *defaults)
        yield from (_Find(one.line, each) for each in told) if told and is_meant(one.text) else ()


def _values(one: Assertion) -> Iterable[ToldValue]:
    if one.row is None:
        return told_values(one.text)
    table, row = one.row
    return (*told_in_row(table, row), *(told for cell in row.cells for told in told_values(cell)))


def _in_notes(notes: Sequence[Note], document: Document) -> Iterator[_Find]:
    for note in notes:
        for told in _by_note(note, document):
            text = told.value if isinstance(told, Told) else told.text
            yield _Find(_line_of(note, text, document), told, note)


def _by_note(note: Note, document: Document) -> Iterator[Told | ToldValue]:
    match note.body:
        case Basic(prompt=asked, answer=answer) if is_judged(note):
            yield from _judged(asked, answer)
        case Basic(prompt=asked, answer=answer):
            yield from _answered(asked, answer)
        case Choice(stem=stem, options=options, right=(letter,)):
            yield from _answered(stem, next(option.text for option in options if option.letter == letter))
        case Cloze(text=text) if filled_in(note, document):
            for line in text.split("\n"):
                yield from told_values(line)
                yield from told_defaults(line)
        case _:
            return


def _answered(asked: str, answer: str) -> Iterator[Told | ToldValue]:
    if len(asked) > _LONGEST_QUESTION:
        return
    value = asked_value(asked, answer)
    yield from [value] if value else []
    yield from stated_by(asked, answer)


_LONGEST_QUESTION = 400


def _judged(asked: str, answer: str) -> Iterator[Told | ToldValue]:
    """A statement that is said to be true; or an expression that is said to be true or false."""
    statement, _, _ = asked.rpartition("—")
    right = answer.lstrip().startswith((prompt("zh", "true"), prompt("en", "true")))
    spans = list(code_spans(statement))
    if len(spans) == 1 and not statement.replace(f"`{spans[0]}`", "").strip(" .。（）()*"):
        told = told_value(spans[0], "value", str(right))
        yield from [told] if told else []
    elif right:
        yield from told_values(statement)
        yield from told_defaults(statement)


def _line_of(note: Note, text: str, document: Document) -> int:
    """The last line of a note on which a value stands."""
    if document.places:
        return note.span.start
    last = min(note.span.stop, len(document.source.lines))
    return next(
        (at for at in range(last - 1, note.span.start - 1, -1) if text in document.source.lines[at]), note.span.start
    )
