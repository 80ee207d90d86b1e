"""What is a tag of HTML, and what only looks like one: `<pad>`, `vector<float>`, `grad_fn=<AddBackward0>` are text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from deckgen.text.pattern import pattern

SHOWN = set(
    """
    a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6
    hr i img ins kbd li mark ol p pre q rp rt ruby samp small span strong sub summary sup table tbody td tfoot
    th thead tr u ul var
""".split()
)
"""What raw HTML may keep on a card."""
_PASSED = """
    article aside audio big button center col colgroup embed font footer header input label main map nav nobr
    picture section source strike track tt video wbr
""".split()
"""What loses its tags and keeps its text. The tags of all other names are text."""
_HIDDEN = "script style svg math iframe object noscript template".split()
"""What is taken out with all that stands in it, once it is closed."""

_LETTERS = "".join(name for name in sorted(SHOWN) if len(name) == 1)
_NAMES = "|".join([f"(?-i:[{_LETTERS}])", *sorted(name for name in {*SHOWN, *_PASSED} if len(name) > 1)])
"""`T<U>` is text: tags of one letter are written small."""
_REST = r"""(?:\s+[\w:.@-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|\s+(?:open|hidden|controls|disabled|checked|download|reversed))*\s*/?>"""
"""Attributes have values, but for these few: `<b and c>` is text."""
TAG = pattern(rf"</?(?:{_NAMES}){_REST}", re.IGNORECASE)
_CLOSED = pattern(rf"<({'|'.join(_HIDDEN)})(?=[\s/>])(?:(?!<\1\b).){{,20000}}?</\1\s*>", re.IGNORECASE | re.DOTALL)
_OTHER = pattern(rf"<(?!/?(?:{_NAMES}){_REST}|!--(?:(?!-->|<!--).){{,20000}}-->)", re.IGNORECASE | re.DOTALL)
_BEGINS = pattern(rf"<(?:(/?(?:{_NAMES})\b|!--)|/?({'|'.join(_HIDDEN)})\b)", re.IGNORECASE)

BlockRule = Callable[[Any, int, int, bool], bool]
"""As markdown-it calls it: with its state, the first line, the line behind the last, and whether it only asks."""


def escaped(markup: str) -> str:
    """HTML in which each `<` that begins no tag that we know is text, without scripts and the like."""
    return _OTHER.sub("&lt;", _CLOSED.sub("", markup))


def of_tags(rule: BlockRule) -> BlockRule:
    """Markdown's rule of blocks of HTML, for those that begin with a tag of HTML; a script or style has to end."""

    def begins(state: Any, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        found = _BEGINS.match(state.src, at)
        ends = found and (found[1] or state.src.find(f"</{found[2]}", at) >= 0)
        return bool(ends) and rule(state, start, end, silent)

    return begins
