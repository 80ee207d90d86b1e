"""What CI keeps of speed: a work that costs more than is allowed is told, and a busy machine is no reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench import kept
from bench.against import WORKS, Work

RECORDED = {"cold": 2.0}


def _work(*costs: float) -> Work:
    """A work that costs this, one time after the other, over a floor of 1."""
    left: Iterator[float] = iter(costs)

    def measure(_: Path) -> dict[str, float]:
        return {"cold": next(left), "peak MiB": 200.0}

    return Work("build", measure, "genanki", lambda: 1.0)


def test_the_least_of_three_counts():
    assert kept.ratios(_work(9.0, 2.1, 5.0), RECORDED) == {"cold": 2.1}


def test_what_is_over_is_measured_again_before_it_is_told():
    assert kept.ratios(_work(9.0, 9.0, 9.0, 9.0, 2.5), RECORDED) == {"cold": 2.5}
    assert not [*kept.too_dear({"cold": 2.5}, RECORDED)]


def test_what_stays_over_is_told():
    found = kept.ratios(_work(*[2.7] * kept.MOST), RECORDED)
    assert [*kept.too_dear(found, RECORDED)] == ["cold: 2.70 times its floor, 2.00 are recorded"]


def test_what_is_not_recorded_is_no_fault():
    assert not [*kept.too_dear({"edit": 9.0}, RECORDED)]


def test_each_cheap_work_is_recorded():
    recorded = kept.recorded()
    assert [work.name for work in WORKS if work.is_quick] == [*recorded]
    assert all(ratio > 0 for ratios in recorded.values() for ratio in ratios.values())
