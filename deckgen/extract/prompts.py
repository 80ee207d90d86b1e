"""The few words that deckgen itself puts on a card, in the source's language."""

from __future__ import annotations

from typing import Literal

_WORDS = {
    "what": {"zh": "是什么？", "en": "what is it?"},
    "why": {"zh": "为什么？怎么做？", "en": "why, and how?"},
    "prints": {"zh": "这段代码输出什么？", "en": "What does this print?"},
    "shape": {"zh": "`{}` 的形状是？", "en": "What is the shape of `{}`?"},
    "value": {"zh": "`{}` 的值是？", "en": "What is `{}`?"},
    "raises": {"zh": "这段代码会报什么错？", "en": "Which error does this raise?"},
    "warns": {"zh": "这段代码会给出什么警告？", "en": "Which warning does this give?"},
    "judge": {"zh": "对还是错？", "en": "true or false?"},
    "true": {"zh": "对", "en": "True"},
    "false": {"zh": "错", "en": "False"},
    "indentation": {
        "zh": "（来源里的缩进已丢失，这里按最可能的写法补回。）",
        "en": "(The source had lost its indentation: this is the likeliest reading.)",
    },
    "fill": {"zh": "补全代码：", "en": "Fill in the code:"},
}

Prompt = Literal[
    "what", "why", "prints", "shape", "value", "raises", "warns", "judge", "true", "false", "indentation", "fill"
]


def prompt(language: str, name: Prompt, *values: str) -> str:
    """A prompt in `zh` or `en`; `values` fill its places."""
    return _WORDS[name]["zh" if language == "zh" else "en"].format(*values)
