"""What people say around an answer that they are not sure of: `我觉得应该是 Linear 吧`, `I think it's backward?`"""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern

_BEFORE = pattern(
    r"^\s*(?:"
    r"(?:我|咱)(?:觉得|认为|猜|想|感觉|的答案|选|填|写)(?:这里)?|应该|应当|可能|大概|好像|也许|其实|(?:这里|空)?(?:要|得|该)?(?=填)|答案|(?:那|这)?(?=(?:就|应该)?是)"
    r"|(?:u+m+|h+m+|well|ok(?:ay)?|so|oh)\b|maybe|probably|perhaps|possibly"
    r"|i(?:'d| would|'ll| will)? ?(?:think|guess|believe|say|go with|suppose|bet)(?: that)?|my (?:answer|guess)"
    r"|is it\b|(?:it|that|this|the (?:answer|blank))(?='s| is| should| would| must| could| might)|(?=should be\b)"
    r")?\s*(?P<be>应该是|应该填|就是|可能是|是(?!否)|填|为|'s|is|should be|would be|must be|could be|might be|should|would)?"
    r"(?:\s*(?:maybe|probably|perhaps))?(?![A-Za-z_])\s*[,，:：…]*\s*",
    re.IGNORECASE,
)
_AFTER = pattern(
    r"(?:[\s，,]*(?:对吗|对吧|是吗|是吧|吧|吗|么|呢|啊|不确定|不太确定|我猜|(?:not (?:so |quite )?sure)|i (?:think|guess|believe)|maybe|perhaps|"
    r"probably|right(?=\W*[?？])|[?？。！!…~～]|\.(?=\s*$)))+\s*$",
    re.IGNORECASE,
)
_MOST = 3
"""Hedges in a row: `I think` `it should be` `maybe`."""


def unhedged(said: str) -> str:
    """An answer without the doubts around it; as it was where nothing would be left."""
    text = said.strip()
    for _ in range(_MOST):
        match = _BEFORE.match(text)
        rest = text[match.end() :] if match else text
        if rest == text or not rest:
            break
        text = rest
    text = _AFTER.sub("", text)
    return text or said.strip()
