"""`verify` in several environments: what is claimed is extracted once, and judged in one environment after the other."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from deckgen.app.check import verified_and_decided
from deckgen.app.load import Loaded, load
from deckgen.app.options import Broken, Options, Progress, silent
from deckgen.matrix import Column, Matrix, named
from deckgen.model.errors import EngineError
from deckgen.model.results import Results
from deckgen.model.verdict import FAILING
from deckgen.outcome import UNJUDGED, Outcome, outcome
from deckgen.text import harmless
from deckgen.text.harmless import Harmless

Judge = Callable[[Results], Outcome]
CUDA = "cuda"


Python = Path | Broken | None
"""An interpreter; None = our own."""


def verify_matrix(
    options: Options, pythons: Sequence[Python], progress: Progress = silent, judge: Judge = outcome
) -> Matrix:
    """The verdicts under the torch of each of these interpreters, on each of the devices of the options. Where nothing can be run is
    a column that says so.

    `judge` says how a run ends. Raises DeckgenError if the notes cannot be found.
    """
    return matrix_of(load(options), options, pythons, progress, judge)


def matrix_of(
    loaded: Sequence[Loaded],
    options: Options,
    pythons: Sequence[Python],
    progress: Progress = silent,
    judge: Judge = outcome,
) -> Matrix:
    """The same of decks that are loaded already."""
    began = time.monotonic()
    devices = devices_of(options)
    found = [
        [
            _column(loaded, python, replace(options, device=device), progress, judge, len(devices) > 1)
            for device in devices
        ]
        for python in pythons
    ]
    names = named([_known_by(ends, python) for ends, python in zip(found, pythons, strict=True)])
    columns = tuple(
        _ended(f"{name} {device}" if len(devices) > 1 else name, end)
        for name, ends in zip(names, found, strict=True)
        for device, end in zip(devices, ends, strict=True)
    )
    return Matrix(columns, time.monotonic() - began)


def devices_of(options: Options) -> tuple[str | None, ...]:
    """`cpu,cuda`, each once; None = as configured."""
    return tuple(dict.fromkeys(one.strip() for one in (options.device or "").split(",") if one.strip())) or (None,)


def _ended(name: str, end: Outcome | str) -> Column:
    return Column(name=name, outcome=end) if isinstance(end, Outcome) else Column(name=name, error=end)


def _column(
    loaded: Sequence[Loaded], python: Python, options: Options, progress: Progress, judge: Judge, exactly: bool
) -> Outcome | str:
    """How the run in one environment ended, or why there was none; `exactly`: on that device, or not at all."""
    from deckgen.verify import why_no_cuda

    if isinstance(python, Broken):
        return python.why
    try:
        if exactly and options.device == CUDA and (why := why_no_cuda(python)):
            return why
        return judge(verified_and_decided(loaded, replace(options, python=python), progress))
    except EngineError as error:
        return error.message


def matrix_page(found: Matrix, title: str) -> Harmless:
    """One self-contained HTML page of a matrix."""
    from deckgen.render.preview import matrix_page as page
    from deckgen.report import matrix as report

    return harmless.page(page(title, {**report.data(found), "wrong": sorted(FAILING), "open": sorted(UNJUDGED)}))


def _known_by(ends: Sequence[Outcome | str], python: Python) -> tuple[str, str, str]:
    path = python.name if isinstance(python, Broken) else (python or Path(sys.executable)).as_posix()
    for one in ends:
        if isinstance(one, Outcome):
            environment = one.results.verification.environment
            return environment.torch, environment.python, path
    return "", "", path
