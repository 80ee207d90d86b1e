"""What makes a note good that can be made good: gaps of facts alone, the paragraph that answers, a question about a term, a reason."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from deckgen.extract.claims.values import announces
from deckgen.extract.code.listing import CLAIMING, trimmed
from deckgen.extract.code.prints import is_text, repeats
from deckgen.extract.code.statements import statements
from deckgen.extract.labels import LEANS, Kind, labels
from deckgen.extract.notes.statement import says
from deckgen.extract.text import code_spans, ends_with_colon, has_words, plain, plain_width, width
from deckgen.extract.worth.answers import FEW_WORDS, good_holes, is_long, our_gaps
from deckgen.extract.worth.code import NUMBERS, elements
from deckgen.extract.worth.facts import CodeFacts, DocumentFacts, Facts, class_above, is_bare_method
from deckgen.extract.worth.prose import breaks_off, has_debris, leads_elsewhere, prose_of, sentences_of
from deckgen.lexicon import prompt, words
from deckgen.model.document import Code, Document, Prose
from deckgen.model.document import Output as Stored
from deckgen.model.note import Api, Basic, FoundAs, Hole, Note, Output
from deckgen.text.pattern import HAN, pattern
from deckgen.text.syntax import comments, parsed

_LINK = pattern(r"(?<!!)\[([^\[\]]*)\]\([^()\s]*\)")
_WORD = pattern(rf"[a-z_]{{4,}}|[{HAN}]{{2}}")
_LIST = pattern(r"^\s*(?:[-*+•|>]|\d+[.)、])")
_WHAT = pattern("«question.what»")
_SHORT_ANSWER = pattern(r"^\s*\*\*\W*«worth.short_answer»\W*\*\*\W*\n?")
_LONG_ANSWER = pattern(r"(?m)^\s*\*\*\W*«worth.long_answer»\W*\*\*\W*$")
_MEANING = 160
"""Columns of a meaning that is one thought."""
_SENTENCES = 3
_SHORTEST = 24
"""Columns of a paragraph that answers."""
_DOES = pattern(r"^\W*(?:«worth.does»|[a-z]{2,}(?:s|ed)\s+(?!«worth.noun_joins»))")
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
_KEPT = 2
"""Values that stay on a card from which others can be taken."""
_COMMENT = 16
"""Columns of a comment that says why."""
_SHORTEST_REASON = 24
_LONGEST_REASON = 180
"""Columns of a reason."""
_SENTENCES_OF_REASON = 3
"""Of a paragraph that is about the code beside it alone."""
_OF_OUTPUT = pattern("«worth.of_output»")
_WHY = pattern("«worth.why»")
_UNCHECKED = pattern(r"tensor\(|\bError\b|https?:|[?？]\s*$")
_IDENTIFIER = pattern(r"[A-Za-z_]\w+")


# gaps


def with_facts_alone(note: Note) -> Note:
    """A cloze without the gaps that are not worth asking; the others keep their order."""
    body = our_gaps(note)
    holes = good_holes(body) if body is not None else ()
    if body is None or not holes or holes == body.holes:
        return note
    numbers = {number: at for at, number in enumerate(sorted({hole.number for hole in holes}), 1)}
    renumbered = tuple(Hole(numbers[one.number], one.start, one.stop) for one in holes)
    return replace(note, body=replace(body, holes=renumbered))


# words


def with_first_paragraph(note: Note) -> Note:
    """A question whose answer goes on for long, answered by its first paragraph where that stands by itself."""
    body = _question(note)
    if body is None or not is_long(body.answer):
        return note
    first, _, more = body.answer.strip().partition("\n\n")
    answers = more and _WHAT.search(plain(body.prompt)) and _shares_word(body.prompt, first)
    is_text = not _LIST.match(first) and "```" not in first and prose_of(first) == first.strip()
    complete = not breaks_off(first) and not labels(first).words.any_of((Kind.POINTER, Kind.LEAD_IN))
    fits = plain_width(first) >= _SHORTEST and not is_long(first)
    return _with_answer(note, body, first) if answers and is_text and complete and fits else note


def _question(note: Note) -> Basic | None:
    """A question of the author's with its answer."""
    return note.body if isinstance(note.body, Basic) and note.found_as is FoundAs.QUESTION else None


def _with_answer(note: Note, body: Basic, answer: str) -> Note:
    return replace(note, body=replace(body, answer=answer))


def without_label(note: Note) -> Note:
    """A meaning without the label on it: `Function: ...`, `功能：...`."""
    if not isinstance(note.body, Api) or note.found_as is FoundAs.ROW or not _MEANING_LABEL.match(note.body.meaning):
        return note
    return replace(note, body=replace(note.body, meaning=_MEANING_LABEL.sub("", note.body.meaning, count=1)))


def with_short_answer(note: Note) -> Note:
    """An answer without the label on it, and without the longer one that follows: `**Short answer:** ... **In detail:** ...`."""
    if not isinstance(note.body, Basic):
        return note
    answer = _SHORT_ANSWER.sub("", note.body.answer, count=1)
    short = _LONG_ANSWER.split(answer, maxsplit=1)[0].strip()
    return _with_answer(note, note.body, short) if short and short != note.body.answer.strip() else note


def with_code_first(note: Note) -> Note:
    """`How do you ...?` with a few words above the code: the code is the answer, and the words a remark below it."""
    body = _question(note)
    found = _CODE_BELOW.fullmatch(body.answer.strip()) if body and _HOW.match(plain(body.prompt)) else None
    if body is None or found is None or plain_width(found["words"]) >= FEW_WORDS:
        return note
    remark = found["words"].strip()
    return note if ends_with_colon(remark) else _with_answer(note, body, f"{found['code']}\n\n{remark}")


def with_first_sentences(note: Note) -> Note:
    """A meaning of many sentences, cut after those that say what the term is."""
    if not isinstance(note.body, Basic) or note.found_as is not FoundAs.TERM or "\n" in note.body.answer.strip():
        return note
    meaning, sentences = "", sentences_of(note.body.answer)
    for sentence in sentences:
        if meaning and plain_width(meaning + sentence) > _MEANING:
            break
        meaning = f"{meaning} {sentence}" if meaning and sentence[:1].isascii() else meaning + sentence
    shorter = len(sentences) > _SENTENCES and plain_width(meaning) >= _SHORTEST and not breaks_off(meaning)
    return _with_answer(note, note.body, meaning) if shorter else note


def _shares_word(question: str, answer: str) -> bool:
    """True if an answer says a word of its question: it is about the same thing."""
    in_answer = plain(answer).lower()
    return any(one in in_answer for one in _WORD.findall(plain(question).lower()) if one not in words("likeness.empty"))


def without_links(note: Note) -> Note:
    """A question without the links in it; their words stay."""
    if not isinstance(note.body, Basic) or "](" not in note.body.prompt:
        return note
    return replace(note, body=replace(note.body, prompt=_LINK.sub(r"\1", note.body.prompt)))


def without_connective(note: Note) -> Note:
    """A meaning without the `Finally, ` that led to it."""
    if not isinstance(note.body, Api) or note.found_as is not FoundAs.ENTRY:
        return note
    meaning = _CONNECTIVE.sub("", note.body.meaning)
    if meaning == note.body.meaning:
        return note
    return replace(note, body=replace(note.body, meaning=meaning[:1].upper() + meaning[1:]))


# questions and names


def as_question(facts: Facts) -> Note:
    """A term alone as a question: `collate_fn` becomes `What does collate_fn do?`. Its key stays."""
    note, language = facts.note, facts.language
    if not facts.term or facts.term.endswith(("?", "？")) or not isinstance(note.body, Basic):
        return note
    term = _without_default(facts.term, facts.document)
    clean = _spaced(_BOLD.sub(lambda found: found[1] or found[2], term).strip(" :："), language)
    aspect = _ASPECT.fullmatch(clean)
    if aspect and _OVERVIEW.fullmatch(aspect["aspect"].strip()):
        asked = prompt(language, "meaning", _spaced(aspect["thing"].strip(), language))
    elif aspect:
        asked = prompt(language, "aspect", _spaced(aspect["thing"].strip(), language), aspect["aspect"].strip())
    else:
        asked = prompt(language, "does" if _DOES.match(facts.words) else "meaning", clean)
    return replace(note, body=replace(note.body, prompt=asked))


def _without_default(term: str, document: DocumentFacts) -> str:
    """`collate_fn` of `collate_fn=None`; a setting as it is where its text is about the value, or other values stand beside it."""
    found = None if _CHOSEN.match(term) else _DEFAULT.match(term)
    return f"`{found['name']}`" if found and len(document.settings.get(found["name"], ())) < 2 else term


def _spaced(words: str, language: str) -> str:
    """Latin words with the space that stands between them and Chinese ones."""
    return f"{words} " if language == "zh" and words.isascii() else words


def with_class(note: Note) -> Note:
    """A method with its class, where the headings above name one: `Dataset.__getitem__`. Its key stays."""
    owner = class_above(note) if is_bare_method(note) else ""
    if not owner or not isinstance(note.body, Api):
        return note
    name, signature = f"{owner}.{note.body.name}", f"{owner}.{note.body.signature}"
    return replace(note, body=replace(note.body, name=name, signature=signature))


# code


def without_comments(note: Note) -> Note:
    """Code without its comments: they tell answers, or nothing. What one says of the line that is asked about is its reason."""
    body = note.body if isinstance(note.body, Output) else None
    if body is None or body.asked == "warning":
        return note
    found = comments(body.code)
    if not found:
        return note
    lines: list[str | None] = [*body.code.split("\n")]
    texts = {comment.line: comment.text.lstrip("#").strip() for comment in found}
    for comment in found:
        left = (lines[comment.line] or "")[: comment.column].rstrip()
        lines[comment.line] = left or None
    code = "\n".join(line for line in lines if line is not None).strip("\n")
    if not code or parsed(code) is None:
        return note
    last = max(at for at, line in enumerate(lines) if line is not None and line.strip())
    reason = next((texts[at] for at in (last, last - 1) if at in texts and _says_why(texts[at])), "")
    explanation = body.explanation or reason
    return replace(note, body=replace(body, code=code, explanation=explanation))


def _says_why(comment: str) -> bool:
    """True for a comment that can stand below an answer: words, no command, no code, and nothing to check."""
    narrates = labels(comment).words.any_of((Kind.INSTRUCTS, Kind.PERSONAL, Kind.LEAD_IN, Kind.POINTER))
    return (
        plain_width(comment) >= _COMMENT
        and has_words(comment)
        and not narrates
        and parsed(comment) is None
        and not CLAIMING.search(comment)
    )


def without_echoes(note: Note) -> Note:
    """Code without prints of what was typed, and without those above the last few, which are what it is about."""
    body = note.body if isinstance(note.body, Output) else None
    shown = CodeFacts(body).shown if body is not None else ()
    if body is None or len(shown) < 2:
        return note
    lines = body.code.split("\n")
    removable = [
        one for one in shown if _stands_alone(one.node, lines) and (one is not shown[-1] or is_text(one.values))
    ]
    echoes = [one for one in removable if repeats(body.code, one.values, one.text)]
    rest = [one for one in removable if one not in echoes]
    for one in rest:
        left = [two for two in shown if two not in echoes]
        if len(left) > _KEPT or (len(left) > 1 and elements("\n".join(two.text for two in left)) > NUMBERS):
            echoes.append(one)
    if not echoes or len(echoes) == len(shown):
        return note
    lines_of_echoes = {
        at for one in echoes for at in range(one.node.lineno - 1, one.node.end_lineno or one.node.lineno)
    }
    output = "\n".join(one.text for one in shown if one not in echoes)
    code = trimmed("\n".join(line for at, line in enumerate(lines) if at not in lines_of_echoes), body.target, output)
    return replace(note, body=replace(body, code=code, output=output))


def _stands_alone(node: ast.Expr, lines: list[str]) -> bool:
    """True for a statement that fills its lines."""
    first, last = lines[node.lineno - 1], lines[(node.end_lineno or node.lineno) - 1]
    return not first[: node.col_offset].strip() and not last[node.end_col_offset :].strip()


# reasons


def with_reasons(notes: Iterable[Note], document: Document) -> tuple[Note, ...]:
    """The notes, those of code without an explanation with the sentence beside their code that gives one.

    Of several notes of the same code a sentence is about the one whose last line calls what it names.
    """
    every = tuple(notes)
    starts = [block.span.start for block in document.blocks]
    places = {id(note): bisect_right(starts, note.span.start) - 1 for note in every if isinstance(note.body, Output)}
    asked = Counter(places.values())
    made: list[Note] = []
    for note in every:
        at = places.get(id(note), -1)
        body = note.body
        if isinstance(body, Output) and not body.explanation:
            reason = _reason(document, at, note, body) if asked[at] == 1 else _of_several(document, at, body)
            made.append(replace(note, body=replace(body, explanation=reason)) if reason else note)
        else:
            made.append(note)
    return tuple(made)


def _of_several(document: Document, at: int, body: Output) -> str:
    """The sentence right above the code that names what the last line of this card calls."""
    called = frozenset(name for name in _names_at_end(body, 1) if f".{name}" in body.code.rpartition("\n")[2])
    return _sentence(document, at - 1, lambda one: _states(one, called))


def _reason(document: Document, at: int, note: Note, body: Output) -> str:
    """The sentence right below the code and its output that speaks of it, or the one right above."""
    blocks = document.blocks
    below = at + 1
    while below < len(blocks) and (isinstance(blocks[below], Stored) or blocks[below].span.start < note.span.stop):
        below += 1
    names = _names_at_end(body)
    leads_on = below + 1 < len(blocks) and isinstance(blocks[below + 1], Code)
    sentence = _sentence(document, below, lambda one: _is_why(one, names, strictly=leads_on))
    return sentence or _sentence(document, at - 1, lambda one: _states(one, names))


def _sentence(document: Document, at: int, speaks: Callable[[str], bool]) -> str:
    """The first sentence of a short paragraph that speaks of the output; empty if there is none."""
    block = document.blocks[at] if 0 <= at < len(document.blocks) else None
    if not isinstance(block, Prose) or announces(block.text) or ends_with_colon(block.text.rstrip()):
        return ""
    sentences = sentences_of(" ".join(block.text.split()))
    if len(sentences) > _SENTENCES_OF_REASON:
        return ""
    return next((one for one in sentences if _can_stand(one) and speaks(one)), "")


def _can_stand(sentence: str) -> bool:
    """True for a sentence that can stand below an answer."""
    words = labels(sentence).words
    if words.any_of((*LEANS, Kind.INSTRUCTS, Kind.TALK, Kind.LEADS_ON)) or breaks_off(sentence) or has_debris(sentence):
        return False
    if leads_elsewhere(sentence, _SHORTEST_REASON) or _UNCHECKED.search(sentence):
        return False
    return has_words(sentence) and _SHORTEST_REASON <= width(words.text) <= _LONGEST_REASON


def _is_why(sentence: str, names: frozenset[str], *, strictly: bool) -> bool:
    """True if a sentence below the output gives a reason, or speaks of the output or of what made it.

    Before further code it may be about that: there it has to say why, or to name the output.
    """
    if _WHY.search(plain(sentence)) or _OF_OUTPUT.search(plain(sentence)):
        return True
    return not strictly and _mentions(sentence, names)


def _states(sentence: str, names: frozenset[str]) -> bool:
    """True if a sentence above the code states something of what the code does last."""
    return says(sentence) and _mentions(sentence, names)


def _mentions(sentence: str, names: frozenset[str]) -> bool:
    return any(not names.isdisjoint(_IDENTIFIER.findall(span)) for span in code_spans(sentence))


def _names_at_end(body: Output, lines: int = 2) -> frozenset[str]:
    """What the last statements of the code call and look at, and the names that they give."""
    found = statements(body.code) or ()
    names: set[str] = set(_IDENTIFIER.findall(body.target))
    for one in found[-lines:]:
        for part in one.within:
            if isinstance(part, ast.Attribute):
                names.add(part.attr)
        names |= one.binds if not isinstance(one.node, ast.Import | ast.ImportFrom) else set()
    return frozenset(names - {"torch", "nn", "print"})


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
