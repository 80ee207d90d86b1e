"""How Sphinx makes the site of these pages: `make site`.

The pages are plain Markdown that reads well on a forge. What only a site needs is here: the home page is the README, and links to
files that are no page lead to the repository, whose address `ADDRESS` says; without it they are plain text.
"""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from deckgen import __version__

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = os.environ.get("ADDRESS", "").rstrip("/")

project = "deckgen"
author = "the authors of deckgen"
project_copyright = "MIT licence"
version = release = __version__

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4  # `lock.md#merging`, as a forge names it
suppress_warnings = ["misc.highlighting_failure"]  # JSON with a card a line is no JSON to Pygments

smartquotes = False  # `--option` and "quotes" as they are typed

html_theme = "furo"
html_title = "deckgen"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_favicon = html_logo = "static/logo.svg"
html_copy_source = html_show_sourcelink = False

_LINK = re.compile(r"(?<!!)\[([^\]\n]*)\]\(((?:\.\./)+)([^)\n]*)\)")

_BARE = re.compile(r"\[[\w./-]+\.md\]\(([\w./-]+\.md(?:#[^)\s]+)?)\)")
"""A link that is called like its file: a site calls it like the page or the section."""


def as_on_the_site(_app: Sphinx, name: str, source: list[str]) -> None:
    """The home pages begin with the README of their language, and the changelog is that of the project; links to the repository become addresses, or plain text."""
    text = source[0]
    if name == "index":
        lists = text[text.index("```{toctree}") :]
        text = f"{from_the_root((ROOT / 'README.md').read_text('utf-8'))}\n{lists}"
    if name == "index.zh-CN":
        text = from_the_root((ROOT / "README.zh-CN.md").read_text("utf-8")).replace("# deckgen", "# deckgen 中文", 1)
    if name == "changelog":
        text = from_the_root((ROOT / "CHANGELOG.md").read_text("utf-8"))
    source[0] = _BARE.sub(r"[](\1)", _LINK.sub(_outside, text))


def from_the_root(readme: str) -> str:
    """The text of a README with links as they are in this folder."""
    linked = re.sub(r"\]\((?!https?:|#|docs/)([^)]+)\)", r"](../\1)", readme)
    return re.sub(r"\]\(docs/", "](", re.sub(r"\[docs/([^\]]+)\]", r"[\1]", linked))


def _outside(link: re.Match[str]) -> str:
    text, up, path = link.groups()
    file, _, anchor = path.partition("#")
    if file == "CHANGELOG.md":
        return f"[{text}](changelog.md)"
    if file == "README.md":
        return f"[{text}](index.md{f'#{anchor}' if anchor else ''})"
    if file == "README.zh-CN.md":
        return f"[{text}](index.zh-CN.md{f'#{anchor}' if anchor else ''})"
    if not ADDRESS:
        return text
    return f"[{text}]({ADDRESS}/{path})" if len(up) > len("../") else f"[{text}]({ADDRESS}/blob/HEAD/{path})"


_LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//|<link\b[^>]*\bhref=[\"']?(?:https?:)?//|url\([\"']?(?:https?:)?//|@import"
)


def nothing_is_loaded(app: Sphinx, failed: Exception | None) -> None:
    """Raises ExtensionError if a page loads something from elsewhere: who reads it is told to nobody."""
    pages = [path for ending in ("html", "css") for path in Path(app.outdir).rglob(f"*.{ending}")]
    told = [str(path) for path in pages if _LOADED.search(path.read_text("utf-8"))]
    if told and not failed:
        raise ExtensionError(f"these load something from elsewhere: {', '.join(told)}")


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("source-read", as_on_the_site)
    app.connect("build-finished", nothing_is_loaded)
