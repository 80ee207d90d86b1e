"""The fields of the five kinds of notes, and which of their cards Anki must make.

In a corrected note, what was false is replaced where it stands by what torch says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from deckgen.model.deck import Kind
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Output
from deckgen.model.results import Decision, Disposition
from deckgen.model.verdict import DEFAULT, place_of
from deckgen.render import cloze, code, escape, options, prose
from deckgen.render.lines import leading_imports
from deckgen.render.media import Pictures
from deckgen.render.notetypes import Words
from deckgen.text.pattern import pattern

TYPED = "ask::typed"
ASK_REVERSE = "ask::reverse"
"""Tags by which an author turns a note's further cards on; they are not passed to Anki."""
_PHONE_COLUMNS = 32
"""Of `.name` at 360 px."""
_IMAGE = pattern(r'<img(?: class="([^"]*)")?(?= )')
_JOINT = pattern(r"\.(?=\w)|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")


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
    reverse: str = ""
    """What the card asks that shows the answer first; empty where it would show nothing."""
    name: str = ""
    """What that card asks for, if seeing it in the context line would tell."""


@dataclass(frozen=True, slots=True)
class RenderContext:
    """What rendering one note needs beside it."""

    decision: Decision
    words: Words
    pictures: Pictures

    @property
    def corrected(self) -> bool:
        return self.decision.disposition is Disposition.CORRECT

    def html(self, markdown: str) -> str:
        return prose.html(markdown, self.pictures)

    def line(self, markdown: str) -> str:
        return prose.line(markdown, self.pictures)


def field_set(body: Body, context: RenderContext) -> FieldSet:
    """The fields that the note's kind fills; of a corrected note with what torch says where the falsehood stood."""
    right = corrected(body, context.decision.corrections) if context.corrected else None
    match right or body:
        case Basic() as basic:
            made = _basic(basic, context)
            if context.corrected and right is None:
                made.fields["Answer"] = f"<del>{made.fields['Answer']}</del>"
            return made
        case Choice() as choice:
            return _choice(choice, context)
        case Cloze() as cloze_body:
            return _cloze(cloze_body, context)
        case Output() as output:
            return _output(output, context)
        case Api() as api:
            return _api(api, context)
        case other:
            assert_never(other)


def _basic(body: Basic, context: RenderContext) -> FieldSet:
    prompt, answer = context.html(body.prompt), context.html(body.answer)
    prompt = _solved(prompt, answer)
    made = FieldSet("basic", {"Prompt": prompt, "Answer": answer}, escape.plain(prompt), escape.plain(answer))
    made.reverse = context.words.reverse if made.answer else ""
    made.name = made.title if cloze.tells(made.title) else ""
    _ask(made, "AskTyped", 2, context.words.type_answer if TYPED in context.decision.note.tags else "")
    return made


def _solved(prompt: str, answer: str) -> str:
    """What is asked; if the answer has a picture, that of the question is marked, and the back does without it."""
    if "<img " not in answer:
        return prompt
    return _IMAGE.sub(lambda image: f'<img class="{" ".join(filter(None, ("replaced", image[1])))}"', prompt)


def _ask(made: FieldSet, switch: str, ordinal: int, question: str) -> None:
    """A switch holds the line that its card asks; empty = no such card."""
    if question:
        made.fields[switch] = question
        made.ordinals += (ordinal,)


def _choice(body: Choice, context: RenderContext) -> FieldSet:
    stem = context.html(body.stem)
    right = _right(body, context.decision) if context.corrected else body.right
    explanation = context.html(body.explanation)
    stem = _solved(stem, explanation)
    if len(right) > 1:
        stem += f' <span class="several">{context.words.several.format(count=len(right))}</span>'
    # the letters tell places: they stay in their order whatever stands behind them
    rows = [
        (place.letter, option.letter in right, context.html(option.text))
        for place, option in zip(body.options, options.ordered(body), strict=True)
    ]
    true = "" if right else f'<div class="key">{code.inline(context.decision.observed or "")}</div>\n'
    fields = {
        "Prompt": stem,
        "Options": _options((letter, "open", text) for letter, _, text in rows),
        "Answer": true + _options((letter, "right" if is_right else "wrong", text) for letter, is_right, text in rows),
        "Explanation": explanation,
    }
    # by the source's letters, as the lock knows it
    named = (f"{one.letter} {escape.plain(context.html(one.text))}" for one in body.options if one.letter in right)
    return FieldSet("choice", fields, escape.plain(stem), " ".join(named) or escape.plain(true))


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


def _options(rows: Iterable[tuple[str, str, str]]) -> str:
    items = (f'<li class="{state}"><b>{escape.text(letter)}</b><div>{text}</div></li>' for letter, state, text in rows)
    return f'<ul class="options">{"".join(items)}</ul>'


def _cloze(body: Cloze, context: RenderContext) -> FieldSet:
    answers = tuple(dict.fromkeys(cloze.answer(body.text, hole) for hole in body.holes))
    secrets = tuple(filter(cloze.tells, answers))
    prompt = context.html(body.prompt)
    if body.language:
        markup, numbers = cloze.code_cloze(body.text, body.language, body.holes, as_given=body.as_given)
        fields = {"Prompt": hidden(prompt, secrets), "Code": markup}
        title = f"{escape.plain(prompt)} {body.text}"
    else:
        markup, numbers = cloze.prose_cloze(body.text, body.holes, context.pictures, as_given=body.as_given)
        fields = {"Prompt": markup}
        title = escape.plain(prose.html(body.text, Pictures()))
    fields["Explanation"] = context.html(body.explanation)
    ordinals = tuple(number - 1 for number in sorted(numbers))
    return FieldSet("cloze", fields, title, " / ".join(answers), ordinals, secrets)


def _output(body: Output, context: RenderContext) -> FieldSet:
    observed = context.decision.observed if context.corrected else None
    shown = body.output if observed is None else observed
    fields = {
        "Prompt": context.html(body.prompt) or escape.text(context.words.predict),
        "Code": code.block(body.code, fold=True),
        "Output": code.output(shown) if shown.strip() else escape.text(context.words.prints_nothing),
        "Explanation": context.html(body.explanation),
    }
    question = escape.plain(fields["Prompt"])
    if question == context.words.predict:  # as a hundred others: the code tells them apart
        question = ""
    asked = f"{question} {body.code[sum(map(len, leading_imports(body.code))) :]}"
    return FieldSet("output", fields, " ".join(asked.split()), " ".join(shown.split()))


def _api(body: Api, context: RenderContext) -> FieldSet:
    meaning = context.html(body.meaning)
    name = escape.clean(body.name).strip()
    bare = name.split("(")[0].rsplit(".", 1)[-1]
    shown = escape.outside_code(name)
    signature = ""
    if body.signature.strip() not in ("", name):
        signature = code.block(body.signature)
    fields = {
        # what no phone has in one line may be broken between its words; searches find it by the title
        "Name": _JOINT.sub(r"\g<0><wbr>", shown) if len(shown) > _PHONE_COLUMNS else shown,
        "Prompt": escape.text(context.words.meaning),
        "Answer": meaning,
        "Signature": signature,
        "Parameters": _pairs([(code.inline(n), context.html(m)) for n, m in body.parameters]),
        "Example": code.block(body.example) if body.example.strip() else "",
        "Explanation": _pairs([(context.line(header), context.html(cell)) for header, cell in body.details if cell]),
    }
    made = FieldSet("api", fields, name, escape.plain(meaning))
    made.reverse, made.name = context.words.name if made.answer else "", bare
    _ask(made, "AskTyped", 2, context.words.type_name if made.answer and TYPED in context.decision.note.tags else "")
    return made


def _pairs(pairs: list[tuple[str, str]]) -> str:
    """Terms and their meanings, as a list that fits a phone."""
    rows = "".join(f"<dt>{term}</dt> <dd>{meaning}</dd>" for term, meaning in pairs)
    return f"<dl>{rows}</dl>" if rows else ""


def hidden(markup: str, secrets: tuple[str, ...]) -> str:
    """`markup` with an ellipsis wherever the text between its tags gives a secret away."""
    for secret in secrets:
        shown = escape.text(secret)
        if shown in markup and (pattern := cloze.occurrences(shown)).search(markup):
            pieces = re.split(r"(<[^>]*>)", markup)
            markup = "".join(p if p.startswith("<") else pattern.sub("…", p) for p in pieces)
    return markup


# --- what is corrected ----------------------------------------------------------------------------------


def corrected(body: Body, pairs: Sequence[tuple[str, str]]) -> Body | None:
    """The note with each falsehood replaced; None where one of them cannot be told from what else the note says."""
    for false, true in pairs:
        found = _replaced(body, false, true)
        if found is None:
            return None
        body = found
    return body if pairs else None


def _replaced(body: Body, false: str, true: str) -> Body | None:
    match body:
        case Basic():
            answer, prompt = _in(body.answer, false, true), _in(body.prompt, false, true)
            if answer is not None:
                return replace(body, answer=answer)
            return None if prompt is None else replace(body, prompt=prompt)
        case Cloze(language=""):
            place = place_of(body.text, false)
            return None if place is None else _of_cloze(body, *place, true)
        case Api():
            return _of_api(body, false, true)
        case _:
            return None


def _of_cloze(body: Cloze, start: int, stop: int, true: str) -> Cloze | None:
    """A hole goes with the text in it; None where one begins or ends inside of what is replaced."""
    more = len(true) - (stop - start)
    holes = []
    for hole in body.holes:
        if hole.start < stop and hole.stop > start and not (hole.start <= start and stop <= hole.stop):
            return None
        at = hole.start + more * (hole.start > start), hole.stop + more * (hole.stop > start)
        holes.append(replace(hole, start=at[0], stop=at[1]))
    return replace(body, text=body.text[:start] + true + body.text[stop:], holes=tuple(holes))


def _of_api(body: Api, false: str, true: str) -> Api | None:
    """The row with the one cell replaced in which the falsehood stands; those that tell of defaults come first."""
    for header, cell in sorted(body.details, key=lambda one: not DEFAULT.search(one[0])):
        if (new := _in(cell, false, true)) is not None:
            details = [(header, new) if one == (header, cell) else one for one in body.details]
            return replace(body, details=tuple(details))
    signature = _in(body.signature, false, true)
    if (meaning := _in(body.meaning, false, true)) is not None:
        return replace(body, meaning=meaning)
    if (name := _in(body.name, false, true)) is not None:
        return replace(body, name=name, signature=signature or body.signature)
    return None if signature is None else replace(body, signature=signature)


def _in(text: str, false: str, true: str) -> str | None:
    place = place_of(text, false)
    return None if place is None else text[: place[0]] + true + text[place[1] :]
