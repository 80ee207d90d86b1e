"""The fields of the five kinds of notes, and which of their cards Anki must make."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import assert_never

from deckgen.model.deck import Kind
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Output
from deckgen.model.results import Decision, Disposition
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
class FieldSet:
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
class RenderContext:
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


def field_set(body: Body, context: RenderContext) -> FieldSet:
    """The fields that the note's kind fills; of a corrected note with what torch says where the falsehood stood."""
    right = corrected(body, context.decision.corrections) if context.corrected else None
    made = _field_set(right or body, context)
    if context.corrected and right is None and made.kind == "basic":
        made.fields["Answer"] = f"<del>{made.fields['Answer']}</del>"
    return made


def _field_set(body: Body, context: RenderContext) -> FieldSet:
    match body:
        case Basic():
            return _basic(body, context)
        case Choice():
            return _choice(body, context)
        case Cloze():
            return _cloze(body, context)
        case Output():
            return _output(body, context)
        case Api():
            return _api(body, context)
        case _:
            assert_never(body)


def _basic(body: Basic, context: RenderContext) -> FieldSet:
    prompt, answer = context.html(body.prompt), context.html(body.answer)
    made = FieldSet("basic", {"Prompt": prompt, "Answer": answer}, escape.plain(prompt), escape.plain(answer))
    if REVERSE in context.tags or (body.reverse and not cloze.occurrences(made.title).search(made.answer)):
        _ask(made, "AskReverse", 1, context.words.reverse)
        made.secrets = (made.title,) if cloze.tells(made.title) else ()
    _ask(made, "AskTyped", 2, context.words.type_answer if TYPED in context.tags else "")
    return made


def _ask(made: FieldSet, switch: str, ordinal: int, question: str) -> None:
    """A switch holds the line that its card asks; empty = no such card."""
    if question:
        made.fields[switch] = question
        made.ordinals += (ordinal,)


def _choice(body: Choice, context: RenderContext) -> FieldSet:
    stem = context.html(body.stem)
    right = _right(body, context.decision) if context.corrected else body.right
    rendered = [(option.letter, context.html(option.text)) for option in body.options]
    if len(right) > 1:
        stem += f' <span class="several">{context.words.several.format(count=len(right))}</span>'
    key = escape.text(context.words.between.join(right)) or code.inline(context.decision.observed or "")
    made = FieldSet("choice", title=escape.plain(stem))
    told = " ".join(f"{letter} {escape.plain(text)}" for letter, text in rendered if letter in right)
    made.answer = told or escape.plain(key)
    made.fields = {
        "Prompt": stem,
        "Options": _options([("open", letter, text) for letter, text in rendered]),
        "Answer": f'<div class="key">{key}</div>\n'
        + _options([("right" if letter in right else "wrong", letter, text) for letter, text in rendered]),
        "Explanation": context.html(body.explanation),
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


def _cloze(body: Cloze, context: RenderContext) -> FieldSet:
    answers = tuple(dict.fromkeys(cloze.answer(body.text, hole) for hole in body.holes))
    made = FieldSet("cloze", secrets=tuple(filter(cloze.tells, answers)))
    prompt = context.html(body.prompt)
    if body.language:
        markup, numbers = cloze.code_cloze(body.text, body.language, body.holes)
        made.fields = {"Prompt": hidden(prompt, made.secrets), "Code": markup}
    else:
        markup, numbers = cloze.prose_cloze(body.text, body.holes, context.pictures)
        made.fields = {"Prompt": markup}
    made.fields["Explanation"] = context.html(body.explanation)
    made.ordinals = tuple(number - 1 for number in sorted(numbers))
    made.title = f"{escape.plain(prompt)} {body.text}" if body.language else prose.plain(body.text)
    made.answer = " / ".join(answers)
    return made


def _output(body: Output, context: RenderContext) -> FieldSet:
    decision = context.decision
    shown = body.output
    if context.corrected and decision.observed is not None:
        shown = decision.observed
    made = FieldSet("output", title=" ".join(body.code.split()), answer=" ".join(shown.split()))
    made.fields = {
        "Prompt": context.html(body.prompt) or escape.text(context.words.predict),
        "Code": code.block(body.code),
        "Output": code.output(shown) if shown.strip() else escape.text(context.words.prints_nothing),
        "Explanation": context.html(body.explanation),
    }
    return made


def _api(body: Api, context: RenderContext) -> FieldSet:
    meaning = context.html(body.meaning)
    name = escape.clean(body.name).strip()
    bare = name.split("(")[0].rsplit(".", 1)[-1]
    made = FieldSet("api", title=name, answer=escape.plain(meaning))
    made.fields = {
        "Name": _breakable(escape.outside_code(name)),
        "Prompt": escape.text(context.words.meaning),
        "Answer": meaning,
        "Signature": _signature(body.signature) if body.signature.strip() not in ("", name) else "",
        "Parameters": _pairs([(code.inline(n), context.html(m)) for n, m in body.parameters]),
        "Example": code.block(body.example) if body.example.strip() else "",
        "Explanation": _pairs([(context.line(header), context.html(cell)) for header, cell in body.details if cell]),
    }
    if made.answer and not cloze.occurrences(bare).search(made.answer):
        _ask(made, "AskReverse", 1, context.words.name)
        made.secrets = (bare,)
    if made.answer and TYPED in context.tags:
        _ask(made, "AskTyped", 2, context.words.type_name)
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
