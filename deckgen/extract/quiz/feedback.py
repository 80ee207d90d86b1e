"""What a tutor says of an answer: which letters are right, whether the pupil is, what is right instead, and what it explains.

The tutor may praise a wrong answer or name the wrong letter first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.quiz.notations import ANSWER, LETTERS, LETTERS_TOGETHER, ONE_LETTER, shortened
from deckgen.extract.text import code_spans, has_words, is_chinese, plain, squeezed, unescaped, width, without_emoji
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_BREAK = pattern(r"[。！？；，,!?;\n…\u3000\t|｜]|\s{2,}|[.,](?=\s|[^\d\w]|[\u3400-\u9fff])|(?<=[\u3400-\u9fff])[,.]")
"""Where a clause ends."""
_REASON = pattern(r"[:：—–(（]|\s-\s|«quiz.because»")
"""What stands behind the clause that names a letter."""
_ARTICLE = pattern(r"^A\s+(?!(?:is|was|are|and|or|would|also|looks|seems|sounds)\b)[a-z]")
_NAMES = pattern(rf"{ANSWER}(?:\s*(?:是|为|is|are|was|[:：]))?|«quiz.names_right»", re.IGNORECASE)
"""`the correct answer is`"""
_APPROVES = pattern(
    r"«quiz.approves»|√|对[!！]|只有(?=[\s*]*[A-H](?![A-Za-z]))|的是(?=[\s*]*[A-H])|\b(?:so|hence|thus|therefore) (?=[A-H]\b)",
    re.IGNORECASE,
)
"""`B is right`"""
_REJECTS = pattern(r"«quiz.rejects»|n't\b|n’t\b|(?<!报)错")
"""`you chose`, `wrong`, `tempting`"""
_BUT = pattern(r"«quiz.but»|\s[-–—]+\s+(?=(?:it|that|the)\b|should be\b)|[–—]+\s*(?=正确|应|答案)", re.IGNORECASE)
_OPENS_WRONG = pattern(r"^\W*(?:«quiz.rejects»|«quiz.no»)\W*[\s，,:：—–-]+", re.IGNORECASE)
"""`Not quite: B is right`: what comes before the colon is about the pupil."""
_CONFIRMED = pattern(r"\W*(?:«quiz.yes»\W+)+(?:(?:it(?:'s| is)|option|选项?|是|就是)\s*)?\W*", re.IGNORECASE)
_OPENING = 40
"""Characters of a reply in which it confirms."""
_HEAD = 200
"""Characters of a reply that tell whether the pupil is right."""


class _Mention(NamedTuple):
    letters: str
    before: str
    """The clause up to the letters."""
    clause: str
    opens: bool
    """Nothing but a confirmation stands before it in the reply."""

    def is_named(self) -> bool:
        """`the correct answer is B`; not `your answer B`, not `B is not the answer`."""
        return bool(_NAMES.search(self.before) or _NAMES.search(self.clause)) and not _REJECTS.search(self._own())

    def is_approved(self) -> bool:
        """`就是 B`, `B is right`, `Yes, B.`"""
        alone = self.opens and not has_words(self.clause[len(self.before) + len(self.letters) :])
        return (alone or bool(_APPROVES.search(self.clause))) and not _REJECTS.search(self._own())

    def _own(self) -> str:
        """The part of the clause between words such as `but`: `你选的是 A，但正确的是 B` turns there."""
        parts = _BUT.split(self.clause)
        here = [part for part in parts if any(letter in part for letter in self.letters)]
        return _OPENS_WRONG.sub("", (here or parts)[-1])


def right_letters(reply: str, options: Sequence[Option], pupil: str) -> tuple[str, ...]:
    """The right letters by a tutor's reply to a pupil who chose `pupil`; empty if it does not say."""
    text = shortened(reply, options)
    known = {option.letter for option in options}
    mentions = [mention for mention in _mentions(text) if set(mention.letters) <= known]
    for good in (_Mention.is_named, _Mention.is_approved):
        if found := next((mention for mention in mentions if good(mention)), None):
            more = _added(text, known) if set(found.letters) <= set(pupil) else set()
            return tuple(sorted({*found.letters, *more}))
    return (
        _by_words(text, options) or _by_verdict(reply, text, sorted(set(pupil) & known)) or _left(text, mentions, pupil)
    )


def _added(text: str, known: set[str]) -> set[str]:
    """The letters that a reply adds to those which the pupil found: `The other one is D`, `还漏了 C`."""
    found: set[str] = set()
    for match in _ADDS.finditer(text):
        stop = _BREAK.search(text, match.end())
        rest = text[match.end() : stop.start() if stop else len(text)]
        found.update(() if _REJECTS.search(rest) else known.intersection(match["letters"]))
    return found


_ADDS = pattern(rf"«quiz.adds»[\s:：*]*(?P<letters>{LETTERS_TOGETHER.pattern})")


def _mentions(text: str) -> list[_Mention]:
    found = []
    for match in LETTERS_TOGETHER.finditer(text):
        if _ARTICLE.match(text[match.start() :]):
            continue
        start = max((one.end() for one in _BREAK.finditer(text, 0, match.start())), default=0)
        stops = (end.search(text, match.end()) for end in (_BREAK, _REASON))
        clause = text[start : min((stop.start() for stop in stops if stop), default=len(text))]
        opens = match.start() < _OPENING and _CONFIRMED.fullmatch(text, 0, match.start()) is not None
        letters = "".join(dict.fromkeys(letter for letter in match[0] if letter in LETTERS))
        found.append(_Mention(letters, text[start : match.start()], clause, opens))
    return found


def _by_words(text: str, options: Sequence[Option]) -> tuple[str, ...]:
    """The option whose words follow `the answer is`, when no letter is given."""
    labels = (
        match
        for match in _NAMES.finditer(text)
        if not re.search(r"(?:[你您]的?|\byour\s+)$", text[: match.start()], re.I)
    )
    label = next(labels, None)
    words = text[label.end() : label.end() + _HEAD].lstrip().partition("\n")[0] if label else ""
    named = [one for one in options if len(plain(one.text)) >= 2 and plain(one.text).strip(" 。.") in words]
    longest = max(named, key=lambda option: len(option.text), default=None)
    return (longest.letter,) if longest else ()


def _by_verdict(reply: str, text: str, pupil: Sequence[str]) -> tuple[str, ...]:
    """The pupil's letters, if the reply begins by confirming them, in words or with a mark."""
    head = _NAMES_RIGHT.sub("", text.strip()[:_HEAD])
    if wording.WRONG_MARK.search(reply[:_HEAD]) or _PARTLY.search(head[:_OPENING]):
        return ()
    confirmed, denied = wording.CONFIRMS.search(head), wording.DENIES.search(head)
    if not confirmed:
        praised = _PRAISE.match(head) and not denied
        return tuple(pupil) if praised or re.match(r"[^\n✅✔☑💯]{0,16}[✅✔☑💯]", reply) else ()
    return () if denied and denied.start() <= confirmed.start() and not _BOTH.search(head) else tuple(pupil)


_NAMES_RIGHT = pattern(r"正确的?(?:答案|选项)|\b(?:correct|right) (?:answer|option|choice)s?\b", re.IGNORECASE)
"""What is called right is the answer, and not the pupil's."""
_PARTLY = pattern("«quiz.partly»")
_PRAISE = pattern(r"\W*«quiz.praise»\s*[!！。.，,～~🎉👍]")
"""`Great! ...`; `Great guess` praises the courage."""
_BOTH = pattern("«quiz.both»")


def _left(text: str, mentions: Sequence[_Mention], pupil: str) -> tuple[str, ...]:
    """`No. What differs is the rank, option b`: the one letter that is left when the pupil is wrong."""
    others = {m.letters for m in mentions if m.letters != pupil and not _REJECTS.search(m._own())}
    denied = wording.DENIES.search(text[:_HEAD]) or re.search(r"\bno\b", text[:_HEAD], re.IGNORECASE)
    return tuple(sorted(others.pop())) if pupil and denied and len(others) == 1 else ()


# What explains.

_SENTENCE = pattern(
    r"(?<=[。！!？?])\s*|(?:(?<=\w\w[.])|(?<=[)`'\"*][.])|(?<=[.]\*\*)|(?<=(?:is|'s|or|on|nd|So|so) [A-H][.]))"
    r"\s+(?=[A-Z`*✅✔💡🎉])"
)
"""Where a sentence ends; `the answer is C.` ends one, and so does `option C.`."""
_ECHO = pattern(r"^.*?(?<![A-Za-z])[A-Ha-h](?![A-Za-z])[）)*]*\s*(?:[:：,，—–-]+|是?«quiz.because»)\s*(?P<why>.*)$")
"""The option, said again before what explains it."""
_BEHIND_PRAISE = pattern(r"^\W*«quiz.yes»\s*[，,！!：:—–-]+\s*(?P<why>\S.*)$", re.DOTALL)
_LEADING = pattern(
    r"^(?:\W{0,4}[A-H](?:\W{0,3}[A-H]){0,5}\W{0,4}(?=[✅✔☑❌❎]))?(?:[\s✅✔☑💯🎯🎉\ufe0f]+|[❌❎][\s\ufe0f]*)"
    r"(?:[🅐-🅗🅰-🅷Ⓐ-Ⓗ]\ufe0f?\s*)?(?:[—–:：-]\s*)?"
)
_AGAIN = pattern(
    r"^\W*(?:(?:«quiz.yes»|«quiz.no»)\W{1,3})?(?:(?:答案|应该|就?是|选)\W*)*(?<![A-Za-z])[A-H]\W{0,2}[,，:：]\s*(?=\S)"
    r"|^\W*(?:(?:«quiz.yes»|«quiz.no»|(?i:it's|got it))\W{1,3})*(?<![A-Za-z])[A-H]\W{0,2}\.\s+(?=\S)"
)
"""`got it, B.`, `错啦 是 B，` before an explanation."""
_LABEL = pattern(r"^\W*«quiz.explanation»\W*[:：]\s*(?=\S)")
_LABELLED = pattern(ANSWER, re.IGNORECASE)
_MENTIONED = pattern(rf"{ONE_LETTER}|你|\byour?\b", re.IGNORECASE)
_MISSED = pattern(r"«quiz.missed»|[加得扣+-]\s*\d+\s*(?:分|xp|points?)", re.IGNORECASE)
"""`Oops`, `可惜`, `+10 分`: about the pupil, and no explanation."""
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
    sentence = _AGAIN.sub("", sentence)
    words = plain(sentence)
    if width(re.sub(r"[\W_]+", "", brief)) < 14 or wording.CHATTER.search(sentence) or _MISSED.search(words):
        return ""
    if not _LABELLED.search(words) and not wording.PRAISE.search(sentence):
        return sentence.strip()
    praised = _BEHIND_PRAISE.match(sentence)
    if praised and len(plain(praised["why"])) >= _SHORTEST and not wording.PRAISE.search(praised["why"]):
        again = re.match(rf"\W*(?:{ONE_LETTER}|选|就是|it'?s|the answer)", praised["why"], re.IGNORECASE)
        return "" if again else praised["why"].strip()
    why = _ECHO.match(sentence)
    while why and (further := _ECHO.match(why["why"])) and _LABELLED.search(plain(why["why"][: further.start("why")])):
        why = further  # `you said B, but the answer is C: ...`
    if not why or re.match(rf"(?:and\s+)?{ONE_LETTER}", why["why"]) or _LABELLED.search(plain(why["why"])):
        clauses = re.split(r"[,，;；:：—–]|\b(?:but|so|because|since)\b|因为|所以|而", words)
        rest = (one for one in clauses if not any(p.search(one) for p in (_LABELLED, wording.PRAISE, _MENTIONED)))
        return sentence.strip() if width("".join(rest)) >= _TELLING else ""
    told = (_BEHIND_PRAISE.match(why["why"]) or why)["why"].strip()
    if any(squeezed(told) in squeezed(option.text) for option in options):
        return ""
    return told if len(plain(told)) >= _SHORTEST and (" " in told or is_chinese(told)) else ""


# What is right instead of an answer in words.

_DOUBT_BEFORE = pattern(
    r"^\s*(?:«quiz.i_think»(?: that)?)?\s*"
    r"(?:(?:it|that|this|the (?:answer|blank)|答案|这里|这)(?=\W*(?:'s|is|should|would|must|应该|就?是)))?\s*"
    r"(?:应该是|应该填|就是|可能是|是(?!否)|填|为|'s|is|should be|would be|must be|might be)?(?![A-Za-z_])\s*[,，:：…]*\s*",
    re.IGNORECASE,
)
_DOUBT_BEHIND = pattern(r"(?:[\s，,]*(?:«quiz.i_guess»|[?？。！!…~～]|\.(?=\s*$)))+\s*$")
_LABELLED_TEXT = pattern(
    rf".*{ANSWER}\**\s*(?:其实|应该|应当)?(?:是|为|is|was|should be|would be|[:：])\s*[:：]?\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_SHOULD_BE = pattern(r"«quiz.should_be»", re.IGNORECASE)
_IN_WORDS = pattern(
    r"«quiz.should_be»\s*[:：]?\s*(?P<text>(?!一[个种]|(?:an?|the)\s)[^\s，,。.！!；;（(]"
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
    if wording.WRONG_MARK.search(text) or _NOT_CONFIRMED.search(text):
        return False
    return bool(_RIGHT_MARK.search(text) or wording.CONFIRMS.search(plain(text)))


def are_all_right(text: str) -> bool:
    """True if a reply begins by calling every answer right."""
    return bool(wording.ALL_RIGHT.search(re.sub(r"[\s！!，,。~～]+(?=[\u3400-\u9fff])", "", plain(text))))


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
