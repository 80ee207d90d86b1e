"""CUDA emulated: operations run on the CPU, and tensors are tagged as if they were on a CUDA device.

For documents whose code asks for CUDA on a machine that has none. Values, shapes, devices in reprs, errors
of mixed devices and `.numpy()` come out as on a GPU; timings, memory figures and seeded random numbers do
not, and nothing seen this way may be called checked on CUDA: observations are marked `cuda-emulated`.
"""

from __future__ import annotations

import contextlib
import time
from importlib import import_module
from typing import Any, Callable, Dict, Iterator, List, Optional

from .values import torch

_overrides: Any = import_module("torch.overrides")
_weak: Any = import_module("torch.utils.weak")
_TorchFunctionMode: Any = _overrides.TorchFunctionMode

NUMPY_ERROR = "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
MIXED_ERROR = "Expected all tensors to be on the same device, but found at least two devices, {} and {}!"
MAY_MIX = frozenset(
    [
        "copy_",
        "__getitem__",
        "__setitem__",
        "index_put_",
        "index_put",
        "index_select",
        "__set__",
        "__get__",
        "set_",
        "to",
        "type_as",
        "is_same_size",
        "equal",
        "allclose",
    ]
)
"""Functions that take tensors of several devices (`equal` has a check of its own on a GPU; rare in notes)."""


def device_index(device: Any) -> Optional[int]:
    """The index of a CUDA device however it is written; None if it is no CUDA device."""
    if isinstance(device, bool) or device is None:
        return None
    if isinstance(device, int):
        return device
    if isinstance(device, str) and device.startswith("cuda"):
        device = torch.device(device)
    if isinstance(device, torch.device) and device.type == "cuda":
        return device.index or 0
    return None


def tensors_in(things: Any) -> Iterator[Any]:
    for thing in things:
        if isinstance(thing, torch.Tensor):
            yield thing
        elif isinstance(thing, (list, tuple)):
            yield from tensors_in(thing)


class CudaOnCpu(_TorchFunctionMode):  # type: ignore[misc]
    """The mode; `touched` tells whether anything was ever put on the emulated device."""

    def __init__(self) -> None:
        super().__init__()
        self.touched = False
        self.default: Optional[int] = None
        self._tags: Any = _weak.WeakTensorKeyDictionary()
        tensor = torch.Tensor
        self._special: List[Any] = [
            (tensor.device.__get__, self.device),
            (tensor.is_cuda.__get__, lambda t: t in self._tags),
            (tensor.is_cpu.__get__, lambda t: t not in self._tags),
            (tensor.get_device, lambda t: self._tags.get(t, -1)),
            (tensor.__repr__, self._repr),
            (tensor.__format__, self._format),
            (tensor.numpy, self._numpy),
            (tensor.__array__, self._numpy),
            (tensor.cuda, lambda t, device=None, *_, **__: self._move(t, device_index(device) or 0, {})),
            (tensor.cpu, lambda t, *_, **__: self._move(t, None, {})),
            (tensor.to, self._to),
            (tensor.type, self._type),
            (tensor.pin_memory, lambda t, *_, **__: t.clone()),
            (tensor.data.__set__, self._set_data),
        ]

    # Tags

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

    def index_of(self, tensor: Any) -> Optional[int]:
        index: Optional[int] = self._tags.get(tensor)
        return index

    # Functions

    def __torch_function__(self, function: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named: Dict[str, Any] = dict(kwargs or {})
        for special, replacement in self._special:
            if function == special:  # getters are new objects each time: never `is`
                return replacement(*args, **named)
        index = self._common_index(function, args, named)
        wanted = named.get("device")
        if wanted is not None:
            index = device_index(wanted)
            if index is not None:
                named["device"] = "cpu"
        elif index is None and self.default is not None and not any(tensors_in(args)):
            index = self.default
        result = function(*args, **named)
        return result if index is None else self.tag(result, index)

    def _common_index(self, function: Any, args: Any, named: Dict[str, Any]) -> Optional[int]:
        found: Dict[Any, Any] = {}
        for tensor in tensors_in([*args, *named.values()]):
            index = self._tags.get(tensor)
            if index is not None or tensor.dim() > 0:  # CPU scalars may go anywhere
                found.setdefault(index, tensor)
        name = getattr(function, "__name__", "")
        tagged = [index for index in found if index is not None]
        if len(found) > 1 and not name.startswith("_") and name not in MAY_MIX:
            other = "cpu" if None in found else f"cuda:{tagged[1]}"
            raise RuntimeError(MIXED_ERROR.format(f"cuda:{tagged[0]}", other))
        first = next(tensors_in(args), None)
        if name in MAY_MIX and first is not None:
            own: Optional[int] = self._tags.get(first)
            return own
        return tagged[0] if tagged else None

    def _move(self, tensor: Any, index: Optional[int], named: Dict[str, Any]) -> Any:
        if self._tags.get(tensor) == index and not named:
            return tensor
        copied = torch.Tensor.to(tensor, "cpu", **{"copy": True, **named})
        return self.tag(copied, index)

    def _to(self, tensor: Any, *args: Any, **named: Any) -> Any:
        target, rest = named.pop("device", None), []
        for argument in args:
            if isinstance(argument, (str, torch.device)) or type(argument) is int:
                target = argument
            elif isinstance(argument, torch.Tensor):
                target = self.device(argument)
                named["dtype"] = argument.dtype
            else:
                rest.append(argument)
        if target is None:
            return self.tag(torch.Tensor.to(tensor, *rest, **named), self._tags.get(tensor))
        if rest and isinstance(rest[0], torch.dtype):
            named["dtype"] = rest[0]
        if named.get("dtype") is None:
            named.pop("dtype", None)
        named.pop("non_blocking", None)
        if named.get("dtype") in (None, tensor.dtype) and not named.get("copy"):
            named = {}
        return self._move(tensor, device_index(target), named)

    def _repr(self, tensor: Any, *_: Any, **named: Any) -> str:
        with self:
            text: str = torch._tensor_str._str_intern(tensor, **named)
            return text

    def _format(self, tensor: Any, form: str) -> str:
        if tensor.dim() == 0 and not tensor.is_complex():
            return format(tensor.item(), form)
        return format(self._repr(tensor), form)

    def _numpy(self, tensor: Any, *args: Any, **named: Any) -> Any:
        if tensor in self._tags:
            raise TypeError(NUMPY_ERROR.format(self.device(tensor)))
        return torch.Tensor.numpy(tensor, *args, **named) if named or not args else tensor.__array__(*args)

    def _type(self, tensor: Any, *args: Any, **named: Any) -> Any:
        found = torch.Tensor.type(tensor, *args, **named)
        if isinstance(found, str):
            return found.replace("torch.", "torch.cuda.") if tensor in self._tags else found
        return self.tag(found, self._tags.get(tensor))

    def _set_data(self, tensor: Any, value: Any) -> None:
        torch.Tensor.data.__set__(tensor, value)
        self.tag(tensor, self._tags.get(value))


class _Event:
    def __init__(self, *_: Any, **__: Any) -> None:
        self._at = 0.0

    def record(self, *_: Any) -> None:
        self._at = time.perf_counter()

    def elapsed_time(self, other: _Event) -> float:
        return (other._at - self._at) * 1000

    def synchronize(self) -> None:
        pass

    def wait(self, *_: Any) -> None:
        pass

    def query(self) -> bool:
        return True


class _Stream(_Event):
    def wait_stream(self, *_: Any) -> None:
        pass

    def wait_event(self, *_: Any) -> None:
        pass

    def record_event(self, event: Optional[_Event] = None) -> _Event:
        event = event or _Event()
        event.record()
        return event


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def _shims(mode: CudaOnCpu) -> Dict[str, Any]:
    """What `torch.cuda` answers while the emulation is on."""
    quiet = ["synchronize", "empty_cache", "set_device", "init", "ipc_collect", "reset_peak_memory_stats", "nvtx_mark"]
    context = lambda *_, **__: contextlib.nullcontext()  # noqa: E731 (one of many small stand-ins)
    return {
        **{name: _constant(None) for name in quiet},  # each its own: torch._dynamo keys tables by them
        "is_available": _constant(True),
        "is_initialized": _constant(True),
        "device_count": _constant(1),
        "current_device": _constant(0),
        "get_device_name": _constant("emulated CUDA device"),
        "get_device_capability": _constant((8, 0)),
        "is_bf16_supported": _constant(True),
        "manual_seed": lambda seed: torch.manual_seed(seed) and None,
        "manual_seed_all": lambda seed: torch.manual_seed(seed) and None,
        "Event": _Event,
        "Stream": _Stream,
        "current_stream": lambda *_: _Stream(),
        "default_stream": lambda *_: _Stream(),
        "stream": context,
        "device": context,
        **{
            name: _constant(0)
            for name in ["memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"]
        },
    }


def emulate() -> CudaOnCpu:
    """Switch the emulation on in this process, for good."""
    mode = CudaOnCpu()
    for name, shim in _shims(mode).items():
        setattr(torch.cuda, name, shim)
    _patch_parameter(mode)
    _patch_load(mode)
    _patch_autocast()
    _patch_default_device(mode)
    mode.__enter__()
    return mode


def _patch_parameter(mode: CudaOnCpu) -> None:
    """`Parameter(t)` wraps the data without asking any mode."""
    for kind in (torch.nn.Parameter, torch.nn.Buffer) if hasattr(torch.nn, "Buffer") else (torch.nn.Parameter,):
        make = kind.__new__

        def tagged(cls: Any, data: Any = None, *args: Any, _make: Any = make, **named: Any) -> Any:
            made = _make(cls, data, *args, **named)
            index = mode.index_of(data) if isinstance(data, torch.Tensor) else None
            return made if index is None else mode.tag(made, index)

        kind.__new__ = staticmethod(tagged)


def _patch_load(mode: CudaOnCpu) -> None:
    load = torch.load

    def loading(file: Any, map_location: Any = None, *args: Any, **named: Any) -> Any:
        index = device_index(map_location)
        found = load(file, "cpu" if index is not None else map_location, *args, **named)
        if index is not None:
            mode.tag(list(found.values()) if isinstance(found, dict) else found, index)
        return found

    torch.load = loading


def _patch_autocast() -> None:
    """Autocast and loss scaling for "cuda" act on the CPU, in half precision as there."""
    autocast: Any = torch.autocast
    scaler: Any = torch.amp.GradScaler

    class Autocast(autocast):  # type: ignore[misc]
        def __init__(self, device_type: str = "cuda", dtype: Any = None, *args: Any, **named: Any) -> None:
            if device_type == "cuda":
                device_type, dtype = "cpu", dtype or torch.float16
            super().__init__(device_type, dtype, *args, **named)

    class GradScaler(scaler):  # type: ignore[misc]
        def __init__(self, device: str = "cuda", *args: Any, **named: Any) -> None:
            super().__init__("cpu" if device == "cuda" else device, *args, **named)

    class CudaAutocast(Autocast):
        def __init__(self, enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> None:
            super().__init__("cuda", dtype or torch.float16, enabled, cache_enabled)

    class CudaGradScaler(GradScaler):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__("cuda", *args, **named)

    torch.autocast = torch.amp.autocast = torch.amp.autocast_mode.autocast = Autocast
    torch.amp.GradScaler = GradScaler
    torch.cuda.amp.autocast, torch.cuda.amp.GradScaler = CudaAutocast, CudaGradScaler


def _patch_default_device(mode: CudaOnCpu) -> None:
    """Its own mode would sit below ours and ask for the real device."""
    real = torch.set_default_device

    def set_default_device(device: Any) -> None:
        mode.default = device_index(device)
        real(None if mode.default is not None else device)

    torch.set_default_device = set_default_device
    torch.get_default_device = lambda: torch.device("cpu" if mode.default is None else f"cuda:{mode.default}")
