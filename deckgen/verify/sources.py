"""Where a shown value comes from, as far as the code tells: random numbers, addresses, clocks, the machine.

Two runs show most of what is volatile, but not all: uninitialised memory often looks the same twice,
and so do a few truth values of random numbers.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Literal

Kind = Literal["random", "indices", "uninitialised", "pointer", "timing", "environment", "device"]

_RANDOM = frozenset(
    "rand rand_like randn randn_like randint randint_like randperm normal normal_ uniform_ random_ bernoulli bernoulli_"
    " multinomial poisson exponential_ geometric_ cauchy_ log_normal_ dropout dropout1d dropout2d dropout3d alpha_dropout"
    " feature_alpha_dropout gumbel_softmax rrelu Dropout Dropout1d Dropout2d Dropout3d AlphaDropout RReLU"
    " sample rsample choice choices shuffle random uniform gauss randrange permutation seed initial_seed random_split"
    " kaiming_uniform_ kaiming_normal_ xavier_uniform_ xavier_normal_ trunc_normal_ orthogonal_ sparse_"
    " Linear Bilinear Embedding EmbeddingBag Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"
    " RNN LSTM GRU RNNCell LSTMCell GRUCell MultiheadAttention Transformer TransformerEncoderLayer get_rng_state".split()
)
_INDICES = frozenset(
    "argmax argmin argsort sort msort topk max min aminmax multinomial randint randint_like randperm nonzero unique"
    " unique_consecutive bincount histc histogram searchsorted bucketize mode median nanmedian kthvalue round floor ceil"
    " trunc long int short poisson random_ sign cummax cummin choice choices sample shuffle randrange bernoulli where"
    " categorical geometric_ to type lu_factor lu ormqr max_pool1d max_pool2d to_sparse quantize_per_tensor".split()
)
"""Calls that make integers of random numbers; other integers (a rank, a count) say something that stays."""
_UNINITIALISED = frozenset(
    "empty empty_like empty_strided new_empty new_empty_strided empty_permuted empty_quantized resize_ resize_as_".split()
)
_TYPED = frozenset("Tensor FloatTensor DoubleTensor HalfTensor IntTensor LongTensor ByteTensor ShortTensor".split())
_POINTER = frozenset("data_ptr id storage untyped_storage _cdata __repr__ hash getrefcount".split())
_TIMING = frozenset(
    "time perf_counter perf_counter_ns monotonic process_time time_ns timeit Timer Compare blocked_autorange elapsed_time"
    " tqdm trange now today utcnow ctime strftime self_cpu_time_total table key_averages memory_allocated max_memory_allocated"
    " memory_reserved max_memory_reserved memory_summary mem_get_info virtual_memory".split()
)
_ENVIRONMENT = frozenset(
    "__version__ version get_num_threads get_num_interop_threads cpu_count device_count get_device_name is_available"
    " get_device_capability get_device_properties current_device get_arch_list show config getcwd environ platform uname"
    " node machine processor getpid gethostname listdir abspath gettempdir sys_version executable path __file__"
    " is_built cudnn nccl compiled_version current_accelerator getenv gpu_count get_float32_matmul_precision".split()
)
_FACTS = frozenset(
    "shape size dim ndim numel dtype device requires_grad is_leaf equal allclose is_contiguous stride len type isinstance"
    " dim_order is_cuda layout storage_offset grad_fn is_tensor is_floating_point element_size nelement isnan isinf isfinite"
    " hasattr names is_complex is_same_size issubclass callable training itemsize nbytes".split()
)
"""What these say of a tensor does not depend on its random elements."""


@lru_cache(maxsize=512)
def of(code: str, line: int | None, target: str | None) -> frozenset[Kind]:
    """The kinds of sources that the statement at a line (or an expression after it) draws on."""
    tree = _tree(code)
    if tree is None:
        return frozenset()
    statement = None if line is None else _statement(tree, line)
    expression = _expression(target)
    nodes: list[ast.AST] = [expression] if expression else [statement] if statement else [tree]
    bound = _bindings(tree, line)
    found: set[Kind] = set()
    seen: set[str] = set()
    while nodes:
        kinds, names = _look(nodes.pop())
        found |= kinds
        for name in names - seen:
            seen.add(name)
            nodes.extend(bound.get(name, ()))
    if _picks_device(tree) or any(name not in bound and name not in _KNOWN for name in seen):
        found.add("device")
    return frozenset(found)


_KNOWN = frozenset(dir(builtins)) | {"torch", "nn", "F", "np", "numpy", "optim"}
_DEVICE = re.compile(r"cuda|device|\bmps\b|\bxpu\b|accelerator|\bgpu\b", re.IGNORECASE)


def _picks_device(tree: ast.Module) -> bool:
    """True if the code (not its comments) says anything about devices."""
    for node in ast.walk(tree):
        text = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
        text = node.value if isinstance(node, ast.Constant) else text
        if isinstance(text, str) and _DEVICE.search(text):
            return True
    return False


@lru_cache(maxsize=512)
def names_of(code: str, line: int | None, target: str | None) -> frozenset[str]:
    """Names that a statement reads or binds, without modules and builtins."""
    tree = _tree(code)
    if tree is None or line is None:
        return frozenset()
    node = _expression(target) or _statement(tree, line)
    return frozenset(_names(node)) - _KNOWN if node is not None else frozenset()


@lru_cache(maxsize=64)
def _tree(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _expression(target: str | None) -> ast.AST | None:
    try:
        return ast.parse(target, mode="eval").body if target else None
    except (SyntaxError, ValueError):
        return None


def _statement(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement that holds a 0-based line."""
    best: ast.stmt | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno - 1 <= line < (node.end_lineno or node.lineno):
            if best is None or node.lineno >= best.lineno:
                best = node
    return best


def _bindings(tree: ast.Module, line: int | None) -> dict[str, list[ast.AST]]:
    """What each name may stand for at a line: values assigned, loops over it, functions and classes."""
    bound: dict[str, list[ast.AST]] = {}
    for statement in tree.body:
        if line is not None and statement.lineno - 1 > line:
            break
        found = [pair for node in ast.walk(statement) if _above(node, line) for pair in _binds(node)]
        for name, value in found:
            if isinstance(statement, ast.Assign) and value is statement.value and name not in _names(value):
                bound[name] = [value]  # what the name was before is gone
            else:
                bound.setdefault(name, []).append(value)
    return bound


def _above(node: ast.AST, line: int | None) -> bool:
    return line is None or getattr(node, "lineno", 0) - 1 <= line


def _binds(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is not None:
            yield from ((name, node.value) for target in targets for name in _names(target))
    elif isinstance(node, ast.For | ast.comprehension):
        yield from ((name, node.iter) for name in _names(node.target))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from ((name, node.context_expr) for name in _names(node.optional_vars))
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name, node
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
        yield from ((name, node) for name in _names(node.func.value))  # in place: `x.normal_()`


def _names(node: ast.AST) -> list[str]:
    return [child.id for child in ast.walk(node) if isinstance(child, ast.Name)]


def _look(node: ast.AST) -> tuple[set[Kind], set[str]]:
    """(kinds, names) of one expression or statement; below a fact about a tensor nothing is random."""
    kinds: set[Kind] = set()
    names: set[str] = set()
    todo: list[tuple[ast.AST, bool]] = [(node, False)]
    while todo:
        one, fact = todo.pop()
        name = _called(one)
        if name:
            kinds |= _kinds(name, one)
            fact = fact or name in _FACTS
        if fact:
            kinds -= {"random", "uninitialised"}
        if isinstance(one, ast.Name) and not fact:
            names.add(one.id)
        todo.extend((child, fact) for child in ast.iter_child_nodes(one))
    return kinds, names


def _called(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return node.attr if isinstance(node, ast.Attribute) else ""


def _kinds(name: str, node: ast.AST) -> set[Kind]:
    kinds: set[Kind] = set()
    if name in _RANDOM and isinstance(node, ast.Call):
        kinds.add("random")
    if name in _UNINITIALISED or (name in _TYPED and isinstance(node, ast.Call) and _sizes(node)):
        kinds.add("uninitialised")
    if name in _INDICES and isinstance(node, ast.Call):
        kinds.add("indices")
    if name in _POINTER:
        kinds.add("pointer")
    if name in _TIMING:
        kinds.add("timing")
    if name in _ENVIRONMENT:
        kinds.add("environment")
    return kinds


def _sizes(call: ast.Call) -> bool:
    return bool(call.args) and not isinstance(call.args[0], ast.List | ast.Tuple | ast.ListComp)


# --- what is known of a sample by the call that draws it ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """Bounds of each element (`high` is excluded), and whether all of `low..high` occur once."""

    low: float
    high: float
    permutation: bool = False


@lru_cache(maxsize=512)
def sample(code: str, line: int | None, target: str | None) -> Sample | None:
    """What the statement at a line shows, if that is directly a sample of `rand`, `randint` or `randperm`."""
    tree = _tree(code)
    if tree is None or line is None:
        return None
    node = _expression(target) or _shown(_statement(tree, line))
    for _ in range(3):
        if isinstance(node, ast.Name):
            values = _bindings(tree, line).get(node.id, [])
            node = values[-1] if len(values) == 1 else None
    return _sampled(node) if isinstance(node, ast.Call) else None


def _shown(statement: ast.stmt | None) -> ast.AST | None:
    """The one object that a statement prints or shows."""
    if not isinstance(statement, ast.Expr):
        return None
    value = statement.value
    if isinstance(value, ast.Call) and _called(value) == "print":
        return value.args[-1] if value.args else None
    return value


_BOUNDS = {
    **dict.fromkeys(("bernoulli", "bernoulli_"), Sample(0, 1.5)),
    **dict.fromkeys(
        ("relu", "relu_", "abs", "square", "exp", "sqrt", "norm", "softplus", "std", "var"), Sample(0, inf)
    ),
    **dict.fromkeys(("sigmoid", "softmax"), Sample(0, 1.00005)),
    **dict.fromkeys(("sin", "cos", "tanh", "cosine_similarity"), Sample(-1.00005, 1.00005)),
}


def _sampled(call: ast.Call) -> Sample | None:
    name = _called(call)
    numbers = [_integer(argument) for argument in call.args]
    if name in ("rand", "rand_like"):
        return Sample(0, 1)
    if name == "randperm" and numbers and numbers[0] is not None:
        return Sample(0, numbers[0], permutation=True)
    if name == "randint" and numbers and numbers[0] is not None:
        if len(numbers) > 1 and numbers[1] is not None:
            return Sample(numbers[0], numbers[1])
        return Sample(0, numbers[0])
    return _BOUNDS.get(name)


def _integer(node: ast.AST) -> int | None:
    try:
        value = ast.literal_eval(node) if isinstance(node, ast.Constant | ast.UnaryOp | ast.BinOp) else None
    except ValueError:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
