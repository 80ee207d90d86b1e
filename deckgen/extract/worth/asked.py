"""What is asked: a question that a stranger understands, of a thing that has a name, about what somebody learns."""

from __future__ import annotations

from dataclasses import replace

from deckgen.extract.notes.statement import says
from deckgen.extract.text import CODE_SPAN, code_spans, has_words, plain, title, without_number
from deckgen.extract.worth.code_names import names_code
from deckgen.extract.worth.prose import instructs, is_personal, points_away
from deckgen.extract.worth.whole import FIELD, OF_TORCH, Whole
from deckgen.model.note import Api, Basic, Cloze, FoundAs, Note, back, front
from deckgen.text.pattern import pattern

_LABEL = pattern(r"\W*«worth.label»\s*(?:\d|[一二三四五六七八九十])*\W*")
_CLAUSE = pattern(r"^\W*«worth.clause»(?![-_.\w(])|^\W*(?:\w+ed|\w+s)\s+(?:the|a|an|your|our)\b")
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
_COUNTED = pattern(r"\W*(?:[A-Za-z]*\s?\d[\d.,:/\-–~]*\s?[A-Za-z%]{0,5}|[A-Z]|[一二三四五六七八九十]+)\W*")
_COMMANDS = pattern(r"^\W*«worth.imperative»\s+(?:the|an?|your|our|more|less|fewer|to|it|with|for|from|all)\b")
"""`Make the batch larger`; a term may begin with such a word: `Test set`."""
_DOES = pattern(r"^\W*Do\s.+\?\W*$")
"""`Do both train alike?` is a question, and no command."""
_TELLS = pattern(r"^\W*«question.task»")
"""`Explain why ...`: a task whose answer is a text."""
_IDLE = pattern(r"\W*«worth.idle_column»\W*")
FILE = pattern(r"[\w./*{}<>-]*(?:\.(?:py|ipynb|md|txt|sh|json|ya?ml|cfg|toml|html?|css|js|csv|pth?|zip|bat)|/)\W*")
_PUNCTUATED = pattern(r"[。；;!?！？，,]|\.\s")
_CJK = pattern(r"[\u3400-\u9fff]")
_NAME = pattern(
    r"[A-Za-z]\w*[._]\w|\w\(|\b[a-z]+[A-Z]|\b[A-Z][a-z]+[A-Z]|\b[A-Z]{2,}\b|\b[A-Z]\w*-\d|@|\$"
    r"|^\w+\s*[（(](?:bool|int|float|str|tuple|list|dict|Tensor|[Cc]allable|optional)\b"
)
_BRACKETS = pattern(r"[（(][^（()）]*[）)]")
_ASPECT = pattern(r".+?\s[-–—]\s[^-–—]+")
_LATIN = pattern(r"[A-Za-z][\w .+/-]*")
_DEFINES = pattern(
    r"^\W*(?:«worth.thing»|«worth.define»|«worth.does»|[a-z]{3,}s\s(?!(?:of|and|in|with|are|were|have|can|will|do|that)\b))"
)
_HEAD = pattern(r"的[^的]{1,10}$")
"""`直接创建的张量`: what a thing is, its noun at the end."""
_CLAUSE_END = pattern(r"[，。；,;]|\.\s")
_ENUMERATED = 2
"""Commas of a list of topics, which defines nothing."""
_SHORT_CODE = 10
"""Lines of code that somebody can write down from memory."""
_WORDS = 5
_CHARACTERS = 12
"""Chinese characters of a term: what is longer is a sentence."""


def term_of(note: Note) -> str:
    """The term whose meaning a note asks for; empty for other notes."""
    return note.body.prompt.strip() if isinstance(note.body, Basic) and note.found_as is FoundAs.TERM else ""


def question_of(note: Note) -> str:
    """The question of the author's that a note asks; empty for other notes."""
    return note.body.prompt if isinstance(note.body, Basic) and note.found_as is FoundAs.QUESTION else ""


def asks_of_label(note: Note) -> bool:
    """`Input`, `目标`: what a line is called in its list, and no name of a thing."""
    term = term_of(note)
    aspect = plain(term).replace("—", "-").rpartition(" - ")[2]
    return bool(term) and bool(_LABEL.fullmatch(without_number(plain(term))) or _OPINION.fullmatch(aspect))


def asks_of_no_name(note: Note) -> bool:
    """`Increase the model's size`, `2020`: a clause, a step or a number is no term."""
    term, answer = term_of(note), getattr(note.body, "answer", "")
    words = _BRACKETS.sub("", _without_code(term))
    if not term or (code_spans(term) and not has_words(words)):
        return False
    latin = [word for word in words.split() if has_words(word)]
    return (
        len(latin) > _WORDS
        or len(_CJK.findall(words)) > _CHARACTERS
        or bool(_PUNCTUATED.search(words) or _CLAUSE.match(words))
        or (_COUNTED.fullmatch(words) is not None and not code_spans(term))
        or _COMMANDS.match(words) is not None
        or _EQUATION.search(words) is not None
        or (not _CJK.search(words) and _ACTS.match(words) is not None and not _DEFINES.match(plain(answer)))
        or is_personal(words)
        or points_away(words)
    )


def _without_code(term: str) -> str:
    """The words of a term outside its code."""
    return plain(CODE_SPAN.sub(" ", term))


def has_name(term: str) -> bool:
    """True for a term that is surely a name: in code, an identifier, an acronym, a Latin word among Chinese ones."""
    words = plain(term)
    return bool(code_spans(term) or _NAME.search(words) or (_ASPECT.fullmatch(words)))


def asks_of_no_thing(note: Note) -> bool:
    """Plain words with a text that does not define them: `Easy to debug: PyTorch runs each line at once`."""
    term = term_of(note)
    if not term or not isinstance(note.body, Basic) or has_name(term):
        return False
    said = plain(note.body.answer)
    if _LATIN.fullmatch(plain(term)) and _CJK.search(said):
        return False  # a name among Chinese words
    first = _CLAUSE_END.split(said, maxsplit=1)[0]
    phrase = (
        "\n" not in said
        and not says(first)
        and (_HEAD.search(first) if _CJK.search(said) else said.count(",") < _ENUMERATED)
    )
    return not (phrase or _DEFINES.match(said))


def is_logistics(note: Note) -> bool:
    """What stands under `Exercises`, `参考资料`, `What we're going to cover` is nothing to learn."""
    if note.found_as is FoundAs.CODE:
        return False
    prompt = getattr(note.body, "prompt", "").rstrip("?？")
    above = () if note.found_as is FoundAs.QUESTION else note.headings
    if any(_LOGISTICS.fullmatch(title(plain(one))) or _EXERCISE.search(one) for one in above):
        return True
    return any(_LOGISTICS_ALONE.fullmatch(one) for one in plain(prompt).split(" - "))


def asks_of_text(note: Note) -> bool:
    """`What does this course cover?`: a question about the text that it stands in."""
    if (
        not isinstance(note.body, Basic)
        or note.found_as not in (FoundAs.QUESTION, FoundAs.ROW)
        or "```" in note.body.prompt
    ):
        return False
    return points_away(note.body.prompt)


def asks_of_number(note: Note) -> bool:
    """A row of a table whose first cell counts: `1`, `Day 3`, `2020`."""
    return bool(_COUNTED.fullmatch(plain(row_and_column(note)[0])))


def asks_of_idle_column(note: Note) -> bool:
    """A column that holds nothing to learn: `Status`, `Price`, `链接`."""
    return bool(_IDLE.fullmatch(plain(row_and_column(note)[1])))


def row_and_column(note: Note) -> tuple[str, str]:
    """The first cell of a row and the header of a column, of a note that asks for a cell; empty for other notes."""
    if note.found_as is not FoundAs.ROW or not isinstance(note.body, Basic):
        return "", ""
    row, _, column = note.body.prompt.rstrip("?？").partition(" — ")
    return row, column


def asks_of_aspect(note: Note) -> bool:
    """A cell of a table that compares: `Notebooks — Cons?` has as many answers as there are opinions.

    Rows and columns that name code, and columns that tell what something is or does, are asked.
    """
    row, column = row_and_column(note)
    if not row or not isinstance(note.body, Basic):
        return False
    if _OPINION.fullmatch(plain(column)):
        return True
    if (
        code_spans(row)
        or code_spans(column)
        or any(_IS_CODE.search(_MATH.sub("", plain(one))) for one in (row, column))
        or _CALLS.search(note.body.answer)
    ):
        return False
    return _ONE_NAME.fullmatch(note.body.answer.strip()) is None and not _tells_meaning(column)


def _tells_meaning(column: str) -> bool:
    """True for a header over what something is, does or is used for."""
    return _MEANS.search(plain(column)) is not None or _USE.fullmatch(plain(column)) is not None


def asks_of_other_field(note: Note, whole: Whole) -> bool:
    """Nothing that who knows torch knows better.

    A question of the author's counts as what its document is about; what deckgen asks by itself needs a word of the field, in
    what is asked and answered or just above it. A few lines tell too little of what they are about.
    """
    if whole.is_short:
        return False
    if not whole.is_about_torch:
        return True
    if note.found_as is FoundAs.QUESTION or not isinstance(note.body, Basic | Cloze) or note.found_as is FoundAs.CODE:
        return False
    text = " ".join((note.headings[-1] if note.headings else "", _asked(note)))
    return not (FIELD.search(text) or OF_TORCH.search(text) or names_code(text))


def _asked(note: Note) -> str:
    """What a note asks and answers, without the headings above it."""
    return f"{front(replace(note, headings=()))} {back(note)}"


def asks_twice(note: Note) -> bool:
    """Two questions on one front: an answer to one of them is half of an answer."""
    asked = question_of(note)
    return "```" not in asked and len(_QUESTIONS.findall(_ADDED.split(plain(asked))[0])) > 1


def asks_a_task(note: Note) -> bool:
    """`Try another model, how does it do?`: an exercise of the text, whose answer is the reader's."""
    if note.found_as is not FoundAs.QUESTION or not isinstance(note.body, Basic):
        return False
    tells = _TELLS.match(note.body.prompt) and note.body.answer.count("\n") <= _SHORT_CODE
    return instructs(note.body.prompt) and not tells and not _DOES.match(note.body.prompt)


def asks_of_file(note: Note) -> bool:
    """A file of somebody's project: `train.py`, `corpus.txt - format`."""
    if not isinstance(note.body, Api):
        thing = plain(term_of(note)).partition(" ")[0]
        return bool(thing) and FILE.fullmatch(thing) is not None
    return all(FILE.fullmatch(name) for name in note.body.name.split(" / "))


def asks_of_own_name(note: Note, whole: Whole) -> bool:
    """A function or class that the text itself defines: nobody else has it."""
    if not isinstance(note.body, Api) or note.found_as is FoundAs.ROW:
        return False
    return note.body.name in whole.own_names


def asks_of_several(note: Note) -> bool:
    """Three names in one note are three facts."""
    return isinstance(note.body, Api) and note.body.name.count(" / ") > (note.found_as is FoundAs.ROW)
