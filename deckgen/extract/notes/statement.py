"""What one line says: a term and what it means (`**term** — text`, `term：text`), and where a sentence is best hidden.

A hole hides stressed words, or else the last name in code that the context does not give away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from deckgen.extract.text import (
    CODE_SPAN,
    ends_with_colon,
    has_word,
    has_words,
    plain,
    plain_width,
    tells,
    width,
    without_emoji,
)
from deckgen.model.note import Cloze, Hole
from deckgen.text.giveaway import length
from deckgen.text.pattern import HAN, pattern

_LONGEST_TERM = 56
"""Columns: what stands before a colon and is longer is a sentence."""
_LONGEST_CALL = 160
_CALL = pattern(r"(?:\*\*)?(`?)[A-Za-z_][\w.]*\([^()`]*\)\1(?:\*\*)?")
"""A signature is no sentence, however long."""
_COLON = pattern(rf"：|:(?=\s|\*\*|[{HAN}])|:(?<=[{HAN}]:)(?!//)")
_DASH = pattern(r"\s+[-–—]{1,2}\s+|\s*——\s*|\s*(?:→|->|=>)\s*")
"""Between a term that is stressed and its meaning."""
_STRESSED = pattern(r"^\W*(?:\*\*.+?\*\*|`[^`]+`)(?:\s*[（(][^）)]*[）)])?$")
_NO_TERM = pattern(rf"[。；;!?！？]|，.*，|^«definition.goes_on»(?:\s|[{HAN}])")
"""A sentence, or the middle of one."""
_ADDRESS = pattern(r"^\W*(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w)")
_A_LINK = r"!?\[\[[^\]\n]*\]\]|\[([^\]\n]*)\]\([^)\n]*\)|<?https?://[^\s>]+>?"
_LINK = pattern(_A_LINK)
_BEGINS_WITH_LINK = pattern(rf"\W*?(?:{_A_LINK})")
_LABEL = pattern(r"\*\*[^*\n]{1,16}[:：]?\*\*\s*[:：]?|(?:^|[·|•])\s*\w{1,12}[:：]")
"""Before a link: `**Next:** [[06 - Optimizers]]`."""

_BOLD = pattern(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_JOINED = pattern(r"\s*(?:«definition.joined»|[、/,，])\s*")
_VERB = pattern(r"«definition.not_verb»(?!«definition.not_behind»)|(?P<verb>«definition.verb»)")
"""Longer words that only look like a verb are passed over."""
_POINTS = pattern(r"«definition.pronoun»")
"""What only points at something: nothing to recall."""
_SUBJECT_SAYS = pattern(r"\s+[a-z]+\b")
_USE = pattern(r"[^()]*\(.*[\w'\"].*\)")
"""A call with arguments: one use of many."""
_VALUE = pattern(r"`[^`]+`|\b[A-Z]\w*(?:Error|Warning)\b|\b(?:True|False|None)\b|\d")
_BEFORE_SUBJECT = pattern(r"^[\s>*+-]*«definition.subject»?[\s(（*]*")
_BEFORE_OBJECT = pattern(r"«definition.object»(?:\s+(?:(?i:the|an?)\s+)?|[^，。；,;`*]{0,12})[`(（]*$")
"""Before an object: `by calling the `, `通过优化器中的`."""
_CODE_NAME = pattern(r"@?\.?[A-Za-z_][\w.]*(?:\(.*\)|\[.*\])?(?:=[\w.]+)?|@|\*\*?\w+")
"""Code that has a name to recall: no command, no path, no expression."""
CONSTANTS = frozenset({"None", "True", "False"})
_LEAST = 12
"""Columns beside a hole by which it can be told."""
_LITTLE = 26
"""Columns of a sentence that could be said of too many things: `____ copies the data.`"""
_LONGEST_TEXT = 600
"""Characters of a line that is still one statement."""
_NAME = pattern(rf"[A-Za-z][\w-]*(?: [\w-]+){{0,2}}|[{HAN}]{{2,8}}")
"""A term of up to three words."""
_IS = pattern(r"«definition.what_it_is»")
_SEVERAL = pattern(r"[\n。！？!?:：;；]|\.\s")
"""More than one sentence, or one that goes on in a list."""
_LEAST_SAID, _MOST_SAID = 5, 25
"""Words."""
_LONGEST = 48
"""Columns that a hole may hide: more cannot be recalled word by word."""


class Definition(NamedTuple):
    """A term and its text, both Markdown."""

    term: str
    text: str


@lru_cache(maxsize=4096)
def definition(line: str) -> Definition | None:
    """The line cut at its first colon outside code and brackets; at a dash, if what stands before is stressed."""
    for cut in (_COLON, _DASH):
        for match in cut.finditer(line):
            before = line[: match.start()]
            opened = sum(map(before.count, "([{（")) - sum(map(before.count, ")]}）"))
            if before.count("`") % 2 or opened > 0:
                continue
            term, text = before.strip(), line[match.end() :].strip()
            if text.startswith("**") and term.count("**") % 2:
                term, text = f"{term}**", text[2:].strip()  # `**term:** text` is `**term**: text`
            stressed = cut is _COLON or _STRESSED.match(_LINK.sub(r"\1", without_emoji(term)))
            if stressed and _is_term(term) and has_words(text) and not (_ADDRESS.match(text) or _only_links(text)):
                return Definition(without_emoji(term), text)
            break
    return None


def _is_term(term: str) -> bool:
    words = plain(term)
    if _CALL.fullmatch(term):
        return width(words) <= _LONGEST_CALL
    return has_words(words) and width(words) <= _LONGEST_TERM and not _NO_TERM.search(words)


def _only_links(text: str) -> bool:
    """True for what says nothing but where to go on: `[[04 - Loss]] · **Next:** [[06 - Optimizers]]`."""
    rest, links = _LINK.subn("", text)
    return links > 0 and not has_words(_LABEL.sub("", rest).replace("·", ""))


def is_link(text: str) -> bool:
    """True for an item that is a link, or begins with one."""
    return not tells(text) and (_BEGINS_WITH_LINK.match(text) is not None or not has_words(plain(text)))


def leads_away(text: str) -> bool:
    """True for a line with a link or an address: a hole in it would cut that in two."""
    return "](" in text or "://" in text


# Holes

Place = tuple[int, int]
"""Start and stop in a line of Markdown."""


def hole_in(text: str, context: str) -> Place | None:
    """The hole in a line of Markdown: stressed words, or the last name in code; None if neither is worth hiding."""
    if len(text) > _LONGEST_TEXT or leads_away(text):
        return None
    places = (
        place for place in chain(_names(text, context), _bold(text, context)) if _is_subject_or_object(text, *place)
    )
    return next((place for place in places if _worth(text, *place)), None)


def _is_subject_or_object(text: str, start: int, stop: int) -> bool:
    """True for what a sentence is about: its subject, what it says to use, or what it says something is."""
    return not _BEFORE_SUBJECT.sub("", text[:start]).strip() or _BEFORE_OBJECT.search(text[:start]) is not None


def cloze_of(lines: Sequence[tuple[str, str]], head: str, context: str, *, prompt: str = "") -> Cloze | None:
    """A cloze of up to three (indent, line) pairs, one hole each, under a line of context; None without a hole.

    `context` is all that the card shows beside: no name in it is hidden.
    """
    places = [hole_in(line, context) for _, line in lines]
    shown = [one for one, place in zip(lines, places, strict=True) if place or one[0] < lines[-1][0]]
    text = head.rstrip() + "\n\n" if head else ""
    holes: list[Hole] = []
    for (indent, line), place in zip(lines, places, strict=True):
        if (indent, line) not in shown:
            continue
        text += f"{indent}- " if head or len(shown) > 1 else ""
        if place:
            holes.append(Hole(len(holes) + 1, len(text) + place[0], len(text) + place[1]))
        text += f"{line}\n"
    return Cloze(text=text.rstrip(), holes=tuple(holes), prompt=prompt) if holes else None


def identifies(term: str, text: str) -> bool:
    """True for a short name and one sentence that begins by saying what it is: nothing else can be asked backwards."""
    name, said = plain(term), plain(text).rstrip(".。 ")
    words = length(said)
    return (
        _NAME.fullmatch(name) is not None
        and _LEAST_SAID <= words <= _MOST_SAID
        and _IS.match(said) is not None
        and not _SEVERAL.search(said)
        and not leads_away(text)
    )


@lru_cache(maxsize=4096)
def says(text: str) -> bool:
    """True if a line has a verb outside code, so that it states something."""
    return any(match["verb"] and not _in_code(text, match.start()) for match in _VERB.finditer(text))


def _in_code(text: str, at: int) -> bool:
    return any(match.start() < at < match.end() for match in CODE_SPAN.finditer(text))


def _bold(text: str, context: str) -> Iterator[Place]:
    """Stressed words; no label, and not what the headings say already, in one case or another, as one or as many."""
    for match in _BOLD.finditer(text):
        label = ends_with_colon(match[1]) and not text[: match.start()].strip(" -")
        given = plain(match[0]).lower() in plain(context).lower()
        if not (label or given) and match[0] != text.rstrip():
            yield match.span()


def _names(text: str, context: str) -> Iterator[Place]:
    """Names in code, the last first, constants last; several joined by `or` are one hole. What is given away is left out."""
    known = plain(context) if "`" in text else ""
    spans: list[Place] = []
    for start, stop in (match.span() for match in CODE_SPAN.finditer(text)):
        code = text[start:stop].strip("` ")
        name = code.lstrip("@").partition("(")[0].partition("[")[0].rpartition(".")[2]
        given = name and (has_word(known, name) or has_word(f"{text[:start]} {text[stop:]}", name))
        if given or not _CODE_NAME.fullmatch(code) or is_vague(text, start, stop):
            continue
        if spans and _JOINED.fullmatch(text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((start, stop))
    return iter(sorted(spans, key=lambda span: (text[slice(*span)].strip("` ") not in CONSTANTS, span), reverse=True))


def is_vague(text: str, start: int, stop: int) -> bool:
    """True for the subject of a sentence that says too little to tell it by, or which is one use of many."""
    after = text[stop:]
    if text[:start].strip(" -*`") or not after.isascii() or not _SUBJECT_SAYS.match(after):
        return False
    return plain_width(after) < _LITTLE or bool(_USE.fullmatch(text[start:stop].strip("`* ")) and _VALUE.search(after))


def _worth(text: str, start: int, stop: int) -> bool:
    """True if a hole hides something that can be recalled, no half of a mark, and leaves words beside it."""
    hidden, rest = text[start:stop], text[:start] + text[stop:]
    return (
        not any(hidden.count(mark) % 2 for mark in ("`", "**"))
        and all(hidden.count(opening) == hidden.count(closing) for opening, closing in ("()", "（）", "[]", "“”"))
        and (2 <= plain_width(hidden) <= _LONGEST or hidden.strip().isdigit())
        and not _POINTS.fullmatch(hidden.strip())
        and width(plain(rest).strip(" -，。,.:：")) >= _LEAST
    )
