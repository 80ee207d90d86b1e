"""Names that cards ask for are claims, also where no mention holds them."""

import pytest
from api_facts import Judge, ask, judge  # noqa: F401 (fixtures)
from carded import extracted

from deckgen.model.note import Api

OPTIMIZERS = "# PyTorch\n\n| Optimizer | What it does |\n| --- | --- |\n| Adam | takes steps of its own size in each direction |\n"


def test_a_name_that_only_a_card_asks_for_is_looked_up(judge: Judge):  # noqa: F811
    extraction = extracted(OPTIMIZERS)
    (note,) = extraction.notes
    (name,) = extraction.apis
    assert isinstance(note.body, Api)
    assert (note.body.name, note.rests_on) == ("Adam", (name.id,))
    assert [one.qualified for one in judge([name])] == ["torch.optim.Adam"]


@pytest.mark.parametrize("name", ["Adm", "MyAdam"])
def test_a_name_that_torch_has_not_is_none(name: str, judge: Judge):  # noqa: F811
    (verdict,) = judge(extracted(OPTIMIZERS.replace("Adam", name)).apis)
    assert verdict.word == "not-an-api"


def test_a_misspelt_one_is_found(judge: Judge):  # noqa: F811
    (verdict,) = judge(extracted(OPTIMIZERS.replace("Adam", "Adagard")).apis)
    assert verdict.suggestion == "torch.optim.Adagrad"


@pytest.mark.parametrize(
    "text",
    [
        OPTIMIZERS.replace("PyTorch", "Words"),
        OPTIMIZERS + "\n```python\nclass Adam: pass\n```\n",
        OPTIMIZERS.replace("| Adam", "| torch.optim.Adam"),
    ],
    ids=["notes on something else", "a class of the author's", "a mention that holds it"],
)
def test_no_name_is_looked_up_for_nothing(text: str):
    extraction = extracted(text)
    assert sum(one.text == "Adam" for one in extraction.apis) == 0
