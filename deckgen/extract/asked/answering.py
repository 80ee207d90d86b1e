"""The answer under a question: its blocks as Markdown, without the conversation around them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract import talk, wording
from deckgen.extract.asked.asking import LABELLED, asks_more
from deckgen.extract.blocks import CALLOUT, is_beside, is_rule, markdown_of
from deckgen.extract.page import Page
from deckgen.extract.text import has_words, plain, width
from deckgen.model.document import Code, Details, Directive, Heading, Image, Items, Output, Prose, Quote
from deckgen.text.pattern import pattern

_A = pattern(
    r"^\W*(?:\*\*)?(?:(?:A|Ans|答案?|背面|(?:(?:strong|good|model|sample|ideal|expected|suggested|short) )?Answer|Back)\s*\d*\s*(?:\*\*)?\s*(?:::|[:：.、】])|(?:A\s*\d+|Answer|答案)\s*(?:\*\*)?\s*[-–—]\s"
    r"|(?:我|候选人|面试者|回答|参考答案|参考回答|标准答案|示例回答|Me|Candidate|Interviewee|Response)\s*\d*\s*(?:\*\*)?\s*[:：】])\*{0,2}\s*(?P<text>.*)$",
    re.IGNORECASE,
)
_ARROW = pattern(r"^\s*(?:->|=>|→|⇒|[👉💡➡]\ufe0f?)\s*(?=\S)")
"""Before an answer on a line of its own."""
_ABOUT_ANSWERS = pattern(
    r"^\W*(?:red flags?|(?:weak|bad|poor) answers?|(?:interviewer'?s? )?(?:feedback|comments?)|(?:面试官|老师)?(?:点评|评语|评价)|扣分项|错误回答)\W*[:：]",
    re.IGNORECASE,
)
"""What an interviewer notes of answers, and not what is right."""
_TITLE = 60
"""Columns of a line that may be a title."""
_FOLLOW_UP = pattern(r"^\W*\*\*[^*\n]{8,}[?？]\W*\*\*\s*(?:\n|$)")
"""A question in bold on a line of its own, which is answered below itself."""


def answer_of(page: Page, blocks: Sequence[int]) -> str:
    """The blocks as Markdown, without the conversation around them."""
    parts: list[str] = []
    for index in blocks:
        block = page.blocks[index]
        if isinstance(block, Prose):
            kept = (line for line in block.text.split("\n") if not (_is_chatter(page, line) or is_about_answers(line)))
            text = "\n".join(line.rstrip() for line in kept)
            text = text if any(not part.startswith("![") for part in parts) else without_mark(text)
        elif isinstance(block, Quote) and not CALLOUT.match(block.text):
            text = without_mark("\n".join(line.rstrip() for line in block.text.split("\n")))
        elif isinstance(block, Details) and wording.REVEAL.match(plain(block.summary)):
            text = block.text
        else:
            text = markdown_of(block)
        parts += [text.strip("\n")] if has_words(text) else []
    return "\n\n".join(parts)


def answering(page: Page, blocks: Sequence[int]) -> list[int]:
    """The blocks that can answer; nothing after the conversation moves on."""
    found: list[int] = []
    for index in blocks:
        block = page.blocks[index]
        if _asks_itself(block, first=not found):
            break
        if _says(block) and page.free(index):
            if is_rule(page.blocks[index]):
                if page.chat and found:
                    break
                continue
            if isinstance(block, Prose) and all(_is_chatter(page, line) for line in block.text.split("\n")):
                continue
            found.append(index)
        elif not isinstance(block, Image | Directive):
            break
    while found and _announces_more(page.blocks[found[-1]]):
        found.pop()
    if len(found) == 1 and _leads_on(page.blocks[found[0]]):
        return []
    return [] if all(isinstance(page.blocks[i], Heading) for i in found) else found


def _says(block: object) -> bool:
    """True for what can be part of an answer."""
    if isinstance(block, Image):
        return is_beside(block)
    return isinstance(block, Prose | Quote | Items | Code | Heading | Output)


def with_figure(page: Page, asked: str, blocks: Sequence[int]) -> tuple[str, Sequence[int]]:
    """A question and the blocks of its answer; `What does this figure show?` has the figure below it on its side."""
    first = page.blocks[blocks[0]] if blocks else None
    if not isinstance(first, Image) or not wording.FIGURE.search(asked):
        return asked, blocks
    return f"{asked}\n\n{markdown_of(first)}", blocks[1:]


def _asks_itself(block: object, *, first: bool) -> bool:
    """More questions answer none: a list of them, or one that is answered below itself; nor do tasks."""
    if isinstance(block, Items):
        return all(wording.TASK.match(item.text) for item in block.items) or asks_more(block)
    if first or not isinstance(block, Prose | Quote):
        return False
    return bool(_FOLLOW_UP.match(block.text)) or LABELLED.match(block.text.strip().partition("\n")[0]) is not None


def _announces_more(block: object) -> bool:
    """A last line with a colon, or one that names an example, belongs to what follows."""
    if not isinstance(block, Prose) or "\n" in block.text.strip():
        return False
    named = wording.EXAMPLE.search(plain(block.text)) and width(block.text) <= _TITLE
    return block.text.rstrip().endswith((":", "：")) or bool(named)


def _leads_on(block: object) -> bool:
    """`Here is an example` alone explains nothing."""
    return isinstance(block, Prose) and bool(wording.LEADS_ON.search(plain(block.text)))


def _is_chatter(page: Page, line: str) -> bool:
    return page.chat and bool(talk.CHATTER.search(plain(line)) or talk.MENU.search(plain(line)))


def labelled(text: str) -> str | None:
    """What stands behind the `A:` or `答：` with which a paragraph begins; None without one."""
    first, _, rest = text.strip().partition("\n")
    match = _A.match(first)
    return f"{match['text'].strip(' *')}\n{rest}" if match else None


def without_mark(line: str) -> str:
    """A line without the `A:`, `答：` or arrow before an answer."""
    match = _A.match(line)
    return match["text"] if match else _ARROW.sub("", line)


def is_about_answers(line: str) -> bool:
    """True for `Red flag: ...` and other notes of an interviewer."""
    return _ABOUT_ANSWERS.match(line) is not None
