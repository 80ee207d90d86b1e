"""Pictures of several processes: collectives, meshes, buckets, pipelines, and who gets which sample."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DistributedSampler, TensorDataset

from bench.pictures.svg import (
    BLUE,
    CELL,
    GREEN,
    GREY,
    ORANGE,
    PLAIN,
    WIDTH,
    Gap,
    arrow,
    asked,
    box,
    frame,
    grid,
    panel,
    solved,
    text,
)


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


def _collective(before: list[list[object]], after: list[list[object]], fill: str = PLAIN) -> str:
    """What each rank holds before a collective, and after it."""
    height = 45
    middle = 80 + len(before[0]) * CELL
    return panel(
        20 + height * len(before),
        *(text(40, 35 + height * rank, f"rank {rank}", size=12) for rank in range(len(before))),
        *(grid(80, 20 + height * rank, [row], lambda *_: fill) for rank, row in enumerate(before)),
        *(arrow(middle + 12, 35 + height * rank, middle + 52, 35 + height * rank) for rank in range(len(before))),
        *(
            grid(
                middle + 64,
                20 + height * rank,
                [row],
                lambda *_, row=row: GREEN if any(isinstance(x, Gap) for x in row) else BLUE,
            )
            for rank, row in enumerate(after)
        ),
    )


def gathered_ranks() -> str:
    """One number a rank, and all of them on every rank."""
    before = [[5], [6], [7]]
    return _collective([list(row) for row in before], [[row[0] for row in before] for _ in before])


def scattered_sum() -> str:
    """Two rows, and for each rank its own element of their sum."""
    before = torch.tensor([[1, 2], [30, 40]])
    total: list[object] = before.sum(0).tolist()
    return _collective(before.tolist(), [[total[0]], [Gap(total[1])]])


def mesh() -> str:
    """Eight ranks in two rows; one of them in orange, and in the solved picture those of its column."""
    ranks = torch.arange(8).view(2, 4)
    left = (WIDTH - 4 * CELL) / 2
    return panel(
        125,
        text(WIDTH / 2, 20, "tp", size=12),
        text(left - 24, 40 + CELL, "dp", size=12),
        grid(left, 40, ranks.tolist(), lambda i, j: ORANGE if ranks[i, j] == 5 else PLAIN),
        solved(frame(left + CELL, 40, CELL, 2 * CELL)),
    )


def buckets() -> str:
    """Six layers from input to output, each with the bucket of its gradient."""
    layers = [torch.zeros(300, 300) for _ in range(6)]
    order = dist._compute_bucket_assignment_by_size(layers[::-1], [2**20])[0]
    of = {5 - at: number for number, bucket in enumerate(order) for at in bucket}
    shown: list[object] = [of[layer] for layer in range(6)]
    shown[3] = Gap(shown[3])
    return panel(
        250,
        text(90, 18, "layer", size=12),
        text(220, 18, "bucket", size=12),
        *(
            box(90, 45 + 36 * at, f"layer {at}", GREEN if isinstance(value, Gap) else PLAIN, 100)
            + text(220, 45 + 36 * at, value, size=14)
            for at, value in enumerate(shown)
        ),
        solved(*(frame(196, 31 + 36 * 3 * number, 48, 100) for number in range(2))),
    )


Schedule = list[list[str]]


def _forwards(stages: int, microbatches: int) -> Schedule:
    """Which microbatch each stage takes at each step, if each begins as early as it can."""
    steps = stages + microbatches - 1
    return [
        [str(step - stage) if 0 <= step - stage < microbatches else "" for step in range(steps)]
        for stage in range(stages)
    ]


def _alternating(stages: int, microbatches: int) -> Schedule:
    """One forward, one backward: each stage in its own order, each step as early as what it needs is there."""
    todo = [_order(stages - stage, microbatches) for stage in range(stages)]
    done: dict[tuple[str, int, int], int] = {}
    rows: Schedule = [[] for _ in range(stages)]
    step = 0
    while any(todo):
        for stage in range(stages):
            kind, number = todo[stage][0] if todo[stage] else ("", -1)
            needs = (kind, stage - 1 if kind == "F" else stage + 1, number)
            if kind == "B" and stage == stages - 1:
                needs = ("F", stage, number)
            ready = kind and ((kind == "F" and stage == 0) or done.get(needs, step) < step)
            rows[stage].append(f"{kind}{number}" if ready else "")
            if ready:
                done[kind, stage, number] = step
                todo[stage].pop(0)
        step += 1
    return rows


def _order(warmup: int, microbatches: int) -> list[tuple[str, int]]:
    """The order of a stage: as many forwards as stages are left, then a backward before each further forward."""
    warmup = min(warmup, microbatches)
    order = [("F", number) for number in range(warmup)]
    for number in range(microbatches):
        order.append(("B", number))
        order += [("F", warmup + number)] if warmup + number < microbatches else []
    return order


def _timeline(rows: Schedule, cell: int) -> str:
    """Stages as rows, steps as columns; what is idle is grey."""
    colours = {"": GREY, "B": ORANGE}
    left = WIDTH - 10 - len(rows[0]) * cell
    named = left > 70
    return "".join(
        (
            text((left + WIDTH - 10) / 2, 18, "time", size=12),
            "" if named else text(10, 18, "stage", size=12, anchor="start"),
            *(
                text(left - 8, 45 + stage * cell, f"stage {stage}" if named else stage, size=12, anchor="end")
                for stage in range(len(rows))
            ),
            grid(left, 45 - cell / 2, rows, lambda i, j: colours.get(rows[i][j][:1], BLUE), cell, 11),
        )
    )


def pipeline() -> str:
    """Four microbatches in three stages, and in the solved picture eight of them."""
    return panel(135, asked(_timeline(_forwards(3, 4), 30)), solved(_timeline(_forwards(3, 8), 24)))


def alternating() -> str:
    """Forward and backward of four microbatches in three stages."""
    return panel(115, _timeline(_alternating(3, 4), 23))


def columns() -> str:
    """The weight of a linear layer, cut into the rows of two ranks."""
    weight = torch.zeros(4, 6)
    first = len(weight.chunk(2)[0])
    left = 40
    return panel(
        165,
        text(left + 3 * CELL, 20, "nn.Linear(6, 4).weight", size=12),
        grid(left, 35, [[""] * 6] * 4, lambda i, _: BLUE if i < first else ORANGE),
        *(text(left + 6 * CELL + 8, 65 + 60 * rank, f"rank {rank}", size=12, anchor="start") for rank in range(2)),
    )


PICTURES = {
    "shards": shards,
    "order-of-gradients": order_of_gradients,
    "all-reduce": reduced_sum,
    "all-gather": gathered_ranks,
    "reduce-scatter": scattered_sum,
    "mesh": mesh,
    "buckets": buckets,
    "pipeline": pipeline,
    "one-forward-one-backward": alternating,
    "column-parallel": columns,
}
