"""What names of the API look like as people write them: in code spans, in cells, at the beginning of a line, in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from deckgen.extract.text import CODE_SPAN, code_spans, plain, unescaped, without_emoji
from deckgen.text.pattern import pattern

ROOTS = frozenset({"torch", "nn", "F", "optim", "autograd", "Tensor"})
"""First words that make a dotted name an API by custom, whatever stands around it."""

OWNERS = frozenset(
    {"Module", "Optimizer", "DataLoader", "Dataset", "SummaryWriter", "Function", "data", "lr_scheduler", "ctx"}
)
"""First words that do so inside a code span."""

IDENTIFIER = r"[A-Za-z_]\w*"
_BETWEEN = pattern(r"、|，|,|；|;| / |/(?=`)| (?:和|与|or|and|或) |和(?=`)")
"""What separates names in text."""
_BETWEEN_CALLS = pattern(r"[/、，；;,]")
"""What separates names where there is nothing else."""
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


def _split(text: str, between: re.Pattern[str]) -> list[str]:
    """The text cut at separators outside brackets."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        match = between.match(text, at) if depth <= 0 else None
        if match:
            parts.append(text[start:at])
            start = match.end()
        at = match.end() if match else at + 1
    return [*parts, text[start:]]


@lru_cache(maxsize=2048)
def pieces(text: str) -> Sequence[str]:
    """The names that one span or cell holds: split at `、 / 和 or` and at commas, outside brackets."""
    return [part.strip(" `") for part in _split(text, _BETWEEN) if part.strip(" `")]


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


# Cells and spans that are names and nothing else: what cards are made of

_DOTTED = r"[A-Za-z_<][\w<>]*(?:\.[A-Za-z_<][\w<>]*)*"
_CALLED = pattern(
    rf"(?:with\s+|@|await\s+|del\s+)?(?!\.(?:{'|'.join(sorted(FILE_ENDINGS))})$)(?P<name>\.?{_DOTTED})\s*(?:\(.*\))?$",
    re.DOTALL,
)
"""`.shape` is a name too; `.pth` is the end of a file's."""
_BARE = pattern(r"(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z_]\w*(?=\())(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?$")
_WORD = pattern(IDENTIFIER, re.ASCII)


def api_names(cell: str) -> list[str]:
    """Names without arguments, if a cell is about names and nothing else; `loss、acc` is not."""
    return [match["name"] for match in _calls(cell)]


def signature(cell: str) -> str:
    """What the cell writes, arguments and all, without marks: `flush() / close()`."""
    return " / ".join(match[0].strip() for match in _calls(cell))


def is_name(cell: str) -> bool:
    """True for one identifier: `batch_size` in a column of parameters."""
    return _WORD.fullmatch(plain(cell)) is not None


def bare_names(cell: str) -> list[str]:
    """Identifiers without marks: `add_image, add_images` and `flush / close` in a column of methods; else nothing."""
    parts = _parts(plain(cell))
    return parts if all(map(_WORD.fullmatch, parts)) else []


def called(name: str) -> str:
    """The last part of a dotted name: what a call in code ends with."""
    return name.rsplit(".", 1)[-1]


@lru_cache(maxsize=4096)
def _calls(cell: str) -> Sequence[re.Match[str]]:
    if spans := code_spans(cell):
        if len(plain(CODE_SPAN.sub("", cell))) > 24:
            return []
        found = [_all_match(_CALLED, unescaped(span)) for span in spans]
        return [match for several in found for match in several]
    return _all_match(_BARE, without_emoji(plain(cell)))


def _all_match(name: re.Pattern[str], text: str) -> Sequence[re.Match[str]]:
    """What a text names; nothing for an expression, of which some parts look like names: `x + y, x / y`."""
    matches = [name.match(part) for part in _parts(text)]
    return [match for match in matches if match] if all(matches) else []


def _parts(text: str) -> list[str]:
    return [part.strip() for part in _split(text, _BETWEEN_CALLS) if part.strip()]


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


# Running text

_LINK_TARGET = pattern(r"https?://\S+|\]\([^)]*\)|<[a-z]+:[^>]*>")
_ROOTED = pattern(rf"(?<![\w./@-])(?:{'|'.join(sorted(ROOTS))})(?:\.{IDENTIFIER})+(?:\()?", re.ASCII)
_ROOT_MARK = pattern("|".join(rf"{root}\." for root in sorted(ROOTS)))
_DENIED = pattern(r"❌|✗|«api.denied»|«api.lacks»(?=\s*`|\s*[A-Za-z_.]+\(|$|[,，。;；|）)])")
"""What torch lacks, not what a thing is without (`没有偏置`) or does no more (`指标不再改善`)."""
_SNAKE = pattern(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_GOES_ON = pattern(r"[</{]|[*?]\w|\[[^\]\s]*\]\w")
"""Behind a name: the rest of an address, of a type, or of a pattern such as `nn.Conv{1,2,3}d` and `nn.Conv*d`."""
_STAND_IN = pattern(r"(?:torch|[Tt]ensor)\.(?:function|functions|method|methods|name|op|xxx?)")
"""`torch.function` and `tensor.method`: any function, any method."""


def names_in_prose(text: str) -> list[str]:
    """Rooted names anywhere in a line (`torch.x`, `nn.x`), with their arguments; what the line denies is left out."""
    if not _ROOT_MARK.search(text) or _denies(text):
        return []
    clear = _LINK_TARGET.sub(" ", unescaped(text)) if "http" in text or "](" in text or "<" in text else unescaped(text)
    found = []
    for match in _ROOTED.finditer(clear):
        name = match.group()
        if name.endswith("("):
            inner = inside(clear, match.end())
            name = name[:-1] if inner is None else f"{name}{inner})"
        if not _is_no_name(name, clear, match):
            found.append(name)
    return found


def _is_no_name(name: str, text: str, match: re.Match[str]) -> bool:
    """A file, an address, a pattern (`nn.BatchNorm*`), or a word for any name."""
    if name.rpartition(".")[2] in FILE_ENDINGS or _GOES_ON.match(text, match.end()) or _STAND_IN.fullmatch(name):
        return True
    starred = text.startswith("*", match.end()) and not text.startswith("**", match.end())
    return starred and not text[: match.start()].endswith("*")


@lru_cache(maxsize=256)
def _in_spans(text: str) -> Sequence[str]:
    """The names in the code spans of prose, whatever they are; what the line denies is left out."""
    if "`" not in text or _denies(text):
        return ()
    return [piece for span in code_spans(unescaped(text)) for piece in pieces(without_targets(span))]


@lru_cache(maxsize=256)
def _denies(text: str) -> bool:
    """True if a line says that something is not there, or no longer."""
    return _DENIED.search(text) is not None


def calls_in_spans(text: str) -> list[str]:
    """Code spans of a prose cell that are calls, `.attributes` or `keyword=value`: code beyond doubt."""
    made = [made_by(one) for one in _in_spans(text) if is_written_name(one) and not NAME.fullmatch(one)]
    return [one for one in made if one]


def names_in_spans(text: str, known: Callable[[str], bool]) -> list[str]:
    """Code spans of prose that are dotted names or calls of something known: `Module.eval()`, `Timer(stmt="x")`."""
    found = []
    for piece in _in_spans(text):
        head = NAME.match(piece)
        word, dot, _ = head.group().partition(".") if head else ("", "", "")
        told = dot or piece[len(word) :].startswith("(")
        if told and word not in ROOTS and ((word in OWNERS and dot) or known(word)) and is_written_name(piece):
            found.append(piece)
    return found


def snake_spans(text: str) -> list[str]:
    """Code spans of prose that are one word with an underscore: `require_grad`."""
    return [one for one in _in_spans(text) if _SNAKE.fullmatch(one)] if "_" in text else []


def coded_words(text: str) -> list[str]:
    """Words outside code spans that only code is written like, and those enumerated with them: `setup、sub_label`."""
    found: list[str] = []
    if "_" not in text:
        return found
    for run in re.findall(
        r"[A-Za-z_][\w.]*(?:\s*、\s*[A-Za-z_][\w.]*)*", CODE_SPAN.sub(" ", unescaped(text)), re.ASCII
    ):
        words = [word for word in re.split(r"\s*、\s*", run) if word.rpartition(".")[2] not in FILE_ENDINGS]
        if any("_" in word.strip("_") for word in words):
            found += [word.strip(".") for word in words]
    return found
