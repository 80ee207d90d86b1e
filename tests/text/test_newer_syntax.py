"""Code in a newer Python is told apart from what is no Python at all."""

import sys

import pytest

from deckgen.text.syntax import needed_python

NEWER = {
    "3.12": [
        "type Vector = list[float]",
        "def first[T](xs: list[T]) -> T:\n    return xs[0]",
        "class Box[T]:\n    pass",
        "class Box[T](list):\n    pass",
        'x = {"a": 1}\nprint(f"{x["a"]}")',
        "print(f'{', '.join(['a', 'b'])}')",
    ],
    "3.14": ["try:\n    pass\nexcept ValueError, TypeError:\n    pass", "name = t'hello {1}'"],
}


@pytest.mark.parametrize(("version", "code"), [(version, code) for version, codes in NEWER.items() for code in codes])
def test_newer_code_says_which_python_it_needs(version: str, code: str) -> None:
    old_enough = sys.version_info[:2] < tuple(map(int, version.split(".")))
    assert needed_python(code) == (version if old_enough else None)


@pytest.mark.parametrize("code", ["x = 1", "print(f\"{x['a']}\")", "def (", "type of tensor", "A[0] B[1]", "这是什么"])
def test_what_is_older_or_none_needs_no_newer_one(code: str) -> None:
    assert needed_python(code) is None
