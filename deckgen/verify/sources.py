"""Where a shown value comes from, as far as the code tells: random numbers, addresses, clocks, the machine.

Two runs show most of what is volatile, but not all: uninitialised memory often looks the same twice,
and so do a few truth values of random numbers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed
from deckgen.verify.bindings import KNOWN, bindings, conditions, expression, statement

Kind = Literal[
    "random", "indices", "uninitialised", "pointer", "timing", "environment", "outside", "vectors", "hashed", "drawn"
]

_RANDOM = frozenset(
    "rand rand_like randn randn_like randint randint_like randperm normal normal_ uniform_ random_ bernoulli bernoulli_"
    " multinomial poisson exponential_ geometric_ cauchy_ log_normal_ dropout dropout1d dropout2d dropout3d alpha_dropout"
    " feature_alpha_dropout gumbel_softmax rrelu Dropout Dropout1d Dropout2d Dropout3d AlphaDropout RReLU"
    " sample rsample choice choices shuffle random uniform gauss randrange permutation seed initial_seed random_split"
    " kaiming_uniform_ kaiming_normal_ xavier_uniform_ xavier_normal_ trunc_normal_ orthogonal_ sparse_"
    " Linear Bilinear Embedding EmbeddingBag Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"
    " RNN LSTM GRU RNNCell LSTMCell GRUCell MultiheadAttention Transformer TransformerEncoderLayer get_rng_state".split()
)
_DRAWS = frozenset(name for name in _RANDOM if name[:1].islower() or "Dropout" in name)
"""Of these, what draws what is shown, and not the weights of a layer."""
_INDICES = frozenset(
    "argmax argmin argsort sort msort topk max min aminmax multinomial randint randint_like randperm nonzero unique"
    " unique_consecutive bincount histc histogram searchsorted bucketize mode median nanmedian kthvalue round floor ceil"
    " trunc long int short poisson random_ sign cummax cummin choice choices sample shuffle randrange bernoulli where"
    " categorical geometric_ to type sign any all count_nonzero heaviside eq ne gt lt ge le isclose shuffle dropout Dropout lu_factor lu ormqr max_pool1d max_pool2d to_sparse quantize_per_tensor".split()
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
    "__version__ get_num_threads get_num_interop_threads cpu_count device_count get_device_name is_available"
    " get_device_capability get_device_properties current_device get_arch_list getcwd environ uname"
    " is_nccl_available is_mpi_available is_gloo_available is_bf16_supported can_device_access_peer mem_get_info"
    " total_memory utilization temperature"
    " getpid gethostname listdir abspath gettempdir sys_version executable __file__"
    " key_averages memory_summary memory_stats memory_snapshot is_built cudnn nccl compiled_version current_accelerator getenv gpu_count get_float32_matmul_precision".split()
)
MACHINE = frozenset(
    "__version__ get_num_threads get_num_interop_threads cpu_count device_count get_device_name is_available gpu_count"
    " get_device_capability get_device_properties current_device get_arch_list getcwd environ uname is_bf16_supported"
    " is_nccl_available is_mpi_available is_gloo_available can_device_access_peer total_memory getpid gethostname"
    " abspath gettempdir sys_version executable is_built compiled_version current_accelerator getenv version_info"
    " hexversion sched_getaffinity find_spec isatty getrlimit _max_workers get_terminal_size".split()
)
"""Of these, what is never a fact about torch, not even where it is the same here: versions, devices, threads, paths."""
VECTORS = frozenset("eigh eig symeig svd svd_lowrank pca_lowrank lobpcg".split())
"""Calls whose vectors are known up to their signs."""
_OF_MODULES = frozenset("version show config platform node machine processor path".split())
"""Words for anything, unless a module has them: `sys.version`, `torch.__config__.show()`."""
_MODULES = frozenset("os sys platform socket torch np numpy".split())
_PROGRAMS = frozenset(
    "subprocess socket requests urllib urlopen http httpx paramiko system popen execv spawnv which disk_usage".split()
)
"""Other programs and the network."""
_FILES = frozenset(
    "exists lexists isfile isdir islink is_file is_dir getsize stat access walk scandir glob iglob rglob iterdir read_text"
    " read_bytes open".split()
)
"""What asks for files, which a snippet has only in its own folder."""
_ELSEWHERE = pattern(r"[/~\\]|\.\.[/\\]|[A-Za-z]:[/\\]")
_HOME = frozenset(["expanduser", "home"])
FACTS = frozenset(
    "shape size dim ndim numel dtype device requires_grad is_leaf equal allclose is_contiguous stride len type isinstance"
    " dim_order is_cuda layout storage_offset grad_fn is_tensor is_floating_point element_size nelement isnan isinf isfinite"
    " hasattr names is_complex is_same_size issubclass callable training itemsize nbytes".split()
)
"""What these say of a tensor does not depend on its random elements."""


_CALLED: dict[Kind, frozenset[str]] = {"random": _RANDOM, "drawn": _DRAWS, "indices": _INDICES, "vectors": VECTORS}
"""What tells something of a value if it is called."""
_NAMED: dict[Kind, frozenset[str]] = {
    "uninitialised": _UNINITIALISED, "pointer": _POINTER, "timing": _TIMING, "environment": _ENVIRONMENT,
}  # fmt: skip
"""What does so wherever it stands."""
_TELLING = frozenset[str]().union(*_CALLED.values(), *_NAMED.values(), _TYPED, _OF_MODULES, _PROGRAMS, _FILES)
_NAME = pattern(r"[^\W\d]\w*")
_SETS = pattern(r"\b(?:set|hash)\(|\{\s*['\"]")


@lru_cache(maxsize=512)
def of(code: str, line: int | None, target: str | None) -> frozenset[Kind]:
    """The kinds of sources that the statement at a line (or an expression after it) draws on."""
    if (
        not _SETS.search(code)
        and _TELLING.isdisjoint(_NAME.findall(code))
        and (not target or _TELLING.isdisjoint(_NAME.findall(target)))
    ):
        return frozenset()  # the common case, without a tree
    return _drawn_on(code, line, target)[0]


@lru_cache(maxsize=512)
def picks_device(code: str, line: int | None, target: str | None) -> bool:
    """True if the code (not its comments) names another device than the CPU, or may: it uses a name bound elsewhere."""
    tree = parsed(code)
    if tree is None:
        return False
    seen = _drawn_on(code, line, target)[1]
    bound = bindings(code, line)
    return any(map(_says_device, nodes(tree))) or any(name not in bound and name not in KNOWN for name in seen)


def on_device(code: str, line: int | None) -> bool:
    """True if the statement at a line may work with another device than the CPU, as far as its names tell."""
    tree = parsed(code)
    shown = None if tree is None or line is None else statement(tree, line)
    if shown is None:
        return True
    bound = bindings(code, line)
    _, seen = _drawn_on(code, line, None)
    behind = [shown, *(node for name in seen for node in bound.get(name, ()))]
    unknown = any(name not in bound and name not in KNOWN for name in seen)
    return unknown or any(_says_device(one) for node in behind for one in nodes(node))


_DEVICE = pattern(r"cuda|\bmps\b|\bxpu\b|accelerator|\bgpu\b", re.IGNORECASE)


def _says_device(node: ast.AST) -> bool:
    text = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
    text = node.value if isinstance(node, ast.Constant) else text
    return isinstance(text, str) and _DEVICE.search(text) is not None


def _drawn_on(code: str, line: int | None, target: str | None) -> tuple[frozenset[Kind], frozenset[str]]:
    """The kinds of sources behind a statement or an expression, and every name on the way there."""
    tree = parsed(code)
    if tree is None:
        return frozenset(), frozenset()
    shown = expression(target) or (None if line is None else statement(tree, line))
    bound = bindings(code, line)
    found, seen = _reached(shown or tree, bound)
    if any("random" in _reached(test, bound)[0] for test in conditions(tree, line)):
        found |= {"random", "drawn", "indices"}  # a draw decides whether the statement runs
    return frozenset(found), frozenset(seen)


def _reached(node: ast.AST, bound: Mapping[str, Sequence[ast.AST]]) -> tuple[set[Kind], set[str]]:
    """The kinds of sources behind a node, and every name on the way there."""
    found: set[Kind] = set()
    seen: set[str] = set()
    places: set[str] = set()
    todo = [node]
    while todo:
        kinds, names, where = _look(todo.pop())
        found |= kinds
        places |= where
        todo += [value for name in names - seen for value in bound.get(name, ())]
        seen |= names
    return found, seen | places


def _look(node: ast.AST) -> tuple[set[Kind], set[str], set[str]]:
    """(kinds, names, names that only say where) of one expression or statement.

    Below a fact about a tensor nothing is random. Where a tensor lies tells nothing about its elements.
    """
    kinds: set[Kind] = set()
    names: set[str] = set()
    places: set[str] = set()
    todo: list[tuple[ast.AST, bool, bool, bool]] = [(node, False, False, False)]
    while todo:
        one, fact, place, ordered = todo.pop()
        name = called(one)
        fact = fact or name in FACTS
        ordered = ordered or name in _ORDERED
        if name and not place:
            kinds |= _kinds(name, one) - (_OF_ELEMENTS if fact else set())
        if isinstance(one, ast.Compare) and not place:
            kinds.add("indices")
        if not (fact or ordered) and _is_hashed(one):
            kinds.add("hashed")
        if isinstance(one, ast.Name) and (place or not fact):
            (places if place else names).add(one.id)
        todo.extend((child, fact, place or says_where(one, child), ordered) for child in ast.iter_child_nodes(one))
    return kinds, names, places


_ORDERED = frozenset("len sorted sum min max isinstance".split())
"""What these say of a set does not depend on its order."""


def _is_hashed(node: ast.AST) -> bool:
    """True for a set of texts, and for the hash of one: Python salts them anew in each process."""
    texts = [one for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if isinstance(node, ast.Set):
        return bool(texts)
    return isinstance(node, ast.Call) and called(node) in ("set", "frozenset", "hash") and bool(texts)


_OF_ELEMENTS: set[Kind] = {"random", "drawn", "uninitialised"}


def says_where(node: ast.AST, child: ast.AST) -> bool:
    """True for what stands behind `device=`, and within `torch.device(...)` and `.to(...)`."""
    if isinstance(child, ast.keyword):
        return child.arg == "device"
    return isinstance(node, ast.Call) and child is not node.func and called(node) in ("device", "to")


def called(node: ast.AST) -> str:
    """The bare name of a call or an attribute, else an empty one."""
    if isinstance(node, ast.Call):
        return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return node.attr if isinstance(node, ast.Attribute) else ""


def _kinds(name: str, node: ast.AST) -> set[Kind]:
    kinds = {kind for kind, names in _NAMED.items() if name in names}
    if isinstance(node, ast.Call):
        kinds |= {kind for kind, names in _CALLED.items() if name in names}
        if name in _TYPED and node.args and not isinstance(node.args[0], ast.List | ast.Tuple | ast.ListComp):
            kinds.add("uninitialised")  # it was given sizes
        if name in _FILES and any(map(_is_elsewhere, nodes(node))):
            kinds.add("outside")
    if is_of_module(name, node):
        kinds.add("environment")
    root = _root(node)
    if root in _PROGRAMS or (name in _PROGRAMS and root not in _MODULES - {"os"}):
        kinds.add("outside")
    return kinds


def is_of_module(name: str, node: ast.AST) -> bool:
    """True for `sys.version` and `torch.__config__.show()`: words for anything, unless a module has them."""
    return name in _OF_MODULES and _root(node) in _MODULES


def _is_elsewhere(node: ast.AST) -> bool:
    """True for a path that does not begin in the folder where a snippet runs."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _ELSEWHERE.match(node.value) is not None
    return called(node) in _HOME


def _root(node: ast.AST) -> str:
    """`torch` of `torch.__config__.show()`."""
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
