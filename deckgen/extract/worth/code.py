"""What code prints: a card asks for it only if somebody who knows torch can say it without the machine at hand."""

from __future__ import annotations

import ast
from fractions import Fraction

from deckgen.extract.code.in_place import printed_by
from deckgen.extract.code.prints import counts_own, parts_of, repeats
from deckgen.extract.code.statements import Statement, statements
from deckgen.extract.text import width
from deckgen.extract.worth.facts import CodeFacts
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_CODE_LINES = 16
"""Lines of code, imports aside, that somebody reads before an answer."""
_OUTPUT_LINES = 12
_OUTPUT_COLUMNS = 420
NUMBERS = 20
"""Elements of tensors that somebody can say."""
_WRITTEN = pattern(r"(?<![\w.])-?\d+\.?\d*")
_SHOWN = 3
"""Values that one card can ask for."""
_PRINTED = 6
"""Values of a loop that one card can ask for: they make a series."""
_NUMBER = pattern(r"(?<![\w.])-?\d+\.\d+(?:e[-+]?\d+)?")
_DENOMINATOR = 12
"""Of fractions that are computed by head: 0.3333, 0.0833."""
_MACHINE = pattern(
    r"\b0x[0-9a-f]{4,}|\b\d+\.\d+\.\d+(?:\+\w+)?\b|(?:^|[\s'\"(])(?:/[\w.-]+){2,}|[A-Za-z]:\\|PosixPath|\bit/s|"
    r"\b\d+(?:\.\d+)?\s?(?:sec(?:onds?)?|ms|us|µs|ns|s/it|MB|GB|GiB|MiB)\b|\b\d{1,3}%\||NVIDIA|Tesla|GeForce|"
    r"(?:[\w-]+/)+[\w-]+\.[a-z]{2,5}\b|(?=[A-Z])«definition.month» \d|20\d\d-\d\d"
)
_DEVICE = pattern(r"(?s).{0,60}?(?:^|[\s:=>'(])(?:cuda|cpu|mps)(?::\d+)?\W*")
"""An output that ends with the name of a device, and no tensor that lies there."""
_PICKS_DEVICE = pattern(r"\bis_available\(")
_TORCH = frozenset(("torch", "nn", "F", "optim", "torchvision", "transforms", "Variable", "Tensor"))
"""Names that stand for torch where the import is not shown."""
_LAYER = pattern(r"(?m)^\s+\(\w+\): \w+\(")
_IS_TENSOR = ("<class 'torch.Tensor'>", "torch.Tensor")
_ASKS_MACHINE = pattern(
    r"__version__|cuda\.is_available|device_count|get_device_name|mem_get_info|memory_allocated|num_threads|cpu_count|"
    r"data_ptr|\bid\(|time\.time|perf_counter|getsizeof|\.stat\(\)|nvidia-smi|os\.environ|platform\."
)
_LONGEST_NUMBER = 40
"""Characters of a number that anybody would compute with; Python refuses to read thousands of digits."""
_TYPED_NUMBER = pattern(r"(?<![A-Za-z_\d.])\d+(?:\.\d*)?")
_FEWEST = 2
"""Numbers of an output that stand in its code by more than chance."""
_ONE_VALUE = pattern(r"(?:tensor|torch\.Size|array)?[(\[][^a-z]*+(?:dtype=[\w.]++)?[^a-z]*+")
"""A tensor or a shape."""
_PLAIN = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Expr)

# the code


def has_long_code(code: CodeFacts) -> bool:
    """More code than somebody reads before each answer."""
    return sum(map(_is_read, code.body.code.split("\n"))) > _CODE_LINES


def _is_read(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("import ", "from "))


def is_without_torch(code: CodeFacts) -> bool:
    """Plain Python or numpy: who knows torch does not know it better."""
    if code.tree is None:
        return False
    every = nodes(code.tree)
    of_torch = {
        (one.asname or one.name).partition(".")[0]
        for node in every
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
        if (node.module or "" if isinstance(node, ast.ImportFrom) else one.name).startswith("torch")
    }
    return {node.id for node in every if isinstance(node, ast.Name)}.isdisjoint(_TORCH | of_torch)


def prints_twice(code: CodeFacts) -> bool:
    """Two prints are two questions, unless they stand in a loop, or are tried."""
    return code.body.asked == "output" and sum(bool(printed_by(one.node)) for one in code.statements) > 1


def has_dead_code(code: CodeFacts) -> bool:
    """A name is given that nothing below uses."""
    target = statements(code.body.target) if code.body.target else ()
    used = {name for one in target or () for name in one.loads}
    for one in reversed(code.statements):
        asked = one is code.statements[-1] or one is code.point
        if not asked and _only_names(one) and used.isdisjoint(one.binds):
            return True
        used |= one.loads | one.changes
    return False


def _only_names(statement: Statement) -> bool:
    return isinstance(statement.node, ast.Assign | ast.AnnAssign) and bool(statement.binds)


# its output


def has_long_output(code: CodeFacts) -> bool:
    """More output than anybody recalls."""
    lines = [line for line in code.body.output.split("\n") if line.strip()]
    long = len(lines) > _OUTPUT_LINES or width(" ".join(lines)) > _OUTPUT_COLUMNS
    return long or elements(code.body.output) > NUMBERS


def elements(output: str) -> int:
    """How many numbers of tensors and arrays an output has."""
    return len(_WRITTEN.findall(output)) if "tensor(" in output or "[[" in output else 0


def has_figures(code: CodeFacts) -> bool:
    """Numbers that nobody should know: with three places or more, and no fraction that a head computes."""
    return any(map(_is_odd, _NUMBER.findall(code.body.output)))


def _is_odd(number: str) -> bool:
    decimals = number.partition("e")[0].partition(".")[2]
    if len(decimals.rstrip("0")) < 3:
        return False
    if len(number) > _LONGEST_NUMBER:
        return True
    value = Fraction(number)
    near = value.limit_denominator(_DENOMINATOR)
    return abs(value - near) > Fraction(1, 10 ** len(decimals)) or len(decimals) > 8


def is_drawn_model(code: CodeFacts) -> bool:
    """A model with the layers that were typed, as `print(model)` draws it."""
    return len(_LAYER.findall(code.body.output)) > _SHOWN


def has_several(code: CodeFacts) -> bool:
    """More values than one card can ask for."""
    if code.body.asked != "output":
        return False
    if code.shown or "print(" not in code.body.code:
        return len(code.shown) > _SHOWN
    return sum(map(_is_value, parts_of(code.body.output))) > _PRINTED


def _is_value(part: str) -> bool:
    """False for a label of what is printed below it, and for a line of dashes."""
    return not part.rstrip().endswith(":") and any(map(str.isalnum, part))


def asks_machine(code: CodeFacts) -> bool:
    """A version, an address, a time, a path: the machine's, and no fact of torch."""
    source, output = code.body.code, code.body.output
    if _PICKS_DEVICE.search(source) or (_DEVICE.fullmatch(output) and "tensor(" not in output):
        return True
    asked = code.body.target or source.rstrip().rpartition("\n")[2]
    return _MACHINE.search(output) is not None or _ASKS_MACHINE.search(asked) is not None


# the output in the code


def repeats_code(code: CodeFacts) -> bool:
    """An output that stands in the code already: `x = torch.tensor([7, 7])` and what `x` is; or that `x` is a tensor.

    Not where a call stands between that might have changed it.
    """
    body = code.body
    if code.point is not None:
        return False
    if body.output.strip() in _IS_TENSOR:
        return True
    if body.asked == "value" and body.target:
        value = parsed(body.target)
        node = value.body[0] if value is not None and value.body else None
        return isinstance(node, ast.Expr) and repeats(f"{body.code}\n{body.target}", [node.value], body.output)
    return bool(code.shown) and all(repeats(body.code, one.values, one.text) for one in code.shown)


def counts_own_data(code: CodeFacts) -> bool:
    """`len(X_train)`: how many rows somebody's data has."""
    return bool(code.shown) and all(counts_own(code.body.code, one.values) for one in code.shown)


def has_numbers_of_code(code: CodeFacts) -> bool:
    """All numbers of a tensor or a shape stand in the code side by side; not where a call might have changed them and has not.

    What a loop or a function does with numbers is another question.
    """
    if _ONE_VALUE.fullmatch(code.body.output.strip()) is None or code.point is not None:
        return False
    typed, shown = ([float(one) for one in _TYPED_NUMBER.findall(text)] for text in (code.body.code, code.body.output))
    beside = any(typed[at : at + len(shown)] == shown for at in range(len(typed)))
    return len(shown) >= _FEWEST and beside and all(isinstance(one.node, _PLAIN) for one in code.statements)
