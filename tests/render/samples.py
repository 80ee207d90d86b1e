"""One note of every kind and colour, Chinese and English, plain and awkward: what the pictures show."""

from __future__ import annotations

import base64
import struct
import zlib
from textwrap import dedent

from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Hole, Key, Note, Option, Output, Place
from deckgen.model.results import Decision, Disposition
from deckgen.model.source import Span

CHECKED = "checked on torch 2.13.0, cpu"


def picture(width: int = 320, height: int = 120) -> bytes:
    """A small PNG: a rising line on white."""
    rows = b"".join(
        b"\0" + bytes(0 if abs(height - 1 - y - x * height // width) < 2 else 255 for x in range(width))
        for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


DATA_PICTURE = "data:image/png;base64," + base64.b64encode(picture()).decode()


def note(body: Body, *headings: str, tags: tuple[str, ...] = ()) -> Note:
    """A note at an invented place."""
    return Note(
        key=Key(headings, repr(body)[:80]),
        places=(Place("notes/tensors.md", Span(10, 20)),),
        headings=headings,
        body=body,
        tags=tags,
    )


def shipped(
    body: Body, *headings: str, tags: tuple[str, ...] = (), stamp: str = CHECKED, reverse: bool = False
) -> Decision:
    """A note whose claims hold."""
    return Decision(note=note(body, *headings, tags=tags), disposition=Disposition.SHIP, stamp=stamp, reverse=reverse)


def corrected(
    body: Body, *headings: str, claimed: str, observed: str, corrections: tuple[tuple[str, str], ...] = ()
) -> Decision:
    """A note that learners already have and whose claim is false."""
    return Decision(
        note=note(body, *headings),
        disposition=Disposition.CORRECT,
        claimed=claimed,
        observed=observed,
        corrections=corrections,
        stamp=f"corrected; {CHECKED}",
    )


def holes(text: str, *wanted: str) -> tuple[Hole, ...]:
    """Holes 1, 2, ... at the first place of each wanted text."""
    found = [Hole(number, text.index(w), text.index(w) + len(w)) for number, w in enumerate(wanted, 1)]
    return tuple(sorted(found, key=lambda hole: hole.start))


def words(text: str) -> str:
    """Indented Markdown, one paragraph a line."""
    return dedent(text).strip()


VIEWS = words("""
    `view()` 要求内存**连续**，只返回视图；`reshape()` 在必要时会**复制**数据。

    - 转置之后的张量不连续
    - 先调用 `.contiguous()` 再 `view()`

    ```python
    x = torch.arange(6).reshape(2, 3)
    x.t().contiguous().view(-1)
    ```
""")
SOFTMAX = words(r"""
    It applies $\log\mathrm{softmax}$ itself:

    $$\ell(x, y) = -\log \frac{\exp(x_y)}{\sum_{c} \exp(x_c)}$$

    A second softmax would flatten the gradients. See [the reference](https://docs.pytorch.org/docs/stable/).
""")
GRAPHS = words("""
    | | 静态图 | 动态图 |
    |---|---|---|
    | 定义 | 先定义，后运行 | 边运行边定义 |
    | 调试 | 困难，需要专门的工具 `tfdbg` | 直接用 `print` 或 `pdb.set_trace()` |
    | 速度 | 可以整体优化 | `torch.compile` 之后相近 |
""")
RANGE_TEST = words(f"""
    The loss falls, then explodes.

    ![loss against learning rate]({DATA_PICTURE})

    Pick a rate one order below the explosion.
""")
NO_GRAD = (
    Option("A", "它会把 `requires_grad` 永久改成 `False`"),
    Option("B", "在其中创建的张量不记录计算图，因此**节省显存**"),
    Option("C", "它等价于 `model.eval()`，同时会关闭 Dropout 与 BatchNorm 的训练行为，并且禁用梯度同步"),
    Option("D", "它可以当作装饰器使用"),
)
COPIES = (Option("A", "`x.view(-1)`"), Option("B", "`x.detach()`"), Option("C", "`x.clone()`"), Option("D", "`x[0]`"))
ZERO_GRAD = "调用 `loss.backward()` 之后，梯度会**累加**到 `.grad` 中，因此每一步之前都要调用 `optimizer.zero_grad()`。"

TRAINING = '''import torch
from torch import nn

class Net(nn.Module):
    """A perceptron, no more."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(784, hidden), nn.ReLU(), nn.Dropout(p=0.5), nn.Linear(hidden, 10))

    def forward(self, x):
        return self.layers(x.flatten(1))  # 展平除 batch 以外的维度

optimizer = torch.optim.AdamW(Net().parameters(), lr=3e-4, betas=(0.9, 0.95), weight_decay=1e-2, fused=False)
print(f"{sum(p.numel() for p in Net().parameters()):,}")'''

STRIDES = """x = torch.arange(6).reshape(2, 3)
y = x.t()
print(y.is_contiguous(), y.stride())
print({"shape": tuple(y.shape), "slice": y[::2]})"""

STRIDES_OUTPUT = """False (1, 3)
{'shape': (3, 2), 'slice': tensor([[0, 3],
        [2, 5]])}"""

ACCUMULATE = """optimizer.zero_grad()
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x), y) / accumulate
    loss.backward()
    if (i + 1) % accumulate == 0:
        optimizer.step()
        optimizer.zero_grad()"""

HOOK = Api(
    name="Tensor.register_hook",
    signature="Tensor.register_hook(hook)",
    meaning="注册一个函数，每当该张量的梯度计算出来时调用，可以返回新的梯度。",
    parameters=(("hook", "`hook(grad) -> Tensor 或 None`"),),
    example="x = torch.ones(3, requires_grad=True)\nh = x.register_hook(lambda grad: grad * 2)\nh.remove()",
    details=(("返回值", "一个带 `remove()` 方法的句柄"), ("注意", "不要在其中原地修改 `grad`")),
)
LOADER = Api(
    name="torch.utils.data.DataLoader",
    signature="torch.utils.data.DataLoader(dataset, batch_size=1, shuffle=None, sampler=None, num_workers=0, "
    "collate_fn=None, pin_memory=False, drop_last=False)",
    meaning="Iterates over a dataset in batches, in this process or in several workers.",
    parameters=(
        ("batch_size", "samples to a batch"),
        ("num_workers", "processes that load; `0` = this one"),
        ("collate_fn", "joins samples into a batch"),
        ("pin_memory", "page-locked memory, for faster copies to the GPU"),
    ),
)
AUTOCAST = Api(
    name="torch.cuda.amp.autocast",
    signature="torch.cuda.amp.autocast(enabled=True)",
    meaning="Runs operations in a lower precision where that is safe.",
)
KEEPDIM = Output(
    code="a = torch.ones(2, 3)\na.mean(dim=1, keepdim=True).shape", claims=("9.1",), output="torch.Size([2])"
)

DECISIONS: tuple[Decision, ...] = (
    shipped(
        Basic(prompt="`view()` 和 `reshape()` 有什么区别？", answer=VIEWS),
        "3. Tensor 的形状", "3.2 view() 与 reshape()", tags=("tensor",),
    ),
    shipped(
        Basic(prompt="Why does `CrossEntropyLoss` want logits rather than probabilities?", answer=SOFTMAX),
        "Losses", "Cross entropy", tags=("loss",),
    ),
    shipped(Basic(prompt="静态图与动态图的比较", answer=GRAPHS), "计算图"),
    shipped(
        Basic(
            prompt="Leaf tensor",
            answer="A tensor with `requires_grad=True` that no operation has made; its `.grad` is kept.",
            reverse=True,
        ),
        "Autograd", tags=("ask::typed",), stamp="", reverse=True,
    ),
    shipped(
        Basic(prompt="What does a learning-rate range test look like?", answer=RANGE_TEST),
        "Training", "Learning rate",
    ),
    shipped(
        Choice(
            stem="关于 `torch.no_grad()`，下列说法正确的是？", options=NO_GRAD, right=("B", "D"),
            explanation="`model.eval()` 只改变层的行为，不影响求导；两者常常一起用。",
        ),
        "自动求导", "梯度模式",
    ),
    shipped(Choice(stem="Which call makes a *copy*?", options=COPIES, right=("C",)), "Memory"),
    shipped(
        Cloze(text=ZERO_GRAD, holes=holes(ZERO_GRAD, "累加", "`optimizer.zero_grad()`")), "自动求导", "梯度清零",
    ),
    shipped(
        Cloze(
            text=ACCUMULATE, holes=holes(ACCUMULATE, "/ accumulate", "(i + 1) % accumulate == 0"),
            language="python", prompt="Gradient accumulation",
            explanation="The mean over the larger batch stays the same.",
        ),
        "Training", "Gradient accumulation",
    ),
    shipped(
        Cloze(
            text=STRIDES, holes=holes(STRIDES, "reshape(2, 3)", STRIDES[STRIDES.index("{") : -1]), language="python",
        ),
        "Strides",
    ),
    shipped(
        Output(
            code=STRIDES, claims=("4.1",), output=STRIDES_OUTPUT,
            explanation="`t()` swaps the strides and leaves the memory as it is.",
        ),
        "Tensor", "Strides",
    ),
    corrected(KEEPDIM, "张量", "归约", claimed="torch.Size([2])", observed="torch.Size([2, 1])"),
    Decision(
        note=note(
            Output(code=TRAINING, claims=("9.2",), output="101,770"),
            "完整的例子", "一个多层感知机的定义、参数量与优化器",
        ),
        disposition=Disposition.SHIP, stamp="not checked: needs numpy", unverified=True,
    ),
    shipped(HOOK, "自动求导", "Hook", reverse=True),
    shipped(LOADER, "torch.utils.data", tags=("ask::typed", "data"), reverse=True),
    corrected(
        AUTOCAST, "Mixed precision", claimed="torch.cuda.amp.autocast(enabled=True)",
        observed="torch.amp.autocast(device_type, dtype=None, enabled=True, cache_enabled=None)",
    ),
)  # fmt: skip
