"""All variants of a picture from its one description: by day and by night, asked and solved, in English and in Chinese."""

from __future__ import annotations

import re
from collections.abc import Callable

from bench.pictures.svg import BLUE, CURVES, GREEN, GREY, INK, LINE, ORANGE, PANEL

NIGHT = {
    INK: "#eceff4", LINE: "#7d8590", PANEL: "#1e2127", BLUE: "#174a78", ORANGE: "#71400f", GREEN: "#1b5a33", GREY: "#414853",
    **dict(zip(CURVES, ("#6cb6ff", "#f69d50", "#57d17a"), strict=True)),
}  # fmt: skip
"""Each colour by night."""
CHINESE = {
    "key": "键", "query": "查询", "step": "时间步", "batch": "批次", "loss": "损失", "learning rate": "学习率",
    "step length": "步长", "forward calls": "前向次数", "layer": "层", "bucket": "桶", "stage": "阶段", "time": "时间",
    "scores": "分数",
}  # fmt: skip
"""The words on pictures; all others are numbers and names of torch."""
_PART = re.compile(r"<!--(asked|solved)-->(.*?)<!--end-->", re.DOTALL)
_WORDS = re.compile(r">([^<>\n]+)</text>")
_COLOUR = re.compile("#[0-9a-f]{6}")


def variants(name: str, draw: Callable[[], str]) -> dict[str, str]:
    """The files of a picture: `NAME.svg`, and `NAME.solved.zh.night.svg` where these differ."""
    drawn = draw()
    found = {name: _of("asked", drawn)}
    if "<!--solved-->" in drawn:
        found[f"{name}.solved"] = _of("solved", drawn)
    for stem, english in list(found.items()):
        if (chinese := in_chinese(english)) != english:
            found[f"{stem}.zh"] = chinese
    return {
        f"{stem}{ending}": text
        for stem, day in found.items()
        for ending, text in ((".svg", day), (".night.svg", night(day)))
    }


def _of(side: str, drawn: str) -> str:
    """What a side shows of a drawing."""
    return _PART.sub(lambda part: part[2] if part[1] == side else "", drawn)


def in_chinese(drawing: str) -> str:
    """A drawing with its words in Chinese, where it has any."""
    return _WORDS.sub(lambda words: f">{_translated(words[1])}</text>", drawing)


def _translated(words: str) -> str:
    """`stage 1` is a word with its number."""
    word, _, number = words.rpartition(" ")
    return f"{CHINESE[word]} {number}" if number.isdigit() and word in CHINESE else CHINESE.get(words, words)


def night(drawing: str) -> str:
    """A drawing in its colours for dark pages."""
    return _COLOUR.sub(lambda colour: NIGHT[colour[0]], drawing)
