"""Notes that claim what is false, and what is true."""

FALSE = """\
# Shapes

```python
import torch
x = torch.zeros(2, 1, 3)
print(x.squeeze().shape)  # prints torch.Size([2, 3])
print(len(torch.chunk(torch.arange(10), 3)))  # prints 4
print([len(part) for part in torch.chunk(torch.arange(10), 3)])  # prints [4, 3, 3]
```

Q: What is the shape of `torch.ones(2, 3)`?
A: `(2, 3)`

| function | what it does |
| --- | --- |
| `torch.stack(tensors, dim)` | joins tensors along a new dimension |
| `torch.catt(tensors, dim)` | joins tensors along a dimension they have |
"""
"""Two false claims, on lines 7 and 8, and a name that is none, on line 17."""
TRUE = """\
# Sums

```python
import torch
print(torch.arange(4).sum())  # prints tensor(6)
```
"""
