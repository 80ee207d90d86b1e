"""The two sides of a note as Markdown, as reports show them and as idioms compare them; cards are rendered from the note."""

from __future__ import annotations

import re
from typing import assert_never

from deckgen.model.note import BLANK, Api, Basic, Body, Choice, Cloze, Note, Output
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE


def front(note: Note) -> str:
    """What is asked, with its context, as Markdown: no two notes of a source share it."""
    context = " › ".join(note.headings)
    asked = _asked(note.body)
    return f"{context}\n\n{asked}" if context else asked


def back(note: Note) -> str:
    """The answer as Markdown; of a cloze the whole text."""
    match note.body:
        case Basic():
            return note.body.answer
        case Choice():
            return _lines(_right_options(note.body), note.body.explanation)
        case Cloze():
            return _lines(fenced(note.body.text, note.body.language), note.body.explanation)
        case Output():
            return _lines(fenced(note.body.output, "text"), note.body.explanation)
        case Api():
            return _api_answer(note.body)
        case _:
            assert_never(note.body)


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
    if CHINESE.search(body) or any(map(CHINESE.search, note.headings)):
        return False
    return len(_WORD.findall(_CODE.sub("", body))) > 1


def _asked(body: Body) -> str:
    match body:
        case Basic():
            return body.prompt
        case Choice():
            options = "\n".join(f"{option.letter}. {option.text}" for option in body.options)
            return _lines(body.stem, options)
        case Cloze():
            return _lines(body.prompt, fenced(_blanked(body), body.language))
        case Output():
            return _lines(body.prompt, fenced(body.code, "python"))
        case Api():
            return f"`{body.signature}`" if "`" not in body.signature else body.signature
        case _:
            assert_never(body)


def _blanked(cloze: Cloze) -> str:
    text, done, parts = cloze.text, 0, []
    for hole in cloze.holes:
        parts += [text[done : hole.start], BLANK]
        done = hole.stop
    return "".join([*parts, text[done:]])


def _right_options(choice: Choice) -> str:
    return "\n".join(f"{o.letter}. {o.text}" for o in choice.options if o.letter in choice.right)


def _api_answer(api: Api) -> str:
    facts = [f"{title}: {cell}" for title, cell in api.details]
    parameters = [f"- `{name}`: {meaning}" for name, meaning in api.parameters]
    example = fenced(api.example, "python")
    return _lines(api.meaning, "\n".join(facts), "\n".join(parameters), example)


def fenced(text: str, language: str) -> str:
    """Code between fences that nothing in it can close; text without a language as it is."""
    fence = max(("```", *(found + "`" for found in _FENCES.findall(text))), key=len)
    return f"{fence}{language}\n{text}\n{fence}" if language and text else text


def _lines(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
