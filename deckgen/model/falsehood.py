"""What is false in the notes, and what would be true in its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from deckgen.model.verdict import ApiVerdict, NameVerdict, Verdict, VerdictKind
from deckgen.text.pattern import pattern

DEFAULT = pattern(r"default|默认|缺省", re.IGNORECASE)
ADDRESS = pattern(r"\b0x[\da-f]{6,}")
"""Of an object: another one in each run."""
_LONGEST = 200


def both_sides(verdict: Verdict | ApiVerdict) -> tuple[str, str]:
    """What the notes say, and what torch says; empty where torch says nothing instead."""
    if isinstance(verdict, Verdict):
        return verdict.claim.text, verdict.observed or verdict.reason or ""
    if _is_default(verdict):
        return f"{_parameter(verdict)}={verdict.claim.default}", verdict.suggestion or ""
    return verdict.claim.text, verdict.suggestion or verdict.signature or verdict.reason or ""


def correction(verdict: Verdict | ApiVerdict) -> tuple[str, str] | None:
    """(the text that is false, the text to put in its place), if there are such: of `p=0.1` no more than the value."""
    if isinstance(verdict, Verdict):
        short = verdict.observed is not None and len(verdict.observed) <= _LONGEST
        return (verdict.claim.text, verdict.observed or "") if short else None
    if _is_default(verdict):
        claimed, _, live = (verdict.claim.default or "", *(verdict.suggestion or "").partition("=")[1:])
        bare = claimed[:1] not in "'\"" and live[:1] in "'\""
        return claimed, live.strip("'\"") if bare else live
    if verdict.word is NameVerdict.RENAMED and verdict.suggestion:
        return verdict.claim.text.partition("(")[0], verdict.suggestion
    return None


def _is_default(verdict: ApiVerdict) -> bool:
    """True if a default is what torch denies."""
    suggested = verdict.suggestion or ""
    return verdict.claim.default is not None and suggested.startswith(f"{_parameter(verdict)}=")


def _parameter(verdict: ApiVerdict) -> str:
    """`p` of a claim about `Dropout(p)`."""
    return verdict.claim.text.partition("(")[2].rstrip(")")


def place_of(text: str, false: str) -> tuple[int, int] | None:
    """Where a falsehood stands in a text as a word of its own: once, or once on a line that tells of a default."""
    if not false:
        return None
    found = [match.span() for match in re.finditer(rf"(?<![\w.]){re.escape(false)}(?!\w|\.\w)", text)]
    if len(found) > 1:
        found = [place for place in found if DEFAULT.search(text, text.rfind("\n", 0, place[0]) + 1, place[0])]
    return found[0] if len(found) == 1 else None


def printed_instead(output: str, verdicts: Sequence[Verdict], false: Collection[object]) -> str:
    """What code prints that the notes answer with these claims: those that are false are replaced where they stand, in
    order; if one of them is not there, or an error ends the code, it is a line for each. Addresses, which are others each
    time, are left out.
    """
    told = [both_sides(verdict)[1] if verdict in false else verdict.claim.text for verdict in verdicts]
    failed = [at for at, verdict in enumerate(verdicts) if verdict.word is VerdictKind.ERROR]
    if failed:
        told = told[: failed[0] + 1]
    in_place = (
        None if failed or len(told) == 1 else _in_place(output, verdicts, told)
    )  # the notes may dress a single one
    return ADDRESS.sub("0x…", "\n".join(told) if in_place is None else in_place)


def _in_place(output: str, verdicts: Sequence[Verdict], told: Sequence[str]) -> str | None:
    """An output with each claim's text replaced, in order; None where one of them is not there."""
    start = 0
    for verdict, text in zip(verdicts, told, strict=True):
        at = output.find(verdict.claim.text, start)
        if at < 0:
            return None
        output, start = output[:at] + text + output[at + len(verdict.claim.text) :], at + len(text)
    return output
