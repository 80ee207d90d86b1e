"""Answers to questions about the code of a fence are claims about it: `What does this print?`, the code, `Answer: 6`."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.extract.claims.code import assigned, is_print, prints_inside
from deckgen.extract.claims.pasted import claims_of_output, raised
from deckgen.extract.claims.snippets import numbered
from deckgen.extract.claims.values import leading_value, written_shape
from deckgen.extract.decided import question
from deckgen.extract.decided.facts import Failure, Shape, Value, bound_by
from deckgen.extract.decided.text import CODE, template, truths_as_words
from deckgen.extract.text import code_spans
from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.document import Document
from deckgen.model.note import UNREAD, Basic, Choice, Cloze, Hole, Note
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

FORM = "answer"
_FENCED = pattern(r"```\w*\n(?P<code>.*?)\n```", re.DOTALL)
_SPAN = pattern(r"(`++)\s*+(?P<text>[^`]+?)\s*\1")
_ASPECT = pattern(r"\b(?:dtype|device)\b|(?P<shape>«claim.shape»)")
_VALUE = pattern("«claim.value»")
_PRINTS = pattern("«claim.output»")
_YES_OR_NO = pattern(r"^\W*«claim.yes_no»|«claim.yes_no»\W*$")
_TOLD = pattern(r"[\W_]*(?:«claim.output»)?[\W_]*")
"""What may stand around the gap of a cloze below its code: `prints`."""
_ASKED = "What does this print?"
_REPEATED = (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AsyncFor)
"""What is printed inside may be printed any number of times."""


def with_fences(
    notes: Sequence[Note], snippets: Sequence[Snippet], document: Document
) -> tuple[tuple[Note, ...], tuple[Snippet, ...]]:
    """The notes with what they say of code that they show, and the snippets with these claims.

    A note whose answer is no value rests on `UNREAD`: it is shipped, and says that it was not checked.
    """
    kept, checked = list(notes), list(snippets)
    counts: dict[int, int] | None = None
    by_line = sorted(range(len(snippets)), key=lambda at: snippets[at].span.start)
    lines = [snippets[at].span.start for at in by_line]
    for index, note in enumerate(notes):
        asked = asked_of(note)
        if asked is None:
            continue
        within = by_line[bisect_left(lines, note.span.start) : bisect_left(lines, note.span.stop)]
        at = min((at for at in within if snippets[at].code.strip() in asked.code), default=None)
        if at is None:
            continue
        if snippets[at].claims:  # `Output: {{c1::6}}`, which is a claim of its own
            shown = tuple(one.id for one in snippets[at].claims if one.text == asked.answer)
            kept[index] = replace(note, proven_by=shown) if isinstance(note.body, Cloze) else note
            continue
        if counts is None:
            counts = {}
            numbered((claim for snippet in snippets for claim in snippet.claims), counts)
        found: list[Claim] = []
        if not question.asks_of_part(asked.words):
            found += _claims(asked, note, snippets[at], document)
            found = found or [*_of_form(asked, note, snippets[at], document)]
        claims = numbered(found, counts)
        checked[at] = replace(checked[at], claims=(*checked[at].claims, *claims))
        proofs = tuple(claim.id for claim in claims)
        unread = (UNREAD,) if asked.is_above else ()
        kept[index] = replace(note, rests_on=(*note.rests_on, *(proofs or unread)), proven_by=proofs)
    return tuple(kept), tuple(checked)


class Asked(NamedTuple):
    """A question with the code of its fence taken out, and its answer."""

    words: str
    code: str
    answer: str
    is_above: bool
    """False if the code stands at the head of the answer, as below a heading that asks."""


def asked_of(note: Note) -> Asked | None:
    """The question about a fence, which stands in it or at the head of its answer."""
    match note.body:
        case Basic(prompt=prompt, answer=answer):
            pass
        case Cloze(text=text, language="", holes=holes) if holes:
            return _with_gaps(text, holes)
        case Choice(stem=prompt, right=right, options=options):
            marked = [option.text for option in options if option.letter in right]
            answer = marked[0] if len(marked) == 1 and not marked[0].startswith("```python") else ""
        case _:
            return None
    if found := _FENCED.search(prompt):
        return Asked(_FENCED.sub("", prompt), found["code"], answer, is_above=True)
    first = _FENCED.match(answer)
    below = answer[first.end() :].strip() if first else ""
    return Asked(prompt, first["code"], below, is_above=False) if first and below else None


def _with_gaps(text: str, holes: Sequence[Hole]) -> Asked | None:
    """A cloze whose gaps are all that stands below its one fence: they are what it prints."""
    fences = [*_FENCED.finditer(text)]
    if len(fences) != 1 or any(hole.start < fences[0].end() for hole in holes):
        return None
    rest, done = text[: fences[0].start()], fences[0].end()
    for hole in sorted(holes, key=lambda hole: hole.start):
        rest, done = rest + text[done : hole.start], hole.stop
    if not _TOLD.fullmatch(rest + text[done:]):
        return None
    hidden = (text[hole.start : hole.stop].strip() for hole in sorted(holes, key=lambda hole: hole.start))
    return Asked(_ASKED, fences[0]["code"], "\n".join(hidden), is_above=True)


def without(text: str) -> str:
    """A text without its fences."""
    return _FENCED.sub("", text).strip() if "```" in text else text


def _claims(asked_about: Asked, note: Note, snippet: Snippet, document: Document) -> Iterator[Claim]:
    """One claim; of an answer of several lines one for each thing that is printed; none if it is no value.

    A value is that of what the question names, or its shape; or what is printed, or the value of the last line.
    """
    text, words = _first_of(asked_about.answer), asked_about.words
    tree = parsed(snippet.code)
    spans = code_spans(words)
    asked = [found.body for one in spans if (found := parsed(one)) and found.body]
    if not tree or not tree.body or any(isinstance(node, ast.Assign) for body in asked for node in body):
        return  # "What does this print for `x = 2`?" is about more than the code
    span, prints, value = _place(text, note, snippet, document), _PRINTS.search(words), leading_value(text)
    if "\n" in text:
        lines = text.split("\n") if prints else []
        yield from claims_of_output(lines, [span.start] * len(lines), FORM, "answer", None, "any")
        return
    if error := raised(text.rstrip(" .。!！")):
        yield Raises(span, text, FORM, "answer", None, *error)
        return
    named = spans[0] if len(spans) == len(asked) == 1 and isinstance(asked[0][0], ast.Expr) else ""
    if not value or _YES_OR_NO.search(words.strip()) or (named and not _is_of(asked[0][0], tree)):
        return
    last, aspect, printed = tree.body[-1], _ASPECT.search(words), prints_inside(tree)
    line = last.lineno - 1
    shown = ast.unparse(last.value) if isinstance(last, ast.Expr) and not is_print(last) else assigned(last) or ""
    is_shape = aspect and aspect["shape"] and written_shape(value) is not None
    target = named or (shown if is_shape else "")
    if target and (aspect or _VALUE.search(words)):
        attribute = "shape" if is_shape else aspect[0] if aspect and not aspect["shape"] else ""
        if attribute and not target.endswith((attribute, ".size()")):
            target = f"{target}.{attribute}"
        yield Shows(span, value, FORM, "answer", line, target)
    elif not prints or any(isinstance(one, _REPEATED) and prints_inside(one) for one in nodes(tree)):
        return
    elif len(printed) == 1:
        yield Prints(span, value, FORM, "answer", None, "any")
    elif not printed and isinstance(last, ast.Expr):
        yield Shows(span, value, FORM, "answer", line, None)


def _first_of(answer: str) -> str:
    """The one thing that an answer gives, without marks."""
    text = answer.strip()
    fence = _FENCED.match(text)
    first = fence["code"] if fence else text.partition("\n")[0].strip().replace("**", "")
    mark = _SPAN.match(first)
    return mark["text"] if mark else first


def _is_of(asked: ast.stmt, tree: ast.Module) -> bool:
    """True if what a question names is of this code: `(8, 3, 32, 32)` is not."""
    return bool(_names(asked)) and _names(asked) <= _names(tree)


def _place(text: str, note: Note, snippet: Snippet, document: Document) -> Span:
    """The line below the code on which an answer stands; all lines of the note, if none has it as it is."""
    below, first = snippet.span.stop, text.partition("\n")[0]
    lines = () if document.places else document.source.lines[below : note.span.stop]
    found = next((at for at, line in enumerate(lines, below) if first and first in line), None)
    return note.span if found is None else line_span(found)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in nodes(tree) if isinstance(node, ast.Name)}


def _of_form(asked: Asked, note: Note, snippet: Snippet, document: Document) -> Iterator[Claim]:
    """What the answer to a question of a form says of the code: what it prints, what its last line has, what it raises."""
    words, tree = template(truths_as_words(asked.words)), parsed(snippet.code)
    if words.spans or words.given or tree is None or not tree.body:
        return
    span, forms = (
        _place(_first_of(asked.answer), note, snippet, document),
        question.form_of(f"{question.without_now(words.words)} {CODE}"),
    )
    last = tree.body[-1]
    line, asks = last.lineno - 1, snippet.code.split("\n")[last.lineno - 1].strip()
    shown, printed = _shown(last), prints_inside(tree)
    if not forms.isdisjoint(("raises", "error", "fails")):
        failure = question.FAILS.says("torch", asked.answer, ())
        if isinstance(failure, Failure):
            text, denied = failure.exception or "an error", not failure.raised
            yield Raises(span, text, FORM, "answer", None, failure.exception, "", asks=asks, denied=denied)
        return
    if not shown or len(printed) != int(is_print(last)):
        return
    fact = question.fact_of(forms, shown, asked.answer, bound_by(snippet.code))
    if isinstance(fact, Value) and isinstance(last, ast.Expr) and fact.code in (shown, f"bool({shown})"):
        if is_print(last):
            yield Prints(span, fact.text, FORM, "answer", line, asks=asks)
        else:
            yield Shows(span, fact.text, FORM, "answer", line, None, asks=asks)
    elif isinstance(fact, Shape) and _is_path(shown):
        yield HasShape(span, fact.text, FORM, "answer", line, fact.code, (fact.sizes,), asks=f"shape of {fact.code}")
    elif isinstance(fact, Value) and _is_path(shown):
        yield Shows(span, fact.text, FORM, "answer", line, fact.code, asks=fact.of or fact.code)


def _shown(last: ast.stmt) -> str:
    """What the last statement prints, shows or names; empty for any other."""
    if not isinstance(last, ast.Expr):
        return assigned(last) or ""
    call = last.value
    if not is_print(last):
        return ast.unparse(call)
    return ast.unparse(call.args[0]) if isinstance(call, ast.Call) and len(call.args) == 1 else ""


def _is_path(code: str) -> bool:
    """True for a name or an attribute, which may be looked at twice."""
    return not any(isinstance(one, ast.Call) for one in ast.walk(ast.parse(code, mode="eval")))
