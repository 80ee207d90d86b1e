"""What deckgen is from Python: functions that take a path or `Options`, and the nouns that they give. See docs/api.md.

Everything is imported when it is first used, so that `from deckgen import api` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deckgen.anki_connect import AnkiConnect
    from deckgen.app.agents import serve_agents
    from deckgen.app.build import Built, Previewed, build, preview
    from deckgen.app.check import (
        ApiTable,
        api_table,
        first_run_notice,
        inspect,
        verify,
        verify_docstrings,
        write_reports,
    )
    from deckgen.app.environments import environments, kept_environments, parse_versions
    from deckgen.app.load import extract, read
    from deckgen.app.lock import adopt, diff, init, part
    from deckgen.app.matrix import devices_of, matrix_page, verify_matrix
    from deckgen.app.merge import Merged, merge_reports
    from deckgen.app.options import Broken, Options, RunOutput, StandardInput, piped, sources_here
    from deckgen.app.progress import shown_progress
    from deckgen.app.push import Pushed, PushOptions, push, texts_below
    from deckgen.app.recall import RunCache, build_if_repeated, matrix_if_repeated, results_if_repeated
    from deckgen.app.rules import Rule, explain, rules
    from deckgen.app.serve import serve
    from deckgen.app.since import revise_since
    from deckgen.app.travel import export_cache, import_cache
    from deckgen.app.update import Revised, Revision, revise, write_revisions
    from deckgen.app.watch import follow
    from deckgen.cache import kept_between_runs, kept_in
    from deckgen.files import PIPE
    from deckgen.matrix import Column, Matrix
    from deckgen.model.claim import Claim, Exists, HasShape, Prints, Raises, Shows, Snippet
    from deckgen.model.difference import Difference
    from deckgen.model.document import Block, Document, Extraction
    from deckgen.model.errors import DeckgenError, EngineError, SourceError, UsageError
    from deckgen.model.note import Api, Basic, Choice, Cloze, Note, Output, Skipped
    from deckgen.model.results import Decision, Disposition, Results
    from deckgen.model.shard import Shard
    from deckgen.model.source import Source, Span
    from deckgen.model.verdict import ApiVerdict, NameVerdict, Verdict, VerdictKind, Verification
    from deckgen.model.waiting import waits_told_to
    from deckgen.outcome import Outcome, outcome, parse_fail_on, parse_min_checked

__all__ = [
    "PIPE",
    "AnkiConnect",
    "Api",
    "ApiTable",
    "ApiVerdict",
    "Basic",
    "Block",
    "Broken",
    "Built",
    "Choice",
    "Claim",
    "Cloze",
    "Column",
    "Decision",
    "DeckgenError",
    "Difference",
    "Disposition",
    "Document",
    "EngineError",
    "Exists",
    "Extraction",
    "HasShape",
    "Matrix",
    "Merged",
    "NameVerdict",
    "Note",
    "Options",
    "Outcome",
    "Output",
    "Previewed",
    "Prints",
    "PushOptions",
    "Pushed",
    "Raises",
    "Results",
    "Revised",
    "Revision",
    "Rule",
    "RunCache",
    "RunOutput",
    "Shard",
    "Shows",
    "Skipped",
    "Snippet",
    "Source",
    "SourceError",
    "Span",
    "StandardInput",
    "UsageError",
    "Verdict",
    "VerdictKind",
    "Verification",
    "adopt",
    "api_table",
    "build",
    "build_if_repeated",
    "devices_of",
    "diff",
    "environments",
    "explain",
    "export_cache",
    "extract",
    "first_run_notice",
    "follow",
    "import_cache",
    "init",
    "inspect",
    "kept_between_runs",
    "kept_environments",
    "kept_in",
    "matrix_if_repeated",
    "matrix_page",
    "merge_reports",
    "outcome",
    "parse_fail_on",
    "parse_min_checked",
    "parse_versions",
    "part",
    "piped",
    "preview",
    "push",
    "read",
    "results_if_repeated",
    "revise",
    "revise_since",
    "rules",
    "serve",
    "serve_agents",
    "shown_progress",
    "sources_here",
    "texts_below",
    "verify",
    "verify_docstrings",
    "verify_matrix",
    "waits_told_to",
    "write_reports",
    "write_revisions",
]

_NAMES = {
    "anki_connect": "AnkiConnect",
    "app.agents": "serve_agents",
    "app.build": "Built Previewed build preview",
    "app.check": "ApiTable api_table first_run_notice inspect verify verify_docstrings write_reports",
    "app.environments": "environments kept_environments parse_versions",
    "app.load": "extract read",
    "app.lock": "adopt diff init part",
    "app.matrix": "devices_of matrix_page verify_matrix",
    "app.merge": "Merged merge_reports",
    "app.options": "Broken Options RunOutput StandardInput piped sources_here",
    "app.progress": "shown_progress",
    "app.push": "PushOptions Pushed push texts_below",
    "app.recall": "RunCache build_if_repeated matrix_if_repeated results_if_repeated",
    "app.rules": "Rule explain rules",
    "app.serve": "serve",
    "app.since": "revise_since",
    "app.update": "Revised Revision revise write_revisions",
    "app.travel": "export_cache import_cache",
    "app.watch": "follow",
    "files": "PIPE",
    "cache": "kept_between_runs kept_in",
    "matrix": "Column Matrix",
    "model.claim": "Claim Exists HasShape Prints Raises Shows Snippet",
    "model.difference": "Difference",
    "model.document": "Block Document Extraction",
    "model.errors": "DeckgenError EngineError SourceError UsageError",
    "model.note": "Api Basic Choice Cloze Note Output Skipped",
    "model.results": "Decision Disposition Results",
    "model.shard": "Shard",
    "model.source": "Source Span",
    "model.verdict": "ApiVerdict NameVerdict Verdict Verification VerdictKind",
    "model.waiting": "waits_told_to",
    "outcome": "Outcome outcome parse_fail_on parse_min_checked",
}
"""Where each of them is defined: the imports above, for when the program runs."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'deckgen.api' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(f"deckgen.{_HOMES[name]}"), name)
    return found
