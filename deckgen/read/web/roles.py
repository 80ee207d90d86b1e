"""Who speaks in an element of a saved chat, by its attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deckgen.text.pattern import pattern

_ROLES = {
    "user": "User", "human": "User", "you": "User", "assistant": "Assistant", "bot": "Assistant", "ai": "Assistant",
    "chatgpt": "Assistant", "model": "Assistant", "gpt": "Assistant", "claude": "Assistant", "gemini": "Assistant",
    "copilot": "Assistant", "deepseek": "Assistant", "grok": "Assistant",
}  # fmt: skip
"""What the element of a message in a saved chat is called, in an attribute or as a word of its class."""
_ROLE_ATTRIBUTES = ("data-message-author-role", "data-author", "data-role", "data-sender", "data-testid")
_ROLE_CLASS = pattern(r"(?:^|[\s_-])(?:message|msg|turn|chat|bubble|role|author|from|sender)(?:$|[\s_-])", re.I)


def role_of(values: Mapping[str, str]) -> str:
    """`User` or `Assistant`; empty if the attributes name nobody."""
    for name in _ROLE_ATTRIBUTES:
        if role := _role_in(values.get(name, "")):
            return role
    classes = values.get("class", "")
    return _role_in(classes) if _ROLE_CLASS.search(classes) else ""


def _role_in(words: str) -> str:
    found = (_ROLES.get(word) for word in re.split(r"[\s_-]+", words.lower()))
    return next((role for role in found if role), "")
