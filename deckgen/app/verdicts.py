"""What whoever asks is told of cards and notes that are in no file: less than a report, in their order (`deckgen.check/1`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from deckgen.model.results import UNREADABLE
from deckgen.read.records import id_of

Json = dict[str, Any]

_WHY_UNREADABLE = "no card of its own is made of it: is it the same as another one?"


def cards_as_lines(cards: Sequence[object]) -> str:
    """One card a line, so that lines tell which card is meant."""
    return "".join(f"{json.dumps(card)}\n" for card in cards)


def check_of(report: Json, given: Sequence[object] | None) -> Json:
    """What matters of a report of `deckgen verify` on one source, `deckgen.verify/1`.

    `given`: the cards, one a line; None for a text.
    """
    source = report["sources"][0] if report["sources"] else {"remarks": [], "claims": [], "apis": [], "notes": []}
    remarks: dict[int, str] = {one["line"]: one["text"] for one in source["remarks"]}
    cards = report["cards"] if given is None else [*_one_each(report["cards"], given)]
    why = {card["line"] for card in cards if card["verdict"] == UNREADABLE}
    messages = [f"line {line}: {text}" for line, text in remarks.items() if line not in why]
    return {
        "schema": "deckgen.check/1",
        "environment": report["environment"],
        "cards": cards,
        "claims": [*_besides(source)] if given is None else [],
        "messages": messages if report["sources"] else report["unreadable"],
    }


def _one_each(cards: Sequence[Json], given: Sequence[object]) -> Iterator[Json]:
    by_line = {card["line"]: card for card in cards}
    for line, card in enumerate(given, 1):
        yield by_line.get(line) or _unreadable(line, id_of(card))


def _unreadable(line: int, name: str) -> Json:
    place = {"path": "cards.jsonl", "line": line, "end_line": line}
    return {"id": name or None, **place, "front": "", "verdict": UNREADABLE, "claims": [], "why": _WHY_UNREADABLE}


def _besides(source: Json) -> Iterator[Json]:
    """What a text claims on no card of its own."""
    on_cards = {claim for note in source["notes"] for claim in note["rests_on"]}
    names = (
        {**one, "asks": None, "claimed": one["name"], "observed": one["suggestion"] or one["signature"]}
        for one in source["apis"]
    )
    every = [one for one in (*source["claims"], *names) if one["id"] not in on_cards]
    for one in sorted(every, key=lambda claim: claim["line"]):
        yield {key: one[key] for key in ("line", "asks", "claimed", "verdict", "observed", "reason")}
