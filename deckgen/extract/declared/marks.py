"""The author's gaps in a text become holes of the plain text.

`{{c1::text}}`, `{{c1::text::hint}}`, `==text==`, `==c1::text==`, and `==text==^[hint][^1]` of obsidian-spaced-repetition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from deckgen.extract.text import CODE_SPAN
from deckgen.model.note import Hole
from deckgen.text.pattern import pattern

NESTED = (
    "a gap inside of a gap, or one that is not closed: end it with `}}` before the next begins, one behind the other"
)
UNCLOSED = "a gap that is not closed where it begins: write `}}` in the same paragraph, entry, cell or fence"
EMPTY = "a gap that hides nothing: write `{{c1::text}}`"
NO_NUMBER = "a gap without a number: write `{{c1::text}}`"
SEVERAL = "a gap with several numbers: give it one, `{{c1::text}}`, or write the sentence twice"
OUT_OF_RANGE = "a gap with a number that Anki does not know: 1 to 500 are numbers of gaps"

_OPENS = pattern(r"(?<!(?<!\\)\\)\{\{[cC](?P<number>[\d,]*)::")
_QUOTED = r"(?P<quoted>(?P<ticks>`+).+?(?P=ticks)(?!`)|\$\$.+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$|https?://\S+)"
_HIGHLIGHT = pattern(
    rf"{_QUOTED}|(?<![A-Za-z0-9_=)\]\\])==(?:c(?P<number>\d+)::)?(?P<text>(?=[^\s=])[^\n]*?[^\s=])=="
    r"(?:\^\[(?P<hint>[^\[\]\n]*)\])?(?:\[\^(?P<order>\d{1,3}|[ahs]{1,20})\])?(?![A-Za-z0-9_=(\[])",
    re.DOTALL,
)
_FORMULA = pattern(r"`[^`\n]*`|(?P<tex>\$\$.+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$|\\\(.+?\\\)|\\\[.+?\\\])", re.DOTALL)
_WANTS_BRACES = pattern(r"(?:\\[A-Za-z]+|[\^_}])\Z")
_LETTERS = pattern(r"[\w\\]")
_TALKS = pattern(r"\banki\b|\bclozes?\b|«declared.cloze»", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Gapped:
    """A text without the marks of its gaps."""

    text: str
    holes: tuple[Hole, ...] = ()
    problem: str = ""
    """Why no card can be made of it, and what to write instead; then the text is as written."""


def has_gaps(text: str) -> bool:
    """True if a gap begins somewhere in a text: a quick look."""
    return "{{" in text and _OPENS.search(text) is not None


def talks_of_clozes(text: str) -> bool:
    """True for a text that says how gaps are written: it names Anki or a cloze."""
    return _TALKS.search(_OPENS.sub("", text)) is not None


def gapped(text: str, *, code: bool = False, highlight: bool = False) -> Gapped | None:
    """The text without marks, if it has any that its author means; `highlight` = `==text==` is one, too.

    A paragraph that only shows how a cloze is written, in backticks, has none.
    """
    if has_gaps(text):
        return None if not code and _only_shows(text) else _braced(text, code=code)
    if code or "==" not in text or not (highlight or "==c" in text):
        return None
    return _highlighted(text, every=highlight)


def _only_shows(text: str) -> bool:
    spans = [match.span() for match in CODE_SPAN.finditer(text)]
    starts = [match.start() for match in _OPENS.finditer(text)]
    return talks_of_clozes(text) and all(any(one < at < other for one, other in spans) for at in starts)


# --- {{c1::text::hint}} ---


def _braced(text: str, *, code: bool) -> Gapped:
    formulas = [] if code else [match.span("tex") for match in _FORMULA.finditer(text) if match["tex"]]
    made, done = "", 0
    holes: list[Hole] = []
    for opening in _OPENS.finditer(text):
        stop = _closing(text, opening.end())
        inner = text[opening.end() : stop]
        hidden, hint = _parts(inner.rstrip() if inner.rstrip().endswith("}") else inner)
        problem = _problem(opening["number"], hidden) or UNCLOSED * (stop < 0)
        if opening.start() < done or (stop >= 0 and _OPENS.search(inner)):
            problem = NESTED
        if problem:
            return Gapped(text, problem=problem)
        made += text[done : opening.start()]
        in_formula = any(start < opening.start() < end for start, end in formulas)
        # `\frac{{c1::a}}{b}`: the marks stand where TeX wants braces
        braces = in_formula and _WANTS_BRACES.search(made) and _LETTERS.match(hidden)
        made += "{" * bool(braces)
        holes.append(Hole(int(opening["number"]), len(made), len(made) + len(hidden), hint))
        made += hidden + "}" * bool(braces)
        done = stop + 2
    return Gapped(made + text[done:], tuple(holes))


def _problem(number: str, hidden: str) -> str:
    if not number:
        return NO_NUMBER
    if not number.isdecimal():
        return SEVERAL
    if not 1 <= int(number[:9]) <= 500:
        return OUT_OF_RANGE
    return "" if hidden.strip() else EMPTY


def _closing(text: str, start: int) -> int:
    """Where the `}}` of a gap stands whose text begins at `start`; -1 if there is none.

    Braces in pairs belong to the text: `{{c1::x^{2}}}`. Where they are no pairs, the first `}}` counts, as in Anki.
    """
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}" and depth:
            depth -= 1
        elif text.startswith("}}", at):
            return at if not _OPENS.search(text, start, at) else text.find("}}", start)
    return text.find("}}", start)


def _parts(inner: str) -> tuple[str, str]:
    """(what is hidden, the hint): cut at the last `::` outside of code, formulas and brackets."""
    for at in reversed([match.start() for match in re.finditer("::", inner)]):
        hidden = inner[:at]
        balanced = all(hidden.count(one) == hidden.count(other) for one, other in ("()", "[]", "{}"))
        if balanced and not (hidden.count("`") % 2 or hidden.count("$") % 2) and hidden.strip():
            return hidden, " ".join(inner[at + 2 :].split())
    return inner, ""


# --- ==text== ---


def _highlighted(text: str, *, every: bool) -> Gapped | None:
    made, done = "", 0
    holes: list[Hole] = []
    for found in _meant(_HIGHLIGHT.finditer(text), every=every):
        hidden, hint = _parts(found["text"]) if found["number"] else (found["text"], found["hint"] or "")
        made += text[done : found.start()]
        done = found.end()
        order = found["order"] or ""
        number = int(
            found["number"] or (order if order.isdecimal() else order.find("a") + 1 if order else len(holes) + 1)
        )
        if not number:  # `[^hss]`: shown on every card, or hidden on all
            made += hidden
            continue
        if problem := _problem(str(number), hidden):
            return Gapped(text, problem=problem)
        holes.append(Hole(number, len(made), len(made) + len(hidden), hint))
        made += hidden
    return Gapped(made + text[done:], tuple(holes)) if holes else None


def _meant(found: Iterable[re.Match[str]], *, every: bool) -> Iterator[re.Match[str]]:
    return (one for one in found if not one["quoted"] and (every or one["number"]))
