"""Verify: run what the sources show, look up what they name, and judge what they claim."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deckgen.model.claim import Snippet
from deckgen.model.document import Document
from deckgen.model.errors import EngineError, UsageError
from deckgen.model.extraction import Extraction
from deckgen.model.observation import Environment, Observation, Observed
from deckgen.model.results import NOTHING_RAN
from deckgen.model.source import Source, Span
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
from deckgen.verify.apis.judging import judge_apis, names_to_look_up
from deckgen.verify.chapters import judged
from deckgen.verify.judge import judge, settled
from deckgen.verify.judge.cards import ID, Card, as_run, cards_of, have_run, judge_card, plan_of, unsettled
from deckgen.verify.judge.failures import failures
from deckgen.verify.plan import Plan, plan
from deckgen.verify.prelude import MODULES
from deckgen.verify.running.cache import Cache, default_folder
from deckgen.verify.running.engine import Engine
from deckgen.verify.running.interpreter import Interpreter, located, look_at
from deckgen.verify.running.settings import Settings
from deckgen.verify.running.workers import preload_for
from deckgen.verify.triage import triage

Progress = Callable[[int, int], None]
"""Called with (done, total) snippets."""

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


def processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
        return Verification(
            environment=NOTHING_RAN,
            sources=tuple(_unchecked(extraction) for extraction in extractions),
        )
    interpreter = look_at(_executable(options), _modules(extractions))
    _insist_on_torch(extractions, interpreter)
    plans = [plan(one, options.prelude, interpreter.can_import) for one in extractions]
    engine = _engine(options, interpreter)
    try:
        observed = _observe(engine, plans, progress or (lambda _done, _total: None))
        checked = [_checked(*pair, observed, engine) for pair in zip(extractions, plans, strict=True)]
        sources = _with_cards(engine, extractions, checked, have_run(plans, observed, options.prelude), options.prelude)
    finally:
        engine.workers.close()
        engine.settings.cache.trim()
    return Verification(environment=_environment(engine, plans), sources=sources)


def _with_cards(
    engine: Engine,
    extractions: Sequence[Extraction],
    checked: Sequence[Checked],
    known: Mapping[str, tuple[str, Observed]],
    prelude: Sequence[str],
) -> tuple[Checked, ...]:
    """The same with what became of the Output cards: the code of each is run as it stands there, once for all that show it.

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


def _run_of(card: Card) -> Hashable:
    """What two cards share that are run once."""
    return card.body.code, card.body.target, card.body.cell, card.snippet.options


def _seen(planned: Plan, observed: Mapping[tuple[str, str], Observed]) -> Observed:
    return observed.get((planned.source, ID)) or Observed(first=planned.refused[ID])


def _executable(options: VerifyOptions) -> str:
    return located(options.python) if options.python else sys.executable


def _insist_on_torch(extractions: Sequence[Extraction], interpreter: Interpreter) -> None:
    """Without torch every claim would be `unverified: missing-module torch`: one reason, told once."""
    if interpreter.has_torch or not any(one.snippets or one.apis for one in extractions):
        return
    hint = "install torch there, or name another interpreter with --python"
    raise EngineError(f"{interpreter.executable} has no torch", hint=hint)


def look_up(request: dict[str, Any], options: VerifyOptions) -> dict[str, Any]:
    """Facts about API names, asked of the live torch; `request` as `api.names_to_look_up` makes it."""
    interpreter = look_at(_executable(options), {"torch", *MODULES.values()})
    engine = _engine(options, interpreter)
    try:
        return engine.introspect(request)
    finally:
        engine.workers.close()


def _engine(options: VerifyOptions, interpreter: Interpreter) -> Engine:
    folder = (options.cache_folder or default_folder()) if options.use_cache else None
    settings = Settings(
        interpreter=interpreter,
        device=options.device,
        jobs=options.jobs or processors(),
        timeout=options.timeout,
        sandbox=options.sandbox,
        cache=Cache(folder),
        engine=_engine_name(options.engine),
    )
    return Engine(settings, _settled, _doubted)


def _engine_name(wanted: str) -> str:
    """Forking after `import torch` is safe on Linux only."""
    if wanted != "auto":
        return wanted
    return "fork" if sys.platform.startswith("linux") else "spawn"


def _settled(snippet: Snippet, observation: Observation) -> bool:
    return not unsettled(observation) if snippet.id == ID else settled(snippet, observation)


def _doubted(snippet: Snippet, observed: Observed) -> bool:
    return any(
        verdict.word in DOUBTFUL or (verdict.word is VerdictKind.UNVERIFIED and verdict.reason == "context")
        for verdict in judge(snippet, observed)
    )


def _modules(extractions: Sequence[Extraction]) -> set[str]:
    """Packages that a foreign interpreter is asked about, in one question."""
    found = set(MODULES.values()) | {"torch"}
    for extraction in extractions:
        for snippet in extraction.snippets:
            found.update(triage(snippet.code, cell=snippet.cell).modules)
    return found


def _observe(engine: Engine, plans: Sequence[Plan], progress: Progress) -> dict[tuple[str, str], Observed]:
    sessions = [session for planned in plans for session in planned.sessions]
    engine.workers.preload = preload_for(one for one in sessions if not engine.is_cached(one))
    total = sum(len(session.steps) for session in sessions)
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(done, total)

    return engine.observe(sessions, step)


def _checked(
    extraction: Extraction, planned: Plan, observed: dict[tuple[str, str], Observed], engine: Engine
) -> Checked:
    name = extraction.document.source.name
    runs = {
        snippet.id: observed.get((planned.source, snippet.id)) or Observed(first=planned.refused[snippet.id])
        for snippet in extraction.snippets
    }
    verdicts = judged(extraction.snippets, planned, runs)
    fails = failures(extraction, planned, runs)
    return Checked(source=name, runs=runs, verdicts=tuple(verdicts), apis=_apis(extraction, engine), fails=fails)


def _apis(extraction: Extraction, engine: Engine) -> tuple[ApiVerdict, ...]:
    if not extraction.apis:
        return ()
    request = names_to_look_up(extraction.apis)
    return judge_apis(extraction.apis, engine.introspect(request))


def _environment(engine: Engine, plans: Sequence[Plan]) -> Environment:
    interpreter = engine.settings.interpreter
    devices = {engine.device(session) for planned in plans for session in planned.sessions}
    device = next((name for name in ("cuda", "cuda-emulated") if name in devices), "cpu")
    return Environment(
        torch=interpreter.torch or str(engine.workers.hello.get("torch", "")),
        python=interpreter.python,
        device=str(engine.workers.hello.get("device", device)),
        sandbox=engine.workers.sandbox(),
        engine=engine.settings.engine if engine.workers.started else "cache",
    )


def _unchecked(extraction: Extraction) -> Checked:
    nothing = Observation(status="not-run", reason="not-run")
    return Checked(
        source=extraction.document.source.name,
        runs={snippet.id: Observed(first=nothing) for snippet in extraction.snippets},
        verdicts=tuple(
            Verdict(claim=claim, word=VerdictKind.UNVERIFIED, reason="not-run")
            for snippet in extraction.snippets
            for claim in snippet.claims
        ),
        apis=tuple(ApiVerdict(claim=claim, word=NameVerdict.UNVERIFIED, reason="not-run") for claim in extraction.apis),
    )


def observe_snippets(
    snippets: Sequence[tuple[str, Sequence[tuple[int, str]]] | Snippet], options: VerifyOptions | None = None
) -> list[Observation]:
    """Run snippets, or (code, probes) pairs, as one document; one observation each. For tests and tools."""
    made = [one if isinstance(one, Snippet) else _bare(index, *one) for index, one in enumerate(snippets)]
    document = Document(source=Source("snippets", ""), reader="markdown", blocks=())
    extraction = Extraction(document=document, notes=(), snippets=tuple(made), apis=(), skipped=())
    checked = verify([extraction], options or VerifyOptions(use_cache=False)).sources[0]
    return [checked.runs[snippet.id].first for snippet in made]


def _bare(index: int, code: str, probes: Sequence[tuple[int, str]]) -> Snippet:
    from deckgen.model.claim import Shows

    lines = tuple(range(code.count("\n") + 1))
    snippet = Snippet(id=str(index), span=Span(0, len(lines)), code=code, lines=lines, language="python", headings=())
    claims = tuple(
        Shows(id=f"{index}.{at}", span=Span(0, 1), text="", form="probe", code_line=line, target=target)
        for at, (line, target) in enumerate(probes)
    )
    return replace(snippet, claims=claims)
