"""What code prints: a card asks for it only if somebody who knows torch can say it without the machine at hand."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction

from deckgen.extract.code.in_place import point_of
from deckgen.extract.code.listing import CLAIMING, trimmed
from deckgen.extract.code.statements import statements
from deckgen.extract.text import has_words, plain, width
from deckgen.extract.worth.prints import Shown, counts_own, is_text, parts_of, repeats, shown_by
from deckgen.extract.worth.prose import instructs, is_personal, points_away, talks
from deckgen.model.note import Note, Output
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, parsed

_CODE_LINES = 16
"""Lines of code, imports aside, that somebody reads before an answer."""
_OUTPUT_LINES = 12
_OUTPUT_COLUMNS = 420
_NUMBERS = 20
"""Elements of tensors that somebody can say."""
_WRITTEN = pattern(r"(?<![\w.])-?\d+\.?\d*")
_SHOWN = 3
"""Values that one card can ask for."""
_PRINTED = 6
"""Values of a loop that one card can ask for: they make a series."""
_KEPT = 2
"""Values that stay on a card from which others can be taken."""
_REASON = 16
"""Columns of a comment that says why."""
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


def _of(note: Note) -> Output | None:
    return note.body if isinstance(note.body, Output) else None


def has_long_code(note: Note) -> bool:
    """More code than somebody reads before each answer."""
    body = _of(note)
    return body is not None and sum(map(_is_read, body.code.split("\n"))) > _CODE_LINES


def _is_read(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("import ", "from "))


def has_long_output(note: Note) -> bool:
    """More output than anybody recalls."""
    body = _of(note)
    if body is None:
        return False
    lines = [line for line in body.output.split("\n") if line.strip()]
    long = len(lines) > _OUTPUT_LINES or width(" ".join(lines)) > _OUTPUT_COLUMNS
    return long or _elements(body.output) > _NUMBERS


def _elements(output: str) -> int:
    """How many numbers of tensors and arrays an output has."""
    return len(_WRITTEN.findall(output)) if "tensor(" in output or "[[" in output else 0


_LONGEST_NUMBER = 40
"""Characters of a number that anybody would compute with; Python refuses to read thousands of digits."""


def has_figures(note: Note) -> bool:
    """Numbers that nobody should know: with three places or more, and no fraction that a head computes."""
    body = _of(note)
    return body is not None and any(map(_is_odd, _NUMBER.findall(body.output)))


def _is_odd(number: str) -> bool:
    places = len(number.partition("e")[0].partition(".")[2])
    if len(number.partition("e")[0].partition(".")[2].rstrip("0")) < 3:
        return False
    if len(number) > _LONGEST_NUMBER:
        return True
    value = Fraction(number)
    near = value.limit_denominator(_DENOMINATOR)
    return abs(value - near) > Fraction(1, 10**places) or places > 8


def repeats_code(note: Note) -> bool:
    """An output that stands in the code already: `x = torch.tensor([7, 7])` and what `x` is; or that `x` is a tensor.

    Not where a call stands between that might have changed it.
    """
    body = _of(note)
    if body is None or point_of(statements(body.code) or (), body.target) is not None:
        return False
    if body.output.strip() in _IS_TENSOR:
        return True
    if body.asked == "value" and body.target:
        value = parsed(body.target)
        node = value.body[0] if value is not None and value.body else None
        return isinstance(node, ast.Expr) and repeats(f"{body.code}\n{body.target}", [node.value], body.output)
    shown = _shown(body)
    return bool(shown) and all(repeats(body.code, one.values, one.text) for one in shown)


def counts_own_data(note: Note) -> bool:
    """`len(X_train)`: how many rows somebody's data has."""
    body = _of(note)
    shown = _shown(body) if body is not None else []
    return body is not None and bool(shown) and all(counts_own(body.code, one.values) for one in shown)


def is_drawn_model(note: Note) -> bool:
    """A model with the layers that were typed, as `print(model)` draws it."""
    body = _of(note)
    return body is not None and len(_LAYER.findall(body.output)) > _SHOWN


def _shown(body: Output) -> list[Shown]:
    return shown_by(body.code, body.cell, body.output) if body.asked == "output" else []


def has_several(note: Note) -> bool:
    """More values than one card can ask for."""
    body = _of(note)
    if body is None or body.asked != "output":
        return False
    shown = _shown(body)
    if shown or "print(" not in body.code:
        return len(shown) > _SHOWN
    return sum(map(_is_value, parts_of(body.output))) > _PRINTED


def _is_value(part: str) -> bool:
    """False for a label of what is printed below it, and for a line of dashes."""
    return not part.rstrip().endswith(":") and any(map(str.isalnum, part))


def is_without_torch(note: Note) -> bool:
    """Plain Python or numpy: who knows torch does not know it better."""
    body = _of(note)
    tree = parsed(body.code) if body is not None else None
    if tree is None:
        return False
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    of_torch = {
        (one.asname or one.name).partition(".")[0]
        for node in imports
        for one in node.names
        if (node.module or "" if isinstance(node, ast.ImportFrom) else one.name).startswith("torch")
    }
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return used.isdisjoint(_TORCH | of_torch)


def asks_machine(note: Note) -> bool:
    """A version, an address, a time, a path: the machine's, and no fact of torch."""
    body = _of(note)
    if body is None:
        return False
    last = body.code.rstrip().rpartition("\n")[2]
    if _PICKS_DEVICE.search(body.code) or (_DEVICE.fullmatch(body.output) and "tensor(" not in body.output):
        return True
    return _MACHINE.search(body.output) is not None or _ASKS_MACHINE.search(body.target or last) is not None


# --- repairs ------------------------------------------------------------------------------------------


def without_comments(note: Note) -> Note:
    """Code without its comments: they tell answers, or nothing. What one says of the line that is asked about is its reason."""
    body = _of(note)
    if body is None or body.asked == "warning":
        return note
    found = comments(body.code)
    if not found:
        return note
    lines: list[str | None] = [*body.code.split("\n")]
    said = {comment.line: comment.text.lstrip("#").strip() for comment in found}
    for comment in found:
        left = (lines[comment.line] or "")[: comment.column].rstrip()
        lines[comment.line] = left or None
    code = "\n".join(line for line in lines if line is not None).strip("\n")
    if not code or parsed(code) is None:
        return note
    last = max(at for at, line in enumerate(lines) if line is not None and line.strip())
    reason = next((said[at] for at in (last, last - 1) if at in said and _says_why(said[at])), "")
    explanation = body.explanation or reason
    return replace(note, body=replace(body, code=code, explanation=explanation))


def _says_why(comment: str) -> bool:
    """True for a comment that can stand below an answer: words, no command, no code, and nothing to check."""
    narrates = instructs(comment) or is_personal(comment) or talks(comment) or points_away(comment)
    return (
        width(plain(comment)) >= _REASON
        and has_words(comment)
        and not narrates
        and parsed(comment) is None
        and not CLAIMING.search(comment)
    )


def without_echoes(note: Note) -> Note:
    """Code without prints of what was typed, and without those above the last few, which are what it is about."""
    body = _of(note)
    shown = _shown(body) if body is not None else []
    if body is None or len(shown) < 2:
        return note
    lines = body.code.split("\n")
    alone = [one for one in shown if _stands_alone(one.node, lines) and (one is not shown[-1] or is_text(one.values))]
    gone = [one for one in alone if repeats(body.code, one.values, one.text)]
    rest = [one for one in alone if one not in gone]
    for one in rest:
        left = [two for two in shown if two not in gone]
        if len(left) > _KEPT or (len(left) > 1 and _elements("\n".join(two.text for two in left)) > _NUMBERS):
            gone.append(one)
    if not gone or len(gone) == len(shown):
        return note
    removed = {at for one in gone for at in range(one.node.lineno - 1, one.node.end_lineno or one.node.lineno)}
    output = "\n".join(one.text for one in shown if one not in gone)
    code = trimmed("\n".join(line for at, line in enumerate(lines) if at not in removed), body.target, output)
    return replace(note, body=replace(body, code=code, output=output))


def _stands_alone(node: ast.Expr, lines: list[str]) -> bool:
    """True for a statement that fills its lines."""
    first, last = lines[node.lineno - 1], lines[(node.end_lineno or node.lineno) - 1]
    return not first[: node.col_offset].strip() and not last[node.end_col_offset :].strip()
