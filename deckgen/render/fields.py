"""The fields of the five kinds of notes, and which of their cards Anki must make."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import assert_never

from deckgen.model.decision import Decision, Disposition
from deckgen.model.deck import Kind
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Output
from deckgen.render import cloze, code, escape, prose
from deckgen.render.corrections import corrected
from deckgen.render.media import Pictures
from deckgen.render.words import Words

TYPED = "ask::typed"
REVERSE = "ask::reverse"
"""Tags by which an author turns a note's further cards on; they are not passed to Anki."""
_PHONE_COLUMNS = 32
"""Of `.name` at 360 px."""
_SIGNATURE_COLUMNS = 36
"""Of `.signature`; its letters are smaller."""


@dataclass(slots=True)
class Sheet:
    """A note being rendered: its fields by name, its cards, and the answer in plain words."""

    kind: Kind
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""
    """Plain text that asks; the heading path is put before it."""
    answer: str = ""
    ordinals: tuple[int, ...] = (0,)
    secrets: tuple[str, ...] = ()
    """Plain text that must not stand in the context line."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What rendering one note needs beside it."""

    decision: Decision
    words: Words
    pictures: Pictures

    @property
    def corrected(self) -> bool:
        return self.decision.disposition is Disposition.CORRECT

    @property
    def tags(self) -> tuple[str, ...]:
        return self.decision.note.tags

    def html(self, markdown: str) -> str:
        return prose.html(markdown, self.pictures) if markdown else ""

    def line(self, markdown: str) -> str:
        return prose.line(markdown, self.pictures) if markdown else ""


def sheet(body: Body, desk: Desk) -> Sheet:
    """The fields that the note's kind fills; of a corrected note with what torch says where the falsehood stood."""
    right = corrected(body, desk.decision.corrections) if desk.corrected else None
    made = _sheet(right or body, desk)
    if desk.corrected and right is None and made.kind == "basic":
        made.fields["Answer"] = f"<del>{made.fields['Answer']}</del>"
    return made


def _sheet(body: Body, desk: Desk) -> Sheet:
    match body:
        case Basic():
            return _basic(body, desk)
        case Choice():
            return _choice(body, desk)
        case Cloze():
            return _cloze(body, desk)
        case Output():
            return _output(body, desk)
        case Api():
            return _api(body, desk)
        case _:
            assert_never(body)


def _basic(body: Basic, desk: Desk) -> Sheet:
    prompt, answer = desk.html(body.prompt), desk.html(body.answer)
    made = Sheet("basic", {"Prompt": prompt, "Answer": answer}, escape.plain(prompt), escape.plain(answer))
    if REVERSE in desk.tags or (body.reverse and not cloze.occurrences(made.title).search(made.answer)):
        _ask(made, "AskReverse", 1, desk.words.reverse)
        made.secrets = (made.title,) if cloze.tells(made.title) else ()
    _ask(made, "AskTyped", 2, desk.words.type_answer if TYPED in desk.tags else "")
    return made


def _ask(made: Sheet, switch: str, ordinal: int, question: str) -> None:
    """A switch holds the line that its card asks; empty = no such card."""
    if question:
        made.fields[switch] = question
        made.ordinals += (ordinal,)


def _choice(body: Choice, desk: Desk) -> Sheet:
    stem = desk.html(body.stem)
    right = _right(body, desk.decision) if desk.corrected else body.right
    rendered = [(option.letter, desk.html(option.text)) for option in body.options]
    if len(right) > 1:
        stem += f' <span class="several">{desk.words.several.format(count=len(right))}</span>'
    key = escape.text(desk.words.between.join(right)) or code.inline(desk.decision.observed or "")
    made = Sheet("choice", title=escape.plain(stem))
    told = " ".join(f"{letter} {escape.plain(text)}" for letter, text in rendered if letter in right)
    made.answer = told or escape.plain(key)
    made.fields = {
        "Prompt": stem,
        "Options": _options([("open", letter, text) for letter, text in rendered]),
        "Answer": f'<div class="key">{key}</div>\n'
        + _options([("right" if letter in right else "wrong", letter, text) for letter, text in rendered]),
        "Explanation": desk.html(body.explanation),
    }
    return made


def _right(body: Choice, decision: Decision) -> tuple[str, ...]:
    """The right letters of a corrected quiz: that of what torch says, in place of the one that the notes gave.

    None is left if no option says what torch does.
    """
    sides = decision.corrections[0] if decision.corrections else (decision.claimed, decision.observed)
    claimed, observed = (_bare(text or "") for text in sides)
    false = {option.letter for option in body.options if option.letter in body.right and _bare(option.text) == claimed}
    true = {option.letter for option in body.options if _bare(option.text) == observed}
    right = set(body.right) - false | true
    return tuple(option.letter for option in body.options if option.letter in right) if false else body.right


def _bare(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def _options(rows: list[tuple[str, str, str]]) -> str:
    items = (f'<li class="{state}"><b>{escape.text(letter)}</b><div>{text}</div></li>' for state, letter, text in rows)
    return f'<ul class="options">{"".join(items)}</ul>'


def _cloze(body: Cloze, desk: Desk) -> Sheet:
    answers = tuple(dict.fromkeys(cloze.answer(body.text, hole) for hole in body.holes))
    made = Sheet("cloze", secrets=tuple(filter(cloze.tells, answers)))
    prompt = desk.html(body.prompt)
    if body.language:
        markup, numbers = cloze.code_cloze(body.text, body.language, body.holes)
        made.fields = {"Prompt": hidden(prompt, made.secrets), "Code": markup}
    else:
        markup, numbers = cloze.prose_cloze(body.text, body.holes, desk.pictures)
        made.fields = {"Prompt": markup}
    made.fields["Explanation"] = desk.html(body.explanation)
    made.ordinals = tuple(number - 1 for number in sorted(numbers))
    made.title = f"{escape.plain(prompt)} {body.text}" if body.language else prose.plain(body.text)
    made.answer = " / ".join(answers)
    return made


def _output(body: Output, desk: Desk) -> Sheet:
    decision = desk.decision
    shown = body.output
    if desk.corrected and decision.observed is not None:
        shown = decision.observed
    made = Sheet("output", title=" ".join(body.code.split()), answer=" ".join(shown.split()))
    made.fields = {
        "Prompt": desk.html(body.prompt) or escape.text(desk.words.predict),
        "Code": code.block(body.code),
        "Output": code.output(shown) if shown.strip() else escape.text(desk.words.prints_nothing),
        "Explanation": desk.html(body.explanation),
    }
    return made


def _api(body: Api, desk: Desk) -> Sheet:
    meaning = desk.html(body.meaning)
    name = escape.clean(body.name).strip()
    bare = name.split("(")[0].rsplit(".", 1)[-1]
    made = Sheet("api", title=name, answer=escape.plain(meaning))
    made.fields = {
        "Name": _breakable(escape.told(name)),
        "Prompt": escape.text(desk.words.meaning),
        "Answer": meaning,
        "Signature": _signature(body.signature) if body.signature.strip() not in ("", name) else "",
        "Parameters": _pairs([(code.inline(n), desk.html(m)) for n, m in body.parameters]),
        "Example": code.block(body.example) if body.example.strip() else "",
        "Explanation": _pairs([(desk.line(header), desk.html(cell)) for header, cell in body.details if cell]),
    }
    if made.answer and not cloze.occurrences(bare).search(made.answer):
        _ask(made, "AskReverse", 1, desk.words.name)
        made.secrets = (bare,)
    if made.answer and TYPED in desk.tags:
        _ask(made, "AskTyped", 2, desk.words.type_name)
    return made


def _breakable(name: str) -> str:
    """A name that no phone has in one line may be broken at its dots. (Searches find it by the title.)"""
    return name.replace(".", ".<wbr>") if len(name) > _PHONE_COLUMNS else name


def _signature(text: str) -> str:
    """Coloured; where its name and first parameter are too long for a phone, it may be broken between them."""
    markup = code.signature(text)
    return markup.replace("(", "(<wbr>", 1) if len(text.split(maxsplit=1)[0]) > _SIGNATURE_COLUMNS else markup


def _pairs(pairs: list[tuple[str, str]]) -> str:
    """Terms and their meanings, as a list that fits a phone."""
    rows = "".join(f"<dt>{term}</dt><dd>{meaning}</dd>" for term, meaning in pairs)
    return f"<dl>{rows}</dl>" if rows else ""


def hidden(markup: str, secrets: tuple[str, ...]) -> str:
    """`markup` with an ellipsis wherever the text between its tags gives a secret away."""
    for secret in secrets:
        pattern = cloze.occurrences(escape.text(secret))
        if pattern.search(markup):
            pieces = re.split(r"(<[^>]*>)", markup)
            markup = "".join(p if p.startswith("<") else pattern.sub("…", p) for p in pieces)
    return markup
