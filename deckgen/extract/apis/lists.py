"""APIs in lists: definitions with their ancestors, parameters under a heading that announces them."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.extract.apis.parameters import (
    PARAMETER_NAME,
    PARAMETER_WORDS,
    api_of_heading,
    owner_of,
    parameter,
    stated_default,
)
from deckgen.extract.apis.place import SCOPES, Mention, Place, all_placed
from deckgen.extract.apis.prose import OPTION, of_lines
from deckgen.extract.apis.text import CALL, NAME, is_rooted, is_written_name, opening, pieces
from deckgen.extract.claims.defaults import default_of, tells_default
from deckgen.extract.text import unescaped
from deckgen.model.document import Item, Items
from deckgen.text.pattern import pattern

_WORD = pattern(r"[A-Za-z_]\w*")
_DEFINES = pattern(r"[`*]*\s*(?:[:：—–-]|[(（][^)）]*[)）]\s*(?:[:：—–]|--?\s)|[^\s:：，。,.]{1,12}[:：])")
_ONLY_PARAMETERS = pattern(
    r"\W*(?:(?:主要|常用|重要|输入)?(?:参数|形参|入参)(?:说明|列表|介绍|解释)?|(?i:param(?:eter)?s?|arg(?:ument)?s?))\W*"
)
_VALUES = pattern(
    r"模式|取值|可选值?|选项|后端|枚举|策略|返回值|(?i:\bmodes?\b|\bvalues?\b|\boptions?\b|\bchoices\b|\bbackends?\b|\bone of\b|\bkinds?\b)"
)
"""An item over the values that a parameter may have: `'nccl'` is no name of torch's."""


def of_items(block: Items, place: Place) -> list[Mention]:
    if sum(bool(OPTION.match(item.text)) for item in block.items) > 1:
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
    told = [*(heading.text for heading in place.headings[-1:]), place.label]
    if not any(PARAMETER_WORDS.search(text) for text in told):
        return None
    names = {opening(item.text)[0] for item in block.items}
    signature = place.headings[-1].text.partition("(")[2] if place.headings else ""
    if signature and 2 * len(names & set(_WORD.findall(signature))) < len(names):
        return None  # the parameters of something else
    return owner_of(names, block.span.start, place)


def _of_item(item: Item, above: Sequence[Item], owner: str | None, place: Place) -> list[Mention]:
    line = item.span.start
    name, rest = opening(item.text)
    if owner is not None and item.depth == 0 and NAME.fullmatch(name) and _defines(rest):
        return all_placed([parameter(line, name, owner, default_of(rest))], place)
    found: list[Mention] = []
    rooted = of_lines(item.text, item.span.start, item.span.stop, place)
    if tells_default(item.text):
        rooted += all_placed(_defaults_of_item(item, above, owner, place), place)
    if NAME.fullmatch(name) and "." not in name and above and _VALUES.search(unescaped(above[-1].text)):
        return rooted
    if (
        owner is None
        and PARAMETER_NAME.fullmatch(name)
        and place.headings
        and _ONLY_PARAMETERS.fullmatch(place.headings[-1].text)
    ):
        return [one for one in rooted if one.text != name]  # of what is not known
    told = _defines(rest) or name in place.names.imports or (CALL.fullmatch(name) is not None and not rest.strip())
    if told and not is_rooted(name) and _is_definable(name, item.text, place):
        found = all_placed([Mention(line, one, "bullet") for one in pieces(name) if is_written_name(one)], place)
        for one in found:
            one.scopes = tuple(dict.fromkeys([*_ancestors(above, place), *one.scopes]))[:SCOPES]
    defined = {one.text for one in found}
    return found + [one for one in rooted if one.text not in defined]


def _defaults_of_item(item: Item, above: Sequence[Item], owner: str | None, place: Place) -> list[Mention]:
    """The defaults of an API's item, or the default of the item of one parameter."""
    line = item.span.start
    name, rest = opening(item.text)
    owner = owner or _api_above(above, place)
    marked = f"`{name}`" in item.text or f"**{name}" in item.text or _defines(rest)
    if owner is None or not marked or not PARAMETER_NAME.fullmatch(name):
        return []
    value = default_of(rest)
    return [] if value is None else [stated_default(line, name, owner, value)]


def _is_api(name: str) -> bool:
    return is_written_name(name) and (is_rooted(name) or CALL.fullmatch(name) is not None)


def _api_above(above: Sequence[Item], place: Place) -> str | None:
    """The API whose parts the items under it are: the nearest item's that is one, else the heading's."""
    for item in reversed(above):
        name = opening(item.text)[0]
        if _is_api(name):
            return place.names.expanded(name.partition("(")[0])
        if not PARAMETER_WORDS.search(item.text):
            return None
    return api_of_heading(place)


def _defines(rest: str) -> bool:
    """What follows a defined term: a colon, a dash, a bracketed type, or a word of explanation (`前向传播：`)."""
    return _DEFINES.match(rest) is not None


def _is_definable(name: str, text: str, place: Place) -> bool:
    """A term that can be an API: marked as code, or a bare word that the source's own code imports."""
    if not name or (not is_written_name(name) and not all(is_written_name(one) for one in pieces(name))):
        return False
    return f"`{name}`" in unescaped(text) or name in place.names.imports or "_" in name.strip("_") or "(" in name


def _ancestors(above: Sequence[Item], place: Place) -> list[str]:
    """The names that the items above open with, nearest first."""
    names = [opening(item.text)[0].partition("(")[0] for item in reversed(above)]
    return [place.names.expanded(name) for name in names if NAME.fullmatch(name)]
