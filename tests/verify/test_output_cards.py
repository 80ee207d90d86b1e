"""Output cards are run as the learner sees them, and their answer is what that run shows."""

import pytest
from notes_checked import decided

from deckgen.model.note import Output
from deckgen.model.results import Decision, Disposition
from deckgen.verify.engine.engine import Engine

KEPT = "<!-- deckgen: keep -->\n\n"
"""What a card is worth is another question than what it is answered with."""


def card(text: str, **policy: object) -> tuple[Decision, Output]:
    (decision,) = [
        one for one in decided(f"# A\n\n{KEPT}```python\n{text}\n```\n", **policy) if isinstance(one.note.body, Output)
    ]
    assert isinstance(decision.note.body, Output)
    return decision, decision.note.body


def test_two_prints_of_which_the_notes_quote_one_are_both_the_answer() -> None:
    text = "x = torch.ones(2)\nwith torch.no_grad():\n    print(x.requires_grad)\n    print(x * 2)  # tensor([2., 2.])"
    decision, body = card(text)
    assert (decision.disposition, body.output) == (Disposition.SHIP, "False\ntensor([2., 2.])")


def test_shorthand_is_answered_as_torch_writes_it() -> None:
    assert card("print(torch.tensor([1, 3]))  # [1, 3]")[1].output == "tensor([1, 3])"


def test_digits_that_the_notes_leave_out_are_shown_and_theirs_stand_below() -> None:
    body = card("import math\nprint(math.sqrt(2))  # 1.414")[1]
    assert (body.output, body.explanation) == ("1.4142135623730951", "`1.414`")


def test_digits_that_drifted_are_shipped_as_they_were_observed() -> None:
    decision, body = card("print(torch.tensor(1 / 3))  # tensor(0.3334)")
    assert (decision.disposition, body.output, decision.words) == (
        Disposition.SHIP,
        "tensor(0.3333)",
        ("drift-digits",),
    )


def test_a_value_is_compared_with_the_value_and_not_with_what_is_printed() -> None:
    decision, body = card("x = torch.arange(4)\nprint('hello')\ny = x * 2  # y: [0, 2, 4, 6]")
    assert (decision.disposition, body.asked, body.output) == (Disposition.SHIP, "value", "tensor([0, 2, 4, 6])")


def test_what_is_printed_again_and_again_is_the_answer_as_a_whole() -> None:
    assert card("for i in range(3):\n    print(i)  # 2")[1].output == "0\n1\n2"


def test_an_unsaid_line_that_is_random_takes_the_card_away() -> None:
    decision, _ = card("with torch.no_grad():\n    print(torch.rand(1))\n    print(torch.ones(1))  # tensor([1.])")
    assert (decision.disposition, decision.why) == (Disposition.WITHHOLD, "its output is another one each time")


def test_code_that_leans_on_what_is_not_on_the_card_is_no_card() -> None:
    text = "# A\n\n```python\nfor n in range(2):\n    y = n\n    print(n)\n```\n\n<!-- deckgen: keep -->\n\n```python\nprint(y + 1)  # 2\n```\n"
    (decision,) = [one for one in decided(text) if isinstance(one.note.body, Output)]
    assert decision.disposition is Disposition.WITHHOLD
    assert "y" in str(decision.why)


def test_a_seed_in_another_place_does_not_make_a_card_of_random_numbers() -> None:
    text = "# A\n\n```python\ntorch.manual_seed(0)\nx = torch.zeros(1)\n```\n\n<!-- deckgen: keep -->\n\n```python\nprint(x + torch.rand(1))  # tensor([0.4963])\n```\n"
    (decision,) = [one for one in decided(text) if isinstance(one.note.body, Output)]
    assert decision.disposition is Disposition.WITHHOLD


def test_what_learners_have_stays_and_says_that_it_was_not_checked() -> None:
    text = "with torch.no_grad():\n    print(torch.rand(1))\n    print(torch.ones(1))  # tensor([1.])"
    note = card(text)[0].note
    decision, _ = card(text, shipped={note})
    assert decision.disposition is Disposition.SHIP
    assert decision.stamp == "not checked: its output is another one each time"


def test_a_corrected_card_shows_what_its_code_prints() -> None:
    decision, _ = card(
        "with torch.no_grad():\n    print(1)\n    print(torch.ones(1))  # tensor([2.])", on_contradiction="correct"
    )
    assert (decision.disposition, decision.observed) == (Disposition.CORRECT, "1\ntensor([1.])")


def test_an_error_is_the_one_that_the_card_s_own_code_raises() -> None:
    decision, body = card("x = torch.ones(2, 3)\nx.view(4)  # RuntimeError")
    assert decision.disposition is Disposition.SHIP
    assert body.output.startswith("RuntimeError: shape '[4]' is invalid")


def test_code_that_a_session_has_run_alone_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []
    observe = Engine.observe
    monkeypatch.setattr(
        Engine, "observe", lambda self, sessions, *more: ran.append(len(sessions)) or observe(self, sessions, *more)
    )
    card("x = torch.ones(2)  # two ones\nprint(x + 1)  # tensor([2., 2.])")
    assert ran == [1, 0]


def test_emulated_cuda_is_stamped_as_emulated() -> None:
    decision, _ = card("x = torch.ones(2, device='cuda')\nprint(x)  # tensor([1., 1.], device='cuda:0')")
    assert "CUDA emulated" in decision.stamp or decision.stamp.endswith("cuda:0")


def test_answers_are_letter_for_letter() -> None:
    assert card("print([1, 2, 3])  # [1,2,3]")[1].output == "[1, 2, 3]"
    assert card("print(f'{3:>5}')  # 3")[1].output == "    3"
    assert card("x = torch.arange(2) * 2\nx  # [0, 2]")[1].output == "tensor([0, 2])"


@pytest.mark.parametrize(
    "code",
    [
        "print(torch.randint(0, 2, (1,)).item())  # 0",
        "print((torch.rand(1) > 0.5).item())  # True",
        "print(list({'a', 'b'}))  # ['a', 'b']",
        "import datetime\nprint(datetime.date.today().year)  # 2026",
        "import sys\nprint(sys.version_info[:2])  # (3, 11)",
        "x = [torch.ones(1)]\nprint(hash(x[0]) % 7)  # 3",
    ],
)
def test_luck_order_dates_and_versions_are_no_cards(code: str) -> None:
    assert card(f"import torch\n{code}")[0].disposition is Disposition.WITHHOLD


def test_a_part_of_what_the_notes_show_is_compared_with_that_part() -> None:
    code = "x = torch.tensor([7, 8])\nprint(x)\nprint(x.sum())"
    for total, disposition in (("tensor(15)", Disposition.SHIP), ("tensor(16)", Disposition.WITHHOLD)):
        notes = f"# A\n\n```python\n{code}\n```\n\nOutput:\n\n```text\ntensor([7, 8])\n{total}\n```\n"
        (decision,) = [one for one in decided(notes) if isinstance(one.note.body, Output)]
        assert (decision.disposition, decision.note.body.code.count("print")) == (disposition, 1)
