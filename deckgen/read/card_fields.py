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
_SEVERAL = pattern(r"[A-Ha-h](?:\s*[,;、]\s*[A-Ha-h])+")
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
        more = _joined(known[name] for name in ("explanation", *others) if name in known)
        return {**{name: text for name, text in known.items() if name in KNOWN}, "explanation": more}
    if record := _choice(named, shown, answered):
        return record
    front = _joined(named[name] for name in shown)
    back = _joined(named[name] for name in answered)
    if CLOZE.search(front):
        return {"text": front, "back": back}
    return with_options({"front": front, "back": back})


def _joined(texts: object) -> str:
    return "\n\n".join(filter(None, texts))  # type: ignore[call-overload] # strings


def _choice(named: Mapping[str, str], shown: Sequence[str], answered: Sequence[str]) -> dict[str, object] | None:
    """The record of a note with a field for each option and one for the right ones; None for any other."""
    options = [name for name in named if _OPTION.fullmatch(name) and named[name]]
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


def _from_one(right: str, named: Mapping[str, str], options: Sequence[str]) -> object:
    """A key that counts from one, where it is no option itself; where it is another one, nobody can say what it means."""
    texts = [named[name].strip() for name in options]
    if not (right.isdecimal() and len(right) == 1 and 0 < int(right) <= len(texts)):
        return right
    if right in texts and texts[int(right) - 1] != right:
        return f"{right} (a choice, and the number of another)"
    return int(right) - 1 if right not in texts else right


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
