"""Parameters and defaults as written against the signatures of the live object."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckgen.text.pattern import pattern
from deckgen.verify.names.near import abbreviates, near
from deckgen.verify.names.written import Argument

Fact = Mapping[str, Any]
"""What the worker found out about one object."""

STAND_INS = frozenset(
    (
        "model net network module layer loss pred preds prediction predictions output outputs out logits target targets"
        " label labels tensor tensors data dataset batch image images img imgs path file filename obj value values array"
        " arr ndarray list tuple args kwargs"
    ).split()
)
"""Words for what one passes rather than for the parameter that takes it: `torch.save(model, path)`."""
_LETTER = pattern(r"[A-Za-z]\d*|[A-Z]_[a-z]+")
"""Letters of mathematics: `x`, `x1`, `C_in`."""
_WHY = {
    "spelling": "`{written}` is spelt `{meant}`",
    "short": "the parameter is called `{meant}`: `{written}=...` raises TypeError",
    "unknown": "no parameter is called `{written}`; at that place stands `{meant}`",
    "nowhere": "no parameter is called `{written}`",
    "order": "`{written}` stands at another place",
    "too-many": "it takes fewer positional arguments",
}


@dataclass(frozen=True, slots=True)
class Slip:
    """A written parameter that the signature does not have there."""

    written: str
    meant: str | None
    """The parameter that was meant, if one can be named."""
    why: str
    """One of `_WHY`."""

    @property
    def reason(self) -> str:
        return _WHY[self.why].format(written=self.written, meant=self.meant)


class _Signature:
    def __init__(self, one: Fact) -> None:
        self.positional: list[str] = []
        keywords: list[str] = []
        self.star = self.double_star = ""
        for name, kind, _ in one["parameters"]:
            if kind == "*":
                self.star = name
            elif kind == "**":  # it takes any keyword
                self.double_star = name
            else:
                (keywords if kind == "keyword" else self.positional).append(name)
        self.keywords = sorted(keywords)
        self.names = self.positional + self.keywords


def slips(arguments: Sequence[Argument], fact: Fact, *, is_call: bool) -> list[Slip]:
    """What is wrong with written arguments: nothing if any one of the object's signatures takes them.

    In a call with values (`torch.pow(x, 2)`) positional names are the caller's own variables, so only keywords
    and the number of arguments are looked at. Where any keyword is given, `StepLR(opt, step_size=30)`, a short or unknown
    name before it says nothing of `opt=`.
    """
    tries = (_against(arguments, _Signature(one), fact["accepts"], is_call) for one in fact["signatures"])
    keywords = [argument.name for argument in arguments if argument.kind == "keyword"]
    return [
        slip
        for slip in min(tries, key=lambda one: (len(one), sum(slip.why != "spelling" for slip in one)), default=[])
        if not keywords or slip.written in keywords or slip.why in ("spelling", "order", "too-many")
    ]


def _against(
    arguments: Sequence[Argument], signature: _Signature, accepts: Mapping[str, str], is_call: bool
) -> list[Slip]:
    found: list[Slip | None] = []
    place: int | None = 0
    for argument in arguments:
        name, star = argument.name, signature.star
        if argument.kind == "keyword":
            if name not in signature.names and name not in accepts and not signature.double_star:
                found.append(_slip(name, None, signature))
        elif (
            argument.kind == "star"
        ):  # no keyword reaches it: another word (`*sizes`) is as good, not so a misspelt one
            if star and name.rstrip("s") != star.rstrip("s") and near(name, [star]):
                found.append(Slip(name, star, "spelling"))
            place = None
        elif argument.kind == "rest":
            place = None
        elif argument.kind != "double-star":
            if not is_call and name not in signature.names and accepts.get(name) in signature.names:
                name = accepts[name]
            is_name = argument.kind == "name"
            place, slip = _positional(name, place, signature, is_name=is_name, is_call=is_call)
            found.append(slip)
    return [slip for slip in found if slip]


def _positional(
    name: str, place: int | None, signature: _Signature, *, is_name: bool, is_call: bool
) -> tuple[int | None, Slip | None]:
    """The next free place after an argument, and what is wrong with it. Place None = anywhere (after `...`)."""
    positional = signature.positional
    listed = is_name and not is_call
    if listed and name in signature.keywords:
        return place, None
    if listed and name in positional:
        index = positional.index(name)
        return index + 1, Slip(name, None, "order") if place is not None and index < place else None
    if place is None or place >= len(positional):
        if signature.star:  # it would take anything: only what nearly is a keyword is a slip of it
            close = near(name, signature.keywords, sure=True) or _misspelt(name, signature.star) if listed else None
            return place, Slip(name, close, "spelling") if close else None
        if place is None:
            fine = not listed or not name.isascii() or is_stand_in(name, None)
            return None, None if fine else _slip(name, None, signature)
        if is_name and signature.double_star:
            return place, None
        named = is_name and not is_stand_in(name, None)
        return place, _slip(name, None, signature) if named else Slip(name, None, "too-many")
    meant = positional[place]
    fine = not listed or not name.isascii() or is_stand_in(name, meant)
    return place + 1, None if fine else _slip(name, meant, signature)


def _misspelt(name: str, star: str) -> str | None:
    """`szie` for `*size`, not `sizes` or another word: no keyword reaches it, so it may have any name."""
    return None if name.rstrip("s") == star.rstrip("s") else near(name, [star], most=1)


def is_stand_in(name: str, meant: str | None) -> bool:
    """True if a word stands for the value that one passes, not for the parameter's name.

    A single letter (`x`, `x1`, `C_in`) and a constant (`PATH`) always do; a word of `STAND_INS` does unless it is a short form
    or a slip of the parameter at that place (`input` for `input_to_model`), since then it reads as its name.
    """
    if (_LETTER.fullmatch(name) and not (meant and len(name) > 3 and near(name, [meant]))) or name.isupper():
        return True
    return name in STAND_INS and (meant is None or not (abbreviates(name, meant) or near(name, [meant])))


def _slip(name: str, meant: str | None, signature: _Signature) -> Slip:
    """Name what was meant: a slip of the pen, a short form at that place or anywhere, else the place itself."""
    if close := near(name, signature.names):
        return Slip(name, close, "spelling")
    for one in ([meant] if meant else []) + signature.names:
        if abbreviates(name, one):
            return Slip(name, one, "short")
    return Slip(name, meant, "unknown" if meant else "nowhere")


def slip_of_one(name: str, fact: Fact) -> Slip | None:
    """What is wrong with one name that is said to be a parameter; None if it is one."""
    signatures = [_Signature(one) for one in fact["signatures"]]
    if not signatures or name in fact["accepts"]:
        return None
    if any(name in (*one.names, one.star, one.double_star) for one in signatures):
        return None
    if all(one.double_star and not one.positional for one in signatures):
        return None
    return _slip(name, None, signatures[0])


# Defaults, by value

_WORDS = {"true": True, "false": False, "none": None, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_NO_VALUE = frozenset("required optional default auto null empty same yes no all any".split())
"""Words in a column of defaults that may stand for no value, or for any."""
_LONGEST = 60
_UNKNOWN = ...
"""The value of what cannot be compared: a sentinel, a function, an expression."""


def compare_default(name: str, text: str, fact: Fact) -> tuple[bool, str | None]:
    """Whether a claimed default can be right or wrong, and torch's own if no signature of the object has it.

    A live `None` contradicts nothing: often it stands for "worked out later" (`shuffle=None` is documented as
    False). Nor does a parameter without a default, or one that a signature gives something that has no literal.
    """
    parameters = (parameter for one in fact["signatures"] for parameter in one["parameters"])
    live = [str(default) for one, _, default in parameters if one == name and default is not None]
    values = [_value(one) for one in live]
    claimed = _value(text, bare=any(isinstance(one, str) for one in values))
    if claimed is _UNKNOWN:
        return False, None
    known = [one for one in values if one is not _UNKNOWN]
    comparable = bool(known) and (claimed is None or any(one is not None for one in values))
    wrong = live and all(one not in (None, _UNKNOWN) and _differ(claimed, one, text) for one in values)
    return comparable, live[0] if wrong else None


def has_none(name: str, fact: Fact) -> bool:
    """True for a parameter that has to be given: each signature has it, none of them with a default."""
    own = [
        [default for one, kind, default in signature["parameters"] if one == name and "*" not in kind]
        for signature in fact["signatures"]
    ]
    return bool(own) and all(defaults == [None] for defaults in own)


def wrong_defaults(arguments: Sequence[Argument], fact: Fact) -> list[tuple[Argument, str]]:
    """(argument, torch's default) of what a signature says wrongly; none for what may be a use, `SGD(params, lr=0.1)`.

    A signature names the parameters in their order without a gap and three defaults or more; two of three are right,
    and so is the first, which a use sets.
    """
    names = [one.name for one in arguments]
    claimed = [one for one in arguments if one.kind == "keyword"]
    orders = ([name for name, _, _ in one["parameters"]] for one in fact["signatures"])
    if len(claimed) < 3 or not any(order[: len(names)] == names for order in orders):
        return []
    compared = ((one, compare_default(one.name, one.default, fact)[1]) for one in claimed)
    wrong = [(one, live) for one, live in compared if live is not None]
    return wrong if 3 * len(wrong) <= len(claimed) and wrong[:1] and wrong[0][0] is not claimed[0] else []


def _value(text: str, *, bare: bool = False) -> object:
    """The value of a literal; with `bare`, a lone word is a text whose quotes were left out."""
    text = text.strip().replace("−", "-")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if bare and re.fullmatch(r"[a-z][a-z_]*", text):
        return _UNKNOWN if text in _NO_VALUE else text
    if len(text) > _LONGEST or not re.match(r"[-+.\d'\"(\[]", text):
        return _UNKNOWN
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return _UNKNOWN
    if isinstance(value, list | tuple):
        return tuple(value)
    return value if isinstance(value, str | int | float) else _UNKNOWN


def _differ(claimed: object, live: object, text: str) -> bool:
    """True unless they are one value, or cannot be compared; one number stands for as many as there are."""
    if claimed is not None and isinstance(claimed, str) != isinstance(live, str):
        return False
    one, other = (list(each) if isinstance(each, tuple) else [each] for each in (claimed, live))
    length = max(len(one), len(other))
    one, other = (each * length if len(each) == 1 else each for each in (one, other))
    return len(one) != len(other) or any(map(_apart, one, other, [text] * length))


def _apart(claimed: object, live: object, text: str) -> bool:
    """Numbers may be rounded to the digits written, if there are two or more: 0.33 for a third."""
    if not isinstance(claimed, int | float) or not isinstance(live, int | float):
        return claimed != live
    digits = re.fullmatch(r"[-+]?0?\.0*([1-9]\d+)", text)
    rounding = 0.5 * 10.0 ** -len(text.partition(".")[2]) if digits else 0.0
    return not math.isclose(claimed, live, rel_tol=1e-9, abs_tol=rounding)
