"""API entries: a heading that names an API, and below it a signature, a line that explains it, an example.

Also a heading without a name over a few calls (`损失函数`), and a sentence that names one API right above code that calls it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from deckgen.extract.blocks import markdown_of
from deckgen.extract.claims.values import announces
from deckgen.extract.labels import Kind, labels
from deckgen.extract.names.written import api_names, called
from deckgen.extract.notes.question import is_aspect
from deckgen.extract.notes.statement import definition, is_link
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import (
    code_spans,
    has_word,
    has_words,
    plain,
    title,
    unescaped,
    width,
    without_code,
)
from deckgen.lexicon import roles
from deckgen.model.document import Code, Heading, Items, Prose
from deckgen.model.note import Api, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_CALL_IN_HEADING = pattern(
    r"(?<![\w.`])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\([^()]*\)|(?<![\w.`])(?:torch|nn|F|optim|autograd)(?:\.\w+)+"
)
_OPERATOR = pattern(r"^(@|\*\*|//|[-+*/%])\s*«definition.operator»")
_TASK = pattern(r"^\W*(?:«worth.imperative»\s|«worth.chore»|\w+ing\b|«question.advice»|«worth.clause»\s)")
_AROUND_NAMES = " ：:-—–()（）,，、/" + "".join(roles("zh")["grammar.and"])
_WORD = pattern(r"[A-Z]\w*[a-z]\w*|[a-z]\w*_\w*|[a-z]\w{2,}", re.ASCII)
_TORN = pattern(
    r"^\W*(?:«definition.joins»|«definition.torn_before»)|(?:«definition.joins»|«definition.torn_behind»|«definition.usage»\s*«grammar.be»?)\W*$"
)
"""Half of a sentence whose other half is the name."""
_SIGNATURE = pattern(r"(?:class\s+|def\s+)?([\w.]+)\s*(?:\(.*\))?\s*:?")
_SIGNATURE_LINES = 3
"""A fence with one line."""
_OPENING = 80
"""Characters of a paragraph in which it says what it is about."""
_LONGEST_EXAMPLE = 20
_DOTTED = pattern(r"\w+(?:\.\w+)+")
_ACRONYM = pattern(r"[A-Za-z]{1,5}")
"""`GPU` alone says nothing of what a call does."""
_TORCH_ROOTS = frozenset({"torch", "nn", "F", "optim", "dist", "autograd", "torchvision", "data", "utils"})
DATA_MAKERS = frozenset("randn rand randint zeros ones tensor arange empty full linspace eye manual_seed".split())
_SHORT = 9
"""Lines of code that show calls and nothing else."""

_Entry = tuple[Note, Sequence[int]]
"""A note and the blocks that it uses up."""


@collected
def entries(page: Page) -> Made:
    """Api notes of headings and of sentences above code."""
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        made: Sequence[_Entry] = ()
        if index in used or not page.free(index):
            continue
        if isinstance(block, Heading):
            made = _named(page, index, block) or _unnamed(page, index, block)
        elif isinstance(block, Prose):
            made = _sentence(page, index, block)
        used.update(at for _, blocks in made for at in blocks)
        yield from made


@lru_cache(maxsize=4096)
def heading_names(text: str) -> tuple[tuple[str, ...], str]:
    """(names as written, the other words) of a heading; no names if it is about something else."""
    spans = [unescaped(span) for span in code_spans(text) if api_names(f"`{span}`")]
    if spans:
        words = text.strip(" *")
        rest = plain(without_code(text)).strip(" ：:-—–()（）")
        subject = (words.startswith("`") or words.endswith(("`", "）", ")"))) and width(rest) <= 60
        return tuple(spans) if subject else (), rest
    words = plain(text)
    if operator := _OPERATOR.match(words):
        return (operator[1],), ""
    rest = _CALL_IN_HEADING.sub("", words).strip(_AROUND_NAMES)
    about = width(rest) <= 40 and Kind.CHAPTER not in labels(rest)
    return tuple(_CALL_IN_HEADING.findall(words)) if about else (), rest


def _last_names(names: Iterable[str]) -> set[str]:
    """The last part of each name: `conv2d` of `F.conv2d(input)`."""
    return {called(name.partition("(")[0]) for name in names}


def _about_something_else(page: Page, index: int, text: str) -> bool:
    words = labels(text).words
    if words.any_of((Kind.QUESTION, Kind.QUIZ, Kind.EXAMPLE)) or is_aspect(words.text):
        return True
    return any(Kind.ROADMAP in labels(heading).title for heading in (*page.path(index), text))


def _named(page: Page, index: int, block: Heading) -> Sequence[_Entry]:
    text = title(block.text)
    words = plain(text)
    names, rest = heading_names(text)
    if not names and _is_word_over_entry(page, index, words):
        names, rest = (words,), ""
    if rest and _TASK.match(rest):
        return ()  # `Build a helper around X`: a task of the text
    unnamed = not any(map(has_words, names)) and not _OPERATOR.match(words)
    if unnamed or _about_something_else(page, index, text):
        return ()
    heads = (title(one.text) for at in page.section(index) if isinstance(one := page.blocks[at], Heading))
    below = _last_names(name for head in heads for name in heading_names(head)[0])
    if len(names) > 1 and (block.level == 1 or below & _last_names(names)):
        return ()  # what the whole document is about, or each has an entry of its own
    parts = _Parts()
    for at in page.body(index):
        if not _reads(page, at, names, parts):
            break
    told = "" if _TORN.search(rest) or labels(rest).any_of((Kind.CHAPTER, Kind.EXAMPLE)) else rest
    meaning = parts.description or (told if parts.example or parts.signature else "")
    if not meaning and not parts.features:
        return ()
    body = Api(
        name=" / ".join(name.partition("(")[0] for name in names),
        signature=parts.signature or " / ".join(names),
        meaning="\n\n".join(filter(None, (meaning, parts.features))),
        example=parts.example if all(map(page.free, parts.code)) else "",  # an output of it would be given away
    )
    span = block.span | page.blocks[min(parts.text)].span if parts.text else line_span(block.span.start)
    codes = (page.blocks[at].span for at in page.body(index) if isinstance(page.blocks[at], Code))
    spans = (block.span, *(code for code in codes if code.stop - code.start <= _SIGNATURE_LINES))
    rests_on = tuple(name for one in spans for name in page.apis_on(one))
    return [(page.note(body, span, index, text, rests_on=rests_on), (index, *parts.text, *parts.code))]


def _is_word_over_entry(page: Page, index: int, name: str) -> bool:
    """A heading of one plain word (`StepLR`) over its own signature or over a line that begins with it in code."""
    for at in page.body(index)[:2] if _WORD.fullmatch(name) else ():
        block = page.blocks[at]
        if isinstance(block, Code):
            return "\n" not in block.text.strip() and _is_signature(block.text.strip(), (name,))
        if isinstance(block, Prose):
            return block.text.startswith("`") and _last_names(code_spans(block.text[:_OPENING])[:1]) == {name}
    return False


@dataclass
class _Parts:
    """What stands under a heading."""

    signature: str = ""
    description: str = ""
    example: str = ""
    features: str = ""
    text: list[int] = field(default_factory=list)
    """Blocks that explain it."""
    code: list[int] = field(default_factory=list)
    """Code that the note shows."""


def _reads(page: Page, at: int, names: Sequence[str], parts: _Parts) -> bool:
    """Take a part out of a block; False at the first block of text that is taken already."""
    block = page.blocks[at]
    text = block.text.strip() if isinstance(block, Prose | Code) else ""
    if isinstance(block, Code):
        if not parts.signature and _is_signature(text, names):
            parts.signature = text
        elif not parts.example and _is_example(text, names):
            parts.example = block.text.strip("\n")
        else:
            return True
        parts.code.append(at)
    elif not page.free(at):
        return False
    elif isinstance(block, Prose):
        bare = text.strip("`")
        if not parts.signature and text == f"`{bare}`" and _is_signature(bare, names):
            parts.signature = bare
            parts.text.append(at)
        elif not parts.description and not parts.features and _explains(page, text):
            parts.description = text
            parts.text.append(at)
    elif isinstance(block, Items) and not parts.features and _are_features(page, at, block):
        above = page.line_above(at)
        listed = markdown_of(block)
        parts.features = f"{above}\n\n{listed}" if above and above != parts.description else listed
        parts.text.append(at)
    return True


def _is_signature(text: str, names: Sequence[str]) -> bool:
    """True for a call of one of these names, or its definition, that passes no text: `add_text("notes")` is a use."""
    match = _SIGNATURE.fullmatch(text)
    if not match or not _last_names(match.groups()) & _last_names(names):
        return False
    passed = (one for call in _calls_in(text) for one in call.args)
    return not any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in passed)


def _calls_in(code: str) -> list[ast.Call]:
    return [node for node in nodes(parsed(code) or ast.Module([], [])) if isinstance(node, ast.Call)]


def _is_example(text: str, names: Sequence[str]) -> bool:
    calls = any(has_word(text, name) for name in _last_names(names) if name)
    return calls and text.count("\n") < _LONGEST_EXAMPLE and parsed(text) is not None


def _explains(page: Page, text: str) -> bool:
    """True for a paragraph that says something itself."""
    points = text.startswith(("![", "<img")) or text.endswith(("?", "？", ":", "：", "👇", "⬇", "↓"))
    if points or text.count("\n") >= 6 or not has_words(plain(without_code(text))):
        return False
    return not announces(text) and not (page.chat and Kind.TALK in labels(text).words)


def _are_features(page: Page, at: int, block: Items) -> bool:
    """A few plain lines; definitions are notes of their own, and what a line leads to is about something else: `Below:`."""
    if Kind.LEADS_ON in labels(page.line_above(at)).words or all(is_link(item.text) for item in block.items):
        return False
    for item in block.items:
        found = definition(item.text)
        if (
            Kind.CHECKBOX in labels(item.text)
            or (found and code_spans(found.term))
            or item.depth
            or width(item.text) > 120
        ):
            return False
    return len(block.items) <= 6


def _unnamed(page: Page, index: int, block: Heading) -> Sequence[_Entry]:
    """A heading that says what a few calls below it are, a note a call: `损失函数`. The first keeps the heading's key."""
    text = title(block.text)
    words = plain(text)
    if page.chat or code_spans(text) or _ACRONYM.fullmatch(words) or Kind.SUMMARY in labels(words):
        return ()
    under = [at for at in page.body(index) if isinstance(page.blocks[at], Prose | Code | Items)]
    code_at = next((at for at in under if isinstance(page.blocks[at], Code)), -1)
    code = page.blocks[code_at]
    others = [page.blocks[at] for at in under if at != code_at]
    if (
        code_at < 0
        or not isinstance(code, Code)
        or len(others) > 1
        or not all(isinstance(one, Prose) for one in others)
    ):
        return ()
    shown = code.text.strip("\n")
    calls = _library_calls(shown)
    long = sum(bool(line.strip()) for line in shown.split("\n")) > _SHORT
    if long or not 1 <= len(calls) <= 4 or called(words) in _last_names(calls):  # a name does not say what it is for
        return ()
    if page.claims_about(code_at) or _about_something_else(page, index, text):
        return ()
    span = block.span | code.span
    made: list[_Entry] = []
    for name, example in calls.items():
        body = Api(name=name, signature=name, meaning=text, example=shown if len(calls) == 1 else example)
        anchor = f"{text} {name}" if made else text
        made.append((page.note(body, span, index, anchor, rests_on=page.apis_on(span)), (index, *under)))
    return made


def _library_calls(code: str) -> dict[str, str]:
    """The library calls that the statements of short code consist of, each with its statement: `relu = nn.ReLU()`.

    None if the code does more than call: it defines something, or loops.
    """
    tree = parsed(code) or ast.Module([], [])
    calls: dict[str, str] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.For | ast.While | ast.With | ast.If | ast.Try):
            return {}
        value = statement.value if isinstance(statement, ast.Assign | ast.Expr) else None
        name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        ours = name.partition(".")[0] in _TORCH_ROOTS and called(name) not in DATA_MAKERS
        if ours and _DOTTED.fullmatch(name):
            calls.setdefault(name, ast.get_source_segment(code, statement) or "")
    return calls


def _sentence(page: Page, index: int, block: Prose) -> Sequence[_Entry]:
    """`使用 `notebook_launcher`，您可以...` above a block that calls it, or a command that begins with it."""
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    said = block.text.strip()
    if page.chat or not isinstance(below, Code) or "\n" in said or width(block.text) > 240:
        return ()
    names = [span for span in dict.fromkeys(code_spans(said)) if api_names(f"`{span}`")]
    text = below.text.strip("\n")
    if len(names) != 1 or text.count("\n") >= _SHORT or page.claims_about(index + 1):
        return ()
    name = names[0].partition("(")[0]
    opening = rf"^(?:[\w.]+\s*=\s*)?(?:[\w.]+\.)?{re.escape(called(name))}(?:\(|\s+-)"
    above = _last_names(one for heading in page.path(index) for one in heading_names(title(heading))[0])
    if not re.search(opening, text, re.MULTILINE) or name in above:
        return ()
    body = Api(name=name, signature=names[0], meaning=said.rstrip(":："), example=text)
    note = page.note(body, block.span | below.span, index, name, rests_on=page.apis_on(block.span))
    return [(note, (index, index + 1))]
