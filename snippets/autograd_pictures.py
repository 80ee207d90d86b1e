"""What the pictures of the autograd deck show, as code."""

# region proof_graphs
import torch

x, w = torch.ones(2), torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
product = [node for node, _ in (x * w + b).grad_fn.next_functions]
assert [type(node).__name__ for node in product] == ["MulBackward0", "AccumulateGrad"]
edges = [node for node, _ in product[0].next_functions if node]
assert [type(node).__name__ for node in edges] == ["AccumulateGrad"]
assert edges[0].variable is w and product[1].variable is b

leaf = torch.tensor(3.0, requires_grad=True)
both = [node for node, _ in (leaf * leaf).grad_fn.next_functions]
assert len(both) == 2 and both[0] is both[1]
assert [node for node, _ in (leaf * 2).grad_fn.next_functions][1] is None
assert type((leaf**2).grad_fn).__name__ == "PowBackward0"
one = [node for node, _ in (leaf * leaf.detach()).grad_fn.next_functions]
assert one[0] is both[0] and one[1] is None
(leaf * leaf.detach()).sum().backward()
assert leaf.grad == 3
leaf.grad = None
(leaf * leaf).backward()
assert leaf.grad == 6
print("graphs as drawn")
# endregion

# region proof_gradients
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

x = torch.tensor(2.0, requires_grad=True)
a, b = 3 * x, x * x
assert torch.autograd.grad(a, x)[0] == 3
assert torch.autograd.grad(b, x, retain_graph=True)[0] == 4
(3 * x + b).backward()
assert x.grad == 7
w, seen = torch.ones((), requires_grad=True), []
for _ in range(3):
    (2 * w).backward()
    seen.append(w.grad.item())
assert seen == [2, 4, 6]

calls = [0] * 4
layers = [nn.Linear(2, 2) for _ in calls]
for number, layer in enumerate(layers):
    def count(*_, number=number):
        calls[number] += 1

    layer.register_forward_pre_hook(count)
for middle in (nn.Sequential(*layers[1:3]), nn.Sequential(layers[1], nn.Tanh(), layers[2], nn.Tanh())):
    calls[:] = [0] * 4
    hidden = checkpoint(middle, layers[0](torch.ones(1, 2)), use_reentrant=False)
    layers[3](hidden).sum().backward()
    assert calls == [1, 2, 2, 1]
print("gradients as drawn")
# endregion
