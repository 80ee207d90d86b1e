"""650 cards by people who had not seen the forms: no true one is refuted, no open one is decided, most false ones are found."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from commands import Command
from observing import CASES

_CARD = re.compile(
    r"(?ms)^## (?P<number>\d+) (?P<kind>true|false|open)(?: (?P<of>[^\n]*))?\n\n~{8}\n(?P<text>.*?)\n~{8}$"
)
SPEAKS_OF_WHAT_WENT = {"129"}
"""A question about a function that was removed: the name is missing, and that is what it says."""


class Card(NamedTuple):
    number: str
    kind: str
    text: str


CARDS = [
    Card(one["number"], one["kind"], one["text"]) for one in _CARD.finditer((CASES / "decided.md").read_text("utf-8"))
]


@pytest.fixture(scope="module")
def proofs(tmp_path_factory) -> Mapping[str, list[tuple[str, str]]]:
    """By number of the card: kind and proof of each of its notes."""
    folder = tmp_path_factory.mktemp("cards")
    for card in CARDS:
        (folder / f"{card.number}.md").write_text(f"{card.text}\n", "utf-8")
    run = Command(folder, folder)("verify", ".", "--format", "json")
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    sources: list[dict[str, Any]] = json.loads(run.stdout)["sources"]
    for source in sources:
        number = source["path"].rpartition("/")[2].removesuffix(".md")
        found[number] = [(one["kind"], one["proof"]) for one in source["notes"]]
    return found


def has(proofs: Mapping[str, list[tuple[str, str]]], card: Card, proof: str) -> bool:
    return any(found == proof and kind != "output" for kind, found in proofs[card.number])


@pytest.mark.slow
def test_no_true_card_is_refuted_and_most_are_proved(proofs):
    true = [card for card in CARDS if card.kind == "true"]
    assert [card.text for card in true if has(proofs, card, "refuted")] == []
    assert sum(has(proofs, card, "proved") for card in true) > len(true) / 2


@pytest.mark.slow
def test_most_false_cards_are_refuted(proofs):
    false = [card for card in CARDS if card.kind == "false"]
    assert 5 * sum(has(proofs, card, "refuted") for card in false) > 3 * len(false)


@pytest.mark.slow
def test_what_code_alone_does_not_decide_is_neither_proved_nor_refuted(proofs):
    cards = [card for card in CARDS if card.kind == "open" and card.number not in SPEAKS_OF_WHAT_WENT]
    assert [card.text for card in cards if has(proofs, card, "proved") or has(proofs, card, "refuted")] == []
