r"""Raw HTML in notes: what of it is safe on a card, and needs nothing from outside it.

It goes through nh3; code and formulas are put aside meanwhile, so that the sanitiser cannot undo their entities.

Formulas: TeX as MathJax shows it, without the commands by which a formula acts.

Anki's MathJax follows `\href` to any address, scripts among them, and gives `\style` and its kin to the browser,
which loads whatever address stands in there as soon as the card is shown.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

import nh3
from markdown_it.token import Token

from deckgen.render import escape, marks
from deckgen.render.media import Pictures
from deckgen.text.pattern import pattern

OUTSIDE = pattern(r"(?:https?:|mailto:)", re.IGNORECASE)
"""Where a link leads out of the notes."""
_TAG_OR_DELIMITER = pattern(escape.TAG + r"|\\(?=[()\[\]])")
_STASHED = pattern("\uf000(\\d+)\uf001")
_FONT = pattern(r"<(/?)font\b[^>]*>", re.IGNORECASE)
_NO_PICTURE = pattern(r'<img(?![^>]* src=)(?:[^>]* alt="([^"]*)")?[^>]*>')

_TAGS = {
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
"""What markdown-it hands from rule to rule: `pictures`, `links` that are open, and the `stash` of what is put aside."""


def is_raw_html(token: Token) -> bool:
    """True for raw HTML, and for a line with some in it."""
    if token.type == "html_block":
        return True
    return token.type == "inline" and any(child.type == "html_inline" for child in token.children or ())


def sanitised(markup: str, env: Env) -> str:
    """HTML with what a card may keep of the raw HTML in it, and with what was put aside in its place again."""
    pictures: Pictures = env["pictures"]

    def attribute(tag: str, name: str, value: str) -> str | None:
        if tag == "img" and name == "src":
            return value if value in pictures.found else pictures.name(value)
        if name == "href" and not OUTSIDE.match(value):  # leads nowhere on a card
            return None
        return value

    # Red <font> is how many Chinese notes mark what matters; a mark is readable at night as well.
    markup = _FONT.sub(r"<\1mark>", markup)
    markup = nh3.clean(
        markup,
        tags=_TAGS,
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


def aside(markup: str, env: Env) -> str:
    """`markup`, or its place-holder while there is raw HTML to be sanitised."""
    stash: list[str] | None = env["stash"]
    if stash is None:
        return markup
    stash.append(markup)
    return f"\uf000{len(stash) - 1}\uf001"


_ACTIVE = pattern(
    r"\\(?:(?:href|style|class|cssId|data|require)(?![A-Za-z])\s*(?:\{[^{}]{0,2000}\})?"
    r"|(?:bbox|unicode|mmlToken)(?![A-Za-z])\s*(?:\{[^{}]{0,200}\}(?=\s*\[))?\s*(?:\[[^\]]{0,2000}\])?)"
)


def without_actions(tex: str) -> str:
    """`tex` without its active commands and what these are given; a space in their place ends a name before them.

    A hole that cuts one in two would put it together again on the back: then the holes are left out.
    """
    if "\\" not in tex:
        return tex
    bare = marks.without(tex)
    return _ACTIVE.sub(" ", bare) if _ACTIVE.search(bare) else tex
