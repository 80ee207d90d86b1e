"""Evaluation: modes, accuracy, and results of several batches."""

# region dropout_no_grad
import torch
from torch import nn

layer = nn.Dropout(p=1.0)
with torch.no_grad():
    print(layer(torch.ones(3)))
layer.eval()
print(layer(torch.ones(3)))
# Output:
# tensor([0., 0., 0.])
# tensor([1., 1., 1.])
# endregion

# region depends_on_batch
import torch
from torch import nn

norm = nn.BatchNorm1d(1)
for other in (3.0, -1.0):
    y = norm(torch.tensor([[1.0], [other]]))
    print(y[0].round().item())
# Output:
# -1.0
# 1.0
# endregion

# region eval_of_a_part
from torch import nn

inner = nn.Sequential(nn.Dropout(), nn.ReLU())
model = nn.Sequential(nn.Flatten(), inner)
inner.eval()
print(sum(module.training for module in model.modules()))
# Output:
# 2
# endregion

# region built_in_inference_mode
import torch
from torch import nn

for mode in (torch.no_grad(), torch.inference_mode()):
    with mode:
        w = nn.Parameter(torch.ones(1))
    w.grad = torch.ones(1)
    try:
        torch.optim.SGD([w], lr=0.5).step()
        print(w.item())
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# 0.5
# RuntimeError
# endregion

# region mean_of_bools
import torch

hits = torch.tensor([True, True, False, True])
for values in (hits.float(), hits):
    try:
        print(values.mean())
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# tensor(0.7500)
# RuntimeError
# endregion

# region accuracy_broadcast
import torch

prediction = torch.tensor([1, 1, 1])
label = torch.tensor([[1], [1], [1]])
hits = (prediction == label).sum().item()
print(hits / len(label))
# Output:
# 3.0
# endregion

# region mean_of_means
import torch

hits = torch.tensor([1.0, 1.0, 1.0, 1.0, 0.0])
batches = hits.split(4)
means = [batch.mean().item() for batch in batches]
print(sum(means) / len(means))
# Output:
# 0.5
# endregion

# region binary_threshold
import torch

logits = torch.tensor([-1.0, 0.3, 2.0])
for values in (logits, logits.sigmoid()):
    print(values > 0.5)
# Output:
# tensor([False, False,  True])
# tensor([False,  True,  True])
# endregion

# region top_two
import torch

logits = torch.tensor([[5.0, 3, 1], [0.0, 2, 4]])
label = torch.tensor([1, 0])
top = logits.topk(2, dim=1).indices
print((top == label.unsqueeze(1)).any(dim=1))
# Output:
# tensor([ True, False])
# endregion

# region argmax_dim
import torch

logits = torch.tensor([[1.0, 7, 0], [2.0, 1, 8]])
for dim in (1, 0):
    print(logits.argmax(dim=dim))
# Output:
# tensor([1, 2])
# tensor([1, 0, 1])
# endregion

# region cat_batches
import torch

outputs = [torch.zeros(4, 3), torch.zeros(1, 3)]
for join in (torch.cat, torch.stack):
    try:
        print(join(outputs).shape)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# torch.Size([5, 3])
# RuntimeError
# endregion

# region confusion
import torch

label = torch.tensor([0, 0, 0, 1, 1])
prediction = torch.tensor([0, 1, 1, 1, 1])
pairs = 2 * label + prediction
print(torch.bincount(pairs, minlength=4).view(2, 2))
# Output:
# tensor([[1, 2],
#         [0, 2]])
# endregion

# region proof_batch_in_eval
import torch
from torch import nn

norm = nn.BatchNorm1d(1).eval()
one = norm(torch.tensor([[1.0], [3.0]]))[0]
two = norm(torch.tensor([[1.0], [-1.0]]))[0]
assert torch.equal(one, two)
# endregion

# region proof_eval_reaches_down
from torch import nn

model = nn.Sequential(nn.Sequential(nn.Dropout()), nn.ReLU())
model[0].eval()
assert model.training and model[1].training
assert not model[0].training and not model[0][0].training
assert not model.eval()[1].training
# endregion

# region proof_built_outside
import torch
from torch import nn

with torch.inference_mode():
    assert nn.Linear(2, 1).weight.is_inference()
layer = nn.Linear(2, 1)
assert not layer.weight.is_inference()
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
layer.weight.grad = torch.ones(1, 2)
optimizer.step()
# endregion

# region proof_inference_tensor_inside
import torch
from torch import nn

with torch.inference_mode():
    layer = nn.Linear(2, 1)
    layer.weight.add_(1)
with torch.no_grad():
    try:
        layer.weight.add_(1)
        raise AssertionError
    except RuntimeError:
        pass
assert torch.ones(2, dtype=torch.complex64).mean() == 1
try:
    torch.tensor([1, 2]).mean()
    raise AssertionError
except RuntimeError:
    pass
# endregion

# region proof_eval_records
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 1), nn.Dropout(1.0)).eval()
before = model[0].weight.detach().clone()
y = model(torch.ones(1, 2))
assert y.grad_fn is not None and y.item() != 0
assert torch.equal(before, model[0].weight)
with torch.no_grad():
    assert model(torch.ones(1, 2)).grad_fn is None
# endregion

# region proof_hits_divided_once
import torch

hits = torch.tensor([1.0, 1.0, 1.0, 1.0, 0.0])
found = sum(batch.sum().item() for batch in hits.split(4))
assert found / len(hits) == 0.8
assert [batch.mean().item() for batch in hits.split(4)] == [1, 0]
# endregion

# region proof_broadcast_shape
import torch

prediction = torch.tensor([1, 1, 1])
assert (prediction == torch.ones(3, 1)).shape == (3, 3)
assert torch.tensor(0.0).sigmoid() == 0.5
logits = torch.linspace(-9, 9, 100)
assert torch.equal(logits > 0, logits.sigmoid() > 0.5)
# endregion

# region proof_softmax_keeps_order
import torch

logits = torch.tensor([[0.5, -3.0, 2.0], [7.0, 7.5, 1.0]])
p = logits.softmax(dim=1)
assert torch.equal(p.argsort(dim=1), logits.argsort(dim=1))
assert torch.equal(p.argmax(dim=1), logits.argmax(dim=1))
near = torch.tensor([0.1, 0.1])
near[1] = torch.nextafter(near[1], torch.tensor(1.0))
p = near.softmax(dim=0)
assert near[1] > near[0] and p[0] == p[1]
assert torch.tensor([0.0, -200, -300]).softmax(dim=0).tolist() == [1, 0, 0]
# endregion

# region proof_evaluate_with_train
from torch import nn

model = nn.Dropout().eval()
model.eval()
model.train()
assert model.training
assert nn.Dropout().train(True).training
# endregion

# region proof_top_two
import torch

top = torch.tensor([[0, 1], [2, 1], [1, 0]])
label = torch.tensor([1, 0, 2])
try:
    top == label
    raise AssertionError
except RuntimeError:
    pass
# endregion
