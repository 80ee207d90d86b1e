"""Output cards, run as the learner sees them: the code on the card alone, compared with what the card asks.

A claim is judged where it stands, after all the code above it. A card shows some of that code. Only a run of just this
code says what the card's answer is; where the notes say less than it prints, the answer is what was observed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deckgen.model.claim import Claim, HasShape, Raises, RunOptions, Shows, Snippet
from deckgen.model.extraction import Extraction
from deckgen.model.falsehood import ADDRESS
from deckgen.model.note import Output
from deckgen.model.observation import Event, Observation, Observed, Value
from deckgen.model.source import Span
from deckgen.model.verdict import HELD, CardVerdict, Verdict, Word
from deckgen.text.syntax import parsed
from deckgen.text.wording import one_line
from deckgen.verify import machine, sources
from deckgen.verify.attribute import Shown, clean, is_logged, live_values
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import Differs
from deckgen.verify.comparison.shapes import compare_shapes, shapes_text
from deckgen.verify.comparison.texts import compare_texts
from deckgen.verify.exceptions import meets, missing_part
from deckgen.verify.plan import Available, Plan, plan
from deckgen.verify.prelude import prelude_names

_RUN = frozenset({Word.HOLDS, Word.DRIFT_FORMAT, Word.DRIFT_DIGITS, Word.CONTRADICTED, Word.ERROR})
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
        body = note.body
        if not isinstance(body, Output):
            continue
        own = tuple(verdicts[name] for name in body.claims if name in verdicts)
        if own and all(verdict.word in _RUN for verdict in own):
            yield Card(body, own, _snippet(body, own[0].claim, homes[own[0].claim.id]))


def _snippet(body: Output, claim: Claim, home: Snippet) -> Snippet:
    """The card's code as a snippet of its own; it is known by its text, wherever it stands."""
    last = _last_line(body.code)
    looked_at = Shows(id=ID, span=Span(0, 1), text="", form="card", code_line=last, target=body.target or None)
    return Snippet(
        id=ID,
        span=Span(0, 1),
        code=body.code,
        lines=tuple(range(body.code.count("\n") + 1)),
        language=home.language,
        headings=(),
        claims=(looked_at,),
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


def unsettled(observation: Observation) -> bool:
    """True if a second run has to show whether a card gives the same answer each time."""
    return any(event.random for event in observation.events)


def judge_card(card: Card, code: str, observed: Observed) -> CardVerdict:
    """What becomes of a card, given the runs of its code (or of the same code with other comments)."""
    answer, reason = _judged(card, code, observed)
    return CardVerdict(answer=answer, reason=reason)


Answer = tuple[str | None, str | None]
"""What is to be shown instead of what the notes say, and why the card cannot be asked."""


def _judged(card: Card, code: str, observed: Observed) -> Answer:
    run = observed.first
    if run.status != "ran":
        return None, f"the code of the card cannot be run alone: {run.reason}"
    claim, asked = card.verdicts[0].claim, card.body.asked
    raised = [event for event in run.events if event.kind == "exception"]
    if raised and any(verdict.word is Word.ERROR for verdict in card.verdicts):
        return one_line(raised[0].text, 2 * _LONGEST), None  # what a corrected card says instead
    if raised and (asked != "exception" or raised[0].outer != _last_line(code)):
        return None, _stops(raised[0])
    if isinstance(claim, Raises) and asked in ("exception", "warning"):
        told = raised or [event for event in run.events if event.kind == "warning"]
        return _error(card.verdicts[0], claim, told)
    if asked == "shape" and isinstance(claim, HasShape):
        return _shape(claim, _shown(card, code, run))
    if asked == "value":
        again = None if observed.second is None else _shown(card, code, observed.second)
        return _value(card, _shown(card, code, run), again)
    return _output(card, code, observed)


def _stops(raised: Event) -> str:
    name = missing_part(raised.text)
    if name and name.startswith("missing-name"):
        return f"the code of the card does not say what `{name.partition(' ')[2]}` is"
    return f"the code of the card would stop with {one_line(raised.text, _LONGEST)}"


def _error(verdict: Verdict, claim: Raises, told: Sequence[Event]) -> Answer:
    """The same error as where the claim stands, or one that the claim means too."""
    if not told:
        return None, "the code of the card, run alone, raises nothing"
    same = verdict.observed is not None and any(_bare(event.text) == _bare(verdict.observed) for event in told)
    if same or any(meets(claim, event)[0] in HELD for event in told):
        return None, None
    return None, f"the code of the card, run alone, raises {one_line(told[0].text, _LONGEST)}"


def _shown(card: Card, code: str, run: Observation) -> Shown | None:
    """The object that a card asks about, once its code has run."""
    kind, last = ("probe" if card.body.target else "value"), _last_line(code)
    found = [
        event
        for event in run.events
        if event.kind == kind and event.outer == last and (not card.body.target or event.target == card.body.target)
    ]
    one = found[-1] if found and found[-1].values else None
    return None if one is None else Shown(one.text, one.inner, one.random, one.values)


_NOTHING = "the code of the card, run alone, does not come to what it asks"


def _shape(claim: HasShape, shown: Shown | None) -> Answer:
    if shown is None:
        return None, _NOTHING
    try:
        compare_shapes(claim, shown.values[0], None)
    except Differs:
        return None, f"run alone, the code of the card gives the shape {shapes_text(shown.values[0])}"
    return None, None


def _value(card: Card, shown: Shown | None, again: Shown | None) -> Answer:
    if shown is None:
        return None, _NOTHING
    if again is not None and again.text != shown.text:
        return None, "its answer is another one each time"
    verdict = card.verdicts[0]
    if verdict.shape:
        return None, None if _bare(shown.text) == _bare(verdict.observed or "") else _OTHER.format(_brief(shown.text))
    same = _bare(shown.text) == _bare(verdict.observed or "")
    if not (same or verdict.word is Word.CONTRADICTED or _met(verdict.claim, verdict.claim.text, shown)):
        return None, _OTHER.format(_brief(shown.text))
    if ADDRESS.search(shown.text):
        return None, "its output holds an address"
    shortened = _is_shortened(verdict.claim.text, shown.text) and verdict.word is not Word.CONTRADICTED
    return None if shortened else _unless_equal(shown.text, verdict.claim.text), None


_OTHER = "run alone, the code of the card gives `{}`"


def _output(card: Card, code: str, observed: Observed) -> Answer:
    """Everything that is printed, letter for letter: with the value of the last line, as notebooks show it."""
    run, claims = observed.first, [verdict.claim for verdict in card.verdicts]
    claimed = "\n".join(claim.text for claim in claims)
    readings = [_printed(run, code, reading) for reading in _READINGS]
    if (same := next((one for one in readings if _bare(one.text) == _bare(claimed)), None)) is not None:
        return _unless_equal(same.text, claimed), _changing(observed, code)
    whole = readings[0]
    if not whole.text.strip():
        return None, "the code of the card, run alone, prints nothing"
    wavering = _wavering(observed, code)
    if wavering is not None:
        return None, wavering
    if card.verdicts[0].shape and len(claims) == 1:
        return None, None if _bare(whole.text) == _bare(card.verdicts[0].observed or "") else _OTHER.format(
            _brief(whole.text)
        )
    if _met(claims[0], claimed, whole):
        return (None if _is_shortened(claimed, whole.text) else _unless_equal(whole.text, claimed)), None
    false = any(verdict.word is Word.CONTRADICTED for verdict in card.verdicts)
    quoted = all(_bare(verdict.observed or "") in _bare(whole.text) for verdict in card.verdicts)
    if (false or quoted) and not _is_long(whole.text):
        return whole.text, None
    return (
        None,
        f"its code prints {'more than the notes say' if quoted else 'something else when it is run alone'}: `{_brief(whole.text)}`",
    )


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
        elif event.kind == "stdout" or (event.kind == "stderr" and reading == "errors" and not is_logged(event.text)):
            text += event.text
            values += event.values
    return Shown(clean(text).rstrip("\n"), None, any(event.random for event in run.events), tuple(values))


_VOLATILE = frozenset(("timing", "pointer", "uninitialised", "environment", "outside", "vectors"))


def _changing(observed: Observed, code: str) -> str | None:
    """Why an output is not the same each time that it is run."""
    whole = _printed(observed.first, code, "last").text
    if observed.second is not None and whole != _printed(observed.second, code, "last").text:
        return "its output is another one each time"
    return "its output holds an address" if ADDRESS.search(whole) else None


def _wavering(observed: Observed, code: str) -> str | None:
    """The same for an output that the claims do not tell as a whole: where it comes from may tell it too."""
    first = observed.first
    for line in {
        event.inner for event in first.events if event.kind in ("stdout", "value") and event.inner is not None
    }:
        decided = machine.of(code, (), line, None)
        told = any(machine.tells_device(event.text) for event in first.events if event.inner == line)
        if decided.value or (decided.place and told) or sources.of(code, line, None) & _VOLATILE:
            return "its output differs from run to run, or from machine to machine"
    return _changing(observed, code)


def _met(claim: Claim, text: str, shown: Shown) -> Word | None:
    """The verdict on a text against what was shown; None where they differ."""
    found = Findings(live=live_values(shown.values), brief=True, picks_device=lambda: False)
    try:
        compare_texts(replace(claim, text=text), shown, None, found)
    except (Differs, RecursionError):
        return None
    return found.word if found.word in (Word.HOLDS, Word.DRIFT_FORMAT, Word.DRIFT_DIGITS) else None


def _unless_equal(seen: str, claimed: str) -> str | None:
    """What was seen, letter by letter; None if the notes say just that. Blanks at the ends of lines are never seen."""
    lines = [[line.rstrip() for line in text.strip("\n").split("\n")] for text in (seen, claimed)]
    return None if lines[0] == lines[1] else "\n".join(lines[0])


def _is_shortened(claimed: str, seen: str) -> bool:
    """True if the notes leave out parts of what nobody could recall."""
    return any(dots in claimed for dots in ("...", "…")) and _is_long(seen)


def _is_long(text: str) -> bool:
    return text.count("\n") >= _LINES or len(text) > _CHARACTERS


def _bare(text: str) -> str:
    return re.sub(r"0x[\da-f]+", "0x", "".join(text.split()))


def _brief(text: str) -> str:
    return one_line(text, _LONGEST)
