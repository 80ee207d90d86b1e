"""Which name was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckgen.verify.names.near import abbreviates, near, normal

POOL = [
    "PixelShuffle",
    "batch_norm",
    "normalize",
    "functional",
    "parameter",
    "Parameter",
    "add_",
    "add",
    "argmax",
    "amax",
]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Pixelshuffle", "PixelShuffle"),
        ("BatchNorm2d", "batch_norm"),
        ("nomarlize", "normalize"),
        ("functioncal", "functional"),
        ("parameters", "parameter"),
        ("Paramter", "Parameter"),
        ("armax", "argmax"),
        ("ADD", "add"),
        ("something", None),
        ("abc", None),
        ("", None),
    ],
)
def test_a_slip_finds_what_was_meant(name: str, meant: str | None):
    assert near(name, POOL) == meant


def test_a_name_that_need_not_be_torchs_must_be_much_alike():
    assert near("times", ["timer"]) == "timer"
    assert near("times", ["timer"], sure=True) is None
    assert near("require_grad", ["requires_grad"], sure=True) == "requires_grad"
    assert near("ZeRO", ["zero_"], sure=True) is None


@pytest.mark.parametrize(
    ("short", "name"),
    [("step", "global_step"), ("value", "scalar_value"), ("fn", "function"), ("in_feat", "in_features"),
     ("input", "input_to_model"), ("input_tensor", "input"), ("opt", "optimizer")],
)  # fmt: skip
def test_short_and_padded_names_are_known(short: str, name: str):
    assert abbreviates(short, name)


@pytest.mark.parametrize(("short", "name"), [("step", "step"), ("x", "input"), ("chunks", "segments"), ("", "a")])
def test_other_names_are_no_abbreviations(short: str, name: str):
    assert not abbreviates(short, name)


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=8))
def test_what_is_found_is_in_the_pool_and_a_namesake_always_wins(name: str, pool: list[str]):
    found = near(name, pool)
    assert found is None or found in pool
    if normal(name) and any(normal(one) == normal(name) for one in pool) and len(normal(name)) >= 4:
        assert found is not None
        assert normal(found) == normal(name)
