"""What torch itself says about an object: its first sentence, its parameters, whether it is deprecated or gone."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from types import ModuleType
from typing import Any, Dict, List, Optional

from .api_places import InstanceAttribute, member

_DEPRECATED = re.compile(
    r"^\s*\.\. deprecated::[^\n]*(?:\n\s+[^\n]+)*"
    r"|(?:[^.\n]|\.(?!\s))*\b(?:is|are|been|now|was)\s+deprecated\b[^\n]*(?:\n[ \t]*\S[^\n]*)?"
    r"|^\W*deprecated\b[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_ABOUT_A_PART = re.compile(
    r"\b(argument|arg|parameter|param|option|keyword|kwarg|passing|default value|attr|behaviou?r|usage|mode|use of)"
    r"|\w=\w",
    re.IGNORECASE,
)
_WARNINGS = re.compile(r"^\.\. (?:warning|deprecated)::[^\n]*(?:\n(?:[ \t][^\n]*)?)*", re.MULTILINE)
_ARGUMENTS = re.compile(r"^\s*(?:Args|Arguments|Parameters|Keyword args|Keyword Arguments|Returns)\s*:", re.MULTILINE)


def source_of(value: Any) -> str:
    """`inspect.getsource`, "" where there is none."""
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return ""


def deprecation(value: Any) -> Optional[str]:
    """What torch says about an object being deprecated, or None.

    From the `@deprecated` decorator, the opening of its docstring, or an unconditional warning in its body.
    """
    if isinstance(value, (InstanceAttribute, ModuleType)):
        return None
    own = vars(value).get("__deprecated__") if inspect.isclass(value) else member(value, "__deprecated__")
    if isinstance(own, str):
        return one_line(own)
    doc = getattr(value, "__doc__", None)
    if isinstance(doc, str) and (inspect.isclass(value) or callable(value)):
        for text in _places_to_say_so(inspect.cleandoc(doc)):
            match = _DEPRECATED.search(text)
            if match and not _is_about_a_part(match.group()):
                return one_line(match.group())
    return _unconditional(value, "warn", "deprecat")


def _places_to_say_so(doc: str) -> List[str]:
    """The opening of a docstring, before its arguments, and every warning that stands at its left margin."""
    return [_ARGUMENTS.split(doc[:3000])[0], *_WARNINGS.findall(doc)]


def _is_about_a_part(text: str) -> bool:
    """True if the subject of "is deprecated" is a parameter or a way of using the object, not the object."""
    subject = re.split("deprecated", text, maxsplit=1, flags=re.IGNORECASE)[0].strip()
    return _ABOUT_A_PART.search(subject) is not None or subject in ("is", "are", "has been", "was", "now")


def removal(value: Any) -> Optional[str]:
    """The message of a function that exists only to say that it is gone, or None."""
    return _unconditional(value, "raise", "removed")


def _unconditional(value: Any, what: str, word: str) -> Optional[str]:
    """The text of a warning or error that every call meets, if it holds `word`."""
    body = vars(value).get("__init__") if inspect.isclass(value) else value
    if not inspect.isfunction(body):
        return None
    source = source_of(body)
    if word not in source.lower():
        return None
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError):
        return None
    if not tree.body or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    texts = [_text_in(statement) for statement in tree.body[0].body if _is(statement, what)]
    told = (text for text in texts if word in text.lower())
    return next((one_line(text) for text in told if what == "raise" or not _is_about_a_part(text)), None)


def _text_in(statement: ast.stmt) -> str:
    return "".join(
        one.value for one in ast.walk(statement) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


def _is(statement: ast.stmt, what: str) -> bool:
    if what == "raise":
        return isinstance(statement, ast.Raise)
    call = statement.value if isinstance(statement, ast.Expr) else None
    called = call.func if isinstance(call, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) in ("warn", "warn_once", "warning_once")


def one_line(text: str) -> str:
    """Text without line ends and reStructuredText marks, its first sentences within 200 characters."""
    text = re.sub(r"\.\. \w+::\s*[\d.]*", "", text)
    text = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text).replace("``", "`")
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) <= 200:
        return text
    cut = max(text.rfind(". ", 0, 200), text.rfind("; ", 0, 200))
    return text[: cut + 1] if cut > 0 else text[:199] + "…"


def first_sentence(value: Any) -> str:
    """First sentence of a docstring's prose, roles and signatures taken off; "" if there is none."""
    doc = value.__doc__ if isinstance(getattr(value, "__doc__", None), str) else ""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(doc)):
        if paragraph.startswith((".. ", ">>>", "- ")):
            continue
        text = one_line(re.sub(r"^[\w.]+\([^)]*\)[^\n]*(?:\n|$)", "", paragraph))
        if text:
            return re.split(r"(?<=[.!?])\s+(?=[A-Z(])", text)[0]
    return ""


_DESCRIBED = re.compile(r"^(\s*)\*{0,2}([A-Za-z_]\w*)\*{0,2}\s*(?:\(([^)\n]*)\))?\s*(?::|--)[ \t]*(.*)$")


def parameter_docs(value: Any) -> Dict[str, str]:
    """What a docstring says about each parameter, by name, in one line each."""
    doc = "" if isinstance(value, InstanceAttribute) else inspect.getdoc(value) or ""
    parts = re.split(r"^(?:Args|Arguments|Parameters|Keyword [Aa]rg(?:ument)?s)\s*:", doc, flags=re.MULTILINE)
    found: Dict[str, str] = {}
    for part in parts[1:]:
        name, indent = "", -1
        for line in part.split("\n"):
            depth = len(line) - len(line.lstrip())
            match = _DESCRIBED.match(line)
            if line.strip() and depth == 0:
                break
            if match and (indent < 0 or depth <= indent):
                name, indent = match.group(2), depth
                found[name] = match.group(4).strip()
            elif name and line.strip():
                found[name] += " " + line.strip()
    return {name: re.split(r"(?<=[.!?])\s+(?=[A-Z])", one_line(text))[0] for name, text in found.items()}
