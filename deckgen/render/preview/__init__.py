"""One self-contained HTML page of all cards: both sides, by day and by night, on a phone and on a context.

The cards are the ones that Anki shows: same templates, same styling, in a frame of the real width. Frames
are sandboxed without scripts, and a content security policy keeps the page from loading anything at all.
"""

from __future__ import annotations

import base64
import difflib
import hashlib
import html
import json
import mimetypes
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from deckgen.model.deck import FIELDS, NoteType, Rendered
from deckgen.model.results import Decision, Disposition, Proof
from deckgen.render import escape
from deckgen.render.notetypes import NOTETYPES, css
from deckgen.render.preview.question import question_of
from deckgen.text.pattern import pattern

_HERE = files("deckgen.render.preview")
_TITLE = FIELDS.index("Title")


def page(notes: Iterable[tuple[Decision, Rendered]], *, name: str) -> str:
    """The page for these notes, withheld ones among them. Formulas stay TeX: MathJax is Anki's."""
    data = {"css": css(), "notes": [shown(decision, rendered) for decision, rendered in notes]}
    return _filled_page("preview", name, data)[0]


def review_page(name: str) -> tuple[str, str]:
    """The page that asks its server for the notes, and the content security policy under which it works."""
    more = "; connect-src 'self'; form-action 'none'"
    return _filled_page("review", name, {"css": css() + _part("compact.css")}, more)


def matrix_page(name: str, data: Mapping[str, Any]) -> str:
    """The page of a matrix (`report.matrix.data`): environments across, claims down."""
    return _filled_page("matrix", name, data)[0]


PARTS = {
    "preview": ("page.html", ("page.css",), ("elements.js", "cards.js", "listing.js", "page.js")),
    "review": ("review.html", ("page.css", "review.css"), ("elements.js", "cards.js", "review.js")),
    "matrix": ("matrix.html", ("page.css", "matrix.css"), ("elements.js", "listing.js", "matrix.js")),
}
"""Of each page the body, the styles and the scripts; `frame.html` is around them."""


def _filled_page(which: str, name: str, data: Mapping[str, Any], more: str = "") -> tuple[str, str]:
    """A page with all that it needs, and its policy."""
    body, styles, scripts = PARTS[which]
    script = "".join(map(_part, scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'{more}"
    parts = {
        "NAME": html.escape(name),
        "PAGE": which,
        "POLICY": policy,
        "STYLE": "".join(map(_part, styles)),
        "BODY": _part(body).rstrip("\n"),
        # `<` would end the element it stands in, whatever the quotes around it
        "DATA": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "SCRIPT": script,
    }
    pieces = _part("frame.html").split("@@")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces)), policy


@cache
def _part(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_DECIDED = (Proof.PROVED, Proof.REFUTED)


def shown(decision: Decision, rendered: Rendered) -> dict[str, Any]:
    """A note as the script of a page takes it."""
    place = rendered.places[0]
    question = question_of(decision.note.body, rendered)
    return {
        "asks": question.text,
        "code": question.code,
        "title": html.unescape(rendered.fields[_TITLE]),
        "kind": rendered.kind,
        "tags": [tag for tag in rendered.tags if not tag.startswith("deckgen::")],
        "state": _state(decision),
        "words": [*decision.words, *([decision.proof.value] if decision.proof in _DECIDED else [])],
        "why": decision.why or "",
        "place": f"{place.source}:{place.span.first}",
        "diff": _difference(decision),
        "cards": [_card(rendered, NOTETYPES[rendered.kind], ordinal) for ordinal in rendered.ordinals],
    }


def _state(decision: Decision) -> str:
    if decision.disposition is Disposition.SHIP:
        return "unverified" if decision.unverified else "shipped"
    if decision.disposition is Disposition.SUGGEST:
        return "suggested"
    return "corrected" if decision.disposition is Disposition.CORRECT else "withheld"


def _difference(decision: Decision) -> list[str]:
    """What the notes said and what torch says, line by line: `- `, `+ ` and `  `."""
    if decision.claimed is None or decision.observed is None:
        return []
    claimed, observed = (escape.clean(text).splitlines() for text in (decision.claimed, decision.observed))
    return [line.rstrip("\n") for line in difflib.ndiff(claimed, observed) if not line.startswith("?")]


def _card(rendered: Rendered, notetype: NoteType, ordinal: int) -> dict[str, str]:
    front, back = (_with_pictures(side, rendered) for side in sides(rendered, notetype, ordinal))
    name = f"c{ordinal + 1}" if notetype.cloze else notetype.templates[ordinal].name
    return {"name": name, "front": front, "back": back}


def _with_pictures(markup: str, rendered: Rendered) -> str:
    for media in rendered.media:
        kind = mimetypes.guess_type(media.name)[0] or "application/octet-stream"
        data = base64.b64encode(media.data).decode()
        markup = markup.replace(f'src="{html.escape(media.name)}"', f'src="data:{kind};base64,{data}"')
    return markup


# --- Anki's template language, as far as deckgen's own templates use it ---------------------------------
# Sections, fields, `{{FrontSide}}`, `{{cloze:Field}}` and `{{type:Field}}`; flat deletions. A test renders
# every sample with this and with Anki and compares.

_SECTION = pattern(r"\{\{([#^])(\w+)\}\}(.*?)\{\{/\2\}\}", re.DOTALL)
_TAG = pattern(r"\{\{(?:(\w+):)?(\w+)\}\}")
_DELETION = pattern(r"\{\{c(\d+)::(.*?)(?:::(.*?))?\}\}", re.DOTALL)


def sides(rendered: Rendered, notetype: NoteType, ordinal: int) -> tuple[str, str]:
    """HTML of the question and the answer of one card."""
    fields = dict(zip(FIELDS, rendered.fields, strict=True))
    template = notetype.templates[0 if notetype.cloze else ordinal]
    front = _filled(template.front, fields, ordinal, answer=False)
    back = _filled(template.back, {**fields, "FrontSide": front}, ordinal, answer=True)
    return front, back


def _filled(template: str, fields: Mapping[str, str], ordinal: int, *, answer: bool) -> str:
    def section(found: re.Match[str]) -> str:
        shown = bool(fields[found[2]].strip()) == (found[1] == "#")
        return _SECTION.sub(section, found[3]) if shown else ""

    def field(found: re.Match[str]) -> str:
        value = fields[found[2]]
        if found[1] == "cloze":
            return _revealed(value, ordinal + 1, answer=answer)
        return _typed(value, answer=answer) if found[1] == "type" else value

    return _TAG.sub(field, _SECTION.sub(section, template))


def _revealed(value: str, number: int, *, answer: bool) -> str:
    """Deletions as Anki shows them; empty if none of them belongs to this card."""

    def deletion(found: re.Match[str]) -> str:
        if int(found[1]) != number:
            return f'<span class="cloze-inactive">{found[2]}</span>'
        asked = f"[{found[3] or '...'}]"
        return f'<span class="cloze">{found[2] if answer else asked}</span>'

    if not any(int(found[1]) == number for found in _DELETION.finditer(value)):
        return ""
    return _DELETION.sub(deletion, value)


def _typed(value: str, *, answer: bool) -> str:
    if not answer:
        return '<input id="typeans" type="text" disabled>'
    return f'<code id="typeans"><span class="typeGood">{html.escape(escape.plain(value))}</span></code>'
