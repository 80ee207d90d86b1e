"""Reference pages copied as text: signatures on lines of their own, and lines that each explain a parameter.

`torch.gather(input, dim, index) → Tensor` and `in_features (int) – size of each sample` stand there as paragraphs, as
does `Args:` over lines such as `input_size: features of the input`. The first become headings, the others lists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.document import Block, Code, Directive, Heading, Item, Items, Prose
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern

_SIGNATURE = pattern(
    r"(?P<kind>(?:class|property|staticmethod|classmethod)\s*)?(?P<call>torch(?:\.\w+)+\(.*\))"
    r"(?P<told>\s*(?:→|->)\s*[\w.\[\], |]+?)?(?P<link>\s*(?:\[source\]#?|¶))*\s*",
    re.IGNORECASE,
)
_METHOD = pattern(
    r"(?:(?:abstract|async|property|static(?:method)?|class(?:method)?)\s+)*(?P<call>[a-z_]\w*\(.*\))"
    r"(?:\s*(?:→|->)\s*[\w.\[\], |]+?)?\s*(?:\[source\]#?|¶)\s*"
)
"""`load_state_dict(state_dict)[source]`: below a class its methods stand under their bare names."""
_OF_CLASS = pattern(r"`(?P<name>torch(?:\.\w+)*\.[A-Z]\w*)\(.*\)`", re.DOTALL)
_OF_SIGNATURES = pattern(r"[(,]\s*[*/]\s*[,)]|=None\b")
"""What stands in signatures and hardly ever in calls."""
_LONGEST = 1000
_DEEPEST = 6
_PARAMETER = pattern(
    r"(?P<name>\*{0,2}[a-z_]\w*)(?P<type>\s*\((?:[^()]|\([^()]*\))*\)(?:\s+or\s+\((?:[^()]|\([^()]*\))*\))?)?\s*(?P<mark>–|—|--|[:：])\s*(?=\S)"
)
LABEL = pattern(
    r"(?:keyword\s+)?(?:parameters?|arguments?|args)\s*:?|(?:输入)?(?:参数|形参)(?:说明|列表)?\s*[:：]?", re.IGNORECASE
)
_FEWEST = 3
"""Lines without types that below a signature are a list of its parameters."""


def reference_lines(span: Span, text: str) -> list[Block] | None:
    """The blocks of a paragraph that holds a signature or begins with `Args:`; None if it holds neither."""
    lines = text.split("\n")
    if len(lines) != span.stop - span.start:
        return None
    if ("torch." in text or "[source]" in text or "¶" in text) and ")" in text:
        calls = [_signature(line, lines[at - 1] if at else "") for at, line in enumerate(lines)]
        return _signed(span, lines, calls) if any(calls) else None
    if len(lines) > 1 and len(lines[0]) < 40 and LABEL.fullmatch(lines[0].strip()):
        return _listed(span, lines)
    return None


def _signature(line: str, above: str) -> str | None:
    """The call of a line that is a signature, as documentation sets it, and nothing else."""
    if len(line) >= _LONGEST:
        return None
    match = _SIGNATURE.fullmatch(line.strip()) if "torch." in line else None
    if match is None:
        method = _METHOD.fullmatch(line.strip()) if "[source]" in line or "¶" in line else None
        return method["call"] if method else None
    marked = match["kind"] or match["told"] or match["link"] or _OF_SIGNATURES.search(match["call"])
    return match["call"] if marked or _names(above, match["call"]) else None


def _names(line: str, call: str) -> bool:
    """True for the bare name of what is called: `gather`, `torch.gather`."""
    name = line.strip()
    return bool(name) and f".{call.partition('(')[0]}".endswith(f".{name}")


def _signed(span: Span, lines: Sequence[str], calls: Sequence[str | None]) -> list[Block]:
    """The signatures as headings; the bare name above one says no more."""
    blocks: list[Block] = []
    first = 0
    for at in [*(at for at, call in enumerate(calls) if call), len(lines)]:
        call = calls[at] if at < len(lines) else None
        if first < at:
            part = Span(span.start + first, span.start + at)
            named = call is not None and at == first + 1 and _names(lines[first], call)
            blocks.append(Directive(part, ()) if named else Prose(part, "\n".join(lines[first:at])))
        if call is not None:
            blocks.append(Heading(line_span(span.start + at), _DEEPEST, f"`{call}`"))
        first = at + 1
    return blocks


def _listed(span: Span, lines: Sequence[str]) -> list[Block] | None:
    """A label, and below it a line for each parameter; what is no parameter goes on with the one above."""
    items: list[Item] = []
    for at, line in enumerate(lines[1:], span.start + 1):
        found = _item(line, at)
        if found:
            items.append(found)
        elif items:
            last = items[-1]
            items[-1] = Item(last.span | line_span(at), 0, f"{last.text} {line.strip()}")
        else:
            return None
    return [Prose(line_span(span.start), lines[0]), Items(Span(span.start + 1, span.stop), tuple(items))]


def _item(line: str, at: int) -> Item | None:
    match = _PARAMETER.match(line.strip())
    if match is None:
        return None
    name = match["name"].lstrip("*")
    return Item(line_span(at), 0, f"`{name}`{match['type'] or ''}: {line.strip()[match.end() :]}")


def with_classes(blocks: list[Block]) -> list[Block]:
    """The same blocks; the signature of a method bears the name of the class whose signature stands above it."""
    made: list[Block] = []
    owner = ""
    for block in blocks:
        if not isinstance(block, Heading) or not block.text.startswith("`"):
            owner = "" if isinstance(block, Heading) else owner
        elif found := _OF_CLASS.fullmatch(block.text):
            owner = found["name"]
        elif owner and block.level == _DEEPEST and _BARE.fullmatch(block.text):
            made.append(replace(block, text=f"`{owner}.{block.text[1:]}"))
            continue
        elif "." in block.text.partition("(")[0]:
            owner = ""
        made.append(block)
    return made


_BARE = pattern(r"`[a-z_]\w*\(.*\)`", re.DOTALL)


def with_lists(blocks: list[Block]) -> list[Block]:
    """The same blocks; paragraphs side by side that each explain a parameter are a list.

    With a type in brackets and a dash a line is sure to be one; without, there must be several below a signature or
    a label.
    """
    blocks = _with_indented(blocks)
    if not any(isinstance(block, Prose) and _may_explain(block) for block in blocks):
        return blocks
    made: list[Block] = []
    at = 0
    while at < len(blocks):
        stop = at
        while stop < len(blocks) and _explains(blocks[stop]):
            stop += 1
        if stop > at and _is_list(made, blocks[at:stop]):
            made.append(_joined(made, blocks[at:stop]))
        else:
            made += blocks[at : max(stop, at + 1)]
        at = max(stop, at + 1)
    return _together(made)


def _with_indented(blocks: list[Block]) -> list[Block]:
    """The same blocks; indented lines below `Parameters` that each explain one are a list, not code."""
    return [
        _indented(block) or block
        if isinstance(block, Code) and not block.info and at and _is_label(blocks[at - 1])
        else block
        for at, block in enumerate(blocks)
    ]


def _is_label(block: Block) -> bool:
    return (
        isinstance(block, Prose | Heading) and len(block.text) < 40 and LABEL.fullmatch(block.text.strip()) is not None
    )


def _indented(block: Code) -> Items | None:
    items: list[Item] = []
    for number, line in zip(block.lines, block.text.split("\n"), strict=False):
        found = _item(line, number)
        if found:
            items.append(found)
        elif line.strip() and items:
            last = items[-1]
            items[-1] = Item(last.span | line_span(number), 0, f"{last.text} {line.strip()}")
        elif line.strip():
            return None
    return Items(block.span, tuple(items)) if items else None


def _may_explain(block: Prose) -> bool:
    return block.text[:1].islower() and "\n" not in block.text and _PARAMETER.match(block.text) is not None


def _explains(block: Block) -> bool:
    return isinstance(block, Prose) and _may_explain(block)


def _is_list(above: Sequence[Block], lines: Sequence[Block]) -> bool:
    if all(_is_typed(block.text) for block in lines if isinstance(block, Prose)):
        return True
    before = above[-1] if above else None
    signed = isinstance(before, Heading | Prose) and ("(" in before.text or LABEL.fullmatch(before.text.strip()))
    return len(lines) >= _FEWEST and bool(signed)


def _is_typed(text: str) -> bool:
    match = _PARAMETER.match(text)
    return match is not None and match["type"] is not None and match["mark"] in ("–", "—", "--")


def _joined(above: Sequence[Block], lines: Sequence[Block]) -> Items:
    items = [item for block in lines if isinstance(block, Prose) and (item := _item(block.text, block.span.start))]
    return Items(lines[0].span | lines[-1].span, tuple(items))


def _together(blocks: list[Block]) -> list[Block]:
    """Lists of parameters that a paragraph's own lines and the paragraphs below it gave are one list."""
    made: list[Block] = []
    for block in blocks:
        last = made[-1] if made else None
        if (
            isinstance(block, Items)
            and isinstance(last, Items)
            and _is_of_parameters(block)
            and _is_of_parameters(last)
        ):
            made[-1] = Items(last.span | block.span, (*last.items, *block.items))
        else:
            made.append(block)
    return made


def _is_of_parameters(block: Items) -> bool:
    return all(item.text.startswith("`") and item.depth == 0 and not item.number for item in block.items)
