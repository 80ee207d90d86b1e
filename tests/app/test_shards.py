"""Parts of a run on several machines, and the report of all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import Command

from deckgen.app.merge import merge_reports
from deckgen.app.shards import cut, printed
from deckgen.extract import extract
from deckgen.model.document import Extraction
from deckgen.model.errors import UsageError
from deckgen.model.source import Source
from deckgen.read import read

SUMS = """# Sums {name}

Q: What does `torch.arange({name}).sum()` return?
A: `tensor({said})`

### What is the same in all sources?

A question that is asked once.

```python
import torch
print(torch.ones({name}).sum())  # tensor({name}.)
```
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, said in ((2, 1), (3, 3), (4, 7), (5, 10), (6, 15)):
        (notes / f"{name}.md").write_text(SUMS.format(name=name, said=said))
    return tmp_path


@pytest.fixture
def machine(place: Path) -> Callable[[str], Command]:
    """`deckgen` on a machine of this name, which has a cache of its own."""
    return lambda name: Command(place, place / name)


def shards(machine: Callable[[str], Command], count: int, *options: str) -> list[str]:
    """The reports of all shards, each made on a machine of its own."""
    for number in range(1, count + 1):
        written = f"json={number}.json"
        ran = machine(f"m{number}")("verify", "notes", "--shard", f"{number}/{count}", "--report", written, *options)
        assert ran.returncode in (0, 1, 3), ran.stderr
    return [f"{number}.json" for number in range(1, count + 1)]


def without_environment(report: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(report)
    assert data.pop("environment")
    return data


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_all_shards_say_what_one_run_says(machine, count):
    whole = machine("whole")("verify", "notes", "--format", "json")
    merged = machine("whole")("report", "merge", *reversed(shards(machine, count)))
    assert without_environment(merged.stdout) == without_environment(whole.stdout)
    assert merged.stdout.split('"shard"')[1] == whole.stdout.split('"shard"')[1]
    assert merged.returncode == whole.returncode == 1


def test_a_shard_says_which_it_is_and_checks_no_other(place, machine):
    ran = machine("m")("verify", "notes", "--shard", "2/3", "--report", "json=2.json")
    data = json.loads((place / "2.json").read_text())
    assert f"shard 2 of 3: {len(data['sources'])} of 5 sources" in ran.stdout
    assert 0 < len(data["sources"]) < 5
    assert {card["path"] for card in data["cards"]} <= {source["path"] for source in data["sources"]}


def test_a_false_claim_fails_the_shard_that_has_it_and_the_whole(place, machine):
    (place / "notes" / "4.md").write_text(SUMS.format(name=4, said=7))
    reports = [json.loads((place / name).read_text())["shard"] for name in shards(machine, 5)]
    assert sorted(report["exit_code"] for report in reports) == [0, 0, 0, 0, 1]
    merged = machine("m")("report", "merge", *(f"{number}.json" for number in range(1, 6)))
    assert merged.returncode == 1
    assert "1 claim is false" in merged.stderr


def test_what_is_asked_of_the_whole_is_asked_when_all_is_there(place, machine):
    (place / "notes" / "4.md").write_text(SUMS.format(name=4, said=6))
    (place / "notes" / "2.md").write_text("# Only words\n\nQ: Why?\nA: Because.\n")
    names = shards(machine, 5, "--min-checked", "9")
    assert {json.loads((place / name).read_text())["shard"]["exit_code"] for name in names} == {0}
    merged = machine("m")("report", "merge", *names)
    whole = machine("m")("verify", "notes", "--min-checked", "9")
    assert (merged.returncode, whole.returncode) == (1, 1)
    assert "only 8 claims were checked; --min-checked wants 9" in merged.stderr


def test_a_waiver_is_too_broad_in_the_whole_alone(place, machine):
    waiver = '[[waivers]]\nsource = "*.md"\ntext = "tensor(7)"\nreason = "chance"\n'
    (place / "notes" / "deck.toml").write_text(waiver)
    names = shards(machine, 2, "--fail-on", "broad-waiver")
    whole = machine("m")("verify", "notes", "--format", "json", "--fail-on", "broad-waiver")
    merged = machine("m")("report", "merge", *names)
    assert without_environment(merged.stdout) == without_environment(whole.stdout)
    assert merged.returncode == whole.returncode
    assert bool(json.loads(merged.stdout)["broad_waivers"]) == ("covers" in whole.stdout)


def test_a_source_that_cannot_be_read_is_told_once(place, machine):
    (place / "notes" / "broken.md").write_bytes(b"\0" * 100)
    names = shards(machine, 2)
    whole = machine("m")("verify", "notes", "--format", "json")
    merged = machine("m")("report", "merge", *names)
    assert whole.returncode == merged.returncode == 3
    assert without_environment(merged.stdout) == without_environment(whole.stdout)


def test_the_report_is_written_to_a_file(place, machine):
    names = shards(machine, 2)
    machine("m")("report", "merge", *names, "-o", "all.json")
    assert (place / "all.json").read_text() == machine("m")("report", "merge", *names).stdout


def test_two_shards_on_one_machine_cut_alike_and_times_of_a_whole_run_are_used(place, machine):
    one = machine("one")
    for number in (1, 2):
        one("verify", "notes", "--shard", f"{number}/2", "--report", f"json={number}.json")
    assert one("report", "merge", "1.json", "2.json").returncode == 1
    one("verify", "notes")
    one("verify", "notes", "--shard", "1/2", "--report", "json=1.json")
    one("verify", "notes", "--shard", "2/2", "--report", "json=2.json")
    assert one("report", "merge", "1.json", "2.json").returncode == 1


# --- what is refused, by name ---


def other_text(place: Path, machine: Callable[[str], Command]) -> None:
    (place / "notes" / "3.md").write_text(SUMS.format(name=3, said=4))
    machine("m2")("verify", "notes", "--shard", "2/2", "--report", "json=2.json")


def other_count(place: Path, machine: Callable[[str], Command]) -> None:
    machine("m2")("verify", "notes", "--shard", "2/3", "--report", "json=2.json")


def other_options(place: Path, machine: Callable[[str], Command]) -> None:
    machine("m2")("verify", "notes", "--shard", "2/2", "--timeout", "9", "--report", "json=2.json")


def changed(key: str, value: object) -> Callable[[Path, Any], None]:
    def change(place: Path, _machine: object) -> None:
        data = json.loads((place / "2.json").read_text())
        *way, last = key.split(".")
        inner = data
        for name in way:
            inner = inner[name]
        inner[last] = value
        (place / "2.json").write_text(json.dumps(data))

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (other_text, "2.json: is of other sources than 1.json"),
        (other_count, "2.json: is of a run in so many shards"),
        (other_options, "2.json: is of a run with other options than 1.json"),
        (changed("shard.prints.deckgen", "0.0 x"), "2.json: is of another deckgen than 1.json"),
        (changed("shard.prints.cut", "x"), "2.json: is cut by other times than 1.json"),
        (changed("environment.torch", "2.4.0"), "2.json: ran on torch 2.4.0, and 1.json on"),
        (changed("shard", None), "2.json: is the report of a whole run, and no shard"),
        (changed("shard.number", 1), "2.json: is shard 1 of 2, and so is 1.json"),
        (changed("shard.number", 3), "2.json: is no JSON report of a shard"),
        (changed("shard.tally", 3), "2.json: is no JSON report of a shard"),
        (changed("schema", "deckgen.inspect/1"), "2.json: is no JSON report of a shard"),
        (changed("cards", [{}]), "2.json: has a source that is none of its run's"),
        (changed("sources", []), "1.json: the reports do not have each source of the run once"),
        (changed("sources", [{"path": []}]), "2.json: has a source that is none of its run's"),
        (lambda place, _: (place / "2.json").write_text("[" * 100_000), "2.json: is no JSON report of a shard"),
        (lambda place, _: (place / "2.json").write_bytes(b"\xff"), "2.json: is no JSON report of a shard"),
        (lambda place, _: (place / "2.json").unlink(), "2.json: cannot be read"),
        (lambda place, _: (place / "1.json").rename(place / "2.json"), "1.json: cannot be read"),
    ],
)
def test_a_report_of_another_run_is_refused_by_name_with_what_to_do(place, machine, change, told):
    names = shards(machine, 2)
    change(place, machine)
    ran = machine("m")("report", "merge", *names, "-o", "all.json")
    assert ran.returncode == 2
    assert told in ran.stderr
    assert "hint: " in ran.stderr or "cannot be read" in told
    assert not (place / "all.json").exists()


REMOVED = object()


def damaged(report: Any) -> Iterator[Any]:
    """The report with one thing in it gone or another, at each depth."""
    inside = report.items() if isinstance(report, dict) else enumerate(report) if isinstance(report, list) else ()
    for key, value in [*inside][:12]:
        for other in (REMOVED, None, [], {}, "", 1):
            copy = {**report} if isinstance(report, dict) else [*report]
            copy[key] = other
            if other is REMOVED:
                del copy[key]
            yield copy
        for other in damaged(value):
            copy = {**report} if isinstance(report, dict) else [*report]
            copy[key] = other
            yield copy


@pytest.mark.slow
def test_no_damaged_report_is_a_fault_of_ours(place, machine):
    first, second = (place / name for name in shards(machine, 2))
    tried = [*damaged(json.loads(second.read_text()))]
    assert len(tried) > 1000
    for report in tried:
        second.write_text(json.dumps(report))
        with suppress(UsageError):
            merge_reports([first, second])


@pytest.mark.parametrize("key", ["torch", "python", "device", "sandbox", "engine"])
def test_a_report_that_does_not_say_where_it_ran_is_refused_by_name(place, machine, key):
    names = shards(machine, 2)
    data = json.loads((place / "1.json").read_text())
    del data["environment"][key]
    (place / "1.json").write_text(json.dumps(data))
    ran = machine("m")("report", "merge", *names)
    assert (ran.returncode, "1.json: is no JSON report of a shard" in ran.stderr) == (2, True)


def test_missing_shards_are_named(place, machine):
    names = shards(machine, 4)
    ran = machine("m")("report", "merge", names[1], names[3])
    assert ran.returncode == 2
    assert "of 4 shards 1, 3 are missing" in ran.stderr
    assert "deckgen verify --shard 1/4" in ran.stderr


@pytest.mark.parametrize("typed", ["0/2", "3/2", "2", "2/0", "a/b", "1/100000"])
def test_what_is_no_part_is_refused(machine, typed):
    ran = machine("m")("verify", "notes", "--shard", typed)
    assert ran.returncode == 2
    assert "is no part such as 2/5" in ran.stderr


# --- the cut ---


def source(name: str, *codes: str) -> Extraction:
    text = f"# {name}\n\n" + "\n".join(f"```python\nimport torch\n{code}\n```\n\nText.\n" for code in codes)
    return extract(read(Source(name, text)))


def test_the_cut_is_balanced_and_the_same_in_any_order():
    sources = [
        source(f"{at}.md", *(f"print(torch.ones({at}, {n}).sum())" for n in range(at % 4 + 1))) for at in range(20)
    ]
    places = cut(sources, 4, {})
    assert places == cut(sources[::-1], 4, {})
    counts = [sum(len(one.snippets) for one in sources if places[one.document.source.name] == at) for at in range(1, 5)]
    assert max(counts) - min(counts) <= 2


def test_the_same_code_stays_together():
    codes = [f"print(torch.ones({at}))" for at in range(9)]
    sources = [source("en.md", *codes), source("zh.md", *codes), source("other.md", "print(torch.zeros(1))")]
    places = cut(sources, 2, {})
    assert places["en.md"] == places["zh.md"] != places["other.md"]


def test_recorded_times_count_more_than_the_number_of_snippets():
    sources = [
        source("slow.md", "print(torch.ones(1))"),
        *(source(f"{at}.md", f"print(torch.ones(2, {at}))") for at in range(9)),
    ]
    times = {printed(sources[0].snippets[0].code): 60_000}
    places = cut(sources, 2, times)
    assert [*places.values()].count(places["slow.md"]) == 1
