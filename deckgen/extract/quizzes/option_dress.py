"""How one lettered option looks: `A.` `(b)` `**C)**` `- D、` `🅰️` `[x]`, and how the right one is marked."""

from __future__ import annotations

import re
from itertools import takewhile

from deckgen.extract.quizzes.inline_options import LETTERS, letter_on, markers_on
from deckgen.text.pattern import pattern

ENCLOSED = {
    chr(first + n): letter
    for first in (0x1F170, 0x1F150, 0x1F130, 0x24B6, 0x24D0, 0xFF21, 0xFF41)
    for n, letter in enumerate(LETTERS)
}
"""🅰 🅐 🄰 Ⓐ ⓐ Ａ ａ: letters that wear a frame or are wide."""

FRAMED = pattern("([" + "".join(c for c in ENCLOSED if c not in "ＡＢＣＤＥＦＧＨａｂｃｄｅｆｇｈ") + "])\ufe0f?")
MAY_FRAME = pattern("[Ⓐ-ⓩ\U0001f130-\U0001f189]")
"""Cheap to look for, since most lines have nothing of it."""
LETTERED = pattern(
    r"""^\s*(?:[-*+•▪]\s+)?(?:\[(?P<box>[ xX√✓])\]\s*|[☐□○◯]\ufe0f?\s*)?(?:\*\*|__|(?P<tick>`))?
        [（(\[【]?\s*(?P<letter>[A-Ha-h])\s*(?:\*\*|__|(?(tick)`|(?!)))?\s*
        (?:[）)\]】]\s*[.、:：]?|[.．、:：]|\s[-–—]\s)(?:\*\*|__|(?(tick)`(?!\w)|(?!)))?\s*(?:\[(?P<late>[ xX√✓])\]\s+)?(?P<text>\S.*)$""",
    re.VERBOSE,
)
BOXED = pattern(
    r"^\s*(?:[-*+]\s+)?(?:\[(?P<box>[ xX√✓])\]\s+|\((?P<radio>[ xX])\)\s+|(?P<ballot>[☐☑☒]|&#974[456];)\ufe0f?\s*)(?P<text>\S.*)$"
)
"""An option of a list of tasks, or with a ballot box, without a letter."""
MAY_BE_BOXED = pattern(r"\s{0,12}(?:[-*+]\s+)?(?:\[|\([ xX]\)|[☐☑☒]|&#974)")
EMPTY_BOXES = frozenset({" ", "☐", "&#9744;"})
IN_BOLD = pattern(r"\s*(?:[-*+]\s+)?\*\*\s*[（(]?[A-Ha-h]\s*[.)、．:：）]")
LETTER_ALONE = pattern(
    r"^\s*(?:[-*+•▪]\s+)?(?:\*\*|__)?[（(]?(?P<letter>[A-H])(?:\*\*|__)?\s*[）).．、:：]{1,2}(?:\*\*|__)?\s*$"
)
"""The letter of an option that is the code below it."""
MARKED = pattern(
    r"\s*(?:✅|✔️?|☑️?|√|(?:←|⟵|⇐|<(?=-|=))[-–—=]*\s*"
    r"(?:(?:this is )?(?:the )?)?(?:正确|答案|correct|answer|(?:right|对的?)\W*$).*|(?://|#)\s*(?:correct|right|正确)(?:\s*answer|答案)?\W*$|[（(\[【]\s*(?:正确(?:答案)?|对|答案|"
    r"correct(?: answer)?|right)\s*[）)\]】])\s*$",
    re.IGNORECASE,
)
LEADING_MARK = pattern(r"^\s*(?:✅|✔️?|☑️?)\s*")
_MARK_BEHIND = r"(?<![A-Za-z0-9].)[\s*_`]*+(?:[）)\]】.．、:：]|[-–—]\s)"
_FIRST_ONES = "".join(framed for framed, letter in ENCLOSED.items() if letter == "A")
MAY_BEGIN = pattern(
    rf"[Aa\[(&☐☑☒{_FIRST_ONES}](?:(?<=\()(?<!\w\()[ xX]\)\s|(?<=[Aa]){_MARK_BEHIND}|(?<=\[)[ xX√✓]\]|(?<=&)#974|(?<=[☐☑☒{_FIRST_ONES}]))"
)
"""The first option, however it is dressed: cheap to look for, since most blocks have nothing of it."""
_MAY_GO_ON = pattern(rf"[Bb]{_MARK_BEHIND}")


def is_option(text: str) -> bool:
    """True for text that begins like a lettered option."""
    return LETTERED.match(text) is not None


def are_options(text: str) -> bool:
    """True for text that is nothing but lettered options; the first may have lost its letter, as a label of answers."""
    for told in (text, f"A. {text.lstrip()}") if _MAY_GO_ON.search(text) else ():
        lines = [line for line in told.split("\n") if line.strip()]
        found = [*takewhile(bool, map(_letters_on, lines))]
        letters = "".join(found)
        if len(letters) > 1 and len(found) == len(lines) and letters == LETTERS[: len(letters)]:
            return True
    return False


def _letters_on(text: str) -> str:
    match = LETTERED.match(text)
    return "".join(map(letter_on, markers_on(text))) or (match["letter"].upper() if match else "")


def unframed(text: str) -> str:
    """Text in which 🅰️ and its kin are plain letters."""
    return FRAMED.sub(lambda match: ENCLOSED[match[1]], text)
