"""The Markdown that notes are written in: CommonMark, tables, formulas, and what people add to it.

Emphasis beside Chinese and Japanese text.

CommonMark lets `**` end emphasis only beside white space or Latin punctuation, so that the common
`**注意：**这里` stays raw. The rule here is the amendment that the CommonMark forum knows as "CJK friendly":
a CJK character beside the run counts as a word's edge.
"""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import html_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import autolink
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from deckgen.render.marks import is_mark
from deckgen.text import tags
from deckgen.text.pattern import CLOZE, pattern

DUNDERS = {name for kind in (object, type, int, list, dict, type(lambda: 0), Exception) for name in dir(kind)} | set(
    """
    __all__ __main__ __file__ __version__ __path__ __enter__ __exit__ __next__ __del__ __getattr__ __setstate__
    __missing__ __post_init__ __slots__ __torch_function__ __array__ __torch_dispatch__ __await__ __aiter__
    __anext__ __aenter__ __aexit__ __matmul__
""".split()
)
_TASK = pattern(r"\A\[([ xX])\] ")
_TEX = pattern(r"[\\^_=]")
_VARIABLE = r"\d{0,3}[A-Za-z]'?(?:\([A-Za-z0-9]\))?"
_VARIABLES = pattern(rf"{_VARIABLE}(?:\s*[-+*/<>,|]\s*(?:{_VARIABLE}|\d+))*")
"""`y`, `2n + 1`, `f(x)`: what no writer sets in brackets that have to be escaped."""
_ESCAPED = pattern(r"\\[\\\[\]_*]")
_LONGEST = 400
"""Characters of a cloze."""
_NAMED = pattern(r"c\d+::(.+?)(?:::|\Z)")
"""`==c1::text::hint==`"""
_DUNDER = pattern(r"__[a-z_]{1,24}?__(?!\w)")


def _mark(state: StateInline, silent: bool) -> bool:
    """`==text==` is marked text, as in Obsidian and Typora."""
    start = state.pos
    if not state.src.startswith("==", start) or silent:
        return False
    end = state.src.find("==", start + 2)
    inner = state.src[start + 2 : end]
    if end < 0 or not inner or inner != inner.strip() or "\n\n" in inner or inner[0] == "=":
        return False
    state.push("mark_open", "mark", 1)
    named = _NAMED.match(inner)
    first, last = named.span(1) if named else (0, len(inner))
    _tokenize(state, start + 2 + first, start + 2 + last, end + 2)
    state.push("mark_close", "mark", -1)
    return True


def _cloze(state: StateInline, silent: bool) -> bool:
    """`{{c1::text::hint}}` of Anki is its text: deckgen asks for what the notes say, and has clozes of its own."""
    found = CLOZE.match(state.src, state.pos)
    if found is None or silent:
        return False
    depth, end = 2, found.end()
    last = min(state.posMax, end + _LONGEST)
    while depth and end < last:
        depth += {"{": 1, "}": -1}.get(state.src[end], 0)
        end += 1
    if depth:
        return False
    inner = state.src[found.end() : end - 2]
    _tokenize(state, found.end(), end - 2 if "{{" in inner else found.end() + len(inner.partition("::")[0]), end)
    return True


def _tokenize(state: StateInline, start: int, stop: int, end: int) -> None:
    """What stands from `start` to `stop`, in place of all up to `end`."""
    state.pos, limit, state.posMax = start, state.posMax, stop
    state.md.inline.tokenize(state)
    state.pos, state.posMax = end, limit


def _dunder(state: StateInline, silent: bool) -> bool:
    """`__init__` is a name, though CommonMark reads it as a bold "init"."""
    found = _DUNDER.match(state.src, state.pos)
    if found and found[0] in DUNDERS:
        state.pending += "" if silent else found[0]
        state.pos = found.end()
        return True
    return False


def _bracket_formula(state: StateInline, silent: bool) -> bool:
    r"""`\( ... \)` and `\[ ... \]` as chat programs write formulas; a lone `\(` stays an escape."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in (r"\(", r"\["):
        return False
    end = state.src.find(r"\)" if opening == r"\(" else r"\]", state.pos + 2)
    inner = state.src[state.pos + 2 : end]
    # Exporters escape every bracket in running text, so a formula must look like one; `f\(x\)` is a call.
    called = state.src[max(0, state.pos - 1) : state.pos].isalnum()
    variables = opening == r"\(" and not called and _VARIABLES.fullmatch(inner)
    if end < 0 or not inner.strip() or not (inner[0].isspace() or variables or _TEX.search(_ESCAPED.sub("", inner))):
        return False
    if not silent:
        state.push("math_inline" if opening == r"\(" else "math_inline_double", "math", 0).content = inner
    state.pos = end + 2
    return True


def _tasks(state: StateCore) -> None:
    """`- [x] done` with a box that needs no form element."""
    for before, token in zip(state.tokens[1:], state.tokens[2:], strict=False):
        if token.type == "inline" and before.type == "paragraph_open":
            token.content = _TASK.sub(lambda found: "☐ " if found[1] == " " else "☑ ", token.content)


def parser() -> MarkdownIt:
    """A parser with all rules; it renders like any other until told otherwise."""
    markdown = MarkdownIt("zero")
    markdown.inline = Inline()
    markdown.configure("commonmark", options_update={"xhtmlOut": False, "typographer": False})
    markdown.enable(["table", "strikethrough"])
    markdown.block.ruler.at("html_block", tags.of_tags(html_block), {"alt": ["paragraph", "reference", "blockquote"]})
    markdown.inline.ruler.at("autolink", _autolink)
    markdown.use(deflist_plugin)
    markdown.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    markdown.inline.ruler.before("emphasis", "mark", _mark)
    markdown.inline.ruler.before("emphasis", "dunder", _dunder)
    markdown.inline.ruler.before("emphasis", "cloze", _cloze)
    markdown.inline.ruler.before("escape", "bracket_formula", _bracket_formula)
    if hasattr(markdown.inline, "add_terminator_char"):  # markdown-it-py 4
        markdown.inline.add_terminator_char("=")
    markdown.core.ruler.after("block", "tasks", _tasks)
    return markdown


_SCOPED = pattern(r"<\w+::")


def _autolink(state: StateInline, silent: bool) -> bool:
    """`<https://pytorch.org>`, but `vector<torch::Tensor>` is text."""
    return _SCOPED.match(state.src, state.pos) is None and autolink(state, silent)


def is_cjk(character: str) -> bool:
    """True for a Chinese or Japanese character, punctuation and full-width forms among them."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or "\uff00" <= character <= "\uffef"


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803 - markdown-it's names
        end = start
        while end < self.posMax and self.src[end] == self.src[start]:
            end += 1
        # the characters on both sides, looking through the edges of holes
        outer, inner = start - 1, end
        while outer >= 0 and is_mark(self.src[outer]):
            outer -= 1
        while inner < self.posMax and is_mark(self.src[inner]):
            inner += 1
        before = self.src[outer] if outer >= 0 else " "
        after = self.src[inner] if inner < self.posMax else " "
        left, right = _flanks(after, before), _flanks(before, after)
        if not canSplitWord:
            left, right = left and (not right or _punctuation(before)), right and (not left or _punctuation(after))
        return Scanned(left, right, end - start)


def _punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


def _flanks(inner: str, outer: str) -> bool:
    """True if a run whose text is on the side of `inner` may emphasise it."""
    if isWhiteSpace(ord(inner)):
        return False
    edge = isWhiteSpace(ord(outer)) or _punctuation(outer) or is_cjk(outer)
    return not _punctuation(inner) or is_cjk(inner) or edge


class Inline(ParserInline):
    """The inline parser with the amended rule."""

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens
