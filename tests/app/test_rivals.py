"""Two cards that ask the same: the one that torch proves is shipped, wherever it stands, and the false one is told."""

import json

import pytest
from commands import Command

SUM = "Q: What does `torch.arange(4).sum()` return?\nA: `{}`\n"
TYPE = "Which dtype does `torch.ones(2)` have?\n\n- A. `torch.int64`\n- B. `torch.float32`\n\nAnswer: {}\n"
QUIZ = '{{"question": "Which dtype does `torch.ones(2)` have?", "choices": ["`torch.int64`", "`torch.float32`"], "answer": "{}"}}\n'
PRINTS = '{{"question": "What does this print?", "code": "print(torch.arange(4).sum())", "answer": "{}"}}\n'


@pytest.mark.parametrize(
    ("name", "text", "true", "false"),
    [
        ("notes.md", SUM, "tensor(6)", "tensor(7)"),
        ("notes.md", TYPE, "B", "A"),
        ("cards.jsonl", QUIZ, "B", "A"),
        ("cards.jsonl", PRINTS, "tensor(6)", "tensor(7)"),
    ],
)
@pytest.mark.parametrize("true_first", [True, False])
def test_of_two_answers_the_proved_one_is_shipped_and_the_false_one_fails_the_run(
    tmp_path, name: str, text: str, true: str, false: str, true_first: bool
) -> None:
    answers = (true, false) if true_first else (false, true)
    (tmp_path / name).write_text("\n".join(map(text.format, answers)))
    ran = Command(tmp_path, tmp_path)("verify", name, "--format", "json")
    report = json.loads(ran.stdout)
    (source,) = report["sources"]
    assert [card["verdict"] for card in report["cards"]] == ["proved" if one == true else "refuted" for one in answers]
    assert [(one["disposition"], one["proof"]) for one in source["notes"]] == [("ship", "proved")]
    assert ran.returncode == 1
    assert [claim["verdict"] for claim in source["claims"]].count("contradicted") == 1


def test_of_two_answers_that_nothing_decides_the_first_is_the_card(tmp_path) -> None:
    (tmp_path / "notes.md").write_text("Q: What is a view?\nA: It shares.\n\nQ: What is a view?\nA: It copies.\n")
    found = json.loads(Command(tmp_path, tmp_path)("verify", "notes.md", "--format", "json").stdout)
    assert [(one["line"], one["proof"]) for one in found["sources"][0]["notes"]] == [(1, "open")]


def test_a_card_that_becomes_true_further_down_stays_the_same_note(tmp_path) -> None:
    command = Command(tmp_path, tmp_path)
    notes = tmp_path / "notes.md"
    notes.write_text(SUM.format("tensor(6)"))
    assert command("build", "notes.md").returncode == 0
    notes.write_text("\n".join(map(SUM.format, ("tensor(7)", "tensor(6)"))))
    assert "0 new, 0 changed, 1 unchanged" in command("build", "notes.md").stdout


def test_cards_with_ids_are_cards_of_their_own_though_they_ask_the_same(tmp_path) -> None:
    text = "START\nBasic\nWhat does it do?\nBack: {}\n<!--ID: {}-->\nEND\n"
    (tmp_path / "notes.md").write_text(
        "\n".join((text.format("joins", 1566052191670), text.format("stacks", 1566052191671)))
    )
    found = json.loads(Command(tmp_path, tmp_path)("verify", "notes.md", "--format", "json").stdout)
    assert [card["id"] for card in found["cards"]] == ["1566052191670", "1566052191671"]
