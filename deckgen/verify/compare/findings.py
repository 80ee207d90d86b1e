"""What the code says of a value before it is compared, and what the comparison found besides "equal"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deckgen.model.observation import Value
from deckgen.model.verdict import VerdictKind
from deckgen.text.pattern import pattern
from deckgen.verify.compare.drawn import Sample, check_word
from deckgen.verify.compare.numbers import Differs
from deckgen.written import Angle, Call, Group, Mark, Node, Number, Quoted, Word
from deckgen.written.values import is_device


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that was seen: printed lines that belong together, or a value."""

    text: str
    line: int | None
    """Code line that caused it."""
    random: bool
    values: tuple[Value, ...] = ()
    """The objects behind it: of a print, its arguments; of a value or probe, the one."""


@dataclass(slots=True)
class Addresses:
    """Addresses of a block: each claimed one stands for one observed one, and the other way round."""

    seen: dict[str, str] = field(default_factory=dict)
    """By the claimed one."""
    claimed: dict[str, str] = field(default_factory=dict)
    """By the observed one."""

    def pair(self, claimed: str, seen: str) -> None:
        """Raises `Differs` if the pattern of equal addresses is broken."""
        if self.seen.setdefault(claimed, seen) != seen:
            raise Differs(f"address {claimed} is claimed twice, torch has two different ones")
        other = self.claimed.setdefault(seen, claimed)
        if other != claimed:
            raise Differs(f"addresses {other} and {claimed} are claimed to differ, torch has one and the same")

    def copy(self) -> Addresses:
        return Addresses(dict(self.seen), dict(self.claimed))


@dataclass(slots=True)
class Findings:
    """Collected while one claim is compared."""

    live: Mapping[str, Value] = field(default_factory=dict)
    """Tensors and arrays of the observed text by their repr without blanks."""
    live_elsewhere: Mapping[str, Value] = field(default_factory=dict)
    """The same of the other runs."""
    addresses: Addresses = field(default_factory=Addresses)
    random: bool = False
    """Unseeded random numbers may be in what is compared, and no other run says where."""
    drawn: bool = False
    """Unseeded random numbers were drawn before it: what differs between runs may be theirs."""
    unset: bool = False
    """Memory that nobody has set is in it: what differs between runs may be that."""
    few: bool = True
    """There are not enough other runs to exclude luck."""
    sample: Sample | None = None
    """What is known of a random sample by the call that draws it."""
    may_be_luck: bool = False
    """Comes from random numbers, and the runs are few: integers and truth values may agree in all of them by chance."""
    indices: bool = False
    """Integers were made of the random numbers."""
    unstable: bool = False
    """Known by its source to differ from run to run: timings, progress bars."""
    vectors: bool = False
    """The source finds eigenvectors or singular vectors: their signs are the machine's."""
    pointers: bool = False
    """The source asks for addresses, so large integers are patterns."""
    picks_device: Callable[[], bool] = bool
    """Whether the source says anything about devices: only then a claimed one may differ from the observed one."""
    emulated: bool = False
    """The GPU is emulated: what is seen on it has been put there by the code."""
    needs_real_gpu: bool = False
    """True if something is claimed to be on the GPU that the emulation does not see there: a real one has to say."""
    beside_code: bool = False
    """A comment on the line of the code, where people leave out `grad_fn=`."""
    shape: bool = False
    """True if something claimed was the shape of the tensor that is there."""
    words: set[VerdictKind] = field(default_factory=set)
    device: str | None = None
    """The device that was claimed, where it is another than the observed one."""
    remark: str | None = None

    @property
    def doubtful(self) -> bool:
        """True if equal text proves nothing."""
        return self.random or self.may_be_luck or self.unstable or self.vectors

    def note(self, word: VerdictKind, remark: str | None = None) -> None:
        self.words.add(word)
        self.remark = self.remark or remark

    @property
    def word(self) -> VerdictKind:
        """The verdict on a claim that differs nowhere: the most telling of the words noted."""
        order = (
            VerdictKind.DRIFT_DIGITS,
            VerdictKind.HOLDS_STRUCTURE,
            VerdictKind.HOLDS_PATTERN,
            VerdictKind.DRIFT_FORMAT,
        )
        return next((word for word in order if word in self.words), VerdictKind.HOLDS)


# --- names: classes, dtypes, autograd nodes, devices; and which two of them mean the same --------------

_ALIASES = {
    "torch.long": "torch.int64", "torch.int": "torch.int32", "torch.short": "torch.int16",
    "torch.float": "torch.float32", "torch.double": "torch.float64", "torch.half": "torch.float16",
    "torch.cfloat": "torch.complex64", "torch.cdouble": "torch.complex128",
}  # fmt: skip
_AUTOGRAD_NODE = pattern(r"(?:Th(?=[A-Z]))?(\w+?)Backward\d*")
"""An operation and what a version of torch put around it: `ThAddBackward`, `AddBackward0`; `Threshold` is one."""
_CONVOLUTION = pattern(r"(?:Thnn|Mkldnn|Cudnn|Slow)Conv(?:olution|(?:Dilated|Depthwise|Transpose)?[123]D)?")
"""What a convolution was called by the library that did it, until torch 1.11."""
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


def compare_names(claimed: str, seen: str, others: Sequence[str | None], found: Findings) -> None:
    """Raises `Differs` unless two names mean the same; what differs from run to run may be any name."""
    measured = found.unstable and _WITH_UNIT.fullmatch(claimed) and _WITH_UNIT.fullmatch(seen)
    if any(one not in (None, seen) for one in others) or (measured and claimed != seen):
        if found.drawn and not measured:
            check_word(claimed, [seen, *(one for one in others if one is not None)], few=found.few)
        found.note(VerdictKind.HOLDS_STRUCTURE)
    elif is_device(claimed) and is_device(seen):
        compare_devices(claimed, seen, found)
    elif seen not in (claimed, f"torch.{claimed}"):
        if _canonical(claimed) != _canonical(seen):
            raise Differs(f"`{claimed}` claimed, torch says `{seen}`")
        found.note(VerdictKind.DRIFT_FORMAT, f"`{claimed}` is now called `{seen}`")


def _canonical(name: str) -> str:
    node = _AUTOGRAD_NODE.fullmatch(name)
    operation = _CONVOLUTION.sub("Convolution", node[1]) if node else ""
    return f"{operation}Backward".lower() if node else _ALIASES.get(name, name)


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
        found.needs_real_gpu = True
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


Options = dict[str, tuple[Node, ...]]


def literal(node: Node) -> tuple[Node | None, Options]:
    """The data and the keyword arguments of a literal; an author's shorthand for one is data alone."""
    if not isinstance(node, Call):
        return node, {}
    data: Node | None = None
    options: Options = {}
    for item in node.group.items:
        if len(item) >= 3 and isinstance(item[0], Word) and item[1] == Mark("="):
            options[item[0].text] = item[2:]
        elif data is None and len(item) == 1:
            data = item[0]
        elif item:
            options[f"argument {len(options) + 2}"] = item  # torch shows one alone
    return data, options


def argument(node: Node) -> Node:
    """The bracket inside `torch.Size([2, 3])`."""
    alone = isinstance(node, Call) and len(node.group.items) == 1 and len(node.group.items[0]) == 1
    return node.group.items[0][0] if isinstance(node, Call) and alone else Group("[", ())
