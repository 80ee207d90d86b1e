"""The letters of options as people write them: `C`, `A\\B`, `b and d`, `**答案：** B、C`, or an option's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract.quiz.notations import ANSWER, LETTERS, unframed
from deckgen.extract.text import plain, squeezed
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_JOIN = r"\s*(?:[,，、和与及跟或&/+]|\\+|\band\b|\bor\b|\s)\s*(?:and\s+)?"
ONE_LETTER = r"(?<![A-Za-z0-9_])[A-H](?![A-Za-z0-9_'’+#])"
LETTERS_TOGETHER = pattern(rf"{ONE_LETTER}(?:{_JOIN}{ONE_LETTER})*|(?<![A-Za-z])[A-H]{{2,8}}(?![A-Za-z])")
_SMALL = pattern(
    r"(?<=[（(])[a-h](?=[)）])|(?<=\*\*)[a-h](?=[.):：]?\*\*)|(?<=option )[a-h]\b|(?<=answer is )[a-h]\b|(?<=answer: )[a-h]\b"
    r"|(?<=选)\s?[a-h](?![A-Za-z])|(?<![\w'’])[a-h](?=\) )|(?<=it's )[b-h](?=[\s.,;(])"
)
"""Letters that are written small: in brackets, in bold, after `option`."""
_BRACKETS = pattern(rf"(?<=(?<![A-Za-z0-9_])[A-H])[)）]({_JOIN})[（(]?(?=[A-H][)）])")
"""Between letters that stand together: `A) and B)`, `(A), (C)`."""
_LABELLED = pattern(
    rf"^\W*(?:{ANSWER}|答)\s*(?:(?:是|为|选|is)?\s*[】\])）]?\s*(?:[:：是为–—-]+|(?<=[】\]]))|is\s(?-i:(?=[A-H]\b)))"
    r"\s*[（(【\[]?"
    rf"(?P<letters>[A-Ha-h](?:(?:{_JOIN})?[A-Ha-h])*)(?![A-Za-z0-9_])(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ALONE = pattern(r"(?<![A-Za-z0-9_])[A-Ha-h](?![A-Za-z0-9_'’])")
_BRIEF = 12
"""Characters of an answer in which a small letter is that of an option."""


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
    rest = match["rest"].strip()
    rest = rest[1:-1] if rest[:1] in "（(" and rest[-1:] in "）)" else rest
    return letters, rest.strip(" 。.,，;；:：—-）)】]")


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
