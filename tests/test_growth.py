"""Four times the text takes four times the work: in each reader, idiom and renderer, and whatever the text.

Work is counted in calls. What is slow without calling anything (a pattern that looks at a text again and again) meets the end of
our patience instead.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from growing import CONFIGURATIONS, FAMILIES, LINES
from in_part import in_part
from patience import calls, patience

from bench.reading import emptied
from deckgen.app.build import build_deck
from deckgen.app.load import load
from deckgen.app.options import Options
from deckgen.extract import extract
from deckgen.identity import parse_lock
from deckgen.model.config import parse_config
from deckgen.model.errors import UsageError
from deckgen.model.results import NOTHING_RAN
from deckgen.model.source import Source
from deckgen.model.verdict import Checked, Verification
from deckgen.pack import fingerprint, package
from deckgen.read import read
from deckgen.render import NOTETYPES
from deckgen.verify.plan import plan

pytestmark = pytest.mark.slow

MOST = 5
"""Times the calls for four times the text; a quadratic step comes to sixteen."""
LONG = 8_000
"""Characters from which on a text is long enough: what is done once for all of it no longer counts."""
NOW = 1_700_000_000


def the_whole_way(path: Path) -> None:
    """All that is done with notes but running their code and writing files; a second time as an update."""
    options = Options(paths=(str(path),), no_cache=True, no_run=True)
    (deck,) = load(options)
    checked = [Checked(source=one.document.source.name, runs={}, verdicts=(), apis=()) for one in deck.extractions]
    verification = Verification(environment=NOTHING_RAN, sources=tuple(checked))
    for one in deck.extractions:
        plan(one)
    made = build_deck(deck, None, verification, options, NOW)
    build_deck(deck, parse_lock(made.lock_text, "deckgen.lock", NOW), verification, options, NOW)
    if made.assigned.deck.cards:
        notetypes = tuple(NOTETYPES.values())
        package(made.assigned.deck, notetypes, fingerprint(made.assigned.deck, notetypes))


def growth(work: Callable[[int], Callable[[], object]], text: Callable[[int], str]) -> float:
    """How many times the calls four times the text takes."""
    size = 16
    work(size)()  # what is made at the first use is made
    while len(text(size)) < LONG:
        size *= 2
    counts = []
    for each in (size, 4 * size):
        emptied()
        counts.append(calls(work(each)))
    return counts[1] / counts[0]


@pytest.mark.parametrize("name", in_part(FAMILIES, lambda at, _: at % 2 == 0))
def test_four_times_the_notes_take_four_times_the_work(tmp_path: Path, name: str) -> None:
    ending, text = FAMILIES[name]

    def work(size: int) -> Callable[[], object]:
        path = tmp_path / f"notes{size}{ending}"
        path.write_text(text(size), "utf-8")
        return lambda: the_whole_way(path)

    with patience():
        assert growth(work, text) <= MOST


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_four_times_the_configuration_takes_four_times_the_work(name: str) -> None:
    def work(size: int) -> Callable[[], object]:
        def parse() -> None:
            with suppress(UsageError):
                parse_config(CONFIGURATIONS[name](size), "deck.toml")

        return parse

    with patience():
        assert growth(work, CONFIGURATIONS[name]) <= MOST


@pytest.mark.parametrize(("unit"), [unit for _, unit in LINES], ids=[name for name, _ in LINES])
@pytest.mark.parametrize("text", ["# {}", "- term: {}", "{}", "## What is it?\n\n{}", "|a|b|\n|-|-|\n|`f`|{}|"])
def test_a_line_that_is_not_refused_is_read_to_its_end(text: str, unit: str) -> None:
    """Lines are read up to 4,000 characters; what is quadratic in these takes hundredths of a second, and what is worse no end."""
    line = (unit * 4_000)[:3_900]
    with patience():
        extract(read(Source("notes.md", text.format(line))))


def test_code_that_nobody_wrote_by_hand_is_no_code():
    for code in ("x=a" + ".a" * 1_000, "x=a" + "()" * 1_000, "x=a" + "+a" * 1_000, "x=" + "-" * 1_000 + "1"):
        assert not extract(read(Source("notes.md", f"```python\n{code}\nprint(x)  # 1\n```\n"))).notes


def test_a_table_that_nobody_wrote_by_hand_is_named():
    row = "|" + "`torch.cat`|" * 101
    (skipped,) = extract(read(Source("notes.md", f"{row}\n|{'-|' * 101}\n{row}\n"))).skipped
    assert "too long to have been written by hand" in skipped.reason
