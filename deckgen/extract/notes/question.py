"""Questions that are answered right there: headings, labelled or bold lines, items of lists, quotes and lids that ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from textwrap import dedent

from deckgen.extract.blocks import CALLOUT, markdown_of, pictures_right_below, says
from deckgen.extract.declared.asked import (
    answered_in_short,
    asks,
    begins_with_answer,
    follows,
    has_answer_label,
    has_question_label,
)
from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.notes.answer import (
    answer_below,
    answer_of,
    answering,
    behind_label,
    first_line,
    is_labelled,
    number_of,
    whole,
    with_context,
    without_label,
)
from deckgen.extract.page import Finds, Page, items_on, left_of
from deckgen.extract.quiz.choices import NO_ANSWER
from deckgen.extract.text import (
    ends_with_colon,
    is_chinese,
    plain,
    plain_width,
    title,
    width,
    without_emoji,
    without_number,
)
from deckgen.lexicon import prompt
from deckgen.model.document import Block, Code, Details, Heading, Items, Output, Prose, Quote, Turn
from deckgen.model.note import Basic, Note, Skipped, Standing
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_ALONE = pattern(r"^\s*[^\s>|#][^.。!！?？\n]*(?:[.](?=\w)[^.。!！?？\n]*)*[?？]\s*$")
"""One sentence that asks."""
_ON_ONE_LINE = pattern(r"^(?P<text>.{4,}?[?？])[\s*]*«question.answer_label»\s*[:：][\s*]*(?P<rest>\S.*)$")
"""`What is a leaf? A: a tensor that ...`"""
_FOLLOW_UP = pattern(r"^\W*(?:\w+ \()?«question.follow_up»")
_LONGEST = 40
"""Lines of an answer: what is longer is a chapter."""
_HANDY = 12
"""Lines of a sensible answer."""
_FEW_LINES = 4
_SHORTEST = 8
"""Columns of a question: `Why?` asks nothing by itself."""
_LONGEST_ADVICE = 60
_ANNOUNCED = "a question whose answer only announces what does not follow: it ends with a colon"

_ONLY_ASKED = "a question whose answer the source does not give"

_Asked = Iterator[tuple[Note, Sequence[int]]]
"""Notes, each with the indices of the blocks that it was made of."""


def pairs(page: Page) -> Finds:
    """Basic notes of questions and answers that both have a label: `Q:` and `A:`; where its deck says so, of a heading that asks."""
    return _questions(page, pairs_alone=True)


def questions(page: Page) -> Finds:
    """Basic notes of everything else that asks and is answered right there."""
    return _questions(page, pairs_alone=False)


def _questions(page: Page, *, pairs_alone: bool) -> Finds:
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    asked: dict[int, list[int]] = {}
    for index, block in enumerate(page.blocks):
        if index in used or not page.free(index) or (page.chat and not _is_tutors(page, index)):
            continue
        if pairs_alone and not any(map(has_question_label, _lines(block))) and not _is_card(page, index, block):
            continue
        made: _Asked = iter(())
        match block:
            case Heading():
                made = _by_heading(page, index, block, used)
            case Prose():
                made = _by_lines(page, index, block)
            case Items():
                made = _by_items(page, index, block)
            case Quote():
                made = _by_quote(page, index, block)
            case Details() if Kind.QUESTION in labels(block.summary).words and block.text.strip():
                made = iter([(_note(page, index, block.summary, block.summary, block.text, block.span), [index])])
        for note, blocks in _pairs_of(block, list(made)) if pairs_alone else made:
            used.update(blocks)
            reason = _why_unanswered(note)
            if reason:
                skipped.append(Skipped(note.span, reason, unanswered=True))
                continue
            notes.append(_answered_whole(note))
            if isinstance(block, Items):
                asked.setdefault(index, []).extend(range(note.span.start, note.span.stop))
    left = left_of(page, {index: items_on(page.blocks[index], lines) for index, lines in asked.items()})
    taken = frozenset(used - left.keys())
    return Finds(tuple(notes), tuple(skipped), taken, left, cards=taken if pairs_alone else frozenset())


def _pairs_of(block: Block, made: Sequence[tuple[Note, Sequence[int]]]) -> Sequence[tuple[Note, Sequence[int]]]:
    """The declared notes of a block; one in a paragraph declares what else asks there, which has no other note to be in."""
    declared = [one for one in made if one[0].origin is Standing.DECLARED]
    return made if declared and not isinstance(block, Items) else declared


def _lines(block: Block) -> Iterator[str]:
    """The lines of a block that may ask."""
    texts = [item.text for item in block.items] if isinstance(block, Items) else []
    texts += [block.text] if isinstance(block, Heading | Prose | Quote) else []
    return (line for text in texts for line in text.split("\n"))


def _declared(note: Note, declared: bool) -> Note:
    """The note, declared by its author or not."""
    return replace(note, origin=Standing.DECLARED) if declared else note


def _why_unanswered(note: Note) -> str:
    """Why what stands below a question does not answer it; empty if it does."""
    if not isinstance(note.body, Basic):
        return ""
    if Kind.OPTIONS in labels(note.body.answer):
        return NO_ANSWER
    labelled = Kind.QUESTION_LABEL in labels(note.body.prompt) and Kind.QUESTION not in labels(note.body.prompt)
    if labelled and Kind.QUESTION in labels(note.body.answer.strip()):
        return _ONLY_ASKED
    return "" if whole(note.body.answer) else _ANNOUNCED


def _answered_whole(note: Note) -> Note:
    return (
        replace(note, body=replace(note.body, answer=whole(note.body.answer))) if isinstance(note.body, Basic) else note
    )


def _is_tutors(page: Page, index: int) -> bool:
    at = page.turns[index]
    turn = page.blocks[at]
    return at >= 0 and isinstance(turn, Turn) and turn.speaker == "tutor"


def _note(page: Page, at: int, line: str, asked: str, answer: str, span: Span, answered: Span | None = None) -> Note:
    """A question, asked on this line, and its answer; of a labelled one no other labelled question above it is the context."""
    answer = answer.removesuffix("**") if answer.count("**") % 2 else answer  # `**答：warmup**` without its label
    alone = Kind.QUESTION_LABEL in labels(line) and not _FOLLOW_UP.match(line)
    shown = tuple(heading for heading in page.context(at) if not (alone and Kind.QUESTION_LABEL in labels(heading)))
    body, anchor = Basic(prompt=asked, answer=answer), key(page.path(at), asked)
    return page.note(body, span | (answered or span), at, anchor, headings=shown, rests_on=page.apis_on(span))


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


# headings


def _is_card(page: Page, index: int, block: Block) -> bool:
    """True for a heading that asks in a deck whose headings are cards, if no surer rule has made anything of what follows: code with
    an output is a card of its own.
    """
    if not (page.document.notation.headings and isinstance(block, Heading) and asks(block.text)):
        return False
    below = follows(page, index)
    return bool(below) and all(page.free(at) and not page.claims_about(at) for at in below)


def _by_heading(page: Page, index: int, block: Heading, used: set[int]) -> _Asked:
    if made := _under_labels(page, index, block, used):
        yield _declared(made[0], True), made[1]
        return
    asked = _heading_question(page, index, block)
    if _is_card(page, index, block):
        below = follows(page, index)
        if below != answering(page, below):  # more than what surely answers: the author says that all of it does
            text = _joined(*(without_label(markdown_of(page.blocks[at])) for at in below))
            if says(text):
                note = page.note(Basic(prompt=asked or title(block.text), answer=text), block.span, index, block.text)
                ids = tuple(name for at in below for name in page.apis_on(page.blocks[at].span))
                yield _declared(replace(note, rests_on=ids), True), [index, *below]
            return
    if not asked:
        return
    section = page.section(index)
    heads = [(at, one) for at in section if isinstance(one := page.blocks[at], Heading)]
    nearest = min((one.level for _, one in heads), default=0)
    names = [title(one.text) for _, one in heads if one.level == nearest]
    by_names = 2 <= len(names) <= _HANDY and Kind.WHICH in labels(asked)
    summaries = [at for at, one in heads if Kind.SUMMARY in labels(title(one.text))]
    places = [page.body(index)]
    if not by_names:  # it may be answered in its summary, or in its one subsection
        whole = [section] if len(heads) <= 1 and Kind.QUESTION in labels(asked) else []
        places += [page.body(summaries[-1])] if summaries else whole
    for place in places:
        found = [at for at in answering(page, place) if at not in used]
        if found:
            asked, found = with_context(page, asked, found)
            answer = answer_of(page, found)
            length = answer.count("\n") + 1
            if answer and length <= _LONGEST and not _better_as_list(page, block, found, length):
                span = block.span | page.blocks[found[-1]].span
                rests_on = tuple(name for at in found for name in page.apis_on(page.blocks[at].span))
                note = page.note(Basic(prompt=asked, answer=answer), span, index, block.text, rests_on=rests_on)
                blocks = len(follows(page, index)) if place == page.body(index) else 0
                pair = has_question_label(block.text) and begins_with_answer(page.blocks[found[0]])
                declared = pair or answered_in_short(page, block.text, answer, blocks)
                yield _declared(note, declared), [index, *found]
            return
    if by_names:
        body = Basic(prompt=asked, answer="\n".join(f"- {name}" for name in names))
        yield page.note(body, block.span, index, block.text), [index]


def _under_labels(page: Page, index: int, block: Heading, used: set[int]) -> tuple[Note, Sequence[int]] | None:
    """The question below a heading that is only its label, and the answer under the next heading: `### Question`, `### Answer`.

    The question may stand in the heading itself, or the heading may say what it is about: `### Question: hooks`.
    """
    words = labels(block.text).words
    after = page.body(index).stop
    head = page.blocks[after] if after < len(page.blocks) else None
    labelled = isinstance(head, Heading) and head.level >= block.level and Kind.ONLY_ANSWER in labels(head.text).words
    topic = words.found(Kind.QUESTION_LABEL)
    bare = Kind.ONLY_QUESTION in words or (topic and Kind.QUESTION not in words)
    if not (labelled or bare):
        return None
    own = [at for at in page.body(index) if says(markdown_of(page.blocks[at]))]
    asks = _heading_question(page, index, block)
    if labelled:
        answered = answering(page, page.body(after))
    elif bare and own and _asks_in_line(page.blocks[own[0]]):
        own, answered = own[:1], answering(page, own[1:])
    else:
        return None
    if not (bare and own) and not (asks and all(isinstance(page.blocks[at], Code) for at in own)):
        return None
    taken = [index, *own, *([after] if labelled else []), *answered]
    if not answered or not all(map(page.free, taken)) or not used.isdisjoint(taken):
        return None
    asked = "\n\n".join([*([] if bare else [asks]), *(markdown_of(page.blocks[at]).strip("\n") for at in own)])
    shown = (*page.context(index), topic["text"]) if bare and topic else page.context(index)
    anchor = key(page.path(index), asked if Kind.ONLY_QUESTION in words else block.text)
    rests_on = tuple(name for at in answered for name in page.apis_on(page.blocks[at].span))
    body = Basic(prompt=asked, answer=answer_of(page, answered))
    span = block.span | page.blocks[answered[0]].span
    return page.note(body, span, index, anchor, headings=shown, rests_on=rests_on), taken


def _asks_in_line(block: Block) -> bool:
    """True for a paragraph that ends by asking."""
    return isinstance(block, Prose) and Kind.QUESTION in labels(block.text.strip())


def _heading_question(page: Page, index: int, block: Heading) -> str:
    """The question that a heading asks; empty if it asks none."""
    text = title(block.text)
    words = plain(text)
    if labels(words).any_of((Kind.QUIZ, Kind.EXAMPLE, Kind.ROADMAP, Kind.MENU)):
        return ""
    if (
        (asking := labels(text).found(Kind.QUESTION_LABEL))
        and Kind.QUESTION in labels(asking["text"]).words
        and not page.chat
    ):
        return asking["text"].strip(" *")
    if Kind.QUESTION in labels(words) or (is_chinese(words) and Kind.INTERROGATIVE in labels(words)):
        head, mark, tail = text.partition("：" if "：" in text else ": ")  # `知识闪卡：什么是 X？`
        return tail.strip() if mark and Kind.CARD_LABEL in labels(head) and Kind.QUESTION in labels(tail) else text
    labelled = width(words) >= _SHORTEST and not page.chat and Kind.QUESTION_LABEL in labels(block.text).words
    if labelled or Kind.ASKED_ALOUD in labels(words):
        return text
    path = page.path(index)
    if is_aspect(words):
        subject = f"{title(path[-1])} - " if _aspect_of(words) == "" and path else ""  # `特点` asks nothing alone
        return f"{subject}{text}{'？' if page.chinese else '?'}"
    explained = any(isinstance(page.blocks[at], Prose | Items | Code) for at in page.body(index))
    if explained and 6 <= width(words) <= _LONGEST_ADVICE and Kind.ADVICE in labels(words):
        return f"{text} — {prompt(page.document.language, 'why')}"
    return ""


def _aspect_of(words: str) -> str | None:
    """What a heading names an aspect of, empty if it says no more than the aspect; None if it names none."""
    found = labels(words).found(Kind.ASPECT) if len(words) <= _LONGEST else None
    return next(filter(None, found.groups()), "") if found else None


def is_aspect(words: str) -> bool:
    """True if a heading names an aspect of something: `X 的特点`, `Advantages of X`."""
    return _aspect_of(words) is not None


def _better_as_list(page: Page, block: Heading, blocks: Sequence[int], length: int) -> bool:
    """An aspect over a long list: one card a line says more than one card with all of them."""
    only = page.blocks[blocks[0]]
    words = plain(title(block.text))
    if len(blocks) > 1 or not isinstance(only, Items) or Kind.QUESTION in labels(words):
        return False
    return (_aspect_of(words) == "" and len(only.items) > 5) or (length > _HANDY and is_aspect(words))


# lines


def _asks(line: str) -> tuple[str, str] | None:
    """(question, what stands behind it) of a line that has a label, asks in bold or answers itself; None for another line."""
    said = labels(line)
    match = said.found(Kind.QUESTION_LABEL) or said.found(Kind.BOLD_QUESTION) or _ON_ONE_LINE.match(line)
    if match is None:
        return None
    match = _ON_ONE_LINE.match(match["text"]) or match
    return without_number(without_emoji(match["text"]).strip(" *")).strip(), match.groupdict().get("rest") or ""


def _by_lines(page: Page, index: int, block: Prose) -> _Asked:
    """Lines of a paragraph that ask, each answered behind it, by the lines below it or by the blocks below."""
    if made := _by_label_lines(page, index, block):
        yield _declared(made[0], True), made[1]
        return
    lines = block.text.split("\n")
    begun = {at: found for at, line in enumerate(lines) if (found := _asks(line))}
    if not begun and not page.chat:
        asking = [at for at, line in enumerate(lines) if _asks_by_number(line)]
        if (0 in asking) if asking else _asks_alone(page, index, lines):
            begun = {at: (without_number(lines[at].strip(" *")), "") for at in asking or [0]}
    for at, stop in pairwise([*begun, len(lines)]):
        asked, rest = begun[at]
        own = [line for line in (behind_label(rest), *lines[at + 1 : stop]) if line.strip()]
        labelled = next((n for n, line in enumerate(own) if Kind.ANSWER_LABEL in labels(line)), 0)
        answers = has_answer_label(own[labelled]) if own and own[labelled] is not rest else bool(rest)
        asked, own = "\n".join([asked, *own[:labelled]]), list(map(without_label, own[labelled:]))
        own = own if any(line.strip() for line in own) else []  # `A:` stands above a list or code
        below = answer_below(page, index, number_of(block)) if stop == len(lines) else []
        if own and not ends_with_colon(own[-1].rstrip()) and not _in_row(page, index, below):
            below = []
        asked, below = with_context(page, asked, below)
        answers = bool(below) and (answers or begins_with_answer(page.blocks[below[0]])) if not own else answers
        pair = answers and has_question_label(lines[at])
        if pair and not _in_row(page, index, below):
            below = _at_once(page, below) or (pictures_right_below(page.blocks, index) if stop == len(lines) else [])
        answer = _joined(dedent("\n".join(line.rstrip() for line in own)), answer_of(page, below))
        chatter = all(Kind.TALK in labels(line) for line in own) and not below
        if answer and (pair or (not chatter and plain_width(asked) >= _SHORTEST)):
            span = Span(block.span.start + at, block.span.start + stop)
            answered = page.blocks[below[-1]].span if below else None
            note = _note(page, index, lines[at], asked, answer, span, answered)
            short = Kind.BOLD_QUESTION in labels(lines[at]) and answered_in_short(
                page, asked, answer, len(below) + bool(own)
            )
            yield _declared(note, pair or bool(short)), [index, *below]


def _by_label_lines(page: Page, index: int, block: Prose) -> tuple[Note, Sequence[int]] | None:
    """`**Question**` and `**Answer**` on lines of their own, with the question below the one and the answer below the other."""
    head, *lines = block.text.split("\n")
    if not _is_label(head, Kind.ONLY_QUESTION):
        return None
    at = next((at for at, line in enumerate(lines) if _is_label(line, Kind.ONLY_ANSWER)), None)
    if at is not None:
        asked, answer = "\n".join(lines[:at]).strip(), dedent("\n".join(lines[at + 1 :])).strip("\n")
        blocks = [index] if answer else [index, *answer_below(page, index, None)]
        answer = answer or answer_of(page, blocks[1:])
    else:
        stop = min(index + _FEW_LINES, len(page.blocks))
        label = next((one for one in range(index + 1, stop) if _is_answer_label(page.blocks[one])), None)
        if label is None or not all(map(page.free, range(index, label + 1))):
            return None
        between = [markdown_of(page.blocks[one]).strip("\n") for one in range(index + 1, label)]
        asked = _joined("\n".join(lines).strip(), *between)
        below = answer_below(page, label, None)
        blocks, answer = [*range(index, label + 1), *below], answer_of(page, below)
    if not asked or not answer or plain_width(asked) < _SHORTEST:
        return None
    return _note(page, index, head, asked, answer, block.span, page.blocks[blocks[-1]].span), blocks


def _is_label(line: str, label: Kind) -> bool:
    """True for a line that is nothing but a label, in bold or with a colon."""
    text = line.strip()
    return label in labels(text) and text.endswith(("*", ":", "：", "_"))


def _is_answer_label(block: Block) -> bool:
    return isinstance(block, Prose) and "\n" not in block.text.strip() and _is_label(block.text, Kind.ONLY_ANSWER)


def _at_once(page: Page, below: Sequence[int]) -> list[int]:
    """The first block of an answer, with the code behind it and what touches it or was announced: a later paragraph may be no answer."""
    kept = list(below[:1])
    for at in below[1:]:
        last, block = page.blocks[kept[-1]], page.blocks[at]
        announced = isinstance(last, Prose) and ends_with_colon(last.text.rstrip(" *"))
        if not (announced or isinstance(block, Code | Output) or last.span.stop >= block.span.start):
            break
        kept.append(at)
    return kept


def _in_row(page: Page, index: int, below: Sequence[int]) -> bool:
    """True if what stands below a question with a label ends at the next of them: it is all of the answer."""
    row = [page.blocks[index], *page.blocks[below[-1] + 1 : below[-1] + 2]] if below else []
    return len(row) > 1 and all(
        isinstance(one, Prose) and Kind.QUESTION_LABEL in labels(first_line(one.text)) for one in row
    )


def _asks_by_number(line: str) -> bool:
    """True for `2、view 和 reshape 的区别`."""
    if Kind.NUMBERED not in labels(line):
        return False
    return _ALONE.match(line) is not None or Kind.INTERROGATIVE in labels(without_number(line)).words


def _asks_alone(page: Page, index: int, lines: Sequence[str]) -> bool:
    """True for a sentence that asks, over a few lines that do not, above a quote or an answer with a label."""
    if not _ALONE.match(lines[0]):
        return False
    if len(lines) > 1:
        return len(lines) <= _FEW_LINES and not any(Kind.QUESTION in labels(line.strip()) for line in lines[1:])
    below = [page.blocks[at] for at in answer_below(page, index, None)]
    return any(map(is_labelled, below)) or isinstance(next(iter(below), None), Quote)


def _by_items(page: Page, index: int, block: Items) -> _Asked:
    """Items that ask, or give a task with its number, answered by further lines, by their children or by the blocks below."""
    path = page.path(index)
    if path and Kind.EXERCISES in labels(path[-1]).title:
        return
    items = block.items
    for at, item in enumerate(items):
        first, _, lines = item.text.strip().partition("\n")
        asked, rest = _asks(first) or (first, "")
        number = int(item.number) if item.number.isdecimal() and not page.chat else None
        numbered = number is not None
        question = Kind.QUESTION in labels(asked.strip()) or (numbered and Kind.INTERROGATIVE in labels(asked).words)
        pair = has_question_label(first) and (bool(rest) or any(map(has_answer_label, lines.split("\n"))))
        if not question and not pair and not (numbered and Kind.TASK in labels(asked).words):
            continue
        depth = item.depth
        stop = next((n for n in range(at + 1, len(items)) if items[n].depth <= depth), len(items))
        children = items[at + 1 : stop]
        bullets = "\n".join(f"{'    ' * (one.depth - depth - 1)}- {one.text.strip()}" for one in children)
        bullets = bullets.removeprefix("- ") if len(children) == 1 and Kind.BOLD_QUESTION in labels(first) else bullets
        own = "\n".join(without_label(part) for part in (rest, lines, bullets) if part.strip()).strip("\n")
        below = answer_below(page, index, number) if numbered and item is items[-1] else []
        announced = ends_with_colon(own) and below and isinstance(page.blocks[below[0]], Code)
        if (own or not question or len(items) > 1) and not announced:  # code alone is sure to belong to an item
            code = [one for one in below[:1] if isinstance(page.blocks[one], Code)]
            below = code if (len(below) == 1 and not page.claims_about(below[0])) or not own else []
        if answer := _joined(own, answer_of(page, below)):
            span = item.span | (children or [item])[-1].span | (page.blocks[below[-1]] if below else item).span
            note = _note(page, index, first, without_number(asked.strip(" *")), answer, span)
            yield _declared(note, pair), [index, *below]


def _by_quote(page: Page, index: int, block: Quote) -> _Asked:
    """`> **Q: ...?**` and its answer below it in the quote; a callout whose title asks."""
    first, _, lines = block.text.strip("\n").partition("\n")
    callout = CALLOUT.match(first)
    heading = callout["title"].strip(" *") if callout else ""
    asked, rest = (heading if Kind.QUESTION in labels(heading) else "", "") if callout else _asks(first) or ("", "")
    answer = without_label(f"{rest}\n{lines}".strip("\n"))
    if asked and answer:
        pair = has_question_label(first) and any(map(has_answer_label, lines.split("\n")))
        yield _declared(_note(page, index, first, asked, answer, block.span), pair), [index]
