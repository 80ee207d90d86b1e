"""Cards exported with a tab between front and back."""

from carded import cards, extracted

ANKI = """\
#separator:tab
#html:true
#tags column:3
What does <code>torch.no_grad()</code> do?\tIt disables gradient tracking.\tpytorch autograd
"What is the default <b>lr</b> of ""Adam""?"\t1e-3\tpytorch
The layer {{c1::nn.Flatten}} keeps the batch dimension.\t\tpytorch
"""
QUIZLET = "torch.numel\tthe number of elements\nnn.ReLU\tsets negative values to zero\ntorch.cat\tjoins tensors\n"


def test_a_text_export_of_anki_gives_its_cards_back():
    assert cards(ANKI) == {
        "What does `torch.no_grad()` do?": "It disables gradient tracking.",
        'What is the default **lr** of "Adam"?': "1e-3",
        "The layer ____ keeps the batch dimension.": "The layer nn.Flatten keeps the batch dimension.",
    }


def test_terms_and_meanings_with_a_tab_between_them_are_cards_both_ways():
    notes = extracted(QUIZLET).notes
    assert [(note.body.prompt, note.body.answer, note.body.reverse) for note in notes] == [
        ("torch.numel", "the number of elements", True),
        ("nn.ReLU", "sets negative values to zero", True),
        ("torch.cat", "joins tensors", True),
    ]


def test_code_and_columns_with_tabs_are_no_cards():
    assert extracted("def f(x):\n\treturn x\n\nprint(f(1))\n").document.reader != "tabbed"
    assert extracted("name\tvalue\n\nText between.\n").document.reader != "tabbed"
