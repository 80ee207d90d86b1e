"""Rules of a GPU that the emulation keeps: what may mix devices, what draws random numbers, how errors are worded."""

from __future__ import annotations

import re
from typing import Any, Iterator

from .values import torch

NUMPY_ERROR = "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
MIXED_ERROR = "Expected all tensors to be on the same device, but found at least two devices, {} and {}!"
MAY_MIX = frozenset(
    [
        "copy_",
        "__getitem__",
        "__setitem__",
        "index_put_",
        "index_put",
        "index_select",
        "__set__",
        "__get__",
        "set_",
        "to",
        "type_as",
        "is_same_size",
        "equal",
        "allclose",
    ]
)
"""Functions that take tensors of several devices (`equal` has a check of its own on a GPU; rare in notes)."""
RANDOM = re.compile(
    r"rand|^(?:normal|uniform|bernoulli|multinomial|exponential|log_normal|cauchy|geometric|poisson|rrelu|binomial)_?$"
    r"|dropout|gumbel|attention|^(?:lstm|gru|rnn_tanh|rnn_relu)$"
)
"""Names of functions that draw random numbers, or may."""
OUT_OF_MEMORY = "CUDA out of memory. Tried to allocate {:.2f} GiB."


class NotEmulatedError(RuntimeError):
    """What only a real GPU can do. Its words are those by which deckgen knows that a claim needs CUDA."""

    def __init__(self, what: str) -> None:
        super().__init__(f"No CUDA GPUs are available ({what} is not emulated)")


def dimensions(tensor: Any) -> int:
    try:
        return int(tensor.dim())
    except ValueError:  # of a lazy module's parameter, which has no shape yet
        return 0


def as_on_a_gpu(error: RuntimeError) -> RuntimeError:
    """The lack of memory in a GPU's words; any other error as it is."""
    found = re.search(r"can't allocate memory: you tried to allocate (\d+)", str(error))
    if found is None:
        return error
    lack: RuntimeError = torch.cuda.OutOfMemoryError(OUT_OF_MEMORY.format(int(found[1]) / (1 << 30)))
    return lack


def tensors_in(things: Any) -> Iterator[Any]:
    for thing in things:
        if isinstance(thing, torch.Tensor):
            yield thing
        elif isinstance(thing, (list, tuple)):
            yield from tensors_in(thing)
