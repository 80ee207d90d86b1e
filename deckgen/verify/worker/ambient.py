"""Ambient state: what one snippet changes and the next one feels without naming it."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, List

from .randomness import seed_everything
from .values import torch


class Ambient:
    """The state at the start of a session, to go back to between the snippets of a reset run."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._folder = os.getcwd()
        self._environ = dict(os.environ)
        self._path = list(sys.path)
        self._print_options = vars(torch._tensor_str.PRINT_OPTS).copy()
        self._dtype = torch.get_default_dtype()
        self._threads = torch.get_num_threads()
        self._deterministic = torch.are_deterministic_algorithms_enabled()
        numpy = sys.modules.get("numpy")
        self._numpy_options: Dict[str, Any] = numpy.get_printoptions() if numpy else {}

    def restore(self) -> None:
        """Put everything back; one that fails (an exotic torch) does not stop the others."""
        for step in self._steps():
            try:
                step()
            except Exception:  # noqa: S112 (each is independent; nothing here can be reported)
                continue

    def _steps(self) -> List[Callable[[], Any]]:
        return [
            lambda: torch.set_grad_enabled(True),
            lambda: torch.set_default_dtype(self._dtype),
            lambda: torch.set_default_device(None),
            lambda: vars(torch._tensor_str.PRINT_OPTS).update(self._print_options),
            lambda: torch.set_num_threads(self._threads),
            lambda: torch.use_deterministic_algorithms(self._deterministic),
            lambda: torch.autograd.set_detect_anomaly(False),
            lambda: torch.set_autocast_enabled(False),
            lambda: os.chdir(self._folder),
            self._restore_environ,
            self._restore_numpy,
            lambda: sys.path.__setitem__(slice(None), self._path),
            lambda: seed_everything(self._seed),
        ]

    def _restore_environ(self) -> None:
        os.environ.clear()
        os.environ.update(self._environ)

    def _restore_numpy(self) -> None:
        if self._numpy_options:
            sys.modules["numpy"].set_printoptions(**self._numpy_options)
