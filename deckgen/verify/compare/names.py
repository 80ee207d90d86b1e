"""Names in what is shown: classes, dtypes, autograd nodes, devices; and which two of them mean the same."""

from __future__ import annotations

from deckgen.model.verdict import VerdictKind
from deckgen.text.pattern import pattern
from deckgen.verify.compare.arrays import argument, literal
from deckgen.verify.compare.findings import Findings
from deckgen.verify.compare.numbers import Differs
from deckgen.written import Angle, Call, Node, Number, Quoted, Word
from deckgen.written.values import is_device

_ALIASES = {
    "torch.long": "torch.int64", "torch.int": "torch.int32", "torch.short": "torch.int16",
    "torch.float": "torch.float32", "torch.double": "torch.float64", "torch.half": "torch.float16",
    "torch.cfloat": "torch.complex64", "torch.cdouble": "torch.complex128",
}  # fmt: skip
_AUTOGRAD_NODE = pattern(r"(?:Th(?=[A-Z]))?(\w+?)Backward\d*")
"""An operation and what a version of torch put around it: `ThAddBackward`, `AddBackward0`; `Threshold` is one."""
_WITH_UNIT = pattern(r"[\d.]*(?:it|[nuµμm]?s|[KMG]?i?B)")
"""`589.35it`, `ms`, `KiB`: of timings and of memory."""


def name_shown(node: Node) -> str | None:
    """What a node names: `cpu` of `device(type='cpu')`, `torch.Tensor` of `<class 'torch.Tensor'>`, the text of a string."""
    match node:
        case Word(text):
            return text
        case Quoted(text):
            return unescaped(text)
        case Call("device"):
            return device_name(node)
        case Call("dtype"):
            return name_shown(argument(node))  # numpy's
        case Angle((Word("class"), Quoted(text))):
            return text
        case _:
            return None


def unescaped(text: str) -> str:
    """The content of a string, as far as the way of quoting can change its looks."""
    return text.replace("\\'", "'").replace('\\"', '"').replace("\\\\", "\\")


def compare_names(claimed: str, seen: str, again: str | None, found: Findings) -> None:
    """Raises `Differs` unless two names mean the same; what differs from run to run may be any name."""
    measured = found.unstable and _WITH_UNIT.fullmatch(claimed) and _WITH_UNIT.fullmatch(seen)
    if (again is not None and again != seen) or (measured and claimed != seen):
        found.note(VerdictKind.HOLDS_STRUCTURE)
    elif is_device(claimed) and is_device(seen):
        compare_devices(claimed, seen, found)
    elif seen not in (claimed, f"torch.{claimed}"):
        if _canonical(claimed) != _canonical(seen):
            raise Differs(f"`{claimed}` claimed, torch says `{seen}`")
        found.note(VerdictKind.DRIFT_FORMAT, f"`{claimed}` is now called `{seen}`")


def _canonical(name: str) -> str:
    node = _AUTOGRAD_NODE.fullmatch(name)
    return f"{node[1]}Backward".lower() if node else _ALIASES.get(name, name)


def compare_classes(claimed: str, seen: str, found: Findings) -> None:
    """Raises `Differs` unless two names of a repr mean the same class: `Size` and `torch.Size`."""
    if claimed.rsplit(".", 1)[-1] != seen.rsplit(".", 1)[-1]:
        raise Differs(f"`{claimed}` claimed, torch shows `{seen}`")
    if claimed != seen:
        found.note(VerdictKind.DRIFT_FORMAT, f"`{claimed}` now prints as `{seen}`")


def compare_devices(claimed: str, seen: str, found: Findings) -> None:
    """Notes made on another device hold on this one, and the verdict says so; but only if the code picks one.

    What is on an emulated GPU is nowhere else; what seems not to be on it may have been lost on the way.
    """
    if claimed == seen or {claimed, seen} == {"cuda", "cuda:0"}:
        return
    kinds = {claimed.partition(":")[0], seen.partition(":")[0]}
    if found.emulated and seen == "cpu" and claimed.startswith("cuda"):
        found.strayed = True
    elif found.emulated or not found.picks_device() or "cpu" not in kinds or "meta" in kinds:
        raise Differs(f"device {claimed} claimed, torch says {seen}")
    else:
        found.device = claimed


def device_name(call: Call) -> str:
    """`cuda:0` of `device(type='cuda', index=0)`, and of `device('cuda:0')`, as it is called."""
    data, options = literal(call)
    unknown = options.keys() - {"type", "index"}
    if unknown:
        raise Differs(f"a device has no `{min(unknown)}`")
    kind, index = options.get("type", (data,))[0], options.get("index", (None,))[0]
    name = kind.text if isinstance(kind, Quoted | Word) else "cpu"
    return f"{name}:{index.text}" if isinstance(index, Number | Word) else name
