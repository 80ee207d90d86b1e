"""Names of the API that a document writes down: each is a claim that torch has it, with these parameters.

Looked at are tables (any column that holds names), headings, the signature under a heading, definition
bullets, parameter lists, and rooted names (`torch.x`, `nn.x`) in prose. Left alone are the pupil's own lines, quiz
options (most of them are wrong on purpose), score tables, and what the notes themselves say is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckgen.extract.claims.values import default_of
from deckgen.extract.names.code import code_names
from deckgen.extract.names.place import (
    PARAMETER_NAME,
    PARAMETER_WORDS,
    SCOPES,
    Mention,
    Place,
    all_placed,
    last_name,
    named_by,
    owner_of,
    parameter,
)
from deckgen.extract.names.tables import of_table
from deckgen.extract.names.written import (
    CALL,
    NAME,
    is_rooted,
    is_written_name,
    names_in_prose,
    names_in_spans,
    opening,
    pieces,
    snake_spans,
)
from deckgen.extract.text import unescaped
from deckgen.model.claim import Exists
from deckgen.model.document import Block, Code, Document, Heading, Item, Items, Prose, Quote, Table, Turn
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_LONGEST_LABEL = 60
_BLANK = pattern(r"_{3,}|(?<![^\W_])__(?![^\W_])")
"""A gap to be filled in, which names nothing: `writer.____("loss")`; `__init__` is a name."""
_MAY_NAME = pattern(r"`|torch|nn\.|F\.|optim\.|autograd\.|Tensor\.")
_OPTION = pattern(r"^\s*(?:[-*+]\s+)?[(（]?[A-Ha-h][.、)）:：]\s?\S")
_WORD = pattern(r"[A-Za-z_]\w*")
_DEFINES = pattern(r"[`*]*\s*(?:[:：—–-]|[(（][^)）]*[)）]\s*(?:[:：—–]|--?\s)|[^\s:：，。,.]{1,12}[:：])")
"""What follows a defined term: a colon, a dash, a bracketed type, or a word of explanation (`前向传播：`)."""
_ONLY_PARAMETERS = pattern(r"\W*(?:«api.about_parameters»)?«api.parameter»(?:«api.about_parameters»)?\W*")


def mentions(document: Document) -> tuple[Exists, ...]:
    """Every name of the API as written, in document order, once a line; ids are `a<line>.<n>`."""
    document = document.opened()
    place = Place(code_names(document))
    found: list[Mention] = []
    above: Block | None = None
    for index, block in enumerate(document.blocks):
        if isinstance(block, Turn):
            place.pupil = block.speaker == "pupil"
        elif isinstance(block, Heading):
            place.enter(block)
        if not place.pupil:
            place.label = _label(above) if isinstance(block, Items | Table) else ""
            found += _of_block(block, document.blocks[index + 1 : index + 2], place)
        above = block
    return tuple(_claims(found))


def _label(above: Block | None) -> str:
    """The text of a line that does no more than announce the next block: `Parameters:`."""
    if not isinstance(above, Prose | Quote) or above.span.stop - above.span.start > 1:
        return ""
    text = above.text.strip(" >")
    announces = text.endswith((":", "：")) or PARAMETER_WORDS.fullmatch(text)
    headed = text.startswith("**") and text.endswith("**") and PARAMETER_WORDS.search(text)
    return text if len(text) <= _LONGEST_LABEL and (announces or headed) else ""


def _claims(found: Iterable[Mention]) -> Iterator[Exists]:
    seen: set[tuple[int, str]] = set()
    numbers: dict[int, int] = {}
    for one in sorted(found, key=lambda one: one.line):
        if (one.line, one.text) in seen or ("__" in one.text and _BLANK.search(one.text)):
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
            default=one.default,
        )


def _of_block(block: Block, following: Sequence[Block], place: Place) -> list[Mention]:
    match block:
        case Heading():
            return _of_heading(block, following, place)
        case Table():
            return of_table(block, place)
        case Items():
            return _of_items(block, place)
        case Prose() | Quote():
            return _of_lines(block.text, block.span.start, block.span.stop, place)
        case _:
            return []


# Text


def _of_lines(text: str, start: int, stop: int, place: Place) -> list[Mention]:
    """Names in text, line by line; quiz options are passed over."""
    if not _MAY_NAME.search(text):
        return []
    lines = text.split("\n")
    options = {at for at, line in enumerate(lines) if _OPTION.match(line)}
    found = [
        Mention(min(start + at, stop - 1), name, "prose")
        for at, line in enumerate(lines)
        if (len(options) < 2 or at not in options) and _MAY_NAME.search(line)
        for name in _in_text(line, place)
    ]
    return all_placed(found, place)


def _in_text(line: str, place: Place) -> list[str]:
    """Rooted names, code spans of what the code knows, and words like `require_grad` that the code does not use."""
    loose = [word for word in snake_spans(line) if word not in place.names.words]
    return [*names_in_prose(line), *names_in_spans(line, place.names.is_torchs), *loose]


# Headings


def _of_heading(heading: Heading, following: Sequence[Block], place: Place) -> list[Mention]:
    """A heading that is an API (`## 1. torch.matmul()`), the APIs it lists, and the signature under it."""
    text = heading.text
    if text.rstrip().endswith(("?", "？")) or _OPTION.match(text):
        return []
    named = [name for name in named_by(text) if not is_rooted(name)]
    every = dict.fromkeys([*names_in_prose(text), *names_in_spans(text, place.names.is_torchs), *named])
    found = all_placed([Mention(heading.span.start, name, "heading") for name in every], place)
    signature = _signature_under(heading, following)
    if signature is None:
        return found
    for one in found:
        if one.alias is None and last_name(one.text) == last_name(signature.text):
            one.alias = signature.text.partition("(")[0]
    return found + all_placed([signature], place)


def _signature_under(heading: Heading, following: Sequence[Block]) -> Mention | None:
    """`torch.randint(low, high, size)` in a fence of one line under the heading `randint`."""
    block = following[0] if following else None
    text = block.text.strip() if isinstance(block, Code) else ""
    if (
        not isinstance(block, Code)
        or "\n" in text
        or not block.lines
        or not (is_rooted(text) and is_written_name(text))
    ):
        return None
    if last_name(text) not in _WORD.findall(unescaped(heading.text)):
        return None
    first = next(
        (at for at, line in zip(block.lines, block.text.split("\n"), strict=False) if line.strip()), block.lines[0]
    )
    return Mention(first, text, "signature")


# Lists


def _of_items(block: Items, place: Place) -> list[Mention]:
    if sum(bool(_OPTION.match(item.text)) for item in block.items) > 1:
        return []
    owner = _owner_of_list(block, place)
    found: list[Mention] = []
    above: list[Item] = []
    for item in block.items:
        above = [one for one in above if one.depth < item.depth]
        found += _of_item(item, above, owner, place)
        above.append(item)
    return found


def _owner_of_list(block: Items, place: Place) -> str | None:
    """The function whose parameters a list under a heading such as `参数：` explains."""
    heading = place.headings[-1].text if place.headings else ""
    if not any(PARAMETER_WORDS.search(text) for text in (heading, place.label)):
        return None
    names = {opening(item.text)[0] for item in block.items}
    signature = heading.partition("(")[2]
    if signature and 2 * len(names & set(_WORD.findall(signature))) < len(names):
        return None  # the parameters of something else
    return owner_of(names, block.span.start, place)


def _of_item(item: Item, above: Sequence[Item], owner: str | None, place: Place) -> list[Mention]:
    line = item.span.start
    name, rest = opening(item.text)
    defines = _DEFINES.match(rest) is not None
    if owner is not None and item.depth == 0 and NAME.fullmatch(name) and defines:
        return all_placed([parameter(line, name, owner, default_of(rest))], place)
    others = _of_lines(item.text, line, item.span.stop, place)
    heading = place.headings[-1].text if place.headings else ""
    if owner is None and PARAMETER_NAME.fullmatch(name) and _ONLY_PARAMETERS.fullmatch(heading):
        return [one for one in others if one.text != name]  # a parameter of what is not known
    told = defines or name in place.names.imports or (CALL.fullmatch(name) is not None and not rest.strip())
    if not told or is_rooted(name) or not _is_definable(name, item.text, place):
        return others
    found = all_placed([Mention(line, one, "bullet") for one in pieces(name) if is_written_name(one)], place)
    openings = [opening(one.text)[0].partition("(")[0] for one in reversed(above)]
    owners = [place.names.expanded(one) for one in openings if NAME.fullmatch(one)]
    for one in found:
        one.scopes = tuple(dict.fromkeys([*owners, *one.scopes]))[:SCOPES]
    defined = {one.text for one in found}
    return found + [one for one in others if one.text not in defined]


def _is_definable(name: str, text: str, place: Place) -> bool:
    """A term that can be an API: marked as code, or a bare word that the source's own code imports."""
    if not name or not (is_written_name(name) or all(is_written_name(one) for one in pieces(name))):
        return False
    return f"`{name}`" in unescaped(text) or name in place.names.imports or "_" in name.strip("_") or "(" in name
