"""What CUDA emulation changes in torch besides `torch.cuda`: makers that no mode is asked about."""

from __future__ import annotations

import os
import sys
from typing import Any, Dict, Type

from .cuda_on_cpu import CudaOnCpu
from .cuda_rules import NotEmulatedError
from .values import torch


def patch(mode: CudaOnCpu) -> None:
    """Put everything in its place, for good."""
    _patch_parameter(mode)
    _patch_load(mode)
    _patch_autocast()
    _patch_autocast_questions()
    _patch_default_device(mode)
    _patch_generator(mode)
    _patch_parallel(mode)
    _compile_nothing()
    _flatten_nothing()
    types = _typed_tensors(mode)
    for name, kind in types.items():
        setattr(torch.cuda, name, kind)
    _patch_default_type(mode, types)


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
        index = mode.device_index(map_location)
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


def _patch_autocast_questions() -> None:
    """Whether autocast is on, and for which dtype, is asked of the CPU's instead."""
    for name in ("is_autocast_enabled", "get_autocast_dtype"):
        ask = getattr(torch, name, None)
        if ask is not None:
            setattr(torch, name, lambda kind="cuda", _ask=ask: _ask("cpu" if kind == "cuda" else kind))
    torch.get_autocast_gpu_dtype = lambda: torch.get_autocast_dtype("cpu")


def _patch_default_device(mode: CudaOnCpu) -> None:
    """Its own mode would sit below ours and ask for the real device."""
    real, kind = torch.set_default_device, torch.device

    def set_default_device(device: Any) -> None:
        wanted = None if device is None else kind(device)
        mode.default = wanted if mode.device_index(wanted) is not None else None
        real(None if mode.default is not None else device)

    torch.set_default_device = set_default_device
    torch.get_default_device = lambda: kind(
        "cpu" if mode.default is None else f"cuda:{mode.device_index(mode.default)}"
    )


def _patch_generator(mode: CudaOnCpu) -> None:
    """A generator for CUDA draws on the CPU: other numbers than there, but as reproducible."""
    real: Any = torch.Generator

    class OnCuda(real):  # type: ignore[misc]
        index = 0

        @property
        def device(self) -> Any:
            return torch.device("cuda", self.index)

        def manual_seed(self, seed: int) -> Any:
            mode.drew = True
            mode.seed(seed, super())
            return self

    class Kind(type):
        def __instancecheck__(cls, thing: Any) -> bool:
            return isinstance(thing, real)

    class Generator(metaclass=Kind):
        __doc__ = real.__doc__

        def __new__(cls, device: Any = "cpu") -> Any:
            index = mode.device_index(device)
            if index is None:
                return real(device)
            mode.touched = True
            made = OnCuda()
            made.index = index
            return made

    Generator.__module__, Generator.__qualname__ = "torch", "Generator"
    torch.Generator = Generator


def _patch_parallel(mode: CudaOnCpu) -> None:
    """`DataParallel` over one device hands its input to the module; over several it splits, which we cannot."""
    parallel = torch.nn.DataParallel

    def forward(self: Any, *inputs: Any, **named: Any) -> Any:
        if len(self.device_ids) > 1:
            raise NotEmulatedError("more than one device")
        index = mode.device_index(self.device_ids[0]) if self.device_ids else mode.current
        for tensor in [*self.module.parameters(), *self.module.buffers()]:
            if mode.index_of(tensor) != index:
                where = f"cuda:{index} (device_ids[0]) but found one of them on device: {mode.device(tensor)}"
                raise RuntimeError("module must have its parameters and buffers on device " + where)
        return self.module(*_scattered(inputs, index), **named)

    def _scattered(inputs: Any, index: Any) -> Any:
        return [one.to(f"cuda:{index}") if isinstance(one, torch.Tensor) else one for one in inputs]

    parallel.forward = forward


def _compile_nothing() -> None:
    """`torch.compile` hands back what it is given: same results, and no compiler that wants a GPU."""
    os.environ["TORCHDYNAMO_DISABLE"] = "1"
    dynamo = sys.modules.get("torch._dynamo")
    if dynamo is not None:
        dynamo.config.disable = True


def _flatten_nothing() -> None:
    """A CUDA build has cuDNN lay out the weights of recurrent networks anew, which wants a GPU; the values stay the same."""
    torch.nn.RNNBase.flatten_parameters = lambda self: None


LEGACY = {
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "BFloat16Tensor": "bfloat16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "CharTensor": "int8",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
}


def _typed_tensors(mode: CudaOnCpu) -> Dict[str, Any]:
    """`torch.cuda.FloatTensor` and its like: constructors, and types to ask after."""

    class Kind(type):
        dtype: Any

        def __instancecheck__(cls, thing: Any) -> bool:
            return isinstance(thing, torch.Tensor) and thing.dtype == cls.dtype and mode.index_of(thing) is not None

    def make(cls: Type[Kind], *arguments: Any) -> Any:
        first = arguments[0] if arguments else 0
        if isinstance(first, (int, torch.Size)):
            made = torch.empty(*(arguments or (0,)), dtype=cls.dtype)
        else:
            made = torch.as_tensor(first, dtype=cls.dtype)
        return made.cuda()

    body = {"__new__": make, "__module__": "torch.cuda"}
    return {name: Kind(name, (), {**body, "dtype": getattr(torch, dtype)}) for name, dtype in LEGACY.items()}


def _patch_default_type(mode: CudaOnCpu, types: Dict[str, Any]) -> None:
    real = torch.set_default_tensor_type

    def set_default_tensor_type(kind: Any) -> None:
        name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__name__}"
        if name.startswith("torch.cuda."):
            torch.set_default_dtype(types[name.rpartition(".")[2]].dtype)
            mode.default = torch.device("cuda")
        else:
            real(kind)
            mode.default = None

    torch.set_default_tensor_type = set_default_tensor_type
