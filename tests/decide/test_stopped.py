"""Cards whose code would stop before what they ask about."""

import pytest

from deckgen.decide.stopped import stops
from deckgen.note import Output
from deckgen.observation import Event, Observation, Observed
from deckgen.verdict import Checked


def ran(*events: Event, status: str = "ran") -> Checked:
    runs = {"4": Observed(first=Observation(status=status, events=events))}  # type: ignore[arg-type]
    return Checked(source="notes.md", runs=runs, verdicts=(), apis=())


def raising(line: int, text: str = "RuntimeError: no") -> Event:
    return Event(kind="exception", text=text, inner=line, outer=line, outer_end=line)


BODY = Output(code="", claims=("6.1",), output="", steps=("4:0", "4:2"), left_out=("4:1",))


def test_code_that_runs_as_the_notes_say_does_not_stop():
    assert stops(BODY, ran(raising(1))) is None


@pytest.mark.parametrize(
    ("checked", "reason"),
    [(ran(raising(1), raising(2)), "would stop with RuntimeError: no"), (ran(), "said to raise, and did not")],
)
def test_code_that_ran_otherwise_is_no_card(checked: Checked, reason: str):
    assert reason in str(stops(BODY, checked))


@pytest.mark.parametrize(
    "checked",
    [None, ran(raising(1), raising(2, "ModuleNotFoundError: No module named 'pandas'")), ran(status="not-run")],
)
def test_what_is_not_known_is_not_held_against_a_card(checked: Checked | None):
    assert stops(BODY, checked) is None
