"""Ratios that are kept: `python -m bench.kept` measures the cheap works and fails if one costs 1.3 times what is recorded.

What is compared is processor time over that of a floor in the same run, each the least of three, measured by turns. A work that
is over is measured again with its floor, as often as `MOST`: a busy machine makes both dearer, never cheaper, so the least comes
down to what they cost. `--record` writes what it finds.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench import against, bytecode
from bench.against import Work

FILE = Path(__file__).with_name("ratios.json")
ALLOWED = 1.3
ROUNDS, MOST = 3, 9


def ratios(work: Work, known: Mapping[str, float]) -> dict[str, float]:
    """The ratio to its floor of each thing that is done, with the least of so many rounds as it takes to keep what is recorded."""
    floor = math.inf
    least: dict[str, float] = {}
    for done in range(MOST):
        if done >= ROUNDS and all(
            value / floor <= ALLOWED * known.get(name, math.inf) for name, value in least.items()
        ):
            break
        floor = min(floor, work.floor())
        for name, value in work.measure(bytecode.TREE).items():
            if not name.endswith(("MiB", "clock")):
                least[name] = min(value, least.get(name, math.inf))
    return {name: value / floor for name, value in least.items()}


def too_dear(found: Mapping[str, float], known: Mapping[str, float]) -> Iterator[str]:
    """What costs more than is allowed, each as a line; of what is not recorded nothing is known."""
    for name, ratio in found.items():
        if ratio > ALLOWED * known.get(name, math.inf):
            yield f"{name}: {ratio:.2f} times its floor, {known[name]:.2f} are recorded"


def recorded() -> dict[str, dict[str, float]]:
    """The ratios by work and by what is done."""
    kept: dict[str, dict[str, float]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return kept


def main(record: bool) -> int:
    kept = {} if record else recorded()
    dear: list[str] = []
    for work in against.WORKS:
        if not work.is_quick:
            continue
        known = kept.get(work.name, {})
        found = ratios(work, known)
        print(work.name, {name: round(ratio, 2) for name, ratio in found.items()}, flush=True)
        dear += (f"{work.name}, {line}" for line in too_dear(found, known))
        if record:
            kept[work.name] = {name: round(ratio, 3) for name, ratio in found.items()}
    if record:
        FILE.write_text(json.dumps(kept, indent=1) + "\n")
        return 0
    print(*dear, sep="\n", end="\n" if dear else "")
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main("--record" in sys.argv))
