"""Judging: claims set against observations. Pure: neither torch nor a live process is needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.observation import Observation, Observed
from deckgen.model.verdict import HELD, Verdict, Word
from deckgen.text.pattern import pattern
from deckgen.text.syntax import without_magics
from deckgen.verify import causes, machine, sources
from deckgen.verify.attribute import Evidence, Shown, attribute, live_values
from deckgen.verify.blame import after_failure, in_context
from deckgen.verify.comparison.alignment import unlikeness
from deckgen.verify.comparison.eigen import SIGNS, shows_vectors
from deckgen.verify.comparison.findings import Bonds, Findings
from deckgen.verify.comparison.numbers import Differs
from deckgen.verify.comparison.samples import sample
from deckgen.verify.comparison.shapes import compare_shapes, is_bracketed, meant_shape, shapes_text
from deckgen.verify.comparison.texts import compare_texts
from deckgen.verify.exceptions import excuse, judge_exception
from deckgen.verify.machine import only_tells_device, tells_device
from deckgen.verify.told import as_spoken


def judge(snippet: Snippet, observed: Observed) -> tuple[Verdict, ...]:
    """One verdict for each claim of a snippet, in the order of the claims."""
    if snippet.options.skip:
        return tuple(Verdict(claim=c, word=Word.UNVERIFIED, reason="skipped") for c in snippet.claims)
    snippet = _readable(snippet)
    if snippet.candidates and observed.candidates:
        return _over_candidates(snippet, observed.candidates)
    verdicts = _judge_run(snippet, observed.first, observed.second)
    if observed.reset is not None:
        alone = _judge_run(snippet, observed.reset, None)
        verdicts = tuple(map(_better, verdicts, alone))
    return verdicts


def _readable(snippet: Snippet) -> Snippet:
    """The snippet as it ran: without what only a notebook understands."""
    code = without_magics(snippet.code)
    return snippet if code == snippet.code else replace(snippet, code=code)


def settled(snippet: Snippet, observation: Observation) -> bool:
    """True if one run settles every claim: nothing differed, and nothing random was near."""
    if snippet.options.skip or observation.status == "not-run":
        return True
    snippet = _readable(snippet)
    evidence = attribute(snippet, observation)
    if any(one.random for found in evidence.values() for one in found.shown):
        return False
    final = (Word.HOLDS, Word.DRIFT_FORMAT, Word.UNVERIFIED, Word.ERROR)
    return all(verdict.word in final for verdict in _judge_run(snippet, observation, None))


def _better(together: Verdict, alone: Verdict) -> Verdict:
    """A session's verdict, unless the claim holds when the snippet starts afresh."""
    if together.word in HELD or alone.word not in HELD:
        return together
    return replace(alone, reason="holds when the snippet starts from torch's defaults")


def _over_candidates(snippet: Snippet, runs: Sequence[Observation]) -> tuple[Verdict, ...]:
    """Unsure code: a claim holds if it holds however the code was indented."""
    table = [
        _judge_run(replace(snippet, code=code), run, None) for code, run in zip(snippet.candidates, runs, strict=False)
    ]
    complete = snippet.complete and len(runs) >= len(snippet.candidates)
    return tuple(_agreed(list(column), complete) for column in zip(*table, strict=True))


def _agreed(verdicts: list[Verdict], complete: bool) -> Verdict:
    held = [verdict for verdict in verdicts if verdict.word in HELD]
    first = verdicts[0]
    complete = complete or _indentation_is_nothing(verdicts)
    if len(held) == len(verdicts):
        return first
    if not held and complete:
        return first
    if not held and first.word is Word.UNVERIFIED:
        return first
    return replace(held[0] if held else first, word=Word.UNVERIFIED, reason="assumed-indentation")


def _indentation_is_nothing(verdicts: Sequence[Verdict]) -> bool:
    """True if several readings show the very same thing: those that were not tried will hardly show another."""
    shown = {verdict.observed for verdict in verdicts}
    return len(verdicts) > 1 and len(shown) == 1 and None not in shown


# --- one run, with the second as its witness --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """What the verdicts of one snippet share."""

    snippet: Snippet
    first: Observation
    second: Observation | None
    bonds: Bonds


def _judge_run(snippet: Snippet, first: Observation, second: Observation | None) -> tuple[Verdict, ...]:
    if first.status == "not-run":
        reason = first.reason or "not-run"
        return tuple(_verdict(c, first, Word.UNVERIFIED, reason=reason) for c in snippet.claims)
    case = _Case(snippet, first, second, Bonds())
    evidence = attribute(snippet, first)
    witness = attribute(snippet, second) if second is not None and second.status != "not-run" else {}
    verdicts = []
    for claim in snippet.claims:
        verdict = _judge_claim(case, claim, evidence[claim.id], witness.get(claim.id))
        verdicts.append(as_spoken(after_failure(snippet, first, verdict, evidence[claim.id]), first))
    return tuple(in_context(snippet, first, verdicts))


def _judge_claim(case: _Case, claim: Claim, evidence: Evidence, witness: Evidence | None) -> Verdict:
    if isinstance(claim, Raises):
        return _verdict(claim, case.first, *judge_exception(case.snippet, case.first, claim, evidence))
    if not evidence.shown or _probe_failed(evidence.shown[0], claim):
        return _unseen(case, claim, evidence)
    worst: Verdict | None = None
    least = (0, 0, 0)
    for at, shown in enumerate(evidence.shown):
        again = witness.shown[at] if witness and at < len(witness.shown) else None
        trial = replace(case, bonds=Bonds(dict(case.bonds.forward), dict(case.bonds.backward)))
        verdict = _judge_shown(trial, claim, shown, again)
        if verdict.unwritable is None and _shows_several(case.first, claim):
            verdict = replace(verdict, unwritable="its line shows several things")
        if verdict.word in HELD:
            case.bonds.forward.update(trial.bonds.forward)
            case.bonds.backward.update(trial.bonds.backward)
            return verdict
        cost = unlikeness(claim.text, shown.text) if len(evidence.shown) > 1 else least
        if worst is None or cost < least:
            worst, least = verdict, cost
    assert worst is not None  # noqa: S101 - there was at least one piece of evidence
    return worst


def _shows_several(run: Observation, claim: Claim) -> bool:
    """True for a line in a loop."""
    line = claim.code_line
    return line is not None and sum(e.kind in ("stdout", "value") and e.inner == line for e in run.events) > 1


def _probe_failed(shown: Shown, claim: Claim) -> bool:
    return not isinstance(claim, Prints | Raises) and claim.target is not None and not shown.values


def _unseen(case: _Case, claim: Claim, evidence: Evidence) -> Verdict:
    """Nothing was seen where the claim says something is shown: the code died, or it never came there."""
    word, reason = excuse(case.snippet, case.first, claim, evidence)
    shown = evidence.exceptions[0].text if evidence.exceptions else None
    return _verdict(claim, case.first, word, shown, reason)


_SURROUNDINGS: tuple[tuple[sources.Kind, str], ...] = (("outside", "sandbox"), ("environment", "environment"))
"""Where a value comes from that torch has no part in, and why a difference then tells nothing."""


def _judge_shown(case: _Case, claim: Claim, shown: Shown, again: Shown | None) -> Verdict:
    verdict = _but_for_chance(case, claim, shown, again, _compared(case, claim, shown, again))
    if not _is_volatile(case, claim, shown, again, verdict.observed):
        return verdict
    return replace(verdict, unwritable="what torch shows there is another value each time")


def _place(claim: Claim, shown: Shown) -> tuple[int | None, str | None]:
    """The line that showed something, and the expression that a claim looks at after it."""
    return shown.line if shown.line is not None else claim.code_line, getattr(claim, "target", None)


_FEW = 8
"""Elements of which two runs may well agree by chance."""


def _but_for_chance(case: _Case, claim: Claim, shown: Shown, again: Shown | None, verdict: Verdict) -> Verdict:
    """A coin that fell twice the same way proves nothing, for the claim or against it; nor does an address that is a number."""
    if isinstance(claim, HasShape) or verdict.word not in (Word.HOLDS, Word.DRIFT_FORMAT, Word.CONTRADICTED):
        return verdict
    line, target = _place(claim, shown)
    kinds = sources.of(case.snippet.code, line, target)
    if "pointer" in kinds and verdict.word is Word.HOLDS and (verdict.observed or "").strip().isdigit():
        return replace(verdict, word=Word.HOLDS_PATTERN, unwritable="it is another number each time")
    agreed = again is not None and again.text == shown.text
    drawn = shown.random and {"drawn", "indices"} <= kinds and agreed and not _STEERED.search(case.snippet.code)
    if drawn and _is_small(shown) and _is_same_kind(claim.text, shown.text):
        return replace(verdict, word=Word.HOLDS_STRUCTURE, reason=None)
    if "hashed" in kinds and sorted(claim.text) == sorted(shown.text.rstrip("\n")):
        return replace(
            verdict, word=Word.HOLDS_STRUCTURE, reason="the order of a set of texts is another one each time"
        )
    return verdict


_STEERED = pattern(r"set_rng_state|set_state|manual_seed|fork_rng|Generator\(")
"""Code that has a hand on its generator draws what it wants to."""


def _is_small(shown: Shown) -> bool:
    sizes = [len(value.data) for value in shown.values if value.data is not None]
    return len(shown.text) <= 40 if not sizes else max(sizes) <= _FEW


def _is_same_kind(claimed: str, seen: str) -> bool:
    """True if two texts differ in no more than digits, signs and truth values: another draw could have given the other."""
    masks = (re.sub(r"True|False|[-+]?\d+(?:\.\d*)?", "#", "".join(text.split())) for text in (claimed, seen))
    return len(set(masks)) == 1


_UNSTABLE: frozenset[sources.Kind] = frozenset(("uninitialised", "timing", "pointer"))


def _is_volatile(case: _Case, claim: Claim, shown: Shown, again: Shown | None, observed: str | None) -> bool:
    """True if what was observed is another text each time."""
    if isinstance(claim, HasShape):
        return False
    line, target = _place(claim, shown)
    kinds = sources.of(case.snippet.code, line, target)
    if shown.random and ("random" in kinds or (again is not None and again.text != shown.text)):
        return True
    if machine.of(case.snippet.code, case.first.above, line, target).clock:
        return True
    unstable = kinds & _UNSTABLE - ({"timing"} if _is_steady(shown, again) else set())
    return bool(unstable) and any(letter.isdigit() for letter in observed or "")


def _is_steady(shown: Shown, again: Shown | None) -> bool:
    """True for numbers that two runs agree in: a clock made by hand, or a table of given times. Zero seconds prove nothing."""
    return again is not None and again.text == shown.text and any(digit in shown.text for digit in "123456789")


def _compared(case: _Case, claim: Claim, shown: Shown, again: Shown | None) -> Verdict:
    line, target = _place(claim, shown)
    kinds = sources.of(case.snippet.code, line, target)
    observed = shapes_text(shown.values[0]) if isinstance(claim, HasShape) else shown.text.rstrip("\n")
    of_machine = machine.of(case.snippet.code, case.first.above, line, target)
    if of_machine.value or (of_machine.place and _only_device(claim, observed)):
        return _verdict(claim, case.first, Word.UNVERIFIED, observed, "environment")
    if (
        isinstance(claim, Prints | Shows)
        and not (of_machine.place or of_machine.clock)
        and _plainly_equal(claim, shown, again, kinds)
    ):
        return _verdict(claim, case.first, Word.HOLDS, observed)
    found = _findings(case, claim, shown, again)
    found.unstable = found.unstable or of_machine.clock
    try:
        if isinstance(claim, HasShape):
            compare_shapes(claim, shown.values[0], again.values[0] if again and again.values else None)
        else:
            compare_texts(claim, shown, again, found)
    except Differs as differs:
        surroundings = next((reason for kind, reason in _SURROUNDINGS if kind in kinds), None)
        if surroundings:
            return _verdict(claim, case.first, Word.UNVERIFIED, observed, surroundings)
        meant = meant_shape(claim, shown.values)
        message, observed = meant or (str(differs), observed)
        reason = causes.with_cause(message, case.snippet.code, line, claim, observed)
        return replace(_verdict(claim, case.first, Word.CONTRADICTED, observed, reason), shape=meant is not None)
    except RecursionError:
        return _verdict(claim, case.first, Word.UNVERIFIED, observed[:1000], "too-deep")
    if found.vectors:
        found.note(Word.HOLDS_PATTERN, SIGNS)
    if of_machine.clock and any(letter.isdigit() for letter in observed):
        found.note(Word.HOLDS_STRUCTURE)
    if of_machine.place and not isinstance(claim, HasShape) and tells_device(f"{claim.text} {observed}"):
        found.note(Word.HOLDS_PATTERN, "the device is the machine's")
    return _held(case, claim, found, observed)


def _only_device(claim: Claim, observed: str) -> bool:
    """True if both sides of a claim say nothing but a device, or whether it is a GPU."""
    return not isinstance(claim, HasShape | Raises) and (
        only_tells_device(claim.text) or (claim.text in ("True", "False") and observed in ("True", "False"))
    )


def _plainly_equal(claim: Prints | Shows, shown: Shown, again: Shown | None, kinds: frozenset[sources.Kind]) -> bool:
    """True if the claim is what was shown to the letter, and nothing random, timed or unset is near."""
    text = shown.text.rstrip("\n")
    same = claim.text == text and (again is None or again.text == shown.text)
    unsure = kinds & {"uninitialised", "timing", "pointer", "vectors"}
    measured = bool(unsure) and (unsure != {"timing"} or any(letter.isdigit() for letter in text))
    return same and not shown.random and not measured


def _held(case: _Case, claim: Claim, found: Findings, observed: str) -> Verdict:
    word, reason = found.word, found.remark
    if found.strayed:
        return _verdict(claim, case.first, Word.UNVERIFIED, observed, "needs-cuda")
    if found.device:
        if only_tells_device(claim.text):
            return _verdict(claim, case.first, Word.UNVERIFIED, observed, "environment")
        word = word if word is Word.HOLDS_STRUCTURE else Word.HOLDS_PATTERN
        reason = f"holds on {case.first.device}; the notes show {found.device}"
    return replace(_verdict(claim, case.first, word, observed, reason), shape=found.shape and is_bracketed(claim))


def _findings(case: _Case, claim: Claim, shown: Shown, again: Shown | None) -> Findings:
    line, target = _place(claim, shown)
    kinds = sources.of(case.snippet.code, line, target)
    progress = isinstance(claim, Prints) and claim.stream == "stderr"
    drawn = shown.random and ("random" in kinds or not again)
    return Findings(
        live=live_values(shown.values),
        live_again=live_values(again.values) if again else {},
        bonds=case.bonds,
        random=drawn and again is None and "random" in kinds,
        sample=sample(case.snippet.code, line, target) if drawn else None,
        lucky=shown.random and "random" in kinds,
        indices="indices" in kinds,
        unstable=progress or "uninitialised" in kinds or ("timing" in kinds and not _is_steady(shown, again)),
        unset="uninitialised" in kinds and not progress and "timing" not in kinds,
        pointers="pointer" in kinds,
        vectors="vectors" in kinds and shows_vectors(case.snippet.code, line, target, shown.values),
        emulated=case.first.device == "cuda-emulated",
        brief=claim.place == "beside",
        picks_device=partial(sources.picks_device, case.snippet.code, line, target),
    )


def _verdict(
    claim: Claim,
    run: Observation,
    word: Word,
    observed: str | None = None,
    reason: str | None = None,
) -> Verdict:
    return Verdict(claim=claim, word=word, observed=observed, reason=reason, device=run.device, seed=run.seed)
