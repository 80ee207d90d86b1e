"""How near is near: rounding to the digits that are written, and nothing else."""

import pytest

from deckgen.verify.compare.numbers import close, close_to_shown, significant


@pytest.mark.parametrize(
    ("text", "value", "answer"),
    [
        ("0.1", 0.2, "far"),
        ("0.33", 1 / 3, "same"),
        ("0.333", 0.3339, "far"),
        ("0.3333", 0.3334, "digits"),
        ("0.3333", 0.33351, "far"),
        ("12.50", 12.51, "digits"),
        ("12.5", 12.6, "far"),
        ("0.0010", 0.0011, "far"),
        ("0.", -0.0, "same"),
        ("0.0", 0.04, "far"),
        ("-0.0001", 0.0001, "far"),
        ("1.", 1.4, "far"),
        ("0.66", 2 / 3, "far"),
        ("0.66…", 2 / 3, "same"),
        ("3…", 3.9, "same"),
        ("3…", 2.4, "far"),
        ("1.0000e-06", 1e-6, "same"),
        ("5.0000e-06", 1e-6, "far"),
    ],
)
def test_a_number_holds_if_rounding_gives_it(text: str, value: float, answer: str) -> None:
    assert close(text, value, 1.3e-6, 1e-5) == answer


@pytest.mark.parametrize(("text", "digits"), [("0.1000", 4), ("12.50", 4), ("0.0010", 2), ("-3.14", 3), ("1e-05", 1)])
def test_digits_count_from_the_first_that_is_not_zero(text: str, digits: int) -> None:
    assert significant(text) == digits


@pytest.mark.parametrize(
    ("text", "shown", "answer"),
    [
        ("6.5999484", "6.599948", "digits"),  # neighbours in single precision, each in as few digits as it needs
        ("19.799847", "19.799845", "digits"),
        ("19.799947", "19.799845", "far"),
        ("0.1234568", "0.1234567", "digits"),
        ("0.123", "0.1234567", "same"),
        ("0.1240", "0.1234567", "far"),
        ("3.0284", "3.028480052947998", "same"),  # cut off by hand
        ("3.0283", "3.028480052947998", "far"),
        ("1.2345", "1.23456e+25", "far"),
    ],
)
def test_a_printed_number_is_known_as_far_as_its_digits_go(text: str, shown: str, answer: str) -> None:
    assert close_to_shown(text, shown) == answer
