"""What an author tells deckgen in words that it does not know: `<!-- deckgen: skp -->`, `python {no-rnu}`.

A comment that calls deckgen by name is meant for it, so every unknown word in it is told. The braces of a fence are
shared with other tools (`{.python .input}`, `{linenos=true}`): there only what is nearly a word of ours is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from deckgen.model.document import Code, Directive, Document, Remark
from deckgen.text.pattern import pattern

DIRECTIVES = ("skip", "id", "tags")
FENCES = ("no-run", "raises", "device", "seed", "skip", "file")
_BRACES = pattern(r"\{([^{}]*)\}")
_ATTRIBUTE = pattern(r"(?<![\w.#=:\"-])(?P<key>[A-Za-z][\w-]*)(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s,]+))?(?=[\s,]|$)")
_NEAR = 0.8
"""Of difflib's ratio: `skp`, `no-rnu`, `raise`, and not `title` or `line`."""
_SHORTEST = 3


def misspelt(document: Document) -> Iterator[Remark]:
    """A remark on each word in a directive or on a fence that is not known, in order."""
    for block in document.opened().blocks:
        if isinstance(block, Directive) and block.words:
            said = _of_directive(block.words)
        elif isinstance(block, Code) and ("{" in block.info or "no-run" in block.info):
            said = _of_fence(block.info)
        else:
            continue
        for one in said:
            yield Remark(block.span, one)


def _of_directive(words: Sequence[str]) -> Iterator[str]:
    """Behind `skip` stands a reason, in any words."""
    if words[0] == "skip":
        return
    for word in words:
        key, sign, _ = word.partition("=")
        if key == "skip":
            yield "`skip` counts only as the first word of a directive; write `<!-- deckgen: skip -->`"
        elif key not in DIRECTIVES:
            yield f"a directive says `{key}`, which is not known; {_meant(key, DIRECTIVES)}"
        elif not sign:
            yield f"a directive says `{key}` without a value; write `{key}=...`"


def _of_fence(info: str) -> Iterator[str]:
    braces = _BRACES.search(info)
    if braces is None:
        if re.search(r"\sno-run(?!\S)", info):
            yield "`no-run` counts only in braces; write `{no-run}`"
        return
    for match in _ATTRIBUTE.finditer(braces[1]):
        key = match["key"]
        if key not in FENCES and len(key) >= _SHORTEST and nearest(key, FENCES):
            yield f"a fence says `{key}`, which is not known; {_meant(key, FENCES)}"


def nearest(key: str, known: Sequence[str] = FENCES) -> str:
    """The known word that has nearly all letters of the key, or all of them in another order."""
    word = key.lower().replace("_", "-")
    swapped = (one for one in known if one[0] == word[:1] and sorted(one) == sorted(word))
    return next(swapped, "") or next(iter(get_close_matches(word, known, n=1, cutoff=_NEAR)), "")


def _meant(key: str, known: Sequence[str]) -> str:
    near = nearest(key, known)
    return f"did you mean `{near}`?" if near else f"known are {', '.join(f'`{word}`' for word in known)}"
