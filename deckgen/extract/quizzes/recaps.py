"""What a tutor's reply says of a numbered answer: right, corrected, or told in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.extract import columns, talk, wording
from deckgen.extract.blocks import markdown_of
from deckgen.extract.page import Page
from deckgen.extract.quizzes.gaps import gap_in
from deckgen.extract.quizzes.hedges import unhedged
from deckgen.extract.quizzes.ordinals import parts_by_ordinal
from deckgen.extract.quizzes.question_numbers import number_borne
from deckgen.extract.quizzes.reply_parts import part_told
from deckgen.extract.text import code_spans, has_words, plain, squeezed, unescaped, without_emoji
from deckgen.model.document import Heading, Items, Prose, Quote, Row, Table
from deckgen.text.pattern import pattern

_WROTE = pattern(
    r"(?:你(?:写|答|填|回答|给出)的?(?:是|答案是?)?|\byou (?:wrote|said|answered|put)|"
    r"your answer(?: was)?)\s*[:：]?\s*(?P<text>.+)$",
    re.IGNORECASE,
)
_LABEL = pattern(
    rf"(?:{wording.ANSWER_LABEL})\**\s*(?:其实|应该|应当)?(?:是|为|is|was|should be|would be|:|：)\s*[:：]?\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_SHOULD = pattern(
    r"应(?:该|当)?(?:是|为|写成?|填)|(?:要|得|该)填|正确(?:的)?(?:写法|名字|名称|函数)?(?:是|为|：)|(?:函数|方法|参数|类)名是|(?:改|现在|正确的?)(?:成|为|写|用|叫)"
    r"|\b(?:should (?:be|read)|it's|it is|correct(?:ed)?(?: name| spelling)?(?: is|:)|spelled|meant|(?:is|are) (?:called|named)|full name(?: is)?|(?:the|its) (?:\w+ )?(?:argument|parameter|keyword|function|method|attribute|class|flag|name)(?: (?:you (?:need|want)|here))? is)\b|(?:全名|全称|写全)(?:是|叫|应该是)?|(?:名字?|就)?叫(?=[^\n`]{0,3}`)",
    re.IGNORECASE,
)
_IN_WORDS = pattern(
    r"(?:^\W*(?:(?:so )?close|almost|nearly|not quite|差一点点?|差不多|接近)了?[\s,，:：!！—–-]+(?:是)?(?=[A-Za-z.]*[_.][A-Za-z])|应(?:该|当)?(?:是|为|填)|(?:要|得|该)填|正确的?(?:答案|名字|写法)?(?:是|为)|叫做?|称(?:为|作)|\b(?:it|that|this|the (?:blank|name)) should be|"
    r"(?:\b(?:it(?:'s| is)|that(?:'s| is)) called|\bit(?:'s| is)(?=\s+[A-Za-z.]*_\w)|\bwe call (?:it|that|them|this))(?:\s+(?:an?|the)\b)?)"
    r"\s*[:：]?\s*(?P<text>(?!一[个种]|(?:an?|the)\s)[^\s，,。.！!；;（(]"
    r"(?:[^，,。！!；;（(\s.]|\.(?=\w)|[（(][^（()）]*[)）]|\s(?=[^，,。！!；;（(\s.]+(?:[，,。.！!；;]|$)))*)\**\s*(?=[，,。.！!；;（(]|——|$)",
    re.IGNORECASE,
)
"""A right answer that is told without marks around it: `应该是 backward。`"""
_RIGHT_MARK = pattern("[✅✔☑💯]")


def key_told(page: Page, reply: range, number: int, pupil: str) -> str:
    """The key to the exercise with this number by the tutor's reply; empty if it gives none."""
    part = part_told(page, reply, number)
    return (
        (_from_part(page, part, pupil) if part else "")
        or key_in_table(page, reply, number, pupil)
        or (pupil if pupil and all_right(page, reply) else "")
    )


def key_of_one(page: Page, reply: range, pupil: str) -> str:
    """The key to an exercise that stood alone: all that is said before the lesson goes on is about it."""
    part = list(_before_next(page, reply))
    return (_from_part(page, part, pupil) or _listed(page, part)) if part else ""


def key_of_blanks(page: Page, reply: range, given: Sequence[str]) -> str | None:
    """The key to an exercise whose blanks the reply goes through one by one; None if it does not, empty if it misses one."""
    told: dict[int, str] = {}
    for _, line in _before_next(page, reply):
        parts = parts_by_ordinal(line) if "空" in line or "blank" in line.lower() or "gap" in line.lower() else []
        told |= {number: f"{told.get(number, '')}{said}" for number, said in parts if number is not None}
    if not told:
        return None
    others = next((match[0] for said in told.values() if (match := _OTHERS.search(said))), "")
    told = {number: _OTHERS.sub("", said) for number, said in told.items()}
    keys = [_key_of_blank(told.get(at, others), value) for at, value in enumerate(given, 1)]
    return "; ".join(keys) if all(keys) else ""


_OTHERS = pattern(
    r"(?:the (?:others?|rest|first|last)|all (?:the )?others?)(?: (?:two|three|ones?|blanks?))?\s(?:is|are) (?:all )?(?:right|correct|fine)\W*"
    r"|(?:其[他它余]|剩下|另外)[^，。；;]{0,6}(?:对|正确|没问题)[了的]?\W*",
    re.IGNORECASE,
)
"""`the other two are right` behind what is said of one."""


def _key_of_blank(said: str, given: str) -> str:
    spans = [span for span in code_spans(said) if unescaped(span) != given]
    if corrected := _corrected([said], given):
        return corrected
    if _confirmed(said) and not talk.DENIES.search(said):
        return given
    return key_corrected(said, given) or (f"`{spans[0]}`" if len(spans) == 1 else "")


def _before_next(page: Page, reply: range) -> Iterator[tuple[int, str]]:
    """(block, line) of a reply before a heading, a table, a rule or the next exercise."""
    begun = False
    for index in reply:
        block = page.blocks[index]
        if isinstance(block, Heading | Table) or (isinstance(block, Prose) and not has_words(block.text) and begun):
            return
        for line in page.lines(index):
            if begun and gap_in(line.text):
                return
            begun = True
            yield index, line.text


def _listed(page: Page, part: Sequence[tuple[int, str]]) -> str:
    """The list of a reply that `补充完整的步骤：` or the like announces."""
    lists = [index for index, _ in part if isinstance(page.blocks[index], Items)]
    announced = (
        lists and isinstance(above := page.blocks[lists[0] - 1], Prose) and above.text.rstrip().endswith((":", "："))
    )
    return markdown_of(page.blocks[lists[0]]) if announced else ""


def all_right(page: Page, reply: range) -> bool:
    """The reply begins by calling every answer right."""
    head = [line.text for i in list(reply)[:3] for line in page.lines(i)]
    letters = re.sub(r"[\s！!，,。~～]+(?=[\u3400-\u9fff])", "", plain(" ".join(head)))
    return bool(talk.ALL_RIGHT.search(letters))


def _from_part(page: Page, part: Sequence[tuple[int, str]], pupil: str) -> str:
    lines = [text for _, text in part]
    for form in (_LABEL,):
        for line in lines:
            match = form.search(line)
            if match and has_words(match["text"]):
                return _trimmed(match["text"])
    corrected = _corrected(lines, pupil)
    if corrected:
        return corrected
    wrote = next((m["text"] for line in lines if (m := _WROTE.search(line))), pupil)
    quotes = list(dict.fromkeys(i for i, _ in part if isinstance(page.blocks[i], Quote)))
    text = "\n".join(lines)
    if _is_open(wrote) and quotes:
        return page.blocks[quotes[0]].text.rstrip()  # type: ignore[union-attr] # a quote
    if _confirmed(text):
        return _trimmed(unhedged(wrote))
    led = _LED.match(lines[0]) if pupil and lines else None
    if led and squeezed(led["name"]) != squeezed(pupil) and not talk.WRONG_MARK.search(lines[0]):
        return f"`{led['name']}`"
    told = next((match["text"] for line in lines if (match := _IN_WORDS.search(line))), "")
    if told and squeezed(told) != squeezed(pupil):
        return _trimmed(told)
    return markdown_of(page.blocks[quotes[0]]).replace("> ", "") if quotes else ""


_LED = pattern(r"\W{0,3}(?:\d{1,2}\s?[.、)）:：]\W{0,3})?`(?P<name>[\w.()]+)`\W{0,3}(?:[,，;；—–-]|$)")
"""A key right behind the number of its question, in another form than the pupil gave: `6. `synchronize` – close`."""


def key_corrected(told: str, given: str) -> str:
    """What a remark on a wrong answer says is right; empty if it does not."""
    lines = told.split("\n")
    labelled = next((match["text"] for line in lines if (match := _LABEL.search(line))), "")
    words = next((match["text"] for line in lines if (match := _IN_WORDS.search(line))), "")
    return _trimmed(labelled or _corrected(lines, given) or words)


def _is_open(wrote: str) -> bool:
    """An answer in words: the tutor's own words are the better key."""
    return bool(wrote) and not code_spans(wrote) and not re.search(r"[A-Za-z_]{3,}", plain(wrote))


def _corrected(lines: Sequence[str], pupil: str) -> str:
    for line in lines:
        match = _SHOULD.search(line)
        spans = code_spans(line[match.end() :]) if match else []
        if spans and unescaped(spans[0]) != pupil:
            return f"`{spans[0]}`"
    return ""


def _confirmed(text: str) -> bool:
    if talk.WRONG_MARK.search(text):
        return False
    return bool(_RIGHT_MARK.search(text) or talk.CONFIRMS.search(plain(text))) and not re.search(
        r"不正确|不对|错误|差一?(?:点|些)|不完全|incorrect|wrong|almost|not quite|so close|just missed",
        text,
        re.IGNORECASE,
    )


def key_in_table(page: Page, reply: range, number: int, pupil: str) -> str:
    """What a table of the reply gives as the key to the exercise with this number; empty if none does."""
    for index in reply:
        block = page.blocks[index]
        if not isinstance(block, Table):
            continue
        for row in block.rows:
            bears = number_borne(row.cells[0])
            if bears and bears.number == number:
                return _from_row(block, row, pupil)
    return ""


def _from_row(table: Table, row: Row, pupil: str) -> str:
    heads = {name: at for at, name in reversed(list(enumerate(plain(cell) for cell in table.header)))}
    right = next((row.cells[at] for name, at in heads.items() if columns.RIGHT.search(name)), "")
    if has_words(right):
        return _trimmed(right)
    wrote_at = next((at for name, at in heads.items() if columns.PUPIL.search(name)), None)
    others = [cell for at, cell in enumerate(row.cells) if at not in (0, wrote_at)]
    corrected = _corrected(others, unescaped(plain(row.cells[wrote_at])) if wrote_at is not None else pupil)
    if corrected:
        return corrected
    if wrote_at is None or talk.WRONG_MARK.search(" ".join(others)):
        return ""
    wrote = row.cells[wrote_at]
    if pupil and not _alike(pupil, wrote):
        return ""  # a table of other answers
    return (
        _trimmed(wrote)
        if code_spans(wrote)
        or not re.search(
            r"\d+\s*分|\d+\s*/\s*\d+|"
            r"points?",
            wrote,
        )
        else pupil
    )


def _alike(pupil: str, wrote: str) -> bool:
    """The table repeats what the pupil wrote, or rates it without repeating it (`10 points`)."""
    said, told = squeezed(pupil), squeezed(wrote)
    return said in told or told in said or bool(re.search(r"\d+\s*(?:分|points?)|^\W*\d+\s*/\s*\d+\W*$", wrote))


def _trimmed(text: str) -> str:
    """An answer without the marks and praise around it."""
    text = without_emoji(text).strip().strip("。！!.").strip()
    bold = re.fullmatch(r"\*\*([^*]+)\*\*", text)
    return bold[1] if bold else text
