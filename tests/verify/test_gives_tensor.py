"""Which calls surely give a tensor: what the live torch says of itself."""

import pytest
from api_facts import Ask, ask  # noqa: F401 (fixture)


@pytest.mark.parametrize("name", ["torch.ones", "Tensor.view", "torch.argmax", "F.relu", "F.softmax", "torch.einsum"])
def test_a_call_gives_a_tensor(name: str, ask: Ask):  # noqa: F811
    facts = ask({"names": [name]})
    assert facts["objects"][facts["names"][name]["object"]]["gives_tensor"] is True


@pytest.mark.parametrize(
    "name", ["torch.max", "Tensor.size", "Tensor.tolist", "torch.split", "torch.load", "nn.Linear"]
)
def test_a_call_may_give_something_else(name: str, ask: Ask):  # noqa: F811
    facts = ask({"names": [name]})
    assert facts["objects"][facts["names"][name]["object"]]["gives_tensor"] is False
