"""Where a shown value comes from, as far as the code tells: random numbers, addresses, clocks, the machine.

Two runs show most of what is volatile, but not all: uninitialised memory often looks the same twice,
and so do a few truth values of random numbers.

What is the machine's is no fact about torch: versions, numbers of threads, devices that are taken if they are there.
A value that was asked of the machine (`torch.__version__`) depends on it as it stands. Where a tensor lies says nothing of
its elements, but its device does, if the code has asked which there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed
from deckgen.verify.bindings import KNOWN, bindings, conditions, expression, holds, names, statement

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
    " categorical geometric_ to type sign any all count_nonzero heaviside eq ne gt lt ge le isclose shuffle dropout Dropout"
    " lu_factor lu ormqr max_pool1d max_pool2d to_sparse quantize_per_tensor".split()
)
"""Calls that make integers of random numbers; other integers (a rank, a count) say something that stays."""
_UNINITIALISED = frozenset(
    "empty empty_like empty_strided new_empty new_empty_strided empty_permuted empty_quantized resize_ resize_as_".split()
)
_TYPED = frozenset("Tensor FloatTensor DoubleTensor HalfTensor IntTensor LongTensor ByteTensor ShortTensor".split())
_LEAVES_UNSET = pattern(rf"\b(?:(?:{'|'.join(sorted(_UNINITIALISED))})\(|(?:{'|'.join(sorted(_TYPED))})\((?!\s*[\[)]))")
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
    " getpid gethostname listdir glob iglob rglob iterdir scandir abspath gettempdir sys_version executable __file__"
    " key_averages memory_summary memory_stats memory_snapshot is_built cudnn nccl compiled_version current_accelerator getenv"
    " gpu_count get_float32_matmul_precision".split()
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
_OF_ELEMENTS: set[Kind] = {"random", "drawn", "uninitialised"}
_ORDERED = frozenset("len sorted sum min max isinstance".split())
"""What these say of a set does not depend on its order."""
_DEVICE = pattern(r"cuda|\bmps\b|\bxpu\b|accelerator|\bgpu\b", re.IGNORECASE)


def is_size(text: str) -> bool:
    """True for a text that tells nothing but sizes of tensors: `x: torch.Size([4, 2])`."""
    rest = _SIZE.sub("", text)
    return rest != text and _VALUE.search(rest) is None


_SIZE = pattern(r"torch\.Size\(\[[\d, ]*\]\)")
_VALUE = pattern(r"\d|True|False|None|nan|inf")


def keeps_sizes(code: str) -> bool:
    """True for code in which random numbers decide about no size: one run shows it, and another random seed would show the same.

    Not where they may choose what is kept (`x[x > 0]`, `nonzero`), how much there is (`randint`), or what is run (`if`).
    """
    return _CHOOSES.search(code) is None


_CHOICES = (
    "if while random randint randrange randperm choice choices sample shuffle nonzero argwhere unique unique_consecutive masked_select"
    " where bincount multinomial poisson item tolist int eval exec np numpy".split()
)
_CHOOSES = pattern(rf"\b(?:{'|'.join(_CHOICES)})\b|\[[^\[\]]*(?:[<>]|[=!]=)")


def leaves_unset(code: str) -> bool:
    """True if code may hand out memory as it finds it; whether anybody sees that, a run shows."""
    return _LEAVES_UNSET.search(code) is not None


@lru_cache(maxsize=512)
def of(code: str, line: int | None, target: str | None) -> frozenset[Kind]:
    """The kinds of sources that the statement at a line (or an expression after it) draws on."""
    return frozenset(_drawn_on(code, line, target)[0])


def picks_device(code: str, line: int | None, target: str | None) -> bool:
    """True if the code (not its comments) names another device than the CPU, or may: it uses a name bound elsewhere."""
    tree = parsed(code)
    seen, bound = _drawn_on(code, line, target)[1], bindings(code, line)
    return tree is not None and (any(map(_says_device, nodes(tree))) or not seen <= {*bound, *KNOWN})


def on_device(code: str, line: int | None) -> bool:
    """True if the statement at a line may work with another device than the CPU, as far as its names tell."""
    tree = parsed(code)
    shown = None if tree is None or line is None else statement(tree, line)
    seen, bound = _drawn_on(code, line, None)[1], bindings(code, line)
    behind = [shown or ast.Module([], []), *(node for name in seen for node in bound.get(name, ()))]
    return (
        shown is None
        or not seen <= {*bound, *KNOWN}
        or any(_says_device(one) for node in behind for one in nodes(node))
    )


def _says_device(node: ast.AST) -> bool:
    text = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
    text = node.value if isinstance(node, ast.Constant) else text
    return isinstance(text, str) and _DEVICE.search(text) is not None


def _drawn_on(code: str, line: int | None, target: str | None) -> tuple[set[Kind], set[str]]:
    """The kinds of sources behind a statement or an expression, and every name on the way there."""
    tree = parsed(code)
    if tree is None:
        return set(), set()
    bound = bindings(code, line)
    found, seen = _reached(expression(target) or (None if line is None else statement(tree, line)) or tree, bound)
    if any("random" in _reached(test, bound)[0] for test in conditions(tree, line)):
        found |= {"random", "drawn", "indices"}  # a draw decides whether the statement runs
    if any(called(node) in _FILES for test in conditions(tree, line) for node in nodes(test)):
        found.add("environment")  # whether a file is there does
    return found, seen


def _reached(node: ast.AST, bound: Mapping[str, Sequence[ast.AST]]) -> tuple[set[Kind], set[str]]:
    """The kinds of sources behind a node, and every name on the way there.

    Below a fact about a tensor nothing is random. Where a tensor lies tells nothing about its elements.
    """
    found: set[Kind] = set()
    seen: set[str] = set()
    places: set[str] = set()
    todo = [node]
    while todo:
        for one, name, facts, place in _within(todo.pop()):
            fact = not FACTS.isdisjoint(facts)
            if name and not place:
                found |= _kinds(name, one) - (_OF_ELEMENTS if fact else set())
            if isinstance(one, ast.Compare) and not place:
                found.add("indices")
            if not fact and _ORDERED.isdisjoint(facts) and _is_hashed(one):
                found.add("hashed")
            if isinstance(one, ast.Name) and place:
                places.add(one.id)
            elif isinstance(one, ast.Name) and not fact and one.id not in seen:
                seen.add(one.id)
                todo += bound.get(one.id, ())
    return found, seen | places


def _within(node: ast.AST, place: bool = False) -> Iterator[tuple[ast.AST, str, tuple[str, ...], bool]]:
    """(node, what it calls, that and what is called around it, whether it only says where something is) of a tree."""
    todo: list[tuple[ast.AST, tuple[str, ...], bool]] = [(node, (), place)]
    while todo:
        one, around, place = todo.pop()
        name = called(one)
        around = (*around, name) if name else around
        yield one, name, around, place
        for child in ast.iter_child_nodes(one):
            where = isinstance(child, ast.keyword) and child.arg == "device"
            where = where or (isinstance(one, ast.Call) and child is not one.func and name in ("device", "to"))
            todo.append((child, around, place or where))


def _is_hashed(node: ast.AST) -> bool:
    """True for a set of texts, and for the hash of one: Python salts them anew in each process."""
    if not isinstance(node, ast.Set) and not (
        isinstance(node, ast.Call) and called(node) in ("set", "frozenset", "hash")
    ):
        return False
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in ast.walk(node))


def called(node: ast.AST) -> str:
    """The bare name of a call or an attribute, else an empty one."""
    if isinstance(node, ast.Call):
        return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return node.attr if isinstance(node, ast.Attribute) else ""


def _kinds(name: str, node: ast.AST) -> set[Kind]:
    kinds = {kind for kind, words in _NAMED.items() if name in words}
    if isinstance(node, ast.Call):
        kinds |= {kind for kind, words in _CALLED.items() if name in words}
        if name in _TYPED and node.args and not isinstance(node.args[0], ast.List | ast.Tuple | ast.ListComp):
            kinds.add("uninitialised")  # it was given sizes
        if name in _FILES and any(map(_is_elsewhere, nodes(node))):
            kinds.add("outside")
    if _is_of_module(name, node):
        kinds.add("environment")
    root = _root(node)
    if root in _PROGRAMS or (name in _PROGRAMS and root not in _MODULES - {"os"}):
        kinds.add("outside")
    return kinds


def _is_of_module(name: str, node: ast.AST) -> bool:
    """True for `sys.version` and `torch.__config__.show()`: words for anything, unless a module has them."""
    return name in _OF_MODULES and _root(node) in _MODULES


_FOLDERS = frozenset("walk listdir scandir iterdir glob iglob rglob".split())


def asks_for_files(code: str, above: Sequence[str]) -> bool:
    """True if the code, or that of the snippets that its names come from, goes through a folder: here it may be empty."""
    trees = (parsed(one) for one in (*above, code))
    return any(called(node) in _FOLDERS for tree in trees if tree for node in nodes(tree))


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


# The machine

Asked = Literal["value", "place", "clock"]
"""What of a thing the machine decides: itself, its device alone; `clock`: it tells the time."""

_DEVICE_FACTS = frozenset(("device", "is_cuda", "is_cpu", "is_mps", "is_xpu", "get_device"))
_MOVES = frozenset(("to", "cuda", "cpu"))
_CLOCKS = frozenset(
    "now today utcnow ctime asctime localtime gmtime strftime perf_counter monotonic process_time time_ns".split()
)
_WORDS = pattern(rf"\b(?:{'|'.join(sorted(MACHINE | _CLOCKS | _OF_MODULES - {'node', 'path'}))}|except)\b")
DEFAULTS = frozenset(("set_default_device", "set_default_tensor_type"))
"""They decide where all tensors lie that are made below them."""


def of_machine(code: str, above: Sequence[str], line: int | None, target: str | None) -> frozenset[Asked]:
    """What the machine decides of the statement at a line (or of an expression after it).

    `above` is the code of the snippets that its names come from, in order.
    """
    whole = "\n".join((*above, code))
    if _WORDS.search(whole) is None:
        return frozenset()
    return _of_machine(whole, None if line is None else whole.count("\n") - code.count("\n") + line, target)


@lru_cache(maxsize=512)
def _of_machine(code: str, line: int | None, target: str | None) -> frozenset[Asked]:
    tree = parsed(code)
    if tree is None:
        return frozenset()
    found: set[Asked] = set()
    if line is not None:
        shown = expression(target) or statement(tree, line)
        found = _asked(code, line, [*([shown] if shown else []), *conditions(tree, line)])
        for node in nodes(tree):  # which of its ways a `try` goes may depend on what there is
            if isinstance(node, ast.Try) and line > node.lineno - 1 and holds(node, line):
                imports = any(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)
                if imports or any("cuda" in ast.unparse(one) for one in node.body):
                    found.add("value")
    defaults = (node for node in nodes(tree) if isinstance(node, ast.Call) and called(node) in DEFAULTS)
    if "value" in _asked(code, None, [argument for node in defaults for argument in node.args]):
        found.add("place")
    return frozenset(found)


def _asked(code: str, line: int | None, starts: Sequence[ast.AST]) -> set[Asked]:
    """What the machine was asked for what stands behind these nodes."""
    bound, moved, chosen = bindings(code, line), _moves(code), _chosen(code)
    found: set[Asked] = set()
    todo = [(node, False) for node in starts]
    seen: set[tuple[str, bool]] = set()
    while todo:
        node, only_place = todo.pop()
        if node in chosen:
            found.add("place" if only_place or _is_device(node) else "value")
        asked, behind = _machine_within(node, only_place)
        found |= asked
        for name, place in behind - seen:
            todo += [(value, place) for value in bound.get(name, ())]
            todo += [(value, True) for value in moved.get(name, ())]
        seen |= behind
    return found


def _machine_within(node: ast.AST, only_place: bool) -> tuple[set[Asked], set[tuple[str, bool]]]:
    """How the machine is asked within a node, and the names in it, each with whether only its device counts."""
    asked: set[Asked] = set()
    behind: set[tuple[str, bool]] = set()
    for one, name, around, where in _within(node, only_place):
        place = where or not _DEVICE_FACTS.isdisjoint(around)
        if name in MACHINE or _is_of_module(name, one):
            asked.add("place" if place else "value")
        if name in _CLOCKS:
            asked.add("clock")
        if isinstance(one, ast.Name):
            behind.add((one.id, place))
    return asked, behind


PlacementFact = Literal["truth", "index", ""]
"""What something that is shown may tell of where a tensor lies: whether it is on a device, the device's number, or neither."""


def placement_facts(code: str, above: Sequence[str], line: int | None, target: str | None) -> list[PlacementFact]:
    """What each thing that a statement prints, or that an expression holds, tells of where something lies."""
    tree, whole = parsed(code), "\n".join((*above, code))
    shown: ast.AST | None = expression(target) or (statement(tree, line) if tree and line is not None else None)
    shown = shown.value if isinstance(shown, ast.Expr) else shown
    if shown is None:
        return []
    printed = shown.args if isinstance(shown, ast.Call) and called(shown) == "print" else [shown]
    bound = bindings(whole, None if line is None else whole.count("\n") - code.count("\n") + line)
    return [_placement_fact(part, bound) for one in printed for part in _flat(one)]


def _placement_fact(node: ast.AST, bound: Mapping[str, Sequence[ast.AST]]) -> PlacementFact:
    if called(node) in ("get_device", "index"):
        return "index"
    return "truth" if called(node) not in ("device", "type") and _asks_place(node, bound) else ""


def _flat(node: ast.AST) -> list[ast.AST]:
    """What stands in a tuple, in a list, and in the braces of a text."""
    match node:
        case ast.Tuple(elts=inner) | ast.List(elts=inner) | ast.JoinedStr(values=inner):
            return [part for one in inner if not isinstance(one, ast.Constant) for part in _flat(one)]
        case _:
            return [] if isinstance(node, ast.Constant) else [node]


def _asks_place(node: ast.AST, bound: Mapping[str, Sequence[ast.AST]]) -> bool:
    """True if a node, or what stands behind its names, asks where something lies; not to put something else there."""
    todo, seen = [node], {""}
    while todo:
        for one, name, _, where in _within(todo.pop()):
            if name in _DEVICE_FACTS and not where:
                return True
            if isinstance(one, ast.Name) and not where and one.id not in seen:
                seen.add(one.id)
                todo += bound.get(one.id, ())
    return False


@lru_cache(maxsize=64)
def _chosen(code: str) -> set[ast.AST]:
    """What is assigned where the machine decides whether it is: below `if torch.cuda.is_available():`."""
    branches = [node for node in nodes(parsed(code) or ast.Module([], [])) if isinstance(node, ast.If)]
    asking = [one for one in branches if "value" in _machine_within(one.test, False)[0]]
    assigned = (node.value for one in asking for node in nodes(one) if isinstance(node, ast.Assign | ast.AnnAssign))
    return {value for value in assigned if value is not None}


def _is_device(node: ast.AST) -> bool:
    """`"cuda"`, `torch.device("cuda")`, `x.to("cuda")`: where something is, and not what."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _DEVICE_NAME.fullmatch(node.value) is not None
    return isinstance(node, ast.Call) and called(node) in ("device", *_MOVES)


@lru_cache(maxsize=64)
def _moves(code: str) -> dict[str, list[ast.AST]]:
    """By name, what a module was moved with: `model.to(device)` on a line of its own."""
    found: dict[str, list[ast.AST]] = {}
    for node in nodes(parsed(code) or ast.Module([], [])):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _MOVES:
            for name in names(call.func.value):
                found.setdefault(name, []).extend(call.args)
    return found


_DEVICE_NAME = pattern(r"(?<![\w.])(?:cuda(?::\d+)?|cpu|mps(?::\d+)?|xpu(?::\d+)?)(?![\w.])", re.IGNORECASE)
_NO_VALUE = pattern(r"[^\w]*(?:(?:torch\.)?device|type|index|\d+|«verify.beside_device»)?[^\w]*", re.IGNORECASE)


def tells_device(text: str) -> bool:
    """True if a text names a device: `tensor([1.], device='cuda:0')`, `cpu`."""
    return _DEVICE_NAME.search(text) is not None


def only_tells_device(text: str) -> bool:
    """True if it says nothing else: `cuda`, `device(type='cpu')`, `device: cpu`."""
    rest = re.split(r"[\s=(),:]+", _DEVICE_NAME.sub(" ", text))
    return tells_device(text) and all(map(_NO_VALUE.fullmatch, rest))
