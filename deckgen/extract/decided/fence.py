"""Questions about the code of a fence: "What does this print?", "Which dtype does it have?". Their claims are about its snippet."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from typing import NamedTuple

from deckgen.extract.decided import question
from deckgen.extract.decided.facts import Failure, Shape, Value, bound_by, leaves_something
from deckgen.extract.decided.text import CODE, exception_of, template, truths_as_words, value_of
from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

FORM = "decided"
_FENCED = pattern(r"(?ms)^(?P<mark>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)\n?(?P=mark)[`~]*[ \t]*$")


class Asked(NamedTuple):
    """A question with the code of its fence taken out, and its answer."""

    words: str
    code: str
    answer: str


def asked_of(prompt: str, answer: str) -> Asked | None:
    """The question about one fence, which stands in it or at the head of its answer; None if there is none or another one."""
    first = _FENCED.match(answer)
    fences = [*_FENCED.finditer(prompt)]
    if len(fences) == 1 and not first:
        return Asked(_FENCED.sub("", prompt).strip(), fences[0]["code"], answer)
    if not fences and first:
        return Asked(prompt.strip(), first["code"], answer[first.end() :].strip())
    return None


def without(text: str) -> str:
    """A text without its fences."""
    return _FENCED.sub("", text).strip() if "```" in text or "~~~" in text else text


def claims(asked: Asked, span: Span, bound: Container[str]) -> Iterator[Claim]:
    """What the answer says of the code: what it prints, what its last line has, what it raises. One claim at most."""
    words = template(truths_as_words(asked.words))
    tree = parsed(asked.code)
    if words.spans or words.given or tree is None or not tree.body:
        return
    last = tree.body[-1]
    line, what = last.lineno - 1, asked.code.splitlines()[last.lineno - 1].strip()
    found = question.form_of(f"{words.words} {CODE}")
    if exception_of(asked.answer) or "fails" in found:
        failure = question.FAILS.says("torch", asked.answer, bound) if {"raises", "error", "fails"} & found else None
        if isinstance(failure, Failure):
            text, denied = failure.exception or "an error", not failure.raised
            yield Raises(span, text, FORM, "answer", None, failure.exception, "", asks=what, denied=denied)
        return
    shown = _shown(last)
    if shown is None or _prints(tree) != int(_is_print(last)):
        return
    value = value_of(asked.answer)
    if "value" in found and not isinstance(last, ast.Assign) and value is not None:
        if _is_print(last):
            yield Prints(span, value, FORM, "answer", line, asks=what)
        else:
            yield Shows(span, value, FORM, "answer", line, None, asks=what)
        return
    names = bound_by(asked.code)
    fact = question.fact_of(found, shown, asked.answer, names) if _is_path(shown) else None
    match fact:
        case Value(code=code, text=text, of=of):
            yield Shows(span, text, FORM, "answer", line, code, asks=of or code)
        case Shape(code=code, text=text, sizes=sizes):
            yield HasShape(span, text, FORM, "answer", line, code, (sizes,), asks=f"shape of {code}")
        case _:
            return


def _shown(last: ast.stmt) -> str | None:
    """What the last statement prints, shows or names."""
    if isinstance(last, ast.Assign) and len(last.targets) == 1:
        return ast.unparse(last.targets[0])
    if not isinstance(last, ast.Expr):
        return None
    if not _is_print(last):
        return ast.unparse(last.value)
    call = last.value
    return ast.unparse(call.args[0]) if isinstance(call, ast.Call) and len(call.args) == 1 else None


def _is_print(last: ast.stmt) -> bool:
    return (
        isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Call)
        and isinstance(last.value.func, ast.Name)
        and last.value.func.id == "print"
    )


def _prints(tree: ast.Module) -> int:
    return sum(isinstance(one, ast.Name) and one.id == "print" for one in nodes(tree))


def _is_path(code: str) -> bool:
    """True for a name or an attribute, which may be looked at twice."""
    node = ast.parse(code, mode="eval").body
    return not any(isinstance(one, ast.Call) for one in ast.walk(node)) and not leaves_something(node)
