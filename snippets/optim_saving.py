"""State dictionaries, resuming, and averaged weights."""

# region numbers_for_parameters
from torch import nn, optim

layer = nn.Linear(3, 2)
optimizer = optim.SGD([
    {"params": [layer.weight]},
    {"params": [layer.bias], "lr": 1.0},
], lr=0.5)
for group in optimizer.state_dict()["param_groups"]:
    print(group["lr"], group["params"])
# Output:
# 0.5 [0]
# 1.0 [1]
# endregion

# region no_snapshot
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
w.grad = torch.tensor([4.0])
optimizer.step()
saved = optimizer.state_dict()
optimizer.step()
print(saved["state"][0]["momentum_buffer"])
# Output:
# tensor([6.])
# endregion

# region rate_comes_along
import torch

w = torch.tensor([0.0], requires_grad=True)
old = torch.optim.SGD([w], lr=0.5)
new = torch.optim.SGD([w], lr=0.125)
new.load_state_dict(old.state_dict())
print(new.param_groups[0]["lr"])  # prints 0.5
# endregion

# region matched_by_order
import torch

a = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
a.grad, b.grad = torch.tensor([3.0]), torch.tensor([7.0])
old = torch.optim.SGD([a, b], lr=0.1, momentum=0.9)
old.step()
new = torch.optim.SGD([b, a], lr=0.1, momentum=0.9)
new.load_state_dict(old.state_dict())
print(new.state[a]["momentum_buffer"])
# Output:
# tensor([7.])
# endregion

# region unlike_groups
import torch
from torch.optim import SGD

a = torch.ones(3, requires_grad=True)
b = torch.ones(2, requires_grad=True)
a.grad = torch.ones(3)
old = SGD([a], lr=0.1, momentum=0.9)
old.step()
new = SGD([b], lr=0.1, momentum=0.9)
new.load_state_dict(old.state_dict())
print(new.state[b]["momentum_buffer"].shape)
# Output:
# torch.Size([3])
# endregion

# region proof_other_class
import torch

w = torch.ones(1, requires_grad=True)
w.grad = torch.ones(1)
saved = torch.optim.SGD([w], lr=0.1).state_dict()
optimizer = torch.optim.Adam([w], lr=0.1)
optimizer.load_state_dict(saved)
assert "betas" not in optimizer.param_groups[0]
try:
    optimizer.step()
    raise AssertionError("not reached")
except KeyError as error:
    assert str(error) == "'betas'"
# endregion

# region lambda_is_not_saved
import torch
from torch.optim import SGD, lr_scheduler as lrs

w = torch.ones(1, requires_grad=True)
old = lrs.LambdaLR(SGD([w], lr=1.0), lambda n: 0.5 ** n)
optimizer = SGD([w], lr=1.0)
new = lrs.LambdaLR(optimizer, lambda n: 0.25 ** n)
new.load_state_dict(old.state_dict())
optimizer.step()
new.step()
print(new.get_last_lr())  # prints [0.25]
# endregion

# region schedule_starts_again
import torch
from torch.optim import SGD, lr_scheduler as lrs

w = torch.ones(1, requires_grad=True)
old = SGD([w], lr=1.0)
scheduler = lrs.ExponentialLR(old, gamma=0.25)
old.step()
scheduler.step()
new = SGD([w], lr=1.0)
new.load_state_dict(old.state_dict())
again = lrs.ExponentialLR(new, gamma=0.25)
print(again.get_last_lr(), again.last_epoch)
# Output:
# [0.25] 0
# endregion

# region average_of_all
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

model = nn.Linear(1, 1, bias=False)
average = AveragedModel(model)
for value in (1.0, 3.0, 8.0):
    nn.init.constant_(model.weight, value)
    average.update_parameters(model)
print(average.module.weight.item())  # prints 4.0
# endregion

# region ema
from torch import nn
from torch.optim import swa_utils

model = nn.Linear(1, 1, bias=False)
average = swa_utils.AveragedModel(
    model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.75)
)
for value in (8.0, 0.0, 0.0):
    nn.init.constant_(model.weight, value)
    average.update_parameters(model)
print(average.module.weight.item())  # prints 4.5
# endregion

# region buffers
from torch import nn
from torch.optim.swa_utils import AveragedModel

model = nn.BatchNorm1d(1)
plain = AveragedModel(model)
full = AveragedModel(model, use_buffers=True)
for value in (1.0, 3.0):
    model.running_mean.fill_(value)
    plain.update_parameters(model)
    full.update_parameters(model)
for average in (plain, full):
    print(average.module.running_mean)
# Output:
# tensor([3.])
# tensor([2.])
# endregion

# region mode_of_the_copy
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

model = nn.Dropout(p=1.0)
average = AveragedModel(model)
model.eval()
average.update_parameters(model)
for net in (model, average):
    print(net(torch.ones(2)))
# Output:
# tensor([1., 1.])
# tensor([0., 0.])
# endregion

# region state_of_the_average
from torch import nn
from torch.optim.swa_utils import AveragedModel

average = AveragedModel(nn.Linear(2, 1))
print(list(average.state_dict()))
# Output:
# ['n_averaged', 'module.weight', 'module.bias']
# endregion

# region update_bn
import torch
from torch import nn
from torch.optim.swa_utils import update_bn

model = nn.BatchNorm1d(1)
model.running_mean.fill_(100.0)
small = torch.tensor([[1.0], [3.0]])
large = torch.tensor([[7.0], [7.0], [7.0], [7.0]])
update_bn([small, large], model)
print(model.running_mean)  # prints tensor([4.5000])
# endregion

# region proof_swalr
import torch
from torch.optim.swa_utils import SWALR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = SWALR(
    optimizer, 0.5, anneal_epochs=2, anneal_strategy="linear"
)
for rate in (1.0, 0.75, 0.5, 0.5):
    assert scheduler.get_last_lr() == [rate]
    optimizer.step(), scheduler.step()
# endregion

# region proof_shared_after_load
import torch

a, b = (torch.ones(1, requires_grad=True) for _ in range(2))
old = torch.optim.SGD([a], lr=0.1, momentum=0.9)
new = torch.optim.SGD([b], lr=0.1, momentum=0.9)
a.grad = b.grad = torch.ones(1)
old.step()
new.load_state_dict(old.state_dict())
assert old.state[a]["momentum_buffer"].item() == 1
new.step()
assert old.state[a]["momentum_buffer"].item() > 1.8
# endregion

# region proof_adam_from_scratch
import torch
from torch.optim import Adam

w = torch.zeros(1, requires_grad=True)
adam = Adam([w], lr=0.5)
for grad in (100.0, 1.0):
    w.grad = torch.tensor([grad])
    before = w.item()
    adam.step()
carried, w.data[0] = abs(w.item() - before), 0.0
Adam([w], lr=0.5).step()
assert abs(w.item()) > 0.499 and abs(carried - abs(w.item())) > 0.1
# endregion

# region proof_save_the_dictionary
import io, pickle, torch

w = torch.ones(1, requires_grad=True)
adam = torch.optim.Adam([w])
w.sum().backward(), adam.step()
for saved, loads in ((adam.state_dict(), True), (adam, False)):
    torch.save(saved, file := io.BytesIO()), file.seek(0)
    try:
        torch.load(file, weights_only=True)
        assert loads
    except pickle.UnpicklingError:
        assert not loads
# endregion

# region proof_resumed_schedule
import torch
from torch.optim import SGD, lr_scheduler as lrs
w = torch.ones(1, requires_grad=True)
first, second = SGD([w], lr=1.0), SGD([w], lr=1.0)
old, new = lrs.StepLR(first, 3, 0.5), lrs.StepLR(second, 3, 0.5)
for _ in range(2):
    first.step(), old.step()
second.load_state_dict(first.state_dict())
new.load_state_dict(old.state_dict())
second.step(), new.step()
assert new.get_last_lr() == [0.5] and new.last_epoch == 3
# endregion

# region proof_average_is_a_copy
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

model = nn.Linear(1, 1, bias=False)
average = AveragedModel(model)
first = average.module.weight.item()
nn.init.constant_(model.weight, 7.0)
assert average.module.weight.item() == first
average.update_parameters(model)  # the first update copies
assert average.module.weight.item() == 7
# endregion

# region proof_update_bn_mode
import torch
from torch import nn
from torch.optim.swa_utils import update_bn

model = nn.Sequential(nn.BatchNorm1d(1)).eval()
update_bn([(torch.tensor([[1.0], [3.0]]), "label")], model)
assert model[0].running_mean.item() == 2
assert not model.training and model[0].momentum == 0.1
# endregion

# region proof_deepcopy
import copy
import torch

w = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
w.grad = torch.tensor([4.0])
optimizer.step()
saved = copy.deepcopy(optimizer.state_dict())
optimizer.step()
assert saved["state"][0]["momentum_buffer"].item() == 4
# endregion

# region proof_group_sizes
import torch
from torch import nn
from torch.optim import SGD
from torch.optim.swa_utils import AveragedModel

layer = nn.Linear(3, 2)
saved = SGD([layer.weight, layer.bias], lr=0.1).state_dict()
try:
    SGD([layer.weight], lr=0.1).load_state_dict(saved)
    raise AssertionError
except ValueError as error:
    assert "size of optimizer's group" in str(error)
plain, average = nn.Linear(3, 2), AveragedModel(layer)
plain.load_state_dict(average.module.state_dict())
assert torch.equal(plain.weight, layer.weight)
try:
    plain.load_state_dict(average.state_dict())
    raise AssertionError
except RuntimeError:
    pass
# endregion

# region proof_state_of_a_lambda
import torch
from torch.optim import SGD, lr_scheduler as lrs

optimizer = SGD([torch.ones(1)], lr=1.0)
old = lrs.LambdaLR(optimizer, lambda n: 0.5 ** n)
for _ in range(2):
    optimizer.step(), old.step()
state = old.state_dict()
assert state["lr_lambdas"] == [None] and state["last_epoch"] == 2
new = lrs.LambdaLR(SGD([torch.ones(1)], lr=1.0), lambda n: 0.25 ** n)
new.load_state_dict(state)
assert new.last_epoch == 2
# endregion
