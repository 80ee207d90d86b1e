"""Lists of definitions: `- term: text` with their ancestors as context, and statements below a term as clozes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.names.written import api_names, signature
from deckgen.extract.notes.no_facts import why_no_list
from deckgen.extract.notes.question import is_aspect
from deckgen.extract.notes.statement import (
    CONSTANTS,
    Definition,
    cloze_of,
    definition,
    identifies,
    leads_away,
    says,
)
from deckgen.extract.page import Finds, Page, items_on, left_of
from deckgen.extract.text import (
    code_spans,
    ends_with_colon,
    has_words,
    plain,
    plain_width,
    title,
    width,
    without_code,
    without_number,
)
from deckgen.model.document import Code, Image, Item, Items
from deckgen.model.note import Api, Basic, Body, Cloze, Note, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.written.values import value_prefix

_ALONE = 80
"""Columns of a statement without a parent that is a note by itself."""
_LABEL = 60
_SHORTEST = 16
"""Columns of a statement without a parent."""
_GROUP = 3
"""Statements side by side that share a cloze: the most holes a note may have."""
_HANDFUL = 7
"""Items that can be recalled together."""
_CALL = pattern(r"[A-Za-z_]\w*(?:\.\w+)*\([^()]*\)")
"""A call, which needs no marks to be known as code."""
_TYPED = pattern(r"(.*`)\s*[（(]([^（()）]*)[）)]\s*")
_PAUSE = pattern(r"[，,。；;]")
_SAID_BEHIND = pattern(r"`[^`]+`\W*\w[^`]*$")
"""``调用 `.shape` 查看形状``: words behind the last code."""


@dataclass(eq=False)
class _Node:
    """An item with its ancestors, outermost first, and its children."""

    item: Item
    above: tuple[_Node, ...]
    children: list[_Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = without_number(" ".join(self.item.text.split())).strip()
        self.words = plain(self.text)
        self.columns = width(self.words)
        found = definition(self.text)
        self.definition = found if found and Kind.UNFINISHED not in labels(found.text).words else None
        self.label = found.term if found and self.definition else self.text.rstrip(":：")
        """How it is named as context of its descendants."""

    @property
    def asks_for_children(self) -> bool:
        """A short label over a few names, or a line that says that a list follows, whose children have none themselves."""
        several = len(self.children) > 1
        if not 1 <= len(self.children) <= _HANDFUL or any(child.children for child in self.children):
            return False
        if several and Kind.ANNOUNCES in labels(self.words):
            return True
        defined = any(child.definition for child in self.children)
        if defined or self.columns > 32 or _PAUSE.search(self.text) or says(self.text):
            return False
        names = all(child.columns <= 40 and not says(child.text) for child in self.children)
        named = len(self.children) <= _GROUP and (code_spans(self.text) or "**" in self.text)
        return bool(named or (several and (names or is_aspect(self.words))))

    @property
    def goes_on_below(self) -> bool:
        """A definition that ends with a colon: its few children are part of it."""
        leaves = all(not child.children and not child.definition for child in self.children)
        return ends_with_colon(self.item.text.rstrip()) and 0 < len(self.children) <= _HANDFUL and leaves


def definitions(page: Page) -> Finds:
    """Notes of every list that defines or states something; entries of which none is made are left to other rules."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    taken: dict[int, Collection[int]] = {}
    for index, block in page.each(Items):
        reason = why_no_list(page, index, block)
        made = [] if reason else list(_list_notes(page, index, _tree(block)))
        if reason:
            skipped.append(Skipped(block.span, reason))
        if reason or made:
            lines = (line for note in made for line in range(note.span.start, note.span.stop))
            taken[index] = range(len(block.items)) if reason else items_on(block, lines)
        notes += made
    left = left_of(page, taken)
    return Finds(tuple(notes), tuple(skipped), frozenset(taken.keys() - left.keys()), left)


def _tree(block: Items) -> list[_Node]:
    """The items as nodes, in order."""
    nodes: list[_Node] = []
    above: tuple[_Node, ...] = ()
    for item in block.items:
        while above and above[-1].item.depth >= item.depth:
            above = above[:-1]
        node = _Node(item, above)
        if above:
            above[-1].children.append(node)
        above = (*above, node)
        nodes.append(node)
    return nodes


def _list_notes(page: Page, index: int, nodes: Sequence[_Node]) -> Iterator[Note]:
    done = 0
    for at, node in enumerate(nodes):
        if at < done or Kind.CHECKBOX in labels(node.item.text):
            continue
        below = at + 1 + len(node.children)
        listed = [f"- {child.text}" for child in node.children]
        if node.definition and Kind.NO_TERM not in labels(node.definition.term).words:
            body = _defined(page, index, node, node.definition, listed)
            yield _note(page, index, node, body, node.item.span.stop)
            done = below if node.goes_on_below else done
        elif node.asks_for_children:
            answer = "\n".join(listed) if len(listed) > 1 else node.children[0].text
            yield _note(page, index, node, Basic(prompt=node.text, answer=answer), node.children[-1].item.span.stop)
            done = below
        elif _states(page, node) and not _is_caption(page, index, nodes, at):
            group = _group(page, nodes, at)
            done = at + len(group)
            head = node.above[-1].text if node.above else ""
            lines = [("    " * (one.item.depth - node.item.depth), one.text) for one in group]
            context = " ".join((*page.path(index), *(one.text for one in node.above)))
            cloze = cloze_of(lines, head, context, prompt="" if head else _line_above(page, index))
            if cloze:
                yield _note(page, index, node, cloze, group[-1].item.span.stop)


def _defined(page: Page, index: int, node: _Node, defined: Definition, listed: Sequence[str]) -> Body:
    term, text = defined
    typed = _TYPED.fullmatch(term)
    bare = typed[1] if typed else term
    given = text.strip().strip("`").rstrip("。.；;")
    value = 0 < value_prefix(given) == len(given)  # what a call gives, and not what it is for
    marked = code_spans(bare) and not has_words(plain(without_code(bare)))
    code = plain(bare) not in CONSTANTS and (marked or _CALL.fullmatch(bare))
    if names := api_names(bare) if code and not value else []:
        details = (("类型" if page.chinese else "type", typed[2]),) if typed else ()
        return Api(name=" / ".join(names), signature=signature(bare), meaning=text, details=details)
    above = [*page.path(index), *_intro(page, index), *(ancestor.label for ancestor in node.above)]
    if (
        above and Kind.BARE_ASPECT in labels(term).words
    ):  # `功能` asks nothing without the thing that it is an aspect of
        term = f"{title(above[-1])} - {term}"
    text = "\n".join([text, *(listed if node.goes_on_below else [])])
    return Basic(prompt=term, answer=text, reverse=not is_aspect(plain(term)) and identifies(term, text))


def _states(page: Page, node: _Node) -> bool:
    """True for more than a label over its children, in a place where lists state facts."""
    if not has_words(node.text) or Kind.QUESTION in labels(node.text) or leads_away(node.text):
        return False
    if not says(node.text) if node.children else ends_with_colon(node.text):
        return False  # it leads on to what is below it
    return bool(node.above) or (node.columns >= _SHORTEST and not page.chat)


def _is_caption(page: Page, index: int, nodes: Sequence[_Node], at: int) -> bool:
    """True for the last line of a list that only says what the code or the figure below it shows."""
    node = nodes[at]
    last = at + 1 == len(nodes) and not node.above and index + 1 < len(page.blocks)
    shown = last and isinstance(page.blocks[index + 1], Code | Image)
    return shown and not says(node.text) and not _SAID_BEHIND.search(node.text)


def _group(page: Page, nodes: Sequence[_Node], at: int) -> Sequence[_Node]:
    """A statement with its two children at most, or with the leaves right after it that are its siblings."""
    node = nodes[at]

    def is_leaf(other: _Node) -> bool:
        return not other.children and not other.definition and _states(page, other)

    if node.children:
        together = len(node.children) < _GROUP and all(map(is_leaf, node.children))
        return nodes[at : at + 1 + len(node.children)] if together else [node]
    if not node.above and node.columns > _ALONE:
        return [node]
    return [node, *takewhile(lambda one: one.above == node.above and is_leaf(one), nodes[at + 1 : at + _GROUP])]


def _note(page: Page, index: int, node: _Node, body: Body, stop: int) -> Note:
    """A note of the lines from an item to `stop`, with the item's ancestors as further context."""
    span = Span(node.item.span.start, stop)
    above = [ancestor.label for ancestor in node.above]
    names = tuple(label if plain_width(label) <= _LABEL else f"{label[: _LABEL // 2]}…" for label in above)
    shown = names[:-1] if isinstance(body, Cloze) else (*_intro(page, index), *names)
    anchor = key((*page.path(index), *names), node.definition.term if node.definition else node.text)
    return page.note(body, span, index, anchor, headings=(*page.context(index), *shown), rests_on=page.apis_on(span))


def _line_above(page: Page, index: int) -> str:
    """The line with a colon above a list."""
    text = page.line_above(index)
    return text if width(text) <= 2 * _ALONE else ""


def _intro(page: Page, index: int) -> Sequence[str]:
    """The line above a list as context of its terms: `` `load_state_dict()` parameters: ``."""
    text = page.line_above(index).rstrip(":： ")
    words = labels(text).words
    idle = words.any_of((Kind.LEADS_ON, Kind.TALK, Kind.SUMMARY))
    return [text] if text and not idle and width(words.text) <= _LABEL else []
