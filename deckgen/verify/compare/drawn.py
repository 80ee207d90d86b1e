"""Random values: what must be true of them, whatever was drawn.

What all runs agree on, to the comparison's own tolerance, is a fact, and is compared as one. Of what they do not agree on, the
call that draws tells the bounds; and relations that hold in all runs (rows that sum to one, zeros or one fixed value) must hold in
the notes. Two runs may agree by luck: whoever contradicts a claim by them asks for more.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import exp, gcd, hypot, inf, isfinite, isnan
from statistics import fmean
from typing import Any, NamedTuple

from deckgen.model.observation import Value
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.compare.numbers import (
    SINGLE,
    TOLERANCE,
    Differs,
    Scalar,
    close,
    close_element,
    integer,
    is_integer,
    real,
    unit,
)
from deckgen.verify.sources import called

MANY, MOST = 62, 382
"""Runs besides the first. From 62 on luck is excluded where more take too long: what has one chance in ten is missing in one of a
thousand of such samples. With 382 it is excluded for any chance p: that the notes have a picture which none of 384 draws gives
happens in p (1 - p)^384 of the cases, at most one of 1,000."""


class Impossible(Differs):
    """No draw can give what was written: more of them would tell nothing new."""


# --- the call that draws ------------------------------------------------------------------------------


class Sample(NamedTuple):
    """Bounds of each element (`high` is excluded), and whether each value of `low..high` occurs once."""

    low: float
    high: float
    permutation: bool = False
    whole: bool = True
    """It is shown as it was drawn, and not a part of it, or its mean."""


_BOUNDS = {
    **dict.fromkeys(("rand", "rand_like", "random"), Sample(0, 1)),
    **dict.fromkeys(("relu", "relu_", "abs", "square", "exp", "sqrt", "norm", "std", "var"), Sample(0, inf)),
    **dict.fromkeys(("sigmoid", "softmax"), Sample(0, 1)),
    **dict.fromkeys(("sin", "cos", "tanh", "cosine_similarity"), Sample(-1, 1)),
}
"""By the call that a shown value comes from."""


@lru_cache(maxsize=512)
def sample(code: str, line: int | None, target: str | None) -> Sample | None:
    """What the statement at a line shows, if that is directly a random sample."""
    tree = parsed(code)
    if tree is None or line is None:
        return None
    node: Any = expression(target) or statement(tree, line)
    node = getattr(node, "value", node) if isinstance(node, ast.stmt) else node
    if isinstance(node, ast.Call) and called(node) == "print":
        objects = [one for one in node.args if not isinstance(one, ast.Constant)]
        node = objects[0] if len(objects) == 1 else None
    part = False
    for _ in range(STEPS):
        if isinstance(node, ast.Name):
            values = [] if _may_be_changed(tree, node.id) else bindings(code, line).get(node.id, [])
            node = values[-1] if len(values) == 1 else None
        elif isinstance(node, ast.Subscript | ast.Attribute) and called(node) in ("", *_KEPT):
            node, part = node.value, True
        elif isinstance(node, ast.Call) and called(node) in _KEPT and not _gives_places(node):
            method = isinstance(node.func, ast.Attribute) and not _is_module(node.func.value)
            node, part = getattr(node.func, "value", None) if method else next(iter(node.args), None), True
    if not isinstance(node, ast.Call):
        return None
    name = called(node)
    found = _between(name, node) if name in ("randint", "randperm", "uniform_") else _BOUNDS.get(name)
    return found._replace(permutation=found.permutation and not part, whole=not part) if found else None


STEPS = 8
"""Names and calls between what is shown and what draws."""
_KEPT = frozenset(
    "max min amax amin mean median view reshape flatten squeeze unsqueeze t T mT transpose permute clone detach contiguous"
    " numpy tolist item float double cpu values expand repeat sort tensor from_numpy".split()
)
"""Calls and attributes that leave elements within their bounds."""


def _may_be_changed(tree: ast.Module, name: str) -> bool:
    """True if a call may set a tensor anew: one that it is given to and of which nothing is kept (`nn.init.normal_(w)`), or a
    method in place of another name, which may be a view of it.
    """
    for node in nodes(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=attr, value=ast.Name(id=other) as owner)):
                if attr.endswith("_") and other != name and not _is_module(owner):
                    return True
            case ast.Expr(value=ast.Call(args=given) as call) if called(call) != "print":
                if any(isinstance(one, ast.Name) and one.id == name for one in given):
                    return True
            case _:
                pass
    return False


def _gives_places(call: ast.Call) -> bool:
    """True for `x.max(dim=1)`: indices stand beside its values."""
    given = len(call.args) - (isinstance(call.func, ast.Attribute) and _is_module(call.func.value)) + len(call.keywords)
    return called(call) in ("max", "min", "median", "sort") and given > 0


def _is_module(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("torch", "np", "numpy", "F")


def _between(name: str, call: ast.Call) -> Sample | None:
    """`randperm(10)`, `randint(10, ...)`, `randint(0, 10, ...)`, `randint(low=0, high=10, ...)`, `uniform_(-1, 1)`.

    None if a bound is no number that is written there: `randint(0, n, (3,))`.
    """
    named = {one.arg: one.value for one in call.keywords}
    given = [one for one in call.args[: 1 if name == "randperm" else 2] if not isinstance(one, ast.Tuple | ast.List)]
    sides = [*given, *(named[side] for side in ("low", "high", "from", "to") if side in named)]
    numbers = [*map(_number, sides)]
    if name == "uniform_":
        numbers = numbers or [0, 1]
    elif len(numbers) == 1:
        numbers = [0, *numbers]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return None
    low, high = numbers[0], numbers[1]
    if name == "randint" and not _is_of_tensors(call.func):
        high += 1  # Python's own `randint` gives its upper bound, too
    return Sample(low, high, permutation=name == "randperm")


def _is_of_tensors(function: ast.AST) -> bool:
    """True for `torch.randint` and `np.random.randint`, by whatever usual name of the module."""
    return isinstance(function, ast.Attribute) and ast.unparse(function.value).split(".")[0] in ("torch", "np", "numpy")


def _number(node: ast.AST) -> int | float | None:
    try:
        value = ast.literal_eval(node) if isinstance(node, ast.Constant | ast.UnaryOp) else None
    except ValueError:
        return None
    return value if isinstance(value, int | float) else None


def kind(text: str) -> str:
    """The kind of a written element."""
    if text in ("True", "False"):
        return "bool"
    return "int" if is_integer(text) else "complex" if text.endswith("j") else "float"


# --- tensors ------------------------------------------------------------------------------------------


def check_drawn(claimed: Sequence[str], value: Value, sample: Sample | None) -> None:
    """Raises `Differs` if claimed elements cannot have been drawn."""
    data = value.data or ()
    types = {type(one) for one in data}
    wanted = next((name for one, name in ((bool, "bool"), (int, "int"), (complex, "complex")) if one in types), "float")
    others = {kind(text) for text in claimed} - {wanted}
    if data and others:
        raise Impossible(f"{'/'.join(sorted(others))} claimed, torch has {wanted}")
    if wanted in ("int", "float"):
        check_bounds(claimed, sample)


def check_bounds(claimed: Sequence[str], sample: Sample | None) -> None:
    """Raises `Impossible` for numbers that the call that draws them cannot give."""
    if sample is None:
        return
    for text in claimed:
        number, rounding = real(text), unit(text) / 2
        inside = sample.low - rounding <= number and (number - rounding < sample.high or sample.high == inf)
        if not (inside or "nan" in text):
            raise Impossible(f"{text} claimed, which cannot be drawn from [{sample.low:g}, {sample.high:g})")
    if sample.permutation and len(set(claimed)) < len(claimed):
        raise Impossible("a permutation holds every number once")


def check_elements(claimed: Sequence[tuple[int, str]], runs: Sequence[Value], *, strict: bool, unset: bool) -> None:
    """Raises `Differs` where a claimed element, (place, text), is not what all runs agree on.

    `unset`: some of it is memory that nobody has set. What is NaN in all runs may be such memory: it decides nothing.
    """
    drawn = [run.data or () for run in runs]
    for at, text in claimed:
        here = [data[at] for data in drawn]
        if unset and all(isinstance(one, float) and isnan(one) for one in here):
            continue
        if agree(here, runs[0].dtype):
            if all(close_element(text, one, runs[0].dtype, strict=strict) == "far" for one in here):
                if not _is_within(text, here, runs[0].dtype):
                    raise Differs(
                        f"{text} claimed, torch has {_brief(here[0])} in each of {len(here)} runs (element {at})"
                    )


def check_pool(claimed: Sequence[str], runs: Sequence[Sequence[Scalar]], sample: Sample | None, *, few: bool) -> None:
    """Raises `Differs` for a number far from all that was drawn, unless the call that draws says what to expect."""
    if sample is None or not sample.whole:
        pool = Pool(runs, few)
        for text in claimed:
            pool.check(text, among=len(claimed))


def check_number(claimed: str, seen: Sequence[str], sample: Sample | None, *, few: bool) -> None:
    """The same for a number that is printed, of which no more is known than its digits."""
    if kind(claimed) != kind(seen[0]):
        raise Impossible(f"{claimed} claimed, torch says {seen[0]}: another kind of number")
    if kind(claimed) == "complex":
        return
    check_bounds([claimed], sample)
    drawn: list[Scalar] = [integer(text) if is_integer(text) else real(text) for text in seen]
    if agree(drawn, None) and not _is_within(claimed, drawn, None):
        raise Differs(f"{claimed} claimed, torch says {seen[0]} in each of {len(seen)} runs")
    check_pool([claimed], [[one] for one in drawn], sample, few=few)


def agree(drawn: Sequence[Scalar], dtype: str | None) -> bool:
    """True if all are the same, to the tolerance of `torch.testing.assert_close`."""
    if len(set(drawn)) == 1:
        return True
    numbers = [one for one in drawn if isinstance(one, float) and isfinite(one)]
    return len(numbers) == len(drawn) and max(numbers) - min(numbers) <= _slack(numbers, dtype)


def _slack(numbers: Sequence[float], dtype: str | None) -> float:
    rtol, atol = _GRANTED.get(dtype or "", TOLERANCE.get(dtype or "", SINGLE))
    return rtol * max(map(abs, numbers)) + atol


_GRANTED = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5)}
"""By dtype, where two results of the same computation differ in the digits that are shown."""


def _is_within(text: str, drawn: Sequence[Scalar], dtype: str | None) -> bool:
    """True if a written number is as near to those drawn as they are to each other."""
    numbers = [one for one in drawn if isinstance(one, float)]
    if len(numbers) < len(drawn) or is_integer(text) or text.endswith("j"):
        return False
    slack = _slack(numbers, dtype) + unit(text) / 2
    return min(numbers) - slack <= real(text) <= max(numbers) + slack


class Pool:
    """All numbers that runs have drawn, and what they tell of one that was written."""

    def __init__(self, runs: Sequence[Sequence[Scalar]], few: bool) -> None:
        """`few` = the runs do not exclude luck: then a number is refused that more runs are worth asking about."""
        numbers = [one for run in runs for one in run if isinstance(one, int | float) and not isinstance(one, bool)]
        self.few = few
        self.numbers = sorted(one for one in numbers if isfinite(one)) if numbers else []
        counts = Counter(one for run in runs for one in {*run})
        self.values = sorted({*self.numbers})
        self.known = bool(counts) and min(counts.values()) > 1
        """Each value came in several runs, so hardly another one is left."""
        self.step = _step(self.values)

    def check(self, text: str, among: int = 1) -> None:
        """Raises `Differs` for a number that fewer than one of 1,000 draws would give; `among`: how many are claimed together."""
        if not self.numbers or not _NUMBER.fullmatch(text):
            return
        claimed, low, high = real(text), self.numbers[0], self.numbers[-1]
        new = (
            all(close(text, float(one), *SINGLE) == "far" for one in self.values) if self.step or self.known else False
        )
        between = abs((claimed - low) / self.step - round((claimed - low) / self.step)) > 0.1 if self.step else False
        if new and (self.known or between or (self.few and self.step)):
            raise Differs(f"{text} claimed, torch draws {_listed(self.values)}")
        beyond = (high - low) * (0.3 if len(self.numbers) > 8 else 2.0) if self.few else 0.0
        outside = not low - beyond <= claimed <= high + beyond
        rare = RARE if self.step else RARE / 100  # a loop claims a hundred losses, and their tails are heavy
        if outside and (self.few or _tail(claimed, self.numbers) * among < rare):
            raise Differs(f"{text} claimed, torch draws {_brief(low)} to {_brief(high)}")


def _step(values: Sequence[float]) -> float:
    """What all numbers are apart from the least one, times a whole number: 1 of counts, 0.25 of the accuracy over four samples; 0
    where they are anything. Large numbers of single precision are whole, whatever they are.
    """
    if any(isinstance(one, float) and abs(one) >= _WHOLE for one in values):
        return 0.0
    for parts in range(1, 13):
        scaled = [(one - values[0]) * parts for one in values]
        if len(values) > 1 and all(abs(one - round(one)) < 1e-3 for one in scaled):
            return gcd(*map(round, scaled)) / parts
    return 0.0


_WHOLE = 2.0**20
"""From here on numbers of single precision have at most three binary digits behind the point."""
_NUMBER = pattern(r"[-+]?[\d.]+(?:e[-+]?\d+)?")
RARE = 1e-3
"""Chance of a picture below which luck is no excuse."""


def _tail(claimed: float, numbers: Sequence[float]) -> float:
    """The chance of a draw as far out as a claimed number: that it is beyond all of the sorted draws, if their tail falls off
    like that of an exponential distribution, as heavy a one as what notes draw has. The outer eighth of them says how fast.
    """
    side = [*reversed(numbers)] if claimed > numbers[-1] else [*numbers]
    outer = max(len(side) // 8, 2)
    edge = side[outer - 1]
    excess = max(fmean(abs(one - edge) for one in side[:outer]), _step(sorted({*side})) / 8)
    return exp(-abs(claimed - side[0]) / excess) / (len(side) + 1) if excess else 0.0


# --- relations between the elements ---------------------------------------------------------------------


class Relation(NamedTuple):
    """What is worked out of an array, row by row where it has rows; what comes out the same in all runs must do so in the notes."""

    what: str
    of: Callable[[Sequence[float]], Sequence[float]]
    true: bool = False
    """It is a truth: only that it always holds is worth anything."""


RELATIONS = (
    Relation("sum", lambda row: [sum(row)]),  # of a softmax: 1
    Relation("length", lambda row: [hypot(*row)]),  # of what was normalised: 1
    Relation("largest element", lambda row: [max(row)]),
    Relation("smallest element", lambda row: [min(row)]),
    Relation("distance of two neighbours", lambda row: [abs(a - b) for a, b in pairwise(row)]),
    Relation("ascending order", lambda row: [all(a <= b for a, b in pairwise(row))], true=True),
    Relation("descending order", lambda row: [all(a >= b for a, b in pairwise(row))], true=True),
    Relation("lack of equal integers", lambda row: [len({*row}) == len(row) or not _are_whole(row)], true=True),
)


def _are_whole(row: Sequence[float]) -> bool:
    """True for integers: numbers with a fraction may be equal by rounding."""
    return all(one == int(one) for one in row)


def check_relations(claimed: Sequence[str], runs: Sequence[Sequence[Scalar]], width: int = 0) -> None:
    """Raises `Differs` where a relation that holds in all runs does not hold in what was written, but for its rounding.

    `width`: of a row; 0 = there are none.
    """
    drawn = [[float(one) for one in run if isinstance(one, int | float) and isfinite(one)] for run in runs]
    if len(claimed) < 2 or not drawn or not all(map(_NUMBER.fullmatch, claimed)):
        return
    ours, step = [*map(real, claimed)], max(map(unit, claimed))
    alike = all(len(one) == len(ours) for one in drawn)
    for relation in RELATIONS:
        for size in {width, len(ours)} - {0, 1} if alike else {0}:
            if alike or relation.true:
                _check_relation(relation, ours, drawn, size, step)
    twins: dict[tuple[float, ...], float] = {}
    for at, number in enumerate(ours if alike else ()):
        twin = twins.setdefault(tuple(one[at] for one in drawn), number)
        if abs(twin - number) > step:
            raise Differs(f"{_brief(twin)} and {_brief(number)} claimed, where torch has the same number twice")


def check_printed_relations(claimed: Sequence[str], runs: Sequence[Sequence[str]]) -> None:
    """The same for the numbers of a printed line, of which no more is known than their digits."""
    if all(_NUMBER.fullmatch(text) for run in runs for text in run):
        check_relations(claimed, [[*map(real, run)] for run in runs])


def _check_relation(
    relation: Relation, claimed: Sequence[float], drawn: Sequence[Sequence[float]], size: int, step: float
) -> None:
    """`size`: of the pieces of which the relation is asked; 0 = of all."""

    def work_out(data: Sequence[float]) -> list[float]:
        pieces = [data[at : at + size] for at in range(0, len(data), size)] if size else [data]
        return [float(one) for piece in pieces for one in relation.of(piece)]

    seen = [*map(work_out, drawn)]
    for at, number in enumerate(work_out(claimed)):
        values = [one[at] for one in seen]
        slack = 0.0 if relation.true else step * max(size, 2) + _slack([number], None)
        if agree(values, None) and (all(values) or not relation.true) and abs(values[0] - number) > slack:
            raise Differs(f"what is claimed has another {relation.what} than all that torch draws")


def _listed(values: Sequence[float]) -> str:
    return ", ".join([*map(_brief, values[:6]), *(["..."] if len(values) > 6 else [])])


def _brief(number: Scalar) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number)


def check_word(claimed: str, seen: Sequence[str], *, few: bool) -> None:
    """Raises `Differs` for a word that no run shows, where each of the others came in several."""
    if claimed not in seen and (few or min(Counter(seen).values()) > 1):
        raise Differs(f"`{claimed}` claimed, torch shows {', '.join(sorted({*seen})[:6])}")
