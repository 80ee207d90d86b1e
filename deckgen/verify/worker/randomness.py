"""Randomness: has a snippet drawn a random number that its source did not seed?

Three generators are watched by their state. What has no state to watch (uninitialised memory, entropy
of the system) is known by name.
"""

from __future__ import annotations

import ast
import random
import sys
from typing import Any, Callable, Dict, List, Optional

from .values import torch

UNINITIALISED = frozenset(
    "empty empty_like empty_strided new_empty new_empty_strided resize_ resize_as_ empty_permuted "
    "empty_quantized Tensor FloatTensor DoubleTensor HalfTensor IntTensor LongTensor ndarray".split()
)
"""Calls that may hand out memory as they find it. Fresh memory is often zero: it only looks stable."""
CONSTRUCTORS = frozenset(name for name in UNINITIALISED if name.endswith("Tensor"))
"""Of these, the constructors are harmless when they are given data instead of sizes."""
ENTROPY = frozenset("urandom uuid1 uuid4 token_hex token_bytes token_urlsafe SystemRandom getrandbits randbits".split())
SELF_SEEDING = frozenset(("default_rng", "seed", "RandomState", "Random"))
"""Calls that take fresh entropy when they are given no seed."""


def is_unwatched_source(call: ast.Call) -> bool:
    """True if this call may yield another result next time without moving a watched generator."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in SELF_SEEDING:
        return not call.args and not call.keywords
    if name in CONSTRUCTORS:
        return bool(call.args) and not isinstance(call.args[0], (ast.List, ast.Tuple, ast.ListComp))
    return name in UNINITIALISED or name in ENTROPY


def has_unwatched_source(statement: ast.AST) -> bool:
    return any(isinstance(node, ast.Call) and is_unwatched_source(node) for node in ast.walk(statement))


def _torch_state() -> bytes:
    state = torch.default_generator.get_state()
    try:
        return bytes(state.numpy().tobytes())
    except RuntimeError:  # a torch without numpy
        return bytes(state.tolist())


def _python_state() -> Any:
    return random.getstate()


def _numpy_state() -> Any:
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is None:
        return None
    name, keys, position, has_gauss, gauss = numpy_random.get_state()
    return name, keys.tobytes(), position, has_gauss, gauss


STATES: Dict[str, Callable[[], Any]] = {
    "torch": _torch_state,
    "python": _python_state,
    "numpy": _numpy_state,
}


class Watch:
    """Follows the generators through a session; `drawn` never goes back to False."""

    def __init__(self) -> None:
        self.drawn = False
        self.seed: Optional[int] = None
        self.seeded: Dict[str, bool] = dict.fromkeys(STATES, False)
        self._states = {name: state() for name, state in STATES.items()}
        self._wrap_seeding()

    def look(self, unwatched: bool = False) -> None:
        """Call after each statement."""
        for name in STATES:
            self._look_at(name)
        self.drawn = self.drawn or unwatched

    def forget(self) -> None:
        """Call after deckgen itself has seeded: what moved was not the snippet's doing."""
        self.seeded = dict.fromkeys(STATES, False)
        self._states = {name: state() for name, state in STATES.items()}

    def forget_imports(self) -> None:
        """Call after the prelude: importing numpy makes a generator appear."""
        self._wrap_numpy()

    def _look_at(self, name: str) -> None:
        state = STATES[name]()
        if state != self._states[name]:
            appeared = self._states[name] is None  # numpy was imported by this statement
            self._states[name] = state
            if not self.seeded[name] and not appeared:
                self.drawn = True

    def note_seed(self, name: str, seed: Optional[int]) -> None:
        """The source itself seeds generator `name`; what was drawn before stays drawn."""
        self._look_at(name)
        self.seeded[name] = True
        if seed is not None:
            self.seed = seed

    def _wrap_seeding(self) -> None:
        torch.manual_seed = torch.random.manual_seed = self._wrapped("torch", torch.manual_seed)
        random.seed = self._wrapped("python", random.seed)
        self._wrap_numpy()

    def _wrap_numpy(self) -> None:
        numpy_random = sys.modules.get("numpy.random")
        if numpy_random is not None and not hasattr(numpy_random.seed, "__wrapped__"):
            setattr(numpy_random, "seed", self._wrapped("numpy", numpy_random.seed))  # noqa: B010

    def _wrapped(self, name: str, function: Any) -> Any:
        def seeding(*arguments: Any, **named: Any) -> Any:
            given: List[Any] = [*arguments, *named.values()]
            result = None
            if given and given[0] is not None:
                self._look_at(name)
                result = function(*arguments, **named)
                self.note_seed(name, given[0] if isinstance(given[0], int) else None)
                self._states[name] = STATES[name]()
            else:
                result = function(*arguments, **named)
                self.drawn = True  # seeded from entropy
            return result

        seeding.__name__ = seeding.__qualname__ = getattr(function, "__name__", "seed")
        seeding.__doc__ = function.__doc__
        seeding.__module__ = getattr(function, "__module__", None) or "torch"
        seeding.__wrapped__ = function  # type: ignore[attr-defined]
        return seeding


def seed_everything(seed: int) -> None:
    """Put every watched generator into a known state (deckgen's own doing, not the source's)."""
    manual_seed = getattr(torch.manual_seed, "__wrapped__", torch.manual_seed)
    manual_seed(seed)
    python_seed = getattr(random.seed, "__wrapped__", random.seed)
    python_seed(seed)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        getattr(numpy_random.seed, "__wrapped__", numpy_random.seed)(seed % 2**32)
