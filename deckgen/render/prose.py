"""Markdown as HTML that is safe on a card and needs nothing from outside it.

One parser for all notes. Text without any markup takes a short way past it. Raw HTML goes through
nh3, which only happens when there is some; code and formulas are put aside meanwhile, so that the
sanitiser cannot undo their entities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping, Sequence
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from deckgen.pattern import pattern
from deckgen.render import code, escape, formulas
from deckgen.render.media import Pictures
from deckgen.render.syntax import parser

_PLAIN = pattern(r"(?![-+]|\d+[.)]|\s)(?:[^\\`*_~<&$\[!|\n=#>]|=(?!=))*\Z")
_SINGLE = pattern(r"<p>((?:(?!</?p>).)*)</p>\s*\Z", re.DOTALL)
_OUTSIDE = pattern(r"(?:https?:|mailto:)", re.IGNORECASE)
_ENDS_LINE = pattern(r"[。．.；;：:！!？?）)】\]…—]\s*\Z")
_CJK = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_CJK_END, _CJK_START = pattern(_CJK + r"\Z"), pattern(_CJK)
_SHORT = 45
"""A line of at most so many columns that is followed by another was broken on purpose."""

_TAG_OR_DELIMITER = pattern(r'<[^>"]*(?:"[^"]*"[^>"]*)*>|\\(?=[()\[\]])')
_STASHED = pattern("\uf000(\\d+)\uf001")
_FONT = pattern(r"<(/?)font\b[^>]*>", re.IGNORECASE)
_NO_PICTURE = pattern(r'<img(?![^>]* src=)(?:[^>]* alt="([^"]*)")?[^>]*>')

TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "details", "dfn", "div",
    "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins",
    "kbd", "li", "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong",
    "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var",
}  # fmt: skip
"""What raw HTML may keep. Anything else loses its tags; scripts and styles their text as well."""

_ATTRIBUTES = {
    "a": {"href", "title"}, "abbr": {"title"}, "img": {"src", "alt", "title"}, "ol": {"start"},
    "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"},
}  # fmt: skip
_CONTENT = {"script", "style", "iframe", "object", "embed", "noscript", "template", "title", "textarea", "svg", "math"}

Env = MutableMapping[str, Any]


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
    wild = any(_is_wild(token) for token in tokens)
    if wild:
        env["stash"] = []
    markup = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env)
    if wild:
        markup = _sanitised(markup, env)
    return escape.literal_clozes(markup)


def _is_wild(token: Token) -> bool:
    if token.type == "html_block":
        return True
    return token.type == "inline" and any(child.type == "html_inline" for child in token.children or ())


def _sanitised(markup: str, env: Env) -> str:
    pictures: Pictures = env["pictures"]

    def attribute(tag: str, name: str, value: str) -> str | None:
        if tag == "img" and name == "src":
            return value if value in pictures.found else pictures.name(value)
        if name == "href" and not _OUTSIDE.match(value):  # leads nowhere on a card
            return None
        return value

    # Red <font> is how many Chinese notes mark what matters; a mark is readable at night as well.
    markup = _FONT.sub(r"<\1mark>", markup)
    markup = nh3.clean(
        markup,
        tags=TAGS,
        clean_content_tags=_CONTENT,
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes={"http", "https", "mailto"},
        allowed_classes={"div": {"table"}},
        link_rel="noreferrer",
    )
    markup = _NO_PICTURE.sub(lambda found: found[1] or "", markup)
    markup = _TAG_OR_DELIMITER.sub(lambda found: found[0] if found[0][0] == "<" else escape.BACKSLASH, markup)
    stash: list[str] = env["stash"]
    return _STASHED.sub(lambda found: stash[int(found[1])], markup)


def _aside(markup: str, env: Env) -> str:
    """`markup`, or its place-holder while there is raw HTML to be sanitised."""
    stash: list[str] | None = env["stash"]
    if stash is None:
        return markup
    stash.append(markup)
    return f"\uf000{len(stash) - 1}\uf001"


def _fence(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    token = tokens[index]
    return _aside(code.marked_block(token.content, token.info), env)


def _code_inline(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    return _aside(code.inline(tokens[index].content), env)


def _text(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    markup = escape.text(tokens[index].content)
    if "\\" in markup:
        markup = re.sub(r"\\(?=[()\[\]])", lambda _: _aside(escape.BACKSLASH, env), markup)
    return markup


def _formula(begin: str, end: str) -> Callable[..., str]:
    def rule(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
        return _aside(begin + escape.text(formulas.calm(tokens[index].content.strip())) + end, env)

    return rule


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    token = tokens[index]
    target = str(token.attrs.get("src") or "")
    alt = renderer.renderInlineAsText(token.children, options, env)
    name = env["pictures"].name(target)
    if name:
        return f'<img src="{escape.attribute(name)}" alt="{escape.attribute(alt)}">'
    shown = escape.text(alt or target.rsplit("/", 1)[-1][:60])
    if _OUTSIDE.match(target) and not env["links"]:
        return f'<a href="{escape.attribute(target)}" rel="noreferrer">{shown}</a>'
    return shown


def _link_open(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
    """A link out of the deck is kept; one into the notes leads nowhere on a card."""
    target = str(tokens[index].attrs.get("href") or "")
    kept = bool(_OUTSIDE.match(target))
    env["links"].append(kept)
    return f'<a href="{escape.attribute(target)}" rel="noreferrer">' if kept else ""


def _link_close(_: RendererHTML, __: Sequence[Token], ___: int, ____: OptionsDict, env: Env) -> str:
    return "</a>" if env["links"].pop() else ""


def _softbreak(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: Env) -> str:
    """Where the source breaks a line: kept if it was meant, else joined as the script wants it."""
    before = tokens[index - 1].content if index else ""
    after = tokens[index + 1].content if index + 1 < len(tokens) else ""
    width = 0
    for token in reversed(tokens[:index]):
        if token.type in ("softbreak", "hardbreak"):
            break
        width += sum(2 if _CJK_START.match(c) else 1 for c in token.content)
    if width <= _SHORT or (_ENDS_LINE.search(before) and _CJK_END.search(before)):
        return "<br>\n"
    return "" if _CJK_END.search(before) and _CJK_START.match(after) else "\n"


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
