"""The expressions by which more than one rule recognises a heading, a line or a tutor's talk, and what deckgen puts on a card.

Those for headers of tables are in `columns`, and what one rule alone looks for is in its module. The words of all are in the lexicon.
"""

from __future__ import annotations

from typing import Literal

from deckgen.lexicon import roles
from deckgen.text.pattern import HAN, Words, pattern

QUESTION = pattern(
    r"[?？]\s*$"
    r"|[?？][”\"'）)】*]*\s*$"
    r"|[?？][\s*]*[（(][^()（）?？]{1,40}[）)][\s*]*$",
)
"""Text that ends by asking."""

ASKS = Words("«question.asks»", r"[?？]|(?<![A-Za-z0-9_])_{2,}(?![A-Za-z0-9_])|[\w.]_{3,}|\._{2,}|[（(]\s*[）)]")
"""Text that may be the stem of a question."""

RHYME = Words("«heading.rhyme»")
"""A heading over lines to learn by heart."""

EXAMPLE = Words(r"^(?:«heading.example_of»\s*)?«heading.example»", "«heading.example_end»$", "«heading.practice»")
"""A heading over an example, which asks nothing."""

TASKS = Words("«heading.task»", r"«heading.plan_of»\s«heading.plan»")
"""A question about work, above a list of tasks."""

WRONG = Words("«quiz.wrong»", "[✘❌✗×]")
"""What a test says of an answer, on a line of its own."""

EXPLANATION = Words("^«quiz.explains»", "«quiz.why_chosen»")

ANSWER_KEY = Words(
    r"^(?:«heading.key_of»\s*)*«heading.key»(?:\s*«heading.key_part»)?$",
    r"^«heading.key_of»*«heading.key»«grammar.and»\w{1,6}$",
    r"^(?:«heading.key_of»\s*)*«heading.key»\s+(?:«claim.and»|&)\s+\w+(?:\s\w+)?$",
    "^«heading.answer_key».*",
    r"^«heading.key_alone»(?:\s*[（(][^()（）]*[)）])?$",
    "^«heading.mark_scheme»$",
)
"""A heading or a line alone over the answers of the questions above it."""

ROADMAP = Words(
    "«heading.roadmap»",
    "«heading.overview».*«heading.map»",
    "«heading.roadmap_end»$",
    r"^\W*«heading.roadmap_alone»\W*$",
    r"^\W*«heading.progress»(?!«heading.bar»)",
)
"""A schedule of learning rates, of a profiler or of a bar of progress is no roadmap."""

SCORES = Words("«heading.scores»", r"«heading.score»\s*[:：]\s*\d", r"«heading.whose» (?:\w+ )?«heading.result»")
"""A heading over a table of scores."""

CHORES = Words(
    "«heading.version»«heading.version_of»?«heading.version_end»?$",
    "^«heading.waits»",
    "^«heading.surroundings»?«heading.set_up»«heading.set_up_end»?$",
    "^«heading.chore»$",
    r"^«heading.install» \S+$",
    r"^(?:\w+ (?:«claim.and»|&) )?«heading.further» «heading.reading»(?: (?:«claim.and»|&) \w+)?$",
)
"""A heading over what is to be done or kept, and not learnt: installing, versions, exercises without answers."""

SUMMARY = Words("«heading.summary»")

QUIZ = Words(
    "«heading.quiz»",
    "【«heading.quiz_form»】",
    "«heading.test»(?!«heading.test_thing»)",
    r"«heading.numbered»\s*\d",
    r"«grammar.ordinal»\s*\w{1,3}\s*«grammar.question»",
)
"""A heading over a quiz, which says nothing about its subject."""

TASK = pattern(r"\s*\[[ xX]\]\s")
"""`[ ]` and `[x]` before an item: something to do, or done."""
ONLY_JUDGE = pattern(r"\W*«quiz.true_false»\W*")
"""A heading that only says how the statements below it are asked."""

PASSING = (QUIZ, SUMMARY, RHYME, EXAMPLE, ROADMAP)
"""A heading in a chat that is about its own turn and no later one."""

ABOUT_CODE = Words("«question.about_code»")
"""A question about the code above it."""

REVEAL = Words(
    r"^\W*«quiz.lid»+\s*«quiz.lid_end»?\W*$",
    r"^\W*«quiz.lid_end»\W*$",
    r"^\W*(?:«quiz.lid_word»\W*)*«quiz.hidden»\W*$",
    r"^\W*$",
)
"""What stands on the lid of a hidden answer."""

INTERROGATIVE = pattern(r"^«question.opens»|«question.closes»$")
"""A Chinese heading that asks without a question mark."""

_OF_IT = r"(?P<of>(?P<subject>.+?)\s*(?:«grammar.of»|[-–—:：])\s*)?«question.kind»?«question.aspect»"
ASPECT = pattern(
    rf"{_OF_IT}|(?P<subject1>.{{3,}}?)\s*«question.kind»?«question.always_of»"
    r"|(?P<subject2>.*[A-Za-z_)`].*?)\s*«question.kind»?(?![A-Za-z])«question.aspect»"
    r"|«question.aspect»\s+«question.of»\s+(?P<subject3>.+)"
)
"""A heading that names an aspect of a subject: `checkpoint 的做法`, `特点`, `Advantages of eager mode`."""

BARE_ASPECT = pattern(r"«definition.bare_aspect»")
"""Aspects that ask too little on their own: they need their parent heading as subject."""

ADVICE = pattern(r"«question.advice»")
"""A heading that states a rule."""

ASKED_ALOUD = pattern(r"^\W*«question.politely»*«question.tell»(?=.{4})")
"""What an interviewer asks without a question mark, also as a heading."""

WHICH = pattern(r"«question.which»")
"""A question that a list of names answers."""

CARD = pattern(r"«question.card»")
"""Before a colon and the question of a card."""

EXERCISES = pattern(r"«definition.exercises»")
"""A heading over tasks for the reader."""

STEPS = pattern(r"«definition.steps»[^,，.。]{0,120}[:：]\W*$")
"""A line over what is to be done, one step an item."""

CONTENTS = pattern(r"^«definition.contents»$")

CHAPTER = pattern(
    r"«definition.chapter_end»$|«definition.chapter_end»\b|^«grammar.of»?«definition.common»?\s*«definition.members»$"
)
"""A heading over a chapter about an API, and not over its entry."""

ANNOUNCES = pattern(
    "«definition.announces»|«definition.several»|«definition.by».{0,8}«definition.order»"
    "|«definition.there_are»«definition.some»«definition.kinds»[^，。]{0,12}$"
)
"""A line whose children are one list."""

UNFINISHED = pattern(r"«definition.unfinished»\s*$")
"""Text that goes on in the items below it."""

LEADS_ON = pattern(r"^«definition.leads_on»[^。.]{0,60}[。.:：]?$")
"""A line that only leads on to what follows."""

NOTE_WORD = pattern(r"^«definition.no_term»\s*[\d.]*$")
"""Words before a colon that are no term."""


CHATTER = Words("«tutor.talk»", r"«tutor.type» \b", "👉")
"""What a tutor says to keep a conversation going."""

MENU = Words("«tutor.menu»", r"«tutor.which»\s?«tutor.part»\s?«tutor.begins»", r"«tutor.pick» \b")
"""A choice of what to do next, which has no right answer."""

PRAISE = Words("«tutor.praise»", "[✅✔💯🎯]")

CONFIRMS = Words("«tutor.confirms»", "[✅✔💯]", "^«tutor.got_it»", rf"(?<![{HAN}])«tutor.right_alone»(?=[，,！!。~～])")
"""The tutor says that the pupil is right."""

DENIES = Words("«tutor.denies»", "[❌❎✗✘⭕]", "^«tutor.no»")
"""The tutor says that the pupil is wrong."""

ALL_RIGHT = Words(
    "«tutor.all_right»",
    "«tutor.all»«tutor.answered»?«tutor.hit»",
    r"«tutor.all» (?:\w+ )?«tutor.hit»",
    r"(?:\d|«grammar.numeral»)\s*«tutor.combo»",
    r"\b(?P<score>\d+)\s*(?:/|«tutor.out_of»)\s*(?P=score)\b",
)
WRONG_MARK = pattern("[❌❎✗✘⭕]")

Prompt = Literal[
    "what",
    "why",
    "prints",
    "shape",
    "value",
    "raises",
    "warns",
    "judge",
    "true",
    "false",
    "indentation",
    "fill",
    "meaning",
    "code",
    "also",
    "does",
    "aspect",
]


def prompt(language: str, name: Prompt, *values: str) -> str:
    """What deckgen itself puts on a card, in `zh` or `en`; `values` fill its places."""
    return roles("zh" if language == "zh" else "en")[f"prompt.{name}"][0].format(*values)
