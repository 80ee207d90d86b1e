"""What a text would command whoever shows it to do."""

import re

COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
"""What runners obey."""
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""What terminals obey, and what turns the text around it."""


def commanding(text: str) -> list[str]:
    """Everything in a text that somebody would obey."""
    return CONTROL.findall(text) + COMMAND.findall(text)
