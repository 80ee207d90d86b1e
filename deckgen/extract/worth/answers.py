"""What is answered: visible text that stands by itself, says one thing, and is worth knowing."""

from __future__ import annotations

import re

from deckgen import lexicon
from deckgen.extract.notes.statement import says
from deckgen.extract.text import CODE_SPAN, has_words, plain, squeezed, width
from deckgen.extract.worth.code_names import is_code
from deckgen.extract.worth.prose import (
    begins_midway,
    breaks_off,
    has_debris,
    instructs,
    is_personal,
    leads_elsewhere,
    points_away,
    praises,
    prose_of,
    sentences_of,
    talks,
)
from deckgen.extract.worth.whole import Whole
from deckgen.model.note import Api, Basic, Choice, FoundAs, Note
from deckgen.text.pattern import pattern

_MAY_BE_SHORT = (FoundAs.QUIZ, FoundAs.MNEMONIC, FoundAs.ROW, FoundAs.QUESTION)
"""Notes to which a word may be the answer."""
LONGEST = 480
"""Columns of an answer that is one thought."""
ITEMS = 5
"""Items of a list that can be recalled together."""
_BESIDE_LINK = 40
"""Columns of words beside a link in an answer that is one."""
_CODE_LINES = 20
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
_CJK = pattern(r"[\u3400-\u9fff]")
_SAYS = pattern(
    r"^\W*(?:«worth.thing»|«worth.define»|«worth.does»|«definition.verb»|[a-z]{3,}(?<!ion)s\s(?!of\b|and\b|in\b|with\b|between\b|for\b|on\b))",
    re.IGNORECASE,
)
_VAGUE = pattern(r"^\W*(?:\w+ing\b|[+&/]|«worth.clause»\s|.*\d\s*:|.*[“\"(]$)")
_LATIN_WORD = pattern(r"[A-Za-z]{3,}")
_GENERIC = frozenset(lexicon.words("worth.generic"))
_USES = pattern(r"^\W*«worth.employs»\s")
_AMOUNT = pattern(r"[\s(（≈~约]*\d[\d.,]*(?![\w-]*[A-Za-z]-|D|d\b)")
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
_PARAMETER = pattern(r"^\s*[-*+•]\s*[`*]*[a-z_]\w*[`*]*\s*(?:[:：(（—–-]|[\u3400-\u9fff])")
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


def answer_of(note: Note) -> str:
    """The answer of a Basic note or the meaning of an Api note; empty for other notes."""
    match note.body:
        case Basic(answer=answer):
            return answer
        case Api(meaning=meaning):
            return meaning
        case _:
            return ""


def points_elsewhere(note: Note) -> bool:
    """`As in the example above`: the card does not show it."""
    return points_away(prose_of(answer_of(note)))


def leads_on(note: Note) -> bool:
    """`We first introduce ...`, `Now we're ready to ...`: a transition answers nothing."""
    said = prose_of(answer_of(note))
    first = next(iter(sentences_of(said)), "")
    if _OPENS.match(plain(said)) or said.startswith("where "):
        return True
    if note.found_as is FoundAs.QUESTION:
        return talks(said) and is_personal(first)
    goes_on = begins_midway(first) and not _ITS_NAME.match(first)
    if _CONJUNCTION.match(plain(said)) or (note.found_as is FoundAs.TERM and goes_on and not _CJK.search(first)):
        return True
    return talks(said) or (note.found_as is FoundAs.ENTRY and (is_personal(first) or goes_on or instructs(first)))


def is_cut(note: Note) -> bool:
    """An answer that ends with a colon, or in the middle of a sentence."""
    answer = answer_of(note)
    return has_words(answer) and not answer.rstrip().endswith("```") and breaks_off(answer)


def is_links(note: Note) -> bool:
    """An answer that only leads to another page."""
    if _URL.match(answer_of(note)):
        return True
    return leads_elsewhere(prose_of(answer_of(note)), _BESIDE_LINK if note.found_as is FoundAs.QUESTION else 8)


def is_echo(note: Note) -> bool:
    """An answer that says no more than what is asked."""
    if not isinstance(note.body, Basic | Api):
        return False
    if isinstance(note.body, Api) and _is_spelt_out(note.body):
        return True
    if isinstance(note.body, Api) and note.body.example:
        return False
    asked = note.body.prompt if isinstance(note.body, Basic) else note.body.name
    said = squeezed(answer_of(note))
    return (
        len(said) > 2
        and "`" not in answer_of(note)
        and said in squeezed(asked)
        and not _COIN.fullmatch(plain(answer_of(note)))
    )


def says_no_meaning(note: Note) -> bool:
    """`torch.cat` with its parameters alone, `np.where` with `torch.where`: what the call does is not said."""
    if not isinstance(note.body, Api):
        return False
    lines = [line for line in note.body.meaning.split("\n") if line.strip()]
    return all(map(_PARAMETER.match, lines)) or is_code(note.body.meaning)


def is_shared_meaning(note: Note, whole: Whole) -> bool:
    """`Elementwise operations` as the meaning of `torch.abs` and `torch.cos`: it stands above both, and says what neither does.

    `Loss functions` tells at least what kind of thing each is.
    """
    if not isinstance(note.body, Api) or note.found_as is not FoundAs.ENTRY or _KIND.search(plain(note.body.meaning)):
        return False
    return whole.is_shared(note.body.meaning)


def _is_spelt_out(body: Api) -> bool:
    """`RandomCrop`: `crops an image at random`: nothing but the words of the name, and of what nearly all calls take."""
    words = [word.lower() for word in _LATIN_WORD.findall(plain(body.meaning)) if word.lower() not in _GENERIC]
    name = body.name.lower()
    return bool(words) and not _CJK.search(body.meaning) and all(word[:4] in name for word in words)


def is_recital(note: Note) -> bool:
    """A list to recite, or a text that is too long to be recalled as one thing."""
    if not isinstance(note.body, Basic):
        return False
    answer = note.body.answer
    if _lines_of_code(answer) > _CODE_LINES:
        return True
    return len(_ITEM.findall(prose_of(answer))) > ITEMS or width(plain(prose_of(answer))) > LONGEST


def _lines_of_code(answer: str) -> int:
    """Lines of the fences of an answer, with those of their marks."""
    return answer.count("\n") - prose_of(answer).count("\n")


def is_coin(note: Note) -> bool:
    """`Yes` or `no` of a row: half of all guesses are right."""
    return (
        isinstance(note.body, Basic)
        and note.found_as is FoundAs.ROW
        and _COIN.fullmatch(note.body.answer.strip("*` ")) is not None
    )


def is_grade(note: Note) -> bool:
    """`Very high` in a row that compares: how much that is, everybody sees otherwise."""
    return note.found_as is FoundAs.ROW and _GRADE.fullmatch(plain(answer_of(note))) is not None


def is_figure(note: Note) -> bool:
    """A number or a size of somebody's project: nobody should know it."""
    if note.found_as not in (FoundAs.ROW, FoundAs.TERM, FoundAs.ENTRY):
        return False
    if _DEFAULT.search(getattr(note.body, "prompt", "")):
        return False
    answer = plain(CODE_SPAN.sub("", answer_of(note))) if "`" in answer_of(note) else plain(answer_of(note))
    if _SETTING.fullmatch(plain(answer_of(note))):
        return True
    return bool(answer.strip()) and _VALUE.fullmatch(answer) is not None and "`" not in answer_of(note)


def is_chore(note: Note) -> bool:
    """`Define the loss` over a call: what somebody does with it, and not what it is."""
    return (
        isinstance(note.body, Api)
        and note.found_as is FoundAs.ENTRY
        and bool(note.body.example)
        and _CHORE.match(plain(note.body.meaning)) is not None
        and width(plain(note.body.meaning)) < 32
    )


def speaks_of_another(note: Note) -> bool:
    """A heading's other words, or a paragraph, that say nothing of the name: `From an array`, `Pretrained models are ...`."""
    if not isinstance(note.body, Api) or note.found_as is not FoundAs.ENTRY:
        return False
    words = plain(prose_of(note.body.meaning))
    first = next(iter(sentences_of(words)), "")
    if _CJK.search(words):
        named = any(_is_named(first, part) for part in _parts(note.body.name))
        return not (named or _SAYS.match(first) or width(first) <= _PHRASE)
    named = any(_is_named(first, part) for part in _parts(note.body.name))
    return not (named and says(first)) and not _SAYS.match(first) and (says(first) or _VAGUE.match(words) is not None)


def _is_named(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None


def _parts(names: str) -> list[str]:
    """The last part of each name: `linear` of `F.linear`."""
    return [one.rpartition(".")[2] for one in names.split(" / ")]


def is_advice(note: Note) -> bool:
    """A term with what to do about it, or with a question, which is no meaning of it."""
    if note.found_as is not FoundAs.TERM or not isinstance(note.body, Basic | Api):
        return False
    first = next(iter(sentences_of(answer_of(note))), "")
    if isinstance(note.body, Basic) and _USES.match(plain(first)):
        return True
    commands = instructs(first) or is_personal(answer_of(note))
    return (commands and isinstance(note.body, Basic)) or is_personal(first) or first.endswith(("?", "？"))


def says_little(note: Note) -> bool:
    """One word, or praise, where a meaning should stand."""
    answer = answer_of(note)
    if note.found_as in _MAY_BE_SHORT or not isinstance(note.body, Basic | Api):
        return False
    words = plain(answer).strip(" .。；;")
    if note.found_as is FoundAs.TERM and isinstance(note.body, Basic) and _is_name_again(words):
        return True
    short = width(plain(answer))
    return not has_words(answer) or (short < 6 and "`" not in answer) or (short < _PHRASE // 2 and praises(answer))


def _is_name_again(words: str) -> bool:
    """A name in the other language, or two words: `二维平均池化`, `Dot multiplication`."""
    if _CJK.search(words):
        again = width(words) <= (_NAME_AGAIN if _KIND.search(words) else _LITTLE)
        return again and "的" not in words and not (_SAYS.match(words) or _ACTS.match(words))
    return "`" not in words and len(words.split()) <= 2


def is_amount(note: Note) -> bool:
    """`What is FP32? 4 GB of memory`: an amount is no meaning."""
    return (
        note.found_as is FoundAs.TERM
        and isinstance(note.body, Basic)
        and _AMOUNT.match(plain(note.body.answer)) is not None
    )


def is_any_code(note: Note) -> bool:
    """A few words beside code that could be written in many ways: a function of the author's, or code without torch."""
    if note.found_as is not FoundAs.QUESTION or not isinstance(note.body, Basic):
        return False
    said = plain(prose_of(note.body.answer))
    fence = _FENCE_OF.search(note.body.answer)
    if width(said) >= FEW_WORDS or fence is None or not fence[1].startswith("py"):
        return False
    if _OF_TORCH.search(note.body.prompt + note.body.answer) is None:
        return True
    long = _lines_of_code(note.body.answer) > _FEW_LINES or _DEFINES_CODE.search(note.body.answer) is not None
    return long and _HOW.match(plain(note.body.prompt)) is not None


def is_names(note: Note) -> bool:
    """`Changing the shape? view(), reshape()`: names are no meaning, and others fit as well."""
    if note.found_as is not FoundAs.TERM or not isinstance(note.body, Basic):
        return False
    return _NAMES.fullmatch(note.body.answer.strip()) is not None


def shows_marks(note: Note) -> bool:
    """Marks that a card would show as they stand: `¶`, half of a bold mark, tags."""
    match note.body:
        case Basic(prompt=prompt, answer=answer):
            return has_debris(prompt) or has_debris(answer)
        case Api(meaning=meaning):
            return has_debris(meaning)
        case Choice():
            return False
        case _:
            return False
