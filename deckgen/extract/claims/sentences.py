"""Output in a sentence or a paragraph: `输出：`, `Out[2]: 3`, `This prints `tensor([1])`.`"""

from __future__ import annotations

import itertools
import re

from deckgen.extract.claims.pasted import raised
from deckgen.extract.claims.reply import FORM, REPLY, SPEAKER, Reply, labelled_above, right_below_code
from deckgen.extract.claims.words import announces, marker, only_values, strongly_marked
from deckgen.model.document import Document, Prose, Quote
from deckgen.text.pattern import pattern
from deckgen.written import half_width
from deckgen.written.values import value_prefix


def paragraph(document: Document, index: int, block: Prose) -> Reply | None:
    """A paragraph `输出：` with its values below or beside, or one that is only values after such a label."""
    lines = block.text.split("\n")
    spans = range(block.span.start, block.span.stop)
    if len(lines) != len(spans):
        return None
    below = right_below_code(document, index)
    told = _told(lines[0]) if below else None
    if told is not None:
        return Reply(index, (told,), tuple(spans[:1]), "any", FORM, True)
    if REPLY.match(lines[0]) and (said := _bare(lines[0])) and only_values([said, *lines[1:]]):
        return Reply(index, (said, *lines[1:]), tuple(spans), "any", FORM, True)
    rest = strongly_marked(_bare(lines[0]).replace("**", ""))
    announced = rest is not None and len(lines) == 1
    quoted = _QUOTED.fullmatch(marker(half_width(lines[0]).replace("**", ""))[1].strip()) if announced else None
    if quoted or (below and len(lines) == 1 and raised(_bare(lines[0]))):
        said = quoted[1] if quoted else _bare(lines[0])
        return Reply(index, (said,), tuple(spans), "any", FORM, True)
    rest = (rest or "").strip("*_` ")
    if len(lines) > 1 and announces(lines[0]):
        beside = []
    elif rest:
        beside = [rest]
    elif labelled_above(document, index):
        beside = [_bare(lines[0])]
    else:
        return None
    texts = [*beside, *map(_bare, lines[1:])]
    if not only_values(texts):
        return None
    return Reply(index, tuple(texts), tuple(spans[-len(texts) :]), "any", FORM, True)


_NAMES_ERROR = pattern(r"(?:\w+\.)*\w*(?:Error|Exception)\b")


def quoted(document: Document, index: int, block: Quote) -> Reply | None:
    """A quote right below code that is nothing but its output: `> tensor([1.])`, `> RuntimeError: ...`."""
    if not right_below_code(document, index):
        return None
    lines = block.text.split("\n")
    spans = range(block.span.start, block.span.stop)
    first = int(len(lines) > 1 and announces(lines[0]))
    texts = [_bare(line) if len(lines) == 1 else line.strip("`") for line in lines[first:]]
    error = raised("\n".join(line.strip() for line in texts))
    failed = error is not None and _NAMES_ERROR.match(texts[0]) is not None
    if failed:  # what is indented goes on with the message, the rest may explain it
        texts = [texts[0], *itertools.takewhile(lambda line: line[:1].isspace(), texts[1:])]
    shown = failed or only_values(texts)
    return (
        Reply(index, tuple(texts), tuple(spans[first : first + len(texts)]), "any", FORM, True)
        if shown and len(lines) == len(spans)
        else None
    )


_QUOTED = pattern(r"`([^`]+)`[.。]?")


_SAYS = pattern(
    r"(?:(?:(?:上面|这里|这段?|它|代码|程序|结果)*(?:会|将)?(?:输出|打印|返回|得到)(?:结果)?(?:为|是)?|结果[为是])"
    r"|(?:(?:this|it|the code|that|which)\s+)?(?:will\s+)?(?:prints?|outputs?|returns?|gives?|yields?))"
    r"\s*:?\s*`(?P<value>[^`]+)`\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_GOES_ON = pattern(r"[.,;。(]|因为|because\b|since\b|$", re.IGNORECASE)
_LEGEND = pattern(r"如果|若|时|\b(?:if|when|unless|for|otherwise|or)\b", re.IGNORECASE)


def _told(line: str) -> str | None:
    """The value of a sentence right below code that says what comes out: ``会输出 `tensor([6.])`，因为...``."""
    line = SPEAKER.sub("", line, count=1)
    found = _SAYS.fullmatch(half_width(line))
    if found is None or not _GOES_ON.match(found["rest"]) or _LEGEND.search(found["rest"][:20]):
        return None
    value = line[found.start("value") : found.end("value")]
    return value if value_prefix(value) == len(value) else None


def _bare(line: str) -> str:
    """A line without the marks around it, and without `Out[2]:`."""
    bare = half_width(line).strip("*_` ")
    return REPLY.sub("", bare, count=1) if "]:" in bare else bare
