"""Markdown as HTML that is safe on a card and needs nothing from outside it.

One parser for all notes. Text without any markup takes a short way past it, and only raw HTML is sanitised (`has_raw_html`).

Where the source breaks a line: kept if it was meant, else joined as the script wants it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from deckgen.render import code, escape, raw_html
from deckgen.render.markdown import is_cjk, parser
from deckgen.render.media import Pictures
from deckgen.render.raw_html import OUTSIDE, Env, aside, is_raw_html, sanitised
from deckgen.text.pattern import pattern

_PLAIN = pattern(r"(?![-+]|\d+[.)]|\s)(?:[^\\`*_~<&$\[!|\n=#>]|=(?!=))*\Z")
_SINGLE = pattern(r"<p>((?:(?!</?p>).)*)</p>\s*\Z", re.DOTALL)


def html(markdown: str, pictures: Pictures) -> str:
    """Markdown as HTML; a text of one paragraph comes without its `<p>`."""
    markdown = escape.clean(markdown).strip("\n")
    if _PLAIN.match(markdown):
        return escape.literal_clozes(escape.text(markdown.rstrip()))
    return _unwrapped(_rendered(markdown, pictures))


def line(markdown: str, pictures: Pictures) -> str:
    """Inline Markdown as HTML: for headings, names of columns and cells."""
    markdown = escape.clean(markdown).strip()
    if _PLAIN.match(markdown):
        return escape.literal_clozes(escape.text(markdown))
    return _line(markdown) if "![" not in markdown and "<" not in markdown else _parsed_line(markdown, pictures)


@lru_cache(maxsize=4096)
def _line(markdown: str) -> str:
    """A heading stands above many notes."""
    return _parsed_line(markdown, Pictures())


def _parsed_line(markdown: str, pictures: Pictures) -> str:
    env = _env(pictures)
    return _finished(_MARKDOWN.parseInline(markdown, env), env)


def plain(markdown: str) -> str:
    """The visible text of Markdown on one line."""
    markdown = markdown.strip()
    return markdown if _PLAIN.match(markdown) else escape.plain(html(markdown, Pictures()))


def marked(markdown: str, pictures: Pictures) -> str:
    """`html` for text that holds the marks of holes (and has been cleaned before)."""
    return _unwrapped(_rendered(markdown, pictures))


def _rendered(markdown: str, pictures: Pictures) -> str:
    env = _env(pictures)
    return _finished(_MARKDOWN.parse(markdown, env), env)


def _env(pictures: Pictures) -> Env:
    return {"pictures": pictures, "links": [], "stash": None}


def _unwrapped(markup: str) -> str:
    single = _SINGLE.match(markup)
    return (single[1] if single else markup).strip()


def _finished(tokens: list[Token], env: Env) -> str:
    has_raw_html = any(is_raw_html(token) for token in tokens)
    if has_raw_html:
        env["stash"] = []
    markup = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env)
    if has_raw_html:
        markup = sanitised(markup, env)
    return escape.literal_clozes(markup)


def _fence(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    token = tokens[index]
    return aside(code.marked_block(token.content, token.info), env)


def _code_inline(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    return aside(code.inline(tokens[index].content), env)


def _text(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    markup = escape.text(tokens[index].content)
    if "\\" in markup:
        markup = re.sub(r"\\(?=[()\[\]])", lambda _: aside(escape.BACKSLASH, env), markup)
    return markup


def _formula(begin: str, end: str) -> Callable[..., str]:
    def rule(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
        return aside(begin + escape.text(raw_html.without_actions(tokens[index].content.strip())) + end, env)

    return rule


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    token = tokens[index]
    target = str(token.attrs.get("src") or "")
    alt = renderer.renderInlineAsText(token.children, options, env)
    name = env["pictures"].name(target)
    if name:
        return f'<img src="{escape.attribute(name)}" alt="{escape.attribute(alt)}">'
    shown = escape.text(alt or target.rsplit("/", 1)[-1][:60])
    if OUTSIDE.match(target) and not env["links"]:
        return f'<a href="{escape.attribute(target)}" rel="noreferrer">{shown}</a>'
    return shown


def _link_open(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    """A link out of the deck is kept; one into the notes leads nowhere on a card."""
    target = str(tokens[index].attrs.get("href") or "")
    kept = bool(OUTSIDE.match(target))
    env["links"].append(kept)
    return f'<a href="{escape.attribute(target)}" rel="noreferrer">' if kept else ""


def _link_close(_: RendererHTML, __: Sequence[Token], ___: int, ____: OptionsDict, env: Env) -> str:
    return "</a>" if env["links"].pop() else ""


def _softbreak(_: RendererHTML, tokens: Sequence[Token], index: int, *__: object) -> str:
    return line_break(tokens, index)


def _constant(markup: str) -> Callable[..., str]:
    return lambda *_: markup


_RULES: dict[str, Callable[..., str]] = {
    "text": _text,
    "fence": _fence,
    "code_block": _fence,
    "code_inline": _code_inline,
    "math_inline": _formula(r"\(", r"\)"),
    "math_inline_double": _formula(r"\[", r"\]"),
    "math_block": _formula(r"\[", r"\]"),
    "image": _image,
    "link_open": _link_open,
    "link_close": _link_close,
    "softbreak": _softbreak,
    "hardbreak": _constant("<br>\n"),
    "table_open": _constant('<div class="table"><table>\n'),
    "table_close": _constant("</table></div>\n"),
    "heading_open": _constant("<h4>"),
    "heading_close": _constant("</h4>\n"),
}


def _renderer() -> MarkdownIt:
    markdown = parser()
    for name, rule in _RULES.items():
        markdown.add_render_rule(name, rule)
    return markdown


_MARKDOWN = _renderer()


_ENDS_LINE = pattern(r"[。．.；;：:！!？?）)】\]…—]\s*\Z")
_SHORT = 45
"""A line of at most so many columns that is followed by another was broken on purpose."""


def line_break(tokens: Sequence[Token], index: int) -> str:
    """The HTML of the break between two tokens of a paragraph."""
    before = tokens[index - 1].content if index else ""
    after = tokens[index + 1].content if index + 1 < len(tokens) else ""
    width = 0
    for token in reversed(tokens[:index]):
        if token.type in ("softbreak", "hardbreak"):
            break
        width += sum(2 if is_cjk(c) else 1 for c in token.content)
    if width <= _SHORT or (_ENDS_LINE.search(before) and is_cjk(before[-1:])):
        return "<br>\n"
    return "" if is_cjk(before[-1:]) and is_cjk(after[:1]) else "\n"
