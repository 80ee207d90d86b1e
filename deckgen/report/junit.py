"""`--format junit`: one test case a claim, for CI systems that draw tables of them."""

from __future__ import annotations

from xml.etree import ElementTree

from deckgen.model.results import Results
from deckgen.model.verdict import FAILS, ApiVerdict, Checked, Failure, NameVerdict, Verdict, VerdictKind
from deckgen.outcome import Outcome
from deckgen.text.harmless import Harmless, xml_text
from deckgen.text.pattern import pattern

_FORBIDDEN = pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, escaped or not (section 2.2, production Char)."""


def verified(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """A `testsuites` document: a suite per source, a case per claim and per API name."""
    root = ElementTree.Element("testsuites", name="deckgen")
    for source in results.verification.sources:
        _suite(root, source, fail_on)
    ElementTree.indent(root)
    return xml_text(ElementTree.tostring(root, encoding="unicode", xml_declaration=False))


def _suite(root: ElementTree.Element, source: Checked, fail_on: frozenset[str]) -> None:
    every: tuple[Verdict | ApiVerdict, ...] = (*source.verdicts, *source.apis)
    failed = sum(verdict.word.value in fail_on for verdict in every) + (len(source.fails) if FAILS in fail_on else 0)
    skipped = sum(_skipped(verdict, fail_on) for verdict in every)
    counts = {"tests": str(len(every) + len(source.fails)), "failures": str(failed), "skipped": str(skipped)}
    suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(source.source), **counts})
    for verdict in every:
        _case(suite, source.source, verdict, fail_on)
    for failure in source.fails.values():
        _failure(suite, source.source, failure, fail_on)


def _failure(suite: ElementTree.Element, source: str, failure: Failure, fail_on: frozenset[str]) -> None:
    """A case for code that torch refuses."""
    name = f"{failure.line + 1}: {FAILS}"
    attributes = {"classname": _clean(source), "name": name, "file": _clean(source), "line": str(failure.line + 1)}
    case = ElementTree.SubElement(suite, "testcase", attributes)
    if FAILS in fail_on:
        ElementTree.SubElement(case, "failure", message=_clean(failure.message), type=FAILS)
    else:
        ElementTree.SubElement(case, "system-out").text = _clean(failure.message)


def _skipped(verdict: Verdict | ApiVerdict, fail_on: frozenset[str]) -> bool:
    return verdict.word in (VerdictKind.UNVERIFIED, NameVerdict.UNVERIFIED) and verdict.word.value not in fail_on


def _case(suite: ElementTree.Element, source: str, verdict: Verdict | ApiVerdict, fail_on: frozenset[str]) -> None:
    claim = verdict.claim
    name = f"{claim.span.first}: {' '.join(claim.text.split())[:80]}"
    attributes = {
        "classname": _clean(source),
        "name": _clean(name),
        "file": _clean(source),
        "line": str(claim.span.first),
    }
    case = ElementTree.SubElement(suite, "testcase", attributes)
    reason = _clean(f"{verdict.word.value}: {verdict.reason or ''}".rstrip(": "))
    if verdict.word.value in fail_on:
        failure = ElementTree.SubElement(case, "failure", message=reason, type=verdict.word.value)
        failure.text = _clean(verdict.diff or "") if isinstance(verdict, Verdict) else None
    elif _skipped(verdict, fail_on):
        ElementTree.SubElement(case, "skipped", message=reason)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
