"""Looks API names up in the torch that is installed here. Standard library and torch only.

Runs inside a worker process (any Python from 3.8 that has torch), or as a script that reads a
request as JSON on stdin and writes the answer on stdout. It reports facts; judging is done by
`deckgen.verify.api` in the parent.

Request::

    {"names": ["nn.Linear", "Optimizer.step", "torch.utils.benchmark::sub_label", ...],
     "members": ["torch.nn"],     # objects whose public names are wanted too
     "pool": false,               # every public name of the usual places, for names found nowhere
     "uses": false}               # which torch.nn.functional functions each torch.nn class calls

A name is looked up as a reader of PyTorch notes would: `F`, `nn`, `optim` are the usual aliases, and a bare
name is searched in the usual places. `SCOPE::name` asks for `name` anywhere inside `SCOPE`: a member, a
member of a member, or a parameter of either.

Answer::

    {"torch": "2.13.0",
     "names": {written: {"object": path or null, "rest": "", "hits": [[path, "parameter"], ...],
                         "problem": null}},
     "objects": {path: {"kind", "signatures", "accepts", "deprecated", "removed", "doc",
                        "names", "inside"}},
     "pool": {name: path}, "uses": {"BCELoss": ["binary_cross_entropy"]}}

`rest` is what could not be found on `object`; everything is plain JSON.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import json
import re
import sys
import warnings
from types import ModuleType

ALIASES = {
    "torch": "torch",
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "functional": "torch.nn.functional",
    "init": "torch.nn.init",
    "optim": "torch.optim",
    "lr_scheduler": "torch.optim.lr_scheduler",
    "autograd": "torch.autograd",
    "data": "torch.utils.data",
    "dist": "torch.distributed",
    "Module": "torch.nn.Module",
    "Function": "torch.autograd.Function",
    "SummaryWriter": "torch.utils.tensorboard.SummaryWriter",
    "DDP": "torch.nn.parallel.DistributedDataParallel",
    "FSDP": "torch.distributed.fsdp.FullyShardedDataParallel",
    "Scheduler": "torch.optim.lr_scheduler.LRScheduler",
    "ctx": "torch.autograd.function.FunctionCtx",
}
"""What the first word of a written name stands for by custom."""

HOMES = (
    "torch",
    "torch.nn",
    "torch.utils.data",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.autograd",
    "torch.autograd.function",
    "torch.utils.checkpoint",
    "torch.utils.benchmark",
    "torch.utils",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.nn.init",
    "torch.nn.functional",
    "torch.nn.parallel",
    "torch.cuda",
    "torch.amp",
    "torch.profiler",
    "torch.Tensor",
    "torch.nn.Module",
    "torch.optim.Optimizer",
)
"""Where a bare name is looked for, in this order; the first that has it wins."""

STAND_INS = {
    # The documented class is a mixin of the class whose instances people hold.
    "torch.autograd.function.FunctionCtx": "torch.autograd.function.BackwardCFunction",
}

NUMPY_NAMES = {"input": ("x", "a", "x1"), "other": ("x2",), "dim": ("axis",), "keepdim": ("keepdims",)}
"""Keywords that torch's own argument parser takes for these (torch/csrc/utils/python_arg_parser.cpp)."""

KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional-only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "**",
}

_MISSING = object()


def introspect(request):
    """The facts for a request (see the module's docstring). Never raises for a name that is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch

        lookup = _Lookup()
        names = {}
        for written in request.get("names", ()):
            names[written] = lookup.find(written)
        for path in request.get("members", ()):
            found = lookup.find(path)
            if found["object"] and not found["rest"]:
                lookup.tell_names(found["object"])
        answer = {"torch": torch.__version__, "names": names, "objects": lookup.objects, "pool": {}, "uses": {}}
        if request.get("pool"):
            answer["pool"] = lookup.pool()
        if request.get("uses"):
            answer["uses"] = functions_used()
    return answer


class _Lookup:
    """One request's worth of lookups, with what was found so far."""

    def __init__(self):
        self.objects = {}
        self.live = {}
        self.indexes = {}

    def find(self, written):
        """Where a written name leads: the object reached, what is left over, and hits inside a scope."""
        scope, _, inner = written.partition("::")
        found = self.walk(scope)
        found["hits"] = []
        if inner and found["object"] and not found["rest"]:
            found["hits"] = self.hits(found["object"], inner)
            if not found["hits"]:
                self.objects[found["object"]]["inside"] = sorted(self.index(found["object"]))
            for path, _ in found["hits"]:
                self.describe(path)
        return found

    def walk(self, written):
        parts = written.split(".")
        head, rest = parts[0], parts[1:]
        found = {"object": None, "rest": written, "problem": None}
        start = ALIASES.get(head) or self.home_of(head)
        if start is None:
            return found
        value, path, left, problem = _follow("torch", start.split(".")[1:] + rest)
        found.update(object=path, rest=".".join(left), problem=problem)
        self.live[path] = value
        self.describe(path)
        if left:
            self.tell_names(path)
        return found

    def home_of(self, name):
        """The first of the usual places that has a public name."""
        if not name.isidentifier() or name.startswith("_"):
            return None
        for home in HOMES:
            value = _reach(home)
            if value is not _MISSING and _member(value, name) is not _MISSING:
                return home + "." + name
        return None

    def describe(self, path):
        if path not in self.objects:
            value = self.live.get(path, _MISSING)
            if value is _MISSING:
                value = _reach(path)
            self.live[path] = value
            self.objects[path] = describe(value, path)
        return self.objects[path]

    def tell_names(self, path):
        self.describe(path)["names"] = public_names(self.live[path])

    def hits(self, path, name):
        return self.index(path).get(name, [])[:5]

    def index(self, path):
        """Every name inside an object: its members, its members' members, and all their parameters."""
        if path not in self.indexes:
            index = {}
            _note_inside(index, self.live[path], path, depth=2)
            self.indexes[path] = index
        return self.indexes[path]

    def pool(self):
        """Public names of the usual places and where they live."""
        pool = {}
        for home in HOMES:
            value = _reach(home)
            for name in public_names(value) if value is not _MISSING else ():
                pool.setdefault(name, home + "." + name)
        return pool


# Finding objects


def _member(value, name):
    """`getattr` that survives anything a lazy module may raise."""
    try:
        return getattr(value, name, _MISSING)
    except Exception:
        return _MISSING


def _reach(path):
    value, _, left, _ = _follow("torch", path.split(".")[1:])
    return _MISSING if left else value


def _follow(root, parts):
    """Walk from a module as far as `parts` lead: (object, its path, parts left, what went wrong)."""
    value, path = importlib.import_module(root), root
    problem = None
    parts = list(parts)
    while parts:
        step, problem = _step(value, path, parts[0])
        if step is _MISSING:
            break
        value, path = step, path + "." + parts.pop(0)
    return value, path, parts, problem


def _step(value, path, name):
    member = _member(value, name)
    if member is not _MISSING:
        return member, None
    if inspect.ismodule(value):
        return _submodule(value, name)
    if inspect.isclass(value) and _on_instances(value, path, name):
        return InstanceAttribute(value, name), None
    return _MISSING, None


def _submodule(package, name):
    """Import a submodule of torch by name; private modules and scripts are left alone."""
    if not hasattr(package, "__path__") or name.startswith("_") or not name.isidentifier():
        return _MISSING, None
    full = package.__name__ + "." + name
    try:
        if importlib.util.find_spec(full) is None:
            return _MISSING, None
        return importlib.import_module(full), None
    except ModuleNotFoundError as error:
        return _MISSING, "missing-module {}".format(error.name or full)
    except (Exception, SystemExit) as error:
        return _MISSING, "{}: {}".format(type(error).__name__, error)


class InstanceAttribute:
    """An attribute that instances have and their class does not show."""

    def __init__(self, owner, name):
        self.owner = owner
        self.__name__ = name
        self.__doc__ = None


def _on_instances(cls, path, name):
    stand_in = _reach(STAND_INS[path]) if path in STAND_INS else _MISSING
    if stand_in is not _MISSING and _member(stand_in, name) is not _MISSING:
        return True
    for base in cls.__mro__[:-1]:
        if name in base.__dict__.get("__annotations__", {}) or name in _slots(base):
            return True
        if name in _assigned_on_self(base):
            return True
    return False


def _slots(cls):
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


_SELF = re.compile(
    r"\bself\.([A-Za-z_]\w*)\s*(?::[^=\n]+)?=[^=]|register_(?:buffer|parameter)\(\s*['\"](\w+)['\"]"
)
_ASSIGNED = {}


def _assigned_on_self(cls):
    """Names that a class's own source assigns on `self` or registers as buffer or parameter."""
    if cls not in _ASSIGNED:
        source = _source(cls)
        _ASSIGNED[cls] = {one or two for one, two in _SELF.findall(source)}
    return _ASSIGNED[cls]


def _source(value):
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return ""


def public_names(value):
    """Public names of a module or class, sorted; a module's `__all__` and its submodules count."""
    names = {name for name in dir(value) if not name.startswith("_") and not _is_leftover(value, name)}
    names.update(getattr(value, "__all__", ()) or ())
    if inspect.isclass(value):
        for base in value.__mro__[:-1]:
            names.update(name for name in _assigned_on_self(base) if not name.startswith("_"))
            names.update(name for name in base.__dict__.get("__annotations__", {}) if not name.startswith("_"))
    return sorted(names)


def _is_leftover(value, name):
    """A module that another one merely imported: `torch.os`, `torch.torch`."""
    member = _member(value, name) if inspect.ismodule(value) else None
    return inspect.ismodule(member) and member.__name__ != value.__name__ + "." + name


def _note_inside(index, value, path, depth):
    for parameter in _parameter_names(value, path):
        index.setdefault(parameter, []).append([path, "parameter"])
    if depth == 0 or not (inspect.ismodule(value) or inspect.isclass(value)):
        return
    names = getattr(value, "__all__", None) if inspect.ismodule(value) else None
    for name in names or public_names(value):
        member = _member(value, name)
        if inspect.ismodule(member) and not str(member.__name__).startswith("torch"):
            continue
        index.setdefault(name, []).insert(0, [path + "." + name, "member"])
        if member is not _MISSING and not inspect.ismodule(member):
            _note_inside(index, member, path + "." + name, depth - 1)


def _parameter_names(value, path):
    if inspect.ismodule(value) or not callable(value):
        return set()
    return {
        parameter[0] for signature in signatures(value, path)[0] for parameter in signature["parameters"]
    }


# Describing objects


def describe(value, path):
    """The facts about one live object."""
    found, accepts = signatures(value, path)
    return {
        "kind": kind_of(value, path),
        "signatures": found,
        "accepts": accepts,
        "deprecated": deprecation(value),
        "removed": removal(value),
        "doc": first_sentence(value),
        "names": None,
        "inside": None,
    }


def kind_of(value, path):
    """`module`, `class`, `method`, `function`, `property`, `attribute` (instances only) or `value`."""
    if isinstance(value, InstanceAttribute):
        return "attribute"
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    if isinstance(value, property) or inspect.isdatadescriptor(value):
        return "property"
    if callable(value):
        owner = _reach(path.rpartition(".")[0])
        return "method" if inspect.isclass(owner) else "function"
    return "value"


def signatures(value, path):
    """All signatures of a callable, the most telling first, and keywords that it takes besides.

    `inspect.signature` first; where it has nothing to say (`*args, **kwargs`, builtins) the signatures that the
    docstring writes, and those of the operator itself. Returns ([], {}) for what is not callable.
    """
    if isinstance(value, (InstanceAttribute, ModuleType)) or not callable(value):
        return [], {}
    name = path.rpartition(".")[2]
    inspected = _inspected(value, path)
    documented = _documented(value, name)
    found = [] if inspected is None else [inspected]
    if inspected is None or _says_nothing(inspected):
        found = documented + found
    else:
        found += [one for one in documented if _fits(one, inspected)]
    accepts = {}
    if inspected is None:
        found += _operators(name, path)
        accepts = {new: old for old, news in NUMPY_NAMES.items() for new in news}
    return [{"text": _text(name, one), "parameters": one} for one in found[:12]], accepts


def _inspected(value, path):
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (ValueError, TypeError, RecursionError, NameError):
        return None
    owner = _reach(path.rpartition(".")[0]) if "." in path else None
    if parameters and _is_bound_first(value, owner, path):
        parameters = parameters[1:]
    return [
        [one.name, KINDS[one.kind], None if one.default is one.empty else _default(one.default)]
        for one in parameters
    ]


def _is_bound_first(value, owner, path):
    """True if the first parameter is `self`: a plain function found on a class."""
    if not inspect.isclass(owner):
        return False
    own = inspect.getattr_static(owner, path.rpartition(".")[2], None)
    return inspect.isroutine(own) and not isinstance(own, (staticmethod, classmethod))


def _default(value):
    if inspect.isfunction(value) or inspect.isclass(value):
        return value.__name__
    text = repr(value)
    if " at 0x" in text or len(text) > 60:
        return "..."
    return text


def _says_nothing(parameters):
    return all(kind in ("*", "**") for _, kind, _ in parameters) and bool(parameters)


def _fits(documented, inspected):
    """A documented signature beside an inspected one counts only if every name in it is real."""
    real = {name for name, _, _ in inspected}
    if any(kind == "**" for _, kind, _ in inspected):
        return True
    return bool(documented) and all(name in real for name, _, _ in documented)


_OPENING = r"(?m)^[ \t]*(\.\. (?:py:)?(?:function|method|class)::[ \t]*)?(?:torch\.)?(?:[A-Z]\w*\.)?%s\("


def _documented(value, name):
    """The signatures that a docstring writes at the start of a line: `max(input, dim, keepdim=False)`."""
    doc = getattr(value, "__doc__", None)
    if not isinstance(doc, str):
        return []
    found = []
    for match in re.finditer(_OPENING % re.escape(name), doc[:20000]):
        inner = _balanced(doc, match.end())
        if inner is None or not _introduced(doc, match, match.end() + len(inner) + 1):
            continue
        parameters = _parse_parameters(inner)
        if parameters and parameters not in found:
            found.append(parameters)
    return found[:8]


def _introduced(doc, match, end):
    """A signature rather than an example: first in the docstring, under a directive, or with its result."""
    return bool(match.group(1)) or not doc[: match.start()].strip() or doc[end : end + 6].lstrip().startswith("->")


def _balanced(text, start):
    """The text from `start` to the parenthesis that closes it, or None within 1,000 characters."""
    depth = 1
    for position in range(start, min(len(text), start + 1000)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start:position]
    return None


def _split(text):
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return parts + [text[start:]]


_PARAMETER = re.compile(r"^(\*{0,2})([A-Za-z_]\w*)\s*(?::\s*[^=]+?)?\s*(?:=\s*(.+))?$", re.S)


def _parse_parameters(text):
    """Parameters as a docstring writes them, or None if that is not a list of parameters."""
    parameters, kind = [], "positional"
    flat = text.replace("\\*", "*").replace("`", "").replace("[,", ",")
    for part in _split(flat.replace("[", "").replace("]", "") if "[," in text else flat):
        part = part.strip()
        if part in ("", "...", "/"):
            continue
        if part == "*":
            kind = "keyword"
            continue
        match = _PARAMETER.match(part)
        if not match:
            return None
        stars, name, default = match.groups()
        parameters.append([name, stars or kind, default])
        if stars == "*":
            kind = "keyword"
    return parameters


def _operators(name, path):
    """The signatures of the operator behind a builtin, as its schema has them."""
    import torch

    method = path.startswith("torch.Tensor.")
    try:
        schemas = torch._C._jit_get_schemas_for_operator("aten::" + name)
    except Exception:  # private and gone in another torch: the docstring has to do
        return []
    found = []
    for schema in schemas:
        arguments = [one for one in schema.arguments if one.name != "out"]
        if not arguments or len(arguments) != len(schema.arguments) or not _on_tensors(schema):
            continue
        parameters = [_argument(one) for one in arguments if not (method and one.name == "self")]
        if parameters not in found:
            found.append(parameters)
    return found[:8]


def _on_tensors(schema):
    """Leaves out the overloads that TorchScript has for strings, lists and numbers."""
    return any("Tensor" in str(one.type) for one in list(schema.arguments) + list(schema.returns))


def _argument(argument):
    name = "input" if argument.name == "self" else argument.name
    default = _default(argument.default_value) if argument.has_default_value() else None
    return [name, "keyword" if argument.kwarg_only else "positional", default]


def _text(name, parameters):
    """`add_scalar(tag, scalar_value, global_step=None)`: a signature without annotations."""
    parts, starred = [], False
    for parameter, kind, default in parameters:
        if kind == "keyword" and not starred:
            parts.append("*")
            starred = True
        starred = starred or kind == "*"
        star = kind if kind in ("*", "**") else ""
        parts.append(star + parameter + ("" if default is None else "=" + default))
    return "{}({})".format(name, ", ".join(parts))


# Deprecation


_DEPRECATED_DOC = re.compile(
    r"(?im)^\s*\.\. deprecated::[^\n]*(?:\n\s+[^\n]+)*|[^.\n]*\b(?:is|are|been|now)\s+deprecated\b[^\n]*|^\W*deprecated\b[^\n]*"
)
_ABOUT_A_PART = re.compile(r"(?i)\b(argument|parameter|param|option|keyword|kwarg|passing|default value|attr)")


def deprecation(value):
    """What torch says about an object being deprecated, or None.

    From the `@deprecated` decorator, the opening of its docstring, or an unconditional warning in its body.
    """
    if isinstance(value, (InstanceAttribute, ModuleType)):
        return None
    own = vars(value).get("__deprecated__") if inspect.isclass(value) else _member(value, "__deprecated__")
    if isinstance(own, str):
        return _one_line(own)
    doc = getattr(value, "__doc__", None)
    if isinstance(doc, str):
        match = _DEPRECATED_DOC.search(_opening(doc))
        if match and not _ABOUT_A_PART.search(match.group()):
            return _one_line(match.group())
    return _unconditional(value, "warn", "deprecat")


def _opening(doc):
    """The docstring before its list of arguments: what follows is about parts of it."""
    return re.split(r"(?m)^\s*(?:Args|Arguments|Parameters|Keyword args|Keyword Arguments|Returns)\s*:", doc[:3000])[0]


def removal(value):
    """The message of a function that exists only to say that it is gone, or None."""
    text = _unconditional(value, "raise", "removed")
    return text


def _unconditional(value, what, word):
    """The text of a warning or error that a call always meets, if it holds `word`."""
    body = value.__init__ if inspect.isclass(value) else value
    if not inspect.isfunction(inspect.unwrap(body) if callable(body) else body):
        return None
    try:
        tree = ast.parse(inspect.cleandoc("\n" + _dedented(_source(body))))
    except (SyntaxError, ValueError):
        return None
    if not tree.body or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    for statement in tree.body[0].body:
        if _is(statement, what):
            text = "".join(
                one.value for one in ast.walk(statement) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )
            if word in text.lower() and not (what == "warn" and _ABOUT_A_PART.search(text)):
                return _one_line(text)
    return None


def _dedented(source):
    import textwrap

    return textwrap.dedent(source)


def _is(statement, what):
    if what == "raise":
        return isinstance(statement, ast.Raise)
    call = statement.value if isinstance(statement, ast.Expr) else None
    called = call.func if isinstance(call, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) in ("warn", "warn_once", "warning_once")


def _one_line(text):
    text = re.sub(r"\s+", " ", re.sub(r"\.\. \w+::", "", text)).strip()
    return re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text)[:300]


def first_sentence(value):
    """First sentence of a docstring's prose, roles and signatures taken off; "" if there is none."""
    doc = value.__doc__ if isinstance(getattr(value, "__doc__", None), str) else ""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(doc)):
        text = _one_line(paragraph)
        text = re.sub(r"^[\w.]+\([^)]*\)\s*(?:->\s*[\w\[\], ().]+?)?\s*(?=[A-Z]|$)", "", text).strip()
        if text and not text.startswith((".. ", ">>>", "-")):
            return re.split(r"(?<=[.!?])\s+(?=[A-Z(])", text)[0]
    return ""


# Functions and modules that belong together


def functions_used():
    """Class name in torch.nn -> names of torch.nn.functional that its own or inherited code calls."""
    import torch

    calls = {}
    for module in {inspect.getmodule(one) for one in vars(torch.nn).values() if inspect.isclass(one)}:
        if module is not None and module.__name__.startswith("torch.nn.modules"):
            calls.update(_calls_by_class(module))
    used = {}
    for name, cls in vars(torch.nn).items():
        if inspect.isclass(cls) and not name.startswith("_"):
            inherited = set()
            for base in cls.__mro__:
                inherited |= calls.get(base, set())
            if inherited:
                used[name] = sorted(inherited)
    return used


def _calls_by_class(module):
    try:
        tree = ast.parse(_source(module))
    except SyntaxError:
        return {}
    return {
        getattr(module, node.name): {
            one.attr
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "F"
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef) and hasattr(module, node.name)
    }


if __name__ == "__main__":
    json.dump(introspect(json.load(sys.stdin)), sys.stdout)
