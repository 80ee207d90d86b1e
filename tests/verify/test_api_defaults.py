"""What notes say of defaults is compared with the live signature, by value; what is not certain is left alone."""

import ast
from typing import Any, NamedTuple

import pytest
from api_facts import Ask, Judge, ask, judge  # noqa: F401 (fixtures)

from deckgen.extract import extract
from deckgen.model.source import Source
from deckgen.model.verdict import API_FINE
from deckgen.read import read

PARTS = ("torch.nn", "torch.optim", "torch.nn.functional", "torch.utils.data")


class Defaulted(NamedTuple):
    owner: str
    name: str
    value: Any


def false_in_each(texts: list[str], judge: Judge) -> list[list[str]]:  # noqa: F811
    """Why torch denies what each text says, all texts judged at once."""
    claims = [extract(read(Source("notes.md", text.strip("\n") + "\n"))).apis for text in texts]
    verdicts = iter(judge([one for several in claims for one in several]))
    judged = [[next(verdicts) for _ in several] for several in claims]
    return [[str(one.reason) for one in several if one.word not in API_FINE] for several in judged]


@pytest.fixture(scope="module")
def defaulted(ask: Ask) -> list[Defaulted]:  # noqa: F811
    """200 parameters whose default is a literal other than None, spread evenly."""
    objects = ask({"names": [], "members": list(PARTS)})["objects"]
    every = [
        Defaulted(path, name, value)
        for path, fact in objects.items()
        if fact["signatures"] and not fact["removed"] and path.rpartition(".")[0] in PARTS
        for name, kind, default in fact["signatures"][0]["parameters"]
        if kind in ("positional", "keyword") and (value := literal(default)) is not None
    ]
    return every[:: len(every) // 200][:200]


def literal(text: str | None) -> Any:
    try:
        value = ast.literal_eval(text or "None")
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, bool | int | float | str | tuple) and "None" not in str(value) else None


def other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case str():
            return "median"
        case tuple():
            return tuple(other(one) for one in value)
        case _:
            return value + 1


TABLE = (
    "# {owner} parameters\n\n| Parameter | Default | Meaning |\n| --- | --- | --- |\n| `{name}` | {value} | text |\n"
)
FORMS = {
    "row": TABLE.replace("{owner}", "`{owner}`"),
    "row of a Chinese table": "# `{owner}`\n\n| 参数 | 默认值 | 含义 |\n| --- | --- | --- |\n| `{name}` | `{value}` | 文本 |\n",
    "item under Parameters": "## `{owner}`\n\n### Parameters\n\n- `{name}`: what it is for (default: {value})\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_true_defaults_pass_and_false_ones_are_caught(form: str, defaulted: list[Defaulted], judge: Judge):  # noqa: F811
    assert len(defaulted) == 200
    true = [FORMS[form].format(owner=one.owner, name=one.name, value=repr(one.value)) for one in defaulted]
    false = [FORMS[form].format(owner=one.owner, name=one.name, value=repr(other(one.value))) for one in defaulted]
    reasons = false_in_each([*true, *false], judge)
    alarms = [(one, told) for one, told in zip(defaulted, reasons[:200], strict=True) if told]
    missed = [one for one, told in zip(defaulted, reasons[200:], strict=True) if not is_caught(one, told)]
    print(f"{form}: {len(alarms)} false alarms, {len(missed)} missed of 200: {missed[:10]}")
    assert alarms == []
    assert len(missed) <= 10


def is_caught(one: Defaulted, told: list[str]) -> bool:
    return any(f"default of `{one.name}`: claimed" in reason for reason in told)


FALSE = {
    "# DataLoader parameters\n\n| Parameter | Default |\n| --- | --- |\n| `num_workers` | 7 |": (
        "default of `num_workers`: claimed 7, torch has 0"
    ),
    "## torch.optim.Adam\n\n| 参数 | 类型 | 默认值 |\n| --- | --- | --- |\n| betas | tuple | (0.9, 0.99) |": (
        "default of `betas`: claimed (0.9, 0.99), torch has (0.9, 0.999)"
    ),
}


def test_a_false_default_is_told_with_torchs_own(judge: Judge):  # noqa: F811
    assert false_in_each(list(FALSE), judge) == [[reason] for reason in FALSE.values()]


LEFT_ALONE = {
    "the same value otherwise written": "## torch.optim.Adam\n\n- `lr`: default 0.001\n- `eps`: 默认为 `1e-8`。",
    "quotes left out": "## nn.MSELoss\n\n| Name | Default |\n| --- | --- |\n| `reduction` | mean |",
    "a minus sign": "## nn.CrossEntropyLoss\n\n| 参数 | 默认 |\n| --- | --- |\n| `ignore_index` | −100 |",
    "a power": "## torch.amp.GradScaler\n\n- **init_scale**: where it starts. Default: 2.**16\n- **enabled**: default: **True**",
    "rounded": "## F.rrelu\n\n| 参数 | 默认 |\n| --- | --- |\n| `upper` | 0.333 |",
    "no value": "# DataLoader parameters\n\n| Parameter | Default |\n| --- | --- |\n| `dataset` | required |\n"
    "| `num_workers` | - |\n| `batch_size` | |\n| `drop_last` | ✓ |\n| `timeout` | depends on you |",
    "None stands for what is worked out later": "## `DataLoader` 参数\n\n- `shuffle`：默认 False\n- `prefetch_factor`: default 2",
    "a function": "## `DataLoader` 参数\n\n- `collate_fn`: 默认 `default_collate`",
    "another subject": "## torch.optim.Adam\n\n- `weight_decay`: SGD 默认 0.1\n- `lr`: in `SGD` the default is 7",
    "two values": "## torch.optim.Adam\n\n- `lr`: default 0.1 for a start, default: 0.2",
    "an exception": "## torch.optim.Adam\n\n- `lr`: default 0.1, unless told otherwise\n- `eps`: 默认 1，除非另有说明",
    "another version": "## torch.optim.Adam\n\n- `amsgrad`: default: True before 1.0\n- `lr`: 旧版默认 0.1",
    "no parameter of it": "## nn.Dropout\n\n- `note`: default is 7",
    "two owners": "## F.dropout vs nn.Dropout\n\n- `p`: default 0.9",
    "the source's own class": "```python\nclass Net:\n    def f(self): ...\n```\n\n- `Net(p)`: default `p` is 0.9",
    "the author's own script": "# Our training script for torch.optim.SGD\n\n| Option | Default |\n| --- | --- |\n| `lr` | 0.1 |",
    "another library": "In Keras, `Dropout` has `p=0.9` by default.\n\nTensorFlow 中 Dropout 的 p 默认为 0.9。",
    "put to judgement": "True or false: `nn.Linear` has no bias by default. Answer: False.",
    "a question without an answer": "Is the default `p` of `nn.Dropout` 0.9?",
    "told as a mistake": "## 常见误区\n\nnn.Dropout 的 p 默认为 0.9。",
    "denied": "很多人以为 nn.Dropout 的 p 默认为 0.9。",
    "in other words": "DataLoader 的 num_workers 默认为 CPU 核数；nn.Dropout 默认以 0.9 的概率保留。",
    "a truth value of a number": "nn.BatchNorm2d has momentum by default.",
    "a wrong option": "1. What is the default `p` of `nn.Dropout`?\nA. 0.9\nB. 0.5\nAnswer: B",
    "uses": "| API | text |\n| --- | --- |\n| `torch.optim.Adam(params, lr=0.01, betas=(0.9, 0.999), eps=1e-8)` | text |\n"
    "| `nn.Conv2d(in_channels, out_channels, kernel_size, stride=1, padding=1)` | text |\n"
    "| `nn.MSELoss(reduction='sum')` | text |",
}


def test_what_is_right_or_not_certain_raises_no_alarm(judge: Judge):  # noqa: F811
    told = dict(zip(LEFT_ALONE, false_in_each(list(LEFT_ALONE.values()), judge), strict=True))
    assert {name: reasons for name, reasons in told.items() if reasons} == {}
