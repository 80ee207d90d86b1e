"""API entries: a heading that names an API, and below it a signature, a line that explains it, an example.

Also a heading without a name over a few calls (`损失函数`), and a sentence that names one API right above code that calls it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.blocks import markdown_of
from deckgen.extract.claims.values import announces
from deckgen.extract.names.written import api_names, called
from deckgen.extract.notes.question import is_aspect
from deckgen.extract.notes.statement import definition, is_link, says
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_word, has_words, plain, title, unescaped, width
from deckgen.model.document import Code, Heading, Items, Prose
from deckgen.model.note import Api, Note
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_CALL_IN_HEADING = pattern(
    r"(?<![\w.`])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\([^()]*\)|(?<![\w.`])(?:torch|nn|F|optim|autograd)(?:\.\w+)+"
)
_OPERATOR = pattern(r"^(@|\*\*|//|[-+*/%])\s*«definition.operator»")
_AROUND_NAMES = " ：:-—–()（）,，、和与及/"
_WORD = pattern(r"[A-Z]\w*[a-z]\w*|[a-z]\w*_\w*|[a-z]\w{2,}", re.ASCII)
_TORN = pattern(
    r"^\W*(?:«definition.joins»|[的之与和及])|(?:«definition.joins»|[和与及或跟的]|«definition.usage»\s*[是为]?)\W*$"
)
"""Half of a sentence whose other half is the name."""
_SIGNATURE = pattern(r"(?:class\s+|def\s+)?([\w.]+)\s*(?:\(.*\))?\s*:?")
_SIGNATURE_LINES = 3
"""A fence with one line."""
_OPENING = 80
"""Characters of a paragraph in which it says what it is about."""
_LONGEST_EXAMPLE = 20
_CODE = pattern(r"`[^`]*`")
_DOTTED = pattern(r"\w+(?:\.\w+)+")
_ACRONYM = pattern(r"[A-Za-z]{1,5}")
"""`GPU` alone says nothing of what a call does."""
_TORCH_ROOTS = frozenset({"torch", "nn", "F", "optim", "dist", "autograd", "torchvision", "data", "utils"})
_DATA_MAKERS = frozenset("randn rand randint zeros ones tensor arange empty full linspace eye manual_seed".split())
_SHORT = 9
"""Lines of code that show calls and nothing else."""

_Made = tuple[Note, Sequence[int]] | None
"""A note and the blocks that it uses up."""


def entries(page: Page) -> Finds:
    """Api notes of headings and of sentences above code."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        made: _Made = None
        if index in used or not page.free(index):
            continue
        if isinstance(block, Heading):
            made = _named(page, index, block) or _unnamed(page, index, block)
        elif isinstance(block, Prose):
            made = _sentence(page, index, block)
        if made:
            notes.append(made[0])
            used.update(made[1])
    return Finds(tuple(notes), (), frozenset(used))


@lru_cache(maxsize=4096)
def heading_names(text: str) -> tuple[tuple[str, ...], str]:
    """(names as written, the other words) of a heading; no names if it is about something else."""
    spans = [unescaped(span) for span in code_spans(text) if api_names(f"`{span}`")]
    if spans:
        words = text.strip(" *")
        rest = plain(re.sub(r"(`+).+?\1", "", text)).strip(" ：:-—–()（）")
        subject = (words.startswith("`") or words.endswith(("`", "）", ")"))) and width(rest) <= 60
        return tuple(spans) if subject else (), rest
    words = plain(text)
    if operator := _OPERATOR.match(words):
        return (operator[1],), ""
    rest = _CALL_IN_HEADING.sub("", words).strip(_AROUND_NAMES)
    about = width(rest) <= 40 and not wording.CHAPTER.search(rest)
    return tuple(_CALL_IN_HEADING.findall(words)) if about else (), rest


def _last_names(names: Iterable[str]) -> set[str]:
    """The last part of each name: `conv2d` of `F.conv2d(input)`."""
    return {called(name.partition("(")[0]) for name in names}


def _about_something_else(page: Page, index: int, text: str) -> bool:
    words = plain(text)
    if any(one.search(words) for one in (wording.QUESTION, wording.QUIZ, wording.EXAMPLE)) or is_aspect(words):
        return True
    return any(wording.ROADMAP.search(plain(title(heading))) for heading in (*page.path(index), text))


def _named(page: Page, index: int, block: Heading) -> _Made:
    text = title(block.text)
    names, rest = heading_names(text)
    if not names and _is_word_over_entry(page, index, plain(text)):
        names, rest = (plain(text),), ""
    if (not any(map(has_words, names)) and not _OPERATOR.match(plain(text))) or _about_something_else(
        page, index, text
    ):
        return None
    if len(names) > 1 and block.level == 1:
        return None  # what the whole document is about
    below = (title(one.text) for at in page.section(index) if isinstance(one := page.blocks[at], Heading))
    if len(names) > 1 and not _last_names(names).isdisjoint(
        _last_names(n for one in below for n in heading_names(one)[0])
    ):
        return None  # each has an entry of its own
    parts = _parts(page, index, names)
    gloss = rest if not (_TORN.search(rest) or wording.CHAPTER.search(rest) or wording.EXAMPLE.search(rest)) else ""
    meaning = parts.description or (gloss if parts.example or parts.signature else "")
    if not meaning and not parts.features:
        return None
    body = Api(
        name=" / ".join(name.partition("(")[0] for name in names),
        signature=parts.signature or " / ".join(names),
        meaning="\n\n".join(part for part in (meaning, parts.features) if part),
        example=parts.example if all(page.free(at) for at in parts.code) else "",  # an output of it would be given away
    )
    span = (
        block.span | page.blocks[min(parts.text)].span
        if parts.text
        else type(block.span)(block.span.start, block.span.start + 1)
    )
    codes = [page.blocks[at].span for at in page.body(index) if isinstance(page.blocks[at], Code)]
    spans = (block.span, *(code for code in codes if code.stop - code.start <= _SIGNATURE_LINES))
    rests_on = tuple(name for one in spans for name in page.apis_on(one))
    return page.note(body, span, index, text, rests_on=rests_on), (index, *parts.text, *parts.code)


def _is_word_over_entry(page: Page, index: int, name: str) -> bool:
    """A heading of one plain word (`StepLR`) over its own signature or over a line that begins with it in code."""
    if not _WORD.fullmatch(name):
        return False
    for at in page.body(index)[:2]:
        block = page.blocks[at]
        if isinstance(block, Code):
            return "\n" not in block.text.strip() and _is_signature(block.text.strip(), (name,))
        if isinstance(block, Prose):
            spans = code_spans(block.text[:_OPENING])
            return block.text.startswith("`") and bool(spans) and _last_names(spans[:1]) == {name}
    return False


class _Parts(NamedTuple):
    """What stands under a heading."""

    signature: str = ""
    description: str = ""
    example: str = ""
    features: str = ""
    text: tuple[int, ...] = ()
    """Blocks that explain it."""
    code: tuple[int, ...] = ()
    """Code that the note shows."""


def _parts(page: Page, index: int, names: Sequence[str]) -> _Parts:
    parts = _Parts()
    for at in page.body(index):
        block = page.blocks[at]
        if isinstance(block, Code):
            text = block.text.strip()
            if not parts.signature and _is_signature(text, names):
                parts = parts._replace(signature=text, code=(*parts.code, at))
            elif not parts.example and _is_example(text, names):
                parts = parts._replace(example=block.text.strip("\n"), code=(*parts.code, at))
        elif not page.free(at):
            break
        elif isinstance(block, Prose):
            spans = code_spans(block.text)
            if not parts.signature and [block.text.strip("`\n ")] == spans and _is_signature(spans[0], names):
                parts = parts._replace(signature=spans[0], text=(*parts.text, at))
            elif not parts.description and not parts.features and _explains(page, block.text.strip()):
                parts = parts._replace(description=block.text.strip(), text=(*parts.text, at))
        elif isinstance(block, Items) and not parts.features and _are_features(page, at, block):
            above = _leading(page, at)
            features = (
                f"{above}\n\n{markdown_of(block)}" if above and above != parts.description else markdown_of(block)
            )
            parts = parts._replace(features=features, text=(*parts.text, at))
    return parts


def _is_signature(text: str, names: Sequence[str]) -> bool:
    """True for a call of one of these names, or its definition, that passes no text: `add_text("notes")` is a use."""
    match = _SIGNATURE.fullmatch(text)
    if not match or _last_names(match.groups()).isdisjoint(_last_names(names)):
        return False
    calls = (node for node in nodes(parsed(text) or ast.Module([], [])) if isinstance(node, ast.Call))
    return not any(isinstance(one, ast.Constant) and isinstance(one.value, str) for call in calls for one in call.args)


def _is_example(text: str, names: Sequence[str]) -> bool:
    calls = any(has_word(text, name) for name in _last_names(names) if name)
    return calls and text.count("\n") < _LONGEST_EXAMPLE and parsed(text) is not None


def _explains(page: Page, text: str) -> bool:
    """True for a paragraph that says something itself."""
    if (
        not has_words(plain(_CODE.sub("", text)))
        or text.startswith(("![", "<img"))
        or text.endswith(("?", "？", ":", "：", "👇", "⬇", "↓"))
    ):
        return False
    return text.count("\n") < 6 and not announces(text) and not (page.chat and talk.CHATTER.search(plain(text)))


def _are_features(page: Page, at: int, block: Items) -> bool:
    """A few plain lines; definitions are notes of their own, and what a line leads to is about something else: `Below:`."""
    if wording.LEADS_ON.search(plain(_leading(page, at))) or any(wording.TASK.match(item.text) for item in block.items):
        return False
    defined = (definition(item.text) for item in block.items)
    if any(found and code_spans(found.term) for found in defined) or all(is_link(item.text) for item in block.items):
        return False
    if len(block.items) == 1 and block.items[0].text.rstrip().endswith("`") and not says(block.items[0].text):
        return False  # a label over what comes below
    return len(block.items) <= 6 and all(item.depth == 0 and width(item.text) <= 120 for item in block.items)


def _leading(page: Page, at: int) -> str:
    """The line with a colon right above a list."""
    above = page.blocks[at - 1]
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text else ""


def _unnamed(page: Page, index: int, block: Heading) -> _Made:
    """A heading that says what a few calls below it are for: `损失函数`."""
    text = title(block.text)
    words = plain(text)
    if page.chat or code_spans(text) or _ACRONYM.fullmatch(words) or wording.SUMMARY.search(words):
        return None
    under = [at for at in page.body(index) if isinstance(page.blocks[at], Prose | Code | Items)]
    code_at = next((at for at in under if isinstance(page.blocks[at], Code)), -1)
    code = page.blocks[code_at]
    others = [at for at in under if at != code_at]
    if (
        code_at < 0
        or not isinstance(code, Code)
        or page.claims_about(code_at)
        or _about_something_else(page, index, text)
    ):
        return None
    if len(others) > 1 or not all(isinstance(page.blocks[at], Prose) for at in others):
        return None
    shown = code.text.strip("\n")
    names = _calls(shown)
    if not 1 <= len(names) <= 4 or len([line for line in shown.split("\n") if line.strip()]) > _SHORT:
        return None
    if not _last_names([words]).isdisjoint(_last_names(names)):
        return None  # a name does not say what it is for
    joined = " / ".join(names)
    span = block.span | code.span
    body = Api(name=joined, signature=joined, meaning=text, example=shown)
    return page.note(body, span, index, text, rests_on=page.apis_on(span)), (index, *under)


def _calls(code: str) -> list[str]:
    """The library calls that short code shows, in order: `nn.ReLU`, `torch.save`; none if it defines classes."""
    within = nodes(parsed(code) or ast.Module([], []))
    if any(isinstance(node, ast.ClassDef | ast.For | ast.While) for node in within):
        return []
    names = (ast.unparse(node.func) for node in within if isinstance(node, ast.Call))
    chosen = (
        n for n in names if _DOTTED.fullmatch(n) and n.split(".")[0] in _TORCH_ROOTS and called(n) not in _DATA_MAKERS
    )
    return list(dict.fromkeys(chosen))


def _sentence(page: Page, index: int, block: Prose) -> _Made:
    """`使用 `notebook_launcher`，您可以...` above a block that calls it, or a command that begins with it."""
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    if page.chat or not isinstance(below, Code) or "\n" in block.text.strip() or width(block.text) > 240:
        return None
    names = [span for span in dict.fromkeys(code_spans(block.text)) if api_names(f"`{span}`")]
    text = below.text.strip("\n")
    if len(names) != 1 or text.count("\n") >= _SHORT or page.claims_about(index + 1):
        return None
    name = names[0].partition("(")[0]
    opening = rf"^(?:[\w.]+\s*=\s*)?(?:[\w.]+\.)?{re.escape(called(name))}(?:\(|\s+-)"
    above = _last_names(one for heading in page.path(index) for one in heading_names(title(heading))[0])
    if not re.search(opening, text, re.MULTILINE) or name in above:
        return None
    body = Api(name=name, signature=names[0], meaning=block.text.strip().rstrip(":："), example=text)
    return page.note(body, block.span | below.span, index, name, rests_on=page.apis_on(block.span)), (index, index + 1)
