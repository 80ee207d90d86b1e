"""Questions with their answers: headings that ask, `Q:`/`A:`, bold questions, `<details>`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deckgen.document import Code, Details, Directive, Heading, Items, Prose, Quote, Table, Turn
from deckgen.extract import wording
from deckgen.extract.answering import answer_of, answering, with_figure, without_mark
from deckgen.extract.blocks import is_rule, spanning
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_on, left_of
from deckgen.extract.prompts import prompt
from deckgen.extract.text import is_chinese, plain, title, width, without_emoji, without_number
from deckgen.note import Basic, Note, Skipped
from deckgen.pattern import pattern
from deckgen.source import Span

_LONGEST = 40
"""Lines of an answer: what is longer is a chapter."""
_SHORTEST = 8
"""Columns of a question: `Why?` asks nothing by itself."""
_HANDY = 12
"""Lines of a sensible answer."""
_Q = pattern(
    r"^\W*(?:\*\*)?(?:Q|问题?|提问|思考题|面试题|正面|Question|Front)\s*\d*\s*(?:\*\*)?\s*(?:::|[:：.、])(?:\*\*)?\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_BOLD_QUESTION = pattern(r"^\W*\*\*(?P<text>[^*]+?[?？][^*\w]*)\*\*\s*[:：]?\s*(?P<rest>.*)$")
_ASKING = frozenset({"question", "faq", "help", "quiz"})
"""Callouts whose first line may ask, where their title does not."""
_CALLOUT = pattern(r"^\[!(?P<kind>\w+)\][+-]?\s*(?P<title>.*)")


def questions(page: Page) -> Finds:
    """Basic notes of everything that asks and is answered right there."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    asked: dict[int, list[int]] = {}
    for index, block in enumerate(page.blocks):
        if index in used or not page.free(index) or _said_by_pupil(page, index):
            continue
        match block:
            case Heading():
                made = _heading(page, index, block, used)
            case Prose():
                made = _prose(page, index, block)
            case Details():
                made = _details(page, index, block)
            case Items():
                made = _items(page, index, block)
            case Quote():
                made = _callout(page, index, block)
            case _:
                continue
        for note, blocks in made:
            notes.append(note)
            used.update(blocks)
            if isinstance(block, Items):
                asked.setdefault(index, []).append(note.span.start)
    left = left_of(page, {index: items_on(page.blocks[index], lines) for index, lines in asked.items()})
    return Finds(tuple(notes), tuple(skipped), frozenset(used - left.keys()), left)


Made = Iterator[tuple[Note, Sequence[int]]]


def _said_by_pupil(page: Page, index: int) -> bool:
    if not page.chat:
        return False
    turn = page.blocks[page.turns[index]] if page.turns[index] >= 0 else None
    return not isinstance(turn, Turn) or turn.speaker != "tutor"


# Headings.


def _heading(page: Page, index: int, block: Heading, used: set[int]) -> Made:
    asked = _asked_by(page, index, block)
    if not asked:
        return
    answers = [page.body(index), *_further_answers(page, index, asked)]
    names = _names_below(page, index, block)
    by_names = bool(wording.WHICH.search(asked)) and 2 <= len(names) <= _HANDY
    if by_names:
        answers = answers[:1]
    for blocks in answers:
        free = [i for i in answering(page, blocks) if i not in used]
        if not free:
            continue
        asked, told = with_figure(page, asked, free)
        answer = answer_of(page, told)
        length = len(answer.split("\n"))
        if answer and length <= _LONGEST and not _better_as_list(page, block, free, length):
            span = spanning([block, page.blocks[free[0]]])
            rests_on = tuple(name for i in free for name in page.apis_on(page.blocks[i].span))
            note = page.note(Basic(prompt=asked, answer=answer), span, index, block.text, rests_on=rests_on)
            yield note, [index, *free]
        return
    if by_names:
        listed = "\n".join(f"- {name}" for name in names)
        yield page.note(Basic(prompt=asked, answer=listed), block.span, index, block.text), [index]


def _further_answers(page: Page, index: int, asked: str) -> list[range]:
    """Where else a heading may be answered: in its summary, or in its one subsection."""
    section = page.section(index)
    heads = [at for at in section if isinstance(page.blocks[at], Heading)]
    summaries = [at for at in heads if wording.SUMMARY.search(title(page.blocks[at].text))]  # type: ignore[union-attr]
    if summaries:
        return [page.body(summaries[-1])]
    return [section] if len(heads) <= 1 and wording.QUESTION.search(asked) else []


def _asked_by(page: Page, index: int, block: Heading) -> str:
    """The question that a heading asks; empty if it asks none."""
    text = title(block.text)
    words = plain(text)
    if _is_quiz_heading(words) or wording.EXAMPLE.search(words) or wording.ROADMAP.search(words):
        return ""
    if wording.QUESTION.search(words) or (is_chinese(words) and wording.INTERROGATIVE.search(words)):
        return _without_card_label(text)
    if aspect_of(words):
        return _with_subject(page, index, text)
    if wording.ADVICE.search(words) and _states(page, index, words):
        return f"{text} — {prompt(page.document.language, 'why')}"
    return ""


def _names_below(page: Page, index: int, block: Heading) -> list[str]:
    """The headings right below one that asks `which ones?` and only announces them."""
    below = [page.blocks[at] for at in page.section(index)]
    levels = [head.level for head in below if isinstance(head, Heading)]
    nearest = min(levels, default=block.level)
    return [title(head.text) for head in below if isinstance(head, Heading) and head.level == nearest]


def _is_quiz_heading(words: str) -> bool:
    return bool(wording.QUIZ.search(words)) or bool(wording.MENU.search(words))


def _states(page: Page, index: int, words: str) -> bool:
    """Advice has something below it that is more than the next heading."""
    return len(words) >= 6 and any(isinstance(page.blocks[i], Prose | Items | Code) for i in page.body(index))


def _without_card_label(text: str) -> str:
    """`知识闪卡：什么是 X？` asks `什么是 X？`."""
    head, mark, tail = text.partition("：" if "：" in text else ": ")
    labelled = (
        mark
        and (wording.RHYME.search(head) or re.search(r"知识|卡片|图解|\bQ\d*$", head))
        and wording.QUESTION.search(tail)
    )
    return tail.strip() if labelled else re.sub(r"^(?:Q|问)\s*\d*\s*[:：.]\s*", "", text)


def aspect_of(words: str) -> bool:
    """True if a heading names an aspect of something: `X 的特点`, `Advantages of X`."""
    found = wording.ASPECT.fullmatch(words) if is_chinese(words) else wording.ASPECT_EN.fullmatch(words)
    return bool(found) and len(words) <= 40


def _with_subject(page: Page, index: int, text: str) -> str:
    """`特点` asks nothing alone: the heading above it is its subject."""
    path = page.path(index)
    bare = wording.ASPECT.fullmatch(plain(text)) or wording.ASPECT_EN.fullmatch(plain(text))
    groups = bare.groupdict() if bare else {}
    alone = not (groups.get("subject") or groups.get("subject2"))
    mark = "？" if page.chinese else "?"
    subject = f"{title(path[-1])} - " if alone and path else ""
    return f"{subject}{text}{mark}"


def _better_as_list(page: Page, block: Heading, blocks: Sequence[int], length: int) -> bool:
    """An aspect over a long list: one card a line says more than one card with all of them."""
    only = [page.blocks[i] for i in blocks if not is_rule(page.blocks[i])]
    words = plain(title(block.text))
    if len(only) != 1 or not isinstance(only[0], Items) or wording.QUESTION.search(words):
        return False
    bare = words.lower() in wording.BARE_ASPECT and len(only[0].items) > 5
    return bare or (length > _HANDY and aspect_of(words))


# Prose, details and items.


def _prose(page: Page, index: int, block: Prose) -> Made:
    lines = block.text.split("\n")
    asked = [at for at, line in enumerate(lines) if _Q.match(line) or _BOLD_QUESTION.match(line)]
    for at, stop in pairwise([*asked, len(lines)]):
        match = _BOLD_QUESTION.match(lines[at]) or _Q.match(lines[at])
        assert match  # noqa: S101 # the lines were chosen by these patterns
        rest = [match.groupdict().get("rest") or "", *lines[at + 1 : stop]]
        below = [line for line in (without_mark(line) for line in rest) if line.strip()]
        blocks: list[int] = [index]
        asked_ = figured = _asked_text(without_number(without_emoji(match["text"])).strip())
        if not below and stop == len(lines):
            blocks += _answer_below(page, index)
            figured, told = with_figure(page, asked_, blocks[1:])
            below = [answer_of(page, told)] if told else []
        if not any(below) or _is_menu(below) or width(plain(match["text"])) < _SHORTEST:
            continue
        answer = "\n".join(line.rstrip() for line in below)
        first = block.span.start + at
        yield _asked(page, index, figured, answer, Span(first, block.span.start + stop), anchor=asked_), blocks


def _is_menu(lines: Sequence[str]) -> bool:
    return all(wording.CHATTER.search(line) for line in lines if line.strip())


def _answer_below(page: Page, index: int) -> list[int]:
    """The blocks that answer a question standing alone: up to three, to the next question, heading or rule."""
    blocks: list[int] = []
    for at in range(index + 1, min(index + 4, len(page.blocks))):
        block = page.blocks[at]
        if isinstance(block, Heading | Turn | Table | Directive) or is_rule(page.blocks[at]) or not page.free(at):
            break
        if _begins_another(block, first=not blocks):
            break
        if isinstance(block, Details) and not wording.REVEAL.match(plain(block.summary)):
            break
        blocks.append(at)
    return blocks


def _begins_another(block: object, *, first: bool) -> bool:
    """A paragraph that begins with a question of its own; below an answer also a list of nothing but questions."""
    if isinstance(block, Items):
        tops = [_first_line(item.text) for item in block.items if not item.depth]
        return not first and all(_Q.match(line) or wording.QUESTION.search(line) for line in tops)
    line = _first_line(block.text) if isinstance(block, Prose) else ""
    return bool(_Q.match(line) or _BOLD_QUESTION.match(line))


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _details(page: Page, index: int, block: Details) -> Made:
    summary = plain(block.summary)
    if not block.text.strip():
        return
    if not wording.REVEAL.match(summary):
        if wording.QUESTION.search(summary) or wording.INTERROGATIVE.search(summary):
            yield _asked(page, index, block.summary, block.text, block.span, anchor=summary), [index]
        return
    yield from _hidden(page, index, block.text)


def _hidden(page: Page, index: int, answer: str) -> Made:
    """A hidden answer to the question right above it."""
    above, block = page.blocks[index - 1] if index else None, page.blocks[index]
    if isinstance(above, Items) and wording.QUESTION.search((item := above.items[-1]).text.strip()):
        asked = without_number(_asked_text(item.text))
        yield _asked(page, index - 1, asked, answer, item.span | block.span), [index]
    if isinstance(above, Prose | Heading) and (wording.QUESTION.search(above.text.strip()) or _Q.match(above.text)):
        match = _Q.match(above.text)
        asked = match["text"] if match else title(above.text)
        yield _asked(page, index - 1, asked, answer, above.span | block.span), [index - 1, index]


def _callout(page: Page, index: int, block: Quote) -> Made:
    """`[!question] Why ...?` and the lines below it; or a question on the first of these."""
    first, _, answer = block.text.strip("\n").partition("\n")
    match = _CALLOUT.match(first)
    if match and answer.strip() and wording.REVEAL.match(plain(match["title"])) and match["title"].strip():
        yield from _hidden(page, index, answer.strip("\n"))
    if match and wording.QUESTION.search(match["title"]) and answer.strip():
        asked = match["title"].strip(" *")
        yield _asked(page, index, asked, answer.strip("\n"), block.span), [index]
    elif match and match["kind"].lower() in _ASKING:
        asked, _, answer = answer.strip().partition("\n")
        if answer.strip() and wording.QUESTION.search(asked):
            yield _asked(page, index, asked.strip(" *"), without_mark(answer.strip("\n")), block.span), [index]


def _items(page: Page, index: int, block: Items) -> Made:
    """Items that ask and are answered by further lines or by their children."""
    items = block.items
    for at, item in enumerate(items):
        first, _, rest = item.text.strip().partition("\n")
        bold = _BOLD_QUESTION.match(first)
        asked = bold["text"] if bold else first
        if not wording.QUESTION.search(asked.strip()) or "“" in asked[:2]:
            continue
        children = []
        for child in items[at + 1 :]:
            if child.depth <= item.depth:
                break
            children.append(child)
        own = "\n".join(part for part in ((bold["rest"] if bold else ""), without_mark(rest)) if part.strip())
        below = "\n".join(f"{'    ' * (c.depth - item.depth - 1)}- {c.text.strip()}" for c in children)
        answer = "\n".join(part for part in (own, without_mark(below) if len(children) == 1 else below) if part)
        if answer:
            span = Span(item.span.start, (children or [item])[-1].span.stop)
            prompt_ = without_number(_asked_text(asked))
            yield _asked(page, index, prompt_, answer, span), [index]


def _asked(page: Page, at: int, asked: str, answer: str, span: Span, *, anchor: str = "") -> Note:
    """A question and its answer, resting on the APIs that both name."""
    return page.note(Basic(prompt=asked, answer=answer), span, at, anchor or asked, rests_on=page.apis_on(span))


def _asked_text(text: str) -> str:
    match = _Q.match(text)
    return (match["text"] if match else text).strip(" *")
