"""Plain facts for the author to choose from: a sentence that says something of a name in code, wherever it stands.

What a sentence begins with is asked for what it says (`` `.grad` accumulates ``); of other sentences the last name is hidden that
the headings do not give away. A sentence that another note has already is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, takewhile

from deckgen.extract import wording
from deckgen.extract.key import key
from deckgen.extract.names.written import looks_coded
from deckgen.extract.notes.statement import definition, hole_in, is_link
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import CODE_SPAN, has_words, is_chinese, plain, squeezed, title, width, without_number
from deckgen.extract.wording import prompt
from deckgen.extract.worth.prose import (
    begins_midway,
    breaks_off,
    has_debris,
    instructs,
    is_personal,
    points_away,
    praises,
    talks,
)
from deckgen.model.document import Block, Item, Items, Prose, Quote
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Hole, Note, Output, back, front
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_SENTENCE = pattern(r"(?<=[。！？!?])(?![”」』)）])|(?<=[.;])\s+(?=[A-Z`*\u3400-\u9fff])|\n(?=\s*(?:\d+[.)]|[-*•])\s)|\n\n")
_LABEL = pattern(
    r"^\W*(?:«definition.remark»|«definition.no_term»|tips?)(?:\s*\*\*\s*[:：]?|\s*[:：]\s*(?:\*\*)?|\s*[,，])\s*"
    r"|^\W*\[!\w+\][+-]?\s*",
)
"""What a sentence calls itself: `Note:`, `注意，`, `[!TIP]`."""
_LINK = pattern(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_NAME = pattern(r"@?\.?[A-Za-z_][\w.]*(?:\(.*\)|\[.*\])?(?:\s?=\s?[\w.\"']+)?", 0)
"""Code that has a name: no command, no path, no expression."""
_WORD = pattern(r"(?<![\w./`@-])(?:[A-Za-z_][\w.]*\w)(?:\(\))?")
_BEFORE_SUBJECT = pattern(r"^[\s>*+(（“\"-]*(?:(?:the|a|an|calling|using)\s+)?[\s*`]*$", 2)
_EXAMPLE = pattern(r"例子|示例|\b(?i:examples?)\b")
_LATIN = pattern(r"[A-Za-z][\w+-]*(?: [A-Za-z][\w+-]*){0,2}")
_BRANDS = frozenset(
    "PyTorch NumPy SciPy TensorFlow TensorBoard GitHub YouTube ImageNet OpenAI JavaScript MacOS LinkedIn FastAI AlexNet ResNet "
    "LeNet GoogLeNet VGGNet DenseNet MobileNet EfficientNet CuDNN LaTeX PyCharm VSCode HuggingFace".lower().split()
)
"""Names of products, written as only code is."""
_NARROWEST, _WIDEST = 14, 200
"""Columns of a sentence that is one fact."""
_LEAST_BESIDE = 12
"""Columns beside a gap by which it can be told."""
_MOST_NAMES = 3
"""Names of a sentence that is one fact; more are a list of them."""
_HANDFUL = 4
"""Items that can be recalled together."""
_LEAST_SAID = 8
"""Columns that say something of a name."""
_WHOLE = 300
"""Columns of an answer: what stands in a longer one is a fact of its own."""
_AUTHORED = ("choices", "blanks", "mnemonics")
_IDLE = (
    wording.CHORES,
    wording.CONTENTS,
    wording.EXERCISES,
    wording.QUIZ,
    wording.ROADMAP,
    wording.SCORES,
    wording.ANSWER_KEY,
)
"""Headings over what nobody learns."""

Place = tuple[int, int]


@collected
def facts(page: Page) -> Made:
    """A note of each sentence about code, in prose, quotes and lists, that no surer rule has made one of."""
    told = _Told(page)
    closed = _closed(page)
    for sentence in _sentences(page, closed):
        body = None if told.holds(sentence.text) else _body(sentence, told)
        if body is not None:
            if isinstance(body, Api):
                told.names.add(_asked(sentence.shown, body))
            anchor = key((*page.path(sentence.block), *sentence.above), sentence.text)
            rests_on = page.apis_on(sentence.span)
            told.lines.add(sentence.span.start)
            yield page.note(body, sentence.span, sentence.block, anchor, headings=sentence.shown, rests_on=rests_on), ()
    for index, block in enumerate(page.document.blocks):
        if isinstance(block, Items) and _is_open(page, index, closed):
            yield from ((note, ()) for note in _lists(page, index, block.items, told))


def _lists(page: Page, index: int, items: Sequence[Item], told: _Told) -> Iterator[Note]:
    """A question for each item that names code, with what stands below it and is in no note yet."""
    above: list[tuple[int, str]] = []
    for at, item in enumerate(items):
        while above and above[-1][0] >= item.depth:
            above.pop()
        label = _label(item.text)
        left = [child for child in _children(items, at) if _says(child.text) and not told.has(child)]
        coded = any("`" in text for text in (label, *(child.text for child in left)))
        if 0 < len(left) <= _HANDFUL and coded and not label.endswith("…"):
            shown = (*page.context(index), *(one for _, one in above))
            span = Span(item.span.start, left[-1].span.stop)
            answer = left[0].text if len(left) == 1 else "\n".join(f"- {' '.join(child.text.split())}" for child in left)
            body = Basic(prompt=prompt(page.document.language, "also", label), answer=answer)
            anchor = key((*page.path(index), *(one for _, one in above)), f"{label} {left[0].text}")
            yield page.note(body, span, index, anchor, headings=shown, rests_on=page.apis_on(span))
        above.append((item.depth, label))


def _children(items: Sequence[Item], at: int) -> Iterator[Item]:
    """The items right below an item."""
    deeper = takewhile(lambda item: item.depth > items[at].depth, islice(items, at + 1, None))
    yield from (item for item in deeper if item.depth == items[at].depth + 1)


def _says(text: str) -> bool:
    leads = is_link(text) or wording.TASK.match(text) or wording.QUESTION.search(text)
    return width(text) <= _WIDEST and has_words(plain(text)) and not (leads or text.endswith((":", "：")))


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    span: Span
    block: int
    above: tuple[str, ...]
    """The items that it stands below, outermost first."""
    shown: tuple[str, ...]
    """All that its card shows above it."""


@dataclass(eq=False)
class _Told:
    """What notes of the page say already."""

    page: Page
    names: set[str] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    """On which a note begins."""

    def __post_init__(self) -> None:
        self.lines.update(note.span.start for note in self.page.notes)
        found = ((note.headings, note.body) for note in self.page.notes)
        self.names.update(_asked(headings, body) for headings, body in found if isinstance(body, Api))

    @cached_property
    def text(self) -> str:
        return "\n".join(squeezed(f"{front(note)} {said}") for note in self.page.notes if _is_short(said := back(note)))

    def holds(self, text: str) -> bool:
        return squeezed(text) in self.text

    def has(self, item: Item) -> bool:
        return item.span.start in self.lines or self.holds(item.text)


def _asked(headings: Sequence[str], body: Api) -> str:
    return squeezed(f"{' '.join(headings)} {body.signature}")


def _is_short(answer: str) -> bool:
    return width(answer) <= _WHOLE


def _is_open(page: Page, index: int, closed: set[int]) -> bool:
    """True for a block that no quiz, no refusal and no idle heading holds."""
    span = page.document.blocks[index].span
    return closed.isdisjoint(range(span.start, span.stop)) and not _is_idle(page, index)


def _sentences(page: Page, closed: set[int]) -> Iterator[_Sentence]:
    """The sentences of the page that may be facts, with their lines."""
    for index, block in enumerate(page.document.blocks):
        if not isinstance(block, Prose | Quote | Items) or (page.chat and not isinstance(block, Items)):
            continue
        if _is_open(page, index, closed):
            for text, span, above in _texts(block):
                shown = (*page.context(index), *above)
                for sentence, lines in _parted(text, span):
                    if _is_fact(sentence):
                        yield _Sentence(sentence, lines, index, above, shown)


def _closed(page: Page) -> set[int]:
    """The lines of quizzes, of code that is asked about, and of what holds no facts."""
    ours = (note.span for note in page.notes if note.rule in _AUTHORED or isinstance(note.body, Choice | Output))
    spans = [*ours, *(skip.span for skip in page.refused)]
    return {line for span in spans for line in range(span.start, max(span.stop, span.start + 1))}


def _is_idle(page: Page, index: int) -> bool:
    heads = [plain(title(head)) for head in page.path(index)]
    return any(one.search(head) for head in heads[-2:] for one in _IDLE)


def _texts(block: Block) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    """The texts of a block, their lines, and what they stand below."""
    if isinstance(block, Prose | Quote):
        yield block.text, block.span, ()
    above: list[tuple[int, str]] = []
    for item in block.items if isinstance(block, Items) else ():
        while above and above[-1][0] >= item.depth:
            above.pop()
        if not wording.TASK.match(item.text):
            yield item.text, item.span, tuple(label for _, label in above)
        above.append((item.depth, _label(item.text)))


def _label(text: str) -> str:
    line = without_number(" ".join(text.split()))
    found = definition(line)
    first = (found.term if found else line).rstrip(":：")
    return first if width(plain(first)) <= 60 else f"{first[:30]}…"


def _parted(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Sentences of a text, without their labels and links, with their lines."""
    start = 0
    for cut in (*(match.span() for match in _SENTENCE.finditer(text)), (len(text), len(text))):
        part, first = text[start : cut[0]], span.line(text.count("\n", 0, start))
        last = span.line(text.count("\n", 0, cut[0]))
        start = cut[1]
        joined = _LINK.sub(r"\1", without_number(" ".join(part.split())))
        yield _LABEL.sub("", joined, count=1).strip(), Span(first, last + 1)


def _is_fact(text: str) -> bool:
    """True for a sentence that states something of code and stands by itself."""
    said = width(text)
    if not _NARROWEST <= said <= _WIDEST or "://" in text or text.endswith((":", "：", "?", "？", "…", "...")):
        return False
    if not any(sign in text for sign in "`_.()") and not any(map(looks_coded, _WORD.findall(text))):
        return False
    commands = instructs(text) and "`" not in text
    leans = begins_midway(text) or points_away(text) or talks(text) or is_personal(text)
    torn = breaks_off(text) or has_debris(text) or _closes_more(text) or text.count("`") % 2 == 1
    return not (commands or leans or torn or praises(text) or _EXAMPLE.search(text))


def _closes_more(text: str) -> bool:
    """True for the end of a bracket that another sentence opens."""
    bare = CODE_SPAN.sub("", text)
    return sum(map(bare.count, ")]）}")) > sum(map(bare.count, "([（{"))


def _body(sentence: _Sentence, told: _Told) -> Body | None:
    text = sentence.text
    names = list(_names(text))
    if not 1 <= len(names) <= _MOST_NAMES:
        return None
    start, stop = names[0]
    name = text[start:stop]
    said = width(plain(text[stop:]).strip(" *,，.。:：）)"))
    if _BEFORE_SUBJECT.match(text[:start]) and said >= _LEAST_SAID:
        bare = name.strip("`")
        body = Api(name=bare.partition("(")[0], signature=bare, meaning=text)
        if _asked(sentence.shown, body) not in told.names:
            return body
        names = names[1:]
    context = plain(" ".join(sentence.shown))
    place = hole_in(text, context) or _gap(text, names[::-1], context)
    return Cloze(text=text, holes=(Hole(1, *place),)) if place else None


def _gap(text: str, names: list[Place], context: str) -> Place | None:
    """The last name that is told nowhere else on the card; in Chinese else the last words in Latin letters."""
    latin = [match.span() for match in _LATIN.finditer(text)] if is_chinese(text) else []
    inside = [span for span in latin if not any(start <= span[0] < stop for start, stop in names)]
    for start, stop in (*names, *inside[::-1]):
        hidden = text[start:stop].strip("`")
        last = hidden.partition("(")[0].rpartition(".")[2].strip("@_ ") or hidden
        rest = f"{text[:start]} {text[stop:]}"
        told = re.search(rf"(?<![A-Za-z0-9_]){re.escape(last)}(?![A-Za-z0-9_])", f"{context} {rest}", re.IGNORECASE)
        if not told and width(plain(rest).strip(" ，。,.")) >= _LEAST_BESIDE:
            return start, stop
    return None


def _names(text: str) -> Iterator[Place]:
    """Where names of code stand: code spans that are names, and words that only code is written like."""
    spans = [(match.span(), match[2].strip()) for match in CODE_SPAN.finditer(text)]
    found = [place for place, code in spans if _NAME.fullmatch(code)]
    for match in _WORD.finditer(text):
        inside = any(start <= match.start() < stop for (start, stop), _ in spans)
        if not inside and match[0].lower() not in _BRANDS and (match[0].endswith("()") or looks_coded(match[0])):
            found.append(match.span())
    yield from sorted(found)


