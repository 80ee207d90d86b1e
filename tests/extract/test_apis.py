"""API names in documents: which are found, where, and with what around them. Verdicts: tests/cases/apis.md."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckgen.extract.names.mentions import mentions
from deckgen.model.claim import Exists
from deckgen.model.document import Document, Prose
from deckgen.model.source import Source, Span
from deckgen.read import read


def found(text: str) -> list[Exists]:
    """Without those in code itself."""
    return [one for one in mentions(read(Source("notes.md", text))) if one.form != "code"]


def names(text: str) -> list[str]:
    return [one.text for one in found(text)]


def table(header: str, *rows: str) -> str:
    bars = "|".join("---" for _ in header.strip("|").split("|"))
    return "\n".join([header, f"|{bars}|", *rows])


def test_ids_are_unique_and_tell_the_line():
    text = table("| API | does |", "| `flush()` / `close()` | ends |", "| `flush()` | writes |")
    assert [one.id for one in found(text)] == ["a3.1", "a3.2", "a4.1"]


def test_a_name_in_a_text_that_shares_its_line_with_the_next_stands_on_that_line():
    blocks = (Prose(Span(1, 1), "Use `torch.cat` here."), Prose(Span(1, 2), "Or `torch.stack`."))
    page = Document(Source("page.html", "<html>\n<p>"), "webpage", blocks)
    assert [(one.text, one.span) for one in mentions(page)] == [("torch.cat", Span(1, 2)), ("torch.stack", Span(1, 2))]


def test_an_alias_comes_from_the_imports():
    text = "```python\nimport torch.nn.functional as func\n```\n\n" + table("| Name | x |", "| `func.relu` | y |")
    assert [(one.text, one.alias) for one in found(text)] == [("func.relu", "torch.nn.functional")]


def test_an_import_over_several_lines_is_read():
    code = "from torch.utils.data import (\n    Subset,\n    random_split as split,\n)"
    text = f"```python\n{code}\n```\n- `split(data, sizes)`: parts"
    assert [(one.text, one.alias) for one in found(text)] == [("split(data, sizes)", "torch.utils.data.random_split")]


def test_a_variable_stands_for_its_class():
    text = "```python\nsched = torch.optim.lr_scheduler.StepLR(opt, 3)\n```\n\nCall `sched.step()` last."
    assert [(one.text, one.alias) for one in found(text)] == [("sched.step()", "torch.optim.lr_scheduler.StepLR")]


@pytest.mark.parametrize(
    ("header", "owner"),
    [
        ("`Optimizer` 常用方法", "Optimizer"),
        ("`SummaryWriter` methods", "SummaryWriter"),
        ("`FunctionCtx` 方法、属性", "FunctionCtx"),
        ("DataLoader 属性", "DataLoader"),
        ("Method", None),
    ],
)
def test_a_header_names_the_owner(header: str, owner: str | None):
    (only,) = found(table(f"| {header} | 描述 |", "| `step()` | 更新 |"))
    assert only.owner == owner


def test_names_in_a_row_are_peers():
    first, second = found(table("| 函数 | 模块 |", "| `F.relu` | `nn.ReLU` |"))
    assert (first.peers, second.peers) == (("nn.ReLU",), ("F.relu",))


def test_empty_cells_and_ditto_marks_are_no_names():
    assert names(table("| Function | Module |", "| `F.relu` | |", "| 同上 | `nn.ReLU` |", "| - | — |")) == [
        "F.relu",
        "nn.ReLU",
    ]


def test_columns_of_defaults_and_types_are_left_alone():
    assert names(table("| Parameter | Type | Default |", "| `lr` | `float` | `1e-3` |")) == ["lr"]


def test_a_column_of_words_needs_a_header_that_announces_names():
    assert names(table("| 优化器类 | 特点 |", "| Adam | 自适应 |")) == ["Adam"]
    assert names(table("| 人 | 特点 |", "| Adam | 第一 |")) == []


def test_escaped_underscores_and_emoji_do_not_hide_a_name():
    assert names(table("| 🧙 方法 | 作用 |", "| add\\_scalar 📈 | 曲线 |", "| `close` 🚪 | 关闭 |")) == [
        "add_scalar",
        "close",
    ]


def test_the_surroundings_of_a_bare_name_are_its_heading_then_the_code_above():
    text = (
        "# `torch.utils.benchmark`\n\n```python\nfrom torch.utils.data import DataLoader\nDataLoader(x)\n```\n\n"
        + table("| API | x |", "| `timeit` | y |")
    )
    (only,) = [one for one in found(text) if one.text == "timeit"]
    assert only.scopes[:2] == ("torch.utils.benchmark", "torch.utils.data.DataLoader")


def test_a_pupils_turn_is_not_checked():
    turns = [
        "You:",
        "Is it `torch.madeup`?",
        "ChatGPT:",
        "No, `torch.mm` it is.",
        "You:",
        "`torch.ok`",
        "ChatGPT:",
        "Fine.",
    ]
    assert names("\n\n".join(turns)) == ["torch.mm"]


@pytest.mark.parametrize(
    "line",
    [
        "❌ `torch.bad` is wrong",
        "`torch.bad` 已移除",
        "there is no `torch.bad`",
        "see https://example.org/torch.bad and [x](torch.bad.html)",
        "save it as `model.torch.bad`",
        "pip install torch.bad.whl",
    ],
)
def test_what_a_line_denies_or_links_is_no_claim(line: str):
    assert names(line) == []


def test_methods_that_the_source_itself_defines_may_still_be_torchs():
    text = "```python\nclass Net(nn.Module):\n    def forward(self, x): ...\ndef train_all(): ...\n```\n"
    assert names(text + "- `forward(x)`: runs\n- `train_all()`: mine\n- `Net(x)`: mine") == ["forward(x)"]


@given(st.text(alphabet="ab_.`|()[]=,、/ -#\n*:：TtorchnF\\1", max_size=400))
def test_no_document_is_too_strange(text: str):
    claims = found(text)
    assert len({one.id for one in claims}) == len(claims)
    assert all(one.span.start < max(1, text.count("\n") + 1) for one in claims)
