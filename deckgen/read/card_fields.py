"""Fields of a note of Anki's as those of a record: by their names where these say what they are, else the first asks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from deckgen.read.records import KNOWN, is_card
from deckgen.text.pattern import CLOZE, pattern

_OPTION = pattern(
    r"(?:«cards.option»[\s_-]*)?(?P<sign>[A-H]|[1-9])|«cards.option»[\s_-]*(?P<word>[A-H]|[1-9])", re.IGNORECASE
)
_KEY = pattern(r"(?:«cards.right»[\s_-]*)?«cards.answer»|«cards.right»(?:[\s_-]*«cards.option»)?", re.IGNORECASE)
_SEVERAL = pattern(r"[A-Za-z](?:\s*[,;、]\s*[A-Za-z])+")
_CHOICES = pattern(r"«cards.choices»", re.IGNORECASE)
"""A field with all choices in it."""
_LISTED = pattern(r"[(（]?([A-H])[.)、）:：]\s+\S")
_LETTER = pattern(r"(?:«cards.answer»\s*[:：]\s*)?[(（]?([A-H])(?:[.)、）:：]\s*(?:.*)|\s*)", re.IGNORECASE | re.DOTALL)


def fields_of(
    named: Mapping[str, str], shown: Sequence[str], answered: Sequence[str], *, has_templates: bool = False
) -> dict[str, object]:
    """The record of a note: `shown` are the names of the fields that ask, `answered` those that answer, in order.

    Where templates say so (`has_templates`), fields of other names than a record's count more than these.
    """
    known = {name.casefold(): text for name, text in named.items() if text}
    others = [name for name in known if name not in KNOWN]
    if is_card(known) and not (others and has_templates):
        record = quiz_of({name.casefold(): text for name, text in named.items()})
        if "choices" in record:
            others = [name for name in others if not any(one.fullmatch(name) for one in (_OPTION, _KEY, _CHOICES))]
        more = _joined(known[name] for name in ("explanation", *others) if name in known)
        return {**{name: text for name, text in record.items() if name in KNOWN}, "explanation": more}
    if made := _choice(named, shown, answered):
        return made
    front = _joined(named[name] for name in shown)
    back = _joined(named[name] for name in answered)
    if CLOZE.search(front):
        return {"text": front, "back": back}
    return with_options({"front": front, "back": back})


def quiz_of(fields: Mapping[str, str]) -> dict[str, object]:
    """The fields of a row without those that are empty; choices in one field, or in a field each, as a list of them."""
    record: dict[str, object] = {name: text for name, text in fields.items() if text.strip()}
    asked = next((name for name in ("question", "front") if name in record), None)
    answer = next((str(record[name]).strip() for name in ("answer", "back") if name in record), "")
    cells = [name for name in record if _CHOICES.fullmatch(name)]
    cell = next((name for name in cells if name == "choices" or len(_parts(str(record[name]))) > 1), None)
    if cell:
        record["choices"] = _parts(str(record.pop(cell)))
        if _SEVERAL.fullmatch(answer):
            record["answer" if "answer" in record else "back"] = re.split(r"\s*[,;、]\s*", answer)
    elif asked and (found := _choice(_with_key(fields, answer), [asked], [])):
        del found["explanation"]
        record = {name: text for name, text in record.items() if name not in ("front", "back")} | found
    return record


def _with_key(fields: Mapping[str, str], answer: str) -> Mapping[str, str]:
    """The fields with this answer as the one key that they have."""
    return {**{name: text for name, text in fields.items() if not _KEY.fullmatch(name)}, "answer": answer}


def _parts(cell: str) -> list[str]:
    """Choices on lines of their own, or with bars or semicolons between them."""
    separator = next((one for one in "\n|;" if one in cell), "\n")
    return [part.strip() for part in cell.split(separator) if part.strip()]


def _joined(texts: object) -> str:
    return "\n\n".join(filter(None, texts))  # type: ignore[call-overload] # strings


def _choice(named: Mapping[str, str], shown: Sequence[str], answered: Sequence[str]) -> dict[str, object] | None:
    """The record of a note with a field for each option and one for the right ones; None for any other."""
    options = sorted((name for name in named if _sign(name)), key=_sign)
    while options and not named[options[-1]].strip():
        options.pop()  # one that is empty among the others stays: with it letters mean what they say
    key = next((name for name in named if name not in options and _KEY.fullmatch(name) and named[name]), None)
    rest = [name for name in shown if name not in options and name != key]
    if not 1 < len(options) <= len(ascii_uppercase) or key is None or not rest:
        return None
    right = named[key].strip()
    told = [named[name] for name in answered if name != key and name not in options]
    return {
        "question": _joined(named[name] for name in rest),
        "choices": [named[name] for name in options],
        "answer": re.split(r"\s*[,;、]\s*", right) if _SEVERAL.fullmatch(right) else _from_one(right, named, options),
        "explanation": _joined(told),
    }


def _sign(name: str) -> str:
    """The letter or the digit of the option that a field of this name holds."""
    found = _OPTION.fullmatch(name)
    return (found["sign"] or found["word"]).upper() if found else ""


def _from_one(right: str, named: Mapping[str, str], options: Sequence[str]) -> object:
    """A key that counts as the names of the options do, where it is no option itself; of any other number nobody can say what it means."""
    texts = [named[name].strip() for name in options]
    if not (right.isdecimal() and len(right) == 1 and 0 < int(right) <= len(texts)):
        return right
    if right in texts and texts[int(right) - 1] != right:
        return f"{right} (a choice, and the number of another)"
    numbered = all(_sign(name).isdecimal() for name in options)
    return int(right) - 1 if right not in texts and numbered else right


def with_options(record: dict[str, object]) -> dict[str, object]:
    """A card whose front ends in lettered options, and whose back says which is right, as a choice."""
    front, back = str(record.get("front") or ""), str(record.get("back") or "")
    lines = front.split("\n")
    found = [at for at, line in enumerate(lines) if _LISTED.match(line.strip())]
    key = _LETTER.fullmatch(back.strip().replace("**", "")) if len(found) > 1 else None
    signs = [lines[at].strip().lstrip("(（")[0] for at in found]
    if key is None or signs != [*ascii_uppercase[: len(signs)]] or key[1].upper() not in signs or not found[0]:
        return record
    if any(line.strip() for at, line in enumerate(lines[found[0] :], found[0]) if at not in found):
        return record
    texts = [lines[at].strip() for at in found]
    more = back.strip().partition("\n")[2]
    return {
        **{name: value for name, value in record.items() if name not in ("front", "back")},
        "question": "\n".join(lines[: found[0]]).rstrip(),
        "choices": texts,
        "answer": key[1].upper(),
        "explanation": more.strip(),
    }
