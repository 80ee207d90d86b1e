"""Worth: what is repaired, what is doubted, and what its author wants all the same."""

from dataclasses import replace

import pytest
from carded import cards, extracted, made, notes
from verdicts import note

from deckgen.extract.worth import weigh
from deckgen.extract.worth.asked import asks_of_no_thing
from deckgen.extract.worth.facts import DocumentFacts, Facts
from deckgen.extract.worth.repairs import with_code_first, with_first_sentences
from deckgen.model.note import Api, Basic, Cloze, FoundAs, Output, Standing, holes

LABEL = "- Goal: a model that tells cats from dogs\n"


def doubted(text: str) -> list[str]:
    """The first doubt about each note that is doubted."""
    return [note.doubts[0].name for note in made(text) if note.doubts]


def test_a_doubted_note_is_a_suggestion_whatever_found_it() -> None:
    (note,) = made(LABEL)
    assert [doubt.name for doubt in note.doubts] == ["label", "no code"]
    assert replace(note, origin=Standing.SURE).standing is Standing.SUGGESTED
    assert replace(note, kept=True).standing is Standing.DECLARED


def test_what_its_author_declared_is_not_doubted() -> None:
    (note,) = made(LABEL)
    declared = replace(note, origin=Standing.DECLARED, doubts=())
    assert weigh([declared], extracted(LABEL).document).notes == (declared,)


def test_a_note_that_would_show_marks_is_refused_and_goes_with_its_refusal() -> None:
    (skipped,) = extracted("- `clamp`: limits the values </div> of a tensor\n").skipped
    assert skipped.rule == "worth: marks"
    assert skipped.note is not None
    assert skipped.note.kept


@pytest.mark.parametrize("directive", ["keep", "id=goal", "tags=aims keep"])
def test_what_the_author_wants_is_kept(directive: str) -> None:
    assert len(notes(f"<!-- deckgen: {directive} -->\n\n{LABEL}")) == 1
    assert doubted(f"<!-- deckgen: {directive} -->\n\n{LABEL}") == []


def test_a_directive_before_a_heading_keeps_its_section_and_no_other() -> None:
    text = f"<!-- deckgen: keep -->\n\n## One\n\n{LABEL}\n## Two\n\n- Task: a model that tells birds from fish\n"
    assert [note.span.first for note in notes(text)] == [5]


def test_a_long_answer_is_its_first_paragraph_where_that_says_what_the_thing_is() -> None:
    steps = "\n".join(f"{n}. step {n} of it\n" for n in range(1, 8))
    asked = "## What is a hook?\n\nA hook is a function that autograd calls with a gradient.\n\n"
    assert cards(f"{asked}It goes like this in general:\n\n{steps}", Basic) == {
        "What is a hook?": "A hook is a function that autograd calls with a gradient."
    }
    assert doubted(f"## How is a hook called?\n\nFirst paragraph of the answer.\n\n{steps}") == ["recital"]


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
            - what was added to the gradients is cleared by `zero_grad`
            - then we call `lr_step` in our loop of today
    """
    (note,) = notes(text, Cloze)
    assert holes(note) == ((1, "`zero_grad`"),)


def test_what_an_author_asks_is_not_judged() -> None:
    quiz = "## Exercises\n\n1. Which one?\n\nA. yes\n\nB. no\n\nAnswer: A\n"
    assert len(notes(quiz)) == 1


def output(text: str) -> Output:
    """The only Output note of some code and what it prints."""
    (note,) = made(text, Output)
    assert isinstance(note.body, Output)
    return note.body


def printing(code: str, shown: str) -> str:
    return f"```python\nimport torch\n{code}\n```\n\nOutput:\n\n```text\n{shown}\n```\n"


def test_prints_of_what_was_typed_are_not_asked() -> None:
    body = output(
        printing("x = torch.tensor([1.0, 2.0])\nprint(x)\nprint('dim:')\nprint(x.dim())", "tensor([1., 2.])\ndim:\n1")
    )
    assert (body.code.split("\n")[1:], body.output) == (["x = torch.tensor([1.0, 2.0])", "print(x.dim())"], "1")


def test_neither_is_a_shape_that_was_typed() -> None:
    shown = "torch.Size([2, 3])\ntorch.Size([3, 2])"
    body = output(printing("x = torch.rand(2, 3)\nprint(x.shape)\nprint(x.t().shape)", shown))
    assert body.output == "torch.Size([3, 2])"


def test_what_a_call_makes_of_typed_numbers_is_asked() -> None:
    for code, shown in (
        ("print(torch.tensor([1, 2.5]))", "tensor([1.0000, 2.5000])"),
        ("print(torch.tensor([1, 2], dtype=torch.float64))", "tensor([1., 2.], dtype=torch.float64)"),
        ("x = torch.ones(2)\nx.add_(1)\nprint(x)", "tensor([2., 2.])"),
        ("x = torch.arange(3)\nprint(x)", "tensor([0, 1, 2])"),
        ("seen = []\nseen.append(torch.is_grad_enabled())\nprint(seen)", "[True]"),
    ):
        assert output(printing(code, shown)).output == shown


def test_a_loop_may_show_a_series_and_no_long_one() -> None:
    code = "for x in torch.arange({}):\n    print(x * 2)"
    assert output(printing(code.format(4), "tensor(0)\ntensor(2)\ntensor(4)\ntensor(6)")).output.count("tensor") == 4
    long = "\n".join(f"tensor({2 * n})" for n in range(9))
    assert doubted(printing(code.format(9), long))[0] == "several outputs"


def test_a_computation_graph_is_no_picture_that_a_card_lacks() -> None:
    assert (
        len(
            notes(
                "# 求导\n\n### 反向传播之后，计算图中的缓冲区会怎样？\n\n会被释放，除非设置 `retain_graph=True`。\n",
                Basic,
            )
        )
        == 1
    )
    assert doubted("# 求导\n\n### 图中的 `x` 是什么？\n\n叶子张量 `x`。\n") == ["the text itself"]


def test_how_long_a_loader_is_torch_decides() -> None:
    loader = "import torch\nloader = torch.utils.data.DataLoader(range(10), batch_size=4)\nprint(len(loader))"
    assert output(printing(loader, "3")).output == "3"


def test_a_comment_on_the_front_does_not_tell_the_error() -> None:
    code = "```python\nimport torch\nx = torch.ones(2)\n# nothing to differentiate here\nx.sum().backward()\n```\n\n"
    body = output(f"{code}```text\nRuntimeError: element 0 of tensors does not require grad\n```\n")
    assert (body.asked, "#" in body.code) == ("exception", False)


@pytest.mark.parametrize(
    "line",
    [
        "If needed, augmenting the data with `transforms.RandomCrop`",
        "You should always clear gradients with `optimizer.zero_grad()`",
        "Gradients are cleared by these calls of `optimizer.zero_grad()`",
        "To reshape a tensor, use view **torch.view()**",
    ],
)
def test_a_gap_in_a_step_in_advice_or_beside_its_answer_is_none(line: str) -> None:
    text = f"# Training\n\nGradients are added up in `grad` at each call of backward.\n\n- {line}\n"
    assert all(line.partition("`")[0] not in getattr(one.body, "text", "") for one in notes(text, Cloze))


def test_a_kind_of_thing_is_a_meaning_of_several_names_and_a_heading_is_none() -> None:
    text = "# Model\n\n## {}\n\n```python\na = nn.ReLU()\nb = nn.Tanh()\n```\n"
    assert len(notes(text.format("Activation functions"), Api)) == 2
    assert {*doubted(text.format("Elementwise operations"))} == {"category"}


def test_of_many_values_the_last_two_are_asked() -> None:
    calls = "\n".join(f"print(x.{one}())" for one in ("sum", "max", "min", "argmax", "dim"))
    body = output(printing(f"x = torch.arange(4)\n{calls}", "tensor(6)\ntensor(3)\ntensor(0)\ntensor(3)\n1"))
    assert (body.code.count("print"), body.output) == (2, "tensor(3)\n1")


def test_a_comment_beside_what_is_asked_is_its_reason_and_no_other_comment_is_shown() -> None:
    code = "x = torch.arange(6)  # six of them in a row\n# views share the memory of their base\nx.view(2, 3)[0] = 0\nprint(x)"
    body = output(printing(code, "tensor([0, 0, 0, 3, 4, 5])"))
    assert ("#" in body.code, body.explanation) == (False, "")
    body = output(
        printing("x = torch.arange(3)\nprint(x.view(-1))  # views share the memory of their base", "tensor([0, 1, 2])")
    )
    assert ("#" in body.code, body.explanation) == (False, "views share the memory of their base")


@pytest.mark.parametrize(
    "comment", ["print the result of it", "we look at the result now", "y = x.view(2, 3)", "gives tensor(3)"]
)
def test_a_comment_that_commands_or_shows_code_or_a_value_is_no_reason(comment: str) -> None:
    body = output(printing(f"x = torch.arange(3)\n# {comment}\nprint(x.sum())", "tensor(3)"))
    assert ("#" in body.code, body.explanation) == (False, "")


def test_backward_goes_where_nobody_looks_at_gradients() -> None:
    code = "x = torch.ones(2, requires_grad=True)\ny = (2 * x).sum()\ny.backward()\n"
    assert "backward" not in output(printing(f"{code}print(x.is_leaf)", "True")).code
    assert "backward" in output(printing(f"{code}print(x.grad)", "tensor([2., 2.])")).code
    hooked = "calls = []\nx = torch.ones(2, requires_grad=True)\nx.register_hook(lambda g: calls.append(1))\nx.sum().backward()\n"
    assert "backward" in output(printing(f"{hooked}print(len(calls))", "1")).code


def test_a_short_answer_stands_without_its_label_and_without_the_long_one() -> None:
    text = "## Why is a view cheap?\n\n**Short answer:**\n\nIt copies no data of its base.\n\n**In detail:**\n\nStrides differ.\n"
    assert cards(text, Basic) == {"Why is a view cheap?": "It copies no data of its base."}


def test_a_meaning_of_many_sentences_is_what_the_first_ones_say() -> None:
    said = (
        "A layer that drops values at random. It does nothing in evaluation. "
        + "It was proposed as a remedy for overfitting. " * 4
    )
    (answer,) = cards(f"- **Dropout layer**: {said}\n", Basic).values()
    assert answer.startswith("A layer that drops values at random. It does nothing in evaluation.")
    assert len(answer) <= 160


def test_a_text_that_is_not_about_torch_gives_no_notes() -> None:
    filler = "More of it stands in the manual. " * 80
    text = f"# Shell\n\n{filler}\n\n## What does `tar` do?\n\nIt packs the files of a folder into one.\n"
    assert doubted(text) == ["other field"]
    assert len(notes(text.replace("manual", "manual of torch", 1), Basic)) == 1


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("`torch.clone` copies the memory of a tensor", None),
        ("Copies of the memory are made by `copied`", None),
        ("Copies of the memory are made by `torch.clone`", "`torch.clone`"),
    ],
)
def test_a_gap_that_many_names_fit_is_none(line: str, left: str | None) -> None:
    found = notes(f"# Memory of tensors\n\n- Calls: of a tensor\n    - {line}\n", Cloze)
    assert [text for note in found for _, text in holes(note)] == ([left] if left else [])


def test_a_term_counts_that_the_code_of_its_document_writes() -> None:
    term = "# Loading\n\n- **Sampler**: decides the order of the samples\n"
    assert notes(term, Basic) == []
    assert len(notes(f"{term}\n```python\nclass Mine(torch.utils.data.Sampler):\n    ...\n```\n", Basic)) == 1


def test_code_answers_how_and_the_words_above_it_stand_below() -> None:
    text = "## How do you cut a graph of tensors?\n\nStops the gradient.\n\n```python\ny = tensor.detach()\n```\n"
    assert cards(text, Basic) == {
        "How do you cut a graph of tensors?": "```python\ny = tensor.detach()\n```\n\nStops the gradient."
    }
    assert cards(text.replace("How do you", "What does it mean to"), Basic) == {
        "What does it mean to cut a graph of tensors?": "Stops the gradient.\n\n```python\ny = tensor.detach()\n```"
    }


def test_to_ask_for_one_thing_instead_of_another_is_no_opinion() -> None:
    asked = "## Why use `BCEWithLogitsLoss`{0}?\n\nA large logit makes the sigmoid round to one.\n"
    assert doubted(asked.format("")) == ["opinion"]
    assert len(notes(asked.format(" instead of `BCELoss`"), Basic)) == 1


def test_a_meaning_has_no_label_on_it() -> None:
    (note,) = notes("## `torch.relu()`\n\n功能：将负数变成零\n", Api)
    assert isinstance(note.body, Api)
    assert note.body.meaning == "将负数变成零"


def test_lines_between_outputs_are_not_shown() -> None:
    body = output(printing("x = torch.arange(3)\nprint(x.sum())\nprint('-----')", "tensor(3)\n-----"))
    assert (body.code.split("\n")[-1], body.output) == ("print(x.sum())", "tensor(3)")


def test_what_a_name_was_before_is_not_shown_nor_is_a_loss_that_nobody_looks_at() -> None:
    code = (
        "x = torch.ones(2)\nx = torch.zeros(3)\nloss = torch.nn.MSELoss()\nl, m = loss(x, x), 2\nprint(x.shape[0] + 1)"
    )
    assert output(printing(code, "4")).code.split("\n")[1:] == ["x = torch.zeros(3)", "print(x.shape[0] + 1)"]


@pytest.mark.parametrize(("columns", "first"), [(59, "code"), (60, "words")])
def test_code_answers_how_if_only_a_few_words_stand_above_it(columns: int, first: str) -> None:
    words, code = "Stops the gradient" + "," * (columns - 18), "```python\ny = tensor.detach()\n```"
    asked = replace(
        note(1, body=Basic(prompt="How do you cut a graph?", answer=f"{words}\n\n{code}")), found_as=FoundAs.QUESTION
    )
    answer = with_code_first(asked).body.answer
    assert answer == (f"{code}\n\n{words}" if first == "code" else f"{words}\n\n{code}")


@pytest.mark.parametrize(("sentences", "kept"), [(3, 3), (4, 2)])
def test_a_meaning_of_three_sentences_is_no_long_one(sentences: int, kept: int) -> None:
    said = " ".join(["A layer that drops values at random while it is trained, and none later."] * sentences)
    meaning = replace(note(1, body=Basic(prompt="Dropout layer", answer=said)), found_as=FoundAs.TERM)
    assert with_first_sentences(meaning).body.answer.count(".") == kept


@pytest.mark.parametrize(("term", "is_one"), [("Momentum", True), ("batch norm", True), ("动量", False)])
def test_a_latin_word_among_chinese_ones_is_a_name_whatever_is_said_of_it(term: str, is_one: bool) -> None:
    meaning = note(1, body=Basic(prompt=term, answer="先减均值，再除以标准差"))
    facts = Facts(replace(meaning, found_as=FoundAs.TERM), DocumentFacts(extracted("").document, ()))
    assert asks_of_no_thing(facts) is not is_one
