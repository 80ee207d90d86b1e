"""A card that asks what code does can be answered by running what it shows, and the answer is what it says.

The code is taken from the fields of the card, as the learner sees it, and run outside of deckgen's engine: a fresh Python
imports torch and the usual names, and forks a process for every card. `DECKGEN_DOCUMENTS=FILE:FILE pytest
tests/test_shown_code.py` runs it on documents of one's own.
"""

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from in_part import DECKS, in_part

from deckgen.app import check
from deckgen.app.build import rendered
from deckgen.app.check import verified
from deckgen.app.load import load
from deckgen.app.options import Options
from deckgen.cache import Folder
from deckgen.model.deck import FIELDS
from deckgen.model.note import Output
from deckgen.model.results import NOT_SHIPPED, Decision, Disposition

pytestmark = [pytest.mark.slow, pytest.mark.linux("forks")]

IN_EACH_RUN = {"tensors", "memory-speed"}
"""Decks whose code is run by hand in each run of the tests."""
DOCUMENTS = [Path(name) for name in os.environ.get("DECKGEN_DOCUMENTS", "").split(":") if name]

BY_HAND = """
import ast, contextlib, io, json, os, sys, tempfile, warnings
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim as optim, numpy as np, math, copy, time, random
from collections import OrderedDict
from functools import partial
from torch import Tensor
from torch.autograd import Function, Variable
from torch.nn import Parameter
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler, TensorDataset, random_split
from torch.utils.tensorboard import SummaryWriter
import torch.utils.benchmark as benchmark
import torch._dynamo, torch._inductor.compile_fx  # once here, and not in each process that optimises or compiles
torch.set_num_threads(1)
cards = json.load(sys.stdin)
usual = {name: thing for name, thing in globals().items() if name not in ("cards", "ast", "io", "contextlib", "tempfile")}

def run(code, target):
    names, said, values, error, warned = {**usual, "__name__": "__main__"}, open(tempfile.mkstemp()[1], "w+", buffering=1), [], "", []
    os.dup2(said.fileno(), 1)  # processes of the code write there, too
    def told(message, category, *place, **more):
        warned.append(f"{category.__name__}: {message}")
    warnings.showwarning = told
    last = None
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        try:
            for statement in ast.parse(code).body:
                last = None
                if isinstance(statement, ast.Expr):
                    last = eval(compile(ast.Expression(statement.value), "card", "eval"), names)
                    if last is not None:
                        values.append(repr(last))
                        said.write(f"\\0{len(values) - 1}\\0")
                else:
                    exec(compile(ast.Module([statement], []), "card", "exec"), names)
            looked_at = eval(target, names) if target else last
        except BaseException as raised:
            error, looked_at = f"{type(raised).__name__}: {raised}", None
    said.seek(0)
    parts = looked_at if isinstance(looked_at, (tuple, list)) and not isinstance(looked_at, torch.Size) else [looked_at]
    shapes = [tuple(one.shape) if hasattr(one, "shape") else tuple(one) if isinstance(one, torch.Size) else () for one in parts]
    if all(isinstance(one, int) for one in parts):
        shapes = [tuple(parts)]
    return {"said": said.read(), "values": values, "ends_in_value": last is not None, "error": error, "warned": warned,
            "looked_at": repr(looked_at), "shapes": shapes}

for number, (code, target) in enumerate(cards):
    path = tempfile.mkstemp()[1]
    child = os.fork()
    if not child:
        os.chdir(tempfile.mkdtemp())
        with open(path, "w") as file:
            json.dump(run(code, target), file)
        os._exit(0)
    os.waitpid(child, 0)
    print(json.dumps(open(path).read()), flush=True)
    os.unlink(path)
"""


@pytest.fixture(autouse=True)
def _nothing_was_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # locks of folders that cannot be written to


@dataclass(frozen=True)
class Shown:
    """A card as the learner sees it."""

    decision: Decision
    code: str
    answer: str

    @property
    def body(self) -> Output:
        assert isinstance(self.decision.note.body, Output)
        return self.decision.note.body


def plain(field: str) -> str:
    """The text of a field."""
    return html.unescape(re.sub(r"<[^>]*>", "", field))


def shown(path: Path) -> list[Shown]:
    """The shipped Output cards of a deck; those of emulated CUDA aside, which say so."""
    options = Options(paths=(str(path),), quiet=True, on_contradiction="correct", suggestions="ship")
    (deck,) = load(options)
    verification = verified([deck], options, lambda *_: None).verification
    found = []
    decisions = [
        one
        for one in check.decisions(deck, None, verification, options)
        if isinstance(one.note.body, Output) and one.disposition not in NOT_SHIPPED and not one.waived
    ]
    for decision, look in zip(decisions, rendered(deck, decisions, Folder(None)), strict=True):
        fields = dict(zip(FIELDS, look.fields, strict=True))
        if "emulated" in decision.stamp:
            assert "emulated" in plain(fields["Checked"])
            continue
        assert "not checked" not in plain(fields["Checked"]), (decision.note.places[0], fields["Checked"])
        found.append(Shown(decision, plain(fields["Code"]), plain(fields["Output"])))
    return found


def run_by_hand(cards: list[Shown]) -> Iterator[dict[str, object]]:
    """What the code of each does in a process of its own."""
    asked = json.dumps([(card.code, card.body.target) for card in cards])
    ran = subprocess.run([sys.executable, "-c", BY_HAND], input=asked, capture_output=True, text=True, check=True)
    for line in ran.stdout.splitlines():
        yield json.loads(json.loads(line))


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def readings(told: dict) -> set[str]:
    """What a notebook, a prompt and a script show of one run."""
    said, values = told["said"], told["values"]
    last = str(len(values) - 1) if told["ends_in_value"] else ""
    every = re.sub(r"\0(\d+)\0", lambda found: values[int(found[1])], said)
    one = re.sub(r"\0(\d+)\0", lambda found: values[int(found[1])] if found[1] == last else "", said)
    return {bare(every), bare(one), bare(re.sub(r"\0\d+\0", "", said))}


NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def same_value(written: str, seen: str) -> bool:
    """Equal to the digits that are written, whatever torch writes around them."""
    ours, theirs = NUMBER.findall(written), NUMBER.findall(seen)
    if not ours:
        return bare(written).strip("'\"") in bare(seen)
    return len(ours) <= len(theirs) and all(
        abs(float(one) - float(other)) <= 0.5 * 10.0 ** -len(one.partition(".")[2]) * 1.02 + 1e-6 * abs(float(other))
        for one, other in zip(ours, theirs, strict=False)
    )


def is_answered(card: Shown, told: dict) -> bool:
    """True if whoever runs the code of a card finds what it is answered with."""
    match card.body.asked:
        case "exception":
            name, _, message = card.answer.partition(":")
            words = re.findall(r"\w+", message.rstrip("….")) or [name.strip()]
            return name.strip().rsplit(".", 1)[-1] in told["error"] and words[0] in told["error"]
        case "warning":
            return any(re.findall(r"\w+", card.answer)[0] in one for one in told["warned"])
        case "shape":
            sizes = [size for shape in told["shapes"] for size in shape]
            return not told["error"] and [int(one) for one in re.findall(r"\d+", card.answer)] in (
                sizes,
                list(told["shapes"][0]),
            )
        case "value":
            return not told["error"] and (
                bare(card.answer) == bare(told["looked_at"]) or same_value(card.answer, told["looked_at"])
            )
        case "output" if card.decision.disposition is Disposition.CORRECT and told["error"]:
            return bare(card.answer).rstrip("….") in bare(told["error"])
        case "output":
            if "..." in card.answer and "..." not in told["said"]:  # the notes leave out what nobody could recall
                parts = [bare(part) for part in card.answer.split("...")]
                return not told["error"] and any(all(part in one for part in parts) for one in readings(told))
            return not told["error"] and (bare(card.answer) in readings(told) or asks_for_a_shape(card, told))


def asks_for_a_shape(card: Shown, told: dict) -> bool:
    """`(3,)` beside an expression that turned out to be meant as its shape."""
    sizes = [int(one) for one in re.findall(r"\d+", card.answer)]
    return card.body.prompt == card.body.asks_shape != "" and sizes == list(told["shapes"][0])


def mistaken(cards: list[Shown]) -> list[str]:
    """The cards of which the code, run by hand, gives another answer."""
    assert cards
    return [
        f"{card.decision.note.places[0]}: {card.body.asked} {card.answer!r}, by hand {told}\n{card.code}"
        for card, told in zip(cards, run_by_hand(cards), strict=True)
        if not is_answered(card, told)
    ]


@pytest.mark.parametrize("deck", in_part(DECKS, lambda _, deck: deck.name in IN_EACH_RUN))
def test_the_code_on_the_cards_of_a_shipped_deck_gives_their_answers(deck: Path) -> None:
    assert mistaken(shown(deck)) == []


@pytest.mark.parametrize("number", [1, 3])
def test_so_does_the_code_on_the_cards_of_the_seeds(seed: Callable[[int], Path], number: int) -> None:
    assert mistaken(shown(seed(number))) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_so_does_the_code_on_the_cards_of_any_document(document: Path) -> None:
    cards = shown(document)
    print(f"{document.name}: {len(cards)} Output cards")
    assert not cards or mistaken(cards) == []


def test_a_card_with_another_answer_would_be_found(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# A\n\n```python\nprint(torch.ones(2) + 1)  # tensor([2., 2.])\n```\n", "utf-8")
    (card,) = shown(notes)
    others = [replace(card, answer="tensor([2., 3.])"), replace(card, code=card.code + "\nprint(1)")]
    found = mistaken([card, *others])
    assert [text.endswith("print(1)") for text in found] == [False, True]
