"""Names in running text: rooted ones anywhere, in code spans whatever is code there; what a line denies is left out."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache

from deckgen.extract.apis.sharing import sharing
from deckgen.extract.apis.text import (
    FILE_ENDINGS,
    IDENTIFIER,
    NAME,
    OWNERS,
    ROOTS,
    inside,
    is_written_name,
    made_by,
    pieces,
    without_targets,
)
from deckgen.extract.text import CODE_SPAN, code_spans, unescaped
from deckgen.text.pattern import pattern

_LINK_TARGET = pattern(r"https?://\S+|\]\([^)]*\)|<[a-z]+:[^>]*>")
_ROOTED = pattern(rf"(?<![\w./@-])(?:{'|'.join(sorted(ROOTS))})(?:\.{IDENTIFIER})+(?:\()?", re.ASCII)
_ROOT_MARK = pattern("|".join(rf"{root}\." for root in sorted(ROOTS)))
_DENIED = pattern(
    r"❌|✗|不存在|没有(?:这个|这种|该|此|叫|名为|\s*`|\s*[A-Za-z_.]+\(|$|[,，。;；|）)])|已移除|已删除|被移除"
    r"|不再(?:支持|存在|可用|提供|推荐|建议|维护|使用|需要|有)"
)
"""What torch lacks, not what a thing is without (`没有偏置`) or does no more (`指标不再改善`)."""
_DENIED_EN = pattern(r"\bno longer\b|\bdoes(?:n't| not) exist|\bremoved\b|\bthere is no\b|\bno such\b", re.IGNORECASE)
_SNAKE = pattern(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_GOES_ON = pattern(r"[</{]|[*?]\w|\[[^\]\s]*\]\w")
"""Behind a name: the rest of an address, of a type, or of a pattern such as `nn.Conv{1,2,3}d` and `nn.Conv*d`."""
_STAND_IN = pattern(r"(?:torch|[Tt]ensor)\.(?:function|functions|method|methods|name|op|xxx?)")
"""`torch.function` and `tensor.method`: any function, any method."""
_MAY_DENY = pattern("no |exist|removed")


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
        if clear.startswith("/", match.end()):
            found += sharing(name, clear, match.end())
        elif not _is_no_name(name, clear, match):
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
    if not text.isascii() and _DENIED.search(text):
        return True
    return _MAY_DENY.search(text.lower()) is not None and _DENIED_EN.search(text) is not None


def calls_in_spans(text: str) -> list[str]:
    """Code spans of a prose cell that are calls, `.attributes` or `keyword=value`: code beyond doubt."""
    made = [made_by(one) for one in _in_spans(text) if is_written_name(one) and not NAME.fullmatch(one)]
    return [one for one in made if one]


def names_in_spans(text: str, known: Container[str]) -> list[str]:
    """Code spans of prose that are dotted names or calls of something known: `Module.eval()`, `Timer(stmt="x")`."""
    found = []
    for piece in _in_spans(text):
        head = NAME.match(piece)
        word, dot, _ = head.group().partition(".") if head else ("", "", "")
        told = dot or piece[len(word) :].startswith("(")
        if told and word not in ROOTS and ((word in OWNERS and dot) or word in known) and is_written_name(piece):
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
