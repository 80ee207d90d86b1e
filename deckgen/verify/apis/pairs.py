"""Functions and modules that notes set side by side: is `nn.Y` really the module of `F.x`?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckgen.verify.apis.near import normal

FUNCTIONAL, NN = "torch.nn.functional.", "torch.nn."


def wrong_pair(module: str, peers: Sequence[str], uses: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
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
