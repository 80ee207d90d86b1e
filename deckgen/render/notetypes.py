"""The five note types, as plain data for whoever writes packages, and the few sentences that deckgen itself puts on cards.

Ids, field order, template names and their order were frozen with the first release: Anki refuses every
note of a type whose schema changed ("conflicting"). `tests/frozen/notetypes.json` holds them. The text of
templates and styling may change: then `LOOK_CHANGED` must move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from deckgen.model.deck import FIELDS, FieldSpec, Kind, NoteType, Template
from deckgen.text.pattern import pattern

_HERE = files("deckgen.render")

LOOK_CHANGED = 1_795_878_081
"""Seconds since 1970 when a template or the styling last changed. The same for every deck: a learner's own styling is
newer than that, and stays whatever deck they import next. `tests/frozen/look.json` has the look that it belongs to."""


_EVERYWHERE = ("Title", "Context", "Prompt", "Explanation", "Claimed", "Source", "Checked")
_KINDS: tuple[tuple[Kind, int, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("basic", 1783400100001, "deckgen Question", ("Recall", "Reverse", "Typed", "Extra"), ("Answer",)),
    ("choice", 1783400100002, "deckgen Choice", ("Choose", "Extra"), ("Options", "Answer")),
    ("cloze", 1783400100003, "deckgen Cloze", ("Cloze",), ("Code",)),
    ("output", 1783400100004, "deckgen Output", ("Predict", "Extra"), ("Code", "Output")),
    (
        "api",
        1783400100005,
        "deckgen API",
        ("Meaning", "Name", "Typed", "Extra"),
        ("Answer", "Name", "Signature", "Parameters", "Example"),
    ),
)
"""(kind, id, name, templates, fields that it fills beside the common ones)."""

_PARTIAL = pattern(r"\{\{> *(\w+) *\}\}\n?")


@cache
def _file(folder: str, name: str) -> str:
    return (_HERE / folder / name).read_text(encoding="utf-8")


def _side(name: str) -> str:
    """A template file with its parts (`{{> part}}`, our own notation) put in."""
    return _PARTIAL.sub(lambda found: _side(f"_{found[1]}"), _file("templates", f"{name}.html"))


@cache
def css() -> str:
    """The one styling that all types share."""
    return "\n".join(_file("css", name) for name in ("card.css", "parts.css", "highlight.css"))


def _template(kind: Kind, notetype: int, ordinal: int, name: str) -> Template:
    stem = "extra" if name == "Extra" else f"{kind}_{name.lower()}"
    sides = (_side(f"{stem}_front").strip(), _side(f"{stem}_back").strip())
    front, back = (side.replace("KIND", kind) for side in sides)
    return Template(name, notetype * 100 + 50 + ordinal, front, back)


def _notetype(kind: Kind, identity: int, name: str, templates: tuple[str, ...], own: tuple[str, ...]) -> NoteType:
    used = {*_EVERYWHERE, *own}
    return NoteType(
        id=identity,
        name=name,
        kind=kind,
        cloze=kind == "cloze",
        fields=tuple(FieldSpec(x, identity * 100 + n, x not in used) for n, x in enumerate(FIELDS)),
        templates=tuple(_template(kind, identity, n, x) for n, x in enumerate(templates)),
        css=css(),
    )


NOTETYPES: dict[Kind, NoteType] = {row[0]: _notetype(*row) for row in _KINDS}


Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's sentences; plain text."""

    predict: str
    """Above the code of an Output note."""
    meaning: str
    """Under the name of an API."""
    name: str
    """Under the meaning of an API."""
    type_name: str
    type_answer: str
    reverse: str
    """Under the answer of a question, asking for the question's subject."""
    several: str
    """After the stem of a choice with more than one right option."""
    notes_said: str
    torch_says: str
    prints_nothing: str
    made_from: str
    """What a deck is; `{sources}` are their titles."""
    checked_on: str
    between: str
    """Between two sources, and two ranges of versions."""
    since: str
    """Beside the context, of the versions in which a card is so."""
    until: str
    before: str
    from_to: str
    only: str
    but_not: str
    needs_gpu: str
    needs_gpus: str
    without_gpu: str
    stamps: tuple[tuple[re.Pattern[str], str], ...] = ()
    """The sentences that `decide` writes, and what they are in this language; one that is not here stays English."""

    def stamped(self, stamp: str) -> str:
        """A stamp in this language."""
        return next((found.expand(said) for wanted, said in self.stamps if (found := wanted.fullmatch(stamp))), stamp)


WORDS: dict[Language, Words] = {
    "en": Words(
        predict="What does this print?",
        meaning="What is it for?",
        name="What is it called?",
        type_name="Type its name",
        type_answer="Type the answer",
        reverse="What is this?",
        several="Choose {count}.",
        notes_said="The notes said",
        torch_says="torch says",
        prints_nothing="(nothing)",
        made_from="Cards made from notes ({count}): {sources}. Made by deckgen {version}.",
        checked_on="What they claim was checked on torch {torch}.",
        between=", ",
        since="since {name} {version}",
        until="until {name} {version}",
        before="before {name} {version}",
        from_to="{name} {first} to {last}",
        only="{name} {version}",
        but_not="not {name} {version}",
        needs_gpu="needs a GPU",
        needs_gpus="needs {count} GPUs",
        without_gpu="without a GPU",
    ),
    "zh": Words(
        predict="这段代码输出什么？",
        meaning="它的作用是什么？",
        name="它叫什么名字？",
        type_name="输入它的名字",
        type_answer="输入答案",
        reverse="这说的是什么？",
        several="选 {count} 项。",
        notes_said="笔记原文写的是",
        torch_says="torch 的实际结果",
        prints_nothing="（没有输出）",
        made_from="卡片来自 {count} 份资料：{sources}。由 deckgen {version} 制作。",
        checked_on="其中的结论已在 torch {torch} 上核对。",
        between="、",
        since="自 {name} {version} 起",
        until="到 {name} {version} 为止",
        before="{name} {version} 之前",
        from_to="{name} {first} 至 {last}",
        only="仅 {name} {version}",
        but_not="{name} {version} 除外",
        needs_gpu="需要 GPU",
        needs_gpus="需要 {count} 个 GPU",
        without_gpu="没有 GPU 时",
        stamps=(
            (pattern(r"answer checked on (torch \S+), (.+)"), r"答案已在 \1 上核对（\2）"),
            (pattern(r"answer checked on (torch \S+)"), r"答案已在 \1 上核对"),
            (pattern(r"code checked on (torch \S+), (.+)"), r"代码已在 \1 上核对（\2）"),
            (pattern(r"API names checked on (torch \S+)"), r"API 名称已在 \1 上核对"),
            (pattern(r"API names and defaults checked on (torch \S+)"), r"API 名称和默认值已在 \1 上核对"),
            (pattern(r"(torch \S+) says otherwise"), r"\1 的结果与此不同"),
            (pattern(r"not checked: what it says of the code is told in words"), "未核对：它用文字说明代码"),
            (pattern(r"not checked: skipped by the author"), "未核对：作者要求跳过"),
            (pattern(r"not checked: (.+)"), r"未核对：\1"),
            (pattern(r"not checked"), "未核对"),
            (pattern(r"not run here"), "未在此运行"),
        ),
    ),
}
