"""The styling is readable: by day and by night, in the box, in a hole."""

import re

import pytest

from deckgen.render import NOTETYPES, code

CSS = NOTETYPES["basic"].css
DAY, NIGHT = "day", "night"


def variables(theme):
    """Custom properties of a theme; night overrides day."""
    found = {}
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", CSS, flags=re.DOTALL)):
        last = selector.strip().splitlines()[-1]
        if last == ".card" or (theme == NIGHT and last == ".nightMode .card"):
            found.update(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})\b", body))
    return found


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, two):
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


TOKENS = ("keyword", "text", "number", "remark", "called", "kind", "sign", "wrong", "ink")
PAIRS = [
    *((token, box) for token in TOKENS for box in ("box", "hole")),
    *((ink, "page") for ink in ("ink", "quiet", "accent", "right", "warn", "link")),
    *((ink, "paper") for ink in ("ink", "quiet")),
    ("accent", "hole"), ("right", "right-box"), ("ink", "right-box"), ("warn", "warn-box"), ("ink", "warn-box"),
    ("quiet", "warn-box"), ("quiet", "box"), ("ink", "marked"),
]  # fmt: skip


@pytest.mark.parametrize("theme", [DAY, NIGHT])
@pytest.mark.parametrize(("ink", "paper"), PAIRS)
def test_contrast_is_at_least_four_and_a_half(theme, ink, paper):
    colours = variables(theme)
    assert contrast(colours[ink], colours[paper]) >= 4.5


def test_every_colour_has_a_night():
    assert set(re.findall(r"var\(--([\w-]+)\)", CSS)) <= set(variables(DAY)) | {"mono", "sans", "shade", "fill", "in"}
    night = re.findall(r"\.nightMode \.card \{([^}]*)\}", CSS)
    assert set(variables(DAY)) == {name for body in night for name in re.findall(r"--([\w-]+): #", body)}


def test_every_token_class_of_python_has_a_colour():
    sample = (
        "@decorator\nasync def f(x: int = 0x1F, *, y=1.5e3) -> None:\n"
        "    '''doc'''\n    raise ValueError(f'{x!r:>3} \\n') from None  # why\n"
        "class A(B):\n    z = b'' + r\"\\d\" + len(self.z) @ True\n    with open(__file__) as f: await g(lambda: ...)\n"
    )
    used = set(re.findall(r'class="(\w+)"', code.block(sample))) - {"highlight", "long"}
    assert used
    assert {name for name in used if not re.search(rf"\.highlight \.{name}\b", CSS)} == set()


def rule(selector):
    return re.search(rf"\n{re.escape(selector)} \{{([^}}]*)\}}", CSS)[1]


def test_code_wraps_and_drawings_scroll():
    assert "white-space: pre-wrap;" in rule(".sheet pre")
    assert "max-width: 100%;" in rule(".sheet pre")
    assert "overflow-x: auto;" in rule(".sheet pre")
    assert "white-space: pre;" in rule(".sheet pre.drawn")
