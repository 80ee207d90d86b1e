"""What a section's name promises: gaps filled in with underlined words (`填空题`), terms with what they mean (`名词解释`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract.blocks import Line
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import by_lines
from deckgen.extract.quizzes.gaps import gap_in
from deckgen.extract.text import plain, width, without_emoji, without_number
from deckgen.model.document import Heading, Items, Prose, Turn
from deckgen.model.note import Basic, Cloze, Hole, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import Words, any_of, pattern

_LONGEST_NAME = 40
_FILL = any_of(r"填空", r"fill[- ]in")
_TERMS = any_of(r"名词解释|术语(?:表|解释)?\W*$", r"^\W*(?:glossary|terms|key terms|terminology|vocabulary)\W*$")
_PROMISES = ("填空", "fill in", "fill-in", "名词解释", "术语", "glossary", "terms", "terminology", "vocabulary")
"""What such a name has in it, in small letters: cheap to look for, since most sources have nothing of it."""
_UNDERLINED = pattern(
    r"(?<![\w`])(?P<mark>_{1,2})(?=[^\s_])(?P<word>[^_\n]*?(?:_[^_\n]+?)*?)(?<=[^\s_])(?P=mark)(?![\w`])|<u>(?P<told>[^<]+)</u>"
)
_TERM = pattern(r"^\W{0,3}(?P<term>[^:：\n]{2,28}?)\W{0,3}(?:(?<!:):\s|：(?!：)|\s[—–-]{1,2}\s)\s*(?P<text>\S.{7,})$")


def promised(page: Page) -> Finds:
    """Clozes of underlined words below `Fill in`, and Basic notes of `term: meaning` below `Glossary`."""
    document = page.document
    folded = document.source.text.lower()
    may = document.places or any(name in folded for name in _PROMISES)
    kinds = dict(_kinds(page)) if may else {}
    return by_lines(page, lambda index, block: _made(page, index, kinds.get(index))) if kinds else Finds()


def _kinds(page: Page) -> Iterator[tuple[int, Words]]:
    """(index, what its section promises) of the blocks below such a name, up to the next heading, turn or name of a part."""
    kind: Words | None = None
    for index, block in enumerate(page.blocks):
        if isinstance(block, Turn):
            kind = None
        elif isinstance(block, Heading | Prose):
            first, _, rest = block.text.strip().partition("\n")
            named = len(first) <= _LONGEST_NAME and next((one for one in (_FILL, _TERMS) if one.search(first)), None)
            if named and (isinstance(block, Heading) or not rest or first.endswith((":", "："))):
                kind = named
            elif isinstance(block, Heading) or (len(first) <= _LONGEST_NAME and _PART.match(first)):
                kind = None
        if kind is not None and isinstance(block, Prose | Items):
            yield index, kind


_PART = pattern(r"[一二三四五六七八九十]\s*[、.．]|(?:part|section)\b", re.IGNORECASE)


def _made(page: Page, index: int, kind: Words | None) -> Iterator[tuple[Note, Line]]:
    for line in page.lines(index) if kind is not None else ():
        body = _filled_in(line.text) if kind is _FILL else _explained(line.text)
        if body is not None:
            anchor = body.text if isinstance(body, Cloze) else body.prompt
            yield page.note(body, line_span(line.number), index, anchor), line


def _filled_in(line: str) -> Cloze | None:
    """`The core is __torch.autograd__.` with the underlined words hidden."""
    source = without_number(without_emoji(line))
    if "\\_" in source or gap_in(_UNDERLINED.sub("", source)):
        return None
    text, done = "", 0
    holes: list[Hole] = []
    for match in _UNDERLINED.finditer(source):
        text += source[done : match.start()]
        word = (match["word"] or match["told"]).strip()
        holes.append(Hole(len(holes) + 1, len(text), len(text) + len(word)))
        text += word
        done = match.end()
    return Cloze(text=text + source[done:], holes=tuple(holes)) if holes and len(holes) <= 4 else None


def _explained(line: str) -> Basic | None:
    match = _TERM.match(without_number(without_emoji(line)))
    if match is None or _TERMS.search(match["term"]) or width(plain(match["term"])) < 2:
        return None
    return Basic(prompt=match["term"].strip(" *"), answer=match["text"].strip(), reverse=True)
