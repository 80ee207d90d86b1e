"""CUDA emulated: operations run on the CPU, and tensors are tagged as if they were on a CUDA device.

For documents whose code asks for CUDA on a machine that has none. Values, shapes, devices in reprs, errors
of mixed devices and `.numpy()` come out as on a GPU; timings, memory figures and seeded random numbers do
not, and nothing seen this way may be called checked on CUDA: observations are marked `cuda-emulated`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, List, Optional

from .cuda_rules import MAY_MIX, MIXED_ERROR, NUMPY_ERROR, RANDOM, as_on_a_gpu, dimensions, tensors_in
from .values import torch

_overrides: Any = import_module("torch.overrides")
_weak: Any = import_module("torch.utils.weak")
_TorchFunctionMode: Any = _overrides.TorchFunctionMode

BLOCK = 512
"""Bytes to which a GPU's allocator rounds."""


class CudaOnCpu(_TorchFunctionMode):  # type: ignore[misc]
    """The mode; `touched` tells whether anything was ever put on the emulated device."""

    def __init__(self) -> None:
        super().__init__()
        self.touched = False
        self.default: Optional[torch.device] = None
        """Without an index it is whichever device is the current one when a tensor is made."""
        self.current = 0
        self.peak = 0
        self.drew = False
        self._salt = torch.initial_seed()
        self.generator = torch.Generator()
        self.seed(self._salt)
        self._pinned: Any = _weak.WeakTensorKeyDictionary()
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
            (tensor.cuda, self._cuda),
            (tensor.cpu, lambda t, *_, **__: self._move(t, None, {})),
            (tensor.to, self._to),
            (tensor.type, self._type),
            (tensor.pin_memory, self._pin),
            (tensor.is_pinned, lambda t, *_, **__: t in self._pinned),
            (tensor.data.__set__, self._set_data),
            (tensor.register_hook, self._register_hook),
        ]

    # Devices

    def device_index(self, device: Any) -> Optional[int]:
        """The index of a CUDA device however it is written; None if it is no CUDA device."""
        if isinstance(device, bool) or device is None:
            return None
        if isinstance(device, int):
            return device
        if isinstance(device, str) and device.startswith("cuda"):
            device = torch.device(device)
        if isinstance(device, torch.device) and device.type == "cuda":
            return self.current if device.index is None else int(device.index)
        return None

    def seed(self, number: int, generator: Any = None) -> None:
        """Seed the device's generator: as a GPU's it repeats itself, but its numbers are not those of a GPU.

        They differ from run to run, so that nobody takes them for what the notes show.
        """
        (generator or self.generator).manual_seed((int(number) * 1_000_003 + self._salt) % (1 << 63))

    def _draw(self, function: Any, args: Any, named: Dict[str, Any]) -> Any:
        """Call a function that draws on the device: the CPU's own generator must not move."""
        self.drew = True
        default = torch.default_generator
        before = default.get_state()
        default.set_state(self.generator.get_state())
        try:
            return function(*args, **named)
        finally:
            self.generator.set_state(default.get_state())
            default.set_state(before)

    def allocated(self) -> int:
        """Bytes that the tensors on the emulated device hold, counted as a GPU's allocator does."""
        with torch._C.DisableTorchFunction():
            storages = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in self._tags}
        total: int = sum(-(-size // BLOCK) * BLOCK for address, size in storages.items() if address)
        self.peak = max(self.peak, total)
        return total

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
        return self._call(function, args, named)

    def _call(self, function: Any, args: Any, named: Dict[str, Any]) -> Any:
        index = self._common_index(function, args, named)
        wanted = named.get("device")
        if wanted is not None:
            index = self.device_index(wanted)
            if index is not None:
                named["device"] = "cpu"
        elif index is None and self.default is not None and next(tensors_in(args), None) is None:
            index = self.device_index(self.default)
        if index is None:
            return function(*args, **named)
        self.touched = True
        draws = RANDOM.search(getattr(function, "__name__", "")) is not None
        try:
            return self.tag(self._draw(function, args, named) if draws else function(*args, **named), index)
        except RuntimeError as error:
            raise as_on_a_gpu(error) from None

    def _common_index(self, function: Any, args: Any, named: Dict[str, Any]) -> Optional[int]:
        found: Dict[Any, Any] = {}
        for tensor in tensors_in([*args, *named.values()]):
            index = self._tags.get(tensor)
            if index is not None or dimensions(tensor) > 0:  # CPU scalars may go anywhere
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

    def _cuda(self, tensor: Any, device: Any = None, *_: Any, **__: Any) -> Any:
        index = self.device_index(device)
        return self._move(tensor, self.current if index is None else index, {})

    def _pin(self, tensor: Any, *_: Any, **__: Any) -> Any:
        if tensor in self._tags:
            raise RuntimeError(f"cannot pin '{self._type(tensor)}' only dense CPU tensors can be pinned")
        pinned = tensor.clone()
        self._pinned[pinned] = True
        return pinned

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
        return self._move(tensor, self.device_index(target), named)

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

    def _type(self, tensor: Any, wanted: Any = None, **named: Any) -> Any:
        """The name of a tensor's type, or the tensor as another type: an old way to move it."""
        if wanted is None and not named:
            found: str = torch.Tensor.type(tensor)
            return found.replace("torch.", "torch.cuda.") if tensor in self._tags else found
        wanted = named.get("dtype", wanted)
        if isinstance(wanted, torch.dtype):
            return self.tag(torch.Tensor.type(tensor, wanted), self._tags.get(tensor))
        name = wanted if isinstance(wanted, str) else f"{wanted.__module__}.{wanted.__name__}"
        cast = torch.Tensor.type(tensor, name.replace("torch.cuda.", "torch."))
        index = self.current if name.startswith("torch.cuda.") else None
        return self._move(cast, index, {})

    def _register_hook(self, tensor: Any, hook: Any) -> Any:
        """The gradient that a hook is given lies where its tensor does."""

        def called(gradient: Any) -> Any:
            with self:  # no mode is on inside of `backward`
                return hook(self.tag(gradient, self._tags.get(tensor)))

        return torch.Tensor.register_hook(tensor, called)

    def _set_data(self, tensor: Any, value: Any) -> None:
        torch.Tensor.data.__set__(tensor, value)
        self.tag(tensor, self._tags.get(value))


def emulate() -> CudaOnCpu:
    """Switch the emulation on in this process, for good."""
    from .cuda_answers import answer
    from .cuda_patches import patch

    mode = CudaOnCpu()
    answer(mode)
    patch(mode)
    mode.__enter__()
    return mode
