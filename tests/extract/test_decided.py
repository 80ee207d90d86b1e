"""Answers that torch can decide: each form is met by its example, holds under torch, and leaves its counter-case alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from textwrap import dedent

import pytest
from carded import extracted
from commands import Command
from notes_checked import checked, decided

from bench import decided as pages
from deckgen.extract.decided import forms, sentence
from deckgen.model.claim import Exists
from deckgen.model.note import Cloze
from deckgen.model.results import Disposition, Proof

QUESTIONS = [(form.name, form.example, form.counter) for form in forms.FORMS]
SENTENCES = [
    (form.name, f"Q: What is known of it?\nA: {form.example}", f"Q: What is known of it?\nA: {form.counter}")
    for form in sentence.FORMS_OF_SENTENCES
]


def claims(text: str) -> list[str]:
    """What the notes of a text say that torch can decide."""
    found = extracted(f"# Notes\n\n{text}\n")
    asked = [claim.asks for snippet in found.snippets if snippet.is_asked for claim in snippet.claims]
    return asked + [one.text for one in found.apis if one.form == "parameter"]


def proofs(text: str, **policy: object) -> list[str]:
    return [one.proof.value for one in decided(f"# Notes\n\n{dedent(text)}\n", **policy)]


@pytest.mark.parametrize(("name", "example", "counter"), [*QUESTIONS, *SENTENCES])
def test_each_form_claims_something_of_its_example_and_nothing_of_its_counter_case(name, example, counter):
    assert len(claims(example)) == 1, name
    assert claims(counter) == [], name


def test_the_page_of_the_forms_shows_the_tables():
    assert pages.PAGE.read_text("utf-8") == pages.written(), "run `python -m bench.decided`"


def test_the_examples_of_all_forms_are_true():
    text = "\n\n".join(f"## Form {at}\n\n{example}" for at, (_, example, _) in enumerate([*QUESTIONS, *SENTENCES]))
    _, found = checked(f"# Notes\n\n{text}\n")
    assert {str(verdict.word) for verdict in found.verdicts} == {"holds"}
    assert not [one for one in found.apis if one.word.value not in ("exists", "not-an-api")]


FALSE = {
    "a default": ("Q: What is the default `lr` of `torch.optim.Adam`?\nA: `0.001`", "`0.001`", "`0.01`"),
    "a default that the owner has": ("Q: What is `DataLoader`'s default `batch_size`?\nA: 1", "A: 1", "A: 32"),
    "a parameter": ("Q: Does `torch.sum` have a parameter `dim`?\nA: Yes", "A: Yes", "A: No"),
    "a shape": ("Q: What is `torch.ones(2, 3).shape`?\nA: `(2, 3)`", "A: `(2, 3)`", "A: `(3, 2)`"),
    "an exception": ("Q: Which exception does `torch.ones(2) + torch.ones(3)` raise?\nA: `RuntimeError`", "Runtime", "Value"),
    "a value": ("Q: What does `torch.tensor([1, 2]) / 2` return?\nA: `tensor([0.5, 1.0])`", "0.5, 1.0", "0, 1"),
    "a truth value": ("Q: Is `torch.ones(2).is_leaf` true?\nA: Yes, it is.", "Yes", "No"),
    "a number of dimensions": ("Q: How many dimensions does `torch.ones(2, 3)` have?\nA: two", "two", "three"),
    "shared memory": ("Q: Does `x.view(-1)` share memory with `x`?\nA: Yes", "A: Yes", "A: No"),
    "a change in place": ("Q: Does `x.add_(1)` modify `x` in place?\nA: Yes", "A: Yes", "A: No"),
    "a change that only looks like one": ("Q: Does `x.float()` modify `x`?\nA: No", "A: No", "A: Yes"),
    "an alias": ("Q: Is `torch.absolute` an alias of `torch.abs`?\nA: Yes", "A: Yes", "A: No"),
    "a statement": ("True or false: `torch.ones(2, 3).T.is_contiguous()` is `True`.\nAnswer: False", "Answer: False", "Answer: True"),
    "an error or none": ("Q: Does `torch.ones(3) + torch.ones(1)` raise an error?\nA: No", "A: No", "A: Yes, a `RuntimeError`."),
    "what a method accepts": ("Q: Does `torch.sum` accept `keepdim`?\nA: Yes", "A: Yes", "A: No"),
    "a parameter in Chinese": ("问：`torch.optim.SGD` 有没有 `betas` 这个参数？\n答：没有", "答：没有", "答：有"),
    "an error in Chinese": ("问：`torch.ones(2) + torch.ones(3)` 会报错吗？\n答：会", "答：会", "答：不会"),
    "a choice of calls": ("Which of these calls raises a `RuntimeError`?\n\nA. `torch.ones(6).view(2, 3)`\nB. `torch.ones(2).view(3)`\n\nAnswer: B", "Answer: B", "Answer: A"),
    "several right options": ("Which of these evaluate to `True`?\n\nA. `torch.ones(2).is_leaf`\nB. `torch.ones(2).requires_grad`\nC. `torch.ones(2).is_contiguous()`\n\nAnswer: A, C", "Answer: A, C", "Answer: A, B"),
    "a gap": ("`torch.arange(5).sum()` returns {{c1::`tensor(10)`}}.", "(10)", "(11)"),
    "a blank": ("`torch.arange(4)[::2].tolist()` gives `____`.\nAnswer: `[0, 2]`", "[0, 2]", "[0, 1]"),
    "a row of a table": ("| Expression | Result |\n| --- | --- |\n| `torch.arange(5)[-1]` | `tensor(4)` |\n| `torch.arange(3)[-1]` | `tensor(2)` |", "tensor(4)", "tensor(3)"),
    "in Chinese": ("问：`torch.ones(2, 3)` 的形状是什么？\n答：`(2, 3)`", "答：`(2, 3)`", "答：`(3, 2)`"),
    "a default in Chinese": ("问：`torch.optim.Adam` 的 `lr` 默认值是多少？\n答：`0.001`", "0.001", "0.01"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "true", "false"), FALSE.values(), ids=FALSE)
def test_a_true_answer_is_proved_and_a_false_one_refuted(text, true, false):
    assert true in text
    assert "refuted" not in proofs(text)
    assert "proved" in proofs(text)
    assert "refuted" in proofs(text.replace(true, false))


def test_a_default_that_the_signature_has_is_stamped_as_an_answer():
    (decision,) = decided("# Notes\n\nQ: What is the default `lr` of `torch.optim.Adam`?\nA: `0.001`\n")
    assert decision.stamp.startswith("answer checked on torch ")


OPEN = [
    "Q: With `x = torch.ones(2, 3).t()`, does `x.reshape(-1)` share memory with `x`?\nA: Yes",
    "Q: Does `x.contiguous()` copy the data?\nA: No, if it is contiguous already",
    "Q: What is the signature of `nn.Conv2d`?\nA: `nn.Linear(in_features, out_features)`",
    "Q: What are the first two parameters of `nn.Linear`?\nA: `out_features`, `bias`",
    "Q: What is the input shape of `nn.Conv2d(3, 16, 3)` for an output of shape `(8, 16, 30, 30)`?\nA: `(8, 3, 32, 32)`",
    "Q: You transpose a matrix first, what is the shape of `torch.ones(2, 3)`?\nA: `(3, 2)`",
    "Q: Given `x = torch.ones(2, 3)` moved to float16, what is the dtype of `x`?\nA: `torch.float16`",
    "Q: What do people believe?\nA: A myth: `x.clone()` shares memory with `x`. It does not.",
    "Q: Does `torch.tensor` accept `ndarray`?\nA: Yes",
    "Q: What is the shape of x before the last line?\n\n```python\nx = torch.ones(2, 3)\nx = x.t()\n```\n\nA: `(2, 3)`",
    "Q: Why is `torch.ones(2).is_leaf` `True`?\nA: `True`, since nobody computed it.",
    "Q: What does `torch.arange(4)` return if `dtype=float` is given?\nA: `tensor([0., 1., 2., 3.])`",
    "Q: What is the shape of `model(x)`?\nA: `(2, 3)`",
    "Q: What is `(2, 3) @ (3, 2)`?\nA: `(2, 2)`",
    "Q: What is `torch.nn.Linear`?\nA: 1. A layer 2. A module",
    "问：为什么 `torch.ones(2, 3).view(4)` 会抛出异常？\n答：`ValueError` 是因为元素总数对不上。",
    "问：如果 `x` 有梯度，`torch.ones(2).requires_grad` 是什么？\n答：`True`",
]


@pytest.mark.parametrize("text", OPEN)
def test_conditions_reasons_and_unknown_names_are_not_decided(text):
    assert set(proofs(text)) <= {"open", "names"}


FENCE = "```python\nx = torch.arange(4)\nprint(x.sum())\n```"


@pytest.mark.parametrize(
    "asked",
    [
        "What would this print if the dtype were float?",
        "What does this print with x = 5?",
        "What does this print for a batch of 5?",
        "What shape is printed if keepdim=True is added?",
        "A beginner expects what output here?",
        "What does this print on numpy 1.x?",
        "初学者期望这段代码输出什么？",
    ],
)
def test_a_question_about_another_state_of_a_fence_is_not_decided(asked):
    note, *_ = extracted(f"# Notes\n\nQ: {asked}\n\n{FENCE}\n\nA: `tensor(7)`\n").notes
    assert note.proven_by == ()


@pytest.mark.parametrize(
    "asked",
    ["What does this print?", "3. What does this print?", "What is printed when this code runs?", "这段代码输出什么？"],
)
def test_a_plain_question_about_a_fence_is_decided(asked):
    assert proofs(f"Q: {asked}\n\n{FENCE}\n\nA: `tensor(7)`\n") == ["refuted"]


def test_names_of_the_code_above_are_known_in_its_section_alone():
    code = "## A\n\n```python\nimport torch\nt = torch.ones(2, 3)\n```\n\n"
    asked = "Q: What is the shape of `t.sum(0)`?\nA: `(3,)`\n"
    assert proofs(code + asked) == ["proved"]
    assert proofs(code + "## B\n\n" + asked) == ["names"]


def test_a_question_changes_nothing_that_code_below_it_shows():
    text = """\
        ```python
        import torch
        t = torch.zeros(2)
        ```

        Q: Does `t.add_(1)` modify `t` in place?
        A: Yes

        ```python
        print(t)  # tensor([0., 0.])
        ```
        """
    assert proofs(text) == ["proved", "proved"]


def test_code_that_holds_beside_an_answer_in_words_does_not_prove_it():
    text = """\
        ### What does keepdim change?

        The result keeps its place for broadcasting.

        ```python
        import torch
        print(torch.ones(2, 3).sum(1, keepdim=True).shape)  # torch.Size([2, 1])
        ```
        """
    (asked, output) = decided(f"# Notes\n\n{dedent(text)}\n", suggestions="ship")
    assert (asked.proof, output.proof) == (Proof.NAMES, Proof.PROVED) or asked.proof is Proof.OPEN
    assert asked.stamp != output.stamp
    assert output.stamp.startswith("answer checked on torch")


QUIZ = """\
    What is the shape of `torch.ones(2, 3).t()`?

    A. `(2, 3)`
    B. `(3, 2)`
    C. `(6,)`

    Answer: A
    """


def test_a_choice_whose_key_torch_denies_gets_the_right_letter_and_stays_the_same_note():
    (wrong,) = decided(f"# Notes\n\n{dedent(QUIZ)}", on_contradiction="correct")
    (right,) = decided(f"# Notes\n\n{dedent(QUIZ)}".replace("Answer: A", "Answer: B"))
    assert (wrong.disposition, wrong.note.body.right) == (Disposition.CORRECT, ("B",))
    assert wrong.why == "contradicted: A is marked, B is right"
    assert wrong.note.key == right.note.key
    assert right.proof is Proof.PROVED
    (withheld,) = decided(f"# Notes\n\n{dedent(QUIZ)}")
    assert withheld.disposition is Disposition.WITHHOLD


def test_what_learners_have_is_corrected_and_stays_the_same_note(tmp_path):
    (tmp_path / "notes.md").write_text(
        f"# Notes\n\n{dedent(QUIZ)}\nQ: What does `torch.arange(5).sum()` return?\nA: `tensor(11)`\n"
    )
    command = Command(tmp_path, tmp_path)
    assert command("build", "notes.md", "--no-run").returncode == 0
    lock = next(tmp_path.glob("*.lock"))
    before = re.findall(r'"guid": "([^"]+)"', lock.read_text("utf-8"))
    built = command("build", "notes.md")
    assert "2 shipped, 2 corrected, 0 withheld" in built.stdout
    assert re.findall(r'"guid": "([^"]+)"', lock.read_text("utf-8")) == before  # in the order of their GUIDs
    assert len(before) == 2
    assert set(re.findall(r'"answer": "([^"]*)"', lock.read_text("utf-8"))) == {"B (3, 2)", "tensor(10)"}


def test_a_suggestion_that_is_refuted_fails_no_run(tmp_path):
    text = "# Notes\n\n### What does `torch.arange(5).sum()` return?\n\n`tensor(11)`\n"
    (tmp_path / "notes.md").write_text(text)
    run = Command(tmp_path, tmp_path)("verify", "notes.md", "--format", "json")
    told = json.loads(run.stdout)
    assert [(one["standing"], one["proof"]) for one in told["sources"][0]["notes"]] == [("suggested", "refuted")]
    assert "false" not in run.stderr
    assert Command(tmp_path, tmp_path)("verify", "notes.md", "--fail-on", "suggested").returncode == 1
    assert "1 claim is false" in Command(tmp_path, tmp_path)("verify", "notes.md", "--fail-on", "suggested").stdout
    cases = Command(tmp_path, tmp_path)("verify", "notes.md", "--format", "junit").stdout
    assert '<property name="cards.refuted" value="1"' in cases
    assert 'failures="0"' in cases


def test_least_proved_fails_a_run_that_proves_less(tmp_path):
    (tmp_path / "notes.md").write_text(
        "# Notes\n\nQ: What is `torch.ones(2).ndim`?\nA: 1\n\nQ: Why?\nA: Because it is so.\n"
    )
    command = Command(tmp_path, tmp_path)
    assert command("verify", "notes.md", "--min-proved", "1").returncode == 0
    run = command("verify", "notes.md", "--min-proved", "51%")
    assert run.returncode == 1
    assert "only 1 of 2 cards are proved; --min-proved wants 51 %" in run.stdout


REVISED = """\
# Notes

Q: What is the default `lr` of `torch.optim.Adam`?
A: 0.01

What is the shape of `torch.ones(2, 3).t()`?

A. `(2, 3)`
B. `(3, 2)`

Answer: A

Q: What does `torch.arange(5).sum()` return?
A: `tensor(11)`, that is their sum

# `torch.optim.Adam`

| Parameter | Default | Meaning |
| --- | --- | --- |
| `eps` | `1e-8` | keeps the quotient finite |
| `lr` | `0.01` | the rate |
"""


def test_update_mends_defaults_values_and_keys_in_place(tmp_path):
    (tmp_path / "notes.md").write_text(REVISED)
    command = Command(tmp_path, tmp_path)
    assert ":8: contradicted: `shape of torch.ones(2, 3).t()`: `(2, 3)`: A is marked, B is right" in (
        command("verify", "notes.md").stdout
    )
    assert command("update", "notes.md").returncode == 0
    after = (tmp_path / "notes.md").read_text()
    mended = REVISED.replace("A: 0.01", "A: 0.001").replace("Answer: A", "Answer: B").replace("`0.01`", "`0.001`")
    assert after == mended.replace("tensor(11)", "tensor(10)")
    assert command("update", "notes.md", "--check").returncode == 0


def test_update_leaves_a_key_of_which_no_other_option_is_right(tmp_path):
    text = "What is the shape of `torch.ones(2, 3).t()`?\n\nA. `(2, 3)`\nB. `(6,)`\n\nAnswer: A\n"
    (tmp_path / "notes.md").write_text(text)
    run = Command(tmp_path, tmp_path)("update", "notes.md")
    assert "left as it is: no other option of it is right" in run.stderr + run.stdout
    assert (tmp_path / "notes.md").read_text() == text


def test_a_method_in_a_gap_that_its_object_lacks_refutes_the_card():
    text = "To get a number of Python write `torch.tensor(3.5).____()`.\n\nAnswer: `{}`"
    assert proofs(text.format("item")) != ["proved"]
    assert "refuted" not in proofs(text.format("item"))
    assert proofs(text.format("value")) == ["refuted"]


@pytest.mark.parametrize(
    ("question", "true", "false"),
    [
        ("What is the default learning rate of torch.optim.Adam?", "0.001", "0.01"),
        ("torch.autograd.functional.jacobian: default of create_graph?", "False", "True"),
        ("What does torch.arange(4).sum() return?", "tensor(6)", "tensor(7)"),
        ("What happens here: `torch.ones(2) + torch.ones(3)`?", "A `RuntimeError`.", "It works: they are broadcast."),
        ("What is the default `gamma` of `torch.optim.lr_scheduler.StepLR`?", "0.1", "0.9"),
    ],
)
def test_code_without_backticks_is_code_and_what_works_raises_nothing(question: str, true: str, false: str):
    assert proofs(f"Q: {question}\nA: {true}") == ["proved"]
    assert proofs(f"Q: {question}\nA: {false}") == ["refuted"]


@pytest.mark.parametrize("told", ["prints {{c1::%s}}", "{{c1::%s}}", "Output: {{c1::%s}}.", "输出 {{c1::%s}}"])
def test_gaps_that_are_all_that_stands_below_a_fence_are_what_it_prints(told: str, tmp_path):
    code = "```python\nlayer = torch.nn.Linear(3, 5)\nprint(layer.weight.shape)\n```"
    verdicts = []
    for shape in ("torch.Size([5, 3])", "torch.Size([3, 5])"):
        (tmp_path / "cards.jsonl").write_text(json.dumps({"text": f"{code}\n\n{told % shape}"}))
        found = json.loads(Command(tmp_path, tmp_path)("verify", "cards.jsonl", "--format", "json").stdout)
        verdicts += [card["verdict"] for card in found["cards"]]
    assert verdicts == ["proved", "refuted"]


def test_a_gap_in_a_sentence_about_a_fence_is_not_what_it_prints(tmp_path):
    text = "```python\nprint(torch.nn.Linear(3, 5).weight.shape)\n```\n\nprints a shape of {{c1::2}} numbers"
    (tmp_path / "cards.jsonl").write_text(json.dumps({"text": text}))
    found = json.loads(Command(tmp_path, tmp_path)("verify", "cards.jsonl", "--format", "json").stdout)
    assert [card["verdict"] for card in found["cards"]] == ["names"]


def test_a_default_of_what_has_none_is_refuted():
    asked = "Q: What is the default `gamma` of `torch.optim.lr_scheduler.ExponentialLR`?\nA: {}"
    assert proofs(asked.format("0.95")) == ["refuted"]
    assert proofs(asked.format("It has none.")) == ["unverified"]


def test_a_name_in_a_gap_is_not_looked_up_where_its_sentence_says_that_there_is_none():
    assert proofs("There is no `torch.{{c1::concatt}}`.") == ["open"]
    assert proofs("There is a `torch.{{c1::concatt}}`.") == ["refuted"]


def test_a_name_in_a_gap_is_looked_up():
    found = extracted("# Notes\n\n`torch.{{c1::identity}}(3)` makes a unit matrix.\n")
    (note,) = [one for one in found.notes if isinstance(one.body, Cloze)]
    names = {one.id: one for one in found.apis}
    assert [names[claim].text for claim in note.rests_on if isinstance(names.get(claim), Exists)] == [
        "torch.identity(3)"
    ]


def test_what_is_asked_in_words_counts_as_no_snippet_of_the_notes():
    found = extracted("# Notes\n\nQ: What is `torch.ones(2).ndim`?\nA: 1\n")
    (snippet,) = found.snippets
    assert snippet.is_asked
    assert snippet.line == found.notes[0].span.start + 1
    assert replace(snippet, is_asked=False) != snippet


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("There is no `torch.{{c1::concatt}}` in torch.", []),
        ("There is `torch.{{c1::concatt}}` in torch.", ["torch.concatt"]),
        ("There is no bias here, and `torch.{{c1::concatt}}` joins.", ["torch.concatt"]),
        ("torch 没有 `torch.{{c1::concatt}}`。", []),
        ("张量有 `{{c1::item()}}`，列表没有。", ["item()"]),
    ],
)
def test_a_name_in_a_gap_that_its_clause_denies_is_not_looked_up(text, names):
    assert [one.text for one in extracted(f"{text}\n").apis] == names
