"""The few sentences that deckgen itself puts on cards, in the languages of its readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's sentences; plain text."""

    predict: str
    """Above the code of an Output note."""
    meaning: str
    """Under the name of an API."""
    name: str
    """Under the meaning of an API."""
    type_name: str
    type_answer: str
    reverse: str
    """Under the answer of a question, asking for the question's subject."""
    several: str
    """After the stem of a choice with more than one right option."""
    notes_said: str
    torch_says: str
    prints_nothing: str
    between: str
    """Between two right letters."""


WORDS: dict[Language, Words] = {
    "en": Words(
        predict="What does this print?",
        meaning="What is it for?",
        name="What is it called?",
        type_name="Type its name",
        type_answer="Type the answer",
        reverse="What is this?",
        several="Choose {count}.",
        notes_said="The notes said",
        torch_says="torch says",
        prints_nothing="(nothing)",
        between=", ",
    ),
    "zh": Words(
        predict="这段代码输出什么？",
        meaning="它的作用是什么？",
        name="它叫什么名字？",
        type_name="输入它的名字",
        type_answer="输入答案",
        reverse="这说的是什么？",
        several="选 {count} 项。",
        notes_said="笔记原文写的是",
        torch_says="torch 的实际结果",
        prints_nothing="（没有输出）",
        between="、",
    ),
}
