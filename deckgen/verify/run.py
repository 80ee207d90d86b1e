"""One run of `verify`: the plan of each document, its observations, and the verdicts on what it claims."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from deckgen.model.claim import Snippet
from deckgen.model.document import Extraction
from deckgen.model.errors import EngineError, UsageError
from deckgen.model.observation import Environment, Observation, Observed
from deckgen.model.verdict import (
    DOUBTFUL,
    HELD,
    ApiVerdict,
    CardVerdict,
    Checked,
    NameVerdict,
    Verdict,
    VerdictKind,
    Verification,
)
from deckgen.text.wording import near_ones
from deckgen.verify.compare.drawn import MOST
from deckgen.verify.engine.engine import Engine, FurtherRuns, Progress, Runs, VerifyOptions, silent
from deckgen.verify.engine.interpreter import located, look_at
from deckgen.verify.judge import CHANCE, judge, needs_no_second_run
from deckgen.verify.judge.blame import failures, mark_doubtful, proven_names
from deckgen.verify.judge.cards import ID, Card, as_run, cards_of, have_run, judge_card, needs_second_run, plan_of
from deckgen.verify.names.judge import judge_apis, names_to_look_up
from deckgen.verify.names.meanings import Library, askable, library_request
from deckgen.verify.plan import MODULES, Plan, plan
from deckgen.verify.triage import triage
from deckgen.verify.versions import Installed, outside

DEVICES = ("auto", "cpu", "cuda", "emulated")
NO_TORCH = (
    "pip install torch --index-url https://download.pytorch.org/whl/cpu (the build without CUDA), "
    'then pip install "torch-deckgen[torch]"; or name an interpreter that has torch: --python PATH; '
    "or make cards and run nothing: deckgen build --no-run"
)
"""What to do where deckgen is installed and torch is not."""


def verify(
    extractions: Sequence[Extraction], options: VerifyOptions | None = None, progress: Progress = silent
) -> Verification:
    """Verdicts for every claim and API name of these documents.

    Raises EngineError if there is something to run and the worker cannot import torch.
    """
    options = options or VerifyOptions()
    if options.device not in DEVICES:
        hint = near_ones(options.device, DEVICES) or f"one of {', '.join(DEVICES)}"
        raise UsageError(f"unknown device `{options.device}`", hint=hint)
    snippets = [snippet for extraction in extractions for snippet in extraction.snippets]
    engine = engine_of(options, (module for snippet in snippets for module in triage(snippet.code).modules))
    interpreter = engine.interpreter
    if snippets or any(one.apis for one in extractions):
        _insist_on_torch(engine)
    gpus = interpreter.gpus if options.device in ("auto", "cuda") else 0
    installed: Installed = {"torch": interpreter.torch, "python": interpreter.python, "gpus": str(gpus)}
    plans = [plan(one, options.prelude, interpreter.can_import, installed) for one in extractions]
    try:
        observed = engine.observe([session for planned in plans for session in planned.sessions], progress)
        asked = [names_to_look_up(one.apis) for one in extractions if one.apis]
        facts = iter(engine.introspect_all(asked))  # of several documents in one session
        named = [judge_apis(one.apis, next(facts)) if one.apis else () for one in extractions]
        checked = [_checked(*one, observed) for one in zip(extractions, plans, named, strict=True)]
        checked = [_in_range(one, installed) for one in checked]
        checked = _with_unique(engine, extractions, checked)
        sources = _with_cards(engine, extractions, checked, have_run(plans, observed, options.prelude), options.prelude)
    finally:
        engine.close()
    imports = {**engine.imports, **interpreter.asked}
    spent, took = _totals(engine.spent), _totals(engine.took)
    where = _environment(engine, plans)
    return Verification(environment=where, sources=sources, imports=imports, spent=spent, took=took)


def _totals(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The seconds of each name."""
    found: dict[str, float] = defaultdict(float)
    for name, seconds in parts:
        found[name] += seconds
    return dict(found)


def _insist_on_torch(engine: Engine) -> None:
    """Raises EngineError where there is no torch to ask: deckgen itself can be installed without it."""
    interpreter = engine.interpreter
    if interpreter.has_torch:
        return
    raise EngineError(
        f"{interpreter.executable} has no torch",
        hint="install torch there, or name another interpreter with --python" if engine.options.python else NO_TORCH,
    )


def look_up(request: dict[str, Any], options: VerifyOptions) -> dict[str, Any]:
    """Facts about API names, from the live torch; `request` as `names_to_look_up` makes it."""
    engine = engine_of(options, ())
    _insist_on_torch(engine)
    try:
        return engine.introspect(request)
    finally:
        engine.close()


def engine_of(options: VerifyOptions, modules: Iterable[str]) -> Engine:
    """An engine for these options; `modules`: packages that another interpreter is asked about, in one question."""
    executable = located(options.python) if options.python else sys.executable
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    safe_to_fork = sys.platform.startswith("linux")  # elsewhere not after `import torch`
    engine = options.engine if options.engine != "auto" else "fork" if safe_to_fork else "spawn"
    if options.dask:
        from deckgen.verify.engine.dask_engine import waiting_sessions

        engine, processors = "dask", waiting_sessions(options.dask, options.sandbox)
    interpreter = look_at(executable, {"torch", *MODULES.values(), *modules})
    return Engine(
        options,
        interpreter,
        engine,
        options.jobs or processors,
        FurtherRuns(_needs_second_run, _needs_another_process, _needs_draws, _needs_reset),
    )


def why_no_cuda(python: Path | None) -> str | None:
    """Why nothing of an interpreter's can run on a GPU here; None if it is worth trying. Raises EngineError if it does not start."""
    interpreter = look_at(located(python) if python else sys.executable, ())
    if interpreter.has_cuda:
        return None
    if interpreter.cuda_build:
        return "there is no CUDA device here: no NVIDIA driver was found"
    return f"there is no CUDA device for torch {interpreter.torch}: it is no CUDA build"


def _needs_second_run(snippet: Snippet, observation: Observation) -> bool:
    return (
        needs_second_run(snippet.code, observation)
        if snippet.id == ID
        else not needs_no_second_run(snippet, observation)
    )


def _needs_another_process(snippet: Snippet, observed: Observed) -> bool:
    """True if a verdict would be against the source, or is open, and the order of a set or an address may be to blame. Of a card
    only its random numbers are open."""
    return snippet.id != ID and any(one.word in DOUBTFUL or one.reason == CHANCE for one in judge(snippet, observed))


def _needs_draws(snippet: Snippet, observed: Observed) -> bool:
    return snippet.id != ID and any(verdict.reason == CHANCE for verdict in judge(snippet, observed, enough=MOST))


def _needs_reset(snippet: Snippet, observed: Observed) -> bool:
    return any(one.word in DOUBTFUL or _for_its_context(one) for one in judge(snippet, observed))


def _environment(engine: Engine, plans: Sequence[Plan]) -> Environment:
    interpreter, hello = engine.interpreter, engine.workers.hello
    devices = {engine.device(session) for planned in plans for session in planned.sessions}
    device = next((name for name in ("cuda", "cuda-emulated") if name in devices), "cpu")
    return Environment(
        torch=interpreter.torch or str(hello.get("torch", "")),
        python=interpreter.python,
        device=str(hello.get("device", device)),
        sandbox=engine.known_level() or "off",
        engine=engine.engine if hello else "cache",
    )


# What was found


def _checked(extraction: Extraction, planned: Plan, named: Sequence[ApiVerdict], observed: Runs) -> Checked:
    snippets = extraction.snippets
    runs = mark_doubtful(planned, {snippet.id: _seen(planned, snippet.id, observed) for snippet in snippets})
    return Checked(
        source=planned.source,
        runs=runs,
        verdicts=tuple(judged(snippets, planned, runs)),
        apis=tuple(map(_name_as_said, named)),
        fails=failures(extraction, planned, runs),
    )


def _in_range(checked: Checked, installed: Installed) -> Checked:
    """The same; of what is about other versions nobody says that it is false, nor that it could not be checked."""
    verdicts, apis = list(checked.verdicts), list(checked.apis)
    for at, verdict in enumerate(verdicts):
        if here := outside(verdict.claim.versions, installed):
            verdicts[at] = Verdict(claim=verdict.claim, word=VerdictKind.SKIPPED, reason=here)
    for at, name in enumerate(apis):
        here = outside((one for one in name.claim.versions if not one.is_of_gpus), installed)  # a name needs no GPU
        if here:
            apis[at] = ApiVerdict(claim=name.claim, word=NameVerdict.SKIPPED, reason=here)
    return replace(checked, verdicts=tuple(verdicts), apis=tuple(apis))


def _seen(planned: Plan, name: str, observed: Runs) -> Observed:
    return observed.get((planned.source, name)) or Observed(first=planned.refused[name])


def judged(snippets: Sequence[Snippet], planned: Plan, runs: Mapping[str, Observed]) -> list[Verdict]:
    """The verdicts in order. A name that a claim of one chapter shows to be meant is meant in the others, too."""
    takes = {step.snippet.id: step.takes for session in planned.sessions for step in session.steps}
    found = {snippet.id: judge(snippet, runs[snippet.id]) for snippet in snippets}
    proven: set[tuple[str, str]] = set()
    """(name, id of the snippet that bound it)."""
    for snippet in snippets:
        names = proven_names(snippet, runs[snippet.id].first, found[snippet.id])
        proven.update(bound for bound in takes.get(snippet.id, ()) if bound[0] in names)
    for snippet in snippets:
        known = {bound[0] for bound in takes.get(snippet.id, ()) if bound in proven}
        if known and any(map(_for_its_context, found[snippet.id])):
            found[snippet.id] = judge(snippet, _knowing(runs[snippet.id], known))
    return [_as_said(verdict) for snippet in snippets for verdict in found[snippet.id]]


def _as_said(verdict: Verdict) -> Verdict:
    """Of what the notes deny the contrary."""
    if not verdict.claim.denied:
        return verdict
    if verdict.word is VerdictKind.CONTRADICTED:
        return replace(verdict, word=VerdictKind.HOLDS, observed=None, reason=None)
    if verdict.word in HELD:
        return replace(
            verdict,
            word=VerdictKind.CONTRADICTED,
            observed=None,
            reason="the notes say that it is false, and it is true",
        )
    return verdict


def _name_as_said(verdict: ApiVerdict) -> ApiVerdict:
    """Of a name or parameter that the notes say is not there the contrary."""
    if not verdict.claim.denied:
        return verdict
    if verdict.word is NameVerdict.EXISTS:
        return replace(
            verdict, word=NameVerdict.SIGNATURE_DIFFERS, reason="the notes say that there is none, and there is"
        )
    if verdict.word in (NameVerdict.SIGNATURE_DIFFERS, NameVerdict.MISSING, NameVerdict.RENAMED):
        return replace(verdict, word=NameVerdict.EXISTS, suggestion=None, reason=None)
    return verdict


def _for_its_context(verdict: Verdict) -> bool:
    return verdict.word is VerdictKind.UNVERIFIED and verdict.reason == "context"


def _knowing(observed: Observed, known: set[str]) -> Observed:
    """The same runs, with names that are no longer in doubt."""

    def sure(run: Observation) -> Observation:
        return replace(run, context=tuple(name for name in run.context if name not in known))

    candidates = tuple(map(sure, observed.candidates))
    reset = observed.reset and sure(observed.reset)
    return replace(observed, first=sure(observed.first), reset=reset, candidates=candidates)


def _with_unique(engine: Engine, extractions: Sequence[Extraction], checked: Sequence[Checked]) -> list[Checked]:
    """The same with the meanings that fit one name of the library only, which is listed once for all of them."""
    asked = [askable(one.notes) if one.apis else () for one in extractions]
    if not any(asked):
        return list(checked)
    library = Library(engine.introspect(library_request())["library"])
    return [replace(one, unique=library.unique(bodies)) for one, bodies in zip(checked, asked, strict=True)]


def _with_cards(
    engine: Engine,
    extractions: Sequence[Extraction],
    checked: Sequence[Checked],
    known: Mapping[str, tuple[str, Observed]],
    prelude: Sequence[str],
) -> tuple[Checked, ...]:
    """The same with the verdicts on the Output cards: the code of each is run as it stands there, once for all that show it.

    `known` has the runs of code that was run alone already.
    """
    cards = [
        (place, extraction, card, known.get(as_run(card.body.code)))
        for place, (extraction, one) in enumerate(zip(extractions, checked, strict=True))
        for card in cards_of(extraction, {verdict.claim.id: verdict for verdict in one.verdicts})
    ]
    available = engine.interpreter.can_import
    plans: dict[Hashable, Plan] = {}
    for _, extraction, card, run in cards:
        if run is None and _run_of(card) not in plans:
            plans[_run_of(card)] = plan_of(extraction, card, prelude, available, str(len(plans)))
    sessions = {one.source: one for planned in plans.values() for one in planned.sessions}
    together = engine.observe_together([*sessions.values()])
    as_written = CardVerdict(answer=None, reason=None)
    doubted = {  # what is not just as the notes say runs alone
        plans[_run_of(card)].source
        for _, _, card, run in cards
        if run is None and (seen := together.get((plans[_run_of(card)].source, ID))) is not None
        if judge_card(card, card.body.code, seen) != as_written
    }
    settled = {place: seen for place, seen in together.items() if place[0] not in doubted}
    alone = [one for name, one in sessions.items() if (name, ID) not in settled]
    observed = {**engine.observe(alone), **settled}
    found: list[dict[tuple[str, ...], CardVerdict]] = [{} for _ in checked]
    for place, _, card, run in cards:
        code, seen = run or (card.body.code, _seen(plans[_run_of(card)], ID, observed))
        found[place][card.body.claims] = judge_card(card, code, seen)
    return tuple(replace(one, cards=cards) for one, cards in zip(checked, found, strict=True))


def _run_of(card: Card) -> Hashable:
    """What two cards share that are run once."""
    return card.body.code, card.body.target, card.body.cell, card.snippet.options
