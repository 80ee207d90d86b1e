"""What code prints: a card asks for it only if somebody who knows torch can say it without the machine at hand."""

from __future__ import annotations

from deckgen.extract.text import width
from deckgen.model.note import Note, Output
from deckgen.text.pattern import pattern

_CODE_LINES = 24
_OUTPUT_LINES = 12
_OUTPUT_COLUMNS = 420
_DECIMALS = pattern(r"\d\.\d*?[1-9]\d*")
_NUMBER = pattern(r"(?<![\w.])-?\d+\.\d+(?:e[-+]?\d+)?")
_MANY = 3
"""Numbers with more than two places behind the point."""
_MACHINE = pattern(
    r"\b0x[0-9a-f]{4,}|\b\d+\.\d+\.\d+(?:\+\w+)?\b|(?:^|[\s'\"(])(?:/[\w.-]+){2,}|[A-Za-z]:\\|PosixPath|\bit/s|"
    r"\b\d+(?:\.\d+)?\s?(?:sec(?:onds?)?|ms|us|µs|ns|s/it|MB|GB|GiB|MiB)\b|\b\d{1,3}%\||NVIDIA|Tesla|GeForce|"
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d|20\d\d-\d\d"
)
_DEVICE = pattern(r"(?s).{0,60}?(?:^|[\s:=>'(])(?:cuda|cpu|mps)(?::\d+)?\W*")
"""An output that ends with the name of a device, and no tensor that lies there."""
_ASKS_MACHINE = pattern(
    r"__version__|cuda\.is_available|device_count|get_device_name|mem_get_info|memory_allocated|num_threads|cpu_count|"
    r"data_ptr|\bid\(|time\.time|perf_counter|getsizeof|\.stat\(\)|nvidia-smi|os\.environ|platform\."
)


def _of(note: Note) -> Output | None:
    return note.body if isinstance(note.body, Output) else None


def has_long_code(note: Note) -> bool:
    """More code than somebody reads before each answer."""
    body = _of(note)
    return body is not None and sum(bool(line.strip()) for line in body.code.split("\n")) > _CODE_LINES


def has_long_output(note: Note) -> bool:
    """More output than anybody recalls."""
    body = _of(note)
    if body is None:
        return False
    lines = [line for line in body.output.split("\n") if line.strip()]
    return len(lines) > _OUTPUT_LINES or width(" ".join(lines)) > _OUTPUT_COLUMNS


def has_figures(note: Note) -> bool:
    """Numbers that nobody should know: several with three places or more behind the point."""
    body = _of(note)
    if body is None:
        return False
    odd = [number for number in _NUMBER.findall(body.output) if len(number.rpartition(".")[2].rstrip("0")) > 2]
    return len(odd) > _MANY or any(len(number.rpartition(".")[2].rstrip("0")) > 6 for number in odd)


def repeats_code(note: Note) -> bool:
    """An output that stands in the code already: `x = torch.tensor([7, 7])` and what `x` is."""
    body = _of(note)
    if body is None or not body.output.startswith("tensor(["):
        return False
    return "".join(body.output.split()) in "".join(body.code.split())


def asks_machine(note: Note) -> bool:
    """A version, an address, a time, a path: the machine's, and no fact of torch."""
    body = _of(note)
    if body is None:
        return False
    last = body.code.rstrip().rpartition("\n")[2]
    if _DEVICE.fullmatch(body.output) and "tensor(" not in body.output:
        return True
    return _MACHINE.search(body.output) is not None or _ASKS_MACHINE.search(body.target or last) is not None
