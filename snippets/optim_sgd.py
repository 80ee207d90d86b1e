"""SGD: momentum, Nesterov, weight decay, on numbers that a head can compute."""

# region weight_decay
import torch

w = torch.tensor([2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5, weight_decay=0.5)
w.grad = torch.tensor([3.0])
optimizer.step()
print(w.item())  # prints 0.0
# endregion

# region momentum
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
for _ in range(3):
    w.grad = torch.tensor([4.0])
    optimizer.step()
    print(w.item())
# Output:
# -4.0
# -10.0
# -17.0
# endregion

# region zero_gradient
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
for grad in (4.0, 0.0, None):
    w.grad = None if grad is None else torch.tensor([grad])
    optimizer.step()
    print(w.item())
# Output:
# -4.0
# -6.0
# -6.0
# endregion

# region nesterov
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD(
    [w], lr=1.0, momentum=0.5, nesterov=True
)
w.grad = torch.tensor([4.0])
optimizer.step()
print(w.item())  # prints -6.0
# endregion

# region nesterov_alone
import torch

w = torch.tensor([0.0], requires_grad=True)
for momentum in (0.9, 0.0):
    try:
        sgd = torch.optim.SGD(
            [w], lr=0.1, momentum=momentum, nesterov=True
        )
        print(sgd.defaults["momentum"])
    except ValueError as error:
        print(type(error).__name__)
# Output:
# 0.9
# ValueError
# endregion

# region dampening
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD(
    [w], lr=1.0, momentum=0.5, dampening=0.5
)
for _ in range(2):
    w.grad = torch.tensor([4.0])
    optimizer.step()
    print(optimizer.state[w]["momentum_buffer"].item())
# Output:
# 4.0
# 4.0
# endregion

# region lr_change
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
for lr in (1.0, 10.0):
    optimizer.param_groups[0]["lr"] = lr
    w.grad = torch.tensor([2.0])
    optimizer.step()
    print(w.item())
# Output:
# -2.0
# -32.0
# endregion

# region decay_in_buffer
import torch

w = torch.tensor([2.0], requires_grad=True)
optimizer = torch.optim.SGD(
    [w], lr=0.0, momentum=0.5, weight_decay=0.5
)
w.grad = torch.tensor([3.0])
optimizer.step()
print(optimizer.state[w]["momentum_buffer"])
# Output:
# tensor([4.])
# endregion

# region maximize
import torch

w = torch.tensor([2.0], requires_grad=True)
optimizer = torch.optim.SGD(
    [w], lr=1.0, weight_decay=0.5, maximize=True
)
w.grad = torch.tensor([3.0])
optimizer.step()
print(w.item())  # prints 4.0
# endregion

# region penalty
import torch

for decay, factor in ((0.5, 0.0), (0.0, 0.5)):
    w = torch.tensor(4.0, requires_grad=True)
    optimizer = torch.optim.SGD(
        [w], lr=1.0, weight_decay=decay
    )
    loss = 3 * w + factor * w ** 2
    loss.backward()
    optimizer.step()
    print(w.item())
# Output:
# -1.0
# -3.0
# endregion

# region proof_final_speed
import torch

w = torch.zeros(1, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5, momentum=0.9)
for _ in range(400):
    before = w.item()
    w.grad = torch.ones(1, dtype=torch.float64)
    optimizer.step()
assert abs((before - w.item()) / 0.5 - 10) < 1e-6
# endregion

# region proof_penalty
import torch

ends = []
for decay, factor in ((0.5, 0.0), (0.0, 0.5 / 2)):
    w = torch.tensor([4.0, -2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0, weight_decay=decay)
    (3 * w + factor * w ** 2).sum().backward()
    optimizer.step()
    ends.append(w.tolist())
assert ends == [[-1.0, -4.0]] * 2
# endregion

# region proof_same_numbers
import torch

results = []
for options in ({"foreach": False}, {"foreach": True}, {"fused": True}):
    w = torch.tensor([2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5, momentum=0.5, **options)
    for _ in range(3):
        w.grad = torch.tensor([1.0])
        optimizer.step()
    results.append(w.item())
assert results == [2 - 0.5 - 0.75 - 0.875] * 3
# endregion
