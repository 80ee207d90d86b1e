"""Cards as data: what the fields of a record may be, and what is said of one that is none."""

import json
from pathlib import Path

import pytest
from carded import extracted

from deckgen import api
from deckgen.extract import extract
from deckgen.model.document import Extraction
from deckgen.model.note import Basic, Choice, Cloze, Note, Standing, back, front
from deckgen.model.results import NOTHING_RAN, Results
from deckgen.model.source import Source
from deckgen.model.verdict import Checked, Verification
from deckgen.read import read
from deckgen.read.records import Entry, document_of_records
from deckgen.report import data, table
from deckgen.report.terminal import summary_lines


def found(*records: object, name: str = "cards.jsonl") -> Extraction:
    return extract(read(Source(name, "\n".join(json.dumps(one) for one in records))))


def note(**fields: object) -> Note:
    (made,) = found(fields).notes
    return made


def errors(*records: object) -> list[tuple[int, str]]:
    return [(one.span.first, one.text) for one in found(*records).remarks if one.is_error]


def test_a_card_has_two_sides_by_either_pair_of_names():
    one, other = note(front="Why?", back="So."), note(question="Why?", answer="So.")
    assert one.body == other.body == Basic(prompt="Why?", answer="So.")
    assert one.standing is Standing.DECLARED


def test_code_is_shown_under_the_question_and_claims_what_it_prints():
    extraction = found({"question": "What does this print?", "code": "print(1 + 1)\n", "answer": "3"})
    assert front(extraction.notes[0]) == "What does this print?\n\n```python\nprint(1 + 1)\n```"
    (claim,) = extraction.snippets[0].claims
    assert claim.text == "3"
    assert claim.id in extraction.notes[0].proven_by


def test_a_text_has_the_gaps_of_its_author_and_says_more_below():
    made = note(text="`torch.{{c1::stack::verb}}` joins {{c2::tensors}}.", back="Along a new dimension.")
    assert isinstance(made.body, Cloze)
    assert [(hole.number, hole.hint) for hole in made.body.holes] == [(1, "verb"), (2, "")]
    assert made.body.explanation == "Along a new dimension."


def test_a_text_that_is_a_fence_alone_is_code_with_gaps():
    made = note(text="```python\nx = torch.{{c1::ones}}(2)\n```")
    assert isinstance(made.body, Cloze)
    assert made.body.language == "python"
    assert made.body.text == "x = torch.ones(2)"


def test_a_front_with_gaps_is_a_text():
    assert isinstance(note(front="A {{c1::leaf}} keeps its grad.", back="").body, Cloze)


@pytest.mark.parametrize(
    ("choices", "answer", "right"),
    [([3, 2, 6], 3, "A"), (["`b`", "`a`", "`c`"], "A", "A"), (["`b`", "`a`"], "a", "B"), (["2", "3", "1"], "1", "C")],
    ids=["a number that is a choice", "a capital letter", "a small letter that is a choice", "a text that is a choice"],
)
def test_a_key_is_first_what_it_says_exactly(choices: list[object], answer: object, right: str):
    body = note(question="Which?", choices=choices, answer=answer).body
    assert isinstance(body, Choice)
    assert [*body.right] == [right]


@pytest.mark.parametrize(
    ("choices", "answer"), [([3, 2, 6], 2), (["`view`", "`clone`"], "1")], ids=["two", "from where"]
)
def test_a_number_that_may_mean_two_choices_is_no_key(choices: list[object], answer: object):
    assert "give a letter" in errors({"question": "Which?", "choices": choices, "answer": answer})[0][1]


@pytest.mark.parametrize("answer", ["B", "b", "(B)", "B.", "B. clone", "`clone`", "Clone", 1, ["B"]])
def test_the_right_choice_is_a_letter_an_index_or_its_text(answer: object):
    made = note(
        question="Which copies?", choices=["`view`", "`clone`", "`detach`"], answer=answer, explanation="It does."
    )
    assert isinstance(made.body, Choice)
    assert made.body.right == ("B",)
    assert back(made) == "B. `clone`\n\nIt does."


def test_several_choices_may_be_right_and_their_letters_are_not_told_twice():
    made = note(question="Which are views?", choices=["A. view", "B. clone", "C. expand"], answer=["C", "A"])
    assert isinstance(made.body, Choice)
    assert made.body.right == ("A", "C")
    assert [option.text for option in made.body.options] == ["view", "clone", "expand"]


@pytest.mark.parametrize(("tags", "wanted"), [("a b,c", ("a", "b", "c")), (["a b", "c"], ("a_b", "c")), (None, ())])
def test_tags_are_a_list_or_a_text(tags: object, wanted: tuple[str, ...]):
    assert note(front="Why?", back="So.", tags=tags).tags == wanted


def test_ids_and_decks_are_texts_and_numbers_answer_as_python_writes_them():
    made = note(front="How many?", back=0.5, id=17, deck="A::B")
    assert (made.explicit_id, made.deck, back(made)) == ("17", "A::B", "0.5")


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ({"q": "Why?", "a": "So."}, 'no card: it has neither "front" and "back" nor'),
        ({"front": "Why?"}, '"back" is missing'),
        ({"front": "Why?", "back": " "}, '"back" is empty'),
        ({"front": ["Why?"], "back": "So."}, '"front" must be a text'),
        ({"text": "No gap."}, 'a "text" without a gap'),
        ({"text": "A {{c1::gap."}, "a gap that is not closed"),
        ({"question": "Which?", "choices": ["a"], "answer": "a"}, '"choices" must be a list of 2 to 26 texts'),
        ({"question": "Which?", "choices": ["a", "b"], "answer": "c"}, '"answer" says c, which is none of its choices'),
        ({"question": "Which?", "choices": ["a", "b"], "answer": 2}, "an index (0 to 1)"),
        ({"question": "Which?", "choices": ["a", "b"]}, '"answer" is missing'),
        ({"front": "Why?", "back": "So.", "tags": 1}, '"tags" must be a list of texts'),
        ({"front": "Why?", "back": "So.", "id": 1.5}, '"id" must be a text or a whole number'),
        ([1], "it is no JSON object"),
    ],
)
def test_what_is_no_card_is_an_error_in_its_line_and_the_others_are_made(record: object, wanted: str):
    extraction = found({"front": "One?", "back": "1"}, record, {"front": "Two?", "back": "2"})
    ((line, text),) = [(one.span.first, one.text) for one in extraction.remarks if one.is_error]
    assert line == 2
    assert wanted in text
    assert [front(one) for one in extraction.notes] == ["One?", "Two?"]


def test_an_id_stands_for_one_card():
    assert errors({"front": "One?", "back": "1", "id": 1}, {"front": "Two?", "back": "2", "id": "1"}) == [
        (2, 'the "id" 1 is that of line 1, too')
    ]


def test_a_broken_line_says_what_is_wrong_with_it():
    source = Source(
        "cards.jsonl", '{"front": "One?", "back": "1"}\n{"front": "Two?\n\n{"front": "Three?", "back": "3"}'
    )
    extraction = extract(read(source))
    assert [(one.span.first, one.text[:34]) for one in extraction.remarks] == [
        (2, "no card: no JSON on this line: Unt")
    ]
    assert [one.span.first for one in extraction.notes] == [1, 4]


def test_records_in_a_list_stand_on_the_lines_of_their_texts():
    text = '{"cards": [\n  {"front": "One?",\n   "back": "1"},\n  {"back": "2"},\n  {"question": "Two?", "answer": "2"}\n]}'
    extraction = extract(read(Source("cards.json", text)))
    assert [(front(one), one.span.first) for one in extraction.notes] == [("One?", 2), ("Two?", 5)]
    assert [(one.span.first, one.text) for one in extraction.remarks] == [(4, '"front" is missing')]


def test_json_that_ends_too_early_is_told_where_it_breaks():
    extraction = extract(read(Source("cards.json", '[{"front": "One?", "back": "1"},\n {"front": "Two?"')))
    ((line, text),) = [(one.span.first, one.text) for one in extraction.remarks]
    assert line == 2
    assert text.startswith("no JSON: Expecting")


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("data.json", '[{"text": "a", "label": 1}]', "markdown"),
        ("data.json", '{"text": "a"}', "markdown"),
        ("chat.json", '[{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello"}]', "conversation"),
        ("chat.jsonl", '{"messages": [{"role": "user", "content": "Hi"}]}', "conversation"),
        ("notes.md", '[{"front": "Why?", "back": "So."}]', "json"),
    ],
)
def test_cards_are_told_from_other_json(name: str, text: str, reader: str):
    assert read(Source(name, text)).reader == reader


def test_nothing_of_one_card_is_meant_on_another():
    extraction = found(
        {"front": "What is `x`?", "code": "x = torch.ones(3)", "back": "ones"},
        {"front": "What does this print?", "code": "print(x.sum())", "back": "7"},
    )
    assert extraction.document.apart
    assert len({one.headings for one in extraction.snippets}) == 2


def test_cards_that_ask_the_same_are_one_or_told():
    same = {"front": "Why?", "back": "So."}
    extraction = found(same, same, {"front": "Why?", "back": "Because."})
    assert [len(one.places) for one in extraction.notes] == [2]
    assert [(one.text, one.is_error) for one in extraction.remarks] == [
        ("no card: asks the same as line 1, with another answer", False)
    ]


def test_each_error_is_told_with_its_line(tmp_path: Path):
    from deckgen import api

    path = tmp_path / "cards.jsonl"
    path.write_text('{"front": "One?", "back": "1"}\n' + "{}\n" * 25)
    results = api.inspect(path)
    assert [str(error).split(": ")[0] for error in results.unreadable[:2]] == [f"{path}:2", f"{path}:3"]
    assert str(results.unreadable[-1]).endswith("(and 5 more in this source)")
    assert api.outcome(results).exit_code == 3


@pytest.mark.parametrize("options", [["view", "clone"], {"A": "view", "B": "clone"}, {"a": "view", "b": "clone"}])
@pytest.mark.parametrize("name", ["choices", "options", "Options"])
def test_choices_may_be_called_options_and_have_letters(name: str, options: object):
    body = note(question="Which copies?", answer="B", **{name: options}).body
    assert isinstance(body, Choice)
    assert ([one.text for one in body.options], body.right) == (["view", "clone"], ("B",))


@pytest.mark.parametrize("answer", ["B", "(B)", "c."])
def test_a_letter_without_choices_is_refused(answer: str):
    told = errors({"question": "Which copies?", "answer": answer.upper()})
    assert [line for line, _ in told] == [1]
    assert f'"answer" says {answer.upper()} and there are no choices' in told[0][1]


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "`B`"},
        {"answer": "B", "code": "print('B')"},
        {"answer": "B", "question": "Which copies?\nA. view\nB. clone"},
        {"answer": "B", "question": "Which copies? A) view B) clone"},
        {"answer": "x"},
    ],
)
def test_a_letter_that_is_the_answer_is_one(fields: dict[str, object]):
    assert errors({"question": "Which?", **fields}) == []


@pytest.mark.parametrize("name", ["Front", "FRONT"])
def test_names_of_fields_stand_in_any_case(name: str):
    made = note(**{name: "Why?", "Back": "So.", "Tags": "a"})
    assert (front(made), back(made), made.tags) == ("Why?", "So.", ("a",))


def test_true_is_the_choice_that_says_so():
    body = note(question="Is it?", choices=["True", "False"], answer=True).body
    assert isinstance(body, Choice)
    assert body.right == ("A",)


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ('{"front": "How many?", "back": NaN}', '"back" has what is no number in JSON'),
        ('{"front": "How many?", "back": 1e400}', '"back" has what is no number in JSON'),
        ('{"question": "Which?", "choices": [1, NaN], "answer": 1}', '"choices" has what is no number in JSON'),
        ('{"question": "Which?", "choices": ["1", "2"], "answer": NaN}', '"answer" has what is no number in JSON'),
        ('{"front": "Why?", "question": "Who?", "back": "So."}', 'both "front" and "question" are given'),
        ('{"question": "Which?", "choices": ["a", "b", "a"], "answer": "b"}', 'two of "choices" are the same: a'),
        ('{"question": "Which?", "choices": {"A": "a", "C": "b"}, "answer": "A"}', "must have the letters A, B"),
        ('{"q": "Why?", "a": "So."}', 'it has "q", "a": call the sides front and back'),
    ],
)
def test_what_a_field_cannot_be_is_told(record: str, wanted: str):
    ((line, text),) = [
        (one.span.first, one.text) for one in extract(read(Source("c.jsonl", record))).remarks if one.is_error
    ]
    assert line == 1
    assert wanted in text


def test_a_card_alone_is_a_file_of_one():
    (made,) = extract(read(Source("card.json", '{"front": "Why?",\n "back": "So."}'))).notes
    assert (front(made), back(made)) == ("Why?", "So.")


def test_a_record_stands_on_the_line_of_its_first_name():
    text = '[\n  {\n    "id": 1,\n    "question": "Why?"\n  },\n  {\n    "id": 2,\n    "tags": 3\n  }\n]'
    extraction = extract(read(Source("cards.json", text)))
    assert [(one.span.first, one.text[:12]) for one in extraction.remarks] == [(3, '"answer" is '), (7, "no card: it ")]


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        ('[\n{"front": "b?"}]', 2, '"back" is missing'),
        ('[\n{"q": "b?", "a": "c"}]', 2, 'it has "q", "a": call the sides front and back'),
        ('{"q": "b?", "a": "c"}', 1, 'it has "q", "a": call the sides front and back'),
        (
            '{"title": "x", "flashcards": [{"front": "b?", "back": "c"}]}',
            1,
            'a list under "cards"; this object has "title", "flashcards"',
        ),
        ('{"cards": []}', 1, 'the list "cards" is empty'),
        ('{"cards": {"front": "b?"}}', 1, 'a list under "cards"'),
        ('{"cards": [{"suit": "hearts"}]}', 1, 'it has "suit"'),
        ('{"cards": [1]}', 1, "it is no JSON object"),
        ("[\n{'front': 'b?', 'back': 'c'}]", 2, "double quotes"),
        ('```json\n[{"front": "b?", "back": "c"}]\n```\n', 1, "leave out the fence around it"),
        ('[{"front": "b?", "back": "c"},]', 1, "no JSON: "),
    ],
)
def test_json_that_is_nearly_cards_is_told_what_to_write(text: str, line: int, wanted: str):
    extraction = extract(read(Source("cards.json", text)))
    assert extraction.notes == ()
    told = [(one.span.first, one.text) for one in extraction.remarks if one.is_error]
    assert [at for at, _ in told] == [line]
    assert wanted in told[0][1]


def test_programs_are_told_which_notes_of_a_package_were_not_checked() -> None:
    entries = [Entry(0, {"front": "Why?", "back": "So."}), Entry(1, {"id": "7"})]
    extraction = extract(document_of_records(Source("c.apkg", "\n"), "package", entries, is_foreign=True))
    nothing = Checked(source="c.apkg", runs={}, verdicts=(), apis=())
    results = Results(extractions=(extraction,), verification=Verification(environment=NOTHING_RAN, sources=(nothing,)))
    found = api.outcome(results)
    (unread,) = json.loads(data.verified(found))["sources"][0]["unread"]
    assert (unread["line"], unread["reason"]) == (2, extraction.skipped[0].reason)
    assert "c.apkg,2,,,,unread,no," in str(table.verified(found))


def test_verify_says_how_many_notes_of_a_package_were_not_checked() -> None:
    entries = [Entry(0, {"front": "Why?", "back": "So."}), Entry(1, {"id": "7"})]
    document = document_of_records(Source("c.apkg", "\n"), "package", entries, is_foreign=True)
    results = Results(extractions=(extract(document),))
    assert "1 note was not checked: deckgen inspect lists it with the reason" in [*summary_lines(results)]


def test_a_question_that_is_a_comment_alone_is_no_card() -> None:
    found = extracted('{"question": "<!-- deckgen: tags=core -->", "answer": "42"}\n', name="cards.jsonl")
    assert found.notes == ()
    assert [remark.is_error for remark in found.remarks] == [True]


def test_a_line_as_anki_writes_it_above_nothing_is_text() -> None:
    assert read(Source("any.md", "#html:")).reader == "markdown"
