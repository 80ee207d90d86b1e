"""Claims about other versions than the installed ones: judged by nobody, run by nobody."""

from __future__ import annotations

import pytest
from notes_checked import checked, decided

from deckgen.model.note import Output
from deckgen.model.results import Disposition
from deckgen.model.verdict import Verdict
from deckgen.model.versions import Versions
from deckgen.verify.versions import outside


@pytest.mark.parametrize(
    ("specifier", "torch", "here"),
    [
        (">=2.10", "2.9.1+cu128", "torch 2.9"),
        (">=2.10", "2.10.0", None),
        (">=2.10", "2.13.0+cpu", None),
        (">=2.10", "2.10.0a0+git1a2b3c", None),
        (">=2.14", "2.14.0.dev20260901+cpu", None),
        (">=2.14", "2.13.1", "torch 2.13"),
        ("<2.10", "2.9.1", None),
        ("<2.10", "2.10.0", "torch 2.10"),
        ("==2.9.*", "2.9.1", None),
        ("!=2.9.*", "2.9.1", "torch 2.9"),
        (">=2.4,<2.10", "2.13.0", "torch 2.13"),
        (">=2.10.1", "2.10.0", "torch 2.10.0"),
        (">=3", "2.13.0", "torch 2.13"),
        (">=99", "built by hand", None),
        (">=99", "", None),
    ],
)
def test_an_installed_torch_is_in_a_range_or_not(specifier: str, torch: str, here: str | None) -> None:
    assert outside([Versions("torch", specifier)], {"torch": torch, "python": "3.12.1"}) == here


def test_python_counts_as_torch_does() -> None:
    every = [Versions("torch", ">=2.4"), Versions("python", ">=3.13")]
    assert outside(every, {"torch": "2.13.0", "python": "3.12.1"}) == "Python 3.12"
    assert outside(every, {"torch": "2.13.0", "python": "3.13.0"}) is None


FALSE = "import torch\nprint(torch.ones(1))  # tensor([2.])"


@pytest.mark.parametrize(
    ("mark", "words", "here"),
    [
        ("torch>=99", ["skipped", "skipped"], "torch 2."),
        ("torch<2", ["skipped", "skipped"], "torch 2."),
        ("python>=4", ["skipped", "skipped"], "Python 3."),
        ("torch>=2", ["contradicted", "exists"], ""),
        ("torch>=2,<99 python>=3.9", ["contradicted", "exists"], ""),
    ],
)
def test_a_claim_and_a_name_are_judged_in_their_range_alone(mark: str, words: list[str], here: str) -> None:
    found = checked(f"# A\n\n```python {{{mark}}}\n{FALSE}\n```\n")[1].every
    assert [str(one.word) for one in found] == words
    assert not here or all((one.reason or "").startswith(here) for one in found)


def test_code_about_other_versions_is_not_run_and_the_code_beside_it_is() -> None:
    text = """
        # A

        ```python {torch>=99}
        import torch
        torch.ones(1).frobnicate()
        print(torch.ones(1))  # tensor([2.])
        ```

        ```python
        import torch
        print(torch.ones(1))  # tensor([1.])
        ```
    """
    found = checked(text)[1]
    first, second = (found.runs[key].first for key in found.runs)
    assert (first.status, second.status) == ("not-run", "ran")
    assert (first.reason or "").startswith("skipped: torch ")
    assert [str(one.word) for one in found.verdicts] == ["skipped", "holds"]
    assert found.fails == {}


def test_of_a_table_the_names_of_other_versions_alone_are_left_unjudged() -> None:
    text = """
        | Name | What it does |
        |---|---|
        | `torch.frobnicate(x)` | turns all numbers round |
        | `torch.frobnicates(x)` {torch>=99} | turns all numbers round twice |
        | `torch.numel(x)` {torch>=2} | counts the elements |
    """
    words = {one.claim.text: str(one.word) for one in checked(text)[1].apis}
    assert words == {
        "torch.frobnicate(x)": "missing",
        "torch.frobnicates(x)": "skipped",
        "torch.numel(x)": "exists",
    }


def test_an_output_of_its_own_is_judged_in_its_own_range() -> None:
    text = """
        # A

        ```python
        import torch
        print(torch.ones(1))
        ```

        Output:

        ```text {torch<2}
        tensor([2.])
        ```
    """
    (verdict,) = checked(text)[1].verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.word == "skipped"


def test_a_note_about_other_versions_is_shipped_and_no_stamp_vouches_for_it() -> None:
    (decision,) = decided(f"# A\n\n```python {{torch>=99}}\n{FALSE}\n```\n")
    assert isinstance(decision.note.body, Output)
    assert (decision.disposition, decision.note.body.output, decision.words) == (
        Disposition.SHIP,
        "tensor([2.])",
        ("skipped",),
    )
    assert decision.stamp.startswith("not checked: torch ")
    assert not decision.unverified


def test_what_is_false_beside_a_claim_about_other_versions_is_false_all_the_same() -> None:
    text = f"""# A

## What does `torch.ones` give?

```python {{torch>=99}}
{FALSE}
```

```python
{FALSE}
```

Ones.
"""
    decisions = decided(text, on_contradiction="withhold")
    assert {one.disposition for one in decisions if "contradicted" in one.words} == {Disposition.WITHHOLD}
