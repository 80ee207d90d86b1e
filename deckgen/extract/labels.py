"""Each text is read once: its plain words, and of which kinds it is.

Rules ask `Kind.QUESTION in labels(line)`, of its plain words `Kind.TALK in labels(line).words`, of what a heading says
`Kind.QUIZ in labels(heading).title`. What was asked of a text once is at hand when the next rule asks. An expression that says of
what kind a text is stands here, with an example, as soon as two rules ask for it; one that a single rule asks for, or that cuts a text to
pieces, stands with that rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple

from deckgen.extract.text import CIRCLED, plain, title
from deckgen.lexicon import roles
from deckgen.text.pattern import HAN, Words, pattern

ANSWER = r"(?:«quiz.good»«grammar.of»?\s*)*«quiz.answer»"
"""The label of an answer, as a part of other expressions."""
_BEHIND_LABEL = r"\s*\d*\s*(?:\*\*)?\s*(?:[:：】]|(?<=\d)[.、)）]|(?<=[\d *])[-–—]\s)[\s*]*"
_ENDS_LABEL = r"\s*\d*[*_】\s]*[:：]?[*_\s]*$"
_BEHIND_DECLARED = r"\s*\d{0,3}\s*(?:\*\*|__)?\s*[:：]"
_COUNTED = r"«grammar.ordinal»\s*\w{1,3}\s*«grammar.question»"
_OF_IT = r"(?P<of>(?P<subject>.+?)\s*(?:«grammar.of»|[-–—:：])\s*)?«question.kind»?«question.aspect»"


class Kind(Enum):
    """What a text can be, a row each: how it is looked for and by what, a text of this kind, and one that is like it and of another."""

    def __init__(
        self,
        how: Literal["search", "match", "fullmatch"],
        expression: re.Pattern[str] | Words,
        example: str,
        other: str,
    ) -> None:
        """A text of this kind holds, begins with or is what the expression finds, as `how` says."""
        self.how = how
        self.expression = expression
        self.example = example
        self.other = other

    # what asks

    QUESTION = (
        "search",
        pattern(
            r"[?？]\s*$|[?？][”\"'）)】*]*\s*$|[?？][\s*]*[（(][^()（）?？]{1,40}[）)][\s*]*$",
        ),
        "What is a leaf? (in a graph) **",
        "What? A leaf.",
    )
    """It ends by asking."""
    ASKS = (
        "search",
        Words("«question.asks»", r"[?？]|(?<![A-Za-z0-9_])_{2,}(?![A-Za-z0-9_])|[\w.]_{3,}|\._{2,}|[（(]\s*[）)]"),
        "A view shares its ____.",
        "A view has no __dict__.",
    )
    """It may be the stem of a question."""
    INTERROGATIVE = ("search", pattern(r"^«question.opens»|«question.closes»$"), "什么是叶子", "叶子是什么呀")
    """A Chinese heading that asks without a question mark."""
    ASKED_ALOUD = (
        "search",
        pattern(r"^\W*«question.politely»*«question.tell»(?=.{4})"),
        "Explain how autograd works",
        "Explain",
    )
    """What an interviewer asks without a question mark, also as a heading."""
    WHICH = ("search", pattern(r"«question.which»"), "Which kinds of samplers are there?", "What is a sampler?")
    """A list of names answers it."""
    ABOUT_CODE = ("search", Words("«question.about_code»"), "What does it print?", "What is a leaf?")
    """It may be about the code above it."""
    CARD_LABEL = ("search", pattern(r"«question.card»"), "知识闪卡", "张量")
    """Before a colon and the question of a card."""
    ASPECT = (
        "fullmatch",
        pattern(
            rf"{_OF_IT}|(?P<subject1>.{{3,}}?)\s*«question.kind»?«question.always_of»"
            r"|(?P<subject2>.*[A-Za-z_)`].*?)\s*«question.kind»?(?![A-Za-z])«question.aspect»"
            r"|«question.aspect»\s+«question.of»\s+(?P<subject3>.+)"
        ),
        "Advantages of eager mode",
        "Eager mode",
    )
    """A heading that names an aspect of a subject: `checkpoint 的做法`, `特点`."""
    BARE_ASPECT = ("fullmatch", pattern(r"«definition.bare_aspect»"), "Purpose", "Purpose of a sampler")
    """It asks too little by itself and needs the heading above it as its subject."""
    ADVICE = ("search", pattern(r"«question.advice»"), "Never call it twice", "Calls in a row")
    """A heading that states a rule."""
    TASK = ("match", pattern(r"^\W*«question.task»"), "Explain why views share memory.", "Views explain it.")
    """It wants code, items or a text: `Write a training loop`, `手写注意力`."""
    TEST_QUESTION = (
        "match",
        pattern(r"^\W*«quiz.question»[】)）\]]?\s?\#?\s?\.?\d{1,3}(?!\d)\W*[^\W\d_]", re.IGNORECASE),
        "Q12. What does it print",
        "Questions about views",
    )
    """A heading that is a question of a test."""
    NEXT_QUESTION = (
        "match",
        pattern(r"^\W*(?:«quiz.question»|«quiz.asked»)\s*\d*\s*[:：]"),
        "Question 3: why?",
        "Question 3",
    )
    TRUE_FALSE = (
        "match",
        pattern(
            rf"^\W*(?:{_COUNTED}\W*)?(?:[^\W\d]\w{{0,9}}\s?\d*\W{{1,3}})?(?:\d{{1,3}}\s*[.、)）]\W*)?«quiz.true_false»[\s)）】]{{0,4}}[:：?？)）】.]"
            r"[\s*]{0,3}(?P<text>\S.*)$"
        ),
        "3. True or false: a view copies.",
        "It is true or false.",
    )
    """A statement that is put up for judgement."""
    NUMBERED = ("match", pattern(r"^\W{0,3}(\d{1,3})\s*[.、,，)）]\s*\S"), "(2) views", "2 views")
    BOLD_QUESTION = (
        "match",
        pattern(r"^\W*\*\*(?P<text>[^*]+?[?？][^*\w]*)\*\*\s*[:：]?\s*(?P<rest>.*)$"),
        "**3. What is a leaf?** A tensor.",
        "**A leaf** is what?",
    )

    # labels of questions and answers

    QUESTION_LABEL = (
        "match",
        pattern(rf"^\W*«question.question_label»(?:{_BEHIND_LABEL}|\.\s+)(?P<text>\S.*)$"),
        "**Q3:** What is a leaf?",
        "Questions are asked.",
    )
    """`Q3: ...`, `**问题：** ...`, `面试官：...`, `【问】...`"""
    ANSWER_LABEL = (
        "match",
        pattern(rf"^\W*«question.answer_label»{_BEHIND_LABEL}"),
        "**Answer:** a tensor",
        "A tensor",
    )
    """`A:`, `**答：**`, `Answer:`"""
    ONLY_QUESTION = (
        "match",
        pattern(rf"^[*_【\s]*«question.question_label»{_ENDS_LABEL}"),
        "**Question 2:**",
        "Question 2: why?",
    )
    """The question itself stands below."""
    ONLY_ANSWER = ("match", pattern(rf"^[*_【\s]*«question.answer_label»{_ENDS_LABEL}"), "**Answer:**", "A: :")
    """The answer itself stands below; `A: :` is the answer `:`."""
    DECLARED_QUESTION = (
        "match",
        pattern(rf"^\W*«declared.question»{_BEHIND_DECLARED}"),
        "Q: What is a leaf?",
        "Interviewer: What is a leaf?",
    )
    """It has a label that nothing but a card has."""
    DECLARED_ANSWER = (
        "match",
        pattern(rf"^\W*«declared.answer»{_BEHIND_DECLARED}"),
        "A: a tensor",
        "Candidate: a tensor",
    )
    EXPLANATION = ("match", Words("«quiz.explains»", "«quiz.why_chosen»"), "Why: it copies", "It copies. Why not?")
    EXPLAINS_OPTION = (
        "match",
        Words(r"^«quiz.explains»[^\n:：]{0,12}[:：】\]]", r"«quiz.why_chosen»[^\n:：]{0,12}[:：】\]]", "«quiz.reason»"),
        "Explanation of B: it copies.",
        "Explanation",
    )
    ANSWER_OR_REASON = (
        "match",
        pattern(rf"^\W*(?:{ANSWER}|«quiz.explanation»)\s*\**\s*[:：]", re.IGNORECASE),
        "**Answer**: False",
        "The answer is False.",
    )
    """No statement that is put up for judgement."""
    HIDES_ANSWER = (
        "match",
        Words(
            r"^\W*«quiz.lid»+\s*«quiz.lid_end»?\W*$",
            r"^\W*«quiz.lid_end»\W*$",
            r"^\W*(?:«quiz.lid_word»\W*)*«quiz.hidden»\W*$",
            r"^\W*$",
        ),
        "Click to see the answer",
        "What is a leaf?",
    )
    """What stands on the lid of a hidden answer."""

    OPTIONS = (
        "match",
        pattern(r"^\W*A\s*[.)）、．:：][\s\S]*\W[BC]\s*[.)）、．:：]"),
        "A. view C. clone",
        "A. view",
    )
    """Options where an answer is looked for; B may be misspelt."""

    # headings

    QUIZ = (
        "search",
        Words(
            "«heading.quiz»",
            "【«heading.quiz_form»】",
            "«heading.test»(?!«heading.test_thing»)",
            r"«heading.numbered»\s*\d",
            r"«grammar.ordinal»\s*\w{1,3}\s*«grammar.question»",
        ),
        "Quick check: views",
        "测试集",
    )
    """It says nothing about the subject of its quiz."""
    ANSWER_KEY = (
        "match",
        Words(
            r"^(?:«heading.key_of»\s*)*«heading.key»(?:\s*«heading.key_part»)?$",
            r"^«heading.key_of»*«heading.key»«grammar.and»\w{1,6}$",
            r"^(?:«heading.key_of»\s*)*«heading.key»\s+(?:«claim.and»|&)\s+\w+(?:\s\w+)?$",
            "^«heading.answer_key».*",
            r"^«heading.key_alone»(?:\s*[（(][^()（）]*[)）])?$",
            "^«heading.mark_scheme»$",
        ),
        "Answers and reasons",
        "Answers to nobody",
    )
    """A heading or a line alone over the answers of the questions above it."""
    JUDGING = ("fullmatch", pattern(r"\W*«quiz.true_false»\W*"), "**True or false?**", "True or false: views copy.")
    """It only says how the statements below it are asked."""
    SUMMARY = ("search", Words("«heading.summary»"), "Key takeaways", "Views")
    MNEMONIC = ("search", Words("«heading.rhyme»"), "Cheat sheet", "Views")
    """Over lines to learn by heart."""
    EXAMPLE = (
        "search",
        Words(r"^(?:«heading.example_of»\s*)?«heading.example»", "«heading.example_end»$", "«heading.practice»"),
        "Code example",
        "An example of views",
    )
    """Over an example, which asks nothing."""
    PLAN = ("search", Words("«heading.task»", r"«heading.plan_of»\s«heading.plan»"), "What is left to do?", "Views")
    """A question about work, above a list of tasks."""
    ROADMAP = (
        "search",
        Words(
            "«heading.roadmap»",
            "«heading.overview».*«heading.map»",
            "«heading.roadmap_end»$",
            r"^\W*«heading.roadmap_alone»\W*$",
            r"^\W*«heading.progress»(?!«heading.bar»)",
        ),
        "Our schedule",
        "The schedule of a learning rate",
    )
    """A schedule of learning rates, of a profiler or of a bar of progress is none."""
    CONTENTS = ("search", pattern(r"^«definition.contents»$"), "Table of contents", "The contents of a tensor")
    SCORES = (
        "search",
        Words("«heading.scores»", r"«heading.score»\s*[:：]\s*\d", r"«heading.whose» (?:\w+ )?«heading.result»"),
        "Score: 3",
        "Scores of attention",
    )
    """Over a table of scores."""
    CHORES = (
        "search",
        Words(
            "«heading.version»«heading.version_of»?«heading.version_end»?$",
            "^«heading.waits»",
            "^«heading.surroundings»?«heading.set_up»«heading.set_up_end»?$",
            "^«heading.chore»$",
            r"^«heading.install» \S+$",
            r"^(?:\w+ (?:«claim.and»|&) )?«heading.further» «heading.reading»(?: (?:«claim.and»|&) \w+)?$",
        ),
        "Install torch",
        "Installing hooks on modules",
    )
    """Over what is to be done or kept, and not learnt: installing, versions, exercises without answers."""
    EXERCISES = ("search", pattern(r"«definition.exercises»"), "Homework", "Work")
    """Over tasks for the reader."""
    CHAPTER = (
        "search",
        pattern(
            r"«definition.chapter_end»$|«definition.chapter_end»\b|^«grammar.of»?«definition.common»?\s*«definition.members»$"
        ),
        "common methods",
        "method",
    )
    """Over a chapter about an API, and not over its entry."""

    # lines over or before others

    CHECKBOX = ("match", pattern(r"\s*\[[ xX]\]\s"), "[x] read it", "[1] Paszke")
    """Something to do, or done."""
    STEPS = (
        "search",
        pattern(r"«definition.steps»[^,，.。]{0,120}[:：]\W*$"),
        "Let's build a model:",
        "Let's go, quickly:",
    )
    """Over what is to be done, one step an item."""
    ANNOUNCES = (
        "search",
        pattern(
            "«definition.announces»|«definition.several»|«definition.by».{0,8}«definition.order»"
            "|«definition.there_are»«definition.some»«definition.kinds»[^，。]{0,12}$"
        ),
        "A step does the following",
        "A step",
    )
    """Its children are one list."""
    UNFINISHED = ("search", pattern(r"«definition.unfinished»\s*$"), "a layer for", "a layer")
    """It goes on in the items below it."""
    LEADS_ON = (
        "search",
        pattern(r"^«definition.leads_on»[^。.]{0,60}[。.:：]?$"),
        "Here is a model:",
        "A model: here.",
    )
    """It only leads on to what follows."""
    NO_TERM = ("match", pattern(r"^«definition.no_term»\s*[\d.]*$"), "Tip 2", "Tipping point")
    """Words before a colon that are no term."""

    # what a tutor says

    TALK = ("search", Words("«tutor.talk»", r"«tutor.type» \b", "👉"), "Shall we go on?", "A view goes on.")
    """It keeps a conversation going."""
    MENU = (
        "search",
        Words("«tutor.menu»", r"«tutor.which»\s?«tutor.part»\s?«tutor.begins»", r"«tutor.pick» \b"),
        "Would you like hooks or views?",
        "Which is a view?",
    )
    """A choice of what to do next, which has no right answer."""
    PRAISE = ("search", Words("«tutor.praise»", "[✅✔💯🎯]"), "Well done!", "It is done.")
    CONFIRMS = (
        "search",
        Words("«tutor.confirms»", "[✅✔💯]", "^«tutor.got_it»", rf"(?<![{HAN}])«tutor.right_alone»(?=[，,！!。~～])"),
        "对，就是它",
        "不对",
    )
    """It says that the pupil is right."""
    DENIES = ("search", Words("«tutor.denies»", "[❌❎✗✘⭕]", "^«tutor.no»"), "No, it copies.", "It has no copy.")
    """It says that the pupil is wrong."""
    CROSSED = ("search", pattern("[❌❎✗✘⭕]"), "B ❌", "B")
    ALL_RIGHT = (
        "search",
        Words(
            "«tutor.all_right»",
            "«tutor.all»«tutor.answered»?«tutor.hit»",
            r"«tutor.all» (?:\w+ )?«tutor.hit»",
            r"(?:\d|«grammar.numeral»)\s*«tutor.combo»",
            r"\b(?P<score>\d+)\s*(?:/|«tutor.out_of»)\s*(?P=score)\b",
        ),
        "That is 3/3",
        "That is 2/3",
    )

    # sentences

    POINTER = (
        "search",
        pattern(
            rf"«worth.pointer»|(?<![{HAN}])«worth.in_picture»|«worth.numbered»\.?\s*\(?\d|(?<!«worth.row_of»)«worth.figure» ?\d"
        ),
        "As shown in section 3",
        "It is shown.",
    )
    """It leans on what a card does not show: `as shown above`, `本节`, a figure."""
    LEAD_IN = ("match", pattern(r"^\W*«worth.talk»"), "Let's first look at views.", "Views let us look.")
    """It begins by leading its reader on."""
    MIDWAY = ("match", pattern(r"^\W*«worth.midway»"), "However, it copies.", "A copy, however.")
    """It goes on from a sentence before it."""
    PERSONAL = ("search", pattern(r"«worth.personal»"), "Here we copy.", "Here a copy is made.")
    """Its author or its reader acts in it."""
    INSTRUCTS = (
        "match",
        pattern(r"^\W*«worth.imperative»(?:(?<=[A-Za-z])(?=\s+[A-Za-z`*\"\[])|(?<![A-Za-z]))"),
        "Create a folder",
        "Creates a folder",
    )
    """It tells its reader what to do."""
    JUDGES = ("search", pattern(r"«worth.praise»"), "A fantastic layer", "A linear layer")
    """Its author says how good something is."""

    # headers of tables

    LESSON_COLUMN = ("fullmatch", pattern(r"\W*«definition.section»\W*"), "Week", "Weekday")
    """First column of an outline of lessons."""
    SCORE_COLUMN = ("search", pattern(r"«definition.score»|^«definition.score_alone»[?？]?$"), "Your grade", "Gradient")
    OWN_SCORE = ("fullmatch", pattern(r"\W*«definition.own_score»\W*"), "Total score:", "Score function")
    """What stands before the figure in a row of a pupil's results."""
    PUPIL_COLUMN = ("search", pattern(r"«definition.pupil»|^«definition.pupil_begins»"), "Your answer", "Answer")
    RIGHT_COLUMN = ("search", pattern(r"^«definition.right_column»\W*$"), "Correct answer:", "Answer to it")
    PARAMETER_COLUMN = ("search", pattern(r"«definition.parameter»"), "Parameter name", "Name")
    API_COLUMN = (
        "search",
        pattern(r"^«definition.api_column»|«definition.api_column»$"),
        "Pooling layer",
        "A layer of it",
    )
    MEANING_COLUMN = ("search", pattern(r"«definition.meaning»"), "What it does", "Shape")
    """It tells what the thing in the row is or does."""
    VALUE_COLUMN = (
        "fullmatch",
        pattern(r"^\W*(?:«definition.value»|«definition.whether».*)\W*$"),
        "Default",
        "Default behaviour",
    )
    """It tells how large or of what kind the thing in the row is, and not what it does."""
    PROPERTY_COLUMN = ("search", pattern(r"^\W*«definition.property»\W*$"), "Input shape", "Shape of input")
    """It tells what goes in and out, what is kept or when: not what the thing in the row is for."""
    MEASURED_COLUMN = (
        "search",
        pattern(
            r"«definition.measured»|«definition.precision»[（(]?%|(?:\b|[（(\[/])(?:ms|µs|us|sec|s|min|hours?|[kmg]i?b|fps|it/s|img/s|%)(?:\b|[)）\]]|$)"
            r"|«definition.rate_of»/s|t?flops"
        ),
        "Latency (ms)",
        "Laziness",
    )
    """Figures that somebody measured."""
    DITTO = ("search", pattern(r"«definition.ditto»|″|〃|^\s*\"\s*$"), "same as above", "the same")
    DECORATION_COLUMN = ("search", pattern(r"«definition.decoration»"), "Difficulty", "Meaning")
    """It says nothing about the thing in the row."""

    __hash__ = object.__hash__  # by its name, as enums have it, takes longer than some expressions

    def find(self, text: str) -> re.Match[str] | None:
        """What makes a text be of this kind; None if it is of another. Ask `Labels`, which remember it."""
        found: re.Match[str] | None = getattr(self.expression, self.how)(text)
        return found


LEANS = (Kind.MIDWAY, Kind.LEAD_IN, Kind.PERSONAL, Kind.POINTER)
"""Sentences that do not stand by themselves."""
OF_ITS_TURN = (Kind.QUIZ, Kind.SUMMARY, Kind.MNEMONIC, Kind.EXAMPLE, Kind.ROADMAP)
"""Headings in a chat that are about their own turn and no later one."""


_NUMERALS = {word: at for at, word in enumerate(roles("zh")["grammar.numeral"], 1)}
_AND = r"(?!\s{0,4}(?:[、,，&/]|«definition.joined»))"
_NUMBER = pattern(
    rf"«grammar.ordinal»\s{{0,4}}(?P<zh>\d{{1,3}}|«grammar.numeral»)\s{{0,4}}«quiz.measure»?«quiz.counted»(?!«quiz.not_counted»){_AND}"
    rf"|«quiz.question»[】)）\]]?\s{{0,4}}\#?\s{{0,4}}(?P<named>\d{{1,3}})(?![\w.]*\d|[A-Za-z_])\s{{0,4}}«grammar.question»?{_AND}"
    r"|(?P<circled>[①-⑳❶-❿])"
    rf"|(?P<bare>\d{{1,3}})(?:\ufe0f?\u20e3|\s{{0,4}}(?:«grammar.question»(?!«quiz.not_counted»){_AND}|\\?[.．、:：)）\]】](?![\d=])"
    r"|(?=\*\*|$|\n|\s?[✅✔❌✗✘]|\s[-–—]{1,2}\s+[^\W\d])))",
    re.IGNORECASE,
)
"""What only counts needs a mark behind it, and what is named does not: `2 things` bears no number, `Question 2 is wrong` does."""
_BEFORE_NUMBER = pattern(r"[^\w\n]{0,40}")
_BEHIND_NUMBER = pattern(r"(?:\*\*|\s*\\?[.．、:：)）\]】])*\s*(?:[-–—]+\s+)?")


class Numbered(NamedTuple):
    """The number that a line begins with, and what stands behind it and its mark."""

    number: int
    rest: str


class Labels:
    """What there is to say of one text; each of it is worked out when it is first asked."""

    __slots__ = ("_kinds", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._kinds: dict[Kind, re.Match[str] | None] = {}

    def found(self, kind: Kind) -> re.Match[str] | None:
        """What makes the text be of a kind."""
        if kind not in self._kinds:
            self._kinds[kind] = kind.find(self.text)
        return self._kinds[kind]

    def __contains__(self, kind: Kind) -> bool:
        return self.found(kind) is not None

    def any_of(self, kinds: Iterable[Kind]) -> bool:
        """True for a text of one of these kinds."""
        return any(map(self.__contains__, kinds))

    @property
    def number(self) -> Numbered | None:
        """What a line begins with to say which question it is about; None if it bears no number."""
        return _number(self.text)

    @property
    def words(self) -> Labels:
        """Those of its plain words."""
        return labels(plain(self.text))

    @property
    def title(self) -> Labels:
        """Those of the plain words of a heading, without its number."""
        return labels(plain(title(self.text)))


@lru_cache(maxsize=8192)
def labels(text: str) -> Labels:
    """The labels of a text, wherever it stands."""
    return Labels(text)


@lru_cache(maxsize=4096)
def _number(line: str) -> Numbered | None:
    before = _BEFORE_NUMBER.match(line)
    match = _NUMBER.match(line, before.end() if before else 0)
    if match is None:
        return None
    digits = match["zh"] or match["named"] or match["circled"] or match["bare"]
    between = _BEHIND_NUMBER.match(line, match.end())
    number = _NUMERALS.get(digits) or int(CIRCLED.get(digits, digits))  # of any script, as `\d` is
    return Numbered(number, line[between.end() if between else match.end() :])
