"""Plain words out of inline Markdown: what extraction compares, never what a card shows."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from deckgen.text.pattern import CHINESE, pattern
from deckgen.text.tags import TAG

_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u231a-\u231b\u23e9-\u23fa\ufe0e\ufe0f\u200d\u20e3\u3030\u303d"
EMOJI = pattern(f"[{_EMOJI}]+")
"""Pictographs and the joiners between them; arrows and box drawing are text."""

_KEYCAP = pattern(r"(\d)\ufe0f?\u20e3")
CIRCLED = {chr(0x2460 + n): str(n + 1) for n in range(20)} | {chr(0x2776 + n): str(n + 1) for n in range(10)}
"""The digits of each sign: `①` is `1`."""
_CIRCLED_DIGIT = pattern("[①-⑳❶-❿]")
_PICTURE = pattern(f"[{_EMOJI}①-⑳❶-❿]")
"""One class: a search for it looks at each character but once."""
_ESCAPE = pattern(r"\\([!-/:-@\[-`{-~])")
_LINK = pattern(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_AUTOLINK = pattern(r"<(?:https?|ftp|mailto):[^<>\s]*>|https?://\S+")
_STARS = pattern(r"([*~=](?:(?<=\*)\*{0,2}|(?<=~)~|(?<==)=))(?=[^\s*~=])(.+?)(?<=[^\s*~=])\1")
_UNDERSCORES = pattern(r"_(?<!\w_)(_{0,2})(?=[^\s_])(.+?)(?<=[^\s_])_\1(?!\w)")
"""Marks come in pairs: `masked_fill_` and `*args` are names.

These begin with what they look for, one character or one of a class: a search passes over all else at once.
"""
CODE_SPAN = pattern(r"`(`*+)(.+?)`\1")
_NUMBER = pattern(
    r"""^(?:
        «grammar.ordinal»\s*(?:[0-9]|«grammar.numeral»|«grammar.hundred»)+\s*«grammar.section»+\s*[:：、.]?\s*
      | «grammar.section_label»\s*\d+(?:\.\d+)*\s*[-:：.–—]*\s*
      | «grammar.question_label»\s*\d+\s*[:：.、)）-]+\s*
      | \d+(?:\.\d+)*\s*[.、)）:：]\s*(?=\S) | \d+(?:\.\d+)+\s+(?=\S) | \d+\s+(?=[^\W\d])
      | [（(\[【]\s*\d+(?:\.\d+)*\s*[）)\]】]\s*
      | «grammar.numeral»+\s*[、.．]\s*
      | [A-Za-z]\d*(?:\.\d+)*\s*(?:[、:：)）]|\.(?![a-z_]))\s*(?=\S)
      | [IVXivx]+\s*(?:[、)]|\.(?![a-z_]))\s*
    )""",
    re.VERBOSE,
)
"""Capitals and small letters are written out: what begins with a set of characters is passed over at once."""
_WORD = pattern(rf"(?!{EMOJI.pattern})[^\W_]")
_NO_LETTERS = pattern(r"[\W_]+")
_NO_ASCII_LETTERS = {code: None for code in range(128) if not chr(code).isalnum()}
_TRAILING = pattern(r"[\s:：。.!！～~…—–-]+$")


@lru_cache(maxsize=4096)
def without_emoji(text: str) -> str:
    """The text without pictographs; `1️⃣` and `①` become `1.`."""
    if text.isascii() or not _PICTURE.search(text):
        return text.strip()
    if "\u20e3" in text:
        text = _KEYCAP.sub(r"\1. ", text)
    text = _CIRCLED_DIGIT.sub(lambda match: f"{CIRCLED[match[0]]}. ", text)
    return EMOJI.sub("", text).strip()


def ends_with_colon(text: str) -> bool:
    """True for a line that announces what follows."""
    return text.endswith((":", "："))


def without_links(markdown: str) -> str:
    """The text with the words of its links alone."""
    return _LINK.sub(r"\1", markdown) if "](" in markdown else markdown


def unescaped(text: str) -> str:
    """Markdown's backslash escapes undone: `add\\_scalar` is `add_scalar`."""
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


@lru_cache(maxsize=8192)
def plain(markdown: str) -> str:
    """The words alone: no marks, links, tags, escapes or emoji; code spans keep their text."""
    if "`" not in markdown:
        return without_emoji(_without_marks(markdown))
    parts = CODE_SPAN.split(markdown)
    words = [_without_marks(parts[0])]
    for at in range(1, len(parts) - 2, 3):
        words += [parts[at + 1].strip(), _without_marks(parts[at + 2])]
    return without_emoji("".join(words))


def _without_marks(text: str) -> str:
    text = without_links(text)
    if "://" in text or "<" in text:
        text = _AUTOLINK.sub("", TAG.sub("", text))
    if "*" in text or "~~" in text or "==" in text:
        text = _STARS.sub(r"\2", text)
    if "_" in text:
        text = _UNDERSCORES.sub(r"\2", text)
    return unescaped(text)


def without_number(text: str) -> str:
    """The text without the numbering it begins with: `3.1 `, `（2）`, `第三章 `, `B5. `, `Step 1: `, `Q2:`."""
    for _ in range(2):
        text = text.lstrip()
        number = _NUMBER.match(text)
        if number is None:
            break
        text = text[number.end() :]
    return text


@lru_cache(maxsize=4096)
def title(heading: str) -> str:
    """A heading as it is read aloud: no emoji, numbering or closing colon; inline code keeps its marks."""
    text = without_number(without_emoji(heading.strip()))
    if text.startswith("**"):
        text = re.sub(r"^\*\*(.+)\*\*$", r"\1", text.strip())
    return _without_end(without_number(text)) or heading.strip()


def _without_end(text: str) -> str:
    """The text without closing colons, stops and dashes."""
    return text if text[-1:].isalnum() else _TRAILING.sub("", text)


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """What keys are made of: plain words, lower case, full-width forms folded, single spaces."""
    folded = unicodedata.normalize("NFKC", without_number(plain(text)))
    return _without_end(" ".join(folded.lower().split())).strip(" ?？\"'“”")


@lru_cache(maxsize=4096)
def squeezed(text: str) -> str:
    """Letters, digits and Chinese characters alone, folded: for telling whether two texts say the same."""
    words = plain(text)
    if words.isascii():
        return words.lower().translate(_NO_ASCII_LETTERS)
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", words).lower())


def without_code(markdown: str) -> str:
    """The text without its inline code."""
    return CODE_SPAN.sub("", markdown) if "`" in markdown else markdown


def plain_width(markdown: str) -> int:
    """Columns of the plain words of a text."""
    return width(plain(markdown))


def code_spans(markdown: str) -> list[str]:
    """The text of the inline code, in order."""
    return [code.strip() for _, code in CODE_SPAN.findall(markdown)] if "`" in markdown else []


def has_words(text: str) -> bool:
    """True if the text says anything: a letter, a digit or a Chinese character."""
    return text[:1].isalpha() or _WORD.search(text) is not None


def tells(markdown: str) -> bool:
    """True if a text surely says something when its marks are gone: no word of it can stand in a tag or be a link's target."""
    return "<" not in markdown and "://" not in markdown and "](" not in markdown and has_words(markdown)


def has_word(text: str, word: str) -> bool:
    """True if a word stands in a text, with no letter, digit or `_` beside it."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not any(beside.isalnum() or beside == "_" for beside in (before, after)):
            return True
        at = text.find(word, at + 1)
    return False


def is_chinese(text: str) -> bool:
    return bool(CHINESE.search(text))


@lru_cache(maxsize=4096)
def width(line: str) -> int:
    """Columns of a line in a fixed-width font: Chinese characters take two."""
    if line.isascii():
        return len(line)
    widths = "".join(map(unicodedata.east_asian_width, line))  # in one go: texts are long
    return len(line) + widths.count("W") + widths.count("F")
