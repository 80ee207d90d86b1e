"""Runs the snippets of a document under the real torch, twice, and judges their claims."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from processes import GUARD

from deckgen.extract import extract
from deckgen.model.claim import Snippet
from deckgen.model.observation import Event, Observation, Observed, Value
from deckgen.model.source import Source
from deckgen.model.verdict import Verdict
from deckgen.read import read
from deckgen.text.syntax import without_magics
from deckgen.verify.engine.engine import RUNNERS
from deckgen.verify.judge import judge, settled

PRELUDE = (
    "import torch",
    "from torch import nn",
    "import torch.nn.functional as F",
    "import numpy as np",
)
CASES = Path(__file__).with_name("cases")


def pairs(name: str) -> Iterator[tuple[str, str, str]]:
    """(title, true text, false text) of each case in `cases/NAME.md`."""
    for part in (CASES / name).read_text("utf-8").split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        assert "«" in body, title
        yield title, re.sub(r"«([^¦»]*)¦([^»]*)»", r"\1", body), re.sub(r"«([^¦»]*)¦([^»]*)»", r"\2", body)


def snippets_of(text: str) -> tuple[Snippet, ...]:
    return extract(read(Source("notes.md", text))).snippets


class Torch:
    """Two workers: other hash seed, other addresses, other random numbers."""

    def __init__(self, engine: str = "fork") -> None:
        self._runners = [RUNNERS[engine](sys.executable, hash_seed=seed) for seed in (0, 1)]
        for runner in self._runners:
            runner.start()

    def close(self) -> None:
        for runner in self._runners:
            runner.close()

    def observe(self, found: Sequence[Snippet], run: int) -> list[Observation]:
        """One session of all snippets."""
        request = {
            "kind": "session",
            "seed": run,
            "reset": False,
            "device": "cpu",
            "output_limit": 1 << 24,
            "limits": {},
            "snippets": [
                {
                    "code": without_magics(snippet.code),
                    "prelude": PRELUDE,
                    "probes": snippet.probes,
                    "cell": snippet.cell,
                    "exits": "atexit" in snippet.code,
                    "seed": snippet.options.seed,
                }
                for snippet in found
            ],
        }
        outcome = self._runners[run].run(request, GUARD)
        return [_observation(vars_of(outcome.snippets.get(index)), outcome.reason) for index in range(len(found))]

    def judge(self, text: str) -> list[Verdict]:
        """The verdicts on all claims of a document, its snippets run as one session."""
        found = snippets_of(text)
        first = self.observe(found, 0)
        again = first if all(map(settled, found, first)) else self.observe(found, 1)
        verdicts: list[Verdict] = []
        for snippet, one, two in zip(found, first, again, strict=True):
            second = None if settled(snippet, one) else two
            verdicts += judge(snippet, Observed(first=one, second=second))
        return verdicts


def vars_of(frames: Any) -> tuple[list[Mapping[str, Any]], Mapping[str, Any] | None]:
    return ([], None) if frames is None else (frames.events, frames.end)


def _observation(frames: tuple[list[Mapping[str, Any]], Mapping[str, Any] | None], reason: str | None) -> Observation:
    events, end = frames
    return Observation(
        status="ran" if end else "error",
        events=tuple(_event(event) for event in events),
        exception=end["exception"] if end else None,
        exception_line=end["exception_line"] if end else None,
        reason=None if end else reason,
        seed=end["seed"] if end else None,
    )


def _event(raw: Mapping[str, Any]) -> Event:
    return Event(**{**raw, "values": tuple(map(value_of, raw.get("values") or ()))})


def value_of(raw: Mapping[str, Any]) -> Value:
    found = dict(raw)
    for name in ("items", "keys"):
        found[name] = tuple(map(value_of, raw.get(name, ())))
    if raw.get("shape") is not None:
        found["shape"] = tuple(raw["shape"])
    if raw.get("data") is not None:
        found["data"] = tuple(complex(x["re"], x["im"]) if isinstance(x, dict) else x for x in raw["data"])
    return Value(**found)
