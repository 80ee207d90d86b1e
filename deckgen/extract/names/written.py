"""What names of the API look like as people write them: in code spans, in cells, at the beginning of a line, in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from deckgen.extract.text import CODE_SPAN, code_spans, plain, unescaped, without_code, without_emoji
from deckgen.text.pattern import pattern

ROOTS = frozenset({"torch", "nn", "F", "optim", "autograd", "Tensor"})
"""First words that make a dotted name an API by custom, whatever stands around it."""
OWNERS = frozenset(
    {"Module", "Optimizer", "DataLoader", "Dataset", "SummaryWriter", "Function", "data", "lr_scheduler", "ctx"}
)
"""First words that do so inside a code span."""
FILE_ENDINGS = frozenset(
    "html htm py pt pth md org txt onnx zip com cn ipynb whl json csv yaml yml toml png jpg pkl sh bin safetensors log".split()
)
"""What names of files and of hosts end with, and no API."""
_LITERALS = frozenset({"True", "False", "None", ""})

IDENTIFIER = r"[A-Za-z_]\w*"
_NAME = rf"{IDENTIFIER}(?:\.{IDENTIFIER})*"
_CALL = rf"{_NAME}\(.*\)(?:\.{IDENTIFIER}(?:\(.*\))?)*"
NAME = pattern(_NAME, re.ASCII)
CALL = pattern(rf"\.?{_CALL}", re.S | re.ASCII)
KEYWORD = pattern(rf"{IDENTIFIER}\s*=(?!=)\s*[^=].*", re.S | re.ASCII)
_ATTRIBUTE = pattern(rf"\.{IDENTIFIER}(?:\(.*\))?", re.S | re.ASCII)
_MADE = pattern(rf"{IDENTIFIER}\s+=\s*(?:(?P<call>(?=[A-Z]|\w+\.){_CALL})|{_CALL})", re.S | re.ASCII)
_TARGETS = pattern(rf"^(?:{IDENTIFIER}\s*,\s*)+{IDENTIFIER}\s*=(?!=)\s*", re.ASCII)
"""Of `values, indices = x.max(dim=1)`: the commas before the sign separate no names."""
_BETWEEN = pattern(r"、|，|,|；|;| / |/(?=`)| «definition.joined» |«grammar.plus»(?=`)")
"""What separates names in text."""
_BETWEEN_CALLS = pattern(r"[/、，；;,]")
"""What separates names where there is nothing else."""
_FIRST_WORD = pattern(r"(?:torch|nn|F|optim)(?:\.\w+)+|[A-Za-z_][\w.]*", re.ASCII)
_CAMEL = pattern(r"[a-z0-9][A-Z]")
_SAYS_NOTHING = pattern(r"«definition.joined»|«grammar.with»|[\W\d_]")
"""What may stand between code spans that are names."""
_OF_A_LETTER = pattern(r"[A-Za-z]\(")
"""`f(x)`: mathematics."""
_EMPHASIS = pattern(r"(?<![\w*])(\*{1,3})(?=\w)(.+?)(?<=[^\s*])\1(?![\w*])")
"""`**Adam**`; but `*args`, and `__init__`, are names."""
_FOREIGN = pattern(r"[^\w\s`()\[\]{}.,，、/;；:*=<>'\"+-]")
"""What stands in no name: emoji, stops, signs."""


def is_rooted(name: str) -> bool:
    """`torch.x`, `nn.x`, `F.x`: an API by its first word."""
    head, dot, _ = name.partition(".")
    return bool(dot) and head in ROOTS


def looks_coded(word: str) -> bool:
    """A bare word that only code is written like: `sub_label`, `DataLoader`, `torch.utils`."""
    return bool(NAME.fullmatch(word) and ("_" in word.strip("_") or "." in word or _CAMEL.search(word)))


def _split(text: str, between: re.Pattern[str]) -> list[str]:
    """The text cut at separators outside brackets, without blanks and marks around the parts, and without empty ones."""
    parts: list[str] = []
    depth, start, at = 0, 0, 0
    for match in between.finditer(text):
        passed, at = text[at : match.start()], match.start()
        depth += sum(map(passed.count, "([{")) - sum(map(passed.count, ")]}"))
        if depth <= 0:
            parts.append(text[start:at])
            start = match.end()
    return [part for one in [*parts, text[start:]] if (part := one.strip(" `\n"))]


@lru_cache(maxsize=2048)
def pieces(text: str) -> Sequence[str]:
    """The names that one span or cell holds: split at `、 / 和 or` and at commas, outside brackets."""
    return _split(text, _BETWEEN)


def _coded(text: str) -> list[str]:
    """The pieces of the code spans of a text."""
    return [piece for span in code_spans(text) for piece in pieces(_TARGETS.sub("", span))]


@lru_cache(maxsize=4096)
def is_written_name(text: str) -> bool:
    """True if a piece of code reads as one API name: a name, a call, `.attribute` or `keyword=value`."""
    if NAME.fullmatch(text):
        return "." not in text or text.rpartition(".")[2] not in FILE_ENDINGS
    return not _OF_A_LETTER.match(text) and any(one.fullmatch(text) for one in (CALL, _ATTRIBUTE, KEYWORD))


def _made_by(name: str) -> str:
    """`SGD(params)` of `opt = SGD(params)`: what is called, and no parameter of that name; "" for `out = model(x)`."""
    made = _MADE.fullmatch(name)
    return name if made is None else made["call"] or ""


@lru_cache(maxsize=4096)
def names_of_cell(cell: str, announced: bool = False) -> tuple[str, ...]:
    """The names of a cell that holds nothing but names (and emoji); () for prose and empty cells.

    Without code marks only unmistakable names count; where the header announces names any lone word does.
    """
    if "$" in cell:  # mathematics
        return ()
    text = _EMPHASIS.sub(r"\2", unescaped(cell))
    bare = _FOREIGN.sub("", text)
    if spans := _coded(text):
        made = [_made_by(span) for span in spans if is_written_name(span)]
        prose = _SAYS_NOTHING.sub("", CODE_SPAN.sub(" ", bare))
        return () if prose else tuple(name for name in made if name not in _LITERALS)
    found = pieces(bare)
    return tuple(found) if all(_unmistakable(piece, announced) for piece in found) else ()


def _unmistakable(piece: str, announced: bool) -> bool:
    if not NAME.fullmatch(piece) or is_rooted(piece) or "_" in piece.strip("_"):
        return is_written_name(piece)
    return announced and is_written_name(piece) and re.fullmatch(r"[A-Za-z]\d*", piece) is None


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


def bare_names(cell: str) -> list[str]:
    """Identifiers without marks: `batch_size`, `add_image, add_images` and `flush / close` in a column of names; else nothing."""
    parts = _split(plain(cell), _BETWEEN_CALLS)
    return parts if all(map(_WORD.fullmatch, parts)) else []


def called(name: str) -> str:
    """The last part of a dotted name: what a call in code ends with."""
    return name.rpartition(".")[2]


@lru_cache(maxsize=4096)
def _calls(cell: str) -> Sequence[re.Match[str]]:
    spans = code_spans(cell)
    if len(plain(without_code(cell))) > 24 and spans:
        return []
    name, texts = (_CALLED, map(unescaped, spans)) if spans else (_BARE, [without_emoji(plain(cell))])
    found: list[re.Match[str]] = []
    for text in texts:
        matches = [name.match(part) for part in _split(text, _BETWEEN_CALLS)]
        if all(matches):  # of an expression some parts look like names: `x + y, x / y`
            found += filter(None, matches)
    return found


_NUMBERING = pattern(
    r"^(?=[^`A-Za-z])(?:[\s\d.、:：()（）①-⑳Ⅰ-Ⅻ-]+|[^\w`@.]+|«grammar.ordinal»?(?:\d|«grammar.numeral»)+(?:[、.．)）]|«grammar.chapter»)\s*)*"
)


@lru_cache(maxsize=1024)
def opening(text: str) -> tuple[str, str]:
    """(name, rest) of a line that opens with a code span or an unmistakable name; ("", text) otherwise.

    Numbering and emoji before it are passed over: `1）Dataset：...`, `### 2. torch.mm()`.
    """
    clear = _NUMBERING.sub("", unescaped(text)).lstrip("*_ ")
    if match := CODE_SPAN.match(clear):
        return match[2].strip(), clear[match.end() :]
    match = _FIRST_WORD.match(clear)
    name = match[0].rstrip(".") if match else ""
    rest = clear[len(name) :]
    inner = inside(rest, 1) if name and rest.startswith("(") else None
    return (name, rest) if inner is None else (f"{name}({inner})", rest[len(inner) + 2 :])


# Running text

_LINK_TARGET = pattern(r"https?://\S+|\]\([^)]*\)|<[a-z]+:[^>]*>")
_ROOTED = pattern(rf"(?<![\w./@-])(?:{'|'.join(sorted(ROOTS))})(?:\.{IDENTIFIER})+\(?", re.ASCII)
_MAY_BE_ROOTED = pattern(rf"(?:{'|'.join(sorted(ROOTS))})\\?\.")
"""What a text with such a name has in it; most have nothing of it."""
_SPLIT = pattern(r"(\b(?:torch|nn|F)\.[\w.]*)(?:\s(_)|(?<=_)\s)(?=\w+\()", re.ASCII)
"""A name that a scan or a line end has split: `torch.cuda.device _count()`, `torch.no_ grad()`."""
_DENIED = pattern(r"❌|✗|«api.denied»|«api.lacks»(?=\s*`|\s*[A-Za-z_.]+\(|$|[,，。;；|）)])")
"""What torch lacks, not what a thing is without (`没有偏置`) or does no more (`指标不再改善`)."""
_SNAKE = pattern(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_GOES_ON = pattern(r"[</{]|[*?]\w|\[[^\]\s]*\]\w")
"""Behind a name: the rest of an address, of a type, or of a pattern such as `nn.Conv{1,2,3}d` and `nn.Conv*d`."""
_STAR = pattern(r"\*(?!\*)")
_STAND_IN = pattern(r"(?:torch|[Tt]ensor)\.(?:function|functions|method|methods|name|op|xxx?)")
"""`torch.function` and `tensor.method`: any function, any method."""


def names_in_prose(text: str) -> list[str]:
    """Rooted names anywhere in a line (`torch.x`, `nn.x`), with their arguments; what the line denies is left out."""
    if not _MAY_BE_ROOTED.search(text):
        return []
    clear = _SPLIT.sub(r"\1\2", _LINK_TARGET.sub(" ", unescaped(text)))
    matches = list(_ROOTED.finditer(clear))
    found: list[str] = []
    for match in matches if matches and not is_denied(text) else ():
        name, stop = match[0], match.end()
        if name.endswith("("):
            inner = inside(clear, stop)
            name = name[:-1] if inner is None else f"{name}{inner})"
        file = name.rpartition(".")[2] in FILE_ENDINGS
        starred = _STAR.match(clear, stop) and not clear[: match.start()].endswith("*")
        if not (file or starred or _GOES_ON.match(clear, stop) or _STAND_IN.fullmatch(name)):
            found.append(name)
    return found


@lru_cache(maxsize=256)
def _in_spans(text: str) -> Sequence[str]:
    """The names in the code spans of prose, whatever they are; what the line denies is left out."""
    return _coded(unescaped(text)) if "`" in text and not is_denied(text) else ()


@lru_cache(maxsize=256)
def is_denied(text: str) -> bool:
    """True if a line says that something is not there, or no longer."""
    return _DENIED.search(text) is not None


def calls_in_spans(text: str) -> list[str]:
    """Code spans of a prose cell that are calls, `.attributes` or `keyword=value`: code beyond doubt."""
    made = [_made_by(one) for one in _in_spans(text) if is_written_name(one) and not NAME.fullmatch(one)]
    return [one for one in made if one]


def names_in_spans(text: str, known: Callable[[str], bool]) -> list[str]:
    """Code spans of prose that are dotted names or calls of something known: `Module.eval()`, `Timer(stmt="x")`."""
    found: list[str] = []
    for piece in _in_spans(text):
        head = NAME.match(piece)
        name = head[0] if head else ""
        word, dot, _ = name.partition(".")
        written = dot or piece.startswith(f"{word}(")
        if written and word not in ROOTS and ((word in OWNERS and dot) or known(name)) and is_written_name(piece):
            found.append(piece)
    return found


def snake_spans(text: str) -> list[str]:
    """Code spans of prose that are one word with an underscore: `require_grad`."""
    return [one for one in _in_spans(text) if _SNAKE.fullmatch(one)]


_ENUMERATED = pattern(r"[A-Za-z_][\w.]*(?:\s*、\s*[A-Za-z_][\w.]*)*", re.ASCII)


def coded_words(text: str) -> list[str]:
    """Words outside code spans that only code is written like, and those enumerated with them: `setup、sub_label`."""
    found: list[str] = []
    for run in _ENUMERATED.findall(CODE_SPAN.sub(" ", unescaped(text)) if "_" in text else ""):
        words = [word.strip() for word in run.split("、") if called(word.strip()) not in FILE_ENDINGS]
        if any("_" in word.strip("_") for word in words):
            found += [word.strip(".") for word in words]
    return found
