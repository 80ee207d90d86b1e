"""Plain facts for the author to choose from: a sentence that says something of a name in code, wherever it stands.

What a sentence begins with is asked for what it says (`` `.grad` accumulates ``); of other sentences the last name is hidden that
the card does not give away. A sentence that another note has already is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckgen.extract.blocks import texts_of
from deckgen.extract.key import key
from deckgen.extract.labels import LEANS, Kind, labels
from deckgen.extract.names.written import FILE_ENDINGS, called, is_rooted, looks_coded
from deckgen.extract.notes.statement import hole_in, says
from deckgen.extract.notes.told import Told, asked_under, with_ancestors
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import CODE_SPAN, is_chinese, plain, width, without_code, without_links, without_number
from deckgen.extract.worth.prose import breaks_off, has_debris
from deckgen.model.document import Items, Prose, Quote
from deckgen.model.note import Api, Body, Cloze, Hole
from deckgen.model.source import Span
from deckgen.text.pattern import HAN, pattern

_END = pattern(
    r"(?<=[。！？])(?![”」』)）])"
    rf"|(?<=[.;?!])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)\s+(?=[A-Z`*{HAN}])|\n(?=\s*(?:\d+[.)]|[-*•])\s)|\n\n"
)
"""Where a sentence ends: a capital, code or stress follows."""
_LABEL = pattern(
    r"^\W*(?:«definition.remark»|«definition.no_term»|«fact.label»)(?:\s*\*\*\s*[:：]?|\s*[:：]\s*(?:\*\*)?|\s*[,，])\s*"
    r"|^\W*\[!\w+\][+-]?\s*|^\W*«worth.connective»[,，]\s*"
)
"""What a sentence calls itself, and what joins it to the one before: `Note:`, `注意，`, `[!TIP]`, `However,`."""
_BULLET = pattern(r"^[-*•]\s+")
_PARAMETER = pattern(r"^[\s*]*\w+[\s*]*[（(][^（()）]*[）)]\s*[-–—:：]")
"""`momentum (float, optional) - ...`: one of many, and its own type."""
_NAME = pattern(r"@?\.?[A-Za-z_][\w.]*(?:\(.*\)|\[.*\])?(?:\s?=\s?[\w.\"']+)?")
"""Code that has a name: no command, no path, no expression."""
_NAMED = pattern(r"[a-z]_[a-z]|\w\(\)|(?:torch|nn|F|optim|autograd|Tensor)\.\w")
"""What text has that names code, without a span."""
_CAMEL = pattern(r"[a-z\d][A-Z]")
_WORD = pattern(r"(?<![\w./`@-])(?:[A-Za-z_][\w.]*\w)(?:\(\))?")
_SNAKE = pattern(r"[a-z]_[a-z]")
_LATIN = pattern(r"[A-Za-z][\w+-]*(?: [A-Za-z][\w+-]*){0,2}")
_BRANDS = frozenset(
    "pytorch numpy scipy tensorflow tensorboard github youtube imagenet openai javascript macos linkedin fastai alexnet resnet "
    "lenet googlenet vggnet densenet mobilenet efficientnet latex pycharm vscode huggingface".split()
)
"""Names of products, written as only code is."""
_BEFORE_SUBJECT = pattern(r"^[\s>*+(（“\"-]*(?:«fact.article»\s+)?[\s*`]*$")
_DOES = pattern(r"^\W*(?:«fact.article»\s+)?`[^`]+`(?:\s+\w+){0,2}\s+[a-z]+s\b|^\W*«fact.begins»")
"""What a sentence in English begins with if it states something: ``the `x` method returns``, `never`."""
_BESIDE = pattern(rf"[（(][^（）()]*[）)]|[^{HAN}]")
_RULE = pattern(r"«fact.rule»")
_LEANS = pattern(r"^\W*«fact.leans»")
_AUTHOR = pattern(r"«fact.author»")
_JOINED = pattern(r"[A-Za-z0-9_)`*]\s*(?:[、,，/&]|«definition.joined»|\band\b)\s*[`*]*$")
_JOINS = pattern(r"[`*]*\s*(?:[、/&]|[,，]\s*`|(?:«definition.joined»|\band\b)\s*`)")
"""Beside a name that is one of several: nobody can tell which."""
_NARROWEST, _WIDEST = 14, 240
"""Columns of a sentence that is one fact."""
_LEAST_CHINESE = 16
"""Columns of Chinese outside brackets that say something."""
_LEAST_SAID = 8
"""Columns that say something of a name."""
_LEAST_BESIDE = 12
"""Columns beside a gap by which it can be told."""
_MOST_NAMES = 3
"""Names of a sentence that is one fact; more are a list of them."""

Place = tuple[int, int]


class _Sentence(NamedTuple):
    """A sentence with its lines, the index of its block, the items that it stands below, and what its card shows above it."""

    text: str
    span: Span
    block: int
    above: tuple[str, ...]
    shown: tuple[str, ...]


@collected
def facts(page: Page) -> Made:
    """A note of each sentence about code, in prose, quotes and lists, that no surer rule has made one of."""
    told = Told(page)
    for sentence in _sentences(page, told):
        body = _body(sentence, told)
        if body is None:
            continue
        if isinstance(body, Api):
            told.names.add(asked_under(sentence.shown, body))
        anchor = key((*page.path(sentence.block), *sentence.above), sentence.text)
        rests_on = page.apis_on(sentence.span)
        yield page.note(body, sentence.span, sentence.block, anchor, headings=sentence.shown, rests_on=rests_on), ()


def _sentences(page: Page, told: Told) -> Iterator[_Sentence]:
    """The sentences of the page that may be facts."""
    for index, block in told.open_blocks():
        if not any(map(_may_name, texts_of(block))):
            continue
        for text, span, above in _texts(block):
            if not _may_name(text):
                continue
            shown = (*page.context(index), *above)
            for sentence, lines in _parted(text, span):
                if _is_fact(sentence) and not told.holds(sentence):
                    yield _Sentence(sentence, lines, index, above, shown)


def _texts(block: Prose | Quote | Items) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    """The texts of a block, their lines, and what they stand below."""
    if not isinstance(block, Items):
        yield block.text, block.span, ()
        return
    for _, item, above in with_ancestors(block.items):
        if Kind.CHECKBOX not in labels(item.text):
            yield item.text, item.span, above


def _parted(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Sentences of a text, without their labels and links, with their lines."""
    start = 0
    for cut in (*(match.span() for match in _END.finditer(text)), (len(text), len(text))):
        first, last = (span.line(text.count("\n", 0, at)) for at in (start, cut[0]))
        joined = without_links(without_number(_BULLET.sub("", " ".join(text[start : cut[0]].split()))))
        start = cut[1]
        yield _LABEL.sub("", joined, count=1).strip(), Span(first, last + 1)


def _may_name(text: str) -> bool:
    return bool("`" in text or _NAMED.search(text) or (_CAMEL.search(text) and is_chinese(text)))


def _is_fact(text: str) -> bool:
    """True for a sentence that states something of a name and stands by itself. What costs least is looked at first."""
    if not _may_name(text) or not _NARROWEST <= width(text) <= _WIDEST or "$" in text or "://" in text:
        return False
    if text.endswith((":", "：", "?", "？", "…", "...")) or _LEANS.match(text) or _PARAMETER.match(text):
        return False
    states = _DOES.match(text) or width(_BESIDE.sub("", text)) >= _LEAST_CHINESE or says(text)
    words = labels(text).words
    if not states or _AUTHOR.search(text) or (Kind.INSTRUCTS in words and "`" not in text) or _is_torn(text):
        return False
    ruled = "`" in text and _RULE.search(text)
    leans = Kind.POINTER in words if ruled else words.any_of(LEANS)
    return not leans and Kind.JUDGES not in words


def _is_torn(text: str) -> bool:
    """True for a half of a sentence: of a span of code, or of a bracket."""
    bare = without_code(text)
    closes = sum(map(bare.count, ")]）}")) > sum(map(bare.count, "([（{"))
    return closes or text.count("`") % 2 == 1 or breaks_off(text) or has_debris(text)


def _body(sentence: _Sentence, told: Told) -> Body | None:
    text = sentence.text
    names = list(_names(text))
    if not 1 <= len(names) <= _MOST_NAMES:
        return None
    start, stop = names[0]
    said = width(plain(text[stop:]).strip(" *,，.。:：）)"))
    if _BEFORE_SUBJECT.match(text[:start]) and said >= _LEAST_SAID:
        bare = text[start:stop].strip("`")
        body = Api(name=bare.partition("(")[0], signature=bare, meaning=text)
        if asked_under(sentence.shown, body) not in told.names:
            return body
        names = names[1:]
    context = plain(" ".join(sentence.shown))
    place = hole_in(text, context)
    if place is None or not text[: place[0]].strip():
        place = _gap(text, names[::-1], context)
    return Cloze(text=text, holes=(Hole(1, *place),)) if place else None


def _gap(text: str, names: list[Place], context: str) -> Place | None:
    """The last name that is told nowhere else on the card; in Chinese else the last words in Latin letters."""
    latin = [match.span() for match in _LATIN.finditer(text)] if is_chinese(text) else []
    other = [span for span in latin if not any(start <= span[0] < stop for start, stop in names)]
    for start, stop in (*names, *other[::-1]):
        hidden = text[start:stop].strip("`")
        last = called(hidden.partition("(")[0]).strip("@_ ") or hidden
        rest = f"{text[:start]} {text[stop:]}"
        told = re.search(rf"(?<![A-Za-z0-9_]){re.escape(last)}(?![A-Za-z0-9_])", f"{context} {rest}", re.IGNORECASE)
        several = _JOINED.search(text[:start]) or _JOINS.match(text[stop:])
        if not (told or several) and width(plain(rest).strip(" ，。,.")) >= _LEAST_BESIDE:
            return start, stop
    return None


def _names(text: str) -> Iterator[Place]:
    """Where names of code stand: code spans that are names, and words that only code is written like.

    A word such as `TorchScript` may be any product's: it counts among Chinese words, where few others are written so.
    """
    spans = [(match.span(), match[2].strip()) for match in CODE_SPAN.finditer(text)]
    found = [place for place, code in spans if _NAME.fullmatch(code) and len(code) > 1]
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("()")
        if any(start <= match.start() < stop for (start, stop), _ in spans) or word.lower() in _BRANDS:
            continue
        known = is_rooted(word) or _SNAKE.search(word) or is_chinese(text)
        if called(word) not in FILE_ENDINGS and (match[0] != word or (looks_coded(word) and known)):
            found.append(match.span())
    yield from sorted(found)
