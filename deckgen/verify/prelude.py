"""The prelude: imports that readers of PyTorch notes take for granted."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from deckgen.text.syntax import nodes, parsed
from deckgen.verify.triage import triage

PRELUDE: Mapping[str, str] = {
    "torch": "import torch",
    "nn": "import torch.nn as nn",
    "F": "import torch.nn.functional as F",
    "optim": "import torch.optim as optim",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "pd": "import pandas as pd",
    "math": "import math",
    "time": "import time",
    "os": "import os",
    "sys": "import sys",
    "random": "import random",
    "copy": "import copy",
    "json": "import json",
    "warnings": "import warnings",
    "OrderedDict": "from collections import OrderedDict",
    "partial": "from functools import partial",
    "Tensor": "from torch import Tensor",
    "Variable": "from torch.autograd import Variable",
    "Function": "from torch.autograd import Function",
    "Parameter": "from torch.nn import Parameter",
    "Dataset": "from torch.utils.data import Dataset",
    "IterableDataset": "from torch.utils.data import IterableDataset",
    "TensorDataset": "from torch.utils.data import TensorDataset",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Sampler": "from torch.utils.data import Sampler",
    "random_split": "from torch.utils.data import random_split",
    "checkpoint": "from torch.utils.checkpoint import checkpoint",
    "SummaryWriter": "from torch.utils.tensorboard import SummaryWriter",
    "benchmark": "import torch.utils.benchmark as benchmark",
    "torchvision": "import torchvision",
    "transforms": "from torchvision import transforms",
    "models": "from torchvision import models",
}

MODULES: Mapping[str, str] = {
    "np": "numpy", "plt": "matplotlib", "pd": "pandas", "torchvision": "torchvision",
    "transforms": "torchvision", "models": "torchvision", "SummaryWriter": "tensorboard",
}  # fmt: skip
"""Packages besides torch that a line of the prelude needs."""


FUNCTIONS = frozenset(["checkpoint", "partial", "random_split"])
ALSO_MODULES = frozenset(["transforms", "models"])
OF_CONTAINERS = frozenset("items keys values append extend get pop update sort insert".split())
"""What nobody calls on the module `models`, but on a dict of models."""


def fits(name: str, code: str) -> bool:
    """True if a snippet uses a name as what the prelude has for it: `models.resnet18()`, not `models.items()`."""
    module = PRELUDE.get(name, "").startswith("import ") or name in ALSO_MODULES
    tree = parsed(code)
    if tree is None or not (module or name in FUNCTIONS):
        return True
    asked = [node for node in nodes(tree) if isinstance(node, ast.Attribute | ast.Subscript)]
    asked = [node for node in asked if isinstance(node.value, ast.Name) and node.value.id == name]
    if not module:
        return not asked
    bare = sum(isinstance(node, ast.Name) and node.id == name for node in nodes(tree)) > len(asked)
    attributes = {node.attr if isinstance(node, ast.Attribute) else "get" for node in asked}
    return not bare and not (name in ALSO_MODULES and attributes & OF_CONTAINERS)


def prelude_names(lines: Sequence[str]) -> dict[str, str]:
    """Name -> line of the prelude; lines from the configuration come before our own."""
    own = {name: line for line in lines for name in triage(line).binds}
    return {**PRELUDE, **own}
