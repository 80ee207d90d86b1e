"""What its author declares to be a card is one, as it was written, and nothing else is: the paired cases in `tests/cases/declared.md`."""

import re
from dataclasses import replace

import pytest
from carded import extracted
from hypothesis import given
from hypothesis import strategies as st
from listing import Case, cases

from deckgen.extract import extract, rules
from deckgen.extract.declared.marks import gapped
from deckgen.model.document import Extraction
from deckgen.model.notation import Notation
from deckgen.model.note import Basic, Cloze, Hole, Note, Standing, front
from deckgen.model.source import Source
from deckgen.read import read

FORMS = ("clozes", "separators", "pairs", "kept")
DECLARED = [rule for rule in rules.RULES if rule.standing is Standing.DECLARED]


def found(text: str, *said: str) -> Extraction:
    """What is made of a text in a deck whose `deck.toml` says so."""
    document = read(Source("notes.md", text.strip("\n") + "\n"))
    return extract(replace(document, notation=Notation(**dict.fromkeys(said, True))))


def told(note: Note) -> str:
    shown = "".join(f"[{part}] " for part in note.headings)
    kind = type(note.body).__name__.lower()
    match note.body:
        case Cloze() as body:
            text = body.text
            for hole in reversed(body.holes):
                hint = f" | {hole.hint}" if hole.hint else ""
                text = f"{text[: hole.start]}{{{hole.number}: {text[hole.start : hole.stop]}{hint}}}{text[hole.stop :]}"
            text = f"```{body.language}\n{text}\n```" if body.language else text
            text = f"{body.prompt}\n{text}\n" if body.prompt else text
            text += f" = {body.explanation}" if body.explanation else ""
        case Basic() as body:
            text = f"{body.prompt} {'<->' if body.reverse else '='} {body.answer}"
        case _:
            text = front(note).removeprefix("\n\n").split("\n\n")[0]
    return f"{kind}: {shown}{' / '.join(line.strip() for line in text.split(chr(10)) if line.strip())}"


def listed(extraction: Extraction) -> str:
    lines = [told(note) for note in extraction.notes if note.standing is Standing.DECLARED]
    lines += [f"no card: {skip.reason}" for skip in extraction.skipped if skip.rule in FORMS]
    lines += [f"line {remark.span.first}: {remark.text}" for remark in extraction.remarks if remark.rule == "kept"]
    return "\n".join(lines) or "none"


@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in cases("declared")])
def test_declared_notes_are_what_their_author_wrote(case: Case) -> None:
    said = re.search(r"\(deck: (.*)\)", case.title)
    assert listed(found(case.source, *(said[1].split() if said else ()))) == case.listing


def test_a_note_is_known_by_its_text_without_the_marks() -> None:
    plain = "`Tensor.{}()` shares the storage of its base, and is cut off the graph."
    one = extracted(plain.format("{{c1::detach}}")).notes[0]
    other = extracted(plain.format("{{c2::detach::method}}")).notes[0]
    assert one.key == other.key
    assert "{{" not in one.key.anchor


def test_code_with_gaps_is_run_without_marks_and_its_claims_are_checked() -> None:
    made = extracted("```python\nimport torch\nx = torch.{{c1::arange}}(4)\nprint(x.sum())  # {{c2::tensor(6)}}\n```")
    assert made.snippets[0].code == "import torch\nx = torch.arange(4)\nprint(x.sum())  # tensor(6)"
    assert [claim.text for claim in made.snippets[0].claims] == ["tensor(6)"]
    assert [(note.rule, note.rests_on) for note in made.notes] == [("clozes", ("4.1",))]


def test_code_with_wrong_gaps_is_not_run() -> None:
    assert extracted("```python\nx = {{c1::torch {{c2::.ones}} }}(2)\n```").snippets == ()


def test_names_in_gaps_are_looked_up_without_marks() -> None:
    made = extracted("`torch.{{c1::nosuchname}}` copies a tensor.")
    assert [claim.text for claim in made.apis] == ["torch.nosuchname"]
    assert made.notes[0].rests_on


def test_both_ways_makes_the_second_card_whatever_else_the_deck_holds() -> None:
    note = extracted("#flashcards\n\nleaf ::: a tensor that no operation made").notes[0]
    assert "ask::reverse" in note.tags


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.name) for rule in DECLARED])
def test_what_an_author_declares_is_never_doubted(rule: rules.Rule) -> None:
    notes = [note for note in extracted(rule.example).notes if note.rule == rule.name]
    assert notes
    assert all(note.standing is Standing.DECLARED and not note.doubts for note in notes)


DOUBTFUL = ["Yes.", "12", "fast", "`view`", "See above:", "1. a\n2. b\n3. c\n4. d\n5. e\n6. f", "good, as it is", "..."]


@given(st.sampled_from(["`a`", "this", "Number 3", "It", "Next"]), st.sampled_from(DOUBTFUL))
def test_whatever_a_declared_card_says_it_is_shipped_as_written(asked: str, answer: str) -> None:
    notes = found(f"Q: {asked}?\nA: {answer}\n\nAnother {{{{c1::{asked}}}}} of it.").notes
    assert all(note.standing is Standing.DECLARED and not note.doubts for note in notes if note.rule in FORMS)
    assert Cloze in {type(note.body) for note in notes}


TEXT = st.text(st.sampled_from("ab {}:`$[]()=中\n"), max_size=12)


@given(st.lists(st.tuples(TEXT, st.integers(1, 5), TEXT), min_size=1, max_size=3), st.booleans())
def test_taking_marks_out_never_loses_text_that_is_shown(parts: list[tuple[str, int, str]], code: bool) -> None:
    text = "".join(f"{before}{{{{c{number}::{hidden}}}}}" for before, number, hidden in parts)
    made = gapped(text, code=code)
    if made is None or made.problem:
        return
    assert "{{c" not in made.text
    assert all(0 <= hole.start < hole.stop <= len(made.text) for hole in made.holes)
    edges = [edge for hole in made.holes for edge in (hole.start, hole.stop)]
    assert edges == sorted(edges)
    letters = [one for one in made.text if one in "ab中"] + [
        one for hole in made.holes for one in hole.hint if one in "ab中"
    ]
    assert sorted(letters) == sorted(one for part in parts for one in (part[0] + part[2]) if one in "ab中")


def test_holes_stand_where_their_text_is() -> None:
    made = gapped("a {{c1::bc::hint}} d")
    assert made is not None
    assert (made.text, made.holes) == ("a bc d", (Hole(1, 2, 4, "hint"),))
