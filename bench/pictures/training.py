"""Pictures of training: graphs that autograd builds, learning rates over the steps, ranks and the order of gradients."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.optim import SGD, Optimizer
from torch.optim import lr_scheduler as schedulers
from torch.utils.data import DistributedSampler, TensorDataset

from bench.pictures.svg import BLUE, CELL, GREEN, ORANGE, PLAIN, WIDTH, arrow, box, grid, panel, plot, text

Node = torch.autograd.graph.Node


def graph(root: Node) -> str:
    """A graph from its root down, one level below the other; accumulating nodes in green."""
    levels: list[list[Node]] = [[root]]
    while below := list(dict.fromkeys(node for one in levels[-1] for node, _ in one.next_functions if node)):
        levels.append(below)
    place = {
        node: (WIDTH * (number + 1) / (len(level) + 1), 30 + 62 * depth)
        for depth, level in enumerate(levels)
        for number, node in enumerate(level)
    }
    arrows = [
        arrow(place[node][0] + bend, place[node][1] + 14, place[below][0] + bend, place[below][1] - 16)
        for node in place
        for bend, below in _edges(node)
    ]
    boxes = [box(x, y, node.name().split("::")[-1], _colour(node), 102) for node, (x, y) in place.items()]
    return panel(62 * len(levels), *arrows, *boxes)


def _edges(node: Node) -> list[tuple[int, Node]]:
    """The nodes below, each with how far its arrow is moved aside, so that two arrows to one node are seen as two."""
    below = [one for one, _ in node.next_functions if one]
    return [((20 * number - 10 if below.count(one) > 1 else 0), one) for number, one in enumerate(below)]


def _colour(node: Node) -> str:
    return GREEN if "AccumulateGrad" in node.name() else BLUE


def _root(value: torch.Tensor) -> Node:
    if value.grad_fn is None:
        raise ValueError("nothing was recorded")
    return value.grad_fn


def affine_graph() -> str:
    """The graph of `(x * w + b).sum()` where x needs no gradient."""
    x, w, b = torch.ones(2), torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    return graph(_root((x * w + b).sum()))


def square_graph() -> str:
    """The graph of `x * x`."""
    x = torch.ones(2, requires_grad=True)
    return graph(_root(x * x))


def detached_graph() -> str:
    """The graph of `(x * x.detach()).sum()`: one factor is a constant."""
    x = torch.ones(2, requires_grad=True)
    return graph(_root((x * x.detach()).sum()))


def rates(make: Callable[[Optimizer], schedulers.LRScheduler], steps: int = 100) -> str:
    """The learning rate of each step, 1 being that of the optimizer."""
    optimizer = SGD([nn.Parameter(torch.zeros(1))], lr=1.0, momentum=0.9)
    scheduler = make(optimizer)
    points = []
    for step in range(steps + 1):
        points.append((float(step), optimizer.param_groups[0]["lr"]))
        optimizer.step()
        scheduler.step()
    return plot([points], (0, steps), (0, 1), [(0, 0), (steps / 2, 0.5), (steps, 1)])


def steps() -> str:
    """A stair with equal steps."""
    return rates(lambda optimizer: schedulers.StepLR(optimizer, 25, 0.5))


def milestones() -> str:
    """A stair whose steps come where one wants them."""
    return rates(lambda optimizer: schedulers.MultiStepLR(optimizer, [60, 85], 0.4))


def cosine() -> str:
    """Half a wave down to zero."""
    return rates(lambda optimizer: schedulers.CosineAnnealingLR(optimizer, 100))


def restarts() -> str:
    """Half waves, each twice as long as the one before."""
    return rates(lambda optimizer: schedulers.CosineAnnealingWarmRestarts(optimizer, 15, 2))


def one_cycle() -> str:
    """Up to the top and far down again."""
    return rates(lambda optimizer: schedulers.OneCycleLR(optimizer, 1.0, total_steps=102))


def warmup() -> str:
    """A straight line up, then half a wave down."""
    return rates(
        lambda optimizer: schedulers.SequentialLR(
            optimizer,
            [schedulers.LinearLR(optimizer, 0.1, total_iters=20), schedulers.CosineAnnealingLR(optimizer, 80)],
            [20],
        )
    )


def exponential() -> str:
    """The same factor after every step."""
    return rates(lambda optimizer: schedulers.ExponentialLR(optimizer, 0.96))


def shards() -> str:
    """The indices of ten samples for three ranks, one row a rank; what comes twice in orange."""
    numbers = TensorDataset(torch.arange(10))
    parts: list[list[int]] = [list(DistributedSampler(numbers, 3, rank, shuffle=False)) for rank in range(3)]
    left = (WIDTH - 4 * CELL) / 2
    seen: set[int] = set()
    twice: set[tuple[int, int]] = set()
    for j in range(4):
        for i in range(3):
            twice |= {(i, j)} if parts[i][j] in seen else set()
            seen.add(parts[i][j])
    return panel(
        120,
        *(text(left - 40, 30 + i * CELL, f"rank {i}", size=12) for i in range(3)),
        grid(left, 15, parts, lambda i, j: ORANGE if (i, j) in twice else BLUE),
    )


def order_of_gradients() -> str:
    """The parameters of three layers from input to output, each with when its gradient was ready."""
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False), nn.Linear(2, 1, bias=False))
    ready: list[str] = []
    for name, parameter in net.named_parameters():
        parameter.register_post_accumulate_grad_hook(lambda _, name=name: ready.append(name))  # type: ignore[no-untyped-call]  # torch has none
    net(torch.ones(1, 2)).sum().backward()
    names = [name for name, _ in net.named_parameters()]
    return panel(
        50 + 50 * len(names),
        *(
            box(120, 40 + 50 * number, name, BLUE if ready.index(name) else ORANGE, 120)
            + text(220, 40 + 50 * number, ready.index(name) + 1, size=16)
            for number, name in enumerate(names)
        ),
        *(arrow(120, 56 + 50 * number, 120, 74 + 50 * number) for number in range(len(names) - 1)),
        arrow(120, 6 + 50 * len(names), 120, 24 + 50 * len(names)),
        text(120, 34 + 50 * len(names), "loss", size=12),
        text(220, 16, "#", size=12),
    )


def reduced_sum() -> str:
    """What two ranks hold before a collective, and after it."""
    before = [[1, 2], [30, 40]]
    after = torch.tensor(before).sum(0).tolist()
    return panel(
        110,
        *(text(40, 35 + 45 * rank, f"rank {rank}", size=12) for rank in range(2)),
        *(grid(80, 20 + 45 * rank, [before[rank]], lambda *_: PLAIN) for rank in range(2)),
        *(arrow(155, 35 + 45 * rank, 205, 35 + 45 * rank) for rank in range(2)),
        *(grid(220, 20 + 45 * rank, [after], lambda *_: GREEN) for rank in range(2)),
    )


PICTURES = {
    "affine-graph": affine_graph,
    "square-graph": square_graph,
    "detached-graph": detached_graph,
    "steps": steps,
    "milestones": milestones,
    "cosine": cosine,
    "restarts": restarts,
    "one-cycle": one_cycle,
    "warmup": warmup,
    "exponential": exponential,
    "shards": shards,
    "order-of-gradients": order_of_gradients,
    "all-reduce": reduced_sum,
}
