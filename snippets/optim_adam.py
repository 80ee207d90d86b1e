"""Adam, AdamW and their relatives."""

# region first_step
import torch

w = torch.tensor([0.0, 0.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.5)
w.grad = torch.tensor([100.0, -0.01])
optimizer.step()
print(w.data)  # prints tensor([-0.5000,  0.5000])
# endregion

# region adam_decay
import torch

w = torch.tensor([1.0, 100.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.5, weight_decay=0.1)
w.grad = torch.tensor([0.0, 0.0])
optimizer.step()
print(w.data)  # prints tensor([ 0.5000, 99.5000])
# endregion

# region adamw_decay
import torch

w = torch.tensor([1.0, 100.0], requires_grad=True)
optimizer = torch.optim.AdamW([w], lr=0.5, weight_decay=0.1)
w.grad = torch.tensor([0.0, 0.0])
optimizer.step()
print(w.data)  # prints tensor([ 0.9500, 95.0000])
# endregion

# region default_decay
import torch
from torch import optim

w = torch.ones(2, requires_grad=True)
for make in (optim.SGD, optim.Adam, optim.AdamW):
    optimizer = make([w])
    print(make.__name__, optimizer.defaults["weight_decay"])
# Output:
# SGD 0
# Adam 0
# AdamW 0.01
# endregion

# region state_is_lazy
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1)
before = len(optimizer.state)
w.grad = torch.tensor([1.0])
optimizer.step()
print(before, len(optimizer.state))  # prints 0 1
# endregion

# region step_counts
import torch

a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.Adam([a, b], lr=0.1)
for parts in ((a, b), (a,), (a,)):
    optimizer.zero_grad()
    sum(parts).sum().backward()
    optimizer.step()
print([int(optimizer.state[p]["step"]) for p in (a, b)])
# Output:
# [3, 1]
# endregion

# region unused_rows
import torch
from torch import nn

table = nn.Embedding(3, 1)
optimizer = torch.optim.Adam(table.parameters(), lr=0.1)
for index in (1, 2):
    before = table.weight.detach().clone()
    optimizer.zero_grad()
    table(torch.tensor([index])).sum().backward()
    optimizer.step()
moved = (table.weight != before).flatten()
print(moved.nonzero().flatten())  # prints tensor([1, 2])
# endregion

# region sparse_gradient
import torch
from torch import nn, optim

table = nn.Embedding(3, 2, sparse=True)
table(torch.tensor([1])).sum().backward()
print(table.weight.grad.layout)
try:
    optim.Adam(table.parameters()).step()
except RuntimeError as error:
    print(type(error).__name__)
# Output:
# torch.sparse_coo
# RuntimeError
# endregion

# region rmsprop_first_step
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.RMSprop([w], lr=0.5, alpha=0.75)
w.grad = torch.tensor([4.0])
optimizer.step()
print(w.data)  # prints tensor([-1.])
# endregion

# region adagrad
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.Adagrad([w], lr=1.0)
for grad in (3.0, 4.0):
    w.grad = torch.tensor([grad])
    optimizer.step()
print(w.data)  # prints tensor([-1.8000])
# endregion

# region proof_no_rate_no_decay
import torch

w = torch.tensor([4.0], requires_grad=True)
optimizer = torch.optim.AdamW([w], lr=0.0, weight_decay=0.5)
w.grad = torch.tensor([1.0])
optimizer.step()
assert w.item() == 4
# endregion

# region proof_memory
import torch
from torch.optim import SGD, Adam
kept, made = {}, {"momentum": (SGD, {"momentum": 0.9}),
                  "adam": (Adam, {}),
                  "amsgrad": (Adam, {"amsgrad": True})}
for name, (make, options) in made.items():
    w = torch.ones(50, requires_grad=True)
    optimizer = make([w], lr=0.1, **options)
    w.sum().backward(), optimizer.step()
    state = optimizer.state[w].values()
    kept[name] = sum(v.numel() == 50 for v in state)
assert kept == {"momentum": 1, "adam": 2, "amsgrad": 3}
# endregion

# region proof_sparse_rows
import torch
from torch import nn

table = nn.Embedding(3, 1, sparse=True)
optimizer = torch.optim.SparseAdam(table.parameters(), lr=0.1)
for index in (1, 2):
    before = table.weight.detach().clone()
    optimizer.zero_grad()
    table(torch.tensor([index])).sum().backward()
    optimizer.step()
moved = (table.weight != before).flatten()
assert moved.tolist() == [False, False, True]
# endregion

# region proof_amsgrad
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1, amsgrad=True)
seen = []
for grad in (8.0, 1.0, 1.0):
    w.grad = torch.tensor([grad])
    optimizer.step()
    state = optimizer.state[w]
    seen.append(state["exp_avg_sq"].item())
    assert state["max_exp_avg_sq"].item() == max(seen)
# endregion

# region proof_state_needs_a_gradient
import torch

w = torch.ones(1, requires_grad=True)
adam = torch.optim.Adam([w])
adam.step()
assert not adam.state[w]
w.grad = torch.zeros(1)
adam.step()
assert adam.state[w]["step"] == 1
# endregion

# region proof_betas
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1, betas=(0.75, 0.5))
for grad in (4.0, 0.0):
    w.grad = torch.tensor([grad])
    optimizer.step()
state = optimizer.state[w]
assert state["exp_avg"].item() == 0.75 * (0.25 * 4)
assert state["exp_avg_sq"].item() == 0.5 * (0.5 * 4 ** 2)
# endregion
