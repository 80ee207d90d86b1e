"""The blocks of code on the pages of this project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SKILL.md")),
        *ROOT.glob("docs/**/*.md"),
    ]
)
_COMMENT = re.compile(r"\s*<!-- (?P<key>[a-z ]+): (?P<value>.+?) -->\s*")


@dataclass(frozen=True)
class Fence:
    """One of them. `said` is what the comment right above it says: `output of`, `example` or `pattern`, and of what."""

    page: str
    line: int
    """From 1."""
    language: str
    text: str
    said: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def fences() -> Iterator[Fence]:
    """All of them, page by page. Lines that are indented to be code are one, too, without a language."""
    reader = MarkdownIt("commonmark").enable("table")
    for page in PAGES:
        lines = page.read_text("utf-8").split("\n")
        for token in reader.parse("\n".join(lines)):
            if token.type in ("fence", "code_block") and token.map:
                above = _COMMENT.fullmatch(lines[token.map[0] - 1])
                said = (above["key"], above["value"]) if above else ("", "")
                name = page.relative_to(ROOT).as_posix()
                yield Fence(name, token.map[0] + 1, token.info.strip(), token.content, said)
