"""What depends on the machine is no fact, not even where it is the same here."""

import pytest
from notes_checked import words

ASKING = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'


@pytest.mark.parametrize(
    "code",
    [
        "print(torch.get_num_threads())  # 1",
        "print(torch.cuda.is_available())  # False",
        "print(torch.cuda.device_count())  # 0",
        ASKING + "print(device)  # cpu",
        ASKING + "x = torch.ones(2).to(device)\nprint(x.device)  # cpu",
        ASKING + "x = torch.ones(2, device=device)\nprint(x.is_cuda)  # False",
        ASKING + "net = nn.Linear(1, 1)\nnet.to(device)\nprint(next(net.parameters()).device)  # cpu",
        "import os\nn = os.cpu_count() * 2\nprint(n)  # 4",
    ],
)
def test_what_the_machine_decides_is_unverified(code: str) -> None:
    assert words(f"```python\nimport torch\n{code}\n```\n", device="cpu") == ["unverified environment"]


@pytest.mark.parametrize(
    "code",
    [
        "print(torch.ones(2).device)  # cpu",
        ASKING + "x = torch.ones(2).to(device)\nprint(x.shape)  # torch.Size([2])",
        ASKING + "x = torch.ones(2).to(device)\nprint(x.sum())  # tensor(2.)",
    ],
)
def test_what_is_the_same_on_every_machine_holds(code: str) -> None:
    assert words(f"```python\nimport torch\n{code}\n```\n", device="cpu") == ["holds"]


def test_a_device_that_was_asked_for_in_a_snippet_above_is_the_machine_s_too() -> None:
    text = f"# A\n\n```python\nimport torch\n{ASKING}```\n\n```python\nx = torch.ones(2).to(device)\nprint(x.device)  # cpu\n```\n"
    assert words(text, device="cpu") == ["unverified environment"]


def test_elements_are_compared_though_the_device_is_the_machine_s() -> None:
    text = f"```python\nimport torch\n{ASKING}x = torch.ones(2).to(device)\nprint(x)  # tensor([{{}}., 1.], device='cuda:0')\n```\n"
    assert words(text.format(1), device="cpu") == ["holds-pattern"]
    assert words(text.format(2), device="cpu") == ["contradicted"]


def test_whether_something_lies_on_a_gpu_is_the_machine_s_where_the_code_asks_for_one_and_else_a_fact() -> None:
    asked = f"```python\nimport torch\n{ASKING}x = torch.ones(2).to(device)\nprint('on cuda:', x.is_cuda)  # on cuda: {{}}\n```\n"
    assert words(asked.format(True), device="cpu") == ["unverified environment"]
    assert words(asked.format("tensor"), device="cpu") == ["contradicted"]
    plain = "```python\nimport torch\nprint(torch.ones(2).is_cuda)  # {}\n```\n"
    assert words(plain.format(True) + plain.format(False), device="cpu") == ["contradicted", "holds"]


PLACED = ASKING + "x = torch.ones(2, device=device, requires_grad=True)\n"


LINES_AND_VERDICTS = (
    ("x.detach(), x.is_cuda)  # True", "unverified environment"),
    ("x.detach(), x.is_cuda)  # tensor([1., 1.], device='cuda:0') True", "holds-pattern"),
    ("x.detach(), x.is_cuda)  # tensor([1., 2.], device='cuda:0') True", "contradicted"),
    ("f'gpu: {x.is_cuda}, {x.detach()}')  # gpu: True, tensor([1., 1.], device='cuda:0')", "holds-pattern"),
    ("f'gpu: {x.is_cuda}, {x.detach()}')  # gpu: True, tensor([1., 3.], device='cuda:0')", "contradicted"),
    ("x.is_leaf, x.is_cuda)  # True True", "holds-pattern"),
    ("x.is_leaf, x.is_cuda)  # False True", "contradicted"),
    ("x.is_cuda, (x > 0).all())  # True tensor(True, device='cuda:0')", "holds-pattern"),
    ("x.is_cuda, (x > 0).all())  # True tensor(False, device='cuda:0')", "contradicted"),
    ("x.requires_grad)  # True", "holds"),
    ("x.requires_grad)  # False", "contradicted"),
    ("torch.equal(x, x))  # False", "contradicted"),
    ("x.device.type == 'cuda')  # True", "unverified environment"),
    ("x.get_device())  # 0", "unverified environment"),
    ("x.device.index)  # 0", "unverified environment"),
)


def test_of_a_line_only_what_tells_where_something_lies_is_the_machine_s() -> None:
    lines = "".join(f"print({shown}\n" for shown, _ in LINES_AND_VERDICTS)
    apart = f"# A\n\n```python\nimport torch\n{PLACED}```\n\n```python\n{lines}```\n"
    assert words(apart, device="cpu") == [verdict for _, verdict in LINES_AND_VERDICTS]


@pytest.mark.parametrize(
    ("code", "output", "verdicts"),
    [
        (
            "if torch.cuda.is_available():\n    y = x.to('cuda')\n    print(y)\n    print(y.cpu())",
            "tensor([1., 1.], device='cuda:0')\ntensor([1., 1.])",
            ["unverified environment"] * 2,
        ),
        (
            "print(x)\nif torch.cuda.is_available():\n    x = x.cuda()\n    print(x)\nprint(x.sum())",
            "tensor([1., 1.])\ntensor([1., 1.], device='cuda:0')\ntensor(2., device='cuda:0')",
            ["holds", "unverified environment", "holds-pattern"],
        ),
        (
            "has_gpu = torch.cuda.is_available()\nif has_gpu:\n    print('a GPU')\nprint(x.sum())\nprint(x)",
            "a GPU\ntensor(3.)\ntensor([1., 1.])",
            ["unverified environment", "contradicted", "holds"],
        ),
        (
            "if torch.cuda.is_available():\n    for _ in range(2):\n        print('a GPU')\nprint(x.sum())",
            "a GPU\na GPU\ntensor(2.)",
            ["unverified environment"] * 2 + ["holds"],
        ),
    ],
)
def test_what_only_a_machine_with_a_gpu_prints_is_not_said_to_be_missing(
    code: str, output: str, verdicts: list[str]
) -> None:
    text = f"```python\nimport torch\nx = torch.ones(2)\n{code}\n```\n\n```\n{output}\n```\n"
    assert words(text, device="cpu") == verdicts


def test_other_accelerators_and_folders_of_the_author_are_not_here() -> None:
    text = (
        "# A\n\n```python\nimport torch\ny = torch.ones(2).to('mps')\nprint(y.sum())  # tensor(2., device='mps:0')\n```\n\n"
        "# B\n\n```python\nimport os\nfor folder, _, files in os.walk('images'):\n    print(folder, len(files))\n```\n\n"
        "```text\nimages 3\nimages/cats 2\n```\n\n"
        "# C\n\n```python\nfor word in []:\n    print(word)\n```\n\n```text\nimages 3\n```\n"
    )
    assert words(text, device="cpu") == ["unverified environment"] * 3 + ["contradicted"]


def test_a_clock_in_a_function_above_tells_another_time_each_day() -> None:
    text = """# A

```python
import datetime
def log(info):
    print("== " + datetime.datetime.now().strftime("%Y") + " " + info)
```

```python
log("done")
```

Output:

```text
== 2019 done
```
"""
    assert words(text) == ["holds-structure"]
