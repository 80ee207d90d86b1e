"""Decks of any notes whatever, made, edited and made again: the judge who asks the real Anki finds no fault."""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from learner import long_ago, write
from rendered import TYPES, built

from deckgen.model.deck import Rendered
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Hole, Key, Note, Option, Output, Place
from deckgen.model.results import Decision, Disposition
from deckgen.model.source import Span
from deckgen.render import distinct, render

DECKS = int(os.environ.get("DECKGEN_ORACLE_DECKS", "25"))
FIRST = long_ago()
ALLOWED = {
    "guid-unstable",  # made of few bits, some notes look alike that are not one
    "mathjax-in-code",  # the judge cannot see that the backslash is an entity, which Anki leaves alone
    "cloze-number",  # a hole that went leaves its number behind: never renumbered, as it must be
    "leftover-card",  # and its card stays with the learner, who is told
    "cloze-leak",  # random code says one name twice; which holes are fair is for those who choose them
}
BITS = (
    "`x.view(-1)`", "`a[::2]`", "`{'a': {'b': 1}}`", "`f\"{{x}}\"`", "`<class 'int'>`", "a < b & c > d",
    "**bold** text", "$x_i^2$", "张量的形状", "（全角，标点）", "100%", "back\\slash", "“quotes”", "`|`", "x -> y",
    "[link](https://pytorch.org/docs)", "*slanted*", "line one\nline two", "- one\n- two", "naïve café", "😀",
)  # fmt: skip
LINES = (
    "x = torch.arange(6).reshape(2, 3)", "print(x.shape, x[::2])", "d = {'a': {'b': 1}}", 'print(f"{d!r:>{9}}")',
    "def f(n: int) -> int:\n    return n + 1", "model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())", "# 注释 {}",
    "with torch.no_grad():\n    y = model(x)", "s = 'a\\\\(b\\\\)'", "for i, (a, b) in enumerate(loader):\n    pass",
)  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """What a note is made of; its number makes it like no other."""

    number: int
    kind: str
    bits: tuple[str, ...]
    lines: tuple[str, ...]


seeds = st.lists(
    st.builds(
        Seed,
        number=st.integers(1, 10**6),
        kind=st.sampled_from(["basic", "reverse", "choice", "cloze", "code", "output", "api"]),
        bits=st.lists(st.sampled_from(BITS), min_size=2, max_size=4).map(tuple),
        lines=st.lists(st.sampled_from(LINES), min_size=2, max_size=4, unique=True).map(tuple),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda seed: seed.number,
)


def body(seed: Seed) -> Body:
    asked = f"Question {seed.number}: {seed.bits[0]}"
    answer = "\n\n".join([f"Answer {seed.number * 7}", *seed.bits[1:]])
    code = "\n".join([f"n_{seed.number} = 0", *seed.lines])
    match seed.kind:
        case "basic" | "reverse":
            return Basic(prompt=asked, answer=answer, reverse=seed.kind == "reverse")
        case "choice":
            options = tuple(Option(letter, f"{bit} {n}") for n, (letter, bit) in enumerate(zip("ABCD", seed.bits)))  # noqa: B905
            return Choice(stem=asked, options=options, right=("B",), explanation=answer)
        case "cloze":
            text = f"Sentence {seed.number} says word{seed.number} and then {seed.bits[1]} at last."
            start = text.index(f"word{seed.number}")
            return Cloze(text=text, holes=(Hole(1, start, start + len(f"word{seed.number}")),))
        case "code":
            stop = len(f"n_{seed.number}")
            last = code.rindex("\n") + 1
            holes = (Hole(1, 0, stop), Hole(2, last, len(code)))
            return Cloze(text=code, holes=holes, language="python", prompt=asked)
        case "output":
            return Output(code=code, claims=(), output=f"tensor([{seed.number}.])\n{{'a': {{'b': 1}}}}")
        case _:
            name = f"torch.f{seed.number}"
            return Api(
                name=name, signature=f"{name}(x, *, out=None)", meaning=answer, parameters=(("x", seed.bits[0]),)
            )


def rendered(seeds: list[Seed]) -> list[Rendered]:
    notes = [
        Note(
            key=Key(("chapter",), f"{seed.kind} {seed.number}"),
            places=(Place("notes.md", Span(n, n + 1)),),
            headings=("Chapter",),
            body=body(seed),
        )
        for n, seed in enumerate(seeds)
    ]
    decisions = [
        Decision(note=each, disposition=Disposition.SHIP, stamp="checked on torch 2.13.0, cpu") for each in notes
    ]
    return list(distinct(tuple(render(each) for each in decisions)))


@pytest.fixture(scope="module")
def oracle() -> ModuleType:
    path = Path(__file__).resolve().parents[3] / "shared" / "tools" / "anki_oracle.py"
    if not path.is_file():
        pytest.skip("the judge is not at hand")
    spec = importlib.util.spec_from_file_location("anki_oracle", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["anki_oracle"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@settings(max_examples=DECKS, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(before=seeds, after=seeds, kept=st.integers(0, 8))
def test_any_deck_is_faultless_new_and_updated(
    oracle: ModuleType, tmp_path_factory: pytest.TempPathFactory, before: list[Seed], after: list[Seed], kept: int
):
    folder = tmp_path_factory.mktemp("decks")
    edited = [replace(seed, bits=seed.bits[::-1], lines=seed.lines[::-1]) for seed in before[: kept // 2]]
    new = (
        edited
        + before[kept // 2 : kept]
        + [seed for seed in after if seed.number not in {old.number for old in before}]
    )
    first = built(rendered(before), None, FIRST)
    second = built(rendered(new), first, FIRST + 1000)
    for name, made in (("old", first), ("new", second)):
        write(made.deck, TYPES, folder / f"{name}.apkg")
    findings = oracle.Findings(ALLOWED)
    oracle.judge(folder / "old.apkg", findings)
    if new:
        oracle.judge(folder / "new.apkg", findings)
        report = oracle.compare(folder / "old.apkg", folder / "new.apkg", findings)
        told = second.changes
        assert (report["added"], report["orphaned"]) == (len(told.new), len(told.removed))
        assert report["updated"] == len(told.changed)
        assert report["history_lost"] == 0
    assert findings.defects == []
