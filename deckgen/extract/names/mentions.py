"""Names of the API that a document writes down: each is a claim that torch has it, with these parameters.

Looked at are tables (any column that holds names), headings, the signature under a heading, definition
bullets, parameter lists, rooted names (`torch.x`, `nn.x`) in prose, and code. Left alone are the pupil's own lines, quiz
options (most of them are wrong on purpose), score tables, and what the notes themselves say is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from deckgen.extract.claims.values import default_of, default_of_cell, is_default_column, tells_default
from deckgen.extract.names.code import InCode
from deckgen.extract.names.place import (
    NAME_WORDS,
    ONLY_PARAMETERS,
    PARAMETER_WORDS,
    WORD,
    Place,
    last_name,
    mention,
    named_by,
    owner_in,
    owner_of,
    parameter,
)
from deckgen.extract.names.written import (
    CALL,
    KEYWORD,
    NAME,
    calls_in_spans,
    coded_words,
    is_rooted,
    is_written_name,
    names_in_prose,
    names_in_spans,
    names_of_cell,
    opening,
    pieces,
    snake_spans,
)
from deckgen.extract.text import ends_with_colon, unescaped
from deckgen.model.claim import Exists, Site
from deckgen.model.document import Block, Code, Document, Heading, Item, Items, Prose, Quote, Row, Table, Turn
from deckgen.text.pattern import pattern

_LONGEST_LABEL = 60
_BLANK = pattern(r"_{3,}|(?<![^\W_])__(?![^\W_])")
"""A gap to be filled in, which names nothing: `writer.____("loss")`; `__init__` is a name."""
_OPTION = pattern(r"^\s*(?:[-*+]\s+)?[(（]?[A-Ha-h][.、)）:：]\s?\S")
_CHECKBOX = pattern(r"\[([ xX])\] ")
_DEFINES = pattern(r"[`*]*\s*(?:[:：—–-]|[(（][^)）]*[)）]\s*(?:[:：—–]|--?\s)|[^\s:：，。,.]{1,12}[:：])")
"""What follows a defined term: a colon, a dash, a bracketed type, or a word of explanation (`前向传播：`)."""
_PARAMETER = pattern(r"[a-z_]\w*", re.ASCII)
_VALUE_WORDS = pattern(r"^[^A-Za-z]*«api.value»")
_EXAMPLE_WORDS = pattern("«api.example»")
"""A column of calls with the writer's own variables."""
_SCORE_WORDS = pattern("«api.score»")
_METHODS = pattern(r"\W*«api.method»\W*")
_OF_TENSORS = pattern(r"(?:^|\W)(?:Tensor|«api.tensor»)s?\W*«api.method»")
_EMPTY = ' -—同上"〃'


def mentions(document: Document) -> tuple[Exists, ...]:
    """Every name of the API as written, in document order, once a line; ids are `a<line>.<n>`."""
    document = document.opened()
    place = Place(document)
    in_code = InCode(document, place)
    found: list[Exists] = []
    pupil = False
    above: Block | None = None
    for index, block in enumerate(document.blocks):
        if isinstance(block, Turn):
            pupil = block.speaker == "pupil"
        elif isinstance(block, Heading):
            place.enter(block)
        if not pupil:
            place.label = _label(above) if isinstance(block, Items | Table) else ""
            match block:
                case Heading():
                    found += _of_heading(block, document.blocks[index + 1 : index + 2], place)
                case Table():
                    found += place.placed(_of_table(block, place))
                case Items():
                    found += _of_items(block, place)
                case Prose() | Quote():
                    found += _of_lines(block, place)
                case Code():
                    found += in_code.names(block)
                case _:
                    pass
        above = block
    signed = {one.span.start for one in found if one.site is Site.SIGNATURE}
    seen: set[tuple[int, str]] = set()
    numbers: Counter[int] = Counter()
    claims: list[Exists] = []
    for one in sorted(found, key=lambda one: one.span.start):
        line = one.span.start
        if (
            (line, one.text) not in seen
            and not (one.site is Site.CODE and line in signed)
            and not _BLANK.search(one.text)
        ):
            seen.add((line, one.text))
            numbers[line] += 1
            claims.append(replace(one, id=f"a{line + 1}.{numbers[line]}"))
    return tuple(claims)


def _label(above: Block | None) -> str:
    """The text of a line that does no more than announce the next block: `Parameters:`."""
    if not isinstance(above, Prose | Quote) or above.span.stop - above.span.start > 1:
        return ""
    text = above.text.strip(" >")
    announces = ends_with_colon(text) or PARAMETER_WORDS.fullmatch(text)
    headed = text.startswith("**") and text.endswith("**") and PARAMETER_WORDS.search(text)
    return text if len(text) <= _LONGEST_LABEL and (announces or headed) else ""


def _of_lines(block: Prose | Quote | Item | Heading, place: Place) -> list[Exists]:
    """Names in text, line by line; quiz options are passed over.

    These are rooted names, code spans of what the code knows, and words like `require_grad` that the code does not use.
    """
    lines = block.text.split("\n")
    options = {at for at, line in enumerate(lines) if _OPTION.match(line)}
    found: list[Exists] = []
    for at, line in enumerate(lines):
        if len(options) < 2 or at not in options:
            number = block.span.line(at)
            loose = [word for word in snake_spans(line) if word not in place.code.words]
            names = [*names_in_prose(line), *names_in_spans(line, partial(place.code.is_torchs, number)), *loose]
            found += [mention(number, name, Site.PROSE) for name in names]
    return place.placed(found)


def _of_heading(heading: Heading, following: Sequence[Block], place: Place) -> list[Exists]:
    """A heading that is an API (`## 1. torch.matmul()`), the APIs it lists, and the signature under it; a question is text."""
    text = heading.text
    if _OPTION.match(text):
        return []
    if text.rstrip().endswith(("?", "？")):
        return _of_lines(heading, place)
    named = [name for name in named_by(text) if not is_rooted(name)]
    known = partial(place.code.is_torchs, heading.span.start)
    every = dict.fromkeys([*names_in_prose(text), *names_in_spans(text, known), *named])
    found = place.placed(mention(heading.span.start, name, Site.HEADING) for name in every)
    code = following[0] if following else None
    below = code.text.strip() if isinstance(code, Code) else ""
    last = last_name(below)
    signs = is_rooted(below) and "\n" not in below and is_written_name(below) and last in WORD.findall(unescaped(text))
    if (
        signs and isinstance(code, Code) and code.lines
    ):  # `torch.randint(low, high)` in a fence under the heading `randint`
        full = below.partition("(")[0]
        found = [
            replace(one, alias=one.alias or full) if last_name(one.text) == last and not is_rooted(one.text) else one
            for one in found
        ]
        at = code.text[: code.text.index(below)].count("\n")
        found += place.placed([mention(code.lines[min(at, len(code.lines) - 1)], below, Site.SIGNATURE)])
    return found


# Lists


def _of_items(block: Items, place: Place) -> list[Exists]:
    boxes = [_CHECKBOX.match(item.text) for item in block.items]
    ticked = all(boxes) and any(box and box[1] != " " for box in boxes)
    if ticked or sum(bool(_OPTION.match(item.text)) for item in block.items) > 1:
        return []
    owner = _owner_of_list(block, place)
    found: list[Exists] = []
    above: list[Item] = []
    for item in block.items:
        above = [one for one in above if one.depth < item.depth]
        found += _of_item(item, above, owner, place)
        above.append(item)
    return found


def _owner_of_list(block: Items, place: Place) -> str | None:
    """The function whose parameters a list under a heading such as `参数：` explains."""
    heading = place.headings[-1].text if place.headings else ""
    if not PARAMETER_WORDS.search(f"{heading}\n{place.label}"):
        return None
    names = {opening(item.text)[0] for item in block.items}
    signature = heading.partition("(")[2]
    if signature and 2 * len(names.intersection(WORD.findall(signature))) < len(names):
        return None  # the parameters of something else
    return owner_of(names, block.span.start, place)


def _of_item(item: Item, above: Sequence[Item], owner: str | None, place: Place) -> list[Exists]:
    line = item.span.start
    name, rest = opening(item.text)
    defines = _DEFINES.match(rest)
    if owner is not None and item.depth == 0 and NAME.fullmatch(name) and defines:
        return place.placed([parameter(line, name, owner, default_of(rest))])
    others = _of_lines(item, place)
    heading = place.headings[-1].text if place.headings else ""
    if owner is None and _PARAMETER.fullmatch(name) and ONLY_PARAMETERS.fullmatch(heading):
        return [one for one in others if one.text != name]  # a parameter of what is not known
    imported = name in place.code.imports
    announced = defines or imported or (CALL.fullmatch(name) and not rest.strip())
    known = imported or f"`{name}`" in unescaped(item.text) or "_" in name.strip("_") or "(" in name
    defined = pieces(name)
    if not name or not announced or not known or is_rooted(name) or not all(map(is_written_name, defined)):
        return others
    openings = [opening(one.text)[0].partition("(")[0] for one in reversed(above)]
    owners = tuple(place.code.expanded(one) for one in openings if NAME.fullmatch(one))
    found = place.placed(replace(mention(line, one, Site.BULLET), scopes=owners) for one in defined)
    return found + [one for one in others if one.text not in defined]


# Tables


def _of_table(table: Table, place: Place) -> list[Exists]:
    """The names in a table; none in one of scores."""
    header = table.header
    if any(_SCORE_WORDS.search(head) for head in header):
        return []
    columns = [
        [row.cells[at] for row in table.rows if at < len(row.cells) and row.cells[at].strip(_EMPTY)]
        for at in range(len(header))
    ]
    beside_torch = any("torch" in head.lower() for head in header)
    kinds = [_kind(head, cells, beside_torch) for head, cells in zip(header, columns, strict=True)]
    found: list[Exists] = []
    if "names" in kinds:
        kinds = ["prose" if kind == "parameters" else kind for kind in kinds]
    elif "parameters" in kinds:
        at = kinds.index("parameters")
        names = {name.partition("=")[0].strip() for cell in columns[at] for name in names_of_cell(cell, True)}
        if owner := owner_in(header[at]) or owner_of(names, table.span.start, place):
            for row in table.rows:
                listed = names_of_cell(row.cells[at], True) if at < len(row.cells) else ()
                default = _default_in_row(table, row, at) if len(listed) == 1 else None
                found += [parameter(row.span.start, name, owner, default) for name in listed]
            kinds = ["prose"] * len(kinds)
    announced = [_says_names(head) and _all_named(cells) for head, cells in zip(header, columns, strict=True)]
    for row in table.rows:
        found += _of_row(header, row, kinds, announced, place)
    return found


def _kind(head: str, cells: Sequence[str], beside_torch: bool) -> str:
    """`names`, `parameters`, `values` (looked at by nobody) or `prose`; torch beside another library has a column of its own."""
    other = beside_torch and "torch" not in head.lower() and re.fullmatch(r"\W*[A-Z]\w*(?: [A-Z]\w*)*\W*", head)
    if other or (_VALUE_WORDS.search(head) and not NAME_WORDS.search(head)):
        return "values"
    names = [names_of_cell(cell, _says_names(head)) for cell in cells]
    if not cells or sum(map(bool, names)) * 2 < len(cells):
        return "prose"
    if PARAMETER_WORDS.search(head) and not NAME_WORDS.search(head):
        return "parameters"
    return "prose" if all(KEYWORD.fullmatch(name) for several in names for name in several) else "names"


def _says_names(head: str) -> bool:
    """True if a header announces names, so that a lone word (`Adam`) in its cells is one."""
    return bool(NAME_WORDS.search(head) or PARAMETER_WORDS.search(head))


def _all_named(cells: Sequence[str]) -> bool:
    """False if some are words: `Maximum` beside `Step decay` is one as well, whatever the header announces."""
    return 5 * sum("`" not in cell and not names_of_cell(cell, True) for cell in cells) <= len(cells)


def _of_row(
    header: Sequence[str], row: Row, kinds: Sequence[str], announced: Sequence[bool], place: Place
) -> list[Exists]:
    """The names in a row; names in several of its columns are said to be counterparts."""
    line = row.span.start
    above = place.headings[-1].text if place.headings else ""
    found: list[Exists] = []
    by_column: list[tuple[str, ...]] = []
    for head, cell, kind, lone in zip(header, row.cells, kinds, announced, strict=False):
        names = names_of_cell(cell, lone) if kind in ("names", "parameters") else ()
        if names:
            by_column.append(names)
            site = Site.PROSE if _EXAMPLE_WORDS.search(head) else Site.TABLE
            of_tensors = "Tensor" if _METHODS.fullmatch(head) and _OF_TENSORS.search(above) else None
            found += [mention(line, name, site, owner_in(head) or of_tensors) for name in names]
        elif kind != "values":
            rooted = names_in_prose(cell)
            coded = [*calls_in_spans(cell), *coded_words(cell)]
            whole = tuple(one.partition("(")[0] for one in rooted)
            others = [name for name in coded if not any(map(name.startswith, whole))]
            found += [mention(line, name, Site.PROSE) for name in [*rooted, *others]]
    if len(by_column) < 2:
        return found
    every = [(names, name) for names in by_column for name in names]
    return [replace(one, peers=tuple(name for names, name in every if one.text not in names)) for one in found]


def _default_in_row(table: Table, row: Row, column: int) -> str | None:
    """The default that a parameter's row states: in a column of its own, else in what another cell says."""
    for head, cell in zip(table.header, row.cells, strict=False):
        if is_default_column(head):
            return default_of_cell(cell)
    found = [default_of(cell) for at, cell in enumerate(row.cells) if at != column and tells_default(cell)]
    return found[0] if len(found) == 1 else None
