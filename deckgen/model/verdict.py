"""Verdicts: a claim set against an observation, in fixed words (docs/design.md).

What is false in the notes, and what would be true in its place.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from deckgen.model.claim import Claim, Exists, Raises
from deckgen.model.observation import Environment, Observed
from deckgen.text.pattern import pattern


class VerdictKind(StrEnum):
    """What became of a claim about running code."""

    HOLDS = "holds"
    HOLDS_STRUCTURE = "holds-structure"
    HOLDS_PATTERN = "holds-pattern"
    DRIFT_FORMAT = "drift-format"
    DRIFT_DIGITS = "drift-digits"
    CONTRADICTED = "contradicted"
    ERROR = "error"
    UNVERIFIED = "unverified"
    SKIPPED = "skipped"
    """It is about other versions than these."""


HELD = frozenset({VerdictKind.HOLDS, VerdictKind.HOLDS_STRUCTURE, VerdictKind.HOLDS_PATTERN, VerdictKind.DRIFT_FORMAT})
CHECKED = frozenset(VerdictKind) - {VerdictKind.UNVERIFIED, VerdictKind.SKIPPED}
FALSE = frozenset({VerdictKind.CONTRADICTED, VerdictKind.ERROR})
"""What the notes say is not so."""
DOUBTFUL = FALSE | {VerdictKind.DRIFT_DIGITS}
"""What is looked at once more: something besides the notes may be to blame."""
DIFFERING = frozenset({VerdictKind.CONTRADICTED, VerdictKind.DRIFT_DIGITS, VerdictKind.DRIFT_FORMAT})
"""Torch shows another text than the notes, and it was compared."""
_BLAMED = frozenset({"context", "assumed-indentation"})
"""Reasons why a difference that was found does not count as one."""
_DIFF_LINES = 200
UNDECIDABLE = ("chance", "uninitialised")
"""Reasons that lie in the claim: no run of any machine could judge it."""
SKIPPED = "skipped"
"""How the reason of a verdict begins that the author did not want."""


class NameVerdict(StrEnum):
    """What became of a claim that an API exists."""

    EXISTS = "exists"
    SIGNATURE_DIFFERS = "signature-differs"
    RENAMED = "renamed"
    MISSING = "missing"
    DEPRECATED = "deprecated"
    WRONG_PAIR = "wrong-pair"
    NOT_AN_API = "not-an-api"
    UNVERIFIED = "unverified"
    SKIPPED = "skipped"
    """It is about other versions than these."""


API_FINE = frozenset(
    {
        NameVerdict.EXISTS,
        NameVerdict.DEPRECATED,
        NameVerdict.NOT_AN_API,
        NameVerdict.UNVERIFIED,
        NameVerdict.SKIPPED,
    }
)


FAILING: frozenset[str] = FALSE | (frozenset(NameVerdict) - API_FINE)
"""Words that make a run fail, unless `--fail-on none` says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement of one claim."""

    claim: Claim
    word: VerdictKind
    observed: str | None = None
    """What torch shows instead, in the form of the claim; None if nothing was seen."""
    reason: str | None = None
    """For `unverified` one of the fixed reasons, for `skipped` the version that is here; otherwise one line that teaches."""
    device: str = "cpu"
    seed: int | None = None
    shape: bool = False
    """True if its text is meant as the shape of what is shown."""
    unwritable: str | None = None
    """Why what was observed must not be written into the notes: it is another text each time, or one of several."""

    @property
    def waived(self) -> bool:
        """True if the author wants it left unjudged: by a waiver, by `{no-run}`, by a range of versions."""
        waived = self.word is VerdictKind.UNVERIFIED and (self.reason or "").startswith(SKIPPED)
        return waived or self.word is VerdictKind.SKIPPED

    @property
    def is_false(self) -> bool:
        return self.word in FALSE

    @property
    def undecidable(self) -> bool:
        return self.word is VerdictKind.UNVERIFIED and self.reason in UNDECIDABLE

    @property
    def diff(self) -> str | None:
        """Claimed and observed as a unified diff without its header; None where it would not help."""
        tells = self.word in DIFFERING or self.reason in _BLAMED
        if self.observed is None or not tells or isinstance(self.claim, Raises):
            return None
        one, other = self.claim.text.split("\n"), self.observed.split("\n")
        if max(len(one), len(other)) > _DIFF_LINES:
            return None
        lines = difflib.unified_diff(one, other, "claimed", "observed", lineterm="", n=2)
        return "\n".join(lines) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiVerdict:
    """The judgement of one name as written."""

    claim: Exists
    word: NameVerdict
    qualified: str | None = None
    """`torch.Tensor.register_hook`."""
    signature: str | None = None
    """Of the live object, without annotations."""
    suggestion: str | None = None
    """The near name or parameter."""
    reason: str | None = None
    compared: bool = False
    """True if the default that the claim states was compared with torch's."""

    @property
    def is_false(self) -> bool:
        return self.word not in API_FINE


@dataclass(frozen=True, slots=True, kw_only=True)
class CardVerdict:
    """What became of the code of an Output card, run alone as the learner sees it."""

    answer: str | None = None
    """What it gives, letter for letter, where the notes say it otherwise; None = it is what the notes say."""
    reason: str | None = None
    """Why the card cannot be asked: its code stops, gives something else, or something else each time."""


FAILS = "fails"
"""What is said of a snippet that raises what the notes do not tell."""
BROAD_WAIVER = "broad-waiver"
"""What is said of a waiver that hides more than single claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A statement that ended with an exception, which the notes do not say."""

    line: int
    """0-based line of the source."""
    message: str
    """`TypeError: ...`, on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was found out about one source."""

    source: str
    runs: Mapping[str, Observed]
    """By snippet id; a snippet that nobody wanted to run has an observation with `not-run`."""
    verdicts: tuple[Verdict, ...]
    """In document order, one for every claim of every snippet."""
    apis: tuple[ApiVerdict, ...]
    fails: Mapping[str, Failure] = field(default_factory=dict)
    """By snippet id."""
    cards: Mapping[tuple[str, ...], CardVerdict] = field(default_factory=dict)
    """By the claims of an Output note; those whose claims do not hold are not run."""
    unique: frozenset[tuple[str, str]] = frozenset()
    """(name, meaning) of Api notes whose meaning fits that name of the library and no other."""

    @property
    def every(self) -> tuple[Verdict | ApiVerdict, ...]:
        """Of claims, then of API names."""
        return (*self.verdicts, *self.apis)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of one run over all sources."""

    environment: Environment
    sources: tuple[Checked, ...]
    imports: Mapping[str, str] = field(default_factory=dict)
    """The packages that it rests on besides torch, by name: each with what it was then (`Packages`)."""
    took: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Seconds for which the snippets of a source ran, by its name; of one whose observations were kept there are none."""
    spent: Mapping[str, float] = field(default_factory=dict)
    """Seconds of processor time that snippets took now, by their code, where that is known."""

    @property
    def by_source(self) -> dict[str, Checked]:
        """What was checked in each source, by its name."""
        return {source.source: source for source in self.sources}


DEFAULT = pattern("«claim.mentions_default»")
ADDRESS = pattern(r"\b0x[\da-f]{6,}")
"""Of an object: another one in each run."""
_LONGEST = 200


def both_sides(verdict: Verdict | ApiVerdict) -> tuple[str, str]:
    """What the notes say, and what torch says; empty where torch says nothing instead."""
    if isinstance(verdict, Verdict):
        return verdict.claim.text, verdict.observed or verdict.reason or ""
    if parameter := _default_of(verdict):
        return f"{parameter}={verdict.claim.default}", verdict.suggestion or ""
    return verdict.claim.text, verdict.suggestion or verdict.signature or verdict.reason or ""


def correction(verdict: Verdict | ApiVerdict) -> tuple[str, str] | None:
    """(the text that is false, the text to put in its place), if there are such: of `p=0.1` no more than the value."""
    if isinstance(verdict, Verdict):
        short = verdict.observed is not None and len(verdict.observed) <= _LONGEST
        return (verdict.claim.text, verdict.observed or "") if short else None
    suggestion = verdict.suggestion or ""
    if _default_of(verdict):
        claimed, live = verdict.claim.default or "", suggestion.partition("=")[2]
        return claimed, live if claimed[:1] in "'\"" or live[:1] not in "'\"" else live.strip("'\"")
    if verdict.word is NameVerdict.RENAMED and suggestion:
        return verdict.claim.text.partition("(")[0], suggestion
    return None


def right_option(verdict: Verdict | ApiVerdict) -> tuple[str, str] | None:
    """Letter and text of the option that says what torch says, where the key of a choice marks another one."""
    instead = correction(verdict) if verdict.is_false and verdict.claim.options else None
    if instead is None:
        return None
    observed = instead[1]
    if isinstance(verdict.claim, Raises):
        observed = observed.partition(":")[0].rpartition(".")[2]
    fitting = [one for one in verdict.claim.options[1:] if _bare(one[1]) == _bare(observed)]
    return fitting[0] if len(fitting) == 1 else None


def wrong_key(verdict: Verdict | ApiVerdict) -> str | None:
    """`A is marked, B is right`, where that is so."""
    right = right_option(verdict)
    return f"{verdict.claim.options[0][0]} is marked, {right[0]} is right" if right else None


def _bare(text: str) -> str:
    """A value without what may be written otherwise: `torch.Size([2, 3])` and `(2, 3)`."""
    squeezed = _SPACE.sub("", text)
    return _SIZE.sub(r"(\1)", squeezed).replace("torch.", "").replace(",)", ")")


_SPACE = pattern(r"[\s`'\"]")
_SIZE = pattern(r"torch\.Size\(\[([\d,]*)\]\)")


def _default_of(verdict: ApiVerdict) -> str:
    """`p` of a claim about `Dropout(p)` if its default is what torch denies."""
    parameter = verdict.claim.text.partition("(")[2].rstrip(")")
    denied = verdict.claim.default is not None and (verdict.suggestion or "").startswith(f"{parameter}=")
    return parameter if denied else ""


def place_of(text: str, false: str) -> tuple[int, int] | None:
    """Where a falsehood stands in a text as a word of its own: once, or once on a line that tells of a default."""
    if not false:
        return None
    found = [match.span() for match in re.finditer(rf"(?<![\w.]){re.escape(false)}(?!\w|\.\w)", text)]
    if len(found) > 1:
        found = [place for place in found if DEFAULT.search(text, text.rfind("\n", 0, place[0]) + 1, place[0])]
    return found[0] if len(found) == 1 else None


def printed_instead(output: str, verdicts: Sequence[Verdict], false: Collection[object]) -> str:
    """What code prints that the notes answer with these claims: those that are false are replaced where they stand, in
    order; if one of them is not there, or an error ends the code, it is a line for each. Addresses, which are others each
    time, are left out.
    """
    lines: list[str] = []
    in_place, start = len(verdicts) != 1, 0  # the notes may dress a single one
    for verdict in verdicts:
        claimed = verdict.claim.text
        lines.append(both_sides(verdict)[1] if verdict in false else claimed)
        at = output.find(claimed, start) if in_place else -1
        if verdict.word is VerdictKind.ERROR:
            in_place = False
            break
        if at < 0:
            in_place = False
        else:
            output, start = output[:at] + lines[-1] + output[at + len(claimed) :], at + len(lines[-1])
    return ADDRESS.sub("0x…", output if in_place else "\n".join(lines))
