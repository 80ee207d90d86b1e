"""Judging: processor time of a claim set against what was seen, beside torch's own `repr` of the same tensor.

Nothing is run and nothing is cached: every claim has a snippet, a tensor and a text of its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from deckgen.model.claim import Prints, Snippet
from deckgen.model.observation import Event, Observation, Observed, Value
from deckgen.model.source import Span
from deckgen.model.verdict import VerdictKind
from deckgen.verify.judge import judge

CODE = "import torch\nx = torch.tensor(rows_{n}) + 1\nprint(x * {n})"
Written = Callable[[str], str]


def identical(text: str) -> str:
    return text


def shorthand(text: str) -> str:
    """As authors shorten it: the brackets alone, on one line."""
    return " ".join(text[text.index("[") : text.rindex("]") + 1].split())


def fewer_digits(text: str) -> str:
    """Every number without its last digit, which is a zero."""
    return text.replace("0,", ",").replace("0]", "]")


def false_in_the_last_digit(text: str) -> str:
    at = max(place for place, sign in enumerate(text) if sign.isdigit())
    return text[:at] + str((int(text[at]) + 4) % 10) + text[at + 1 :]


def other_brackets(text: str) -> str:
    """A shape that torch contradicts: nothing is settled before both sides are parsed."""
    return text.replace("[[", "[[[").replace("]]", "]]]")


CLAIMS: tuple[tuple[str, Written, VerdictKind], ...] = (
    ("identical", identical, VerdictKind.HOLDS),
    ("shorthand", shorthand, VerdictKind.HOLDS),
    ("fewer digits", fewer_digits, VerdictKind.HOLDS),
    ("contradicted in its last digit", false_in_the_last_digit, VerdictKind.CONTRADICTED),
    ("contradicted in its shape", other_brackets, VerdictKind.CONTRADICTED),
)
SHAPES = (("2 x 3", (2, 3)), ("100 x 10", (100, 10)), ("1,000 x 1", (1000, 1)))


def tensors(shape: tuple[int, ...], count: int) -> Iterator[Any]:
    """Different tensors of three decimals, which print with a zero behind them."""
    import torch

    torch.set_printoptions(threshold=100_000)
    draw = torch.Generator().manual_seed(0)
    for _ in range(count):
        whole = torch.randint(-9000, 9000, shape, generator=draw)
        yield (2 * whole + 1).to(torch.float64).div(1000).to(torch.float32)


def described(tensor: Any) -> Value:
    """As the worker describes it."""
    return Value(
        kind="tensor",
        type="torch.Tensor",
        repr=repr(tensor),
        shape=tuple(tensor.shape),
        dtype="float32",
        device="cpu",
        requires_grad=False,
        data=tuple(tensor.flatten().tolist()),
    )


def case(number: int, value: Value, written: Written) -> tuple[Snippet, Observed]:
    """A snippet of three lines whose last prints the tensor, and what was seen of it."""
    text = written(value.repr)
    claim = Prints(id="4.1", span=Span(3, 4), text=text, form="trailing-print", place="after", code_line=2)
    snippet = Snippet(
        id="1", span=Span(0, 4), code=CODE.format(n=number), lines=(0, 1, 2), language="python", headings=(),
        claims=(claim,),
    )  # fmt: skip
    event = Event(kind="stdout", text=value.repr + "\n", inner=2, outer=2, outer_end=2, values=(value,))
    return snippet, Observed(first=Observation(status="ran", events=(event,)))


def milliseconds(work: Callable[[Any], object], many: Sequence[Any]) -> float:
    """Processor time of each piece of work, the best of five parts."""
    part = len(many) // 5
    best = float("inf")
    for start in range(0, part * 5, part):
        before = time.process_time()
        for one in many[start : start + part]:
            work(one)
        best = min(best, (time.process_time() - before) / part)
    return 1000 * best


def table(quick: bool) -> Iterator[str]:
    yield "| tensor | claim | judging, ms | `repr` of the tensor, ms | judging / `repr` |"
    yield "|---|---|---|---|---|"
    number = 0
    for name, shape in SHAPES:
        count = (100 if quick else 500) if len(shape) * shape[0] < 10 else (20 if quick else 50)
        made = list(tensors(shape, count))
        floor = milliseconds(repr, made)
        values = list(map(described, made))
        for kind, written, word in CLAIMS:
            cases = [case(number + at, value, written) for at, value in enumerate(values)]
            number += count
            _insist(cases[0], word)
            cost = milliseconds(lambda one: judge(*one), cases[1:])
            yield f"| {name} | {kind} | {cost:.3f} | {floor:.3f} | {cost / floor:.2f} |"


def _insist(one: tuple[Snippet, Observed], word: VerdictKind) -> None:
    """Speed of a wrong answer is none."""
    (verdict,) = judge(*one)
    assert verdict.word is word, (verdict.word, verdict.reason)


def section(quick: bool = False) -> str:
    """The section of docs/benchmarks.md."""
    return (
        "## Judging\n\nMilliseconds of processor time for one claim, seen for the first time; the code has three lines.\n\n"
        + "\n".join(table(quick))
        + "\n"
    )


if __name__ == "__main__":
    print(section("--quick" in sys.argv))
