"""Settings: what the engine and its workers need to know of the options."""

from __future__ import annotations

from dataclasses import dataclass, field

from deckgen.verify.running.cache import Cache
from deckgen.verify.running.interpreter import Interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where, with what and how long sessions run. `engine`: `fork` or `spawn`."""

    interpreter: Interpreter
    device: str = "auto"
    jobs: int = 1
    timeout: float = 30.0
    sandbox: str = "auto"
    cache: Cache = field(default_factory=lambda: Cache(None))
    engine: str = "fork"
