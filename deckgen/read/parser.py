"""markdown-it, set up for finding blocks only: inline markup stays Markdown until it is rendered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.use(dollarmath_plugin).use(deflist_plugin).use(footnote_plugin)
    # `reference` takes quadratic time on long lists of links, and nothing here resolves a link.
    parser.disable("reference")
    # Only blocks are wanted; `normalize` would count a lone carriage return as a line of its own.
    parser.core.ruler.enableOnly(["block"])
    return parser


def parse(lines: Sequence[str]) -> list[Token]:
    """Block tokens of Markdown lines; their maps index `lines`."""
    text = "\n".join(lines).replace("\r", " ").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return _parser().parse(text)
