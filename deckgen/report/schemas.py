"""JSON Schemas (draft 2020-12) of what programs are told, and of the cards that they may give.

Absent is null and never missing, so every property is required; a later release may add some, so others are allowed. The tests
hold each output to its schema, with no property besides (`tests/schemas.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, get_args

from deckgen.model.deck import Kind
from deckgen.model.difference import Effect, Risk
from deckgen.model.note import Standing
from deckgen.model.observation import Status
from deckgen.model.results import UNREADABLE, Disposition, Proof
from deckgen.model.verdict import FAILS, NameVerdict, VerdictKind

Json = dict[str, Any]

# --- parts of schemas ---

_TEXT: Json = {"type": "string"}
_MAYBE: Json = {"type": ["string", "null"]}
_COUNT: Json = {"type": "integer", "minimum": 0}
_LINE: Json = {"type": "integer", "minimum": 1}


def _words(words: type[StrEnum] | Iterable[str]) -> Json:
    return {"enum": [str(word) for word in words]}


def _list(of: Json) -> Json:
    return {"type": "array", "items": of}


def _object(required: Mapping[str, Json], **optional: Json) -> Json:
    return {"type": "object", "required": list(required), "properties": {**required, **optional}}


def _told(schema: Json, description: str) -> Json:
    return {**schema, "description": description}


def _counts(words: Iterable[str], *more: str) -> Json:
    return _object(dict.fromkeys((*more, *map(str, words)), _COUNT))


_PLACE = {"line": _LINE, "end_line": _LINE}
_DOUBT = _object({"name": _TEXT, "reason": _TEXT})
_REMARK = _object({**_PLACE, "rule": _TEXT, "text": _TEXT})
_ENVIRONMENT = _object(
    {
        "torch": _TEXT,
        "python": _TEXT,
        "device": _TEXT,
        "sandbox": _told(_TEXT, "what contained the code, or `off`"),
        "engine": _told(_TEXT, "`cache` if nothing had to be run"),
    }
)
_CARD_CLAIM = _object(
    {
        "line": _LINE,
        "asks": _told(_MAYBE, "the code that it is about; null of a name, and of what stands in a fence"),
        "claimed": _told(_TEXT, "what the card says"),
        "verdict": _words(dict.fromkeys((*VerdictKind, *NameVerdict))),
        "observed": _told(_MAYBE, "what torch says; of a name the near one, the right default, or the signature"),
        "reason": _told(_MAYBE, "why it is false, or could not be checked"),
    }
)
_ID = _told(_MAYBE, "the id that its author gave")
_CARD = _object(
    {
        "id": _ID,
        "path": _TEXT,
        **_PLACE,
        "front": _TEXT,
        "verdict": _told(
            _words((*Proof, UNREADABLE)),
            "proved: its answer is what a claim says, and that holds; refuted: torch denies something that it says; unverified: "
            "its answer could be decided, but not here; names: only names on it were looked up; open: nothing on it decides its "
            "answer; unreadable: no card can be made of it",
        ),
        "claims": _list(_CARD_CLAIM),
        "why": _told(_MAYBE, "what is wrong with it, on one line"),
    }
)

_LEAST = _object({"least": {"type": "number", "minimum": 0}, "percent": {"type": "boolean"}})
_WAIVER_USE = _object(
    {"config": _TEXT, "text": _TEXT, "first": _list(_COUNT)}
    | dict.fromkeys(("line", "covered", "claims", "left"), _COUNT)
)
_SHARD = _object(
    {
        "number": _told(_LINE, "from 1"),
        "count": _LINE,
        "sources": _told(_list(_TEXT), "all sources of the run, in order"),
        "prints": _told(
            {"type": "object", "additionalProperties": _TEXT}, "digests of what all shards of a run have in common"
        ),
        "exit_code": _COUNT,
        "reasons": _told(_list(_TEXT), "why the exit status is not 0"),
        "fail_on": _told(_list(_TEXT), "the verdicts that fail the run"),
        "min_checked": _told(_LEAST, "what `deckgen report merge` asks of the whole run"),
        "min_proved": _LEAST,
        "tally": _counts((), "claims", "checked", "shipped", "proved"),
        "waivers": _told(_list(_WAIVER_USE), "what the waivers of whole decks cover here"),
    }
)

# --- what is told ---


_SKIPPED = _object({**_PLACE, "rule": _TEXT, "reason": _TEXT})


def _verify() -> Json:
    code = {"verdict": _words(VerdictKind), "asks": _MAYBE, "claimed": _TEXT, "observed": _MAYBE, "reason": _MAYBE}
    claim = {
        "id": _TEXT,
        **_PLACE,
        "snippet_line": _LINE,
        "code_line": {"type": ["integer", "null"]},
        "origin": _MAYBE,
        "form": _TEXT,
        **code,
        "device": _TEXT,
        "seed": {"type": ["integer", "null"]},
        "diff": _MAYBE,
    }
    name = {"id": _TEXT, "line": _LINE, "name": _TEXT, "verdict": _words(NameVerdict)}
    name |= dict.fromkeys(("qualified", "signature", "suggestion", "reason"), _MAYBE)
    snippet = {**_PLACE, "status": _words(get_args(Status)), "reason": _MAYBE, "exception": _MAYBE}
    fails = {"anyOf": [_object({"line": _LINE, "message": _TEXT}), {"type": "null"}]}
    snippet |= {"needs": _list(_TEXT), "prelude": _list(_TEXT), "fails": fails}
    note = {
        **_PLACE,
        "kind": _words(get_args(Kind)),
        "rule": _TEXT,
        "front": _TEXT,
        "standing": _words(Standing),
        "doubts": _list(_DOUBT),
        "disposition": _words(Disposition),
        "proof": _words(Proof),
        "rests_on": _list(_TEXT),
        "why": _MAYBE,
    }
    source = {
        "path": _TEXT,
        "snippets": _list(_object(snippet)),
        "claims": _list(_object(claim)),
        "apis": _list(_object(name)),
        "remarks": _list(_REMARK),
        "unread": _told(_list(_SKIPPED), "of a package the notes that are no cards for deckgen, and were not checked"),
        "notes": _list(_object(note)),
    }
    summary = {
        "claims": _counts(VerdictKind, "found", "checked", "held"),
        "snippets": _counts(("found", FAILS)),
        "apis": _counts(NameVerdict, "found"),
        "notes": _counts(Disposition, "found"),
        "proofs": _counts(Proof),
    }
    return _object(
        {
            "environment": _ENVIRONMENT,
            "shard": _told({"anyOf": [_SHARD, {"type": "null"}]}, "of `verify --shard`: which part of the run this is"),
            "cards": _told(
                _list(_CARD),
                "every note of each source, in order, then its cards that cannot be read: one card, one verdict",
            ),
            "sources": _list(_object(source)),
            "unreadable": _list(_TEXT),
            "broad_waivers": _list(_object({"path": _TEXT, "line": _LINE, "message": _TEXT})),
            "summary": _object(summary),
        }
    )


def _inspect() -> Json:
    note = {
        "kind": _words(get_args(Kind)),
        "rule": _TEXT,
        "id": _ID,
        "key": _TEXT,
        **_PLACE,
        "front": _TEXT,
        "back": _TEXT,
        "options": _told({"type": ["object", "null"], "additionalProperties": _TEXT}, "texts by letter"),
        "answer": _told({"type": ["array", "null"], "items": _TEXT}, "the letters of the right options"),
        "holes": {"type": ["array", "null"], "items": _object({"n": _COUNT, "text": _TEXT})},
        "tags": _list(_TEXT),
        "versions": {"type": ["array", "null"], "items": _TEXT},
        "standing": _words(Standing),
        "doubts": _list(_DOUBT),
        "rests_on": _list(_TEXT),
        "withheld": {"type": "null"},
    }
    claim = {"id": _TEXT, **_PLACE, "rule": _TEXT, "form": _TEXT, "text": _TEXT}
    source = {
        "path": _TEXT,
        "reader": _TEXT,
        "notes": _list(_object(note)),
        "snippets": _list(_object({**_PLACE, "language": _MAYBE, "claims": _list(_object(claim))})),
        "apis": _list(_object({**_PLACE, "id": _TEXT, "rule": _TEXT, "name": _TEXT, "owner": _MAYBE})),
        "skipped": _list(_SKIPPED),
        "remarks": _list(_REMARK),
    }
    made = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": _COUNT}}
    return _object({"sources": _list(_object(source)), "rules": _told(made, "how much each rule gave")})


def _diff() -> Json:
    field = _object(dict.fromkeys(("name", "old", "new", "diff"), _TEXT))
    note = {"guid": _TEXT, "title": _TEXT, "effect": _words(Effect), "risk": _words(Risk), "learner": _TEXT}
    note |= {"fields": _list(field), "cards": _object({"added": _COUNT, "emptied": _COUNT})}
    return _object(
        {
            "old": _TEXT,
            "new": _TEXT,
            "risk": _words(Risk),
            "notes": _list(_object(note)),
            "wholes": _list(_object({"what": _TEXT, "risk": _words(Risk), "learner": _TEXT})),
            "search": _told(_MAYBE, "finds the removed notes in Anki's browser"),
            "summary": _counts(Effect),
        }
    )


def _check() -> Json:
    return _object(
        {
            "environment": _ENVIRONMENT,
            "cards": _told(_list(_CARD), "of check_cards: one for each card that was given, in their order"),
            "claims": _told(_list(_CARD_CLAIM), "what the text claims besides, on no card"),
            "messages": _told(_list(_TEXT), "what should be known besides"),
        }
    )


def _matrix() -> Json:
    verify = _verify()
    column = {
        "name": _told(_TEXT, "the torch that it has; of a broken one what was asked for"),
        "environment": {"anyOf": [_ENVIRONMENT, {"type": "null"}]},
        "error": _told(_MAYBE, "why nothing could be run there"),
        "exit_code": _COUNT,
        "reasons": _list(_TEXT),
        "summary": {"anyOf": [verify["properties"]["summary"], {"type": "null"}]},
    }
    cell = _object(
        {
            "verdict": _words(dict.fromkeys((*VerdictKind, *NameVerdict))),
            **dict.fromkeys(("observed", "signature", "reason"), _MAYBE),
        }
    )
    row = {
        "path": _TEXT,
        "line": _LINE,
        "kind": {"enum": ["claim", "card", "name"]},
        "id": _TEXT,
        "claimed": _TEXT,
        "asks": _MAYBE,
        "same": _told({"type": "boolean"}, "no environment denies another one"),
        "bound": _told(_MAYBE, "the mark that would make it true: `{torch>=2.13}`"),
        "not_run": _told(_MAYBE, "versions between of which nothing is known"),
        "cells": _told(_list({"anyOf": [cell, {"type": "null"}]}), "one for each environment, in their order"),
    }
    return _object({"environments": _list(_object(column)), "rows": _list(_object(row)), "exit_code": _COUNT})


# --- what is taken in ---


def _cards() -> Json:
    side = {"type": ["string", "number", "boolean"]}
    answer = {"type": ["string", "number", "boolean", "array"], "items": {"type": ["string", "integer"]}}
    choices: Json = {
        "anyOf": [
            {**_list(_TEXT), "minItems": 2},
            {"type": "object", "additionalProperties": _TEXT, "minProperties": 2},
        ],
        "description": "a list, or an object with the letters A, B and so on as names, in order",
    }
    right = "of a choice the letter, the index (from 0) or the text of what is right, or a list of them"
    card = _object(
        {},
        id=_told({"type": ["string", "integer"]}, "its verdict carries it, and later builds know the card by it"),
        front=side,
        back=answer,
        question=_told(side, "the same as `front`"),
        answer=_told(answer, f"the same as `back`; {right}"),
        choices=choices,
        options=_told(choices, "the same as `choices`"),
        text=_told(side, "a statement with gaps: {{c1::text}}, {{c1::text::hint}}"),
        code=_told(_TEXT, "Python that stands below the question"),
        explanation=_told(_TEXT, "stands below the answer; what it says of torch is checked, too"),
        tags={"type": ["array", "string"], "items": _TEXT},
        deck=_TEXT,
    )
    card["anyOf"] = [{"required": one} for one in (["front", "back"], ["question", "answer"], ["text"])]
    cards = _list({"$ref": "#/$defs/card"})
    return {"anyOf": [cards, _object({"cards": cards}), {"$ref": "#/$defs/card"}], "$defs": {"card": card}}


_SCHEMAS: Mapping[str, tuple[Callable[[], Json], str]] = {
    "deckgen.cards/1": (
        _cards,
        "Cards to be checked or built, in a .json file, or one a line in a .jsonl file. All texts are Markdown.",
    ),
    "deckgen.verify/1": (_verify, "`deckgen verify --format json`"),
    "deckgen.inspect/1": (_inspect, "`deckgen inspect --format json`"),
    "deckgen.diff/1": (_diff, "`deckgen diff --format json`"),
    "deckgen.matrix/1": (_matrix, "`deckgen verify --format json` with several `--python`, `--torch` or `--device`"),
    "deckgen.check/1": (_check, "the tools `check_cards` and `check_markdown` of `deckgen mcp`"),
}
"""By name, which an output carries as its `schema`: what makes the schema, and what it describes."""
NAMES = tuple(_SCHEMAS)
TAKEN_IN = "deckgen.cards/1"


def schema(name: str) -> Json:
    """The schema of this name. Raises KeyError."""
    make, description = _SCHEMAS[name]
    made = make()
    if name != TAKEN_IN:
        own = {"schema": {"const": name}, **made["properties"]}
        made = {**made, "required": list(own), "properties": own}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": description,
        **made,
    }
