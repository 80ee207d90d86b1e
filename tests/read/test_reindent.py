"""Restored indentation."""

import ast
import inspect
import json
import textwrap

import pytest

from deckgen.model.document import Code
from deckgen.model.source import Source
from deckgen.read import read
from deckgen.read.reindent.features import feature
from deckgen.read.reindent.logical import logical_lines
from deckgen.read.reindent.search import MOST, Restored, restored


def flat(code: str) -> list[str]:
    return [line.strip() for line in code.split("\n") if line.strip()]


def restore(code: str) -> Restored:
    lines = flat(code)
    logical = logical_lines(lines)
    assert logical is not None
    return restored(lines, logical)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same program, strings aside (their inside is lost for good)."""
    return _tree(one) == _tree(other)


def _tree(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "".join(node.value.split())
    return ast.dump(tree)


NOTES = [
    """
    class Net(nn.Module):
        def __init__(self):
            super(Net, self).__init__()
            self.fc = nn.Linear(2, 1)

        def forward(self, x):
            return self.fc(x)

    net = Net()
    """,
    """
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
    """,
    """
    if torch.cuda.is_available():
        device = "cuda"
    else:
        device = "cpu"
    """,
    """
    def train(model):
        model.train()
        for x, y in loader:
            if x is None:
                continue
            step(x, y)
        return model

    model = train(model)
    """,
    """
    try:
        x.view(-1)
    except RuntimeError as error:
        print(error)
    """,
    """
    total = 0
    for i in range(3):
        total += i
    print("total", total)
    """,
    """
    def clip(grads, limit):
        norm = sum(g.pow(2).sum() for g in grads) ** 0.5
        if norm > limit:
            for g in grads:
                g.mul_(limit / norm)
        return norm
    """,
    """
    lines = []
    for i in range(2):
        lines.append(str(i))
    text = ", ".join(lines)
    print(text)
    """,
]


@pytest.mark.parametrize("code", NOTES)
def test_the_likeliest_reading_is_what_people_write(code: str) -> None:
    assert same(restore(code).text, textwrap.dedent(code))


@pytest.mark.parametrize("code", NOTES)
def test_every_candidate_is_python_and_has_the_same_lines(code: str) -> None:
    found = restore(code)
    for candidate in (found.text, *found.candidates):
        ast.parse(candidate)
        assert flat(candidate) == flat(code)


def test_code_without_blocks_is_sure() -> None:
    assert restore("x = 1\nprint(x)") == Restored("x = 1\nprint(x)", True)


def test_the_end_of_a_with_is_not_sure() -> None:
    found = restore("with torch.no_grad():\n    y = x * 2\nprint(y)")
    assert not found.sure
    assert found.complete
    assert sorted(text.count("    ") for text in found.candidates) == [1, 2]


def test_one_reading_is_sure() -> None:
    found = restore("def f(x):\n    if x:\n        return 1\n    else:\n        return 2")
    assert found.sure
    assert not found.candidates


def test_a_return_keeps_its_function_open() -> None:
    found = restore("def f(x):\n    y = 1\n    with a:\n        z = 2\n    return y")
    returns = [line for text in found.candidates for line in text.split("\n") if "return" in line]
    assert len(returns) == len(found.candidates) > 1
    assert [line for line in returns if not line.startswith("    ")] == []


def test_comments_stand_as_deep_as_what_follows() -> None:
    found = restore("def f(x):\n    # double it\n    return 2 * x\n# the end")
    assert found.text == "def f(x):\n    # double it\n    return 2 * x\n# the end"


def test_indentation_that_is_still_there_is_kept() -> None:
    lines = ["if x:", "  y = 1", "z = 2"]
    assert restored(lines, logical_lines(lines) or []).text == "if x:\n  y = 1\nz = 2"


def test_a_header_without_a_body_is_left_as_it_is() -> None:
    found = restore("def f(x):\n    # nothing")
    assert not found.sure
    assert not found.complete


def test_many_readings_are_not_complete() -> None:
    code = "\n".join(f"for i{n} in a:\n    f(i{n})" for n in range(12))
    found = restore(code)
    assert not found.sure
    assert not found.complete
    assert len(found.candidates) <= MOST


def test_thousands_of_headers_take_no_time() -> None:
    lines = ["for i in x:"] * 5000 + ["y = 1"]
    assert not restored(lines, logical_lines(lines) or []).sure


def library() -> list[str]:
    """A hundred functions of the standard library: nobody wrote them for this test."""
    found = []
    for module in (textwrap, json, inspect, ast):
        for _, value in sorted(inspect.getmembers(module, inspect.isfunction)):
            code = inspect.getsource(value)
            if value.__module__ == module.__name__ and 3 < code.count("\n") < 30 and logical_lines(flat(code)):
                found.append(textwrap.dedent(code))
    return found[:100]


def test_nothing_wrong_is_called_sure() -> None:
    codes = library()
    results = [(restore(code), code) for code in codes]
    assert [code for found, code in results if found.sure and not same(found.text, code)] == []
    right = sum(bool(found.candidates or found.sure) and same(found.text, code) for found, code in results)
    assert right >= 0.6 * len(results), "library code is not notes, but most of it is restored"


def test_seed_003_is_restored_as_in_001(seed, shared) -> None:
    """The two seeds share 23 indented snippets; `map_...` says which line of one is which of the other."""
    lines = {
        int(there): int(here)
        for there, here in json.loads((shared / "gold/map_001_to_003_lines.json").read_text()).items()
    }
    fenced = read(Source("1", seed(1).read_text("utf-8"))).blocks
    scraped = [b for b in read(Source("3", seed(3).read_text("utf-8"))).blocks if isinstance(b, Code)]
    exact = wrong = 0
    for block in fenced:
        code = _before_output(block) if isinstance(block, Code) and block.language == "python" else ""
        where = lines.get(block.lines[0] + 1) if code and isinstance(block, Code) else None
        if where is None or not any(line.startswith(" ") for line in code.split("\n")) or not _compound(code):
            continue
        other = next(b for b in scraped if where - 1 in b.span)
        exact += same(other.text, code)
        wrong += other.sure and not same(other.text, code)
    assert exact >= 20
    assert wrong == 0


def _before_output(block: Code) -> str:
    return block.text.split("'''")[0] if "'''" in block.text else block.text


def _compound(code: str) -> bool:
    kinds = (ast.FunctionDef, ast.ClassDef, ast.For, ast.While, ast.If, ast.With, ast.Try)
    try:
        return any(isinstance(node, kinds) for node in ast.walk(ast.parse(code)))
    except SyntaxError:
        return False


def test_features_see_only_the_line_itself() -> None:
    (line,) = (logical_lines(["for i, x in enumerate(xs):"]) or [])[:1]
    found = feature(line)
    assert (found.params, found.uses) == ({"i", "x"}, {"enumerate", "xs"})
