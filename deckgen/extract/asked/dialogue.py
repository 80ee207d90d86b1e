"""Questions asked and answered in a conversation: by the pupil in a line, or by the tutor, who then says what is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from deckgen.extract import talk, wording
from deckgen.extract.blocks import is_rule, markdown_of
from deckgen.extract.page import Finds, Page
from deckgen.extract.quiz.feedback import teaching, without_doubt
from deckgen.extract.quiz.notations import is_option
from deckgen.extract.quiz.stems import cleaned
from deckgen.extract.text import plain, width
from deckgen.model.document import Block, Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Basic, Note
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_SHORTEST, _LONGEST = 8, 120
"""Columns of a question that a card can ask."""
_TELLING, _MOST = 16, 480
"""Columns of an answer; a longer one is a lesson."""
_ASKS_WHETHER = pattern(
    r"吗\s*[？?]|是不是|会不会|要不要|需不需要|有没有|^\W*(?:does|do|is|are|can|will|has|have)\b", re.IGNORECASE
)
_YES_OR_NO = pattern(r"(?:不?(?:会|是|能|可以|行|需要?|一定|用|要)|有|没有|对|yes|no)[。，,.!！]\s*", re.IGNORECASE)
_NAMING = 3
_NAME = pattern(r"(?=.*[_.()A-Z])[A-Za-z_][\w.]*(?:\([^()]*\))?")
"""An answer that is but a name of the API."""
_ABOUT = pattern(
    r"什么|为何|如何|怎么|区别|作用|哪[些个里儿一几种]|多少|何时|\b(?:what|why|how|difference|when|which|where)\b|[A-Za-z_]{3}.*(?:吗\W*$|是不是|会不会|要不要|需不需要|有没有)",
    re.IGNORECASE,
)
_ABOUT_TALK = pattern(
    r"^(?:这个?|它|此)(?![些类种时])|^(?:(?:is|does|do|has|can|will) )?(?:this|that|it)\b|可以|能不能|能否|能再|[帮教给]我|你|我们|推荐|接下来|下一|回复|继续|\b(?:can|could|would|will|shall|do|did) (?:you|we|i)\b|\byour?\b|"
    r"\bplease\b|\bnext\b|\b(?:let|give|show|tell) (?:me|us)\b|\bmy\b|\bi\b|\bwe\b",
    re.IGNORECASE,
)
"""A question about the talk and those who talk."""
_HOW_ONE_DOES = pattern(
    r"\b(?:how|why|when|where) (?:do|does|can|should|would|must) (?:i|we|you|one)\b(?! (?:continue|proceed|start|begin|answer|go on)\b)|我们?(?:该|要|应该)?(?=如何|怎么(?!办)|怎样)",
    re.IGNORECASE,
)
"""`How do I ...?` is about the matter, whoever does it."""
_ADDRESS = pattern(r"^(?:(?:老师|同学们?|大家|教授|hi|hey|hello|ok(?:ay)?|so|well)\s*[，,!！:：]?\s*)+", re.IGNORECASE)
_LEADS_IN = pattern(
    r"^(?:(?:那么?(?![个些种里样])|所以|另外|还有|对了)[，,\s]*(?=.{8}))?(?:(?:那么?|先|再|我来|来|我)*(?:问|考)(?:考|问)?(?:你|大家|一下)?(?:们)?(?:一?个)?(?:小?问题)?\s*[，,：:]\s*)?"
)
_PRECISELY = pattern(
    r"(?:更?(?:准确|确切|严格)(?:地|来)?说|more precisely|to be precise|strictly speaking)\s*[，,:：]\s*", re.IGNORECASE
)
_JUDGES = pattern(
    r"^\W*(?:基本(?:上)?[对正]|差不多|不完全|部分|准确地说|补充|满分|almost|close|partly|more precisely|good|nice|great)",
    re.IGNORECASE,
)


def dialogue(page: Page) -> Finds:
    """A Basic note of each short question of a pupil that is answered shortly, and of each that a tutor asks and judges."""
    notes: list[Note] = []
    used: set[int] = set()
    turns = [index for index, block in enumerate(page.blocks) if isinstance(block, Turn)] if page.chat else []
    for turn, asked_by in ((index, page.blocks[index]) for index in turns):
        made = _by_pupil(page, turn) if asked_by.speaker == "pupil" else _by_tutor(page, turn)  # type: ignore[union-attr] # a turn
        for asked, answer, blocks in made:
            span = Span(page.blocks[blocks[0]].span.start, page.blocks[blocks[0]].span.stop)
            notes.append(
                page.note(Basic(prompt=asked, answer=answer), span, blocks[0], asked, rests_on=page.apis_on(span))
            )
            used.update(blocks)
    return Finds(tuple(notes), (), frozenset(used))


_Found = Iterator[tuple[str, str, list[int]]]
"""(question, answer, indices of the blocks that say so)."""


def _said(page: Page, turn: int) -> list[int]:
    """Indices of what is said in a turn, without rules; empty if another idiom used some of it."""
    blocks = [at for at in range(turn + 1, page.turn_after(turn)) if not is_rule(page.blocks[at])]
    return blocks if all(map(page.free, blocks)) else []


def _before_quiz(page: Page, turn: int) -> list[int]:
    """Indices of what is said in a turn before what another idiom used: the next quiz."""
    blocks = [at for at in range(turn + 1, page.turn_after(turn)) if not is_rule(page.blocks[at])]
    return [*takewhile(lambda at: page.free(at) and not _moves_on(page.blocks[at]), blocks)]


def _moves_on(block: Block) -> bool:
    return isinstance(block, Prose) and talk.MENU.search(plain(block.text)) is not None


def _by_pupil(page: Page, turn: int) -> _Found:
    said = _said(page, turn)
    reply = page.turn_after(turn)
    if len(said) != 1 or reply == len(page.blocks) or page.blocks[reply].speaker != "tutor":  # type: ignore[union-attr] # a turn
        return
    block = page.blocks[said[0]]
    asked = _question(block.text) if isinstance(block, Prose) and "\n" not in block.text.strip() else ""
    told = _before_quiz(page, reply)
    if asked and 1 <= len(told) <= 2 and all(isinstance(page.blocks[at], Prose | Items) for at in told):
        answer = _with_verdict(asked, _taught(page, told), page.blocks[told[0]])
        if _TELLING <= width(answer) <= _MOST:
            yield asked, answer, [said[0], *told]


def _by_tutor(page: Page, turn: int) -> _Found:
    pupil = page.turn_after(turn)
    reply = page.turn_after(pupil)
    if reply >= len(page.blocks) or [page.blocks[at].speaker for at in (pupil, reply)] != ["pupil", "tutor"]:  # type: ignore[union-attr] # turns
        return
    said = [at for at in range(turn + 1, pupil) if not is_rule(page.blocks[at])]
    block = page.blocks[said[-1]] if said and page.free(said[-1]) else None
    asked = _question(block.text.strip().split("\n")[-1]) if isinstance(block, Prose | Heading) else ""
    answered = [at for at in range(pupil + 1, reply) if not is_rule(page.blocks[at])]
    told = next(
        (at for at in range(reply + 1, page.turn_after(reply)) if isinstance(page.blocks[at], Prose | Quote)), 0
    )
    if not asked or not answered or not told or not page.free(told) or not _judges(page.blocks[told].text):  # type: ignore[union-attr] # prose
        return
    answer = _taught(page, [told])
    words = without_doubt("\n\n".join(markdown_of(page.blocks[at]) for at in answered))
    confirmed = talk.CONFIRMS.search(plain(page.blocks[told].text)) or "满分" in page.blocks[told].text  # type: ignore[union-attr] # prose
    if width(answer) < _TELLING and confirmed and not wording.QUESTION.search(words):
        answer = words
    least = _NAMING if answer == words and _NAME.fullmatch(plain(answer)) else _TELLING
    if least <= width(answer) <= _MOST:
        yield asked, answer, [said[-1], told]


def _judges(text: str) -> bool:
    head = plain(text)[:40]
    return bool(
        talk.CONFIRMS.search(head) or talk.DENIES.search(head) or talk.PRAISE.search(head) or _JUDGES.match(head)
    )


def _question(line: str) -> str:
    """The question that a line ends with, without greetings; empty if it is about the talk itself, or a quiz."""
    if not wording.QUESTION.search(line.strip()) or is_option(line) or "__" in line:
        return ""
    sentences = re.split(r"(?<=[。！!？?])\s*|(?<=\w\w\.)\s+(?=[A-Z`])", line.strip())
    text = [one for one in sentences if one.strip()][-1]
    text = _LEADS_IN.sub("", _ADDRESS.sub("", cleaned([text])))
    words = plain(text)
    if not _SHORTEST <= width(words) <= _LONGEST or not _ABOUT.search(words):
        return ""
    return (
        ""
        if _ABOUT_TALK.search(_HOW_ONE_DOES.sub("", words)) or talk.CHATTER.search(words) or talk.MENU.search(words)
        else text
    )


def _with_verdict(asked: str, answer: str, reply: Block) -> str:
    """The answer to a question for yes or no, with that word."""
    told = reply.text if isinstance(reply, Prose) and _ASKS_WHETHER.search(asked) else ""
    said = None if told.startswith(answer) else _YES_OR_NO.match(told)
    return f"{said[0].strip()} {answer}" if said and answer else answer


def _taught(page: Page, blocks: list[int]) -> str:
    parts: list[str] = []
    for at in blocks:
        block = page.blocks[at]
        if isinstance(block, Prose):
            lines = [told for line in block.text.split("\n") if (told := teaching(_PRECISELY.sub("", line), ()))]
            parts += ["\n".join(lines)] if lines else []
        else:
            parts.append(markdown_of(block))
    return "\n\n".join(parts)
