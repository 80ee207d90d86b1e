"""What one line says: a term and what it means (`**term** — text`, `term：text`), and where a sentence is best hidden.

A hole hides, in this order: bold words; the last name in code that the context does not give away; what follows the verb of the
sentence; what follows a preposition; a whole short line whose parent asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from deckgen.extract.text import CODE_SPAN, has_word, has_words, plain, tells, width, without_emoji
from deckgen.model.note import Cloze, Hole
from deckgen.text.pattern import pattern

_LONGEST_TERM = 56
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

_BOLD = pattern(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_JOINED = pattern(r"\s*(?:«definition.joined»|[、/,，])\s*")
_VERB = pattern(
    r"«definition.not_verb»(?!以)"
    r"|(?P<verb>«definition.verb»)(?:(?<=[A-Za-z])(?:\s+«definition.article»)?\s+|(?<![A-Za-z])(?:、[\u3400-\u9fff]{2})*[ 了着]*)"
)
"""A verb and what belongs to it: an article, or more verbs (`包含、维护`); longer words that only look like one are passed over."""
_NO_PREDICATE = frozenset("（(的地得，。；、,;") | {""}
"""What follows a verb of which nothing is said behind it."""
_PREPOSITION = pattern(r"(?<=\s)«definition.preposition»\s+")
_EXAMPLE = pattern(r"\s*(?:-\s+)?«definition.example»\s*[,，:：]")
"""A line that tells of one case: what it says of that is nothing to recall."""
_CLAUSE_END = pattern(r"[，。；）,;]|(?<=\w)\.(?=\s|$)|（|(?<![A-Za-z0-9_])\(|$")
_POINTS = pattern(r"«definition.pronoun»")
"""What only points at something: nothing to recall."""
_SUBJECT_SAYS = pattern(r"\s+[a-z]+\b")
_USE = pattern(r"[^()]*\(.*[\w'\"].*\)")
"""A call with arguments: one use of many."""
_VALUE = pattern(r"`[^`]+`|\b[A-Z]\w*(?:Error|Warning)\b|\b(?:True|False|None)\b|\d")
_LITTLE = 18
"""Columns of a sentence that could be said of too many things: `____ copies the data.`"""
_LONGEST_TEXT = 600
"""Characters of a line that is still one statement."""
_LONGEST = 48
"""Columns that a hole may hide: more cannot be recalled word by word."""


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


def hole_in(text: str, context: str, *, whole: bool) -> Place | None:
    """The hole in a line of Markdown; None if nothing in it is worth hiding. `whole` allows to hide all of a short line."""
    if len(text) > _LONGEST_TEXT or leads_away(text):
        return None
    example = _EXAMPLE.match(text)
    places = chain(_bold(text), _names(text, context), () if example else _predicates(text))
    place = next((place for place in places if _worth(text, *place)), None)
    bare = text.strip().rstrip("。.；;")
    if place is None and whole and not example and 0 < width(plain(bare)) <= _LONGEST:
        return text.index(bare), text.index(bare) + len(bare)
    return place


def cloze_of(lines: Sequence[tuple[str, str]], head: str, context: str, *, prompt: str = "") -> Cloze | None:
    """A cloze of up to three (indent, line) pairs, one hole each, under a line of context; None without a hole.

    `context` is all that the card shows beside: no name in it is hidden.
    """
    text = head.rstrip() + "\n\n" if head else ""
    holes: list[Hole] = []
    for indent, line in lines:
        text += f"{indent}- " if head or len(lines) > 1 else ""
        if place := hole_in(line, context, whole=bool(head)):
            holes.append(Hole(len(holes) + 1, len(text) + place[0], len(text) + place[1]))
        text += f"{line}\n"
    return Cloze(text=text.rstrip(), holes=tuple(holes), prompt=prompt) if holes else None


def says(text: str) -> bool:
    """True if a line has a verb, so that it states something."""
    return next(_verbs(text), None) is not None


def _verbs(text: str) -> Iterator[Place]:
    """Start of each verb outside code, and where what it says begins."""
    return (match.span() for match in _VERB.finditer(text) if match["verb"] and not _in_code(text, match.start()))


def _in_code(text: str, at: int) -> bool:
    return any(match.start() < at < match.end() for match in CODE_SPAN.finditer(text))


def _bold(text: str) -> Iterator[Place]:
    for match in _BOLD.finditer(text):
        label = match[1].endswith((":", "：")) and not text[: match.start()].strip(" -")
        if not label and match[0] != text.rstrip():
            yield match.span()


def _names(text: str, context: str) -> Iterator[Place]:
    """What stands in code, the last first; several joined by `or` are one hole. What is given away elsewhere is left out."""
    known = plain(context) if "`" in text else ""
    spans: list[Place] = []
    for start, stop in (match.span() for match in CODE_SPAN.finditer(text)):
        name = text[start:stop].strip("`@ ").partition("(")[0].partition("[")[0].rpartition(".")[2]
        given = name and (has_word(known, name) or has_word(f"{text[:start]} {text[stop:]}", name))
        if given or is_vague(text, start, stop):
            continue
        if spans and _JOINED.fullmatch(text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((start, stop))
    return reversed(spans)


def is_vague(text: str, start: int, stop: int) -> bool:
    """True for the subject of a sentence that says too little to tell it by, or which is one use of many."""
    after = text[stop:]
    if text[:start].strip(" -*`") or not after.isascii() or not _SUBJECT_SAYS.match(after):
        return False
    return width(plain(after)) < _LITTLE or bool(_USE.fullmatch(text[start:stop].strip("`* ")) and _VALUE.search(after))


def _predicates(text: str) -> Iterator[Place]:
    """What follows the verbs, what stands in brackets last; then what follows prepositions: `along a new dimension`."""
    verbs = [stop for start, stop in _verbs(text) if start and text[stop : stop + 1] not in _NO_PREDICATE]
    verbs.sort(key=lambda at: text.count("（", 0, at) > text.count("）", 0, at))
    prepositions = (match.span() for match in _PREPOSITION.finditer(text))
    for at in [*verbs, *(stop for start, stop in prepositions if not _in_code(text, start))]:
        ends = (match.start() for match in _CLAUSE_END.finditer(text, at + 1) if not _in_code(text, match.start()))
        yield at, at + len(text[at : next(ends, len(text))].rstrip())


def _worth(text: str, start: int, stop: int) -> bool:
    """True if a hole hides something that can be recalled, no half of a mark, and leaves words beside it."""
    hidden, rest = text[start:stop], text[:start] + text[stop:]
    return (
        not any(hidden.count(mark) % 2 for mark in ("`", "**"))
        and all(hidden.count(opening) == hidden.count(closing) for opening, closing in ("()", "（）", "[]", "“”"))
        and (2 <= width(plain(hidden)) <= _LONGEST or hidden.strip().isdigit())
        and not _POINTS.fullmatch(hidden.strip())
        and bool(plain(rest).strip(" -，。,.:："))
    )
