"""The letters of options as people write them: `C`, `A\\B`, `b and d`, `**答案：** B、C`, or an option's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract import wording
from deckgen.extract.quizzes.hedges import unhedged
from deckgen.extract.quizzes.inline_options import LETTERS
from deckgen.extract.quizzes.option_dress import unframed
from deckgen.extract.quizzes.ordinals import option_by_place
from deckgen.extract.text import is_chinese, plain, squeezed, width
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_JOIN = r"\s*(?:,|，|、|和|与|及|跟|或|&|\band\b|\bor\b|/|\\+|\+|\s)\s*"
ONE_LETTER = r"(?<![A-Za-z0-9_])[A-H](?![A-Za-z0-9_'’+#])"
LETTERS_TOGETHER = pattern(rf"{ONE_LETTER}(?:{_JOIN}(?:and\s+)?{ONE_LETTER})*|(?<![A-Za-z])[A-H]{{2,8}}(?![A-Za-z])")
_LOWER = pattern(
    r"(?<=[（(])[a-h](?=[)）])|(?<=\*\*)[a-h](?=[.):：]?\*\*)|(?<=option )[a-h]\b|(?<=choice )[a-h]\b|"
    r"(?<=answer is )[a-h]\b|(?<=answer: )[a-h]\b"
    r"|(?<=选项)\s?[a-h](?![A-Za-z])|(?<=答案是)\s?[a-h](?![A-Za-z])|(?<=选)\s?[a-h](?![A-Za-z])|"
    r"(?<![\w'’])[a-h](?=\) )|(?:(?<=it's )|(?<=it is )|(?<=it’s ))[b-h](?=[\s.,;(]|$)(?! [a-z])|(?<=it's )a(?=[.,(]| \(|$)"
)
"""Letters of options that are written small: in brackets, in bold, after `option`."""
_BRACKETS = pattern(rf"(?<=(?<![A-Za-z0-9_])[A-H])[)）]({_JOIN}(?:and\s+)?)[（(]?(?=[A-H][)）])")
"""Between letters that stand together: `A) and B)`, `(A), (C)`."""
_TICK = pattern("[✅✔☑]\ufe0f?")
"""Pictographs that say `right`, as `√` does; words have none."""


def leading_letters(text: str, options: Sequence[Option]) -> str:
    """The letters that a numbered part of a reply begins with: `C ❌ you chose B`; empty if it begins with words."""
    match = _LEADING_LETTERS.match(unframed(text))
    letters = "".join(letter for letter in match["letters"] if letter in LETTERS) if match else ""
    return letters if set(letters) <= {option.letter for option in options} else ""


_LEADING_LETTERS = pattern(
    rf"\W*(?P<letters>{ONE_LETTER}(?:(?:{_JOIN})?[A-H])*)(?![A-Za-z0-9_'’])(?=\s*(?:\*\*)?\s*(?:[^\w\s*]|$))"
)


def letters_in(text: str, options: Sequence[Option]) -> str:
    """The letters that a short answer consists of: `c`, `A\\B`, `I think b and d`, or an option's own words."""
    known = {option.letter for option in options}
    words = plain(unframed(text)).strip()
    if re.fullmatch(r"[A-Ha-h]{1,8}", words) and set(words.upper()) <= known:
        return words.upper()
    named = [option.letter for option in options if squeezed(option.text) and squeezed(option.text) == squeezed(words)]
    if named:
        return "".join(named)
    if _ALL.fullmatch(words):
        return "".join(option.letter for option in options)
    place = option_by_place(words, len(options))
    if place is not None:
        return options[place].letter
    found = [m[0] for m in re.finditer(r"(?<![A-Za-z0-9_])[A-Ha-h](?![A-Za-z0-9_'’])", words)]
    lone = [letter for letter in found if letter.isupper() or len(words) <= 12]
    if not lone or len(words) > 400:
        return _by_part(words, options) or _by_name(words, options)
    return "".join(dict.fromkeys(letter.upper() for letter in lone if letter.upper() in known))


def _by_part(words: str, options: Sequence[Option]) -> str:
    """The letter of the only option that a pupil repeats a part of: `前向和损失吧` of `前向计算和损失`."""
    said = squeezed(unhedged(words))
    if width(said) < _FEWEST or len(words) > _SHORT_ANSWER:
        return ""
    found = [option.letter for option in options if _is_part(said, squeezed(option.text))]
    return found[0] if len(found) == 1 else ""


def _by_name(words: str, options: Sequence[Option]) -> str:
    """The letter of the only option in code with a name that a pupil says: `then it must be clone` of `x.clone()`."""
    if len(words) > _SHORT_ANSWER:
        return ""
    named = [set(_NAMES.findall(option.text)) if _IN_CODE.search(option.text) else set() for option in options]
    last = _NAME_AT_END.search(unhedged(words))
    if last is None:
        return ""
    like = [at for at, names in enumerate(named) if any(name.startswith(last["name"]) for name in names)]
    return options[like[0]].letter if len(like) == 1 and last["name"] in named[like[0]] else ""


_NAMES = pattern(r"[A-Za-z]\w{2,}")
_NAME_AT_END = pattern(r"(?P<name>[A-Za-z]\w{2,})[`()]*\W*$")
_IN_CODE = pattern(r"`|\w\(|\w_\w|\w\.\w")


def _is_part(said: str, text: str) -> bool:
    """Chinese leaves out a character or two; letters stand together."""
    left = iter(text)
    return said in text or (is_chinese(said) and 2 * len(said) > len(text) and all(one in left for one in said))


_FEWEST = 6
"""Columns of what names an option."""
_SHORT_ANSWER = 60


_ALL = pattern(r"\W*(?:全(?:都)?选|都选|全部?(?:都)?[是对]?|all of (?:them|the above)|all)\W*", re.IGNORECASE)


def letters_after_label(text: str) -> tuple[str, str] | None:
    """(letters, rest) of a line such as `**答案：** B、C. because`; None if it gives no letters."""
    match = _LABELLED.match(plain(unframed(text)))
    if not match:
        return None
    letters = "".join(letter for letter in match["letters"].upper() if letter in LETTERS)
    rest = match["rest"].strip()
    rest = rest[1:-1] if rest[:1] in "（(" and rest[-1:] in "）)" else rest
    return letters, rest.strip(" 。.,，；;:：—-）)】]")


_LABELLED = pattern(
    rf"^\W*(?:{wording.ANSWER_LABEL}|答|ans|a|correct(?: option| choice)?)\s*(?:是|为|选|is)?\s*[】\])）]?\s*(?:[:：是为\-–—]+|(?<=[】\]])|(?<=[a-z]{{5}})\.(?=\s))\s*[（(【\[]?"
    rf"(?P<letters>[A-Ha-h](?:(?:{_JOIN})?[A-Ha-h])*)(?![A-Za-z0-9_])(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)


def shortened(reply: str, options: Sequence[Option]) -> str:
    """The reply in which `B. text of option B` is just `B`."""
    text = plain(unframed(_LOWER.sub(lambda match: match[0].upper(), _TICK.sub("√", reply))))
    text = _BRACKETS.sub(lambda match: match[1], text)
    for option in options:
        words = plain(option.text).strip(" 。.!！")
        if words and words in text:
            text = re.sub(rf"({option.letter})\s*[.)、．:：）,，]?\s*{re.escape(words)}", r"\1", text)
    return text
