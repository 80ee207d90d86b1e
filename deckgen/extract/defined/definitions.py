"""Lists of definitions: `- term: text` with their ancestors as context, and statements below a term as clozes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckgen.extract import talk, wording
from deckgen.extract.apis.names import api_names, signature
from deckgen.extract.defined.code_told import captions, is_of_code
from deckgen.extract.defined.holes import cloze_of, highlights, says
from deckgen.extract.defined.item_tree import (
    GROUP,
    HANDFUL,
    Node,
    announces,
    call_over_text,
    goes_on_below,
    is_ditto,
    is_enumeration,
    is_term_over_text,
    tree,
)
from deckgen.extract.defined.no_facts import not_for_cards
from deckgen.extract.defined.terms import Definition
from deckgen.extract.key import key
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_words, plain, title, width
from deckgen.model.document import Items, Prose
from deckgen.model.note import Api, Basic, Cloze, Note, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.written.values import value_prefix

_ALONE = 80
"""Columns of a statement without a parent that is a note by itself."""
_LABEL_WIDTH = 60
_PHRASE = 48
"""Columns of an item that is one of a few things."""
_CONSTANTS = frozenset({"None", "True", "False"})
_MARKED = pattern(r"`[^`]*`")
_TYPED = pattern(r"(.*`)\s*[（(]([^（()）]*)[）)]\s*")


def definitions(page: Page) -> Finds:
    """Notes of every list that defines or states something."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Items) or not page.free(index):
            continue
        reason = not_for_cards(page, index, block)
        if reason:
            skipped.append(Skipped(block.span, reason))
            used.add(index)
            continue
        made = list(_list_notes(page, index, block))
        notes += made
        used.update([index] if made else [])
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


def _list_notes(page: Page, index: int, block: Items) -> Iterator[Note]:
    nodes = tree(block)
    done: set[int] = set()
    if whole := _enumerated(page, index, nodes):
        yield whole
        return
    for at, node in enumerate(nodes):
        if at in done or wording.TASK.match(node.item.text):
            continue
        if node.definition and is_of_code(page, index, node.definition):
            continue
        if node.definition and not wording.NOTE_WORD.match(plain(node.definition.term)):
            yield _defined(page, index, node, node.definition)
            done.update(range(at + 1, at + 1 + len(node.children)) if goes_on_below(node) else ())
        elif call := call_over_text(node):
            yield _told_below(page, index, node, call)
            done.update(range(at, at + 1 + len(node.children)))
        elif is_enumeration(node) or is_term_over_text(node) or announces(node):
            yield _label_over_text(page, index, node)
            done.update(range(at, at + 1 + len(node.children)))
        elif _is_statement(page, node) and not captions(page, index, nodes, at):
            group = _group(page, nodes, at)
            made = _stated(page, index, [nodes[i] for i in group])
            yield from [made] if made else []
            done.update(group)


def _enumerated(page: Page, index: int, nodes: Sequence[Node]) -> Note | None:
    """A handful of names or phrases below a line that says what they make up: `A checkpoint should contain:`."""
    intro = _intro(page, index).rstrip(":： ")
    short = all(not node.definition and not node.above and node.columns <= _PHRASE for node in nodes)
    if page.chat or not short or not 2 <= len(nodes) <= HANDFUL or not wording.MAKES_UP.search(plain(intro)):
        return None
    body = Basic(prompt=f"{intro} …", answer="\n".join(f"- {node.text}" for node in nodes))
    span = Span(page.blocks[index - 1].span.start, nodes[-1].item.span.stop)
    return page.note(body, span, index, intro)


def _defined(page: Page, index: int, node: Node, definition_: Definition) -> Note:
    term, text = definition_
    bare, type_ = _typed(term)
    marked = bool(code_spans(bare)) and not has_words(plain(_MARKED.sub("", bare)))
    code = plain(bare) not in _CONSTANTS and (marked or _CALLED.fullmatch(bare))
    names = api_names(bare) if code else []
    if names and (only := _ONLY_DEFAULT.fullmatch(text)):
        body: Api | Basic = Basic(prompt=f"{bare} — {'默认值？' if page.chinese else 'default?'}", answer=only["value"])
    elif names and not _is_value(text):
        details = (("类型" if page.chinese else "type", type_),) if type_ else ()
        body = Api(name=" / ".join(names), signature=signature(bare), meaning=text, details=details)
    else:
        if goes_on_below(node):
            text = "\n".join([text, *(f"- {child.text}" for child in node.children)])
        body = Basic(
            prompt=_asking(page, index, node, term),
            answer=text,
            reverse=width(plain(text)) <= 2 * _LABEL_WIDTH and not _is_value(text),
        )
    return _note(page, index, node, body, node.item.span.stop)


_CALLED = pattern(r"[A-Za-z_]\w*(?:\.\w+)*\([^()]*\)")
"""A call, which needs no marks to be known as code."""
_ONLY_DEFAULT = pattern(
    r"\s*(?:默认(?:值)?\s*(?:为|是|[:：])?|(?i:defaults?)\s*(?:(?:to|is)\b|[:：])?)\s*(?P<value>`?[\w.'\"+-]+`?)\s*[.。]?\s*"
)
"""A parameter of which nothing but its default is told: that is not what it is for."""


def _is_value(text: str) -> bool:
    """What a call gives, and not what it is for."""
    bare = text.strip().strip("`").rstrip("。.；;")
    return 0 < value_prefix(bare) == len(bare)


def _asking(page: Page, index: int, node: Node, term: str) -> str:
    """The term; `功能` and its like ask nothing without the thing that they are an aspect of."""
    intro = _intro(page, index).rstrip(":： ")
    above = (*page.path(index), *([intro] if intro else []), *(ancestor.label for ancestor in node.above))
    if not above or plain(term).lower() not in wording.BARE_ASPECT:
        return term
    return f"{title(above[-1])} - {term}"


def _typed(term: str) -> tuple[str, str]:
    """`` `recurse` (bool) `` is a name and its type."""
    match = _TYPED.fullmatch(term) if "`" in term else None
    return (match[1], match[2]) if match else (term, "")


def _told_below(page: Page, index: int, node: Node, call: str) -> Note:
    """`writer.add_graph(model)` and below it what it draws, and what its parameters are."""
    lines = [child.text for child in node.children if not is_ditto(child)]
    meaning = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    body = Api(name=call.partition("(")[0], signature=call, meaning=meaning)
    return _note(page, index, node, body, node.children[-1].item.span.stop)


def _label_over_text(page: Page, index: int, node: Node) -> Note:
    lines = [child.text for child in node.children]
    answer = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    return _note(page, index, node, Basic(prompt=node.text, answer=answer), node.children[-1].item.span.stop)


def _is_statement(page: Page, node: Node) -> bool:
    """Says something: more than a label over its children, and in a place where lists state facts."""
    if not has_words(node.text) or wording.QUESTION.search(node.text) or is_ditto(node):
        return False
    if page.chat and not node.above:
        return False
    if node.children and not says(node.text):
        return False
    if not node.children and node.text.rstrip().endswith((":", "：")):
        return False  # it leads on to the block below the list
    return bool(node.above) or _states_facts(node)


def _states_facts(node: Node) -> bool:
    return node.columns >= 16


def _group(page: Page, nodes: Sequence[Node], at: int) -> list[int]:
    """A statement with its two children at most, or with the leaves right after it that are its siblings."""
    node = nodes[at]
    if node.children:
        plain_leaves = all(_is_plain_leaf(page, child) for child in node.children)
        return list(range(at, at + 1 + len(node.children))) if plain_leaves and len(node.children) < GROUP else [at]
    group = [at]
    if (not node.above and node.columns > _ALONE) or _is_marked(node):
        return group
    while len(group) < GROUP and group[-1] + 1 < len(nodes):
        following = nodes[group[-1] + 1]
        if following.above[-1:] != node.above[-1:] or not _is_plain_leaf(page, following):
            break
        group.append(group[-1] + 1)
    return group


def _is_plain_leaf(page: Page, node: Node) -> bool:
    leaf = not node.children and not node.definition and not _is_marked(node)
    return leaf and _is_statement(page, node)


def _is_marked(node: Node) -> bool:
    """Of what the author marked in it: `==...==`."""
    return "==" in node.text and bool(highlights(node.text))


def _stated(page: Page, index: int, group: Sequence[Node]) -> Note | None:
    parent = group[0].above[-1] if group[0].above else None
    head = parent.text if parent else ""
    intro = "" if parent else _intro(page, index)
    lines = [("    " * (node.item.depth - group[0].item.depth), node.text) for node in group]
    known = " ".join((*page.path(index), *(node.text for node in group[0].above)))
    cloze = cloze_of(lines, head, known, prompt=intro)
    if cloze is None:
        return None
    return _note(page, index, group[0], cloze, group[-1].item.span.stop)


def _intro(page: Page, index: int) -> str:
    """The line with a colon above a list."""
    above = page.blocks[index - 1] if index else None
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text and width(text) <= 160 else ""


def _note(page: Page, index: int, node: Node, body: Api | Basic | Cloze, stop: int) -> Note:
    """A note of the lines from an item to `stop`, with the item's ancestors as further context."""
    span = Span(node.item.span.start, stop)
    anchor = node.definition.term if node.definition else node.text
    names = tuple(_short(ancestor.label) for ancestor in node.above)
    intro = () if isinstance(body, Cloze) else _label(_intro(page, index))
    shown = (*page.context(index), *intro, *(names[:-1] if isinstance(body, Cloze) else names))
    return page.note(
        body, span, index, key((*page.path(index), *names), anchor), headings=shown, rests_on=page.apis_on(span)
    )


def _label(intro: str) -> tuple[str, ...]:
    """The line above a list as context of its terms: `` `load_state_dict()` parameters: ``."""
    text = intro.rstrip(":： ")
    idle = not text or width(plain(text)) > _LABEL_WIDTH or wording.LEADS_ON.search(plain(text))
    aside = talk.CHATTER.search(plain(text)) or wording.SUMMARY.search(plain(text))
    return () if idle or aside else (text,)


def _short(label: str) -> str:
    return label if width(plain(label)) <= _LABEL_WIDTH else f"{label[: _LABEL_WIDTH // 2]}…"
