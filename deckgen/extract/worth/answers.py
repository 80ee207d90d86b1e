"""What is answered: visible text that stands by itself, says one thing, and is worth knowing; and what a gap hides."""

from __future__ import annotations

import re
from typing import assert_never

from deckgen import lexicon
from deckgen.extract.labels import LEANS, Kind, labels
from deckgen.extract.notes.statement import says
from deckgen.extract.text import code_spans, has_words, plain, plain_width, squeezed, width
from deckgen.extract.worth.asked import FILE
from deckgen.extract.worth.facts import Facts
from deckgen.extract.worth.prose import (
    breaks_off,
    has_debris,
    is_code,
    leads_elsewhere,
    names_code,
    prose_of,
    sentences_of,
)
from deckgen.model.note import Api, Cloze, FoundAs, Hole, Note
from deckgen.text.pattern import CHINESE, HAN, pattern

_MAY_BE_SHORT = (FoundAs.QUIZ, FoundAs.MNEMONIC, FoundAs.ROW, FoundAs.QUESTION)
"""Notes to which a word may be the answer."""
LONGEST = 480
"""Columns of an answer that is one thought."""
ITEMS = 5
"""Items of a list that can be recalled together."""
_BESIDE_LINK = 40
"""Columns of words beside a link in an answer that is one."""
_CODE_LINES = 20
_CHORE_WIDTH = 32
_ITEM = pattern(r"(?m)^\s*(?:[-*+•]|\d+[.)、]|[（(]\d+[）)])\s*\S")
_VALUE = pattern(r"[\W_]*[\d.,:/×x%\s-]+\s?[A-Za-z%]{0,6}[\W_]*")
_SETTING = pattern(r"\W*[a-z_]+\s*[=≈]\s*[\d.,]+k?\W*|\W*[a-z_]+\s*=\s*\[.*\]\W*")
"""`n_layer = 6`: what somebody chose."""
_DEFAULT = pattern(r"«claim.default»")
_COIN = pattern(r"\W*«definition.little»\W*|\s*[✅❌✓✗✔✘☑]\ufe0f?\s*")
_GRADE = pattern(r"\W*(?:«worth.degree»\s*)?«worth.grade»\W*")
_CHORE = pattern(r"^\W*«worth.chore»")
_CONJUNCTION = pattern(r"^\W*«worth.conjunction»(?![A-Za-z(])\W")
_ITS_NAME = pattern(r"^\W*«worth.its_name»")
_CJK = CHINESE
_OF = pattern("«grammar.of»")
_SAYS = pattern(
    r"^\W*(?:«worth.thing»|«worth.define»|«worth.does»|«definition.verb»|[a-z]{3,}(?<!ion)s\s(?!«worth.noun_leads»))",
    re.IGNORECASE,
)
_VAGUE = pattern(r"^\W*(?:\w+ing\b|[+&/]|«worth.clause»\s|.*\d\s*:|.*[“\"(]$)")
_LATIN_WORD = pattern(r"[A-Za-z]{3,}")
_GENERIC = frozenset(lexicon.words("worth.generic"))
_USES = pattern(r"^\W*«worth.employs»\s")
_AMOUNT = pattern(r"(?:[\s(（≈~]|«worth.about»)*\d[\d.,]*(?![\w-]*[A-Za-z]-|D|d\b)")
_OPENS = pattern(r"^\W*«worth.remark»")
_ACTS = pattern(r"^«worth.acts»")
_KIND = pattern(r"«worth.kind»$")
_NAME_AGAIN = 16
"""Columns of a name in Chinese that ends with what it is the name of: a layer, a function."""
_LITTLE = 12
"""Columns of a few Chinese words that say nothing more than a name."""
FEW_WORDS = 60
"""Columns of words beside code that answer nothing by themselves."""
_FEW_LINES = 5
"""Lines of code that answer `How do you ...?` in one way, with the two of their fence and the one above it."""
_HOW = pattern(r"^\W*(?:«worth.how»|«worth.imperative»)")
_PARAMETER = pattern(rf"^\s*[-*+•]\s*[`*]*[a-z_]\w*[`*]*\s*(?:[:：(（—–-]|[{HAN}])")
"""`- dim: where to join`: an entry of a list of parameters."""
_URL = pattern(r"^\s*<?https?://\S+\s*(?:\n|$)")
_FENCE_OF = pattern(r"(?m)^`{3,}(\w*)")
_OF_TORCH = pattern(
    r"(?i:torch)\.|`[\w.]+[(`]|\bData(?:Loader|set)\b|\b(?:nn|F|optim|transforms)\.|\b(?:model|tensor|optimizer|loader|loss|scheduler)\w*\."
)
_DEFINES_CODE = pattern(r"(?m)^\s*(?:def|class|async def)\s")
_NAMES = pattern(
    r"(?:`?[\w.]+\(\)`?|`[\w.]+(?:\([^()`]*\))?`)(?:\s*[,，、/]\s*(?:`?[\w.]+\(\)`?|`[\w.]+(?:\([^()`]*\))?`))*[.。]?"
)
_PHRASE = 80
"""Columns of a few Chinese words that say what something is."""
_SENTENCE = pattern(r"[.!?](?=\s)|[。！？]")
_COMMA = pattern(r"[,，、;；]")
_COMMAS = 2
"""In a sentence that tells several things."""
_SEVERAL = 4
"""Names in an answer that tells several things."""
OURS = (FoundAs.TERM, FoundAs.GAP)
"""Notes whose gaps deckgen chose; those of quizzes are the author's."""
_LONGEST_LINE = 220
_API = pattern(r"\w[.(]|[A-Z]|[a-z]_[a-z]")
"""What a name of a library has and a variable lacks: a dot, a call, a capital, several words."""
_STEP = pattern(r"^\W*(?:(?i:if)\s[^,]*,\s)?[A-Za-z]+ing\s")
"""`If needed, augmenting the data with ...`: a step of a list, and no sentence."""
_ADVICE = pattern(r"«worth.advice»")
_HERE = pattern("(?![A-Z])«worth.here»")
_LAST_NAME = pattern(r"(\w{3,})(?:\([^()]*\))?[`*\s]*$")
_TAKES = pattern(r"^\W*«definition.take»(?![A-Za-z])")

# texts


def leads_on(note: Facts) -> bool:
    """`We first introduce ...`, `Now we're ready to ...`: a transition answers nothing."""
    sentence = next(iter(sentences_of(note.prose)), "")
    first = labels(sentence).words
    leads_in = Kind.LEAD_IN in labels(note.prose_words)
    if _OPENS.match(note.prose_words) or note.prose.startswith("where "):
        return True
    if note.found_as is not FoundAs.QUESTION and (_CONJUNCTION.match(note.prose_words) or leads_in):
        return True
    goes_on = Kind.MIDWAY in first and not _ITS_NAME.match(sentence)
    match note.found_as:
        case FoundAs.QUESTION:
            return leads_in and Kind.PERSONAL in first
        case FoundAs.TERM:
            return goes_on and not _CJK.search(sentence)
        case FoundAs.ENTRY:
            return goes_on or first.any_of((Kind.PERSONAL, Kind.INSTRUCTS))
        case FoundAs.CARD | FoundAs.QUIZ | FoundAs.MNEMONIC | FoundAs.ROW | FoundAs.CODE | FoundAs.LINE:
            return False
        case FoundAs.GAP | FoundAs.FACT:
            return False  # sentences that are looked at one by one
        case _:
            assert_never(note.found_as)


def is_cut(note: Facts) -> bool:
    """An answer that ends with a colon, or in the middle of a sentence."""
    return has_words(note.answer) and not note.answer.rstrip().endswith("```") and breaks_off(note.answer)


def is_links(note: Facts) -> bool:
    """An answer that only leads to another page."""
    least = _BESIDE_LINK if note.found_as is FoundAs.QUESTION else 8
    return _URL.match(note.answer) is not None or leads_elsewhere(note.prose, least)


def shows_marks(note: Facts) -> bool:
    """Marks that a card would show as they stand: `¶`, half of a bold mark, tags."""
    return has_debris(note.answer) or (note.basic is not None and has_debris(note.basic.prompt))


def is_recital(note: Facts) -> bool:
    """A list to recite, or a text that is too long to be recalled as one thing."""
    return note.basic is not None and is_long(note.answer)


def is_long(answer: str) -> bool:
    """True for an answer of much code, of many items or of many words."""
    prose = prose_of(answer)
    return _lines_of_code(answer) > _CODE_LINES or len(_ITEM.findall(prose)) > ITEMS or plain_width(prose) > LONGEST


def _lines_of_code(answer: str) -> int:
    """Lines of the fences of an answer, with those of their marks."""
    return answer.count("\n") - prose_of(answer).count("\n")


def tells_several(note: Facts) -> bool:
    """An answer with two commas in a sentence, or four names."""
    if not note.question or "\n" in note.answer.strip():
        return False
    most = max(len(_COMMA.findall(one)) for one in _SENTENCE.split(note.words))
    return most >= _COMMAS or len(set(code_spans(note.answer))) >= _SEVERAL


def is_any_code(note: Facts) -> bool:
    """A few words beside code that could be written in many ways: a function of the author's, or code without torch."""
    fence = _FENCE_OF.search(note.answer) if note.basic and note.found_as is FoundAs.QUESTION else None
    if fence is None or not fence[1].startswith("py") or width(note.prose_words) >= FEW_WORDS:
        return False
    if _OF_TORCH.search(note.question + note.answer) is None:
        return True
    long = _lines_of_code(note.answer) > _FEW_LINES or _DEFINES_CODE.search(note.answer) is not None
    return long and _HOW.match(note.question_words) is not None


# cells of tables


def is_coin(note: Facts) -> bool:
    """`Yes` or `no` of a row: half of all guesses are right."""
    cell = note.basic if note.found_as is FoundAs.ROW else None
    return cell is not None and _COIN.fullmatch(cell.answer.strip("*` ")) is not None


def is_grade(note: Facts) -> bool:
    """`Very high` in a row that compares: how much that is, everybody sees otherwise."""
    return note.found_as is FoundAs.ROW and _GRADE.fullmatch(note.words) is not None


def is_figure(note: Facts) -> bool:
    """A number or a size of somebody's project: nobody should know it."""
    if note.found_as not in (FoundAs.ROW, FoundAs.TERM, FoundAs.ENTRY):
        return False
    if _DEFAULT.search(getattr(note.note.body, "prompt", "")):
        return False
    value = "`" not in note.answer and bool(note.words.strip()) and _VALUE.fullmatch(note.words) is not None
    return value or _SETTING.fullmatch(note.words) is not None


# meanings of terms and names


def is_echo(note: Facts) -> bool:
    """An answer that says no more than what is asked."""
    if note.api and (_is_spelt_out(note.api) or note.api.example):
        return _is_spelt_out(note.api)
    asked = note.basic.prompt if note.basic else note.api.name if note.api else ""
    if "`" in note.answer:
        return False
    words = squeezed(note.answer)
    return len(words) > 2 and words in squeezed(asked) and not _COIN.fullmatch(note.words)


def _is_spelt_out(body: Api) -> bool:
    """`RandomCrop`: `crops an image at random`: nothing but the words of the name, and of what nearly all calls take."""
    words = [word.lower() for word in _LATIN_WORD.findall(plain(body.meaning)) if word.lower() not in _GENERIC]
    name = body.name.lower()
    return bool(words) and not _CJK.search(body.meaning) and all(word[:4] in name for word in words)


def is_advice(note: Facts) -> bool:
    """A term with what to do about it, or with a question, which is no meaning of it."""
    if not note.is_term:
        return False
    first = labels(note.first).words
    if Kind.PERSONAL in first or note.first.endswith(("?", "？")):
        return True
    advises = _USES.match(first.text) or Kind.INSTRUCTS in first or Kind.PERSONAL in labels(note.words)
    return note.basic is not None and bool(advises)


def says_little(note: Facts) -> bool:
    """One word, or praise, where a meaning should stand."""
    if note.found_as in _MAY_BE_SHORT or not (note.basic or note.api):
        return False
    if note.is_term and note.basic and _is_name_again(note.words.strip(" .。；;")):
        return True
    short = note.width < 6 and "`" not in note.answer
    return not has_words(note.answer) or short or (note.width < _PHRASE // 2 and Kind.JUDGES in labels(note.words))


def _is_name_again(words: str) -> bool:
    """A name in the other language, or two words: `二维平均池化`, `Dot multiplication`."""
    if _CJK.search(words):
        again = width(words) <= (_NAME_AGAIN if _KIND.search(words) else _LITTLE)
        return again and not _OF.search(words) and not (_SAYS.match(words) or _ACTS.match(words))
    return "`" not in words and len(words.split()) <= 2


def is_amount(note: Facts) -> bool:
    """`What is FP32? 4 GB of memory`: an amount is no meaning."""
    return note.is_term and note.basic is not None and _AMOUNT.match(note.words) is not None


def is_names(note: Facts) -> bool:
    """`Changing the shape? view(), reshape()`: names are no meaning, and others fit as well."""
    return note.is_term and note.basic is not None and _NAMES.fullmatch(note.answer.strip()) is not None


def says_no_meaning(note: Facts) -> bool:
    """`torch.cat` with its parameters alone, `np.where` with `torch.where`: what the call does is not said."""
    if note.api is None:
        return False
    return all(_PARAMETER.match(line) for line in note.answer.split("\n") if line.strip()) or is_code(note.answer)


def is_shared_meaning(note: Facts) -> bool:
    """`Elementwise operations` as the meaning of `torch.abs` and `torch.cos`: it stands above both, and says what neither does.

    `Loss functions` tells at least what kind of thing each is.
    """
    return note.entry is not None and not _KIND.search(note.words) and note.document.is_shared(note.words)


def is_chore(note: Facts) -> bool:
    """`Define the loss` over a call: what somebody does with it, and not what it is."""
    return bool(note.entry and note.entry.example and _CHORE.match(note.words) and note.width < _CHORE_WIDTH)


def speaks_of_another(note: Facts) -> bool:
    """A heading's other words, or a paragraph, that say nothing of the name: `From an array`, `Pretrained models are ...`."""
    if note.entry is None:
        return False
    first = next(iter(sentences_of(note.prose_words)), "")
    named = any(_is_named(first, one.rpartition(".")[2]) for one in note.entry.name.split(" / "))
    if _SAYS.match(first):
        return False
    if _CJK.search(note.prose_words):
        return not named and width(first) > _PHRASE
    return not named if says(first) else _VAGUE.match(note.prose_words) is not None


def _is_named(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None


# gaps


def states_no_fact(note: Facts) -> bool:
    """No gap is worth asking: advice, transitions, what somebody does, what leans on other lines, a name to be guessed."""
    body = our_gaps(note.note)
    return body is not None and not good_holes(body)


def our_gaps(note: Note) -> Cloze | None:
    """A cloze of a text whose gaps deckgen chose."""
    body = note.body
    return body if isinstance(body, Cloze) and note.found_as in OURS and not body.language else None


def good_holes(body: Cloze) -> tuple[Hole, ...]:
    """The gaps that are worth asking."""
    found: list[Hole] = []
    start = 0
    for line in body.text.split("\n"):
        inside = [hole for hole in body.holes if start <= hole.start <= start + len(line)]
        if inside and _is_fact(line):
            found += [hole for hole in inside if _hides_a_fact(line, hole.start - start, hole.stop - start)]
        start += len(line) + 1
    return tuple(found)


def _is_fact(line: str) -> bool:
    """True for a line that states something by itself."""
    text = line.strip().lstrip("-*+ ").strip()
    said = labels(text).words
    words = said.text
    return not (
        (Kind.INSTRUCTS in said and not _TAKES.match(words))
        or said.any_of((*LEANS, Kind.JUDGES))
        or _STEP.match(text)
        or _ADVICE.search(words)
        or _HERE.search(words)
        or breaks_off(text)
        or has_debris(text)
        or width(words) > _LONGEST_LINE
    )


def _hides_a_fact(line: str, start: int, stop: int) -> bool:
    """True for a gap in `line[start:stop]` that one name or one stressed thing fits.

    A gap at the beginning asks for a name by what it means, and many names fit; so does a plain word in code (`pe`, `step`).
    """
    hidden = line[start:stop]
    if (
        not has_words(line[:start])
        or FILE.fullmatch(hidden.strip("` "))
        or _is_repeated(hidden, line[:start] + line[stop:])
    ):
        return False
    return _API.search(hidden) is not None if "`" in hidden else names_code(line)


def _is_repeated(hidden: str, rest: str) -> bool:
    """True if the last part of a hidden name stands beside the gap: `use view ____`."""
    name = _LAST_NAME.search(hidden)
    return name is not None and re.search(rf"(?<![\w.]){re.escape(name[1])}(?!\w)", rest) is not None
