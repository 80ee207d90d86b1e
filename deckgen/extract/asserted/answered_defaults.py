"""Questions about a default, with their answers: `What is the default stride of nn.Conv2d?`, `1`."""

from __future__ import annotations

import re

from deckgen.extract.asserted.default_sentences import Told, told_defaults
from deckgen.extract.asserted.defaults import LITERAL, tells_default
from deckgen.extract.text import unescaped
from deckgen.text.pattern import pattern
from deckgen.written import half_width

_ASKED_ZH = pattern(
    r"\s*+(?:(?:是|为|等于|取)\s*+)?(?:(?:多少|什么|几|啥|哪个值?|何值|哪种)\s*+(?:值\s*+)?(?:呢\s*+)?(?:[?？。]\s*+)?|[?？]\s*+)$"
)
_ASKED_EN = pattern(
    r"^\W*(?:q(?:uestion)?\s*\d*\s*[:.]\s*)?(?:and\s+|so\s+)?what(?:['’]s|\s+is|\s+are|\s+was)\s+(?P<text>.+?)\s*[?？]?\s*$",
    re.IGNORECASE,
)
_DEFAULTS_TO = pattern(
    r"^\W*(?:to\s+)?what(?:\s+value)?\s+(?:does|do|will)\s+(?P<text>.+?)\s+default\s+to(?P<rest>.*?)\s*[?？]\s*$",
    re.IGNORECASE,
)
_BARE = pattern(r"^[\s*>#-]*(?P<text>(?:the\s+)?default\s.+?|.+?\bdefault(?:\s+value)?)\s*[?？:：]?\s*$", re.IGNORECASE)
_HAS = pattern(
    r"^\W*(?:does|do|has)\s+(?P<owner>.+?)\s+(?:have|use|apply|include|add)\s+(?P<rest>.+?\s+by\s+default)\W*$",
    re.IGNORECASE,
)
_HAS_ZH = pattern(
    r"^[\s*>#-]*(?P<text>.+?默认(?:情况下)?)\s*(?:会|是否|是不是)?\s*(?:有没有|有|带有?|使用|启用|开启|包含)\s*(?P<name>\S.*?)\s*吗?\s*[?？]\s*$"
)
_YES = pattern(r"^\W*(?:yes|true|yep|correct|是的?|有|对|会|带)(?![A-Za-z一-鿿])", re.IGNORECASE)
_NO = pattern(r"^\W*(?:no|false|nope|不是|没有|否|不会|不带|不)(?![A-Za-z一-鿿])", re.IGNORECASE)
_GIVEN = pattern(
    rf"^\W{{0,3}}?(?:`(?P<marked>[^`\n]{{1,60}})`|(?P<bare>{LITERAL}|[a-z][a-z_]*(?=\s*$)))(?=\s*(?:$|[。；;（(，,!！]|\.(?:\s|$)|[—–]|\s(?:because|since|so|as)\b|因为))"
)


def stated_by(question: str, answer: str) -> tuple[Told, ...]:
    """The defaults that a question and its answer state together."""
    if not tells_default(question):
        return ()
    asked = unescaped(question).replace("**", "").strip()
    if "\n" in asked:
        return ()
    first = half_width(unescaped(answer).replace("**", "").strip().partition("\n")[0])
    statement = _of_truth(asked, first) or _of_value(asked, first)
    return told_defaults(statement) if statement else ()


def _of_value(asked: str, answer: str) -> str:
    given = _GIVEN.match(answer)
    if given is None:
        return ""
    value = f"`{(given['marked'] or given['bare']).strip()}`"
    if found := _DEFAULTS_TO.match(asked):
        return f"{found['text']}{found['rest']} defaults to {value}"
    if not asked.isascii() and (cut := _ASKED_ZH.search(asked)):
        return f"{asked[: cut.start()]}是 {value}"
    found = _ASKED_EN.match(asked) or _BARE.match(asked)
    return f"{found['text']} is {value}" if found else ""


def _of_truth(asked: str, answer: str) -> str:
    """`Does nn.Linear have a bias by default?`, `Yes`."""
    yes, no = _YES.match(answer), _NO.match(answer)
    if not yes and not no:
        return ""
    if found := _HAS.match(asked):
        rest = found["rest"] if yes else re.sub(r"^(?:an?|the)\s+", "", found["rest"])
        return f"{found['owner']} has {'' if yes else 'no '}{rest}"
    if found := _HAS_ZH.match(asked):
        return f"{found['text']}{'有' if yes else '没有'} {found['name']}"
    return ""
