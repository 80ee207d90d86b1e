"""A run as JUnit's tables of cases, by the schema that pytest's own files obey (`xunit2`).

That has no element `error`, and no file or line of a case: the case's class is its source, its name begins with the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from deckgen.model.results import Decision
from deckgen.outcome import UNJUDGED, Outcome
from deckgen.report.cases import Case, Ending, cases
from deckgen.text.harmless import Harmless, xml_text
from deckgen.text.pattern import pattern

_FORBIDDEN = pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, escaped or not (section 2.2, production Char)."""


def verified(outcome: Outcome) -> Harmless:
    """`--format junit`: a suite per source with the proofs of its cards as properties, and per `deck.toml` with waivers that
    cover too much; and one for the whole run if something is wrong with that. A run that fails has a failure.

    Only the whole run has a time (in seconds): sources share processes.
    """
    results = outcome.results
    found: dict[str, list[Case]] = {source.source: [] for source in results.verification.sources}
    for case in cases(outcome):
        found.setdefault(case.source, []).append(case)
    proofs = {source: [one for one in results.decisions if one.note.source == source] for source in found}
    return suites(found, results.seconds, proofs)


def suites(
    found: Mapping[str, Sequence[Case]], seconds: float, decisions: Mapping[str, Sequence[Decision]] | None = None
) -> Harmless:
    """A suite with its cases for each name, and the proofs of its cards as properties."""
    root = Element("testsuites", name="deckgen", time=f"{seconds:.3f}")
    total: Counter[str] = Counter()
    for name, own in found.items():
        counts = _counts(own)
        total.update(counts)
        suite = SubElement(root, "testsuite", {"name": _clean(name), **_texts(counts)})
        _tell_proofs(suite, (decisions or {}).get(name, ()))
        for case in own:
            _add(suite, case)
    for what, count in _texts(total).items():
        if what != "skipped":  # of suites only
            root.set(what, count)
    indent(root)
    return xml_text(tostring(root, encoding="unicode", xml_declaration=False))


def _counts(found: Sequence[Case]) -> dict[str, int]:
    ended = Counter(case.ending for case in found)
    return {"tests": len(found), "failures": ended[Ending.FAILED], "errors": 0, "skipped": ended[Ending.SKIPPED]}


def _texts(counts: dict[str, int]) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


def _add(suite: Element, case: Case) -> None:
    name = f"{case.line}: {case.title}" if case.line else case.title
    found = SubElement(suite, "testcase", {"classname": _clean(case.source), "name": _clean(name)})
    match case.ending:
        case Ending.FAILED:
            message = ": ".join(filter(None, (case.word, case.message)))
            failure = SubElement(found, "failure", message=_clean(message), type=case.word or case.kind)
            failure.text = _clean("\n".join(case.lines))
        case Ending.SKIPPED:
            bare = case.word in UNJUDGED  # what programs read has the bare reason
            message = f"{case.word}: {case.code}".rstrip(": ") if bare else case.message
            SubElement(found, "skipped", message=_clean(message))
        case Ending.TOLD:
            SubElement(found, "system-out").text = _clean("\n".join(case.lines))
        case Ending.PASSED:
            pass


def _tell_proofs(suite: Element, decisions: Sequence[Decision]) -> None:
    """How many of the cards of a source are proved, refuted and so on, as properties of its suite."""
    counts = Counter(decision.proof.value for decision in decisions)
    if counts:
        properties = SubElement(suite, "properties")
        for name, count in sorted(counts.items()):
            SubElement(properties, "property", name=f"cards.{name}", value=str(count))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
