"""Claims set against observations. Pure: neither torch nor a live process is needed."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.observation import Observation, Observed, Value
from deckgen.model.verdict import ADDRESS, HELD, Verdict, VerdictKind
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed, without_magics
from deckgen.verify import sources
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.compare.arrays import SIGNS, compare_shapes, is_bracketed, meant_shape, shapes_text
from deckgen.verify.compare.drawn import MANY, Impossible, sample
from deckgen.verify.compare.findings import Addresses, Findings, Shown
from deckgen.verify.compare.numbers import Differs
from deckgen.verify.compare.texts import compare_texts
from deckgen.verify.judge.blame import (
    after_failure,
    blame_context,
    but_for_explanations,
    judge_exception,
    why_unverifiable,
    with_cause,
)
from deckgen.verify.judge.evidence import Evidence, edit_distance_key, find_evidence, is_of_one_form, live_values
from deckgen.verify.judge.place import as_placed_here
from deckgen.written.values import value_prefix


def judge(snippet: Snippet, observed: Observed, enough: int = MANY) -> tuple[Verdict, ...]:
    """One verdict for each claim of a snippet, in the order of the claims. `enough`: so many other runs exclude luck."""
    if snippet.options.skip:
        return tuple(Verdict(claim=claim, word=VerdictKind.UNVERIFIED, reason="skipped") for claim in snippet.claims)
    snippet = replace(snippet, code=without_magics(snippet.code))  # as it ran
    if snippet.candidates and observed.candidates:
        return _over_candidates(snippet, observed.candidates)
    verdicts = _judge_run(snippet, observed.first, observed.others, observed.garbage, enough)
    if observed.reset is None:
        return verdicts
    alone = _judge_run(snippet, observed.reset)
    reason = "holds when the snippet starts from torch's defaults"
    return tuple(
        replace(other, reason=reason) if one.word not in HELD and other.word in HELD else one
        for one, other in zip(verdicts, alone, strict=True)
    )


def needs_no_second_run(snippet: Snippet, run: Observation) -> bool:
    """True if one run settles every claim: nothing differed, and nothing random was near."""
    if snippet.options.skip or run.status == "not-run":
        return True
    snippet = replace(snippet, code=without_magics(snippet.code))
    evidence, verdicts = find_evidence(snippet, run), _judge_run(snippet, run)
    sized = sources.keeps_sizes("\n".join((*run.above, snippet.code)))
    for verdict in verdicts:
        shown = [one for one in evidence[verdict.claim.id].shown if one.random]
        if shown and not (sized and _holds_as_sizes(verdict, shown)):
            return False
    final = (VerdictKind.HOLDS, VerdictKind.DRIFT_FORMAT, VerdictKind.UNVERIFIED, VerdictKind.ERROR)
    return all(verdict.word in final for verdict in verdicts)


def _holds_as_sizes(verdict: Verdict, shown: Sequence[Shown]) -> bool:
    """True for a claim about nothing but sizes that are as it says."""
    of_sizes = isinstance(verdict.claim, HasShape) or verdict.shape or all(sources.is_size(one.text) for one in shown)
    return of_sizes and verdict.word is VerdictKind.HOLDS


def _over_candidates(snippet: Snippet, runs: Sequence[Observation]) -> tuple[Verdict, ...]:
    """Unsure code: a claim holds if it holds however the code was indented."""
    table = [_judge_run(replace(snippet, code=code), run) for code, run in zip(snippet.candidates, runs, strict=False)]
    complete = snippet.complete and len(runs) >= len(snippet.candidates)
    return tuple(_agreed(column, complete) for column in zip(*table, strict=True))


def _agreed(verdicts: Sequence[Verdict], complete: bool) -> Verdict:
    """The verdict on one claim over several readings of its code. If several show the very same thing, those that were not
    tried will hardly show another.
    """
    first, held = verdicts[0], [verdict for verdict in verdicts if verdict.word in HELD]
    shown = {verdict.observed for verdict in verdicts}
    complete = complete or (len(verdicts) > 1 and len(shown) == 1 and None not in shown)
    if len(held) == len(verdicts) or (not held and (complete or first.word is VerdictKind.UNVERIFIED)):
        return first
    return replace(held[0] if held else first, word=VerdictKind.UNVERIFIED, reason="assumed-indentation")


# --- one run, with the others as its witnesses ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Witnesses:
    """What other runs have seen of a claim."""

    others: Sequence[Evidence]
    few: bool
    """They are not enough to exclude luck."""
    garbage: Evidence | None
    """Of the run with garbage in memory that nobody has set."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim, something that was shown, and where that comes from."""

    snippet: Snippet
    run: Observation
    claim: Claim
    shown: Shown
    others: tuple[Shown, ...]
    """The same in other runs."""
    few: bool
    """They are not enough to exclude luck."""
    unset: bool
    """It is memory that nobody has set: garbage there is seen here."""
    kinds: frozenset[sources.Kind]
    """The kinds of sources that it draws on."""
    machine: frozenset[sources.Asked]
    """What of it the machine decides."""

    @property
    def line(self) -> int | None:
        return self.shown.line if self.shown.line is not None else self.claim.code_line

    @property
    def agreed(self) -> bool:
        return bool(self.others) and all(one.text == self.shown.text for one in self.others)

    @property
    def steady(self) -> bool:
        """Two runs agree in a number that is not zero: a clock made by hand, or a table of given times."""
        return self.agreed and any(digit in self.shown.text for digit in "123456789")

    def verdict(self, word: VerdictKind, observed: str | None, reason: str | None = None) -> Verdict:
        return _verdict(self.claim, self.run, word, observed, reason)


def _verdict(
    claim: Claim, run: Observation, word: VerdictKind, observed: str | None = None, reason: str | None = None
) -> Verdict:
    return Verdict(claim=claim, word=word, observed=observed, reason=reason, device=run.device, seed=run.seed)


def _judge_run(
    snippet: Snippet,
    first: Observation,
    others: Sequence[Observation] = (),
    garbage: Observation | None = None,
    enough: int = MANY,
) -> tuple[Verdict, ...]:
    if first.status == "not-run":
        reason = first.reason or "not-run"
        return tuple(_verdict(claim, first, VerdictKind.UNVERIFIED, reason=reason) for claim in snippet.claims)
    addresses = Addresses()
    evidence = find_evidence(snippet, first)
    seen = [find_evidence(snippet, run) for run in others]
    unset = find_evidence(snippet, garbage) if garbage is not None else {}
    verdicts = []
    for claim in snippet.claims:
        around = _Witnesses([one[claim.id] for one in seen], len(seen) < enough, unset.get(claim.id))
        verdict = _judge_claim(snippet, first, claim, evidence[claim.id], around, addresses)
        verdicts.append(after_failure(snippet, first, verdict, evidence[claim.id]))
    return tuple(blame_context(snippet, first, but_for_explanations(first, verdicts)))


def _judge_claim(
    snippet: Snippet,
    run: Observation,
    claim: Claim,
    evidence: Evidence,
    witnesses: _Witnesses,
    addresses: Addresses,
) -> Verdict:
    """The verdict by the first piece of evidence that the claim holds by, else by the likeliest one."""
    if isinstance(claim, Raises):
        return _verdict(claim, run, *judge_exception(snippet, run, claim, evidence))
    target = getattr(claim, "target", None)
    if not evidence.shown or (target is not None and not evidence.shown[0].values):
        word, reason = why_unverifiable(snippet, run, claim, evidence)  # the code died, or it never came there
        return _verdict(claim, run, word, evidence.exceptions[0].text if evidence.exceptions else None, reason)
    several = (
        claim.code_line is not None
        and [event.inner for event in run.events if event.kind in ("stdout", "value")].count(claim.code_line) > 1
    )
    failed: list[Verdict] = []
    for at, shown in enumerate(evidence.shown):
        others = tuple(one.shown[at] for one in witnesses.others if at < len(one.shown))
        line = shown.line if shown.line is not None else claim.code_line
        kinds = sources.of(snippet.code, line, target)
        of_machine = sources.of_machine(snippet.code, run.above, line, target)
        unset = _ELSEWHERE.isdisjoint(kinds) and _shows_garbage(claim, shown, witnesses.garbage, at)
        trial = addresses.copy()
        case = _Case(snippet, run, claim, shown, others, witnesses.few, unset, kinds, of_machine)
        verdict = _discount_luck(case, _compare(case, trial))
        if _is_volatile(case, verdict.observed):
            verdict = replace(verdict, unwritable="what torch shows there is another value each time")
        elif several and verdict.unwritable is None:
            verdict = replace(verdict, unwritable="its line shows several things")
        if verdict.word in HELD:
            addresses.seen, addresses.claimed = trial.seen, trial.claimed
            return verdict
        failed.append(verdict)
    likely = (
        min(range(len(failed)), key=lambda at: edit_distance_key(claim.text, evidence.shown[at].text))
        if len(failed) > 1
        else 0
    )
    silent = target is None and evidence.shown[0].text == "None" and bool(getattr(claim, "instead", None))
    if silent and not is_of_one_form(claim.text, evidence.shown[likely].text):
        return replace(
            failed[likely], word=VerdictKind.UNVERIFIED, reason="the statement gives None: the value is another's"
        )
    return failed[likely]


_ELSEWHERE = frozenset(("pointer", "timing", "hashed"))
"""What differs between any two runs, and tells nothing of memory that nobody has set."""


def _shows_garbage(claim: Claim, shown: Shown, garbage: Evidence | None, at: int) -> bool:
    """True if the run that put garbage into memory that nobody has set shows something else there.

    True for NaN that the notes do not show, too: that is the garbage, and such memory may hold it by itself.
    """
    if garbage is None:
        return False
    texts = [ADDRESS.sub("", one.text) for one in garbage.shown[at : at + 1]]
    return texts != [ADDRESS.sub("", shown.text)] or ("nan" in shown.text and "nan" not in claim.text)


_UNRELATED: tuple[tuple[sources.Kind, str], ...] = (("outside", "sandbox"), ("environment", "environment"))
"""Where a value comes from that torch has no part in, and why a difference then tells nothing."""


def _compare(case: _Case, addresses: Addresses) -> Verdict:
    shown, others, decided = case.shown, case.others, case.machine
    claim: Claim | None = case.claim
    observed = shapes_text(shown.values[0]) if isinstance(claim, HasShape) else shown.text.rstrip("\n")
    if "place" in decided and isinstance(claim, Prints | Shows):
        claim = as_placed_here(claim, observed, case.snippet.code, case.run.above, case.line)
    if "value" in decided or claim is None:
        return case.verdict(VerdictKind.UNVERIFIED, observed, "environment")
    found = _findings(case, addresses)
    if _is_same_function(claim.text, observed):
        return case.verdict(VerdictKind.HOLDS_PATTERN, observed, "its parameters were not compared")
    try:
        if isinstance(claim, HasShape):
            compare_shapes(claim, shown.values[0], [one.values[0] for one in others if one.values])
        elif (
            claim.text != observed
            or found.doubtful
            or found.pointers
            or shown.random
            or not (case.agreed or not others)
        ):
            compare_texts(claim, shown, others, found)
    except Differs as differs:
        unrelated = next((reason for kind, reason in _UNRELATED if kind in case.kinds), None)
        if "place" in decided and "random" in case.kinds and "cuda" in claim.text and "cuda" not in observed:
            unrelated = "needs-cuda"  # its generator draws other numbers
        unrelated = unrelated or _tells_nothing(case, observed) or _leaves_to_chance(case, differs)
        if unrelated:
            return case.verdict(VerdictKind.UNVERIFIED, observed, unrelated)
        meant = meant_shape(claim, shown.values)
        message, observed = meant or (str(differs), observed)
        reason = with_cause(message, case.snippet.code, case.line, claim, observed)
        return replace(case.verdict(VerdictKind.CONTRADICTED, observed, reason), shape=meant is not None)
    except RecursionError:
        return case.verdict(VerdictKind.UNVERIFIED, observed[:1000], "too-deep")
    if claim is not case.claim:
        found.note(VerdictKind.HOLDS_PATTERN, "the device is the machine's")
    return _held(case, found, observed)


_NUMBERS = pattern(r"-?\d+(?:\s*,\s*-?\d+)*")
_OPEN, _CLOSED = "([{", ")]}"
_REMARK = pattern(r"(?:[\s,;]+[^\W\d_]+){2,}\.?")
"""`becomes int` behind `<class 'torch.Tensor'>`: a remark, most likely, in a place where only output should stand."""


def _tells_nothing(case: _Case, observed: str) -> str | None:
    """Why a difference is none that the notes can be blamed for."""
    claim, values = case.claim, case.shown.values
    if isinstance(claim, Shows) and claim.place == "beside" and _NUMBERS.fullmatch(claim.text):
        count = claim.text.count(",") + 1  # `3, 1` beside `(3, 1)` is that without its brackets
        if any((value.shape or value.items) and _length(value) != count for value in values):
            return "a bare number beside something with several elements may say anything of it"
    text = claim.text
    if isinstance(claim, Prints) and _REMARK.fullmatch(text[value_prefix(text) :]):
        if text[: value_prefix(text)] == observed:
            return "words stand behind the value that is printed"
    if sum(map(text.count, _OPEN)) > sum(map(text.count, _CLOSED)) and observed.count("(") == observed.count(")"):
        return "the brackets of the value do not close"
    return None


def _length(value: Value) -> int:
    """How many numbers stand in the brackets of a value; 0 if something else does."""
    numbers = all(item.kind == "number" or item.shape == () for item in value.items)
    return len(value.items or value.data or ()) if numbers else 0


def _is_same_function(claimed: str, observed: str) -> bool:
    """True for `<function torch.nn.functional.relu(input)>`, as notebooks show `<function relu at 0x7f2>`."""
    one, other = _SIGNED.fullmatch(claimed), _PLAIN.fullmatch(observed)
    return bool(one and other and one[1].rpartition(".")[2] == other[1].rpartition(".")[2])


_SIGNED = pattern(r"<function ([\w.]+)\(.*\)(?: ?-> ?.*)?>", re.DOTALL)
_PLAIN = pattern(r"<function ([\w.]+) at 0x[0-9a-f]+>")


def _held(case: _Case, found: Findings, observed: str) -> Verdict:
    """The verdict on a claim that differs nowhere."""
    claim, decided = case.claim, case.machine
    if found.vectors:
        found.note(VerdictKind.HOLDS_PATTERN, SIGNS)
    if "clock" in decided and any(letter.isdigit() for letter in observed):
        found.note(VerdictKind.HOLDS_STRUCTURE)
    if "place" in decided and not isinstance(claim, HasShape) and sources.tells_device(f"{claim.text} {observed}"):
        found.note(VerdictKind.HOLDS_PATTERN, "the device is the machine's")
    word, reason = found.word, found.remark
    if case.unset and not isinstance(claim, HasShape):
        return case.verdict(VerdictKind.UNVERIFIED, observed, "uninitialised")
    if found.needs_real_gpu or (found.device and sources.only_tells_device(claim.text)):
        return case.verdict(VerdictKind.UNVERIFIED, observed, "needs-cuda" if found.needs_real_gpu else "environment")
    if found.device:
        word = word if word is VerdictKind.HOLDS_STRUCTURE else VerdictKind.HOLDS_PATTERN
        reason = f"holds on {case.run.device}; the notes show {found.device}"
    return replace(case.verdict(word, observed, reason), shape=found.shape and is_bracketed(claim))


def _findings(case: _Case, addresses: Addresses) -> Findings:
    """What the code says of the value before it is compared."""
    shown, kinds = case.shown, case.kinds
    place = case.snippet.code, case.line, getattr(case.claim, "target", None)
    progress = isinstance(case.claim, Prints) and case.claim.stream == "stderr"
    random = shown.random and bool({"random", "uninitialised"} & kinds)
    timed = "timing" in kinds and not case.steady
    return Findings(
        live=live_values(shown.values),
        live_elsewhere=live_values(value for one in case.others for value in one.values),
        addresses=addresses,
        random=random and not case.others,
        drawn=shown.random and not case.unset,
        unset=case.unset,
        few=case.few,
        sample=sample(*place) if shown.random else None,
        may_be_luck=random and case.few,
        indices="indices" in kinds,
        unstable=progress or timed or "clock" in case.machine,
        pointers="pointer" in kinds,
        vectors="vectors" in kinds and _shows_vectors(*place, shown.values),
        emulated=case.run.device == "cuda-emulated",
        beside_code=case.claim.place == "beside",
        picks_device=lambda: "place" in case.machine or sources.picks_device(*place),
    )


def _shows_vectors(code: str, line: int | None, target: str | None, values: Sequence[Value]) -> bool:
    """True if what is shown is what `eigh`, `svd` and their like give: a matrix, or a part of one, and not made of it.

    Eigenvalues and singular values stand in a row, and have their signs.
    """
    tree = parsed(code)
    shown: ast.AST | None = expression(target) or (None if tree is None or line is None else statement(tree, line))
    shown = shown.value if isinstance(shown, ast.Expr) else shown
    printed = isinstance(shown, ast.Call) and sources.called(shown) == "print"
    bound = bindings(code, line)
    matrix = any(len(part.shape or ()) > 1 for value in values for part in (value, *value.items))
    for one in shown.args if isinstance(shown, ast.Call) and printed else [shown]:
        node: ast.AST | None = one
        while isinstance(node, ast.Attribute | ast.Subscript):  # `torch.svd(A).U`, `Q[:, 0]`
            node = node.value
        node = bound.get(node.id, [None])[-1] if isinstance(node, ast.Name) else node
        decomposed = isinstance(node, ast.Call) and sources.called(node) in sources.VECTORS
        if decomposed and (matrix or isinstance(one, ast.Subscript)):
            return True
    return False


# --- chance -----------------------------------------------------------------------------------------

CHANCE = "chance"
"""Why a claim is not verified that luck alone may speak for, or against."""
_FEW = 8
"""Elements of which two runs may well agree by chance."""
_STEERED = pattern(r"set_rng_state|set_state|manual_seed|fork_rng|Generator\(")
"""Code that has a hand on its generator draws what it wants to."""
_FIVE = 4
"""Other runs that are enough for numbers with a fraction, of which no two agree by luck."""
_FRACTION = pattern(r"\d\.\d*[1-9]")


_AS_SEEN = frozenset({VerdictKind.HOLDS, VerdictKind.DRIFT_FORMAT, VerdictKind.CONTRADICTED})
"""Words for a claim that was compared with what was seen, as it was seen."""


def _leaves_to_chance(case: _Case, differs: Differs) -> str | None:
    """The reason if the notes may have been luckier than the runs."""
    if not case.shown.random or not case.few or isinstance(differs, Impossible):
        return None
    if case.unset and "random" not in case.kinds:
        return None
    fraction = isinstance(case.claim, Prints | Shows) and _FRACTION.search(case.shown.text) is not None
    return None if fraction and len(case.others) >= _FIVE and case.agreed else CHANCE


def _discount_luck(case: _Case, verdict: Verdict) -> Verdict:
    """A coin that fell twice the same way proves nothing; nor does an address that is a number."""
    claim, shown, kinds = case.claim, case.shown, case.kinds
    if isinstance(claim, HasShape) or verdict.word not in _AS_SEEN:
        return verdict
    if "hashed" in kinds and sorted(claim.text) == sorted(shown.text.rstrip("\n")):
        reason = "the order of a set of texts is another one each time"
        return replace(verdict, word=VerdictKind.HOLDS_STRUCTURE, reason=reason)
    if verdict.word is VerdictKind.CONTRADICTED:
        return verdict
    if "pointer" in kinds and verdict.word is VerdictKind.HOLDS and (verdict.observed or "").strip().isdigit():
        return replace(verdict, word=VerdictKind.HOLDS_PATTERN, unwritable="it is another number each time")
    if (
        case.few
        and shown.random
        and {"drawn", "indices"} <= kinds
        and case.agreed
        and not _STEERED.search(case.snippet.code)
    ):
        sizes = [len(value.data) for value in shown.values if value.data is not None]
        small = max(sizes) <= _FEW if sizes else len(shown.text) <= 40
        if small and len({_masked(text) for text in (claim.text, shown.text)}) == 1:
            return replace(verdict, word=VerdictKind.HOLDS_STRUCTURE, reason=None)
    return verdict


def _masked(text: str) -> str:
    """A text in which each digit, sign and truth value could be another: another draw could have given it."""
    return re.sub(r"True|False|[-+]?\d+(?:\.\d*)?", "#", "".join(text.split()))


def _is_volatile(case: _Case, observed: str | None) -> bool:
    """True if what was observed is another text each time."""
    if isinstance(case.claim, HasShape):
        return False
    if case.unset or "clock" in case.machine:
        return True
    if case.shown.random and ("random" in case.kinds or (case.others and not case.agreed)):
        return True
    unstable = case.kinds & ({"pointer"} if case.steady else {"pointer", "timing"})
    return bool(unstable) and any(letter.isdigit() for letter in observed or "")
