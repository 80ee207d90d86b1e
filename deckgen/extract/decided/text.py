"""Texts with their code taken out, so that a form sees nothing but words; and the values that answers begin with."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from deckgen.extract.claims.values import leading_dtype, leading_value
from deckgen.extract.text import CODE_SPAN
from deckgen.lexicon import words
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.written import half_width

CODE = "\0"
"""Stands for a span of code."""
_GIVEN = "\1"
"""Stands for a span that gives names their values."""
_MARKS = pattern(r"\*\*|__(?=\W|$)|(?<=\W)__|~~")
_LIST = pattern(r"^\s*(?:[-*+]\s+|\d+[.)]\s)")
_STOP = pattern(r"[\s.。!！]+$")
_NAME = pattern(r"[A-Za-z_][\w.]*(?:\(\))?")
_LITERAL = pattern(
    r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?|True|False|None|'[^']*'|\"[^\"]*\"|[(\[][^()\[\]]*[)\]]",
    re.IGNORECASE,
)
_LEAD = pattern(r"(?:«decided.lead»\s*)+(?=[`\w\[(-])")
_ENDS = pattern(r"\s*«decided.on»?(?:$|[,;.。，；!！(（\n—–:：]|-{1,2}\s|«claim.because»)")
_DTYPE = pattern(
    r"(?:torch\.)?(?P<name>(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|complex(?:32|64|128)|bool|long|half|double|float|int|short))(?!\w|\.\w)"
)
_DEVICE = pattern(r"(?:cpu|cuda(?::\d)?|mps|meta)(?!\w|\.\w)", re.IGNORECASE)
_COUNT = pattern(r"(?P<count>\d+|«decided.numbers»)\s*-?\s*(?:«decided.dimension»)?(?!\w|\.\w)")
_YES = pattern(r"«decided.yes»")
_NO = pattern(r"«decided.no»")
_WORKS = pattern(r"(?:«decided.yes»[\s,，:：—–-]*)?«decided.works»")
_EXCEPTION = pattern(
    r"(?:«decided.yes»[\s,，:：—–-]*)?(?:(?:«decided.article»|«decided.throws»|«decided.lead»)\s*)*`?(?P<name>(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Iteration|Interrupt))(?!\w|\.\w)"
)


class Template(NamedTuple):
    """A text in small letters with `CODE` for each span of code, and the spans."""

    words: str
    spans: list[str]
    given: tuple[tuple[str, str], ...] = ()
    """Names and what they stand for, of spans such as `x = torch.ones(2)`, which stand no more in the words."""


def truths_as_words(text: str) -> str:
    """`` Is `x` `True`? `` with the truth values as words."""
    return _TRUTHS.sub(r"\1", text)


_TRUTHS = pattern(r"`(True|False)`")


def template(text: str) -> Template:
    """`` What is `x.shape`? `` -> `what is \\0?` and `x.shape`; of ``with `x = torch.ones(2)` `` no more than the name and its value."""
    spans: list[str] = []
    given: list[tuple[str, str]] = []

    def hold(found: re.Match[str]) -> str:
        code = found[2].strip()
        if pairs := _assigned(code):
            given.extend(pairs)
            return _GIVEN
        spans.append(code)
        return CODE

    plain = " ".join(half_width(_MARKS.sub("", CODE_SPAN.sub(hold, with_spans(text)))).split()).lower()
    return Template(_GIVES.sub(" ", plain).strip() if given else plain, spans, tuple(given))


def with_spans(text: str) -> str:
    """A text with backticks around what is code beyond doubt, as cards from elsewhere have it without any.

    >>> with_spans("What is torch.ones(2).sum()? And `x.shape`, with keep_dims?")
    'What is `torch.ones(2).sum()`? And `x.shape`, with `keep_dims`?'
    """
    if "." not in text and "_" not in text:
        return text
    return _BARE_CODE.sub(lambda found: found[0] if found["span"] else f"`{found[0]}`", text)


_INNER = r"(?:[^()`\n]|\((?:[^()`\n]|\([^()`\n]*\))*\))*"
_BARE_CODE = pattern(
    rf"(?P<span>(?P<ticks>`+).+?(?P=ticks)(?!`)|\$[^$\n]+\$)"
    rf"|(?<![\w./`])(?:(?:torch|nn|F|optim|Tensor)(?:\.[A-Za-z_]\w*)+(?:\({_INNER}\)(?:\.[A-Za-z_]\w*)*)*|[a-z]+(?:_[a-z]+)+(?![\w.(]))(?!`)",
    re.DOTALL,
)
"""`torch.x(...).y`, and names with an underscore."""
_GIVES = pattern(rf"(?:«decided.given»[\s,:]*)*{_GIVEN}[\s,:;]*(?:«decided.given»[\s,:]*)*")


def _assigned(code: str) -> list[tuple[str, str]]:
    """The names that code gives values, and the code of these; empty if it does anything else."""
    tree = parsed(code) if "=" in code else None
    pairs: list[tuple[str, str]] = []
    for one in tree.body if tree else ():
        if not (isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)):
            return []
        pairs.append((one.targets[0].id, ast.unparse(one.value)))
    return pairs


def bare(answer: str) -> str:
    """The first line of an answer without marks of emphasis and of code around what it begins with."""
    first = _MARKS.sub("", answer.strip().partition("\n")[0]).strip()
    lead = _LEAD.match(first)
    if lead and (
        lead.end() == len(first.rstrip()) or first[lead.end() - 1] in " `" or not first[: lead.end()].isascii()
    ):
        first = first[lead.end() :]
    found = CODE_SPAN.match(first)
    return f"{found[2].strip()}{first[found.end() :]}" if found else first


def bare_line(answer: str) -> str:
    """The first line of an answer as it stands."""
    return answer.strip().partition("\n")[0]


def value_of(answer: str) -> str | None:
    """The value that an answer begins with, if nothing but an explanation follows it. A list begins with a number that is none."""
    return None if _LIST.match(answer) else leading_value(bare(answer))


def dtype_of(answer: str) -> str | None:
    """`torch.float32` of an answer that begins with a dtype, by its full name."""
    text = bare(answer)
    found = _DTYPE.match(text)
    if found and (leading_dtype(text) or _ENDS.match(text, found.end())):
        return f"torch.{_LONG.get(found['name'], found['name'])}"
    return None


_LONG = {"long": "int64", "half": "float16", "double": "float64", "float": "float32", "int": "int32", "short": "int16"}


def device_of(answer: str) -> str | None:
    text = bare(answer)
    found = _DEVICE.match(text)
    return found[0].lower() if found and _ENDS.match(text, found.end()) else None


def count_of(answer: str) -> str | None:
    """The number that an answer begins with: `2`, `2 dimensions`, `3 维`."""
    text = half_width(bare(answer))
    found = None if _LIST.match(answer) else _COUNT.match(text)
    if not found or not _ENDS.match(text, found.end()):
        return None
    written = found["count"].lower()
    return written if written.isdecimal() else str(words("decided.numbers").index(written) % _NUMBERS)


_NUMBERS = 11
"""Words for 0 to 10, which follow each other in the file of each language."""


def truth_of(answer: str) -> str | None:
    """`True` or `False` of an answer that begins with yes or no."""
    text = bare(answer)
    for how, value in ((_NO, "False"), (_YES, "True")):
        found = how.match(text)
        if found and _ENDS.match(text, found.end()):
            return value
    return None


def works(answer: str) -> bool:
    """True for an answer that begins by saying that nothing is raised: `It works: ...`."""
    text = half_width(_MARKS.sub("", answer.strip().partition("\n")[0]))
    found = _WORKS.match(text)
    return found is not None and _ENDS.match(text, found.end()) is not None


def exception_of(answer: str) -> str | None:
    """The exception that an answer begins with: `RuntimeError`, ``a `ValueError` ``."""
    found = _EXCEPTION.match(_MARKS.sub("", answer.strip()))
    return found["name"].rpartition(".")[2] if found else None


def literal_of(answer: str) -> str | None:
    """The literal that an answer begins with: a default as notes write it."""
    text = bare(answer)
    found = None if _LIST.match(answer) else _LITERAL.match(text)
    return found[0] if found and _ENDS.match(text, found.end()) else None


def is_name(span: str) -> bool:
    """True for `torch.optim.Adam`, `lr`, `DataLoader()`."""
    return _NAME.fullmatch(span) is not None


def without_stop(words: str) -> str:
    return _STOP.sub("", words)


SIGNS = r"[\s,.:;?!\"'()~=、—–-]"
"""What may stand between the words of a question."""


def only(*roles: str) -> re.Pattern[str]:
    """A question in which nothing stands but code and words of these roles."""
    return pattern("(?:" + "|".join(f"«decided.{role}»" for role in ("filler", *roles)) + f"|{SIGNS}|{CODE})*")
