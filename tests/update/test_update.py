"""Observed outputs are written back in the form in which they stood, and nothing else moves."""

from collections.abc import Iterator

import pytest

from deckgen.model.source import Source
from deckgen.model.verdict import HELD
from deckgen.update import only_claims_moved, updated
from tests.observing import CASES, Torch, pairs, snippets_of


@pytest.fixture(scope="module")
def torch() -> Iterator[Torch]:
    workers = Torch()
    yield workers
    workers.close()


def rewritten(torch: Torch, text: str) -> str:
    return updated(Source("notes.md", text), torch.judge(text)).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "```python\ny = torch.zeros(4, 10) @ torch.zeros(10, 5)  # [4, 6]\n```\n",
            "```python\ny = torch.zeros(4, 10) @ torch.zeros(10, 5)  # [4, 5]\n```\n",
        ),
        (
            "```python\ny = torch.zeros(2, 3)[:, 1:]  # torch.Size([2, 1])\n```\n",
            "```python\ny = torch.zeros(2, 3)[:, 1:]  # torch.Size([2, 2])\n```\n",
        ),
        (
            "```python\ny = torch.zeros(3, 2).t()  # 形状: 3 x 2\n```\n",
            "```python\ny = torch.zeros(3, 2).t()  # 形状: 2 x 3\n```\n",
        ),
        (
            "```python\nfor i in range(3):\n    print(i, end=' ')\n# 0 1 3\n```\n",
            "```python\nfor i in range(3):\n    print(i, end=' ')\n# 0 1 2\n```\n",
        ),
        ("```python\nprint(1 + 1)  # 输出: 3 (因为...)\n```\n", "```python\nprint(1 + 1)  # 输出: 2 (因为...)\n```\n"),
        (
            "```python\ny = torch.zeros(2, 3).t()  # y.shape: (2, 3)\n```\n",
            "```python\ny = torch.zeros(2, 3).t()  # y.shape: (3, 2)\n```\n",
        ),
        (
            "```python\ny = torch.arange(2) + 1  # [1, 3]，逐元素\n```\n",
            "```python\ny = torch.arange(2) + 1  # [1, 2]，逐元素\n```\n",
        ),
        (
            "```python\nprint(torch.eye(2))\n# tensor([[1., 0.],\n#         [1., 1.]])\n```\n",
            "```python\nprint(torch.eye(2))\n# tensor([[1., 0.],\n#         [0., 1.]])\n```\n",
        ),
        (
            "```python\nprint('s:', torch.zeros(2).shape)  # torch.Size([3])\n```\n",
            "```python\nprint('s:', torch.zeros(2).shape)  # torch.Size([2])\n```\n",
        ),
        ("```python\nprint(7)\n```\n输出：\n```\n8\n```\n", "```python\nprint(7)\n```\n输出：\n```\n7\n```\n"),
        (
            "    >>> torch.arange(3)\n    tensor([0, 1])\n",
            "    >>> torch.arange(3)\n    tensor([0, 1, 2])\n",
        ),
        (
            "```python\ns = torch.ones(3).sum()  # 2.0\n```\n",
            "```python\ns = torch.ones(3).sum()  # 3.\n```\n",
        ),
        (
            "```python\ny = torch.zeros(5, 10).chunk(3, dim=1)  # 形状分别为(5, 4), (5, 3), (5, 3)\n```\n",
            "```python\ny = torch.zeros(5, 10).chunk(3, dim=1)  # 形状分别为(5, 4), (5, 4), (5, 2)\n```\n",
        ),
    ],
)
def test_a_claim_is_rewritten_in_its_own_form(torch: Torch, before: str, after: str) -> None:
    assert rewritten(torch, before) == after


def test_what_holds_is_left_alone(torch: Torch) -> None:
    for name in sorted(path.name for path in CASES.glob("claims_*.md") if "¦" in path.read_text("utf-8")):
        text = "\n".join(true for _, true, _ in list(pairs(name))[:8])
        verdicts = torch.judge(text)
        assert (
            updated(Source(name, text), [v for v in verdicts if v.word in HELD and "drift" not in v.word]).text == text
        )


def test_an_updated_source_holds_and_only_its_claims_moved(torch: Torch) -> None:
    """For each false half of the adversarial suite that can be rewritten at all."""
    done = 0
    for name in ("claims_values.md", "claims_forms.md"):
        for title, _, false in list(pairs(name))[::4]:
            result = updated(Source(name, false), torch.judge(false))
            if not result.changed or result.left:
                continue
            changed = {verdict.claim.id for verdict in result.changed}
            assert only_claims_moved(snippets_of(false), snippets_of(result.text), changed) is None, title
            assert all(verdict.word in HELD for verdict in torch.judge(result.text)), title
            done += 1
    assert done >= 12
