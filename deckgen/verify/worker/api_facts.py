"""What is known of one live object: its signatures, and what torch says about it in its docstring and its code.

Signatures are inspected, else as the docstring writes them, else the operator's own.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import textwrap
from types import ModuleType
from typing import Any, Dict, Iterator, List, Match, Optional, Set, Tuple

from .api_places import ON_INSTANCES, member, reach

Parameter = List[Any]
"""[name, kind, default as text or None]; kind is one of `KINDS`."""
Json = Dict[str, Any]

KINDS = ("positional-only", "positional", "*", "keyword", "**")
"""In the order of `inspect.Parameter`'s own."""
NUMPY_NAMES = {"x": "input", "a": "input", "x1": "input", "x2": "other", "axis": "dim", "keepdims": "keepdim"}
"""Keywords that torch's own argument parser takes for others (torch/csrc/utils/python_arg_parser.cpp)."""
UNKNOWN: Json = {
    "kind": "value",
    "signatures": [],
    "accepts": {},
    "deprecated": None,
    "removed": None,
    "inherited": False,
    "doc": "",
    "about": {},
    "gives_tensor": False,
    "names": None,
    "inside": None,
}
"""The facts about an object of which nothing can be found out."""


def describe(value: Any, path: str) -> Json:
    """The facts about one live object."""
    home, _, name = path.rpartition(".")
    owner = reach(home) if home else None
    facts = {**UNKNOWN, "inherited": inspect.isclass(owner) and name not in vars(owner)}
    if value is ON_INSTANCES:
        return {**facts, "kind": "attribute"}
    facts["doc"] = first_sentence(value)
    if inspect.ismodule(value):
        return {**facts, "kind": "module"}
    facts.update(deprecated=deprecation(value), removed=_unconditional(value, "raise", "removed"))
    if inspect.isclass(value):
        facts["kind"] = "class"
    elif inspect.isdatadescriptor(value):
        facts["kind"] = "property"
    elif callable(value):
        facts["kind"] = "method" if inspect.isclass(owner) else "function"
    if not callable(value):
        return facts
    inspected = _inspected(value, path)
    found = _parameter_lists(value, name, inspected)
    if inspected is None:
        found += _operators(path)
        facts["accepts"] = NUMPY_NAMES
    facts["signatures"] = [{"text": text_of(name, one), "parameters": one} for one in found[:12]]
    facts["about"] = parameter_docs(value) if found else {}
    facts["gives_tensor"] = gives_tensor(value, name)
    return facts


# Signatures


def parameter_names(value: Any, path: str) -> Set[str]:
    """Every name that a callable's parameters have in its inspected or documented signatures."""
    if isinstance(value, ModuleType) or not callable(value):
        return set()
    found = _parameter_lists(value, path.rpartition(".")[2], _inspected(value, path))
    return {parameter[0] for one in found for parameter in one}


def _parameter_lists(value: Any, name: str, inspected: Optional[List[Parameter]]) -> List[List[Parameter]]:
    """The most telling first."""
    documented = _documented(value, name)
    if inspected is not None and not _says_nothing(inspected):
        real = {name for name, _, _ in inspected}
        anything = "**" in (kind for _, kind, _ in inspected)
        fitting = (one for one in documented if anything or real.issuperset(name for name, _, _ in one))
        return [inspected, *(one for one in fitting if one != inspected)]
    documented += _documented(value, "__init__") if inspect.isclass(value) else []
    if inspected is None:
        return documented
    return [one for one in documented if not _says_nothing(one)] or [inspected]


def _parameter(one: inspect.Parameter) -> Parameter:
    return [one.name, KINDS[one.kind], None if one.default is one.empty else _default_text(one.default)]


def _inspected(value: Any, path: str) -> Optional[List[Parameter]]:
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (ValueError, TypeError, RecursionError, NameError, AttributeError):
        return None
    home, _, name = path.rpartition(".")
    owner = reach(home) if home else None
    own = inspect.getattr_static(owner, name, None) if inspect.isclass(owner) else None
    takes_self = inspect.isroutine(own) and not isinstance(own, (staticmethod, classmethod))
    return [_parameter(one) for one in parameters[takes_self:]]


def _default_text(value: Any) -> str:
    """A default as a signature shows it; what has no short repr is `...`."""
    if inspect.isroutine(value) or inspect.isclass(value):
        return str(getattr(value, "__name__", "..."))
    text = repr(value)
    return "..." if " at 0x" in text or len(text) > 60 else text


def _says_nothing(parameters: List[Parameter]) -> bool:
    return bool(parameters) and all(kind in ("*", "**") for _, kind, _ in parameters)


_ROUND = r"\((?:[^()]|\([^()]*\))*\)"
_SQUARE = r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
_BEFORE_NAME = re.compile(r"[ \t]*(\.\. (?:py:)?(?:function|method|class)::[ \t]*)?(?:\w+\.)*")
_AFTER_NAME = re.compile("(" + _ROUND + r")(\s{0,4}->)?")
_PART = re.compile(rf"(?:[^,()\[\]]|{_ROUND}|{_SQUARE}|[()\[\]])+")
_PARAMETER = re.compile(r"^(\*{0,2})([A-Za-z_]\w*)\s*(?::\s*[^=]+?)?\s*(?:=\s*(.+))?$", re.DOTALL)


def _openings(doc: str, name: str) -> Iterator[Tuple[int, bool, Match[str]]]:
    """(start, whether a directive leads it, its parameters and the arrow to its result) of each line of a docstring that begins
    with a call of this name. An expression for each name would take longer to compile than to match.
    """
    at = end = 0
    while (found := doc.find(name + "(", at)) >= 0:
        start = doc.rfind("\n", 0, found) + 1
        before = _BEFORE_NAME.fullmatch(doc, start, found) if start >= end else None
        after = _AFTER_NAME.match(doc, found + len(name)) if before else None
        if before and after:
            yield start, bool(before[1]), after
            end = after.end()
        at = max(end, found + 1)


def _documented(value: Any, name: str) -> List[List[Parameter]]:
    """The signatures that a docstring writes at the start of a line: `max(input, dim, keepdim=False)`.

    No examples: first in the docstring, under a directive, or with its result.
    """
    doc = getattr(value, "__doc__", None)
    if not isinstance(doc, str) or name + "(" not in doc:
        return []
    found: List[List[Parameter]] = []
    for start, directive, match in _openings(doc[:20000], name):
        if directive or match[2] or not doc[:start].strip():
            parameters = parse_parameters(match[1][1:-1])
            if parameters and parameters not in found:
                found.append(parameters)
    return found[:8]


def gives_tensor(value: Any, name: str) -> bool:
    """True if a callable returns one tensor whatever it is given: so say all signatures of its docstring, or its annotation."""
    doc = getattr(value, "__doc__", None)
    matches = [match for _, _, match in _openings(doc[:20000], name)] if isinstance(doc, str) else []
    results = {match.string[match.end() :].partition("\n")[0].strip(" :") for match in matches if match[2]}
    annotated = getattr(value, "__annotations__", {}).get("return")
    return results <= _TENSORS if results else getattr(annotated, "__name__", annotated) == "Tensor"


_TENSORS = {"Tensor", "LongTensor"}


def parse_parameters(text: str) -> Optional[List[Parameter]]:
    """Parameters as a docstring writes them, or None if that is not a list of parameters."""
    parameters: List[Parameter] = []
    kind = "positional"
    flat = text.replace("\\*", "*").replace("`", "")
    if "[," in flat:
        flat = flat.replace("[", "").replace("]", "")
    for part in map(str.strip, _PART.findall(flat)):
        match = _PARAMETER.match(part)
        if match:
            stars, name, default = match.groups()
            parameters.append([name, stars or kind, default])
        elif part not in ("", "...", "/", "*"):
            return None
        if part == "*" or (match and match[1] == "*"):
            kind = "keyword"
    return parameters


def _operators(path: str) -> List[List[Parameter]]:
    """The signatures of the operator behind a builtin, as its schema has them."""
    import torch

    # `linalg_svd` of `torch.linalg.svd`: an older operator called `svd` takes other parameters.
    left_out = ("torch", "Tensor", "nn", "functional", "_C", "_nn")
    operator = "aten::" + "_".join(part for part in path.split(".") if part not in left_out)
    try:
        schemas = torch._C._jit_get_schemas_for_operator(operator)
    except Exception:  # private, and gone in another torch: the docstring has to do
        return []
    found: List[List[Parameter]] = []
    for schema in schemas:
        arguments = list(schema.arguments)
        # TorchScript has overloads for strings, lists and numbers too.
        on_tensors = any("Tensor" in str(one.type) for one in [*arguments, *schema.returns])
        if not on_tensors or any(one.name == "out" for one in arguments):
            continue
        parameters = [
            [
                "input" if one.name == "self" else one.name,
                "keyword" if one.kwarg_only else "positional",
                _default_text(one.default_value) if one.has_default_value() else None,
            ]
            for one in arguments
            if one.name != "self" or not path.startswith("torch.Tensor.")
        ]
        keywords = {name for name, kind, _ in parameters if kind == "keyword"}
        if keywords >= _OF_FACTORIES and "non_blocking" not in keywords:  # Python's binding adds it to these
            parameters.append(["requires_grad", "keyword", "False"])
        if parameters and parameters not in found:
            found.append(parameters)
    return found[:8]


_OF_FACTORIES = {"dtype", "layout", "device", "pin_memory"}


def text_of(name: str, parameters: List[Parameter]) -> str:
    """`add_scalar(tag, scalar_value, global_step=None)`: a signature without annotations."""
    parts: List[str] = []
    kinds = [kind for _, kind, _ in parameters]
    for at, (parameter, kind, default) in enumerate(parameters):
        if kind == "keyword" and not {"*", "keyword"}.intersection(kinds[:at]):
            parts.append("*")
        star = kind if kind in ("*", "**") else ""
        parts.append(star + parameter + ("" if default is None else "=" + default))
    return "{}({})".format(name, ", ".join(parts))


# What torch says

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
_ARGUMENTS = re.compile(r"^(?:Args|Arguments|Parameters|Keyword [Aa]rg(?:ument)?s)\s*:", re.MULTILINE)
_OPENING_END = re.compile(r"^\s*(?:Args|Arguments|Parameters|Keyword [Aa]rg(?:ument)?s|Returns)\s*:", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_DESCRIBED = re.compile(r"^(\s*)\*{0,2}([A-Za-z_]\w*)\*{0,2}\s*(?:\(([^)\n]*)\))?\s*(?::|--)[ \t]*(.*)$")


def source_of(value: Any) -> str:
    """`inspect.getsource`, "" where there is none."""
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return ""


@functools.lru_cache(maxsize=None)
def _source_of_function(function: Any) -> str:
    return source_of(function)


def deprecation(value: Any) -> Optional[str]:
    """What torch says about an object being deprecated, or None.

    From the `@deprecated` decorator, the opening of its docstring, or an unconditional warning in its body.
    """
    own = vars(value).get("__deprecated__") if inspect.isclass(value) else member(value, "__deprecated__")
    if isinstance(own, str):
        return one_line(own)
    doc = getattr(value, "__doc__", None)
    if isinstance(doc, str) and callable(value):
        doc = inspect.cleandoc(doc)
        # The opening, before the arguments, and every warning that stands at the left margin.
        for text in (_OPENING_END.split(doc[:3000])[0], *_WARNINGS.findall(doc)):
            match = _DEPRECATED.search(text) if "deprecated" in text.lower() else None  # the search takes a millisecond
            if match and not _is_about_a_part(match.group()):
                return one_line(match.group())
    return _unconditional(value, "warn", "deprecat")


def _is_about_a_part(text: str) -> bool:
    """True if the subject of "is deprecated" is a parameter or a way of using the object, not the object."""
    subject = re.split("deprecated", text, maxsplit=1, flags=re.IGNORECASE)[0].strip()
    return _ABOUT_A_PART.search(subject) is not None or subject in ("is", "are", "has been", "was", "now")


def _unconditional(value: Any, what: str, word: str) -> Optional[str]:
    """The text of a warning or error that every call meets, if it holds `word`."""
    body = vars(value).get("__init__") if inspect.isclass(value) else value
    source = _source_of_function(body) if inspect.isfunction(body) else ""
    if word not in source.lower():
        return None
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError):
        return None
    for statement in getattr(tree.body[0], "body", ()):
        called = getattr(getattr(statement, "value", None), "func", None)
        name = getattr(called, "attr", getattr(called, "id", ""))
        if isinstance(statement, ast.Raise) if what == "raise" else name in ("warn", "warn_once", "warning_once"):
            constants = (one.value for one in ast.walk(statement) if isinstance(one, ast.Constant))
            text = "".join(one for one in constants if isinstance(one, str))
            if word in text.lower() and (what == "raise" or not _is_about_a_part(text)):
                return one_line(text)
    return None


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
            return _SENTENCE_END.split(text)[0]
    return ""


def parameter_docs(value: Any) -> Dict[str, str]:
    """What a docstring says about each parameter, by name, in one line each."""
    found: Dict[str, str] = {}
    for part in _ARGUMENTS.split(inspect.getdoc(value) or "")[1:]:
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
    return {name: _SENTENCE_END.split(one_line(text))[0] for name, text in found.items()}
