"""Verify: run what the sources show, look up what they name, and judge what they claim.

The names below are imported when they are first used: a quick command that only asks which torch there is pays for nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deckgen.verify.engine.engine import VerifyOptions
    from deckgen.verify.run import look_up, verify, why_no_cuda

__all__ = ["VerifyOptions", "look_up", "verify", "why_no_cuda"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    from deckgen.verify import run

    return getattr(run, name)
