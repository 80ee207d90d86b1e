"""Randomness: has a snippet drawn a random number that its source did not seed?

Three generators are watched by their state. What has no state to watch (uninitialised memory, entropy
of the system) is known by name.
"""

from __future__ import annotations

import ast
import ctypes
import functools
import random
import re
import sys
from typing import Any, Callable, Dict, Optional

from .values import torch

CONSTRUCTORS = frozenset("Tensor FloatTensor DoubleTensor HalfTensor IntTensor LongTensor".split())
"""Harmless when they are given data instead of sizes."""
UNWATCHED = frozenset(
    (
        "empty empty_like empty_strided new_empty new_empty_strided resize_ resize_as_ empty_permuted empty_quantized"
        " ndarray urandom uuid1 uuid4 token_hex token_bytes token_urlsafe SystemRandom getrandbits randbits"
    ).split()
)
"""Calls that may hand out memory as they find it (fresh memory is often zero: it only looks stable), or entropy."""
SELF_SEEDING = frozenset("default_rng seed RandomState Random".split())
"""Calls that take fresh entropy when they are given no seed."""
IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
WITHOUT_RANDOMNESS = frozenset(
    (
        "torch math time os sys copy json warnings typing collections functools itertools dataclasses inspect gc re io"
        " contextlib pathlib __future__"
    ).split()
)


def has_unwatched_source(statement: ast.AST) -> bool:
    """True if this may give another result next time without moving a watched generator."""
    return any(isinstance(node, ast.Call) and _is_unwatched(node) for node in ast.walk(statement))


def _is_unwatched(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in SELF_SEEDING:
        return not call.args and not call.keywords
    if name in CONSTRUCTORS:
        return bool(call.args) and not isinstance(call.args[0], (ast.List, ast.Tuple, ast.ListComp))
    return name in UNWATCHED


def _numpy_state() -> Any:
    numpy_random = sys.modules.get("numpy.random")
    state = None if numpy_random is None else numpy_random.get_state()
    return state and (state[1].tobytes(), *state[2:])


def _torch_state() -> bytes:
    state = torch.default_generator.get_state()
    return ctypes.string_at(state.data_ptr(), state.numel())


STATES: Dict[str, Callable[[], Any]] = {"torch": _torch_state, "python": random.getstate, "numpy": _numpy_state}


class Watch:
    """Follows the generators through a session; `drawn` never goes back to False."""

    def __init__(self) -> None:
        torch.manual_seed = torch.random.manual_seed = self._wrapped("torch", torch.manual_seed)
        random.seed = self._wrapped("python", random.seed)
        self.wrap_numpy()
        self.start("")

    def start(self, text: str) -> None:
        """Begin to follow the generators of this code: torch's own, and all of them if it imports anything unusual."""
        self.drawn = False
        self.seed: Optional[int] = None
        names = ("torch",) if WITHOUT_RANDOMNESS.issuperset(IMPORTED.findall(text)) else STATES
        self._states: Dict[str, Any] = dict.fromkeys(names)
        self.forget()

    def forget(self) -> None:
        """Call after deckgen itself has seeded: what moved was not the snippet's doing."""
        self._seeded = dict.fromkeys(STATES, False)
        self._states = {name: STATES[name]() for name in self._states}

    def look(self) -> None:
        """Call after each statement."""
        for name in self._states:
            self._look_at(name)

    def _look_at(self, name: str) -> None:
        before = self._states.get(name)
        state = STATES[name]() if name in self._states else None
        if state != before:
            self._states[name] = state
            if not self._seeded[name] and before is not None:  # else this statement has imported numpy
                self.drawn = True

    def wrap_numpy(self) -> None:
        numpy_random = sys.modules.get("numpy.random")
        if numpy_random is not None and not hasattr(numpy_random.seed, "__wrapped__"):
            setattr(numpy_random, "seed", self._wrapped("numpy", numpy_random.seed))  # noqa: B010

    def _wrapped(self, name: str, function: Any) -> Any:
        """A function that seeds a generator: the source's own seed is noted; what was drawn before stays drawn."""

        @functools.wraps(function)
        def seeding(*arguments: Any, **named: Any) -> Any:
            given = next(iter([*arguments, *named.values()]), None)
            if given is None:
                self.drawn = True  # seeded from entropy
                return function(*arguments, **named)
            self._look_at(name)
            result = function(*arguments, **named)
            self._seeded[name] = True
            self.seed = given if isinstance(given, int) else self.seed
            if name in self._states:
                self._states[name] = STATES[name]()
            return result

        return seeding


def fill_unset_memory() -> None:
    """From here on memory that nobody has set holds NaN and the largest integers: what shows them, beside a run that does
    not, was not set.

    torch does it for whoever wants deterministic algorithms; numpy has no such switch.
    """
    torch._C._set_deterministic_fill_uninitialized_memory(True)
    torch._C._set_deterministic_algorithms(True, warn_only=True)
    numpy = sys.modules.get("numpy")
    for name in ("empty", "empty_like") if numpy is not None else ():
        setattr(numpy, name, _filling(getattr(numpy, name)))


def _filling(make: Any) -> Any:
    @functools.wraps(make)
    def filled(*arguments: Any, **named: Any) -> Any:
        made = make(*arguments, **named)
        if made.dtype.kind in "fciu":
            made.fill(float("nan") if made.dtype.kind in "fc" else 113)
        return made

    return filled


def seed_everything(seed: int) -> None:
    """Put every generator into a known state (deckgen's own doing, not the source's).

    Not by `torch.manual_seed`, which notes the whole call stack for a CUDA that is not there: 15 ms.
    """
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)
    numpy_random = sys.modules.get("numpy.random")
    for module, number in ((random, seed), (numpy_random, seed % 2**32)):
        if module is not None:
            getattr(module.seed, "__wrapped__", module.seed)(number)
