"""Tables written from the live torch."""

from typing import Any

import pytest
from api_facts import Ask, Judge, ask, judge  # noqa: F401 (fixtures)

from deckgen.extract.names.mentions import mentions
from deckgen.model.source import Source
from deckgen.model.verdict import NameVerdict
from deckgen.read import read
from deckgen.verify.names.table import api_table, table_request, unknown_names


def written(ask: Ask, *names: str) -> str:  # noqa: F811
    return api_table(ask(table_request(names)), names)


def test_functions_share_a_table(ask: Ask):  # noqa: F811
    table = written(ask, "torch.matmul", "F.relu")
    assert table.split("\n")[:3] == [
        "| API | What it does | Parameters |",
        "| --- | --- | --- |",
        "| `torch.matmul(input, other, *, out=None)` | Matrix product of two tensors. "
        "| `input`: the first tensor to be multiplied; `other`: the second tensor to be multiplied; "
        "`out`: the output tensor |",
    ]
    assert "| `F.relu(input, inplace=False)` |" in table


def test_a_class_lists_its_methods(ask: Ask):  # noqa: F811
    table = written(ask, "SummaryWriter")
    assert "| `torch.utils.tensorboard.SummaryWriter(log_dir=None, " in table
    assert "\n## `torch.utils.tensorboard.SummaryWriter(log_dir=None, " in table
    assert "\n| `SummaryWriter` method | What it does | Parameters |\n" in table
    assert "\n| `SummaryWriter.flush()` | Flushes the event file to disk. |  |\n" in table


def test_a_module_lists_its_names(ask: Ask):  # noqa: F811
    table = written(ask, "torch.utils.checkpoint")
    assert "| `torch.utils.checkpoint.checkpoint_sequential(functions, segments, input, " in table


def test_what_is_deprecated_says_so(ask: Ask):  # noqa: F811
    assert "| Deprecated: This method is now deprecated in favor of `torch.nn.init.uniform_`. |" in written(
        ask, "nn.init.uniform"
    )


def test_unknown_names_come_with_the_near_one(ask: Ask):  # noqa: F811
    names = ["torch.matmul", "F.nomarlize", "DataLoadr", "no.such.thing"]
    assert unknown_names(ask(table_request(names)), names) == {
        "F.nomarlize": "torch.nn.functional.normalize",
        "DataLoadr": "torch.utils.data.DataLoader",
        "no.such.thing": None,
    }


@pytest.mark.parametrize(
    "name", ["SummaryWriter", "Optimizer", "nn.Module", "F", "torch.utils.data", "Tensor", "nn.init"]
)
def test_what_is_written_is_read_back_and_passes(name: str, ask: Ask, judge: Judge):  # noqa: F811
    document = read(Source("table.md", written(ask, name)))
    verdicts = judge(mentions(document))
    failed: list[Any] = [
        (one.claim.text, one.word, one.reason)
        for one in verdicts
        if one.word not in (NameVerdict.EXISTS, NameVerdict.DEPRECATED) and one.claim.form != "prose"
    ]
    assert failed == []
    assert len(verdicts) >= 4


def test_a_class_shows_its_parameters_and_leaves_out_what_it_inherits(ask: Ask):  # noqa: F811
    table = written(ask, "nn.Linear")
    assert "`in_features`: size of each input sample" in table
    assert "`Linear.reset_parameters()`" in table
    assert "state_dict" not in table


def test_what_is_torchs_own_and_marks_for_linters_are_left_out(ask: Ask):  # noqa: F811
    table = written(ask, "torch.save")
    assert "`torch.save(obj, f, pickle_module=..., pickle_protocol=2)`" in table
    assert "_use_new_zipfile_serialization" not in table
    assert "`torch.utils.benchmark.FunctionCounts(_data, inclusive," in written(
        ask, "torch.utils.benchmark.FunctionCounts"
    )
    facts = ask({"names": ["torch.cat"], "members": [], "pool": False, "uses": False})
    described = facts["objects"]["torch.cat"]
    marked = {**described, "doc": "Joins tensors. # noqa: B950", "about": {"dim": "which one  # type: ignore[misc]"}}
    assert "noqa" not in (row := api_table({**facts, "objects": {"torch.cat": marked}}, ["torch.cat"]))
    assert "| Joins tensors. |" in row
    assert "`dim`: which one;" in row
