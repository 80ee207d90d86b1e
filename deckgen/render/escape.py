"""What a field of HTML may not contain, and the plain text of one.

Anki gives a meaning of its own to some plain text in fields: `[sound:x]` plays a file, `[[type:x]]`
opens an input box, `{{c1::` makes a card, `\\(` starts a formula. Notes about code hold all of these.
"""

from __future__ import annotations

import html
import re

from deckgen.text.pattern import CHINESE, pattern

_UNWANTED = pattern(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # terminal colours: Anki drops the escape and would show the rest
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]"
    r"|[\u202a-\u202e\u2066-\u2069]"  # they turn text around: the code that one reads would not be the code that ran
    r"|[\ue000-\uf8ff]"  # private use: deletions and stashed markup are marked with these
)
_SUSPECT = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\uf8ff\ufeff]")
"""What any of these begins with, and carriage returns: one set of characters is looked for in no time."""
_ANKI = pattern(r"\[(?=sound:|anki:|latex\]|\$\$?\]|\[type:)", re.IGNORECASE)
_CLOZE = pattern(r"\{\{(?=c[\d,]+::)")
TAG = r'<[^>"]*(?:"[^"]*"[^>"]*)*>'
"""A tag, whatever stands in its attributes: for patterns."""
_TAG = pattern(TAG)
DELIMITER = pattern(r"\\(?=[()\[\]])")
"""The backslash with which a formula begins or ends."""
_BREAK = pattern(r"<(?:br|/p|/li|/tr|/div|/h\d|/pre|/dd|/dt)\b[^>]*>")
_KANA = pattern(r"[\u3040-\u30ff]")


def clean(text: str) -> str:
    """`text` without control characters, terminal colours and carriage returns."""
    if not _SUSPECT.search(text):
        return text
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def text(plain: str) -> str:
    """Plain text as HTML."""
    return html.escape(plain, quote=False)


def attribute(plain: str) -> str:
    """Plain text as the value of an attribute in double quotes."""
    return html.escape(plain)


BACKSLASH = "<span>&#92;</span>"
"""One that begins no formula: MathJax looks for these in the text of one element."""


def outside_code(plain: str) -> str:
    """Plain text as HTML outside of code, in which no formula begins."""
    return DELIMITER.sub(BACKSLASH, text(plain))


def inside_code(markup: str) -> str:
    """Code as HTML in which no formula begins: on cloze cards Anki looks for `\\(` even in `<pre>`. No cloze, either."""
    return literal_clozes(DELIMITER.sub("&#92;", markup))


def field(markup: str) -> str:
    """A finished field: Anki's own marks as entities, and the language told where it is not Latin.

    Han characters look Japanese on some systems unless the language is told.
    """
    markup = _ANKI.sub("&#91;", markup)
    if not CHINESE.search(markup):
        return markup
    language = "ja" if _KANA.search(markup) else "zh-CN"
    return f'<div lang="{language}">{markup}</div>'


def field_text(plain: str) -> str:
    """Plain text as a whole field that holds no deletions."""
    return literal_clozes(_ANKI.sub("&#91;", text(plain)))


def literal_clozes(markup: str) -> str:
    """`{{c1::` in the notes is text. To be called before deletions are put in."""
    return _CLOZE.sub("&#123;&#123;", markup)


def plain(markup: str) -> str:
    """The visible text of HTML on one line."""
    return " ".join(html.unescape(_TAG.sub("", _BREAK.sub(" ", markup))).split())
