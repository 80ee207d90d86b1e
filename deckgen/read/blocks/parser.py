"""markdown-it, set up for finding blocks only: inline markup stays Markdown until it is rendered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from deckgen.read.blocks.tabs import tabbed_table
from deckgen.text.pattern import pattern

LONGEST_MATH = 200
"""Lines of the longest formula."""


_MARKS = {
    "table": pattern(r"\|"),
    "math_block": pattern(r"\$\$"),
    "tabbed_table": pattern(r"\n[^\s][^\t\n]*\t.*\n[^\s].*\t"),
    "footnote_def": pattern(r"\[\^"),
    "html_block": pattern("<"),
    "deflist": pattern(r"\n(?:[^\S\n]|>)*[:~]"),
    "blockquote": pattern(">"),
    "hr": pattern(r"([-*_])[ \t]*\1[ \t]*\1"),
    "lheading": pattern(r"\n(?:[^\S\n]|>)*(?:=+|-+)[ \t]*(?:\n|\Z)"),
}
"""What must stand in a text, or behind a line end, for a rule to find anything: rules without their mark would be asked at every line."""


@cache
def _parser(idle: frozenset[str]) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.use(deflist_plugin).use(footnote_plugin)
    parser.block.ruler.before("fence", "math_block", _math, {"alt": ["paragraph", "blockquote", "list"]})
    parser.block.ruler.before("fence", "tabbed_table", tabbed_table, {"alt": ["paragraph", "list"]})
    # `reference` takes quadratic time on long lists of links, and nothing here resolves a link.
    parser.disable(["reference", *idle])
    # Only blocks are wanted; `normalize` would count a lone carriage return as a line of its own.
    parser.core.ruler.enableOnly(["block"])
    return parser


def _math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Math between `$$` and `$$`. (The plugin's own rule takes quadratic time where `$$` is never closed.)"""
    if "$$" not in state.src[state.bMarks[start] : state.eMarks[start]]:
        return False
    first = state.getLines(start, start + 1, state.blkIndent, False).strip()
    if state.is_code_block(start) or not first.startswith("$$"):
        return False
    stop = start + 1
    if first.count("$$") == 1:
        last = min(end, start + LONGEST_MATH)
        while stop < last:
            if state.sCount[stop] < state.blkIndent and not state.isEmpty(stop):
                return False
            if "$$" in state.getLines(stop, stop + 1, state.blkIndent, False):
                break
            stop += 1
        if stop >= last:
            return False
        stop += 1
    elif not first.endswith("$$"):
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.map = True, [start, stop]
        state.line = stop
    return True


def parse(lines: Sequence[str]) -> list[Token]:
    """Block tokens of Markdown lines; their maps index `lines`."""
    text = "\n".join(lines).replace("\r", " ").replace("\0", "\N{REPLACEMENT CHARACTER}")
    below = f"\n{text}"
    return _parser(frozenset(rule for rule, mark in _MARKS.items() if not mark.search(below))).parse(text)
