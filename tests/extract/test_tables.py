"""Tables: one note a row of what is worth learning; outlines, scores and layouts are left alone."""

import pytest
from carded import cards, made, notes, reasons

from deckgen.model.note import Api, Basic


def table(*rows: str) -> str:
    bars = "|".join("---" for _ in rows[0].strip("|").split("|"))
    return "# Notes\n\n" + "\n".join([rows[0], f"|{bars}|", *rows[1:]]) + "\n"


def apis(text: str) -> dict[str, str]:
    found = [note.body for note in notes(text, Api)]
    return {body.signature: body.meaning for body in found if isinstance(body, Api)}


def test_a_row_about_an_api_is_a_note_with_lines_of_its_own():
    found = notes(table("| Function | Does | Since |", "| `torch.stack(ts)` | joins along a new dim | 0.4 |"))
    (note,) = found
    assert isinstance(note.body, Api)
    assert (note.body.name, note.body.signature) == ("torch.stack", "torch.stack(ts)")
    assert (note.body.meaning, note.body.details) == ("joins along a new dim", (("Since", "0.4"),))
    assert (note.span.first, note.span.last) == (5, 5)
    assert note.rests_on == ("a5.1",)


def test_the_name_may_stand_in_the_second_column():
    assert apis(
        table("| 功能 | 函数 | 用法 |", "| 多条曲线 | `add_scalars` | 画在一张图 |", "| 文本 | `add_text` | 日志 |")
    ) == {
        "add_scalars": "多条曲线",
        "add_text": "文本",
    }


def test_several_names_in_one_cell_are_one_note():
    assert apis(table("| 方法 | 作用 |", "| `flush()` / `close()` | 清理资源 |")) == {"flush() / close()": "清理资源"}


def test_an_empty_first_name_leaves_the_second():
    text = table("| 函数 | 模块 | 描述 |", "| `F.conv1d` | `nn.Conv1d` | 卷积 |", "| | `nn.LazyConv1d` | 懒卷积 |")
    assert apis(text) == {"F.conv1d": "卷积", "nn.LazyConv1d": "懒卷积"}


def test_ditto_is_written_out():
    text = table("| 类 | 描述 |", "| `nn.ModuleList` | 列表，只注册参数 |", "| `nn.ModuleDict` | 字典，同上 |")
    assert apis(text)["nn.ModuleDict"] == "字典，只注册参数"
    text = table("| Class | Note |", "| `nn.A` | keeps state |", "| `nn.B` | ditto |", "| `nn.C` | same as above |")
    assert list(apis(text).values()) == ["keeps state"] * 3


def test_a_comparison_asks_for_each_of_its_subjects():
    found = cards(table("| 特性 | `view()` | `reshape()` |", "| 不连续 | 报错 | 复制 |"), Basic, among=made)
    assert found == {"不连续 — `view()`？": "报错", "不连续 — `reshape()`？": "复制"}


def test_a_merged_cell_repeats_the_one_above():
    found = cards(table("| Case | Effect |", "| slow start | warm up |", "| | cache |"), Basic, among=made)
    assert list(found) == ["slow start — Effect?"] or len(found) == 2


def test_columns_of_decoration_are_left_out():
    (note,) = notes(table("| 函数 | 作用 | 图标 |", "| `add_image` | 图像 | 🖼️ |"))
    assert isinstance(note.body, Api)
    assert note.body.details == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (table("| 小节 | 名称 | 内容 |", "| B1 | Dataset | 样本 |", "| B2 | Loader | 批次 |"), "an outline of lessons"),
        (table("| Lesson | Topic |", "| 1 | Norms |", "| 2 | QR |"), "an outline of lessons"),
        (table("| 题号 | 你的回答 | 评语 |", "| 1️⃣ | `x` | 满分 |"), "a pupil's answers and scores"),
        (table("| Question | Your answer | Score |", "| 1 | B | 10 |"), "a pupil's answers and scores"),
        (table("| No. | Correct answer |", "| 1 | B |", "| 2 | C |"), "a key of answers"),
        (
            table("| 方式 A： | `x ** 2` |", "| 方式 B： | `x * x` |"),
            "a table used as layout: its header row is no header",
        ),
    ],
)
def test_what_is_no_set_of_facts_is_left_alone(text: str, reason: str):
    assert notes(text) == []
    assert reason in reasons(text)
