"""A term and what it means on one line: `term: text`, `**term** — text`, `term：text`."""

from __future__ import annotations

import re
from typing import NamedTuple

from deckgen.extract.defined.links import only_links
from deckgen.extract.text import has_words, plain, width, without_emoji
from deckgen.text.pattern import any_of, pattern

_LONGEST_TERM = 56
"""Columns: what stands before a colon and is longer is a sentence."""
_LONGEST_CALL = 160
_CALL = pattern(r"(?:\*\*)?(`?)[A-Za-z_][\w.]*\([^()`]*\)\1(?:\*\*)?")
"""A signature is no sentence, however long."""

_COLON = pattern(r"：|:(?=\s|\*\*)|:(?=[\u3400-\u9fff])|:(?<=[\u3400-\u9fff]:)(?!//)")
_DASH = pattern(r"\s+[-–—]{1,2}\s+|\s*——\s*|\s*(?:→|->|=>)\s*")
_SENTENCE = pattern(r"[。；;!?！？]|，.*，")
_STRESSED = pattern(r"^\W*(?:\*\*.+?\*\*|`[^`]+`)(?:\s*(?:[（(][^）)]*[）)]))?$")
_COUNTS = any_of(
    r"\W*(?:(?:q|question|quiz|problem|exercise)\s*\d{1,3}(?:\s*(?:of|/)\s*\d{1,3})?|(?:问题|题目?)\s*\d{1,3}|第\s*[\d一二三四五六七八九十]{1,3}\s*题)\W*$",
)
"""`Question 1 of 4` counts what stands behind it and is no term."""
_GOES_ON = pattern(r"(?:and|or|but|so|then)\s|此时|然后|因此|所以|但是|而且|并且", re.IGNORECASE)
"""The middle of what somebody is saying."""
_URL = pattern(r"^\s*<?(?:https?://|www\.)")


class Definition(NamedTuple):
    """A term and its text, both Markdown."""

    term: str
    text: str


def definition(line: str) -> Definition | None:
    """The line cut at its first colon outside code and brackets; at a dash, if what stands before is stressed."""
    for cut, stressed in ((_COLON, False), (_DASH, True)):
        for match in cut.finditer(line) if (_may_stress(line) if stressed else ":" in line or "：" in line) else ():
            if _enclosed(line, match.start()):
                continue
            made = _made(line[: match.start()], line[match.end() :], stressed)
            if made:
                return made
            break
    return None


def _may_stress(line: str) -> bool:
    """False for most lines, at next to no cost: without a dash behind a mark."""
    return ("**" in line or "`" in line) and any(dash in line for dash in ("-", "–", "—", "→", "=>"))


def _made(term: str, text: str, stressed: bool) -> Definition | None:
    term, text = _balanced(term.strip(), text.strip())
    words = plain(term)
    if not has_words(words) or not has_words(text) or _URL.match(text) or only_links(text):
        return None
    longest = _LONGEST_CALL if width(words) > _LONGEST_TERM and _CALL.fullmatch(term) else _LONGEST_TERM
    if width(words) > longest or _SENTENCE.search(words):
        return None
    if _COUNTS.match(words) or _GOES_ON.match(words):
        return None
    if stressed and not _STRESSED.match(_without_links(without_emoji(term))):
        return None
    return Definition(without_emoji(term), text)


def _without_links(term: str) -> str:
    """`**tensors** (Tensor)` of `**tensors** ([Tensor](https://...))`, as references have their types."""
    return _LINKED.sub(r"\1", term) if "](" in term else term


_LINKED = pattern(r"\[([^\]\n]*)\]\([^)\n]*\)")


def _balanced(term: str, text: str) -> tuple[str, str]:
    """`**term:** text` and `**term**: text` are the same."""
    if term.count("**") % 2 and text.startswith("**"):
        return f"{term}**", text[2:].strip()
    if term.count("**") % 2 == 0 and text.startswith("**") and text.count("**") % 2:
        return term, text[2:].strip()
    return term, text


def _enclosed(line: str, at: int) -> bool:
    before = line[:at]
    code = before.count("`") % 2 == 1
    opened = sum(map(before.count, "([{（"))
    return code or (opened > 0 and opened > sum(map(before.count, ")]}）")))
