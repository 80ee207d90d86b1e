"""The number that a line bears to say which question it is about."""

import pytest

from deckgen.extract.labels import labels


@pytest.mark.parametrize(
    ("line", "number", "rest"),
    [
        ("1. B", 1, "B"),
        ("**4.** ✅ C. Each dimension", 4, "✅ C. Each dimension"),
        ("1️⃣ 展示分布：`add_ ____`", 1, "展示分布：`add_ ____`"),
        ("② float32", 2, "float32"),
        ("**Q2:** What is a leaf?", 2, "What is a leaf?"),
        ("Question 8: A and C", 8, "A and C"),
        ("Question 4 is correct", 4, "is correct"),
        ("Q7 — what does it return?", 7, "what does it return?"),
        ("题目 1：结果是？", 1, "结果是？"),
        ("第 3 题（单选）", 3, "（单选）"),
        ("第三题错了哦", 3, "错了哦"),
        ("12题：对", 12, "对"),
        ("٣", 3, ""),
        ("१२. B", 12, "B"),
        ("第۵题", 5, ""),
        ("Question ٣: A", 3, "A"),
        ("1．下列", 1, "下列"),
        ("1\\. foo", 1, "foo"),
        ("### ✅ 2. 控制", 2, "控制"),
        ("1. ____ joins tensors", 1, "____ joins tensors"),
        ("1. **Dataset** 的方法", 1, "**Dataset** 的方法"),
    ],
)
def test_a_line_bears_its_number_in_any_dress(line: str, number: int, rest: str):
    assert labels(line).number == (number, rest)


@pytest.mark.parametrize(
    "line",
    ["2 things", "2.5 is not whole", "[1, 2]", "(1, 5)", "10个问题", "3D conv", "2x4", "第一步：加载", "第 3 章：张量",
     "第2题和第3题都对", "2024-03-05: released", "Q1 and Q2 are right", "Adam: 1e-3"],
)  # fmt: skip
def test_what_only_holds_a_number_or_several_bears_none(line: str):
    assert labels(line).number is None
