"""CUDA emulated: operations run on the CPU, and tensors carry a tag as if they were on a CUDA device.

For documents whose code asks for CUDA on a machine that has none. Values, shapes, devices in reprs, errors of mixed
devices and `.numpy()` errors come out as on a GPU. What cannot come out so raises an error by whose words the claim becomes
`unverified: needs-cuda`. Nothing seen this way counts as checked on CUDA: observations are marked `cuda-emulated`.
"""

from __future__ import annotations

import os
import re
import sys
import types
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Dict, Iterator, List, Optional

from .values import torch

_TorchFunctionMode: Any = import_module("torch.overrides").TorchFunctionMode

NUMPY_ERROR = "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
MIXED_ERROR = "Expected all tensors to be on the same device, but found at least two devices, {} and {}!"
MAY_MIX = frozenset(
    (
        "copy_ __getitem__ __setitem__ index_put_ index_put index_select __set__ __get__ set_ to type_as is_same_size"
        " equal allclose"
    ).split()
)
"""Functions that take tensors of several devices (`equal` has a check of its own on a GPU; rare in notes)."""
RANDOM = re.compile(
    r"rand|^(?:normal|uniform|bernoulli|multinomial|exponential|log_normal|cauchy|geometric|poisson|rrelu|binomial)_?$"
    r"|dropout|gumbel|attention|^(?:lstm|gru|rnn_tanh|rnn_relu)$"
)
"""Names of functions that draw random numbers, or may: a GPU draws others, so what follows holds by structure only."""
REFUSED = frozenset("type register_hook __array__ pin_memory".split())
"""Methods that a tensor on the emulated device does not have."""
NAME = "emulated CUDA device"
ANSWERS: Dict[str, Any] = {
    **dict.fromkeys("synchronize empty_cache init manual_seed manual_seed_all set_device".split()),
    **dict.fromkeys("is_available is_initialized is_bf16_supported".split(), True),
    "is_current_stream_capturing": False,
    "device_count": 1,
    "current_device": None,
    "get_device_name": NAME,
    "get_device_capability": (8, 0),
    "get_device_properties": types.SimpleNamespace(
        name=NAME, major=8, minor=0, total_memory=16 << 30, multi_processor_count=108
    ),
}
"""What the functions of `torch.cuda` return. Every other one is refused."""


class NotEmulatedError(RuntimeError):
    """What only a real GPU can do. Its words are those by which deckgen knows that a claim needs CUDA."""

    __module__ = "builtins"  # which Python leaves out where it shows an exception: a reader knows no module of ours

    def __init__(self, what: str) -> None:
        super().__init__(f"No CUDA GPUs are available ({what} is not emulated)")


class CudaOnCpu(_TorchFunctionMode):  # type: ignore[misc]
    """The mode: every function of torch that takes or makes tensors is called through it."""

    def __init__(self) -> None:
        super().__init__()
        self.touched = False
        """Something was put on the emulated device, or asked of it."""
        self.drew = False
        """Random numbers were drawn on it."""
        self.current = 0
        self.default: Any = None
        """The default device, if it is a CUDA device."""
        self._salt = torch.initial_seed()
        self.generator = torch.Generator()
        self.seed(self._salt)
        self._tags: Any = import_module("torch.utils.weak").WeakTensorKeyDictionary()
        """By tensor, the index of its device."""
        tensor = torch.Tensor
        self._special: Any = [
            (tensor.device.__get__, self.device),
            (tensor.is_cuda.__get__, lambda t: t in self._tags),
            (tensor.is_cpu.__get__, lambda t: t not in self._tags),
            (tensor.get_device, lambda t: self._tags.get(t, -1)),
            (tensor.__repr__, self._repr),
            (tensor.__format__, lambda t, form: format(t.item() if t.dim() == 0 else self._repr(t), form)),
            (tensor.numpy, self._numpy),
            (tensor.cuda, lambda t, device=None, *_, **__: self._to(t, "cuda" if device is None else device)),
            (tensor.cpu, lambda t, *_, **__: self._to(t, "cpu")),
            (tensor.to, self._to),
            (tensor.data.__set__, self._set_data),
        ]

    def index(self, device: Any) -> Optional[int]:
        """The index of a CUDA device however it is written; None if it is no CUDA device."""
        if isinstance(device, str) and device.startswith("cuda"):
            device = torch.device(device)
        if isinstance(device, torch.device):
            index = self.current if device.index is None else device.index
            return index if device.type == "cuda" else None
        return device if type(device) is int else None

    def device(self, tensor: Any) -> Any:
        return torch.device("cuda", self._tags[tensor]) if tensor in self._tags else torch.device("cpu")

    def tag(self, thing: Any, index: Optional[int]) -> Any:
        """Tag every tensor in a result; None takes the tag off."""
        for tensor in tensors_in([thing]):
            if index is None:
                self._tags.pop(tensor, None)
            else:
                self._tags[tensor] = index
                self.touched = True
        return thing

    # Functions

    def __torch_function__(self, function: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named: Dict[str, Any] = dict(kwargs or {})
        for special, replacement in self._special:
            if function == special:  # getters are new objects each time: never `is`
                return replacement(*args, **named)
        name = getattr(function, "__name__", "")
        if name in REFUSED and args[0] in self._tags:
            raise NotEmulatedError(f"Tensor.{name}")
        given = list(tensors_in([*args, *named.values()]))
        index = self._common_index(name, given)
        if named.get("device") is not None:
            index = self.index(named["device"])
            if index is not None:
                named["device"] = "cpu"
        elif self.default is not None and not given:
            index = self.index(self.default)
        if index is None:
            return function(*args, **named)
        self.touched = True
        if not RANDOM.search(name):
            return self.tag(function(*args, **named), index)
        self.drew = True  # on the device: the CPU's own generator must not move
        default = torch.default_generator
        before = default.get_state()
        default.set_state(self.generator.get_state())
        try:
            return self.tag(function(*args, **named), index)
        finally:
            self.generator.set_state(default.get_state())
            default.set_state(before)

    def seed(self, number: int) -> None:
        """Seed the device's generator: as a GPU's it repeats itself, but its numbers are not those of a GPU.

        They differ from run to run, so that nobody takes them for what the notes show.
        """
        self.generator.manual_seed((int(number) * 1_000_003 + self._salt) % (1 << 63))

    @contextmanager
    def as_current(self, device: Any) -> Iterator[None]:
        """`with torch.cuda.device(1):`."""
        before, self.current = self.current, self.index(device) or 0
        yield
        self.current = before

    def _common_index(self, name: str, given: List[Any]) -> Optional[int]:
        """Where the tensors of a call are; raises RuntimeError if they are on several devices."""
        if name in MAY_MIX:
            given = given[:1]
        # Scalars may go anywhere, and the parameter of a lazy module has no shape yet.
        found = {
            self._tags.get(one): one
            for one in given
            if one in self._tags or (not torch.nn.parameter.is_lazy(one) and one.dim())
        }
        tagged = [index for index in found if index is not None]
        if len(found) > 1 and not name.startswith("_"):
            other = "cpu" if None in found else f"cuda:{tagged[1]}"
            raise RuntimeError(MIXED_ERROR.format(f"cuda:{tagged[0]}", other))
        return tagged[0] if tagged else None

    def _to(self, tensor: Any, *args: Any, **named: Any) -> Any:
        index = self._tags.get(tensor)
        named.pop("non_blocking", None)
        for argument in (named.pop("device", None), *args):
            if isinstance(argument, torch.Tensor):
                index, named["dtype"] = self._tags.get(argument), argument.dtype
            elif isinstance(argument, torch.dtype):
                named["dtype"] = argument
            elif isinstance(argument, (str, torch.device)) or type(argument) is int:
                index = self.index(argument)
        stays = named.get("dtype") in (None, tensor.dtype) and not named.get("copy")
        if stays and self._tags.get(tensor) == index:
            return tensor
        named = {} if stays else named
        return self.tag(torch.Tensor.to(tensor, "cpu", **{"copy": True, **named}), index)

    def _repr(self, tensor: Any, *_: Any, **named: Any) -> str:
        with self:
            text: str = torch._tensor_str._str_intern(tensor, **named)
            return text

    def _numpy(self, tensor: Any, *args: Any, **named: Any) -> Any:
        if tensor in self._tags:
            raise TypeError(NUMPY_ERROR.format(self.device(tensor)))
        return torch.Tensor.numpy(tensor, *args, **named)

    def _set_data(self, tensor: Any, value: Any) -> None:
        torch.Tensor.data.__set__(tensor, value)
        self.tag(tensor, self._tags.get(value))


def tensors_in(things: Any) -> Iterator[Any]:
    for thing in things:
        if isinstance(thing, torch.Tensor):
            yield thing
        elif isinstance(thing, (list, tuple)):
            yield from tensors_in(thing)
        elif isinstance(thing, dict):
            yield from tensors_in(thing.values())


def emulate() -> CudaOnCpu:
    """Switch the emulation on in this process, for good."""
    mode = CudaOnCpu()
    for name in torch.cuda.__all__:
        if callable(getattr(torch.cuda, name, None)):
            setattr(torch.cuda, name, _answer(mode, name) if name in ANSWERS else _refused(f"torch.cuda.{name}"))
    torch.cuda.device = mode.as_current
    torch.cuda.nccl.version = _refused("torch.cuda.nccl.version")
    torch.cuda.amp.autocast, torch.cuda.amp.GradScaler = _refused("autocast"), _refused("GradScaler")
    autocast, load, put_default = torch.autocast, torch.load, torch.set_default_device

    def unless_cuda(device_type: str, *args: Any, **named: Any) -> Any:
        if device_type == "cuda":  # where it computes in half precision
            raise NotEmulatedError("autocast")
        return autocast(device_type, *args, **named)

    def tagged_load(file: Any, map_location: Any = None, *args: Any, **named: Any) -> Any:
        index = mode.index(map_location)
        found = load(file, "cpu" if index is not None else map_location, *args, **named)
        return found if index is None else mode.tag(found, index)

    def set_default_device(device: Any) -> None:  # torch's own mode would sit below ours and ask for the real device
        wanted = None if device is None else torch.device(device)
        mode.default = None if mode.index(wanted) is None else wanted
        put_default(device if mode.default is None else None)

    def get_default_device() -> Any:
        return torch.device("cpu" if mode.default is None else f"cuda:{mode.index(mode.default)}")

    def forward(self: Any, *inputs: Any, **named: Any) -> Any:  # over several devices it would split its input
        if len(self.device_ids) > 1:
            raise NotEmulatedError("more than one device")
        return self.module(*(one.cuda() if isinstance(one, torch.Tensor) else one for one in inputs), **named)

    torch.autocast = torch.amp.autocast = unless_cuda
    torch.load, torch.nn.DataParallel.forward = tagged_load, forward
    torch.set_default_device, torch.get_default_device = set_default_device, get_default_device
    torch.nn.RNNBase.flatten_parameters = lambda self: None  # a CUDA build would ask cuDNN; the values stay the same
    for kind in [getattr(torch.nn, name) for name in ("Parameter", "Buffer") if hasattr(torch.nn, name)]:
        kind.__new__ = staticmethod(_tagged(mode, kind.__new__))
    os.environ["TORCHDYNAMO_DISABLE"] = "1"  # `torch.compile` hands back what it is given
    if "torch._dynamo" in sys.modules:
        sys.modules["torch._dynamo"].config.disable = True
    mode.__enter__()
    return mode


def _answer(mode: CudaOnCpu, name: str) -> Any:
    def asked(*arguments: Any, **_: Any) -> Any:
        mode.touched = True
        if "seed" in name:
            mode.seed(arguments[0])
        if name == "set_device":
            mode.current = mode.index(arguments[0]) or 0
        return mode.current if name == "current_device" else ANSWERS[name]

    asked.__name__ = asked.__qualname__ = name
    asked.__module__ = "torch.cuda"
    return asked


def _refused(name: str) -> Any:
    """In the place of a function or class: calling it, or asking whether something is one, needs a GPU."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise NotEmulatedError(name)

    return type("Refused", (type,), {"__call__": refuse, "__instancecheck__": refuse})(name, (), {})


def _tagged(mode: CudaOnCpu, make: Any) -> Any:
    """`Parameter(t)` wraps the data without asking any mode."""

    def made(cls: Any, data: Any = None, *args: Any, **named: Any) -> Any:
        index = mode._tags.get(data) if isinstance(data, torch.Tensor) else None
        found = make(cls, data, *args, **named)
        return found if index is None else mode.tag(found, index)

    return made
