"""What is asked: a question that a stranger understands, of a thing that has a name, about what somebody learns."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from deckgen.extract.labels import Kind, labels
from deckgen.extract.notes.statement import says
from deckgen.extract.text import CODE_SPAN, code_spans, has_words, plain, title, without_number
from deckgen.extract.worth.facts import FIELD, OF_TORCH, Facts, is_bare_method, names_something
from deckgen.extract.worth.prose import is_code, names_code
from deckgen.model.note import Cloze, FoundAs, back, front
from deckgen.text.pattern import CHINESE, pattern

_LABEL = pattern(r"\W*«worth.label»\s*(?:\d|«grammar.numeral»)*\W*")
_CLAUSE = pattern(r"^\W*«worth.clause»(?![-_.\w(])|^\W*(?:\w+ed|\w+s)\s+«worth.whose»")
_LOGISTICS = pattern(r"(?:\W*|[\w .:'&-]{0,24}[ .:-])«worth.logistics»(?:\W.{0,24})?")
_LOGISTICS_ALONE = pattern(r"\W*«worth.logistics»\W*")
_EXERCISE = pattern(r"«worth.exercise»")
_IS_CODE = pattern(r"\w\(|\w\.\w|[a-z]_[a-z]|__\w|\b[a-z]+[A-Z]|\b[A-Z][a-z]+[A-Z][a-z]\w*$")
_MATH = pattern(r"\$[^$]*\$")
_CALLS = pattern(r"`[^`]*[A-Za-z_]\w*\([^`]*`")
_OPINION = pattern(r"\W*«worth.opinion»\W*")
_MEANS = pattern(r"«worth.meaning_column»")
_ONE_NAME = pattern(r"`[^`]+`")
_USE = pattern(r"\W*«worth.use_column»\W*")
_QUESTIONS = pattern(r"[?？](?=\s*\S)|[?？]$")
_ADDED = pattern(r"\s[—-]\s")
"""What deckgen adds to a heading: `... — why, and how?`."""
_EQUATION = pattern(r"[=≈<>]|^\W*[@*+/&|]\s*\w|«worth.relation»")
_ACTS = pattern(r"^\W*(?:«worth.imperative»|[A-Z][a-z]+ing\s+\w+)\s+[a-z\w]")
"""`Enable compression`, `Adding more units`: what somebody does; a term may begin so (`Learning rate`) if its text defines it."""
_COUNTED = pattern(r"\W*(?:[A-Za-z]*\s?\d[\d.,:/\-–~]*\s?[A-Za-z%]{0,5}|[A-Z]|«grammar.numeral»+)\W*")
_COMMANDS = pattern(r"^\W*«worth.imperative»\s+«worth.commanded»")
"""`Make the batch larger`; a term may begin with such a word: `Test set`."""
_DOES = pattern(r"^\W*Do\s.+\?\W*$")
"""`Do both train alike?` is a question, and no command."""
_IDLE = pattern(r"\W*«worth.idle_column»\W*")
FILE = pattern(r"[\w./*{}<>-]*(?:\.(?:py|ipynb|md|txt|sh|json|ya?ml|cfg|toml|html?|css|js|csv|pth?|zip|bat)|/)\W*")
_PUNCTUATED = pattern(r"[。；;!?！？，,]|\.\s")
_CJK = CHINESE
_NAME = pattern(
    r"[A-Za-z]\w*[._]\w|\w\(|\b[a-z]+[A-Z]|\b[A-Z][a-z]+[A-Z]|\b[A-Z]{2,}\b|\b[A-Z]\w*-\d|@|\$"
    r"|^\w+\s*[（(](?:bool|int|float|str|tuple|list|dict|Tensor|[Cc]allable|optional)\b"
)
_BRACKETS = pattern(r"[（(][^（()）]*[）)]")
_ASPECT = pattern(r".+?\s[-–—]\s[^-–—]+")
_LATIN = pattern(r"[A-Za-z][\w .+/-]*")
_DEFINES = pattern(r"^\W*(?:«worth.thing»|«worth.define»|«worth.does»|[a-z]{3,}s\s(?!«worth.noun_goes_on»))")
_HEAD = pattern(r"«grammar.of»(?:(?!«grammar.of»)[\s\S]){1,10}$")
"""`直接创建的张量`: what a thing is, its noun at the end."""
_CLAUSE_END = pattern(r"[，。；,;]|\.\s")
_ENUMERATED = 2
"""Commas of a list of topics, which defines nothing."""
_SHORT_CODE = 10
"""Lines of code that somebody can write down from memory."""
_WORDS = 5
_CHARACTERS = 12
"""Chinese characters of a term: what is longer is a sentence."""
_FORMULA = pattern(r"\$[^$]+\$")
_HERE = pattern("(?![A-Z])«worth.this»|(?<!«worth.not_this»)«worth.this_one»")
_IS_THING = pattern(
    r"^\W*(?:«worth.thing»|(?i:one)\b|[^，。；,;]*«grammar.of»(?:(?!«grammar.of»)[^，。；]){1,10}(?:[。；]|$))"
)
"""`a tensor that ...`, `直接创建的张量`: what a thing is."""
_METHOD_CALL = pattern(r"`[^`]*[A-Za-z)\]]\.\w+\([^`]*`")
"""`x.argsort(dim=-1)`: how something is written, which is a row's answer."""
_SHOWS = pattern(r"```|!\[")
"""Code or a picture on the front, which `this` may be."""
_PARAMETER_NAME = pattern(r"[a-z][a-z0-9_]*(?:\s*\([A-Za-z, ]+\))?")
"""`kernel_size`, `preds (Tensor)`: a name that means something only for the call that has it."""
_TYPED = pattern(r"[a-z]\w*\s*[（(]")
"""`strict (bool)`: a parameter with its type."""
_ASKS_OPINION = pattern(r"«worth.opinion_question»")
_COMPARES = pattern("«worth.compares»")


# terms


def asks_of_label(note: Facts) -> bool:
    """`Input`, `目标`: what a line is called in its list, and no name of a thing."""
    aspect = note.term_words.replace("—", "-").rpartition(" - ")[2]
    return bool(note.term) and bool(_LABEL.fullmatch(without_number(note.term_words)) or _OPINION.fullmatch(aspect))


def asks_of_no_name(note: Facts) -> bool:
    """`Increase the model's size`, `2020`: a clause, a step or a number is no term."""
    if not note.term:
        return False
    words, spans = _BRACKETS.sub("", plain(CODE_SPAN.sub(" ", note.term))), code_spans(note.term)
    if spans and not has_words(words):
        return False
    acts = not _CJK.search(words) and _ACTS.match(words) and not _DEFINES.match(note.words)
    return bool(
        sum(map(has_words, words.split())) > _WORDS
        or len(_CJK.findall(words)) > _CHARACTERS
        or _PUNCTUATED.search(words)
        or _CLAUSE.match(words)
        or (_COUNTED.fullmatch(words) and not spans)
        or _COMMANDS.match(words)
        or _EQUATION.search(words)
        or acts
        or labels(words).words.any_of((Kind.PERSONAL, Kind.POINTER))
    )


def _is_name(note: Facts) -> bool:
    """True for a term that is surely a name: in code, an identifier, an acronym, a Latin word among Chinese ones."""
    latin = _LATIN.fullmatch(note.term_words) and _CJK.search(note.words)
    return bool(latin or code_spans(note.term) or _NAME.search(note.term_words) or _ASPECT.fullmatch(note.term_words))


def asks_of_no_thing(note: Facts) -> bool:
    """Plain words with a text that does not define them: `Easy to debug: PyTorch runs each line at once`."""
    if not note.term or _is_name(note) or _DEFINES.match(note.words):
        return False
    if "\n" in note.words or says(first := _CLAUSE_END.split(note.words, maxsplit=1)[0]):
        return True
    return not (_HEAD.search(first) if _CJK.search(note.words) else note.words.count(",") < _ENUMERATED)


def asks_of_lone_parameter(note: Facts) -> bool:
    """`dim` with what it means, where the card does not say of which call."""
    if note.api is None or not note.is_term or _PARAMETER_NAME.fullmatch(note.api.name) is None:
        return False
    return note.document.lists_parameters(note.note.headings) and not note.has_owner


# tables


def asks_of_number(note: Facts) -> bool:
    """A row of a table whose first cell counts: `1`, `Day 3`, `2020`."""
    return _COUNTED.fullmatch(note.row_words) is not None


def asks_of_idle_column(note: Facts) -> bool:
    """A column that holds nothing to learn: `Status`, `Price`, `链接`."""
    return _IDLE.fullmatch(note.column_words) is not None


def asks_of_aspect(note: Facts) -> bool:
    """A cell of a table that compares: `Notebooks — Cons?` has as many answers as there are opinions.

    Rows and columns that name code, and columns that tell what something is or does, are asked.
    """
    if not note.cell[0]:
        return False
    if _OPINION.fullmatch(note.column_words):
        return True
    coded = any(code_spans(one) or _IS_CODE.search(_MATH.sub("", plain(one))) for one in note.cell)
    named = coded or _CALLS.search(note.answer) or _ONE_NAME.fullmatch(note.answer.strip())
    return not (named or _MEANS.search(note.column_words) or _USE.fullmatch(note.column_words))


def asks_of_name_above(note: Facts) -> bool:
    """A column with the name of a call at its head, and rows that are aspects of it: `Memory — reshape?`."""
    row, column = note.cell
    return bool(row) and is_code(column) and not is_code(row)


# questions


def asks_of_text(note: Facts) -> bool:
    """`What does this course cover?`: a question about the text that it stands in."""
    if note.basic is None or note.found_as not in (FoundAs.QUESTION, FoundAs.ROW) or "```" in note.basic.prompt:
        return False
    return Kind.POINTER in labels(note.basic.prompt).words


def asks_twice(note: Facts) -> bool:
    """Two questions on one front: an answer to one of them is half of an answer."""
    return "```" not in note.question and len(_QUESTIONS.findall(_ADDED.split(note.question_words)[0])) > 1


def asks_a_task(note: Facts) -> bool:
    """`Try another model, how does it do?`: an exercise of the text, whose answer is the reader's."""
    if Kind.INSTRUCTS not in labels(note.question).words:
        return False
    tells = Kind.TASK in labels(note.question) and note.answer.count("\n") <= _SHORT_CODE
    return not tells and not _DOES.match(note.question)


def asks_for_opinion(note: Facts) -> bool:
    """`Why choose a notebook?`, `What are the benefits of hooks?`: as many answers as there are people."""
    return _ASKS_OPINION.search(note.question_words) is not None and _COMPARES.search(note.question_words) is None


def asks_of_this(note: Facts) -> bool:
    """`What is this package for?`: nobody knows a year later what `this` was."""
    return _HERE.search(note.question_words) is not None and _SHOWS.search(note.question) is None


# names


def asks_of_file(note: Facts) -> bool:
    """A file of somebody's project: `train.py`, `corpus.txt - format`."""
    if note.api:
        return all(FILE.fullmatch(name) for name in note.api.name.split(" / "))
    thing = note.term_words.partition(" ")[0]
    return bool(thing) and FILE.fullmatch(thing) is not None


def asks_of_own_name(note: Facts) -> bool:
    """A function or class that the text itself defines: nobody else has it."""
    if note.api is None or note.found_as is FoundAs.ROW:
        return False
    return note.api.name in note.document.own_names


def asks_of_several(note: Facts) -> bool:
    """Three names in one note are three facts; so are two that no row sets side by side."""
    return note.api is not None and note.api.name.count(" / ") > (note.found_as is FoundAs.ROW)


def is_asked_again(note: Facts) -> bool:
    """A card above under other headings asks this in the same words, or of the same code."""
    return not is_bare_method(note.note) and id(note.note) in note.document.asked_again


# what it is about


def is_logistics(note: Facts) -> bool:
    """What stands under `Exercises`, `参考资料`, `What we're going to cover` is nothing to learn; code under them may be."""
    if note.found_as is FoundAs.CODE:
        return False
    above = () if note.found_as is FoundAs.QUESTION else note.note.headings
    if any(map(_heads_logistics, above)):
        return True
    prompt = getattr(note.note.body, "prompt", "").rstrip("?？")
    return any(_LOGISTICS_ALONE.fullmatch(one) for one in plain(prompt).split(" - "))


@lru_cache(maxsize=1024)
def _heads_logistics(heading: str) -> bool:
    return bool(_LOGISTICS.fullmatch(title(plain(heading))) or _EXERCISE.search(heading))


def asks_of_other_field(note: Facts) -> bool:
    """Nothing that who knows torch knows better.

    A question of the author's counts as what its document is about; what deckgen asks by itself needs a word of the field, in
    what is asked and answered or just above it. A few lines tell too little of what they are about.
    """
    if note.document.is_short:
        return False
    if not note.document.is_about_torch:
        return True
    ours = note.basic or isinstance(note.note.body, Cloze)
    if not ours or note.found_as in (FoundAs.QUESTION, FoundAs.CODE):
        return False
    above = note.note.headings[-1] if note.note.headings else ""
    text = f"{above} {front(replace(note.note, headings=()))} {back(note.note)}"
    return not (names_code(text) or FIELD.search(text) or OF_TORCH.search(text))


def is_without_code(note: Facts) -> bool:
    """`What is overfitting?`, `Forward pass — What does it do?`: what is asked is no name of a program (CARDS.md, rule 6).

    A term counts that the code of its document writes as well; a question may have the code in its answer. Of a question in
    a few lines nobody knows what it is about.
    """
    if note.basic is None:
        return False
    match note.found_as:
        case FoundAs.ROW:
            return not any(map(is_code, note.cell)) and not _METHOD_CALL.fullmatch(note.answer.strip())
        case FoundAs.TERM:
            return not _is_term_of_code(note, note.basic.prompt)
        case FoundAs.QUESTION:
            asked = (note.question, *note.note.headings[-1:])
            named = any(map(_is_of_torch, asked)) or names_something(note.answer) or _FORMULA.search(note.answer)
            return not note.document.is_short and not named
        case FoundAs.CARD | FoundAs.QUIZ | FoundAs.MNEMONIC | FoundAs.LINE | FoundAs.FACT:
            return False
        case FoundAs.ENTRY | FoundAs.GAP | FoundAs.CODE:
            return False  # they ask for code, or of it
        case _:
            assert_never(note.found_as)


def _is_term_of_code(note: Facts, prompt: str) -> bool:
    """True for a term that names code, that its document's code calls, or that a sentence defines as a thing of torch's."""
    words = plain(prompt)
    owned = _TYPED.match(words) and note.has_owner
    defined = OF_TORCH.search(words) and _IS_THING.match(note.words)
    return bool(owned or note.document.calls(words) or defined or names_code(prompt))


def _is_of_torch(text: str) -> bool:
    return bool(OF_TORCH.search(plain(text)) or _FORMULA.search(text)) or names_something(text)
