"""Two texts set against each other: what a claim may not pass for."""

import pytest

from deckgen.model.claim import Shows
from deckgen.model.observation import Value
from deckgen.model.source import Span
from deckgen.model.verdict import VerdictKind
from deckgen.verify.compare.findings import Findings, Shown
from deckgen.verify.compare.numbers import Differs, close_to_shown
from deckgen.verify.compare.texts import compare_texts


def compared(claimed: str, shown: str, again: str | None = None, **known: object) -> Findings:
    """What a comparison found besides "equal"; `known` is what the code says of the value."""
    found = Findings(**known)  # type: ignore[arg-type]
    claim = Shows(id="1", span=Span(0, 1), text=claimed, form="trailing", place="beside", code_line=0, target=None)
    compare_texts(claim, Shown(shown, 0, False), [] if again is None else [Shown(again, 0, False)], found)
    return found


@pytest.mark.parametrize(
    ("claimed", "shown", "answer"),
    [
        ("0.33333343", "0.3333333432674408", "same"),
        ("0.33333343", "0.3333333333333333", "far"),
        ("0.5000004", "0.5", "far"),
        ("0.1000001", "0.10000000149011612", "same"),
    ],
    ids=["float32 in full", "float64 in full", "few digits", "float32 of a tenth"],
)
def test_digits_that_float32_does_not_have_are_granted_to_float32_alone(claimed: str, shown: str, answer: str) -> None:
    assert close_to_shown(claimed, shown) == answer


def test_what_is_random_and_was_seen_once_is_no_fact_even_if_it_is_equal() -> None:
    assert compared("0.5", "0.5", random=True).word is VerdictKind.HOLDS_STRUCTURE
    assert compared("tensor([1, 2])", "tensor([1, 2])", random=True).word is VerdictKind.HOLDS_STRUCTURE
    assert compared("0.5", "0.5").word is VerdictKind.HOLDS


@pytest.mark.parametrize(
    ("claimed", "shown"), [("'4'", "3"), ("['a', '7']", "['a', 8]"), ("{'n': '1.5'}", "{'n': 1.25}")]
)
def test_a_quoted_number_is_that_number_and_no_other(claimed: str, shown: str) -> None:
    with pytest.raises(Differs):
        compared(claimed, shown)


def test_a_number_in_quotes_may_be_the_number() -> None:
    assert compared("'3'", "3").word is VerdictKind.HOLDS


@pytest.mark.parametrize(("claimed", "element"), [("[1]", 5), ("(1,)", 0), ("torch.Size([1])", 2)])
def test_one_number_in_brackets_beside_one_element_is_the_element(claimed: str, element: int) -> None:
    text = f"tensor([{element}])"
    value = Value(kind="tensor", type="torch.Tensor", repr=text, shape=(1,), dtype="int64", data=(element,))
    with pytest.raises(Differs):
        compared(claimed, text, live={text: value})


def test_numbers_in_brackets_beside_more_elements_are_the_shape() -> None:
    text = "tensor([5, 6])"
    value = Value(kind="tensor", type="torch.Tensor", repr=text, shape=(2,), dtype="int64", data=(5, 6))
    found = compared("torch.Size([2])", text, live={"".join(text.split()): value})
    assert (found.shape, found.word) == (True, VerdictKind.HOLDS)


@pytest.mark.parametrize("claimed", ["[1]", "[1, 2, 3, 4]"])
def test_a_list_that_has_another_length_each_time_may_have_any(claimed: str) -> None:
    assert compared(claimed, "[1, 2]", "[1, 2, 3]").word is VerdictKind.HOLDS_STRUCTURE
    with pytest.raises(Differs):
        compared(claimed, "[1, 2]", "[1, 2]")


@pytest.mark.parametrize(
    ("claimed", "shown"),
    [("0x10 0x10", "0x7f01 0x7f02"), ("0x10 0x20", "0x7f01 0x7f01"), ("0x7f01 0x10", "0x7f01 0x7f01")],
    ids=["one for two", "two for one", "two for one, of which one is right"],
)
def test_an_address_stands_for_one_address(claimed: str, shown: str) -> None:
    with pytest.raises(Differs, match="address"):
        compared(claimed, shown)


@pytest.mark.parametrize(
    ("claimed", "shown", "again"),
    [("<a at 0x10>", "<a at 0x10>", "<a at 0x20>"), ("140001", "140002", None)],
    ids=["right by luck", "as an integer"],
)
def test_an_address_holds_as_a_pattern_only(claimed: str, shown: str, again: str | None) -> None:
    assert compared(claimed, shown, again, pointers=True).word is VerdictKind.HOLDS_PATTERN
