"""Chance excuses only what chance did: what no draw can give is contradicted, what one may give is not."""

from collections.abc import Iterator

import pytest
from in_part import in_part

from deckgen.model.verdict import HELD, Verdict, VerdictKind
from tests.observing import CASES, Torch, pairs

pytestmark = pytest.mark.slow
PAIRS = [*pairs("chance.md")]
PICTURES = [part.partition("\n") for part in (CASES / "chance_pictures.md").read_text("utf-8").split("\n## ")[1:]]


@pytest.fixture(scope="module")
def torch() -> Iterator[Torch]:
    workers = Torch()
    yield workers
    workers.close()


def words(verdicts: list[Verdict]) -> set[VerdictKind]:
    assert verdicts, "no claim was found"
    return {verdict.word for verdict in verdicts}


def test_there_are_enough_of_both() -> None:
    assert len({title for title, *_ in PAIRS}) >= 225
    assert len({title for title, *_ in PICTURES}) >= 45


@pytest.mark.parametrize("quarter", in_part([0, 1, 2, 3], lambda at, _: at == 0))
def test_what_no_draw_can_give_is_contradicted(torch: Torch, quarter: int) -> None:
    cases = PAIRS[quarter::4]
    judged = torch.judge_each([false for *_, false in cases])
    found = dict(zip((title for title, *_ in cases), map(words, judged), strict=True))
    held = [title for title, seen in found.items() if seen <= HELD]
    assert len(held) <= 0.04 * len(found), held  # what relates two tensors, or is a gap in what can be drawn
    assert len([title for title, seen in found.items() if VerdictKind.CONTRADICTED in seen]) >= 0.95 * len(found)


def test_what_a_draw_gives_is_never_contradicted(torch: Torch) -> None:
    titles = [*(title for title, *_ in PAIRS), *(title for title, *_ in PICTURES)]
    judged = torch.judge_each([*(true for _, true, _ in PAIRS), *(body for *_, body in PICTURES)])
    found = dict(zip(titles, map(words, judged), strict=True))
    assert [title for title, seen in found.items() if seen & {VerdictKind.CONTRADICTED, VerdictKind.ERROR}] == []
    assert len([title for title, seen in found.items() if seen <= HELD]) >= 0.95 * len(found)


UNSET = {
    "as it comes": "print(torch.empty(2, 2))\n# tensor([[1.2e-38, 0.0],\n#         [3.4e+12, 0.0]])",
    "in part": "x = torch.empty(3)\nx[0] = 1\nprint(x)  # tensor([1., 0., 0.])",
    "by its size": "print(torch.Tensor(2, 2))  # tensor([[0., 0.], [0., 0.]])",
    "of numpy": "print(np.empty(2))  # [0. 0.]",
    "which happens to hold NaN": "y = np.full(3, np.nan)\ndel y\nprint(np.empty(3))  # [0. 0. 0.]",
    "through arithmetic": "print(torch.empty_like(torch.ones(2)) + 1)  # tensor([1., 1.])",
}


@pytest.mark.parametrize("how", UNSET)
def test_memory_that_nobody_has_set_neither_holds_nor_is_false(how: str, torch: Torch) -> None:
    (verdict,) = torch.judge(f"```python\n{UNSET[how]}\n```\n")
    assert (verdict.word, verdict.reason) == (VerdictKind.UNVERIFIED, "uninitialised")


DECIDED = {
    "another shape": "print(torch.empty(2, 2))  # tensor([0., 0., 0.])",
    "an element that was set": "x = torch.empty(3)\nx[0] = 1\nprint(x)  # tensor([2., 0., 0.])",
    "a shape beside a random number": (
        "print(torch.randn(2, 3).shape, torch.randn(2).mean())  # torch.Size([2, 4]) tensor(0.3)"
    ),
    "a shape in a sentence": 'x = torch.randn(4, 3)\nprint(f"{tuple(x.shape)} {x.mean():.3f}")  # (4, 4) 0.100',
}


@pytest.mark.parametrize("what", DECIDED)
def test_what_torch_decides_is_false_beside_what_it_does_not(what: str, torch: Torch) -> None:
    (verdict,) = torch.judge(f"```python\n{DECIDED[what]}\n```\n")
    assert verdict.word is VerdictKind.CONTRADICTED


def test_nan_that_was_computed_is_held_beside_memory_that_nobody_has_set(torch: Torch) -> None:
    (verdict,) = torch.judge("```python\nx = torch.empty(3)\nprint(torch.zeros(1) / 0)  # tensor([nan])\n```\n")
    assert verdict.word in HELD


def test_draws_that_do_not_come_leave_a_claim_to_chance(torch: Torch) -> None:
    """The first two runs agree; in a third, in the same process, the code raises."""
    once = "import builtins\nassert not hasattr(builtins, 'ran')\nbuiltins.ran = True\n(torch.rand(1) < 2).any()"
    (verdict,) = torch.judge(f"```python\n{once}  # tensor(False)\n```\n")
    assert (verdict.word, verdict.reason) == (VerdictKind.UNVERIFIED, "chance")
