"""Update: write observed outputs back into a source, in the form in which the claims stood.

Pure. Only claimed text moves: marks of comments, labels, the author's explanation behind a value,
indentation and everything else stay as they are, and `only_claims_moved` proves it by comparing what
the changed source reads as.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from deckgen.model.claim import PRINTED, Claim, Exists, HasShape, Raises, Snippet
from deckgen.model.source import Source, Span, line_span
from deckgen.model.verdict import ApiVerdict, Verdict, VerdictKind, correction, place_of, right_option
from deckgen.text.pattern import pattern
from deckgen.written import Call, Group, Node, Number, Row, half_width, pieces
from deckgen.written import Word as Name

STALE = frozenset({VerdictKind.CONTRADICTED, VerdictKind.DRIFT_FORMAT, VerdictKind.DRIFT_DIGITS})
"""Words after which the observed output replaces the claimed one."""
Judged = Verdict | ApiVerdict


def is_stale(verdict: Judged) -> bool:
    """True if torch shows something that may stand in the place of what is claimed: an output, a default."""
    if isinstance(verdict, Verdict):
        return verdict.word in STALE
    return verdict.is_false and verdict.claim.default is not None and correction(verdict) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """A source with observed outputs."""

    text: str
    edits: Mapping[Span, Sequence[str]]
    """The new lines of each place that changes."""
    changed: tuple[Judged, ...]
    left: tuple[tuple[Judged, str], ...]
    """Stale claims that were not rewritten, and why."""


def updated(source: Source, verdicts: Sequence[Judged]) -> Updated:
    """The source with the stale claims among these verdicts rewritten. Never touches more than these and the fence around them."""
    edits: dict[Span, Sequence[str]] = {}
    changed: list[Judged] = []
    left: list[tuple[Judged, str]] = []
    for verdict in verdicts:
        if not is_stale(verdict):
            continue
        span = verdict.claim.key or verdict.claim.span
        lines = _rewritten(source, verdict)
        if isinstance(lines, str):
            left.append((verdict, lines))
        elif any(span.touches(other) for other in edits):
            left.append((verdict, "another claim stands on its lines"))
        elif lines == list(source.lines[span.start : span.stop]):
            left.append((verdict, "what torch shows is written the same in its form"))
        else:
            edits[span] = lines
            changed.append(verdict)
    edits |= _longer_fences(source, edits)
    text = list(source.lines)
    for span in sorted(edits, reverse=True):
        text[span.start : span.stop] = edits[span]
    return Updated(text="\n".join(text), edits=edits, changed=tuple(changed), left=tuple(left))


def _rewritten(source: Source, verdict: Judged) -> list[str] | str:
    """The new lines of a claim's place, or why it has to be left to its author."""
    if verdict.claim.origin:
        return f"it stands in {verdict.claim.origin}: correct it there"
    if verdict.claim.options:
        return _with_key(source, verdict)
    return _with_default(source, verdict) if isinstance(verdict, ApiVerdict) else _with_output(source, verdict)


def _with_key(source: Source, verdict: Judged) -> list[str] | str:
    """`Answer: A` with the letter of the option that is right."""
    right, key = right_option(verdict), verdict.claim.key
    if right is None:
        return "no other option of it is right"
    return _once(source, key, verdict.claim.options[0][0], right[0]) if key else "its key is more than one letter"


def _with_default(source: Source, verdict: ApiVerdict) -> list[str] | str:
    """`0.001` in the place of another default."""
    false, true = correction(verdict) or ("", "")
    return _once(source, verdict.claim.span, false, true)


def _once(source: Source, span: Span, false: str, true: str) -> list[str] | str:
    """The lines of a span with a text replaced that stands there once."""
    lines = list(source.lines[span.start : span.stop])
    place = place_of(lines[0], false) if len(lines) == 1 else None
    if place is None:
        return f"`{false}` does not stand once on its line"
    return [lines[0][: place[0]] + true + lines[0][place[1] :]]


def _with_output(source: Source, verdict: Verdict) -> list[str] | str:
    """What code showed, where the notes claim otherwise."""
    claim = verdict.claim
    if claim.place == "answer":
        return "it is the answer of a quiz"
    if verdict.unwritable:
        return verdict.unwritable
    if verdict.observed is None:
        return "torch shows nothing in its place"
    if (verdict.reason or "").startswith("address"):
        return "its addresses are the author's own: say which are the same"
    new = in_form(claim, verdict.observed)
    if new is None:
        return "what torch shows has another form"
    place = _located(source, claim)
    if place is None:
        return "the claimed text is torn or stands in prose"
    before, after = place
    if _BECOMES.match(after):
        return "its comment says what it becomes"
    first, *more = [line.rstrip() for line in new.split("\n")]
    starts = [*before[1:], *[before[1] if before[1:] else _hanging(before[0])] * len(more)]
    lines = [before[0] + first, *((start + line).rstrip() for start, line in zip(starts, more, strict=False))]
    lines[-1] += after
    try:
        "".join(lines).encode(source.encoding)
    except UnicodeEncodeError:
        return f"{source.encoding} cannot write what torch shows"
    return lines


_BECOMES = pattern(r"\W*«claim.changed»|\s*(?:-+>|=+>|→|⇒|➜)")
"""Behind a value: what it was before, and not what it is. Whoever writes torch's value there spoils the lesson."""


def _located(source: Source, claim: Claim) -> tuple[list[str], str] | None:
    """(what stands before the claim on each of its lines, what behind it); None if it is not there verbatim."""
    lines = source.lines[claim.span.start : claim.span.stop]
    claimed = claim.text.split("\n")
    if len(lines) != len(claimed) or not claimed[0]:
        return None
    starts = [_column(lines[0], claimed[0]), *map(str.find, lines[1:], claimed[1:])]
    tails = [line[start + len(text) :] for line, start, text in zip(lines, starts, claimed, strict=True)]
    if min(starts) < 0 or any(tail.strip() for tail in tails[:-1]):
        return None
    return [line[:start] for line, start in zip(lines, starts, strict=True)], tails[-1]


_CODE = pattern(r"(?:[^'\"#]++|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")*(?=#)")


def _column(line: str, claimed: str) -> int:
    """Where a claim begins on its line: in a comment, since code may hold the same, and not within a word or a number; -1 if nowhere."""
    code = _CODE.match(line)
    start = code.end() if code else 0
    whole = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(claimed)}(?![A-Za-z0-9_]|\.\d)").search(line, start)
    return whole.start() if whole else line.rfind(claimed)


_FENCE = pattern(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?P<mark>`{3,}|~{3,})")


def _longer_fences(source: Source, edits: Mapping[Span, Sequence[str]]) -> dict[Span, Sequence[str]]:
    """The first and last lines of fences that what is written inside would close, with marks that are longer than it."""
    longest: dict[tuple[int, int], str] = {}
    for span, lines in edits.items():
        opening = next((at for at in range(span.start - 1, -1, -1) if _FENCE.match(source.lines[at])), -1)
        mark = _mark(source, opening)
        closing = next((at for at in range(span.stop, len(source.lines)) if _mark(source, at).startswith(mark)), -1)
        inside = [found["mark"] for found in map(_FENCE.match, lines) if found and found["mark"].startswith(mark)]
        if mark and inside and closing >= 0:
            longest[opening, closing] = max(longest.get((opening, closing), ""), *inside, key=len)
    return {
        line_span(at): [source.lines[at].replace(_mark(source, at), mark + mark[0], 1)]
        for places, mark in longest.items()
        for at in places
        if line_span(at) not in edits
    }


def _mark(source: Source, line: int) -> str:
    found = _FENCE.match(source.lines[line]) if line >= 0 else None
    return found["mark"] if found else ""


def _hanging(before: str) -> str:
    """What further lines start with under a claim of one line: a comment sign in the same column."""
    code, sign, _ = before.rpartition("#")
    if not code.strip() and (sign or not before.strip()):
        return before
    return " " * len(code) + "#" + " " * (len(before) - len(code) - 1) if sign else ""


def only_claims_moved(before: Sequence[Snippet], after: Sequence[Snippet], changed: Collection[str]) -> str | None:
    """None if both readings have the same code and claims but for the texts of these, by their ids; else what moved."""
    if len(before) != len(after):
        return f"{len(before)} snippets became {len(after)}"
    for one, other in zip(before, after, strict=True):
        if _without_comments(one) != _without_comments(other):
            return f"the code of line {one.id} changed"
        if [claim.form for claim in one.claims] != [claim.form for claim in other.claims]:
            return f"line {one.id} had {len(one.claims)} claims and has {len(other.claims)}"
        for claim, new in zip(one.claims, other.claims, strict=True):
            if (claim.id in changed) != (claim.text != new.text):
                return f"the claim of line {claim.span.first} is `{new.text}`"
    return None


def only_defaults_moved(before: Sequence[Exists], after: Sequence[Exists], changed: Collection[str]) -> str | None:
    """None if both readings have the same names, with the same defaults but for these, by their ids; else what moved."""
    if len(before) != len(after):
        return f"{len(before)} names became {len(after)}"
    for one, other in zip(before, after, strict=True):
        if one.id not in changed and (one.text, one.default) != (other.text, other.default):
            return f"`{one.text}` on line {one.span.first} is `{other.text}`"
    return None


def _without_comments(snippet: Snippet) -> str:
    """The code by its syntax tree: claims in comments may change it no more."""
    try:
        return ast.dump(ast.parse(snippet.code))
    except (SyntaxError, ValueError, RecursionError):
        return snippet.code


# --- the observed text in the form of the claim: a tuple for a size, a list for a tensor ----------------

_ARRAYS = frozenset({"tensor", "array", "torch.Size"})
_SIZES = pattern(r"(?P<open>[(\[]+)\s*[\d\s,]*?,?\s*(?=[)\]])|(?P<crossed>\d+(?:\s*[x×*]\s*\d+)+)")


def in_form(claim: Claim, observed: str) -> str | None:
    """What to write instead of `claim.text`; None if the observed text cannot take its form."""
    if isinstance(claim, HasShape):
        return _shapes(claim.text, observed)
    if isinstance(claim, Raises):
        return _error(claim, observed)
    observed = observed.rstrip("\n")
    ours, theirs = pieces(claim.text), pieces(observed)
    shortened = "..." in claim.text and observed.count("\n") > claim.text.count("\n")
    if not ours or not theirs or shortened:
        return None
    if claim.place not in PRINTED and len(ours) < len(theirs) and ours[0].node != theirs[0].node:
        observed = observed[theirs[-len(ours)].start :]  # the claim is about the last objects of a print
        theirs = pieces(observed)
    return _one(ours[0].node, theirs[0].node, observed) if len(ours) == len(theirs) == 1 else observed


def _shapes(claimed: str, observed: str) -> str | None:
    """The shapes in a text replaced by observed ones, `(2, 3), (4,)`: the last alone if there is but one."""
    new = [re.findall(r"\d+", inside) for inside in re.findall(r"\(([^()]*)\)", observed)]
    places = [*_SIZES.finditer(half_width(claimed))]
    if not new or len(new) not in (1, len(places)) or not places:
        return None
    for place, sizes in reversed([*zip(places[-len(new) :], new, strict=True)]):
        if place["crossed"]:
            written = re.split(r"\d+", place["crossed"])[1].join(sizes)
        else:
            lone = len(sizes) == 1 and place["open"].endswith("(")
            written = place["open"] + ", ".join(sizes) + ("," if lone else "")
        claimed = claimed[: place.start()] + written + claimed[place.end() :]
    return claimed


def _error(claim: Raises, observed: str) -> str | None:
    """The last line of a traceback, or the exception after the author's own words."""
    kind, _, message = observed.partition(":")
    fresh = f"{kind.rsplit('.', 1)[-1]}:{message}".rstrip(":")
    *lines, last = claim.text.rstrip().split("\n")
    before, found, after = last.partition(claim.exception)
    if not found:
        return None
    new = " ".join(fresh.split()) if claim.message else fresh.partition(":")[0] + after
    return "\n".join([*lines, before + new])


def _one(claimed: Node, seen: Node, observed: str) -> str | None:
    """One value: shorthand stays shorthand."""
    if isinstance(claimed, Row) and isinstance(seen, Group) and seen.bracket == "(":
        return _shapes("[0]", observed)  # a shape in square brackets
    if not isinstance(seen, Call) or isinstance(claimed, Call):
        return observed
    inside = seen.group.items[0] if seen.group.items else ()
    if len(inside) != 1 or seen.name not in _ARRAYS:
        return observed
    data = inside[0]
    if isinstance(claimed, Group) and claimed.bracket == "(" and isinstance(data, Row) and seen.name == "torch.Size":
        return "(" + ", ".join(data.texts) + (",)" if len(data.texts) == 1 else ")")
    if isinstance(claimed, Row | Group) and isinstance(data, Row | Group):
        return _in_brackets(data)
    if isinstance(claimed, Number | Name) and isinstance(data, Number | Name):
        return data.text
    return None if isinstance(claimed, Number | Row | Group) else observed


def _in_brackets(data: Node) -> str | None:
    """Nested lists on one line."""
    if isinstance(data, Group):
        parts = [_in_brackets(item[0]) if len(item) == 1 else None for item in data.items]
        return None if None in parts else "[" + ", ".join(filter(None, parts)) + "]"
    return "[" + ", ".join(data.texts) + "]" if isinstance(data, Row) else getattr(data, "text", None)
