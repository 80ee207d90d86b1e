"""What `torch.cuda` and `torch.accelerator` answer while CUDA is emulated.

What an answer cannot be had for without a GPU says so in words by which a claim becomes `unverified: needs-cuda`.
"""

from __future__ import annotations

import contextlib
import functools
import time
import types
from typing import Any, Callable, Dict, Iterator, Optional

from .cuda_on_cpu import CudaOnCpu
from .cuda_rules import NotEmulatedError
from .values import torch

NAME = "emulated CUDA device"
TOTAL = 16 << 30
SEGMENT = 2 << 20
"""Bytes that a GPU's allocator reserves at once."""


class Event:
    def __init__(self, *_: Any, **__: Any) -> None:
        self._at = 0.0

    def record(self, *_: Any) -> None:
        self._at = time.perf_counter()

    def elapsed_time(self, other: Event) -> float:
        return (other._at - self._at) * 1000

    def synchronize(self) -> None:
        pass

    def wait(self, *_: Any) -> None:
        pass

    def query(self) -> bool:
        return True


class Stream(Event):
    cuda_stream = stream_id = priority = 0

    @property
    def device(self) -> Any:
        return torch.device("cuda", torch.cuda.current_device())

    def is_capturing(self) -> bool:
        return False

    def wait_stream(self, *_: Any) -> None:
        pass

    def wait_event(self, *_: Any) -> None:
        pass

    def record_event(self, event: Optional[Event] = None) -> Event:
        event = event or Event()
        event.record()
        return event

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        pass


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def _refusal(name: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotEmulatedError(name)

    return refuse


def _properties(*_: Any) -> Any:
    return types.SimpleNamespace(
        name=NAME, major=8, minor=0, total_memory=TOTAL, multi_processor_count=108, is_integrated=False, warp_size=32
    )


def answer(mode: CudaOnCpu) -> None:
    """Put the answers in place of the functions of `torch.cuda`, and mark what asked as emulated."""
    answers = {**_plain_answers(), **_answers_about(mode)}
    for name in _unanswered(answers):
        answers[name] = _refusal(f"torch.cuda.{name}")
    for name, found in answers.items():
        setattr(torch.cuda, name, found if isinstance(found, type) else _marking(mode, found, name))
    for module in ("random", "memory"):
        for name in set(vars(getattr(torch.cuda, module))) & set(answers):
            setattr(getattr(torch.cuda, module), name, getattr(torch.cuda, name))
    for name in ("version", "unique_id", "all_reduce", "broadcast", "reduce"):
        setattr(torch.cuda.nccl, name, _refusal(f"torch.cuda.nccl.{name}"))
    for name in ("range_push", "range_pop", "mark", "range_start", "range_end"):
        setattr(torch.cuda.nvtx, name, _constant(None))
    if hasattr(torch, "accelerator"):
        _answer_about_accelerators(mode)


def _marking(mode: CudaOnCpu, function: Any, name: str) -> Any:
    """Who was told something by the emulation did not run on the CPU alone."""

    def asked(*arguments: Any, **named: Any) -> Any:
        mode.touched = True
        return function(*arguments, **named)

    asked.__name__ = asked.__qualname__ = name
    asked.__module__ = "torch.cuda"
    return asked


KEPT = frozenset(["CudaError", "DeferredCudaCallError", "has_half", "has_magma", "check_error", "cudaStatus"])


def _unanswered(answers: Dict[str, Any]) -> Iterator[str]:
    """Public functions and classes of `torch.cuda` that only a GPU can answer for."""
    for name in torch.cuda.__all__:
        thing = getattr(torch.cuda, name, None)
        typed = name.endswith(("Tensor", "Storage"))
        if callable(thing) and not isinstance(thing, types.ModuleType) and not typed and name not in KEPT:
            if name not in answers:
                yield name


def _plain_answers() -> Dict[str, Any]:
    nothing = (
        "synchronize empty_cache init ipc_collect reset_peak_memory_stats reset_max_memory_allocated"
        " reset_max_memory_cached reset_accumulated_memory_stats set_per_process_memory_fraction set_stream"
        " set_sync_debug_mode"
    )
    return {
        **{name: _constant(None) for name in nothing.split()},  # each its own: torch._dynamo keys tables by them
        "is_available": _constant(True),
        "is_initialized": _constant(True),
        "is_current_stream_capturing": _constant(False),
        "is_tf32_supported": _constant(True),
        "is_bf16_supported": _constant(True),
        "can_device_access_peer": _constant(True),
        "get_device_name": _constant(NAME),
        "get_device_capability": _constant((8, 0)),
        "get_device_properties": _properties,
        "get_arch_list": _constant(["sm_80"]),
        "get_sync_debug_mode": _constant(0),
        "memory_summary": _constant("|  PyTorch CUDA memory summary (emulated)  |"),
        "memory_stats": _constant({}),
        "list_gpu_processes": _constant("GPU:0"),
        **{name: _constant(0) for name in ("utilization", "memory_usage", "temperature", "power_draw", "clock_rate")},
        "Event": Event,
        "Stream": Stream,
        "current_stream": lambda *_: Stream(),
        "default_stream": lambda *_: Stream(),
        "stream": lambda *_, **__: contextlib.nullcontext(),
    }


def _answers_about(mode: CudaOnCpu) -> Dict[str, Any]:
    def reserved() -> int:
        return -(-mode.allocated() // SEGMENT) * SEGMENT

    def peak() -> int:
        mode.allocated()
        return mode.peak

    @contextlib.contextmanager
    def device(wanted: Any) -> Iterator[None]:
        before = mode.current
        index = mode.device_index(wanted)
        mode.current = before if index is None or index < 0 else index
        try:
            yield
        finally:
            mode.current = before

    def set_device(wanted: Any) -> None:
        index = mode.device_index(wanted)
        mode.current = mode.current if index is None else index

    generator = mode.generator
    return {
        "manual_seed": mode.seed,
        "manual_seed_all": mode.seed,
        "seed": lambda: generator.seed() and None,
        "seed_all": lambda: generator.seed() and None,
        "initial_seed": generator.initial_seed,
        "get_rng_state": lambda *_: generator.get_state(),
        "get_rng_state_all": lambda: [generator.get_state()],
        "set_rng_state": lambda state, *_: generator.set_state(state) and None,
        "set_rng_state_all": lambda states: generator.set_state(states[0]) and None,
        "device_count": lambda: max(1, mode.current + 1),
        "current_device": lambda: mode.current,
        "set_device": set_device,
        "device": device,
        "device_of": lambda tensor: device(mode.index_of(tensor)),
        "memory_allocated": lambda *_, **__: mode.allocated(),
        "max_memory_allocated": lambda *_, **__: peak(),
        "memory_reserved": lambda *_, **__: reserved(),
        "memory_cached": lambda *_, **__: reserved(),
        "max_memory_reserved": lambda *_, **__: -(-peak() // SEGMENT) * SEGMENT,
        "max_memory_cached": lambda *_, **__: -(-peak() // SEGMENT) * SEGMENT,
        "mem_get_info": lambda *_: (TOTAL - reserved(), TOTAL),
        "device_memory_used": lambda *_: reserved(),
    }


def _answer_about_accelerators(mode: CudaOnCpu) -> None:
    cuda = torch.cuda
    answers = {
        "is_available": _constant(True),
        "device_count": cuda.device_count,
        "current_accelerator": lambda *_, **__: torch.device("cuda"),
        "current_device_index": cuda.current_device,
        "current_device_idx": cuda.current_device,
        "set_device_index": cuda.set_device,
        "set_device_idx": cuda.set_device,
        "synchronize": cuda.synchronize,
        "empty_cache": cuda.empty_cache,
        "current_stream": cuda.current_stream,
        "memory_allocated": cuda.memory_allocated,
        "memory_reserved": cuda.memory_reserved,
        "max_memory_allocated": cuda.max_memory_allocated,
        "max_memory_reserved": cuda.max_memory_reserved,
    }
    for name, found in answers.items():
        if hasattr(torch.accelerator, name):
            setattr(torch.accelerator, name, functools.wraps(found)(_marking(mode, found, name)))
