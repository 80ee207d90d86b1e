"""The stamp of a card: what of it was checked, on which torch and device, or why nothing was."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.decide.grounds import Grounds
from deckgen.model.observation import Environment
from deckgen.model.verdict import SKIPPED, ApiVerdict, ApiWord


def stamp_of(grounds: Grounds, environment: Environment) -> str:
    if grounds.unread:
        return "not checked: what it says of the code is told in words"
    if not grounds.verdicts and not grounds.apis:
        return ""
    unchecked = grounds.unchecked
    if unchecked is not None:
        return not_checked(_in_words(unchecked.reason))
    if not grounds.verdicts:
        return _of_apis(grounds.apis, environment)  # what else the note says of them nobody checked
    devices = sorted({verdict.device for verdict in grounds.verdicts})
    names = ["CUDA emulated" if device == "cuda-emulated" else device for device in devices]
    return f"checked on torch {release(environment)}, {', '.join(names)}"


def not_checked(reason: str) -> str:
    """The stamp of what could not be checked; plain text, so without marks of code."""
    return f"not checked: {reason}".replace("`", "")


def _of_apis(apis: Sequence[ApiVerdict], environment: Environment) -> str:
    """What was looked up: names, and defaults if all that the note states could be compared; empty if nothing was."""
    known = [verdict for verdict in apis if verdict.word is not ApiWord.NOT_AN_API]
    stated = [verdict for verdict in known if verdict.claim.default is not None]
    what = "API names and defaults" if stated and all(verdict.compared for verdict in stated) else "API names"
    return f"{what} checked on torch {release(environment)}" if known else ""


def release(environment: Environment) -> str:
    """The build (`+cpu`) is no part of what was learnt."""
    return environment.torch.split("+")[0]


def _in_words(reason: str | None) -> str:
    if reason == SKIPPED:
        return "skipped by the author"
    return reason.removeprefix(f"{SKIPPED}: ") if reason else "no torch to ask"
