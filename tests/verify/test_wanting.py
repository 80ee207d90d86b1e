"""What is missing above a claim, or is the machine's, is never called an error of the notes."""

import sys

import pytest
from notes_checked import checked, words

LOST_MODULE = """# A

```python
import torch
from torch import nn
net = nn.Sequential(nn.Flatten())
```

```python
net.add_module("pool", helpers.Pool())
```

```python
for name, layer in net.named_children():
    print(name, "->", abs(3))
```

Output:

```
0 -> 3
pool -> 3
```
"""


def test_what_a_missing_module_left_undone_is_in_doubt_and_the_rest_is_not() -> None:
    assert words(LOST_MODULE) == ["holds", "unverified missing-name helpers"]


def test_what_was_made_of_a_file_that_is_not_there_is_in_doubt() -> None:
    text = """# A

```python
import torch
with open("words.txt") as file:
    lines = file.read().splitlines()
found = []
for line in lines:
    found.append(len(line))
found = torch.tensor(found)
other = torch.ones(2)
```

```python
print(found.shape)  # torch.Size([9])
```

```python
print(other)  # tensor([1., 2.])
```
"""
    assert words(text) == ["unverified missing-file words.txt", "contradicted"]


FROM_A_FILE = """# A

```python
import torch
x = torch.load("missing.pt")
print(x.shape)  # torch.Size([2])
y = x + 1
print(y)  # tensor([1., 1.])
```

```python
print(x.sum())  # tensor(3.)
```

```python
z = x * 2
print(z.sum())  # tensor(3.)
print(unknown)  # 3
```
"""


def test_what_uses_a_name_that_a_missing_file_should_have_given_is_missing_the_file() -> None:
    assert words(FROM_A_FILE) == ["unverified missing-file missing.pt"] * 4 + ["unverified missing-name unknown"]
    runs = checked(FROM_A_FILE)[1].runs.values()
    assert [run.first.reason for run in runs][:2] == ["missing-file missing.pt"] * 2


def test_a_name_that_nothing_binds_is_missing_beside_a_missing_file() -> None:
    text = "```python\nx = open('words.txt').read()\nprint(len(lines))\n# 3\nlen(x)  # 5\n```\n"
    assert words(text) == ["unverified missing-name lines", "unverified missing-file words.txt"]


DEFAULT = """# A

```python
import torch
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_default_device(device)
one = 1
```

```python
print(torch.ones(2) * one)  # tensor([1., {}.], device='cuda:0')
```
"""


def test_a_default_device_that_the_machine_was_asked_for_counts_in_all_that_follows() -> None:
    assert words(DEFAULT.format(1), device="cpu") == ["holds-pattern"]
    assert words(DEFAULT.format(2), device="cpu") == ["contradicted"]


def test_numbers_that_a_gpu_draws_are_no_numbers_of_a_cpu() -> None:
    text = """```python
import torch
device = "cuda" if torch.cuda.is_available() else "cpu"
g = torch.Generator(device=device).manual_seed(3)
print(torch.rand(2, generator=g, device=device))  # tensor([0.25, 0.75], device='cuda:0')
```
"""
    assert words(text, device="cpu") == ["unverified needs-cuda"]


@pytest.mark.parametrize("test", ["Path('notes.txt').is_file()", "os.path.exists('notes.txt')"])
def test_whether_a_file_was_there_decides_what_is_printed(test: str) -> None:
    text = f"""```python
import os
from pathlib import Path
if {test}:
    print("it is there")
else:
    print("it is fetched")
```

Output:

```
it is there
```
"""
    assert words(text) == ["unverified environment"]


TRANSCRIPT = "```python\n>>> import torch\n{}\n```\n"


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (">>> raise Exception('no')\nTraceback (most recent call last):\nException: no", "holds"),
        (">>> raise Exception('no')\nTraceback (most recent call last):\nException: yes", "contradicted"),
        (">>> torch.ones(2) @ torch.ones(3)\nTraceback (most recent call last):\nRuntimeError: ignored", "holds"),
        (">>> torch.ones(2) @ torch.ones(3)\nTraceback (most recent call last):\nTypeError: ignored", "contradicted"),
        (">>> b'foo'\n'foo'", "contradicted"),
        (">>> b'foo'\nb'foo'", "holds"),
        (">>> 'abc'\n'abc'", "holds"),
        (">>> 'abc'\n'abd'", "contradicted"),
    ],
)
def test_a_transcript_is_judged_by_what_it_writes(lines: str, verdict: str) -> None:
    found = words(TRANSCRIPT.format(lines))
    assert [one.split()[0] for one in found] == [verdict]


def test_an_exception_of_one_s_own_is_compared() -> None:
    lines = ">>> class Mine(Exception): pass\n>>> raise Mine('no')\nTraceback (most recent call last):\nMine: no"
    assert words(TRANSCRIPT.format(lines)) == ["holds"]


@pytest.mark.parametrize("behind", ["becomes int", " 变为 int", " one axis, no more."])
@pytest.mark.parametrize("quoted", ['"""\n{}\n"""', "# {}"])
def test_words_behind_what_a_print_shows_contradict_nothing(quoted: str, behind: str) -> None:
    """Of a wrong value it is said all the same that it is wrong."""
    told = []
    for shown in ("torch.Tensor", "torch.Size"):
        below = quoted.format(f"<class '{shown}'> {behind}")
        told += words(f"```python\nimport torch\nx = torch.ones(2)\nprint(type(x))\n{below}\n```\n")
    assert told == ["unverified words stand behind the value that is printed", "contradicted"]


@pytest.mark.parametrize(
    "code",
    [
        "x = torch.ones(2\nprint(x)  # tensor([1., 1.])",
        "print torch.ones(2)  # tensor([1., 1.])",
        "x = torch.ones(2)\nif x.sum() = 2:\n    pass\nx * 3\n# tensor([1., 1.])",
        "y = torch.ones(2)) + 1  # tensor([1., 1.])",
    ],
)
def test_what_code_claims_that_does_not_parse_is_found_and_not_judged(code: str) -> None:
    assert words(f"```python\nimport torch\n{code}\n```\n") == ["unverified not-python"]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python reads it")
def test_code_of_a_newer_python_claims_what_it_claims() -> None:
    text = "```python\nimport torch\ntry:\n    pass\nexcept ValueError, TypeError:\n    pass\nprint(torch.ones(1))  # tensor([2.])\n```\n"
    assert words(text)[0].startswith("unverified needs Python")
