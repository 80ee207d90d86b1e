"""Writes ten cards, asks deckgen, and mends those that torch refutes. A language model would write them, and read what is right."""

import json
import subprocess
import sys
from pathlib import Path

CARDS = [
    {"id": "sum", "question": "What does `torch.arange(4).sum()` return?", "answer": "`tensor(10)`"},
    {"id": "max", "question": "What does `torch.tensor([1, 3, 2]).max()` return?", "answer": "`tensor(3)`"},
    {"id": "transposed", "question": "What is the shape of `torch.ones(2, 3).T`?", "answer": "`(3, 2)`"},
    {"id": "batch", "question": "What is the shape of `nn.Linear(3, 2)(torch.ones(4, 3))`?", "answer": "`(4, 3)`"},
    {"id": "integers", "question": "What is the dtype of `torch.tensor([1])`?", "answer": "`torch.int32`"},
    {"id": "division", "question": "What is the dtype of `torch.tensor([1]) / 2`?", "answer": "`torch.float32`"},
    {
        "id": "sizes",
        "question": "Which exception does `torch.ones(2) + torch.ones(3)` raise?",
        "answer": "`RuntimeError`",
    },
    {"id": "lr", "question": "What is the default `lr` of `torch.optim.Adam`?", "answer": "`0.01`"},
    {"id": "view", "question": "Does `x.view(-1)` share memory with `x`?", "answer": "Yes"},
    {"id": "elements", "text": "`torch.ones(2, 3)` has {{c1::6}} elements."},
]


def name(verdict: dict) -> str:
    """What a card is called: one that cannot be read may have no id."""
    return verdict["id"] or f"line {verdict['line']}"


def check(cards: list[dict[str, str]]) -> dict[int, dict]:
    """The verdict on each card, by its line: there is one card a line."""
    Path("cards.jsonl").write_text("".join(f"{json.dumps(card)}\n" for card in cards), "utf-8")
    command = [sys.executable, "-m", "deckgen", "verify", "cards.jsonl", "--format", "json"]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout)
    good = report["summary"]["notes"]["ship"]
    print(f"{len(report['cards'])} cards: {good} can be given to learners, {len(report['cards']) - good} cannot")
    for card in report["cards"]:
        if card["verdict"] == "unreadable":
            print(f"  {name(card)}: write it again: {card['why']}")
    return {card["line"]: card for card in report["cards"]}


def mended(card: dict[str, str], verdict: dict) -> dict[str, str]:
    """The card with what torch observed in place of what it claims."""
    false = next(one for one in verdict["claims"] if one["verdict"] not in ("holds", "exists"))
    claimed, observed = (false[side].rpartition("=")[2] for side in ("claimed", "observed"))  # of `lr=0.01` the value
    print(f"  {name(verdict)}: {claimed} is {observed} ({verdict['why']})")
    return {**card, "answer": card["answer"].replace(claimed, observed)}


cards = CARDS
verdicts = check(cards)
while refuted := {line for line, verdict in verdicts.items() if verdict["verdict"] == "refuted"}:
    cards = [mended(card, verdicts[line]) if line in refuted else card for line, card in enumerate(cards, 1)]
    verdicts = check(cards)
print(", ".join(f"{name(verdict)} {verdict['verdict']}" for verdict in verdicts.values()))
