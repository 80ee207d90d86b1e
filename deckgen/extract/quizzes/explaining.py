"""What of a tutor's reply explains: without praise, the verdict, the option said again and invitations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract import talk, wording
from deckgen.extract.quizzes.letters import LETTERS_TOGETHER, ONE_LETTER, shortened
from deckgen.extract.text import is_chinese, plain, squeezed, width
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_SENTENCE = pattern(
    r"(?<=[。！!？?])\s*|(?:(?<=\w\w[.])|(?<=[)`'\"*][.])|(?<=[.]\*\*)|(?<=(?:is|'s|or|on|nd|So|so) [A-H][.])|(?<=[✅✔☑❌❎\ufe0f] [A-H][.]))\s+(?=[A-Z`*✅✔💡🎉])"
)
"""Where a sentence ends; `the answer is C.` ends one, and so does `option C.`."""
_ECHO = pattern(
    r"^.*?[（(*]*(?<![A-Za-z])[A-Ha-h](?![A-Za-z])[）)*]*\s*(?:[:：,，—–-]+|\b(?:because|since|as)\b|因为|"
    r"是因为)\s*(?P<why>.*)$",
    re.IGNORECASE,
)
_PRAISED = pattern(
    r"^\W*(?:没错|对(?:的|了|啦)?|正确|完全正确|回答正确|答对了?|是的|yes|yep|right|correct|exactly|perfect|indeed|great)\s*[，,！!：:—–-]+"
    r"\s*(?P<why>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence that explains behind a word of praise."""
_LABEL = pattern(wording.ANSWER_LABEL, re.IGNORECASE)
_TELLING = 36
"""Columns of what is more than a verdict."""
_MENTIONED = pattern(rf"{ONE_LETTER}|你|\byour?\b", re.IGNORECASE)
_LEADING_MARKS = pattern(
    r"^(?:\W{0,4}[A-H](?:\W{0,3}[A-H]){0,5}\W{0,4}(?=[✅✔☑❌❎]))?(?:[\s✅✔☑💯🎯🎉\ufe0f]+|[❌❎][\s\ufe0f]*)(?:[🅐-🅗🅰-🅷Ⓐ-Ⓗ]\ufe0f?\s*)?(?:[—–:：-]\s*)?"
)
_LEADING_VERDICT = pattern(
    r"^\W{0,12}(?:不对|错[了啦]?|差一?点点?|可惜|对[的了啦]?|是的|没错)?[\s，,!！。~～…]{0,8}(?:这[里题]|其实)?(?:答案|正确答案|正确的?)?(?:应该|应当)?(?:是|选)"
    r"\s*\W{0,2}[A-H]\W{0,2}[，,：:]\s*(?=\S)"
    r"|^\W{0,4}(?:(?:(?:[iI]s|[wW]as)n'?t|[gG]ot it|[nN]o|[nN]ope|[yY]es|[yY]ep|[rR]ight|[cC]lose)\W{1,3})?(?:(?:[iI]t'?s|[iI]t is)\s*)?\W{0,2}(?<![A-Za-z])[A-H]\W{0,2}"
    r"(?:[,:]|(?<=[A-H])\.)\s+(?=\S)"
)
"""`错啦 是 B，`, `got it, B.` before an explanation."""
_LEADING_LABEL = pattern(r"^\W*(?:(?:答案)?解析|解释|explanation|reason)\W*[:：]\s*(?=\S)", re.IGNORECASE)
_VERDICT = pattern(
    r"失误|误伤|翻车|可惜|偏差|错了|答错|踩坑|掉坑|中招|接近[了啦]|[加得扣]\s*\d+\s*分|[+-]\s?\d+\s?(?:xp|points?|分)|\b(?:oops|oh no|uh[- ]oh|ouch|"
    r"los[et] (?:a|one) (?:heart|life|point)|not quite|unfortunately|incorrect|nope|sorry"
    r"|good (?:guess|try)|but no)\b",
    re.IGNORECASE,
)


def teaching(line: str, options: Sequence[Option]) -> str:
    """What a line of a reply explains: praise, the verdict, the option said again and invitations left out."""
    kept = [told for sentence in _SENTENCE.split(line.strip()) if (told := _explaining(sentence, options))]
    text = " ".join(kept).strip()
    return text.removeprefix("**").removesuffix("**").strip() if text.count("**") % 2 else text


def _explaining(sentence: str, options: Sequence[Option]) -> str:
    sentence = _LEADING_LABEL.sub("", _LEADING_VERDICT.sub("", _LEADING_MARKS.sub("", sentence)))
    words = plain(sentence)
    if _says_little(sentence, options) or talk.CHATTER.search(sentence) or _VERDICT.search(words):
        return ""
    told = re.search(wording.ANSWER_LABEL, words, re.IGNORECASE) or talk.PRAISE.search(sentence)
    if not told:
        return sentence.strip()
    praised = _PRAISED.match(sentence)
    if praised and len(plain(praised["why"])) >= 8 and not talk.PRAISE.search(praised["why"]):
        return (
            praised["why"].strip()
            if not re.match(rf"\W*(?:{ONE_LETTER}|选|就是|it'?s|the answer)", praised["why"], re.I)
            else ""
        )
    why = _ECHO.match(sentence)
    while why and (further := _ECHO.match(why["why"])) and _LABEL.search(plain(why["why"][: further.start("why")])):
        why = further  # `you said B, but the answer is C: ...`
    more_of_it = (
        rf"(?:and\s+)?{ONE_LETTER}|.*(?:{wording.ANSWER_LABEL})"  # `A, C and D are right`, `A, but the answer is B`
    )
    if not why or re.match(more_of_it, why["why"], re.IGNORECASE):
        return sentence.strip() if _says_more(words) else ""
    why = _PRAISED.match(why["why"]) or why
    told_why = why["why"].strip()
    if any(squeezed(told_why) in squeezed(option.text) for option in options):
        return ""
    return told_why if len(plain(told_why)) >= 8 and (" " in told_why or is_chinese(told_why)) else ""


def _says_more(words: str) -> bool:
    """True if clauses that neither praise nor name the answer tell something: `X is the default, so the answer is B`."""
    clauses = re.split(r"[,，;；:：—–]|\b(?:but|so|because|since)\b|因为|所以|而", words)
    rest = [one for one in clauses if not (_LABEL.search(one) or talk.PRAISE.search(one) or _MENTIONED.search(one))]
    return width("".join(rest)) >= _TELLING


def _says_little(sentence: str, options: Sequence[Option]) -> bool:
    """Nothing but letters, options said again, and a few words around them."""
    text = LETTERS_TOGETHER.sub("", shortened(sentence, options))
    return width(re.sub(r"[\W_]+", "", text)) < 14
