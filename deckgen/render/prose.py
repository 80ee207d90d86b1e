r"""Markdown as HTML that is safe on a card and needs nothing from outside it.

One parser for all notes. Text without any markup takes a short way past it. Raw HTML goes through nh3; code and
formulas are put aside meanwhile, so that the sanitiser cannot undo their entities.

Formulas are TeX as MathJax shows it, without the commands by which a formula acts: Anki's MathJax follows `\href` to
any address, scripts among them, and gives `\style` and its kin to the browser, which loads whatever address stands in
there as soon as the card is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from deckgen.render import code, escape, marks
from deckgen.render.markdown import is_cjk, parser
from deckgen.render.media import Pictures, readable
from deckgen.text import schemes, tags
from deckgen.text.pattern import pattern

_PLAIN = pattern(r"(?![-+]|\d+[.)]|\s)(?:[^\\`*_~<&$\[!|\n=#>{]|=(?!=)|\{(?!\{))*\Z")
_SINGLE = pattern(r"<p>((?:(?!</?p>).)*)</p>\s*\Z", re.DOTALL)
_OUTSIDE = pattern(r"(?:https?:|mailto:)", re.IGNORECASE)
"""Where a link leads out of the notes."""
Env = MutableMapping[str, Any]
"""What markdown-it hands from rule to rule: `pictures`, `links` that are open, and the `stash` of what is put aside."""


def html(markdown: str, pictures: Pictures) -> str:
    """Markdown as HTML; a text of one paragraph comes without its `<p>`."""
    markdown = escape.clean(markdown).strip("\n")
    if _PLAIN.match(markdown):
        return escape.literal_clozes(escape.text(markdown.rstrip()))
    return marked(markdown, pictures)


def line(markdown: str, pictures: Pictures) -> str:
    """Inline Markdown as HTML: for headings, names of columns and cells."""
    markdown = escape.clean(markdown).strip()
    if _PLAIN.match(markdown):
        return escape.literal_clozes(escape.text(markdown))
    return _finished(_MARKDOWN.parseInline, markdown, pictures)


def marked(markdown: str, pictures: Pictures) -> str:
    """`html` for text that holds the marks of holes (and has been cleaned before)."""
    markup = _finished(_MARKDOWN.parse, markdown, pictures)
    single = _SINGLE.match(markup)
    return (single[1] if single else markup).strip()


def _finished(parse: Callable[[str, Env], list[Token]], markdown: str, pictures: Pictures) -> str:
    stash: list[str] = []
    env: Env = {"pictures": pictures, "links": [], "stash": stash}
    tokens = parse(markdown, env)
    markup = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env)
    if any(one.type in ("html_block", "html_inline") for token in tokens for one in (token, *(token.children or ()))):
        markup = _sanitised(markup, pictures)
    markup = schemes.shown_always(markup)
    return escape.literal_clozes(_STASHED.sub(lambda found: stash[int(found[1])], markup))


_STASHED = pattern("\uf000(\\d+)\uf001")


def _aside(markup: str, env: Env) -> str:
    """The place-holder of `markup` while the HTML around it is sanitised."""
    env["stash"].append(markup)
    return f"\uf000{len(env['stash']) - 1}\uf001"


# --- raw HTML -------------------------------------------------------------------------------------------

_TAG_OR_DELIMITER = pattern(escape.TAG + r"|\\(?=[()\[\]])")
_FONT = pattern(r"<(/?)font\b[^>]*>", re.IGNORECASE)
"""Red <font> is how many Chinese notes mark what matters; a mark is readable at night as well."""
_NO_PICTURE = pattern(r'<img(?![^>]* src=)(?:[^>]* alt="([^"]*)")?[^>]*>')

_ATTRIBUTES = {
    "a": {"href", "title"}, "abbr": {"title"}, "img": {"src", "alt", "title"}, "ol": {"start"},
    "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"},
}  # fmt: skip


def _sanitised(markup: str, pictures: Pictures) -> str:
    """HTML with what a card may keep of the raw HTML in it."""

    def attribute(tag: str, name: str, value: str) -> str | None:
        if tag == "img" and name == "src":
            return value if value in pictures.found else pictures.name(value)
        if name == "href" and not _OUTSIDE.match(value):  # leads nowhere on a card
            return None
        return value

    markup = nh3.clean(
        tags.escaped(_FONT.sub(r"<\1mark>", schemes.classed(schemes.spelt_out(markup)))),
        tags=tags.SHOWN,
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes={"http", "https", "mailto"},
        allowed_classes={"div": {"table"}, "img": {schemes.LIGHT, schemes.DARK}},
        link_rel="noreferrer",
    )
    markup = _NO_PICTURE.sub(lambda found: found[1] or "", markup)
    return _TAG_OR_DELIMITER.sub(lambda found: found[0] if found[0][0] == "<" else escape.BACKSLASH, markup)


# --- how each token of Markdown is written --------------------------------------------------------------

_ACTIVE = pattern(
    r"\\(?:(?:href|style|class|cssId|data|require)(?![A-Za-z])\s*(?:\{[^{}]{0,2000}\})?"
    r"|(?:bbox|unicode|mmlToken)(?![A-Za-z])\s*(?:\{[^{}]{0,200}\}(?=\s*\[))?\s*(?:\[[^\]]{0,2000}\])?)"
)


def _formula(tex: str) -> str:
    """TeX without its active commands and what these are given; a space in their place ends a name before them.

    A hole that cuts one in two would put it together again on the back: then the holes are left out.
    """
    bare = marks.without(tex)
    return escape.text(_ACTIVE.sub(" ", bare) if _ACTIVE.search(bare) else tex)


def _text(token: Token, env: Env) -> str:
    return escape.DELIMITER.sub(lambda _: _aside(escape.BACKSLASH, env), escape.text(token.content))


def _fence(token: Token, env: Env) -> str:
    return _aside(code.marked_block(token.content, token.info), env)


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
    token = tokens[index]
    target = str(token.attrs.get("src") or "")
    alt = renderer.renderInlineAsText(token.children, options, env)
    name = env["pictures"].name(target)
    if name:
        scheme = schemes.divided(target)[1]
        kind = f' class="{scheme}"' if scheme else ""
        return f'<img{kind} src="{escape.attribute(name)}" alt="{escape.attribute(alt)}">'
    shown = escape.text(alt or readable(target.rsplit("/", 1)[-1])[:60] or "…")
    return _link(target) + shown + "</a>" if _OUTSIDE.match(target) and not env["links"] else shown


def _link(target: str) -> str:
    return f'<a href="{escape.attribute(target)}" rel="noreferrer">'


def _link_open(token: Token, env: Env) -> str:
    """A link out of the deck is kept; one into the notes leads nowhere on a card."""
    target = str(token.attrs.get("href") or "")
    env["links"].append("</a>" if _OUTSIDE.match(target) else "")
    return _link(target) if env["links"][-1] else ""


_RULES: dict[str, Callable[[Token, Env], str]] = {
    "text": _text,
    "fence": _fence,
    "code_block": _fence,
    "code_inline": lambda token, env: _aside(code.inline(token.content), env),
    "math_inline": lambda token, env: _aside(rf"\({_formula(token.content.strip())}\)", env),
    "math_inline_double": lambda token, env: _aside(rf"\[{_formula(token.content.strip())}\]", env),
    "math_block": lambda token, env: _aside(rf"\[{_formula(token.content.strip())}\]", env),
    "link_open": _link_open,
    "link_close": lambda _, env: str(env["links"].pop()),
    "hardbreak": lambda *_: "<br>\n",
    "table_open": lambda *_: '<div class="table"><table>\n',
    "table_close": lambda *_: "</table></div>\n",
    "heading_open": lambda *_: "<h4>",
    "heading_close": lambda *_: "</h4>\n",
}
_ENDS_LINE = pattern(r"[。．.；;：:！!？?）)】\]…—]\s*\Z")
_SHORT = 45
"""A line of at most so many columns that is followed by another was broken on purpose."""


def _softbreak(_: RendererHTML, tokens: Sequence[Token], index: int, *__: object) -> str:
    """Where the source breaks a line: kept if it was meant, else joined as the script wants it."""
    if any(map(_is_of_scheme, tokens[max(0, index - 1) : index + 2])):
        return "\n"  # of two pictures one is not seen: a line end between them would be
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


def _is_of_scheme(token: Token) -> bool:
    return token.type == "image" and bool(schemes.divided(str(token.attrs.get("src") or ""))[1])


def _by_token(rule: Callable[[Token, Env], str]) -> Callable[..., str]:
    def render(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, env: Env) -> str:
        return rule(tokens[index], env)

    return render


def _renderer() -> MarkdownIt:
    markdown = parser()
    for name, rule in _RULES.items():
        markdown.add_render_rule(name, _by_token(rule))
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("softbreak", _softbreak)
    return markdown


_MARKDOWN = _renderer()
