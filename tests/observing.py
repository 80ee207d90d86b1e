"""Runs the snippets of a document under the real torch, as often as the engine needs to, and judges their claims."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from processes import GUARD

from deckgen.extract import extract
from deckgen.model.claim import Snippet
from deckgen.model.observation import Observed
from deckgen.model.source import Source
from deckgen.model.verdict import Verdict
from deckgen.read import read
from deckgen.text.syntax import without_magics
from deckgen.verify import VerifyOptions
from deckgen.verify.judge import judge
from deckgen.verify.plan import Session, Step
from deckgen.verify.run import engine_of
from deckgen.verify.triage import triage

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
    """An engine whose sessions are all snippets of a document, whatever names they share; nothing is cached."""

    def __init__(self, engine: str = "fork") -> None:
        self._engine = engine_of(VerifyOptions(engine=engine, use_cache=False, timeout=GUARD), ())

    def close(self) -> None:
        self._engine.close()

    def observe(self, found: Sequence[Snippet]) -> list[Observed]:
        """One session of all snippets."""
        return self.observe_each([found])[0]

    def judge(self, text: str) -> list[Verdict]:
        """The verdicts on all claims of a document, its snippets run as one session."""
        return self.judge_each([text])[0]

    def judge_each(self, texts: Sequence[str]) -> list[list[Verdict]]:
        """The verdicts on all claims of each document, as many sessions at once as the machine has processors."""
        documents = [snippets_of(text) for text in texts]
        seen = self.observe_each(documents)
        return [
            [verdict for pair in zip(found, runs, strict=True) for verdict in judge(*pair)]
            for found, runs in zip(documents, seen, strict=True)
        ]

    def observe_each(self, documents: Sequence[Sequence[Snippet]]) -> list[list[Observed]]:
        """One session for each document, as many at once as the machine has processors."""
        sessions = [Session(str(at), tuple(map(_step, found)), continuous=True) for at, found in enumerate(documents)]
        seen = self._engine.observe(sessions)
        return [[seen[str(at), one.id] for one in found] for at, found in enumerate(documents)]


def _step(snippet: Snippet) -> Step:
    return Step(snippet, triage(without_magics(snippet.code)), prelude=PRELUDE)
