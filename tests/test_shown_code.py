"""A card that asks what code prints can be answered by running what it shows, and the answer is what it says."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from deckgen.decision import Decision, Ruling
from deckgen.extract.prompts import prompt
from deckgen.note import Output
from deckgen.run.loaded import Options
from deckgen.run.pipeline import verify
from deckgen.verdict import Word

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]

BY_HAND = """
import ast, contextlib, io, json, os, sys, tempfile
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim as optim, numpy as np, math, copy
from torch.utils.data import DataLoader, Dataset, TensorDataset
os.chdir(tempfile.mkdtemp())
usual = dict(globals())
told = []
for code in json.load(sys.stdin):
    names, said, last, error = {**usual}, io.StringIO(), None, ""
    torch.set_grad_enabled(True)
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        try:
            for statement in ast.parse(code).body:
                last = None
                if isinstance(statement, ast.Expr):
                    last = eval(compile(ast.Expression(statement.value), "card", "eval"), names)
                else:
                    exec(compile(ast.Module([statement], []), "card", "exec"), names)
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    told.append([said.getvalue(), "" if last is None else repr(last), error])
print(json.dumps(told))
"""


PRINTS = {"", prompt("zh", "prints"), prompt("en", "prints")}
CORRECTING = Options(paths=(), quiet=True, on_contradiction="correct")
RANDOM = {Word.HOLDS_STRUCTURE, Word.HOLDS_PATTERN}


@pytest.fixture(autouse=True)
def _nothing_was_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # locks of folders that cannot be written to


def asking(path: Path) -> list[Decision]:
    """The shipped cards that ask what the code on them prints, random numbers aside."""
    return [
        decision
        for decision in verify(replace(CORRECTING, paths=(str(path),)), lambda *_: None).decisions
        if isinstance(decision.note.body, Output)
        and decision.note.body.prompt in PRINTS
        and decision.ruling is not Ruling.WITHHOLD
        and not RANDOM.intersection(decision.words)
    ]


def run_by_hand(codes: list[str]) -> list[tuple[str, str, str]]:
    """What each prints, what its last expression is, and what it raises, after the usual imports."""
    ran = subprocess.run(
        [sys.executable, "-c", BY_HAND], input=json.dumps(codes), capture_output=True, text=True, check=True
    )
    return [(said, last, error) for said, last, error in json.loads(ran.stdout.splitlines()[-1])]


def bare(text: str) -> str:
    return re.sub(r"0x[\da-f]+", "0x…", re.sub(r"\s+", "", text))


def is_answered(answer: str, said: str, last: str, error: str) -> bool:
    told = bare(answer)
    return told in (bare(said), bare(last), bare(said + last)) or (bool(error) and told[:12] in bare(error))


def mistaken(decisions: list[Decision]) -> list[str]:
    """The cards of which the code, run by hand, does not print the answer."""
    codes = [decision.note.body.code for decision in decisions]
    return [
        f"{decision.note.places[0]}: {decision.observed or decision.note.body.output!r}, by hand {told}"
        for decision, told in zip(decisions, run_by_hand(codes), strict=True)
        if not is_answered(decision.observed or decision.note.body.output, *told)
    ]


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_code_on_a_card_prints_the_answer_of_the_card(seed: Callable[[int], Path], number: int) -> None:
    decisions = asking(seed(number))
    assert decisions
    assert mistaken(decisions) == []


def test_so_does_the_code_on_the_cards_of_the_shipped_deck() -> None:
    decisions = asking(ROOT / "cards" / "torch-utils")
    assert decisions
    assert mistaken(decisions) == []
