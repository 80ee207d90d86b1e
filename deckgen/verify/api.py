"""Judging API claims: what notes call an API, against the facts that the worker found in the live torch.

Pure: `names_to_look_up` makes the worker's request (`verify/worker/introspect.py`), `judge_apis` reads its
answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deckgen.claim import Exists
from deckgen.verdict import ApiVerdict, ApiWord
from deckgen.verify.api_near import near
from deckgen.verify.api_pairs import wrong_pair
from deckgen.verify.api_parameters import Slip, slip_of_one, slips
from deckgen.verify.api_written import Written, parse

Facts = Mapping[str, Any]
"""The answer of `introspect`."""

VARIABLES = {
    "optimizer": "Optimizer",
    "opt": "Optimizer",
    "scheduler": "torch.optim.lr_scheduler.LRScheduler",
    "model": "nn.Module",
    "net": "nn.Module",
    "module": "nn.Module",
    "layer": "nn.Module",
    "tensor": "Tensor",
    "x": "Tensor",
    "y": "Tensor",
    "a": "Tensor",
    "b": "Tensor",
    "t": "Tensor",
    "loss": "Tensor",
    "input": "Tensor",
    "output": "Tensor",
    "writer": "SummaryWriter",
    "loader": "DataLoader",
    "dataloader": "DataLoader",
    "train_loader": "DataLoader",
    "dataset": "Dataset",
    "scaler": "torch.amp.GradScaler",
}
"""What notes mean by a variable whose assignment is not shown."""

ELSEWHERE = frozenset({
    "np", "numpy", "plt", "pd", "os", "sys", "time", "math", "random", "json", "pickle", "copy",
    "functools", "itertools", "collections", "threading", "logging", "pathlib", "matplotlib", "jnp", "self",
    "pandas", "sklearn", "scipy", "cv2", "PIL", "Image", "tqdm", "cls", "super", "print",
    "len", "range", "list", "dict", "tuple", "set", "int", "float", "str", "bool", "type",
    "isinstance", "zip", "enumerate", "map", "open",
})  # fmt: skip
"""First words that are Python's or another package's: nothing for torch to confirm."""

PACKAGES = frozenset({
    "torchvision", "torchaudio", "torchtext", "transformers", "datasets", "accelerate", "deepspeed",
    "tensorboard", "onnx", "onnxruntime", "lightning", "pytorch_lightning", "timm", "einops",
    "tensorflow", "tf", "keras", "jax", "cupy", "transforms", "T",
})  # fmt: skip
"""First words of packages that torch knows nothing of."""

ROOTS = ("nn", "F", "optim", "autograd", "Tensor", "SummaryWriter", "Optimizer", "DataLoader", "Module")
"""First words other than `torch` that lead into torch."""

PARAMETER = "parameter"
"""The form of a claim that its argument is a parameter: `checkpoint_sequential(chunks)`."""


def names_to_look_up(claims: Sequence[Exists]) -> dict[str, Any]:
    """The request for `introspect`: every reading of every claim, once."""
    names: dict[str, None] = {}
    pool = uses = False
    for claim in claims:
        written = parse(claim.text)
        for reading in _readings(claim, written):
            names.setdefault(reading.query)
        pool = pool or bool(written.path)
        uses = uses or bool(claim.peers)
        for peer in claim.peers:
            names.setdefault(parse(peer).dotted)
    names.pop("", None)
    return {"names": sorted(names), "members": [], "pool": pool, "uses": uses}


def judge_apis(claims: Sequence[Exists], facts: Facts) -> tuple[ApiVerdict, ...]:
    """A verdict for each claim, in order."""
    return tuple(_judge(claim, facts) for claim in claims)


# Readings: what a written name may mean


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a name: what to ask the worker, and how far to trust it."""

    query: str
    firm: bool
    """True if the source says so (an import, a rooted name, an owner): what is not there is missing."""
    by_chance: bool = False
    """True if nothing in the source speaks for it: a bare name that the usual places happen to have."""


def _readings(claim: Exists, written: Written) -> Iterator[_Reading]:
    """From the surest to the least sure; the caller stops at the first firm one that leads somewhere."""
    path = written.path
    if not path or path[0] in ELSEWHERE or (len(path) > 1 and path[0] in PACKAGES) or is_foreign(claim.alias):
        return
    if claim.form == PARAMETER:
        yield from (_Reading(name, True) for name in (claim.owner, claim.alias, written.dotted) if name)
        return
    if claim.alias is not None:
        yield _Reading(".".join((claim.alias, *path[1:])), True)
        return
    if len(path) > 1 and path[0] in VARIABLES:
        yield _Reading(".".join((VARIABLES[path[0]], *path[1:])), False)
    elif len(path) > 1:
        yield _Reading(written.dotted, path[0] == "torch" or path[0] in ROOTS)
    if claim.owner is not None:
        yield _Reading(f"{claim.owner}::{path[-1]}" if len(path) == 1 else f"{claim.owner}.{written.dotted}", True)
    if len(path) == 1:
        yield from (_Reading(f"{scope}::{path[0]}", False) for scope in claim.scopes)
        yield _Reading(path[0], False, by_chance=True)


def _judge(claim: Exists, facts: Facts) -> ApiVerdict:
    written = parse(claim.text)
    if verdict := _not_torchs(claim, written):
        return verdict
    if claim.form == PARAMETER:
        return _judge_parameter(claim, written, facts)
    readings = [reading for reading in _readings(claim, written) if reading.query in facts["names"]]
    told = [_found(reading.query, facts) for reading in readings if not reading.by_chance]
    found = [one for several in told for one in several]
    by_chance = [one for reading in readings if reading.by_chance for one in _found(reading.query, facts)]
    if found or by_chance:
        verdicts = [_judge_found(claim, written, path, how, facts) for path, how in dict.fromkeys(found + by_chance)]
        best = min(verdicts, key=lambda one: _ORDER.index(one.word))
        return best if found or best.word is not ApiWord.SIGNATURE_DIFFERS else _perhaps_another(best)
    return _judge_missing(claim, written, readings, facts)


def _perhaps_another(verdict: ApiVerdict) -> ApiVerdict:
    """`train(model, epochs)` is more likely the author's own function than `Module.train` with wrong parameters."""
    return replace(
        verdict,
        word=ApiWord.UNVERIFIED,
        reason=f"unlike {verdict.qualified}: {verdict.reason}; perhaps another function is meant",
        suggestion=None,
    )


_ORDER = (
    ApiWord.EXISTS,
    ApiWord.WRONG_PAIR,
    ApiWord.DEPRECATED,
    ApiWord.SIGNATURE_DIFFERS,
    ApiWord.MISSING,
)


def is_foreign(alias: str | None) -> bool:
    """True if the source imports it from another package than torch."""
    return alias is not None and "." in alias and alias.partition(".")[0] not in ("torch", *ROOTS)


def _not_torchs(claim: Exists, written: Written) -> ApiVerdict | None:
    if not written.path:
        return ApiVerdict(claim=claim, word=ApiWord.NOT_AN_API, reason="an expression or a pattern, not a name")
    head = claim.alias.partition(".")[0] if claim.alias and is_foreign(claim.alias) else written.path[0]
    if head in ELSEWHERE:
        return ApiVerdict(claim=claim, word=ApiWord.NOT_AN_API, reason=f"`{head}` is not torch's")
    if is_foreign(claim.alias) or (len(written.path) > 1 and head in PACKAGES):
        return ApiVerdict(claim=claim, word=ApiWord.UNVERIFIED, reason=f"missing-module {head}: not part of torch")
    return None


def _found(query: str, facts: Facts) -> list[tuple[str, str]]:
    """(path, member or parameter) of everything that a query led to."""
    fact = facts["names"][query]
    if "::" in query:
        return [(path, how) for path, how in fact["hits"]]
    return [(fact["object"], "member")] if fact["object"] and not fact["rest"] else []


def _judge_found(claim: Exists, written: Written, path: str, how: str, facts: Facts) -> ApiVerdict:
    fact = facts["objects"].get(path)
    if fact is None:
        return ApiVerdict(claim=claim, word=ApiWord.EXISTS, qualified=path)
    verdict = ApiVerdict(claim=claim, word=ApiWord.EXISTS, qualified=path, signature=_signature(fact))
    if how == "parameter":
        return replace(verdict, reason=f"a parameter of {path}")
    if fact["removed"]:
        return replace(verdict, word=ApiWord.MISSING, reason=f"calling it only raises: {fact['removed']}")
    if written.arguments and (found := slips(written.arguments, fact, is_call=_is_call(claim, written))):
        return _differs(verdict, found, fact)
    peers = [peer for name in claim.peers if (peer := _qualified(name, facts))]
    if pair := wrong_pair(path, peers, facts["uses"]):
        function, module = pair
        return replace(
            verdict, word=ApiWord.WRONG_PAIR, suggestion=module, reason=f"the module of {function} is {module}"
        )
    if fact["deprecated"]:
        return replace(verdict, word=ApiWord.DEPRECATED, reason=fact["deprecated"])
    return verdict


def _is_call(claim: Exists, written: Written) -> bool:
    """Running text shows calls: its arguments are the caller's own variables, `torch.mv(matrix, vector)`."""
    return claim.form == "prose" or written.is_call


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
        word=ApiWord.SIGNATURE_DIFFERS,
        suggestion=meant or _signature(fact),
        reason="; ".join(parts),
    )


# Parameters in rows of their own


def _judge_parameter(claim: Exists, written: Written, facts: Facts) -> ApiVerdict:
    """`DataLoader(num_workers)`: the name in the parentheses is said to be a parameter."""
    name = written.arguments[0].name if written.arguments else ""
    paths = [
        fact["object"]
        for reading in _readings(claim, written)
        if (fact := facts["names"].get(reading.query)) and fact["object"] and not fact["rest"]
    ]
    if not paths or not name:
        return ApiVerdict(claim=claim, word=ApiWord.UNVERIFIED, reason=f"nothing called {written.dotted} was found")
    fact = facts["objects"][paths[0]]
    verdict = ApiVerdict(claim=claim, word=ApiWord.EXISTS, qualified=paths[0], signature=_signature(fact))
    slip = slip_of_one(name, fact)
    return verdict if slip is None else _differs(verdict, [slip], fact)


# Names that were not found


def _judge_missing(claim: Exists, written: Written, readings: Sequence[_Reading], facts: Facts) -> ApiVerdict:
    if problem := next(
        (facts["names"][r.query]["problem"] for r in readings if facts["names"][r.query]["problem"]), None
    ):
        return ApiVerdict(claim=claim, word=ApiWord.UNVERIFIED, reason=problem)
    for reading in readings:
        suggestion = _near_by(reading, facts)
        if suggestion and not _another_word(claim, written, suggestion[0]):
            return _renamed(claim, written, *suggestion)
    firm = next((reading for reading in readings if reading.firm and _leads_to_an_owner(reading, facts)), None)
    name = written.path[-1]
    of_a_variable = firm is None and len(written.path) > 1
    elsewhere = None if of_a_variable else _elsewhere(name, facts, exactly=firm is not None)
    if elsewhere and not _another_word(claim, written, elsewhere):
        return _renamed(claim, written, elsewhere)
    if firm is None and claim.form == "prose" and not written.arguments:
        return ApiVerdict(claim=claim, word=ApiWord.NOT_AN_API, reason=f"no name of torch's: `{name}`")
    if firm is None:
        return ApiVerdict(
            claim=claim, word=ApiWord.UNVERIFIED, reason=f"torch has no `{name}` that the notes could mean"
        )
    owner = facts["names"][firm.query]["object"]
    return ApiVerdict(claim=claim, word=ApiWord.MISSING, reason=f"{owner} has no `{name}`")


def _another_word(claim: Exists, written: Written, meant: str) -> bool:
    """A bare word of running text that only has another ending (`lr_schedule`) may well be the author's own."""
    ours, theirs = written.path[-1], meant.rpartition(".")[2]
    loose = claim.form == "prose" and len(written.path) == 1 and written.arguments is None and not written.keyword
    return loose and (ours.startswith(theirs) or theirs.startswith(ours))


def _leads_to_an_owner(reading: _Reading, facts: Facts) -> bool:
    path = facts["names"][reading.query]["object"]
    return path is not None and facts["objects"][path]["kind"] in ("module", "class")


def _near_by(reading: _Reading, facts: Facts) -> tuple[str, str] | None:
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
        return None if close is None else (close, fact["object"])
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
        word=ApiWord.RENAMED,
        suggestion=suggestion,
        reason=f"there is no `{written.dotted}`{where}; `{suggestion}` is near",
    )
