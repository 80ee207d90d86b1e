"""API entries that are told by code: a heading without a name over a few calls, a sentence right above a call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from deckgen.extract import wording
from deckgen.extract.apis.names import api_names, called
from deckgen.extract.described.heading_names import asks, heading_names
from deckgen.extract.page import Page
from deckgen.extract.text import code_spans, plain, title, width
from deckgen.model.document import Code, Heading, Items, Prose
from deckgen.model.note import Api, Note
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_DOTTED = pattern(r"\w+(?:\.\w+)+")
_ACRONYM = pattern(r"[A-Za-z]{1,5}")
"""`GPU` alone says nothing of what a call does."""
_TORCH_ROOTS = frozenset({"torch", "nn", "F", "optim", "dist", "autograd", "torchvision", "data", "utils"})
_DATA_MAKERS = frozenset("randn rand randint zeros ones tensor arange empty full linspace eye manual_seed".split())
_SHORT = 9
"""Lines of code that show calls and nothing else."""

Made = tuple[Note, tuple[int, ...]] | None
"""A note and the blocks that it uses up."""


def unnamed(page: Page, index: int, block: Heading) -> Made:
    """A heading that says what a few calls below it are for: `损失函数`."""
    text = title(block.text)
    if (
        page.chat
        or code_spans(text)
        or _ACRONYM.fullmatch(plain(text))
        or asks(text)
        or wording.EXAMPLE.search(plain(text))
        or wording.SUMMARY.search(plain(text))
    ):
        return None
    under = [at for at in page.body(index) if isinstance(page.blocks[at], Prose | Code | Items)]
    at_code = [at for at in under if isinstance(page.blocks[at], Code)]
    codes = [page.blocks[at] for at in at_code]
    prose = [page.blocks[at] for at in under if isinstance(page.blocks[at], Prose)]
    if len(codes) != 1 or len(under) > 2 or len(prose) != len(under) - 1 or page.claims_about(at_code[0]):
        return None
    code = codes[0].text.strip("\n")  # type: ignore[union-attr] # chosen by its type
    names = shown_calls(code)
    if not 1 <= len(names) <= 4 or len([line for line in code.split("\n") if line.strip()]) > _SHORT:
        return None
    if called(plain(text).partition("(")[0]) in map(called, names):  # a name does not say what it is for
        return None
    body = Api(name=" / ".join(names), signature=" / ".join(names), meaning=text, example=code)
    span = block.span | codes[0].span
    return page.note(body, span, index, text, rests_on=page.apis_on(span)), (index, *under)


def shown_calls(code: str) -> list[str]:
    """The library calls that short code shows, in order: `nn.ReLU`, `torch.save`; none if it defines classes."""
    tree = parsed(code)
    if tree is None:
        return []
    within = nodes(tree)
    if any(isinstance(node, ast.ClassDef | ast.For | ast.While) for node in within):
        return []
    names = [ast.unparse(node.func) for node in within if isinstance(node, ast.Call)]
    dotted = [name for name in names if _DOTTED.fullmatch(name)]
    chosen = [n for n in dotted if n.split(".")[0] in _TORCH_ROOTS and called(n) not in _DATA_MAKERS]
    return list(dict.fromkeys(chosen))


def sentence(page: Page, index: int, block: Prose, used: set[int]) -> Made:
    """`使用 `notebook_launcher`，您可以...` above a block that calls it."""
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    if page.chat or not isinstance(below, Code) or "\n" in block.text.strip() or width(block.text) > 240:
        return None
    names = [span for span in dict.fromkeys(code_spans(block.text)) if api_names(f"`{span}`")]
    text = below.text.strip("\n")
    if len(names) != 1 or len(text.split("\n")) > _SHORT or not _opens(text, names[0]) or index in used:
        return None
    name = names[0].partition("(")[0]
    meaning = block.text.strip().rstrip(":：")
    body = Api(name=name, signature=names[0], meaning=meaning, example=text)
    span = block.span | below.span
    if page.claims_about(index + 1) or name in {called(n) for n in _path_names(page, index)}:
        return None
    return page.note(body, span, index, name, rests_on=page.apis_on(block.span)), (index, index + 1)


def _opens(code: str, name: str) -> bool:
    """The code is about the name: a command that begins with it, or a call of it at top level."""
    short = called(name.partition("(")[0])
    opening = rf"^(?:[\w.]+\s*=\s*)?(?:[\w.]+\.)?{re.escape(short)}(?:\(|\s+-)"
    return short in code and re.search(opening, code, re.MULTILINE) is not None


def _path_names(page: Page, index: int) -> Iterator[str]:
    for heading in page.path(index):
        yield from (name.partition("(")[0] for name in heading_names(title(heading))[0])
