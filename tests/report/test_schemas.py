"""The schemas of what programs are told. `tests/schemas.py` holds every output of the suite to them; here is that it can fail."""

import copy
import json

import pytest
from commands import Command
from jsonschema import Draft202012Validator
from schemas import SEEN, faults, hold

from deckgen.report.schemas import NAMES

NOTES = """# Sums

Q: What does `torch.arange(4).sum()` return?
A: `tensor(7)`

Q: What is the default `lr` of `torch.optim.Adam`?
A: `0.001`

Q: Why is it liked?
A: It adapts.

<!-- deckgen: id=size -->
Q: What does `torch.rand(2)` return?
A: `tensor([0.1, 0.2])`

Q: What is `torch.nn.Linear` liked for?
A: For its speed.

`torch.ones(2, 3)` has {{c1::6}} elements. `nn.Liner` is a layer.

```python
import torch
x = torch.cat([torch.ones(2), torch.ones(2, 3)])
```
"""


@pytest.fixture
def deckgen(tmp_path):
    (tmp_path / "notes.md").write_text(NOTES, "utf-8")
    return Command(tmp_path, tmp_path / "home")


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_printed_and_is_one(deckgen, name):
    printed = json.loads(deckgen("schema", name).stdout)
    Draft202012Validator.check_schema(printed)
    assert printed["title"] == name


def test_their_names_are_listed_and_an_unknown_one_is_told(deckgen):
    assert deckgen("schema").stdout.split() == [*NAMES]
    unknown = deckgen("schema", "deckgen.verify/2")
    assert unknown.returncode == 2
    assert "deckgen.verify/1" in unknown.stderr


@pytest.mark.parametrize("command", ["verify", "inspect"])
def test_what_is_printed_is_held_to_its_schema(deckgen, command):
    before = SEEN[f"deckgen.{command}/1"]
    run = deckgen(command, "notes.md", "--format", "json")
    assert SEEN[f"deckgen.{command}/1"] > before, run.stderr
    spoiled = run.stdout.replace('"sources"', '"sauces"')
    with pytest.raises(AssertionError, match="sauces"):
        hold(spoiled)


def parts(value, path=()):
    """Where an output has keys."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield (*path, key)
            yield from parts(one, (*path, key))
    elif isinstance(value, list):
        for at, one in enumerate(value[:1]):  # the first is like the others
            yield from parts(one, (*path, at))


@pytest.mark.parametrize("command", ["verify", "inspect"])
def test_no_key_can_be_missing_or_be_of_another_type(deckgen, command):
    data = json.loads(deckgen(command, "notes.md", "--format", "json").stdout)
    free = ("rules", "options")  # by names that the notes choose
    for path in (path for path in parts(data) if path != ("schema",) and not {*free} & {*path[:-1]}):
        for spoil in (lambda holder, key: holder.pop(key), lambda holder, key: holder.update({key: 1.5})):
            spoiled = copy.deepcopy(data)
            holder = spoiled
            for key in path[:-1]:
                holder = holder[key]
            spoil(holder, path[-1])
            assert faults(spoiled), path


def test_a_key_that_the_schema_does_not_name_is_told(deckgen):
    data = json.loads(deckgen("verify", "notes.md", "--format", "json").stdout)
    assert faults(data) == []
    data["cards"][0]["more"] = 1
    assert len(faults(data)) == 1


def test_one_card_has_one_verdict_and_what_is_right(deckgen):
    cards = json.loads(deckgen("verify", "notes.md", "--format", "json").stdout)["cards"]
    told = [(card["id"], card["line"], card["verdict"]) for card in cards]
    assert told == [
        (None, 3, "refuted"),
        (None, 6, "proved"),
        (None, 9, "open"),
        ("size", 13, "unverified"),
        (None, 16, "names"),
        (None, 19, "refuted"),
    ]
    observed = [[claim["observed"] for claim in card["claims"]] for card in cards]
    assert "tensor(6)" in observed[0]
    assert "torch.nn.Linear" in observed[5]
    assert cards[0]["why"] == "contradicted: 7 claimed, torch has 6"
    assert cards[3]["why"] == "its exact answer was not compared (exists, holds-structure)"
    assert cards[1]["why"] is None
