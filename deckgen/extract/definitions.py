"""Lists of definitions: `- term: text` with their ancestors as context, and statements below a term as clozes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deckgen.document import Heading, Item, Items, Prose
from deckgen.extract import wording
from deckgen.extract.holes import cloze_of
from deckgen.extract.key import key
from deckgen.extract.names import api_names, signature
from deckgen.extract.page import Finds, Page
from deckgen.extract.tables import claims_on
from deckgen.extract.terms import Definition, definition
from deckgen.extract.text import code_spans, has_words, plain, title, width, without_number
from deckgen.note import Api, Basic, Cloze, Note, Skipped
from deckgen.source import Span

_GROUP = 3
"""Statements side by side that share a cloze: the most holes a note may have."""
_LABEL_WIDTH = 60
_LINK = re.compile(r"^\W*(?:\[[^\]]*\]\([^)]*\)|<https?:[^>]*>|https?://\S+)")


@dataclass(slots=True)
class Node:
    """An item with its children."""

    item: Item
    above: tuple[Node, ...]
    children: list[Node] = field(default_factory=list)
    definition: Definition | None = None

    @property
    def text(self) -> str:
        """Its text on one line, without numbering."""
        return without_number(" ".join(self.item.text.split())).strip()

    @property
    def label(self) -> str:
        """How it is named as context of its descendants."""
        return self.definition.term if self.definition else self.text.rstrip(":：")


def definitions(page: Page) -> Finds:
    """Notes of every list that defines or states something."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Items) or not page.free(index):
            continue
        reason = _not_for_cards(page, index, block)
        if reason:
            skipped.append(Skipped(block.span, reason))
            used.add(index)
            continue
        made = list(_list_notes(page, index, block))
        notes += made
        used.update([index] if made else [])
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


def tree(block: Items) -> list[Node]:
    """The items as nodes, in document order; each knows its ancestors, outermost first."""
    nodes: list[Node] = []
    above: list[Node] = []
    for item in block.items:
        while above and above[-1].item.depth >= item.depth:
            above.pop()
        node = Node(item, tuple(above))
        node.definition = definition(node.text)
        if above:
            above[-1].children.append(node)
        above.append(node)
        nodes.append(node)
    return nodes


def _not_for_cards(page: Page, index: int, block: Items) -> str | None:
    texts = [item.text for item in block.items]
    links = sum(
        bool(_LINK.match(text)) or not has_words(re.sub(r"\[[^\]]*\]\([^)]*\)", "", plain(text))) for text in texts
    )
    if links * 2 >= len(texts):
        return "a list of links"
    heading = title(page.path(index)[-1]) if page.path(index) else ""
    if wording.CONTENTS.search(heading) or wording.ROADMAP.search(heading):
        return "an outline of contents"
    if all(wording.QUESTION.search(text.strip()) for text in texts):
        return "questions that are not answered here"
    return None


def _list_notes(page: Page, index: int, block: Items) -> Iterator[Note]:
    nodes = tree(block)
    done: set[int] = set()
    for at, node in enumerate(nodes):
        if at in done:
            continue
        if node.definition and not wording.NOTE_WORD.match(plain(node.definition.term)):
            yield _defined(page, index, node)
        elif _is_term_over_text(node):
            yield _term_over_text(page, index, node)
            done.update(range(at, at + 1 + len(node.children)))
        elif _is_statement(page, node):
            group = _group(nodes, at, page)
            made = _stated(page, index, [nodes[i] for i in group])
            yield from [made] if made else []
            done.update(group)


def _defined(page: Page, index: int, node: Node) -> Note:
    assert node.definition
    term, text = node.definition.term, node.definition.text
    names = api_names(term) if not has_words(plain(re.sub(r"`[^`]*`", "", term))) else []
    if names and code_spans(term):
        body: Api | Basic = Api(name=" / ".join(names), signature=signature(term), meaning=text)
    else:
        body = Basic(prompt=_asking(term), answer=text, reverse=width(plain(text)) <= 2 * _LABEL_WIDTH)
    return _note(page, index, node, body, node.item.span, term)


def _asking(term: str) -> str:
    return term


def _is_term_over_text(node: Node) -> bool:
    """A short label with a name in it, whose children are its text."""
    leaves = node.children and all(not child.children and not child.definition for child in node.children)
    named = code_spans(node.text) or "**" in node.text
    short = width(plain(node.text)) <= 32 and not re.search(r"[，,。；;]", node.text)
    return bool(leaves and named and short and len(node.children) <= _GROUP)


def _term_over_text(page: Page, index: int, node: Node) -> Note:
    lines = [child.text for child in node.children]
    answer = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    span = Span(node.item.span.start, node.children[-1].item.span.stop)
    return _note(page, index, node, Basic(prompt=node.text, answer=answer), span, node.text)


def _is_statement(page: Page, node: Node) -> bool:
    """Says something: more than a label over its children, and in a place where lists state facts."""
    if not has_words(node.text) or wording.QUESTION.search(node.text):
        return False
    if page.chat and not node.above:
        return False
    if node.children and width(plain(node.text)) <= 30 and not re.search(r"[，。；]", node.text):
        return False
    return bool(node.above) or _states_facts(node)


def _states_facts(node: Node) -> bool:
    return width(plain(node.text)) >= 16


def _group(nodes: Sequence[Node], at: int, page: Page) -> list[int]:
    """The statement and the leaves right after it that are its siblings."""
    group = [at]
    while len(group) < _GROUP and not nodes[group[-1]].children and group[-1] + 1 < len(nodes):
        following = nodes[group[-1] + 1]
        alike = following.above == nodes[at].above and not following.definition and not _is_term_over_text(following)
        if not alike or not _is_statement(page, following):
            break
        group.append(group[-1] + 1)
    return group


def _stated(page: Page, index: int, group: Sequence[Node]) -> Note | None:
    parent = group[0].above[-1] if group[0].above else None
    head = parent.text if parent else ""
    intro = "" if parent else _intro(page, index)
    cloze = cloze_of([node.text for node in group], head, whole=parent is not None, prompt=intro)
    if cloze is None:
        return None
    span = Span(group[0].item.span.start, group[-1].item.span.stop)
    return _note(page, index, group[0], cloze, span, group[0].text)


def _intro(page: Page, index: int) -> str:
    """The line with a colon above a list."""
    above = page.blocks[index - 1] if index else None
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text and width(text) <= 160 else ""


def _note(page: Page, index: int, node: Node, body: Api | Basic | Cloze, span: Span, anchor: str) -> Note:
    """A note with the ancestors of its item as further context."""
    names = tuple(_short(ancestor.label) for ancestor in node.above)
    headings = (*page.path(index), *names)
    shown = headings[:-1] if isinstance(body, Cloze) and names else headings
    return page.note(body, span, index, key(headings, anchor), headings=shown, rests_on=claims_on(page, span))


def _short(label: str) -> str:
    return label if width(plain(label)) <= _LABEL_WIDTH else f"{label[: _LABEL_WIDTH // 2]}…"


def under_heading(page: Page, index: int) -> Heading | None:
    """The heading right above a block."""
    above = page.blocks[index - 1] if index else None
    return above if isinstance(above, Heading) else None
