"""Judging API claims: what notes call an API, against the facts that the worker found in the live torch.

Pure: `names_to_look_up` makes the worker's request (`verify/worker/introspect.py`), `judge_apis` reads its
answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from deckgen.model.claim import Exists, Site
from deckgen.model.verdict import ApiVerdict, NameVerdict
from deckgen.verify.names.near import SHORTEST, near, normal
from deckgen.verify.names.parameters import Fact, Slip, compare_default, has_none, slip_of_one, slips, wrong_defaults
from deckgen.verify.names.written import (
    ELSEWHERE,
    PACKAGES,
    Reading,
    Written,
    is_bare_owner,
    is_foreign,
    is_placeholder,
    parse,
    readings_of,
)

Facts = Mapping[str, Any]
"""The answer of `introspect`."""
_ORDER = (
    NameVerdict.EXISTS,
    NameVerdict.WRONG_PAIR,
    NameVerdict.DEPRECATED,
    NameVerdict.SIGNATURE_DIFFERS,
    NameVerdict.UNVERIFIED,
    NameVerdict.MISSING,
)
"""Of several things that a name may mean, the one that it fits best is meant."""


_BORNE_OUT = (NameVerdict.EXISTS, NameVerdict.DEPRECATED)
_UNKNOWN = (NameVerdict.UNVERIFIED, NameVerdict.NOT_AN_API)
_HOLDERS = ("module", "class")
_PARAMETER = "parameter"
"""How the worker finds a name among the parameters of something, and not among its members."""
_ROWS = 3
"""More rows of tables than these show whose names they hold."""


def names_to_look_up(claims: Sequence[Exists]) -> dict[str, Any]:
    """The request for `introspect`: every reading of every claim, once."""
    written = [parse(claim.text) for claim in claims]
    readings = [reading for pair in zip(claims, written, strict=True) for reading in readings_of(*pair)]
    names = {name for reading in readings for name in (reading.query, *reading.if_tensors)}
    peers = {parse(peer).dotted for claim in claims for peer in claim.peers}
    pool = any(one.path for one in written)
    return {"names": sorted((names | peers) - {""}), "members": [], "pool": pool, "uses": bool(peers)}


def judge_apis(claims: Sequence[Exists], facts: Facts) -> tuple[ApiVerdict, ...]:
    """A verdict for each claim, in order."""
    verdicts = [_judge(claim, facts) for claim in claims]
    named = {(one.span.start, one.text.strip(".").partition("(")[0]) for one in claims if not one.site.is_parameter}
    # Rows over the parameters of a function that torch has by chance, most of which it has not: `save(path, epoch)`.
    rows: dict[tuple[int, str | None], list[int]] = {}
    for at, claim in enumerate(claims):
        row = claim.span.start, claim.owner
        if claim.site.is_parameter and row in named and is_bare_owner(claim):
            owners = _owners(claim, parse(claim.text), facts)
            if owners and owners[0][1]:
                rows.setdefault(row, []).append(at)
    for places in rows.values():
        differing = [at for at in places if verdicts[at].word is NameVerdict.SIGNATURE_DIFFERS]
        if 2 * len(differing) > len(places):
            for at in differing:
                verdicts[at] = _perhaps_another(verdicts[at])
    known = _known(verdicts, facts)
    return tuple(_slip_of_known(one, known) if one.word in _UNKNOWN else one for one in verdicts)


def _known(verdicts: Sequence[ApiVerdict], facts: Facts) -> dict[str, str]:
    """Name -> path of what the notes name and torch has; of all that torch has, if their tables hold torch's names."""
    borne_out = [one.qualified for one in verdicts if one.word in _BORNE_OUT and one.qualified]
    known = {path.rpartition(".")[2]: path for path in borne_out}
    tables = [one.word not in _UNKNOWN for one in verdicts if one.claim.site is Site.TABLE]
    if len(tables) > _ROWS and 3 * sum(tables) >= 2 * len(tables):
        known |= {name: path for name, path in facts["pool"].items() if len(name) > SHORTEST}
    return known


def _slip_of_known(verdict: ApiVerdict, known: Mapping[str, str]) -> ApiVerdict:
    """A heading `slpit()` in notes that use `torch.split` elsewhere; not `splits`, which may be the author's own."""
    claim, written = verdict.claim, parse(verdict.claim.text)
    name = written.path[-1] if written.path else ""
    if len(name) < SHORTEST or name in known or claim.site.is_use or claim.alias is not None or written.results:
        return verdict
    pool = [one for one in known if one[:1].isupper() == name[:1].isupper() and len(one) >= SHORTEST]
    close = near(name, pool, most=1)
    if close is None or name.startswith(close) or close.startswith(name) or normal(name) == normal(close):
        return verdict
    reason = f"there is no `{written.dotted}`; `{known[close]}` is near"
    return replace(verdict, word=NameVerdict.RENAMED, suggestion=known[close], reason=reason)


def _perhaps_another(verdict: ApiVerdict) -> ApiVerdict:
    """`train(model, epochs)` is more likely the author's own function than `Module.train` with wrong parameters."""
    reason = f"unlike {verdict.qualified}: {verdict.reason}; perhaps another function is meant"
    return replace(verdict, word=NameVerdict.UNVERIFIED, reason=reason, suggestion=None)


def _judge(claim: Exists, facts: Facts) -> ApiVerdict:
    written, verdict = parse(claim.text), partial(ApiVerdict, claim=claim)
    path = written.path
    if not path:
        return verdict(word=NameVerdict.NOT_AN_API, reason="an expression or a pattern, not a name")
    foreign = is_foreign(claim.alias)
    if foreign or len(path) > 1:
        head = str(claim.alias).partition(".")[0] if foreign else path[0]
        if head in ELSEWHERE:
            return verdict(word=NameVerdict.NOT_AN_API, reason=f"`{head}` is not torch's")
        if foreign or (head in PACKAGES and claim.alias is None):
            return verdict(word=NameVerdict.UNVERIFIED, reason=f"missing-module {head}: not part of torch")
    if claim.site.is_parameter:
        return _judge_parameter(claim, written, facts)
    readings = [one for one in readings_of(claim, written) if not (one.within and "." in _lead(one, facts)["rest"])]
    found = [
        (lead, reading.by_chance)
        for reading in readings
        for lead in _found(reading, facts)
        if written.arguments is None or lead[1] != _PARAMETER  # what is called is no parameter
    ]
    if not found:
        return _judge_missing(claim, written, readings, facts)
    by_chance = all(chance for _, chance in found)
    judged = (_judge_found(claim, written, *lead, facts, by_chance=by_chance) for lead, _ in found)
    return min(judged, key=lambda one: _ORDER.index(one.word))


def _lead(reading: Reading, facts: Facts) -> dict[str, Any]:
    lead: dict[str, Any] = facts["names"][reading.query]
    return lead


def _found(reading: Reading, facts: Facts) -> list[tuple[str, str]]:
    """(path, member or parameter) of everything that a reading led to."""
    lead = _lead(reading, facts)
    if "::" in reading.query:
        return [(path, how) for path, how in lead["hits"]]
    return [(lead["object"], "member")] if lead["object"] and not lead["rest"] else []


def _judge_found(
    claim: Exists, written: Written, path: str, how: str, facts: Facts, *, by_chance: bool = False
) -> ApiVerdict:
    fact = facts["objects"][path]
    verdict = partial(ApiVerdict, claim=claim, qualified=path, signature=_signature(fact))
    if how == _PARAMETER:
        return verdict(word=NameVerdict.EXISTS, reason=f"a parameter of {path}")
    if fact["removed"]:
        return verdict(word=NameVerdict.MISSING, reason=f"calling it only raises: {fact['removed']}")
    if fact["kind"] == "module" and written.arguments is not None and claim.site.tells_how_to_call:
        return verdict(word=NameVerdict.MISSING, reason=f"{path} is a module, and nothing to call")
    # Running text shows calls: its arguments are the caller's own variables, `torch.mv(matrix, vector)`.
    if wrong := slips(written.arguments or (), fact, is_call=written.is_call or claim.site is Site.PROSE):
        differs = _differs(claim, path, wrong, fact)
        return _perhaps_another(differs) if by_chance and not _is_slip_of(path, written, wrong) else differs
    if claim.site is not Site.CODE and (wrong_ones := wrong_defaults(written.arguments or (), fact)):
        suggestion = ", ".join(f"{one.name}={live}" for one, live in wrong_ones)
        reason = "; ".join(_of_default(one.name, one.default, live) for one, live in wrong_ones)
        return verdict(word=NameVerdict.SIGNATURE_DIFFERS, suggestion=suggestion, reason=reason)
    if pair := _wrong_pair(path, claim.peers, facts):
        reason = f"the module of {pair[0]} is {pair[1]}"
        return verdict(word=NameVerdict.WRONG_PAIR, suggestion=pair[1], reason=reason)
    if fact["deprecated"]:
        return verdict(word=NameVerdict.DEPRECATED, reason=fact["deprecated"])
    return verdict(word=NameVerdict.EXISTS)


def _is_slip_of(path: str, written: Written, found: Sequence[Slip]) -> bool:
    """True if a bare name is torch's all the same: few other functions have such a name and nearly these parameters.

    `DataLoader(dataset, bacth_size)`, but not `train(model)`, which is near to `Module.train(mode)`.
    """
    name = path.rpartition(".")[2]
    right = sum(one.kind in ("name", "keyword") for one in written.arguments or ()) - len(found)
    telling = name[0].isupper() or "_" in name.strip("_") or right > 1
    pairs = [(normal(one.written).rstrip("s"), normal(one.meant or "").rstrip("s"), one.why) for one in found]
    return telling and all(why == "spelling" and written != meant for written, meant, why in pairs)


def _of_default(name: str, claimed: str, live: str) -> str:
    return f"default of `{name}`: claimed {claimed}, torch has {live}"


def _signature(fact: Fact) -> str | None:
    return fact["signatures"][0]["text"] if fact["signatures"] else None


def _differs(claim: Exists, path: str, found: Sequence[Slip], fact: Fact) -> ApiVerdict:
    return ApiVerdict(
        claim=claim,
        word=NameVerdict.SIGNATURE_DIFFERS,
        qualified=path,
        signature=_signature(fact),
        suggestion=", ".join(slip.meant for slip in found if slip.meant) or _signature(fact),
        reason="; ".join(slip.reason for slip in found),
    )


def _owners(claim: Exists, written: Written, facts: Facts) -> list[tuple[str, bool]]:
    """(path, whether by chance) of what may have the parameter that is claimed."""
    readings = readings_of(claim, written)
    return [(path, one.by_chance) for one in readings for path, how in _found(one, facts) if how == "member"]


def _judge_parameter(claim: Exists, written: Written, facts: Facts) -> ApiVerdict:
    """`DataLoader(num_workers)`: the name in the parentheses is said to be a parameter."""
    name = written.arguments[0].name if written.arguments else ""
    owners = _owners(claim, written, facts)
    if not owners or not name:
        reason = f"nothing called {claim.owner or written.dotted} was found"
        return ApiVerdict(claim=claim, word=NameVerdict.UNVERIFIED, reason=reason)
    path = owners[0][0]
    fact = facts["objects"][path]
    if slip := slip_of_one(name, fact):
        return _differs(claim, path, [slip], fact)
    verdict = ApiVerdict(claim=claim, word=NameVerdict.EXISTS, qualified=path, signature=_signature(fact))
    if not claim.default or claim.site is Site.GIVEN:
        return verdict
    compared, live = compare_default(name, claim.default, fact)
    verdict = replace(verdict, compared=compared)
    if claim.asks and not claim.denied and claim.default.lower() != "none" and has_none(name, fact):
        return replace(verdict, word=NameVerdict.SIGNATURE_DIFFERS, reason=f"`{name}` has no default: it must be given")
    if live is None:
        return verdict
    reason = _of_default(name, claim.default, live)
    return replace(verdict, word=NameVerdict.SIGNATURE_DIFFERS, suggestion=f"{name}={live}", reason=reason)


# Names that torch does not have


def _judge_missing(claim: Exists, written: Written, readings: Sequence[Reading], facts: Facts) -> ApiVerdict:
    verdict, name = partial(ApiVerdict, claim=claim), written.path[-1]
    letter = name if len(written.path) > 1 and len(name) == 1 else None  # `optim.x(...)`: any optimizer
    if placeholder := next(filter(is_placeholder, written.path), letter):
        return verdict(word=NameVerdict.NOT_AN_API, reason=f"`{placeholder}` stands for several names")
    leads = [_lead(reading, facts) for reading in readings]
    if problem := next((lead["problem"] for lead in leads if lead["problem"]), None):
        return verdict(word=NameVerdict.UNVERIFIED, reason=problem)
    # Only of modules and classes is known what they hold: not of `grad_fn.next_functions`, nor of `layer.weight.fill_`.
    reached = [
        (_settled(reading, facts), lead, facts["objects"][lead["object"]])
        for reading, lead in zip(readings, leads, strict=True)
        if lead["object"] and not reading.by_chance
    ]
    held = [one for one in reached if one[2]["kind"] in _HOLDERS]
    beyond = any(lead["rest"] for _, lead, fact in reached if fact["kind"] not in _HOLDERS)
    near_by = [(_near_by(*one), f" in {one[1]['object']}") for one in held]
    owner, lacked = next(
        ((lead["object"], lead["rest"].partition(".")[0]) for reading, lead, _ in held if reading.firm), ("", "")
    )
    if written.path[0] not in ELSEWHERE and (owner or len(written.path) == 1):
        # The name itself in another of the usual places (`torch.view` is `Tensor.view`), or one very near to it.
        close = name if owner and name in facts["pool"] else near(name, facts["pool"], sure=True)
        near_by.append((close and facts["pool"][close], ""))
        if close == name and name.endswith("_"):  # `torch.add_` is `Tensor.add_`, and no slip of `torch.add`
            near_by = [(meant, holder) for meant, holder in near_by if meant and meant.endswith("_")]
    for meant, holder in near_by:
        if meant and not _another_word(claim, written, meant):
            reason = f"there is no `{written.dotted}`{holder}; `{meant}` is near"
            return verdict(word=NameVerdict.RENAMED, suggestion=meant, reason=reason)
    if written.path[0] in ELSEWHERE or (not owner and name.startswith("__") and name.endswith("__")):
        return verdict(word=NameVerdict.NOT_AN_API, reason=f"`{name}` is Python's")
    if owner:
        return verdict(word=NameVerdict.MISSING, reason=f"{owner} has no `{lacked or name}`")
    if claim.site is Site.CODE or (claim.site is Site.PROSE and (beyond or not written.arguments)):
        return verdict(word=NameVerdict.NOT_AN_API, reason=f"no name of torch's: `{name}`")
    return verdict(word=NameVerdict.UNVERIFIED, reason=f"torch has no `{name}` that the notes could mean")


def _settled(reading: Reading, facts: Facts) -> Reading:
    """The same, firm if the calls that it depends on return tensors in the live torch."""
    leads = [facts["names"][name] for name in reading.if_tensors]
    gives = [not lead["rest"] and facts["objects"].get(lead["object"], {}).get("gives_tensor") for lead in leads]
    return replace(reading, firm=True) if gives and all(gives) else reading


def _another_word(claim: Exists, written: Written, meant: str) -> bool:
    """A bare word that only has another ending (`lr_schedule`, `compares`) may well be the author's own; a class is no function."""
    if len(written.path) > 1:
        return False
    name, other = written.path[0], meant.rpartition(".")[2]
    ours, theirs = normal(name), normal(other)
    if ours.rstrip("s") == theirs.rstrip("s") and not claim.scopes and not claim.owner:
        return True
    if written.arguments is not None:
        return False
    if name[:1].isupper() != other[:1].isupper():
        return True
    loose = claim.site is Site.PROSE or (claim.site is Site.BULLET and ours != theirs)
    return loose and not written.keyword and (ours.startswith(theirs) or theirs.startswith(ours))


def _near_by(reading: Reading, lead: Fact, held: Fact) -> str | None:
    """The near name among members of the object reached, or everything inside a scope."""
    if inner := reading.query.partition("::")[2]:
        close = near(inner, held["inside"] or (), sure=not reading.firm)
        return None if close == inner else close
    step, _, rest = lead["rest"].partition(".")
    # One slip in what leads on: `torch.vision.models` is another package, not `torch.version`.
    close = near(step, held["names"] or (), sure=not reading.firm, most=1 if rest else 3)
    return close and ".".join(part for part in (lead["object"], close, rest) if part)


# Functions and modules that notes set side by side: is `nn.Y` really the module of `F.x`?

FUNCTIONAL, NN = "torch.nn.functional.", "torch.nn."


def _wrong_pair(module: str, peers: Sequence[str], facts: Facts) -> tuple[str, str] | None:
    """(the function written beside it, the module that belongs to that function) if they do not belong together.

    `uses` maps each class of torch.nn to the functions that its code calls. A pair is right if the class calls the
    function or the names agree (`Conv1d`, `conv1d`; `BCEWithLogitsLoss` is found by its call). It is wrong only if
    another class is known to be the function's own: silence is better than a guess.
    """
    uses: Mapping[str, Sequence[str]] = facts["uses"]
    name = module.removeprefix(NN)
    if name == module or "." in name or not name[:1].isupper():
        return None
    for peer in peers:
        fact = facts["names"].get(parse(peer).dotted)
        path = str(fact["object"]) if fact and not fact["rest"] else ""
        function = path.removeprefix(FUNCTIONAL)
        if function == path or _belong(name, function, uses):
            continue
        if owners := [one for one in uses if _belong(one, function, uses)]:
            # Of several classes that call a function its namesake, else the one with the shortest name.
            own = min(owners, key=lambda one: (_stem(one) != _stem(function), one.startswith("Lazy"), len(one), one))
            return path, NN + own
    return None


def _belong(name: str, function: str, uses: Mapping[str, Sequence[str]]) -> bool:
    return function.rstrip("_") in uses.get(name, ()) or _stem(name) == _stem(function)


def _stem(name: str) -> str:
    return normal(name).removesuffix("loss")
