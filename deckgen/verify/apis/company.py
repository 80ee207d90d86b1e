"""What the rows of one table or list tell about each other: whose names they list, and that values are defaults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.model.verdict import ApiVerdict, NameVerdict
from deckgen.verify.apis.defaults import comparable, listed_defaults, wrong_defaults
from deckgen.verify.apis.missing import Facts
from deckgen.verify.apis.readings import GIVEN
from deckgen.verify.apis.written import parse

_ROWS = frozenset({"table", "bullet", GIVEN})
_ENOUGH = 3
"""Rows that are no chance."""


def in_company(verdicts: Sequence[ApiVerdict], facts: Facts) -> tuple[ApiVerdict, ...]:
    """The verdicts, with what only the rows around a row can tell."""
    told = list(verdicts)
    for places in _stretches(told):
        _missing(told, places, facts)
        _defaults(told, places, facts)
    return tuple(told)


def _stretches(verdicts: Sequence[ApiVerdict]) -> Iterator[list[int]]:
    """Places of the verdicts on rows of one form that follow each other, nothing between them, in one surrounding."""
    by_form: dict[str, list[int]] = {}
    for place, one in enumerate(verdicts):
        if one.claim.form in _ROWS:
            by_form.setdefault(one.claim.form, []).append(place)
    for places in by_form.values():
        stretch = places[:1]
        for place in places[1:]:
            above, claim = verdicts[stretch[-1]].claim, verdicts[place].claim
            if claim.span.start - above.span.start > 1 or claim.scopes[-1:] != above.scopes[-1:]:
                yield stretch
                stretch = []
            stretch.append(place)
        yield stretch


def _missing(told: list[ApiVerdict], places: Sequence[int], facts: Facts) -> None:
    """Among the classes and functions of a module that the headings name, one which that module has not is missing.

    Alone it may well be the author's own, and so it may where most of the rows are not torch's.
    """
    bare = [place for place in places if _is_bare(told[place])]
    homes = Counter(str(told[place].qualified).rpartition(".")[0] for place in bare if told[place].qualified)
    if not homes:
        return
    home, count = homes.most_common(1)[0]
    if count < _ENOUGH or 4 * count < 3 * len(bare) or facts["objects"].get(home, {}).get("kind") != "module":
        return
    for place in bare:
        if told[place].word is NameVerdict.UNVERIFIED and home in told[place].claim.scopes:
            reason = f"{home} has no `{parse(told[place].claim.text).dotted}`"
            told[place] = replace(told[place], word=NameVerdict.MISSING, reason=reason)


def _is_bare(verdict: ApiVerdict) -> bool:
    """A class by its capital, a function by its parentheses."""
    claim, written = verdict.claim, parse(verdict.claim.text)
    named = len(written.path) == 1 and (written.path[0][:1].isupper() or written.arguments is not None)
    return named and claim.form != GIVEN and not (claim.alias or claim.owner)


class _Told(NamedTuple):
    """The defaults that a row may state, and those of them that are not torch's."""

    claimed: Mapping[str, str]
    right: int
    wrong: Mapping[str, str]


def _defaults(told: list[ApiVerdict], places: Sequence[int], facts: Facts) -> None:
    """Where nearly all values of a table or list are torch's defaults, the others are said to be defaults as well."""
    rows = {place: row for place in places if (row := _told(told[place], facts))}
    right = sum(row.right for row in rows.values())
    wrong = sum(len(row.wrong) for row in rows.values())
    if right < _ENOUGH or 4 * wrong > right:
        return
    for place, row in rows.items():
        if row.wrong and told[place].word is NameVerdict.EXISTS:
            told[place] = with_wrong_defaults(told[place], row.claimed, row.wrong)


def _told(verdict: ApiVerdict, facts: Facts) -> _Told | None:
    claim, fact = verdict.claim, facts["objects"].get(verdict.qualified or "")
    if fact is None:
        return None
    arguments = parse(claim.text).arguments or ()
    given = {arguments[0].name: claim.default} if claim.form == GIVEN and claim.default and arguments else {}
    claimed = given or listed_defaults(arguments, fact)
    wrong = {name: live for name, live in wrong_defaults(claimed, fact).items() if not _switched(live)}
    known = [name for name, text in claimed.items() if comparable(name, text, fact)]
    return _Told(claimed, sum(name not in wrong for name in known), wrong)


def _switched(live: str) -> bool:
    """`batch_first=True`: what is off or on by default is more often written to show how it is switched."""
    return live in ("True", "False")


def with_wrong_defaults(verdict: ApiVerdict, claimed: Mapping[str, str], wrong: Mapping[str, str]) -> ApiVerdict:
    """The verdict that torch has other defaults than those claimed; `wrong`: parameter -> torch's."""
    parts = [f"default of `{name}`: claimed {claimed[name]}, torch has {live}" for name, live in wrong.items()]
    meant = ", ".join(f"{name}={live}" for name, live in wrong.items())
    return replace(verdict, word=NameVerdict.SIGNATURE_DIFFERS, suggestion=meant, reason="; ".join(parts))
