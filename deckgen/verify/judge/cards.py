"""Output cards, run as the learner sees them: the code on the card alone, compared with what the card asks.

A claim is judged where it stands, after all the code above it. A card shows some of that code. Only a run of just this
code says what the card's answer is; where the notes say less than it prints, the answer is what was observed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from deckgen.model.claim import Claim, HasShape, Raises, RunOptions, Shows, Snippet
from deckgen.model.document import Extraction
from deckgen.model.note import Output
from deckgen.model.observation import Event, Observation, Observed, Value
from deckgen.model.source import Span
from deckgen.model.verdict import ADDRESS, HELD, CardVerdict, Verdict, VerdictKind
from deckgen.text.syntax import parsed
from deckgen.text.wording import one_line
from deckgen.verify import sources
from deckgen.verify.compare.arrays import compare_shapes, shapes_text
from deckgen.verify.compare.findings import Findings, Shown
from deckgen.verify.compare.numbers import Differs
from deckgen.verify.compare.texts import compare_texts
from deckgen.verify.judge.blame import meets, missing_part
from deckgen.verify.judge.evidence import clean, is_log_line, live_values
from deckgen.verify.plan import Available, Plan, plan, prelude_names

_EXACT = frozenset({VerdictKind.HOLDS, VerdictKind.DRIFT_FORMAT, VerdictKind.DRIFT_DIGITS})
_RUN = _EXACT | {VerdictKind.CONTRADICTED, VerdictKind.ERROR}
"""What can be shipped as it is, mended or corrected; what is random or could not be checked is no card."""
_LONGEST = 80
"""Characters of an observed text in a reason."""
_LINES, _CHARACTERS = 12, 600
"""Of an output that the notes quote in part, so much can be recalled as a whole."""
ID = "card"


@dataclass(frozen=True, slots=True)
class Card:
    """The code of one card and what it is asked."""

    body: Output
    verdicts: tuple[Verdict, ...]
    """On the claims that its answer is made of."""
    snippet: Snippet


def cards_of(extraction: Extraction, verdicts: Mapping[str, Verdict]) -> Iterator[Card]:
    """The cards of a document that would be shipped as far as their claims go; `verdicts` are by claim."""
    homes = {claim.id: snippet for snippet in extraction.snippets for claim in snippet.claims}
    for note in extraction.notes:
        if isinstance(note.body, Output):
            own = tuple(verdicts[name] for name in note.body.claims if name in verdicts)
            if own and all(verdict.word in _RUN for verdict in own):
                yield Card(note.body, own, _snippet(note.body, homes[own[0].claim.id]))


def _snippet(body: Output, home: Snippet) -> Snippet:
    """The card's code as a snippet of its own; it is known by its text, wherever it stands."""
    line, target = _last_line(body.code), body.target or None
    return Snippet(
        id=ID,
        span=Span(0, 1),
        code=body.code,
        lines=tuple(range(body.code.count("\n") + 1)),
        language=home.language,
        headings=(),
        claims=(Shows(Span(0, 1), "", "card", "option", line, target, id=ID),),
        cell=body.cell,
        options=RunOptions(device=home.options.device),
    )


def _last_line(code: str) -> int:
    tree = parsed(code)
    return tree.body[-1].lineno - 1 if tree is not None and tree.body else code.count("\n")


def plan_of(extraction: Extraction, card: Card, prelude: Sequence[str], available: Available, name: str) -> Plan:
    """A session for one card: nothing above it counts, and `name` stands for its source."""
    document = replace(extraction.document, source=replace(extraction.document.source, name=name))
    return plan(replace(extraction, document=document, snippets=(card.snippet,)), prelude, available)


@lru_cache(maxsize=4096)
def as_run(code: str) -> str:
    """What two pieces of code that do the same have in common: their syntax tree."""
    tree = parsed(code)
    return code if tree is None else ast.dump(tree)


def have_run(
    plans: Iterable[Plan], observed: Mapping[tuple[str, str], Observed], prelude: Sequence[str]
) -> dict[str, tuple[str, Observed]]:
    """By `as_run`, the code and the runs of what began a session: it has been run alone already.

    Not if it was given an import of the notes, which does not stand on the card.
    """
    usual = {*prelude_names(prelude).values()}
    firsts = ((session.source, session.steps[0]) for planned in plans for session in planned.sessions)
    return {
        as_run(step.code): (step.code, observed[source, step.snippet.id])
        for source, step in firsts
        if not (step.takes or step.missing or step.snippet.candidates) and usual.issuperset(step.prelude)
    }


def is_random(observation: Observation) -> bool:
    """True if random numbers were drawn before something that a card shows."""
    return any(event.random for event in observation.events)


def needs_second_run(code: str, observation: Observation) -> bool:
    """True if a second run has to show whether a card gives the same answer each time: not if it gives sizes alone."""
    sized = sources.keeps_sizes(code)
    return any(event.random and not (sized and sources.is_size(event.text)) for event in observation.events)


Answer = tuple[str | None, str | None]
"""What is to be shown instead of what the notes say, and why the card cannot be asked."""
_FINE: Answer = None, None


def judge_card(card: Card, code: str, observed: Observed) -> CardVerdict:
    """What becomes of a card, given the runs of its code (or of the same code with other comments)."""
    answer, reason = _answer(card, code, observed)
    return CardVerdict(answer=answer, reason=reason)


def _answer(card: Card, code: str, observed: Observed) -> Answer:
    run = observed.first
    if run.status != "ran":
        return None, f"the code of the card cannot be run alone: {run.reason}"
    claim, asked = card.verdicts[0].claim, card.body.asked
    raised = [event for event in run.events if event.kind == "exception"]
    if raised and any(verdict.word is VerdictKind.ERROR for verdict in card.verdicts):
        return one_line(raised[0].text, 2 * _LONGEST), None  # what a corrected card says instead
    if raised and (asked != "exception" or raised[0].outer != _last_line(code)):
        missing = missing_part(raised[0].text) or ""
        if missing.startswith("missing-name"):
            return None, f"the code of the card does not say what `{missing.partition(' ')[2]}` is"
        return None, f"the code of the card would stop with {_brief(raised[0].text)}"
    if isinstance(claim, Raises) and asked in ("exception", "warning"):
        return _exception(card.verdicts[0], claim, raised or [event for event in run.events if event.kind == "warning"])
    if asked == "value" or (asked == "shape" and isinstance(claim, HasShape)):
        shown = _shown(card, code, run)
        if shown is None:
            return None, "the code of the card, run alone, does not come to what it asks"
        if asked == "shape" and isinstance(claim, HasShape):
            return _shape(claim, shown.values[0])
        elsewhere = [_shown(card, code, other) for other in observed.others]
        return _value(card.verdicts[0], shown, all(one is None or one.text == shown.text for one in elsewhere))
    return _output(card, code, observed)


def _exception(verdict: Verdict, claim: Raises, events: Sequence[Event]) -> Answer:
    """The same error as where the claim stands, or one that the claim means too."""
    if not events:
        return None, "the code of the card, run alone, raises nothing"
    if any(_is_same(event.text, verdict.observed) or meets(claim, event)[0] in HELD for event in events):
        return _FINE
    return None, f"the code of the card, run alone, raises {_brief(events[0].text)}"


def _shown(card: Card, code: str, run: Observation) -> Shown | None:
    """The object that a card asks about, once its code has run."""
    target, last = card.body.target or None, _last_line(code)
    wanted = ("probe" if target else "value", last)
    found = [one for one in run.events if (one.kind, one.outer) == wanted and (target is None or one.target == target)]
    return (
        Shown(found[-1].text, found[-1].inner, found[-1].random, found[-1].values)
        if found and found[-1].values
        else None
    )


def _shape(claim: HasShape, value: Value) -> Answer:
    try:
        compare_shapes(claim, value)
    except Differs:
        return None, f"run alone, the code of the card gives the shape {shapes_text(value)}"
    return _FINE


def _value(verdict: Verdict, shown: Shown, repeats: bool) -> Answer:
    """The value itself, if it is the one that was seen where the claim stands, or that the claim means too."""
    if not repeats:
        return None, _OTHER_EACH_TIME
    same, false = _is_same(shown.text, verdict.observed), verdict.word is VerdictKind.CONTRADICTED
    if not (same or (not verdict.shape and (false or _meets(verdict.claim, verdict.claim.text, shown)))):
        return None, f"run alone, the code of the card gives `{_brief(shown.text)}`"
    if verdict.shape:
        return _FINE
    if ADDRESS.search(shown.text):
        return None, _ADDRESS
    return _unless_equal(shown.text, verdict.claim.text, shortened=not false), None


_OTHER_EACH_TIME, _ADDRESS = "its output is another one each time", "its output holds an address"


def _output(card: Card, code: str, observed: Observed) -> Answer:
    """Everything that is printed, letter for letter: with the value of the last line, as notebooks show it."""
    first, claims = card.verdicts[0], [verdict.claim for verdict in card.verdicts]
    claimed = "\n".join(claim.text for claim in claims)
    if _bare(card.body.output) in _bare(claimed):  # the card asks for a part of what the notes show
        claimed = card.body.output or claimed
    whole = _printed(observed.first, code, "last")
    changing = _ADDRESS if ADDRESS.search(whole.text) else None
    if any(whole.text != _printed(other, code, "last").text for other in observed.others):
        changing = _OTHER_EACH_TIME
    for reading in _READINGS:
        text = _printed(observed.first, code, reading).text
        if _is_same(text, claimed):
            return _unless_equal(text, claimed), changing
    if not whole.text.strip():
        return None, "the code of the card, run alone, prints nothing"
    changing = _source_of_change(observed.first, code) or changing
    if changing is not None:
        return None, changing
    if first.shape and len(claims) == 1:
        same = _is_same(whole.text, first.observed)
        return None, None if same else f"run alone, the code of the card gives `{_brief(whole.text)}`"
    if _meets(claims[0], claimed, whole):
        return _unless_equal(whole.text, claimed, shortened=True), None
    quoted = all(_bare(verdict.observed) in _bare(whole.text) for verdict in card.verdicts)
    if (quoted or any(verdict.word is VerdictKind.CONTRADICTED for verdict in card.verdicts)) and not _is_long(
        whole.text
    ):
        return whole.text, None
    what = "more than the notes say" if quoted else "something else when it is run alone"
    return None, f"its code prints {what}: `{_brief(whole.text)}`"


_READINGS = ("last", "every", "none", "errors")
"""Which values of expressions are shown besides what is printed: a notebook shows the last, a prompt all, a script none;
a notebook also shows what is written to stderr."""


def _printed(run: Observation, code: str, reading: str) -> Shown:
    """All that a run shows, as one text, with the objects behind it."""
    last, text = _last_line(code), ""
    values: list[Value] = []
    for event in run.events:
        if event.kind == "value" and event.text != "None" and reading != "none":
            if reading == "every" or event.outer == last:
                text += ("" if not text or text.endswith("\n") else "\n") + f"{event.text}\n"
                values += event.values
        elif event.kind == "stdout" or (event.kind == "stderr" and reading == "errors" and not is_log_line(event.text)):
            text += event.text
            values += event.values
    return Shown(clean(text).rstrip("\n"), None, is_random(run), tuple(values))


_VOLATILE = frozenset(("timing", "pointer", "environment", "outside", "vectors"))


def _source_of_change(run: Observation, code: str) -> str | None:
    """Why an output that the claims do not tell as a whole changes, as far as the code says where it comes from."""
    shown = [event for event in run.events if event.kind in ("stdout", "value") and event.inner is not None]
    for line in {event.inner for event in shown}:
        decided = sources.of_machine(code, (), line, None)
        on_device = "place" in decided and any(
            sources.tells_device(event.text) for event in run.events if event.inner == line
        )
        if "value" in decided or on_device or sources.of(code, line, None) & _VOLATILE:
            return "its output differs from run to run, or from machine to machine"
    return None


def _meets(claim: Claim, text: str, shown: Shown) -> bool:
    """True if a text is what was shown, but for its format and last digits."""
    found = Findings(live=live_values(shown.values), beside_code=True, picks_device=lambda: False)
    try:
        compare_texts(replace(claim, text=text), shown, (), found)
    except (Differs, RecursionError):
        return False
    return found.word in _EXACT


def _unless_equal(seen: str, claimed: str, *, shortened: bool = False) -> str | None:
    """What was seen, letter by letter; None if the notes say just that, or if they leave out what nobody could recall.
    Blanks at the ends of lines are never seen.
    """
    lines = [[line.rstrip() for line in text.strip("\n").split("\n")] for text in (seen, claimed)]
    shortened = shortened and any(dots in claimed for dots in ("...", "…")) and _is_long(seen)
    return None if lines[0] == lines[1] or shortened else "\n".join(lines[0])


def _is_long(text: str) -> bool:
    return text.count("\n") >= _LINES or len(text) > _CHARACTERS


def _is_same(one: str, other: str | None) -> bool:
    return other is not None and _bare(one) == _bare(other)


def _bare(text: str | None) -> str:
    return re.sub(r"0x[\da-f]+", "0x", "".join((text or "").split()))


def _brief(text: str) -> str:
    return one_line(text, _LONGEST)
