"""Claims are found where people write them, with their place, text and form."""

import pytest

from deckgen.extract.claims.snippets import snippets
from deckgen.model.claim import HasShape, Raises, Shows
from deckgen.model.source import Source
from deckgen.read import read
from deckgen.read.include import included
from tests.observing import snippets_of


def found(document: str) -> list[tuple[str, int, str]]:
    return [(c.form, c.span.first, c.text) for snippet in snippets_of(document) for c in snippet.claims]


@pytest.mark.parametrize(
    ("document", "claims"),
    [
        ("```python\nprint(1)\n''' 运行结果 '''\n1\n```", [("marked", 4, "1")]),
        (
            "```python\nprint(1)\nprint([2,\n 3])\n# Output:\n1\n[2, 3]\n```",
            [("marked", 6, "1"), ("marked", 7, "[2, 3]")],
        ),
        ("```python\nprint(x)  # 输出: False (因为...)\n```", [("value", 2, "False")]),
        ("```python\nprint(x)  # True，默认开启\n```", [("value", 2, "True")]),
        ("```python\nx + 1  # tensor([2])\n```", [("value", 2, "tensor([2])")]),
        ("```python\ny = x.t()  # y.shape: (2, 3)\n```", [("name", 2, "(2, 3)")]),
        ("```python\ny = x.t()  # 结果形状为 (2, 3)\n```", [("shape", 2, "(2, 3)")]),
        ("```python\nx.view(5)  # RuntimeError: bad shape\n```", [("error", 2, "RuntimeError: bad shape")]),
        ("```python\nfor a in b:\n    print(a)\n# 1\n# 2\n```", [("output-below", 4, "1"), ("output-below", 5, "2")]),
        ("```python\nx + 1\n# tensor([2])\n```", [("value-below", 3, "tensor([2])")]),
        ("```python\nx = y + 1\n# tensor([2])\n```", [("assigned-below", 3, "tensor([2])")]),
        ("```python\nx = y[0]\n# tensor([2]) is the other row\n```", []),
        (">>> x\ntensor([1])\n>>> y = 2\n>>> y\n2\n", [("transcript", 2, "tensor([1])"), ("transcript", 5, "2")]),
        ("```python\n>>> 2\n2\n>>> \nrate = 0.01\n```", [("transcript", 3, "2")]),
        ("    >>> 2\n    >>>\n    [3]\n    >>> 4\n    4\n", [("transcript", 5, "4")]),
        ("```python\nprint(x)\n```\n**输出：**\n```\n3\n```", [("fence", 6, "3")]),
        ("```python\nprint(x)\n```\n\nOutput: `3`", [("paragraph", 5, "3")]),
    ],
    ids=lambda value: None,
)
def test_a_claim_has_its_form_its_line_and_its_text(document: str, claims: list[tuple[str, int, str]]) -> None:
    assert found(document) == claims


def test_the_code_is_what_runs_and_nothing_else() -> None:
    (snippet,) = snippets_of(
        "intro\n\n```python\n>>> x = 1\n>>> for i in (1,\n...           2):\n...     print(i)\n1\n2\n```\n"
    )
    assert snippet.code == "x = 1\nfor i in (1,\n          2):\n    print(i)"
    assert [line + 1 for line in snippet.lines] == [4, 5, 6, 7]
    assert snippet.id == "4"


@pytest.mark.parametrize(
    ("skipped", "code"),
    [
        (">>> rand(2)  # doctest: +SKIP\n7\n", ["# rand(2)  # doctest: +SKIP"]),
        (
            ">>> for i in range(2):  # doctest: +ELLIPSIS, +SKIP\n...     print(i)\n7\n8\n",
            ["# for i in range(2):  # doctest: +ELLIPSIS, +SKIP", "#     print(i)"],
        ),
        (">>> x = 1 / 0  #doctest:+SKIP\n", ["# x = 1 / 0  #doctest:+SKIP"]),
    ],
)
def test_what_a_doctest_skips_is_neither_run_nor_claimed(skipped: str, code: list[str]) -> None:
    (snippet,) = snippets_of(f"```python\n>>> one\n1\n{skipped}>>> two  # doctest: +ELLIPSIS\n2\n```\n")
    assert snippet.code.split("\n") == ["one", *code, "two  # doctest: +ELLIPSIS"]
    assert [claim.text for claim in snippet.claims] == ["1", "2"]


def test_a_call_is_not_made_once_more_to_look_at_what_it_gives() -> None:
    (snippet,) = snippets_of(
        "```python\nx = f(1)\nf(x).backward()\n# Output:\n# 2\nx.backward()\n# Output:\n# 3\n```\n"
    )
    assert [target for _, target in snippet.probes] == ["x"]


def test_one_output_for_several_fences_is_shared_out_in_order() -> None:
    first, second = snippets_of(
        "```python\nprint(1)\n```\n\nthen\n\n```python\nprint(2)\nprint(3)\n```\n\n输出：\n\n```\n1\n2\n3\n```\n"
    )
    assert [claim.text for claim in first.claims] == ["1"]
    assert [claim.text for claim in second.claims] == ["2", "3"]


WORDS = "It holds three elements,\nand it is a vector."


@pytest.mark.parametrize(
    ("code", "below", "claims"),
    [
        ("text\n>>> x = torch.arange(3)\n>>> x.shape\ntorch.Size([3])", WORDS, ["torch.Size([3])"]),
        ("text\nx = torch.arange(3)\ntensor([0, 1, 2])", WORDS, ["tensor([0, 1, 2])"]),
        ("\nx = torch.arange(3)", WORDS, []),
        ("python\nimport torch\nx = torch.arange(3)\ny = x.sum()", WORDS, []),
        ("python\ndef f(x):\n    print(x)", WORDS, []),
        ("python\nx = torch.arange(3)\nprint(x)", "tensor([0, 1, 2])", ["tensor([0, 1, 2])"]),
        ("python\ny = model(x)", WORDS, WORDS.split("\n")),
        ("python\nfor epoch in range(2):\n    train(epoch)", "epoch 0\nepoch 1", ["epoch 0", "epoch 1"]),
        ("\nx = torch.arange(3)\nprint(x)", WORDS, WORDS.split("\n")),
    ],
)
def test_text_below_code_that_shows_all_it_writes_or_writes_nothing_is_no_output(
    code: str, below: str, claims: list[str]
) -> None:
    assert [text for _, _, text in found(f"```{code}\n```\n\n```text\n{below}\n```\n")] == claims


def test_what_is_claimed_of_what_is_said_exactly() -> None:
    (snippet,) = snippets_of(
        "```python\nq, r = divmod(7, 2)  # (3, 1)\nw = x.float()  # w.dtype: torch.float32\nm = f(x)  # shape: 2x3\nz[9]  # IndexError\n```\n"
    )
    pair, dtype, shape, error = snippet.claims
    assert isinstance(pair, Shows)
    assert pair.target == "(q, r)"
    assert isinstance(dtype, Shows)
    assert dtype.target == "w.dtype"
    assert isinstance(shape, HasShape)
    assert shape.shapes == ((2, 3),)
    assert isinstance(error, Raises)
    assert error.exception == "IndexError"


@pytest.mark.parametrize(
    ("info", "seen"),
    [
        ("python {no-run}", (True, None, None, None, None)),
        ("python {raises=RuntimeError device=cuda seed=3}", (False, "RuntimeError", "cuda", 3, None)),
        ('python {skip="needs data"}', (False, None, None, None, "needs data")),
    ],
)
def test_authors_can_say_how_a_snippet_runs(info: str, seen: tuple[object, ...]) -> None:
    (snippet,) = snippets_of(f"```{info}\nprint(1)\n```\n")
    options = snippet.options
    assert (options.no_run, options.raises, options.device, options.seed, options.skip) == seen


def test_a_directive_waives_the_claims_of_the_next_block() -> None:
    first, second = snippets_of(
        "<!-- deckgen: skip wrong on purpose -->\n\n```python\nprint(1)  # 2\n```\n\n```python\nprint(1)  # 1\n```\n"
    )
    assert first.options.skip == "wrong on purpose"
    assert second.options.skip is None


def test_claims_of_an_included_file_say_where_they_stand() -> None:
    code = "import torch\n# region one\nprint(1)  # 1\ny = torch.zeros(2)  # y.shape: (2,)\n# endregion\n"
    document = read(Source("notes.md", "text\n\n```python {file=a.py#one}\n```\n"))
    (snippet,) = snippets(included(document, {"a.py": code}.get))
    assert [(c.span.first, c.origin, c.text) for c in snippet.claims] == [(3, "a.py:3", "1"), (3, "a.py:4", "(2,)")]
