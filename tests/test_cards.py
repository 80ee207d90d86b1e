"""The shipped decks: what the project promises of its own cards, checked by the program itself."""

import ast
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import Command
from processes import GUARD

ROOT = Path(__file__).resolve().parents[1]
KINDS = {"basic", "choice", "cloze", "output", "api"}
BARE = re.compile(r"(?:True|False|None|[-+.\de]+)(?:\s+(?:True|False|None|[-+.\de]+))*")
"""Numbers and truth values, which somebody may guess: no tensor and no text."""

IN_ANY_TIME = ("--timeout", str(GUARD))
"""A snippet that a busy machine lets wait is no worse for it."""


class Card(NamedTuple):
    """A note as `inspect` shows it, and the verdicts on the claims that it rests on."""

    path: str
    note: dict[str, Any]
    claims: list[dict[str, Any]]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The cache is that of all processes of this run, so that only the first has to run the code of the decks."""
    own = tmp_path_factory.getbasetemp()
    return Command(ROOT, (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "home-of-the-decks")


def printed(command: Command, *arguments: str) -> dict[str, Any]:
    """What a command prints as JSON; it must succeed."""
    ran = command(*arguments, "--format", "json", "cards")
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.fixture(scope="module")
def verified(command: Command) -> dict[str, Any]:
    return printed(command, "verify", *IN_ANY_TIME)


@pytest.fixture(scope="module")
def cards(command: Command, verified: dict[str, Any]) -> list[Card]:
    verdicts = {source["path"]: {c["id"]: c for c in source["claims"]} for source in verified["sources"]}
    return [
        Card(path, note, [verdicts[path][claim] for claim in note["rests_on"] if claim in verdicts[path]])
        for source in printed(command, "inspect")["sources"]
        for path in [source["path"]]
        for note in source["notes"]
        if note["standing"] != "suggested"
    ]


def code_in(text: str) -> Iterator[str]:
    """The code of a note's front, without what comments and spacing make of it."""
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        yield ast.unparse(ast.parse(code))


@pytest.mark.slow
def test_there_are_at_least_sixty_notes_of_all_five_kinds(cards: list[Card]) -> None:
    assert len(cards) >= 60
    assert {card.note["kind"] for card in cards} == KINDS


@pytest.mark.slow
def test_at_least_25_notes_rest_on_a_tensor_or_text_that_held_and_is_not_in_the_prompt(cards: list[Card]) -> None:
    telling = [
        card
        for card in cards
        if card.note["kind"] in ("output", "cloze")
        and card.claims
        and all(claim["verdict"] == "holds" for claim in card.claims)
        and any(_telling(claim["claimed"], card.note["front"]) for claim in card.claims)
    ]
    assert len(telling) >= 25


def _telling(claimed: str, front: str) -> bool:
    return not BARE.fullmatch(claimed.strip()) and "".join(claimed.split()) not in "".join(front.split())


@pytest.mark.slow
def test_every_claim_was_checked_and_holds(verified: dict[str, Any]) -> None:
    missed = [
        (source["path"], claim["line"], claim["verdict"], claim["claimed"], claim["observed"], claim["reason"])
        for source in verified["sources"]
        for claim in source["claims"]
        if claim["verdict"] != "holds"
    ]
    assert missed == []
    assert verified["summary"]["claims"]["found"] >= 100


@pytest.mark.slow
def test_every_api_that_a_card_asks_about_exists_as_written(verified: dict[str, Any], cards: list[Card]) -> None:
    asked = {(card.path, card.note["line"]) for card in cards if card.note["kind"] == "api"}
    apis = [(source["path"], api) for source in verified["sources"] for api in source["apis"]]
    missed = [
        (path, api["line"], api["name"], api["verdict"], api["reason"])
        for path, api in apis
        if api["verdict"]
        not in (("exists",) if (path, api["line"]) in asked else ("exists", "not-an-api", "unverified"))
    ]
    assert missed == []
    assert len(asked) >= 60


@pytest.mark.slow
def test_no_note_is_withheld_or_corrected(command: Command, tmp_path: Path) -> None:
    # a lock of its own: what is false would be withheld, as for somebody who has no deck yet
    ran = command("build", "cards", *IN_ANY_TIME, "--output", str(tmp_path), "--lock", str(tmp_path / "deckgen.lock"))
    assert ran.returncode == 0, ran.stderr[-3000:]
    counted = r"notes: (\d+) found, (\d+) shipped, 0 corrected, 0 withheld(?:, (\d+) suggested)?"
    said = re.findall(counted, ran.stdout + ran.stderr)
    assert said
    assert all(int(shipped) >= 60 for _, shipped, _ in said)
    assert all(int(found) == int(shipped) + int(waiting or 0) for found, shipped, waiting in said)


@pytest.mark.slow
@pytest.mark.parametrize("chinese", [False, True])
def test_no_two_notes_of_a_language_show_the_same_code(cards: list[Card], chinese: bool) -> None:
    edition = [card for card in cards if card.path.startswith("cards/zh/") == chinese]
    shown = Counter(code for card in edition for code in code_in(card.note["front"]))
    assert [code for code, times in shown.items() if times > 1] == []
