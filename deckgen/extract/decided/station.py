"""The station: what notes say that torch can decide becomes claims of theirs, about code that stands nowhere but in their text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, TypedDict, Unpack, assert_never

from deckgen.extract.claims.snippets import numbered
from deckgen.extract.decided import fence, question, sentence
from deckgen.extract.decided.facts import Default, Fact, Failure, Parameter, Shape, Signature, Value, bound_by
from deckgen.extract.decided.text import truth_of
from deckgen.extract.names.place import Place, mention, parameter
from deckgen.extract.names.written import is_denied
from deckgen.extract.page import Page
from deckgen.extract.text import CODE_SPAN
from deckgen.model.claim import Claim, Exists, HasShape, Raises, Shows, Snippet
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Note, Output
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.written import half_width

FORM = "decided"
_JUDGED = pattern(
    r"^[\s*_]*«decided.judge»[\s*_?？]*[:：.]?[\s*_]*|\s*[—–-]+\s*«decided.judge»[\s?？]*$|\s*——\s*«decided.judge»[\s?？]*$"
)


class _Said(NamedTuple):
    """A fact that a note states."""

    fact: Fact
    answers: bool
    """True if it is the answer of the note, which it proves if it holds."""
    denied: bool = False
    """True if the note says that it is not so."""


def with_decided(
    notes: Sequence[Note], snippets: Sequence[Snippet], names: Sequence[Exists], page: Page
) -> tuple[tuple[Note, ...], tuple[Snippet, ...], tuple[Exists, ...]]:
    """The notes, snippets and names with what the notes say that torch can decide."""
    found = _Found(snippets, names, page)
    new = tuple(found.note(note) for note in notes)
    in_order = sorted(found.snippets, key=lambda one: (one.line, one.is_asked))
    return new, tuple(in_order), tuple(sorted(found.names, key=lambda one: one.span))


class _Found:
    """The snippets and names of a page, and what its notes add to them."""

    def __init__(self, snippets: Sequence[Snippet], names: Sequence[Exists], page: Page) -> None:
        self._page = page
        self._above = _Bound(snippets, page)
        self.snippets = list(snippets)
        self.names = list(names)
        self._claims_on: dict[int, int] = {}
        numbered((claim for snippet in snippets for claim in snippet.claims), self._claims_on)
        self._names_on = Counter(one.span.start for one in names)
        self._asked_on = Counter[int]()
        self._looked_up = {one.id: one.text for one in names}

    def note(self, note: Note) -> Note:
        """A note with the claims that it rests on, and those that prove its answer."""
        if note.proven_by:
            return note
        rests: list[str] = []
        proofs: list[str] = []
        for said in dict.fromkeys(_said(note.body, self._above.names(note))):
            ids = self._of_fact(said, note)
            rests += ids
            proofs += ids if said.answers else []
        rests = rests or [*self._of_names(note)]
        if not rests:
            return note
        return replace(note, rests_on=(*note.rests_on, *rests), proven_by=(*note.proven_by, *proofs))

    def _of_fact(self, said: _Said, note: Note) -> list[str]:
        """The claim that a note makes in words: about a snippet of its own, or about a signature."""
        span = _place(said.fact, note, self._page)
        choice = _options(note, self._page) if said.answers else {}
        claim = _claim(said, span)
        if claim is None:
            return self._named(self._placed(_parameter(said, span.start)), **choice)
        if not isinstance(note.body, Choice) and _stands_once(claim.text, self._page, span):
            claim = replace(claim, place="sentence")
        (claim,) = numbered([replace(claim, **choice)], self._claims_on)
        self._asked_on[span.start] += 1
        name = f"{span.first}.{self._asked_on[span.start]}"
        self.snippets.append(_snippet(said.fact, claim, name, self._above.headings(note)))
        return [claim.id]

    def _of_names(self, note: Note) -> Iterator[str]:
        """The names that are its answer, but for those that the note looks up already."""
        known = {self._looked_up[one] for one in note.rests_on if one in self._looked_up}
        for name in dict.fromkeys(_names(note.body)):
            if name not in known:
                line = _line_of(name, note, self._page).start
                yield from self._named(self._placed(mention(line, name, "prose")))

    def _placed(self, name: Exists) -> list[Exists]:
        return self._place.placed([name])

    @cached_property
    def _place(self) -> Place:
        return Place(self._page.document)

    def _named(self, names: Iterable[Exists], **choice: Unpack[_Marked]) -> list[str]:
        ids: list[str] = []
        for one in names:
            self._names_on[one.span.start] += 1
            ids.append(f"a{one.span.first}.{self._names_on[one.span.start]}")
            self.names.append(replace(one, asks=FORM, id=ids[-1], **choice))
        return ids


def _said(body: Body, bound: Container[str]) -> Iterator[_Said]:
    match body:
        case Basic(prompt=prompt, answer=answer):
            prompt, answer = fence.without(prompt), fence.without(answer)
            statement = _JUDGED.sub("", prompt)
            if statement != prompt or truth_of(answer):
                yield from _judged(statement, answer, bound)
            if statement == prompt:
                asked = [*question.says(prompt, answer, bound)] or [*_completed(prompt, answer, bound)]
                proves = not any(
                    isinstance(fact, Signature) for fact in asked
                )  # of its names the order alone is compared
                yield from (_Said(fact, answers=proves) for fact in asked)
            stated = [*sentence.says(answer, bound)]
            whole = bool(stated) and _is_whole_answer(prompt, answer)
            yield from (_Said(fact, answers=whole) for fact in stated)
        case Choice(stem=stem, right=right, options=options, explanation=explanation):
            marked = [option.text for option in options if option.letter in right]
            facts = [*question.says(stem, marked[0], bound)] if len(marked) == 1 else []
            yield from (_Said(fact, answers=True) for fact in facts)
            for option in options if not facts else ():
                for fact in question.says_of_option(stem, option.text, bound):
                    yield _Said(fact, answers=True, denied=option.letter not in right)
            yield from (_Said(fact, answers=False) for fact in sentence.says(explanation, bound))
        case Cloze(text=text, language="", explanation=explanation):
            hidden = all("\n\n" not in text[hole.start : hole.stop] for hole in body.holes)
            facts = [*sentence.says(text, bound)]
            yield from (_Said(fact, answers=hidden and len(facts) == 1) for fact in facts)
            for code, filled in () if facts else _filled(body):
                yield from (_Said(fact, answers=False) for fact in sentence.says_of_filled(code, filled, bound))
            yield from (_Said(fact, answers=False) for fact in sentence.says(explanation, bound))
        case Api(meaning=meaning, signature=signature):
            told = signature in meaning and "\n" not in meaning  # a sentence that is asked for by its name
            yield from (_Said(fact, answers=told) for fact in sentence.says(meaning, bound))
        case Output(explanation=explanation):
            yield from (_Said(fact, answers=False) for fact in sentence.says(explanation, bound))
        case Cloze():
            return
        case _:
            assert_never(body)


def _completed(prompt: str, answer: str, bound: Container[str]) -> Iterator[Fact]:
    """What a sentence says that the answer ends: `` `torch.absolute` is an alias of ... ``."""
    begun = _UNFINISHED.sub("", prompt)
    if begun != prompt:
        verb = "returns " if _ARROW.search(prompt) else ""
        yield from sentence.says(f"{begun.rstrip()} {verb}{answer.partition(chr(10))[0]}", bound)


_UNFINISHED = pattern(r"\s*(?:…|\.{3}|→|->|=>|_{3,})\s*[?？]?\s*$")
_ARROW = pattern(r"(?:→|->|=>)\s*[?？]?\s*$")


def _is_whole_answer(prompt: str, answer: str) -> bool:
    """True if an answer is one sentence about the code that its question names, and is asked for no reason."""
    spans = [found[2].strip() for found in CODE_SPAN.finditer(prompt)]
    return sentence.is_one(answer) and any(f"`{span}`" in answer for span in spans) and question.asks_what(prompt)


def _filled(body: Cloze) -> Iterator[tuple[str, frozenset[str]]]:
    """The spans of code in which something is hidden, and the names that are."""
    for found in CODE_SPAN.finditer(body.text):
        hidden = [body.text[max(hole.start, found.start()) : min(hole.stop, found.end())] for hole in body.holes]
        names = frozenset(name for text in hidden for name in _WORD.findall(text))
        if names:
            yield found[2].strip(), names


_WORD = pattern(r"[A-Za-z_]\w*")


def _judged(prompt: str, answer: str, bound: Container[str]) -> Iterator[_Said]:
    """A statement that is true or false, and its verdict."""
    truth = truth_of(answer)
    facts = [*sentence.says(prompt.rstrip("?？ "), bound)] if truth else []
    if len(facts) == 1:
        yield _Said(facts[0], answers=True, denied=truth == "False")


def _names(body: Body) -> Iterator[str]:
    """Names that are the answer of a card: what a gap hides, the option that is marked."""
    match body:
        case Cloze(text=text, language="", holes=holes):
            for found in CODE_SPAN.finditer(text):
                hidden = any(hole.start < found.end() and found.start() < hole.stop for hole in holes)
                name = found[2].strip()
                denied = _ROOTED.match(name) and is_denied(_clause(text, found.start(), found.end()))
                if hidden and not denied:
                    yield from filter(_CALLED.fullmatch, [name])
        case Choice(stem=stem, right=(letter,), options=options) if not _DENIES.search(stem):
            marked = next((option.text.strip() for option in options if option.letter == letter), "")
            code = CODE_SPAN.fullmatch(marked)
            if code and _ROOTED.match(code[2].strip()):
                yield from filter(_CALLED.fullmatch, [code[2].strip()])
        case _:
            return


def _clause(text: str, start: int, stop: int) -> str:
    """The words around a part of a text, from comma to comma."""
    begin = max((cut.end() for cut in _CUT.finditer(text, 0, start)), default=0)
    end = _CUT.search(text, stop)
    return text[begin : end.start() if end else None]


_CUT = pattern(r"[,;，；。！？\n]|[.!?]\s")
_CALLED = pattern(r"(?!(?:True|False|None)$)[A-Za-z_][\w.]*[A-Za-z_]\w*(?:\([^()]*\))?")
_ROOTED = pattern(r"(?:torch|nn|F|optim|Tensor)\.")
_DENIES = pattern(r"«decided.veto»|«decided.denies»")


def _claim(said: _Said, span: Span) -> Claim | None:
    """The claim about running code; None for what signatures tell."""
    fact, denied = said.fact, said.denied
    match fact:
        case Value(code=code, text=text, of=of, given=given):
            asks = of or code
            return Shows(span, text, FORM, "answer", 0, None, asks=asks, given=given, denied=denied)
        case Shape(code=code, text=text, sizes=sizes, of=of):
            asks = f"shape of {of or code}"
            return HasShape(span, text, FORM, "answer", 0, code, (sizes,), asks=asks, denied=denied)
        case Failure(code=code, exception=exception, raised=raised, of=of):
            text = exception or "an error"
            return Raises(span, text, FORM, "answer", None, exception, "", asks=of or code, denied=denied == raised)
        case Default() | Parameter() | Signature():
            return None
        case _:
            assert_never(fact)


def _parameter(said: _Said, line: int) -> Exists:
    """The claim about a signature."""
    match said.fact:
        case Default(owner=owner, parameter=name, value=value):
            return replace(parameter(line, name, owner, value), denied=said.denied)
        case Parameter(owner=owner, name=name, there=there):
            return replace(parameter(line, name, owner), denied=there == said.denied)
        case Signature(written=written):
            return mention(line, written, "signature")
        case Value() | Shape() | Failure():
            raise AssertionError("what code shows is no parameter")
        case _:
            assert_never(said.fact)


def _snippet(fact: Fact, claim: Claim, name: str, headings: tuple[str, ...]) -> Snippet:
    code = fact.code if isinstance(fact, Value | Shape | Failure) else ""
    return Snippet(
        id=name,
        span=claim.span,
        code=code,
        lines=(claim.span.start,),
        language="python",
        headings=headings,
        claims=(claim,),
        is_asked=True,
    )


def _place(fact: Fact, note: Note, page: Page) -> Span:
    """The line of a note on which the answer of a fact stands; its first line, if none has it."""
    text = fact.text if isinstance(fact, Value | Shape) else fact.exception if isinstance(fact, Failure) else ""
    text = fact.value if isinstance(fact, Default) else text
    span = _line_of(text, note, page)
    below = line_span(
        max(note.span.start, note.span.stop - 1)
    )  # behind the fence of its own question, whose names it may use
    return below if span.start == note.span.start and not page.document.places and fence.asked_of(note) else span


def _options(note: Note, page: Page) -> _Marked:
    """Of a choice with one right letter its options, the marked one first, and the line of its key."""
    if not isinstance(note.body, Choice) or len(note.body.right) != 1:
        return {}
    letter = note.body.right[0]
    options = sorted(note.body.options, key=lambda one: one.letter != letter)
    lines = () if page.document.places else page.document.source.lines[note.span.start : note.span.stop + _MOST_BETWEEN]
    at, found = next(((at, found) for at, line in enumerate(lines) if (found := _KEY.match(line))), (0, None))
    key = line_span(note.span.start + at) if found and found["letter"] == letter else None
    return {"options": tuple((one.letter, one.text) for one in options), "key": key}


_MOST_BETWEEN = 4
"""Lines between the options of a choice and its key."""


class _Marked(TypedDict, total=False):
    """How the key of a choice says something."""

    options: tuple[tuple[str, str], ...]
    key: Span | None


_KEY = pattern(r"[\s>*_]*«definition.right_column»[\s*_]*[:：][\s*_`(（]*(?P<letter>[A-Za-z])[\s*_`.。)）]*$")


def _stands_once(text: str, page: Page, span: Span) -> bool:
    """True for a value that `update` may write anew: nothing else on its line is written like it."""
    line = "" if page.document.places else page.document.source.lines[span.start]
    return half_width(text) == text and len(re.findall(rf"(?<![\w.]){re.escape(text)}(?!\w|\.\w)", line)) == 1


def _line_of(text: str, note: Note, page: Page) -> Span:
    """The last line of a note on which a text stands; its first line, if none has it as it is."""
    if not page.document.places and text:
        lines = page.document.source.lines[note.span.start : note.span.stop]
        at = next((at for at in reversed(range(len(lines))) if text in lines[at]), None)
        if at is not None:
            return line_span(note.span.start + at)
    return line_span(note.span.start)


class _Bound:
    """Which names the code above a note binds, in the section of the note."""

    def __init__(self, snippets: Sequence[Snippet], page: Page) -> None:
        self._page = page
        self._snippets = snippets
        self._starts = [block.span.start for block in page.document.blocks]

    @cached_property
    def first(self) -> Mapping[tuple[tuple[str, ...], str], int]:
        """The first line of a section on which a name is bound."""
        found: dict[tuple[tuple[str, ...], str], int] = {}
        for one in self._snippets:
            for name in bound_by(one.code):
                found.setdefault((one.headings, name), one.span.start)
        return found

    def names(self, note: Note) -> _Names:
        """Those above it; of the code of its question those that this binds."""
        own = (one.span.stop for one in self._snippets if one.span.touches(note.span))
        asks = fence.asked_of(note)
        return _Names(self, note, min(own, default=note.span.start) if asks else note.span.start)

    def headings(self, note: Note) -> tuple[str, ...]:
        """The path of headings above a note."""
        at = bisect_right(self._starts, note.span.start) - 1
        return self._page.path(at) if at >= 0 else note.headings


class _Names:
    """The names that are bound above a note in its section and those around it; looked up when a question has one."""

    def __init__(self, bound: _Bound, note: Note, line: int) -> None:
        self._bound = bound
        self._note = note
        self._line = line

    def __contains__(self, name: object) -> bool:
        line, path = self._line, self._bound.headings(self._note)
        paths = (path[:length] for length in range(len(path), -1, -1))
        return any(self._bound.first.get((one, str(name)), line) < line for one in paths)
