"""Sessions of snippets in real worker processes, and what was seen of them."""

from collections.abc import Sequence
from typing import Any

from processes import GUARD

from deckgen.model.claim import Shows, Snippet
from deckgen.model.document import Document, Extraction
from deckgen.model.observation import Observation
from deckgen.model.source import Source, Span
from deckgen.verify import VerifyOptions, verify
from deckgen.verify.engine.runner import Outcome, Runner
from deckgen.verify.engine.spawn import SpawnRunner

Events = list[dict[str, Any]]


class Sessions:
    """Sessions of one worker."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.ends: list[dict[str, Any]] = []
        self.are_dear = isinstance(runner, SpawnRunner)
        """Each takes a new process, which imports torch."""

    def outcome(self, *snippets: str | dict[str, Any], timeout: float = GUARD, **more: Any) -> Outcome:
        """How a session went, whether or not it came to its end."""
        request = {
            "kind": "session",
            "seed": 1,
            "output_limit": 1 << 20,
            "limits": {},
            "snippets": [{"code": one} if isinstance(one, str) else one for one in snippets],
            **more,
        }
        return self.runner.run(request, timeout)

    def run(self, *snippets: str | dict[str, Any], **more: Any) -> list[Events]:
        """Events of each snippet; the session must come to its end."""
        outcome = self.outcome(*snippets, **more)
        assert outcome.culprit is None, (outcome.reason, outcome.detail)
        self.ends = [outcome.snippets[index].end or {} for index in range(len(snippets))]
        return [outcome.snippets[index].events for index in range(len(snippets))]

    def each(self, *snippets: str | dict[str, Any], **more: Any) -> list[Events]:
        """Events of snippets that have nothing to do with each other: in a session for each, or in one for all where they are
        dear. What runs in a session is the same code for both engines."""
        if self.are_dear:
            return self.run(*snippets, reset=True, **more)
        return [self.run(one, **more)[0] for one in snippets]


def brief(events: Events, *kinds: str) -> list[tuple[str, str, int | None]]:
    """(kind, text, line) of each event of these kinds."""
    return [(one["kind"], one["text"], one["inner"]) for one in events if one["kind"] in kinds or not kinds]


def observe_snippets(
    snippets: Sequence[tuple[str, Sequence[tuple[int, str]]] | Snippet], options: VerifyOptions | None = None
) -> list[Observation]:
    """Run snippets, or (code, probes) pairs, as one document; one observation each."""
    made = [one if isinstance(one, Snippet) else _bare(index, *one) for index, one in enumerate(snippets)]
    document = Document(source=Source("snippets", ""), reader="markdown", blocks=())
    extraction = Extraction(document=document, notes=(), snippets=tuple(made), apis=(), skipped=())
    checked = verify([extraction], options or VerifyOptions(use_cache=False)).sources[0]
    return [checked.runs[snippet.id].first for snippet in made]


def _bare(index: int, code: str, probes: Sequence[tuple[int, str]]) -> Snippet:
    lines = tuple(range(code.count("\n") + 1))
    claims = tuple(
        Shows(id=f"{index}.{at}", span=Span(0, 1), text="", form="probe", place="after", code_line=line, target=target)
        for at, (line, target) in enumerate(probes)
    )
    return Snippet(
        id=str(index), span=Span(0, len(lines)), code=code, lines=lines, language="python", headings=(), claims=claims
    )
