"""What a written name may mean: the questions that are put to the worker about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deckgen.model.claim import Exists
from deckgen.verify.names.written import Written

_MEANT = {
    "Optimizer": "optimizer opt",
    "torch.optim.lr_scheduler.LRScheduler": "scheduler",
    "nn.Module": "model net module layer",
    "Tensor": "tensor x y a b t loss input output",
    "SummaryWriter": "writer",
    "DataLoader": "loader dataloader train_loader",
    "Dataset": "dataset",
    "torch.amp.GradScaler": "scaler",
}
VARIABLES = {name: meant for meant, names in _MEANT.items() for name in names.split()}
"""What notes mean by a variable whose assignment is not shown."""
ELSEWHERE = frozenset(
    (
        "np numpy plt pd os sys time math random json pickle copy functools itertools collections threading logging"
        " pathlib matplotlib jnp self pandas sklearn scipy cv2 PIL Image tqdm cls super print len range list dict tuple"
        " set int float str bool type isinstance zip enumerate map open"
    ).split()
)
"""First words that are Python's or another package's: nothing for torch to confirm."""
PACKAGES = frozenset(
    (
        "torchvision torchaudio torchtext transformers datasets accelerate deepspeed tensorboard onnx onnxruntime"
        " lightning pytorch_lightning timm einops tensorflow tf keras jax cupy transforms T"
    ).split()
)
"""First words of packages that torch knows nothing of."""
ROOTS = "torch nn F optim autograd Tensor SummaryWriter Optimizer DataLoader Module".split()
"""First words that lead into torch."""
PARAMETER = "parameter"
"""The form of a claim that its argument is a parameter: `checkpoint_sequential(chunks)`."""
GIVEN = "given"
"""The same, with a value that may be its default or an example: `gamma=0.1` in a column of parameters."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a name: what to ask the worker, and how far to trust it."""

    query: str
    firm: bool
    """True if the source says so (an import, a rooted name, an owner): what is not there is missing."""
    by_chance: bool = False
    """True if nothing in the source speaks for it: a bare name that the usual places happen to have."""
    within: bool = False
    """True if it speaks of torch only where a module named around has the first word: `Distribution` of
    `Distribution.sample` below `torch.distributions`."""


def readings_of(claim: Exists, written: Written) -> Iterator[Reading]:
    """From the surest to the least sure."""
    path, owner = written.path, claim.owner
    if not path or (len(path) > 1 and path[0] in ELSEWHERE | PACKAGES) or is_foreign(claim.alias):
        return
    if claim.form in (PARAMETER, GIVEN):
        yield from _of_parameter(claim, written)
        return
    # What torch's functions return is a tensor more often than not: `sum` of `torch.arange(3).sum()`.
    result = [Reading(".".join(("Tensor", *path[written.results :])), False)] if written.results else []
    if claim.alias is not None:
        yield Reading(".".join((claim.alias, *path[1:])), not result)
        yield from result
        return
    if len(path) > 1:
        variable, rooted = VARIABLES.get(path[0]), path[0] in ROOTS
        yield Reading(_customary(written.dotted), variable == owner if variable else rooted and not result)
        yield from result if not variable else ()
        for scope in claim.scopes if not (result or rooted or variable) else ():
            # In torch's modules that are named around it: below `torch.fft`, `fft.ifft` is its own.
            package, _, module = scope.rpartition(".")
            if scope.partition(".")[0] == "torch":
                yield Reading(f"{package if module == path[0] else scope}.{written.dotted}", True, within=True)
    if owner is not None:
        yield Reading(f"{owner}::{path[-1]}" if len(path) == 1 else f"{owner}.{written.dotted}", True)
        if len(path) == 2 and path[0] not in VARIABLES:  # `prof.step()` below `torch.profiler`: of one of its classes
            yield Reading(f"{owner}::{path[-1]}", False)
    if len(path) == 1:
        yield from (Reading(f"{scope}::{path[0]}", False) for scope in claim.scopes)
        if path[0] not in ELSEWHERE:
            yield Reading(path[0], False, by_chance=True)


def _of_parameter(claim: Exists, written: Written) -> Iterator[Reading]:
    """What may have the parameter: a method of what the headings name, else what is written, else its class there."""
    owner = claim.owner
    bare = is_bare_owner(claim)
    scopes = claim.scopes if owner and "." not in owner else ()
    inside = [Reading(f"{scope}::{owner}", True) for scope in scopes if scope != owner]
    names = [name for name in (owner, claim.alias, written.dotted) if name]
    named = [Reading(_customary(name), True, by_chance=bare and claim.alias is None) for name in names]
    yield from (*inside, *named) if bare else (*named, *inside)


def is_bare_owner(claim: Exists) -> bool:
    """True for a parameter of `step`: of whose `step` the surroundings tell."""
    return bool(claim.owner) and "." not in str(claim.owner) and str(claim.owner)[0].islower()


def _customary(name: str) -> str:
    """`optimizer.zero_grad` is what an Optimizer has."""
    head, dot, rest = name.partition(".")
    return f"{VARIABLES[head]}.{rest}" if dot and head in VARIABLES else name


def is_foreign(alias: str | None) -> bool:
    """True if the source imports it from another package than torch."""
    return alias is not None and "." in alias and alias.partition(".")[0] not in ROOTS
