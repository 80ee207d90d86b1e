"""Text as it stands in files of other kinds: saved pages, notebooks and exported chats, on lines of its own or all on one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_LINE_ENDS = re.compile(r"(<pre>.*?</pre>)|\n", re.DOTALL)


def page(texts: Sequence[str], *, one_line: bool) -> str:
    """A saved page of Markdown."""
    shown = _MARKDOWN.render("\n\n".join(texts))
    written = f"<!doctype html>\n<html><body>\n{shown}</body></html>\n"
    return _LINE_ENDS.sub(lambda found: (found[1] or " ").replace("\n", "&#10;"), written) if one_line else written


def notebook(texts: Sequence[str], *, one_line: bool) -> str:
    """A notebook in which every third text is code that shows the next one, and the others are Markdown."""
    cells = [
        {"cell_type": "code", "source": _lines(text, one_line), "outputs": [_shown(texts[at + 1], one_line)]}
        if at % 3 == 1 and at + 1 < len(texts)
        else {"cell_type": "markdown", "source": _lines(text, one_line)}
        for at, text in enumerate(texts)
    ]
    return _json({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}, one_line)


def _shown(text: str, one_line: bool) -> dict[str, object]:
    return {"output_type": "stream", "name": "stdout", "text": _lines(text, one_line)}


def _lines(text: str, one_line: bool) -> str | list[str]:
    return text if one_line else text.splitlines(keepends=True)


def chat(texts: Sequence[str], *, one_line: bool) -> str:
    """An exported chat, in which the pupil begins."""
    roles = ("user", "assistant")
    return _json([{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)], one_line)


def conversations(texts: Sequence[str], *, one_line: bool) -> str:
    """The same as ChatGPT exports it."""
    mapping = {
        str(at): {
            "message": {"author": {"role": ("user", "assistant")[at % 2]}, "content": {"parts": [text]}},
            "parent": str(at - 1) if at else None,
        }
        for at, text in enumerate(texts)
    }
    return _json([{"title": "Chat", "mapping": mapping, "current_node": str(len(texts) - 1)}], one_line)


def _json(value: object, one_line: bool) -> str:
    return json.dumps(value, ensure_ascii=one_line, indent=None if one_line else 1)


KINDS = (page, notebook, chat, conversations)
