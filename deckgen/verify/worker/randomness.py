"""Randomness: has a snippet drawn a random number that its source did not seed?

Three generators are watched by their state. What has no state to watch (uninitialised memory, entropy
of the system) is known by name.
"""

from __future__ import annotations

import ast
import ctypes
import random
import re
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .values import torch

UNINITIALISED = frozenset(
    [
        "empty",
        "empty_like",
        "empty_strided",
        "new_empty",
        "new_empty_strided",
        "resize_",
        "resize_as_",
        "empty_permuted",
        "empty_quantized",
        "Tensor",
        "FloatTensor",
        "DoubleTensor",
        "HalfTensor",
        "IntTensor",
        "LongTensor",
        "ndarray",
    ]
)
"""Calls that may hand out memory as they find it. Fresh memory is often zero: it only looks stable."""
CONSTRUCTORS = frozenset(name for name in UNINITIALISED if name.endswith("Tensor"))
"""Of these, the constructors are harmless when they are given data instead of sizes."""
ENTROPY = frozenset(
    [
        "urandom",
        "uuid1",
        "uuid4",
        "token_hex",
        "token_bytes",
        "token_urlsafe",
        "SystemRandom",
        "getrandbits",
        "randbits",
    ]
)
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
    return ctypes.string_at(state.data_ptr(), state.numel())


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


ROOTS = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
WITHOUT_RANDOMNESS = frozenset(
    [
        "torch",
        "math",
        "time",
        "os",
        "sys",
        "copy",
        "json",
        "warnings",
        "typing",
        "collections",
        "functools",
        "itertools",
        "dataclasses",
        "inspect",
        "gc",
        "re",
        "io",
        "contextlib",
        "pathlib",
        "__future__",
    ]
)
UNWATCHED_TEXT = re.compile(r"\b(?:%s)\b" % "|".join(sorted(UNINITIALISED | ENTROPY | SELF_SEEDING)))


def generators_of(text: str) -> Tuple[str, ...]:
    """The generators worth watching in this code: torch's own, and all of them if it imports anything else.

    Looking at a generator costs more than most statements.
    """
    return ("torch",) if WITHOUT_RANDOMNESS.issuperset(ROOTS.findall(text)) else tuple(STATES)


class Watch:
    """Follows the generators through a session; `drawn` never goes back to False."""

    def __init__(self) -> None:
        self._wrap_seeding()
        self.start(())

    def start(self, generators: Sequence[str]) -> None:
        """Begin to follow these, as they are now."""
        self.drawn = False
        self.seed: Optional[int] = None
        self.seeded: Dict[str, bool] = dict.fromkeys(STATES, False)
        self._states = {name: STATES[name]() for name in generators}

    def look(self, unwatched: bool = False) -> None:
        """Call after each statement."""
        for name in self._states:
            self._look_at(name)
        self.drawn = self.drawn or unwatched

    def forget(self) -> None:
        """Call after deckgen itself has seeded: what moved was not the snippet's doing."""
        self.seeded = dict.fromkeys(STATES, False)
        self._states = {name: STATES[name]() for name in self._states}

    def forget_imports(self) -> None:
        """Call after the prelude: importing numpy makes a generator appear."""
        self._wrap_numpy()

    def _look_at(self, name: str) -> None:
        state = STATES[name]() if name in self._states else None
        if state != self._states.get(name):
            appeared = self._states[name] is None  # numpy was imported by this statement
            self._states[name] = state
            if not self.seeded[name] and not appeared:
                self.drawn = True

    def note_seed(self, name: str, seed: Optional[int]) -> None:
        """The source itself has seeded generator `name`; what was drawn before stays drawn."""
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
                if name in self._states:
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
    """Put every generator into a known state (deckgen's own doing, not the source's).

    Not by `torch.manual_seed`, which notes the whole call stack for a CUDA that is not there: 15 ms.
    """
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)
    python_seed = getattr(random.seed, "__wrapped__", random.seed)
    python_seed(seed)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        getattr(numpy_random.seed, "__wrapped__", numpy_random.seed)(seed % 2**32)
