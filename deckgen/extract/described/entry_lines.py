"""API entries without a heading of their own: `` `f(x)`: what it does ``, and a signature alone above what it does."""

from __future__ import annotations

from deckgen.extract.apis.names import api_names, signature
from deckgen.extract.described.entry_calls import Made
from deckgen.extract.page import Page
from deckgen.extract.text import code_spans, has_words, plain, width
from deckgen.model.document import Prose
from deckgen.model.note import Api
from deckgen.text.pattern import pattern

_TOLD = pattern(r"(?P<term>(?:\*\*)?`[^`\n]+`(?:\*\*)?)\s*(?:[:：]|——?|–|-{1,2}\s)\s*(?=\S)")
_LONGEST = 4
"""Lines of what is told of an API on one or two lines."""
_WIDEST = 200


def told(page: Page, index: int, block: Prose) -> Made:
    """A paragraph that says of one API, named at its beginning with what it takes, what it does."""
    if "`" not in block.text[:4] or page.chat:
        return None
    text = block.text.strip()
    if alone(text):
        return _below(page, index, text)
    found = _TOLD.match(text) if text.count("\n") < _LONGEST else None
    if found is None or not _is_call(found["term"]):
        return None
    meaning = text[found.end() :]
    if not has_words(meaning) or meaning.endswith((":", "：")):
        return None
    return _note(page, index, (index,), found["term"], meaning)


def alone(text: str) -> tuple[str, ...]:
    """The names of a paragraph that is nothing but a call in code, mostly in bold as headings are."""
    bare = text.strip().strip("*").strip()
    if "\n" in bare or not bare.startswith("`") or not bare.endswith("`") or text.startswith("`"):
        return ()
    return (
        tuple(api_names(bare))
        if _is_call(bare) and not has_words(plain(bare.replace(f"`{bare.strip('`')}`", "")))
        else ()
    )


def _is_call(term: str) -> bool:
    """One name in code, with its parentheses or in full: a lone word may be anything."""
    spans = code_spans(term)
    return len(api_names(term)) == 1 and len(list(spans)) == 1 and ("(" in signature(term) or "." in signature(term))


def _below(page: Page, index: int, text: str) -> Made:
    """The paragraph below a signature."""
    at = index + 1
    below = page.blocks[at] if at < len(page.blocks) and page.free(at) else None
    if not isinstance(below, Prose) or alone(below.text):
        return None
    meaning = below.text.strip()
    if not has_words(meaning) or meaning.endswith((":", "：", "?", "？")) or meaning.count("\n") >= _LONGEST:
        return None
    return _note(page, index, (index, at), text.strip("* "), meaning)


def _note(page: Page, index: int, blocks: tuple[int, ...], term: str, meaning: str) -> Made:
    if width(plain(meaning.partition("\n")[0])) > _WIDEST:
        return None
    span = page.blocks[blocks[0]].span | page.blocks[blocks[-1]].span
    body = Api(name=" / ".join(api_names(term)), signature=signature(term), meaning=meaning)
    return page.note(body, span, index, signature(term), rests_on=page.apis_on(page.blocks[index].span)), blocks
