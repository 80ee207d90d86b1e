"""Where a sentence is best hidden: what it stresses, the API that it names, or what it says of its subject.

The rules, in order: ==highlights==; bold words; the last name in code that the context does not give away; what follows
the verb of the sentence; a whole short line whose parent asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from deckgen.extract.text import has_word, plain, tells, width
from deckgen.model.note import Cloze, Hole
from deckgen.text.pattern import pattern

_BOLD = pattern(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_HIGHLIGHT = pattern(r"==(?=[^\s=])([^=\n]+?)(?<=[^\s=])==")
_CODE = pattern(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_JOINED = pattern(r"\s*(?:或|和|与|及|、|/|,|，|and|or)\s*")
_VERB_ZH = pattern(
    r"(?:的(?:作用|核心|本质|目的)(?:在于|是)|是(?!否)|即(?=[^，可便使将刻])|为(?<!视为)(?!了|何|什么|[^，。]{0,6}时)|视为|指(?![定示数标针向令导派引])|等(?:同于|价于)|"
    r"必须|应当|应该|不应|应(?!用)|须|需要|需|不能|不会|不可|只能|仅(?:需|能|允许)?|可以|(?<!即)可(?![能靠用变见选读视微逆信控调移扩重训]|导(?!致))|会(?!话)|将(?!来)|用于|用来|决定|支持|适合|适用于|返回|包含|负责|默认|依赖|通过(?!程)|使用|"
    r"具有|拥有|允许|禁止|避免|要求|提供|实现)"
)
_VERB_EN = pattern(
    r"\b(?:is|are|was|were|means|returns?|must|should|cannot|can|does not|do not|needs?|requires?|"
    r"gives?|has|have|contains?|"
    r"keeps?|stores?|uses?|computes?|creates?|shares?|raises?|applies|works?|supports?|allows?|"
    r"defaults? to)\b(?:\s+(?:the|a|an|not|only|to))?\s+",
    re.IGNORECASE,
)
_LATIN_WORD_END = pattern(r"[A-Za-z]\s")
"""Such an end has each verb; a Chinese line mostly has none."""
_PREPOSITION = pattern(
    r"(?<=\s)(?:along|into|from|without|over|under|per|until|before|after|when|if|with|by|for|on|in|"
    r"to|of)\s+",
    re.IGNORECASE,
)
_REQUEST = pattern(r"\W*(?:tell (?:me|us)|walk me|describe|explain)\b", re.IGNORECASE)
"""A line that asks somebody to tell something tells nothing."""
_EXAMPLE = pattern(r"\s*(?:-\s+)?(?:示例|例如|例|比如|举例|e\.g\.|(?:for )?example)\s*[,，:：]", re.IGNORECASE)
"""A line that tells of one case: what it says of that is nothing to recall."""
_CLAUSE_END = pattern(r"[，。；）,;]|(?<=\w)\.(?=\s|$)|（|(?<![A-Za-z0-9_])\(|$")
_POINTS = pattern(r"(?:it|this|that|these|those|them|ones?|so|here|there|它们?|这[个些样]?|那[个些样]?)", re.IGNORECASE)
"""What only points at something: nothing to recall."""
_OTHERS = pattern(r"\W*(?:(?:some |many )?(?:others?|more)\b|其[他它余]|更多|另外)", re.IGNORECASE)
"""A line over what is left: its items can be anything."""
_LONGEST_TEXT = 600
"""Characters of a line that is still one statement."""
MOST = 3
"""Holes that the author's marks may make in a line."""
_LONGEST = 48
"""Columns that a hole may hide: more cannot be recalled word by word."""


def hole_in(text: str, context: str, *, whole: bool) -> tuple[int, int] | None:
    """Start and stop of the hole in a line of Markdown; None if nothing in it is worth hiding.

    `whole` allows to hide all of a short line.
    """
    if len(text) > _LONGEST_TEXT or _REQUEST.match(text):
        return None
    known = plain(context) if "`" in text else ""
    found = (_marked(text), _bold(text), _code(text, known), _predicate(text), _after_preposition(text))
    for candidates in found[:3] if _EXAMPLE.match(text) else found:
        for start, stop in candidates:
            if _worth(text, start, stop):
                return start, stop
    whole = whole and not _EXAMPLE.match(text)
    stripped = text.strip().rstrip("。.；;")
    if whole and 0 < width(plain(stripped)) <= _LONGEST:
        start = text.index(stripped)
        return start, start + len(stripped)
    return None


def cloze_of(lines: Sequence[tuple[str, str]], head: str, known: str, *, prompt: str = "") -> Cloze | None:
    """A cloze of up to three (indent, line) pairs, one hole each or the author's own, under a line of context; None without a hole.

    `known` is all that the card shows or names beside: nothing of it is hidden.
    """
    text = head.rstrip() + "\n\n" if head else ""
    whole = bool(head) and not _OTHERS.match(plain(head))
    holes: list[Hole] = []
    for indent, line in lines:
        if any(other.startswith(line.rstrip()) and other != line for _, other in lines):
            continue  # torn off that one
        mark = f"{indent}- " if head or len(lines) > 1 else ""
        offset = len(text) + len(mark)
        for start, stop in _places(line, known, whole=whole):
            holes.append(Hole(len(holes) + 1, offset + start, offset + stop))
        text += f"{mark}{line}\n"
    return Cloze(text=text.rstrip(), holes=tuple(holes), prompt=prompt) if holes else None


def _places(line: str, known: str, *, whole: bool) -> list[tuple[int, int]]:
    """All that the author marked, or else the one hole that is best."""
    marked = [(start, stop) for start, stop in highlights(line) if _worth(line, start, stop)] if "==" in line else []
    place = None if marked else hole_in(line, known, whole=whole)
    return marked[:MOST] if place is None else [place]


def says(text: str) -> bool:
    """True if a line has a verb, so that it states something."""
    return bool(_verbs(text))


@lru_cache(maxsize=1024)
def _verbs(text: str) -> Sequence[tuple[int, int]]:
    """Start and stop of the verbs outside of code, Chinese ones first."""
    chinese = () if text.isascii() else (_VERB_ZH,)
    english = (_VERB_EN,) if _LATIN_WORD_END.search(text) else ()
    every = (match.span() for verbs in (*chinese, *english) for match in verbs.finditer(text))
    return [(start, stop) for start, stop in every if not _inside_code(text, start)]


def highlights(text: str) -> list[tuple[int, int]]:
    """Start and stop of what an author marked as with a pen, with its marks: `==leaf==`."""
    return [match.span() for match in _HIGHLIGHT.finditer(text) if not _inside_code(text, match.start())]


def _marked(text: str) -> Iterator[tuple[int, int]]:
    yield from highlights(text) if "==" in text else ()


def _bold(text: str) -> Iterator[tuple[int, int]]:
    for match in _BOLD.finditer(text) if "**" in text else ():
        label = match[1].endswith((":", "：")) and not text[: match.start()].strip(" -")
        if not label and (match.start() > 0 or match.end() < len(text.rstrip())):
            yield match.span()


def _code(text: str, known: str) -> Iterator[tuple[int, int]]:
    """The last code spans first; several joined by `or` are one hole."""
    spans: list[tuple[int, int]] = []
    for start, stop in _code_places(text):
        name = text[start:stop].strip("`").strip("@ ").partition("(")[0].partition("[")[0].rpartition(".")[2]
        if name and (has_word(known, name) or has_word(f"{text[:start]} {text[stop:]}", name)):
            continue  # given away
        if cannot_be_told(text, start, stop):
            continue
        if spans and _JOINED.fullmatch(text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((start, stop))
    yield from reversed(spans)


_PASSES = pattern(r"[^()]*\(.*[\w'\"].*\)")
"""A call with arguments: a use, of which there are as many as there are numbers."""
_LITTLE = 18
"""Columns of a sentence that could be said of too many things: `____ copies the data.`"""


def cannot_be_told(text: str, start: int, stop: int) -> bool:
    """True for the subject of a sentence that says too little to tell it by, or which is one use of many."""
    before, after = text[:start].strip(" -*`"), text[stop:]
    if before:
        return False
    if _GIVES.match(after):
        return _PASSES.fullmatch(text[start:stop].strip("`* ")) is not None
    if not after.isascii() or not _VERB_FIRST.match(after):
        return False
    return width(plain(after)) < _LITTLE or (
        _PASSES.fullmatch(text[start:stop].strip("`* ")) is not None and bool(_VALUE_SAID.search(after))
    )


_GIVES = pattern(
    r"\s*(?:==?|≈|->|→|=>|(?:的)?(?:结果|值|输出|返回值)?(?:是|为|等于|返回|得到|输出))\s*`?(?:tensor\(|torch\.Size|[-\[(]?\d|True|False|None)"
)
"""What a call gives: it is asked of the call, not the other way round."""
_VERB_FIRST = pattern(r"\s+[a-z]+\b")
_VALUE_SAID = pattern(r"`[^`]+`|\b[A-Z]\w*(?:Error|Warning)\b|\b(?:True|False|None)\b|\bthe default\b|\d")


def _predicate(text: str) -> Iterator[tuple[int, int]]:
    """What follows the verbs, or a row of them (`包含、维护`); what stands in brackets last."""
    found: list[int] = []
    for verb, stop in _verbs(text):
        row = _ROW.match(text, stop)
        start = row.end() if row else stop
        if verb > 0 and text[start : start + 1] not in _NO_PREDICATE:
            found.append(start)
    for start in sorted(found, key=lambda at: _in_brackets(text, at)):
        yield start, _clause_end(text, start)


def _in_brackets(text: str, at: int) -> bool:
    return text.count("（", 0, at) > text.count("）", 0, at)


_ROW = pattern(r"(?:、[\u3400-\u9fff]{2})*[ 了着]*")
"""What goes on with a verb: more verbs, each of two characters as most are, and what marks it as done."""
_NO_PREDICATE = frozenset("（(的地得，。；、,;") | {""}
"""What follows a verb of which nothing is said behind it."""


def _after_preposition(text: str) -> Iterator[tuple[int, int]]:
    """`stacks tensors along a new dimension`: what the last words say."""
    for match in _PREPOSITION.finditer(text):
        if not _inside_code(text, match.start()):
            yield match.end(), _clause_end(text, match.end())


def _clause_end(text: str, start: int) -> int:
    """Where the clause ends, outside code spans."""
    for match in _CLAUSE_END.finditer(text, start + 1):
        if not _inside_code(text, match.start()):
            return start + len(text[start : match.start()].rstrip())
    return len(text)


def _inside_code(text: str, at: int) -> bool:
    return any(start < at < stop for start, stop in _code_places(text))


@lru_cache(maxsize=256)
def _code_places(text: str) -> Sequence[tuple[int, int]]:
    """Start and stop of the code spans of a line."""
    return [match.span() for match in _CODE.finditer(text)] if "`" in text else ()


def _worth(text: str, start: int, stop: int) -> bool:
    hidden = text[start:stop]
    return (
        hidden.count("`") % 2 == 0
        and hidden.count("**") % 2 == 0
        and all(hidden.count(opening) == hidden.count(closing) for opening, closing in ("()", "（）", "[]", "“”"))
        and (2 <= width(plain(hidden)) <= _LONGEST or hidden.strip().isdigit())
        and not _POINTS.fullmatch(hidden.strip())
        and _leaves_words(text[:start] + text[stop:])
    )


def _leaves_words(rest: str) -> bool:
    """True if more than punctuation is left of a line."""
    return tells(rest) or bool(plain(rest).strip(" -，。,.:："))
