"""How near is near: rounding to the digits that are written, and nothing else."""

import pytest

from deckgen.verify.compare.numbers import close, significant


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
