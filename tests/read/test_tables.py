"""Cards in tables and in Anki's own export, and what is said of a row that is none."""

import pytest

from deckgen.extract import extract
from deckgen.model.document import Extraction
from deckgen.model.note import Choice, back, front
from deckgen.model.source import Source
from deckgen.read import read
from deckgen.read.card_fields import fields_of


def found(text: str, name: str = "cards.csv") -> Extraction:
    return extract(read(Source(name, text)))


def sides(text: str, name: str = "cards.csv") -> list[tuple[str, str]]:
    return [(front(one), back(one)) for one in found(text, name).notes]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cards.csv", "front,back\nWhy?,So.\n"),
        ("cards.csv", "Back;Front\nSo.;Why?\n"),
        ("cards.csv", "sep=|\nquestion|answer\nWhy?|So.\n"),
        ("cards.tsv", "question\tanswer\tsource\nWhy?\tSo.\ta book\n"),
        ("cards.csv", "Why?,So.\n"),
        ("cards.tsv", "Why?\tSo.\ta b\n"),
    ],
)
def test_the_first_line_names_the_columns_or_there_are_two(name: str, text: str):
    assert sides(text, name) == [("Why?", "So.")]


def test_a_cell_may_have_lines_and_its_card_stands_where_it_begins():
    extraction = found(
        'front,back,id,tags\n"What does this print?\n```python\nprint(1)\n```","1",x,"a b"\nWhy?,So.,,\n'
    )
    assert [(one.span.first, one.explicit_id, one.tags) for one in extraction.notes] == [
        (2, "x", ("a", "b")),
        (6, None, ()),
    ]
    assert extraction.snippets[0].claims[0].text == "1"


def test_choices_stand_in_one_cell():
    (made,) = found('question,choices,answer\nWhich?,a|b|c,"A, C"\n').notes
    assert isinstance(made.body, Choice)
    assert made.body.right == ("A", "C")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("front,back\na,b,c\nWhy?,So.\n", (2, "no card: 3 cells under 2 columns")),
        ("front,back\na,\nWhy?,So.\n", (2, '"back" is missing')),
        ('front,back\n"a"b,c\nWhy?,So.\n', (2, "no card: behind a cell in quotes stands something else")),
        ('front,back\nWhy?,So.\n"a,b\n', (3, 'no card: a quote `"` that opens a cell is not closed')),
        ("Why?,So.\nlonely\n", (2, "no card: a row of 1 cells")),
    ],
)
def test_a_broken_row_is_an_error_in_its_place_and_the_others_are_made(text: str, wanted: tuple[int, str]):
    extraction = found(text)
    ((line, told),) = [(one.span.first, one.text) for one in extraction.remarks if one.is_error]
    assert (line, told[: len(wanted[1])]) == wanted
    assert [front(one) for one in extraction.notes] == ["Why?"]


EXPORT = """#separator:tab
#html:true
#guid column:1
#notetype column:2
#deck column:3
#tags column:6
aB3~\tBasic\tTorch::Sums\t<b>Sum</b> of <code>torch.ones(2)</code>?\t<code>tensor(2.)</code>\tx y
cD4\tCloze\tTorch\tThe {{c1::<code>torch.stack</code>}} joins\t\t
eF5\tBasic\tTorch\t"two
lines"\tyes\t
"""


def test_ankis_export_knows_guids_decks_and_tags():
    extraction = found(EXPORT, "notes.txt")
    assert extraction.document.reader == "anki"
    assert [(one.explicit_id, one.deck, one.tags) for one in extraction.notes] == [
        ("aB3~", "Torch::Sums", ("x", "y")),
        ("cD4", "Torch", ()),
        ("eF5", "Torch", ()),
    ]
    assert front(extraction.notes[0]) == "**Sum** of `torch.ones(2)`?"
    assert front(extraction.notes[1]) == "The ____ joins"
    assert [one.span.first for one in extraction.notes] == [7, 8, 9]


def test_columns_of_an_export_say_what_is_what():
    text = "#separator:Comma\n#html:false\n#tags:t\n#columns:Back,Front,Extra\nSo.,Why?,more\n"
    (made,) = found(text, "notes.csv").notes
    assert (front(made), back(made), made.tags) == ("Why?", "So.\n\nmore", ("t",))


@pytest.mark.parametrize("more", ["", "#deck:Torch\n"])
def test_a_note_of_more_fields_asks_with_its_first(more: str):
    text = f"#separator:tab\n#html:false\n{more}Why?\tSo.\tA reason.\n# a comment\n"
    assert sides(text, "notes.txt") == [("Why?", "So.\n\nA reason.")]


def test_a_note_with_a_field_for_each_option_is_a_choice():
    text = (
        "#separator:pipe\n#html:true\n#columns:Question|Option A|Option B|Correct Answer|Why\nWhich?|one|two|B|since\n"
    )
    (made,) = found(text, "notes.txt").notes
    assert isinstance(made.body, Choice)
    assert (made.body.right, made.body.explanation) == (("B",), "since")


def test_options_in_a_front_whose_back_is_a_letter_are_a_choice():
    (made,) = found('front,back\n"Which?\nA. one\nB. two","B. two"\n').notes
    assert isinstance(made.body, Choice)
    assert made.body.stem == "Which?"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("quiz.csv", "question,A,B,C,answer\nWhich copies?,view,clone,detach,B\n"),
        ("quiz.csv", "Question,Option A,Option B,Option C,Answer\nWhich copies?,view,clone,detach,clone\n"),
        ("quiz.csv", "Question;Option 1;Option 2;Option 3;Correct\nWhich copies?;view;clone;detach;2\n"),
        ("quiz.csv", "question,C,B,A,answer\nWhich copies?,detach,clone,view,B\n"),
        ("quiz.csv", "question,options,answer\nWhich copies?,view|clone|detach,B\n"),
        ("quiz.csv", "front,options,back\nWhich copies?,view|clone|detach,B\n"),
        ("quiz.csv", "front,A,B,C,back\nWhich copies?,view,clone,detach,B\n"),
        ("quiz.csv", "问题,选项A,选项B,选项C,答案\nWhich copies?,view,clone,detach,B\n"),
        ("quiz.csv", "题目,选项,答案\nWhich copies?,view;clone;detach,B\n"),
        ("quiz.txt", "#separator:tab\n#columns:Question\tA\tB\tC\tAnswer\nWhich copies?\tview\tclone\tdetach\tB\n"),
        ("quiz.txt", "#separator:tab\n#columns:Question\tOptions\tAnswer\nWhich copies?\tview|clone|detach\tB\n"),
    ],
)
def test_a_quiz_in_columns_is_a_choice(name: str, text: str):
    (made,) = found(text, name).notes
    assert isinstance(made.body, Choice)
    assert [option.text for option in made.body.options] == ["view", "clone", "detach"]
    assert (made.body.right, made.body.explanation) == (("B",), "")


def test_other_fields_of_a_quiz_in_columns_stay():
    text = "id,question,A,B,answer,explanation,tags\n7,Which copies?,view,clone,B,It does.,x y\n"
    (made,) = found(text).notes
    assert isinstance(made.body, Choice)
    assert (made.explicit_id, made.body.explanation, made.tags) == ("7", "It does.", ("x", "y"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("question,A,B,C,answer\nWhich?,,clone,detach,B\n", 'one of "choices" is empty'),
        ("question,A,B,answer\nWhich?,view,,B\n", '"answer" says B and there are no choices'),
        ("question,choices,answer\nWhich?,a|b|c,2\n", "may count from 0 or from 1: give a letter or the text"),
        ("question,A,B,C,answer\nWhich?,x,y,z,2\n", "may count from 0 or from 1: give a letter or the text"),
        ("question,Option 1,Option 2,Option 3,answer\nWhich?,2,3,1,1\n", "a choice, and the number of another"),
        ("question,choices,answer\nWhich?,a|b|a,B\n", 'two of "choices" are the same: a'),
        ("front,back\nWhich?,B\n", '"back" says B and there are no choices'),
    ],
)
def test_a_quiz_whose_key_may_mean_something_else_is_refused(text: str, wanted: str):
    extraction = found(text)
    assert extraction.notes == ()
    ((line, told),) = [(one.span.first, one.text) for one in extraction.remarks if one.is_error]
    assert line == 2
    assert wanted in told


@pytest.mark.parametrize(
    "head",
    ["Question;Answer", "Questions;Answers", "问题;答案", "正面;背面", "Term;Definition", "Question;Correct answer"],
)
def test_a_header_may_have_other_words(head: str):
    assert sides(f"{head}\nWhy?;So, and so.\n") == [("Why?", "So, and so.")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Frage;Antwort\nWas ist `view`?;Eine Sicht.\n", (1, "Frage, Antwort")),
        ("epoch,loss\n1,0.5\n2,0.4\n", (1, "epoch, loss")),
        ("epoch,loss,acc,lr\n1,0.5,1,1\n2,0.4,1,1\n", (1, "epoch, loss, acc, lr")),
        ("Question,Notes\nview,clone\n", (1, "Question, Notes")),
        ("My deck\nquestion,answer\nWhy?,So.\n", (1, "line 2 names the columns")),
        ("My deck;\nFront;Back\nWhy?;So.\n", (1, "line 2 names the columns")),
    ],
)
def test_a_table_of_something_else_is_refused_with_what_was_seen(text: str, wanted: tuple[int, str]):
    extraction = found(text)
    assert extraction.notes == ()
    ((line, told),) = [(one.span.first, one.text) for one in extraction.remarks if one.is_error]
    assert line == wanted[0]
    assert told.startswith("no table of cards: ")
    assert wanted[1] in told


def test_a_table_of_words_needs_no_header():
    assert sides("stack,joins\ncat,appends\nview,shares\n")[0] == ("stack", "joins")


@pytest.mark.parametrize("head", ["#separator:tab\n", "#html:true\n#separator:tab\n", "#html:true\n"])
def test_one_line_of_ankis_is_enough(head: str):
    extraction = found(f"{head}Why?\tSo.\n", "notes.txt")
    assert extraction.document.reader == "anki"
    assert [(front(one), back(one)) for one in extraction.notes] == [("Why?", "So.")]


def test_options_that_are_no_list_are_their_authors():
    assert sides("front,back,options\nWhy?,So.,none\n") == [("Why?", "So.")]


@pytest.mark.parametrize(
    ("texts", "right", "wanted"), [("231", "1", "1 (a choice, and the number of another)"), ("xyz", "2", 1)]
)
def test_a_number_in_a_note_of_a_package_is_a_key_only_if_it_means_one_option(texts: str, right: str, wanted: object):
    named = {"Stem": "Which?", **{f"Option {at}": text for at, text in enumerate(texts, 1)}, "Correct": right}
    assert fields_of(named, [*named][:-1], ["Correct"], has_templates=True)["answer"] == wanted


def test_a_number_under_lettered_options_of_a_package_is_left_as_it_is():
    named = {"Stem": "Which?", "A": "x", "B": "y", "C": "z", "Correct": "2"}
    assert fields_of(named, [*named][:-1], ["Correct"], has_templates=True)["answer"] == "2"
