"""What holds must stop holding after one visible edit: in torch's own docstrings, in our decks, in any document.

`DECKGEN_DOCUMENTS=FILE:FILE pytest -s tests/verify/test_mutations.py` tries documents of one's own, and lists the survivors.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

import pytest
from in_part import DECKS, in_part
from mutations import edits, judged_anew, structural_edits

from deckgen.app.check import verified
from deckgen.app.load import load
from deckgen.app.options import Options
from deckgen.extract.claims.snippets import snippets
from deckgen.model.claim import Claim, Prints, Shows, Snippet
from deckgen.model.observation import Event, Observed
from deckgen.model.source import Span
from deckgen.model.verdict import HELD, Verdict, VerdictKind
from deckgen.read import docstring
from deckgen.verify.engine.interpreter import docstrings
from deckgen.verify.judge import judge
from deckgen.verify.judge.cards import ID
from tests.observing import Torch

pytestmark = pytest.mark.slow
Run = tuple[Snippet, Observed]


EACH = int(os.environ.get("DECKGEN_EACH", "2"))
"""Every second docstring gives a thousand edits; with DECKGEN_EACH=1 all are tried."""


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    """Examples of torch's docstrings."""
    torch = Torch()
    documents = [snippets(docstring.read(one)) for one in docstrings("torch") if "distributed" not in one.name]
    claiming = [shown for shown in documents if any(snippet.claims for snippet in shown)][::EACH]
    try:
        seen = torch.observe_each(claiming)
    finally:
        torch.close()
    return [pair for shown, observed in zip(claiming, seen, strict=True) for pair in zip(shown, observed, strict=True)]


def mutations(text: str, chance: random.Random) -> Iterator[str]:
    """Edits that a reader can see: a leading digit, a sign, a truth value, a dtype, an element, a name."""
    numbers = list(re.finditer(r"(?<![\w.])\d+\.?\d*(?![\w.])", text))
    if numbers:
        number = chance.choice(numbers)
        digit = next((at for at in range(*number.span()) if text[at] not in "0."), number.start())
        yield text[:digit] + str((int(text[digit]) + chance.randint(1, 8)) % 10 or 5) + text[digit + 1 :]
        nonzero = [m for m in numbers if float(m[0])]
        if nonzero:
            at = chance.choice(nonzero).start()
            yield text[: at - 1] + text[at:] if text[at - 1 : at] == "-" else text[:at] + "-" + text[at:]
    for old, new in (
        ("True", "False"),
        ("False", "True"),
        ("float64", "float32"),
        ("int32", "int16"),
        ("tensor(", "array("),
    ):
        if old in text:
            yield text.replace(old, new, 1)
            break
    row = re.search(r"\[[^\[\]]*,[^\[\]]*\]", text)
    if row and "..." not in row[0]:
        yield text.replace(row[0], row[0][: row[0].rindex(",")] + "]", 1)


def without_the_same_meaning(before: str, after: str) -> bool:
    """False for edits that change nothing: `-0.`, a digit that came out the same."""
    return re.sub(r"-0\.(?!\d)", "0.", before) != re.sub(r"-0\.(?!\d)", "0.", after)


@pytest.mark.exhaustive
def test_a_thousand_visible_mutations_are_caught(runs: list[Run]) -> None:
    chance = random.Random(1)
    tried, missed = 0, []
    for snippet, observed in runs:
        for verdict in judge(snippet, observed):
            if verdict.word is not VerdictKind.HOLDS or not isinstance(verdict.claim, Prints | Shows):
                continue
            for text in mutations(verdict.claim.text, chance):
                if not without_the_same_meaning(verdict.claim.text, text):
                    continue
                mutant = replace(
                    snippet,
                    claims=tuple(replace(c, text=text) if c.id == verdict.claim.id else c for c in snippet.claims),
                )
                again = next(v for v in judge(mutant, observed) if v.claim.id == verdict.claim.id)
                tried += 1
                if again.word in HELD:
                    missed.append((verdict.claim.text, text, again.word))
    assert tried >= 1000
    assert len(missed) <= 0.01 * tried, missed[:40]


@pytest.mark.exhaustive
def test_every_object_holds_as_it_prints_itself(runs: list[Run]) -> None:
    failed = []
    for snippet, observed in runs:
        own = [claim for at, event in enumerate(observed.first.events) if (claim := itself(at, event)) is not None]
        subject = replace(snippet, claims=tuple(own))
        failed += [
            (verdict.claim.text[:200], verdict.word, verdict.reason)
            for verdict in judge(subject, observed)
            if verdict.word not in HELD and verdict.reason not in ("context", "uninitialised")
        ]
    assert failed == []


def itself(at: int, event: Event) -> Prints | Shows | None:
    """The claim that an event shows what it showed; only for values shown once by their line."""
    if event.kind != "value" or event.text == "None" or event.inner is None or len(event.text) > 5000:
        return None
    return Shows(
        id=f"0.{at}", span=Span(0, 1), text=event.text, form="own", place="after", code_line=event.inner, target=None
    )


TRIED = {"memory-speed", "nn", "tensors"}
"""Decks with a third of all claims; the others take minutes."""
DOCUMENTS = [Path(name) for name in os.environ.get("DECKGEN_DOCUMENTS", "").split(":") if name]
EXACT = {VerdictKind.HOLDS, VerdictKind.DRIFT_FORMAT}
LOOSE = {VerdictKind.HOLDS_STRUCTURE, VerdictKind.HOLDS_PATTERN}


@dataclass
class Tally:
    """What became of the edits of some documents."""

    words: Counter[str] = field(default_factory=Counter)
    survivors: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        """But those that moved the last of four digits by one: they drift, and the observed digits are shipped."""
        return self.words.total() - self.words[VerdictKind.DRIFT_DIGITS]

    @property
    def caught(self) -> int:
        return self.words[VerdictKind.CONTRADICTED] + self.words[VerdictKind.ERROR]

    def note(self, place: str, kind: str, claim: Claim, verdict: Verdict, before: str) -> None:
        self.words[verdict.word] += 1
        if verdict.word in HELD or verdict.word is VerdictKind.UNVERIFIED:
            told = f"{place}: {kind}: {before[:150]!r} -> {claim.text[:150]!r}: {verdict.word} {verdict.reason or ''}"
            self.survivors.append(told)

    def __str__(self) -> str:
        return ", ".join(f"{count} {word}" for word, count in self.words.most_common())


Edits = Callable[[Claim, random.Random], Iterator[tuple[str, Claim]]]


def mutated(path: Path, words: set[VerdictKind], edited: Edits) -> Tally:
    """Every claim of a document that these words are said of, with each edit that fits."""
    options = Options(paths=(str(path),), quiet=True)
    tally, chance = Tally(), random.Random(7)
    for deck in load(options):
        verification = verified([deck], options).verification
        for extraction, checked in zip(deck.extractions, verification.sources, strict=True):
            homes = {claim.id: snippet for snippet in extraction.snippets for claim in snippet.claims}
            for verdict in checked.verdicts:
                if verdict.word not in words:
                    continue
                home = homes[verdict.claim.id]
                for kind, claim in edited(verdict.claim, chance):
                    anew = judged_anew(home, checked.runs[home.id], claim)
                    tally.note(f"{path.name}:{verdict.claim.span.first}", kind, claim, anew, verdict.claim.text)
    return tally


def _needs_the_fewer_draws(snippet: Snippet, observed: Observed) -> bool:
    return snippet.id != ID and not observed.draws and any(event.random for event in observed.first.events)


@pytest.fixture
def _all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is run again and drawn many times, as it is where a claim does not hold."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # locks of folders that cannot be written to
    run = import_module("deckgen.verify.run")
    monkeypatch.setattr(run, "_needs_second_run", lambda *_: True)
    monkeypatch.setattr(run, "_needs_draws", _needs_the_fewer_draws)


@pytest.mark.usefixtures("_all_runs")
@pytest.mark.parametrize("deck", in_part(DECKS, lambda _, deck: deck.name in TRIED))
def test_an_edit_of_what_our_decks_claim_is_caught(deck: Path) -> None:
    tally = mutated(deck, EXACT, edits)
    assert tally.tried > 50, tally
    assert not any("holds" in line for line in tally.survivors), tally.survivors
    assert tally.words[VerdictKind.UNVERIFIED] <= 0.05 * tally.tried, tally.survivors


@pytest.mark.usefixtures("_all_runs")
@pytest.mark.parametrize("document", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_so_is_an_edit_of_any_document(document: Path) -> None:
    for words, edited in ((EXACT, edits), (LOOSE, structural_edits)):
        tally = mutated(document, words, edited)
        print(f"MUTATIONS {'exact' if words is EXACT else 'loose'} {document.name}: {tally}")
        print("\n".join(f"SURVIVOR {line}" for line in tally.survivors))
        known = {*HELD, VerdictKind.UNVERIFIED, VerdictKind.CONTRADICTED, VerdictKind.ERROR, VerdictKind.DRIFT_DIGITS}
        assert set(tally.words) <= known
