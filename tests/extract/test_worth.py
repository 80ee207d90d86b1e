"""Worth: what is repaired, what is refused with its note, and what its author wants all the same."""

import pytest
from carded import cards, extracted, notes

from deckgen.extract.worth import weigh
from deckgen.model.note import Api, Basic, Cloze, Note, holes

LABEL = "- Goal: a model that tells cats from dogs\n"


def refused(text: str) -> list[tuple[str, Note]]:
    return [(skip.rule, skip.note) for skip in extracted(text).skipped if skip.note is not None]


def test_a_refused_note_goes_with_its_refusal_so_that_it_can_be_kept() -> None:
    ((rule, note),) = refused(LABEL)
    assert rule == "worth: label"
    assert note.kept
    assert weigh([note], extracted(LABEL).document).notes == (note,)


@pytest.mark.parametrize("directive", ["keep", "id=goal", "tags=aims keep"])
def test_what_the_author_wants_is_kept(directive: str) -> None:
    assert len(notes(f"<!-- deckgen: {directive} -->\n\n{LABEL}")) == 1
    assert refused(f"<!-- deckgen: {directive} -->\n\n{LABEL}") == []


def test_a_directive_before_a_heading_keeps_its_section_and_no_other() -> None:
    text = f"<!-- deckgen: keep -->\n\n## One\n\n{LABEL}\n## Two\n\n- Task: a model that tells birds from fish\n"
    assert [note.span.first for note in notes(text)] == [5]


def test_a_long_answer_is_its_first_paragraph_where_that_says_what_the_thing_is() -> None:
    steps = "\n".join(f"{n}. step {n} of it\n" for n in range(1, 8))
    asked = "## What is a hook?\n\nA hook is a function that autograd calls with a gradient.\n\n"
    assert cards(f"{asked}It goes like this in general:\n\n{steps}", Basic) == {
        "What is a hook?": "A hook is a function that autograd calls with a gradient."
    }
    ((rule, _),) = refused(f"## How is a hook called?\n\nFirst paragraph of the answer.\n\n{steps}")
    assert rule == "worth: recital"


def test_a_question_has_no_links_in_it() -> None:
    text = "## What does [a sampler](https://example.org) decide?\n\nThe order of the samples in an epoch.\n"
    assert list(cards(text, Basic)) == ["What does a sampler decide?"]


def test_a_meaning_has_no_word_that_led_to_it() -> None:
    (note,) = notes("## `parameters()`\n\nFinally, `parameters()` returns an iterator over the parameters.\n", Api)
    assert isinstance(note.body, Api)
    assert note.body.meaning.startswith("`parameters()` returns")


def test_of_a_cloze_the_lines_that_state_no_fact_have_no_gap() -> None:
    text = """
        # Grad

        - Calls: of the optimizer
            - `zero_grad` clears what was added to the gradients
            - `step` is what we call next in our loop of today
    """
    (note,) = notes(text, Cloze)
    assert holes(note) == ((1, "`zero_grad`"),)


def test_what_an_author_asks_is_not_judged() -> None:
    quiz = "## Exercises\n\n1. Which one?\n\nA. yes\n\nB. no\n\nAnswer: A\n"
    assert len(notes(quiz)) == 1
