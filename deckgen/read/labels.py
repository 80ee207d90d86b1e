"""Labels of turns: `You:` / `ChatGPT:`, `**User:**`, `## Assistant`, `我：`; and which lines of a transcript are labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from deckgen.model.document import Speaker
from deckgen.read.blocks.fences import fence_after
from deckgen.read.messages import MAY_BE_SENT, messages
from deckgen.read.named import MAY_BE_SPOKEN, spoken
from deckgen.text.pattern import pattern

_NAMES: dict[Speaker, str] = {
    "pupil": "you|user|human|me|prompt|student|pupil|learner|我|用户|学生|同学|学员|提问者|提问|人类|本人|你",
    "tutor": (
        "chat ?gpt|gpt(?:-?[0-9.]+\\w*)?|assistant|claude|ai|bot|model|gemini|bard|copilot|deepseek|tutor|"
        "teacher|grok|kimi|qwen|llama|mistral|ai ?assistant|ai ?助手|智能助手|助手|助理|老师|导师|机器人|"
        "人工智能|助教|讲师|教授|学长|学姐|师兄|师姐|coach|mentor|instructor|professor|模型|response|回复|豆包|通义千问|文心一言|元宝|智谱清言|讯飞星火|回答者"
    ),
    "system": "system|系统|系统提示",
}
"""Who is who, in lower case, by what exporters and people write before a turn."""
_SPEAKERS = "|".join(f"(?P<{speaker}>{names})" for speaker, names in _NAMES.items())
_INITIALS = "".join(sorted({name[0] for names in _NAMES.values() for name in names.split("|")}))
"""Of all names: to ask for them first spares most lines sixty questions."""
_VERSION = r"[ -](?:[\w.]*\d[\w.]*|mini|pro|plus|turbo|flash|sonnet|opus|haiku|thinking)"
_LABEL = pattern(
    rf"""(?:\#{{1,6}}\s+)?(?:>\s*)?          # as a heading
    (?:[\[(（]?\d[\d:./T-]*(?:[ ,]+\d[\d:.]*)?(?:\s*[ap]m)?[\])）]?\s+)?  # behind a time
    [*_\[【〔]{{0,3}}\s*(?:role\s*::\s*)?      # bold, or in brackets; as a field
    (?:[^\w\s*_#>\[【|`"'(（:：.,-]{{1,4}}\s*)?  # an emoji
    (?=[{_INITIALS}])(?:{_SPEAKERS})(?:{_VERSION})*
    (?:\s+said|\s*说)?
    (?:\s*<span[^<>]*>[^<>]*</span>)?      # the name of the model
    \s*(?P<when>[(（\[]?\s*\d[\d\s:./年月日,-]*(?:[ap]m)?\s*[)）\]]?)?
    \s*(?P<marks>[*_\]】〕]{{0,3}}\s*(?P<colon>[:：])?\s*[*_\]】〕]{{0,3}})
    (?P<rest>(?(colon).*|\s*))$              # text only behind a colon""",
    re.I | re.X,
)
_ASKER = pattern(r"(?P<name>[问答QA])\s*[:：](?P<rest>.*)")
_CHOSEN = pattern(
    r"(?:我?(?:觉得|认为|猜)?(?:应该)?(?:选|是)?|I (?:think|guess)|is it)?\s*[A-Ha-h]{1,5}\s*[?？。.吧!！]*"
)
TIMED = "time"
"""The dress of a label that is a name and a time; who goes on talking begins no new turn."""


class Label(NamedTuple):
    """A line with which somebody begins to speak."""

    line: int
    speaker: Speaker
    rest: str
    """What the speaker says on the same line."""
    dress: str
    """What makes it a label, apart from the name: a colon, bold, a heading, a time."""
    name: str
    aside: bool = False
    """Nothing of it is said to anybody in this talk."""
    called: str = ""
    """Whom the speaker calls by name at the beginning."""

    @property
    def look(self) -> tuple[str, str]:
        """Who speaks and how that is written; times differ from turn to turn."""
        return self.name, re.sub(r"[\d\s:./年月日,apm-]+", "", self.dress)


@lru_cache(maxsize=4)
def may_speak(text: str) -> bool:
    """False if no line of a text could begin a turn, whatever stands around the text."""
    lines, below = text.split("\n"), f"\n{text}"
    return any(one.search(below) for one in _MAY_SPEAK) or any(_label(lines[number], number) for number in _named(text))


def _named(text: str) -> list[int]:
    """Numbers of the lines that may be labels; all of them, if small letters do not tell that."""
    text = f"\n{text.lower()}"
    if any(letter in text for letter in _FOLDED):
        return list(range(text.count("\n")))
    numbers: list[int] = []
    number, counted = -1, 0
    for match in _MAY_LABEL.finditer(text):
        number += text.count("\n", counted, match.end())
        counted = match.end()
        numbers.append(number)
    return numbers


_FOLDED = ("ſ", "ı", "i\u0307", "\u212a")
"""What counts as a letter of a name where case does not count, and is none in small letters."""
_MAY_SPEAK = (pattern(r"\n[问答QA]\s*[:：]"), MAY_BE_SENT, MAY_BE_SPOKEN)
_MAY_LABEL = pattern(
    r"\n[^\w\n]*+(?:[\d_]++[^\w\n]*+)*(?:t(?:[\d_]++[^\w\n]*+)+)?(?:[ap]m[^\w\n]*+_*+[^\w\n]*+)?(?:role[^\w\n]*+)?"
    rf"(?=[{_INITIALS}])(?:{'|'.join(_NAMES.values())})(?={_VERSION}|[^\S\n]*(?:said|[\d说<*_\]】〕:：\n]|[(（\[]\s*\d|\Z))",
)
"""Lines that begin with a name, whatever marks and times stand before it, and go on as labels may."""


@lru_cache(maxsize=2)
def turns(lines: tuple[str, ...]) -> Sequence[Label]:
    """The labels of a transcript's turns; none if the lines are no transcript. Who asks whether there are any then reads them.

    Notes mention `AI:` and `model:` too: a transcript has two speakers, each with labels of the same
    dress, who take turns.
    """
    outside = _outside_fences(lines)
    named = set(_named("\n".join(lines)))
    labels = [label for number in outside if number in named and (label := _label(lines[number], number))]
    dressed = [label for label in labels if label.dress]
    alone = [label for label in dressed if not label.rest]
    for found in (_with_their_like(alone, dressed, lines), alone, dressed):
        if _converse(found):
            return found
    if _converse_in_bare_words(labels, lines):
        return labels
    return _asked_and_answered(lines, outside) or _sent(lines, outside) or _spoken(lines, outside)


def _spoken(lines: Sequence[str], outside: Sequence[int]) -> list[Label]:
    """What two people say, each with his name."""
    return [Label(one.line, one.speaker, one.rest, TIMED, one.name) for one in spoken(lines, outside, _role)]


def _role(name: str) -> Speaker | None:
    label = _label(f"{name}:", 0)
    return label.speaker if label else None


def _sent(lines: Sequence[str], outside: Sequence[int]) -> list[Label]:
    """Messages of two people with their names and times."""
    found = messages(lines, outside)
    return [Label(one.line, one.speaker, "", TIMED, one.name, one.aside, one.called) for one in found]


def _asked_and_answered(lines: Sequence[str], outside: Sequence[int]) -> list[Label]:
    """`问：` and `答：` are turns where the one who asks answers a quiz (`选D？`); else they are questions and answers."""
    found: list[Label] = []
    for number in outside:
        match = _ASKER.match(lines[number]) if lines[number][:1] in "问答QA" else None
        if match:
            speaker: Speaker = "pupil" if match["name"] in "问Q" else "tutor"
            found.append(Label(number, speaker, match["rest"].strip(), ":", match["name"]))
    chose = any(label.speaker == "pupil" and _CHOSEN.fullmatch(label.rest) for label in found)
    return found if chose and _converse(found) else []


def _with_their_like(alone: Sequence[Label], dressed: Sequence[Label], lines: Sequence[str]) -> list[Label]:
    """Labels on lines of their own, with those that look the same but have text behind them.

    A paragraph must end above such a label: `AI: ...` may stand in the middle of what somebody says.
    """
    looks = {label.look for label in alone}
    return [
        label
        for label in dressed
        if not label.rest or (label.look in looks and (not label.line or not lines[label.line - 1].strip()))
    ]


def _label(line: str, number: int) -> Label | None:
    if not line or len(line) > 20_000 or not (match := _LABEL.match(line)):
        return None
    rest = (match["rest"] or "").strip()
    dress = ("#" if line.startswith("#") else "") + match["marks"].strip() + (match["when"] or "")
    speaker: Speaker = next(name for name in _NAMES if match[name])
    return Label(number, speaker, rest, dress, match[speaker].lower())


def _converse_in_bare_words(labels: Sequence[Label], lines: Sequence[str]) -> bool:
    """`You` and `ChatGPT` on lines of their own, without so much as a colon: only if all is regular."""
    if len(labels) < 4 or any(label.dress for label in labels):
        return False
    strict = all(before.speaker != after.speaker for before, after in pairwise(labels))
    return strict and len({bool(lines[label.line - 1].strip()) for label in labels if label.line}) == 1


def _converse(labels: Sequence[Label]) -> bool:
    speakers = [label.speaker for label in labels if label.speaker != "system"]
    changes = sum(before != after for before, after in pairwise(speakers))
    inline = sum(bool(label.rest) for label in labels)
    enough = 1 if inline == 0 else 2
    return len(set(speakers)) == 2 and changes >= enough and changes >= (len(speakers) - 1) / 2


def _outside_fences(lines: Sequence[str]) -> list[int]:
    """Lines that lie in no fence; a fence that never closes is none."""
    outside: list[int] = []
    inside: list[int] = []
    fence = ""
    for number, line in enumerate(lines):
        before, fence = fence, fence_after(line, fence)
        if not before and fence:
            inside = []
        elif before == fence:
            (inside if fence else outside).append(number)
    return sorted(outside + inside) if fence else outside
