"""Which part of what was observed each claim is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.observation import Event, Observation, Value
from deckgen.text.pattern import COLOUR, pattern
from deckgen.text.syntax import nodes, parsed
from deckgen.verify import sources
from deckgen.verify.compare.findings import Shown
from deckgen.written.lines import paragraphs


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim is judged by; alternatives in order, the first is the likeliest."""

    shown: tuple[Shown, ...] = ()
    exceptions: tuple[Event, ...] = ()
    """Exceptions of the statement, or of the snippet for claims about no line."""
    left_out: bool = False
    """True if the machine decided that the print is not run that may have written it."""


def find_evidence(snippet: Snippet, run: Observation) -> dict[str, Evidence]:
    """Evidence for each claim, by its id. A claim without any has an empty one."""
    groups: dict[tuple[object, ...], list[Claim]] = {}
    for (
        claim
    ) in snippet.claims:  # those that share a statement or a stream; what two forms say of a statement is said twice
        stream = claim.stream if isinstance(claim, Prints) and (claim.stream == "stderr" or _is_apart(claim)) else ""
        place = claim.place if claim.code_line is not None else ""
        key = (type(claim), claim.code_line, stream, getattr(claim, "target", ""), place)
        groups.setdefault(key, []).append(claim)
    found: dict[str, Evidence] = {}
    for claims in groups.values():
        prints = [claim for claim in claims if isinstance(claim, Prints)]
        if prints:
            found.update(_printed(snippet, run, prints))
        else:
            others = (claim for claim in claims if not isinstance(claim, Prints))
            found.update((claim.id, _of_statement(run, claim, at)) for at, claim in enumerate(others))
    return found


def is_at(event: Event, line: int | None) -> bool:
    """True for an event of a line, or of the statement that the line is in."""
    if line is None or event.inner == line:
        return True
    return event.outer is not None and event.outer <= line <= (
        event.outer if event.outer_end is None else event.outer_end
    )


def raised_at(run: Observation, line: int | None) -> tuple[Event, ...]:
    return tuple(event for event in run.events if event.kind == "exception" and is_at(event, line))


def _of_statement(run: Observation, claim: Shows | HasShape | Raises, position: int) -> Evidence:
    """What a statement showed or raised; of several things the one at the claim's position first."""
    line, raised = claim.code_line, raised_at(run, claim.code_line)
    if isinstance(claim, Raises):
        warned = tuple(event for event in run.events if event.kind == "warning" and is_at(event, line))
        given = warned if claim.exception.endswith("Warning") and warned else raised
        return Evidence((), (*given, *_caught(run, claim)))
    target = claim.target
    shown = _looked_at(run, line, target)
    if not target and all(one.text == "None" for one in shown):
        shown = [*written(run, line, ("stdout",)), *shown]
        if len(shown) > 1 and shown[-1].text != "None":
            shown = [_joined(shown), *shown]
    elif not target and claim.place == "below":
        shown += written(run, line, ("stdout",))  # a hook or a closure that it calls may print, too
    shown += [one for other in claim.instead for one in _looked_at(run, line, other) if one.values]
    return Evidence((*shown[position : position + 1], *shown[:position], *shown[position + 1 :]), raised)


def _looked_at(run: Observation, line: int | None, target: str | None) -> list[Shown]:
    """What an expression was once a statement had run, or what the statement itself showed."""
    kind = "probe" if target else "value"
    events = [event for event in run.events if event.kind == kind and event.target == target and is_at(event, line)]
    return [_as_shown(event) for event in _nearest(events, line)]


def _as_shown(event: Event) -> Shown:
    return Shown(clean(event.text), event.inner, event.random, event.values)


def _nearest(events: list[Event], line: int | None) -> list[Event]:
    """Those of the very line, if there are any."""
    return [event for event in events if event.inner == line] or events


_NAMES_EXCEPTION = pattern(r"(?:\w+\.)*_?[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning|Exit)(?::\s|$)")
"""A line that is the name of an exception, with or without its message."""


def _caught(run: Observation, claim: Raises) -> Iterator[Event]:
    """Exceptions that the code caught and printed."""
    for event in run.events:
        if event.kind in ("stdout", "stderr") and is_at(event, claim.code_line):
            lines = (line.strip() for line in clean(event.text).split("\n"))
            yield from (replace(event, kind="exception", text=line) for line in lines if _NAMES_EXCEPTION.match(line))


# --- printed text -----------------------------------------------------------------------------------


def _printed(snippet: Snippet, run: Observation, claims: list[Prints]) -> dict[str, Evidence]:
    """The evidence of claims about what one statement, or the whole snippet, writes."""
    line, raised = claims[0].code_line, raised_at(run, claims[0].code_line)
    streams = {"stderr": ("stderr", "warning"), "any": ("stdout", "value", "stderr")}
    kinds = ("stdout",) if _is_apart(claims[0]) else streams.get(claims[0].stream, ("stdout", "value"))
    if len(claims) == 1 and line is not None:
        return {claims[0].id: Evidence(_alternatives(run, line, kinds), raised)}
    shown = written(run, line, kinds, whole=line is not None and any(event.outer == line for event in run.events))
    gaps = frozenset(at for at, claim in enumerate(claims) if claim.elided)
    if line is None and not gaps:  # without what comments of its own claim, unless pasted output repeats that
        claimed = {claim.code_line for claim in snippet.claims if isinstance(claim, Prints | Shows)} - {None}
        rest = [one for one in shown if one.line not in claimed]
        shown = rest if len(rest) >= len(claims) else shown
    left_out = _left_out(snippet, run) if line is None else []
    in_order = sorted([*shown, *(Shown("", at, False) for at in left_out)], key=lambda one: one.line or 0)
    if left_out and len(in_order) == len(claims) and [one for one in in_order if one.text] == shown:
        shown, pairs = in_order, [*range(len(claims))]
    else:
        pairs = align([claim.text for claim in claims], [one.text for one in shown], gaps, bool(left_out))
    found: dict[str, Evidence] = {}
    for claim, at in zip(claims, pairs, strict=True):
        seen = (shown[at],) if at is not None and shown[at].text else ()
        found[claim.id] = Evidence(seen, raised, left_out=bool(left_out and not seen))
    return found


def _left_out(snippet: Snippet, run: Observation) -> list[int]:
    """The lines of prints below `if torch.cuda.is_available():` that were not run."""
    tree = parsed(snippet.code)
    calls = [node for node in nodes(tree) if isinstance(node, ast.Call)] if tree else []
    lines = [call.lineno - 1 for call in calls if sources.called(call) == "print"]
    ran = {event.inner for event in run.events}
    return [
        line for line in sorted({*lines} - ran) if "value" in sources.of_machine(snippet.code, run.above, line, None)
    ]


def _is_apart(claim: Prints) -> bool:
    """True for what a notebook keeps of the prints of a cell, apart from values and progress bars."""
    return claim.place == "stored" and claim.stream == "stdout"


def _alternatives(run: Observation, line: int, kinds: tuple[str, ...]) -> tuple[Shown, ...]:
    """For one claim about one line: what it printed first, then everything that it printed."""
    each = [_as_shown(event) for event in _events(run, line, kinds)]
    found = each[:1]
    values = each[0].values if len(each) == 1 else ()
    if not (len(values) == 1 and values[0].kind in _ONE_PIECE and each[0].text.rstrip("\n") == values[0].repr):
        found += written(run, line, kinds)[:1]
    if len(each) > 1:
        found += [_joined(each), *each[1:4]]
    different: dict[str, Shown] = {}
    for one in found:
        different.setdefault(one.text.rstrip("\n"), one)
    return tuple(different.values())


_ONE_PIECE = frozenset({"tensor", "array", "number", "bool", "none", "size", "dtype", "device"})
"""Kinds of objects that print as one piece."""


def _joined(shown: Sequence[Shown]) -> Shown:
    text = "\n".join(one.text.rstrip("\n") for one in shown)
    values = tuple(value for one in shown for value in one.values)
    return Shown(text, shown[0].line, any(one.random for one in shown), values)


_LOG_LINE = pattern(r"[DIWEF]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ \S+:\d+\] ")
"""What torch logs of itself and of the machine (`torch._logging`): `W1121 21:28:22.466000 22 torch/utils/x.py:178] ...`"""


def is_log_line(text: str) -> bool:
    return _LOG_LINE.match(text) is not None


def _events(run: Observation, line: int | None, kinds: Iterable[str], whole: bool = False) -> list[Event]:
    """Events of a line; with `whole` also those that its top-level statement caused elsewhere (in a function)."""
    found = [
        event
        for event in run.events
        if event.kind in kinds
        and is_at(event, line)
        and not (event.kind == "value" and event.text == "None")
        and not (event.kind == "stderr" and "stdout" in kinds and is_log_line(event.text))
    ]
    return found if whole else _nearest(found, line)


def written(run: Observation, line: int | None, kinds: Iterable[str], whole: bool = False) -> list[Shown]:
    """What was written, cut where brackets close, in order; each piece with the event where it starts."""
    events = _events(run, line, kinds, whole)
    texts: list[str] = []
    owners: list[int] = []
    unfinished = False
    for at, event in enumerate(events):
        text = clean(event.text)
        parts = text.removesuffix("\n").split("\n")
        if unfinished and event.kind != "value":
            texts[-1] += parts.pop(0)
        texts.extend(parts)
        owners.extend([at] * len(parts))
        unfinished = event.kind == "stdout" and not text.endswith("\n")
    found = []
    for start, stop in paragraphs(texts):
        own = [events[at] for at in dict.fromkeys(owners[start:stop])]
        values = tuple(value for event in own for value in event.values)
        line_of = events[owners[start]].inner
        found.append(Shown("\n".join(texts[start:stop]), line_of, any(event.random for event in own), values))
    return found


def clean(text: str) -> str:
    """Without colours; a line that was overwritten by `\\r` as it was last."""
    text = COLOUR.sub("", text)
    if "\r" not in text:
        return text
    return "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))


def live_values(values: Iterable[Value]) -> Mapping[str, Value]:
    """Tensors and arrays among objects (and inside containers), by the text that they print, without blanks."""
    found: dict[str, Value] = {}
    todo = list(values)
    while todo:
        value = todo.pop()
        if value.kind in ("tensor", "array"):
            found["".join(value.repr.removeprefix("Parameter containing:").split())] = value
            inside = re.search(r"\[.*\]", value.repr, re.DOTALL)
            if value.kind == "array" and inside:  # as `str` prints it: `[1. 2.]`
                found.setdefault("".join(inside[0].split()), value)
        todo.extend((*value.items, *value.keys))
    return found


# --- alignment: which observed text each claim of a block is about ------------------------------------

_CELLS = 250_000
"""Longer blocks are paired by order: aligning costs claims x lines."""


def align(
    claimed: Sequence[str], seen: Sequence[str], gaps: Set[int] = frozenset(), wanting: bool = False
) -> list[int | None]:
    """For each claimed text the index of the observed one that it stands for, or None. In order.

    Observed text that nobody claims costs little: notes leave lines out. One line too many or too few
    moves nothing else. Above the claims in `gaps` lines are left out with `...`: what stands below the last of
    them is the end of the output. `wanting`: some of what is claimed was not run, and stands for nothing.
    """
    ours, theirs = [_skeleton(text) for text in claimed], [_skeleton(text) for text in seen]
    if len(ours) * len(theirs) > _CELLS:
        end = max(gaps, default=len(ours))  # what stands below the last `...` is counted from the end
        places = [at if at < end else at - len(ours) + len(theirs) for at in range(len(ours))]
        return [at if 0 <= at < len(theirs) else None for at in places]
    rows, columns = len(ours), len(theirs)
    missing = _OTHER_NUMBERS + 1 if wanting else _MISSING
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    if gaps:
        best[rows] = [missing * (columns - j) for j in range(columns + 1)]
    extra = [0 if i in gaps else _EXTRA for i in range(rows)]
    for i in range(rows - 1, -1, -1):
        best[i][columns] = best[i + 1][columns] + missing
        for j in range(columns - 1, -1, -1):
            pair = best[i + 1][j + 1] + _cost(ours[i], theirs[j])
            best[i][j] = min(pair, best[i + 1][j] + missing, best[i][j + 1] + extra[i])
    return _path(best, ours, theirs, extra)


_MISSING, _EXTRA = 100, 10  # whole numbers: sums must not depend on their order
_OTHER_NUMBERS = 11
"""More than to leave a line out: one that is the same further down is the one that is meant."""


@dataclass(frozen=True, slots=True)
class _Skeleton:
    """What makes two texts the same line of output, whatever the numbers."""

    tight: str
    """Without blanks."""
    masked: str
    """Also without numbers: brackets that hold nothing else are empty."""
    words: frozenset[str]


def _path(best: list[list[int]], ours: list[_Skeleton], theirs: list[_Skeleton], extra: list[int]) -> list[int | None]:
    pairs: list[int | None] = []
    i = j = 0
    while i < len(ours):
        if j < len(theirs) and best[i][j] == best[i + 1][j + 1] + _cost(ours[i], theirs[j]):
            pairs.append(j)
            i, j = i + 1, j + 1
        elif j < len(theirs) and best[i][j] == best[i][j + 1] + extra[i]:
            j += 1
        else:
            pairs.append(None)
            i += 1
    return pairs


_DEVICE = pattern(r",device='[^']*'")
"""Where a tensor lies makes no other line of it."""


def _skeleton(text: str) -> _Skeleton:
    tight = _DEVICE.sub("", "".join(text.split()))
    masked = re.sub(r"[\[\]#,]{2,}", "[]", re.sub(r"[-+]?[\d.]+", "#", tight))
    return _Skeleton(tight, masked, frozenset(re.findall(r"[^\W\d_][\w.]*", text)))


def _cost(one: _Skeleton, other: _Skeleton) -> int:
    if one.tight == other.tight:
        return 0
    if one.words == other.words and one.masked == other.masked:
        return _OTHER_NUMBERS
    if one.masked == other.masked:
        return 15
    shared, together = len(one.words & other.words), len(one.words | other.words)
    return 90 - (60 * shared // together if together else 0)


def is_of_one_form(claimed: str, seen: str) -> bool:
    """True if two texts are the same but for their numbers."""
    return _skeleton(claimed).masked == _skeleton(seen).masked


def edit_distance_key(claimed: str, seen: str) -> tuple[int, int, int]:
    """How unlikely it is that a claim is about an observed text; of two alike, the one of as many lines is likelier, then
    the one of its length.
    """
    one, other = _skeleton(claimed), _skeleton(seen)
    lines = abs(len(claimed.split("\n")) - len(seen.rstrip("\n").split("\n")))
    return _cost(one, other), lines, abs(len(one.tight) - len(other.tight))
