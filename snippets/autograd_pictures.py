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
