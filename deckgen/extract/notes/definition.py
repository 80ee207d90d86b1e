"""Lists of definitions: `- term: text` with their ancestors as context, and statements below a term as clozes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deckgen.extract import talk, wording
from deckgen.extract.key import key
from deckgen.extract.names.written import api_names, signature
from deckgen.extract.notes.no_facts import why_no_list
from deckgen.extract.notes.question import is_aspect
from deckgen.extract.notes.statement import Definition, cloze_of, definition, leads_away, says
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_words, plain, title, width, without_number
from deckgen.model.document import Code, Image, Item, Items, Prose
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
_CONSTANTS = frozenset({"None", "True", "False"})
_CODE = pattern(r"`[^`]*`")
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
        self.definition = found if found and not wording.UNFINISHED.search(plain(found.text)) else None
        self.label = found.term if found and self.definition else self.text.rstrip(":：")
        """How it is named as context of its descendants."""

    @property
    def listed(self) -> str:
        """Its children as an answer."""
        lines = [child.text for child in self.children]
        return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)

    @property
    def asks_for_children(self) -> bool:
        """A short label over a few names, or a line that says that a list follows, whose children have none themselves."""
        if not 1 <= len(self.children) <= _HANDFUL or any(child.children for child in self.children):
            return False
        if len(self.children) > 1 and wording.ANNOUNCES.search(self.words):
            return True
        defined = any(child.definition for child in self.children)
        if defined or self.columns > 32 or _PAUSE.search(self.text) or says(self.text):
            return False
        named = bool(code_spans(self.text)) or "**" in self.text
        names = len(self.children) > 1 and all(child.columns <= 40 and not says(child.text) for child in self.children)
        return names or (len(self.children) > 1 and is_aspect(self.words)) or (named and len(self.children) <= _GROUP)

    @property
    def goes_on_below(self) -> bool:
        """A definition that ends with a colon: its few children are part of it."""
        leaves = all(not child.children and not child.definition for child in self.children)
        return self.item.text.rstrip().endswith((":", "：")) and 0 < len(self.children) <= _HANDFUL and leaves


def definitions(page: Page) -> Finds:
    """Notes of every list that defines or states something."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Items) or not page.free(index):
            continue
        reason = why_no_list(page, index, block)
        made = [] if reason else list(_list_notes(page, index, _tree(block)))
        notes += made
        skipped += [Skipped(block.span, reason)] if reason else []
        used.update([index] if made or reason else [])
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


def _tree(block: Items) -> list[_Node]:
    """The items as nodes, in order."""
    nodes: list[_Node] = []
    above: list[_Node] = []
    for item in block.items:
        while above and above[-1].item.depth >= item.depth:
            above.pop()
        node = _Node(item, tuple(above))
        if above:
            above[-1].children.append(node)
        above.append(node)
        nodes.append(node)
    return nodes


def _list_notes(page: Page, index: int, nodes: Sequence[_Node]) -> Iterator[Note]:
    done = 0
    for at, node in enumerate(nodes):
        if at < done or wording.TASK.match(node.item.text):
            continue
        below = at + 1 + len(node.children)
        if node.definition and not wording.NOTE_WORD.match(plain(node.definition.term)):
            yield _defined(page, index, node, node.definition)
            done = below if node.goes_on_below else done
        elif node.asks_for_children:
            body = Basic(prompt=node.text, answer=node.listed)
            yield _note(page, index, node, body, node.children[-1].item.span.stop)
            done = below
        elif _states(page, node) and not _is_caption(page, index, nodes, at):
            group = _group(page, nodes, at)
            yield from _cloze(page, index, group)
            done = at + len(group)


def _defined(page: Page, index: int, node: _Node, defined: Definition) -> Note:
    term, text = defined
    typed = _TYPED.fullmatch(term)
    bare = typed[1] if typed else term
    value = _is_value(text)
    marked = bool(code_spans(bare)) and not has_words(plain(_CODE.sub("", bare)))
    code = plain(bare) not in _CONSTANTS and (marked or _CALL.fullmatch(bare))
    names = api_names(bare) if code and not value else []
    if names:
        details = (("类型" if page.chinese else "type", typed[2]),) if typed else ()
        body: Body = Api(name=" / ".join(names), signature=signature(bare), meaning=text, details=details)
    else:
        if node.goes_on_below:
            text = "\n".join([text, *(f"- {child.text}" for child in node.children)])
        reverse = width(plain(text)) <= 2 * _LABEL and not value
        body = Basic(prompt=_with_subject(page, index, node, term), answer=text, reverse=reverse)
    return _note(page, index, node, body, node.item.span.stop)


def _is_value(text: str) -> bool:
    """What a call gives, and not what it is for."""
    bare = text.strip().strip("`").rstrip("。.；;")
    return 0 < value_prefix(bare) == len(bare)


def _with_subject(page: Page, index: int, node: _Node, term: str) -> str:
    """The term; `功能` and its like ask nothing without the thing that they are an aspect of."""
    above = [*page.path(index), *_intro(page, index), *(ancestor.label for ancestor in node.above)]
    return f"{title(above[-1])} - {term}" if above and wording.BARE_ASPECT.fullmatch(plain(term)) else term


def _states(page: Page, node: _Node) -> bool:
    """True for more than a label over its children, in a place where lists state facts."""
    if not has_words(node.text) or wording.QUESTION.search(node.text) or leads_away(node.text):
        return False
    if (page.chat and not node.above) or (node.children and not says(node.text)):
        return False
    if not node.children and node.text.endswith((":", "：")):
        return False  # it leads on to the block below the list
    return bool(node.above) or node.columns >= _SHORTEST


def _is_caption(page: Page, index: int, nodes: Sequence[_Node], at: int) -> bool:
    """True for the last line of a list that only says what the code or the figure below it shows."""
    node = nodes[at]
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    if at + 1 < len(nodes) or node.above or not isinstance(below, Code | Image):
        return False
    return not says(node.text) and not _SAID_BEHIND.search(node.text)


def _group(page: Page, nodes: Sequence[_Node], at: int) -> Sequence[_Node]:
    """A statement with its two children at most, or with the leaves right after it that are its siblings."""
    node = nodes[at]

    def is_leaf(other: _Node) -> bool:
        return not other.children and not other.definition and _states(page, other)

    if node.children:
        together = len(node.children) < _GROUP and all(map(is_leaf, node.children))
        return nodes[at : at + 1 + len(node.children)] if together else nodes[at : at + 1]
    if not node.above and node.columns > _ALONE:
        return nodes[at : at + 1]
    stop = at + 1
    while stop < min(at + _GROUP, len(nodes)) and nodes[stop].above[-1:] == node.above[-1:] and is_leaf(nodes[stop]):
        stop += 1
    return nodes[at:stop]


def _cloze(page: Page, index: int, group: Sequence[_Node]) -> Iterator[Note]:
    first = group[0]
    intro = "" if first.above else _line_above(page, index)
    lines = [("    " * (node.item.depth - first.item.depth), node.text) for node in group]
    context = " ".join((*page.path(index), *(node.text for node in first.above)))
    cloze = cloze_of(lines, first.above[-1].text if first.above else "", context, prompt=intro)
    if cloze:
        yield _note(page, index, first, cloze, group[-1].item.span.stop)


def _note(page: Page, index: int, node: _Node, body: Body, stop: int) -> Note:
    """A note of the lines from an item to `stop`, with the item's ancestors as further context."""
    span = Span(node.item.span.start, stop)
    labels = [ancestor.label for ancestor in node.above]
    names = tuple(label if width(plain(label)) <= _LABEL else f"{label[: _LABEL // 2]}…" for label in labels)
    shown = names[:-1] if isinstance(body, Cloze) else (*_intro(page, index), *names)
    anchor = key((*page.path(index), *names), node.definition.term if node.definition else node.text)
    return page.note(body, span, index, anchor, headings=(*page.context(index), *shown), rests_on=page.apis_on(span))


def _line_above(page: Page, index: int) -> str:
    """The line with a colon above a list."""
    above = page.blocks[index - 1] if index else None
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text and width(text) <= 2 * _ALONE else ""


def _intro(page: Page, index: int) -> tuple[str, ...]:
    """The line above a list as context of its terms: `` `load_state_dict()` parameters: ``."""
    text = _line_above(page, index).rstrip(":： ")
    words = plain(text)
    idle = not text or width(words) > _LABEL
    return (
        () if idle or any(one.search(words) for one in (wording.LEADS_ON, talk.CHATTER, wording.SUMMARY)) else (text,)
    )
