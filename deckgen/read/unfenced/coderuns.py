"""Where unfenced code ends: runs of logical lines that are code together."""

from __future__ import annotations

import ast
import re

from deckgen.read.indentation.pylines import Logical, logical_at
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.lines import Lines
from deckgen.read.unfenced.marks import flattened, is_row
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE

_PLAIN_CALL = pattern(r"(\w+)\(\)$")
_MODULES = frozenset(("torch", "nn", "F", "np", "optim", "plt", "pd", "autograd", "data", "utils", "transforms"))
"""Names of modules: below code, `torch.no_grad` alone is the heading of what follows."""
_LONGEST = 200
"""Characters of a line that is looked at for an expression or a label."""
_NEAR = 30
"""Statements above a line that are asked about it."""


def code_run(known: Lines, start: int) -> tuple[list[Logical], bool]:
    """The logical lines from a line on that belong together, and whether they are code.

    Weak lines alone are no code, but they are text only together, so that no line is asked twice.
    """
    parts: list[Logical] = []
    strong = False
    number = start
    while (part := _part(known, number, parts)) is not None:
        strong = strong or known.strength(part.start) == "strong" or _above_output(known, part)
        parts.append(part)
        number = part.stop
        following = known.next_filled(number)
        if following - number <= 2 and following < len(known):
            number = following
    return parts, strong or (bool(parts) and _calls_alone(known, parts))


def _part(known: Lines, number: int, parts: list[Logical]) -> Logical | None:
    """The logical line at a line, if it goes on with (or begins) a run of code."""
    if number >= len(known):
        return None
    found = known.logical(number)
    if parts and parts[-1].header and found is not None:
        return found  # a block must follow
    return _joins(known, number, parts, found)


def _joins(known: Lines, number: int, parts: list[Logical], found: Logical | None) -> Logical | None:
    strength = known.strength(number)
    line = known.lines[number]
    if strength == "" or found is None:
        return (_torn_comment(known, number) if parts else None) or _shown(known, number, parts)
    if flattened(line) or is_row(line):
        return None
    if strength == "strong" and found.kind != "string":
        return found
    if parts and found.kind != "comment" and (outputs.looks_like_value(line) or outputs.announced_by(line)):
        return None
    if found.kind == "comment" and (_announces_output(known, found) or not (parts or _above_code(known, found))):
        return None
    if parts and found.kind in ("annotate", "string") and outputs.printed(line, outputs.templates(parts[-_NEAR:])):
        return None
    if found.kind == "expr" and not parts and _heads_its_signature(known, found):
        return None
    if found.kind == "expr" and parts and _root(found) in _MODULES:
        return None
    if _PLAIN_CALL.match(line.strip()) and not _called_in_code(known, found, parts):
        return None
    return found


def _shown(known: Lines, number: int, parts: list[Logical]) -> Logical | None:
    """An expression above the label of its value: `x, y` of names known, `[p.shape for p in model.parameters()]`."""
    line = known.lines[number]
    if len(line) > _LONGEST or line[:1].isspace() or CHINESE.match(line):
        return None
    if not (_goes_on(line) or _is_label(known, number + 1)):
        return None
    found = logical_at(known.lines, number, known.stop)
    if found is None or found.kind not in ("expr", "call") or not _above_output(known, found):
        return None
    bound = frozenset[str]().union(*(part.names(ast.Store) for part in parts[-_NEAR:]))
    told = found.text.endswith((")", "]")) and not _PLAIN_CALL.match(found.text) and found.text[0] not in "0123456789"
    return found if told or (found.names(ast.Load) and found.names(ast.Load) <= bound) else None


def _above_output(known: Lines, part: Logical) -> bool:
    """Whether the label of an output stands below a line, and below that a value."""
    if part.kind not in ("expr", "call"):
        return False
    if not _is_label(known, part.stop):
        return False
    below = known.next_filled(known.next_filled(part.stop) + 1)
    return below < len(known) and (
        outputs.looks_like_value(known.lines[below][:2000]) or known.lines[below].rstrip().endswith("(")
    )


def _is_label(known: Lines, number: int) -> bool:
    """Whether the next line that is not empty is the label of an output."""
    label = known.next_filled(number)
    return label < len(known) and outputs.announced_by(known.lines[label][:_LONGEST])


def _goes_on(line: str) -> bool:
    """Whether a bracket is left open, or the line joined to the next one."""
    return line.endswith("\\") or any(line.count(opened) > line.count(closed) for opened, closed in ("()", "[]", "{}"))


def _heads_its_signature(known: Lines, name: Logical) -> bool:
    """`nn.GRU` above `torch.nn.GRU(input_size, hidden_size)` is the heading of that."""
    below = known.next_filled(name.stop)
    called, bracket, _ = known.lines[below].strip().partition("(") if below < len(known) else ("", "", "")
    return bool(bracket) and f".{called}".endswith(f".{name.text}")


def _root(line: Logical) -> str:
    """`torch` of `torch.no_grad`."""
    return line.text.split(".")[0]


def _above_code(known: Lines, comment: Logical) -> bool:
    """A comment begins a run if something stands right below it: else it may be a Markdown heading."""
    return comment.stop < len(known) and not known.blank(comment.stop)


def _announces_output(known: Lines, comment: Logical) -> bool:
    """`# 输出:` above output that is not itself commented out."""
    if not outputs.announced_by(comment.text):
        return False
    following = known.next_filled(comment.stop)
    return (
        following < len(known)
        and known.strength(following) != "strong"
        and not (known.lines[following].lstrip().startswith("#"))
    )


def _torn_comment(known: Lines, number: int) -> Logical | None:
    """A line between two comments that is the end of the first, broken off by the page's width."""
    line = known.lines[number].strip()
    after = known.next_filled(number + 1)
    beside = [known.lines[number - 1].lstrip(), known.lines[after] if after < len(known) else ""]
    if all(text.startswith("#") for text in beside) and line and line[-1] in ")]}," and not CHINESE.match(line):
        return Logical(number, number + 1, "# " + line, "comment")
    return None


def _called_in_code(known: Lines, call: Logical, parts: list[Logical]) -> bool:
    """A lone `name()` is a heading, unless code follows or the run defines the name."""
    name = call.text.removesuffix("()")
    if any(part.kind in ("def", "class") and re.search(rf"\b{name}\b", part.text) for part in parts[-_NEAR:]):
        return True
    following = known.next_filled(call.stop)
    return following < len(known) and known.strength(following) == "strong"


def _calls_alone(known: Lines, parts: list[Logical]) -> bool:
    """Whether weak lines are code after all: a signature below its name, or calls below a colon."""
    calls = [part for part in parts if part.kind in ("call", "expr") and "." in part.text.split("(")[0]]
    if not calls:
        return False
    above = calls[0].start - 1
    while above >= 0 and known.blank(above):
        above -= 1
    if above < 0:
        return False
    before = known.lines[above].strip()
    name = calls[0].text.split("(")[0]
    if len(parts) == 1 and before and f".{name}".endswith(f".{before}"):
        return True
    return calls[0].kind == "call" and before.endswith((":", "：")) and not calls[0].text.endswith("()")
