"""Update: write observed outputs back into a source, in the form in which the claims stood.

Pure. Only claimed text moves: marks of comments, labels, the author's explanation behind a value,
indentation and everything else stay as they are, and `only_claims_moved` proves it by comparing what
the changed source reads as.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from deckgen.model.claim import PRINTED, Claim, HasShape, Raises, Snippet
from deckgen.model.source import Source, Span
from deckgen.model.verdict import Verdict, VerdictKind
from deckgen.text.pattern import pattern
from deckgen.written import Call, Group, Node, Number, Row, half_width, pieces
from deckgen.written import Word as Name

STALE = frozenset({VerdictKind.CONTRADICTED, VerdictKind.DRIFT_FORMAT, VerdictKind.DRIFT_DIGITS})
"""Words after which the observed output replaces the claimed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """A source with observed outputs."""

    text: str
    changed: tuple[Verdict, ...]
    left: tuple[tuple[Verdict, str], ...]
    """Stale claims that were not rewritten, and why."""


def updated(source: Source, verdicts: Sequence[Verdict]) -> Updated:
    """The source with the stale claims among these verdicts rewritten. Never touches another line."""
    edits: dict[Span, list[str]] = {}
    changed: list[Verdict] = []
    left: list[tuple[Verdict, str]] = []
    for verdict in verdicts:
        if verdict.word not in STALE:
            continue
        span = verdict.claim.span
        lines = _rewritten(source, verdict)
        if isinstance(lines, str):
            left.append((verdict, lines))
        elif any(span.touches(other) for other in edits):
            left.append((verdict, "another claim stands on its lines"))
        else:
            edits[span] = lines
            changed.append(verdict)
    text = list(source.lines)
    for span in sorted(edits, key=lambda span: span.start, reverse=True):
        text[span.start : span.stop] = edits[span]
    return Updated(text="\n".join(text), changed=tuple(changed), left=tuple(left))


def _rewritten(source: Source, verdict: Verdict) -> list[str] | str:
    """The new lines of a claim's place, or why it has to be left to its author."""
    claim = verdict.claim
    if claim.origin:
        return f"it stands in {claim.origin}: correct it there"
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
    before, after, hanging = place
    if _BECOMES.match(after):
        return "its comment says what it becomes"
    first, *more = [line.rstrip() for line in new.split("\n")]
    lines = [before + first, *((hanging + line).rstrip() for line in more)]
    lines[-1] += after
    return lines


_BECOMES = pattern(r"\W*«claim.changed»|\s*(?:-+>|=+>|→|⇒|➜)")
"""Behind a value: what it was before, and not what it is. Whoever writes torch's value there spoils the lesson."""


def _located(source: Source, claim: Claim) -> tuple[str, str, str] | None:
    """(text before the claim, text after it, what starts its further lines); None if it is not there verbatim."""
    lines = source.lines[claim.span.start : claim.span.stop]
    claimed = claim.text.split("\n")
    if len(lines) != len(claimed) or not claimed[0]:
        return None
    # code may hold the same text as the comment behind it
    starts = [lines[0].rfind(claimed[0]), *map(str.find, lines[1:], claimed[1:])]
    tails = [line[start + len(text) :] for line, start, text in zip(lines, starts, claimed, strict=True)]
    if min(starts) < 0 or any(tail.strip() for tail in tails[:-1]):
        return None
    before = lines[0][: starts[0]]
    return before, tails[-1], lines[1][: starts[1]] if len(lines) > 1 else _hanging(before)


def _hanging(before: str) -> str:
    """What further lines start with under a claim of one line: a comment sign in the same column."""
    code, sign, _ = before.rpartition("#")
    if not code.strip() and (sign or not before.strip()):
        return before
    return " " * len(code) + "#" + " " * (len(before) - len(code) - 1) if sign else ""


def only_claims_moved(before: Sequence[Snippet], after: Sequence[Snippet]) -> str | None:
    """None if both readings have the same code and as many claims of the same forms; else what moved."""
    if len(before) != len(after):
        return f"{len(before)} snippets became {len(after)}"
    for one, other in zip(before, after, strict=True):
        if _without_comments(one) != _without_comments(other):
            return f"the code of line {one.id} changed"
        if [claim.form for claim in one.claims] != [claim.form for claim in other.claims]:
            return f"line {one.id} had {len(one.claims)} claims and has {len(other.claims)}"
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
