"""API names that a document writes down: each is a claim that torch has it, with these parameters.

Looked at are tables (any column that holds names), headings, the signature under a heading, definition
bullets, parameter lists, and rooted names (`torch.x`, `nn.x`) in prose. Left alone are the pupil's own lines, quiz
options (most of them are wrong on purpose), score tables, and what the notes themselves say is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from deckgen.claim import Exists
from deckgen.document import Block, Code, Document, Heading, Item, Items, Prose, Quote, Row, Table, Turn
from deckgen.extract.api_context import CodeNames, code_names
from deckgen.extract.api_text import (
    CALL,
    KEYWORD,
    NAME,
    calls_in_spans,
    code_spans,
    coded_words,
    is_rooted,
    is_written_name,
    looks_coded,
    names_in_prose,
    names_in_spans,
    names_of_cell,
    opening,
    pieces,
    snake_spans,
    unescape,
)
from deckgen.source import line_span

_PRODUCTS = frozenset({
    "PyTorch", "TensorBoard", "NumPy", "TensorFlow", "DeepSpeed", "GitHub", "CUDA", "Python",
    "Torch", "Jupyter",
})  # fmt: skip
"""Names in headings that are written like classes and are none."""

SCOPES = 8
"""How many surroundings a bare name is tried in."""

_PARAMETER_WORDS = re.compile(r"参数|形参|入参|(?i:\bparam(?:eter)?s?\b|\barg(?:ument)?s?\b|\bkwargs\b|\boptions?\b)")
_NAME_WORDS = re.compile(r"函数|方法|模块|类|接口|API|(?i:\bfunctions?\b|\bmethods?\b|\bmodules?\b|\bclass(?:es)?\b)")
_VALUE_WORDS = re.compile(
    r"默认|类型|取值|形状|输出|结果|返回|版本|(?i:^\s*(?:default|type|dtype|values?|shape|output|results?|returns?|versions?)s?\b)"
)
_SCORE_WORDS = re.compile(
    r"你的(?:回答|答案)|评语|得分|评分|打分|(?i:\byour answer|\bscores?\b|\bgrades?\b|\bpoints\b)"
)
_SIGNATURE_LIKE = re.compile(r"[\w.]+(?:\([\w\s,.*=\[\]]*\))?", re.ASCII)
"""A name, with at most a list of names in parentheses: not the call or the output that a scraped heading may be."""
_BLANK = re.compile(r"_{3,}|(?<![^\W_])__(?![^\W_])")
"""A gap to be filled in, which names nothing: `writer.____("loss")`; `__init__` is a name."""
_OPTION = re.compile(r"^\s*(?:[-*+]\s+)?[(（]?[A-Ha-h][.、)）:：]\s?\S")


@dataclass(slots=True)
class _Mention:
    line: int
    text: str
    form: str
    owner: str | None = None
    peers: tuple[str, ...] = ()
    alias: str | None = None
    scopes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Place:
    """Where the walk through the document stands."""

    names: CodeNames
    headings: list[Heading] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    """Names in the headings met so far, nearest last; an empty string opens each heading."""
    pupil: bool = False
    scopes: tuple[tuple[int, int], tuple[str, ...]] = ((-1, -1), ())
    """How many headings' names and calls stood above when the surroundings were last looked at, and what they are."""


def mentions(document: Document) -> tuple[Exists, ...]:
    """Every API name as written, in document order, once a line; ids are `a<line>.<n>`."""
    place = _Place(code_names(document))
    found: list[_Mention] = []
    blocks = document.blocks
    for index, block in enumerate(blocks):
        _enter(block, place)
        if not place.pupil:
            found += _of_block(block, blocks[index + 1 : index + 2], place)
    return tuple(_claims(found))


def _claims(found: Iterable[_Mention]) -> Iterator[Exists]:
    seen: set[tuple[int, str]] = set()
    numbers: dict[int, int] = {}
    for one in sorted(found, key=lambda one: one.line):
        if (one.line, one.text) in seen or _BLANK.search(one.text):
            continue
        seen.add((one.line, one.text))
        numbers[one.line] = numbers.get(one.line, 0) + 1
        yield Exists(
            id=f"a{one.line + 1}.{numbers[one.line]}",
            span=line_span(one.line),
            text=one.text,
            form=one.form,
            owner=one.owner,
            peers=one.peers,
            alias=one.alias,
            scopes=one.scopes,
        )


def _enter(block: Block, place: _Place) -> None:
    if isinstance(block, Turn):
        place.pupil = block.speaker == "pupil"
    elif isinstance(block, Heading):
        place.headings = [one for one in place.headings if one.level < block.level] + [block]
        place.recent += ["", *_names_in_heading(block.text)]


def _names_in_heading(text: str) -> list[str]:
    """Names in a heading that can be a scope: code spans and words that look like names, calls without arguments."""
    words = re.findall(r"[A-Za-z_][\w.]*", unescape(text), re.ASCII)
    spans = [match.group() for span in code_spans(unescape(text)) if (match := NAME.match(span))]
    coded = [word.strip(".") for word in words if looks_coded(word.strip(".")) or re.fullmatch(r"[A-Z][a-z]+\w*", word)]
    return list(dict.fromkeys(spans + coded))


def _of_block(block: Block, following: Sequence[Block], place: _Place) -> list[_Mention]:
    match block:
        case Heading():
            return _of_heading(block, following, place)
        case Table():
            return _of_table(block, place)
        case Items():
            return _of_items(block, place)
        case Prose() | Quote():
            return _of_lines(block.text, block.span.start, block.span.stop, place)
        case _:
            return []


# Scopes and aliases


def _scopes(place: _Place, line: int) -> tuple[str, ...]:
    """What surrounds a line: looked at again only under another heading, or after more code."""
    key = len(place.recent), place.names.calls_above(line)
    if place.scopes[0] != key:
        place.scopes = key, _surroundings(place, line)
    return place.scopes[1]


def _surroundings(place: _Place, line: int) -> tuple[str, ...]:
    """What surrounds a line, nearest first: its heading path, calls in the code above, earlier headings, and last the
    modules that hold them."""
    path = [name for heading in reversed(place.headings) for name in _names_in_heading(heading.text)]
    called: list[str] = []
    for call in place.names.calls_before(line):
        name = place.names.scope_of(call)
        if name is not None and name not in called:
            called.append(name)
        if len(called) == SCOPES:
            break
    recent = [name for name in reversed(place.recent[-9:]) if name][:3]
    ordered = [place.names.expanded(name) for name in [*path[:4], *called[:3], *recent]]
    homes = [name.rpartition(".")[0] for name in [*ordered, *called] if name.count(".") >= 2]
    return tuple(dict.fromkeys([*ordered, *homes, *called[3:]]))[:SCOPES]


def _placed(mention: _Mention, place: _Place) -> _Mention | None:
    """Add what surrounds a mention; None if its name is the source's own."""
    match = NAME.match(mention.text.lstrip("."))
    if match is None:
        return mention
    head, dot, _ = match.group().partition(".")
    if head in place.names.defined:
        return None
    if not mention.text.startswith(".") and not KEYWORD.fullmatch(mention.text):
        mention.alias = place.names.alias(head, bare=not dot)
    method = place.names.methods.get(head) if not dot else None
    mention.scopes = (*([method] if method else []), *_scopes(place, mention.line))[:SCOPES]
    return mention


def _all_placed(found: Iterable[_Mention], place: _Place) -> list[_Mention]:
    return [placed for one in found if (placed := _placed(one, place)) is not None]


# Headings


def _of_heading(heading: Heading, following: Sequence[Block], place: _Place) -> list[_Mention]:
    """A heading that is an API (`## 1. torch.matmul()`), the APIs it lists, and the signature under it."""
    line = heading.span.start
    if heading.text.rstrip().endswith(("?", "？")) or _OPTION.match(heading.text):
        return []
    spans = names_in_spans(heading.text, _Known(place.names))
    found = [_Mention(line, name, "heading") for name in [*names_in_prose(heading.text), *spans]]
    signature = _signature_under(heading, following)
    named = [name for name in _named_by(heading.text) if not is_rooted(name)]
    found += [_Mention(line, name, "heading") for name in named if name not in {one.text for one in found}]
    placed = _all_placed(found, place)
    if signature is None:
        return placed
    for one in placed:
        if one.alias is None and _last_name(one.text) == _last_name(signature.text):
            one.alias = signature.text.partition("(")[0]
    return placed + _all_placed([signature], place)


def _named_by(text: str) -> list[str]:
    """The names that a heading consists of (`view() 和 reshape()`), or opens with before a colon."""
    name, rest = opening(text)
    listed = pieces(name + rest)
    whole = [one for one in listed if (CALL.fullmatch(one) or "_" in one) and is_written_name(one)]
    if whole and len(whole) == len(listed):
        return [one for one in whole if _SIGNATURE_LIKE.fullmatch(one)]
    marked = f"`{name}`" in unescape(text) or (_SIGNATURE_LIKE.fullmatch(name) and ("(" in name or "_" in name))
    if name and marked and is_written_name(name) and re.match(r"\s*(?:[:：]|$|[-—–] |\(|（)", rest):
        return [name]
    return []


def _last_name(text: str) -> str:
    match = NAME.match(text.lstrip("."))
    return match.group().rpartition(".")[2] if match else ""


def _signature_under(heading: Heading, following: Sequence[Block]) -> _Mention | None:
    """`torch.randint(low, high, size)` in a fence of one line under the heading `randint`."""
    block = following[0] if following else None
    if not isinstance(block, Code) or "\n" in block.text.strip() or not block.lines:
        return None
    text = block.text.strip()
    first = next(
        (at for at, one in zip(block.lines, block.text.split("\n"), strict=False) if one.strip()), block.lines[0]
    )
    name = _last_name(text)
    if not (is_rooted(text) and is_written_name(text)) or name not in re.findall(r"\w+", unescape(heading.text)):
        return None
    return _Mention(first, text, "signature")


# Tables


def _of_table(table: Table, place: _Place) -> list[_Mention]:
    if any(_SCORE_WORDS.search(cell) for cell in table.header):
        return []
    columns = [_cells(table, index) for index in range(len(table.header))]
    kinds = [_kind_of_column(head, cells) for head, cells in zip(table.header, columns, strict=True)]
    others = _of_another_library(table.header)
    kinds = ["values" if other else kind for kind, other in zip(kinds, others, strict=True)]
    found: list[_Mention] = []
    if "parameters" in kinds and "names" in kinds:
        found += _parameters_of_rows(table, kinds.index("names"), kinds.index("parameters"))
        kinds = ["prose" if kind == "parameters" else kind for kind in kinds]
    elif "parameters" in kinds and (owner := _owner_of_parameters(table, kinds.index("parameters"), place)):
        found += _parameter_rows(table, kinds.index("parameters"), owner)
        kinds = ["done" if kind == "parameters" else "prose" for kind in kinds]
    for row in table.rows:
        found += _of_row(table, row, kinds)
    return _all_placed(found, place)


def _cells(table: Table, index: int) -> list[str]:
    return [row.cells[index] for row in table.rows if index < len(row.cells)]


def _of_another_library(header: Sequence[str]) -> list[bool]:
    """In a table that sets torch beside something else, the columns that are not torch's."""
    torchs = [re.search("torch", head, re.IGNORECASE) is not None for head in header]
    others = [re.fullmatch(r"\W*[A-Z]\w*(?: [A-Z]\w*)*\W*", head) is not None for head in header]
    return [any(torchs) and not mine and other for mine, other in zip(torchs, others, strict=True)]


def _kind_of_column(head: str, cells: Sequence[str]) -> str:
    """`names`, `parameters`, `values` (looked at by nobody) or `prose`."""
    if _VALUE_WORDS.search(head) and not _NAME_WORDS.search(head):
        return "values"
    filled = [cell for cell in cells if cell.strip(' -—同上"〃')]
    names = [names_of_cell(cell, _says_names(head)) for cell in filled]
    if not filled or sum(map(bool, names)) * 2 < len(filled):
        return "prose"
    if _PARAMETER_WORDS.search(head) and not _NAME_WORDS.search(head):
        return "parameters"
    if all(KEYWORD.fullmatch(name) for several in names for name in several):
        return "prose"
    return "names"


def _says_names(head: str) -> bool:
    """True if a header announces names, so that a lone word (`Adam`) in its cells is one."""
    return bool(_NAME_WORDS.search(head) or _PARAMETER_WORDS.search(head))


def _of_row(table: Table, row: Row, kinds: Sequence[str]) -> list[_Mention]:
    line = row.span.start
    found: list[_Mention] = []
    by_column: list[list[str]] = []
    for head, cell, kind in zip(table.header, row.cells, kinds, strict=False):
        names = names_of_cell(cell, _says_names(head)) if kind in ("names", "parameters") else []
        if names:
            by_column.append(names)
            found += [_Mention(line, name, "table", owner=_owner_in(head)) for name in names]
        elif kind != "values":
            found += [_Mention(line, name, "prose") for name in _in_prose_cell(cell)]
    return _with_peers(found, by_column)


def _in_prose_cell(cell: str) -> list[str]:
    rooted = names_in_prose(cell)
    others = [*calls_in_spans(cell), *coded_words(cell)]
    return rooted + [name for name in others if not any(name.startswith(one.partition("(")[0]) for one in rooted)]


def _with_peers(found: list[_Mention], by_column: Sequence[Sequence[str]]) -> list[_Mention]:
    """Names in other columns of a row are said to be counterparts."""
    if len(by_column) > 1:
        for one in found:
            one.peers = tuple(name for names in by_column if one.text not in names for name in names)
    return found


def _owner_in(head: str) -> str | None:
    """`` `Optimizer` 常用方法 `` -> Optimizer: a header that names an owner beside a word for its parts."""
    clear = unescape(head)
    words = (
        _NAME_WORDS.search(clear) or _PARAMETER_WORDS.search(clear) or re.search(r"属性|(?i:attribute|propert)", clear)
    )
    spans = [match.group() for span in code_spans(clear) if (match := NAME.match(span))]
    spans += [word for word in re.findall(r"[A-Za-z_][\w.]*", clear, re.ASCII) if looks_coded(word)]
    return spans[0] if words and spans else None


# Parameters


def _owner_of_parameters(table: Table, column: int, place: _Place) -> str | None:
    names = {name.partition("=")[0].strip() for cell in _cells(table, column) for name in names_of_cell(cell, True)}
    return _owner_in(table.header[column]) or _owner_of(names, table.span.start, place)


def _owner_of(names: set[str], line: int, place: _Place) -> str | None:
    """The function whose parameters these are: named by the heading, or called above with one of them.

    The heading must be about parameters, or be an API itself (directly above a heading such as `Parameters`); one that
    merely mentions a name is not enough.
    """
    owner = _owner_in_headings(names, place)
    called = (call.name for call in place.names.calls_before(line) if call.words & names)
    found = owner or next(called, None)
    return None if found is None or found in place.names.defined else place.names.expanded(found)


def _owner_in_headings(names: set[str], place: _Place) -> str | None:
    for heading in reversed(place.headings):
        about = _PARAMETER_WORDS.search(heading.text) is not None
        own = {_last_name(one) for one in _named_by(heading.text)}
        for name in _names_in_heading(heading.text):
            if name in names or name in _PRODUCTS or not _is_owner(name, heading.text):
                continue
            if about or _last_name(name) in own or is_rooted(name):
                return name
        if not about:
            return None
    return None


def _is_owner(name: str, heading: str) -> bool:
    """Marked as code, or a word that is no word for parameters itself (`Parameters`, `Args`)."""
    return f"`{name}" in unescape(heading) or not _PARAMETER_WORDS.fullmatch(name)


def _parameter_rows(table: Table, column: int, owner: str) -> list[_Mention]:
    return [
        _parameter(row.span.start, name, owner)
        for row in table.rows
        if column < len(row.cells)
        for name in names_of_cell(row.cells[column], True)
    ]


def _parameters_of_rows(table: Table, named: int, column: int) -> list[_Mention]:
    """Where a table has a column of names and one of parameters, each row's parameters are those of its name."""
    found: list[_Mention] = []
    for row in (row for row in table.rows if max(named, column) < len(row.cells)):
        owners = [match.group() for one in names_of_cell(row.cells[named], True) if (match := NAME.match(one))]
        names = names_of_cell(row.cells[column], True)
        found += [_parameter(row.span.start, name, owner) for owner in owners[:1] for name in names]
    return found


def _parameter(line: int, name: str, owner: str) -> _Mention:
    """`checkpoint_sequential(chunks)`: the form in which a parameter is claimed."""
    short = owner.rpartition(".")[2]
    bare = name.partition("=")[0].lstrip("*").strip()
    return _Mention(line, f"{short}({bare})", "parameter", owner=owner)


# Lists and prose


def _of_items(block: Items, place: _Place) -> list[_Mention]:
    if sum(bool(_OPTION.match(item.text)) for item in block.items) > 1:
        return []
    owner = _owner_of_list(block, place)
    found: list[_Mention] = []
    above: list[Item] = []
    for item in block.items:
        above = [one for one in above if one.depth < item.depth]
        found += _of_item(item, above, owner, place)
        above.append(item)
    return found


def _owner_of_list(block: Items, place: _Place) -> str | None:
    """The function whose parameters a list under a heading such as `参数：` explains."""
    if not place.headings or not _PARAMETER_WORDS.search(place.headings[-1].text):
        return None
    names = {opening(item.text)[0] for item in block.items}
    return _owner_of(names, block.span.start, place)


def _of_item(item: Item, above: Sequence[Item], owner: str | None, place: _Place) -> list[_Mention]:
    line = item.span.start
    name, rest = opening(item.text)
    if owner is not None and item.depth == 0 and NAME.fullmatch(name) and _defines(rest):
        return _all_placed([_parameter(line, name, owner)], place)
    found: list[_Mention] = []
    rooted = _of_lines(item.text, item.span.start, item.span.stop, place)
    told = _defines(rest) or name in place.names.imports or (CALL.fullmatch(name) is not None and not rest.strip())
    if told and not is_rooted(name) and _is_definable(name, item.text, place):
        found = _all_placed([_Mention(line, one, "bullet") for one in pieces(name) if is_written_name(one)], place)
        for one in found:
            one.scopes = tuple(dict.fromkeys([*_ancestors(above, place), *one.scopes]))[:SCOPES]
    defined = {one.text for one in found}
    return found + [one for one in rooted if one.text not in defined]


def _defines(rest: str) -> bool:
    """What follows a defined term: a colon, a dash, a bracketed type, or a word of explanation (`前向传播：`)."""
    return re.match(r"\s*(?:[:：—–-]|[(（][^)）]*[)）]\s*[:：]|[^\s:：，。,.]{1,12}[:：])", rest) is not None


def _is_definable(name: str, text: str, place: _Place) -> bool:
    """A term that can be an API: marked as code, or a bare word that the source's own code imports."""
    if not name or (not is_written_name(name) and not all(is_written_name(one) for one in pieces(name))):
        return False
    return f"`{name}`" in unescape(text) or name in place.names.imports or "_" in name.strip("_") or "(" in name


def _ancestors(above: Sequence[Item], place: _Place) -> list[str]:
    """The names that the items above open with, nearest first."""
    names = [opening(item.text)[0].partition("(")[0] for item in reversed(above)]
    return [place.names.expanded(name) for name in names if NAME.fullmatch(name)]


def _of_lines(text: str, start: int, stop: int, place: _Place) -> list[_Mention]:
    """Rooted names in prose, line by line; quiz options are passed over."""
    lines = text.split("\n")
    options = sum(bool(_OPTION.match(line)) for line in lines) > 1
    found = [
        _Mention(min(start + offset, stop - 1), name, "prose")
        for offset, line in enumerate(lines)
        if not (options and _OPTION.match(line))
        for name in _in_prose(line, place)
    ]
    return _all_placed(found, place)


def _in_prose(line: str, place: _Place) -> list[str]:
    """Rooted names, code spans of what the code knows, and words like `require_grad` that the code does not use."""
    if not any(mark in line for mark in ("`", "torch", "nn.", "F.", "optim.", "autograd.", "Tensor.")):
        return []
    loose = [word for word in snake_spans(line) if word not in place.names.words]
    return [*names_in_prose(line), *names_in_spans(line, _Known(place.names)), *loose]


@dataclass(frozen=True, slots=True)
class _Known:
    """The words that the code imports from torch, or gives to an object of a class of it."""

    names: CodeNames

    def __contains__(self, word: object) -> bool:
        full = self.names.alias(str(word), bare=False)
        return full is not None and full.startswith("torch")
