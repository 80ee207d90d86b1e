"""Where a line of text names an API: code spans, rooted names, cells and openings that are names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deckgen.extract.text import CODE_SPAN, code_spans, unescaped
from deckgen.text.pattern import pattern

ROOTS = frozenset({"torch", "nn", "F", "optim", "autograd", "Tensor"})
"""First words that make a dotted name an API by custom, whatever stands around it."""

OWNERS = frozenset(
    {"Module", "Optimizer", "DataLoader", "Dataset", "SummaryWriter", "Function", "data", "lr_scheduler", "ctx"}
)
"""First words that do so inside a code span."""

IDENTIFIER = r"[A-Za-z_]\w*"
_BETWEEN = pattern(r"\(|\[|\{|\)|\]|\}|、|，|,|；|;| / |/(?=`)| (?:和|与|or|and|或) |和(?=`)")
"""Brackets, and what separates names."""
_FIRST_WORD = pattern(r"(?:torch|nn|F|optim)(?:\.\w+)+|[A-Za-z_][\w.]*", re.ASCII)

FILE_ENDINGS = frozenset(
    "html htm py pt pth md org txt onnx zip com cn ipynb whl json csv yaml yml toml png jpg pkl sh bin safetensors log".split()
)
"""What names of files and of hosts end with, and no API."""
CALL = pattern(rf"\.?{IDENTIFIER}(?:\.{IDENTIFIER})*\(.*\)(?:\.{IDENTIFIER}(?:\(.*\))?)*", re.S | re.ASCII)
KEYWORD = pattern(rf"{IDENTIFIER}\s*=(?!=)\s*[^=].*", re.S | re.ASCII)
ATTRIBUTE = pattern(rf"\.{IDENTIFIER}(?:\(.*\))?", re.S | re.ASCII)
_CAMEL = pattern(r"[a-z0-9][A-Z]")
_SAYS_NOTHING = pattern(r"\b(?:and|or|with)\b|[和与或及\W\d_]")
_OF_A_LETTER = pattern(r"[A-Za-z]\(")
"""`f(x)`: mathematics."""
NAME = pattern(rf"{IDENTIFIER}(?:\.{IDENTIFIER})*", re.ASCII)


def is_rooted(name: str) -> bool:
    """`torch.x`, `nn.x`, `F.x`: an API by its first word."""
    head, dot, _ = name.partition(".")
    return bool(dot) and head in ROOTS


def looks_coded(word: str) -> bool:
    """A bare word that only code is written like: `sub_label`, `DataLoader`, `torch.utils`."""
    if not NAME.fullmatch(word):
        return False
    return "_" in word.strip("_") or "." in word or _CAMEL.search(word) is not None


@lru_cache(maxsize=2048)
def pieces(text: str) -> Sequence[str]:
    """The names that one span or cell holds: split at `、 / 和 or` and at commas, outside brackets."""
    if NAME.fullmatch(text):
        return [text]
    parts, depth, start = [], 0, 0
    for match in _BETWEEN.finditer(text):
        mark = match.group()
        if mark in "([{" or mark in ")]}":
            depth += 1 if mark in "([{" else -1
        elif depth <= 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [part.strip(" `") for part in [*parts, text[start:]] if part.strip(" `")]


@lru_cache(maxsize=4096)
def is_written_name(text: str) -> bool:
    """True if a piece of code reads as one API name: a name, a call, `.attribute` or `keyword=value`."""
    if NAME.fullmatch(text):
        return text.rpartition(".")[2] not in FILE_ENDINGS or "." not in text
    if _OF_A_LETTER.match(text):
        return False
    return any(pattern.fullmatch(text) for pattern in (CALL, ATTRIBUTE, KEYWORD))


@lru_cache(maxsize=4096)
def names_of_cell(cell: str, announced: bool = False) -> tuple[str, ...]:
    """The names of a cell that holds nothing but names (and emoji); () for prose and empty cells.

    Without code marks only unmistakable names count; where the header announces names any lone word does.
    """
    if "$" in cell:  # mathematics
        return ()
    text = unescaped(cell)
    bare = _FOREIGN.sub("", text)
    spans = [piece for span in code_spans(text) for piece in pieces(without_targets(span))]
    if spans:
        outside = CODE_SPAN.sub(" ", bare)
        made = [made_by(span) for span in spans if is_written_name(span)]
        return tuple(name for name in made if name and name not in _LITERALS) if not _words(outside) else ()
    found = tuple(piece.strip() for piece in pieces(bare))
    return found if found and all(_unmistakable(piece, announced) for piece in found) else ()


_LITERALS = frozenset({"True", "False", "None"})
_FOREIGN = pattern(r"[^\w\s`()\[\]{}.,，、/;；:*=<>'\"+-]")
"""What stands in no name: emoji, stops, signs."""
_MADE = pattern(rf"{IDENTIFIER}\s+=\s*(?P<call>(?P<called>{IDENTIFIER}(?:\.{IDENTIFIER})*)\(.*)", re.S | re.ASCII)
_TARGETS = pattern(rf"(?:{IDENTIFIER}\s*,\s*)+{IDENTIFIER}\s*=(?!=)\s*", re.ASCII)


def made_by(name: str) -> str:
    """`SGD(params)` of `opt = SGD(params)`: what is called, and no parameter of that name; "" for `out = model(x)`."""
    made = _MADE.fullmatch(name) if " =" in name else None
    if made is None or not CALL.fullmatch(made["call"]):
        return name
    called = made["called"]
    return made["call"] if "." in called or called[:1].isupper() else ""


def without_targets(span: str) -> str:
    """`x.max(dim=1)` of `values, indices = x.max(dim=1)`: the commas before the sign separate no names."""
    match = _TARGETS.match(span) if "," in span and "=" in span else None
    return span[match.end() :] if match else span


def _words(text: str) -> str:
    """What is left of the text between code spans that is not a separator or a number."""
    return _SAYS_NOTHING.sub("", text)


def _unmistakable(piece: str, announced: bool) -> bool:
    if not is_written_name(piece):
        return False
    plain = NAME.fullmatch(piece) is not None
    if not plain or is_rooted(piece) or "_" in piece.strip("_"):
        return True
    return announced and re.fullmatch(r"[A-Za-z]\d*", piece) is None


def inside(text: str, start: int) -> str | None:
    """The text up to the parenthesis that closes one just opened; None if none does."""
    depth = 1
    for position in range(start, min(len(text), start + 300)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return text[start:position]
    return None


_NUMBERING = pattern(
    r"(?=[^`A-Za-z])(?:[\s\d.、:：()（）①-⑳Ⅰ-Ⅻ-]+|[^\w`@.]+|第?[一二三四五六七八九十\d]+[章节、.．)）]\s*)*"
)


@lru_cache(maxsize=1024)
def opening(text: str) -> tuple[str, str]:
    """(name, rest) of a line that opens with a code span or an unmistakable name; ("", text) otherwise.

    Numbering and emoji before it are passed over: `1）Dataset：...`, `### 2. torch.mm()`.
    """
    clear = unescaped(text)
    numbering = _NUMBERING.match(clear)
    clear = clear[numbering.end() :].lstrip("*_ ") if numbering else clear
    if match := CODE_SPAN.match(clear):
        return (match[2].strip(), clear[match.end() :])
    if match := _FIRST_WORD.match(clear):
        name, rest = match.group().rstrip("."), clear[len(match.group().rstrip(".")) :]
        if rest.startswith("(") and (inner := inside(rest, 1)) is not None:
            return f"{name}({inner})", rest[len(inner) + 2 :]
        return name, rest
    return "", clear
