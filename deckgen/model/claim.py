"""Claims: what a source says that torch does; and the snippets they are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, assert_never

from deckgen.model.source import Span
from deckgen.model.versions import Versions

ClaimPlace = Literal["beside", "below", "unparsed", "inside", "after", "stored", "answer", "option", "sentence"]
"""Where a claim stands: in a comment behind its code, in comment lines below it, in comments of code that does not parse, as output
pasted into its block, in a block after it, among a notebook's stored outputs, in the answer of a quiz, among a fence's options; in a
sentence."""

PRINTED = frozenset({"inside", "after", "stored"})
"""Places of what code prints, as it prints it; elsewhere notes may tell a part of it."""


@dataclass(frozen=True, slots=True)
class _Claim:
    span: Span
    """Where the claimed text stands (not the code that it is about)."""
    text: str
    """The claimed text alone: comment marks, labels and trailing explanation removed."""
    form: str
    """Name of the claim form that found it: a row of the tables in `extract/claims/`."""
    place: ClaimPlace
    id: str = field(default="", kw_only=True)
    """Unique in its source: `"57.1"` is the first claim whose text starts on line 57; empty until all claims are found."""
    rough: bool = field(default=False, kw_only=True)
    """True behind `≈` and `约`: its numbers may be cut off where they end, instead of rounded."""
    origin: str | None = field(default=None, kw_only=True)
    """Where the text really stands if its code was included, `snippets/collate.py:7`; `span` is the fence then."""
    versions: tuple[Versions, ...] = field(default=(), kw_only=True)
    """In which it holds; empty = in all."""
    asks: str = field(default="", kw_only=True)
    """What it is said of, where the code stands in no fence: `torch.ones(2, 3).shape`."""
    given: str = field(default="", kw_only=True)
    """What stands for a name in it that the notes do not bind: `x = torch.arange(6.0).reshape(2, 3)`."""
    denied: bool = field(default=False, kw_only=True)
    """True if the notes say that it is not so: "True or false?" with the answer "False"."""
    options: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    """Letter and text of each option of the choice whose key says it; the marked one is the first."""
    key: Span | None = field(default=None, kw_only=True)
    """The line with the letter that marks it, if that is all that marks it."""


@dataclass(frozen=True, slots=True)
class Prints(_Claim):
    """Running the snippet writes `text`."""

    code_line: int | None
    """Index into `Snippet.code`'s lines of the print that is meant; None = in order of output."""
    stream: Literal["stdout", "stderr", "any"] = "stdout"
    elided: bool = False
    """True if `...` stands above it: lines of the output are left out there."""


@dataclass(frozen=True, slots=True)
class Shows(_Claim):
    """`target`, evaluated right after `code_line` has run, has the value `text`."""

    code_line: int
    target: str | None
    """Expression to look at (`y`, `y.shape`); None = the value of the expression statement itself."""
    instead: tuple[str, ...] = ()
    """Expressions that may be meant in its place: `t` beside `t[:, 1] = 0`, `d` below `d.backward()`, which gives nothing."""


@dataclass(frozen=True, slots=True)
class HasShape(_Claim):
    """`target` has this shape; several shapes = a sequence of tensors with these shapes."""

    code_line: int
    target: str
    shapes: tuple[tuple[int, ...], ...]
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Raises(_Claim):
    """The statement at `code_line` (None = the snippet) raises `exception` with `message`."""

    code_line: int | None
    exception: str
    message: str


class Site(StrEnum):
    """Where a name of the API is written, and so what is claimed of it; the value is the name of its form in reports."""

    PROSE = "prose"
    """In running text, which shows calls with the writer's own variables."""
    CODE = "code"
    """In a block of code, which calls it."""
    TABLE = "table"
    HEADING = "heading"
    BULLET = "bullet"
    """A list defines it."""
    SIGNATURE = "signature"
    """Alone in a fence, below the heading that names it."""
    PARAMETER = "parameter"
    """A list or a table explains it as a parameter of its owner."""
    GIVEN = "given"
    """The same, written with a value of the writer's: `lr=0.1`."""

    @property
    def is_parameter(self) -> bool:
        """True for a parameter of something, and no name of its own."""
        return self in (Site.PARAMETER, Site.GIVEN)

    @property
    def is_use(self) -> bool:
        """True where it is only used, and may be the writer's own function."""
        match self:
            case Site.PROSE | Site.CODE:
                return True
            case Site.TABLE | Site.HEADING | Site.BULLET | Site.SIGNATURE | Site.PARAMETER | Site.GIVEN:
                return False
            case _:
                assert_never(self)

    @property
    def tells_how_to_call(self) -> bool:
        """True where brackets behind a name say that it can be called; elsewhere they may be a remark."""
        match self:
            case Site.CODE | Site.TABLE | Site.SIGNATURE:
                return True
            case Site.PROSE | Site.HEADING | Site.BULLET | Site.PARAMETER | Site.GIVEN:
                return False
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists(_Claim):
    """An API with this name, and with the parameters that are written, exists.

    `text` is the name as written, `Tensor.register_hook(hook)`; a parameter row is
    `checkpoint_sequential(chunks)`.
    """

    place: ClaimPlace = "after"
    site: Site = field(repr=False)
    """Where the name is written: what is judged depends on it, and not on the name of the form."""
    owner: str | None = None
    """What the table header or the ancestors say it belongs to: `Optimizer`, `torch.utils.data`."""
    peers: tuple[str, ...] = ()
    """Names in the same row that are said to be its counterpart (`nn.CrossEntropyLoss`)."""
    alias: str | None = None
    """What the source's own code gives for its first word: `benchmark` -> `torch.utils.benchmark` (an import),
    `writer` -> `SummaryWriter`, `t1` -> `torch.ones()` (assignments); empty for a variable of which it tells nothing."""
    scopes: tuple[str, ...] = ()
    """What it may belong to where no owner is written, nearest first: names in headings, calls in code above."""
    default: str | None = None
    """What the parameter's default is said to be, as written: `7` beside `DataLoader(num_workers)`."""


Claim = Prints | Shows | HasShape | Raises
"""A claim about running code. `Exists` is judged apart, by introspection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What the author said about a snippet: `python {no-run raises=RuntimeError device=cuda seed=0 torch>=2.10}`."""

    no_run: bool = False
    raises: str | None = None
    device: str | None = None
    seed: int | None = None
    skip: str | None = None
    """Why its claims are waived, if they are."""
    versions: tuple[Versions, ...] = ()
    """In which it can be run; empty = in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Code that can perhaps be run, and what the source claims about it."""

    id: str
    """Unique in its source: `"28"`, the line of its first code line; of what a card asks `"28.1"`."""
    span: Span
    """The block that it came from."""
    code: str
    """The runnable part only: pasted outputs are cut off; `>>>` prompts removed."""
    lines: tuple[int, ...]
    """0-based source line of each line of `code`."""
    language: str
    headings: tuple[str, ...]
    """Heading path above it; the first entry is its chapter."""
    claims: tuple[Claim, ...] = ()
    candidates: tuple[str, ...] = ()
    """Every credible reading of `code` where its indentation was restored; empty = sure."""
    complete: bool = True
    cell: bool = False
    options: RunOptions = RunOptions()
    is_asked: bool = False
    """True for an expression in the text of a card, which its answer is a claim about."""

    @property
    def line(self) -> int:
        """Of its first code line, 0-based, as the document counts its lines: `span` may be on the one line of its file."""
        return int(self.id.partition(".")[0]) - 1

    @property
    def probes(self) -> tuple[tuple[int, str], ...]:
        """(code line, expression) pairs that must be evaluated while the snippet runs."""
        return tuple(
            (claim.code_line, target)
            for claim in self.claims
            if isinstance(claim, Shows | HasShape)
            for target in (claim.target, *claim.instead)
            if target
        )
