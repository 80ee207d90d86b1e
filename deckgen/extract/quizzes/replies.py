"""Which letters a reply says are right: the tutor may praise a wrong answer or name the wrong letter first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.quizzes.inline_options import LETTERS
from deckgen.extract.quizzes.letters import LETTERS_TOGETHER, shortened
from deckgen.extract.text import has_words, plain
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_ARTICLE = pattern(r"^A\s+[a-z]")
_NOT_ARTICLE = pattern(r"^A\s+(?:is|was|are|and|or|would|also|looks|seems|sounds)\b")
_BREAK = pattern(r"[。！？；，!?;\n…\u3000\t|｜]|\s{2,}|[.,](?=\s|[^\d\w]|[\u3400-\u9fff])|(?<=[\u3400-\u9fff])[,.]")
_TELLS_WHY = pattern(r"[:：—–(（]|\s-\s|\b(?:because|since|as)\b|因为", re.IGNORECASE)

_STRONG = pattern(
    rf"(?:{wording.ANSWER_LABEL})(?:\s*(?:其实|应该|应当|就|才)?\s*(?:是|为|is|are|was|would be|should be|:|"
    rf"：))?|应该选|应选|应该是|应为|正确(?:的)?(?:选项|选择)(?:是)?|正确的是"
    r"|correct (?:option|choice)s?|best (?:answer|choice)|should be|right (?:one|choice) is",
    re.IGNORECASE,
)
_WEAK = pattern(
    r"正确|没错|对的|都对|都行|都可以|都算|就是|确实|才是|才对|其实是|选的?就是|是对|(?<!不)对[了！!]|成立|只有(?=[\s*]*[A-H](?![A-Za-z]))|(?:(?<![选答说写填猜错意淆扰惑提调憾惜见要])|(?<=报错))的是(?=[\s*]*[A-H])|所以(?:选|是)"
    r"|\b(?:is|are|was|were) (?:\w+ )?(?:right|correct|true|it)\b|\bcorrect\b|\bright\b|it's|it is|that's it"
    r"|\b(?:so|hence|thus|therefore) (?=[A-H]\b)|\bexactly\b|\byes\b|√",
    re.IGNORECASE,
)
_AGAINST = pattern(
    r"你(?:选|答|的(?:回答|答案|选择)|写|猜)|(?<![漏少])选了|误选|不正确|不对|不是|不能|不会|并非|(?<!报)错|误|看起来|看似|似乎|干扰|陷阱|排除|部分|不成立"
    r"|\byou(?:r| \w+)? (?:chose|picked|selected|said|answered|answer|choice|guess|pick)|"
    r"\byou (?:chose|picked|said)|\bnot\b|n't|incorrect|wrong|tempting"
    r"|looks|seems|sounds|plausible|distractor|\btrap\b|false|popular|common|close|almost|partly|partially",
    re.IGNORECASE,
)


_OPENING_VERDICT = pattern(
    r"^\W*(?:not (?:quite|exactly|really)|almost|close|no|nope|incorrect|wrong|(?:is|was)(?:n't| not)(?: (?:right|correct|quite|it))*|不对|不完全(?:正确|对)|差一点|可惜|错了?)\s*[:：—–-]+"
    r"|^\W*(?:不对|错[了啦]?|可惜)[\s，,]*(?=(?:正确)?(?:应该)?(?:是|选|为))",
    re.IGNORECASE,
)
"""`Not quite: B is right`: what comes before the colon is about the pupil."""


class _Mention(NamedTuple):
    letters: str
    before: str
    """The clause up to the letters."""
    clause: str
    opens: bool = False
    """Nothing but a confirmation stands before it in the reply."""


def judged(reply: str, options: Sequence[Option], pupil: str) -> tuple[str, ...]:
    """The right letters by a tutor's reply to a pupil who chose `pupil`; empty if it does not say."""
    text = shortened(reply, options)
    known = {option.letter for option in options}
    mentions = [mention for mention in _mentions(text) if set(mention.letters) <= known]
    for good in (_is_named, _is_approved):
        for mention in mentions:
            if good(mention):
                others = _added(text, known) if good is _is_approved and set(mention.letters) <= set(pupil) else set()
                return tuple(sorted({*mention.letters, *others}))
    return _by_text(text, options) or _by_verdict(reply, text, pupil, known) or _by_denial(text, mentions, pupil)


def _mentions(text: str) -> list[_Mention]:
    found = []
    for match in LETTERS_TOGETHER.finditer(text):
        tail = text[match.start() :]
        if _ARTICLE.match(tail) and not _NOT_ARTICLE.match(tail):
            continue
        letters = "".join(dict.fromkeys(letter for letter in match[0] if letter in LETTERS))
        start = max((b.end() for b in _BREAK.finditer(text, 0, match.start())), default=0)
        stops = (pattern.search(text, match.end()) for pattern in (_BREAK, _TELLS_WHY))
        clause = text[start : min((stop.start() for stop in stops if stop), default=len(text))]
        opens = match.start() < _OPENING and _CONFIRMED.fullmatch(text, 0, match.start()) is not None
        found.append(_Mention(letters, text[start : match.start()], clause, opens))
    return found


def _added(text: str, known: set[str]) -> set[str]:
    """The letters that a reply adds to those which the pupil found: `The other one is D`, `还漏了 C`."""
    told = (match["letters"] for match in _ADDS.finditer(text) if not _AGAINST.search(_clause_at(text, match.end())))
    return {letter for letters in told for letter in letters if letter in known}


def _clause_at(text: str, at: int) -> str:
    stop = _BREAK.search(text, at)
    return text[at : stop.start() if stop else len(text)]


_ADDS = pattern(
    rf"(?:(?:the (?:other|second|missing|third)(?: (?:right|correct))?(?: (?:one|answer|option))? (?:is|was)|(?:you(?:'ve)? |it )?(?:also )?(?:missed|missing)|"
    rf"you forgot|(?:but |and )?so is)|(?<!泄)漏(?:选)?了?|少选?了|还有|还(?:要|应该?)选|另[外一]一?个(?:是|选))[\s:：*]*(?P<letters>{LETTERS_TOGETHER.pattern})",
    re.IGNORECASE,
)
_OPENING = 40
"""Characters of a reply in which it confirms."""
_CONFIRMED = pattern(
    r"\W*(?:(?:yes|yep|right|correct|exactly|indeed|that's it|(?:you've|you) got it|对的?|没错|是的|正确|嗯+)\W+)+(?:(?:it(?:'s| is)|option|选项?|是|就是)\s*)?\W*",
    re.IGNORECASE,
)


def _is_named(mention: _Mention) -> bool:
    """`the correct answer is B`; not `your answer B`, not `B is not the answer`."""
    label = _STRONG.search(mention.before) or _STRONG.search(mention.clause)
    return bool(label) and not _AGAINST.search(_after_turn(mention))


def _is_approved(mention: _Mention) -> bool:
    """`就是 B`, `B is right`, `Yes, B.`"""
    alone = not has_words(mention.clause[len(mention.before) + len(mention.letters) :]) and mention.opens
    return (alone or bool(_WEAK.search(mention.clause))) and not _AGAINST.search(_after_turn(mention))


_TURNS = pattern(
    r"但是?|不过|而是|however|but|actually|\s[-–—]+\s+(?=(?:it|that)(?:'s| is| should)\b|the (?:right|correct|answer)\b|should be\b)"
    r"|[–—]+\s*(?=(?:正确|应该|应当|答案))",
    re.IGNORECASE,
)


def _after_turn(mention: _Mention) -> str:
    """The clause from its last `but` on: `你选的是 A，但正确的是 B` turns there."""
    parts = _TURNS.split(mention.clause)
    here = [part for part in parts if any(letter in part for letter in mention.letters)]
    return _OPENING_VERDICT.sub("", (here or parts)[-1])


_PUPILS = pattern(r"(?:[你您]的?|\byour\s+)$", re.IGNORECASE)
"""`your` before `answer`."""


def _by_text(text: str, options: Sequence[Option]) -> tuple[str, ...]:
    """The option whose words follow `the answer is`, when no letter is given."""
    labels = (match for match in _STRONG.finditer(text) if not _PUPILS.search(text, 0, match.start()))
    label = next(labels, None)
    if not label:
        return ()
    words = text[label.end() : label.end() + 200].lstrip().partition("\n")[0]
    named = [o for o in options if len(plain(o.text)) >= 2 and plain(o.text).strip(" 。.") in words]
    longest = max(named, key=lambda option: len(option.text), default=None)
    return (longest.letter,) if longest else ()


def _by_denial(text: str, mentions: Sequence[_Mention], pupil: str) -> tuple[str, ...]:
    """`No. What differs is the rank, option b`: the one letter that is left when the pupil is wrong."""
    others = [m.letters for m in mentions if m.letters != pupil and not _AGAINST.search(_after_turn(m))]
    denied = talk.DENIES.search(text[:200]) or re.search(r"\bno\b", text[:200], re.IGNORECASE)
    return tuple(sorted(others[0])) if pupil and denied and len(set(others)) == 1 else ()


def _by_verdict(reply: str, text: str, pupil: str, known: set[str]) -> tuple[str, ...]:
    """The pupil's letters, if the reply begins by confirming them, in words or with a mark."""
    head = _NAMES_RIGHT.sub("", text.strip()[:200])
    letters = tuple(sorted(set(pupil) & known))
    if not letters or talk.WRONG_MARK.search(reply[:200]) or _PARTLY.match(head):
        return ()
    if not talk.CONFIRMS.search(head):
        return letters if re.match(r"[^\n✅✔☑💯]{0,16}[✅✔☑💯]", reply) or _is_praised(head) else ()
    denied = talk.DENIES.search(head)
    confirmed = talk.CONFIRMS.search(head)
    both = re.search(r"都可以|都对|都正确|both", head, re.IGNORECASE)
    if denied and confirmed and denied.start() <= confirmed.start() and not both:
        return ()
    return letters


_NAMES_RIGHT = pattern(r"正确的?(?:答案|选项)|\b(?:correct|right) (?:answer|option|choice)s?\b", re.IGNORECASE)
"""What is called right is the answer, and not the pupil's."""
_PARTLY = pattern(
    r"\W*(?:你)?(?:漏选|少选|多选[了一]|漏了|还差|不全|不完整|对了?一半|部分正确|半对)|\W*(?:(?:you )?missed|half right|partly|partially|incomplete|not all)\b",
    re.IGNORECASE,
)


def _is_praised(head: str) -> bool:
    """`Great! ...`, `非常好！...`, with nothing against it; `Great guess` praises the courage."""
    return bool(_PRAISE_ALONE.match(head)) and not talk.DENIES.search(head)


_PRAISE_ALONE = pattern(
    r"\W*(?:非常好|很好|好极了|真棒|太棒了|漂亮|优秀|厉害|稳|妥了?|到位|great(?: job)?|excellent|well done|nice(?: one)?|bravo|good job|brilliant)"
    r"\s*[!！。.，,～~🎉👍]",
    re.IGNORECASE,
)
