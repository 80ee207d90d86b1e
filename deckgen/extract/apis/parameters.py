"""Parameters in rows and items of their own: whose they are."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from deckgen.extract.apis.headings import named_by
from deckgen.extract.apis.in_prose import names_in_prose
from deckgen.extract.apis.place import Mention, Place, last_name, names_in_heading
from deckgen.extract.apis.text import NAME, is_rooted, looks_coded, opening
from deckgen.extract.text import code_spans, unescaped
from deckgen.text.pattern import pattern

_PRODUCTS = frozenset({
    "PyTorch", "TensorBoard", "NumPy", "TensorFlow", "DeepSpeed", "GitHub", "CUDA", "Python",
    "Torch", "Jupyter",
})  # fmt: skip
"""Names in headings that are written like classes and are none."""
PARAMETER_WORDS = pattern(r"参数|形参|入参|(?i:\bparam(?:eter)?s?\b|\barg(?:ument)?s?\b|\bkwargs\b|\boptions?\b)")
NAME_WORDS = pattern(
    r"函数|方法|模块|类(?!型|别)|接口|API|(?i:\bfunctions?\b|\bmethods?\b|\bmodules?\b|\bclass(?:es)?\b)"
)
_ACRONYM = pattern(r"(?<![\w.`])[A-Z]{2,}\d?[a-z]?(?![\w.`])", re.ASCII)
"""`SGD`, `LSTM`: a class, if the heading is about its parameters."""
PARAMETER_NAME = pattern(r"[a-z_]\w*", re.ASCII)


_ONLY_PARAMETERS = pattern(
    r"(?:[\W\d_一二三四五六七八九十]"
    r"|常用|常见|主要|重要|关键|核心|部分|其他|输入|构造|初始化|函数|方法|各|的|参数|形参|入参|说明|解释|详解|含义|介绍|列表|如下"
    r"|(?i:\b(?:common|main|important|key|other|input|constructor|function|method|list|of|the|its|and|their|explained"
    r"|param(?:eter)?s?|arg(?:ument)?s?|kwargs|options?)\b))+"
)
"""`2.1 参数说明`: whose parameters, the text above says; `常用调度器参数` says it itself."""


@lru_cache(maxsize=512)
def owner_in(head: str) -> str | None:
    """`` `Optimizer` 常用方法 `` -> Optimizer: a header that names an owner beside a word for its parts."""
    clear = unescaped(head)
    words = (
        NAME_WORDS.search(clear) or PARAMETER_WORDS.search(clear) or re.search(r"属性|(?i:attribute|propert)", clear)
    )
    spans = [match.group() for span in code_spans(clear) if (match := NAME.match(span))]
    spans += [word for word in re.findall(r"[A-Za-z_][\w.]*", clear, re.ASCII) if looks_coded(word)]
    return spans[0] if words and spans else None


def owner_of(names: set[str], line: int, place: Place) -> str | None:
    """The function whose parameters these are: named by the heading, or called above with one of them.

    The heading must be about parameters, or be an API itself (directly above a heading such as `Parameters`); one that
    merely mentions a name is not enough.
    """
    labelled = owner_in(place.label) if PARAMETER_WORDS.search(place.label) else None
    told = labelled is not None and (is_rooted(labelled) or labelled[:1].isupper()) and labelled not in _PRODUCTS
    owner = labelled if told else _owner_in_headings(names, place)
    first = _section_of(place)
    near = (call for call in place.names.calls_before(line) if call.line > first)
    called = (call.name for call in near if call.words & names)
    found = owner or next(called, None)
    return None if found is None or found in place.names.defined else place.names.expanded(found)


def _section_of(place: Place) -> int:
    """The line of the chapter or section that says what all of this is about: `Parameters` alone does not."""
    about = [
        one.span.start
        for one in place.headings
        if not _ONLY_PARAMETERS.fullmatch(one.text) and not one.text.endswith((":", "："))  # which announces an example
    ]
    return about[min(1, len(about) - 1)] if about else -1


def _owner_in_headings(names: set[str], place: Place) -> str | None:
    for heading in reversed(place.headings):
        about = PARAMETER_WORDS.search(heading.text) is not None
        own = {last_name(one) for one in named_by(heading.text)}
        acronyms = [match.group() for match in _ACRONYM.finditer(heading.text)] if about else []
        for name in [*names_in_heading(heading.text), *acronyms]:
            if name in names or name in _PRODUCTS or not _is_owner(name, heading.text):
                continue
            whole = looks_coded(name) and heading.text.strip("`* ") == name
            if about or last_name(name) in own or is_rooted(name) or whole:
                return name
        if not about:
            return None
    return None


def _is_owner(name: str, heading: str) -> bool:
    """Marked as code, or a word that is no word for parameters itself (`Parameters`, `Args`)."""
    return f"`{name}" in unescaped(heading) or not PARAMETER_WORDS.fullmatch(name)


def api_of_heading(place: Place) -> str | None:
    """The one API that the nearest heading names, headings such as `Parameters` passed over."""
    for heading in reversed(place.headings):
        name, rest = opening(heading.text)
        listed = [*names_in_prose(heading.text), *named_by(heading.text)]
        listed += [name] if looks_coded(name) and not rest.strip() else []
        names = {one.partition("(")[0] for one in listed}
        if names or not PARAMETER_WORDS.search(heading.text):
            return _own_or_torchs(names.pop(), place) if len(names) == 1 else None
    return None


def _own_or_torchs(name: str, place: Place) -> str | None:
    """A name in full; None if it is the source's own."""
    return None if name.partition(".")[0] in place.names.defined else place.names.expanded(name)


def stated_default(line: int, name: str, owner: str, value: str) -> Mention:
    """A default where nothing but that is claimed: whether the name is a parameter at all is left open."""
    return replace(parameter(line, name, owner, value), form="default")


def parameter(line: int, name: str, owner: str, default: str | None = None) -> Mention:
    """`checkpoint_sequential(chunks)`: the form in which a parameter is claimed."""
    short = owner.rpartition(".")[2]
    bare, _, value = name.partition("=")
    form = "given" if value and default is None else "parameter"
    return Mention(line, f"{short}({bare.lstrip('*').strip()})", form, owner=owner, default=default or value or None)
