"""One run of `verify`: the plan of each document, its observations, and the verdicts on what it claims."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deckgen.model.claim import Snippet
from deckgen.model.document import Extraction
from deckgen.model.errors import EngineError, UsageError
from deckgen.model.observation import Environment, Observation, Observed
from deckgen.model.results import NOTHING_RAN
from deckgen.model.verdict import (
    DOUBTFUL,
    ApiVerdict,
    CardVerdict,
    Checked,
    NameVerdict,
    Verdict,
    VerdictKind,
    Verification,
)
from deckgen.verify.chapters import judged
from deckgen.verify.engine.cache import Cache, default_folder
from deckgen.verify.engine.engine import Engine
from deckgen.verify.engine.interpreter import Interpreter, located, look_at
from deckgen.verify.engine.workers import Settings
from deckgen.verify.judge import judge, settled
from deckgen.verify.judge.blame import failures
from deckgen.verify.judge.cards import ID, Card, as_run, cards_of, have_run, judge_card, plan_of, unsettled
from deckgen.verify.names.judge import judge_apis, names_to_look_up
from deckgen.verify.plan import Plan, plan
from deckgen.verify.prelude import MODULES
from deckgen.verify.triage import triage

Progress = Callable[[int, int], None]
"""Called with (done, total) snippets."""
Runs = Mapping[tuple[str, str], Observed]
"""By (source, snippet id)."""

DEVICES = ("auto", "cpu", "cuda", "emulated")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """How to verify."""

    python: Path | None = None
    """The interpreter whose torch is asked; None = our own."""
    device: str = "auto"
    """`auto`, `cpu`, `cuda` or `emulated`."""
    jobs: int | None = None
    """Sessions at once; None = one for each processor that we may use."""
    timeout: float = 30.0
    """Seconds for each snippet."""
    sandbox: str = "auto"
    """`auto`, `require` or `off`."""
    use_cache: bool = True
    cache_folder: Path | None = None
    """None = the user's cache folder."""
    prelude: tuple[str, ...] = ()
    """Statements that every snippet may take for granted, besides the usual imports."""
    run: bool = True
    """False: nothing is run, and every claim is `unverified: not-run`."""
    engine: str = "auto"
    """`fork`, `spawn`, or `auto` for what the system has."""


def verify(
    extractions: Sequence[Extraction], options: VerifyOptions | None = None, progress: Progress | None = None
) -> Verification:
    """Verdicts for every claim and API name of these documents.

    Raises EngineError if there is something to run and the worker cannot import torch.
    """
    options = options or VerifyOptions()
    if options.device not in DEVICES:
        raise UsageError(f"unknown device `{options.device}`", hint=f"one of {', '.join(DEVICES)}")
    if not options.run:
        return Verification(environment=NOTHING_RAN, sources=tuple(map(_unchecked, extractions)))
    interpreter = look_at(_executable(options), _modules(extractions))
    if not interpreter.has_torch and any(one.snippets or one.apis for one in extractions):
        hint = "install torch there, or name another interpreter with --python"
        raise EngineError(f"{interpreter.executable} has no torch", hint=hint)
    plans = [plan(one, options.prelude, interpreter.can_import) for one in extractions]
    engine = _engine(options, interpreter)
    try:
        observed = _observe(engine, plans, progress)
        checked = [_checked(*pair, observed, engine) for pair in zip(extractions, plans, strict=True)]
        sources = _with_cards(engine, extractions, checked, have_run(plans, observed, options.prelude), options.prelude)
    finally:
        engine.workers.close()
        engine.settings.cache.trim()
    return Verification(environment=_environment(engine, plans), sources=sources)


def look_up(request: dict[str, Any], options: VerifyOptions) -> dict[str, Any]:
    """Facts about API names, from the live torch; `request` as `names_to_look_up` makes it."""
    engine = _engine(options, look_at(_executable(options), {"torch", *MODULES.values()}))
    try:
        return engine.introspect(request)
    finally:
        engine.workers.close()


# The engine, and what it runs


def _executable(options: VerifyOptions) -> str:
    return located(options.python) if options.python else sys.executable


def _modules(extractions: Sequence[Extraction]) -> set[str]:
    """Packages that another interpreter is asked about, in one question."""
    found = {*MODULES.values(), "torch"}
    snippets = (snippet for extraction in extractions for snippet in extraction.snippets)
    return found.union(*(triage(one.code, cell=one.cell).modules for one in snippets))


def _engine(options: VerifyOptions, interpreter: Interpreter) -> Engine:
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    safe_to_fork = sys.platform.startswith("linux")  # elsewhere not after `import torch`
    settings = Settings(
        interpreter=interpreter,
        device=options.device,
        jobs=options.jobs or processors,
        timeout=options.timeout,
        sandbox=options.sandbox,
        cache=Cache((options.cache_folder or default_folder()) if options.use_cache else None),
        engine=options.engine if options.engine != "auto" else "fork" if safe_to_fork else "spawn",
    )
    return Engine(settings, _settled, _doubted)


def _settled(snippet: Snippet, observation: Observation) -> bool:
    return not unsettled(observation) if snippet.id == ID else settled(snippet, observation)


def _doubted(snippet: Snippet, observed: Observed) -> bool:
    verdicts = judge(snippet, observed)
    return any(
        one.word in DOUBTFUL or (one.word is VerdictKind.UNVERIFIED and one.reason == "context") for one in verdicts
    )


def _observe(engine: Engine, plans: Sequence[Plan], progress: Progress | None) -> Runs:
    sessions = [session for planned in plans for session in planned.sessions]
    total = sum(len(session.steps) for session in sessions)
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    return engine.observe(sessions, step)


# What was found


def _checked(extraction: Extraction, planned: Plan, observed: Runs, engine: Engine) -> Checked:
    runs = {
        snippet.id: observed.get((planned.source, snippet.id)) or Observed(first=planned.refused[snippet.id])
        for snippet in extraction.snippets
    }
    names = extraction.apis
    return Checked(
        source=extraction.document.source.name,
        runs=runs,
        verdicts=tuple(judged(extraction.snippets, planned, runs)),
        apis=judge_apis(names, engine.introspect(names_to_look_up(names))) if names else (),
        fails=failures(extraction, planned, runs),
    )


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
    plans: dict[Hashable, Plan] = {}
    for _, extraction, card, run in cards:
        if run is None and _run_of(card) not in plans:
            available = engine.settings.interpreter.can_import
            plans[_run_of(card)] = plan_of(extraction, card, prelude, available, str(len(plans)))
    observed = engine.observe([session for planned in plans.values() for session in planned.sessions], lambda _: None)
    found: list[dict[tuple[str, ...], CardVerdict]] = [{} for _ in checked]
    for place, _, card, run in cards:
        code, seen = run or (card.body.code, _seen(plans[_run_of(card)], observed))
        found[place][card.body.claims] = judge_card(card, code, seen)
    return tuple(replace(one, cards=cards) for one, cards in zip(checked, found, strict=True))


def _seen(planned: Plan, observed: Runs) -> Observed:
    return observed.get((planned.source, ID)) or Observed(first=planned.refused[ID])


def _run_of(card: Card) -> Hashable:
    """What two cards share that are run once."""
    return card.body.code, card.body.target, card.body.cell, card.snippet.options


def _environment(engine: Engine, plans: Sequence[Plan]) -> Environment:
    interpreter, hello = engine.settings.interpreter, engine.workers.hello
    devices = {engine.device(session) for planned in plans for session in planned.sessions}
    device = next((name for name in ("cuda", "cuda-emulated") if name in devices), "cpu")
    return Environment(
        torch=interpreter.torch or str(hello.get("torch", "")),
        python=interpreter.python,
        device=str(hello.get("device", device)),
        sandbox=engine.workers.sandbox(),
        engine=engine.settings.engine if hello else "cache",
    )


def _unchecked(extraction: Extraction) -> Checked:
    nothing = Observation(status="not-run", reason="not-run")
    claims = [claim for snippet in extraction.snippets for claim in snippet.claims]
    return Checked(
        source=extraction.document.source.name,
        runs={snippet.id: Observed(first=nothing) for snippet in extraction.snippets},
        verdicts=tuple(Verdict(claim=claim, word=VerdictKind.UNVERIFIED, reason="not-run") for claim in claims),
        apis=tuple(ApiVerdict(claim=claim, word=NameVerdict.UNVERIFIED, reason="not-run") for claim in extraction.apis),
    )
