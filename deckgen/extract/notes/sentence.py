"""Sentences to keep: those that define a term, `**term**: text` in running text, remarks to remember, lines to learn by heart."""

from __future__ import annotations

from collections import Counter

from deckgen.extract.blocks import CALLOUT
from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.notes.answer import first_line
from deckgen.extract.notes.statement import definition, hole_in, identifies, is_vague
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import code_spans, has_word, plain, title, width, without_emoji
from deckgen.model.document import Code, Heading, Prose, Quote
from deckgen.model.note import Basic, Cloze, Hole, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_DEFINES = pattern(
    r"^(?:(?:An?|The)\s+)?(?P<term>`[^`]+`|\*\*[^*]{2,40}\*\*)\s*(?:[（(][^（()）]*[）)])?\s*"
    r"(?:«definition.call_kind»\s*)?«definition.adverb»?\s*(?:«definition.defines»|(?<=\)` )[a-z]+s\b).{8,}$"
)
"""`` `nn.Flatten()` compresses the dimensions of a tensor ``: a term with marks, then what it is or does."""
_STRESSED = pattern(r"\*\*[^*]+\*\*|`[^`]+`")
_FIRST = pattern(r"(?<=[。！!])|(?<=[.;；])\s+(?=\S)")
_LONGEST = 160
_LONGEST_REMARK = 240
_REMARK = pattern(r"^\W*«definition.remark»(?:\s*\*\*\s*[:：]?|\s*[:：]\s*(?:\*\*)?)\s*")
"""What a remark calls itself, with a colon or in bold."""
_SAYS = pattern(
    r"«definition.comes_to»\s*[:：]?\s*(?P<is>\*\*[^*]+\*\*)"
    r"|«definition.in_case»[^。.！!]{4,80}?«definition.take»\s*(?P<use>`[^`]+`)"
    r"|«definition.take»\s+(?P<take>`[^`]+`)\s+«definition.for»"
)
"""`X 的本质是：**Y**`, `if you need X, use `Y` `: what is worth to be remembered in a quote."""
_PAIR = pattern(r"^\W*(?P<left>[^→:：=]*[^\s→:：=])\s*(?:→|->|=>|：|:\s)\s*(?P<right>\S.*)$")
"""`what → which`, of lines to learn by heart."""
_SHELL = ("bash", "sh", "shell", "console")
_LONGEST_NAME = 48
_LONGEST_LEFT = 24
_LONGEST_PAIR = 80


@collected
def sentences(page: Page) -> Made:
    """A cloze of each paragraph that begins by defining a term, a Basic of each line `**term**: text`."""
    blocks = [] if page.chat else list(page.each(Prose))
    terms = Counter(
        found.term for block in page.blocks if isinstance(block, Prose) and (found := definition(block.text))
    )
    for index, block in blocks:
        if note := _defining(page, index, block):
            yield note, [index]
            continue
        for line in page.lines(index):
            found = definition(line.text)
            # a term that begins more than one paragraph is a label, or somebody who speaks
            if not found or not _STRESSED.fullmatch(found.term) or terms[found.term] > 1:
                continue
            label = labels(found.term).words.any_of((Kind.NO_TERM, Kind.ANSWER_KEY, Kind.EXPLANATION))
            if not label and not line.text.rstrip().endswith((":", "：", "?", "？")):
                span = line_span(line.number)
                body = Basic(prompt=found.term, answer=found.text, reverse=identifies(found.term, found.text))
                yield page.note(body, span, index, found.term, rests_on=page.apis_on(span)), [index]


def _defining(page: Page, index: int, block: Prose) -> Note | None:
    first = _FIRST.split(block.text.strip().split("\n")[0], maxsplit=1)[0].strip()
    match = _DEFINES.match(first)
    if not match or width(first) > _LONGEST or first.endswith((":", "：", "?", "？")) or "](" in first:
        return None
    term, place = match["term"], match.span("term")
    name = plain(term).partition("(")[0].rsplit(".", 1)[-1]
    shown = has_word(" ".join(plain(title(heading)) for heading in page.path(index)), name)
    if shown or is_vague(first, *place):
        found = hole_in(first, " ".join(page.path(index)))
        if found is None or found[0] == place[0] or (shown and "(" not in term):
            return None
        place = found
    span = line_span(block.span.start)
    rests_on = page.apis_on(span) if code_spans(term) else ()
    return page.note(Cloze(text=first, holes=(Hole(1, *place),)), span, index, first, rests_on=rests_on)


@collected
def takeaways(page: Page) -> Made:
    """A cloze of each quote that says what something comes to, or what to use for what."""
    for index, block in page.each(Quote):
        text = "\n".join(line.rstrip() for line in block.text.strip("\n").split("\n"))
        callout = CALLOUT.match(text)
        label = callout if callout and text[callout.end() :].strip() else _REMARK.match(text)
        text = text[label.end() :].lstrip("\n") if label else text
        found = _SAYS.search(text) or (_DEFINES.match(text) if label else None)
        outline = any(Kind.ROADMAP in labels(heading).title for heading in page.path(index))
        if found and not outline and width(text) <= _LONGEST_REMARK and Kind.QUESTION not in labels(text.strip()):
            cloze = Cloze(text=text, holes=(Hole(1, *found.span(str(found.lastgroup))),))
            name = callout["title"].strip() if callout else ""
            headings = (*page.context(index), *([name] if name else []))
            yield (
                page.note(cloze, block.span, index, key(page.path(index), first_line(text)), headings=headings),
                [index],
            )


@collected
def mnemonics(page: Page) -> Made:
    """Of code or a quote below `口诀` or `cheat sheet` a note a line where all lines read `what → which`, else one note."""
    for index in range(1, len(page.blocks)):
        above, block = page.blocks[index - 1], page.blocks[index]
        if not isinstance(above, Prose | Heading) or not isinstance(block, Code | Quote) or not page.free(index):
            continue
        words = plain(above.text)
        asks = Kind.QUESTION in labels(words) or Kind.QUESTION_LABEL in labels(first_line(block.text))
        runs = index in page.code or (isinstance(block, Code) and block.language in _SHELL)
        if asks or runs or width(above.text) > _LONGEST_NAME or Kind.MNEMONIC not in labels(words):
            continue
        name = title(above.text)
        lines = block.lines if isinstance(block, Code) and block.lines else range(block.span.start, block.span.stop)
        texts = [(number, line) for number, line in zip(lines, block.text.split("\n"), strict=False) if line.strip()]
        pairs = [(number, match) for number, line in texts if (match := _PAIR.match(without_emoji(line)))]
        short = all(width(one["left"]) <= _LONGEST_LEFT and width(one[0]) <= _LONGEST_PAIR for _, one in pairs)
        if short and 1 < len(texts) == len(pairs):
            path = page.path(index)
            headings = path if path and name in title(path[-1]) else (*path, name)
            for number, match in pairs:
                left = match["left"].strip()
                body = Basic(prompt=f"{left} → ?", answer=match["right"].strip())
                yield page.note(body, line_span(number), index, left, headings=headings), [index]
        else:
            bare = not page.context(index) and len(texts) > 1
            prompt = f"{name} — {texts[0][1].strip()} …" if bare else name
            body = Basic(prompt=prompt, answer=block.text.strip("\n"))
            yield page.note(body, above.span | block.span, index, name), [index]
