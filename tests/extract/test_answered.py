"""What a quiz says of code is a claim about it."""

import pytest
from carded import extracted

from deckgen.model.claim import Claim, Prints, Raises, Shows
from deckgen.model.note import UNREAD


def quiz(question: str, code: str, answer: str) -> str:
    return f"# Quiz\n\n**1. {question}**\n\n```python\n{code}\n```\n\n{answer}\n"


def claims(text: str) -> list[Claim]:
    found = extracted(text)
    (note,) = found.notes
    said = [claim for snippet in found.snippets for claim in snippet.claims]
    assert list(note.rests_on) == ([claim.id for claim in said] or [UNREAD])
    return said


@pytest.mark.parametrize(
    ("question", "code", "answer", "kind", "text"),
    [
        ("What does this code print?", "print(2 + 2)", "Answer: 5", Prints, "5"),
        ("这段代码输出什么？", "print(2 + 2)", "答案：`5`，因为相加。", Prints, "5"),
        ("What is printed?", "x = 3\nx", "<details><summary>Answer</summary>\n\n3\n\n</details>", Shows, "3"),
        (
            "What is the shape of `y`?",
            "y = torch.ones(2, 3).T",
            "A. (2, 3)\nB. (3, 2)\n\nAnswer: B",
            Shows,
            "(3, 2)",
        ),
        ("What is `y` after this code?", "y = 1\ny += 1", "Answer: 2", Shows, "2"),
        ("What is the dtype of `y`?", "y = torch.ones(2)", "Answer: `torch.float32`", Shows, "torch.float32"),
        ("What does this code print?", "torch.ones(2) @ 3", "Answer: TypeError", Raises, "TypeError"),
    ],
)
def test_the_value_that_answers_is_claimed_of_the_code(question, code, answer, kind, text):
    (claim,) = claims(quiz(question, code, answer))
    assert (type(claim), claim.text, claim.form) == (kind, text, "answer")


def test_the_claim_stands_where_the_answer_does():
    (claim,) = claims(quiz("What does this code print?", "print(2 + 2)", "Answer: 5"))
    assert claim.span.first == 9


def test_an_answer_of_several_lines_claims_each():
    text = quiz("What does this code print?", "for i in range(2):\n    print(i)", "Answer:\n\n```\n0\n1\n```")
    assert [claim.text for claim in claims(text)] == ["0", "1"]


@pytest.mark.parametrize(
    ("question", "code", "answer"),
    [
        ("What does this code print?", "print(2 + 2)", "Answer: the sum"),
        ("What does this code print?", "print(1)\nprint(2)", "Answer: 1 2"),
        ("Which number does this code print last?", "for i in range(3):\n    print(i)", "Answer: 2"),
        ("What does this code print for `x = 2`?", "print(x ** 2)", "Answer: 4"),
        ("What is the value of `dim` in this code?", "x.sum(1)", "Answer: 1"),
        ("Does this code print True?", "print(1 == 2)", "Answer: False"),
        ("Which line of this code is wrong?", "x = 1\ny = x.T", "Answer: 2"),
    ],
)
def test_what_is_no_value_of_the_code_says_that_it_was_not_checked(question, code, answer):
    assert claims(quiz(question, code, answer)) == []
