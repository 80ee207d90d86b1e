"""What a tutor says of an answer: which letters are right, whether the pupil is, what is right instead, and what it explains.

The tutor may praise a wrong answer or name the wrong letter first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract.labels import ANSWER, Kind, labels
from deckgen.extract.quiz.notations import LETTERS, LETTERS_TOGETHER, ONE_LETTER, shortened
from deckgen.extract.text import code_spans, has_words, is_chinese, plain, squeezed, unescaped, width, without_emoji
from deckgen.model.note import Option
from deckgen.text.pattern import HAN, pattern

_BREAK = pattern(rf"[。！？；，,!?;\n…\u3000\t|｜]|\s{{2,}}|[.,](?=\s|[^\d\w]|[{HAN}])|(?<=[{HAN}])[,.]")
"""Where a clause ends."""
_REASON = pattern(r"[:：—–(（]|\s-\s|«quiz.because»")
"""What stands behind the clause that names a letter."""
_ARTICLE = pattern(r"A\s+(?!«quiz.after_letter»)[a-z]")
_NAMES = pattern(rf"{ANSWER}(?:\s*(?:«grammar.is»|[:：]))?|«quiz.names_right»", re.IGNORECASE)
"""`the correct answer is`"""
_APPROVES = pattern(
    r"«quiz.approves»|√|«tutor.right_alone»[!！]|«quiz.only»(?=[\s*]*[A-H](?![A-Za-z]))|«quiz.that_is»(?=[\s*]*[A-H])|«quiz.hence» (?=[A-H]\b)",
    re.IGNORECASE,
)
"""`B is right`"""
_REJECTS = pattern(r"«quiz.rejects»|n't\b|n’t\b|(?<!«quiz.reports»)«quiz.amiss»")
"""`you chose`, `wrong`, `tempting`"""
_BUT = pattern(
    r"«quiz.but»|(?:«quiz.no»|«quiz.not_confirmed»)[，,:：—–\s-]+|\s[-–—]+\s+(?=«quiz.turns_to»)"
    r"|[–—]+\s*(?=«quiz.turns_at»)",
    re.IGNORECASE,
)
"""Where a clause turns to the right answer: `Not quite: B is right`."""
_CONFIRMED = pattern(r"\W*(?:«quiz.yes»\W+)+(?:«quiz.names_option»\s*)?\W*", re.IGNORECASE)
_ADDS = pattern(rf"«quiz.adds»[\s:：*]*(?P<letters>{LETTERS_TOGETHER.pattern})")
"""`The other one is D`, `还漏了 C`: what the pupil did not find."""
_NAMES_RIGHT = pattern("«quiz.right_answer»")
"""What is called right is the answer, and not the pupil's."""
_YOURS = pattern(r"«quiz.your»\s*$")
_PARTLY = pattern("«quiz.partly»")
_PRAISE = pattern(r"\W*«quiz.praise»\s*[!！。.，,～~🎉👍]|[^\n✅✔☑💯]{0,16}[✅✔☑💯]")
"""`Great! ...`; `Great guess` praises the courage."""
_BOTH = pattern("«quiz.both»")
_OPENING = 40
"""Characters of a reply in which it confirms."""
_HEAD = 200
"""Characters of a reply that tell whether the pupil is right."""


class _Mention(NamedTuple):
    """Letters in a reply that their clause does not reject."""

    letters: set[str]
    named: bool
    """`the correct answer is B`; not `your answer B`, not `B is not the answer`."""
    approved: bool
    """`就是 B`, `B is right`, `Yes, B.`"""


def right_letters(reply: str, options: Sequence[Option], pupil: str) -> tuple[str, ...]:
    """The right letters by a tutor's reply to a pupil who chose `pupil`; empty if it does not say."""
    text = shortened(reply, options)
    known = {option.letter for option in options}
    mentions = [mention for mention in _mentions(text) if mention.letters <= known]
    for good in ([one for one in mentions if one.named], [one for one in mentions if one.approved]):
        if good:
            added = _added(text) & known if good[0].letters <= set(pupil) else set()
            return tuple(sorted(good[0].letters | added))
    return _by_words(text, options) or _by_verdict(reply, text, tuple(sorted(set(pupil) & known)))


def _added(text: str) -> set[str]:
    """The letters that a reply adds to those which the pupil found."""
    found: set[str] = set()
    for match in _ADDS.finditer(text):
        found.update(() if _REJECTS.search(_BREAK.split(text[match.end() :], maxsplit=1)[0]) else match["letters"])
    return found


def _mentions(text: str) -> Iterator[_Mention]:
    for match in LETTERS_TOGETHER.finditer(text):
        if _ARTICLE.match(text, match.start()):
            continue
        start = max((one.end() for one in _BREAK.finditer(text, 0, match.start())), default=0)
        stops = (end.search(text, match.end()) for end in (_BREAK, _REASON))
        clause = text[start : min((stop.start() for stop in stops if stop), default=len(text))]
        letters = {letter for letter in match[0] if letter in LETTERS}
        parts = _BUT.split(clause)  # `你选的是 A，但正确的是 B` turns there
        here = [part for part in parts if any(letter in part for letter in letters)]
        if _REJECTS.search((here or parts)[-1]):
            continue
        opens = match.start() < _OPENING and _CONFIRMED.fullmatch(text, 0, match.start())
        alone = opens and not has_words(clause[match.end() - start :])
        yield _Mention(letters, bool(_NAMES.search(clause)), bool(alone or _APPROVES.search(clause)))


def _by_words(text: str, options: Sequence[Option]) -> tuple[str, ...]:
    """The option whose words follow `the answer is`, when no letter is given."""
    label = next((match for match in _NAMES.finditer(text) if not _YOURS.search(text[: match.start()])), None)
    words = text[label.end() : label.end() + _HEAD].lstrip().partition("\n")[0] if label else ""
    named = [one for one in options if len(plain(one.text)) >= 2 and plain(one.text).strip(" 。.") in words]
    return (max(named, key=lambda option: len(option.text)).letter,) if named else ()


def _by_verdict(reply: str, text: str, pupil: tuple[str, ...]) -> tuple[str, ...]:
    """The pupil's letters, if the reply begins by confirming them, in words or with a mark."""
    head = _NAMES_RIGHT.sub("", text.strip()[:_HEAD])
    if Kind.CROSSED in labels(reply[:_HEAD]) or _PARTLY.search(head[:_OPENING]):
        return ()
    confirmed, denied = (labels(head).found(kind) for kind in (Kind.CONFIRMS, Kind.DENIES))
    if not confirmed:
        return pupil if not denied and _PRAISE.match(reply) else ()
    return () if denied and denied.start() <= confirmed.start() and not _BOTH.search(head) else pupil


# What explains.

_SENTENCE = pattern(
    r"(?<=[。！!？?])\s*|(?:(?<=\w\w[.])|(?<=[)`'\"*][.])|(?<=[.]\*\*)|(?<=(?:is|'s|or|on|nd|So|so) [A-H][.]))"
    r"\s+(?=[A-Z`*✅✔💡🎉])"
)
"""Where a sentence ends; `the answer is C.` ends one, and so does `option C.`."""
_ECHO = pattern(
    r"^.*?(?<![A-Za-z])[A-Ha-h](?![A-Za-z])[）)*]*\s*(?:[:：,，—–-]+|«grammar.is»?\s*«quiz.because»)\s*(?P<why>.*)$"
)
"""The option, said again before what explains it."""
_PRAISED = pattern(r"^\W*«quiz.yes»\s*[，,！!：:—–-]+\s*(?=\S)")
_LEADING = pattern(
    r"^(?:\W{0,4}[A-H](?:\W{0,3}[A-H]){0,5}\W{0,4}(?=[✅✔☑❌❎]))?(?:[\s✅✔☑💯🎯🎉\ufe0f]+|[❌❎][\s\ufe0f]*)"
    r"(?:[🅐-🅗🅰-🅷Ⓐ-Ⓗ]\ufe0f?\s*)?(?:[—–:：-]\s*)?"
)
_AGAIN = pattern(
    r"^\W*(?:(?:«quiz.yes»|«quiz.no»)\W{1,3})?(?:«quiz.says_again»\W*)*(?<![A-Za-z])[A-H]\W{0,2}[,，:：]\s*(?=\S)"
    r"|^\W*(?:(?:«quiz.yes»|«quiz.no»|«quiz.got_it»)\W{1,3})*(?<![A-Za-z])[A-H]\W{0,2}\.\s+(?=\S)"
)
"""`got it, B.`, `错啦 是 B，` before an explanation."""
_LABEL = pattern(r"^\W*«quiz.explanation»\W*[:：]\s*(?=\S)")
_LABELLED = pattern(ANSWER, re.IGNORECASE)
_NO_REASON = pattern(rf"{ANSWER}|{ONE_LETTER}|«quiz.you»", re.IGNORECASE)
_MISSED = pattern(r"«quiz.missed»|(?:[+-]|«quiz.gains»)\s*\d+\s*«quiz.points»", re.IGNORECASE)
"""`Oops`, `可惜`, `+10 分`: about the pupil, and no explanation."""
_TURN = pattern(r"[,，;；:：—–]|«quiz.turn»")
_SHORTEST = 8
_TELLING = 36
"""Columns of what is more than a verdict."""


def teaching(text: str, options: Sequence[Option]) -> str:
    """What a line of a reply explains: praise, the verdict, the option said again and invitations left out."""
    told = " ".join(
        one for sentence in _SENTENCE.split(text.strip()) if (one := _explaining(sentence, options))
    ).strip()
    return told.removeprefix("**").removesuffix("**").strip() if told.count("**") % 2 else told


def _explaining(sentence: str, options: Sequence[Option]) -> str:
    sentence = _LABEL.sub("", _LEADING.sub("", sentence))
    brief = LETTERS_TOGETHER.sub("", shortened(sentence, options))
    sentence = _PRAISED.sub("", _AGAIN.sub("", sentence)).strip()
    words = plain(sentence)
    if width(squeezed(brief)) < 14 or Kind.TALK in labels(sentence) or _MISSED.search(words):
        return ""
    if not _LABELLED.search(words) and Kind.PRAISE not in labels(sentence):
        return sentence
    why = _ECHO.match(sentence)
    while why and (further := _ECHO.match(why["why"])) and _LABELLED.search(plain(why["why"][: further.start("why")])):
        why = further  # `you said B, but the answer is C: ...`
    if why is None or _LABELLED.search(plain(why["why"])):
        clauses = _TURN.split(words)
        rest = (one for one in clauses if not (_NO_REASON.search(one) or Kind.PRAISE in labels(one)))
        return sentence if width("".join(rest)) >= _TELLING else ""
    told = _PRAISED.sub("", why["why"]).strip()
    echoed = any(squeezed(told) in squeezed(option.text) for option in options)
    return told if not echoed and len(plain(told)) >= _SHORTEST and (" " in told or is_chinese(told)) else ""


# What is right instead of an answer in words.

_DOUBT_BEFORE = pattern(
    r"^\s*(?:«quiz.i_think»(?: that)?)?\s*"
    r"(?:«quiz.blank»(?=\W*«quiz.would»))?\s*"
    r"(?:«quiz.would_be»|«quiz.be»(?!«quiz.not_be»))?(?![A-Za-z_])\s*[,，:：…]*\s*",
    re.IGNORECASE,
)
_DOUBT_BEHIND = pattern(r"(?:[\s，,]*(?:«quiz.i_guess»|[?？。！!…~～]|\.(?=\s*$)))+\s*$")
_LABELLED_TEXT = pattern(
    rf"(?m:^).*{ANSWER}\**\s*«quiz.really»?(?:«quiz.comes_to»|[:：])\s*[:：]?\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_SHOULD_BE = pattern(r"«quiz.should_be»", re.IGNORECASE)
_IN_WORDS = pattern(
    rf"«quiz.should_be»\s*[:：]?\s*(?P<text>(?!«grammar.article»(?:\s|(?<=[{HAN}])))[^\s，,。.！!；;（(]"
    r"(?:[^，,。！!；;（(\s.]|\.(?=\w)|[（(][^（()）]*[)）])*)"
    r"\**\s*(?=[，,。.！!；;（(]|——|$)",
    re.IGNORECASE,
)
"""A right answer that is told without marks around it: `应该是 backward。`"""
_RIGHT_MARK = pattern("[✅✔☑💯]")
_NOT_CONFIRMED = pattern("«quiz.not_confirmed»")


def without_doubt(said: str) -> str:
    """`backward` of `I think it's backward?`; as it was where nothing would be left."""
    text = said.strip()
    for _ in range(3):
        match = _DOUBT_BEFORE.match(text)
        text = text[match.end() :] or text if match else text
    return _DOUBT_BEHIND.sub("", text) or said.strip()


def is_confirmed(text: str) -> bool:
    """True if a reply calls an answer right and does not correct it."""
    if Kind.CROSSED in labels(text) or _NOT_CONFIRMED.search(text):
        return False
    return Kind.CONFIRMS in labels(text).words or _RIGHT_MARK.search(text) is not None


_AMID = pattern(rf"[\s！!，,。~～]+(?=[{HAN}])")
"""Marks between words, which Chinese does without."""


def are_all_right(text: str) -> bool:
    """True if a reply begins by calling every answer right."""
    return Kind.ALL_RIGHT in labels(_AMID.sub("", plain(text)))


def labelled(lines: Sequence[str]) -> str:
    """What stands behind `the answer is` on one of the lines."""
    return next(
        (bare(match["text"]) for line in lines if (match := _LABELLED_TEXT.search(line)) and has_words(match["text"])),
        "",
    )


def corrected(lines: Sequence[str], said: str) -> str:
    """The code that lines put in the place of what was said: `should be `x``."""
    for line in lines:
        match = _SHOULD_BE.search(line)
        spans = code_spans(line[match.end() :]) if match else []
        if spans and unescaped(spans[0]) != said:
            return f"`{spans[0]}`"
    return ""


def told_in_words(lines: Sequence[str], said: str) -> str:
    """The same without marks of code."""
    found = next((match["text"] for line in lines if (match := _IN_WORDS.search(line))), "")
    return bare(found) if found and squeezed(found) != squeezed(said) else ""


def bare(text: str) -> str:
    """An answer without the marks and praise around it."""
    text = without_emoji(text).strip().strip("。！!.").strip()
    bold = re.fullmatch(r"\*\*([^*]+)\*\*", text)
    return bold[1] if bold else text
