"""What a written name may mean: the questions that are put to the worker about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deckgen.model.claim import Exists
from deckgen.model.verdict import ApiVerdict, NameVerdict
from deckgen.verify.names.written import Written

VARIABLES = {
    "optimizer": "Optimizer",
    "opt": "Optimizer",
    "scheduler": "torch.optim.lr_scheduler.LRScheduler",
    "model": "nn.Module",
    "net": "nn.Module",
    "module": "nn.Module",
    "layer": "nn.Module",
    "tensor": "Tensor",
    "x": "Tensor",
    "y": "Tensor",
    "a": "Tensor",
    "b": "Tensor",
    "t": "Tensor",
    "loss": "Tensor",
    "input": "Tensor",
    "output": "Tensor",
    "writer": "SummaryWriter",
    "loader": "DataLoader",
    "dataloader": "DataLoader",
    "train_loader": "DataLoader",
    "dataset": "Dataset",
    "scaler": "torch.amp.GradScaler",
}
"""What notes mean by a variable whose assignment is not shown."""
ELSEWHERE = frozenset({
    "np", "numpy", "plt", "pd", "os", "sys", "time", "math", "random", "json", "pickle", "copy",
    "functools", "itertools", "collections", "threading", "logging", "pathlib", "matplotlib", "jnp", "self",
    "pandas", "sklearn", "scipy", "cv2", "PIL", "Image", "tqdm", "cls", "super", "print",
    "len", "range", "list", "dict", "tuple", "set", "int", "float", "str", "bool", "type",
    "isinstance", "zip", "enumerate", "map", "open",
})  # fmt: skip
"""First words that are Python's or another package's: nothing for torch to confirm."""
PACKAGES = frozenset({
    "torchvision", "torchaudio", "torchtext", "transformers", "datasets", "accelerate", "deepspeed",
    "tensorboard", "onnx", "onnxruntime", "lightning", "pytorch_lightning", "timm", "einops",
    "tensorflow", "tf", "keras", "jax", "cupy", "transforms", "T",
})  # fmt: skip
"""First words of packages that torch knows nothing of."""
ROOTS = ("nn", "F", "optim", "autograd", "Tensor", "SummaryWriter", "Optimizer", "DataLoader", "Module")
"""First words other than `torch` that lead into torch."""
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
    """From the surest to the least sure; the caller stops at the first firm one that leads somewhere."""
    path = written.path
    if not path or (len(path) > 1 and path[0] in ELSEWHERE | PACKAGES) or is_foreign(claim.alias):
        return
    if claim.form in (PARAMETER, GIVEN):
        yield from _of_parameter(claim, written)
        return
    if claim.alias is not None:
        yield Reading(".".join((claim.alias, *path[1:])), not written.results)
        yield from _of_result(written)
        return
    if len(path) > 1:
        yield from _of_dotted(claim, written)
    if claim.owner is not None:
        yield from _of_owner(claim.owner, written)
    if len(path) == 1:
        yield from (Reading(f"{scope}::{path[0]}", False) for scope in claim.scopes)
        if path[0] not in ELSEWHERE:
            yield Reading(path[0], False, by_chance=True)


def _of_dotted(claim: Exists, written: Written) -> Iterator[Reading]:
    path = written.path
    if path[0] in VARIABLES:
        meant = VARIABLES[path[0]]
        yield Reading(".".join((meant, *path[1:])), meant == claim.owner)
        return
    rooted = path[0] == "torch" or path[0] in ROOTS
    yield Reading(written.dotted, rooted and written.results == 0)
    yield from _of_result(written)
    if not (written.results or rooted):
        yield from _within(claim.scopes, written)


def _of_result(written: Written) -> Iterator[Reading]:
    """What torch's functions return is a tensor more often than not: `sum` of `torch.arange(3).sum()`."""
    if written.results:
        yield Reading(".".join(("Tensor", *written.path[written.results :])), False)


def _within(scopes: tuple[str, ...], written: Written) -> Iterator[Reading]:
    """What a dotted name is in torch's modules that are named around it: below `torch.fft`, `fft.ifft` is its own."""
    for scope in scopes:
        package, _, module = scope.rpartition(".")
        if scope.partition(".")[0] == "torch":
            yield Reading(f"{package if module == written.path[0] else scope}.{written.dotted}", True, within=True)


def _of_owner(owner: str, written: Written) -> Iterator[Reading]:
    """What the surroundings name has it; `prof.step()` below `torch.profiler` is a method of one of its classes."""
    path = written.path
    yield Reading(f"{owner}::{path[-1]}" if len(path) == 1 else f"{owner}.{written.dotted}", True)
    if len(path) == 2 and path[0] not in VARIABLES:
        yield Reading(f"{owner}::{path[-1]}", False)


def _of_parameter(claim: Exists, written: Written) -> Iterator[Reading]:
    """What may have the parameter: a method of what the headings name, else what is written, else its class there."""
    bare = claim.owner and "." not in claim.owner
    inside = [Reading(f"{scope}::{claim.owner}", True) for scope in claim.scopes if bare and scope != claim.owner]
    by_chance = is_bare_owner(claim) and claim.alias is None
    names = (claim.owner, claim.alias, written.dotted)
    named = [Reading(_customary(name), True, by_chance=by_chance) for name in names if name]
    yield from (*inside, *named) if is_bare_owner(claim) else (*named, *inside)


def is_bare_owner(claim: Exists) -> bool:
    """True for a parameter of `step`: of whose `step` the surroundings tell."""
    return bool(claim.owner) and "." not in str(claim.owner) and str(claim.owner)[0].islower()


def _customary(name: str) -> str:
    """`optimizer.zero_grad` is what an Optimizer has."""
    head, dot, rest = name.partition(".")
    return f"{VARIABLES[head]}.{rest}" if dot and head in VARIABLES else name


def is_foreign(alias: str | None) -> bool:
    """True if the source imports it from another package than torch."""
    return alias is not None and "." in alias and alias.partition(".")[0] not in ("torch", *ROOTS)


def not_torchs(claim: Exists, written: Written) -> ApiVerdict | None:
    if not written.path:
        return ApiVerdict(claim=claim, word=NameVerdict.NOT_AN_API, reason="an expression or a pattern, not a name")
    head = claim.alias.partition(".")[0] if claim.alias and is_foreign(claim.alias) else written.path[0]
    if head in ELSEWHERE and (len(written.path) > 1 or is_foreign(claim.alias)):
        return ApiVerdict(claim=claim, word=NameVerdict.NOT_AN_API, reason=f"`{head}` is not torch's")
    if is_foreign(claim.alias) or (len(written.path) > 1 and head in PACKAGES):
        return ApiVerdict(claim=claim, word=NameVerdict.UNVERIFIED, reason=f"missing-module {head}: not part of torch")
    return None
