"""Signatures of live objects: inspected, else as the docstring writes them, else the operator's own."""

from __future__ import annotations

import inspect
import re
import typing
from types import ModuleType
from typing import Any, Dict, List, Optional, Set, Tuple

from .api_places import InstanceAttribute, reach

Parameter = List[Any]
"""[name, kind, default as text or None]; kind is one of `KINDS`' values."""

KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional-only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "**",
}

NUMPY_NAMES = {"input": ("x", "a", "x1"), "other": ("x2",), "dim": ("axis",), "keepdim": ("keepdims",)}
"""Keywords that torch's own argument parser takes for these (torch/csrc/utils/python_arg_parser.cpp)."""


def signatures(value: Any, path: str) -> Tuple[List[Dict[str, Any]], Dict[str, str]]:
    """All signatures of a callable, the most telling first, and keywords that it takes besides.

    `inspect.signature` first; where it has nothing to say (`*args, **kwargs`, builtins) those that the docstring
    writes, and those of the operator itself. ([], {}) for what is not callable.
    """
    if isinstance(value, (InstanceAttribute, ModuleType)) or not callable(value):
        return [], {}
    name = path.rpartition(".")[2]
    inspected = _inspected(value, path)
    found = _parameter_lists(value, name, inspected)
    accepts: Dict[str, str] = {}
    if inspected is None:
        found += _operators(path)
        accepts = {new: old for old, news in NUMPY_NAMES.items() for new in news}
    return [{"text": text_of(name, one), "parameters": one} for one in found[:12]], accepts


def parameter_names(value: Any, path: str) -> Set[str]:
    """Every name that a callable's parameters have in any of its signatures; cheaper than all of `signatures`."""
    if isinstance(value, (InstanceAttribute, ModuleType)) or not callable(value):
        return set()
    found = _parameter_lists(value, path.rpartition(".")[2], _inspected(value, path))
    return {parameter[0] for one in found for parameter in one}


def _parameter_lists(value: Any, name: str, inspected: Optional[List[Parameter]]) -> List[List[Parameter]]:
    if inspected is not None and not _says_nothing(inspected):
        return [inspected, *(one for one in _documented(value, name) if _fits(one, inspected))]
    told = _documented(value, name) + (_documented(value, "__init__") if inspect.isclass(value) else [])
    if inspected is None:
        return told
    overloads = [one for one in _overloads(value) if not _says_nothing(one) or _takes_several(one)]
    return [one for one in told if not _says_nothing(one)] + overloads or [inspected]


def _overloads(value: Any) -> List[List[Parameter]]:
    """What `@typing.overload` tells of a callable that itself takes `*args, **kwargs` (from Python 3.11)."""
    get_overloads = getattr(typing, "get_overloads", None)
    body = vars(value).get("__init__") if inspect.isclass(value) else value
    if get_overloads is None or not inspect.isfunction(body):
        return []
    return [
        [_parameter(one) for one in inspect.signature(overload).parameters.values() if one.name != "self"]
        for overload in get_overloads(body)
    ]


def _parameter(one: inspect.Parameter) -> Parameter:
    return [one.name, KINDS[one.kind], None if one.default is one.empty else default_text(one.default)]


def _inspected(value: Any, path: str) -> Optional[List[Parameter]]:
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (ValueError, TypeError, RecursionError, NameError, AttributeError):
        return None
    if parameters and _takes_self(path):
        parameters = parameters[1:]
    return [_parameter(one) for one in parameters]


def _takes_self(path: str) -> bool:
    """True if the first parameter is `self`: a plain function found on a class."""
    home, _, name = path.rpartition(".")
    owner = reach(home) if home else None
    if not inspect.isclass(owner):
        return False
    own = inspect.getattr_static(owner, name, None)
    return inspect.isroutine(own) and not isinstance(own, (staticmethod, classmethod))


def default_text(value: Any) -> str:
    """A default as a signature shows it; what has no short repr is `...`."""
    if inspect.isroutine(value) or inspect.isclass(value):
        return str(getattr(value, "__name__", "..."))
    text = repr(value)
    return "..." if " at 0x" in text or len(text) > 60 else text


def _says_nothing(parameters: List[Parameter]) -> bool:
    return bool(parameters) and all(kind in ("*", "**") for _, kind, _ in parameters)


def _takes_several(overload: List[Parameter]) -> bool:
    """`*args: Module`, as one of the overloads has it: as many as one likes. With `**kwargs` it is the body's own."""
    return [kind for _, kind, _ in overload] == ["*"]


def _fits(documented: List[Parameter], inspected: List[Parameter]) -> bool:
    """A documented signature beside an inspected one counts only if every name in it is real."""
    if any(kind == "**" for _, kind, _ in inspected):
        return documented != inspected
    real = {name for name, _, _ in inspected}
    return bool(documented) and documented != inspected and all(name in real for name, _, _ in documented)


# Docstrings

_OPENING = re.compile(r"^[ \t]*(\.\. (?:py:)?(?:function|method|class)::[ \t]*)?(?:\w+\.)*(\w+)\(", re.MULTILINE)


def _documented(value: Any, name: str) -> List[List[Parameter]]:
    """The signatures that a docstring writes at the start of a line: `max(input, dim, keepdim=False)`."""
    doc = getattr(value, "__doc__", None)
    if not isinstance(doc, str) or name + "(" not in doc:
        return []
    found: List[List[Parameter]] = []
    for match in _OPENING.finditer(doc[:20000]):
        inner = balanced(doc, match.end()) if match.group(2) == name else None
        if inner is None or not _introduced(doc, match, match.end() + len(inner) + 1):
            continue
        parameters = parse_parameters(inner)
        if parameters and parameters not in found:
            found.append(parameters)
    return found[:8]


def _introduced(doc: str, match: "re.Match[str]", end: int) -> bool:
    """A signature rather than an example: first in the docstring, under a directive, or with its result."""
    return bool(match.group(1)) or not doc[: match.start()].strip() or doc[end : end + 6].lstrip().startswith("->")


def balanced(text: str, start: int) -> Optional[str]:
    """The text from `start` to the parenthesis that closes it, or None within 1,000 characters."""
    depth = 1
    for position in range(start, min(len(text), start + 1000)):
        depth += (text[position] in "([{") - (text[position] in ")]}")
        if depth == 0:
            return text[start:position]
    return None


def _split(text: str) -> List[str]:
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


_PARAMETER = re.compile(r"^(\*{0,2})([A-Za-z_]\w*)\s*(?::\s*[^=]+?)?\s*(?:=\s*(.+))?$", re.DOTALL)


def parse_parameters(text: str) -> Optional[List[Parameter]]:
    """Parameters as a docstring writes them, or None if that is not a list of parameters."""
    parameters: List[Parameter] = []
    kind = "positional"
    flat = text.replace("\\*", "*").replace("`", "")
    if "[," in flat:
        flat = flat.replace("[", "").replace("]", "")
    for part in (one.strip() for one in _split(flat)):
        if part in ("", "...", "/", "*"):
            kind = "keyword" if part == "*" else kind
            continue
        match = _PARAMETER.match(part)
        if not match:
            return None
        stars, name, default = match.groups()
        parameters.append([name, stars or kind, default])
        kind = "keyword" if stars == "*" else kind
    return parameters


# Operators


def _operators(path: str) -> List[List[Parameter]]:
    """The signatures of the operator behind a builtin, as its schema has them."""
    import torch

    method = path.startswith("torch.Tensor.")
    try:
        schemas = torch._C._jit_get_schemas_for_operator("aten::" + _operator_name(path))
    except Exception:  # private, and gone in another torch: the docstring has to do
        return []
    found: List[List[Parameter]] = []
    for schema in schemas:
        arguments = list(schema.arguments)
        if any(one.name == "out" for one in arguments) or not _on_tensors(schema):
            continue
        parameters = [_argument(one) for one in arguments if not (method and one.name == "self")]
        if parameters and parameters not in found:
            found.append(parameters)
    return found[:8]


_WITHOUT_PREFIX = ("Tensor", "nn", "functional", "_C", "_nn")
"""Parts of a path that the names of operators leave out: `torch.nn.functional.conv2d` is `aten::conv2d`."""


def _operator_name(path: str) -> str:
    """`linalg_svd` of `torch.linalg.svd`: an older operator called `svd` takes other parameters."""
    return "_".join(part for part in path.split(".")[1:] if part not in _WITHOUT_PREFIX)


def _on_tensors(schema: Any) -> bool:
    """Leaves out the overloads that TorchScript has for strings, lists and numbers."""
    return any("Tensor" in str(one.type) for one in [*schema.arguments, *schema.returns])


def _argument(argument: Any) -> Parameter:
    name = "input" if argument.name == "self" else argument.name
    default = default_text(argument.default_value) if argument.has_default_value() else None
    return [name, "keyword" if argument.kwarg_only else "positional", default]


def text_of(name: str, parameters: List[Parameter]) -> str:
    """`add_scalar(tag, scalar_value, global_step=None)`: a signature without annotations."""
    parts: List[str] = []
    starred = False
    for parameter, kind, default in parameters:
        if kind == "keyword" and not starred:
            parts.append("*")
        starred = starred or kind in ("*", "keyword")
        star = kind if kind in ("*", "**") else ""
        parts.append(star + parameter + ("" if default is None else "=" + default))
    return "{}({})".format(name, ", ".join(parts))
