"""Torch's own docstrings, mutated: what holds must stop holding after one visible edit."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from deckgen.claim import Prints, Shows, Snippet
from deckgen.extract.shown.snippets import snippets
from deckgen.observation import Event, Observation, Observed
from deckgen.read import docstring
from deckgen.source import Span
from deckgen.verdict import HELD, Word
from deckgen.verify.docstrings import docstrings
from deckgen.verify.judge import judge
from tests.observing import Torch

pytestmark = pytest.mark.slow
Run = tuple[Snippet, Observation, Observation]


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    """Every example of torch's docstrings, run twice."""
    torch = Torch()
    found: list[Run] = []
    try:
        for source in docstrings("torch"):
            shown = snippets(docstring.read(source))
            if not any(snippet.claims for snippet in shown) or "distributed" in source.name:
                continue
            both = torch.observe(shown, 0), torch.observe(shown, 1)
            found += zip(shown, *both, strict=True)
    finally:
        torch.close()
    return found


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


def test_a_thousand_visible_mutations_are_caught(runs: list[Run]) -> None:
    chance = random.Random(1)
    tried, missed = 0, []
    for snippet, first, second in runs:
        observed = Observed(first=first, second=second)
        for verdict in judge(snippet, observed):
            if verdict.word is not Word.HOLDS or not isinstance(verdict.claim, Prints | Shows):
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


def test_every_object_holds_as_it_prints_itself(runs: list[Run]) -> None:
    failed = []
    for snippet, first, second in runs:
        own = [claim for at, event in enumerate(first.events) if (claim := itself(at, event)) is not None]
        subject = replace(snippet, claims=tuple(own))
        failed += [
            (verdict.claim.text[:200], verdict.word, verdict.reason)
            for verdict in judge(subject, Observed(first=first, second=second))
            if verdict.word not in HELD and verdict.reason != "context"
        ]
    assert failed == []


def itself(at: int, event: Event) -> Prints | Shows | None:
    """The claim that an event shows what it showed; only for values shown once by their line."""
    if event.kind != "value" or event.text == "None" or event.inner is None or len(event.text) > 5000:
        return None
    return Shows(id=f"0.{at}", span=Span(0, 1), text=event.text, form="own", code_line=event.inner, target=None)
