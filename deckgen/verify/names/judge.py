"""Judging API claims: what notes call an API, against the facts that the worker found in the live torch.

Pure: `names_to_look_up` makes the worker's request (`verify/worker/introspect.py`), `judge_apis` reads its
answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from deckgen.model.claim import Exists
from deckgen.model.verdict import ApiVerdict, NameVerdict
from deckgen.verify.names.defaults import comparable, signature_defaults, wrong_defaults
from deckgen.verify.names.near import near, normal
from deckgen.verify.names.parameters import Slip, lists_parameters, slip_of_one, slips
from deckgen.verify.names.readings import ELSEWHERE, GIVEN, PARAMETER, Reading, is_bare_owner, not_torchs, readings_of
from deckgen.verify.names.written import Written, is_placeholder, parse

Facts = Mapping[str, Any]
"""The answer of `introspect`."""


def names_to_look_up(claims: Sequence[Exists]) -> dict[str, Any]:
    """The request for `introspect`: every reading of every claim, once."""
    names: dict[str, None] = {}
    pool = uses = False
    for claim in claims:
        written = parse(claim.text)
        for reading in readings_of(claim, written):
            names.setdefault(reading.query)
        pool = pool or bool(written.path)
        uses = uses or bool(claim.peers)
        for peer in claim.peers:
            names.setdefault(parse(peer).dotted)
    names.pop("", None)
    return {"names": sorted(names), "members": [], "pool": pool, "uses": uses}


def judge_apis(claims: Sequence[Exists], facts: Facts) -> tuple[ApiVerdict, ...]:
    """A verdict for each claim, in order."""
    verdicts = tuple(_judge(claim, facts) for claim in claims)
    strange = _strange_rows(verdicts, facts)
    likely = [
        _perhaps_another(one) if _row(one.claim) in strange and _differs_by_name(one) else one for one in verdicts
    ]
    return tuple(likely)


Row = tuple[int, str | None]


def _row(claim: Exists) -> Row:
    return claim.span.start, claim.owner


def _differs_by_name(verdict: ApiVerdict) -> bool:
    return verdict.claim.form in (PARAMETER, GIVEN) and verdict.word is NameVerdict.SIGNATURE_DIFFERS


def _strange_rows(verdicts: Sequence[ApiVerdict], facts: Facts) -> set[Row]:
    """Rows over the parameters of a function that torch has by chance, most of which it has not: `save(path, epoch)`."""
    rows: dict[Row, list[bool]] = {}
    others = (verdict.claim for verdict in verdicts if verdict.claim.form not in (PARAMETER, GIVEN))
    named = {(claim.span.start, claim.text.strip(".").partition("(")[0]) for claim in others}
    for verdict in verdicts:
        claim = verdict.claim
        if claim.form in (PARAMETER, GIVEN) and _row(claim) in named and is_bare_owner(claim):
            owners = _owners(claim, parse(claim.text), facts)
            if owners and owners[0][1]:
                rows.setdefault(_row(claim), []).append(_differs_by_name(verdict))
    return {row for row, differs in rows.items() if 2 * sum(differs) > len(differs)}


def _judge(claim: Exists, facts: Facts) -> ApiVerdict:
    written = parse(claim.text)
    if verdict := not_torchs(claim, written):
        return verdict
    if claim.form in (PARAMETER, GIVEN):
        return _judge_parameter(claim, written, facts)
    readings = [reading for reading in readings_of(claim, written) if _counts(reading, facts)]
    told = [_found(reading.query, facts) for reading in readings if not reading.by_chance]
    found = [one for several in told for one in several]
    by_chance = [one for reading in readings if reading.by_chance for one in _found(reading.query, facts)]
    if written.arguments is not None:  # what is called is no parameter
        found, by_chance = ([one for one in several if one[1] != PARAMETER] for several in (found, by_chance))
    if found or by_chance:
        verdicts = [_judge_found(claim, written, path, how, facts) for path, how in dict.fromkeys(found + by_chance)]
        best = min(verdicts, key=lambda one: _ORDER.index(one.word))
        if found or best.word is not NameVerdict.SIGNATURE_DIFFERS or _is_likely(written, best, facts):
            return best
        return _perhaps_another(best)
    return _judge_missing(claim, written, readings, facts)


def _counts(reading: Reading, facts: Facts) -> bool:
    fact = facts["names"].get(reading.query)
    return fact is not None and not (reading.within and "." in fact["rest"])


def _perhaps_another(verdict: ApiVerdict) -> ApiVerdict:
    """`train(model, epochs)` is more likely the author's own function than `Module.train` with wrong parameters."""
    return replace(
        verdict,
        word=NameVerdict.UNVERIFIED,
        reason=f"unlike {verdict.qualified}: {verdict.reason}; perhaps another function is meant",
        suggestion=None,
    )


def _is_likely(written: Written, verdict: ApiVerdict, facts: Facts) -> bool:
    """A class written with two parameters that torch's class of that name has, and hardly any other: it is meant."""
    fact = facts["objects"].get(verdict.qualified or "")
    if fact is None or fact["kind"] != "class" or written.is_call:
        return False
    names = [one.name for one in written.arguments or () if one.kind in ("name", "keyword")]
    known = [name for name in names if name in fact["accepts"] or slip_of_one(name, fact) is None]
    return len(known) >= _TELLING and 2 * len(known) > len(names)


_TELLING = 2
"""Parameters in common that are no chance."""

_ORDER = (
    NameVerdict.EXISTS,
    NameVerdict.WRONG_PAIR,
    NameVerdict.DEPRECATED,
    NameVerdict.SIGNATURE_DIFFERS,
    NameVerdict.MISSING,
)


def _found(query: str, facts: Facts) -> list[tuple[str, str]]:
    """(path, member or parameter) of everything that a query led to."""
    fact = facts["names"][query]
    if "::" in query:
        return [(path, how) for path, how in fact["hits"]]
    return [(fact["object"], "member")] if fact["object"] and not fact["rest"] else []


def _judge_found(claim: Exists, written: Written, path: str, how: str, facts: Facts) -> ApiVerdict:
    fact = facts["objects"].get(path)
    if fact is None:
        return ApiVerdict(claim=claim, word=NameVerdict.EXISTS, qualified=path)
    verdict = ApiVerdict(claim=claim, word=NameVerdict.EXISTS, qualified=path, signature=_signature(fact))
    if how == "parameter":
        return replace(verdict, reason=f"a parameter of {path}")
    if fact["removed"]:
        return replace(verdict, word=NameVerdict.MISSING, reason=f"calling it only raises: {fact['removed']}")
    if written.arguments and (found := slips(written.arguments, fact, is_call=_is_call(claim, written, fact))):
        return _differs(verdict, found, fact)
    peers = [peer for name in claim.peers if (peer := _qualified(name, facts))]
    if pair := _wrong_pair(path, peers, facts["uses"]):
        function, module = pair
        return replace(
            verdict, word=NameVerdict.WRONG_PAIR, suggestion=module, reason=f"the module of {function} is {module}"
        )
    if fact["deprecated"]:
        return replace(verdict, word=NameVerdict.DEPRECATED, reason=fact["deprecated"])
    return _with_defaults(verdict, signature_defaults(written.arguments or (), fact), fact)


def _is_call(claim: Exists, written: Written, fact: Mapping[str, Any]) -> bool:
    """Running text shows calls: its arguments are the caller's own variables, `torch.mv(matrix, vector)`."""
    in_text = claim.form == "prose" and not lists_parameters(written.arguments or (), fact)
    return in_text or written.is_call


def _qualified(written: str, facts: Facts) -> str | None:
    fact = facts["names"].get(parse(written).dotted)
    return fact["object"] if fact and fact["object"] and not fact["rest"] else None


def _signature(fact: Mapping[str, Any]) -> str | None:
    return fact["signatures"][0]["text"] if fact["signatures"] else None


_WHY = {
    "spelling": "`{written}` is spelt `{meant}`",
    "short": "the parameter is called `{meant}`: `{written}=...` raises TypeError",
    "unknown": "no parameter is called `{written}`; at that place stands `{meant}`",
    "nowhere": "no parameter is called `{written}`",
    "order": "`{written}` stands at another place",
    "too-many": "it takes fewer positional arguments",
}


def _differs(verdict: ApiVerdict, found: Sequence[Slip], fact: Mapping[str, Any]) -> ApiVerdict:
    parts = [
        _WHY[slip.why if slip.meant or slip.why != "unknown" else "nowhere"].format(
            written=slip.written, meant=slip.meant
        )
        for slip in found
    ]
    meant = ", ".join(slip.meant for slip in found if slip.meant)
    return replace(
        verdict,
        word=NameVerdict.SIGNATURE_DIFFERS,
        suggestion=meant or _signature(fact),
        reason="; ".join(parts),
    )


def _owners(claim: Exists, written: Written, facts: Facts) -> list[tuple[str, bool]]:
    """(path, whether by chance) of what may have the parameter that is claimed."""
    readings = [reading for reading in readings_of(claim, written) if reading.query in facts["names"]]
    return [(path, one.by_chance) for one in readings for path, how in _found(one.query, facts) if how == "member"]


def _judge_parameter(claim: Exists, written: Written, facts: Facts) -> ApiVerdict:
    """`DataLoader(num_workers)`: the name in the parentheses is said to be a parameter."""
    name = written.arguments[0].name if written.arguments else ""
    paths = [path for path, _ in _owners(claim, written, facts)]
    if not paths or not name:
        reason = f"nothing called {claim.owner or written.dotted} was found"
        return ApiVerdict(claim=claim, word=NameVerdict.UNVERIFIED, reason=reason)
    fact = facts["objects"][paths[0]]
    verdict = ApiVerdict(claim=claim, word=NameVerdict.EXISTS, qualified=paths[0], signature=_signature(fact))
    slip = slip_of_one(name, fact)
    if slip is not None:
        return _differs(verdict, [slip], fact)
    claimed = {name: claim.default} if claim.default and claim.form != GIVEN else {}
    told = _with_defaults(verdict, claimed, fact)
    return replace(told, compared=bool(claimed) and comparable(name, claimed[name], fact))


def _with_defaults(verdict: ApiVerdict, claimed: Mapping[str, str], fact: Mapping[str, Any]) -> ApiVerdict:
    """The verdict, unless torch has other defaults than those claimed."""
    wrong = wrong_defaults(claimed, fact)
    if not wrong:
        return verdict
    parts = [f"default of `{name}`: claimed {claimed[name]}, torch has {live}" for name, live in wrong.items()]
    meant = ", ".join(f"{name}={live}" for name, live in wrong.items())
    return replace(verdict, word=NameVerdict.SIGNATURE_DIFFERS, suggestion=meant, reason="; ".join(parts))


# Names that torch does not have


def _judge_missing(claim: Exists, written: Written, readings: Sequence[Reading], facts: Facts) -> ApiVerdict:
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


# Functions and modules that notes set side by side: is `nn.Y` really the module of `F.x`?

FUNCTIONAL, NN = "torch.nn.functional.", "torch.nn."


def _wrong_pair(module: str, peers: Sequence[str], uses: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """(the function written beside it, the module that belongs to that function) if they do not belong together.

    `module` and `peers` are qualified names; `uses` maps each class of torch.nn to the functions that its code
    calls. A pair is right if the class calls the function or the names agree (`Conv1d`, `conv1d`;
    `BCEWithLogitsLoss` is found by its call). It is wrong only if another class is known to be
    the function's own: silence is better than a guess.
    """
    name = _class_name(module)
    for peer in peers:
        function = peer.removeprefix(FUNCTIONAL)
        if name is None or function == peer or _belong(name, function, uses):
            continue
        owners = [one for one in uses if _belong(one, function, uses)]
        if owners:
            return peer, NN + _own(owners, function)
    return None


def _class_name(qualified: str) -> str | None:
    name = qualified.removeprefix(NN)
    return name if name != qualified and "." not in name and name[:1].isupper() else None


def _belong(name: str, function: str, uses: Mapping[str, Sequence[str]]) -> bool:
    return function.rstrip("_") in uses.get(name, ()) or _stem(name) == _stem(function)


def _stem(name: str) -> str:
    return normal(name).removesuffix("loss")


def _own(owners: Sequence[str], function: str) -> str:
    """Of several classes that call a function its namesake, else the one with the shortest name."""
    return min(owners, key=lambda one: (_stem(one) != _stem(function), one.startswith("Lazy"), len(one), one))
