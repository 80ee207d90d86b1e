"""Reports for the machines that test what people push: annotations of GitHub, and JUnit's tables of cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from deckgen.model.errors import DeckgenError
from deckgen.model.results import Decision
from deckgen.model.verdict import BROAD_WAIVER, FAILS, Verdict
from deckgen.outcome import UNJUDGED, Outcome
from deckgen.report.terminal import summary_lines
from deckgen.text.harmless import Harmless, commands, line, xml_text
from deckgen.text.pattern import pattern


def github(outcome: Outcome) -> Harmless:
    """`--format github`: one annotation beside a line for every finding that fails or drifts, for code that is not run and for
    misspelt words, then the summary as plain lines.

    Escaping follows GitHub's toolkit (`core.setCommand`): `%`, CR and LF everywhere, `:` and `,` in properties.
    """
    shown = []
    for finding in outcome.findings:
        if finding.fails or finding.word not in UNJUDGED:
            level = "error" if finding.fails else "warning"
            message = finding.message if finding.diff is None else f"{finding.message}\n{finding.diff}"
            shown.append(_annotation(level, finding.source, finding.line, finding.last, message, finding.word))
    for notice in outcome.notices:
        shown.append(_annotation("warning", notice.source, notice.line, notice.line, notice.message, notice.word))
    unreadable = {str(error): _place(error) for error in outcome.results.unreadable}
    shown += [_annotation("error", file, at, at, message, "unreadable") for file, at, message in unreadable.values()]
    shown += [f"::error::{_escaped(reason)}" for reason in outcome.reasons if reason not in unreadable]
    return commands([*shown, *map(line, summary_lines(outcome.results))])


def _annotation(level: str, file: str, first: int, last: int, message: str, word: str) -> str:
    place = f"file={_property(file)},line={first},endLine={last}"
    return f"::{level} {place},title={_property(f'deckgen: {word}')}::{_escaped(message)}"


def _place(error: DeckgenError) -> tuple[str, int, str]:
    """The file of an error, its line (the first, if the error is about all of it), and what is wrong."""
    file, colon, line = (error.where or "").rpartition(":")
    return (file, int(line), error.message) if colon and line.isdigit() else (error.where or "", 1, error.message)


def _escaped(text: str) -> str:
    return "%0A".join(line(part).replace("%", "%25") for part in text.split("\n"))


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


_FORBIDDEN = pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, escaped or not (section 2.2, production Char)."""


def junit(outcome: Outcome) -> Harmless:
    """`--format junit`: a suite per source with the proofs of its cards as properties, a case per claim, per API name, per snippet that fails or is not run, per misspelt word,
    and per source that cannot be read; and a suite per `deck.toml` with waivers that cover too much.
    """
    root = Element("testsuites", name="deckgen")
    suites: dict[str, Element] = {}

    def suite(source: str) -> Element:
        if source not in suites:
            counts = {"tests": "", "failures": "", "errors": "", "skipped": ""}
            suites[source] = SubElement(root, "testsuite", {"name": _clean(source), **counts})
        return suites[source]

    def case(source: str, line: int, name: str) -> Element:
        file = _clean(source)
        names = {"classname": file, "name": _clean(f"{line}: {name}"), "file": file, "line": str(line)}
        return SubElement(suite(source), "testcase", names)

    results = outcome.results
    failing = {(one.source, one.claim, one.word) for one in outcome.findings if one.fails}
    for source in results.verification.sources:
        _tell_proofs(suite(source.source), [one for one in results.decisions if one.note.source == source.source])
        for verdict in source.every:
            word = verdict.word.value
            found = case(source.source, verdict.claim.span.first, " ".join(verdict.claim.text.split())[:80])
            reason = _clean(f"{word}: {verdict.reason or ''}".rstrip(": "))
            if (source.source, verdict.claim.id, word) in failing:
                failed = SubElement(found, "failure", message=reason, type=word)
                failed.text = _clean(verdict.diff or "") if isinstance(verdict, Verdict) else None
            elif word in UNJUDGED:
                SubElement(found, "skipped", message=reason)
        for failure in source.fails.values():
            _warn(case(source.source, failure.line + 1, FAILS), FAILS, failure.message, outcome)
    for notice in outcome.notices:
        found = case(notice.source, notice.line, notice.word)
        if notice.reason:
            SubElement(found, "skipped", message=_clean(notice.message))
        else:
            _warn(found, notice.word, notice.message, outcome)
    for error in results.unreadable:
        file, at, message = _place(error)
        SubElement(case(file, at, "unreadable"), "error", message=_clean(message))
    for waiver in results.broad_waivers:
        _warn(case(waiver.config, waiver.line, BROAD_WAIVER), BROAD_WAIVER, waiver.message, outcome)
    counted = (("tests", "testcase"), ("failures", "*/failure"), ("errors", "*/error"), ("skipped", "*/skipped"))
    for one in suites.values():
        for name, path in counted:
            one.set(name, str(len(one.findall(path))))
    indent(root)
    return xml_text(tostring(root, encoding="unicode", xml_declaration=False))


def _tell_proofs(suite: Element, decisions: Sequence[Decision]) -> None:
    """How many of the cards of a source are proved, refuted and so on, as properties of its suite."""
    counts = Counter(decision.proof.value for decision in decisions)
    if counts:
        properties = SubElement(suite, "properties")
        for name, count in sorted(counts.items()):
            SubElement(properties, "property", name=f"cards.{name}", value=str(count))


def _warn(case: Element, word: str, message: str, outcome: Outcome) -> None:
    """What fails a run only on demand."""
    if word in outcome.failing_words:
        SubElement(case, "failure", message=_clean(message), type=word)
    else:
        SubElement(case, "system-out").text = _clean(message)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
