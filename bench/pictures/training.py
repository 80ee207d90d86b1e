"""Pictures of training: graphs that autograd builds, gradients, learning rates over the steps."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.optim import SGD, Optimizer
from torch.optim import lr_scheduler as schedulers
from torch.utils.checkpoint import checkpoint

from bench.pictures.svg import BLUE, GREEN, ORANGE, WIDTH, Gap, arrow, box, grid, panel, plot, text

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


def two_paths() -> str:
    """A leaf that reaches its loss on two ways, with the derivative of each step."""
    x = torch.tensor(2.0, requires_grad=True)
    (3 * x + x * x).backward()
    gradient = int(x.grad.item()) if x.grad is not None else 0
    return panel(
        215,
        box(160, 28, "loss = a + b", BLUE, 120),
        arrow(130, 44, 92, 82),
        arrow(190, 44, 228, 82),
        text(92, 60, "1", size=12),
        text(228, 60, "1", size=12),
        box(80, 100, "a = 3 * x", BLUE, 100),
        box(240, 100, "b = x * x", BLUE, 100),
        arrow(92, 116, 130, 154),
        arrow(228, 116, 190, 154),
        text(92, 142, "3", size=12),
        text(228, 142, "4", size=12),
        box(160, 172, "x = 2", GREEN, 100),
        text(160, 200, "x.grad =", size=12, anchor="end"),
        text(172, 200, Gap(f"3 + 4 = {gradient}"), size=13, anchor="start"),
    )


def recomputed() -> str:
    """Four layers, two of them in a checkpoint, and how often each ran in one step."""
    calls = [0] * 4
    layers = [nn.Linear(2, 2) for _ in range(4)]
    for number, layer in enumerate(layers):
        layer.register_forward_pre_hook(lambda *_, number=number: calls.__setitem__(number, calls[number] + 1))
    middle = nn.Sequential(layers[1], nn.Tanh(), layers[2], nn.Tanh())
    inner = checkpoint(middle, layers[0](torch.ones(1, 2)), use_reentrant=False)
    layers[3](inner).sum().backward()
    shown: list[object] = list(calls)
    shown[1] = Gap(shown[1])
    shown[2] = Gap(shown[2])
    return panel(
        215,
        text(WIDTH - 70, 18, "forward calls", size=12),
        '<rect x="38" y="72" width="144" height="86" rx="8" fill="none" stroke="#1f2328" stroke-width="1.5" stroke-dasharray="5 4"/>',
        *(
            box(110, 48 + 45 * at, f"layer {at}", ORANGE if at in (1, 2) else BLUE, 110)
            + text(WIDTH - 70, 48 + 45 * at, value, size=15)
            for at, value in enumerate(shown)
        ),
        *(arrow(110, 63 + 45 * at, 110, 77 + 45 * at) for at in range(3)),
    )


def accumulated() -> str:
    """The gradient of one weight after each of three backward passes."""
    w = torch.ones(1, requires_grad=True)
    values: list[object] = []
    for _ in range(3):
        (2 * w).sum().backward()
        values.append(int(w.grad.item()) if w.grad is not None else 0)
    values[2] = Gap(values[2])
    left = (WIDTH - 3 * 84) / 2
    return panel(
        95,
        *(text(left + 48 + 84 * at, 20, "backward()", size=11) for at in range(3)),
        *(
            grid(left + 33 + 84 * at, 40, [[value]], lambda *_, at=at: GREEN if at == 2 else BLUE)
            for at, value in enumerate(values)
        ),
        *(arrow(left + 68 + 84 * at, 55, left + 112 + 84 * at, 55) for at in range(2)),
        text(left + 20, 55, "w.grad", size=11, anchor="end"),
    )


def cyclic() -> str:
    """Up and down in straight lines, twice."""
    return rates(lambda optimizer: schedulers.CyclicLR(optimizer, 0.2, 1.0, step_size_up=25))


def polynomial() -> str:
    """A parabola that ends flat at zero."""
    return rates(lambda optimizer: schedulers.PolynomialLR(optimizer, 100, power=2.0))


def plateau() -> str:
    """A loss that falls for 40 steps, and the learning rate that waits for it."""
    optimizer = SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = schedulers.ReduceLROnPlateau(optimizer, factor=0.5, patience=20)
    loss, rate = [], []
    for step in range(101):
        loss.append((float(step), max(0.8 - step * 0.015, 0.2)))
        rate.append((float(step), optimizer.param_groups[0]["lr"]))
        scheduler.step(loss[-1][1])
    return plot([rate, loss], (0, 100), (0, 1), [(0, 0), (50, 0.5), (100, 1)], ("learning rate", "loss"))


def momentum() -> str:
    """How far each step goes if the gradient stays 1."""
    weight = nn.Parameter(torch.zeros(1))
    optimizer = SGD([weight], lr=1.0, momentum=0.9)
    points, before = [(0.0, 0.0)], 0.0
    for step in range(1, 61):
        weight.grad = torch.ones(1)
        optimizer.step()
        points.append((float(step), before - weight.item()))
        before = weight.item()
    return plot([points], (0, 60), (0, 11), [(0, 0), (30, 0), (60, 0)], ("step length",), limit=10)


PICTURES = {
    "two-paths": two_paths,
    "recomputed": recomputed,
    "accumulated": accumulated,
    "cyclic": cyclic,
    "polynomial": polynomial,
    "plateau": plateau,
    "momentum": momentum,
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
}
