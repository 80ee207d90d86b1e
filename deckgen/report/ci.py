"""Reports for the machines that test what people push: annotations of GitHub, and JUnit's tables of cases."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from deckgen.model.results import Results
from deckgen.model.verdict import BROAD_WAIVER, FAILS, Verdict
from deckgen.outcome import UNJUDGED, Outcome, findings
from deckgen.report.terminal import summary_lines
from deckgen.text.harmless import Harmless, commands, line, xml_text
from deckgen.text.pattern import pattern


def github(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """`--format github`: one annotation beside a line for every finding that fails or drifts, then the summary as plain lines.

    Escaping follows GitHub's toolkit (`core.setCommand`): `%`, CR and LF everywhere, `:` and `,` in properties.
    """
    shown = []
    for finding in findings(results, fail_on):
        if finding.fails or finding.word not in UNJUDGED:
            level = "error" if finding.fails else "warning"
            place = f"file={_property(finding.source)},line={finding.line},endLine={finding.last}"
            message = finding.message if finding.diff is None else f"{finding.message}\n{finding.diff}"
            shown.append(f"::{level} {place},title={_property(f'deckgen: {finding.word}')}::{_escaped(message)}")
    shown += [f"::error::{_escaped(reason)}" for reason in outcome.reasons]
    return commands([*shown, *map(line, summary_lines(results))])


def _escaped(text: str) -> str:
    return "%0A".join(line(part).replace("%", "%25") for part in text.split("\n"))


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


_FORBIDDEN = pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, escaped or not (section 2.2, production Char)."""


def junit(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """`--format junit`: a suite per source, a case per claim, per API name, and per snippet that fails; and a suite per
    `deck.toml` with waivers that cover too much.
    """
    root = Element("testsuites", name="deckgen")
    for source in results.verification.sources:
        suite = _suite(root, source.source)
        for verdict in source.every:
            word = verdict.word.value
            found = _case(suite, verdict.claim.span.first, " ".join(verdict.claim.text.split())[:80])
            reason = _clean(f"{word}: {verdict.reason or ''}".rstrip(": "))
            if word in fail_on:
                failed = SubElement(found, "failure", message=reason, type=word)
                failed.text = _clean(verdict.diff or "") if isinstance(verdict, Verdict) else None
            elif word in UNJUDGED:
                SubElement(found, "skipped", message=reason)
        for failure in source.fails.values():
            _warn(_case(suite, failure.line + 1, FAILS), FAILS, failure.message, fail_on)
    for config, waivers in groupby(results.broad_waivers, key=attrgetter("config")):
        suite = _suite(root, config)
        for waiver in waivers:
            _warn(_case(suite, waiver.line, BROAD_WAIVER), BROAD_WAIVER, waiver.message, fail_on)
    for suite in root:
        for name, path in (("tests", "testcase"), ("failures", "*/failure"), ("skipped", "*/skipped")):
            suite.set(name, str(len(suite.findall(path))))
    indent(root)
    return xml_text(tostring(root, encoding="unicode", xml_declaration=False))


def _suite(root: Element, file: str) -> Element:
    return SubElement(root, "testsuite", name=_clean(file), tests="", failures="", skipped="")


def _case(suite: Element, line: int, name: str) -> Element:
    file = suite.get("name", "")
    names = {"classname": file, "name": _clean(f"{line}: {name}"), "file": file, "line": str(line)}
    return SubElement(suite, "testcase", names)


def _warn(case: Element, word: str, message: str, fail_on: frozenset[str]) -> None:
    """What fails a run only on demand."""
    if word in fail_on:
        SubElement(case, "failure", message=_clean(message), type=word)
    else:
        SubElement(case, "system-out").text = _clean(message)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
