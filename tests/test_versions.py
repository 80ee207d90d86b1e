"""Marks of versions from the notes to the card, as authors and learners meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Command
from learner import Imported, Learner

PLAIN = """\
# Sums

## Which call adds all numbers?

`torch.sum`, whatever the shape is.

## Code

```python
import torch
print(torch.ones(2).sum())  # tensor(2.)
```

## Names

| Name | Meaning |
|---|---|
| `torch.numel(x)` | counts the elements |
"""
MARKS = {"numbers?": "torch>=2.4", "```python": "torch<99", "`torch.numel(x)`": "torch>=2.4,<98.5 python>=3.8"}


def marked(text: str, marks: dict[str, str]) -> str:
    for end, mark in marks.items():
        assert text.count(end) == 1
        text = text.replace(end, f"{end} {{{mark}}}")
    return text


@pytest.fixture
def deckgen(tmp_path: Path) -> Command:
    place = tmp_path / "place"
    place.mkdir()
    return Command(place, tmp_path / "home")


def build(deckgen: Command, text: str, at: int, *options: str) -> Path:
    (deckgen.place / "sums.md").write_text(text, "utf-8")
    ran = deckgen("build", "sums.md", "--suggestions", "ship", *options, SOURCE_DATE_EPOCH=str(at))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return deckgen.place / "build" / "sums.apkg"


def test_a_card_keeps_its_history_when_it_gets_a_mark_and_when_it_loses_it(deckgen: Command, tmp_path: Path) -> None:
    with Learner(tmp_path / "learner") as learner:
        assert learner.imports(build(deckgen, PLAIN, 1_700_000_000)) == Imported(3, 0, 0)
        learner.reviews()
        before = learner.history()
        guids = {guid for guid, _ in before}
        assert all(state[5] for state in before.values()), "every card was answered"
        assert learner.imports(build(deckgen, marked(PLAIN, MARKS), 1_700_100_000)) == Imported(0, 3, 0)
        assert learner.history() == before
        told = {guid: learner.fields(guid) for guid in guids}
        assert {one["Context"].partition("<span")[0] for one in told.values()} == {
            "since torch 2.4",
            "before torch 99",
            "torch 2.4 to 98.4, since Python 3.8",
        }
        assert not any("{" in field for one in told.values() for field in one.values())
        assert learner.imports(build(deckgen, PLAIN, 1_700_200_000)) == Imported(0, 3, 0)
        assert learner.history() == before


def test_a_card_about_other_versions_reaches_learners_and_stays_when_torch_comes_to_them(
    deckgen: Command, tmp_path: Path
) -> None:
    false = marked(PLAIN.replace("tensor(2.)", "tensor(3.)"), {"```python": "torch>=99"})
    with Learner(tmp_path / "learner") as learner:
        assert learner.imports(build(deckgen, false, 1_700_000_000)) == Imported(3, 0, 0)
        (guid,) = learner.finds("Output:*3*")
        assert "since torch 99" in learner.fields(guid)["Context"]
        assert "not checked: torch 2" in learner.fields(guid)["Checked"]
        assert "deckgen::unverified" not in learner.note(guid).tags


@pytest.mark.parametrize(
    ("language", "mark", "told"),
    [
        ("en", "torch>=2.10", "since torch 2.10"),
        ("en", "torch<2.10", "until torch 2.9"),
        ("en", "torch<=2.9", "until torch 2.9"),
        ("en", "torch<2.0", "before torch 2.0"),
        ("en", "torch>=2.4,<2.10", "torch 2.4 to 2.9"),
        ("en", "torch>=2.4,<2.5", "torch 2.4"),
        ("en", "torch==2.4", "torch 2.4"),
        ("en", "torch!=2.4", "not torch 2.4"),
        ("en", "torch>=1.8,<2.0", "since torch 1.8, before torch 2.0"),
        ("en", "torch>=2.4 python>=3.12", "since torch 2.4, since Python 3.12"),
        ("zh", "torch>=2.10", "自 torch 2.10 起"),
        ("zh", "torch<2.10", "到 torch 2.9 为止"),
        ("zh", "torch<2.0", "torch 2.0 之前"),
        ("zh", "torch>=2.4,<2.10", "torch 2.4 至 2.9"),
        ("zh", "torch==2.4", "仅 torch 2.4"),
        ("zh", "torch!=2.4", "torch 2.4 除外"),
        ("zh", "python>=3.12", "自 Python 3.12 起"),
        ("en", "gpus>=1", "needs a GPU"),
        ("en", "gpus>=2", "needs 2 GPUs"),
        ("en", "gpus<1", "without a GPU"),
        ("zh", "torch>=2.4 gpus>=1", "自 torch 2.4 起、需要 GPU"),
    ],
)
def test_a_card_says_quietly_in_which_versions_it_is_so(
    deckgen: Command, tmp_path: Path, language: str, mark: str, told: str
) -> None:
    question = {"en": "## Which call adds all numbers?", "zh": "## 哪个调用把所有数相加？"}[language]
    answer = {"en": "It is `torch.sum`.", "zh": "用 `torch.sum` 求和。"}[language]
    package = build(deckgen, f"# A\n\n{question} {{{mark}}}\n\n{answer}\n", 1_700_000_000, "--no-run")
    with Learner(tmp_path / "learner") as learner:
        learner.imports(package)
        (guid,) = learner.finds("deck:*")
        fields = learner.fields(guid)
    sign = '<span class="then">·</span>'
    assert fields["Context"].removeprefix('<div lang="zh-CN">').startswith(told + sign)
    assert told in fields["Title"]
    assert mark not in "".join(fields.values())


def test_checking_says_what_was_skipped_and_ends_well(deckgen: Command) -> None:
    text = marked(PLAIN.replace("tensor(2.)", "tensor(3.)"), {"```python": "torch>=99", "`torch.numel(x)`": "torch<2"})
    (deckgen.place / "sums.md").write_text(text, "utf-8")
    ran = deckgen("verify", "sums.md")
    assert (ran.returncode, ran.stderr.count("{")) == (0, 0)
    assert "sums.md:11: skipped: torch 2." in ran.stdout
    assert "3 checks are about other versions" in ran.stdout  # the output, and each of the two names
    data = json.loads(deckgen("verify", "sums.md", "--format", "json").stdout)
    (source,) = data["sources"]
    assert [(one["verdict"], one["reason"][:8]) for one in source["claims"] + source["apis"] if one["reason"]] == [
        ("skipped", "torch 2.")
    ] * 3
    assert (
        data["summary"]["claims"] | {"found": 1, "checked": 0, "skipped": 1, "unverified": 0}
        == data["summary"]["claims"]
    )
    assert deckgen("verify", "sums.md", "--fail-on", "any").returncode == 0
    assert deckgen("verify", "sums.md", "--fail-on", "skipped").returncode == 1
    assert deckgen("verify", "sums.md", "--min-checked", "100%").returncode == 0


ON_A_GPU = """\
# Memory

## What does `torch.cuda.empty_cache()` give back? {gpus>=1}

Blocks that no tensor uses.

## Sums

```python {gpus>=99}
import torch
print(torch.ones(2).sum())  # tensor(3.)
```
"""


def test_what_needs_more_gpus_is_a_card_that_was_not_run_here(deckgen: Command, tmp_path: Path) -> None:
    package = build(deckgen, ON_A_GPU, 1_700_000_000)
    with Learner(tmp_path / "learner") as learner:
        learner.imports(package)
        fields = [learner.fields(guid) for guid in learner.finds("deck:*")]
    assert sorted(one["Title"].split(" · ")[1].split(" › ")[0] for one in fields) == ["needs 99 GPUs", "needs a GPU"]
    assert all(">not run here<" in one["Checked"] for one in fields)
    ran = deckgen("verify", "sums.md", "--device", "cpu")
    assert "sums.md:11: skipped: no GPU: 1 check is for other machines" in ran.stdout
    assert ran.returncode == 0


def test_a_name_is_looked_up_without_the_gpu_that_its_call_needs(deckgen: Command) -> None:
    (deckgen.place / "sums.md").write_text("# A\n\n`torch.cuda.empty_cash` frees memory. {gpus>=1}\n", "utf-8")
    ran = deckgen("verify", "sums.md", "--device", "cpu")
    assert "empty_cash" in ran.stdout
    assert ran.returncode == 1


def test_code_that_is_kept_in_a_file_can_be_about_some_versions_alone(deckgen: Command) -> None:
    (deckgen.place / "sum.py").write_text("import torch\n\nprint(torch.ones(2).sum())  # tensor(3.)\n", "utf-8")
    for info in ("{file=sum.py torch>=99}", "{file=sum.py, torch>=99}", "{torch>=99} {file=sum.py}"):
        (deckgen.place / "sums.md").write_text(f"# Sums\n\n```python {info}\n```\n", "utf-8")
        data = json.loads(deckgen("verify", "sums.md", "--format", "json").stdout)
        assert [(one["origin"], one["verdict"]) for one in data["sources"][0]["claims"]] == [("sum.py:3", "skipped")]


def test_a_wrong_mark_is_told_with_its_place_and_what_to_write(deckgen: Command) -> None:
    (deckgen.place / "sums.md").write_text(marked(PLAIN, {"```python": "torch=2.10"}), "utf-8")
    ran = deckgen("verify", "sums.md")
    assert ran.returncode == 0
    assert "sums.md:9: `{torch=2.10}` is no range of versions; write `{torch>=2.10}`" in ran.stderr
