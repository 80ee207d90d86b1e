"""What single lines of a scraped page are: table rows, shell commands, flattened code, frames of code boxes."""

from __future__ import annotations

import re

from deckgen.read.indentation.pylines import logical_at
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE

_FLATTENED = pattern(
    r"\s*(?:PYTHON|BASH|SHELL|CPP|JAVA|JAVASCRIPT|TYPESCRIPT|JSON|YAML|SQL|HTML|CSS|TEXT|PLAINTEXT)(?=[a-z#@$])"
)
_INLINE_BLOCK = pattern(
    r"\s*(?:(?:async )?def \w+\(.*?\)(?:\s*->.*?)?|class \w+(?:\(.*?\))?|try|with .*?|for \w.*? in .*?)\s*:\s\S"
)
_LATER_BLOCK = pattern(r"\s*[\w.]+\s*=\s*\S.*\s(?:def \w+\(.*?\)|class \w+.*?|for \w.*? in .*?|with .*?):\s")
_SPACED_CALL = pattern(r"[\w.]+\s*=\s*[\w.]+\(\s+\w")
_SHELL = pattern(
    r"\s*(?:[$%]\s+\w|(?:pip3?|conda|mamba|uv|apt(?:-get)?|brew) (?:install|uninstall|create|activate|add)\b"
    r"|(?:torchrun|accelerate launch|deepspeed|nvidia-smi|tensorboard --|git (?:clone|checkout|pull)\b"
    r"|python3?\s+(?:-m\s+)?[\w./-]+(?:\.py)?\s*(?:-|$)|cd \S|export \w+=|wget |curl |CUDA_VISIBLE_DEVICES=))"
)
_FRAME = pattern(
    r"\s*(?:(?:python3?|py|bash|shell|text|plaintext|console|output)\s*)?"
    r"(?:copy(?: code)?|(?:一键)?复制(?:代码)?|运行(?:代码)?|AI写代码|AI生成项目|登录复制)?\s*",
    re.I,
)
"""What pages write on the frame of a code box: its language, `Copy code`, `复制代码`."""


def is_row(line: str) -> bool:
    """A row of a table."""
    return line.lstrip().startswith("|") and line.count("|") >= 2


def is_shell(line: str) -> bool:
    """A command for a shell."""
    return bool(_SHELL.match(line)) and not CHINESE.search(line.split("#", maxsplit=1)[0])


def is_frame(line: str) -> bool:
    """What a page writes on the frame of a code box."""
    return bool(_FRAME.fullmatch(line))


def flattened(line: str) -> bool:
    """Whether a line is a whole snippet whose line ends are gone."""
    if _FLATTENED.match(line):
        return len(line) > 20 and bool(re.search(r"[=(#]|--", line))
    if len(line) <= 60:
        return False
    if not any(pattern.match(line) for pattern in (_INLINE_BLOCK, _SPACED_CALL, _LATER_BLOCK)):
        return False
    found = logical_at([line], 0)
    if found is None:
        return line.count("=") + line.count("(") >= 3
    # `def f(x): # note y = x + 1 return y`: all that follows the first mark is a comment to Python.
    return found.header and (found.comment.count("=") + found.comment.count("(") >= 3 or " return " in found.comment)
