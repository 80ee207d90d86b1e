"""The bound that a matrix proposes: only where what torch says changes once along its versions."""

from dataclasses import replace

import pytest
from carded import extracted

from deckgen.matrix import Column, Row, bound, named
from deckgen.model.observation import Environment
from deckgen.model.results import Results
from deckgen.model.verdict import Verdict, VerdictKind, Verification
from deckgen.outcome import outcome

CLAIM = extracted("```python\nprint(1)  # 1\n```\n").snippets[0].claims[0]


def column(torch: str) -> Column:
    environment = Environment(torch=torch, python="3.11.7", device="cpu", sandbox="off", engine="fork")
    return Column(
        name=torch,
        outcome=outcome(Results(extractions=(), verification=Verification(environment=environment, sources=()))),
    )


def proposed(**words: str) -> tuple[str, str] | None:
    """By version, written `v2_4="holds"`."""
    columns = [column(name[1:].replace("_", ".")) for name in words]
    cells = tuple(Verdict(claim=CLAIM, word=VerdictKind(word)) for word in words.values())
    return bound(Row("notes.md", CLAIM, cells), columns)


def test_what_is_true_from_a_version_on_is_bound_from_below():
    assert proposed(v2_4="contradicted", v2_13="holds", v2_14="holds-pattern") == ("{torch>=2.13}", "2.5 to 2.12")


def test_what_is_true_up_to_a_version_is_bound_from_above():
    assert proposed(v2_9="holds", v2_10="error") == ("{torch<2.10}", "")
    assert proposed(v2_8="holds", v2_10="error") == ("{torch<2.10}", "2.9")


def test_the_order_of_the_columns_does_not_matter():
    assert proposed(v2_14_1="holds", v2_4="contradicted") == ("{torch>=2.14}", "2.5 to 2.13")


@pytest.mark.parametrize(
    "words",
    [
        {"v2_4": "holds", "v2_9": "contradicted", "v2_13": "holds"},
        {"v2_4": "contradicted", "v2_9": "unverified", "v2_13": "holds"},
        {"v2_4": "holds", "v2_13": "holds"},
        {"v2_4": "contradicted", "v2_13": "contradicted"},
        {"vnone": "contradicted", "v2_13": "holds"},
        {"v2_4": "skipped", "v2_13": "holds"},
    ],
)
def test_nothing_is_proposed_where_versions_do_not_decide(words):
    assert proposed(**words) is None


def test_one_version_that_says_both_decides_nothing():
    columns = [column("2.4.0"), column("2.4.0+cpu"), column("2.13.0")]
    cells = tuple(Verdict(claim=CLAIM, word=VerdictKind(word)) for word in ("holds", "error", "holds"))
    assert bound(Row("notes.md", CLAIM, cells), columns) is None


def test_a_row_is_the_same_where_no_column_denies_another():
    cells = tuple(Verdict(claim=CLAIM, word=VerdictKind(word)) for word in ("skipped", "holds"))
    assert Row("notes.md", CLAIM, cells).is_same
    assert Row("notes.md", CLAIM, cells).is_marked
    assert not Row("notes.md", CLAIM, (*cells, replace(cells[0], word=VerdictKind.ERROR))).is_same


def test_columns_have_names_that_tell_them_apart():
    assert named([("2.13.0", "3.11", "a"), ("2.9.0", "3.11", "b")]) == ["2.13.0", "2.9.0"]
    assert named([("2.9.0", "3.12", "a"), ("2.9.0", "3.11", "b")]) == ["2.9.0 py3.12", "2.9.0 py3.11"]
    assert named([("2.9.0", "3.11", "a"), ("2.9.0", "3.11", "b")]) == ["a", "b"]
    assert named([("2.9.0", "3.11", "a"), ("2.9.0", "3.11", "a")]) == ["a #1", "a #2"]
