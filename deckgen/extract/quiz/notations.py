r"""How people write quizzes, as tables: a row is one notation, with an example that is its test.

A row takes part as soon as it stands in its table. Words of languages stand in the lexicon, under `[quiz]`.

The letters of options as people write them: `C`, `A\B`, `b and d`, `**答案：** B、C`, or an option's own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deckgen.extract.labels import ANSWER
from deckgen.extract.text import CODE_SPAN, plain, squeezed
from deckgen.model.note import Option
from deckgen.text.pattern import HAN, pattern

LETTERS = "ABCDEFGH"
"""The letters of options."""


@dataclass(frozen=True, slots=True)
class Notation:
    """One way to write an option or a blank."""

    name: str
    pattern: re.Pattern[str]
    """Options have the groups `letter`, `box` or `number`, and `text`."""
    example: str
    """A quiz in Markdown that is read by this row and would not be without it."""
    seen: tuple[str, ...]
    """The seed, or two real documents, that need the row."""


_LINKEDIN = "Ebazhanov/linkedin-skill-assessments-quizzes"
_CHAPTERS = "AnvithPothula/machine-learning-textbook/docs/chapters"
_TOPICS = "khanqudooxs/medical-mcq-s/Physics_MCQ_Series"

OPTIONS = (
    Notation(
        "letter",
        pattern(
            r"^\s*(?:[-*+•]\s+)?(?:\[(?P<box>[ xX])\]\s*)?(?:\*\*)?(?:/(?=[A-H]\)))?[（(]?(?P<letter>[A-Ha-h])\s*(?:\*\*)?\s*"
            r"(?:[)）][.、:：]?|[.．、:：])(?:\*\*)?(?(box)(?=\s))\s*(?P<text>\S.*)$"
        ),
        "Which call copies?\n\nA. `view`\nB. `clone`\n\nAnswer: B\n",
        ("seed 000", "lydiahallie/javascript-questions/README.md", f"{_TOPICS}/Topic_02_Kinematics.md"),
    ),
    Notation(
        "task box",
        pattern(r"^\s*(?:[-*+]\s+)?\[(?P<box>[ xX])\]\s+(?P<text>\S.*)$"),
        "#### Q7. Which call copies?\n\n- [ ] `view`\n- [x] `clone`\n",
        (f"{_LINKEDIN}/git/git-quiz.md", f"{_LINKEDIN}/python/python-quiz.md"),
    ),
    Notation(
        "number within HTML",
        pattern(r"^(?P<number>[1-8])\.\s+(?P<text>\S.*)$"),
        "#### Which call copies?\n\n<div class=letters>\n1. `view`\n2. `clone`\n</div>\n\nThe correct answer is **B**.\n",
        (f"{_CHAPTERS}/05-regularization/quiz.md", f"{_CHAPTERS}/03-decision-trees/quiz.md"),
    ),
)
"""How a line begins that is an option."""

BOX = OPTIONS[1]

BLANKS = (
    Notation(
        "underscores",
        pattern(r"[\w.]*(?:\\?_){2,}(?:\s*(?:\\?_)+)*"),
        "The gradient is kept in `____`.\n\nAnswer: `grad`\n",
        ("seed 000",),
    ),
    Notation(
        "name and underscores",
        pattern(r"[\w.]+_\s(?:\\?_)+"),
        "To log a text call `add_ _`.\n\nAnswer: `add_text`\n",
        ("seed 000",),
    ),
)
"""What stands for something to be filled in."""

FRAMES = {chr(first + n): letter for first in (0x1F170, 0x1F150, 0x24B6, 0x24D0) for n, letter in enumerate(LETTERS)}
"""Letters in a frame or a circle."""
_FRAMED = pattern(f"([{''.join(FRAMES)}])\ufe0f?")
MARKED = pattern(r"\s*(?:[✅✔☑√]\ufe0f?|[（(\[【]\s*«quiz.right»(?:\s*«quiz.answer»)?\s*[）)\]】])\s*$")
"""Behind the option that is right."""
TICK_BEFORE = pattern(r"^\s*[✅✔☑]\ufe0f?\s*")
"""Before it."""
LINE_END = pattern(r"(?:\s*(?:<br\s*/?>|\\|&(?:nbsp|emsp|ensp);?))+\s*$", re.IGNORECASE)
"""How Markdown is told to begin a new line."""

_INLINE = pattern(
    r"(?:^|(?<=[\s；;，,。？?：:）)]))(?P<open>[（(]?)"
    r"(?:(?P<letter>[A-H])(?P<mark>[.)）、．:：])(?!\w\.)|(?P<small>[a-h])(?P<end>[)）]|\.(?=\s)))\s*"
)
_LETTER_AND_MARK = [pattern(rf"[{letter}{letter.lower()}][.)）、．:：]") for letter in LETTERS]
_CODE = pattern(r"(`+)[^`\n]+\1")


def unframed(text: str, behind: str = "") -> str:
    """Text in which 🅰️ and its kin are plain letters, with something behind each."""
    return text if text.isascii() else _FRAMED.sub(lambda match: FRAMES[match[1]] + behind, text)


def letter_on(marker: re.Match[str]) -> str:
    """The capital letter of a marker on a line of several options."""
    return marker["letter"] or marker["small"].upper()


def markers_on(text: str, above: int = 0) -> list[re.Match[str]]:
    """The letters in order where options stand side by side: `A. view  B. clone`; `above` counts those on lines above."""
    if above >= len(LETTERS) or not _LETTER_AND_MARK[above].search(text):
        return []  # most lines have no first letter: that costs less to see
    found: list[re.Match[str]] = []
    for match in _INLINE.finditer(_CODE.sub(lambda code: "`" * len(code[0]), text)):
        first = found[0] if found else match
        alike = all(match[name] == first[name] for name in ("open", "mark", "end"))
        if alike and letter_on(match) == LETTERS[above + len(found) : above + len(found) + 1]:
            found.append(match)
    before = text[: found[0].start()].strip() if found else ""
    fewest = 2 if not before or before[-1] in "?？" else 3
    return found if len(found) >= fewest and not (above and before) else []


def option_on(text: str) -> re.Match[str] | None:
    """The match of the row that reads a line as one option."""
    return next((match for row in OPTIONS if (match := row.pattern.match(text))), None)


def is_option(text: str) -> bool:
    """True for text that begins like a lettered option."""
    return OPTIONS[0].pattern.match(text) is not None


_TRUE = r"(?P<true>«quiz.true»|[√✓✔✅]\ufe0f?|T(?![a-z]))"
_FALSE = r"(?P<false>«quiz.false»|[×✗✘❌]\ufe0f?|F(?![a-z]))"
VERDICT = rf"(?:{_TRUE}|{_FALSE})(?![A-Za-z0-9_{HAN}])"
"""A word or a sign of judgement, as a part of other expressions."""
_VERDICT_FIRST = pattern(rf"^\W{{0,4}}?{VERDICT}[\s*.,:;!—–\-→，。：；！)）\]】]*(?P<why>.*)$", re.DOTALL)
_VERDICT_LAST = pattern(
    rf"^(?P<text>.{{6,}}?)[\s*]*(?:→|->|=>|——|[—–-]|[（(\[【]|(?<=[.。!！;；`])\s|(?<=[。！；]))[\s*]*(?P<verdict>{VERDICT}.*)$"
)


def verdict_of(text: str) -> tuple[bool, str] | None:
    """(is it true, why) of a text that begins with a verdict: `×（默认是 float32）`, `False. It ...`, `T`."""
    match = _VERDICT_FIRST.match(text.strip())
    return (match["true"] is not None, match["why"].strip("（）() ")) if match else None


def judged_on_line(text: str) -> tuple[str, str]:
    """(statement, verdict) of a line that has its verdict behind it; without a verdict the line as it is."""
    words = CODE_SPAN.sub(
        lambda found: "`" + "x" * (len(found[0]) - 2) + "`", text
    )  # the `(True)` of code is no verdict
    match = _VERDICT_LAST.match(words)
    return (text[: match.end("text")].strip(), text[match.start("verdict") :]) if match else (text, "")


_BOLD = pattern(r"(?<!\S)__(?=\w)[^_\n]*[^_\s]__(?!\S)")
"""`__Note:__`, bold type."""
_SPECIAL_NAME = pattern(r"(?<![A-Za-z0-9_\\])(?:\\?_){2}[A-Za-z0-9_\\]*[A-Za-z0-9](?:\\?_){2,}(?![A-Za-z0-9_\\])")
"""`__init__`; Chinese characters beside it are no part of the name."""
_FORM = pattern(r"(?:[^\W\d_]{1,14}(?: [^\W\d_]{1,14})?\.?\s*[:：]\s*(?:\\?_|＿)+[\s,，;；|]*)+")
"""What whoever takes a test writes on top: `Name: ____  Date: ____`."""
MAY_BE_GAP = pattern(r"__|_ _|\\_\\_|_ \\_")
"""What a blank has in it; most lines have nothing of it."""


def blank() -> re.Pattern[str]:
    """Any row of the table of blanks."""
    return re.compile("|".join(row.pattern.pattern for row in BLANKS))


def gaps(text: str) -> list[re.Match[str]]:
    """The blanks of a text; `__init__` is a name, and so is `add_`."""
    if not MAY_BE_GAP.search(text) or _FORM.fullmatch(text.replace("*", "")):
        return []
    masked = _BOLD.sub(_masked, _SPECIAL_NAME.sub(_masked, text))
    return list(blank().finditer(masked))


def _masked(found: re.Match[str]) -> str:
    return "x" * len(found[0])


def gap_in(text: str) -> re.Match[str] | None:
    """The first blank."""
    return next(iter(gaps(text)), None)


_JOIN = r"[^\S\n]*(?:[,，、&/+]|«grammar.joins»|\\+|[^\S\n])[^\S\n]*(?:«claim.and»[^\S\n]+)?"
"""Between letters on one line: `Answer: C`, and below it `A leaf ...`, names one."""
ONE_LETTER = r"(?<![A-Za-z0-9_])[A-H](?![A-Za-z0-9_'’+#])"
LETTERS_TOGETHER = pattern(rf"{ONE_LETTER}(?:{_JOIN}{ONE_LETTER})*|(?<![A-Za-z])[A-H]{{2,8}}(?![A-Za-z])")
_SMALL = pattern(
    r"(?<=[（(])[a-h](?=[)）])|(?<=\*\*)[a-h](?=[.):：]?\*\*)|(?<=option )[a-h]\b|(?<=answer is )[a-h]\b|(?<=answer: )[a-h]\b"
    r"|(?<=«quiz.choose»)\s?[a-h](?![A-Za-z])|(?<![\w'’])[a-h](?=\) )|(?<=it's )[b-h](?=[\s.,;(])"
)
"""Letters that are written small: in brackets, in bold, after `option`."""
_BRACKETS = pattern(rf"(?<=(?<![A-Za-z0-9_])[A-H])[)）]({_JOIN})[（(]?(?=[A-H][)）])")
"""Between letters that stand together: `A) and B)`, `(A), (C)`."""
_LABELLED = pattern(
    rf"^\W*(?:{ANSWER}|«quiz.answer_alone»)\s*(?:«quiz.chosen»?\s*[】\])）]?\s*(?:(?:[:：–—-]|«grammar.be»)+|(?<=[】\]]))|is\s(?-i:(?=[A-H]\b)))"
    r"\s*(?:«quiz.it_is»\s*(?=[（(]?[A-Ha-h]\s*(?:[.:)）。，,]|$)))?[（(【\[]?"
    rf"(?P<letters>[A-Ha-h](?:(?:{_JOIN})?[A-Ha-h])*)(?![A-Za-z0-9_])(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ALONE = pattern(r"(?<![A-Za-z0-9_])[A-Ha-h](?![A-Za-z0-9_'’])")
_BRIEF = 12
"""Characters of an answer in which a small letter is that of an option."""
_NEAR = 120
"""Characters in which a label, the letters and the marks around them end."""
_CLOSING_TAG = pattern(r"</(\w+)\s*>$")


def letters_in(text: str, options: Sequence[Option]) -> str:
    """The letters that a short answer consists of: `c`, `A\\B`, `I think B and D`, or an option's own words."""
    known = {option.letter for option in options}
    words = plain(unframed(text)).strip()
    if re.fullmatch(r"[A-Ha-h]{1,8}", words) and set(words.upper()) <= known:
        return words.upper()
    own = [option.letter for option in options if squeezed(option.text) and squeezed(option.text) == squeezed(words)]
    found = own or [letter for letter in _ALONE.findall(words) if letter.isupper() or len(words) <= _BRIEF]
    return "".join(dict.fromkeys(letter.upper() for letter in found if letter.upper() in known))


def letters_after_label(text: str) -> tuple[str, str] | None:
    """(letters, rest) of a line such as `**答案：** B、C. because`; None if it gives no letters."""
    match = _LABELLED.match(plain(unframed(text)))
    if not match:
        return None
    letters = "".join(letter for letter in match["letters"].upper() if letter in LETTERS)
    return letters, explanation_at_end(text, match["rest"])


def explanation_at_end(text: str, words: str) -> str:
    """The end of a Markdown text that has these words, as it is written: with its code spans and its full stop.

    What only joins it to the answer goes: `B, because x`, `B (because x)`, `(Answer: B. Because x)`. A closing tag
    goes if its opening one stands before the answer. Words that the text does not show near its begin, for example
    behind a framed letter, are given without marks.
    """
    words = words.strip()
    begins = range(min(len(text), _NEAR), -1, -1)
    written = next((text[at:] for at in begins if words and plain(text[at:]).strip() == words), words).strip()
    while (tag := _CLOSING_TAG.search(written)) and f"<{tag[1]}" not in written:
        written = written[: tag.start()].rstrip()
    written = written[1:-1] if written[:1] in "（(" and written[-1:] in "）)" else written
    written = written.lstrip(" 。.,，;；:：—–-）)】]").rstrip(" ,，;；:：—–-").removeprefix("(").removeprefix("（")
    closed = sum(map(written.count, "）)】]")) - sum(map(written.count, "（(【["))
    return written[:-1].rstrip() if closed > 0 and written[-1:] in "）)】]" else written


def shortened(reply: str, options: Sequence[Option]) -> str:
    """The reply in which `B. text of option B` is just `B`."""
    reply = re.sub("[✅✔☑]\ufe0f?", "√", reply)
    text = plain(unframed(_SMALL.sub(lambda match: match[0].upper(), reply)))
    text = _BRACKETS.sub(r"\1", text)
    for option in options:
        words = plain(option.text).strip(" 。.!！")
        if words and words in text:
            text = re.sub(rf"({option.letter})\s*[.)、．:：）,，]?\s*{re.escape(words)}", r"\1", text)
    return text
