"""Sessions of snippets in real worker processes, and what was seen of them."""

from typing import Any

from deckgen.verify.running.frames import Outcome
from deckgen.verify.running.runner import Runner

Events = list[dict[str, Any]]


class Sessions:
    """Sessions of one worker."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.ends: list[dict[str, Any]] = []

    def outcome(self, *snippets: str | dict[str, Any], timeout: float = 60, **more: Any) -> Outcome:
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


def brief(events: Events, *kinds: str) -> list[tuple[str, str, int | None]]:
    """(kind, text, line) of each event of these kinds."""
    return [(one["kind"], one["text"], one["inner"]) for one in events if one["kind"] in kinds or not kinds]
