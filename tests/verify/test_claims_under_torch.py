"""The adversarial suite: what is true holds, and the same with one edit does not."""

from collections.abc import Iterator

import pytest

from deckgen.model.verdict import HELD, Verdict, VerdictKind
from tests.observing import CASES, Torch, pairs, snippets_of

FILES = sorted(path.name for path in CASES.glob("claims_*.md") if "¦" in path.read_text("utf-8"))
ALARMS = [*pairs("claims_alarms.md")]
ALL = [(name, *case) for name in FILES for case in pairs(name)]


@pytest.fixture(scope="module")
def torch() -> Iterator[Torch]:
    workers = Torch()
    yield workers
    workers.close()


def test_there_are_many_cases() -> None:
    assert len(ALL) >= 120


@pytest.mark.parametrize(
    ("file", "title", "true", "false"), ALL, ids=[f"{file[7:-3]}: {title}" for file, title, *_ in ALL]
)
def test_a_true_claim_holds_and_one_edit_makes_it_fail(
    file: str, title: str, true: str, false: str, torch: Torch
) -> None:
    held = torch.judge(true)
    assert held, "no claim was found"
    assert [verdict for verdict in held if verdict.word not in HELD] == []
    failed = torch.judge(false)
    assert failed, "no claim was found after the edit"
    assert [verdict for verdict in failed if verdict.word not in HELD], failed


@pytest.mark.parametrize(("title", "true", "false"), ALARMS, ids=[title for title, *_ in ALARMS])
def test_what_torch_can_decide_is_no_matter_of_doubt(title: str, true: str, false: str, torch: Torch) -> None:
    assert VerdictKind.UNVERIFIED not in [verdict.word for verdict in torch.judge(true)]
    assert VerdictKind.CONTRADICTED in [verdict.word for verdict in torch.judge(false)]


def test_comments_that_describe_are_no_claims() -> None:
    found = snippets_of((CASES / "claims_describing.md").read_text("utf-8"))
    assert [claim for snippet in found for claim in snippet.claims] == []


@pytest.fixture(scope="module")
def spawned() -> Iterator[Torch]:
    workers = Torch("spawn")
    yield workers
    workers.close()


@pytest.mark.slow
@pytest.mark.parametrize("which", ["true", pytest.param("false", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("drawn", [False, True], ids=["the same in each run", "drawn anew"])
def test_both_engines_come_to_the_same_verdicts(which: str, drawn: bool, torch: Torch, spawned: Torch) -> None:
    """Of every fourth case, since each session of the spawn engine imports torch anew."""
    cases = [case for case in ALL[::4] if (case[0] == "claims_random.md") is drawn]
    texts = [true if which == "true" else false for _, _, true, false in cases]
    document = "\n".join(f"## {number}\n\n{text}\n" for number, text in enumerate(texts))
    # One run in eight draws just what the notes say of `torch.rand(3) > 0.5`: then it holds to the letter.
    by_luck = {VerdictKind.HOLDS: VerdictKind.HOLDS_STRUCTURE} if drawn else {}
    seen = [
        [(one.claim.span, by_luck.get(one.word, one.word), why_open(one)) for one in engine.judge(document)]
        for engine in (torch, spawned)
    ]
    assert len(seen[0]) == len(seen[1]) >= len(texts) > 0
    assert [pair for pair in zip(*seen, strict=True) if pair[0] != pair[1]] == []


def why_open(verdict: Verdict) -> str | None:
    """The reason of a claim that could not be judged: it says how a session has died."""
    return verdict.reason if verdict.word is VerdictKind.UNVERIFIED else None
