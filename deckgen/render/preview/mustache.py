"""Anki's template language, as far as deckgen's own templates use it.

Sections, fields, `{{FrontSide}}`, `{{cloze:Field}}` and `{{type:Field}}`; flat deletions without hints. A
test renders every sample with this and with Anki and compares.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from deckgen.model.deck import FIELDS, NoteType, Rendered
from deckgen.render import escape
from deckgen.text.pattern import pattern

_SECTION = pattern(r"\{\{([#^])(\w+)\}\}(.*?)\{\{/\2\}\}", re.DOTALL)
_TAG = pattern(r"\{\{(?:(\w+):)?(\w+)\}\}")
_DELETION = pattern(r"\{\{c(\d+)::(.*?)\}\}", re.DOTALL)


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
        return f'<span class="cloze">{found[2] if answer else "[...]"}</span>'

    if not any(int(found[1]) == number for found in _DELETION.finditer(value)):
        return ""
    return _DELETION.sub(deletion, value)


def _typed(value: str, *, answer: bool) -> str:
    if not answer:
        return '<input id="typeans" type="text" disabled>'
    return f'<code id="typeans"><span class="typeGood">{html.escape(escape.plain(value))}</span></code>'
