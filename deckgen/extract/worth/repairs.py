"""What makes a note good that can be made good: gaps of facts alone, the paragraph that answers, a question about a term."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from deckgen.extract.text import is_chinese, plain, width
from deckgen.extract.wording import prompt
from deckgen.extract.worth.answers import FEW_WORDS, is_recital
from deckgen.extract.worth.asked import term_of
from deckgen.extract.worth.gaps import with_facts_alone
from deckgen.extract.worth.outputs import without_comments, without_echoes
from deckgen.extract.worth.prose import breaks_off, points_away, prose_of, sentences_of, talks
from deckgen.extract.worth.whole import Whole
from deckgen.lexicon import words
from deckgen.model.note import Api, Basic, FoundAs, Note
from deckgen.text.pattern import pattern

_LINK = pattern(r"(?<!!)\[([^\[\]]*)\]\([^()\s]*\)")
_WORD = pattern(r"[a-z_]{4,}|[\u3400-\u9fff]{2}")
_LIST = pattern(r"^\s*(?:[-*+•|>]|\d+[.)、])")
_WHAT = pattern(r"^\W*(?i:what(?:'s| is| are| does))\b|«question.what»")
_SHORT_ANSWER = pattern(r"^\s*\*\*\W*«worth.short_answer»\W*\*\*\W*\n?")
_LONG_ANSWER = pattern(r"(?m)^\s*\*\*\W*«worth.long_answer»\W*\*\*\W*$")
_MEANING = 160
"""Columns of a meaning that is one thought."""
_SENTENCES = 3
_SHORTEST = 24
"""Columns of a paragraph that answers."""
_DOES = pattern(r"^\W*(?:«worth.does»|[a-z]{2,}(?:s|ed)\s+(?!of\b|and\b|in\b|with\b))")
_ASPECT = pattern(r"(?P<thing>.+?)\s[-–—]\s(?P<aspect>[^-–—]+)")
_CONNECTIVE = pattern(r"^\s*«worth.connective»[,，]\s*")
_DEFAULT = pattern(r"^`(?P<name>\w+)\s*=[^`]*`$")
"""`collate_fn=None`: its meaning is that of `collate_fn`."""
_CHOSEN = pattern(r"^`(?:(?:dim|axis)\s*=\s*-?\d+|\w+\s*=\s*['\"][^`]*)\s*`$")
"""`dim=0`, `reduction='sum'`: its meaning is that of the value."""
_MEANING_LABEL = pattern(r"^\W*«worth.meaning_column»\W*[:：]\**\s*")
_OVERVIEW = pattern(r"«worth.overview»")
_HOW = pattern(r"^\W*«worth.how»")
_CODE_BELOW = pattern(r"(?s)(?P<words>[^`\n]+)\n+(?P<code>```py(?:(?!```).)*```)")
_BOLD = pattern(r"\*\*(.+?)\*\*|\*(.+?)\*")


def with_first_paragraph(note: Note) -> Note:
    """A question whose answer goes on for long, answered by its first paragraph where that stands by itself."""
    if not isinstance(note.body, Basic) or note.found_as is not FoundAs.QUESTION or not is_recital(note):
        return note
    first, _, more = note.body.answer.strip().partition("\n\n")
    said = width(plain(first))
    alone = more and _WHAT.search(plain(note.body.prompt)) and _shares_word(note.body.prompt, first)
    alone = alone and not _LIST.match(first) and "```" not in first and prose_of(first) == first.strip()
    answers = alone and said >= _SHORTEST and not breaks_off(first) and not points_away(first) and not talks(first)
    shorter = replace(note, body=replace(note.body, answer=first))
    return shorter if answers and not is_recital(shorter) else note


def without_label(note: Note) -> Note:
    """A meaning without the label on it: `Function: ...`, `功能：...`."""
    if not isinstance(note.body, Api) or note.found_as is FoundAs.ROW:
        return note
    bare = _MEANING_LABEL.sub("", note.body.meaning, count=1)
    return replace(note, body=replace(note.body, meaning=bare)) if bare != note.body.meaning else note


def with_short_answer(note: Note) -> Note:
    """An answer without the label on it, and without the longer one that follows: `**Short answer:** ... **In detail:** ...`."""
    if not isinstance(note.body, Basic):
        return note
    answer = _SHORT_ANSWER.sub("", note.body.answer, count=1)
    short = _LONG_ANSWER.split(answer, maxsplit=1)[0].strip()
    changed = short and short != note.body.answer.strip()
    return replace(note, body=replace(note.body, answer=short)) if changed else note


def with_code_first(note: Note) -> Note:
    """`How do you ...?` with a few words above the code: the code is the answer, and the words a remark below it."""
    if (
        not isinstance(note.body, Basic)
        or note.found_as is not FoundAs.QUESTION
        or not _HOW.match(plain(note.body.prompt))
    ):
        return note
    found = _CODE_BELOW.fullmatch(note.body.answer.strip())
    if found is None or width(plain(found["words"])) >= FEW_WORDS or found["words"].rstrip().endswith((":", "：")):
        return note
    return replace(note, body=replace(note.body, answer=f"{found['code']}\n\n{found['words'].strip()}"))


def with_first_sentences(note: Note) -> Note:
    """A meaning of many sentences, cut after those that say what the term is."""
    if not isinstance(note.body, Basic) or note.found_as is not FoundAs.TERM or "\n" in note.body.answer.strip():
        return note
    kept, told = "", sentences_of(note.body.answer)
    for sentence in told:
        if kept and width(plain(kept + sentence)) > _MEANING:
            break
        kept = f"{kept} {sentence}" if kept and sentence[:1].isascii() else kept + sentence
    shorter = len(told) > _SENTENCES and width(plain(kept)) >= _SHORTEST and not breaks_off(kept)
    return replace(note, body=replace(note.body, answer=kept)) if shorter else note


def _shares_word(question: str, answer: str) -> bool:
    """True if an answer says a word of its question: it is about the same thing."""
    asked, said = plain(question).lower(), plain(answer).lower()
    return any(word in said for word in _WORD.findall(asked) if word not in words("likeness.empty"))


def without_links(note: Note) -> Note:
    """A question without the links in it; their words stay."""
    if not isinstance(note.body, Basic) or "](" not in note.body.prompt:
        return note
    return replace(note, body=replace(note.body, prompt=_LINK.sub(r"\1", note.body.prompt)))


def without_connective(note: Note) -> Note:
    """A meaning without the `Finally, ` that led to it."""
    if not isinstance(note.body, Api) or note.found_as is not FoundAs.ENTRY:
        return note
    bare = _CONNECTIVE.sub("", note.body.meaning)
    return (
        replace(note, body=replace(note.body, meaning=bare[:1].upper() + bare[1:]))
        if bare != note.body.meaning
        else note
    )


def as_question(note: Note, whole: Whole) -> Note:
    """A bare term as a question: `collate_fn` becomes `What does collate_fn do?`. Its key stays."""
    term = term_of(note)
    if not term or not isinstance(note.body, Basic) or term.endswith(("?", "？")):
        return note
    language = "zh" if is_chinese(f"{term}{note.body.answer}") else "en"
    term = _without_default(term, whole)
    bare = _spaced(_BOLD.sub(lambda found: found[1] or found[2], term).strip(" :："), language)
    aspect = _ASPECT.fullmatch(bare)
    if aspect and _OVERVIEW.fullmatch(aspect["aspect"].strip()):
        asked = prompt(language, "meaning", _spaced(aspect["thing"].strip(), language))
    elif aspect:
        asked = prompt(language, "aspect", _spaced(aspect["thing"].strip(), language), aspect["aspect"].strip())
    else:
        asked = prompt(language, "does" if _DOES.match(plain(note.body.answer)) else "meaning", bare)
    return replace(note, body=replace(note.body, prompt=asked))


def _without_default(term: str, whole: Whole) -> str:
    """`collate_fn` of `collate_fn=None`; a setting as it is where its text is about the value, or other values stand beside it."""
    found = None if _CHOSEN.match(term) else _DEFAULT.match(term)
    return f"`{found['name']}`" if found and len(whole.settings.get(found["name"], ())) < 2 else term


def _spaced(words: str, language: str) -> str:
    """Latin words with the space that stands between them and Chinese ones."""
    return f"{words} " if language == "zh" and words.isascii() else words


REPAIRS: tuple[Callable[[Note], Note], ...] = (
    with_facts_alone,
    without_label,
    with_short_answer,
    with_first_paragraph,
    with_first_sentences,
    with_code_first,
    without_links,
    without_connective,
    without_comments,
    without_echoes,
)
"""Before the rules look at a note."""
