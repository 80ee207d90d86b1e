"""Results as JSON: stable and versioned. Absent is null, never missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from deckgen.model.claim import Snippet
from deckgen.model.deck import kind_of
from deckgen.model.document import Extraction, Remark
from deckgen.model.note import Choice, Note, back, front, holes
from deckgen.model.observation import Observation
from deckgen.model.results import UNREADABLE, Decision, Disposition, Proof, Results
from deckgen.model.shard import Part
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
    both_sides,
)
from deckgen.outcome import Outcome, tally
from deckgen.report.asked import by_rule
from deckgen.text.harmless import Harmless, json_text

Json = dict[str, Any]


def inspected(results: Results) -> Harmless:
    """`inspect --format json`."""
    data = {
        "schema": "deckgen.inspect/1",
        "sources": [_inspected(one) for one in results.extractions],
        "rules": {rule: made._asdict() for rule, made in by_rule(results.extractions).items()},
    }
    return json_text(data)


def verified(outcome: Outcome) -> Harmless:
    """`verify --format json`."""
    results = outcome.results
    checked = results.verification.by_source
    decided: dict[str, list[Decision]] = defaultdict(list)
    for decision in results.decisions:
        decided[decision.note.source].append(decision)
    data = {
        "schema": "deckgen.verify/1",
        "environment": asdict(results.verification.environment),
        "shard": results.part and _shard(outcome, results.part),
        "cards": _cards(results),
        "sources": [
            {
                **_verified(one, checked[one.document.source.name]),
                "notes": [_decided(decision) for decision in decided[one.document.source.name]],
            }
            for one in results.extractions
        ],
        "unreadable": [str(error) for error in results.unreadable],
        "broad_waivers": [
            {"path": one.config, "line": one.line, "message": one.message} for one in results.broad_waivers
        ],
        "summary": summary_data(results.verification, results.decisions),
    }
    return json_text(data)


def _shard(outcome: Outcome, part: Part) -> Json:
    """Which part of which run it is, and what the whole of it needs to be told as one run would."""
    return {
        **asdict(part.shard),
        "sources": part.sources,
        "prints": dict(part.prints),
        "exit_code": outcome.exit_code,
        "reasons": outcome.reasons,
        "fail_on": sorted(outcome.failing_words),
        "min_checked": outcome.min_checked._asdict(),
        "min_proved": outcome.min_proved._asdict(),
        "tally": tally(outcome.results)._asdict(),
        "waivers": [asdict(one) for one in part.waivers],
    }


def _lines(span: Span) -> Json:
    return {"line": span.first, "end_line": span.last}


def _inspected(extraction: Extraction) -> Json:
    document = extraction.document
    return {
        "path": document.source.name,
        "reader": document.reader,
        "notes": [_note(note) for note in extraction.notes],
        "snippets": [_snippet(snippet) for snippet in extraction.snippets if not snippet.is_asked],
        "apis": [
            {**_lines(api.span), "id": api.id, "rule": api.form, "name": api.text, "owner": api.owner}
            for api in extraction.apis
        ],
        "skipped": _skipped(extraction),
        "remarks": _remarks(extraction),
    }


def _remarks(extraction: Extraction) -> list[Json]:
    return [{**_lines(one.span), "rule": one.rule, "text": one.text} for one in extraction.remarks]


def _skipped(extraction: Extraction) -> list[Json]:
    return [{**_lines(one.span), "rule": one.rule, "reason": one.reason} for one in extraction.skipped]


def _note(note: Note) -> Json:
    choice = note.body if isinstance(note.body, Choice) else None
    return {
        "kind": kind_of(note),
        "rule": note.rule,
        "id": note.explicit_id,
        "key": "/".join((*note.key.headings, note.key.anchor)),
        **_lines(note.span),
        "front": front(note),
        "back": back(note),
        "options": {option.letter: option.text for option in choice.options} if choice else None,
        "answer": choice and choice.right,
        "holes": [{"n": number, "text": text} for number, text in holes(note)] or None,
        "tags": note.tags,
        "versions": [str(one) for one in note.versions] or None,
        "standing": note.standing,
        "doubts": [one._asdict() for one in note.doubts],
        "rests_on": note.rests_on,
        "withheld": None,
    }


def _snippet(snippet: Snippet) -> Json:
    claims = [{"id": c.id, **_lines(c.span), "rule": c.form, "form": c.form, "text": c.text} for c in snippet.claims]
    return {**_lines(snippet.span), "language": snippet.language or None, "claims": claims}


def _verified(extraction: Extraction, checked: Checked) -> Json:
    by_claim = {claim.id: snippet for snippet in extraction.snippets for claim in snippet.claims}
    return {
        "path": checked.source,
        "snippets": [_run(snippet, checked) for snippet in extraction.snippets if not snippet.is_asked],
        "claims": [_verdict(verdict, by_claim[verdict.claim.id]) for verdict in checked.verdicts],
        "apis": [_api(verdict) for verdict in checked.apis],
        "remarks": _remarks(extraction),
        "unread": _skipped(extraction) if extraction.document.is_foreign else [],
    }


def _decided(decision: Decision) -> Json:
    note = decision.note
    return {
        **_lines(note.span),
        "kind": kind_of(note),
        "rule": note.rule,
        "front": front(note),
        "standing": note.standing,
        "doubts": [one._asdict() for one in note.doubts],
        "disposition": decision.disposition,
        "proof": decision.proof,
        "rests_on": note.rests_on,
        "why": decision.why,
    }


def _cards(results: Results) -> list[Json]:
    """One card, one verdict: what it says that torch can deny, and what torch says of it."""
    claims = {
        source.source: {verdict.claim.id: verdict for verdict in source.every}
        for source in results.verification.sources
    }
    found: dict[str, list[Json]] = {one.document.source.name: [] for one in results.extractions}
    for decision in (*results.decisions, *results.rivals):
        found[decision.note.source].append(_card(decision, claims[decision.note.source]))
    for one in results.extractions:
        path = one.document.source.name
        found[path] += [_unreadable(path, remark) for remark in one.remarks if remark.card is not None]
    return [card for cards in found.values() for card in sorted(cards, key=lambda card: card["line"])]


def _unreadable(path: str, remark: Remark) -> Json:
    """In the place of a card that cannot be read."""
    place = {"path": path, **_lines(remark.span)}
    why = remark.text
    return {"id": remark.card or None, **place, "front": "", "verdict": UNREADABLE, "claims": [], "why": why}


def _card(decision: Decision, claims: Mapping[str, Verdict | ApiVerdict]) -> Json:
    note = decision.note
    return {
        "id": note.explicit_id,
        "path": note.source,
        **_lines(note.span),
        "front": front(note),
        "verdict": decision.proof,
        "claims": [_card_claim(claims[one]) for one in note.rests_on if one in claims],
        "why": decision.why or (_why_unverified(decision) if decision.proof is Proof.UNVERIFIED else None),
    }


def _why_unverified(decision: Decision) -> str:
    if decision.unverified:
        return decision.stamp
    return f"its exact answer was not compared ({', '.join(decision.words)})"


def _card_claim(verdict: Verdict | ApiVerdict) -> Json:
    of_code = verdict if isinstance(verdict, Verdict) else None
    of_name = verdict if isinstance(verdict, ApiVerdict) else None
    return {
        "line": verdict.claim.span.first,
        "asks": of_code and (of_code.claim.asks or None),
        "claimed": both_sides(verdict)[0],
        "verdict": verdict.word,
        "observed": of_code.observed if of_code else of_name and (of_name.suggestion or of_name.signature),
        "reason": verdict.reason,
    }


def _run(snippet: Snippet, checked: Checked) -> Json:
    first = observed.first if (observed := checked.runs.get(snippet.id)) else Observation(status="not-run")
    failure = checked.fails.get(snippet.id)
    return {
        **_lines(snippet.span),
        "status": first.status,
        "reason": first.reason,
        "exception": first.exception,
        "needs": first.needs,
        "prelude": first.prelude,
        "fails": failure and {"line": failure.line + 1, "message": failure.message},
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
        "verdict": verdict.word,
        "asks": claim.asks or None,
        "claimed": claim.text,
        "observed": verdict.observed,
        "reason": verdict.reason,
        "device": verdict.device,
        "seed": verdict.seed,
        "diff": verdict.diff,
    }


def _api(verdict: ApiVerdict) -> Json:
    return {
        "id": verdict.claim.id,
        "line": verdict.claim.span.first,
        "name": verdict.claim.text,
        "verdict": verdict.word,
        "qualified": verdict.qualified,
        "signature": verdict.signature,
        "suggestion": verdict.suggestion,
        "reason": verdict.reason,
    }


def summary_data(verification: Verification, decisions: Sequence[Decision] = ()) -> Json:
    """Counts: one per word, and found / checked / held."""
    sources = verification.sources
    claims = Counter(verdict.word for source in sources for verdict in source.verdicts)
    apis = Counter(verdict.word for source in sources for verdict in source.apis)
    dispositions = Counter(decision.disposition for decision in decisions)
    proofs = Counter(decision.proof for decision in decisions if decision.is_shipped)
    return {
        "claims": {
            "found": claims.total(),
            "checked": sum(claims[word] for word in CHECKED),
            "held": sum(claims[word] for word in HELD),
            **{word.value: claims[word] for word in VerdictKind},
        },
        "snippets": {
            "found": sum("." not in name for source in sources for name in source.runs),
            FAILS: sum(len(source.fails) for source in sources),
        },
        "apis": {"found": apis.total(), **{word.value: apis[word] for word in NameVerdict}},
        "notes": {"found": len(decisions), **{one.value: dispositions[one] for one in Disposition}},
        "proofs": {one.value: proofs[one] for one in Proof},
    }
