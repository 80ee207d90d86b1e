"""Two languages of one deck: what changes in one is told until somebody has looked at the other."""

from pathlib import Path

import pytest
from commands import Command

from bench.translations import CARDS, PAIRS, TRANSLATED, Pair, compared, pairs

ENGLISH = """# Sums

### What does `torch.sum` give for an integer tensor?

An `int64`.

```python
import torch
print(torch.ones(3).sum().item())  # 3.0
```

### What does `torch.mean` refuse?

Integer tensors.
"""
CHINESE = """# 求和

### `torch.sum` 对整数张量返回什么类型？

`int64`。

```python
import torch
print(torch.ones(3).sum().item())  # 3.0
```

### `torch.mean` 拒绝什么输入？

整数张量。
"""


@pytest.fixture
def build(tmp_path: Path):
    """Writes both decks and builds them; gives what two languages of them are now."""
    command = Command(tmp_path, tmp_path)

    def run(english: str, chinese: str, before: list[Pair] = []) -> tuple[list[Pair], list[str]]:  # noqa: B006 - read only
        for folder, text in (("cards/sums", english), ("cards/zh/sums", chinese)):
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / "deck.toml").write_text(f'name = "{folder.replace("/", " ")}"\n')
            (tmp_path / folder / "a.md").write_text(text, "utf-8")
        ran = command("build", "--no-run", "--suggestions", "ship", "cards")
        assert ran.returncode == 0, ran.stderr
        return compared(tmp_path / "cards", before)

    return run


def test_notes_are_paired_by_code_and_by_order(build):
    now, complaints = build(ENGLISH, CHINESE)
    assert len(now) == 3
    assert [one.partition(": ")[0] for one in complaints] == ["sums/a.md"] * 3
    assert all("nobody compared them yet" in one for one in complaints)
    (mean,) = (one for one in complaints if "refuse" in one)
    assert "拒绝" in mean
    assert build(ENGLISH, CHINESE, now) == (now, [])


def test_a_note_that_changed_in_one_language_is_told(build):
    before, _ = build(ENGLISH, CHINESE)
    for english, chinese, language in (
        (ENGLISH.replace("Integer tensors.", "Integer tensors, whatever their dtype is."), CHINESE, "english"),
        (ENGLISH, CHINESE.replace("整数张量。", "所有整数类型的张量。"), "chinese"),
    ):
        _, (complaint,) = build(english, chinese, before)
        assert "torch.mean" in complaint
        assert complaint.endswith(f"changed in {language}")


def test_a_note_without_partner_is_told(build):
    before, _ = build(ENGLISH, CHINESE)
    now, (complaint,) = build(ENGLISH, CHINESE.partition("### `torch.mean`")[0], before)
    assert len(now) == 2
    assert complaint.endswith("has no Chinese note")
    now, (complaint,) = build(ENGLISH.partition("### What does `torch.mean`")[0], CHINESE, before)
    assert len(now) == 2
    assert complaint.endswith("has no English note")


def test_every_deck_has_a_chinese_edition() -> None:
    english, chinese = (
        {path.parent.name for path in folder.glob("*/deck.toml")} for folder in (CARDS, CARDS / TRANSLATED)
    )
    assert english == chinese


def test_the_chinese_decks_say_what_the_english_ones_say():
    _, complaints = compared(CARDS, pairs((CARDS / TRANSLATED / PAIRS).read_text("utf-8")))
    assert complaints == []
