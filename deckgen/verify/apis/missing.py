"""Names that torch does not have: what was meant by them, if that can be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckgen.model.claim import Exists
from deckgen.model.verdict import ApiVerdict, NameVerdict
from deckgen.verify.apis.near import near
from deckgen.verify.apis.readings import ELSEWHERE, Reading
from deckgen.verify.apis.written import Written, is_placeholder

Facts = Mapping[str, Any]
"""The answer of `introspect`."""


def judge_missing(claim: Exists, written: Written, readings: Sequence[Reading], facts: Facts) -> ApiVerdict:
    if placeholder := next(filter(is_placeholder, written.path), None):
        reason = f"`{placeholder}` stands for several names"
        return ApiVerdict(claim=claim, word=NameVerdict.NOT_AN_API, reason=reason)
    if problem := next(
        (facts["names"][r.query]["problem"] for r in readings if facts["names"][r.query]["problem"]), None
    ):
        return ApiVerdict(claim=claim, word=NameVerdict.UNVERIFIED, reason=problem)
    for reading in readings:
        suggestion = _near_by(reading, facts)
        if suggestion and not _another_word(claim, written, suggestion[0]):
            return _renamed(claim, written, *suggestion)
    firm = next((reading for reading in readings if reading.firm and _leads_to_an_owner(reading, facts)), None)
    name = written.path[-1]
    if written.path[0] in ELSEWHERE:
        return ApiVerdict(claim=claim, word=NameVerdict.NOT_AN_API, reason=f"`{name}` is Python's")
    of_a_variable = firm is None and len(written.path) > 1
    elsewhere = None if of_a_variable else _elsewhere(name, facts, exactly=firm is not None)
    if elsewhere and not _another_word(claim, written, elsewhere):
        return _renamed(claim, written, elsewhere)
    if firm is None and claim.form == "prose" and not written.arguments:
        return ApiVerdict(claim=claim, word=NameVerdict.NOT_AN_API, reason=f"no name of torch's: `{name}`")
    if firm is None:
        return ApiVerdict(
            claim=claim, word=NameVerdict.UNVERIFIED, reason=f"torch has no `{name}` that the notes could mean"
        )
    owner = facts["names"][firm.query]["object"]
    return ApiVerdict(claim=claim, word=NameVerdict.MISSING, reason=f"{owner} has no `{name}`")


def _another_word(claim: Exists, written: Written, meant: str) -> bool:
    """A bare word of running text that only has another ending (`lr_schedule`) may well be the author's own."""
    ours, theirs = written.path[-1], meant.rpartition(".")[2]
    loose = claim.form == "prose" and len(written.path) == 1 and written.arguments is None and not written.keyword
    return loose and (ours.startswith(theirs) or theirs.startswith(ours))


def _leads_to_an_owner(reading: Reading, facts: Facts) -> bool:
    path = facts["names"][reading.query]["object"]
    return path is not None and facts["objects"][path]["kind"] in ("module", "class")


def _near_by(reading: Reading, facts: Facts) -> tuple[str, str] | None:
    """(the near name, what holds it) among members of the object reached, or everything inside a scope."""
    fact = facts["names"][reading.query]
    if fact["object"] is None:
        return None
    held = facts["objects"][fact["object"]]
    if held["kind"] not in ("module", "class"):  # `grad_fn.next_functions`: what it holds is not known
        return None
    inner = reading.query.partition("::")[2]
    if inner:
        close = near(inner, held["inside"] or (), sure=not reading.firm)
        return None if close is None or close == inner else (close, fact["object"])
    step, _, rest = fact["rest"].partition(".")
    close = near(step, held["names"] or (), sure=not reading.firm)
    return None if close is None else (".".join(part for part in (fact["object"], close, rest) if part), fact["object"])


def _elsewhere(name: str, facts: Facts, *, exactly: bool) -> str | None:
    """The name itself (`torch.view` is `Tensor.view`), or one very near to it, in another of the usual places."""
    close = name if exactly and name in facts["pool"] else near(name, facts["pool"], sure=True)
    found: str | None = facts["pool"][close] if close else None
    return found


def _renamed(claim: Exists, written: Written, suggestion: str, holder: str | None = None) -> ApiVerdict:
    where = f" in {holder}" if holder else ""
    return ApiVerdict(
        claim=claim,
        word=NameVerdict.RENAMED,
        suggestion=suggestion,
        reason=f"there is no `{written.dotted}`{where}; `{suggestion}` is near",
    )
