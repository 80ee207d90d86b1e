"""What the code says of a value before it is compared, and what the comparison found besides "equal"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from deckgen.model.observation import Value
from deckgen.model.verdict import VerdictKind
from deckgen.verify.compare.drawn import Sample
from deckgen.verify.compare.numbers import Differs


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
    live_again: Mapping[str, Value] = field(default_factory=dict)
    """The same of the second run."""
    addresses: Addresses = field(default_factory=Addresses)
    random: bool = False
    """Unseeded random numbers may be in what is compared, and no second run says where."""
    sample: Sample | None = None
    """What is known of a random sample by the call that draws it."""
    lucky: bool = False
    """Comes from random numbers: integers and truth values may agree in both runs by chance."""
    indices: bool = False
    """Integers were made of the random numbers."""
    unstable: bool = False
    """Known by its source to differ from run to run: uninitialised memory, timings, progress bars."""
    unset: bool = False
    """It is unstable as memory is that nobody has set: elements are, and counts that come out twice the same are not."""
    vectors: bool = False
    """The source finds eigenvectors or singular vectors: their signs are the machine's."""
    pointers: bool = False
    """The source asks for addresses, so large integers are patterns."""
    picks_device: Callable[[], bool] = bool
    """Whether the source says anything about devices: only then a claimed one may differ from the observed one."""
    emulated: bool = False
    """The GPU is emulated: what is seen on it has been put there by the code."""
    strayed: bool = False
    """True if something is claimed to be on the GPU that the emulation does not see there: a real one has to say."""
    brief: bool = False
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
        return self.random or self.lucky or self.unstable or self.vectors

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
