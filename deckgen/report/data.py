"""Results as JSON: stable and versioned. Absent is null, never missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from deckgen.model.claim import Exists, Snippet
from deckgen.model.decision import Decision, Disposition
from deckgen.model.deck import kind_of
from deckgen.model.extraction import Extraction
from deckgen.model.note import Choice, Note
from deckgen.model.note_text import back, front, holes
from deckgen.model.source import Span
from deckgen.model.verdict import (
    CHECKED,
    FAILS,
    HELD,
    ApiVerdict,
    Checked,
    NameVerdict,
    Verdict,
    VerdictKind,
    Verification,
)

Json = dict[str, Any]

INSPECT_SCHEMA = "deckgen.inspect/1"
VERIFY_SCHEMA = "deckgen.verify/1"


def _lines(span: Span) -> Json:
    return {"line": span.first, "end_line": span.last}


def inspect_data(extractions: Sequence[Extraction]) -> Json:
    """The document that `deckgen inspect --format json` prints."""
    return {"schema": INSPECT_SCHEMA, "sources": [_inspected(extraction) for extraction in extractions]}


def _inspected(extraction: Extraction) -> Json:
    document = extraction.document
    return {
        "path": document.source.name,
        "reader": document.reader,
        "notes": [_note(note) for note in extraction.notes],
        "snippets": [_snippet(snippet) for snippet in extraction.snippets],
        "apis": [_api_name(claim) for claim in extraction.apis],
        "skipped": [
            {**_lines(skipped.span), "rule": skipped.rule, "reason": skipped.reason} for skipped in extraction.skipped
        ],
    }


def _note(note: Note) -> Json:
    body = note.body
    choice = body if isinstance(body, Choice) else None
    return {
        "kind": kind_of(note),
        "rule": note.rule,
        "id": note.explicit_id,
        "key": "/".join((*note.key.headings, note.key.anchor)),
        **_lines(note.span),
        "front": front(note),
        "back": back(note),
        "options": {option.letter: option.text for option in choice.options} if choice else None,
        "answer": list(choice.right) if choice else None,
        "holes": [{"n": number, "text": text} for number, text in holes(note)] or None,
        "tags": list(note.tags),
        "rests_on": list(note.rests_on),
        "withheld": None,
    }


def _snippet(snippet: Snippet) -> Json:
    claims = [{"id": c.id, **_lines(c.span), "rule": c.form, "form": c.form, "text": c.text} for c in snippet.claims]
    return {**_lines(snippet.span), "language": snippet.language or None, "claims": claims}


def _api_name(claim: Exists) -> Json:
    return {**_lines(claim.span), "id": claim.id, "rule": claim.form, "name": claim.text, "owner": claim.owner}


def verify_data(
    extractions: Sequence[Extraction], verification: Verification, decisions: Sequence[Decision] = ()
) -> Json:
    """The document that `deckgen verify --format json` prints."""
    checked = {source.source: source for source in verification.sources}
    environment = verification.environment
    return {
        "schema": VERIFY_SCHEMA,
        "environment": {
            "torch": environment.torch,
            "python": environment.python,
            "device": environment.device,
            "sandbox": environment.sandbox,
            "engine": environment.engine,
        },
        "sources": [_verified(extraction, checked[extraction.document.source.name]) for extraction in extractions],
        "summary": summary_data(verification, decisions),
    }


def _verified(extraction: Extraction, checked: Checked) -> Json:
    by_claim = {claim.id: snippet for snippet in extraction.snippets for claim in snippet.claims}
    return {
        "path": extraction.document.source.name,
        "snippets": [_run(snippet, checked) for snippet in extraction.snippets],
        "claims": [_verdict(verdict, by_claim[verdict.claim.id]) for verdict in checked.verdicts],
        "apis": [_api(verdict) for verdict in checked.apis],
    }


def _run(snippet: Snippet, checked: Checked) -> Json:
    observed = checked.runs.get(snippet.id)
    first = observed.first if observed else None
    failure = checked.fails.get(snippet.id)
    return {
        **_lines(snippet.span),
        "status": first.status if first else "not-run",
        "reason": first.reason if first else None,
        "exception": first.exception if first else None,
        "needs": list(first.needs) if first else [],
        "prelude": list(first.prelude) if first else [],
        "fails": {"line": failure.line + 1, "message": failure.message} if failure else None,
    }


def _verdict(verdict: Verdict, snippet: Snippet) -> Json:
    claim = verdict.claim
    line = claim.code_line
    return {
        "id": claim.id,
        **_lines(claim.span),
        "snippet_line": snippet.span.first,
        "code_line": snippet.lines[line] + 1 if line is not None and line < len(snippet.lines) else None,
        "origin": claim.origin,
        "form": claim.form,
        "verdict": verdict.word.value,
        "claimed": claim.text,
        "observed": verdict.observed,
        "reason": verdict.reason,
        "device": verdict.device,
        "seed": verdict.seed,
        "diff": verdict.diff,
    }


def _api(verdict: ApiVerdict) -> Json:
    return {
        "line": verdict.claim.span.first,
        "name": verdict.claim.text,
        "verdict": verdict.word.value,
        "qualified": verdict.qualified,
        "signature": verdict.signature,
        "suggestion": verdict.suggestion,
        "reason": verdict.reason,
    }


def summary_data(verification: Verification, decisions: Sequence[Decision] = ()) -> Json:
    """Counts: one per word, and found / checked / held."""
    claims = Counter(verdict.word for source in verification.sources for verdict in source.verdicts)
    apis = Counter(verdict.word for source in verification.sources for verdict in source.apis)
    rulings = Counter(decision.disposition for decision in decisions)
    return {
        "claims": {
            "found": claims.total(),
            "checked": _sum(claims, CHECKED),
            "held": _sum(claims, HELD),
            **{word.value: claims[word] for word in VerdictKind},
        },
        "snippets": {
            "found": sum(len(source.runs) for source in verification.sources),
            FAILS: sum(len(source.fails) for source in verification.sources),
        },
        "apis": {"found": apis.total(), **{word.value: apis[word] for word in NameVerdict}},
        "notes": {"found": len(decisions), **{disposition.value: rulings[disposition] for disposition in Disposition}},
    }


def _sum(counts: Mapping[VerdictKind, int], words: frozenset[VerdictKind]) -> int:
    return sum(counts[word] for word in words)
