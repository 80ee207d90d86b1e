"""The items of a list as a tree, and what an item is to its children: a label over them, or their announcement."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from deckgen.extract import wording
from deckgen.extract.asked.asking_headings import aspect_of
from deckgen.extract.defined.holes import says
from deckgen.extract.defined.terms import Definition, definition
from deckgen.extract.text import code_spans, plain, width, without_number
from deckgen.model.document import Item, Items
from deckgen.text.pattern import pattern

_PAUSE = pattern(r"[，,。；;]")
GROUP = 3
"""Statements side by side that share a cloze: the most holes a note may have."""
HANDFUL = 7
"""Items that can be recalled together."""


@dataclass(eq=False)
class Node:
    """An item with its children."""

    item: Item
    above: tuple[Node, ...]
    children: list[Node] = field(default_factory=list)
    definition: Definition | None = None
    text: str = field(init=False)
    """Its text on one line, without numbering."""

    def __post_init__(self) -> None:
        self.text = without_number(" ".join(self.item.text.split())).strip()

    @cached_property
    def words(self) -> str:
        """Its text without marks."""
        return plain(self.text)

    @cached_property
    def columns(self) -> int:
        return width(self.words)

    @cached_property
    def is_label(self) -> bool:
        """A short name over items that have no items themselves."""
        if not self.children or any(child.children or child.definition for child in self.children):
            return False
        return self.columns <= 32 and not _PAUSE.search(self.text) and not says(self.text)

    @property
    def label(self) -> str:
        """How it is named as context of its descendants."""
        return self.definition.term if self.definition else self.text.rstrip(":：")


def tree(block: Items) -> list[Node]:
    """The items as nodes, in document order; each knows its ancestors, outermost first."""
    nodes: list[Node] = []
    above: list[Node] = []
    for item in block.items:
        while above and above[-1].item.depth >= item.depth:
            above.pop()
        node = Node(item, tuple(above))
        found = definition(node.text)
        node.definition = found if found and not wording.UNFINISHED.search(plain(found.text)) else None
        if above:
            above[-1].children.append(node)
        above.append(node)
        nodes.append(node)
    return nodes


def goes_on_below(node: Node) -> bool:
    """A definition that ends with a colon: its few children are part of it."""
    leaves = all(not child.children and not child.definition for child in node.children)
    return node.item.text.rstrip().endswith((":", "：")) and 0 < len(node.children) <= HANDFUL and leaves


_DITTO = pattern(
    r"[^，。；]{0,8}(?:参数|含义|用法)?[^，。；]{0,4}(?:同上|与上(?:面|述)?(?:相同|一致|一样))\W*$"
    r"|\W*(?:the )?(?:others?|rest|same)\b.{0,24}\babove\W*$",
    re.IGNORECASE,
)
_ONE_CALL = pattern(r"`([A-Za-z_.][\w.]*\([^`]*\))`\s*[:：]?\s*")


def is_ditto(node: Node) -> bool:
    """`其他参数同上`: nothing by itself."""
    return ("同" in node.words or "above" in node.words or "与上" in node.words) and _DITTO.match(
        node.words
    ) is not None


def call_over_text(node: Node) -> str:
    """The call that an item consists of, if what stands below it says what it does; "" for others."""
    match = _ONE_CALL.fullmatch(node.text) if node.children and node.text.startswith("`") else None
    if match is None or len(node.children) > HANDFUL or any(child.children for child in node.children):
        return ""
    first = node.children[0]
    return "" if first.definition or first.words.strip() == match[1] else match[1]


def is_term_over_text(node: Node) -> bool:
    """A short label with a name in it, whose few children are its text."""
    short = len(node.children) <= GROUP and node.is_label
    return bool(short and (code_spans(node.text) or "**" in node.text))


def is_enumeration(node: Node) -> bool:
    """A short label over a handful of names or phrases: they are asked for together."""
    several = 2 <= len(node.children) <= HANDFUL and node.is_label
    return several and all(child.columns <= 40 and not says(child.text) for child in node.children)


def announces(node: Node) -> bool:
    """A line that says that a list follows: `按如下顺序取梯度`, `in these steps`; or names an aspect."""
    if not 2 <= len(node.children) <= HANDFUL or any(child.children for child in node.children):
        return False
    return bool(wording.ANNOUNCES.search(node.words) or (node.is_label and aspect_of(node.words)))
