"""What agents are told is so: the examples of docs/agents.md are run, and SKILL.md has the same text."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Command
from jsonschema import Draft202012Validator

from deckgen.app.commands import cli
from deckgen.app.mcp_server import TOOLS
from deckgen.model.results import UNREADABLE, Proof
from deckgen.report import schemas

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "agents.md").read_text("utf-8")
SKILL = (ROOT / "SKILL.md").read_text("utf-8")
PROMPT = PAGE.split("as a skill.\n\n")[1]
CARDS = {card["id"]: card for card in map(json.loads, re.findall(r'^\{"id".*\}$', PROMPT, re.MULTILINE))}


def test_the_prompt_is_short_and_the_skill_is_the_same():
    assert len(PROMPT.splitlines()) <= 60
    front, title = SKILL.removesuffix(PROMPT).rsplit("---\n", 1)
    assert SKILL.endswith(PROMPT)
    assert re.fullmatch(r"---\nname: [a-z-]+\ndescription: [^\n]{50,1000}\n", front)
    assert title.strip() == "# Cards that deckgen can prove"


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    place = tmp_path_factory.mktemp("prompt")
    (place / "cards.jsonl").write_text("".join(f"{json.dumps(card)}\n" for card in CARDS.values()), "utf-8")
    run = Command(place, place / "home")("verify", "cards.jsonl", "--format", "json")
    return {card["id"]: card for card in json.loads(run.stdout)["cards"]}


@pytest.mark.parametrize("name", CARDS)
def test_an_example_of_the_prompt_is_what_it_says(name, verdicts):
    assert verdicts[name]["verdict"] == ("names" if name == "why" else "proved"), verdicts[name]


def test_a_verdict_tool_or_command_is_named_if_and_only_if_there_is_one():
    assert set(re.findall(r"^\| `(\w+)` \|", PROMPT, re.MULTILINE)) == {*Proof, UNREADABLE}
    tools = PAGE.split("| tool |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", tools, re.MULTILINE)) == {*TOOLS}
    assert set(re.findall(r"`deckgen (\w+)", PAGE)) <= set(cli.commands)
    assert set(re.findall(r"deckgen\.\w+/\d", PAGE)) <= {*schemas.NAMES}
    assert set(re.findall(r"`(--[a-z]+)", PAGE)) <= {
        option for one in cli.commands["mcp"].params for option in one.opts
    }


def test_the_program_prints_what_the_page_shows(tmp_path):
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}
    command = [sys.executable, str(ROOT / "docs" / "mend_cards.py")]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert f"<!-- output of: mend_cards.py -->\n```text\n{ran.stdout}```\n" in PAGE


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ({"id": 7, "question": "What?"}, '"answer" is missing'),
        ({"id": "gap", "text": "Nothing is left out."}, "gap"),
        ({"id": ["x"], "question": "q", "answer": "a"}, '"id" must be'),
    ],
)
def test_a_card_that_cannot_be_read_has_its_verdict_and_id(tmp_path, card, why):
    (tmp_path / "cards.jsonl").write_text(f"{json.dumps(card)}\n{json.dumps(CARDS['value'])}\n", "utf-8")
    run = Command(tmp_path, tmp_path / "home")("verify", "cards.jsonl", "--format", "json")
    bad, good = json.loads(run.stdout)["cards"]  # in the order of their lines
    assert (good["verdict"], bad["verdict"], bad["line"]) == ("proved", UNREADABLE, 1)
    assert bad["id"] == (None if isinstance(card["id"], list) else str(card["id"]))
    assert why in bad["why"], bad


def test_the_program_names_a_card_that_cannot_be_read(tmp_path):
    program = (ROOT / "docs" / "mend_cards.py").read_text("utf-8")
    (tmp_path / "mend.py").write_text(program.replace('"answer": "Yes"', '"reply": "Yes"'), "utf-8")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}
    ran = subprocess.run(
        [sys.executable, "mend.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert "10 cards: 9 can be given to learners, 1 cannot\n  view: write it again: " in ran.stdout


def test_the_program_names_each_card_that_cannot_be_read_and_has_no_id(tmp_path):
    program = (ROOT / "docs" / "mend_cards.py").read_text("utf-8")
    for gone in ('"id": "view", ', '"id": "elements", '):
        program = program.replace(gone, "")
    program = program.replace('"answer": "Yes"', '"reply": "Yes"').replace("{{c1::6}}", "6")
    (tmp_path / "mend.py").write_text(program, "utf-8")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}
    ran = subprocess.run([sys.executable, "mend.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert "10 cards: 8 can be given to learners, 2 cannot" in ran.stdout, ran.stderr
    assert "  line 9: write it again: " in ran.stdout
    assert "  line 10: write it again: " in ran.stdout
    assert ran.stdout.splitlines()[-1].endswith("line 9 unreadable, line 10 unreadable")


GOOD = [
    *CARDS.values(),
    {"front": "q", "back": "a", "id": 7, "deck": "d", "tags": "a b", "code": "print(1)"},
    {"front": "q", "choices": ["a", "b"], "back": ["a", 1]},
    {"question": "q", "choices": ["a", "b"], "answer": 0, "explanation": "e"},
    {"question": "q", "answer": 6},
    {"question": "q", "answer": True},
    {"text": "{{c1::a}} is b", "author": "me"},
]
BAD = [
    7,
    {},
    {"front": "q"},
    {"question": "q", "back": "a"},
    {"front": ["q"], "back": "a"},
    {"question": "q", "answer": {"a": 1}},
    {"question": "q", "choices": ["a"], "answer": "a"},
    {"question": "q", "choices": "ab", "answer": "a"},
    {"front": "q", "back": "a", "id": 1.5},
    {"front": "q", "back": "a", "tags": [1]},
    {"front": "q", "back": "a", "tags": 1},
    {"front": "q", "back": "a", "deck": ["d"]},
    {"front": "q", "back": "a", "code": ["c"]},
]


@pytest.mark.parametrize("card", [*GOOD, *BAD], ids=lambda card: json.dumps(card)[:60])
def test_what_the_schema_takes_is_read_and_nothing_else(tmp_path, card):
    (tmp_path / "cards.jsonl").write_text(json.dumps(card) + "\n", "utf-8")
    (tmp_path / "cards.json").write_text(json.dumps({"cards": [card]}), "utf-8")
    for name, wrapped in (("cards.jsonl", [card]), ("cards.json", {"cards": [card]})):
        fits = Draft202012Validator(schemas.schema(schemas.TAKEN_IN)).is_valid(wrapped)
        assert fits == (card in GOOD)
        run = Command(tmp_path, tmp_path / "home")("inspect", name, "--format", "json")
        assert (run.returncode == 0) == fits, run.stderr
