"""Which part of what was observed each claim is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deckgen.model.claim import CAUGHT, Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.observation import Event, Observation, Value
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import COLOUR
from deckgen.verify.comparison.alignment import align
from deckgen.written.lines import paragraphs


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that was seen: printed lines that belong together, or a value."""

    text: str
    line: int | None
    """Code line that caused it."""
    random: bool
    values: tuple[Value, ...] = ()
    """The objects behind it: of a print, its arguments; of a value or probe, the one."""
    whole: bool = True
    """True if it is all that its event wrote."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim is judged by; alternatives in order, the first is the likeliest."""

    shown: tuple[Shown, ...] = ()
    exceptions: tuple[Event, ...] = ()
    """Exceptions of the statement, or of the snippet for claims about no line."""


def attribute(snippet: Snippet, observation: Observation) -> dict[str, Evidence]:
    """Evidence for each claim, by its id. A claim without any has an empty one."""
    found: dict[str, Evidence] = {}
    for claims in _groups(snippet.claims):
        first = claims[0]
        if isinstance(first, Prints):
            found.update(_printed(snippet, observation, [c for c in claims if isinstance(c, Prints)]))
            continue
        for position, claim in enumerate(claims):
            found[claim.id] = _evidence(observation, claim, position)
    return found


def _groups(claims: Sequence[Claim]) -> Iterator[list[Claim]]:
    """Claims that share a statement or a stream, in document order; what two forms say of a statement is said twice."""
    groups: dict[tuple[object, ...], list[Claim]] = {}
    for claim in claims:
        stream = "stderr" if isinstance(claim, Prints) and claim.stream == "stderr" else ""
        target = getattr(claim, "target", "")
        place = claim.place if claim.code_line is not None else ""
        groups.setdefault((type(claim), claim.code_line, stream, target, place), []).append(claim)
    yield from groups.values()


def _evidence(observation: Observation, claim: Claim, position: int) -> Evidence:
    raised = tuple(e for e in observation.events if e.kind == "exception" and _at(e, claim.code_line))
    if isinstance(claim, Raises):
        warned = [e for e in observation.events if e.kind == "warning" and _at(e, claim.code_line)]
        given = tuple(warned) if claim.exception.endswith("Warning") and warned else raised
        return Evidence((), (*given, *_caught(observation, claim)))
    target = claim.target if isinstance(claim, Shows | HasShape) else None
    kind = "probe" if target else "value"
    events = [
        e for e in observation.events
        if e.kind == kind and e.target == target and _at(e, claim.code_line)
    ]  # fmt: skip
    inner = [e for e in events if e.inner == claim.code_line] or events
    shown = [Shown(e.text, e.inner, e.random, e.values) for e in inner]
    if not target and (not shown or all(s.text == "None" for s in shown)):
        shown = [*stream(observation, claim.code_line, ("stdout",)), *shown]
        if len(shown) > 1 and shown[-1].text != "None":
            shown = [_joined(shown), *shown]
    ordered = [*shown[position : position + 1], *shown[:position], *shown[position + 1 :]]
    return Evidence(tuple(ordered), raised)


def _caught(observation: Observation, claim: Raises) -> Iterator[Event]:
    """Exceptions that the code caught and told of, and those at hand where it handles them: `print(type(e).__name__)`, a traceback on stderr."""
    for event in observation.events:
        if event.target == CAUGHT and event.inner in claim.caught and event.values and event.values[0].data:
            yield replace(event, kind="exception", text=str(event.values[0].data[0]))
        if event.kind in ("stdout", "stderr") and _at(event, claim.code_line):
            told = (line.strip() for line in clean(event.text).split("\n"))
            yield from (replace(event, kind="exception", text=line) for line in told if _TOLD.match(line))


_TOLD = pattern(r"(?:\w+\.)*_?[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning|Exit)(?::\s|$)")
"""A line that is the name of an exception, with or without its message."""


def _at(event: Event, line: int | None) -> bool:
    if line is None or event.inner == line:
        return True
    if event.outer is None:
        return False
    end = event.outer if event.outer_end is None else event.outer_end
    return event.outer <= line <= end


# --- printed text -----------------------------------------------------------------------------------


def _printed(snippet: Snippet, observation: Observation, claims: list[Prints]) -> dict[str, Evidence]:
    line = claims[0].code_line
    raised = tuple(e for e in observation.events if e.kind == "exception" and _at(e, line))
    kinds = _kinds(claims)
    if len(claims) == 1 and line is not None:
        return {claims[0].id: Evidence(_alternatives(observation, line, kinds), raised)}
    top = line is not None and any(event.outer == line for event in observation.events)
    shown = stream(observation, line, kinds, whole=top)
    gaps = frozenset(at for at, claim in enumerate(claims) if claim.elided)
    if line is None and not gaps:
        shown = _unspoken(snippet, shown, len(claims))
    pairs = align([claim.text for claim in claims], [one.text for one in shown], gaps)
    return {
        claim.id: Evidence(() if at is None else (shown[at],), raised) for claim, at in zip(claims, pairs, strict=True)
    }


def _unspoken(snippet: Snippet, shown: list[Shown], wanted: int) -> list[Shown]:
    """Without what comments of its own already speak of, unless pasted output is so long that it repeats that."""
    spoken = {claim.code_line for claim in snippet.claims if isinstance(claim, Prints | Shows)} - {None}
    rest = [one for one in shown if one.line not in spoken]
    return rest if len(rest) >= wanted else shown


def _kinds(claims: Sequence[Prints]) -> tuple[str, ...]:
    if claims[0].stream == "stderr":
        return ("stderr", "warning")
    return ("stdout", "value", "stderr") if claims[0].stream == "any" else ("stdout", "value")


def _alternatives(observation: Observation, line: int, kinds: tuple[str, ...]) -> tuple[Shown, ...]:
    """For one claim about one line: what it printed first, then everything that it printed."""
    events = _events(observation, line, kinds)
    whole = [Shown(clean(e.text), e.inner, e.random, e.values) for e in events]
    if len(events) == 1 and _is_one_value(events[0]):
        return tuple(whole)
    alternatives = [*whole[:1], *stream(observation, line, kinds)[:1]]
    if len(whole) > 1:
        alternatives.append(_joined(whole))
        alternatives.extend(whole[1:4])
    different: dict[str, Shown] = {}
    for one in alternatives:
        different.setdefault(one.text.rstrip("\n"), one)
    return tuple(different.values())


_ONE_PIECE = frozenset({"tensor", "array", "number", "bool", "none", "size", "dtype", "device"})


def _is_one_value(event: Event) -> bool:
    """True if an event wrote one object that prints as one piece, and nothing else."""
    one = event.values[0] if len(event.values) == 1 else None
    return one is not None and one.kind in _ONE_PIECE and event.text.rstrip("\n") == one.repr


def _joined(shown: Sequence[Shown]) -> Shown:
    text = "\n".join(one.text.rstrip("\n") for one in shown)
    values = tuple(value for one in shown for value in one.values)
    return Shown(text, shown[0].line, any(one.random for one in shown), values)


_LOGGED = pattern(r"[DIWEF]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ \S+:\d+\] ")
"""What torch logs of itself and of the machine (`torch._logging`): `W1121 21:28:22.466000 22 torch/utils/x.py:178] ...`"""


def is_logged(text: str) -> bool:
    """True for a line that torch writes of itself."""
    return _LOGGED.match(text) is not None


def _events(observation: Observation, line: int | None, kinds: Iterable[str], whole: bool = False) -> list[Event]:
    """Events of a line; with `whole` also those that its top-level statement caused elsewhere (in a function)."""
    wanted = [
        e for e in observation.events
        if e.kind in kinds and not (e.kind == "value" and e.text == "None") and _at(e, line)
        and not (e.kind == "stderr" and "stdout" in kinds and is_logged(e.text))
    ]  # fmt: skip
    exact = [e for e in wanted if e.inner == line]
    return wanted if whole else exact or wanted


def stream(observation: Observation, line: int | None, kinds: Iterable[str], whole: bool = False) -> list[Shown]:
    """What was written, cut where brackets close, in order; each piece with the event where it starts."""
    events = _events(observation, line, kinds, whole)
    texts: list[str] = []
    owners: list[int] = []
    unfinished = False
    for at, event in enumerate(events):
        text = clean(event.text)
        ended = text.endswith("\n") or event.kind == "value"
        parts = (text[:-1] if text.endswith("\n") else text).split("\n")
        if unfinished and event.kind != "value":
            texts[-1] += parts.pop(0)
        texts.extend(parts)
        owners.extend([at] * len(parts))
        unfinished = not ended and event.kind == "stdout"
    return list(_pieces(events, texts, owners))


def _pieces(events: list[Event], texts: list[str], owners: list[int]) -> Iterator[Shown]:
    for start, stop in paragraphs(texts):
        mine = dict.fromkeys(owners[start:stop])
        values = tuple(value for at in mine for value in events[at].values)
        random = any(events[at].random for at in mine)
        whole = owners.count(owners[start]) == stop - start if len(owners) < 500 else False
        yield Shown("\n".join(texts[start:stop]), events[owners[start]].inner, random, values, whole)


def clean(text: str) -> str:
    """Without colours; a line that was overwritten by `\\r` as it was last."""
    text = COLOUR.sub("", text)
    if "\r" not in text:
        return text
    return "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))


def live_values(values: Iterable[Value]) -> Mapping[str, Value]:
    """Tensors and arrays among objects (and inside containers), by the text they print, without blanks."""
    found: dict[str, Value] = {}
    todo = list(values)
    while todo:
        value = todo.pop()
        if value.kind in ("tensor", "array"):
            found["".join(_literal(value.repr).split())] = value
            if value.kind == "array":
                found.setdefault(_as_brackets(value.repr), value)
        todo.extend(value.items)
        todo.extend(value.keys)
    return found


def _literal(text: str) -> str:
    """`Parameter containing:\\ntensor(...)` as `tensor(...)`."""
    return text.removeprefix("Parameter containing:").lstrip()


def _as_brackets(text: str) -> str:
    """`array([1., 2.])` as `str` prints it, with commas for blanks: `[1.,2.]`."""
    inside = re.search(r"\[.*\]", text, re.DOTALL)
    return "".join(inside[0].split()) if inside else ""
