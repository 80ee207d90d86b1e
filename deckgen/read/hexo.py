"""Posts of static site generators (Hexo, Hugo, Jekyll): Markdown below front matter."""

from __future__ import annotations

from deckgen.model.document import Directive, Document
from deckgen.model.source import Source, Span
from deckgen.read import markdown
from deckgen.read.assemble import document
from deckgen.read.blocks.sitetags import as_fences
from deckgen.read.frontmatter import front_matter


def claims_source(source: Source) -> bool:
    return front_matter(source.lines) is not None


def read(source: Source) -> Document:
    """The front matter itself becomes a directive without words: it teaches nothing."""
    matter = front_matter(source.lines)
    if matter is None:
        return markdown.read(source)
    blocks = markdown.blocks_of(as_fences(source.lines[matter.stop :]), matter.stop)
    top = Directive(Span(0, matter.stop), ())
    return document(source, "hexo", [top, *blocks], title=matter.title, tags=matter.tags)
