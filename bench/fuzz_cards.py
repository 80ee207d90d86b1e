"""`python -m bench.fuzz_cards [COUNT [SEED]]`: damaged files of cards, in JSON, tables, Anki's exports and packages; none may raise but what is told."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

from bench.fuzz import EDITS, Chance, failure, go_all_the_way, print_faults
from deckgen.model.package import PackagedNote, PackagedType
from deckgen.read.package import as_lines

NAMES = ("front", "back", "question", "answer", "text", "choices", "code", "explanation", "tags", "id", "deck", "extra")
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2,
    1e308,
    10**30,
    "",
    " ",
    [],
    {},
    ["a", 1],
    ["a", "b"],
    "B",
    "\0",
    "\ud800",
    "{{c1::x",
)
MARKUP = (
    "<pre>@</pre>",
    "<code>@<br>@</code>",
    "<div>@</div>",
    "@&nbsp;@",
    "<td class=linenos>@</td>",
    "<pre><code>@",
    "`@`",
    "@",
)
TEMPLATES = ("{{Front}}", "{{FrontSide}}<hr>{{Back}}", "{{cloze:Front}}", "{{#Back}}{{Front}}{{/Back}}", "{{^Front}}{{/Back}}", "What? {{A}}", "{{", "")  # fmt: skip


def cards(texts: list[str], chance: Chance) -> list[dict[str, Any]]:
    """Records, of which some say what cannot be."""
    return [_card(texts, chance) for _ in range(chance.choice((0, 1, 3, 10)))]


def _card(texts: list[str], chance: Chance) -> dict[str, Any]:
    names = chance.choice((("front", "back"), ("question", "answer"), ("text",), ("question", "choices", "answer")))
    names += tuple(name for name in NAMES if chance.random() < 0.15)
    card = {name: _part(texts, chance) if chance.random() < 0.85 else chance.choice(ODD) for name in names}
    if "choices" in card and chance.random() < 0.8:
        card["choices"], card["answer"] = [_part(texts, chance) for _ in range(3)], chance.choice("ABCDab012")
    if "text" in card and chance.random() < 0.7:
        card["text"] = f"{_part(texts, chance)} {{{{c{chance.randrange(4)}::{_part(texts, chance)}}}}}"
    return card


def _part(texts: list[str], chance: Chance) -> str:
    text = chance.choice(texts)
    start = chance.randrange(len(text) + 1)
    return text[start : start + int(chance.expovariate(1 / 60))]


def a_file(texts: list[str], chance: Chance) -> tuple[str, bytes]:
    """A name, and what stands in the file."""
    made = cards(texts, chance)
    kind = chance.choice(("x.jsonl", "x.json", "x.csv", "x.tsv", "x.txt", "x.apkg"))
    if kind == "x.jsonl":
        text = "\n".join(map(json.dumps, made))
    elif kind == "x.json":
        text = json.dumps({"cards": made} if chance.random() < 0.3 else made, indent=chance.choice((None, 1)))
    elif kind == "x.apkg":
        return kind, as_lines(_note(at, texts, chance) for at in range(chance.randrange(5))).encode("utf-8", "replace")
    else:
        text = _table(made, kind, chance)
    for _ in range(chance.choice((0, 0, 1, 3, 10))):
        text = chance.choice(EDITS)(text, texts, chance)
    return kind, text.encode("utf-8", "surrogatepass")


def _table(made: list[dict[str, Any]], kind: str, chance: Chance) -> str:
    separator = "\t" if kind != "x.csv" else chance.choice(",;")
    names = list(dict.fromkeys(name for card in made for name in card)) or ["front", "back"]
    written = io.StringIO()
    table = csv.writer(written, delimiter=separator, lineterminator="\n")
    if kind == "x.txt":
        html, column = chance.choice(("true", "false")), chance.choice(("-1", "0", "2", "99", "x"))
        head = f"#separator:{chance.choice(('tab', 'Tab', '', '|'))}\n#html:{html}\n#guid column:{column}\n"
        written.write(head + chance.choice(("", "#columns:" + separator.join(names) + "\n")))
    else:
        table.writerow(names)
    for card in made:
        table.writerow([str(card.get(name, "")).encode("utf-8", "replace").decode() for name in names])
    return written.getvalue()


def _note(at: int, texts: list[str], chance: Chance) -> PackagedNote:
    fields = chance.choice((("Front", "Back"), ("Question", "A", "B", "Answer"), ("Front",), ("Text", "Extra", "Back")))
    templates = tuple((chance.choice(TEMPLATES), chance.choice(TEMPLATES)) for _ in range(chance.randrange(3)))
    values = {name: chance.choice(MARKUP).replace("@", _part(texts, chance)) for name in fields}
    for name, value in values.items():
        text = value
        for _ in range(chance.choice((0, 1, 4))):
            text = chance.choice(EDITS)(text, texts, chance)
        values[name] = text
    return PackagedNote(at, "A::B", ("a",), PackagedType("Type", fields, templates), values)


def fault(seed: int, texts: list[str]) -> str | None:
    """What went wrong at one try; None if nothing did."""
    chance = random.Random(seed)
    return failure(lambda: go_all_the_way(*a_file(texts, chance), chance))


if __name__ == "__main__":
    print_faults(fault)
