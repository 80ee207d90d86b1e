"""Parameters as written against the signatures of the live object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckgen.text.pattern import pattern
from deckgen.verify.names.near import abbreviates, near
from deckgen.verify.names.written import Argument

STAND_INS = frozenset({
    "model", "net", "network", "module", "layer", "loss", "pred", "preds", "prediction",
    "predictions", "output", "outputs", "out", "logits", "target", "targets", "label", "labels",
    "tensor", "tensors", "data", "dataset", "batch", "image", "images", "img", "imgs", "path",
    "file", "filename", "obj", "value", "values", "array", "arr", "ndarray", "list", "tuple", "args",
    "kwargs",
})  # fmt: skip
"""Words for what one passes rather than for the parameter that takes it: `torch.save(model, path)`."""

_LETTER = pattern(r"[A-Za-z]\d*|[A-Z]_[a-z]+")
"""Letters of mathematics: `x`, `x1`, `C_in`."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A written parameter that the signature does not have there."""

    written: str
    meant: str | None
    """The parameter that was meant, if one can be named."""
    why: str
    """`short`, `spelling`, `order`, `unknown` or `too-many`."""


@dataclass(frozen=True, slots=True)
class _Signature:
    positional: tuple[str, ...]
    star: str | None
    double_star: str | None
    keywords: frozenset[str]

    @property
    def open(self) -> bool:
        """Takes any keyword."""
        return self.double_star is not None

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.positional, *sorted(self.keywords))


def _signature(parameters: Sequence[Sequence[Any]]) -> _Signature:
    kinds = [(str(name), str(kind)) for name, kind, _ in parameters]
    return _Signature(
        tuple(name for name, kind in kinds if kind in ("positional", "positional-only")),
        next((name for name, kind in kinds if kind == "*"), None),
        next((name for name, kind in kinds if kind == "**"), None),
        frozenset(name for name, kind in kinds if kind == "keyword"),
    )


def slips(arguments: Sequence[Argument], fact: Mapping[str, Any], *, is_call: bool) -> tuple[Slip, ...]:
    """What is wrong with written arguments: nothing if any one of the object's signatures takes them.

    In a call with values (`torch.pow(x, 2)`) positional names are the caller's own variables, so only keywords
    and the number of arguments are looked at.
    """
    signatures = [_signature(one["parameters"]) for one in fact["signatures"]]
    if not signatures:
        return ()
    accepts: Mapping[str, str] = fact["accepts"]
    tries = [_against(arguments, signature, accepts, is_call) for signature in signatures]
    found = min(tries, key=len)
    return _of_a_use(found, arguments) if found and _is_used(arguments, fact) else found


def lists_parameters(arguments: Sequence[Argument], fact: Mapping[str, Any]) -> bool:
    """True for names that can only be those of parameters: `torch.stack(tensors, axis_name)`.

    The first is the first parameter's own name, and any that is no parameter's stands where one has a default: `axis_name`
    for `dim=0`. `torch.matmul(input, weight)` shows a call of somebody's own variables.
    """
    return bool(arguments) and any(_lists(arguments, one["parameters"]) for one in fact["signatures"])


def _lists(arguments: Sequence[Argument], parameters: Sequence[Sequence[Any]]) -> bool:
    names = [argument.name for argument in arguments]
    known = {str(name) for name, _, _ in parameters}
    return (
        all(argument.kind == "name" for argument in arguments)
        and len(names) <= len(parameters)
        and names[0] == parameters[0][0]
        and all(
            name in known or (kind == "positional" and default is not None)
            for name, (_, kind, default) in zip(names, parameters, strict=False)
        )
    )


_OF_VARIABLES = frozenset({"short", "unknown"})


def _of_a_use(found: tuple[Slip, ...], arguments: Sequence[Argument]) -> tuple[Slip, ...]:
    """Without what is only said of the caller's own variables: `StepLR(opt, step_size=30)` says nothing of `opt=`."""
    keywords = {argument.name for argument in arguments if argument.kind == "keyword"}
    return tuple(slip for slip in found if slip.why not in _OF_VARIABLES or slip.written in keywords)


def _is_used(arguments: Sequence[Argument], fact: Mapping[str, Any]) -> bool:
    """True if a keyword is given what no signature gives it: then a call is shown, and no list of parameters."""
    return any(
        argument.kind == "keyword" and all(_is_given(argument, one["parameters"]) for one in fact["signatures"])
        for argument in arguments
    )


def _is_given(argument: Argument, parameters: Sequence[Sequence[Any]]) -> bool:
    default = next((default for name, _, default in parameters if name == argument.name), argument.value)
    return _plain(str(default)) != _plain(argument.value)


def _plain(value: str) -> str:
    """`0.10` and `.1`, `"a"` and `'a'`: one value."""
    try:
        return str(float(value))
    except ValueError:
        return value.replace('"', "'").strip()


def slip_of_one(name: str, fact: Mapping[str, Any]) -> Slip | None:
    """What is wrong with one name that is said to be a parameter; None if it is one."""
    signatures = [_signature(one["parameters"]) for one in fact["signatures"]]
    if not signatures or name in fact["accepts"]:
        return None
    if any(name in signature.names or name in (signature.star, signature.double_star) for signature in signatures):
        return None
    if all(signature.open and not signature.positional for signature in signatures):
        return None
    return _slip(name, None, signatures[0])


def _against(
    arguments: Sequence[Argument], signature: _Signature, accepts: Mapping[str, str], is_call: bool
) -> tuple[Slip, ...]:
    found: list[Slip] = []
    place: int | None = 0
    for argument in arguments:
        match argument.kind:
            case "keyword":
                if not _takes(argument.name, signature, accepts):
                    found.append(_slip(argument.name, None, signature))
            case "star":
                found += _star_slip(argument.name, signature)
                place = None
            case "rest":
                place = None
            case "value" | "name":
                place, slip = _positional(argument, place, signature, is_call, accepts)
                found += [slip] if slip else []
            case "double-star":
                pass
    return tuple(found)


def _takes(name: str, signature: _Signature, accepts: Mapping[str, str]) -> bool:
    return name in signature.names or name in accepts or signature.open


def _star_slip(name: str, signature: _Signature) -> list[Slip]:
    """A misspelt `*tesnors`; since no keyword can reach it, another word or number (`*sizes`) is as good."""
    same = signature.star and name.rstrip("s") == signature.star.rstrip("s")
    if signature.star and not same and near(name, [signature.star]):
        return [Slip(name, signature.star, "spelling")]
    return []


def _positional(
    argument: Argument, place: int | None, signature: _Signature, is_call: bool, accepts: Mapping[str, str]
) -> tuple[int | None, Slip | None]:
    """The next free place after an argument, and what is wrong with it. Place None = anywhere (after `...`)."""
    name = argument.name
    if not is_call and accepts.get(name) in signature.names and name not in signature.names:
        name = accepts[name]  # not of a method, whose `input` is the object itself: there `a` is only a letter
    if argument.kind == "name" and not is_call and name in signature.names:
        if name in signature.keywords:
            return place, None
        index = signature.positional.index(name)
        wrong_order = place is not None and index < place
        return index + 1, Slip(name, None, "order") if wrong_order else None
    if place is not None and place >= len(signature.positional):
        return place, _among_keywords(argument, signature, is_call) if signature.star else _beyond(argument, signature)
    after = None if place is None else place + 1
    if argument.kind == "value" or is_call or not name.isascii():
        return after, None
    meant = signature.positional[place] if place is not None else None
    if is_stand_in(name, meant):
        return after, None
    if signature.star and meant is None:
        return after, None
    return after, _slip(name, meant, signature)


def _among_keywords(argument: Argument, signature: _Signature, is_call: bool) -> Slip | None:
    """Where `*args` would take anything, a bare name that nearly is a keyword is a slip of it."""
    if argument.kind != "name" or is_call or not (close := near(argument.name, signature.keywords, sure=True)):
        return None
    return Slip(argument.name, close, "spelling")


def _beyond(argument: Argument, signature: _Signature) -> Slip | None:
    if argument.kind == "name" and signature.open:
        return None
    if argument.kind == "name" and not is_stand_in(argument.name, None):
        return _slip(argument.name, None, signature)
    return Slip(argument.name, None, "too-many")


def is_stand_in(name: str, meant: str | None) -> bool:
    """True if a word stands for the value that one passes, not for the parameter's name.

    A single letter (`x`, `x1`, `C_in`) and a constant (`PATH`) always do; a word of `STAND_INS` does unless it is a short form
    or a slip of the parameter at that place (`input` for `input_to_model`), since then it reads as its name.
    """
    if (_LETTER.fullmatch(name) and not (meant and len(name) > 3 and near(name, [meant]))) or name.isupper():
        return True
    if name not in STAND_INS:
        return False
    return meant is None or not (abbreviates(name, meant) or near(name, [meant]))


def _slip(name: str, meant: str | None, signature: _Signature) -> Slip:
    """Name what was meant: a slip of the pen, a short form at that place or anywhere, else the place itself."""
    if close := near(name, signature.names):
        return Slip(name, close, "spelling")
    if meant and abbreviates(name, meant):
        return Slip(name, meant, "short")
    if short := next((one for one in signature.names if abbreviates(name, one)), None):
        return Slip(name, short, "short")
    return Slip(name, meant, "unknown")
