"""A term and what it means on one line: `term: text`, `**term** — text`, `term：text`."""

from __future__ import annotations

from typing import NamedTuple

from deckgen.extract.text import has_words, plain, tells, width, without_emoji
from deckgen.text.pattern import pattern

_LONGEST = 56
"""Columns: what stands before a colon and is longer is a sentence."""
_LONGEST_CALL = 160
_CALL = pattern(r"(?:\*\*)?(`?)[A-Za-z_][\w.]*\([^()`]*\)\1(?:\*\*)?")
"""A signature is no sentence, however long."""
_COLON = pattern(r"：|:(?=\s|\*\*|[\u3400-\u9fff])|:(?<=[\u3400-\u9fff]:)(?!//)")
_DASH = pattern(r"\s+[-–—]{1,2}\s+|\s*——\s*|\s*(?:→|->|=>)\s*")
"""Between a term that is stressed and its meaning."""
_STRESSED = pattern(r"^\W*(?:\*\*.+?\*\*|`[^`]+`)(?:\s*[（(][^）)]*[）)])?$")
_NO_TERM = pattern(r"[。；;!?！？]|，.*，|^«definition.goes_on»(?:\s|[\u3400-\u9fff])")
"""A sentence, or the middle of one."""
_ADDRESS = pattern(r"^\W*(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w)")
_A_LINK = r"!?\[\[[^\]\n]*\]\]|\[([^\]\n]*)\]\([^)\n]*\)|<?https?://[^\s>]+>?"
_LINK = pattern(_A_LINK)
_BEGINS_WITH_LINK = pattern(rf"\W*?(?:{_A_LINK})")
_LABEL = pattern(r"\*\*[^*\n]{1,16}[:：]?\*\*\s*[:：]?|(?:^|[·|•])\s*\w{1,12}[:：]")
"""Before a link: `**Next:** [[06 - Optimizers]]`."""


class Definition(NamedTuple):
    """A term and its text, both Markdown."""

    term: str
    text: str


def definition(line: str) -> Definition | None:
    """The line cut at its first colon outside code and brackets; at a dash, if what stands before is stressed."""
    for cut in (_COLON, _DASH):
        for match in cut.finditer(line):
            before = line[: match.start()]
            opened = sum(map(before.count, "([{（")) - sum(map(before.count, ")]}）"))
            if before.count("`") % 2 or opened > 0:
                continue
            if made := _cut(before.strip(), line[match.end() :].strip(), stressed=cut is _DASH):
                return made
            break
    return None


def _cut(term: str, text: str, *, stressed: bool) -> Definition | None:
    if text.startswith("**") and term.count("**") % 2:  # `**term:** text` is `**term**: text`
        term, text = f"{term}**", text[2:].strip()
    elif text.startswith("**") and text.count("**") % 2:
        text = text[2:].strip()
    words = plain(term)
    call = _CALL.fullmatch(term)
    if (
        not has_words(words)
        or not has_words(text)
        or (_NO_TERM.search(words) and not call)
        or width(words) > (_LONGEST_CALL if call else _LONGEST)
    ):
        return None
    if _ADDRESS.match(text) or only_links(text):
        return None
    if stressed and not _STRESSED.match(_LINK.sub(r"\1", without_emoji(term))):
        return None
    return Definition(without_emoji(term), text)


def only_links(text: str) -> bool:
    """True for what says nothing but where to go on: `[[04 - Loss]] · **Next:** [[06 - Optimizers]]`."""
    rest = _LINK.sub("", text)
    return rest != text and not has_words(_LABEL.sub("", rest).replace("·", ""))


def is_link(text: str) -> bool:
    """True for an item that is a link, or begins with one."""
    return not tells(text) and (_BEGINS_WITH_LINK.match(text) is not None or not has_words(plain(text)))


def leads_away(text: str) -> bool:
    """True for a line with a link or an address: a hole in it would cut that in two."""
    return "](" in text or "://" in text
